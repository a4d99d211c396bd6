// SPDX-License-Identifier: MIT
// Checks that every written trace must pass. trace_processor reports several real errors only as "info", and the viewer does not show them.

const COUNTED_AS_INFO = [
  'track_event_parser_errors',
  'track_hierarchy_missing_uuid',
  'interned_data_tokenizer_errors',
  'interned_data_skipped_incremental_state_invalid',
  'packet_skipped_seq_needs_incremental_state_invalid',
];

const STATS = `select name, idx, severity, value from stats where value > 0 and (severity in ('error', 'data_loss')
  or name in (${COUNTED_AS_INFO.map((name) => `'${name}'`).join(', ')}))`;

/**
 * Returns sentences about errors in the loaded trace, [] if there are none. `events`: the events of the report; the trace must contain exactly
 * as many lost events.
 */
export function selfCheck(engine, { lost = 0, lost_on_line = 0 } = {}) {
  const problems = [];
  let told = 0;
  for (const { name, severity, value } of engine.query(STATS)) {
    if (name === 'traced_buf_trace_writer_packet_loss') told = value;
    else problems.push(`${severity} ${name}: ${value}`);
  }
  if (told !== lost + lost_on_line)
    problems.push(`the report counts ${lost + lost_on_line} lost events, the trace ${told}`);
  const [{ open }] = engine.query('select count(*) as open from slice where dur < 0');
  if (open > 0) problems.push(`${open} slices are never closed`);
  const [{ borrowed }] = engine.query(
    "select count(*) as borrowed from args where key = 'legacy_event.passthrough_utid'",
  );
  if (borrowed > 0) problems.push('events of tracks that belong to no thread bear a thread as argument');
  const [{ nameless }] = engine.query('select count(*) as nameless from slice where name is null');
  if (nameless > 0) problems.push(`${nameless} slices have no name`);
  return problems;
}
