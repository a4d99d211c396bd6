// SPDX-License-Identifier: MIT
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
): { paths: string[]; cores: (number | null)[]; floor: string | null; bytes: number };
