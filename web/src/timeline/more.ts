// SPDX-License-Identifier: MIT
// What the timeline needs only after the user has selected or asked for something; it is loaded then.
export { Events } from './events.js';
export { Flows } from './flows.js';
export { Marking } from './marking.js';
export { imageOf } from './picture.js';
export { IntervalPanel, ItemPanel } from './selection.js';
export { VisibleItems } from './visible.js';
export { Keys } from './keys.js';
