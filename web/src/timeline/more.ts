// SPDX-License-Identifier: MIT
// What the timeline needs only after the user has pointed at it, has selected or asked for something; it is loaded then.
import './more.css';
export { Events } from './events.js';
export { Flags, Marking } from './marking.js';
export { keepMarks, recallMarks } from './marks.js';
export { Overlay } from './overlay.js';
export { peersOf } from './peers.js';
export { edgeFrom, find, itemAt } from './search.js';
export { saveImage } from './picture.js';
export { RowButtons } from './row-buttons.js';
export { IntervalPanel, ItemPanel } from './selection.js';
export { VisibleItems } from './visible.js';
export { Keys } from './keys.js';
export { frequencyOf, hoverWords, wordsOf } from './words.js';
