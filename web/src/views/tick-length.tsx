// SPDX-License-Identifier: MIT
// A form for the missing tick length. It is shown prominently, because every time of the result depends on it.
import { useState } from 'preact/hooks';
import type { Report } from '../../../wasm/types.js';
import { count, duration } from '../format.js';
import { RATE, type Recording } from '../job.js';
import { dispatch } from '../store.js';

const usualTicks = [1000, 100, 50, 10]; // a second
const RATE_UNIT = 2; // asked instead of a tick length if the rate is exact

/** hz: converts `value` of this unit to a rate; only for units of a rate. */
const units: { name: string; toNs(value: number): number; hz?: number }[] = [
  { name: 'ns per tick', toNs: (value) => value },
  { name: 'µs per tick', toNs: (value) => value * 1e3 },
  { name: 'MHz', toNs: (value) => 1e3 / value, hz: 1e6 },
  { name: 'kHz', toNs: (value) => 1e6 / value, hz: 1e3 },
];

/** The option for the entered value, or the reason why the value is invalid. A rate is exact; a tick must be a whole number of ns. */
export function tickOf(
  text: string,
  unit: number,
  takesRate: boolean,
): { key: string; value: string } | { why: string } {
  const value = Number(text.replace(',', '.'));
  const { toNs, hz } = units[unit] ?? { toNs: () => value };
  if (!text.trim() || !Number.isFinite(value) || value <= 0) return { why: 'Enter a number above zero.' };
  if (hz) {
    const rate = Math.round(value * hz);
    return rate
      ? { key: takesRate ? RATE : 'clock-hz', value: String(rate) }
      : { why: 'Enter a rate of at least 1 Hz.' };
  }
  const ns = toNs(value);
  if (ns < 0.5) return { why: 'A tick below one nanosecond cannot be shown.' };
  return { key: 'tick-ns', value: String(Math.round(ns)) };
}

interface TickProps {
  recording: Recording;
  report: Report;
  /** the format has an option for its clock rate */
  takesRate: boolean;
}

export function TickQuestion({ recording, report, takesRate }: TickProps) {
  const [text, setText] = useState('');
  const [unit, setUnit] = useState(takesRate ? RATE_UNIT : 0);
  const [wrong, setWrong] = useState('');
  const submit = (event: Event): void => {
    event.preventDefault();
    const tick = tickOf(text, unit, takesRate);
    if ('why' in tick) return setWrong(tick.why);
    setWrong('');
    dispatch({ type: 'options', recording: recording.id, change: { [tick.key]: tick.value } });
  };
  const { ns, counts: countsPerTick } = report.tick;
  const assumed =
    Number(ns) === 1
      ? 'Until you enter it, times are shown in ticks. In the trace, one tick is one nanosecond.'
      : `${duration(String(ns))} are assumed, as usual for this format. Every time below depends on it.`;
  return (
    <form class="panel question" onSubmit={submit} noValidate>
      <div>
        <h2>
          {takesRate ? 'How fast does the clock of the time stamp run?' : 'How long is one tick of the time stamp?'}
        </h2>
        <p>
          The recording does not contain {takesRate ? 'the clock rate' : 'the tick length'}. {assumed}
          {!takesRate && ' You can also drop an earlier capture of the same target, if it contains the tick length.'}
        </p>
      </div>
      {takesRate && countsPerTick && (
        <div class="row full-width">
          <p>Its system tick comes every {count(Number(countsPerTick))} of them. How often is that?</p>
          {usualTicks.map((rate) => (
            <button
              type="button"
              class="button small"
              key={rate}
              onClick={() =>
                dispatch({
                  type: 'options',
                  recording: recording.id,
                  change: { [RATE]: String(Number(countsPerTick) * rate) },
                })
              }
            >
              {rate} per second
            </button>
          ))}
        </div>
      )}
      <div class="row">
        <input
          aria-label={takesRate ? 'Clock rate' : 'Tick length'}
          aria-invalid={wrong !== ''}
          inputMode="decimal"
          size={8}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <select aria-label="Unit" value={unit} onChange={(event) => setUnit(Number(event.currentTarget.value))}>
          {units.map(({ name }, index) => (
            <option key={name} value={index}>
              {name}
            </option>
          ))}
        </select>
        <button type="submit" class="button">
          Apply
        </button>
      </div>
      <p class="field-error" role="alert">
        {wrong}
      </p>
    </form>
  );
}
