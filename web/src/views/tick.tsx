// SPDX-License-Identifier: MIT
// Asked in plain sight, because every time in the result depends on it.
import { useState } from 'preact/hooks';
import type { Recording } from '../job.js';
import { dispatch } from '../store.js';

const units = [
  { name: 'ns per tick', toNs: (value: number) => value },
  { name: 'µs per tick', toNs: (value: number) => value * 1e3 },
  { name: 'MHz', toNs: (value: number) => 1e3 / value },
  { name: 'kHz', toNs: (value: number) => 1e6 / value },
];

/** The whole number of nanoseconds, or why not. */
export function tickOf(text: string, unit: number): { ns: string } | { why: string } {
  const value = Number(text.replace(',', '.'));
  if (!text.trim() || !Number.isFinite(value) || value <= 0) return { why: 'This has to be a number above zero.' };
  const ns = units[unit]?.toNs(value) ?? value;
  if (ns < 0.5) return { why: 'A tick below one nanosecond cannot be shown.' };
  return { ns: String(Math.round(ns)) };
}

export function TickQuestion({ recording }: { recording: Recording }) {
  const [text, setText] = useState('');
  const [unit, setUnit] = useState(0);
  const [wrong, setWrong] = useState('');
  const submit = (event: Event): void => {
    event.preventDefault();
    const tick = tickOf(text, unit);
    if ('why' in tick) return setWrong(tick.why);
    setWrong('');
    dispatch({ type: 'option', recording: recording.id, key: 'tick-ns', value: tick.ns });
  };
  return (
    <form class="panel ask" onSubmit={submit} noValidate>
      <div>
        <h2>How long is one tick of the time stamp?</h2>
        <p>This recording does not say it. One nanosecond is assumed, so every time below is a number of ticks. An earlier capture of the same target, dropped beside it, answers this too.</p>
      </div>
      <div class="row">
        <input aria-label="Tick length" aria-invalid={wrong !== ''} inputMode="decimal" size={8} value={text} onInput={(event) => setText(event.currentTarget.value)} />
        <select aria-label="Unit of the tick length" value={unit} onChange={(event) => setUnit(Number(event.currentTarget.value))}>
          {units.map(({ name }, index) => (
            <option key={name} value={index}>{name}</option>
          ))}
        </select>
        <button type="submit" class="key">Apply</button>
      </div>
      <p class="wrong" role="alert">{wrong}</p>
    </form>
  );
}
