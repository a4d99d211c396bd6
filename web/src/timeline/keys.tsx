// SPDX-License-Identifier: MIT
const HELP: readonly [keys: string, what: string][] = [
  ['W, S', 'zoom in and out'],
  ['A, D', 'move to the left and right'],
  ['F', 'show the selection; without one, everything'],
  ['Home', 'show everything'],
  ['\u2190 \u2192', 'previous and next item of the row'],
  ['\u2191 \u2193', 'row above and below'],
  ['[ ]', 'previous and next item with the same name'],
  ['L', 'longest item with the same name; of a task, first its longest wait'],
  ['I', 'cursors at begin and end of the item'],
  ['Shift + \u2190 \u2192', 'second cursor to the previous or next edge of the row'],
  ['M', 'mark with a text'],
  ['P, H', 'pin or hide the row'],
  ['O', 'show only this task and what it talks to'],
  ['Enter', 'open or close the row'],
  ['/', 'search'],
  ['?', 'show or hide these keys'],
  ['Esc', 'deselect'],
  ['Drag', 'set two cursors; they snap to edges'],
  ['Shift + drag', 'move'],
  ['Ctrl + wheel', 'zoom at the pointer'],
];

export function Keys() {
  return (
    <dl>
      {HELP.map(([keys, what]) => (
        <div key={keys}>
          <dt>{keys}</dt>
          <dd>{what}</dd>
        </div>
      ))}
    </dl>
  );
}
