// SPDX-License-Identifier: MIT
//
// Call traces of Cortex-M firmware: decoder of one input.
#include "../format.h"

#include <string.h>

#include "../../base/attributes.h"
#include "../../base/carry.h"
#include "../../base/text.h"
#include "../../base/utf8.h"
#include "contexts.h"
#include "data.h"
#include "sites.h"
#include "timing.h"
#include "vectors.h"

enum { SKIPPED_KEPT = 32, FIRST_STEP = 64, AHEAD_STEP = 4096, CHECKED_EARLY = 64, MAX_CHECKED = 1000 };

// Consecutive bytes that belong to no record.
struct skipped {
    uint64_t offset, len;
    uint8_t first[SKIPPED_KEPT];
};

struct decoder {
    struct tk_decode_host host;
    struct tk_batch *batch;
    enum cm_numbering numbering;
    struct tk_carry carry;      // the bytes of earlier chunks that are not decoded yet
    uint64_t offset;            // offset in the input of the next byte
    uint64_t records, accepted; // records without rejected ones; all records
    struct skipped skipped;
    uint64_t lost; // bytes skipped since the last function record
    struct cm_timing timing;
    struct cm_sites sites;
    struct cm_contexts contexts;
    struct cm_data data;
    struct tk_event event;      // the fields that all events of the current record have in common
    uint16_t vector;            // of the last function record
    uint32_t pc;                // of the last function record
    uint64_t functions, asked;  // number of function records; number of those whose PC was compared with files of
                                // symbols
    struct tk_symbols *checked; // the files of symbols that the first records are compared with; NULL: none
    uint64_t checked_ahead;     // function records that were compared with the symbols before they were decoded
    size_t ahead;               // length of the compared records in the carry
    enum cm_numbering ahead_numbering;
    bool begun, finished, silent;
    bool own_time;   // a record since the last function record has a time of its own
    bool is_text;    // the input is a text of names, not a recording
    bool is_watched; // a dump shows frames or records
    bool in_carry;   // the current record is in the carry, whose memory moves
};

// ---- Options -----------------------------------------------------------------------------------

static bool is_set(const struct decoder *d, const char *key, const char *value) {
    const char *text = d->host.option ? d->host.option(d->host.option_ctx, key) : NULL;
    return text && !strcmp(text, value);
}

static uint64_t number_option(const struct decoder *d, const char *key, uint64_t otherwise) {
    const char *text = d->host.option ? d->host.option(d->host.option_ctx, key) : NULL;
    uint64_t value = 0;
    if (!text || !*text) return otherwise;
    for (; *text >= '0' && *text <= '9'; text++) value = value * 10 + (uint64_t)(*text - '0');
    return value;
}

static enum cm_timing_mode timing_mode(const struct decoder *d, uint64_t baud) {
    if (is_set(d, "time", "order")) return CM_ORDER;
    if (d->host.times && d->host.times->count && !is_set(d, "time", "rate")) return CM_RECEPTION;
    return baud ? CM_RATE : CM_ORDER;
}

// ---- Sending -----------------------------------------------------------------------------------

static inline struct tk_event *begin_event(struct decoder *d, enum tk_event_kind kind) {
    struct tk_event *event = tk_batch_slot(d->batch);
    *event = d->event;
    event->kind = (uint8_t)kind;
    return event;
}

static inline void send(struct decoder *d) { tk_batch_add(d->batch); }

static inline void send_at(struct decoder *d, struct tk_event *event, uint64_t ticks) {
    event->timed = true;
    event->ticks = ticks;
    tk_batch_add(d->batch);
}

// Returns the bytes as a value of hexadecimal digits.
static struct tk_value hex_value(struct decoder *d, const uint8_t *bytes, size_t len) {
    enum { ROOM = 2 * SKIPPED_KEPT + 1 };
    char *room = (char *)tk_arena_reserve(&d->batch->memory, ROOM);
    struct tk_value value = { .name = "hex", .type = TK_VALUE_TEXT };
    if (!room) return value;
    struct tk_text hex = tk_text_in(room, ROOM);
    tk_text_hex_bytes(&hex, bytes, len < SKIPPED_KEPT ? len : SKIPPED_KEPT, "");
    tk_arena_commit(&d->batch->memory, hex.len);
    value.text = room;
    value.text_len = hex.len;
    return value;
}

// words: name of the instant, in the memory of the batch or static; "": the default words of the problem. The problem
// concerns `len` bytes.
static void problem(struct decoder *d, enum tk_diag_id id, uint64_t number, bool is_lost, const char *words,
                    const uint8_t *bytes, uint64_t len) {
    struct tk_value values[2] = { { .name = "bytes", .type = TK_VALUE_UINT, .number.u = len },
                                  hex_value(d, bytes, len < SKIPPED_KEPT ? (size_t)len : SKIPPED_KEPT) };
    struct tk_source_pos place = tk_event_source_pos(&d->event);
    tk_diag_note(d->host.diag, id, &place, number);
    struct tk_event *event = begin_event(d, TK_EV_PROBLEM);
    event->problem = (struct tk_event_problem){ .diag = id, .loss_reported = !is_lost };
    event->str = words;
    event->str_len = (uint32_t)strlen(words);
    event->values = tk_arena_copy(&d->batch->memory, values, sizeof values);
    event->value_count = event->values ? 2 : 0;
    send(d);
}

static void emit_timing_info(struct decoder *d) {
    struct tk_event *event = begin_event(d, TK_EV_TICK_LENGTH);
    bool order = d->timing.mode == CM_ORDER;
    event->tick_length.ns = order ? 1000 : 1;
    event->tick_length.origin = order                       ? TK_TICK_IS_COUNT
                                : d->timing.mode == CM_RATE ? TK_TICK_SPACING_ASSUMED
                                                            : TK_TICK_RECORDED;
    event->str = cm_timing_note(&d->timing);
    event->str_len = (uint32_t)strlen(event->str);
    send(d);
    if (!order) return;
    event = begin_event(d, TK_EV_TRACK_AXIS);
    event->track_axis = (struct tk_event_track_axis){ .of_all = 1, .shown_ns = 1000 };
    event->str = "record";
    event->str_len = 6;
    send(d);
    tk_diag_count(d->host.diag, TK_DIAG_TIME_ORDER, &(struct tk_source_pos){ .input = d->host.input });
}

// ---- Stages of a dump --------------------------------------------------------------------------

static void show_frame(const struct decoder *d, uint64_t offset, const uint8_t *bytes, size_t len,
                       const char *verdict) {
    bool good = !strcmp(verdict, "ok");
    struct tk_decode_frame frame = { offset, d->event.frame, bytes, good ? bytes : NULL, len, good ? len : 0, verdict };
    if (d->host.on_frame_decoded) d->host.on_frame_decoded(d->host.dump_ctx, &frame);
}

static struct tk_value number_value(const char *name, uint64_t number, enum tk_value_type type) {
    return (struct tk_value){ .name = name, .number.u = number, .type = (uint8_t)type };
}

static struct tk_value bytes_value(struct decoder *d, const struct cm_record *record) {
    struct tk_value value = { .name = record->kind == CM_LOG ? "text" : "data", .type = TK_VALUE_TEXT };
    size_t room = (size_t)record->data_len * TK_UTF8_GROWTH + 1, bad;
    char *text = (char *)tk_arena_reserve(&d->batch->memory, room);
    if (!text) return value;
    struct tk_text hex = tk_text_in(text, room);
    tk_text_hex_bytes(&hex, record->data, record->kind == CM_LOG ? 0 : record->data_len, "");
    value.text = text;
    value.text_len = record->kind == CM_LOG
                         ? (uint32_t)tk_utf8_clean(record->data, record->data_len, (uint8_t *)text, &bad)
                         : hex.len;
    tk_arena_commit(&d->batch->memory, room);
    return value;
}

static struct tk_value name_value(struct decoder *d, const char *name, const char *text, size_t len) {
    const char *kept = tk_arena_copy(&d->batch->memory, text, len);
    return (struct tk_value){ .name = name, .type = TK_VALUE_TEXT, .text = kept, .text_len = kept ? (uint32_t)len : 0 };
}

static uint8_t add_names(struct decoder *d, const struct cm_record *record, struct tk_value *values, uint8_t count) {
    char context[CM_CONTEXT_NAME_LEN], name[CM_NAME_LEN];
    values[count++] = name_value(d, "context", context, cm_contexts_name(&d->contexts, record->vector, context));
    if (!d->sites.symbols) return count;
    values[count++] = name_value(d, "callee", name, cm_sites_raw_name(&d->sites, record->pc & ~1u, name));
    values[count++] = name_value(d, "caller", name, cm_sites_raw_name(&d->sites, (record->lr & ~1u) - 1, name));
    return count;
}

static void show_record(struct decoder *d, const struct cm_record *record) {
    struct tk_value values[3 + 3];
    struct tk_event event = d->event;
    uint8_t count = 0;
    if (!d->host.on_record_decoded) return;
    if (record->kind == CM_FUNCTION) {
        values[count++] = number_value("vector", record->vector, TK_VALUE_UINT);
        values[count++] = number_value("pc", record->pc, TK_VALUE_HEX);
        values[count++] = number_value("lr", record->lr, TK_VALUE_HEX);
        if (d->host.names_wanted) count = add_names(d, record, values, count);
    } else {
        if (record->kind == CM_DUMP) values[count++] = number_value("address", record->address, TK_VALUE_HEX);
        values[count++] = number_value("length", record->data_len, TK_VALUE_UINT);
        values[count++] = bytes_value(d, record);
    }
    if (d->host.names_wanted && d->timing.mode == CM_RECEPTION)
        event.ticks = tk_times_of(d->host.times, d->event.offset);
    event.values = values;
    event.value_count = count;
    d->host.on_record_decoded(d->host.dump_ctx, &event, record->kind);
}

// ---- Bytes between records ---------------------------------------------------------------------

// "17 bytes skipped"
static const char *skipped_words(struct decoder *d, const char *before, const char *after) {
    enum { ROOM = 128 };
    char *room = (char *)tk_arena_reserve(&d->batch->memory, ROOM);
    if (!room) return "";
    struct tk_text text = tk_text_in(room, ROOM);
    tk_text_add(&text, before);
    tk_text_count(&text, d->skipped.len, "bytes");
    tk_text_add(&text, after);
    tk_arena_commit(&d->batch->memory, text.len + 1);
    return room;
}

// Reports the skipped bytes. Called at the next record, because only then their number is known.
static void emit_skipped_bytes(struct decoder *d, bool at_end) {
    struct skipped *skipped = &d->skipped;
    bool is_cut = at_end && cm_is_sync(skipped->first[0]), at_start = !skipped->offset && !d->accepted;
    enum tk_diag_id why = is_cut ? TK_DIAG_FRAME_CUT_AT_END : at_start ? TK_DIAG_FRAME_CUT_AT_START : TK_DIAG_SYNC_LOST;
    size_t kept = skipped->len < TK_DIAG_CONTEXT ? (size_t)skipped->len : TK_DIAG_CONTEXT;
    if (!skipped->len) return;
    d->event.offset = skipped->offset;
    d->event.raw = tk_arena_copy(&d->batch->memory, skipped->first, kept);
    d->event.raw_len = (uint16_t)(d->event.raw ? kept : 0);
    if (d->is_watched)
        show_frame(d, skipped->offset, skipped->first,
                   skipped->len < SKIPPED_KEPT ? (size_t)skipped->len : SKIPPED_KEPT, is_cut ? "cut" : "skipped");
    if (d->host.on_bytes_skipped)
        d->host.on_bytes_skipped(d->host.dump_ctx, skipped->offset, skipped->len,
                                 is_cut ? "cut record at the end" : "no record");
    problem(d, why, skipped->len, true,
            is_cut ? skipped_words(d, "cut record at the end, ", "") : skipped_words(d, "", " skipped"), skipped->first,
            skipped->len);
    if (is_cut) d->host.account->left += skipped->len;
    else tk_account_skip(d->host.account, why, skipped->len);
    d->lost += skipped->len;
    skipped->len = 0;
}

static void skip(struct decoder *d, uint8_t byte) {
    struct skipped *skipped = &d->skipped;
    if (!skipped->len) skipped->offset = d->offset;
    if (skipped->len < SKIPPED_KEPT) skipped->first[skipped->len] = byte;
    skipped->len++;
    d->offset++;
}

// ---- Records -----------------------------------------------------------------------------------

static inline void start_record(struct decoder *d, const struct cm_record *record, const uint8_t *at) {
    uint32_t size = record->size;
    d->event.offset = d->offset;
    d->event.frame = d->accepted++;
    size_t kept = size < TK_DIAG_CONTEXT ? size : TK_DIAG_CONTEXT;
    d->event.raw = d->in_carry ? tk_arena_copy(&d->batch->memory, at, kept) : at;
    d->event.raw_len = (uint16_t)(d->event.raw ? kept : 0);
    d->event.frame_len = size;
    d->host.account->decoded += size;
    if (d->is_watched) show_frame(d, d->offset, at, size, "ok"), show_record(d, record);
}

TK_NOINLINE static void emit_calls_pause(struct decoder *d, const struct cm_step *step, uint32_t context,
                                         enum tk_call_entry entry) {
    bool handler_may_end = d->vector && (context != TK_CALLS_NO_CONTEXT || step->is_long);
    if (handler_may_end) {
        struct tk_event *pause = begin_event(d, TK_EV_CALLS_PAUSE);
        pause->calls_pause = (struct tk_event_calls_pause){ context, entry, d->timing.mode == CM_RECEPTION };
        send_at(d, pause, step->quiet_from);
    }
    if (step->is_long) send_at(d, begin_event(d, TK_EV_GAP_BEGIN), step->quiet_from);
    d->silent = step->is_long;
}

static inline struct cm_step next_step(struct decoder *d) {
    uint64_t received = d->timing.mode == CM_RECEPTION ? tk_times_of(d->host.times, d->event.offset) : 0;
    struct cm_step step = cm_timing_next(&d->timing, d->records++, d->event.offset, received);
    d->own_time |= !step.is_assumed;
    return step;
}

TK_NOINLINE static void register_context(struct decoder *d, const struct cm_record *record) {
    char name[CM_NAME_LEN];
    bool entered = record->vector && record->lr >= CM_LR_EXCEPTION;
    cm_contexts_register(&d->contexts, record->vector, name, entered ? cm_sites_name(&d->sites, record->pc, name) : 0,
                         &d->event);
}

// ---- Do the symbols fit ------------------------------------------------------------------------

static void forget_symbols(struct decoder *d, bool any_left) {
    struct tk_symbols *symbols = any_left ? d->sites.symbols : NULL;
    cm_sites_forget(&d->sites, symbols);
    d->contexts.symbols = d->data.symbols = symbols;
}

// A single record that contradicts is damaged. Damage is rarer than one record in four, so with more the file is wrong.
static bool is_contradicted(const struct tk_symbol_checks *checks) {
    uint32_t agree = tk_symbol_checks_agree(checks), contradict = tk_symbol_checks_contradict(checks);
    return contradict == 1 ? agree < 2 : contradict * 4 > agree + contradict;
}

// Returns true if fewer than half of the trace points lie in a function of the file: it belongs to other firmware.
static bool is_mismatched(const struct tk_symbol_checks *checks) { return checks->points_found * 2 < checks->points; }

static void dismiss_if_wrong(struct tk_symbol_file *file) {
    const struct tk_symbol_checks *checks = tk_symbol_file_checks(file);
    if (is_contradicted(checks)) tk_symbol_file_contradict(file);
    else if (is_mismatched(checks)) tk_symbol_file_dismiss(file);
}

TK_COLD static void dismiss_wrong_symbols(struct decoder *d) {
    struct tk_symbol_file_summary before, after;
    bool any_left = false, any_gone = false, is_proven = false;
    for (struct tk_symbol_file *file = NULL; (file = tk_symbols_next(d->checked, file));) {
        tk_symbol_file_summary(file, &before);
        if (!before.functions || before.dismissed) continue;
        dismiss_if_wrong(file);
        tk_symbol_file_summary(file, &after);
        any_gone |= after.dismissed;
        any_left |= !after.dismissed;
        is_proven |= !after.dismissed && tk_symbol_checks_agree(&after.checks);
    }
    d->sites.is_proven = is_proven;
    tk_symbols_put_proven_first(d->checked);
    if (any_gone) forget_symbols(d, any_left);
}

static void count_check(struct tk_symbol_file *file, const struct cm_record *record) {
    struct tk_symbol_checks *checks = tk_symbol_file_checks(file);
    bool is_call = record->lr < CM_LR_EXCEPTION;
    enum tk_call_verdict verdict = cm_sites_check(file, record);
    checks->points++;
    checks->points_found += tk_symbol_file_has_function(file, record->pc & ~1u);
    *(is_call ? &checks->calls_agree : &checks->vectors_agree) += verdict == TK_CALL_AGREES;
    *(is_call ? &checks->calls_contradict : &checks->vectors_contradict) += verdict == TK_CALL_CONTRADICTS;
    checks->interrupts_agree += !is_call && record->vector >= CM_FIRST_INTERRUPT && verdict == TK_CALL_AGREES;
}

// Compares a function record with the files of symbols. Records from RAM prove nothing: no file contains their code.
TK_NOINLINE static void check_record(struct decoder *d, const struct cm_record *record) {
    enum { LATER = 256 };
    if (record->pc >= 0x20000000u && record->pc < 0x60000000u) return;
    d->asked++;
    for (struct tk_symbol_file *file = NULL; (file = tk_symbols_next(d->checked, file));) count_check(file, record);
    if (d->asked == CHECKED_EARLY || d->asked == LATER || d->asked == MAX_CHECKED) dismiss_wrong_symbols(d);
}

// Compares the first trace points with the symbols before any event gets a name. Returns true when enough were
// compared, or when no more will be.
TK_COLD static bool check_leading_trace_points(struct decoder *d, bool ended) {
    struct cm_window window = { tk_carry_bytes(&d->carry), tk_carry_len(&d->carry), ended };
    struct cm_record records[2];
    while (d->ahead < tk_carry_len(&d->carry) && d->asked < CHECKED_EARLY) {
        enum cm_verdict verdict = cm_next(&window, d->ahead, &d->ahead_numbering, records);
        if (verdict == CM_MORE) break;
        d->ahead += verdict == CM_SKIPPED ? 1 : verdict == CM_SPLIT ? 2 * CM_FUNCTION_LEN : records[0].size;
        for (uint32_t i = 0; verdict != CM_SKIPPED && i <= (verdict == CM_SPLIT); i++) {
            if (records[i].kind != CM_FUNCTION || !d->checked) continue;
            d->checked_ahead++;
            check_record(d, &records[i]);
        }
    }
    if (ended && d->asked && d->asked < CHECKED_EARLY) dismiss_wrong_symbols(d);
    return ended || d->asked >= CHECKED_EARLY || tk_carry_len(&d->carry) >= CM_DECISION_LEN || !d->sites.symbols;
}

// ---- Kinds of records --------------------------------------------------------------------------

static inline void count_function(struct decoder *d, const struct cm_record *record) {
    if (d->functions++ < MAX_CHECKED && d->functions > d->checked_ahead && d->checked) check_record(d, record);
}

// Rejects a damaged record: the symbols match the firmware, and their code cannot have written it.
TK_COLD static void reject_record(struct decoder *d, const struct cm_record *record, const uint8_t *at) {
    problem(d, TK_DIAG_CALL_CONTRADICTS, 1, true, "record that the firmware cannot have written", at, record->size);
    tk_account_reject(d->host.account, TK_DIAG_CALL_CONTRADICTS, record->size);
    d->lost += record->size;
    count_function(d, record);
}

static inline void take_function(struct decoder *d, const struct cm_record *record, const uint8_t *at) {
    uint32_t site = cm_sites_find(&d->sites, record, &d->event);
    bool is_new_context = !cm_contexts_is_known(&d->contexts, record->vector);
    if (site == CM_NO_SITE || (is_new_context && cm_sites_lack_context(&d->sites, record->vector))) {
        reject_record(d, record, at);
        return;
    }
    struct cm_step step = next_step(d);
    if (step.quiet_from < step.time) emit_calls_pause(d, &step, record->vector, cm_entry_of(record, d->sites.flat));
    if (is_new_context) register_context(d, record);
    struct tk_event *event = begin_event(d, TK_EV_FUNCTION_CALL);
    event->function_call = (struct tk_event_function_call){ record->vector, site, (int64_t)d->lost, !d->own_time };
    send_at(d, event, step.time);
    d->own_time = false;
    d->lost = 0;
    d->vector = record->vector;
    d->pc = record->pc;
    d->silent = false;
    count_function(d, record);
}

// Writes the function and the context that ran when a log was written, such as "USART1_IRQHandler in USART1". Returns
// the length; 0: unknown.
static size_t put_last_call(const struct decoder *d, char text[CM_NAME_LEN + CM_CONTEXT_NAME_LEN + 8]) {
    if (!d->pc) return 0; // no function record yet
    size_t len = cm_sites_name(&d->sites, d->pc, text);
    memcpy(text + len, " in ", 4);
    return len + 4 + cm_contexts_name(&d->contexts, d->vector, text + len + 4);
}

static void take_data(struct decoder *d, const struct cm_record *record) {
    struct cm_step step = next_step(d);
    char after[CM_NAME_LEN + CM_CONTEXT_NAME_LEN + 8];
    if (step.quiet_from < step.time) emit_calls_pause(d, &step, TK_CALLS_NO_CONTEXT, TK_CALL_FROM_FUNCTION);
    if (d->silent) send_at(d, begin_event(d, TK_EV_GAP_END), step.time);
    d->silent = false;
    struct tk_event at = d->event;
    at.timed = true;
    at.ticks = step.time;
    if (record->kind == CM_DUMP) {
        cm_data_dump(&d->data, record, &at);
        return;
    }
    size_t len = put_last_call(d, after);
    const char *kept = tk_arena_copy(&d->batch->memory, after, len);
    cm_data_log(&d->data, record, &at, kept, kept ? len : 0);
}

TK_NOINLINE static void take(struct decoder *d, const struct cm_record *record, const uint8_t *at) {
    if (d->skipped.len) emit_skipped_bytes(d, false);
    start_record(d, record, at);
    if (record->kind == CM_FUNCTION) take_function(d, record, at);
    else take_data(d, record);
    d->offset += record->size;
}

TK_NOINLINE static void take_split(struct decoder *d, const struct cm_record records[2], const uint8_t *at) {
    if (d->skipped.len) emit_skipped_bytes(d, false);
    start_record(d, &records[0], at);
    take_function(d, &records[0], at);
    problem(d, TK_DIAG_RECORD_SPLIT, 0, false, "record of an interrupt inside another record", at,
            2 * CM_FUNCTION_LEN); // reported after the first record, because before it there is no time
    d->offset += CM_FUNCTION_LEN;
    start_record(d, &records[1], at + CM_FUNCTION_LEN);
    take_function(d, &records[1], at + CM_FUNCTION_LEN);
    d->offset += CM_FUNCTION_LEN;
}

// ---- Bytes -------------------------------------------------------------------------------------

// Takes records from the window until more bytes are needed, the batch is full, or `stop` is reached. Returns the
// position that it reached.
static size_t take_records(struct decoder *d, const struct cm_window *window, size_t at, size_t stop) {
    struct cm_record records[2];
    while (at < stop && !tk_batch_is_full(d->batch)) {
        if (window->len - at > CM_FUNCTION_LEN && !d->skipped.len && cm_is_common(window->bytes + at, &records[0])) {
            start_record(d, &records[0], window->bytes + at);
            take_function(d, &records[0], window->bytes + at);
            d->offset += CM_FUNCTION_LEN;
            at += CM_FUNCTION_LEN;
            continue;
        }
        enum cm_verdict verdict = cm_next(window, at, &d->numbering, records);
        if (verdict == CM_MORE) break;
        if (verdict == CM_SKIPPED) skip(d, window->bytes[at++]);
        else if (verdict == CM_SPLIT) take_split(d, records, window->bytes + at), at += 2 * CM_FUNCTION_LEN;
        else take(d, &records[0], window->bytes + at), at += records[0].size;
    }
    return at;
}

// Decodes the records that began in earlier chunks with the bytes of this one. Returns how many of those are used;
// *out_goes_on: the carry is empty.
static size_t finish_carried(struct decoder *d, const uint8_t *bytes, size_t len, bool *out_goes_on) {
    uint32_t old = tk_carry_len(&d->carry);
    size_t given = 0, at = 0;
    for (size_t step = FIRST_STEP; at < old; step = CM_DECISION_LEN) {
        size_t chunk_len = len - given < step ? len - given : step;
        if (!tk_carry_add(&d->carry, d->host.alloc, bytes + given, chunk_len)) return *out_goes_on = false, len;
        given += chunk_len;
        struct cm_window window = { tk_carry_bytes(&d->carry), tk_carry_len(&d->carry), false };
        d->in_carry = true;
        at = take_records(d, &window, at, old);
        d->in_carry = false;
        if (at < old && (given == len || tk_batch_is_full(d->batch))) break;
    }
    *out_goes_on = at >= old;
    if (*out_goes_on) return tk_carry_cut(&d->carry, 0), at - old;
    if (!tk_batch_is_full(d->batch)) return tk_carry_drop(&d->carry, at), len;
    tk_carry_cut(&d->carry, old); // the caller passes the bytes of this chunk again
    tk_carry_drop(&d->carry, at);
    return 0;
}

static void begin(struct decoder *d) {
    uint64_t baud = number_option(d, "baud", 0);
    d->begun = true;
    cm_timing_init(&d->timing, timing_mode(d, baud), baud);
    emit_timing_info(d);
    cm_contexts_register(&d->contexts, 0, "", 0, &d->event);
}

// Collects bytes until it is known whether the symbols match the firmware, then begins. Returns the number of bytes
// kept.
static size_t prepare(struct decoder *d, const uint8_t *bytes, size_t len, bool ended) {
    size_t at = 0;
    if (d->host.symbols && d->host.symbols->first) { // Tonkopf has read all symbols before the first recording
        d->data.symbols = d->host.symbols;
        if (tk_symbols_any_function(d->host.symbols))
            d->checked = d->sites.symbols = d->contexts.symbols = d->host.symbols;
    }
    bool ready = !d->sites.symbols || tk_decode_is_live(&d->host) || (ended && check_leading_trace_points(d, true));
    while (!ready && at < len) {
        size_t step = len - at < AHEAD_STEP ? len - at : AHEAD_STEP;
        if (!tk_carry_add(&d->carry, d->host.alloc, bytes + at, step)) return len;
        at += step;
        ready = check_leading_trace_points(d, false);
    }
    if (ready) begin(d);
    return at;
}

// Collects a text of names, which is read at its end.
static size_t collect_text(struct decoder *d, const uint8_t *bytes, size_t len) {
    tk_carry_fill(&d->carry, d->host.alloc, CM_VECTORS_TEXT, bytes, len);
    d->host.account->decoded += len;
    return len;
}

static size_t decode(void *ctx, const uint8_t *bytes, size_t len) {
    struct decoder *d = ctx;
    bool goes_on = true;
    size_t at = 0;
    if (!d->begun && !d->is_text && !tk_carry_len(&d->carry) && d->host.lookup_out)
        d->is_text = cm_vectors_text_is(bytes, len);
    if (d->is_text) return collect_text(d, bytes, len);
    if (!d->begun) at = prepare(d, bytes, len, false);
    if (!d->begun) return at;
    if (tk_carry_len(&d->carry)) at += finish_carried(d, bytes + at, len - at, &goes_on);
    if (!goes_on) return at;
    struct cm_window window = { bytes, len, false };
    at = take_records(d, &window, at, len);
    if (tk_batch_is_full(d->batch)) return at;
    tk_carry_add(&d->carry, d->host.alloc, bytes + at, len - at);
    return len;
}

static void end_time(struct decoder *d) {
    d->finished = true;
    emit_skipped_bytes(d, true);
    if (d->numbering == CM_FLAGS_OLD && !is_set(d, "flags", "old"))
        tk_diag_count(d->host.diag, TK_DIAG_FLAGS_OLD_NUMBERING, &(struct tk_source_pos){ .input = d->host.input });
    if (d->checked && d->asked) dismiss_wrong_symbols(d);
    cm_contexts_finish(&d->contexts, &d->event);
    if (d->data.bad_texts)
        tk_diag_note(d->host.diag, TK_DIAG_STRING_BAD_UTF8, &(struct tk_source_pos){ .input = d->host.input },
                     d->data.bad_texts);
    if (d->sites.has_shared)
        tk_diag_count(d->host.diag, TK_DIAG_SYMBOLS_NO_STATICS, &(struct tk_source_pos){ .input = d->host.input });
    if (d->timing.together)
        tk_diag_note(d->host.diag, TK_DIAG_TIMES_EQUAL, &(struct tk_source_pos){ .input = d->host.input },
                     d->timing.together);
    // The end of the last record, which takes time as well.
    if (d->records) send_at(d, begin_event(d, TK_EV_CALLS_END), d->timing.last + d->timing.record_len);
}

static bool end(void *ctx) {
    struct decoder *d = ctx;
    struct cm_window window = { tk_carry_bytes(&d->carry), tk_carry_len(&d->carry), true };
    if (d->is_text)
        return d->accepted = cm_vectors_text_read(tk_carry_bytes(&d->carry), tk_carry_len(&d->carry),
                                                  d->host.lookup_out, d->host.alloc),
               true;
    if (!d->begun) prepare(d, NULL, 0, true);
    d->in_carry = true;
    size_t at = take_records(d, &window, 0, tk_carry_len(&d->carry));
    tk_carry_drop(&d->carry, at);
    if (tk_carry_len(&d->carry)) return false;
    if (!d->finished) end_time(d);
    return true;
}

static bool init(void *ctx, const struct tk_decode_host *host) {
    struct decoder *d = ctx;
    d->host = *host;
    d->batch = host->open_stream(host->stream_ctx, TK_STREAM_RESOLVED);
    d->event = (struct tk_event){ .input = (uint8_t)host->input, .core = host->core };
    d->sites = (struct cm_sites){ .alloc = host->alloc, .batch = d->batch, .diag = host->diag };
    d->sites.flat = is_set(d, "calls", "flat");
    d->sites.before_point = (uint32_t)number_option(d, "pc-start", 6);
    d->is_watched = host->on_frame_decoded || host->on_record_decoded;
    d->contexts.batch = d->batch;
    d->contexts.given = host->lookup;
    d->contexts.is_stm32f303 = is_set(d, "vectors", "stm32f303");
    d->data.alloc = host->alloc;
    d->data.batch = d->batch;
    d->numbering = d->ahead_numbering = is_set(d, "flags", "new")   ? CM_FLAGS_NEW
                                        : is_set(d, "flags", "old") ? CM_FLAGS_OLD
                                                                    : CM_FLAGS_OPEN;
    return d->batch != NULL;
}

static uint64_t frames(const void *ctx) { return ((const struct decoder *)ctx)->accepted; }

static void tables(const void *ctx, const struct tk_table_sink *sink) {
    cm_data_tables(&((const struct decoder *)ctx)->data, sink);
}

static bool summary_line(const void *ctx, uint32_t index, char out_text[TK_SUMMARY_LEN]) {
    const struct decoder *d = ctx;
    if (d->is_text) return false;
    const char *summary[2];
    uint32_t count = 0;
    summary[count++] =
        d->timing.mode == CM_ORDER
            ? "the recording has no times: durations are numbers of records"
            : "only entries are recorded: handlers may have run longer than shown, the innermost function shorter";
    if (index >= count) return false;
    memcpy(out_text, summary[index], strlen(summary[index]) + 1);
    return true;
}

static const struct tk_kind_words kinds[] = { { TK_EV_TRACK_INSTANT, "log or dump of memory" },
                                              { TK_EV_TRACK_COUNT, "dumped value" },
                                              { 0, NULL } };

static const struct tk_tracker *const trackers[] = { &tk_tracker_calls, &tk_tracker_tracks, NULL };

const struct tk_decoder tk_decoder_cortexm = { .info = &tk_info_cortexm,
                                               .symbols = TK_SYMBOLS_FOR_LINES,
                                               .trackers = trackers,
                                               .no_tick = TK_DIAG_TIME_ORDER,
                                               .size = sizeof(struct decoder),
                                               .init = init,
                                               .decode = decode,
                                               .end = end,
                                               .frames = frames,
                                               .summary_line = summary_line,
                                               .tables = tables,
                                               .table_list = cm_data_table_list,
                                               .names = &tk_names_cortexm,
                                               .kinds = kinds };
