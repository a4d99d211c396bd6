// SPDX-License-Identifier: MIT
// Puts the events of one or several inputs on one monotonic time line.

const LOOK_AHEAD = 8;
const COUNTER_BITS = [16n, 24n, 31n, 32n, 40n, 48n, 56n];
const LATEST = (1n << 63n) - 1n;

/** A change of core without a time; also all events without a time stamp. */
const untimed = (event) => event.ts === undefined || (event.name === 'core_id' && event.ts === 0n);

/** Width of the counter that wrapped between the two times, 0n: no wrap. */
function wrapBits(before, after) {
  for (const bits of COUNTER_BITS) {
    const full = 1n << bits;
    if (before < full && before > full - full / 8n && after < full / 8n) return bits;
  }
  return 0n;
}

/** The meaning of a time stamp below `last`, determined by the frames after it. */
function judgeFall(last, ts, followers) {
  const oldLine = followers.filter((time) => time >= last).length;
  const newLine = followers.filter((time) => time >= ts && time < last).length;
  if (oldLine > newLine || newLine === 0) return 'damaged';
  return wrapBits(last, ts) ? 'wrap' : 'restart';
}

/** A time stamp far ahead is damaged if the frames after it continue the old time line. */
function isSpike(last, ts, followers) {
  const oldLine = followers.filter((time) => time >= last && time < ts).length;
  return followers[0] < ts && oldLine * 2 > followers.length;
}

/** Time stamps of the next few events after one. */
function timesBehind(events, index) {
  const out = [];
  for (let next = index + 1; next < events.length && out.length < LOOK_AHEAD; next++) {
    if (!untimed(events[next])) out.push(events[next].ts);
  }
  return out;
}

/** Sets `section`, `time` (without a time stamp: that of the event before) and `core` of each event of one input; removes damaged ones. An event is missing
 * before one with `damageBefore`. */
function straighten({ events, damageAtEnd }, firstCore, notes) {
  const out = [];
  let damaged = false;
  let last = 0n;
  let started = false;
  let base = 0n;
  let section = 0;
  let core = firstCore;
  events.forEach((event, index) => {
    if (!untimed(event)) {
      const followers = timesBehind(events, index).map((time) => time + base);
      let ts = event.ts + base;
      if (started && ts < last) {
        const verdict = judgeFall(last, ts, followers);
        if (verdict === 'damaged') {
          notes.damaged++;
          damaged = true;
          return;
        }
        if (verdict === 'wrap') {
          base += 1n << wrapBits(last - base, event.ts);
          ts = event.ts + base;
          notes.wraps++;
        } else {
          base = 0n;
          ts = event.ts;
          section++;
          // names that the start-up sends belong to the events after them
          for (let back = out.length - 1; back >= 0 && out[back].ts === undefined; back--) out[back].section = section;
        }
      } else if (started && isSpike(last, ts, followers)) {
        notes.damaged++;
        damaged = true;
        return;
      }
      last = ts;
      started = true;
    }
    const isOutOfRange = event.name === 'core_id' && event.core >= 32;
    if (event.name === 'core_id' && !isOutOfRange) core = event.core;
    const damageBefore = event.damageBefore || damaged || isOutOfRange;
    out.push({ ...event, section, time: last, core, sourceCore: event.core, damageBefore });
    damaged = false;
  });
  return { events: out, damageAtEnd: damageAtEnd || damaged };
}

/**
 * inputs: [{ events, damageAtEnd, core }]. One list in the order of time, each event with `time` (BigInt ticks of the trace),
 * `core` and `restart` on the first of a new section. `cores`: of each input, the cores of its events and whether it ends with damage.
 */
export function timeLine(inputs) {
  const notes = { damaged: 0, wraps: 0, restarts: 0, clamped: 0 };
  const straight = inputs.map((input) => straighten(input, input.core ?? 0, notes));
  const lines = straight.map(({ events }) => events);
  const cores = straight.map(({ events, damageAtEnd }) => ({
    cores: new Set(events.filter((event) => !untimed(event)).map(({ core }) => core)),
    damageAtEnd,
  }));
  const merged = [];
  const at = lines.map(() => 0);
  for (;;) {
    let best = -1;
    lines.forEach((line, index) => {
      const next = line[at[index]];
      if (!next) return;
      const other = best < 0 ? null : lines[best][at[best]];
      if (!other || next.section < other.section || (next.section === other.section && before(next, other)))
        best = index;
    });
    if (best < 0) break;
    merged.push({ ...lines[best][at[best]++], input: best });
  }
  let offset = 0n;
  let now = null;
  let section = 0;
  for (const event of merged) {
    if (!untimed(event) && now === null && event.time > LATEST / 2n) offset = -event.time;
    if (event.section > section) {
      section = event.section;
      const first = merged.find((other) => other.section === section && !untimed(other));
      now = (now ?? 0n) + 1n; // it begins one tick after the old section
      offset = now - (first?.time ?? 0n);
      event.restart = true;
      notes.restarts++;
    }
    let time = untimed(event) ? (now ?? 0n) : event.time + offset;
    if (time > LATEST) {
      time = LATEST;
      notes.clamped++;
    }
    if (!untimed(event)) now = time > (now ?? 0n) ? time : (now ?? time);
    event.time = untimed(event) ? time : now;
  }
  return { events: merged, cores, notes, start: merged.find((event) => !untimed(event))?.time ?? 0n, end: now ?? 0n };
}

function before(a, b) {
  if (untimed(a) !== untimed(b)) return untimed(a); // names and other settings need not wait for other inputs
  return a.time < b.time || (a.time === b.time && a.core < b.core);
}
