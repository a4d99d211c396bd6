// SPDX-License-Identifier: MIT
// Draws the rows of a benchmark as a chart: speed and memory over the size of the input, with logarithmic axes.

const PLACES = [
  { name: 'native', colour: '#0b6e4f', rate: 'nativeRate', memory: 'rssMiB' },
  { name: 'Node', colour: '#b35c00', rate: 'nodeRate', memory: 'nodeMiB' },
  { name: 'page', colour: '#5b3fa8', rate: 'pageRate', memory: 'pageMiB' },
];
const FLOOR = { name: 'floor', colour: '#7a7a7a', rate: 'floorRate', dash: '5 4' };
const LIMITS = [
  { name: 'at most, wasm', value: 32 },
  { name: 'at most, native', value: 16 },
];

const PANEL = { width: 400, height: 270, left: 52, top: 46, gap: 110 };
const fixed = (number) => Number(number.toFixed(1));

/** Returns a logarithmic scale that maps values from `from` to `to` to positions from `at` to `at + length`; a negative length: upwards. */
const scale = (from, to, at, length) => (value) =>
  fixed(at + (length * Math.log10(value / from)) / Math.log10(to / from));

const decades = (from, to) => Array.from({ length: Math.round(Math.log10(to / from)) + 1 }, (_, i) => from * 10 ** i);

const bytesText = (bytes) => (bytes >= 1e9 ? `${bytes / 1e9} GB` : `${bytes / 1e6} MB`);

/** Returns the points of one figure of one case, sorted by size. */
const pointsOf = (rows, name, key) =>
  rows
    .filter((row) => row.case === name && row[key] > 0)
    .map((row) => [row.bytes, row[key]])
    .sort(([a], [b]) => a - b);

function line(points, x, y, { colour, dash }, bold) {
  if (!points.length) return '';
  const path = points.map(([bytes, value], i) => `${i ? 'L' : 'M'}${x(bytes)} ${y(value)}`).join(' ');
  const dots = bold
    ? points.map(([bytes, value]) => `<circle cx="${x(bytes)}" cy="${y(value)}" r="3" fill="${colour}"/>`).join('')
    : '';
  return `<path d="${path}" fill="none" stroke="${colour}" stroke-width="${bold ? 2 : 1}"${bold ? '' : ' opacity="0.35"'}${dash ? ` stroke-dasharray="${dash}"` : ''}/>${dots}`;
}

/** Draws labels at the right ends of the lines. Moves labels apart that would overlap. */
function labels(ends, right) {
  const sorted = [...ends].sort((a, b) => a.y - b.y);
  let last = -Infinity;
  return sorted
    .map(({ y, text, colour }) => {
      last = Math.max(y + 4, last + 14);
      return `<text x="${right + 8}" y="${fixed(last)}" fill="${colour}">${text}</text>`;
    })
    .join('');
}

/** Draws one panel. series: [{ name, colour, key, dash? }]. limits: values of horizontal lines. */
function panel(rows, { title, left, from, to, series, limits = [], unit }) {
  const { width, height, top } = PANEL;
  const sizes = rows.map((row) => row.bytes);
  const [least, most] = [
    10 ** Math.round(Math.log10(Math.min(...sizes))),
    10 ** Math.round(Math.log10(Math.max(...sizes))),
  ];
  const x = scale(least, Math.max(most, least * 10), left, width);
  const y = scale(from, to, top + height, -height);
  const grid = decades(from, to).map(
    (value) =>
      `<path d="M${left} ${y(value)}h${width}" stroke="#ddd"/><text x="${left - 8}" y="${y(value) + 4}" text-anchor="end">${value}</text>`,
  );
  const ticks = decades(least, Math.max(most, least * 10)).map(
    (value) =>
      `<path d="M${x(value)} ${top}v${height}" stroke="#eee"/><text x="${x(value)}" y="${top + height + 20}" text-anchor="middle">${bytesText(value)}</text>`,
  );
  const bars = limits.map(
    ({ name, value }) =>
      `<path d="M${left} ${y(value)}h${width}" stroke="#b00020" stroke-dasharray="2 4"/><text x="${left + 6}" y="${y(value) - 4}" fill="#b00020">${name}: ${value} ${unit}</text>`,
  );
  const names = [...new Set(rows.map((row) => row.case))];
  const lines = series.flatMap((one) =>
    names.map((name, i) => line(pointsOf(rows, name, one.key), x, y, one, i === 0)),
  );
  const ends = series.flatMap(({ name, colour, key }) => {
    const last = pointsOf(rows, names[0], key).at(-1);
    return last ? [{ y: y(last[1]), text: `${name} ${last[1].toFixed(last[1] < 10 ? 1 : 0)}`, colour }] : [];
  });
  return [
    `<text x="${left}" y="${top - 18}" font-weight="600" font-size="14">${title}</text>`,
    ...grid,
    ...ticks,
    ...bars,
    ...lines,
    labels(ends, left + width),
  ].join('\n');
}

/** Returns the chart as SVG. The first case has bold lines with labels, the other cases have thin lines. */
export function picture(rows) {
  const { width, height, left, top, gap } = PANEL;
  const second = left + width + gap + left;
  const total = [second + width + gap, top + height + 60];
  const speed = panel(rows, {
    title: 'Speed, MB/s',
    left,
    from: 1,
    to: 1000,
    series: [...PLACES, FLOOR].map(({ rate, ...rest }) => ({ ...rest, key: rate })),
  });
  const memory = panel(rows, {
    title: 'Memory, MiB',
    left: second,
    from: 1,
    to: 100,
    unit: 'MiB',
    limits: LIMITS,
    series: PLACES.map((place) => ({ ...place, key: place.memory })),
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${total[0]} ${total[1]}" font-family="system-ui, sans-serif" font-size="12" fill="#222" role="img">
<title>Speed and memory over the size of the input</title>
<rect width="100%" height="100%" fill="#fff"/>
${speed}
${memory}
<text x="${left}" y="${total[1] - 10}" fill="#555">Bold: ${rows[0].case}. Thin: the other cases. Native memory is that of the process, elsewhere that of the WebAssembly module.</text>
</svg>
`;
}
