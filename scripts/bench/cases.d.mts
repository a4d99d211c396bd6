// SPDX-License-Identifier: MIT
// Types of cases.mjs for the tests in TypeScript.
export interface BenchCase {
  name: string;
  generator: string;
  words: string[];
  files: string[];
  floor?: string;
}
export const CASES: BenchCase[];
export function inputs(
  one: BenchCase,
  size: string,
): { paths: string[]; cores: (number | null)[]; files: string[]; floor: string | null; bytes: number };
