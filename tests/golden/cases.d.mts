// SPDX-License-Identifier: MIT
export interface GoldenCase {
  format: string;
  name: string;
  inputs: { name: string; path: string; side: boolean; core?: string }[];
  options: string[];
}
export const tool: string;
export const root: string;
export function golden_input(name: string, file?: string): string;
export const WHOLE: number;
export function cases(): GoldenCase[];
export function sampled<T>(list: T[]): T[];
export function native_trace(
  one: unknown,
  chunk: number,
): Promise<{ trace: Buffer; report: string; stderr: string; status: number }>;
