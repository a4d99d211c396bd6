// SPDX-License-Identifier: MIT
// Judges a recording by a file of rules; the verdicts become a part of its report, which the tables show and users save.
import { useId, useMemo, useState } from 'preact/hooks';
import { Check } from '../../../wasm/check.js';
import type { CheckResult, Report, Verdict } from '../../../wasm/types.js';
import { useReportCore } from '../io/report.js';
import { type RulesFile, openedRules, setOpenedRules } from '../io/rules.js';
import { TimeLink, type OpenAt } from './time-link.js';

/** The file of rules that the user opened last; null: none. */
export function useRules(): [RulesFile | null, (rules: RulesFile | null) => void] {
  const [rules, setRules] = useState(openedRules);
  const set = (file: RulesFile | null): void => {
    setOpenedRules(file);
    setRules(file);
  };
  return [rules, set];
}

/** Verdicts on the rules; baseline: the report of the recording that the user compares with. */
export function useVerdicts(
  rules: RulesFile | null,
  report: Report,
  baseline: Report | null,
  input: string,
): CheckResult | null {
  const core = useReportCore();
  return useMemo(() => {
    if (!core || !rules) return null;
    const check = new Check(core.module, rules.name, rules.bytes);
    try {
      if (baseline) check.setBaseline('the other recording', JSON.stringify(baseline));
      if (!check.isWrong) check.judge(JSON.stringify(report), input);
      return check.result();
    } finally {
      check.close();
    }
  }, [core, rules, report, baseline, input]);
}

/** Returns the report with the verdicts as its first table. */
export function withVerdicts(report: Report, result: CheckResult | null): Report {
  if (!result) return report;
  const rows = result.verdicts.map(({ rule, verdict, text }) => ({ rule, verdict, text: text ?? '' }));
  const table = { id: 'verdicts', columns: ['rule', 'verdict', 'text'] };
  const tables = [table, ...report.tables.filter(({ id }) => id !== 'verdicts')];
  return { ...report, tables, verdicts: rows };
}

function Line({ verdict, report, onOpenAt }: { verdict: Verdict; report: Report; onOpenAt: OpenAt }) {
  const { line, rule, text, row, value, at } = verdict;
  const said = text ?? (value === null ? '' : row === null ? `it is ${value}` : `${row}: it is ${value}`);
  return (
    <li>
      <strong>{verdict.verdict}</strong> {line !== null && `line ${line}: `}
      <code>{rule}</code> {said} {at !== null && <TimeLink time={String(at)} report={report} onOpenAt={onOpenAt} />}
    </li>
  );
}

interface Props {
  rules: RulesFile | null;
  result: CheckResult | null;
  report: Report;
  onRules(rules: RulesFile | null): void;
  onOpenAt: OpenAt;
}

export function Rules({ rules, result, report, onRules, onOpenAt }: Props) {
  const id = useId();
  const open = async (file: File | undefined): Promise<void> => {
    if (file) onRules({ name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) });
  };
  return (
    <section class="compare" aria-label="Rules">
      <label for={id}>Judge by a file of rules </label>
      <input id={id} type="file" onChange={(event) => void open(event.currentTarget.files?.[0])} />
      {rules && (
        <button type="button" class="link" onClick={() => onRules(null)}>
          Forget the rules
        </button>
      )}
      {result && (
        <ul aria-label="Verdicts" aria-live="polite">
          {result.verdicts.map((verdict, index) => (
            <Line key={index} verdict={verdict} report={report} onOpenAt={onOpenAt} />
          ))}
        </ul>
      )}
    </section>
  );
}
