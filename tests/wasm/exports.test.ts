// SPDX-License-Identifier: MIT
// The library for Node and the one for browsers export every function of Library.
import { expect, test } from 'vitest';
import * as browser from '../../wasm/browser.js';
import * as node from '../../wasm/index.js';
import { library } from '../../wasm/node.js';

const ERRORS = ['CoreError', 'ExpectationError', 'InputError'];

test.each([
  ['Node', node, ERRORS],
  ['browsers', browser, [...ERRORS, 'setModuleAddress']],
] as const)('the library for %s exports the functions of Library', (_, exported, others) => {
  expect(Object.keys(exported).sort()).toEqual([...Object.keys(library), ...others].sort());
  for (const value of Object.values(exported)) expect(value).toBeTypeOf('function');
});
