// SPDX-License-Identifier: MIT
import type { DetectedInput } from './types.js';

/** Returns a key of an input, unique among the inputs of a conversion: the number of its source, of its file in an archive, and of its block. */
export const keyOf = ({ source, member, block }: Pick<DetectedInput, 'source' | 'member' | 'block'>): string =>
  [source, ...(member ? [member.number] : []), block].join(':');
