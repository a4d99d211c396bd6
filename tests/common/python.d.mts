// SPDX-License-Identifier: MIT
export const pythonVariables: { PYTHONPATH: string; TONKOPF_LIBRARY: string };
export function pythonIn(folder: () => string): (code: string, input?: string) => string;
