// SPDX-License-Identifier: MIT
// Compares the figures of a benchmark with their goals. Omits goals for figures that were not measured.
import { CASES } from './cases.mjs';

const MAIN = 'FreeRTOS, one core',
  QS = 'QS, lift with active objects';
// Cases with a goal relative to the floor. The other cases have none: their decoding needs fewer steps than that of frames, so a larger
// share of their time is spent in the model, which the floor does not contain.
const OF_FLOOR = CASES.filter(({ ofFloor }) => ofFloor).map(({ name, ofFloor }) => [name, ofFloor]);

const ratio = (value) => value.toFixed(2);
const mib = (value) => `${value.toFixed(1)} MiB`;
const ms = (value) => `${value.toFixed(0)} ms`;

const least = (rows, key) => Math.min(...rows.map((row) => row[key]));
const most = (rows, key) => Math.max(...rows.map((row) => row[key]));
const having = (rows, key) => rows.filter((row) => row[key] !== undefined);

/** Goals for rows: [name, key of the figure, filter of the rows, 'at least' | 'at most', bound, function that formats the figure]. */
const BOUNDS = [
  ...OF_FLOOR.map(([name, bound]) => [
    `native, relative to the floor (100 MB, ${name})`,
    'ofFloor',
    (row) => row.case === name && row.size === '100M',
    'at least',
    bound,
    ratio,
  ]),
  [
    'WebAssembly in Node, relative to native (100 MB, one core)',
    'nodeOfNative',
    (row) => row.case === MAIN && row.size === '100M',
    'at least',
    0.6,
    ratio,
  ],
  [
    'page, whole trace, relative to Node (100 MB, one core)',
    'pageOfNode',
    (row) => row.case === MAIN && row.size === '100M',
    'at least',
    0.5,
    ratio,
  ],
  [
    'output per byte of input (FreeRTOS, every size)',
    'outPerIn',
    (row) => row.case.startsWith('FreeRTOS'),
    'at most',
    2.6,
    ratio,
  ],
  [
    'output per byte of input (TraceRecorder, every size)',
    'outPerIn',
    (row) => row.case.startsWith('TraceRecorder'),
    'at most',
    3.5,
    ratio,
  ],
  [
    'output per byte of input (call trace, every size)',
    'outPerIn',
    (row) => row.case.startsWith('call trace'),
    'at most',
    5,
    ratio,
  ],
  ['native process (every case and size)', 'rssMiB', () => true, 'at most', 16, mib],
  ['WebAssembly memory in Node (every case and size)', 'nodeMiB', () => true, 'at most', 32, mib],
  ['WebAssembly memory in the page (every case and size)', 'pageMiB', () => true, 'at most', 32, mib],
  ['first figures on the page (10 MB, every case)', 'firstMs', (row) => row.size === '10M', 'at most', 1000, ms],
];

function bounds(rows) {
  return BOUNDS.flatMap(([what, key, counts, kind, bound, show]) => {
    const found = having(rows.filter(counts), key);
    if (!found.length) return [];
    const value = kind === 'at least' ? least(found, key) : most(found, key);
    return [
      {
        what,
        goal: `${kind} ${show(bound)}`,
        measured: show(value),
        reached: kind === 'at least' ? value >= bound : value <= bound,
      },
    ];
  });
}

function growth({ growth: steps }) {
  const change = steps.at(-1).perEvent / steps[0].perEvent - 1;
  return [
    {
      what: `instructions per event at ${steps.at(-1).size} against ${steps[0].size}`,
      goal: 'within 10 %',
      measured: `${change < 0 ? '-' : '+'}${Math.abs(change * 100).toFixed(1)} %`,
      reached: Math.abs(change) <= 0.1,
    },
  ];
}

function loading(load) {
  const times = (key) => Math.min(...load.map(({ ours, naive }) => naive[key] / ours[key]));
  const naive = [
    ['seconds', 'time'],
    ['memory', 'memory'],
  ].map(([key, word]) => {
    const value = times(key);
    return {
      what: `${word} to load a naive trace, relative to ours (every case)`,
      goal: 'more than 1.00',
      measured: ratio(value),
      reached: value > 1,
    };
  });
  return [...naive, ...loadingBefore(load)];
}

/** Goals for loading, relative to an earlier build: [name, key of the figure, largest ratio, filter of the rows]. */
const OF_EARLIER = [
  ...[
    ['seconds', 'Node'],
    ['chromium', 'Chromium'],
  ].flatMap(([key, where]) =>
    [MAIN, QS].map((name) => [
      `time to load in ${where}, relative to the earlier writer (${name})`,
      key,
      0.75,
      (row) => row.case === name,
    ]),
  ),
  ['time to load in Node, relative to the earlier writer (every case)', 'seconds', 1.03, () => true],
  [
    'memory to load, relative to the earlier writer (tasks)',
    'memory',
    0.85,
    (row) => row.case === MAIN || row.case === QS,
  ],
];

function loadingBefore(load) {
  return OF_EARLIER.flatMap(([what, key, bound, counts]) => {
    const found = load
      .filter((row) => counts(row) && row.before?.[key])
      .map(({ ours, before }) => ours[key] / before[key]);
    const value = Math.max(...found);
    return found.length
      ? [{ what, goal: `at most ${ratio(bound)}`, measured: ratio(value), reached: value <= bound }]
      : [];
  });
}

/** Returns all goals with their figures: [{ what, goal, measured, reached }]. */
export function goals({ rows, work, load }) {
  return [...bounds(rows), ...(work ? growth(work) : []), ...(load ? loading(load) : [])];
}

export const goalTable = (data) => ({
  title: 'Goals',
  head: ['what', 'goal', 'measured', 'reached'],
  body: goals(data).map(({ what, goal, measured, reached }) => [what, goal, measured, reached ? 'yes' : '**no**']),
});
