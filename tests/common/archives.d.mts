// SPDX-License-Identifier: MIT
export interface File {
  path: string;
  bytes: Uint8Array;
  deflated?: boolean;
  encrypted?: boolean;
  method?: number;
}
export function zip(files: File[], options?: { prefix?: number; comment?: string }): Buffer;
export function tar(files: File[], options?: { end?: boolean }): Buffer;
