// SPDX-License-Identifier: MIT
// Reports from their JSON: their forms, comparison, expectations.
import { CoreError } from './errors.js';
import { Module, Out, UNKNOWN_FORMAT } from './module.js';
import type { Expectation, Schema } from './types.js';

const FORMS = ['json', 'text', 'markdown', 'csv'] as const;
const FOUND = ['holds', 'fails', 'unmeasured', 'wrong'] as const;
const EXPECT_TEXT = 512;

export class ReportCore {
  #schema: Schema | null = null;

  constructor(readonly module: Module) {}

  static async open(module: WebAssembly.Module | BufferSource): Promise<ReportCore> {
    return new ReportCore(await Module.open(module));
  }

  /** What the tables and columns of reports mean. */
  schema(): Schema {
    return (this.#schema ??= JSON.parse(this.module.written('tk_schema_json')) as Schema);
  }

  /** Whether it is a report of this version of the schema. */
  reads(json: string): boolean {
    try {
      return this.#with(json, () => true);
    } catch (error) {
      if (error instanceof CoreError && ['unknown-format', 'other-schema'].includes(error.code)) return false;
      throw error;
    }
  }

  /** Markdown for a ticket, or text with aligned columns. */
  write(json: string, form: 'text' | 'markdown'): string {
    return this.#with(json, (report) => this.#write(report, form));
  }

  /** All rows of one table (RFC 4180); null: there is no such table. */
  csv(json: string, table: string): string | null {
    return this.#with(json, (report) => {
      try {
        return table ? this.#write(report, 'csv', table) : null;
      } catch (error) {
        if (error instanceof CoreError && error.code === 'misuse') return null;
        throw error;
      }
    });
  }

  /** The JSON of a report whose tables have each number, the one before and the difference. */
  compare(before: string, after: string): string {
    const { module } = this;
    return this.#with(before, (first) =>
      this.#with(after, (second) =>
        this.#made(
          (out) => module.call('tk_report_compare', first, second, module.allocator, out),
          (report) => this.#write(report, 'json'),
        ),
      ),
    );
  }

  expect(json: string, expression: string): Expectation {
    const text = new Out(EXPECT_TEXT);
    return this.#with(json, (report) => {
      const found = FOUND[this.module.call('tk_report_expect', report, expression, text)]!;
      return { found, text: this.module.textAt(text.address) };
    });
  }

  /** What is wrong with an expectation whatever the report is; null: nothing. */
  checkExpectation(expression: string): string | null {
    const text = new Out(EXPECT_TEXT);
    this.module.call('tk_expect_check', expression, text);
    return this.module.textAt(text.address) || null;
  }

  #write(report: number, form: (typeof FORMS)[number], table: string | null = null): string {
    return this.module.written('tk_report_write', report, FORMS.indexOf(form), table);
  }

  /** Uses the report that a function of the core makes, and frees it. */
  #made<Result>(make: (out: Out) => number, use: (report: number) => Result): Result {
    const out = new Out();
    const status = make(out);
    this.module.check(status, () => (status === UNKNOWN_FORMAT ? 'This is no report' : null));
    const report = this.module.number(out.address);
    try {
      return use(report);
    } finally {
      this.module.call('tk_report_free', report);
    }
  }

  #with<Result>(json: string, use: (report: number) => Result): Result {
    const bytes = new TextEncoder().encode(json),
      { allocator } = this.module;
    const read = (out: Out): number =>
      this.module.withCopy(bytes, (copy) => this.module.call('tk_report_read', copy, bytes.length, allocator, out));
    return this.#made(read, use);
  }
}
