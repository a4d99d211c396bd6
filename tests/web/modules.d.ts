// SPDX-License-Identifier: MIT
declare module '*/viewer.mjs' {
  import type { BrowserContext, Page } from 'playwright-core';
  export function serveViewer(context: BrowserContext, url?: string): Promise<void>;
  export function traceLoaded(viewer: Page, timeout?: number): Promise<void>;
  export function viewerQuery(viewer: Page, sql: string): Promise<Record<string, unknown>[]>;
}

declare module '*/tband.mjs' {
  export function frame(name: string, ...values: (number | bigint | string | Uint8Array)[]): Uint8Array;
  export function concat(parts: Iterable<ArrayLike<number>>): Uint8Array<ArrayBuffer>;
}

declare module '*/golden-qs-stream.mjs' {
  export class QsStream {
    constructor(options?: { version?: number; sizes?: Record<string, number>; sequence?: number });
    start(): this;
    step(ts: number, sig: number, object: number, state: number): this;
    rec(name: string, ...values: (number | bigint | string)[]): this;
    bytes(): Uint8Array;
  }
  export function names_text(options: { sizes: Record<string, number> }): string;
}

declare module '*/elf.mjs' {
  interface Symbol {
    name: string;
    address: number;
    size: number;
    unit?: string;
  }
  interface Firmware {
    functions?: Symbol[];
    variables?: Symbol[];
    constants?: { address: number; bytes: string }[];
  }
  export function elf_file(firmware: Firmware, kind?: { padding?: number; stripped?: boolean }): Uint8Array;
  export function gnu_map(firmware: Firmware): string;
}

declare module '*/golden-systemview.mjs' {
  export const WITH_DESCRIPTION: Uint8Array;
}

declare module '*/golden-psf-stream.mjs' {
  export class PsfStream {
    start(): this;
    tasks(): this;
    ev(time: number, name: string, ...params: (number | bigint | string)[]): this;
    code(time: number, code: number, ...params: (number | bigint | string)[]): this;
    bytes(): Uint8Array;
  }
}

declare module '*/demo-wave.mjs' {
  export function wave_dump(): Uint8Array<ArrayBuffer>;
}

declare module '*/flux.mjs' {
  export class FluxStream {
    head(name: string, options?: { trace?: number }): this;
    signal(id: number, name: string, type: string): this;
    open(id: number, domain: string, start?: number): this;
    close(id: number, end: number): this;
    int(id: number, delta: number | null, value: number): this;
    words(id: number, delta: number | null, value: string): this;
    bytes(): Uint8Array;
  }
}

declare module '*/faults.mjs' {
  export type Fault = 'inversion' | 'lock held across a wait';
  export function run_with_fault(seed: number, fault: Fault | null): unknown;
}

declare module '*/simulator/tonbandgeraet.mjs' {
  export function tonbandgeraet(kernel: unknown, recording: { extensions: boolean }): { files: Uint8Array[] };
}
