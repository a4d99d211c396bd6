// SPDX-License-Identifier: MIT

/** A fatal answer of the core. `code` names the status, the message is a sentence for the user. */
export class CoreError extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly offset: string | null = null,
  ) {
    super(message);
    this.name = 'CoreError';
  }
}

/** What was handed in: it was `consumed` before, is `empty`, of an `unsupported` kind, or is `several` recordings where one is asked for. */
export class InputError extends Error {
  constructor(
    readonly code: 'consumed' | 'empty' | 'unsupported' | 'several',
    message: string,
  ) {
    super(message);
    this.name = 'InputError';
  }
}
