// SPDX-License-Identifier: MIT

/** A fatal answer of the core. `code` names the status, the message is a sentence for people. */
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

/** An input that cannot be read: it was `consumed` before, is `empty`, or of an `unsupported` kind. */
export class InputError extends Error {
  constructor(
    readonly code: 'consumed' | 'empty' | 'unsupported',
    message: string,
  ) {
    super(message);
    this.name = 'InputError';
  }
}
