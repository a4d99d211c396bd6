// SPDX-License-Identifier: MIT
// The names of the rows; beside a task its share of the processor and its worst response time.
import type { ComponentChildren } from 'preact';
import { KIND } from './engine.js';
import type { Line } from './layout.js';

/** A line and its place, in CSS pixels from the first line. */
export interface Placed {
  line: Line;
  y: number;
}

export function placed(lines: readonly Line[]): { placed: Placed[]; height: number } {
  let y = 0;
  const all = lines.map((line) => {
    const here = { line, y };
    y += line.height;
    return here;
  });
  return { placed: all, height: y };
}

export const rowWords = ({ row, title }: Line): string => row?.title ?? title;

/** Figures of a task, formatted. */
export interface TaskFigures {
  cpu: string;
  worst: string;
}

interface Props {
  lines: readonly Placed[];
  scroll: number;
  current: string;
  /** colours of tasks, by pid */
  colours: ReadonlyMap<number, string> | undefined;
  figuresOf(line: Line): TaskFigures | null;
  onFold(line: Line): void;
  onRow(line: Line): void;
  buttonsOf(line: Line): ComponentChildren;
}

function Name({
  line,
  colour,
  onFold,
  onRow,
}: Pick<Props, 'onFold' | 'onRow'> & { line: Line; colour: string | undefined }) {
  const swatch = colour && <span class="tl-swatch" style={{ background: colour }} />;
  if (line.isOpen === null)
    return (
      <span class="tl-name" title={rowWords(line)} onClick={() => onRow(line)}>
        {swatch}
        {line.title}
      </span>
    );
  return (
    <button
      type="button"
      class="tl-fold"
      aria-expanded={line.isOpen}
      title={rowWords(line)}
      onClick={() => onFold(line)}
    >
      <span aria-hidden="true">{line.isOpen ? '▾' : '▸'}</span> {swatch}
      {line.title}
      {!line.row && <small> {line.count}</small>}
    </button>
  );
}

export function Names({ lines, scroll, current, colours, figuresOf, onFold, onRow, buttonsOf }: Props) {
  return (
    <ul class="tl-names" aria-label="Rows of the timeline" style={{ transform: `translateY(${-scroll}px)` }}>
      {lines.map(({ line }) => {
        const figures = figuresOf(line);
        return (
          <li
            key={line.key}
            class={`${line.row ? 'tl-row' : 'tl-head'}${line.indent ? ' tl-inner' : ''}${line.isPinned ? ' tl-pinned' : ''}${line.key === current ? ' selected' : ''}`}
            style={{ height: `${line.height}px` }}
          >
            <Name
              line={line}
              colour={line.row?.kind === KIND.task ? colours?.get(line.row.owner) : undefined}
              onFold={onFold}
              onRow={onRow}
            />
            {line.row && !line.indent && buttonsOf(line)}
            {figures && (
              <>
                <span class="tl-figure tl-cpu">{figures.cpu}</span>
                <span class="tl-figure">{figures.worst}</span>
              </>
            )}
          </li>
        );
      })}
    </ul>
  );
}
