// SPDX-License-Identifier: MIT
// The content of a trace's tracks, a line each: path, slices, their lengths and names, counter values.

/** Nine significant digits without trailing zeros. */
const digits = (value) =>
  value === null
    ? '-'
    : String(Number(Number(value).toPrecision(9)))
        .replace(/e\+?(-?)(\d)$/, 'e$10$2')
        .replace(/e(\d)/, 'e+$1');

const SLICES =
  'select track_id, count(*) as n, sum(dur) as dur, min(ts) as first, max(ts + dur) as last, count(distinct name) as names from slice group by track_id';
const COUNTERS =
  'select track_id, count(*) as n, min(ts) as first, max(ts) as last, min(value) as least, max(value) as most, sum(value) as total from counter group by track_id';

export function trackRows(engine) {
  const tracks = new Map(engine.query('select id, name, parent_id from track').map((row) => [row.id, row]));
  const path = (id) => {
    const { name, parent_id } = tracks.get(id);
    return parent_id === null ? name : `${path(parent_id)} > ${name}`;
  };
  const slices = engine
    .query(SLICES)
    .map((row) =>
      [path(row.track_id), row.n, row.dur, row.first, row.last, row.names, '-', '-', '-', '-', '-', '-'].join('\t'),
    );
  const counters = engine
    .query(COUNTERS)
    .map((row) =>
      [
        path(row.track_id),
        '-',
        '-',
        '-',
        '-',
        '-',
        row.n,
        row.first,
        row.last,
        digits(row.least),
        digits(row.most),
        digits(row.total),
      ].join('\t'),
    );
  return [...slices, ...counters].sort();
}
