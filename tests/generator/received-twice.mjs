// SPDX-License-Identifier: MIT

import { concat } from './tband.mjs';

/**
 * The bytes at [from, to) follow themselves, as when a serial buffer is delivered twice.
 * @param {Uint8Array} bytes @param {number} from @param {number} to
 */
export const received_twice = (bytes, from, to) => ({
  bytes: () => concat([bytes.subarray(0, to), bytes.subarray(from)]),
});
