// SPDX-License-Identifier: MIT
// What is selected, above the picture: marks, the interval or the cursors, the frame of an item and its flows.
import { Flows } from './flows.js';
import { Poles } from './marking.js';
import type { Mark } from './marks.js';
import type { NamedItem } from './messages.js';
import type { Placed } from './names.js';
import type { Session } from './session.js';

interface Props {
  session: Session;
  item: NamedItem | null;
  /** in ticks since the first event */
  interval: { from: number; to: number } | null;
  /** length of the interval, in words */
  words: string;
  marks: readonly Mark[];
  lines: readonly Placed[];
  /** CSS pixels above the picture */
  scroll: number;
  /** CSS pixels */
  width: number;
  /** places of times, in CSS pixels: of ticks since the first event, of ticks */
  xOf(time: number): number;
  xAt(ticks: bigint): number;
}

export function Overlay({ session, item, interval, words, marks, lines, scroll, width, xOf, xAt }: Props) {
  const boxOf = ({ row, begin, end }: NamedItem): { left: number; right: number; y: number; height: number } | null => {
    const at = lines.find(({ line }) => line.row?.row === row && !line.isPinned);
    return at ? { left: xAt(begin), right: xAt(end), y: at.y - scroll, height: at.line.height } : null;
  };
  const box = item && boxOf(item),
    left = Math.max(-4, box?.left ?? 0), // the frame of an item that begins before the window has no left side
    from = interval ? xOf(interval.from) : 0;
  return (
    <>
      <Poles marks={marks} xOf={xAt} />
      {interval && (
        <span class="tl-interval" style={{ left: `${from}px`, width: `${Math.max(1, xOf(interval.to) - from)}px` }}>
          {words && <span class="tl-between">{words}</span>}
        </span>
      )}
      {item && <Flows session={session} item={item} boxOf={boxOf} />}
      {box && (
        <span
          class="tl-item"
          style={{
            left: `${left}px`,
            width: `${Math.max(3, Math.min(width + 4, box.right) - left)}px`,
            top: `${box.y + 1}px`,
            height: `${box.height - 2}px`,
          }}
        />
      )}
    </>
  );
}
