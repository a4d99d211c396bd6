// SPDX-License-Identifier: MIT

/** A fatal error of the core. `code`: name of the tk_status. `message`: a sentence for the user. */
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

/** An expectation that does not hold. `code`: `fails`; `unmeasured`: no row matches, the figure has no value, or unmeasured time may change the verdict; `wrong`: no report can contain the figure. `message`: the worst row with its value and bound, or what is wrong. */
export class ExpectationError extends Error {
  constructor(
    readonly code: 'fails' | 'unmeasured' | 'wrong',
    message: string,
  ) {
    super(message);
    this.name = 'ExpectationError';
  }
}

/** An error of an input: it was read before (`consumed`), contains no bytes or no recording (`empty`), has a type that the library cannot read (`unsupported`), or the inputs are `several` recordings where the caller asks for one. */
export class InputError extends Error {
  constructor(
    readonly code: 'consumed' | 'empty' | 'unsupported' | 'several',
    message: string,
  ) {
    super(message);
    this.name = 'InputError';
  }
}
