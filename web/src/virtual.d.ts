// SPDX-License-Identifier: MIT
declare module 'virtual:demos' {
  import type { OverviewRow } from './series.js';
  export interface Demo {
    /** in links to it: `#demo=ID` */
    id: string;
    title: string;
    sentence: string;
    files: string[];
    /** options that the recording does not contain */
    options?: Record<string, string>;
    /** some rows of its overview; each bar is one digit up to `levels` */
    rows: (Pick<OverviewRow, 'kind' | 'core'> & { busy: string })[];
  }
  export const levels: number;
  /** What the build generated from the demo recordings. */
  const demos: Demo[];
  export default demos;
}

/** from package.json */
declare const VERSION: string;
/** address of the source repository; "": unknown to the build */
declare const SOURCE: string;
