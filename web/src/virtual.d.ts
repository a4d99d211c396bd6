// SPDX-License-Identifier: MIT
declare module 'virtual:demos' {
  export interface Demo {
    /** in links to it: `#demo=ID` */
    id: string;
    title: string;
    sentence: string;
    files: string[];
    /** options that the recording does not contain */
    options?: Record<string, string>;
    /** some rows of its timeline; each bar is one digit up to `levels` */
    rows: import('../thumbnails.js').ThumbnailRow[];
  }
  export const levels: number;
  /** What the build generated from the demo recordings. */
  const demos: Demo[];
  export default demos;
}

declare module 'virtual:catalogue' {
  /** The formats and the options, as the converter describes them. */
  const catalogue: import('../../wasm/types.js').Catalogue;
  export default catalogue;
}

declare module 'virtual:definitions' {
  /**
   * What the columns of the tables "jobs" and "waits", and some tables mean, from docs/REPORT.md: "response" for
   * `response_*`, "p50" for `*_p50`.
   */
  const definitions: Record<'jobs' | 'waits' | 'tables', Record<string, string>>;
  export default definitions;
}

/** from package.json */
declare const VERSION: string;
/** address of the source repository; "": unknown to the build */
declare const SOURCE: string;
