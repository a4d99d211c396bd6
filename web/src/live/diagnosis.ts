// SPDX-License-Identifier: MIT
// What is wrong with a live recording, in one sentence.
import { count, plural, sentence } from '../format.js';
import type { SourceChoice, Status } from './messages.js';

const WORDS: Record<string, string> = {
  FramingError: 'framing error',
  ParityError: 'parity error',
  BreakError: 'break',
  BufferOverrunError: 'buffer overrun',
};

/** "12 framing errors, 1 break" */
export const lineErrorsOf = ({ lineErrors }: Status): string =>
  Object.entries(lineErrors)
    .map(([name, number]) => plural(number, WORDS[name] ?? name))
    .join(', ');

/** Framing errors, from which a wrong baud rate is concluded. A break or noise causes fewer. */
const MANY = 5;

/** null: nothing is wrong */
export function diagnosisOf(status: Status, source: SourceChoice, silentMs: number): string | null {
  const { state, reason, format, unknown, bytes, lineErrors, kept } = status;
  const errors = lineErrorsOf(status);
  const baud = source.kind === 'serial' ? count(source.baudRate) : '';
  const why = reason ? ` (${reason.replace(/\.$/, '')})` : '';
  if (state === 'waiting' && source.kind === 'probe') return `Waiting for the target${why}.`;
  if (state === 'waiting')
    return baud
      ? `Waiting for the port${why}. Plug it in, and close other programs that use it.`
      : `Waiting for ${source.kind === 'stream' ? 'the program that records' : 'the source'}${why}.`;
  if (state === 'gone') return `The connection is gone${why}. The recording goes on when it is back.`;
  if (baud && (lineErrors.FramingError ?? 0) >= MANY && !format)
    return `${baud} baud is probably wrong: ${errors}. Stop, and connect with the rate of the target.`;
  if (state === 'running' && reason) return sentence(reason);
  if (state === 'running' && !bytes)
    return silentMs > 2000 ? 'No bytes come yet. Does the target send? Some start when they are reset.' : null;
  if (unknown)
    return `${sentence(unknown)} ${count(kept)} bytes are kept.${baud ? ` Is ${baud} baud the rate of the target?` : ''}`;
  if (errors) return `${sentence(errors)} Bytes are missing there.`;
  if (silentMs > 2000 && state === 'running')
    return `No bytes for ${Math.round(silentMs / 1000)} s. Is the target halted?`;
  return null;
}
