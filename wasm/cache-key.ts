// SPDX-License-Identifier: MIT
import type { DetectedInput } from './types.js';

/** Names an input among those of the same sources, which it begins with. */
export const keyOf = ({ source, member, block }: Pick<DetectedInput, 'source' | 'member' | 'block'>): string =>
  [source, ...(member ? [member.number] : []), block].join(':');
