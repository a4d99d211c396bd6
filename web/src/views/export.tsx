// SPDX-License-Identifier: MIT
// Copies text to the clipboard or saves it to a file.
import { useState } from 'preact/hooks';
import type { Report, Table } from '../../../wasm/types.js';
import { traceNs } from '../../../wasm/report.js';
import { timesOf } from '../format.js';
import { save } from '../io/download.js';
import type { Note } from '../io/perfetto.js';
import { useReportCore } from '../io/report.js';

/** Shows whether the copy succeeded, until the next one. */
export function useCopy(): [said: string, copy: (text: string) => void] {
  const [said, setSaid] = useState('');
  const copy = (text: string): void => {
    navigator.clipboard.writeText(text).then(
      () => setSaid('Copied.'),
      () => setSaid('The browser denied access to the clipboard. Save the text instead.'),
    );
  };
  return [said, copy];
}

/** The marks of the user, as the last section of a report. */
function marksOf(marks: readonly Note[], report: Report, form: 'text' | 'markdown'): string {
  if (!marks.length) return '';
  const { moment } = timesOf(report),
    isMarkdown = form === 'markdown';
  const lines = marks.map(({ atNs, text }) => {
    const shown = isMarkdown ? text.replace(/[\\`*_{}[\]<>|#&~]/g, '\\$&') : text;
    return `${isMarkdown ? '- ' : '  '}${moment(atNs / traceNs(report))}: ${shown}\n`;
  });
  return `\n${isMarkdown ? '## Marks\n' : 'Marks'}\n${lines.join('')}`;
}

interface ReportProps {
  report: Report;
  /** for the file */
  name: string;
  marks: readonly Note[];
}

export function ExportReport({ report, name, marks }: ReportProps) {
  const [said, copy] = useCopy();
  const core = useReportCore();
  const written = (form: 'text' | 'markdown'): string =>
    core ? core.write(JSON.stringify(report), form) + marksOf(marks, report, form) : '';
  return (
    <>
      <button type="button" class="button" disabled={!core} onClick={() => copy(written('markdown'))}>
        Copy the report for a ticket
      </button>
      <button type="button" class="button" disabled={!core} onClick={() => copy(written('text'))}>
        Copy the report as text
      </button>
      <button
        type="button"
        class="button"
        disabled={!core}
        onClick={() => save(new Blob([written('text')], { type: 'text/plain' }), `${name}.report.txt`)}
      >
        Save the report
      </button>
      <span role="status">{said}</span>
    </>
  );
}

/** All rows, including the columns that are hidden on the page. */
export function ExportTable({ report, table, name }: { report: Report; table: Table; name: string }) {
  const [said, copy] = useCopy();
  const core = useReportCore();
  const csv = (): string => core?.csv(JSON.stringify(report), table.id) ?? '';
  return (
    <span class="save-table">
      <span role="status">{said}</span>
      <button
        type="button"
        class="link"
        disabled={!core}
        aria-label={`Copy CSV: ${table.title}`}
        onClick={() => copy(csv())}
      >
        Copy CSV
      </button>
      <button
        type="button"
        class="link"
        disabled={!core}
        aria-label={`Save CSV: ${table.title}`}
        onClick={() => save(new Blob([csv()], { type: 'text/csv' }), `${name}.${table.id}.csv`)}
      >
        Save CSV
      </button>
    </span>
  );
}
