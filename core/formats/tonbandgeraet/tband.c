// SPDX-License-Identifier: MIT
//
// The Tonbandgeraet format: decoder of one input.
#include "../format.h"

#include "../../base/bytes.h"
#include "../../base/text.h"
#include "../../base/attributes.h"
#include "../../base/utf8.h"
#include "../../frame/cobs.h"
#include "../kit/repeat.h"
#include "decode.h"
#include "fault.h"
#include "image.h"
#include "pieces.h"

enum { MAX_DEFERRED_BYTES = 512 * 1024 }; // bytes of a stream after which it stops deferring events
enum { SCRATCH_LEN = TK_COBS_MAX_PIECE + TB_SCRATCH_MORE };

// The phases of an input: a stream, or a dump of memory. Of a dump all bytes are read first, then the frames of its
// control blocks are taken, because they are merged by time.
enum phase { STREAM, DUMP, DUMP_FRAMES, DUMP_END };

// What a recording says about the program that wrote it.
struct program {
    struct tb_fault fault;       // crash of the target
    struct tk_event_build build; // identity of the firmware, as last recorded
    bool has_build;
    uint32_t run; // number of the run of the target; 0: unknown
};

struct decoder {
    struct tk_decode_host host;
    enum phase phase;
    struct tb_dump dump;      // used for a dump of memory
    struct program *programs; // of a stream one, of a dump one for each control block
    uint32_t program_room, program_count;
    uint32_t block;                         // index of the control block of the current frame; 0 in a stream
    struct tk_batch *batch;                 // event stream of the current core
    struct tk_batch *streams[TK_MAX_CORES]; // one per core, in a stream with chunks or pieces and in a dump of several
                                            // cores; NULL: not opened
    uint32_t stream_count;                  // highest core with an event stream + 1; 0: one event stream for all cores
    struct tb_pieces pieces;                // evidence about the order of the events while they are deferred
    uint64_t deferred_from;                 // offset after the frame with which deferring began
    bool has_begun;                         // there was an event
    bool cores_met;                         // the stream names cores
    bool is_deferring;                      // the times of the events are not validated yet
    bool has_chunks;                        // chunks contain the number of cores
    struct tk_cobs cobs;
    uint8_t *scratch;              // SCRATCH_LEN bytes, for a frame of several blocks
    uint8_t ids_seen;              // bitwise OR of the ids of all valid frames
    bool is_dumped;                // a dump shows frames or records
    struct tk_repeat repeat;       // used for a stream
    const uint8_t *chunk;          // bytes that decode_frames reads
    uint64_t chunk_offset;         // offset of the first of them
    uint32_t core;                 // core of the next event of a stream, below TK_MAX_CORES
    uint64_t latest;               // time of the latest event of this core, as the target sent it
    uint64_t others[TK_MAX_CORES]; // the same of the other cores
    uint32_t core_after_repeat;    // core that the events after a second copy belong to
    uint64_t latest_end;           // offset after the latest frame with a time
    bool has_times;                // a stream had an event with a time
};

static struct tk_batch *open_stream(struct decoder *d) {
    struct tk_batch *batch = d->host.open_stream(d->host.stream_ctx, TK_STREAM_RAW);
    return batch;
}

static bool need_programs(struct decoder *d, uint32_t count) {
    if (!tk_alloc_grow(d->host.alloc, (void **)&d->programs, &d->program_room, count, sizeof *d->programs))
        return false;
    d->program_count = count;
    return true;
}

TK_COLD static bool init(void *ctx, const struct tk_decode_host *host) {
    struct decoder *d = ctx;
    d->host = *host;
    d->is_dumped = host->on_frame_decoded || host->on_record_decoded;
    d->phase = host->is_dump ? DUMP : STREAM;
    d->batch = open_stream(d);
    d->scratch = tk_alloc_zero(host->alloc, SCRATCH_LEN);
    return d->batch && d->scratch && need_programs(d, 1);
}

static bool rtos_seen(const struct decoder *d) { return d->ids_seen & TB_RTOS_ID_BIT; }

static struct tk_source_pos place_of(const struct decoder *d, const struct tk_piece *piece) {
    return (struct tk_source_pos){ .input = d->host.input,
                                   .has_offset = true,
                                   .offset = piece->offset,
                                   .frame = piece->number,
                                   .bytes = piece->cut ? NULL : piece->bytes,
                                   .len = piece->cut ? 0 : piece->len };
}

// Sets the fields that every event of this input has; decoding sets the rest.
static void start_event(const struct decoder *d, const struct tk_piece *piece, struct tk_event *event) {
    event->offset = piece->offset;
    event->frame = piece->number;
    event->raw = piece->bytes;
    event->raw_len = (uint16_t)(piece->len < TK_DIAG_CONTEXT ? piece->len : TK_DIAG_CONTEXT);
    event->input = (uint8_t)d->host.input;
    event->value_count = 0;
    event->unconfirmed = false;
    event->frame_len = (uint32_t)piece->len + 1;
}

// Returns true if the bytes are in the scratch memory, which the next frame overwrites.
static inline bool is_in_scratch(const struct decoder *d, const void *bytes) {
    return (uintptr_t)bytes - (uintptr_t)d->scratch < SCRATCH_LEN;
}
static bool is_in_carry(const struct decoder *d, const void *bytes) {
    return d->cobs.carry && (uintptr_t)bytes - (uintptr_t)d->cobs.carry < TK_COBS_MAX_PIECE;
}

// Sets those fields for an event whose piece may have been joined from two chunks.
static void start_carried_event(struct decoder *d, const struct tk_piece *piece, struct tk_event *event) {
    start_event(d, piece, event);
    if (!event->raw_len || !is_in_carry(d, event->raw)) return;
    event->raw = tk_arena_copy(&d->batch->memory, event->raw, event->raw_len);
    if (!event->raw) event->raw_len = 0;
}

static void show_frame(const struct decoder *d, const struct tk_piece *piece, const char *verdict) {
    if (!d->host.on_frame_decoded) return;
    ptrdiff_t len =
        piece->cut || !piece->delimited ? -1 : tk_cobs_decode(piece->bytes, piece->len, piece->slack, d->scratch);
    struct tk_decode_frame frame = { piece->offset, piece->number,
                                     piece->bytes,  len < 0 ? NULL : d->scratch,
                                     piece->len,    len < 0 ? 0 : (size_t)len,
                                     verdict };
    d->host.on_frame_decoded(d->host.dump_ctx, &frame);
}

// Counts a problem and puts it on the track of problems.
static void problem(struct decoder *d, const struct tk_piece *piece, enum tk_diag_id id, uint64_t number) {
    struct tk_source_pos place = place_of(d, piece);
    struct tk_event *event = tk_batch_slot(d->batch);
    tk_diag_note(d->host.diag, id, &place, number);
    *event = (struct tk_event){ .kind = TK_EV_PROBLEM, .problem.diag = id };
    start_carried_event(d, piece, event);
    tk_batch_add(d->batch);
}

// Copies the string into the memory of the batch and replaces invalid UTF-8.
TK_NOINLINE static void copy_clean_string(struct decoder *d, struct tk_event *event) {
    const uint8_t *text = (const uint8_t *)event->str;
    bool is_clean = tk_utf8_is_clean(text, event->str_len);
    size_t room = is_clean ? event->str_len : (size_t)event->str_len * TK_UTF8_GROWTH, bad = 0;
    uint8_t *copy = tk_arena_reserve(&d->batch->memory, room);
    if (!copy) {
        event->str_len = 0;
        return;
    }
    if (is_clean) tk_copy(copy, text, room);
    else event->str_len = (uint32_t)tk_utf8_clean(text, event->str_len, copy, &bad);
    tk_arena_commit(&d->batch->memory, event->str_len);
    event->str = (const char *)copy;
    struct tk_source_pos place = tk_event_source_pos(event);
    if (bad) tk_diag_count(d->host.diag, TK_DIAG_STRING_BAD_UTF8, &place);
}

// Adds the event in the next slot of the batch, which is complete.
static inline void add_event(struct decoder *d, struct tk_event *event, uint8_t id) {
    d->ids_seen |= id;
    if (event->str_len &&
        (is_in_scratch(d, event->str) || !tk_utf8_is_clean((const uint8_t *)event->str, event->str_len)))
        copy_clean_string(d, event);
    tk_batch_add(d->batch);
}

// Returns the number of bytes of a piece in the input, including its delimiter.
static uint64_t bytes_of(const struct tk_piece *piece) { return piece->cut + piece->len + piece->delimited; }

static bool is_all_text(const struct tk_piece *piece) {
    size_t i = 0;
    while (i < piece->len && tb_is_text(piece->bytes[i])) i++;
    return i == piece->len;
}

// Skips the bytes before a frame in its piece: printed text, or erased memory.
static void skip_filler(struct decoder *d, const struct tk_piece *piece, size_t len) {
    struct tk_source_pos place = place_of(d, piece);
    size_t erased = 0;
    while (erased < len && piece->bytes[erased] == 0xFF) erased++;
    enum tk_diag_id why = erased == len ? TK_DIAG_PADDING_SKIPPED : TK_DIAG_TEXT_SKIPPED;
    tk_diag_note(d->host.diag, why, &place, piece->cut + len);
    tk_account_skip(d->host.account, why, piece->cut + len);
}

static void reject(struct decoder *d, const struct tk_piece *piece, enum tb_verdict verdict, uint8_t id) {
    static const struct {
        enum tk_diag_id diag;
        const char *words;
    } reasons[] = {
        [TB_BROKEN] = { TK_DIAG_FRAME_BROKEN, "broken" },
        [TB_EMPTY] = { TK_DIAG_EVENT_SHORT, "no record id" },
        [TB_UNKNOWN] = { TK_DIAG_EVENT_UNKNOWN, "unknown record id" },
        [TB_SHORT] = { TK_DIAG_EVENT_SHORT, "record too short" },
        [TB_LONG] = { TK_DIAG_EVENT_LONG, "bytes left over" },
        [TB_BAD_NUMBER] = { TK_DIAG_NUMBER_BAD, "number out of range" },
    };
    if (!piece->number && verdict != TB_OK) { // a capture that began in the middle of a frame is not damaged
        show_frame(d, piece, "cut at the start");
        struct tk_source_pos place = place_of(d, piece);
        tk_diag_note(d->host.diag, TK_DIAG_FRAME_CUT_AT_START, &place, piece->cut + piece->len);
        tk_account_skip(d->host.account, TK_DIAG_FRAME_CUT_AT_START, bytes_of(piece));
        return;
    }
    enum tk_diag_id why = piece->cut ? TK_DIAG_FRAME_TOO_LONG : reasons[verdict].diag;
    show_frame(d, piece, piece->cut ? "too long" : reasons[verdict].words);
    tk_account_skip(d->host.account, why, bytes_of(piece));
    problem(d, piece, why, verdict == TB_UNKNOWN ? id : piece->cut + piece->len);
}

// ---- Cores --------------------------------------------------------------------------------------

// Adds an event that assigns the following events of the current event stream to this core.
static void switch_core(struct decoder *d, const struct tk_piece *piece, uint32_t core, bool for_certain) {
    struct tk_event *event = tk_batch_slot(d->batch);
    *event =
        (struct tk_event){ .kind = TK_EV_CORE,
                           .timed = true,
                           .time_invalid = true,
                           .core_tag = { .core = core, .all_tagged = for_certain, .ends_alone = d->dump.count > 1 } };
    start_carried_event(d, piece, event);
    event->frame_len = 0;
    tk_batch_add(d->batch);
}

// Begins the event stream of a core with an event that names the core.
static bool begin_stream_of_core(struct decoder *d, const struct tk_piece *piece, uint32_t core,
                                 struct tk_batch *stream) {
    d->streams[core] = stream;
    if (!stream) return false;
    if (d->stream_count <= core) d->stream_count = core + 1;
    d->batch = stream;
    switch_core(d, piece, core, true);
    return true;
}

// Opens an event stream for each core.
TK_COLD static void open_streams(struct decoder *d, const struct tk_piece *piece, uint32_t cores) {
    struct tk_batch *first = d->batch;
    for (uint32_t i = 0; i < cores; i++)
        if (!begin_stream_of_core(d, piece, i, i ? open_stream(d) : first)) return;
}

// Defers the events of a stream until it is known whether pieces of it overlap.
static void begin_deferring(struct decoder *d) {
    d->is_deferring = true;
    d->deferred_from = d->cobs.offset;
    tb_pieces_begin(&d->pieces);
    tk_batch_defer_times(d->batch);
}

// Begins a stream. If its first event has a time, the capture began in the middle of the recording, and a later event
// may name the core.
static void begin_stream(struct decoder *d, const struct tk_event *event) {
    if (d->has_begun || event->kind == TK_EV_PROBLEM) return;
    d->has_begun = true;
    if (d->phase == STREAM && !d->is_deferring && !tk_decode_is_live(&d->host) && event->timed &&
        event->kind != TK_EV_CORE && event->kind != TK_EV_CHUNK)
        begin_deferring(d);
}

// Begins deferring if the stream names cores before its first time.
static void register_cores(struct decoder *d) {
    if (d->cores_met || d->stream_count || d->phase != STREAM) return;
    d->cores_met = true;
    if (!d->is_deferring && !tk_batch_has_times(d->batch)) begin_deferring(d);
}

// Opens an event stream for each named core. The deferred events stay in that of one core, tb_pieces_line, and are then
// divided.
static void split_by_core(struct decoder *d, const struct tk_piece *piece) {
    struct tk_batch *deferred = d->batch;
    uint8_t unnumbered_core = tb_pieces_emit(&d->pieces), line = tb_pieces_line(&d->pieces), core = d->pieces.core;
    if (unnumbered_core < TK_MAX_CORES) tk_batch_set_core(deferred, unnumbered_core);
    for (uint32_t i = 0; i < TK_MAX_CORES; i++)
        if (i != line && d->pieces.named >> i & 1) begin_stream_of_core(d, piece, i, open_stream(d));
    d->streams[line] = deferred;
    if (d->stream_count <= line) d->stream_count = line + 1u;
    tk_batch_split_by_core(deferred, d->streams, d->stream_count);
    d->batch = d->streams[core] ? d->streams[core] : deferred;
}

TK_COLD static void end_deferring(struct decoder *d, const struct tk_piece *piece, enum tb_order order) {
    d->is_deferring = false;
    tk_batch_restore_validation(d->batch);
    if (order == TB_ORDER_OVERLAPPING) split_by_core(d, piece);
}

// Examines the new events of the current event stream. A live dump does not wait for a second core if none was named
// before the first time.
static void update_piece_order(struct decoder *d, const struct tk_piece *piece, uint32_t from) {
    tb_pieces_add_events(&d->pieces, &d->batch->events[from], d->batch->count - from);
    if (d->pieces.order != TB_ORDER_OPEN) end_deferring(d, piece, d->pieces.order);
    else if (tk_decode_is_live(&d->host) && tb_pieces_is_of_one_core(&d->pieces))
        end_deferring(d, piece, TB_ORDER_MERGED);
}

static uint32_t stream_of(const struct decoder *d) {
    uint32_t stream = 0;
    while (stream + 1 < d->stream_count && d->streams[stream] != d->batch) stream++;
    return stream;
}

// Sets the clock domain of an event stream with a clock of its own. That must happen before its first time.
static void set_clock(struct decoder *d, const struct tk_piece *piece, const struct tk_event *event) {
    uint8_t core = d->stream_count ? (uint8_t)stream_of(d) : d->host.core;
    struct tk_source_pos place = place_of(d, piece);
    const struct tk_event_clock_rate *rate = &event->clock_rate;
    if (!rate->core_counts || !rate->recording_counts || tk_domain_is_set(&d->batch->domain)) return;
    if (!tk_batch_validate_in_domain(d->batch, &(struct tk_domain){ .ns = rate->recording_counts,
                                                                    .per_counts = rate->core_counts,
                                                                    .core = core,
                                                                    .is_compared = true }))
        tk_diag_count(d->host.diag, TK_DIAG_CLOCK_LATE, &place);
}

static bool set_stream(struct decoder *d, uint32_t core) {
    if (core >= d->stream_count || !d->streams[core]) return false;
    d->batch = d->streams[core];
    return true;
}

// Returns true for a record about event streams, which is not an event of the target.
static bool is_stream_control(const struct decoder *d, uint8_t id) {
    return id == TB_CLOCK_RATE_ID || id == TB_CHUNK_ID || (id == TB_CORE_ID && d->stream_count);
}

static void take_chunk(struct decoder *d, const struct tk_piece *piece, uint32_t core, uint32_t cores) {
    bool is_possible = core < cores && cores > 1 && cores <= TK_MAX_CORES;
    if (is_possible && !d->stream_count && !tk_batch_has_times(d->batch)) {
        if (d->is_deferring) end_deferring(d, piece, TB_ORDER_MERGED);
        d->has_chunks = true;
        open_streams(d, piece, cores);
    }
    if (is_possible && set_stream(d, core)) return;
    if (is_possible && !d->has_chunks) switch_core(d, piece, core, true); // the capture began after the first chunk
    else problem(d, piece, TK_DIAG_CORE_OUT_OF_RANGE, core);
}

// Switches to another core. A core without an event stream of its own shares the current one.
static void take_core_id(struct decoder *d, const struct tk_piece *piece, uint32_t core) {
    bool has_lane = set_stream(d, core);
    if (core >= TK_MAX_CORES || (d->has_chunks && !has_lane)) problem(d, piece, TK_DIAG_CORE_OUT_OF_RANGE, core);
    else if (!d->has_chunks) switch_core(d, piece, core, true);
}

static void take_control_event(struct decoder *d, const struct tk_piece *piece, const struct tk_event *event) {
    const struct tk_event control_event = *event; // a copy, because the slot of the event is used again
    if (control_event.kind == TK_EV_CHUNK) {
        take_chunk(d, piece, control_event.chunk.core, control_event.chunk.cores);
    } else if (control_event.kind == TK_EV_CORE) {
        take_core_id(d, piece, control_event.core_tag.core);
    } else {
        if (d->is_deferring) end_deferring(d, piece, tb_pieces_conclude(&d->pieces));
        set_clock(d, piece, &control_event);
    }
}

// Returns the time of the latest event of a core, as the target sent it.
static inline uint64_t latest_of(const struct decoder *d, uint32_t core) {
    return core == d->core ? d->latest : d->others[core];
}

// Returns true if the time of an event is before the latest one of its core, so that the event may begin a repeated
// block.
static inline bool falls(const struct decoder *d, const struct tk_event *event) {
    if (event->kind != TK_EV_CORE) return event->timed && event->ticks < d->latest;
    return !event->time_invalid && event->core_tag.core < TK_MAX_CORES &&
           event->ticks < latest_of(d, event->core_tag.core);
}

// Sets the core of the next events of a stream, for the search for repeated blocks.
static void select_core(struct decoder *d, uint32_t core) {
    if (core >= TK_MAX_CORES) return;
    d->others[d->core] = d->latest;
    d->core = core;
    d->latest = d->others[core];
}

// Registers the core and the time of an event of a stream, for the search for repeated blocks. A run of the target
// begins at the first time, and may begin where the time falls. The search forgets all bytes before, because a target
// that starts again may send the same frames again.
static void register_time(struct decoder *d, const struct tk_piece *piece, const struct tk_event *event) {
    if (d->phase != STREAM) return;
    if (event->timed) d->latest_end = piece->offset + bytes_of(piece);
    if (event->kind == TK_EV_CORE) select_core(d, event->core_tag.core);
    else if (event->kind == TK_EV_CHUNK) select_core(d, event->chunk.core);
    else if (event->timed) {
        if (!d->has_times || event->ticks < d->latest) tk_repeat_forget(&d->repeat, d->latest_end);
        d->has_times = true;
        d->latest = event->ticks;
    }
}

// Sets the text of a crash record.
TK_COLD static void describe_fault(struct decoder *d, struct tk_event *event) {
    char room[TK_SUMMARY_LEN];
    struct tk_text text = tk_text_in(room, sizeof room);
    struct tb_fault *fault = &d->programs[d->block].fault;
    if (!tb_fault_take(fault, event)) return;
    tb_fault_title(fault, d->host.symbols, &text);
    event->str = tk_arena_copy(&d->batch->memory, room, text.len);
    event->str_len = event->str ? (uint32_t)text.len : 0;
}

// Returns true for records whose events have more than the fields of the record, or that the summary contains.
static bool is_completed(uint8_t id) { return id >= TB_FAULT_STATE_ID && id <= TB_RUN_ID; }

TK_COLD static void complete_event(struct decoder *d, struct tk_event *event, uint8_t id) {
    struct program *program = &d->programs[d->block];
    switch (id) {
    case TB_BUILD_ID:
        program->build = event->build;
        program->has_build = true;
        break;
    case TB_RUN_ID: program->run = event->run.number; break;
    default: describe_fault(d, event);
    }
}

// Sets an event of one of several control blocks apart from those of the others: numbers of cores, and of objects.
// Returns false for an event that concerns the clock of a block after the first, which set_clocks_of_block has set.
TK_COLD static bool separate_block(struct decoder *d, struct tk_event *event) {
    enum { NUMBERS_APART = 1000000 };
    const struct tb_image *block = &d->dump.blocks[d->block];
    uint32_t shift = d->block * NUMBERS_APART, first = block->first_core;
    bool names_core = event->kind == TK_EV_CORE && event->core_tag.core < block->core_count;
    switch ((enum tk_entity_class)tk_event_subjects[event->kind]) {
    case TK_CLASS_TASK:
    case TK_CLASS_QUEUE:
    case TK_CLASS_ISR:
    case TK_CLASS_MARKER:
    case TK_CLASS_VALUE:
    case TK_CLASS_EVENT_GROUP:
    case TK_CLASS_TIMER:
    case TK_CLASS_HEAP:
    case TK_CLASS_STACK: tk_event_set_number(event, TK_SLOT_ID, (uint32_t)(tk_event_id(event) + shift)); break;
    default: break;
    }
    switch (event->kind) {
    case TK_EV_CORE: event->core_tag.core = names_core ? event->core_tag.core + first : UINT32_MAX; break;
    case TK_EV_CLOCK_SYNC:
        if (block->core_count > 1) event->clock_sync.core += first;
        break;
    case TK_EV_TASK_IS_IDLE: event->idle_task.core += first; break;
    case TK_EV_TASK_MARKER_NAME:
    case TK_EV_TASK_VALUE_NAME:
        if (event->task_item_name.task) event->task_item_name.task += shift;
        break;
    case TK_EV_DROP_COUNT: event->drop_count.counter = d->block; break;
    case TK_EV_BLOCKING_IS_TRACED:
        for (uint32_t i = 0; i < d->dump.count; i++)
            event->blocking_traced.untraced_kinds |= d->dump.blocks[i].untraced_kinds;
        break;
    case TK_EV_TICK_LENGTH:
    case TK_EV_CLOCK_HZ: return !first;
    default: break;
    }
    return true;
}

// Takes an event that was decoded from a piece.
static void take_piece(struct decoder *d, const struct tk_piece *piece, struct tk_event *event, uint8_t id) {
    const struct tk_batch *batch = d->batch;
    uint32_t from = batch->count;
    start_carried_event(d, piece, event);
    if (event->str_len && is_in_carry(d, event->str)) copy_clean_string(d, event);
    d->host.account->decoded += event->frame_len;
    bool is_kept = d->dump.count < 2 || separate_block(d, event);
    if (id == TB_CORE_ID) register_cores(d);
    if (is_completed(id)) complete_event(d, event, id);
    begin_stream(d, event);
    register_time(d, piece, event);
    if (is_kept && !is_stream_control(d, id)) {
        bool is_rate = d->is_deferring && event->is_repeated && event->kind == TK_EV_CLOCK_HZ;
        add_event(d, event, id);
        if (is_rate) { // the capture began late: the deferred times depend on it
            tk_batch_move_first(d->batch);
            from = batch->count;
        }
    }
    if (d->host.on_record_decoded) d->host.on_record_decoded(d->host.dump_ctx, event, id);
    if (is_stream_control(d, id)) {
        d->ids_seen |= id;
        take_control_event(d, piece, event);
    }
    if (d->is_deferring) update_piece_order(d, piece, from);
}

// Handles a piece that is no frame: boot text, perhaps with a frame at its end, or damage. Returns that frame, decoded,
// or NULL.
TK_COLD static const struct tk_piece *recover(struct decoder *d, const struct tk_piece *piece, enum tb_verdict verdict,
                                              struct tk_piece *frame, struct tk_event *event, uint8_t *id) {
    size_t text = tb_text_before_frame(piece->bytes, piece->len, d->scratch);
    if (text) {
        *frame = (struct tk_piece){
            piece->bytes + text, piece->len - text, piece->offset + piece->cut + text, 0, piece->number, 0, true
        };
        skip_filler(d, piece, text);
        show_frame(d, frame, "ok");
        if (tb_decode_piece(frame->bytes, frame->len, frame->slack, d->scratch, event, id) == TB_OK) return frame;
    } else if (is_all_text(piece)) {
        struct tk_source_pos place = place_of(d, piece);
        show_frame(d, piece, "text");
        tk_diag_note(d->host.diag, TK_DIAG_TEXT_SKIPPED, &place, piece->cut + piece->len);
        tk_account_skip(d->host.account, TK_DIAG_TEXT_SKIPPED, bytes_of(piece));
    } else {
        reject(d, piece, verdict, *id);
    }
    return NULL;
}

static void tail(struct decoder *d, const struct tk_piece *piece) {
    struct tk_source_pos place = place_of(d, piece);
    show_frame(d, piece, "cut at the end");
    enum tk_diag_id why = is_all_text(piece) ? TK_DIAG_TEXT_SKIPPED : TK_DIAG_FRAME_CUT_AT_END;
    tk_diag_note(d->host.diag, why, &place, piece->cut + piece->len);
    if (why == TK_DIAG_TEXT_SKIPPED) tk_account_skip(d->host.account, why, bytes_of(piece));
    else d->host.account->left += bytes_of(piece);
}

static void on_empty(struct decoder *d, const struct tk_piece *piece) {
    struct tk_source_pos place = place_of(d, piece);
    show_frame(d, piece, "empty");
    tk_diag_count(d->host.diag, TK_DIAG_FRAME_EMPTY, &place);
    tk_account_skip(d->host.account, TK_DIAG_FRAME_EMPTY, bytes_of(piece));
}

static enum tb_verdict decode_whole(struct decoder *d, const struct tk_piece *piece, struct tk_event *event,
                                    uint8_t *id) {
    if (piece->cut) return TB_BROKEN;
    enum tb_verdict verdict = tb_decode_piece(piece->bytes, piece->len, piece->slack, d->scratch, event, id);
    return verdict == TB_OK && tb_is_line_end_and_frame(piece->bytes, piece->len, event, d->scratch) ? TB_BROKEN
                                                                                                     : verdict;
}

// ---- Blocks that were received twice ------------------------------------------------------------

// Asks whether a block repeats from a damaged frame on, or from a frame whose time falls.
TK_COLD static bool ask_for_repeat(struct decoder *d, const struct tk_piece *piece, bool is_damaged) {
    enum { LOW_BITS_OF_TIME = 2 };
    if (piece->offset > d->chunk_offset)
        tk_repeat_keep(&d->repeat, d->host.alloc, d->chunk_offset, d->chunk, (size_t)(piece->offset - d->chunk_offset));
    return tk_repeat_ask(&d->repeat, d->host.alloc,
                         &(struct tk_repeat_frame){ .offset = piece->offset,
                                                    .bytes = piece->bytes,
                                                    .len = piece->len + is_damaged,
                                                    .key = LOW_BITS_OF_TIME,
                                                    .is_damaged = is_damaged,
                                                    .before =
                                                        (uint32_t)(piece->offset - d->latest_end) + TK_REPEAT_MAX_FRAME,
                                                    .delimiter = 0 });
}

static bool may_begin_repeat(struct decoder *d, const struct tk_piece *piece, const struct tk_event *event,
                             enum tb_verdict verdict) {
    if (d->phase != STREAM || !d->has_times || piece->cut) return false;
    if (verdict != TB_OK) return ask_for_repeat(d, piece, true);
    return falls(d, event) && ask_for_repeat(d, piece, false);
}

// Returns the core of the next event after one of the core `core`.
static uint32_t core_after(const struct tk_event *event, uint32_t core) {
    uint32_t named = event->kind == TK_EV_CORE    ? event->core_tag.core
                     : event->kind == TK_EV_CHUNK ? event->chunk.core
                                                  : core;
    return named < TK_MAX_CORES ? named : core;
}

// A block is a second copy if it has events with times and no frame of a start, and if the time of the next event
// continues from the last time of its core in the block. A frame that is joined from both copies may have any time.
TK_COLD static enum tk_repeat_verdict judge_block(void *ctx, const uint8_t *bytes, size_t block, size_t len,
                                                  bool ended) {
    struct decoder *d = ctx;
    uint32_t timed = 0, core = d->core_after_repeat = d->core;
    uint64_t latest[TK_MAX_CORES];
    memcpy(latest, d->others, sizeof latest);
    latest[core] = d->latest;
    for (size_t at = 0, piece; at < len && (piece = tk_find_zero(bytes + at, len - at)) < len - at; at += piece + 1) {
        struct tk_event event = { .timed = false };
        uint8_t id;
        bool is_ok = tb_decode_piece(bytes + at, piece, 0, d->scratch, &event, &id) == TB_OK;
        bool has_time = is_ok && event.timed && event.kind != TK_EV_CORE;
        if (is_ok && (event.kind == TK_EV_TICK_LENGTH || event.kind == TK_EV_CLOCK_HZ)) return TK_REPEAT_NO;
        if (is_ok) core = core_after(&event, core);
        if (at < block) {
            timed += has_time;
            if (has_time) latest[core] = event.ticks;
            d->core_after_repeat = core;
            continue;
        }
        if (piece && !is_ok) return TK_REPEAT_NO;
        if (has_time)
            return timed >= TK_REPEAT_MIN_FRAMES && event.ticks >= latest[core] ? TK_REPEAT_YES : TK_REPEAT_NO;
    }
    return !ended ? TK_REPEAT_MORE : timed >= TK_REPEAT_MIN_FRAMES ? TK_REPEAT_YES : TK_REPEAT_NO;
}

// Takes a frame back until the question about it is decided. Its first bytes may belong to an earlier chunk.
static void return_piece(struct decoder *d, struct tk_cobs_cursor *cursor, const struct tk_piece *piece) {
    d->cobs.offset = piece->offset;
    d->cobs.number = piece->number;
    cursor->at--; // its delimiter
    if (is_in_carry(d, piece->bytes)) tk_carry_add(&d->repeat.held, d->host.alloc, piece->bytes, piece->len);
    else cursor->at -= piece->len;
}

// Switches back to the core of the end of the first copy, after a frame of the second copy that names a core was
// decoded.
static void restore_core(struct decoder *d, uint32_t core) {
    const struct tk_piece piece = { .offset = d->cobs.offset, .number = d->cobs.number };
    uint32_t from = d->batch->count;
    if (core == d->core) return;
    select_core(d, core);
    if (set_stream(d, core) || d->has_chunks) return;
    switch_core(d, &piece, core, false);
    if (d->is_deferring) update_piece_order(d, &piece, from);
}

static void skip_repeat(void *ctx, const uint8_t *block, size_t len) {
    struct decoder *d = ctx;
    struct tk_source_pos place = { .input = d->host.input,
                                   .has_offset = true,
                                   .offset = d->cobs.offset,
                                   .frame = d->cobs.number,
                                   .bytes = block,
                                   .len = len };
    tk_repeat_report(d->host.diag, d->host.account, &place, len);
    if (d->host.on_bytes_skipped) d->host.on_bytes_skipped(d->host.dump_ctx, d->cobs.offset, len, "received twice");
    d->cobs.offset += len;
    d->cobs.number += tk_repeat_count(block, len, 0);
    restore_core(d, d->core_after_repeat);
}

TK_NOINLINE static void on_piece(struct decoder *d, const struct tk_piece *piece) {
    struct tk_event *event = tk_batch_slot(d->batch);
    struct tk_piece frame;
    uint8_t id = 0;
    if (!piece->len && !piece->cut) {
        on_empty(d, piece);
        return;
    }
    enum tb_verdict verdict = decode_whole(d, piece, event, &id);
    if (may_begin_repeat(d, piece, event, verdict)) return;
    if (d->host.on_frame_decoded && verdict == TB_OK) {
        show_frame(d, piece, "ok"); // overwrites the scratch memory
        verdict = decode_whole(d, piece, event, &id);
    }
    if (verdict != TB_OK) piece = recover(d, piece, verdict, &frame, event, &id);
    if (piece) take_piece(d, piece, event, id);
}

static inline void add_short_frame(struct decoder *d, struct tk_piece *piece, struct tk_event *event, uint8_t id) {
    start_event(d, piece, event);
    add_event(d, event, id);
    piece->offset += piece->len + 1;
    piece->number++;
}

// Decodes short frames to events in one loop, as many as there are. Their bytes are accounted for together.
static void take_short_frames(struct decoder *d, struct tk_cobs_cursor *cursor) {
    struct tk_batch *batch = d->batch;
    struct tk_piece piece = { .offset = d->cobs.offset, .number = d->cobs.number };
    const uint8_t *payload;
    size_t from = cursor->at;
    if (d->is_dumped || d->is_deferring || !d->has_times || d->cobs.carry_len) return;
    while (batch->count < batch->enough && (piece.len = tk_cobs_short(cursor, d->scratch, &payload)) > 1) {
        struct tk_event *event = tk_batch_slot(batch);
        piece.bytes = cursor->bytes + cursor->at;
        bool names_core = false;
        if (!tb_decode_short(payload, piece.len - 1, event)) {
            if (payload[0] == TB_LINE_FEED_ID || (payload[0] == TB_CORE_ID && !d->cores_met) ||
                is_stream_control(d, payload[0]) || is_completed(payload[0]) ||
                tb_decode_payload(payload, piece.len - 1, TK_VARINT_SLACK, event) != TB_OK || !event->timed)
                break;
            names_core = event->kind == TK_EV_CORE;
        }
        if (names_core) {
            if (falls(d, event)) break; // a core_id may begin a repeated block
            select_core(d, event->core_tag.core);
        } else {
            if (event->ticks < d->latest) break; // the frame may begin a repeated block
            d->latest = event->ticks;
        }
        add_short_frame(d, &piece, event, payload[0]);
        cursor->at += piece.len + 1;
    }
    if (cursor->at == from) return;
    d->host.account->decoded += cursor->at - from;
    d->latest_end = d->cobs.offset = piece.offset;
    d->cobs.number = piece.number;
}

static size_t decode_frames(void *ctx, const uint8_t *bytes, size_t len) {
    struct decoder *d = ctx;
    struct tk_cobs_cursor cursor = { bytes, 0, len };
    struct tk_piece piece;
    uint64_t start = d->cobs.offset + d->cobs.carry_cut + d->cobs.carry_len;
    d->chunk = bytes;
    d->chunk_offset = start;
    do {
        take_short_frames(d, &cursor);
        if (cursor.at && tk_batch_is_full(d->batch)) break;
        if (!tk_cobs_next(&d->cobs, d->host.alloc, &cursor, &piece))
            break; // at least one frame is decoded, even if the batch is full
        on_piece(d, &piece);
        if (d->repeat.is_open) {
            return_piece(d, &cursor, &piece);
            break;
        }
        if (d->is_deferring &&
            (d->batch->count >= TK_BATCH_MAX_DEFERRED || d->cobs.offset - d->deferred_from >= MAX_DEFERRED_BYTES))
            end_deferring(d, &piece, tb_pieces_give_up(&d->pieces));
    } while (!tk_batch_is_full(d->batch));
    tk_repeat_keep(&d->repeat, d->host.alloc, start, bytes, cursor.at);
    return cursor.at;
}

// Returns the number of events in the batches.
static uint64_t count_events(const void *ctx) {
    const struct decoder *d = ctx;
    uint64_t count = d->stream_count ? 0 : d->batch->count;
    for (uint32_t i = 0; i < d->stream_count; i++) count += d->streams[i] ? d->streams[i]->count : 0;
    return count;
}

static const struct tk_repeat_decoder repeat_calls = { judge_block, decode_frames, skip_repeat, count_events };

static size_t decode_stream(struct decoder *d, const uint8_t *bytes, size_t len) {
    return tk_repeat_decode(&d->repeat, d->host.alloc, &repeat_calls, d, bytes, len);
}

// ---- Dumps of memory ---------------------------------------------------------------------------

static void account_surroundings(struct decoder *d) {
    struct tk_source_pos place = { .input = d->host.input, .has_offset = true, .offset = 0 };
    if (!d->dump.around) return;
    tk_account_skip(d->host.account, TK_DIAG_OUTSIDE_SKIPPED, d->dump.around);
    tk_diag_note(d->host.diag, TK_DIAG_OUTSIDE_SKIPPED, &place, d->dump.around);
}

// Adds an event about the dump itself, at the position of this frame.
static void add_dump_event(struct decoder *d, const struct tk_piece *piece, const struct tk_event *own) {
    struct tk_event *event = tk_batch_slot(d->batch);
    *event = *own;
    start_carried_event(d, piece, event);
    event->frame_len = 0;
    tk_batch_add(d->batch);
}

// Returns 0 also if there was no memory for the event stream.
static size_t deferred(const struct decoder *d, uint32_t core) {
    return d->streams[core] ? d->streams[core]->count : 0;
}

// Returns the core whose frames come next: the one with the fewest events in its batch, so that the merge does not wait
// for it.
static uint32_t next_core(const struct decoder *d) {
    uint32_t best = d->dump.core_count;
    for (uint32_t core = 0; core < d->dump.core_count; core++) {
        if (!tb_dump_has_frame(&d->dump, core)) continue;
        if (best == d->dump.core_count || !d->stream_count || deferred(d, core) < deferred(d, best)) best = core;
        if (!d->stream_count) break; // after the first frame each core has an event stream
    }
    return best;
}

// Marks the event stream of a core as ended when all its frames are read, so that the merge does not wait for it.
static void end_core(struct decoder *d, uint32_t core) {
    if (d->stream_count && d->streams[core] && !tb_dump_has_frame(&d->dump, core)) d->streams[core]->over = true;
}

// Sets the clocks of the cores of a block whose counts have another length than those of the first block. Without a
// comparison of the clocks, all count from the same moment.
static void set_clocks_of_block(struct decoder *d, const struct tb_image *block, const struct tb_image *first) {
    uint64_t ns = block->tick_ns * first->tick_counts, counts = block->tick_counts * first->tick_ns;
    bool differs = ns && counts && ns != counts;
    if (differs) tk_domain_reduce(&ns, &counts);
    for (uint32_t i = 0; i < block->core_count; i++) {
        uint32_t core = block->first_core + i;
        if (block->cores[i].has_own_clock || !d->streams[core]) continue;
        tk_diag_note(d->host.diag, TK_DIAG_CLOCK_ASSUMED_COMMON, NULL, core);
        if (!differs) continue;
        tk_batch_validate_in_domain(d->streams[core], &(struct tk_domain){ .ns = (uint32_t)ns,
                                                                           .per_counts = (uint32_t)counts,
                                                                           .core = (uint8_t)core });
    }
}

// Opens the event streams at the first frame.
static void begin_dump(struct decoder *d, const struct tk_piece *piece) {
    const struct tb_image *first = tb_dump_block(&d->dump, 0);
    add_dump_event(d, piece,
                   &(struct tk_event){ .kind = TK_EV_TICK_LENGTH,
                                       .tick_length.ns = (int64_t)first->control.resolution });
    if (d->dump.core_count > 1) open_streams(d, piece, d->dump.core_count);
    for (uint32_t i = 0; i < d->dump.count; i++)
        if (&d->dump.blocks[i] != first) set_clocks_of_block(d, &d->dump.blocks[i], first);
    for (uint32_t core = 0; core < d->stream_count; core++) end_core(d, core);
}

// Takes frames until the batch is full, at least one. Returns false if none are left.
static bool take_dump_frames(struct decoder *d) {
    struct tk_piece piece;
    do {
        uint32_t core = next_core(d);
        if (!tb_dump_next(&d->dump, core, &piece)) return false;
        if (d->dump.frames == 1) begin_dump(d, &piece);
        d->block = (uint32_t)(tb_dump_block(&d->dump, core) - d->dump.blocks);
        set_stream(d, core);
        if (piece.delimited) on_piece(d, &piece);
        else tail(d, &piece);
        end_core(d, core);
    } while (!tk_batch_is_full(d->batch));
    return true;
}

static void begin_frames(struct decoder *d) {
    struct tk_source_pos place = { .input = d->host.input, .has_offset = true };
    bool has_memory = tb_dump_order(&d->dump, d->host.alloc) && need_programs(d, d->dump.count ? d->dump.count : 1);
    d->phase = has_memory ? DUMP_FRAMES : DUMP_END;
    if (d->dump.count) place.offset = d->dump.blocks[0].offset;
    if (d->dump.missing_cores) tk_diag_note(d->host.diag, TK_DIAG_DUMP_CORES_MISSING, &place, d->dump.missing_cores);
    if (d->dump.names_lost) tk_diag_note(d->host.diag, TK_DIAG_NAMES_LOST, &place, d->dump.names_lost);
}

static void end_frames(struct decoder *d) {
    d->host.account->decoded += d->dump.total_len - d->dump.frame_bytes; // fields and unused bytes of the blocks
    account_surroundings(d);
    d->phase = DUMP_END;
}

static size_t decode_dump(struct decoder *d, const uint8_t *bytes, size_t len) {
    size_t at = 0;
    while (at < len && !d->host.alloc->failed) at += tb_dump_collect(&d->dump, d->host.alloc, bytes + at, len - at);
    return at;
}

static size_t decode(void *ctx, const uint8_t *bytes, size_t len) {
    struct decoder *d = ctx;
    return d->phase == STREAM ? decode_stream(d, bytes, len) : decode_dump(d, bytes, len);
}

// Takes the frames of a dump, all of whose bytes are read. Returns false if the batch is full.
static bool end_dump(struct decoder *d) {
    if (d->phase == DUMP) begin_frames(d);
    while (d->phase == DUMP_FRAMES && !d->host.alloc->failed) {
        if (!take_dump_frames(d)) end_frames(d);
        else if (tk_batch_is_full(d->batch)) return false;
    }
    return true;
}

TK_COLD static bool end(void *ctx) {
    struct decoder *d = ctx;
    struct tk_piece piece;
    if (!end_dump(d)) return false;
    if (!tk_repeat_end(&d->repeat, &repeat_calls, d)) return false;
    if (tk_cobs_finish(&d->cobs, &piece)) tail(d, &piece);
    if (d->is_deferring)
        end_deferring(d, &(struct tk_piece){ .offset = d->cobs.offset, .number = d->cobs.number },
                      tb_pieces_conclude(&d->pieces));
    const char *forced = d->host.option ? d->host.option(d->host.option_ctx, "mode") : NULL;
    if (forced && ((!strcmp(forced, "bare-metal") && rtos_seen(d)) ||
                   (!strcmp(forced, "free-rtos") && !rtos_seen(d) && d->host.account->decoded)))
        tk_diag_count(d->host.diag, TK_DIAG_MODE_MISMATCH, NULL); // all records are decoded regardless of the selected
                                                                  // mode
    return true;
}

static const char *mode(const void *ctx) {
    const struct decoder *d = ctx;
    const char *forced = d->host.option ? d->host.option(d->host.option_ctx, "mode") : NULL;
    if (forced && strcmp(forced, "auto")) return forced;
    return rtos_seen(d) ? "free-rtos" : "bare-metal";
}

static uint64_t frames(const void *ctx) {
    const struct decoder *d = ctx;
    return d->cobs.number + d->dump.frames;
}

// Writes "core 1 has a clock of its own, comparisons: 12, 250 ppm slow".
static bool clock_summary(const struct tk_batch *stream, char out_text[TK_SUMMARY_LEN]) {
    const struct tk_domain *clock = stream ? &stream->domain : NULL; // NULL without memory
    if (!clock || !tk_domain_is_set(clock) || !clock->is_compared) return false;
    double ppm = (tk_domain_rate(clock) * clock->per_counts / clock->ns - 1) * 1e6; // above 0: its counts are longer
                                                                                    // than those of the recording
    struct tk_text text = tk_text_in(out_text, TK_SUMMARY_LEN);
    tk_text_add(&text, "core "), tk_text_u64(&text, clock->core);
    tk_text_add(&text, " has a clock of its own, comparisons: "), tk_text_u64(&text, clock->comparisons);
    if (clock->refused) tk_text_add(&text, ", contradicting ones: "), tk_text_u64(&text, clock->refused);
    if (clock->comparisons > 1) {
        tk_text_add(&text, ", "), tk_text_u64(&text, (uint64_t)(ppm < 0 ? 0.5 - ppm : ppm + 0.5));
        tk_text_add(&text, ppm < 0 ? " ppm fast" : " ppm slow");
    }
    return true;
}

// Writes "core 1: " if there are several programs.
static struct tk_text begin_summary(const struct decoder *d, uint32_t program, char out_text[TK_SUMMARY_LEN]) {
    struct tk_text text = tk_text_in(out_text, TK_SUMMARY_LEN);
    if (d->program_count == 1) return text;
    tk_text_add(&text, "core "), tk_text_u64(&text, d->dump.blocks[program].first_core), tk_text_add(&text, ": ");
    return text;
}

// Writes "HardFault in motor_update (imbalance.c:213): undefined instruction; PC 0x00000542, ...".
static bool fault_summary(const struct decoder *d, uint32_t program, char out_text[TK_SUMMARY_LEN]) {
    const struct tb_fault *fault = &d->programs[program].fault;
    struct tk_text text = begin_summary(d, program, out_text);
    if (!fault->has_happened) return false;
    tb_fault_title(fault, d->host.symbols, &text);
    tk_text_add(&text, ": ");
    tb_fault_registers(fault, &text);
    return true;
}

// Writes "build 0x1A2B3C4D5E6F7081, run 7".
static bool identity_summary(const struct decoder *d, uint32_t number, char out_text[TK_SUMMARY_LEN]) {
    const struct program *program = &d->programs[number];
    struct tk_text text = begin_summary(d, number, out_text);
    if (program->has_build) {
        tk_text_add(&text, "build ");
        tk_text_hex(&text, (uint64_t)program->build.high << 32 | program->build.low, 16);
        if (program->run) tk_text_add(&text, ", ");
    }
    if (program->run) tk_text_add(&text, "run "), tk_text_u64(&text, program->run);
    return program->has_build || program->run;
}

static bool summary_line(const void *ctx, uint32_t index, char out_text[TK_SUMMARY_LEN]) {
    const struct decoder *d = ctx;
    for (uint32_t i = 0; i < d->program_count; i++)
        if (fault_summary(d, i, out_text) && !index--) return true;
    for (uint32_t i = 0; i < d->program_count; i++)
        if (identity_summary(d, i, out_text) && !index--) return true;
    for (uint32_t stream = 0; stream < d->stream_count || !stream; stream++)
        if (clock_summary(d->stream_count ? d->streams[stream] : d->batch, out_text) && !index--) return true;
    return false;
}

static const struct tk_tracker *const trackers[] = { &tk_tracker_rtos, &tk_tracker_markers, NULL };

const struct tk_decoder tk_decoder_tonbandgeraet = { .info = &tk_info_tonbandgeraet,
                                                     .trackers = trackers,
                                                     .symbols = TK_SYMBOLS_FOR_LINES,
                                                     .no_tick = TK_DIAG_TICK_ASSUMED,
                                                     .sends_names = true,
                                                     .size = sizeof(struct decoder),
                                                     .init = init,
                                                     .decode = decode,
                                                     .end = end,
                                                     .mode = mode,
                                                     .frames = frames,
                                                     .summary_line = summary_line,
                                                     .names = &tk_names_tonbandgeraet };
