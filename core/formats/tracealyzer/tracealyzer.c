// SPDX-License-Identifier: MIT
//
// Streams and memory images of Percepio's TraceRecorder: decoder of one input.
#include "../format.h"

#include <string.h>

#include "../../base/attributes.h"
#include "../kit/packets.h"
#include "../kit/repeat.h"
#include "image.h"
#include "session.h"

enum state {
    SEARCH,
    RESYNC,
    START,
    HEADER,
    TABLE,
    ENTRIES,
    EVENTS,
    IMAGE_SIZE,
    IMAGE_DATA,
    IMAGE_EVENTS,
    IMAGE_END,
    OUTSIDE,
    STATES
};

// Bytes that packets may buffer: CARRY, or SURVEY for the search for the start and for repeated blocks.
enum { CARRY = 4096, SURVEY = 128 * 1024, ROUND = TK_BATCH_LEN, MARKER = 4, EVENT_START = 8 };

// The available bytes. `lasting`: they are valid until the next call of decode; otherwise they move before it.
struct view {
    const uint8_t *at;
    size_t len;
    bool lasting, ended;
};

static const size_t need_more = SIZE_MAX; // the available bytes do not suffice

struct decoder {
    struct tk_decode_host host;
    struct psf_session *session; // its own session, or that of the file with the header
    struct psf_session own;
    struct psf_out out;
    struct psf_out translated; // output of the merge
    struct psf_table table;
    struct psf_image image;
    enum state state;
    uint64_t offset, frame; // offset of the next byte; number of the next header, entry or event
    uint64_t entries_left;
    uint64_t skipped, skipped_at; // number and offset of bytes that belong to no record
    uint8_t skipped_bytes[TK_DIAG_CONTEXT];
    uint16_t odd_version;          // version in a start marker among them
    struct psf_layout *candidates; // layouts of a stream without a header, during the search for its start; NULL: no
                                   // search
    uint32_t sent;                 // events put into batches before this call
    struct tk_packets packets;     // its carry contains the packet that the end of a chunk cuts
    struct tk_repeat repeat;
    const uint8_t *chunk;  // bytes that `run` reads
    uint64_t chunk_offset; // offset of the first of them
    bool tail_reported;
    bool waits; // this file waits for the header, which another of several files has
    bool begun; // its bytes are being decoded
};

// ---- Telling -----------------------------------------------------------------------------------

static struct tk_source_pos place_of(const struct decoder *d, uint64_t offset, const uint8_t *bytes, size_t len) {
    return (struct tk_source_pos){
        .input = d->host.input, .has_offset = true, .offset = offset, .frame = d->frame, .bytes = bytes, .len = len
    };
}

static void note(const struct decoder *d, enum tk_diag_id id, const struct view *view, uint64_t number) {
    enum { CONTEXT = 8 }; // always available, regardless of the chunks
    struct tk_source_pos place = place_of(d, d->offset, view->at, view->len < CONTEXT ? view->len : CONTEXT);
    tk_diag_note(d->host.diag, id, &place, number);
}

static void show_frame(const struct decoder *d, const uint8_t *bytes, size_t len, const char *verdict) {
    if (!d->host.on_frame_decoded) return;
    bool is_ok = verdict[0] != '!';
    struct tk_decode_frame seen = {
        d->offset, d->frame, bytes, is_ok ? bytes : NULL, len, is_ok ? len : 0, is_ok ? verdict : verdict + 1
    };
    d->host.on_frame_decoded(d->host.dump_ctx, &seen);
}

// Accounts for a decoded header, entry or event.
static size_t account_decoded(struct decoder *d, const struct view *view, size_t len, const char *verdict) {
    show_frame(d, view->at, len, verdict);
    d->host.account->decoded += len;
    d->frame++;
    return len;
}

// Sets the source position of the current event, and the event stream of its core.
static void set_place(struct decoder *d, const struct psf_step *step) {
    struct tk_event *at = &d->out.at;
    psf_out_core(&d->out, step->event.core);
    at->offset = step->offset;
    at->frame = step->frame;
    at->ticks = step->ns;
    psf_out_bytes(&d->out, step->event.bytes, step->event.size, step->lasting);
}

// Forgets the bytes of the last event, which may be gone.
static void forget_bytes(struct decoder *d) {
    d->out.at.raw = NULL;
    d->out.at.raw_len = 0;
}

// ---- Bytes that are nothing --------------------------------------------------------------------

static void skip(struct decoder *d, const struct view *view, size_t len) {
    if (!d->skipped) d->skipped_at = d->offset;
    for (size_t i = 0; i < len && d->skipped + i < TK_DIAG_CONTEXT; i++) d->skipped_bytes[d->skipped + i] = view->at[i];
    d->skipped += len;
}

// Accounts for skipped bytes, when a record follows or the input ends.
static void account_skipped_bytes(struct decoder *d, enum tk_diag_id why) {
    size_t len = d->skipped < TK_DIAG_CONTEXT ? (size_t)d->skipped : TK_DIAG_CONTEXT;
    struct tk_source_pos place = place_of(d, d->skipped_at, d->skipped_bytes, len);
    uint64_t skipped = d->skipped;
    if (!skipped) return;
    tk_account_skip(d->host.account, why, skipped);
    tk_diag_note(d->host.diag, why, &place, skipped);
    if (d->odd_version) tk_diag_note(d->host.diag, TK_DIAG_HEADER_UNSUPPORTED, &place, d->odd_version);
    d->skipped = d->odd_version = 0;
    if (why != TK_DIAG_NOT_A_RECORD) return;
    for (unsigned i = 0; i < PSF_MAX_CORES; i++) // one core if each has a file, otherwise all
        if (!d->session->timer.apart || i == d->out.at.core) d->session->cores[i].damaged += skipped;
    forget_bytes(d);
    struct tk_event *problem = psf_emit_untimed(&d->out, TK_EV_PROBLEM);
    problem->problem = (struct tk_event_problem){ .diag = why, .loss_reported = 1 }; // the event counters show how many
                                                                                     // events are missing
}

// ---- Several cores -----------------------------------------------------------------------------
// Objects belong to all cores: an event of one core may create an object that another core uses, and files or blocks in
// a stream are not in order of time. So the events of each core are only decoded here. The merge requests their
// translation in order of time.

enum deferred { DEFERRED_EVENT, DEFERRED_ENTRY, DEFERRED_SECTION, DEFERRED_GAP, DEFERRED_RESET, DEFERRED_END };

static struct tk_event *defer(struct decoder *d, enum deferred what) {
    struct tk_event *event = psf_emit_event(&d->out, TK_EV_DEFERRED_RECORD);
    event->deferred_record = (struct tk_event_deferred_record){ .what = what, .layout = d->session->layout_number };
    event->str_len = 0;
    event->value_count = 0;
    return event;
}

TK_NOINLINE static void defer_event(struct decoder *d, const struct psf_step *step) {
    const struct psf_event *event = &step->event;
    if (event->record == PSF_OBJ_NAME || event->record == PSF_EXTENSION_CREATE) psf_extend_by_event(d->session, event);
    const void *bytes = step->lasting ? event->bytes : tk_arena_copy(&d->out.batch->memory, event->bytes, event->size);
    if (!bytes) return; // without memory
    struct tk_event *record = defer(d, DEFERRED_EVENT);
    record->deferred_record.code = event->record | (step->ends_open ? 1u << 16 : 0);
    record->deferred_record.counts = (int64_t)step->counts;
    record->str = bytes;
    record->str_len = event->size;
    record->raw_len = 0;
}

static void defer_section(struct decoder *d, uint64_t lost) {
    struct tk_event *record = defer(d, DEFERRED_SECTION);
    record->deferred_record.code = !d->session->events; // the first section
    record->deferred_record.counts = (int64_t)lost;
}

// Defers an entry until the events decoded so far are mapped.
static void defer_entry(struct decoder *d, const struct psf_entry *entry) {
    struct tk_arena *memory = &d->out.batch->memory;
    size_t len = sizeof *entry + entry->symbol_len;
    uint8_t *copy = tk_arena_reserve(memory, len);
    if (!copy) return;
    memcpy(copy, entry, sizeof *entry);
    memcpy(copy + sizeof *entry, entry->symbol, entry->symbol_len);
    tk_arena_commit(memory, len);
    struct tk_event *record = defer(d, DEFERRED_ENTRY);
    uint64_t last = d->session->cores[d->out.at.core].last_ns;
    record->ticks = d->session->timer.apart ? last : d->session->latest_ns;
    record->str = (const char *)copy;
    record->str_len = (uint32_t)len;
    record->raw_len = 0;
}

// Begins the first section with the first event in time. It may belong to another core than the first event in the
// stream, which has the DEFERRED_SECTION.
static void begin_first_section(struct decoder *d) {
    if (!d->session->map.begun) psf_map_section(d->session, &d->translated, 0);
}

static void translate_section(struct decoder *d, const struct tk_event *record) {
    bool is_first = record->deferred_record.code;
    if (is_first) begin_first_section(d);
    else psf_map_section(d->session, &d->translated, (uint64_t)record->deferred_record.counts);
}

static void translate_event(struct decoder *d, const struct tk_event *record) {
    const struct psf_layout *layout = &d->session->layout;
    struct psf_step step = { .ns = record->ticks,
                             .offset = record->offset,
                             .frame = record->frame,
                             .counts = (uint64_t)record->deferred_record.counts,
                             .lasting = true,
                             .ends_open = record->deferred_record.code >> 16 };
    if (record->deferred_record.layout != d->session->layout_number) { // a later header has described another target
        struct tk_source_pos place = tk_event_source_pos(record);
        tk_diag_count(d->host.diag, TK_DIAG_NOT_A_RECORD, &place);
        return;
    }
    psf_event_read(layout, (const uint8_t *)record->str, &step.event);
    step.event.core = record->core;
    step.event.record = (uint8_t)record->deferred_record.code;
    begin_first_section(d);
    psf_out_bytes(&d->translated, step.event.bytes, step.event.size, true);
    psf_map_event(d->session, &d->translated, &step);
}

static void translate_entry(struct decoder *d, const struct tk_event *record) {
    struct psf_entry entry;
    if (record->str_len < sizeof entry) return;
    memcpy(&entry, record->str, sizeof entry);
    entry.symbol = record->str + sizeof entry;
    psf_map_entry(d->session, &entry);
}

static void end_file(struct psf_session *session, struct psf_out *out) {
    if (!session->files || --session->files) return;
    psf_map_end(session, out);
}

static void translate(void *ctx, const struct tk_event *record, struct tk_batch *batch) {
    struct decoder *d = ctx;
    struct psf_session *session = d->session;
    struct psf_out *out = &d->translated;
    out->host = &d->host;
    out->streams[0] = out->batch = batch;
    out->stream_count = 1;
    out->at = *record;
    out->at.str_len = 0;
    out->at.payload = (struct tk_event_payload){ 0 };
    const struct tk_event_deferred_record *deferred = &record->deferred_record;
    switch ((enum deferred)deferred->what) {
    case DEFERRED_EVENT: translate_event(d, record); break;
    case DEFERRED_ENTRY: translate_entry(d, record); break;
    case DEFERRED_SECTION: translate_section(d, record); break;
    case DEFERRED_GAP: psf_map_gap(session, out, deferred->code, (uint64_t)deferred->counts, deferred->since); break;
    case DEFERRED_RESET: psf_map_reset(session, out, record->core); break;
    case DEFERRED_END: end_file(session, out); break;
    }
}

// ---- Headers and tables ------------------------------------------------------------------------

static void open_streams(struct decoder *d) {
    struct psf_out *out = &d->out;
    d->session->translates = d->session->translates || d->session->layout.cores > 1;
    if (d->session->translates && d->host.defers_records) *d->host.defers_records = true;
    uint32_t wanted = d->session->header.streams == 2 ? 1 : d->session->layout.cores; // one stream per core, or one for
                                                                                      // all
    while (out->stream_count < wanted &&
           (out->streams[out->stream_count] = d->host.open_stream(d->host.stream_ctx, TK_STREAM_RESOLVED)))
        out->stream_count++;
}

static void flush_order(struct decoder *d, struct psf_core *core);

static void begin_section(struct decoder *d, const struct psf_header *header, const struct psf_timestamp *timestamp) {
    struct psf_session *session = d->session;
    bool apart = header->cores > 1 && header->streams == 2, goes_on = apart && session->events; // the clocks of other
                                                                                                // files are independent
                                                                                                // of this one
    for (unsigned i = 0; i < PSF_MAX_CORES && !goes_on; i++) {
        flush_order(d, &session->cores[i]);
        session->cores[i].clock = (struct psf_clock){ 0 };
    }
    if (goes_on) flush_order(d, &session->cores[d->out.at.core]);
    if (header->big != session->header.big || header->word != session->header.word ||
        header->cores != session->header.cores || header->kernel != session->header.kernel)
        session->layout_number++;
    session->header = *header;
    psf_layout_init(&session->layout, header->big, header->word, header->cores, (enum psf_kernel)header->kernel);
    psf_layout_set_timer(&session->layout, timestamp);
    struct psf_timer timer;
    psf_timer_init(&timer, timestamp, session->is_image);
    timer.lead = session->timer.lead;
    if (!goes_on) session->timer = timer;
    session->timer.starts = timer.starts;
    session->timer.apart = apart;
    session->timer.leads = header->cores > 1 && !session->events;
    session->begins = true;
    session->headers++;
    open_streams(d);
}

// Returns the session of the file with the header. Files of further cores have no header.
static struct psf_session *other_input_session(const struct decoder *d) {
    const struct decoder *other;
    for (uint32_t i = 0; (other = d->host.other(d->host.other_ctx, i)); i++)
        if (other->session->headers && (other->session->events || other->tail_reported))
            return other->session; // its first event is the origin of times
    return NULL;
}

// Returns true if this file has a header of its own among several files: then it belongs to another target, whose
// object ids are independent.
static bool is_of_another_target(const struct decoder *d) {
    const struct psf_session *session = d->host.merged ? other_input_session(d) : NULL;
    return session && session != d->session;
}

static size_t take_header(struct decoder *d, const struct view *view) {
    struct psf_header header;
    struct psf_timestamp timestamp;
    uint16_t version;
    enum psf_verdict verdict = psf_header_read(view->at, view->len, &header, &timestamp, &version);
    if (verdict == PSF_MORE) return need_more; // the header may be cut at the end of the input
    if (verdict != PSF_YES) {
        d->session->is_image = false;
        return d->state = SEARCH, 0;
    }
    if (is_of_another_target(d)) {
        d->host.refuse(d->host.other_ctx);
        return d->state = OUTSIDE, 0;
    }
    if (header.version > PSF_NEWEST_VERSION) note(d, TK_DIAG_VERSION_NEWER, view, header.version);
    begin_section(d, &header, &timestamp);
    d->state = TABLE;
    return account_decoded(d, view, psf_header_size(&header), "header");
}

static size_t take_table(struct decoder *d, const struct view *view) {
    const struct psf_header *header = &d->session->header;
    size_t size = 3u * header->word;
    if (view->len < size) return need_more;
    if (!psf_table_read(header, view->at, &d->table)) {
        note(d, TK_DIAG_HEADER_DAMAGED, view, 0);
        d->session->is_image = false;
        return d->state = RESYNC, 0;
    }
    d->session->header_count += header->version < 12 ? 0 : 3 + d->table.entries;
    d->entries_left = d->table.entries;
    d->state = ENTRIES;
    return account_decoded(d, view, size, "table");
}

// Maps an entry. An entry of a later section waits until the events before it are mapped.
static void map_entry(struct decoder *d, const struct psf_entry *entry) {
    struct psf_session *session = d->session;
    if (session->translates) psf_extend_by_entry(session, entry);
    if (session->translates && session->events) defer_entry(d, entry);
    else psf_map_entry(session, entry);
}

static size_t take_entry(struct decoder *d, const struct view *view) {
    struct psf_session *session = d->session;
    struct psf_entry entry;
    unsigned events;
    size_t size = psf_entry_size(&session->header, &d->table);
    if (!d->entries_left) return d->state = session->is_image ? IMAGE_SIZE : EVENTS, 0;
    if (view->len < size) return need_more;
    enum psf_verdict verdict =
        session->is_image ? PSF_NO
                          : psf_chain(&session->layout, view->at, view->len, view->ended, PSF_CHAIN_START, &events);
    if (verdict == PSF_MORE) return need_more;
    if (verdict == PSF_YES && events) { // the size of the table in the header is too large
        note(d, TK_DIAG_HEADER_DAMAGED, view, 0);
        return d->state = EVENTS, 0;
    }
    psf_entry_read(&session->header, &d->table, view->at, &entry);
    if (entry.address) map_entry(d, &entry);
    d->entries_left--;
    return account_decoded(d, view, size, "entry");
}

// ---- Events ------------------------------------------------------------------------------------

static void pass(void *ctx, const struct psf_step *step) {
    struct decoder *d = ctx;
    set_place(d, step);
    if (d->session->translates) defer_event(d, step);
    else psf_map_event(d->session, &d->out, step);
}

static void flush_order(struct decoder *d, struct psf_core *core) { psf_order_flush(&core->order, pass, d); }

// Numbers of events that are missing before the current one: if the target continued, and if it was reset and counts
// from 0.
struct missing_events {
    uint16_t if_continued, if_reset;
};

static struct missing_events missing_before(const struct psf_session *session, const struct psf_core *core,
                                            uint16_t count) {
    uint16_t mask = session->layout.count_mask;
    uint64_t own = session->begins ? session->header_count : 0;
    return (struct missing_events){ (uint16_t)(count - core->expected - own) & mask,
                                    (uint16_t)(count - (count > own ? own : 0) - 1) & mask };
}

// Returns true if the header before the event follows a reset.
static bool is_restart(const struct psf_session *session, const struct missing_events *missing_events) {
    return !session->timer.starts && missing_events->if_reset < missing_events->if_continued;
}

// Returns true if a core whose file has no header was reset. Evidence is a time that fell, if the timer seldom turns
// over, or a reset in the file with the header.
static bool is_restart_without_header(const struct psf_session *session, const struct psf_core *core,
                                      const struct psf_event *event, const struct missing_events *missing_events) {
    bool falls = session->timer.turn >= UINT32_MAX && psf_clock_goes_back(&session->timer, &core->clock, event->timer);
    return missing_events->if_reset < missing_events->if_continued &&
           (falls || (!missing_events->if_reset && core->resets < session->resets));
}

// Moves the times after a reset behind those before it, in the file of each core. All cores use the time of the file
// that contains the reset first.
static void set_reset_offset(struct psf_session *session, struct psf_core *core, uint32_t raw) {
    uint64_t *reset_ns = &session->reset_ns[core->resets % PSF_RESETS];
    if (core->resets++ == session->resets) {
        session->resets++;
        *reset_ns = session->latest_ns + 1;
    }
    if (!psf_clock_goes_back(&session->timer, &core->clock, raw)) return; // the timer was not reset
    psf_clock_restart(&session->timer, &core->clock, raw);
    uint64_t ns = tk_rate_ns(&session->timer.rate, core->clock.last);
    core->shift_ns = *reset_ns - tk_rate_ns(&session->timer.rate, session->timer.lead);
    if (ns + core->shift_ns <= core->last_ns) core->shift_ns = core->last_ns + 1 - ns;
}

// Reports a reset, only for recordings with a file per core.
static void defer_reset(struct decoder *d, const struct psf_core *core, uint8_t number) {
    if (d->session->translates) defer(d, DEFERRED_RESET)->ticks = core->last_ns;
    else psf_map_reset(d->session, &d->out, number);
}

TK_COLD static void start_section_after_reset(struct decoder *d, struct psf_core *core, const struct psf_event *event) {
    struct psf_session *session = d->session;
    struct missing_events missing_events = missing_before(session, core, event->count);
    if (!(session->begins ? is_restart(session, &missing_events)
                          : is_restart_without_header(session, core, event, &missing_events)))
        return;
    flush_order(d, core);
    set_reset_offset(session, core, event->timer);
    if (session->begins) return; // the new section reports the missing events
    psf_out_core(&d->out, event->core);
    forget_bytes(d);
    defer_reset(d, core, event->core);
    core->expected = (uint16_t)(event->count - missing_events.if_reset) & session->layout.count_mask;
}

// Continues the time of the section before at the first event after a header, or begins right after it. Returns the
// number of lost events.
static uint64_t continue_section_time(struct decoder *d, struct psf_core *core, const struct psf_step *step) {
    struct psf_session *session = d->session;
    uint16_t lost = 0;
    if (core->seen) {
        struct missing_events missing_events = missing_before(session, core, step->event.count);
        bool was_reset = is_restart(session, &missing_events);
        lost = was_reset ? missing_events.if_reset : missing_events.if_continued;
        core->expected = step->event.count;
        for (unsigned i = 0; i < PSF_MAX_CORES && was_reset && !session->timer.apart; i++)
            session->cores[i].seen = false;
    }
    session->begins = false;
    session->header_count = 0;
    bool falls = session->events && step->ns + core->shift_ns < session->latest_ns;
    for (unsigned i = 0; i < PSF_MAX_CORES && falls && !session->timer.apart; i++)
        session->cores[i].shift_ns = session->latest_ns + 1 - step->ns;
    return lost;
}

// Returns the absolute time of an event in its section.
static uint64_t time_of(struct decoder *d, struct psf_core *core, const struct psf_event *event) {
    struct psf_session *session = d->session;
    if (event->record == PSF_NEW_TIME)
        psf_clock_anchor(&session->timer, &core->clock, (uint32_t)psf_param(&session->layout, event, 0), event->timer);
    uint64_t ns = tk_rate_ns(&session->timer.rate, psf_clock_next(&session->timer, &core->clock, event->timer));
    return ns > INT64_MAX ? INT64_MAX : ns;
}

static void on_gap(struct decoder *d, struct psf_core *core, const struct psf_step *step, uint32_t missing_events) {
    struct psf_step at = *step;
    flush_order(d, core);
    set_place(d, &at);
    psf_map_gap_begin(d->session, &d->out, core->last_ns);
    if (!d->session->translates) {
        psf_map_gap(d->session, &d->out, missing_events, core->damaged, core->last_ns);
        return;
    }
    struct tk_event *gap = defer(d, DEFERRED_GAP);
    gap->deferred_record.code = missing_events;
    gap->deferred_record.counts = (int64_t)core->damaged;
    gap->deferred_record.since = core->last_ns;
}

static void dump_event(struct decoder *d, const struct psf_step *step) {
    if (!d->host.on_record_decoded) return;
    set_place(d, step);
    d->host.names->show(&d->host, &(struct psf_dump_record){ d->session, &d->out, step });
}

// Decides, without a header, whether the upper bits of the event counter are the number of the core. If they change,
// they belong to the counter.
static void resolve_event_count(struct psf_session *session, struct psf_core *core, struct psf_event *event) {
    enum { TURN = 0x1000, LOW = TURN - 1, WHOLE = 0xFFFF };
    struct psf_layout *layout = &session->layout;
    uint16_t count = psf_u16(layout->big, event->bytes + 2), upper = count / TURN;
    if (session->headers || layout->cores > 1) return;
    if (!core->seen) session->upper = upper;
    if (upper != session->upper && !session->is_whole) {
        session->is_whole = true;
        core->expected = (uint16_t)(session->upper * TURN + ((core->expected - 1) & LOW) + 1);
    }
    uint16_t back = (uint16_t)(core->expected - event->count);
    if (session->is_whole) layout->count_mask = WHOLE;
    else if (core->seen && back && back <= TURN) layout->count_mask = LOW;
    core->expected &= layout->count_mask;
    event->count = count & layout->count_mask;
}

// Kept out of line: inlined, it would compute the address of the core again for each field.
TK_NOINLINE static void take_step(struct decoder *d, struct psf_core *core, struct psf_step *step) {
    struct psf_session *session = d->session;
    if (step->event.count != core->expected || !(step->event.count & 0xFFF))
        resolve_event_count(session, core, &step->event);
    if (step->event.count != core->expected && session->timer.apart && core->seen)
        start_section_after_reset(d, core, &step->event);
    uint16_t mask = session->layout.count_mask;
    step->ns = time_of(d, core, &step->event);
    step->counts = core->clock.last;
    bool begins = session->begins;
    uint64_t lost = begins ? continue_section_time(d, core, step) : 0;
    step->ns += core->shift_ns;
    if (step->ns > INT64_MAX) step->ns = INT64_MAX;
    if (begins) {
        set_place(d, step);
        if (session->translates) defer_section(d, lost);
        else psf_map_section(session, &d->out, lost);
    }
    uint16_t missing_events = core->seen ? (uint16_t)(step->event.count - core->expected) & mask : 0;
    if (missing_events) on_gap(d, core, step, missing_events);
    dump_event(d, step);
    core->seen = true;
    core->expected = (uint16_t)(step->event.count + 1) & mask;
    core->last_ns = step->ns;
    core->damaged = 0;
    if (step->ns > session->latest_ns) session->latest_ns = step->ns;
    session->events++;
    psf_order_event(&core->order, d->host.alloc, &session->layout, step, pass, d);
}

// Returns true for a regular event that needs no further check.
static bool is_regular(const struct psf_session *session, const struct psf_event *event) {
    const struct psf_core *core = &session->cores[event->core];
    if (!event->record || event->core >= session->layout.cores || !psf_size_is_possible(&session->layout, event) ||
        !psf_fits(&session->layout, event))
        return false;
    return session->begins || !core->seen ||
           (event->count == core->expected && !psf_clock_is_implausible(&session->timer, &core->clock, event->timer));
}

// Returns true if the time of an event is implausibly late, because another core continues after it with an earlier
// time of the same timer. A timer that turns over too often proves nothing.
static bool is_ahead_of(const struct psf_session *session, const struct psf_event *event,
                        const struct psf_event *other) {
    enum { FAR = 16 }; // parts of a turn
    const struct psf_clock *clock = &session->cores[event->core].clock, *others = &session->cores[other->core].clock;
    uint64_t far = session->timer.turn / FAR, step = psf_clock_step(&session->timer, clock, event->timer);
    if (other->core >= session->layout.cores || !others->started || session->timer.turn < UINT32_MAX || step <= far)
        return false;
    uint64_t time = clock->last + step, then = others->last + psf_clock_step(&session->timer, others, other->timer);
    if (then < session->timer.latest) then = session->timer.latest;
    return time > then && time - then > far;
}

// Returns true if the next two events of the core show that a time is too late. One of them may be damaged.
static bool is_taken_back(const struct psf_session *session, const struct psf_event *event, const uint8_t *at,
                          unsigned events) {
    const struct psf_clock *clock = &session->cores[event->core].clock;
    uint64_t step = psf_clock_step(&session->timer, clock, event->timer);
    for (unsigned i = 0; i < events && i < 2; i++) {
        struct psf_event next;
        psf_event_read(&session->layout, at, &next);
        if (next.core != event->core) return is_ahead_of(session, event, &next);
        if (psf_clock_step(&session->timer, clock, next.timer) >= step) return false;
        at += next.size;
    }
    return true;
}

// Returns true if the next event continues the event counter and the time: then no other check is needed.
static bool is_followed(const struct psf_session *session, const struct psf_event *event, const uint8_t *at) {
    const struct psf_clock *clock = &session->cores[event->core].clock;
    struct psf_event next;
    psf_event_read(&session->layout, at, &next);
    bool in_sequence = next.core == event->core && next.count == ((event->count + 1) & session->layout.count_mask);
    if (!in_sequence || !next.record || !psf_fits(&session->layout, &next)) return false;
    return psf_clock_step(&session->timer, clock, next.timer) >= psf_clock_step(&session->timer, clock, event->timer);
}

// Checks a step in time that is larger than typical. It is a pause unless the events after it contradict it.
static enum psf_verdict check_time_step(const struct psf_session *session, const struct view *view,
                                        const struct psf_event *event) {
    size_t size = event->size;
    if (view->len >= size + 8 && is_followed(session, event, view->at + size)) return PSF_YES;
    for (size_t at = size; at < PSF_NEXT_EVENT_SCAN + PSF_MAX_EVENT; at++) {
        unsigned events;
        if (at + 8 > view->len) return view->ended ? PSF_YES : PSF_MORE;
        enum psf_verdict verdict =
            psf_chain(&session->layout, view->at + at, view->len - at, view->ended, PSF_CHAIN, &events);
        if (verdict == PSF_MORE) return PSF_MORE;
        if (verdict == PSF_YES && events)
            return is_taken_back(session, event, view->at + at, events) ? PSF_NO : PSF_YES;
    }
    return PSF_YES;
}

// Checks whether the next event has the missing value of the event counter. Then the current event is damaged, and none
// is lost.
static enum psf_verdict check_next_count(const struct psf_session *session, const struct view *view,
                                         const struct psf_event *event) {
    const struct psf_layout *layout = &session->layout;
    struct psf_event next;
    unsigned events;
    if (view->len < event->size + 8u)
        return view->ended ? psf_chain(layout, view->at, view->len, true, PSF_CHAIN, &events) : PSF_MORE;
    psf_event_read(layout, view->at + event->size, &next);
    bool goes_on =
        next.core == event->core && next.count == ((session->cores[event->core].expected + 1) & layout->count_mask);
    if (goes_on && next.record && psf_fits(layout, &next)) return PSF_NO;
    return psf_chain(layout, view->at, view->len, view->ended, PSF_CHAIN, &events);
}

// Decides by the following bytes whether an event that does not fit is one.
static enum psf_verdict check_event(const struct psf_session *session, const struct view *view,
                                    const struct psf_event *event) {
    const struct psf_layout *layout = &session->layout;
    unsigned events;
    size_t size = event->size;
    if (event->core >= layout->cores || !psf_size_is_possible(layout, event)) return PSF_NO;
    const struct psf_core *core = &session->cores[event->core];
    bool in_sequence = !core->seen || event->count == core->expected;
    if (event->record && psf_fits(layout, event)) {
        enum psf_verdict verdict = in_sequence ? PSF_YES : check_next_count(session, view, event);
        return verdict == PSF_YES && psf_clock_is_implausible(&session->timer, &core->clock, event->timer)
                   ? check_time_step(session, view, event)
                   : verdict;
    }
    if (!event->code || !in_sequence) return PSF_NO;
    if (view->len <= size) return view->ended && view->len == size ? PSF_YES : view->ended ? PSF_NO : PSF_MORE;
    return psf_chain(layout, view->at + size, view->len - size, view->ended, PSF_CHAIN, &events);
}

static void note_unusual_kind(const struct decoder *d, const struct view *view, const struct psf_event *event) {
    if (!event->record) note(d, TK_DIAG_CODE_UNKNOWN, view, event->code);
    else if (!psf_fits(&d->session->layout, event)) note(d, TK_DIAG_PARAMETER_COUNT, view, event->code);
}

// ---- Blocks that were received twice ------------------------------------------------------------

// Asks whether a block repeats at an event that is not regular or that the next event does not continue. It may consist
// of the start of an event of the first copy and of bytes of the second copy.
static bool ask_for_repeat(struct decoder *d, const struct view *view, const struct psf_event *event) {
    enum { COUNT = 2 };
    if (d->offset > d->chunk_offset)
        tk_repeat_keep(&d->repeat, d->host.alloc, d->chunk_offset, d->chunk, (size_t)(d->offset - d->chunk_offset));
    return tk_repeat_ask(&d->repeat, d->host.alloc,
                         &(struct tk_repeat_frame){ .offset = d->offset,
                                                    .bytes = view->at,
                                                    .len = event->record ? event->size : EVENT_START,
                                                    .key = COUNT,
                                                    .delimiter = TK_REPEAT_NO_DELIMITER,
                                                    .is_damaged = true });
}

// Returns true if these bytes are at least TK_REPEAT_MIN_FRAMES events and nothing else, without a start of the
// recorder. at: index of the first one. tried: bit field of the indexes from which a call has read events in vain, so
// that all calls together read an event at most once; the first ones of a call are not in it, because they may be too
// few.
static bool are_events(const struct psf_layout *layout, const uint8_t *bytes, size_t len, size_t at, uint8_t *tried) {
    struct psf_event event;
    uint32_t count = 0;
    for (; at < len; at += event.size, count++) {
        if (len - at < EVENT_START) return false;
        if (count >= TK_REPEAT_MIN_FRAMES - 1) {
            uint8_t bit = (uint8_t)(1u << at % 8);
            if (tried[at / 8] & bit) return false;
            tried[at / 8] |= bit;
        }
        psf_event_read(layout, bytes + at, &event);
        if (!event.record || event.record == PSF_TRACE_START || !psf_fits(layout, &event) || event.size > len - at)
            return false;
    }
    return count >= TK_REPEAT_MIN_FRAMES;
}

// Returns true if the bytes are events of which the first one may be cut.
static bool are_events_after_cut(const struct psf_layout *layout, const uint8_t *bytes, size_t len) {
    uint8_t tried[(TK_REPEAT_MAX + TK_REPEAT_MAX_FRAME) / 8] = { 0 };
    if (len > 8 * sizeof tried) return false;
    for (size_t cut = 0; cut < PSF_MAX_EVENT && cut < len; cut++)
        if (are_events(layout, bytes, len, cut, tried)) return true;
    return false;
}

// A block is a second copy if it consists of events without a start of the recorder, and if the next event has the
// count after the first copy. The first event of the second copy may be cut.
static enum tk_repeat_verdict judge_block(void *ctx, const uint8_t *bytes, size_t block, size_t len, bool ended) {
    const struct decoder *d = ctx;
    const struct psf_session *session = d->session;
    size_t start = d->repeat.head - d->repeat.back;
    bool has_next = len - block >= EVENT_START;
    if (!has_next && !ended) return TK_REPEAT_MORE;
    if (has_next) {
        struct psf_event event;
        psf_event_read(&session->layout, bytes + block, &event);
        if (event.core >= session->layout.cores || !event.record || !session->cores[event.core].seen ||
            event.count != session->cores[event.core].expected)
            return TK_REPEAT_NO;
    }
    return start < block && are_events_after_cut(&session->layout, bytes + start, block - start) ? TK_REPEAT_YES
                                                                                                 : TK_REPEAT_NO;
}

static void skip_repeat(struct decoder *d, const struct view *view, size_t len) {
    struct tk_source_pos place = place_of(d, d->offset, view->at, len);
    tk_repeat_report(d->host.diag, d->host.account, &place, len);
    if (d->host.on_bytes_skipped) d->host.on_bytes_skipped(d->host.dump_ctx, d->offset, len, "received twice");
}

// Decides whether a block repeats at an event. Sets the number of repeated bytes.
TK_COLD static enum psf_verdict find_repeat(struct decoder *d, const struct view *view, const struct psf_event *event,
                                            size_t *out_len) {
    if (!d->repeat.is_open && !ask_for_repeat(d, view, event)) return PSF_NO;
    enum tk_repeat_verdict verdict =
        tk_repeat_decide(&d->repeat, view->at, view->len, view->ended, judge_block, d, out_len);
    if (d->repeat.is_open) d->packets.limit = SURVEY;
    else if (tk_packets_left(&d->packets) <= CARRY) d->packets.limit = CARRY;
    return verdict == TK_REPEAT_YES ? PSF_YES : verdict == TK_REPEAT_MORE ? PSF_MORE : PSF_NO;
}

// Returns PSF_NO if the count of this event is not the next one, or if the count of the event after it contradicts it.
// A live dump does not wait for that event.
static inline enum psf_verdict check_counts(const struct decoder *d, const struct view *view,
                                            const struct psf_event *event) {
    const struct psf_layout *layout = &d->session->layout;
    struct psf_event next;
    if (event->core >= layout->cores || !psf_size_is_possible(layout, event)) return PSF_NO;
    const struct psf_core *own = &d->session->cores[event->core];
    if (own->seen && event->count != own->expected) return PSF_NO;
    if (view->len < event->size + (size_t)EVENT_START)
        return view->ended || tk_decode_is_live(&d->host) ? PSF_YES : PSF_MORE;
    const uint8_t *at = view->at + event->size;
    if (psf_u16(layout->big, at + 2) == (uint16_t)(psf_u16(layout->big, event->bytes + 2) + 1)) return PSF_YES;
    psf_event_read(layout, at, &next);
    if (next.core >= layout->cores) return PSF_NO;
    const struct psf_core *core = &d->session->cores[next.core];
    uint16_t expected = next.core == event->core ? (uint16_t)(event->count + 1) & layout->count_mask : core->expected;
    return (next.core == event->core || core->seen) && next.count != expected ? PSF_NO : PSF_YES;
}

static size_t take_event(struct decoder *d, const struct view *view) {
    struct psf_session *session = d->session;
    struct psf_step step = { .offset = d->offset, .frame = d->frame, .lasting = view->lasting };
    uint16_t version;
    if (view->len < EVENT_START) return need_more;
    psf_event_read(&session->layout, view->at, &step.event);
    bool is_event = is_regular(session, &step.event);
    if (!is_event) {
        enum psf_verdict header = psf_header_probe(view->at, view->len, view->ended, &version);
        if (header == PSF_MORE) return need_more;
        if (header == PSF_YES) return d->state = HEADER, 0;
    }
    if (!session->is_image && !session->begins) {
        enum psf_verdict next = check_counts(d, view, &step.event);
        size_t repeated;
        enum psf_verdict repeat = next == PSF_NO ? find_repeat(d, view, &step.event, &repeated) : PSF_NO;
        if (next == PSF_MORE || repeat == PSF_MORE) return need_more;
        if (repeat == PSF_YES) return skip_repeat(d, view, repeated), repeated;
    }
    if (!is_event) {
        enum psf_verdict verdict = check_event(session, view, &step.event);
        if (verdict == PSF_MORE) return need_more;
        if (verdict == PSF_NO) {
            skip(d, view, 1); // otherwise the search would find it again
            return d->state = RESYNC, 1;
        }
        note_unusual_kind(d, view, &step.event);
    }
    size_t size = step.event.size;
    if (view->len < size) return need_more;
    if (session->begins) tk_repeat_forget(&d->repeat, d->offset + size);
    account_decoded(d, view, size, "event");
    take_step(d, &session->cores[step.event.core], &step);
    return size;
}

// ---- Searching ---------------------------------------------------------------------------------

static bool is_image(const struct view *view) {
    return view->len >= PSF_MARK && !memcmp(view->at, psf_image_begin, PSF_MARK);
}

static void begin_without_header(struct decoder *d, const struct psf_layout *layout) {
    struct psf_session *session = d->session;
    session->layout = *layout;
    psf_timer_set(&session->timer, 1, (uint64_t)1 << 32);
    session->begins = true;
    tk_diag_count(d->host.diag, TK_DIAG_HEADER_MISSING, &(struct tk_source_pos){ .input = d->host.input });
}

static void free_candidates(struct decoder *d) {
    tk_alloc_free(d->host.alloc, d->candidates, PSF_START_LAYOUTS * sizeof *d->candidates);
    d->candidates = NULL;
}

// Finds the start of events without a header: they must be consecutive in one of several layouts.
static enum psf_verdict find_start(struct decoder *d, const struct view *view) {
    bool first = !d->candidates;
    if (first) d->candidates = tk_alloc_zero(d->host.alloc, PSF_START_LAYOUTS * sizeof *d->candidates);
    for (unsigned i = 0; i < PSF_START_LAYOUTS && d->candidates; i++) {
        unsigned events;
        if (first) psf_start_layout(&d->candidates[i], i);
        enum psf_verdict verdict =
            psf_chain(&d->candidates[i], view->at, view->len, view->ended, PSF_CHAIN_START, &events);
        if (verdict == PSF_MORE) return PSF_MORE;
        if (verdict != PSF_YES || events < PSF_CHAIN_START) continue;
        begin_without_header(d, &d->candidates[i]);
        return PSF_YES;
    }
    return PSF_NO;
}

// Returns how many event counters follow the one before, for one core or for the cores that they name. *out_cores: bit
// per core whose counters do.
static uint32_t in_sequence(const struct psf_layout *layout, const struct view *view, uint16_t *out_cores) {
    uint16_t next[PSF_MAX_CORES] = { 0 }, seen = 0;
    uint32_t count = 0;
    struct psf_event event;
    *out_cores = 0;
    for (size_t at = 0; view->len - at >= 8;) {
        psf_event_read(layout, view->at + at, &event);
        size_t size = event.size;
        uint16_t core = (uint16_t)(1u << event.core);
        if (!event.record || size > view->len - at) break;
        if (seen & core && event.count == next[event.core]) count++, *out_cores |= core;
        next[event.core] = (uint16_t)(event.count + 1) & layout->count_mask;
        seen |= core;
        at += size;
    }
    return count;
}

// Decides, without a header, whether the upper bits of an event counter are the number of a core: the interpretation
// with more consecutive counters is used.
static size_t take_start(struct decoder *d, const struct view *view) {
    struct psf_session *session = d->session;
    struct psf_layout *layout = &session->layout;
    uint16_t cores, one;
    if (view->len < SURVEY && !view->ended) {
        d->packets.limit = SURVEY;
        return need_more;
    }
    struct view start = { view->at, view->len < SURVEY ? view->len : SURVEY, false, true };
    d->state = EVENTS;
    psf_layout_set_cores(layout, PSF_MAX_CORES);
    uint32_t several = in_sequence(layout, &start, &cores);
    psf_layout_set_cores(layout, 1);
    if (session->events || several <= in_sequence(layout, &start, &one)) return 0;
    unsigned count = 2;
    while (cores >> count) count++;
    psf_layout_set_cores(layout, count);
    session->header.streams = cores & (cores - 1) ? 3 : 2;
    open_streams(d);
    return 0;
}

// Finds the state of the decoder for these bytes; SEARCH or RESYNC: they are no record.
static enum psf_verdict parse_here(struct decoder *d, const struct view *view, enum state *out_state) {
    unsigned events;
    uint16_t version = 0;
    enum psf_verdict verdict = psf_header_probe(view->at, view->len, view->ended, &version);
    if (version) d->odd_version = version;
    if (verdict != PSF_NO) return *out_state = HEADER, verdict;
    if (is_image(view)) return *out_state = HEADER, d->session->is_image = true, PSF_YES;
    if (d->state == SEARCH && !d->session->headers) return *out_state = START, find_start(d, view);
    *out_state = EVENTS;
    verdict = psf_chain(&d->session->layout, view->at, view->len, view->ended, PSF_CHAIN, &events);
    return verdict == PSF_YES && events < 2 ? PSF_NO : verdict;
}

static size_t search(struct decoder *d, const struct view *view) {
    struct view here = *view;
    enum state found = d->state;
    enum psf_verdict verdict = PSF_NO;
    for (; here.len && verdict == PSF_NO; here.at++, here.len--) {
        verdict = here.len < PSF_PROBE_LEN && !here.ended ? PSF_MORE : parse_here(d, &here, &found);
        if (verdict != PSF_NO) break;
    }
    size_t nothing = view->len - here.len;
    if (!nothing && verdict != PSF_YES) return need_more;
    skip(d, view, nothing);
    if (verdict != PSF_YES) return nothing;
    size_t mark = d->session->is_image && found == HEADER ? PSF_MARK : 0;
    account_skipped_bytes(d, d->state == RESYNC ? TK_DIAG_NOT_A_RECORD : TK_DIAG_OUTSIDE_SKIPPED);
    d->state = found;
    if (d->candidates) free_candidates(d);
    d->host.account->decoded += mark;
    return nothing + mark;
}

// ---- Memory images -----------------------------------------------------------------------------

static size_t take_image_size(struct decoder *d, const struct view *view) {
    const struct psf_header *header = &d->session->header;
    struct psf_image *image = &d->image;
    if (view->len < header->word) return need_more;
    image->size = psf_word(header->big, header->word, view->at);
    if (image->size > PSF_MAX_IMAGE) {
        note(d, TK_DIAG_HEADER_DAMAGED, view, 0);
        d->session->is_image = false;
        return d->state = SEARCH, 0;
    }
    image->offset = d->offset + header->word;
    d->state = IMAGE_DATA;
    return account_decoded(d, view, header->word, "ring size");
}

// Examines the events of a core in an image in advance, to find the counts of the target's timer from the oldest event
// to the end.
static void scan_core(struct decoder *d) {
    struct psf_session *session = d->session;
    const struct psf_image *image = &d->image;
    struct psf_event event;
    uint64_t first = 0;
    bool anchored = false;
    for (uint32_t at = 0; image->events_len - at >= 8;) {
        psf_event_read(&session->layout, image->events + at, &event);
        size_t size = event.size;
        if (size > image->events_len - at) break;
        if (!at) first = event.timer >> 24;
        if (event.record == PSF_NEW_TIME && !anchored) {
            uint64_t tick = psf_param(&session->layout, &event, 0);
            psf_clock_anchor(&session->timer, &session->cores[event.core % PSF_MAX_CORES].clock,
                             (uint32_t)(tick - (uint8_t)(tick - first)), (uint32_t)first << 24);
            anchored = true;
        }
        psf_map_prescan(session, &event);
        at += (uint32_t)size;
    }
}

static void begin_image_events(struct decoder *d) {
    struct psf_image *image = &d->image;
    while (psf_image_next_core(image, d->host.alloc, &d->session->header)) scan_core(d);
    psf_map_prescan_end(d->session);
    image->core = 0;
    image->at = image->events_len = 0;
    d->state = IMAGE_EVENTS;
}

static size_t take_image_data(struct decoder *d, const struct view *view) {
    struct psf_image *image = &d->image;
    size_t left = (size_t)(image->size - image->len), step = view->len < left ? view->len : left;
    bool cut = view->ended && view->len < left;
    if (!step && left && !cut) return need_more;
    if (!psf_image_collect(image, d->host.alloc, view->at, step)) return step;
    if (cut) note(d, TK_DIAG_IMAGE_CUT, view, 0);
    if (cut || step == left) begin_image_events(d);
    d->host.account->decoded += step;
    return step;
}

// Takes the events of one core in order. They are copies, so no bytes of the input are consumed.
static size_t take_image_events(struct decoder *d, const struct view *view) {
    struct psf_image *image = &d->image;
    uint64_t offset = d->offset, decoded = d->host.account->decoded;
    (void)view;
    if (image->at == image->events_len) {
        if (!psf_image_next_core(image, d->host.alloc, &d->session->header)) d->state = IMAGE_END;
        return 0;
    }
    // The view is not lasting: the events of the next core replace these.
    struct view events = { image->events + image->at, image->events_len - image->at, false, true };
    d->offset = psf_image_offset(image, image->at);
    size_t used = take_event(d, &events);
    d->offset = offset;
    d->host.account->decoded = decoded; // these bytes were accounted for when they were collected
    d->skipped = 0;
    if (d->state == RESYNC) note(d, TK_DIAG_NOT_A_RECORD, &events, events.len);
    if (used == need_more || d->state != IMAGE_EVENTS)
        image->at = image->events_len; // cut or overwritten events: the rest of the core is unusable
    else image->at += (uint32_t)used;
    d->state = IMAGE_EVENTS;
    return 0;
}

static size_t take_image_end(struct decoder *d, const struct view *view) {
    if (view->len < PSF_MARK && !view->ended) return need_more;
    bool is_there = view->len >= PSF_MARK && !memcmp(view->at, psf_image_end, PSF_MARK);
    psf_image_deinit(&d->image, d->host.alloc);
    d->state = OUTSIDE;
    if (is_there) return account_decoded(d, view, PSF_MARK, "end of the ring");
    note(d, TK_DIAG_IMAGE_CUT, view, 0);
    return 0;
}

// Skips the memory after an image.
static size_t take_outside(struct decoder *d, const struct view *view) {
    if (!view->len) return need_more;
    skip(d, view, view->len);
    return view->len;
}

// ---- The way through the bytes -----------------------------------------------------------------

// Returns true also without memory, because the conversion ends then.
static bool is_full(const struct decoder *d) { return d->out.sent - d->sent >= ROUND || d->host.alloc->failed; }
static bool has_full_round(const void *ctx) { return is_full(ctx); }

// Decodes the available bytes until enough events are in the batches. Returns the bytes used.
static size_t run(struct decoder *d, struct view view) {
    static size_t (*const steps[STATES])(struct decoder *d,
                                         const struct view *view) = { [SEARCH] = search,
                                                                      [RESYNC] = search,
                                                                      [START] = take_start,
                                                                      [HEADER] = take_header,
                                                                      [TABLE] = take_table,
                                                                      [ENTRIES] = take_entry,
                                                                      [EVENTS] = take_event,
                                                                      [IMAGE_SIZE] = take_image_size,
                                                                      [IMAGE_DATA] = take_image_data,
                                                                      [IMAGE_EVENTS] = take_image_events,
                                                                      [IMAGE_END] = take_image_end,
                                                                      [OUTSIDE] = take_outside };
    size_t used = 0;
    const uint8_t *chunk = view.at;
    uint64_t offset = d->offset;
    d->chunk = chunk;
    d->chunk_offset = offset;
    while (!is_full(d)) {
        size_t step = steps[d->state](d, &view);
        if (step == need_more) break;
        view.at += step;
        view.len -= step;
        used += step;
        d->offset += step;
    }
    if (!d->session->is_image) tk_repeat_keep(&d->repeat, d->host.alloc, offset, chunk, used);
    return used;
}

static size_t take_packets(void *ctx, const uint8_t *bytes, size_t len, bool in_chunk) {
    return run(ctx, (struct view){ bytes, len, in_chunk, false });
}

static bool waits(const void *ctx) {
    const struct decoder *d = ctx;
    return d->waits && !other_input_session(d);
}

// Begins one of several files when four bytes of it are known. Returns false if the other files should be read first;
// if the merge calls again, no other file can help.
static bool begin_file(struct decoder *d) {
    struct psf_session *session = other_input_session(d);
    bool has_header = psf_is_marker(tk_carry_bytes(&d->packets.carry)), asked = d->waits;
    d->waits = !has_header && !session && !asked;
    d->begun = !d->waits;
    if (!has_header && session) {
        d->session = session;
        session->files++;
    }
    return d->begun;
}

// Collects the bytes that show whether the file has a header. Returns the bytes used.
static size_t take_first_bytes(struct decoder *d, const uint8_t *bytes, size_t len) {
    return tk_carry_len(&d->packets.carry) < MARKER
               ? tk_carry_fill(&d->packets.carry, d->host.alloc, MARKER, bytes, len)
               : 0;
}

static size_t decode(void *ctx, const uint8_t *bytes, size_t len) {
    struct decoder *d = ctx;
    size_t used = 0;
    d->sent = d->out.sent;
    if (d->host.merged && !d->begun) {
        used = take_first_bytes(d, bytes, len);
        if (tk_carry_len(&d->packets.carry) < MARKER || !begin_file(d)) return used;
    }
    return used + tk_packets_decode(&d->packets, d, bytes + used, len - used);
}

// ---- The decoder as the house sees it ----------------------------------------------------------

static bool init(void *ctx, const struct tk_decode_host *host) {
    struct decoder *d = ctx;
    d->host = *host;
    d->session = &d->own;
    d->own.files = 1;
    d->out.host = &d->host;
    d->out.at = (struct tk_event){ .input = (uint8_t)host->input, .core = host->core };
    d->out.streams[0] = d->out.batch = host->open_stream(host->stream_ctx, TK_STREAM_RESOLVED);
    d->out.stream_count = 1;
    psf_map_init(&d->own.map, host);
    d->packets =
        (struct tk_packets){ .alloc = host->alloc, .take = take_packets, .is_full = has_full_round, .limit = CARRY };
    return d->out.batch;
}

static void defer_end(struct decoder *d) {
    psf_out_core(&d->out, (uint8_t)(d->out.stream_count > 1 ? d->out.stream_count - 1 : d->out.at.core));
    forget_bytes(d);
    struct tk_event *record = defer(d, DEFERRED_END);
    uint64_t last = d->session->cores[record->core].last_ns;
    record->ticks = d->session->timer.apart ? last : d->session->latest_ns;
}

static void end_tail(struct decoder *d, size_t left) {
    struct view view = { tk_carry_bytes(&d->packets.carry), left, false, true };
    d->tail_reported = true;
    for (unsigned i = 0; i < PSF_MAX_CORES; i++) flush_order(d, &d->session->cores[i]);
    forget_bytes(d);
    if (d->session->translates) defer_end(d);
    else end_file(d->session, &d->out);
    account_skipped_bytes(d, d->state == RESYNC ? TK_DIAG_NOT_A_RECORD : TK_DIAG_OUTSIDE_SKIPPED);
    if (left) note(d, d->state == EVENTS ? TK_DIAG_FRAME_CUT_AT_END : TK_DIAG_HEADER_CUT, &view, left);
    d->host.account->left += left;
}

static bool end(void *ctx) {
    struct decoder *d = ctx;
    d->sent = d->out.sent;
    tk_carry_drop(&d->packets.carry, run(d, (struct view){ tk_carry_bytes(&d->packets.carry),
                                                           tk_carry_len(&d->packets.carry), false, true }));
    if (is_full(d) && !d->host.alloc->failed) return false;
    if (!d->tail_reported) end_tail(d, tk_carry_len(&d->packets.carry));
    return true;
}

static uint64_t frames(const void *ctx) {
    const struct decoder *d = ctx;
    return d->frame;
}

static bool summary_line(const void *ctx, uint32_t index, char out_text[TK_SUMMARY_LEN]) {
    const struct decoder *d = ctx;
    return psf_map_summary_line(d->session, index, out_text);
}

static const struct tk_tracker *const trackers[] = { &tk_tracker_rtos, &tk_tracker_markers, NULL };

const struct tk_decoder tk_decoder_tracealyzer = { .info = &tk_info_tracealyzer,
                                                   .symbols = TK_SYMBOLS_FOR_TEXTS,
                                                   .trackers = trackers,
                                                   .from_zero = true,
                                                   .no_tick = TK_DIAG_RATE_UNKNOWN,
                                                   .size = sizeof(struct decoder),
                                                   .init = init,
                                                   .decode = decode,
                                                   .end = end,
                                                   .frames = frames,
                                                   .summary_line = summary_line,
                                                   .waits = waits,
                                                   .translate = translate,
                                                   .names = &tk_names_tracealyzer };
