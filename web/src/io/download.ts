// SPDX-License-Identifier: MIT
import type { BlockStore } from './block-store.js';

/** `capture.bin` -> `capture.pftrace`: removes one known file extension; `a.core0.bin` keeps `.core0`. */
export function traceName(input: string): string {
  const base = input
    .replace(/^.*[\\/]/, '')
    .replace(/\.gz$/i, '')
    .replace(/\.[a-z0-9]{1,5}$/i, '');
  return `${base || 'trace'}.pftrace`;
}

/** `wave.vcd`, `top/bus[7:0]` -> `wave.top-bus-7-0.csv` */
export const samplesName = (input: string, path: string): string =>
  traceName(input).replace(
    /pftrace$/,
    `${
      path
        .replace(/[^\p{L}\p{N}]+/gu, '-')
        .replace(/^-|-$/g, '')
        .slice(-80) || 'signal'
    }.csv`,
  );

export function save(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The download starts after this task, so the address must stay valid until then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

export async function saveTrace(store: BlockStore, name: string, gzip: boolean): Promise<void> {
  const blob = store.toBlob();
  if (!gzip) return save(blob, name);
  const packed = blob.stream().pipeThrough(new CompressionStream('gzip'));
  save(await new Response(packed).blob(), `${name}.gz`);
}
