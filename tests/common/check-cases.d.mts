// SPDX-License-Identifier: MIT
export interface Case {
  why: string;
  rules: string;
  inputs?: string[];
  baseline?: string;
  code: number;
  verdicts: string[];
  words?: string;
}
export const cases: Case[];
export function recordings(): Record<string, Uint8Array>;
export const MEMBERS: string[];
export function archive(): Uint8Array;
