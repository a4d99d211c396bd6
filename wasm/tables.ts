// SPDX-License-Identifier: MIT
// Types of the rows of each table of a report. Written by scripts/report_types.mjs; null: not measured or unknown.

/** A number; above 2^53 as decimal digits. */
export type Numeric = number | string;
/** Decimal digits; the report contains their unit as `time_unit`. */
export type Duration = string;
/** Decimal digits; the report contains their unit as `time_unit`. */
export type Moment = string;

/** A row of the table "Findings". */
export type FindingsRow = {
  /** Rule */
  rule: string;
  /** Severity */
  severity: string | null;
  /** Finding */
  title: string | null;
  /** Who */
  who: string | null;
  /** Evidence */
  text: string | null;
  /** Times */
  count: Numeric | null;
  /** In all */
  total: Duration | null;
  /** Longest */
  longest: Duration | null;
  /** At */
  at: Moment | null;
  /** Remedy */
  remedy: string | null;
};

/** A row of the table "Places of findings". */
export type FindingPlacesRow = {
  /** Rule */
  rule: string;
  /** Who */
  who: string | null;
  /** Length */
  length: Duration | null;
  /** At */
  at: Moment | null;
};

/** A row of the table "Not examined". */
export type NotExaminedRow = {
  /** Rule */
  rule: string;
  /** Finding */
  title: string | null;
  /** Reason */
  reason: string | null;
};

/** A row of the table "Clocks". */
export type ClocksRow = {
  /** Clock */
  name: string;
  /** Core */
  core: Numeric | null;
  /** One count */
  count: Numeric | null;
  /** Runs slow by */
  drift: Numeric | null;
  /** Zero point */
  zero: string | null;
  /** Comparisons */
  compared: Numeric | null;
  /** Contradict the others */
  refused: Numeric | null;
};

/** A row of the table "Cores". */
export type CoresRow = {
  /** Core */
  core: Numeric | null;
  /** Busy */
  load: number | null;
  /** Tasks */
  busy: Duration | null;
  /** Idle */
  idle: Duration | null;
  /** Interrupts */
  interrupt: Duration | null;
  /** Outside interrupts */
  outside: Duration | null;
  /** Not measured */
  unmeasured: Duration | null;
  /** Last event */
  end: Moment | null;
};

/** A row of the table "Jobs". */
export type JobsRow = {
  /** Task */
  name: string;
  /** Jobs */
  count: Numeric | null;
  /** Not measured */
  count_unmeasured: Numeric | null;
  /** Shortest response */
  response_min: Duration | null;
  /** Mean response */
  response_mean: Duration | null;
  /** 50 % at most */
  response_p50: Duration | null;
  /** 95 % at most */
  response_p95: Duration | null;
  /** 99 % at most */
  response_p99: Duration | null;
  /** Longest response */
  response_max: Duration | null;
  /** At */
  response_max_at: Moment | null;
  /** Mean before it ran */
  pending_mean: Duration | null;
  /** Longest before it ran */
  pending_max: Duration | null;
  /** At */
  pending_max_at: Moment | null;
  /** Shortest from start to end */
  gross_min: Duration | null;
  /** Mean from start to end */
  gross_mean: Duration | null;
  /** 50 % at most */
  gross_p50: Duration | null;
  /** 95 % at most */
  gross_p95: Duration | null;
  /** 99 % at most */
  gross_p99: Duration | null;
  /** Longest from start to end */
  gross_max: Duration | null;
  /** At */
  gross_max_at: Moment | null;
  /** Shortest net execution */
  net_min: Duration | null;
  /** Mean net execution */
  net_mean: Duration | null;
  /** 50 % at most */
  net_p50: Duration | null;
  /** 95 % at most */
  net_p95: Duration | null;
  /** 99 % at most */
  net_p99: Duration | null;
  /** Longest net execution */
  net_max: Duration | null;
  /** At */
  net_max_at: Moment | null;
  /** In interrupts */
  interrupted: Duration | null;
  /** Preempted */
  preempted: Duration | null;
  /** Longest preempted */
  preempted_max: Duration | null;
  /** At */
  preempted_max_at: Moment | null;
  /** Waited for locks */
  blocked: Duration | null;
  /** Longest for locks */
  blocked_max: Duration | null;
  /** At */
  blocked_max_at: Moment | null;
  /** Waited for room */
  room: Duration | null;
  /** Waited inside */
  waited: Duration | null;
  /** Shortest period */
  period_min: Duration | null;
  /** Mean period */
  period_mean: Duration | null;
  /** 50 % at most */
  period_p50: Duration | null;
  /** 95 % at most */
  period_p95: Duration | null;
  /** 99 % at most */
  period_p99: Duration | null;
  /** Longest period */
  period_max: Duration | null;
  /** At */
  period_max_at: Moment | null;
  /** Shortest from start to start */
  distance_min: Duration | null;
  /** Mean from start to start */
  distance_mean: Duration | null;
  /** Longest from start to start */
  distance_max: Duration | null;
  /** At */
  distance_max_at: Moment | null;
  /** Open at the end for */
  open_for: Duration | null;
  /** Cut at the start */
  cut_start: Numeric | null;
  /** Cut at the end */
  cut_end: Numeric | null;
  /** Suspended */
  suspended: Numeric | null;
  /** Deleted */
  deleted: Numeric | null;
};

/** A row of the table "Jobs by wait". */
export type ActivationsRow = {
  /** Task / wait */
  name: string;
  /** Jobs */
  count: Numeric | null;
  /** Not measured */
  count_unmeasured: Numeric | null;
  /** Shortest response */
  response_min: Duration | null;
  /** Mean response */
  response_mean: Duration | null;
  /** 50 % at most */
  response_p50: Duration | null;
  /** 95 % at most */
  response_p95: Duration | null;
  /** 99 % at most */
  response_p99: Duration | null;
  /** Longest response */
  response_max: Duration | null;
  /** At */
  response_max_at: Moment | null;
  /** Shortest period */
  period_min: Duration | null;
  /** Mean period */
  period_mean: Duration | null;
  /** 50 % at most */
  period_p50: Duration | null;
  /** 95 % at most */
  period_p95: Duration | null;
  /** 99 % at most */
  period_p99: Duration | null;
  /** Longest period */
  period_max: Duration | null;
  /** At */
  period_max_at: Moment | null;
};

/** A row of the table "Deadlines". */
export type DeadlinesRow = {
  /** Task */
  name: string;
  /** Released by */
  wait: string | null;
  /** Deadline */
  deadline: string | null;
  /** Jobs */
  count: Numeric | null;
  /** Not measured */
  count_unmeasured: Numeric | null;
  /** Late */
  late: Numeric | null;
};

/** A row of the table "Waits". */
export type WaitsRow = {
  /** Waited for */
  name: string;
  /** Task */
  task: string | null;
  /** Waits */
  count: Numeric | null;
  /** Not measured */
  count_unmeasured: Numeric | null;
  /** Total */
  total: Duration | null;
  /** Mean */
  mean: Duration | null;
  /** 50 % at most */
  p50: Duration | null;
  /** 95 % at most */
  p95: Duration | null;
  /** 99 % at most */
  p99: Duration | null;
  /** Longest */
  longest: Duration | null;
  /** At */
  longest_at: Moment | null;
  /** Open at the end for */
  open_for: Duration | null;
  /** Timed out */
  timed_out: Numeric | null;
  /** Made ready */
  woken: Numeric | null;
  /** Not measured */
  woken_unmeasured: Numeric | null;
  /** Mean until it ran */
  wake_mean: Duration | null;
  /** 95 % at most */
  wake_p95: Duration | null;
  /** Longest until it ran */
  wake_max: Duration | null;
  /** At */
  wake_max_at: Moment | null;
};

/** A row of the table "Worst jobs". */
export type WorstJobsRow = {
  /** Task */
  name: string;
  /** Rank */
  rank: Numeric | null;
  /** Response */
  response: Duration | null;
  /** At */
  release: Moment | null;
  /** Start */
  start: Moment | null;
  /** End */
  end: Moment | null;
  /** Why */
  why: string | null;
  /** Before it ran */
  pending: Duration | null;
  /** Net execution */
  net: Duration | null;
  /** Interrupted */
  interrupted: Duration | null;
  /** Preempted */
  preempted: Duration | null;
  /** Waited for locks */
  blocked: Duration | null;
  /** Waited for room */
  room: Duration | null;
  /** Waited inside */
  waited: Duration | null;
};

/** A row of the table "Causes of the worst jobs". */
export type WorstCausesRow = {
  /** Task */
  name: string;
  /** Rank */
  rank: Numeric | null;
  /** Cause */
  cause: string | null;
  /** By */
  by: string | null;
  /** Object */
  object: string | null;
  /** Others */
  others: boolean | null;
  /** At least */
  at_least: boolean | null;
  /** Time */
  time: Duration | null;
};

/** A row of the table "Distribution of response times". */
export type JobDistributionRow = {
  /** Task */
  name: string;
  /** Response up to */
  up_to: Duration | null;
  /** Jobs */
  jobs: Numeric | null;
};

/** A row of the table "Noise of the figures of jobs". */
export type JobNoiseRow = {
  /** Task */
  name: string;
  /** Jobs */
  jobs: Numeric | null;
  /** Not measured */
  jobs_unmeasured: Numeric | null;
  /** Parts */
  parts: Numeric | null;
  /** Typical mean response */
  response_typical: Duration | null;
  /** Its spread */
  response_spread: Duration | null;
  /** Typical longest response */
  longest_typical: Duration | null;
  /** Its spread */
  longest_spread: Duration | null;
  /** Typical mean net execution */
  net_typical: Duration | null;
  /** Its spread */
  net_spread: Duration | null;
  /** Typical rate */
  rate_typical: Numeric | null;
  /** Its spread */
  rate_spread: Numeric | null;
};

/** A row of the table "Mutexes". */
export type MutexesRow = {
  /** Mutex */
  name: string;
  /** Task */
  task: string | null;
  /** Held */
  holds: Numeric | null;
  /** Not measured */
  holds_unmeasured: Numeric | null;
  /** Held for */
  held: Duration | null;
  /** Mean */
  held_mean: Duration | null;
  /** Longest */
  held_longest: Duration | null;
  /** At */
  held_longest_at: Moment | null;
  /** Waited before */
  contended: Numeric | null;
  /** Waits while held */
  waits_while_held: Numeric | null;
  /** Not measured */
  waits_while_held_unmeasured: Numeric | null;
  /** Longest wait */
  waited_while_held_longest: Duration | null;
  /** At */
  waited_while_held_longest_at: Moment | null;
};

/** A row of the table "Waits for mutexes". */
export type MutexWaitsRow = {
  /** Mutex */
  name: string;
  /** Waited */
  task: string | null;
  /** Held by */
  owner: string | null;
  /** Waits */
  count: Numeric | null;
  /** Not measured */
  count_unmeasured: Numeric | null;
  /** Total */
  total: Duration | null;
  /** Mean */
  mean: Duration | null;
  /** Longest */
  longest: Duration | null;
  /** At */
  longest_at: Moment | null;
};

/** A row of the table "Queues over time". */
export type QueueTimesRow = {
  /** Queue */
  name: string;
  /** Fill known for */
  known: Duration | null;
  /** Capacity */
  capacity: Numeric | null;
  /** Mean fill */
  fill_mean: Numeric | null;
  /** Full for */
  full: Duration | null;
  /** Full */
  full_share: number | null;
  /** Empty for */
  empty: Duration | null;
  /** Senders waited */
  sender_waits: Numeric | null;
  /** Received */
  receives: Numeric | null;
  /** Not measured */
  receives_unmeasured: Numeric | null;
  /** Shortest latency */
  latency_min: Duration | null;
  /** Mean latency */
  latency_mean: Duration | null;
  /** 50 % at most */
  latency_p50: Duration | null;
  /** 95 % at most */
  latency_p95: Duration | null;
  /** 99 % at most */
  latency_p99: Duration | null;
  /** Longest latency */
  latency_max: Duration | null;
  /** At */
  latency_max_at: Moment | null;
};

/** A row of the table "Communication". */
export type CommunicationRow = {
  /** From */
  from: string;
  /** Through */
  object: string | null;
  /** To */
  to: string | null;
  /** Count */
  count: Numeric | null;
  /** Not measured */
  count_unmeasured: Numeric | null;
  /** Mean latency */
  latency_mean: Duration | null;
  /** Longest */
  latency_max: Duration | null;
  /** At */
  latency_max_at: Moment | null;
};

/** A row of the table "Largest load". */
export type LoadWindowsRow = {
  /** Core */
  name: string;
  /** Losses */
  losses: Numeric | null;
  /** Largest load in 10 ms */
  load_10ms_max: number | null;
  /** At */
  load_10ms_max_at: Moment | null;
  /** Largest load in 100 ms */
  load_100ms_max: number | null;
  /** At */
  load_100ms_max_at: Moment | null;
};

/** A row of the table "Symbols". */
export type SymbolsRow = {
  /** File */
  name: string;
  /** Number of the input */
  input_number: Numeric | null;
  /** Kind */
  kind: string | null;
  /** Functions */
  functions: Numeric | null;
  /** Variables */
  variables: Numeric | null;
  /** Line changes */
  lines: Numeric | null;
  /** Constants */
  bytes: Numeric | null;
  /** Addresses looked up */
  asked: Numeric | null;
  /** In a function */
  found: Numeric | null;
  /** With a line */
  lines_found: Numeric | null;
  /** Variables found */
  variables_found: Numeric | null;
  /** Texts found */
  texts_found: Numeric | null;
  /** Calls that agree */
  calls_agree: Numeric | null;
  /** Calls that contradict */
  calls_contradict: Numeric | null;
  /** Handlers that agree */
  handlers_agree: Numeric | null;
  /** Handlers that contradict */
  handlers_contradict: Numeric | null;
  /** Note */
  note: string | null;
};

/** A row of the table "Verdicts". */
export type VerdictsRow = {
  /** Rule */
  rule: string;
  /** Verdict */
  verdict: string | null;
  /** Explanation */
  text: string | null;
};

/** A row of the table "Tasks". */
export type TasksRow = {
  /** Task */
  name: string;
  /** Idle */
  idle: boolean | null;
  /** Id */
  id: Numeric | null;
  /** Process */
  pid: Numeric | null;
  /** Priority */
  priority: Numeric | null;
  /** CPU time */
  cpu: Duration | null;
  /** CPU */
  share: number | null;
  /** Runs */
  runs: Numeric | null;
  /** Not measured */
  runs_unmeasured: Numeric | null;
  /** Waits */
  waits: Numeric | null;
  /** Longest wait */
  longest_wait: Duration | null;
  /** Waited for */
  longest_wait_on: string | null;
  /** At */
  longest_wait_at: Moment | null;
  /** Not measured */
  waits_unmeasured: Numeric | null;
  /** Created */
  created: Moment | null;
  /** Typical CPU */
  share_typical: number | null;
  /** Spread of CPU */
  share_spread: number | null;
};

/** A row of the table "Interrupts". */
export type InterruptsRow = {
  /** Interrupt */
  name: string;
  /** Core */
  core: Numeric | null;
  /** Id */
  id: Numeric | null;
  /** Count */
  count: Numeric | null;
  /** Not measured */
  count_unmeasured: Numeric | null;
  /** Total */
  total: Duration | null;
  /** Shortest */
  min: Duration | null;
  /** Mean */
  mean: Duration | null;
  /** 50 % at most */
  p50: Duration | null;
  /** 95 % at most */
  p95: Duration | null;
  /** 99 % at most */
  p99: Duration | null;
  /** Longest */
  max: Duration | null;
  /** At */
  max_at: Moment | null;
  /** Mean without nested ones */
  net_mean: Duration | null;
  /** Longest without nested ones */
  net_max: Duration | null;
  /** At */
  net_max_at: Moment | null;
  /** Deepest nesting */
  deepest: Numeric | null;
  /** Shortest period */
  period_min: Duration | null;
  /** Mean period */
  period_mean: Duration | null;
  /** 50 % at most */
  period_p50: Duration | null;
  /** 95 % at most */
  period_p95: Duration | null;
  /** 99 % at most */
  period_p99: Duration | null;
  /** Longest period */
  period_max: Duration | null;
  /** At */
  period_max_at: Moment | null;
  /** Track */
  track: string | null;
  /** Typical share */
  share_typical: number | null;
  /** Spread of the share */
  share_spread: number | null;
};

/** A row of the table "Queues and locks". */
export type QueuesRow = {
  /** Name */
  name: string;
  /** Id */
  id: Numeric | null;
  /** Kind */
  kind: string | null;
  /** Operations */
  operations: Numeric | null;
  /** Highest fill */
  max_fill: Numeric | null;
  /** Capacity */
  capacity?: Numeric | null;
  /** Refused */
  refused?: Numeric | null;
  /** Timed out */
  timed_out?: Numeric | null;
};

/** A row of the table "Event groups". */
export type EventGroupsRow = {
  /** Event group */
  name: string;
  /** Set */
  set: Numeric | null;
  /** Cleared */
  cleared: Numeric | null;
  /** Waited for */
  waited: Numeric | null;
  /** Timed out */
  timed_out: Numeric | null;
};

/** A row of the table "Timers". */
export type TimersRow = {
  /** Timer */
  name: string;
  /** Period */
  period: Numeric | null;
  /** Expired */
  expired: Numeric | null;
  /** Loads itself again */
  reloads: boolean | null;
};

/** A row of the table "Intervals". */
export type IntervalsRow = {
  /** Interval */
  name: string;
  /** Count */
  count: Numeric | null;
  /** Not measured */
  count_unmeasured: Numeric | null;
  /** Total */
  total: Duration | null;
  /** Shortest */
  min: Duration | null;
  /** Mean */
  mean: Duration | null;
  /** Longest */
  max: Duration | null;
  /** At */
  max_at: Moment | null;
};

/** A row of the table "State changes". */
export type StatesRow = {
  /** State machine */
  name: string;
  /** From */
  from: string | null;
  /** To */
  to: string | null;
  /** Count */
  count: Numeric | null;
  /** Not measured */
  count_unmeasured: Numeric | null;
  /** Time before */
  total: Duration | null;
  /** Longest */
  longest: Duration | null;
  /** At */
  longest_at: Moment | null;
};

/** A row of the table "Heaps". */
export type HeapsRow = {
  /** Heap */
  name: string;
  /** Most used */
  most: Numeric | null;
  /** At */
  most_at: Moment | null;
  /** At the end */
  end: Numeric | null;
  /** Allocations */
  allocated: Numeric | null;
  /** Frees */
  freed: Numeric | null;
  /** Not freed */
  blocks_left: Numeric | null;
  /** Not freed */
  bytes_left: Numeric | null;
  /** Size */
  size: Numeric | null;
};

/** A row of the table "Memory not freed". */
export type NotFreedRow = {
  /** Allocated by */
  name: string;
  /** Heap */
  heap: string | null;
  /** Blocks not freed */
  blocks: Numeric | null;
  /** Bytes not freed */
  bytes: Numeric | null;
};

/** A row of the table "Stacks". */
export type StacksRow = {
  /** Task */
  name: string;
  /** Size */
  size: Numeric | null;
  /** Least free */
  least_free: Numeric | null;
  /** At */
  least_free_at: Moment | null;
};

/** A row of the table "Active objects". */
export type ObjectsRow = {
  /** Active object */
  name: string;
  /** Id */
  id: Numeric | null;
  /** Process */
  pid: Numeric | null;
  /** Priority */
  priority: Numeric | null;
  /** CPU time */
  cpu: Duration | null;
  /** CPU */
  share: number | null;
  /** Steps */
  steps: Numeric | null;
  /** Not measured */
  steps_unmeasured: Numeric | null;
  /** Waits */
  waits: Numeric | null;
  /** Longest wait */
  longest_wait: Duration | null;
  /** Waiting event */
  longest_wait_on: string | null;
  /** At */
  longest_wait_at: Moment | null;
  /** Not measured */
  waits_unmeasured: Numeric | null;
};

/** A row of the table "Steps". */
export type StepsRow = {
  /** Active object */
  name: string;
  /** Steps */
  count: Numeric | null;
  /** Not measured */
  count_unmeasured: Numeric | null;
  /** Shortest step */
  gross_min: Duration | null;
  /** Mean step */
  gross_mean: Duration | null;
  /** 50 % at most */
  gross_p50: Duration | null;
  /** 95 % at most */
  gross_p95: Duration | null;
  /** 99 % at most */
  gross_p99: Duration | null;
  /** Longest step */
  gross_max: Duration | null;
  /** At */
  gross_max_at: Moment | null;
  /** Shortest net execution */
  net_min: Duration | null;
  /** Mean net execution */
  net_mean: Duration | null;
  /** 50 % at most */
  net_p50: Duration | null;
  /** 95 % at most */
  net_p95: Duration | null;
  /** 99 % at most */
  net_p99: Duration | null;
  /** Longest net execution */
  net_max: Duration | null;
  /** At */
  net_max_at: Moment | null;
  /** Shortest period */
  period_min: Duration | null;
  /** Mean period */
  period_mean: Duration | null;
  /** 50 % at most */
  period_p50: Duration | null;
  /** 95 % at most */
  period_p95: Duration | null;
  /** 99 % at most */
  period_p99: Duration | null;
  /** Longest period */
  period_max: Duration | null;
  /** At */
  period_max_at: Moment | null;
  /** Events */
  events: Numeric | null;
  /** Not measured */
  events_unmeasured: Numeric | null;
  /** Shortest from post to begin */
  latency_min: Duration | null;
  /** Mean from post to begin */
  latency_mean: Duration | null;
  /** 50 % at most */
  latency_p50: Duration | null;
  /** 95 % at most */
  latency_p95: Duration | null;
  /** 99 % at most */
  latency_p99: Duration | null;
  /** Longest from post to begin */
  latency_max: Duration | null;
  /** At */
  latency_max_at: Moment | null;
  /** Shortest from post to end */
  response_min: Duration | null;
  /** Mean from post to end */
  response_mean: Duration | null;
  /** 50 % at most */
  response_p50: Duration | null;
  /** 95 % at most */
  response_p95: Duration | null;
  /** 99 % at most */
  response_p99: Duration | null;
  /** Longest from post to end */
  response_max: Duration | null;
  /** At */
  response_max_at: Moment | null;
};

/** A row of the table "Steps by event". */
export type StepSignalsRow = {
  /** Active object */
  name: string;
  /** Event */
  signal: string | null;
  /** Steps */
  count: Numeric | null;
  /** Not measured */
  count_unmeasured: Numeric | null;
  /** Mean from post to begin */
  latency_mean: Duration | null;
  /** Longest */
  latency_max: Duration | null;
  /** At */
  latency_max_at: Moment | null;
};

/** A row of the table "Event queues, pools and locks". */
export type StoresRow = {
  /** Name */
  name: string;
  /** Kind */
  kind: string | null;
  /** Operations */
  operations: Numeric | null;
  /** Highest fill */
  max_fill: Numeric | null;
};

/** A row of the table "Contexts". */
export type ContextsRow = {
  /** Context */
  name: string;
  /** Number */
  id: Numeric | null;
  /** Process */
  pid: Numeric | null;
  /** Running */
  running: Duration | null;
  /** Nothing recorded */
  silent: Duration | null;
  /** CPU */
  share: number | null;
  /** Calls */
  calls: Numeric | null;
  /** Entries */
  entries: Numeric | null;
  /** Not measured */
  unmeasured: Numeric | null;
  /** Shortest */
  min: Duration | null;
  /** Mean */
  mean: Duration | null;
  /** 50 % at most */
  p50: Duration | null;
  /** 95 % at most */
  p95: Duration | null;
  /** 99 % at most */
  p99: Duration | null;
  /** Longest */
  max: Duration | null;
  /** At */
  max_at: Moment | null;
  /** Deepest stack */
  deepest: Numeric | null;
  /** With what it interrupts */
  deepest_nested: Numeric | null;
  /** Shortest period */
  period_min: Duration | null;
  /** Mean period */
  period_mean: Duration | null;
  /** 50 % at most */
  period_p50: Duration | null;
  /** 95 % at most */
  period_p95: Duration | null;
  /** 99 % at most */
  period_p99: Duration | null;
  /** Longest period */
  period_max: Duration | null;
  /** At */
  period_max_at: Moment | null;
};

/** A row of the table "Functions". */
export type FunctionsRow = {
  /** Function */
  name: string;
  /** Calls */
  calls: Numeric | null;
  /** Not measured */
  unmeasured: Numeric | null;
  /** Itself */
  self: Duration | null;
  /** With what it calls */
  total: Duration | null;
  /** Shortest */
  min: Duration | null;
  /** Mean */
  mean: Duration | null;
  /** 50 % at most */
  p50: Duration | null;
  /** 95 % at most */
  p95: Duration | null;
  /** 99 % at most */
  p99: Duration | null;
  /** Longest */
  max: Duration | null;
  /** At */
  max_at: Moment | null;
  /** Deepest level */
  deepest: Numeric | null;
  /** Contexts */
  contexts: string | null;
};

/** A row of the table "Who called whom". */
export type CallsRow = {
  /** Function */
  name: string;
  /** Called by */
  caller: string | null;
  /** Calls */
  count: Numeric | null;
};

/** A row of the table "Who interrupted whom". */
export type InterruptionsRow = {
  /** Interrupted */
  name: string;
  /** By */
  by: string | null;
  /** Count */
  count: Numeric | null;
  /** Time */
  total: Duration | null;
};

/** A row of the table "Signals". */
export type SignalsRow = {
  /** Signal */
  path: string;
  /** Number */
  id: Numeric | null;
  /** Type */
  type: string | null;
  /** Samples */
  samples: Numeric | null;
  /** Without a value */
  none: Numeric | null;
  /** Tagged */
  tagged: Numeric | null;
  /** First */
  first: Moment | null;
  /** Last */
  last: Moment | null;
  /** Smallest */
  smallest: Numeric | null;
  /** Largest */
  largest: Numeric | null;
  /** Mean */
  mean: Numeric | null;
  /** Unit */
  unit: string | null;
};

/** A row of the table "Domains that are no time". */
export type DomainsRow = {
  /** Domain */
  domain: string;
  /** First */
  first: Numeric | null;
  /** Last */
  last: Numeric | null;
  /** One is shown as */
  shown_as: string | null;
};

/** A row of the table "Markers". */
export type MarkersRow = {
  /** Marker */
  name: string;
  /** Id */
  id: Numeric | null;
  /** Count */
  count: Numeric | null;
};

/** A row of the table "Durations of markers". */
export type MarkerTimesRow = {
  /** Marker */
  name: string;
  /** Text */
  text: string | null;
  /** Task */
  task: string | null;
  /** Count */
  count: Numeric | null;
  /** Not measured */
  count_unmeasured: Numeric | null;
  /** Total */
  total: Duration | null;
  /** Shortest */
  min: Duration | null;
  /** Mean */
  mean: Duration | null;
  /** 50 % at most */
  p50: Duration | null;
  /** 95 % at most */
  p95: Duration | null;
  /** 99 % at most */
  p99: Duration | null;
  /** Longest */
  max: Duration | null;
  /** At */
  max_at: Moment | null;
  /** Shortest period */
  period_min: Duration | null;
  /** Mean period */
  period_mean: Duration | null;
  /** 50 % at most */
  period_p50: Duration | null;
  /** 95 % at most */
  period_p95: Duration | null;
  /** 99 % at most */
  period_p99: Duration | null;
  /** Longest period */
  period_max: Duration | null;
  /** At */
  period_max_at: Moment | null;
};

/** A row of the table "Logs". */
export type LogsRow = {
  /** Log */
  name: string;
  /** Count */
  count: Numeric | null;
  /** First */
  first: Moment | null;
  /** Last */
  last: Moment | null;
};

/** A row of the table "Dumps of memory". */
export type DumpsRow = {
  /** Data */
  name: string;
  /** Address */
  address: string | null;
  /** Length */
  length: Numeric | null;
  /** Count */
  count: Numeric | null;
  /** Last bytes */
  last: string | null;
  /** At */
  last_at: Moment | null;
};

/** A row of the table "Traces". */
export type TracesRow = {
  /** Trace */
  trace: string;
  /** Number */
  id: Numeric | null;
  /** Version */
  version: Numeric | null;
  /** Sequences */
  sequences: Numeric | null;
  /** Definitions */
  definitions: Numeric | null;
  /** Last */
  last: Moment | null;
};

/** A row of the table "Packed blocks". */
export type BlocksRow = {
  /** Packed by */
  method: string;
  /** Blocks */
  blocks: Numeric | null;
  /** Packed */
  packed: Numeric | null;
  /** Unpacked */
  unpacked: Numeric | null;
  /** Dropped */
  dropped: Numeric | null;
};

/** A row of the table "Samples of the program counter". */
export type ProfileRow = {
  /** Function */
  name: string;
  /** Address */
  address: string | null;
  /** Samples */
  samples: Numeric | null;
  /** Share */
  share: number | null;
};

/** The tables that a report may contain, by their ids. */
export interface ReportTables {
  findings: FindingsRow[];
  finding_places: FindingPlacesRow[];
  not_examined: NotExaminedRow[];
  clocks: ClocksRow[];
  cores: CoresRow[];
  jobs: JobsRow[];
  activations: ActivationsRow[];
  deadlines: DeadlinesRow[];
  waits: WaitsRow[];
  worst_jobs: WorstJobsRow[];
  worst_causes: WorstCausesRow[];
  job_distribution: JobDistributionRow[];
  job_noise: JobNoiseRow[];
  mutexes: MutexesRow[];
  mutex_waits: MutexWaitsRow[];
  queue_times: QueueTimesRow[];
  communication: CommunicationRow[];
  load_windows: LoadWindowsRow[];
  symbols: SymbolsRow[];
  verdicts: VerdictsRow[];
  tasks: TasksRow[];
  interrupts: InterruptsRow[];
  queues: QueuesRow[];
  event_groups: EventGroupsRow[];
  timers: TimersRow[];
  intervals: IntervalsRow[];
  states: StatesRow[];
  heaps: HeapsRow[];
  not_freed: NotFreedRow[];
  stacks: StacksRow[];
  objects: ObjectsRow[];
  steps: StepsRow[];
  step_signals: StepSignalsRow[];
  stores: StoresRow[];
  contexts: ContextsRow[];
  functions: FunctionsRow[];
  calls: CallsRow[];
  interruptions: InterruptionsRow[];
  signals: SignalsRow[];
  domains: DomainsRow[];
  markers: MarkersRow[];
  marker_times: MarkerTimesRow[];
  logs: LogsRow[];
  dumps: DumpsRow[];
  traces: TracesRow[];
  blocks: BlocksRow[];
  profile: ProfileRow[];
}
