// SPDX-License-Identifier: MIT
// Reads reports from their JSON, writes them in other forms, compares them, and evaluates expectations.
import { CoreError, ExpectationError } from './errors.js';
import { Module, Out, UNKNOWN_FORMAT } from './module.js';
import type { Schema } from './types.js';

const FORMS = ['json', 'text', 'markdown', 'csv'] as const;
const VERDICTS = ['holds', 'fails', 'unmeasured', 'wrong'] as const;
const EXPECT_TEXT = 512;

/** Passes the report that `make` makes to `use`, and frees the report afterwards. */
function withMade<Result>(module: Module, make: (out: Out) => number, use: (report: number) => Result): Result {
  const out = new Out();
  const status = make(out);
  module.check(status, () => (status === UNKNOWN_FORMAT ? 'This is no report' : null));
  const report = module.number(out.address);
  try {
    return use(report);
  } finally {
    module.call('tk_report_free', report);
  }
}

/** Passes the report in a JSON text to `use`. */
export function withReport<Result>(module: Module, json: string, use: (report: number) => Result): Result {
  const bytes = new TextEncoder().encode(json);
  const read = (out: Out): number =>
    module.withCopy(bytes, (copy) => module.call('tk_report_read', copy, bytes.length, module.allocator, out));
  return withMade(module, read, use);
}

export class ReportCore {
  #schema: Schema | null = null;

  constructor(readonly module: Module) {}

  static async open(module: WebAssembly.Module | BufferSource): Promise<ReportCore> {
    return new ReportCore(await Module.open(module));
  }

  /** Returns the descriptions of all tables and columns of reports. */
  schema(): Schema {
    return (this.#schema ??= JSON.parse(this.module.written('tk_schema_json')) as Schema);
  }

  /** Returns true if `json` is a report of this version of the schema. */
  reads(json: string): boolean {
    try {
      return withReport(this.module, json, () => true);
    } catch (error) {
      if (error instanceof CoreError && ['unknown-format', 'other-schema'].includes(error.code)) return false;
      throw error;
    }
  }

  /** Formats a report as Markdown for a ticket, or as text with aligned columns. */
  write(json: string, form: 'text' | 'markdown'): string {
    return withReport(this.module, json, (report) => this.#write(report, form));
  }

  /** Returns all rows of one table as CSV (RFC 4180); null: there is no such table. */
  csv(json: string, table: string): string | null {
    return withReport(this.module, json, (report) => {
      try {
        return table ? this.#write(report, 'csv', table) : null;
      } catch (error) {
        if (error instanceof CoreError && error.code === 'misuse') return null;
        throw error;
      }
    });
  }

  /** Returns the JSON of a report that judges what became worse and better beyond the noise, and compares all tables. */
  compare(before: string, after: string): string {
    const { module } = this;
    return withReport(module, before, (first) =>
      withReport(module, after, (second) =>
        withMade(
          module,
          (out) => module.call('tk_report_compare', first, second, module.allocator, out),
          (report) => this.#write(report, 'json'),
        ),
      ),
    );
  }

  /** Throws ExpectationError unless the expectation holds. */
  expect(json: string, expression: string): void {
    const text = new Out(EXPECT_TEXT);
    withReport(this.module, json, (report) => {
      const verdict = VERDICTS[this.module.call('tk_report_expect', report, expression, text)]!;
      if (verdict !== 'holds') throw new ExpectationError(verdict, this.module.textAt(text.address));
    });
  }

  /** Checks an expectation without a report. Returns the error; null: valid. */
  checkExpectation(expression: string): string | null {
    const text = new Out(EXPECT_TEXT);
    this.module.call('tk_expect_check', expression, text);
    return this.module.textAt(text.address) || null;
  }

  #write(report: number, form: (typeof FORMS)[number], table: string | null = null): string {
    return this.module.written('tk_report_write', report, FORMS.indexOf(form), table);
  }
}
