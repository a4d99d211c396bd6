// SPDX-License-Identifier: MIT
declare module 'virtual:demos' {
  import type { OverviewRow } from './series.js';
  export interface Demo {
    /** in links to it: `#demo=ID` */
    id: string;
    title: string;
    sentence: string;
    files: string[];
    /** what the recording cannot tell */
    options?: Record<string, string>;
    /** a few rows of what its report draws, a digit up to `levels` per bar */
    rows: (Pick<OverviewRow, 'kind' | 'core'> & { busy: string })[];
  }
  export const levels: number;
  /** What the build made of the demo recordings. */
  const demos: Demo[];
  export default demos;
}

/** of package.json */
declare const VERSION: string;
/** where the source is kept; "": not known to the build */
declare const SOURCE: string;
