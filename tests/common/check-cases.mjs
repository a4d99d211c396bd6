// SPDX-License-Identifier: MIT
// Files of rules with the verdicts that every host gives: each way to be green by mistake is a case. The recordings are those of `recordings`.
import { motor_recording } from '../generator/demo-motor.mjs';
import { zip } from './archives.mjs';

/**
 * @typedef {{
 *   why: string, rules: string, inputs?: string[], baseline?: string, code: number, verdicts: string[], words?: string,
 * }} Case
 * rules: one per line. inputs: names of recordings. baseline: the recording or text whose report is the baseline.
 * words: the explanation of the first result contains them.
 */

/** Returns the recordings by name: motor.bin is complete; damaged.bin is the same with 40 damaged bytes; text.bin is no recording. */
export function recordings() {
  const motor = motor_recording({ bytes: 20_000 });
  const damaged = motor.slice().fill(0x55, 9000, 9040);
  const longer = motor_recording({ bytes: 40_000 });
  const half = motor_recording({ bytes: 5_000 });
  return {
    'motor.bin': motor,
    'damaged.bin': damaged,
    'longer.bin': longer,
    'half.bin': half,
    'text.bin': new TextEncoder().encode('Nothing was recorded.\n'),
  };
}

/** Names of the recordings in two.zip. */
export const MEMBERS = ['two.zip/first.bin', 'two.zip/second.bin'];

/** Returns two.zip with two recordings, after a file that is none. */
export function archive() {
  const { 'motor.bin': first, 'longer.bin': second } = recordings();
  const text = new TextEncoder().encode('Two runs.\n');
  return zip([
    { path: 'notes.txt', bytes: text },
    { path: 'first.bin', bytes: first },
    { path: 'second.bin', bytes: second },
  ]);
}

const HOLDS = 'holds',
  FAILS = 'fails',
  NOT = 'not measured',
  WRONG = 'wrong';

/** @type {Case[]} */
export const cases = [
  { why: 'all hold', rules: 'cpu.load<80%\nevents.lost==0', code: 0, verdicts: [HOLDS, HOLDS] },
  { why: 'one fails', rules: 'cpu.load<80%\ncpu.load<20%', code: 1, verdicts: [HOLDS, FAILS] },
  // ---- The file ----
  { why: 'an empty file', rules: '', code: 2, verdicts: [WRONG], words: 'contains no rule' },
  { why: 'only comments and blanks', rules: '# cpu.load<80%\n\n  \t\n', code: 2, verdicts: [WRONG] },
  {
    why: 'lines of Windows, a mark of UTF-8',
    rules: '\ufeffcpu.load<80%\r\n# x\r\nevents.lost==0\r\n',
    code: 0,
    verdicts: [HOLDS, HOLDS],
  },
  { why: 'a line of old Macs is one line', rules: '# x\rcpu.load<20%', code: 2, verdicts: [WRONG] },
  { why: 'a zero byte', rules: 'cpu.load<80%\ncpu.load<20%\u0000', code: 2, verdicts: [WRONG], words: 'UTF-8' },
  {
    why: 'a wrong line among right ones: no recording is checked',
    rules: 'cpu.load<80%\nfoo',
    code: 2,
    verdicts: [WRONG],
  },
  { why: 'each wrong line is reported', rules: 'foo\ncpu.load<80%\nbar', code: 2, verdicts: [WRONG, WRONG] },
  { why: 'a rule goes on in no other line', rules: 'cpu.load<80%\n; missing_ok', code: 2, verdicts: [WRONG] },
  {
    why: 'a comment after a rule is none',
    rules: 'cpu.load<80% # x\ndeadline control 5ms # x',
    code: 2,
    verdicts: [WRONG, WRONG],
  },
  {
    why: 'an option needs blanks around its semicolon',
    rules: 'cpu.load<80%;missing_ok\ntasks[*].cpu<1s ;missing_ok\ntasks[*].cpu<1s; missing_ok',
    code: 2,
    verdicts: [WRONG, WRONG, WRONG],
  },
  { why: 'an option twice', rules: 'tasks[*].cpu<1s ; rows >= 1 ; rows >= 2', code: 2, verdicts: [WRONG] },
  { why: 'labels', rules: 'load-1: cpu.load<80%\nno_loss: recording complete', code: 0, verdicts: [HOLDS, HOLDS] },
  { why: 'a label in capitals is none', rules: 'Load: cpu.load<80%', code: 2, verdicts: [WRONG] },
  { why: 'a label without a rule', rules: 'load:', code: 2, verdicts: [WRONG] },
  // ---- Names ----
  { why: 'a misspelt table', rules: 'cup.load<80%', code: 2, verdicts: [WRONG], words: 'cpu' },
  { why: 'a misspelt column', rules: 'cpu.laod<80%', code: 2, verdicts: [WRONG], words: 'load' },
  { why: 'a misspelt option', rules: 'cpu.load<80% ; missing_okay', code: 2, verdicts: [WRONG] },
  { why: 'a misspelt rule', rules: 'deadlines control 5ms', code: 2, verdicts: [WRONG] },
  { why: 'a misspelt row', rules: 'tasks[contol].cpu<1s', code: 1, verdicts: [NOT], words: 'control' },
  { why: 'a pattern that matches nothing', rules: 'tasks[motor*].cpu<1s', code: 1, verdicts: [NOT] },
  {
    why: 'the only way to pass without a row',
    rules: 'tasks[motor*].cpu<1s ; missing_ok',
    code: 0,
    verdicts: [HOLDS],
    words: 'nothing to judge',
  },
  { why: 'missing_ok excuses no failure', rules: 'tasks[control].cpu<1us ; missing_ok', code: 1, verdicts: [FAILS] },
  { why: 'missing_ok excuses no missing table', rules: 'signals[*].samples>=0 ; missing_ok', code: 1, verdicts: [NOT] },
  { why: 'a deadline whose pattern matches nothing', rules: 'deadline motor* 1s', code: 1, verdicts: [NOT] },
  {
    why: 'other magic of shells is text',
    rules: 'tasks[contro?].cpu<1s\ntasks[[c]ontrol].cpu<1s',
    code: 1,
    verdicts: [NOT, NOT],
  },
  {
    why: 'fewer rows than asked for',
    rules: 'tasks[c*].cpu<1s ; rows >= 3\ntasks[c*].cpu<1s ; rows == 2',
    code: 1,
    verdicts: [FAILS, HOLDS],
  },
  { why: 'every row has to hold', rules: 'tasks[*].cpu<50ms', code: 1, verdicts: [FAILS], words: 'IDLE' },
  { why: 'a table that the format cannot fill', rules: 'signals[*].samples>=0', code: 1, verdicts: [NOT] },
  // ---- Units ----
  { why: 'a duration without a unit', rules: 'tasks[control].cpu<5', code: 2, verdicts: [WRONG] },
  { why: 'a share above 1', rules: 'cpu.load<80', code: 2, verdicts: [WRONG] },
  { why: 'ticks where the report has nanoseconds', rules: 'tasks[control].cpu<5 ticks', code: 2, verdicts: [WRONG] },
  { why: 'a deadline without a unit', rules: 'deadline control 5', code: 2, verdicts: [WRONG] },
  // ---- What was not measured ----
  {
    why: 'a maximum beside unmeasured jobs',
    rules: 'jobs[control].response_max<1ms',
    inputs: ['damaged.bin'],
    code: 1,
    verdicts: [NOT],
    words: '1 of 64',
  },
  {
    why: 'a maximum that fails in any case',
    rules: 'jobs[control].response_max<100us',
    inputs: ['damaged.bin'],
    code: 1,
    verdicts: [FAILS],
  },
  {
    why: 'a minimum beside unmeasured jobs',
    rules: 'jobs[control].response_min>1us',
    inputs: ['damaged.bin'],
    code: 1,
    verdicts: [NOT],
  },
  {
    why: 'a median between two ranks',
    rules: 'jobs[control].response_p50<1ms',
    inputs: ['damaged.bin'],
    code: 0,
    verdicts: [HOLDS],
  },
  {
    why: 'a percentile that one job may change',
    rules: 'jobs[control].response_p99<1ms',
    inputs: ['damaged.bin'],
    code: 1,
    verdicts: [NOT],
  },
  {
    why: 'coverage lets the measured ones decide',
    rules: 'jobs[control].response_max<1ms ; coverage >= 98%\njobs[control].response_max<1ms ; coverage >= 99%',
    inputs: ['damaged.bin'],
    code: 1,
    verdicts: [HOLDS, NOT],
  },
  { why: 'coverage of nothing', rules: 'jobs[control].response_max<1ms ; coverage >= 0%', code: 2, verdicts: [WRONG] },
  { why: 'fewer jobs than asked for', rules: 'jobs[shell].response_max<1s ; count >= 3', code: 1, verdicts: [NOT] },
  { why: 'a percentile of few jobs is marked', rules: 'jobs[shell].response_p99<1s', code: 0, verdicts: [HOLDS] },
  {
    why: 'damage and completeness',
    rules: 'recording complete\nrecording lost <= 5',
    inputs: ['damaged.bin'],
    code: 1,
    verdicts: [FAILS, NOT],
  },
  { why: 'no damage', rules: 'recording complete\nrecording lost <= 0', code: 0, verdicts: [HOLDS, HOLDS] },
  { why: 'options of rules without rows', rules: 'recording complete ; missing_ok', code: 2, verdicts: [WRONG] },
  {
    why: 'a mistake in the recording rule',
    rules: 'recording compleat\nrecording lost < 5\nrecording lost <= many',
    code: 2,
    verdicts: [WRONG, WRONG, WRONG],
  },
  {
    why: 'a rule that finds, and was not examined',
    rules: 'findings none heap_trend',
    code: 1,
    verdicts: [NOT],
    words: 'heaps',
  },
  {
    why: 'a rule that finds, and was examined only in part',
    rules: 'findings none lock_cycle',
    inputs: ['damaged.bin'],
    code: 1,
    verdicts: [NOT],
    words: 'only in part',
  },
  { why: 'a finding that no rule finds', rules: 'findings none no_such_rule', code: 2, verdicts: [WRONG] },
  { why: 'a mistake in the findings rule', rules: 'findings nothing\nfindings < 3', code: 2, verdicts: [WRONG, WRONG] },
  // ---- Deadlines and periods ----
  { why: 'a deadline', rules: 'deadline control 182.4us\ndeadline control 182.3us', code: 1, verdicts: [HOLDS, FAILS] },
  { why: 'a deadline of a task without jobs', rules: 'deadline IDLE 1s', code: 1, verdicts: [NOT] },
  {
    why: 'a deadline beside unmeasured jobs',
    rules: 'deadline control 1ms',
    inputs: ['damaged.bin'],
    code: 1,
    verdicts: [NOT],
  },
  {
    why: 'a job that is open at the end',
    rules: 'deadline safety 232us\ndeadline safety 230us',
    code: 1,
    verdicts: [HOLDS, FAILS],
  },
  {
    why: 'a deadline of one wait',
    rules: 'deadline telemetry 400us from take spi done\ndeadline telemetry 400us',
    code: 1,
    verdicts: [HOLDS, FAILS],
  },
  {
    why: 'more late jobs than the report lists, and a pattern with the same deadline',
    rules: 'deadline telemetry 100us\ndeadline tele* 100us',
    code: 1,
    verdicts: [FAILS, FAILS],
    words: 'missed by 18 of 73 jobs',
  },
  {
    why: 'late jobs of a pattern and of one wait',
    rules: 'deadline tele* 60us from take*',
    code: 1,
    verdicts: [FAILS],
    words: 'missed by 38 of 55 jobs',
  },
  {
    why: 'a number of late jobs',
    rules: 'deadlines[telemetry].late <= 18\ndeadlines[telemetry].late < 18\ndeadline telemetry 100us',
    code: 1,
    verdicts: [HOLDS, FAILS, FAILS],
  },
  {
    why: 'a number of late jobs beside unmeasured ones',
    rules: 'deadlines[telemetry].late <= 18\ndeadline telemetry 100us',
    inputs: ['damaged.bin'],
    code: 1,
    verdicts: [NOT, FAILS],
  },
  { why: 'a number of late jobs without a deadline', rules: 'deadlines[*].late == 0', code: 1, verdicts: [NOT] },
  { why: 'a wait that releases no job', rules: 'deadline telemetry 400us from delay', code: 1, verdicts: [NOT] },
  {
    why: 'a period',
    rules: 'period control 2ms +- 1%\nperiod control 2ms +- 1us\nperiod control 1.9ms +- 1%',
    code: 1,
    verdicts: [HOLDS, FAILS, FAILS],
  },
  { why: 'a period of one wait', rules: 'period Tmr* 25ms +- 1% from delay', code: 0, verdicts: [HOLDS] },
  { why: 'a period of one job', rules: 'period shell 70ms +- 5%', inputs: ['half.bin'], code: 1, verdicts: [NOT] },
  {
    why: 'a period beside unmeasured jobs',
    rules: 'period control 2ms +- 1%',
    inputs: ['damaged.bin'],
    code: 1,
    verdicts: [NOT],
  },
  { why: 'a period without a tolerance', rules: 'period control 2ms', code: 2, verdicts: [WRONG] },
  { why: 'a tolerance without a unit', rules: 'period control 2ms +- 5', code: 2, verdicts: [WRONG] },
  // ---- Baseline ----
  { why: 'no baseline', rules: 'cpu.load<=baseline*1.1', code: 1, verdicts: [NOT], words: 'no baseline' },
  {
    why: 'the same recording as baseline',
    rules: 'jobs[control].response_max<=baseline\njobs[control].response_max<baseline\ncpu.load<=baseline',
    baseline: 'motor.bin',
    code: 1,
    verdicts: [HOLDS, FAILS, NOT], // the load is known up to 900 ns only
  },
  {
    why: 'a factor and an offset',
    rules: 'tasks[*].runs<=baseline*1.5\njobs[control].response_max<=baseline+1us',
    baseline: 'motor.bin',
    code: 0,
    verdicts: [HOLDS, HOLDS],
  },
  {
    why: 'worse than the baseline',
    rules: 'tasks[control].cpu<=baseline*1.1',
    inputs: ['longer.bin'],
    baseline: 'motor.bin',
    code: 1,
    verdicts: [FAILS],
    words: 'baseline*1.1',
  },
  {
    why: 'a baseline that was not measured',
    rules: 'jobs[control].response_max<=baseline*2',
    baseline: 'damaged.bin',
    code: 0,
    verdicts: [HOLDS],
  },
  {
    why: 'a baseline of which only the lower end is known',
    rules: 'jobs[control].response_max>baseline*0.5',
    baseline: 'damaged.bin',
    code: 1,
    verdicts: [NOT],
    words: 'baseline',
  },
  {
    why: 'rows that only the baseline has',
    rules: 'activations[*].response_max<=baseline*10\nactivations[*].response_max<=baseline*10 ; missing_ok',
    inputs: ['half.bin'],
    baseline: 'motor.bin',
    code: 1,
    verdicts: [FAILS, HOLDS],
    words: 'only the baseline',
  },
  {
    why: 'a row that only the baseline has, by its name',
    rules: 'jobs[shell].response_max<=baseline*10',
    inputs: ['half.bin'],
    baseline: 'motor.bin',
    code: 1,
    verdicts: [NOT],
  },
  {
    why: 'a row that the baseline lacks',
    rules: 'jobs[shell].response_max<=baseline*10',
    baseline: 'half.bin',
    code: 1,
    verdicts: [NOT],
    words: 'baseline',
  },
  { why: 'a baseline that is no report', rules: 'cpu.load<=baseline', baseline: '{}', code: 2, verdicts: [WRONG] },
  {
    why: 'a baseline of another schema',
    rules: 'cpu.load<=baseline',
    baseline: '{"schema":1,"tables":[]}',
    code: 2,
    verdicts: [WRONG],
    words: 'version',
  },
  {
    why: 'a mistake behind baseline',
    rules: 'cpu.load<=baseline*\ncpu.load<=baselines\ncpu.load<=baseline+5',
    code: 2,
    verdicts: [WRONG, WRONG, WRONG],
  },
  // ---- Inputs ----
  {
    why: 'each input is checked',
    rules: 'recording complete',
    inputs: ['motor.bin', 'damaged.bin'],
    code: 1,
    verdicts: [HOLDS, FAILS],
  },
  {
    why: 'an input that is no recording',
    rules: 'cpu.load<80%',
    inputs: ['text.bin'],
    code: 3,
    verdicts: ['not read'],
  },
  {
    why: 'one input of two is no recording',
    rules: 'cpu.load<80%',
    inputs: ['motor.bin', 'text.bin'],
    code: 3,
    verdicts: ['not read', HOLDS],
  },
];
