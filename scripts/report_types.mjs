// SPDX-License-Identifier: MIT
// Writes the TypeScript types of the rows of each table of the report from the schema: `node scripts/report_types.mjs > wasm/tables.ts`.
import { execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** @type {Record<string, string>} */
const TYPES = {
  name: 'string',
  text: 'string | null',
  flag: 'boolean | null',
  count: 'Numeric | null',
  number: 'Numeric | null',
  share: 'number | null',
  duration: 'Duration | null',
  time: 'Moment | null',
};

/** Tables whose rows `Report` in types.ts describes itself, because each report contains them. */
export const DESCRIBED = [
  'format',
  'tick',
  'output',
  'explain',
  'problems',
  'places',
  'inputs',
  'facts',
  'skipped',
  'time',
  'events',
  'cpu',
  'kinds',
];

/** Columns that not every table with this id contains. @type {Record<string, string[]>} */
export const SOMETIMES = { queues: ['capacity', 'refused', 'timed_out'] };

const camel = (/** @type {string} */ id) =>
  `${id.charAt(0).toUpperCase()}${id.slice(1)}`.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());

/** Returns the content of wasm/tables.ts. @param {{ tables: any[] }} schema that of `tonkopf info --schema` */
export async function reportTypes(schema) {
  const tables = schema.tables.filter(({ id }) => !DESCRIBED.includes(id));
  const rows = tables.map(({ id, title, columns }) => {
    const members = columns.map((/** @type {any} */ { key, kind, title: column }) => {
      const mark = SOMETIMES[id]?.includes(key) ? '?' : '';
      return `  /** ${column} */\n  ${key}${mark}: ${TYPES[kind]};`;
    });
    return `/** A row of the table "${title}". */\nexport type ${camel(id)}Row = {\n${members.join('\n')}\n};\n`;
  });
  const text = `// SPDX-License-Identifier: MIT
// Types of the rows of each table of a report. Written by scripts/report_types.mjs; null: not measured or unknown.

/** A number; above 2^53 as decimal digits. */
export type Numeric = number | string;
/** Decimal digits; the report contains their unit as \`time_unit\`. */
export type Duration = string;
/** Decimal digits; the report contains their unit as \`time_unit\`. */
export type Moment = string;

${rows.join('\n')}
/** The tables that a report may contain, by their ids. */
export interface ReportTables {
${tables.map(({ id }) => `  ${id}: ${camel(id)}Row[];`).join('\n')}
}
`;
  const options = await resolveConfig(join(root, 'wasm', 'tables.ts'));
  return format(text, { ...options, parser: 'typescript' });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const tool = process.env.TONKOPF_CLI ?? join(root, 'build', 'native', 'cli', 'tonkopf');
  process.stdout.write(await reportTypes(JSON.parse(execFileSync(tool, ['info', '--schema'], { encoding: 'utf8' }))));
}
