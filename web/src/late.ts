// SPDX-License-Identifier: MIT
// Why jobs of a task were late: the worst jobs of a report, their parts and causes, as data for the page.
import { rowsOf } from '../../wasm/report.js';
import type { Report, WorstCausesRow, WorstJobsRow } from '../../wasm/types.js';
import { timesOf } from './format.js';

/** Parts of a response time, in the order of the bar: a job begins with the time before it ran. */
export const PARTS = ['pending', 'net', 'interrupted', 'preempted', 'blocked', 'room', 'waited'] as const;
export type Part = (typeof PARTS)[number];

export const partWords: Record<Part, string> = {
  pending: 'before it ran',
  net: 'ran',
  interrupted: 'interrupted',
  preempted: 'preempted',
  blocked: 'waited for locks',
  room: 'waited for room',
  waited: 'waited inside',
};

export interface LateJob {
  job: WorstJobsRow;
  /** the most important one first, as in the sentence of the core */
  causes: WorstCausesRow[];
}

/** A piece of a sentence; link: the name of a task or object. */
export interface Piece {
  text: string;
  link?: 'task' | 'object';
}

/** The worst jobs of a task, the longest first. */
export function lateJobs(report: Report, task: string): LateJob[] {
  const all = report.worst_causes ?? [];
  return (report.worst_jobs ?? [])
    .filter(({ name }) => name === task)
    .map((job) => ({
      job,
      causes: all
        .filter(({ name, rank }) => name === task && rank === job.rank)
        .sort((a, b) => Number(a.others) - Number(b.others) || Number(BigInt(b.time ?? 0) - BigInt(a.time ?? 0))),
    }))
    .sort((a, b) => Number(a.job.rank) - Number(b.job.rank));
}

/** Index of the late job before (-1) or after (1) another one in time; null: there is none. */
export function neighbour(jobs: readonly LateJob[], index: number, step: -1 | 1): number | null {
  const inTime = jobs
    .map((_, at) => at)
    .sort((a, b) => Number(BigInt(jobs[a]!.job.release!) - BigInt(jobs[b]!.job.release!)));
  return inTime[inTime.indexOf(index) + step] ?? null;
}

/** What a cause says after its length, in the words of the core (core/analysis/late.c). */
function causePieces({ cause, by, object, others }: WorstCausesRow): Piece[] {
  const task: Piece = by ? { text: by, link: 'task' } : { text: 'an unknown task' };
  const thing: Piece = { text: object ?? '', link: 'object' };
  switch (cause as Part) {
    case 'pending':
      return others ? [{ text: ' to start while others ran' }] : [{ text: ' to start while ' }, task, { text: ' ran' }];
    case 'preempted':
      return others ? [{ text: ' by others' }] : [{ text: ' by ' }, task];
    case 'blocked':
      return others ? [{ text: ' for other locks' }] : [{ text: ' for ' }, thing, { text: ' held by ' }, task];
    case 'room':
      return others ? [{ text: ' for room elsewhere' }] : [{ text: ' for room in ' }, thing];
    default:
      return others ? [{ text: ' elsewhere' }] : [{ text: ' in ' }, thing];
  }
}

/** "ran 0.29 ms, waited 1.2 ms for spi bus held by logger, preempted 0.43 ms by can" */
export function sentenceOf(report: Report, { job, causes }: LateJob): Piece[] {
  const { duration } = timesOf(report);
  const pieces: Piece[] = [{ text: `ran ${duration(job.net ?? '0')}` }];
  for (const cause of causes) {
    const verb = cause.cause === 'preempted' ? 'preempted' : 'waited';
    const least = cause.at_least ? 'at least ' : '';
    pieces.push({ text: `, ${verb} ${least}${duration(cause.time ?? '0')}` }, ...causePieces(cause));
  }
  if (BigInt(job.interrupted ?? 0)) pieces.push({ text: `, interrupted ${duration(job.interrupted!)}` });
  return pieces.filter(({ text }) => text);
}

/** Sentence, figures and time range as plain text. */
export function ticketText(report: Report, recording: string, late: LateJob): string {
  const { job } = late;
  const { duration, moment, unit } = timesOf(report);
  const parts = PARTS.filter((part) => BigInt(job[part] ?? 0)).map(
    (part) => `  ${partWords[part]}: ${duration(job[part]!)}`,
  );
  return [
    `${job.name}: response ${duration(job.response ?? '0')}, from ${moment(job.release!)} to ${moment(job.end!)}`,
    sentenceOf(report, late)
      .map(({ text }) => text)
      .join(''),
    ...parts,
    `Time range: ${job.release} to ${job.end} ${unit}`,
    `Recording: ${recording}`,
    '',
  ].join('\n');
}

/** A bar of the distribution: its place and width on a logarithmic axis from 0 to 1, and its height from 0 to 1. */
export interface Bar {
  x: number;
  width: number;
  height: number;
}

/** The distribution of the response times of a task. Each range is half a power of two wide. */
export function distributionOf(report: Report, task: string): Bar[] {
  const rows = rowsOf(report, 'job_distribution').filter(({ name }) => name === task);
  const ends = rows.map(({ up_to }) => Math.log2(Number(up_to) + 1));
  const first = Math.min(...ends) - 0.5;
  const whole = Math.max(...ends) - first;
  const most = Math.max(...rows.map(({ jobs }) => Number(jobs)));
  return rows.map(({ jobs }, index) => ({
    x: (ends[index]! - 0.5 - first) / whole,
    width: 0.5 / whole,
    height: Number(jobs) / most,
  }));
}
