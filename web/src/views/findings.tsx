// SPDX-License-Identifier: MIT
// Faults that the analysis found, above everything else: one line each, and where it happened. Texts of a recording are shown as text only.
import type { Finding, FindingSeverity, Report } from '../../../wasm/types.js';
import { count, plural } from '../format.js';
import { type OpenAt, TimeLink } from './time-link.js';

const words: Record<FindingSeverity, string> = { problem: 'problem', check: 'to check', note: 'note' };

/** A shape per severity, so that it is not told by its colour alone: a square, a triangle, a circle. */
function Shape({ severity }: { severity: FindingSeverity }) {
  return (
    <svg class="finding-shape" viewBox="0 0 12 12" aria-hidden="true">
      {severity === 'problem' && <rect x="1" y="1" width="10" height="10" />}
      {severity === 'check' && <path d="M6 0.5 11.5 11H0.5Z" />}
      {severity === 'note' && <circle cx="6" cy="6" r="4" />}
    </svg>
  );
}

interface Shared {
  report: Report;
  onOpenAt: OpenAt;
}

const isOf =
  ({ rule, who }: Finding) =>
  (place: { rule: string; who: string }): boolean =>
    place.rule === rule && place.who === who;

/** The places of a finding after the first one. */
function FurtherPlaces({ finding, report, onOpenAt }: Shared & { finding: Finding }) {
  const further = (report.finding_places ?? []).filter(isOf(finding)).slice(1);
  if (!further.length) return null;
  return (
    <>
      {' '}
      <span class="finding-further">
        also{' '}
        {further.map(({ at, length }, index) => (
          <span key={at}>
            {index > 0 && ', '}
            <TimeLink time={at} {...(length === null ? {} : { length })} report={report} onOpenAt={onOpenAt} />
          </span>
        ))}
      </span>
    </>
  );
}

function Line({ finding, report, onOpenAt }: Shared & { finding: Finding }) {
  const { severity, title, who, text, at, longest, remedy } = finding;
  return (
    <li class={`finding finding-${severity}`}>
      <details>
        <summary>
          <Shape severity={severity} />
          <span class="tag">{words[severity]}</span> <b>{title}</b> <bdi class="label-text">{who}</bdi>
        </summary>
        <p>
          <bdi>{text}</bdi>
          <FurtherPlaces finding={finding} report={report} onOpenAt={onOpenAt} />
        </p>
        <p class="advice">
          <span class="legend">Do</span> <span>{remedy}</span>
        </p>
      </details>
      {at !== null && (
        <span class="finding-at">
          at{' '}
          <TimeLink time={at} {...(longest === null ? {} : { length: longest })} report={report} onOpenAt={onOpenAt} />
        </span>
      )}
    </li>
  );
}

const countOf = (findings: readonly Finding[], severity: FindingSeverity): number =>
  findings.filter((finding) => finding.severity === severity).length;

const summaryOf = (findings: readonly Finding[]): string => {
  const problems = countOf(findings, 'problem');
  const checks = countOf(findings, 'check');
  const notes = countOf(findings, 'note');
  return [plural(problems, 'problem'), `${count(checks)} to check`, ...(notes ? [plural(notes, 'note')] : [])].join(
    ', ',
  );
};

export function Findings({ report, onOpenAt }: Shared) {
  const { findings, not_examined: notExamined = [] } = report;
  if (!findings) return null; // of a recording without tasks, or without analysis
  return (
    <section aria-labelledby="findings-title">
      <h2 id="findings-title">
        Findings <small class="finding-summary">{findings.length ? summaryOf(findings) : 'none'}</small>
      </h2>
      {(findings.length > 0 || notExamined.length > 0) && (
        <div class="panel findings">
          {findings.length > 0 && (
            <ul>
              {findings.map((finding) => (
                <Line key={`${finding.rule} ${finding.who}`} finding={finding} report={report} onOpenAt={onOpenAt} />
              ))}
            </ul>
          )}
          {notExamined.length > 0 && (
            <details class="not-examined">
              <summary>Not examined: {count(notExamined.length)}</summary>
              <ul>
                {notExamined.map(({ rule, title, reason }) => (
                  <li key={rule}>
                    {title}: {reason}
                  </li>
                ))}
              </ul>
            </details>
          )}
        </div>
      )}
    </section>
  );
}
