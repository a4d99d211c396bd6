// SPDX-License-Identifier: MIT
// Makes rows from measured figures, and tables from rows for the terminal and the documentation. Compares rows.

const MIB = 2 ** 20;

/** Makes a row from the measurements of a recording. node, page: null if not measured. */
export function makeRow(name, size, bytes, native, node, page) {
  const rate = (seconds) => bytes / seconds / 1e6;
  const row = {
    case: name,
    size,
    bytes,
    events: native.events,
    nativeRate: rate(native.seconds),
    nativeNs: (native.seconds * 1e9) / native.events,
    floorRate: rate(native.floorSeconds),
    copyRate: rate(native.copySeconds),
    ofFloor: native.floorSeconds / native.seconds,
    outPerIn: native.bytesOut / bytes,
    floorOutPerIn: native.floorBytesOut / bytes,
    heapMiB: native.heapPeak / MIB,
    rssMiB: native.rssPeak / MIB,
  };
  if (node) {
    Object.assign(row, {
      nodeRate: rate(node.seconds),
      nodeNs: (node.seconds * 1e9) / native.events,
      nodeFloorRate: rate(node.floorSeconds),
      nodeOfFloor: node.floorSeconds / node.seconds,
      nodeOfNative: native.seconds / node.seconds,
      nodeMiB: node.memory / MIB,
    });
  }
  if (page) {
    Object.assign(row, {
      pageRate: rate(page.seconds),
      pageNs: (page.seconds * 1e9) / native.events,
      pageCoreRate: rate(page.coreSeconds),
      pageCpuRate: rate(page.cpuSeconds),
      pageOfCore: page.coreSeconds / page.seconds,
      pageOfFloor: native.floorSeconds / page.seconds,
      firstMs: page.begunSeconds * 1000,
      doneMs: page.shownSeconds * 1000,
      pageMiB: page.memory / MIB,
      tabMiB: page.tabPeak / MIB,
    });
    const traceSeconds = page.traceSeconds ?? page.seconds; // for long recordings: time from the click on Download
    row.pageTraceRate = rate(traceSeconds);
    if (node) row.pageOfNode = node.seconds / traceSeconds;
  }
  return row;
}

/**
 * Tables with their columns: [key, title, digits, better]. `better`: direction in which a figure improves, for sizes and for rates relative to a
 * floor of the same run; null: a comparison shows the change without a verdict, because other load on the machine changes the figure too much.
 */
const TABLES = [
  [
    'Native',
    [
      ['nativeRate', 'MB/s', 0, null],
      ['nativeNs', 'ns/event', 1, null],
      ['floorRate', 'floor MB/s', 0, null],
      ['ofFloor', 'of floor', 2, 'more'],
      ['copyRate', 'memcpy MB/s', 0, null],
      ['outPerIn', 'out/in', 2, 'less'],
      ['floorOutPerIn', 'floor out/in', 2, null],
      ['heapMiB', 'heap MiB', 1, 'less'],
      ['rssMiB', 'RSS MiB', 1, 'less'],
    ],
  ],
  [
    'WebAssembly in Node',
    [
      ['nodeRate', 'MB/s', 0, null],
      ['nodeNs', 'ns/event', 1, null],
      ['nodeOfNative', 'of native', 2, null],
      ['nodeFloorRate', 'floor MB/s', 0, null],
      ['nodeOfFloor', 'of floor', 2, 'more'],
      ['nodeMiB', 'wasm MiB', 1, 'less'],
    ],
  ],
  [
    'The page in Chromium',
    [
      ['pageRate', 'file to figures MB/s', 0, null],
      ['pageNs', 'ns/event', 1, null],
      ['pageTraceRate', 'whole trace MB/s', 0, null],
      ['pageOfNode', 'of Node', 2, null],
      ['pageCoreRate', 'core MB/s', 0, null],
      ['pageCpuRate', 'tab MB/s of processor time', 0, null],
      ['pageOfCore', 'share of core', 2, null],
      ['pageOfFloor', 'of native floor', 3, 'more'],
      ['firstMs', 'first figures ms', 0, null],
      ['doneMs', 'all figures ms', 0, null],
      ['pageMiB', 'wasm MiB', 1, 'less'],
      ['tabMiB', 'tab MiB', 0, null],
    ],
  ],
];

const COLUMNS = TABLES.flatMap(([, columns]) => columns);
const columnOf = (key) => COLUMNS.find(([name]) => name === key);

/** Returns the tables of rows as [{ title, head: [...], body: [[...], ...] }]. Omits tables whose first column no row contains. */
export function tables(rows, cell = plainCell) {
  return TABLES.filter(([, [[key]]]) => rows.some((row) => row[key] !== undefined)).map(([title, columns]) => ({
    title,
    head: ['case', 'size', ...columns.map(([, name]) => name)],
    body: rows
      .filter((row) => row[columns[0][0]] !== undefined)
      .map((row) => [row.case, row.size, ...columns.map((column) => cell(row, column))]),
  }));
}

const SUMMARY = ['nativeRate', 'nodeRate', 'pageTraceRate', 'outPerIn', 'rssMiB', 'nodeMiB'];
const WHERE = { nativeRate: 'native MB/s', nodeRate: 'Node MB/s', pageTraceRate: 'page MB/s', nodeMiB: 'Node MiB' };

/** Returns a table with one row per case: that of the largest size with all figures. */
export function summaryTable(rows) {
  const measured = rows.filter((row) => SUMMARY.every((key) => row[key] !== undefined));
  const last = new Map();
  for (const row of measured) if (!(last.get(row.case)?.bytes > row.bytes)) last.set(row.case, row);
  const columns = SUMMARY.map((key) => columnOf(key));
  return {
    title: 'Summary',
    head: ['case', 'size', ...columns.map(([key, name]) => WHERE[key] ?? name)],
    body: [...last.values()].map((row) => [row.case, row.size, ...columns.map((column) => plainCell(row, column))]),
  };
}

function plainCell(row, [key, , digits]) {
  return row[key] === undefined ? '' : row[key].toFixed(digits);
}

/** Compares the figures that both runs contain. Returns [{ case, size, key, title, before, after, change, worse }]; `change` is relative. */
export function compare(before, after, threshold = 0.1) {
  return after.flatMap((row) => {
    const old = before.find((one) => one.case === row.case && one.size === row.size);
    if (!old) return [];
    return COLUMNS.filter(([key]) => Number.isFinite(old[key]) && Number.isFinite(row[key]) && old[key] !== 0).map(
      ([key, title, , better]) => {
        const change = row[key] / old[key] - 1;
        const worse = better === 'more' ? change < -threshold : better === 'less' ? change > threshold : false;
        return { case: row.case, size: row.size, key, title, before: old[key], after: row[key], change, worse };
      },
    );
  });
}

export const percent = (change) => `${change < 0 ? '-' : '+'}${Math.abs(change * 100).toFixed(0)} %`;

/** Returns a function that formats a cell with its change against an earlier run. An exclamation mark means that the figure became worse. */
export function comparedCell(changes) {
  return (row, column) => {
    const [key] = column;
    const found = changes.find((one) => one.case === row.case && one.size === row.size && one.key === key);
    return `${plainCell(row, column)}${found ? ` (${percent(found.change)}${found.worse ? '!' : ''})` : ''}`;
  };
}

export function asText({ title, head, body }) {
  const widths = head.map((name, i) => Math.max(name.length, ...body.map((cells) => cells[i].length)));
  const line = (cells) =>
    cells
      .map((text, i) => (i < 2 ? text.padEnd(widths[i]) : text.padStart(widths[i])))
      .join('  ')
      .trimEnd();
  return [title, line(head), ...body.map(line)].join('\n');
}

export function asMarkdown({ head, body }) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [line(head), `|${head.map((_, i) => (i < 2 ? '---|' : '---:|')).join('')}`, ...body.map(line)].join('\n');
}

/** Returns one line for each figure that became worse. */
export function regressions(changes) {
  return changes
    .filter(({ worse }) => worse)
    .map(({ case: name, size, title, key, before, after, change }) => {
      const digits = columnOf(key)[2];
      return `${name}, ${size}: ${title} ${before.toFixed(digits)} -> ${after.toFixed(digits)} (${percent(change)})`;
    });
}

/** Returns tables of the counts of instructions: { case, growth: [{ size, perEvent }], profile: [{ name, share, perEvent }] }. */
export function workTables({ case: name, growth, profile }) {
  const [first] = growth;
  return [
    {
      title: 'Growth',
      head: ['case', 'size', 'instructions/event', 'change'],
      body: growth.map(({ size, perEvent }) => [
        name,
        size,
        perEvent.toFixed(1),
        percent(perEvent / first.perEvent - 1),
      ]),
    },
    {
      title: 'Profile',
      head: ['function', 'share', 'instructions/event'],
      body: profile.map((one) => [`\`${one.name}\``, `${(one.share * 100).toFixed(1)} %`, one.perEvent.toFixed(1)]),
    },
  ];
}
