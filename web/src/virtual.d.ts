// SPDX-License-Identifier: MIT
declare module 'virtual:demos' {
  import type { StripRow } from '../../wasm/types.js';
  /** What the build made: the demo recordings, and a few rows of what their reports draw, a digit per bar. */
  const demos: { title: string; sentence: string; files: string[]; rows: (Pick<StripRow, 'kind' | 'core'> & { busy: string })[] }[];
  export default demos;
}
