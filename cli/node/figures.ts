// SPDX-License-Identifier: MIT
// The report as tables: its forms, and what --expect says of it.
import { checkExpectation, expectation, reportCsv, reportMarkdown, reportText } from '../../wasm/index.js';
import type { Report } from '../../wasm/types.js';
import { UsageError } from './options.js';
import type { Settings } from './options.js';

export const EXIT = { fine: 0, problems: 1, usage: 2, input: 3, output: 4 } as const;

const ORDER: number[] = [EXIT.output, EXIT.input, EXIT.usage, EXIT.problems];

/** The worse of two exit codes. */
export const worse = (a: number, b: number): number => ORDER.find((code) => code === a || code === b) ?? EXIT.fine;

/** For a person the words about the inputs come first. */
export const isText = ({ flags, text }: Settings): boolean =>
  !flags.has('json') && !flags.has('markdown') && !text.has('csv');

async function csv(json: string, table: string): Promise<string> {
  const { tables } = JSON.parse(json) as Report;
  if (tables.some(({ id }) => id === table)) return reportCsv(json, table);
  throw new UsageError(`--csv: there is no table "${table}"; there are ${tables.map(({ id }) => id).join(', ')}`);
}

/** A report in the form that the settings name. */
export async function formOf(json: string, { flags, text }: Settings): Promise<string> {
  const table = text.get('csv');
  if (table !== undefined) return csv(json, table);
  return flags.has('json') ? `${json}\n` : flags.has('markdown') ? reportMarkdown(json) : reportText(json);
}

/** Reports every wrong rule of --expect, before the first input is read. */
export async function checkRules({ expect }: Settings, tell: (text: string) => void): Promise<void> {
  const mistakes: string[] = [];
  for (const expression of expect) {
    const mistake = await checkExpectation(expression);
    if (mistake !== null) mistakes.push(`--expect ${mistake}`);
  }
  for (const mistake of mistakes.slice(0, -1)) tell(mistake);
  const last = mistakes.at(-1);
  if (last !== undefined) throw new UsageError(last);
}

/** Whether what --expect names holds. */
export async function judge(
  json: string,
  { expect }: Settings,
  name: string,
  tell: (text: string) => void,
  remark: (text: string) => void,
): Promise<number> {
  let code: number = EXIT.fine;
  for (const expression of expect) {
    const { found, text } = await expectation(json, expression);
    if (found === 'holds') {
      if (text) remark(`${name}: --expect ${text}`);
      continue;
    }
    tell(`${name}: --expect ${text}`);
    code = worse(code, found === 'wrong' ? EXIT.usage : EXIT.problems);
  }
  return code;
}
