// SPDX-License-Identifier: MIT
// Judges reports by a file of rules, in the module: the verdicts are those of the command line.
import { Module, Out } from './module.js';
import { withReport } from './reports.js';
import type { CheckForm, CheckResult, Verdict } from './types.js';

export const CHECK_FORMS = ['text', 'markdown', 'junit', 'sarif', 'github', 'json'] as const satisfies CheckForm[];

interface Written {
  exit_code: number;
  results: (Omit<Verdict, 'count' | 'at' | 'atNs'> & {
    count: string | null;
    at: string | null;
    at_ns: string | null;
  })[];
}

const numberOf = (digits: string | null): bigint | null => (digits === null ? null : BigInt(digits));

/** A file of rules in the module. The caller closes it. */
export class Check {
  #check: number;

  constructor(
    readonly module: Module,
    name: string,
    rules: string | Uint8Array,
  ) {
    const bytes = typeof rules === 'string' ? new TextEncoder().encode(rules) : rules,
      out = new Out();
    module.withCopy(bytes, (copy) =>
      module.check(module.call('tk_check_new', module.allocator, name, copy, bytes.length, out)),
    );
    this.#check = module.number(out.address);
  }

  setBaseline(name: string, json: string): void {
    const bytes = new TextEncoder().encode(json);
    this.module.withCopy(bytes, (copy) =>
      this.module.check(this.module.call('tk_check_set_baseline', this.#check, name, copy, bytes.length)),
    );
  }

  /** A line or the baseline is wrong: no recording is checked, and the verdicts contain the mistakes. */
  get isWrong(): boolean {
    return this.module.call('tk_check_is_wrong', this.#check) !== 0;
  }

  judge(reportJson: string, input: string): void {
    const { module } = this;
    withReport(module, reportJson, (report) => module.check(module.call('tk_check_judge', this.#check, report, input)));
  }

  noteUnread(input: string, text: string): void {
    this.module.check(this.module.call('tk_check_note_unread', this.#check, input, text));
  }

  write(form: CheckForm): string {
    return this.module.written('tk_check_write', this.#check, CHECK_FORMS.indexOf(form));
  }

  result(): CheckResult {
    const forms = Object.fromEntries(CHECK_FORMS.map((form) => [form, this.write(form)])) as Record<CheckForm, string>;
    const { exit_code: exitCode, results } = JSON.parse(forms.json) as Written;
    const verdicts = results.map(({ count, at, at_ns, ...verdict }) => ({
      ...verdict,
      count: numberOf(count),
      at: numberOf(at),
      atNs: numberOf(at_ns),
    }));
    return { exitCode, verdicts, forms };
  }

  close(): void {
    this.module.call('tk_check_free', this.#check);
    this.#check = 0;
  }
}
