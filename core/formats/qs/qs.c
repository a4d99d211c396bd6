// SPDX-License-Identifier: MIT
//
// The QS format of QP: decoder of one input.
#include "../format.h"

#include <string.h>

#include "../../base/attributes.h"
#include "../../base/carry.h"
#include "../../base/utf8.h"
#include "../../frame/hdlc.h"
#include "../kit/loss.h"
#include "../kit/repeat.h"
#include "../kit/rate.h"
#include "target_summary.h"
#include "map.h"
#include "names_text.h"

enum { MAX_BUFFERED = 256 * 1024 }; // number of bytes that are examined before the sizes are inferred

// The target's time stamps, extended to 64 bits.
struct unwrapped {
    uint64_t last, ext, base; // base: first time of this run
    uint64_t mask, back;      // mask: of the target's counter; back: a step of this size or more goes backwards
    uint64_t slow_from;       // a step of this size or more goes backwards, or may hide whole turns of a narrow counter
    bool started, continues;  // started: this run has a time; continues: there was a run before
};

// Counts of the target's ticks, from which the number of turns of a narrow time stamp follows.
struct ticks {
    uint64_t counter;           // value of the last tick
    uint64_t passed;            // number of ticks since `stamp`
    uint64_t stamp;             // first time after an earlier tick
    uint64_t counts, ticks;     // sums over intervals of known length
    uint64_t hz;                // ticks per second from the option; 0: unknown
    uint64_t pending;           // steps since `stamp` that may hide turns and are not proven by a tick yet
    uint64_t long_at;           // time after the last such step
    bool seen, anchored, fresh; // fresh: no time stamp since the last tick
};

enum { MAX_NESTED = 64, SOURCES = 29, INTERRUPT = 1, TICK_INTERRUPT, FIRST_SOURCE };

// Open interrupts. The recording contains no number of an interrupt, so the first record inside of it decides which one
// it is.
struct interrupts {
    uint8_t open[MAX_NESTED]; // ids in the model, outermost first
    uint32_t depth;
    uint32_t sources[SOURCES]; // symbols that post from interrupts
    uint32_t source_count;
    uint32_t named;        // bit per id
    bool entered;          // `enter` waits for the next record
    struct tk_event enter; // only its time and source position change
};

enum { MACHINES = 256, ANY_SEQUENCE = 256 };

// The damaged frames directly before the current frame.
struct damage {
    uint64_t last; // number of the last damaged frame
    uint64_t bytes, frames;
};

struct decoder {
    struct tk_decode_host host;
    struct tk_batch *batch;
    struct tk_hdlc hdlc, finder;
    struct qs_histogram histogram;
    struct qs_layouts layouts;
    struct qs_dictionary dictionary;
    struct qs_record record;
    struct qs_values values;
    struct tk_value value_list[QS_MAX_VALUES]; // for records that are not common ones
    struct tk_event event;                     // the fields that all events of the current frame have in common
    struct unwrapped time;
    uint64_t known, fit; // frames of fixed length when the sizes were inferred; those whose length fits
    struct qs_target_info info;
    struct tk_carry buffered; // bytes that wait until the sizes are known
    struct tk_repeat repeat;
    const uint8_t *chunk;  // bytes that decode_frames reads
    uint64_t chunk_offset; // offset of the first of them
    struct tk_rate rate;   // from the option
    struct ticks ticks;
    struct interrupts interrupts;
    uint64_t machines[MACHINES]; // pointers of state machines, by hash
    struct damage damage;
    uint32_t lost;        // records lost in this run
    uint64_t run_records; // records since the last restart
    uint16_t expected;    // number of the next frame; ANY_SEQUENCE: unknown
    bool decided, loss_emitted, informed, tail_reported;
    bool asked, is_text; // asked: the side inputs have been read; is_text: the input is a dictionary as text
};

// ---- Options -----------------------------------------------------------------------------------

static const char *option(const struct decoder *d, const char *key) {
    return d->host.option ? d->host.option(d->host.option_ctx, key) : NULL;
}

static uint64_t number_option(const struct decoder *d, const char *key, uint64_t max) {
    const char *text = option(d, key);
    uint64_t value = 0;
    for (; text && *text >= '0' && *text <= '9'; text++) {
        value = value * 10 + (uint64_t)(*text - '0');
        if (value > max) return 0;
    }
    return value;
}

static void read_options(struct decoder *d, struct qs_config *config) {
    qs_config_default(config);
    for (unsigned i = 0; i < QS_SIZES; i++) {
        uint64_t size = number_option(d, qs_size_keys[i], 8);
        if (!size) continue;
        config->size[i] = (uint8_t)size;
        config->origin[i] = QS_GIVEN;
    }
    uint64_t version = number_option(d, "qp-version", 9999);
    if (version) {
        config->version = (uint16_t)version;
        config->version_given = true;
    }
    d->rate = tk_rate_of(number_option(d, "rate-hz", 10000000000u), TK_RATE_ROUNDS_DOWN);
    if (d->rate.hz) d->ticks.hz = number_option(d, "tick-rate-hz", 1000000);
}

// ---- Sending -----------------------------------------------------------------------------------

static inline void send(struct decoder *d, const struct tk_event *event) {
    *tk_batch_slot(d->batch) = *event;
    tk_batch_add(d->batch);
}

// Returns another event of the current frame.
static struct tk_event event_here(const struct decoder *d, enum tk_event_kind kind) {
    const struct tk_event *at = &d->event;
    return (struct tk_event){ .offset = at->offset,
                              .frame = at->frame,
                              .raw = at->raw,
                              .raw_len = at->raw_len,
                              .input = at->input,
                              .core = at->core,
                              .section = at->section,
                              .kind = (uint8_t)kind };
}

static void note(const struct decoder *d, enum tk_diag_id id, uint64_t number) {
    struct tk_source_pos place = tk_event_source_pos(&d->event);
    tk_diag_note(d->host.diag, id, &place, number);
}

static void emit_symbol_name(void *ctx, uint32_t id, uint32_t alias, bool fallback, const char *text, size_t len) {
    struct decoder *d = ctx;
    struct tk_event event = event_here(d, fallback ? TK_EV_SYMBOL_FALLBACK : TK_EV_SYMBOL_NAME);
    size_t bad = 0;
    if (len > TK_HDLC_MAX) len = TK_HDLC_MAX;
    uint8_t *clean = tk_arena_reserve(&d->batch->memory, len * TK_UTF8_GROWTH);
    if (fallback) event.symbol_fallback = (struct tk_event_symbol_fallback){ id, alias };
    else event.name.entity = id;
    event.str = (const char *)clean;
    if (clean) event.str_len = (uint32_t)tk_utf8_clean((const uint8_t *)text, len, clean, &bad);
    tk_arena_commit(&d->batch->memory, event.str_len);
    if (bad) note(d, TK_DIAG_STRING_BAD_UTF8, 0);
    send(d, &event);
}

// is_lost: a record that counts is missing. Otherwise the sequence numbers show whether one is.
static void problem(struct decoder *d, enum tk_diag_id id, uint64_t number, bool is_lost) {
    struct tk_event event = event_here(d, TK_EV_PROBLEM);
    note(d, id, number);
    event.problem = (struct tk_event_problem){ .diag = id, .loss_reported = !is_lost };
    send(d, &event);
}

// Returns true if the bytes were joined from two chunks: the next such frame overwrites them.
static bool is_carried(const struct decoder *d, const uint8_t *raw) {
    return (uintptr_t)raw - (uintptr_t)d->hdlc.carry < sizeof d->hdlc.carry;
}

static void start_frame(struct decoder *d, const struct tk_hdlc_frame *frame) {
    size_t len = frame->raw_kept < TK_DIAG_CONTEXT ? frame->raw_kept : TK_DIAG_CONTEXT;
    d->event.offset = frame->offset;
    d->event.frame = frame->number;
    d->event.raw = is_carried(d, frame->raw) ? tk_arena_copy(&d->batch->memory, frame->raw, len) : frame->raw;
    d->event.raw_len = (uint16_t)(d->event.raw ? len : 0);
}

static void show_unread(const struct decoder *d, uint64_t offset, uint64_t len, const char *why) {
    if (d->host.on_bytes_skipped) d->host.on_bytes_skipped(d->host.dump_ctx, offset, len, why);
}

static void show_frame(const struct decoder *d, const struct tk_hdlc_frame *frame) {
    static const char *const words[] = { [TK_HDLC_OK] = "ok",
                                         [TK_HDLC_EMPTY] = "empty",
                                         [TK_HDLC_SHORT] = "too short",
                                         [TK_HDLC_BAD_SUM] = "wrong sum",
                                         [TK_HDLC_ABORTED] = "ends in an escape",
                                         [TK_HDLC_TOO_LONG] = "too long" };
    bool good = frame->verdict == TK_HDLC_OK;
    if (!good && frame->verdict != TK_HDLC_EMPTY) show_unread(d, frame->offset, frame->raw_len, words[frame->verdict]);
    if (!d->host.on_frame_decoded) return;
    struct tk_decode_frame seen = { frame->offset,        frame->number,
                                    frame->raw,           good ? frame->bytes : NULL,
                                    frame->raw_kept,      good ? frame->len : 0,
                                    words[frame->verdict] };
    d->host.on_frame_decoded(d->host.dump_ctx, &seen);
}

// ---- Time --------------------------------------------------------------------------------------

// Returns the time since the start of the run, in ns if the rate is known, else in counts.
static inline uint64_t time_of(struct decoder *d) { return tk_rate_ns(&d->rate, d->time.ext - d->time.base); }

enum { LEARNED_FROM = 8, MOST_TICKS = 1 << 24 };

// Returns the counts of the passed ticks, from the options or from the ticks so far; 0: unknown.
static uint64_t expected_counts(const struct decoder *d) {
    const struct ticks *ticks = &d->ticks;
    uint64_t counts = ticks->hz ? d->rate.hz : ticks->counts, per = ticks->hz ? ticks->hz : ticks->ticks;
    bool is_known = ticks->hz || ticks->ticks >= LEARNED_FROM;
    return is_known ? ticks->passed * (counts / per) + ticks->passed * (counts % per) / per : 0;
}

// Returns true if the number of turns is certain. A tick length from options proves it, if a time stamp follows the
// tick soon and no record between the two ticks may hide turns.
static bool are_turns_proven(const struct ticks *ticks, uint64_t added, uint64_t error, uint64_t turn) {
    if (!ticks->hz) return !added;
    return error <= turn / 4 && !(added && ticks->pending);
}

// Returns the number of whole turns before the first time stamp after a tick. turn 0: the clock is too wide to turn
// over. `ambiguous`: the number is not certain.
static uint64_t missed_wraps(struct decoder *d, uint64_t turn, bool *ambiguous) {
    struct ticks *ticks = &d->ticks;
    uint64_t length = d->time.ext - ticks->stamp, added = 0;
    bool is_near = ticks->anchored && ticks->passed && ticks->passed < MOST_TICKS;
    uint64_t expected = is_near && turn ? expected_counts(d) : 0;
    if (expected > length) added = (expected - length + turn / 2) / turn;
    length += added * turn;
    *ambiguous = expected
                     ? !are_turns_proven(ticks, added, expected > length ? expected - length : length - expected, turn)
                     : ticks->pending > 0;
    if (is_near && (ticks->passed == 1 || ticks->ticks >= LEARNED_FROM)) {
        ticks->counts += length;
        ticks->ticks += ticks->passed;
    }
    ticks->stamp = d->time.ext + added * turn;
    ticks->passed = ticks->pending = 0;
    ticks->anchored = true;
    ticks->fresh = false;
    return added;
}

static bool is_narrow(const struct decoder *d) { return d->layouts.config.size[QS_TIME] <= 2; }

static void after_ticks(struct decoder *d) {
    uint64_t turn = is_narrow(d) ? d->time.mask + 1 : 0;
    bool ambiguous;
    uint64_t turns = missed_wraps(d, turn, &ambiguous);
    d->time.ext += turns * turn;
    if (turns) note(d, TK_DIAG_WRAPS_INSERTED, turns);
    if (ambiguous) note(d, TK_DIAG_CLOCK_AMBIGUOUS, 0);
}

// Counts a tick. It has no time stamp: its time is that of its interrupt, otherwise the next one.
static void on_tick(struct decoder *d, uint64_t counter) {
    struct ticks *ticks = &d->ticks;
    if (ticks->seen) ticks->passed += (counter - ticks->counter) & qs_masks[d->layouts.config.size[QS_TIMER]];
    ticks->counter = counter;
    ticks->seen = ticks->fresh = true;
    if (!d->interrupts.entered) return;
    if (ticks->pending && ticks->long_at == d->time.ext) ticks->pending--;
    after_ticks(d);
    d->interrupts.enter.ticks = time_of(d);
}

// Handles a step of a quarter turn or more, which may hide whole turns. If options give the tick length, the next tick
// decides.
static void judge_long_step(struct decoder *d) {
    if (!d->ticks.hz) note(d, TK_DIAG_CLOCK_AMBIGUOUS, 0);
    else if (!d->ticks.fresh) d->ticks.pending++, d->ticks.long_at = d->time.ext;
}

// After a reset the target counts its ticks from 0, starting about at its first time stamp.
static void anchor_at_reset(struct decoder *d) {
    if (!d->ticks.hz || !d->informed || !d->info.reset) return;
    d->ticks.stamp = d->time.ext;
    d->ticks.seen = d->ticks.anchored = true;
}

// Reports steps that remain ambiguous because no tick follows.
static void end_ticks(const struct decoder *d) {
    if (d->ticks.pending) note(d, TK_DIAG_CLOCK_AMBIGUOUS, 0);
}

// Handles the first time of a run, a step backwards, and a step of a narrow counter that may hide turns.
TK_NOINLINE static void unwrap_slow(struct decoder *d, uint64_t raw) {
    struct unwrapped *time = &d->time;
    uint64_t step = (raw - time->last) & time->mask;
    if (!time->started) {
        time->ext = time->continues ? time->ext + 1 : raw;
        time->base = d->host.merged && !time->continues ? 0 : time->ext;
        time->started = time->continues = true;
        if (!d->ticks.seen) anchor_at_reset(d);
    } else if (step >= time->back) {
        note(d, TK_DIAG_CLOCK_BACK, 0);
    } else {
        time->ext += step;
        judge_long_step(d);
    }
    time->last = raw;
    if (d->ticks.fresh) after_ticks(d);
}

// Extends a time stamp. Narrow ones turn over, and a clock may step back a little.
static inline void unwrap(struct decoder *d, uint64_t raw) {
    struct unwrapped *time = &d->time;
    uint64_t step = (raw - time->last) & time->mask;
    if (step >= time->slow_from || !time->started) {
        unwrap_slow(d, raw);
        return;
    }
    time->last = raw;
    time->ext += step;
    if (d->ticks.fresh) after_ticks(d);
}

// Emits the tick length from the option. Without it, only a 64-bit target has one: it is a host, whose port counts
// tenths of a microsecond.
static void emit_tick_length(struct decoder *d) {
    struct tk_event event = event_here(d, TK_EV_TICK_LENGTH);
    event.tick_length.ns = d->rate.hz ? 1 : 100;
    event.tick_length.origin = d->rate.hz ? TK_TICK_FROM_OPTION : TK_TICK_ASSUMED;
    if (!d->rate.hz && d->layouts.config.size[QS_OBJECT] != 8) return;
    if (!d->rate.hz)
        tk_diag_count(d->host.diag, TK_DIAG_RATE_ASSUMED, &(struct tk_source_pos){ .input = d->host.input });
    send(d, &event);
}

// ---- Sizes -------------------------------------------------------------------------------------

static void set_layouts(struct decoder *d, const struct qs_config *config) {
    uint64_t bits = 8u * config->size[QS_TIME];
    qs_layouts_build(&d->layouts, config);
    if (d->host.on_frame_decoded || d->host.on_record_decoded)
        memset(d->layouts.common, 0, sizeof d->layouts.common); // a dump examines all frames in detail
    d->time.mask = bits < 64 ? ((uint64_t)1 << bits) - 1 : UINT64_MAX;
    d->time.back = bits > 8 ? d->time.mask - (d->time.mask >> 3) : d->time.mask + 1;
    d->time.slow_from = bits <= 16 ? (d->time.mask + 1) / 4 : d->time.back;
}

static void use_sizes(struct decoder *d, const struct qs_config *config) {
    set_layouts(d, config);
    if (!d->decided) emit_tick_length(d);
    d->decided = true;
}

// Imports names from side inputs for those that this input does not contain.
static void import_from_side_inputs(struct decoder *d) {
    if (!d->asked && d->host.lookup) qs_config_import(&d->layouts.config, *d->host.lookup);
    d->asked = true;
}

static bool sizes_are_imported(const struct decoder *d, const struct qs_config *config) {
    uint64_t known, fit;
    bool imported = false;
    for (unsigned i = 0; i < QS_SIZES; i++) imported |= config->origin[i] == QS_IMPORTED;
    qs_config_fit(config, &d->histogram, &known, &fit);
    return imported && fit * 10 >= known * 9;
}

static void infer_sizes(struct decoder *d) {
    struct qs_config config = d->layouts.config;
    bool guessed = false;
    if (sizes_are_imported(d, &config)) {
        use_sizes(d, &config);
        return;
    }
    qs_config_infer(&config, &d->histogram);
    qs_config_fit(&config, &d->histogram, &d->known, &d->fit);
    for (unsigned i = 0; i < QS_SIZES; i++) guessed |= config.origin[i] != QS_GIVEN;
    if (guessed && d->histogram.frames)
        tk_diag_count(d->host.diag, TK_DIAG_SIZES_INFERRED, &(struct tk_source_pos){ .input = d->host.input });
    use_sizes(d, &config);
}

// Searches for the sizes that the target sends, before anything is decoded. Returns true when the sizes are known.
static bool finder(struct decoder *d, const uint8_t *bytes, size_t len) {
    struct tk_hdlc_cursor cursor = { bytes, 0, len };
    struct tk_hdlc_frame frame;
    while (tk_hdlc_next(&d->finder, &cursor, &frame)) {
        if (frame.verdict != TK_HDLC_OK) continue;
        const uint8_t *payload = frame.bytes + 2;
        size_t payload_len = frame.len - QS_FRAMING;
        struct qs_target_info info;
        if (frame.bytes[1] != 64 || !qs_target_info_read(payload, payload_len, &info)) {
            qs_histogram_add(&d->histogram, frame.bytes[1], payload, payload_len);
            continue;
        }
        if (info.reset && d->histogram.frames > 1)
            return infer_sizes(d), true; // the frames before belong to another run
        struct qs_config config = d->layouts.config;
        qs_config_take(&config, &info);
        return use_sizes(d, &config), true;
    }
    return false;
}

static void read_names(struct decoder *d) {
    struct qs_config config = d->layouts.config;
    d->event.offset = 0;
    qs_names_text_read(tk_carry_bytes(&d->buffered), tk_carry_len(&d->buffered), &config, &d->dictionary, &d->record);
    set_layouts(d, &config);
    d->host.account->decoded += tk_carry_len(&d->buffered);
    d->decided = d->is_text = true;
    tk_carry_free(&d->buffered, d->host.alloc);
}

// Infers the sizes, because the buffered bytes do not contain them.
static void resolve_sizes(struct decoder *d) {
    if (qs_names_text_is(tk_carry_bytes(&d->buffered), tk_carry_len(&d->buffered))) read_names(d);
    else infer_sizes(d);
}

// ---- Interrupts --------------------------------------------------------------------------------

static void name_interrupt(struct decoder *d, uint8_t number) {
    static const char *const words[] = { [INTERRUPT] = "interrupt", [TICK_INTERRUPT] = "tick interrupt" };
    struct tk_event name = event_here(d, TK_EV_ISR_NAME);
    size_t len = 0;
    name.name.entity = number;
    name.str = number < FIRST_SOURCE
                   ? words[number]
                   : qs_dictionary_text(&d->dictionary, d->interrupts.sources[number - FIRST_SOURCE], &len);
    if (!name.str) return; // its name may come later
    name.str_len = (uint32_t)(number < FIRST_SOURCE ? strlen(name.str) : len);
    name.str = tk_arena_copy(&d->batch->memory, name.str, name.str_len); // texts of the dictionary may move
    if (!name.str) return;
    d->interrupts.named |= 1u << number;
    send(d, &name);
}

static void enter_interrupt(struct decoder *d, uint8_t number) {
    struct interrupts *interrupts = &d->interrupts;
    interrupts->entered = false;
    if (interrupts->depth == MAX_NESTED) {
        note(d, TK_DIAG_TOO_DEEP, 0);
        return;
    }
    if (!(interrupts->named >> number & 1)) name_interrupt(d, number);
    interrupts->enter.isr.isr = interrupts->open[interrupts->depth++] = number;
    send(d, &interrupts->enter);
}

// Returns the id of the interrupt that ends. Above MAX_NESTED, ends count as those of outer interrupts.
static inline uint8_t left_interrupt(struct decoder *d) {
    struct interrupts *interrupts = &d->interrupts;
    return interrupts->depth ? interrupts->open[--interrupts->depth] : INTERRUPT;
}

static bool is_machine(const struct decoder *d, uint64_t pointer) {
    return d->machines[(pointer ^ pointer >> 8) % MACHINES] == pointer;
}

static uint8_t source_number(struct decoder *d, uint64_t sender) {
    struct interrupts *interrupts = &d->interrupts;
    uint32_t symbol = sender && !is_machine(d, sender)
                          ? qs_dictionary_symbol(&d->dictionary, QS_SYMBOL_OBJECT, sender, 0)
                          : 0,
             i = 0;
    if (!symbol) return INTERRUPT;
    while (i < interrupts->source_count && interrupts->sources[i] != symbol) i++;
    if (i == SOURCES) return INTERRUPT;
    if (i == interrupts->source_count) interrupts->sources[interrupts->source_count++] = symbol;
    return (uint8_t)(FIRST_SOURCE + i);
}

// Identifies the interrupt by the first record after its start; layout NULL: a record without fixed length.
static void recognise_interrupt(struct decoder *d, const struct qs_layout *layout, const uint8_t *payload) {
    uint8_t kind = layout ? layout->kind : QS_NOTHING, number = kind == TK_EV_CLOCK_TICK ? TICK_INTERRUPT : INTERRUPT;
    if (kind == TK_EV_POSTED || kind == TK_EV_PUBLISHED) // both begin with their sender
        number = source_number(d, qs_field_number(&layout->fields[0], payload));
    enter_interrupt(d, number);
}

// Ends all interrupts, because their ends may be among the lost records. Called after the loss is reported, so that
// they are not measured.
static void leave_all_interrupts(struct decoder *d) {
    while (d->interrupts.depth) {
        struct tk_event event = event_here(d, TK_EV_ISR_EXIT);
        event.isr.isr = left_interrupt(d);
        send(d, &event);
    }
}

// Names sources whose names came after their first interrupt.
static void name_sources(struct decoder *d) {
    for (uint32_t i = 0; i < d->interrupts.source_count; i++)
        if (!(d->interrupts.named >> (FIRST_SOURCE + i) & 1)) name_interrupt(d, (uint8_t)(FIRST_SOURCE + i));
}

// ---- Frames ------------------------------------------------------------------------------------

TK_COLD static void restart(struct decoder *d) {
    if (d->interrupts.entered) enter_interrupt(d, INTERRUPT);
    d->interrupts.depth = 0;
    end_ticks(d);
    d->ticks = (struct ticks){ .hz = d->ticks.hz };
    d->interrupts.enter.section = ++d->event.section;
    d->time.started = false;
    d->time.base = d->time.ext;
    d->lost = 0;
    d->loss_emitted = false;
    d->run_records = 0;
}

// Returns true for the first record of a run, or for the second one if a frame that the previous run left incomplete
// has damaged the first. Sequence numbers restart there.
static bool begins_run(const struct tk_hdlc_frame *frame) {
    enum { EMPTY, TARGET_INFO = 64, KIND = 3, NEW_LAYOUT = 2, RESET = 1, NEW_RESET = 0x40 };
    uint8_t sequence = frame->bytes[0], id = frame->bytes[1], flags = frame->bytes[2];
    if (id == TARGET_INFO && sequence == 2 && frame->len > QS_FRAMING)
        return flags & ((flags & KIND) == NEW_LAYOUT ? NEW_RESET : RESET);
    return id == EMPTY && sequence == 1;
}

// Counts a damaged frame. Empty frames between damaged ones do not end the damage.
static void note_damage(struct decoder *d, uint64_t bytes) {
    struct damage *damage = &d->damage;
    if (d->event.frame != damage->last + 1) *damage = (struct damage){ 0 };
    damage->last = d->event.frame;
    damage->bytes += bytes;
    damage->frames += bytes > 0;
}

static enum tk_loss_place place_loss(const struct decoder *d, uint64_t missing) {
    enum { FRAMING = QS_FRAMING + 1 }; // includes the flag
    const struct damage *damage = &d->damage;
    if (!damage->frames || d->event.frame != damage->last + 1) return TK_LOST_ON_TARGET;
    return tk_place_loss(missing, damage->bytes, damage->frames, FRAMING + d->layouts.config.size[QS_TIME]);
}

static void check_sequence(struct decoder *d, uint8_t sequence, bool begins) {
    uint8_t missing = (uint8_t)(sequence - d->expected);
    bool known = d->expected != ANY_SEQUENCE;
    d->expected = (uint8_t)(sequence + 1);
    if (!known || !missing || begins) return;
    if (d->interrupts.entered) enter_interrupt(d, INTERRUPT);
    struct tk_event event = event_here(d, TK_EV_DROP_COUNT);
    if (!d->loss_emitted) send(d, &event); // the count begins at zero
    d->loss_emitted = true;
    d->lost += missing;
    event.drop_count = (struct tk_event_drop_count){ .count = d->lost, .where = place_loss(d, missing) };
    send(d, &event);
    leave_all_interrupts(d);
}

static void on_info(struct decoder *d) {
    const struct qs_target_info *info = &d->record.info;
    bool same = d->informed && !memcmp(info->build, d->info.build, sizeof info->build) &&
                !memcmp(info->size, d->info.size, sizeof info->size);
    if (info->reset && d->run_records > 1) restart(d);
    if (d->informed && !same) qs_dictionary_forget(&d->dictionary);
    d->info = *info;
    d->informed = true;
    struct qs_config config = d->layouts.config;
    qs_config_take(&config, info);
    set_layouts(d, &config);
}

static bool is_dictionary(const struct decoder *d, uint8_t id) {
    return (id >= 60 && id <= 63) || (id == 54 && d->layouts.config.version >= 720);
}

static void dump_record(struct decoder *d) {
    if (!d->host.on_record_decoded) return;
    struct tk_event event = event_here(d, TK_EV_APP_RECORD);
    d->values.list = d->value_list;
    qs_values_plain(&d->values, &d->record, (uint8_t)(d->expected - 1), d->host.names_wanted);
    event.values = d->values.list;
    event.value_count = (uint8_t)d->values.count;
    event.timed = d->record.timed;
    event.ticks = d->time.ext;
    d->host.on_record_decoded(d->host.dump_ctx, &event, d->record.user ? QS_RECORDS : d->record.layout->record);
}

// Defers the start of an interrupt until the next record is known.
static inline void defer_interrupt(struct decoder *d) {
    struct interrupts *interrupts = &d->interrupts;
    interrupts->enter.ticks = time_of(d);
    interrupts->enter.offset = d->event.offset;
    interrupts->enter.frame = d->event.frame;
    interrupts->entered = true;
}

static inline void add_record(struct decoder *d, struct tk_event *event, bool timed) {
    event->timed = timed;
    event->ticks = timed ? time_of(d) : 0;
    tk_batch_add(d->batch);
}

static inline void on_clock_tick(struct decoder *d, const struct qs_layout *layout, const uint8_t *payload) {
    struct tk_event event = { .kind = TK_EV_CLOCK_TICK };
    qs_set_plain(layout, payload, &event);
    if (!event.clock_tick.rate) on_tick(d, (uint64_t)event.clock_tick.counter);
}

// Emits a record that has only one or two numbers and no names, such as an interrupt or a tick.
static inline void show_plain(struct decoder *d, const struct qs_layout *layout, const uint8_t *payload) {
    uint8_t kind = layout->kind;
    if (kind == TK_EV_CLOCK_TICK) on_clock_tick(d, layout, payload);
    if (d->interrupts.entered) recognise_interrupt(d, layout, payload);
    if (kind == TK_EV_ISR_ENTER) {
        defer_interrupt(d);
        return;
    }
    struct tk_event *event = tk_batch_slot(d->batch);
    *event = d->event;
    event->kind = kind;
    qs_set_plain(layout, payload, event);
    if (kind == TK_EV_ISR_EXIT) event->isr.isr = left_interrupt(d);
    add_record(d, event, layout->timed);
}

static bool is_in_room(const struct qs_values *values, const char *text) {
    return (uintptr_t)text - (uintptr_t)values->room < sizeof values->room;
}

// Copies the values of the record into memory that lasts as long as the event.
static void lasting_values(struct decoder *d, struct tk_event *event) {
    const struct qs_values *values = &d->values;
    struct tk_value *list =
        (struct tk_value *)tk_arena_copy(&d->batch->memory, values->list, values->count * sizeof *list);
    const char *text = values->used ? tk_arena_copy(&d->batch->memory, values->room, values->used) : values->room;
    if (!list || !text) return;
    for (unsigned i = 0; i < values->count && values->used; i++)
        if (list[i].type == TK_VALUE_TEXT && is_in_room(values, list[i].text))
            list[i].text = text + (list[i].text - values->room);
    if (event->str_len && is_in_room(values, event->str)) event->str = text + (event->str - values->room);
    event->values = list;
    event->value_count = (uint8_t)values->count;
}

// Copies the event into the batch only now, because looking up names may have added events.
static inline void add_mapped(struct decoder *d, const struct tk_event *mapped, bool timed) {
    struct tk_event *event = tk_batch_slot(d->batch);
    *event = *mapped;
    add_record(d, event, timed);
}

static void show_fixed(struct decoder *d, const struct qs_layout *layout, const uint8_t *payload) {
    struct tk_event event = d->event;
    if (d->interrupts.entered) recognise_interrupt(d, layout, payload);
    d->values.list = (struct tk_value *)tk_arena_reserve(&d->batch->memory, layout->details * sizeof *d->values.list);
    if (!d->values.list) return;
    tk_arena_commit(&d->batch->memory, layout->details * sizeof *d->values.list);
    if (!qs_map_fixed(&d->dictionary, layout, payload, &d->values, &event)) return;
    event.values = d->values.list;
    event.value_count = (uint8_t)d->values.count;
    if (layout->kind == TK_EV_RTC_STEP_BEGIN) {
        uint64_t machine = qs_field_number(&layout->fields[1], payload);
        d->machines[(machine ^ machine >> 8) % MACHINES] = machine;
    }
    add_mapped(d, &event, layout->timed);
}

static inline void show_numbers(struct decoder *d, const struct qs_layout *layout, const uint8_t *payload) {
    if (layout->plain) show_plain(d, layout, payload);
    else show_fixed(d, layout, payload);
}

static void show_record(struct decoder *d) {
    if (d->record.fixed) {
        show_numbers(d, d->record.fixed, d->record.payload);
        return;
    }
    struct tk_event event = d->event;
    if (d->interrupts.entered) recognise_interrupt(d, NULL, NULL);
    d->values.list = d->value_list;
    if (!qs_map(&d->dictionary, &d->record, &d->values, &event)) return;
    if (d->values.count) lasting_values(d, &event);
    add_mapped(d, &event, d->record.timed);
}

static void on_record(struct decoder *d) {
    if (d->record.timed) unwrap(d, d->record.ticks);
    dump_record(d);
    d->run_records++;
    if (!d->record.user && is_dictionary(d, d->record.id)) {
        qs_dictionary_import(&d->dictionary, &d->record);
        if (d->record.id == 61) name_sources(d);
        return;
    }
    if (d->record.id == 64 && !d->record.user) on_info(d);
    show_record(d);
}

// Shows an application record whose last element is cut: the elements before it, at the time of the record before.
static void on_cut_record(struct decoder *d, size_t payload_len) {
    note(d, TK_DIAG_EVENT_SHORT, payload_len);
    d->record.timed = false;
    d->run_records++;
    show_record(d);
}

// Takes a common record from a copy, because it contains escapes or crosses a chunk. Returns false if it is no common
// record.
static bool take_copied(struct decoder *d, const struct tk_hdlc_frame *frame) {
    const struct qs_layout *layout = d->layouts.common[frame->bytes[1]];
    if (!layout || frame->bytes[0] != d->expected || frame->len != (size_t)layout->fixed + QS_FRAMING) return false;
    d->expected = (uint8_t)(d->expected + 1);
    d->run_records++;
    d->host.account->decoded += frame->raw_len + 1;
    if (layout->timed) unwrap(d, tk_hdlc_word(frame->bytes + 2) & d->time.mask);
    show_numbers(d, layout, frame->bytes + 2);
    return true;
}

static void on_good_frame(struct decoder *d, const struct tk_hdlc_frame *frame) {
    uint8_t sequence = frame->bytes[0], id = frame->bytes[1];
    size_t payload_len = frame->len - QS_FRAMING;
    if (take_copied(d, frame)) return;
    check_sequence(d, sequence, begins_run(frame));
    if (!id && sequence == 1 && d->run_records) restart(d);
    enum qs_verdict verdict = qs_decode(&d->layouts, id, frame->bytes + 2, payload_len, &d->record);
    if (verdict == QS_OK) {
        d->host.account->decoded += frame->raw_len + 1;
        on_record(d);
        return;
    }
    if (verdict == QS_SHORT && d->record.user && payload_len >= d->layouts.config.size[QS_TIME]) {
        d->host.account->decoded += frame->raw_len + 1;
        show_unread(d, frame->offset, frame->raw_len, "its last value is cut");
        on_cut_record(d, payload_len);
        return;
    }
    enum tk_diag_id why = verdict == QS_UNKNOWN ? TK_DIAG_EVENT_UNKNOWN
                          : verdict == QS_SHORT ? TK_DIAG_EVENT_SHORT
                                                : TK_DIAG_EVENT_LONG;
    tk_account_skip(d->host.account, why, frame->raw_len + 1);
    show_unread(d, frame->offset, frame->raw_len,
                verdict == QS_UNKNOWN ? "unknown record"
                : verdict == QS_SHORT ? "shorter than its fields"
                                      : "longer than its fields");
    if (d->interrupts.entered) enter_interrupt(d, INTERRUPT);
    problem(d, why, verdict == QS_UNKNOWN ? id : payload_len, verdict != QS_UNKNOWN);
    if (verdict != QS_UNKNOWN) leave_all_interrupts(d); // the record may have been the end of an interrupt
}

static void on_frame(struct decoder *d, const struct tk_hdlc_frame *frame) {
    start_frame(d, frame);
    show_frame(d, frame);
    if (frame->verdict == TK_HDLC_OK) {
        on_good_frame(d, frame);
        return;
    }
    enum tk_diag_id why = frame->verdict == TK_HDLC_EMPTY ? TK_DIAG_FRAME_EMPTY
                          : !frame->number                ? TK_DIAG_FRAME_CUT_AT_START
                                                          : TK_DIAG_CHECKSUM_WRONG;
    tk_account_skip(d->host.account, why, frame->raw_len + 1);
    if (why != TK_DIAG_FRAME_CUT_AT_START) note_damage(d, frame->raw_len);
    if (why == TK_DIAG_CHECKSUM_WRONG) problem(d, why, frame->raw_len, false);
    else note(d, why, frame->raw_len);
}

// Decodes common frames in one loop, as many as follow each other in sequence. Their bytes are accounted for together.
static void take_common(struct decoder *d, struct tk_hdlc_cursor *cursor) {
    const uint8_t *frame = cursor->bytes + cursor->at, *end = cursor->bytes + cursor->len;
    uint64_t first = d->hdlc.number;
    struct tk_event *event = &d->event;
    unsigned expected = d->expected;
    if (!tk_hdlc_is_at_frame_start(&d->hdlc)) return;
    event->frame = first;
    event->offset = d->hdlc.offset;
    while (end - frame >= QS_FRAMING) {
        const struct qs_layout *layout = d->layouts.common[frame[1]];
        if (frame[0] != expected || !layout) break;
        size_t len = (size_t)layout->fixed + QS_FRAMING;
        if (!tk_hdlc_is_unescaped(frame, (size_t)(end - frame), len)) break;
        expected = (uint8_t)(expected + 1);
        event->raw = frame;
        event->raw_len = (uint16_t)(len < TK_DIAG_CONTEXT ? len : TK_DIAG_CONTEXT);
        if (layout->timed) unwrap(d, tk_hdlc_word(frame + 2) & d->time.mask);
        show_numbers(d, layout, frame + 2);
        event->frame++;
        event->offset += len + 1;
        frame += len + 1;
        if (tk_batch_is_full(d->batch)) break;
    }
    size_t bytes = (size_t)(frame - cursor->bytes) - cursor->at;
    d->expected = (uint16_t)expected;
    d->run_records += event->frame - first;
    d->host.account->decoded += bytes;
    tk_hdlc_consume(&d->hdlc, cursor, bytes, event->frame - first);
}

// ---- Blocks that were received twice ------------------------------------------------------------

// Asks whether a block repeats from a damaged frame on, or from a frame whose number is not the next one. A run of the
// target begins without a block before it, because a target that starts again may send the same frames again.
TK_COLD static bool ask_for_repeat(struct decoder *d, const struct tk_hdlc_frame *frame) {
    enum { SEQUENCE = 0 };
    bool is_damaged = frame->verdict != TK_HDLC_OK;
    if (!is_damaged && (d->expected == ANY_SEQUENCE || begins_run(frame))) {
        tk_repeat_forget(&d->repeat, frame->offset + frame->raw_len + 1);
        return false;
    }
    if (d->expected == ANY_SEQUENCE || frame->raw_kept < frame->raw_len) return false;
    if (frame->offset > d->chunk_offset)
        tk_repeat_keep(&d->repeat, d->host.alloc, d->chunk_offset, d->chunk, (size_t)(frame->offset - d->chunk_offset));
    return tk_repeat_ask(&d->repeat, d->host.alloc,
                         &(struct tk_repeat_frame){ .offset = frame->offset,
                                                    .bytes = frame->raw,
                                                    .len = frame->raw_kept + is_damaged,
                                                    .key = SEQUENCE,
                                                    .delimiter = TK_HDLC_FLAG,
                                                    .is_damaged = is_damaged });
}

static inline bool may_begin_repeat(struct decoder *d, const struct tk_hdlc_frame *frame) {
    if (frame->verdict == TK_HDLC_EMPTY || (frame->verdict == TK_HDLC_OK && frame->bytes[0] == d->expected))
        return false;
    return ask_for_repeat(d, frame);
}

// A block is a second copy if no run begins in it, and if the next record has the number after the first copy.
TK_COLD static enum tk_repeat_verdict judge_block(void *ctx, const uint8_t *bytes, size_t block, size_t len,
                                                  bool ended) {
    struct decoder *d = ctx;
    struct tk_hdlc *hdlc = &d->finder; // not in use any more
    struct tk_hdlc_cursor cursor = { bytes, 0, len };
    struct tk_hdlc_frame frame;
    uint32_t good = 0;
    *hdlc = (struct tk_hdlc){ 0 };
    while (tk_hdlc_next(hdlc, &cursor, &frame)) {
        bool is_ok = frame.verdict == TK_HDLC_OK;
        if (is_ok && begins_run(&frame)) return TK_REPEAT_NO;
        if (frame.offset < block) {
            good += is_ok;
            continue;
        }
        if (frame.verdict == TK_HDLC_EMPTY) continue;
        return good >= TK_REPEAT_MIN_FRAMES && is_ok && frame.bytes[0] == d->expected ? TK_REPEAT_YES : TK_REPEAT_NO;
    }
    return !ended ? TK_REPEAT_MORE : good >= TK_REPEAT_MIN_FRAMES ? TK_REPEAT_YES : TK_REPEAT_NO;
}

// Takes a frame back until the question about it is decided. Its first bytes may belong to an earlier chunk.
static void return_frame(struct decoder *d, struct tk_hdlc_cursor *cursor, const struct tk_hdlc_frame *frame) {
    d->hdlc.offset = frame->offset;
    d->hdlc.number = frame->number;
    cursor->at--; // its flag
    if (is_carried(d, frame->raw)) tk_carry_add(&d->repeat.held, d->host.alloc, frame->raw, frame->raw_kept);
    else cursor->at -= frame->raw_kept;
}

static void skip_repeat(void *ctx, const uint8_t *block, size_t len) {
    struct decoder *d = ctx;
    struct tk_source_pos place = { .input = d->host.input,
                                   .has_offset = true,
                                   .offset = d->hdlc.offset,
                                   .frame = d->hdlc.number,
                                   .bytes = block,
                                   .len = len };
    tk_repeat_report(d->host.diag, d->host.account, &place, len);
    show_unread(d, d->hdlc.offset, len, "received twice");
    d->hdlc.offset += len;
    d->hdlc.number += tk_repeat_count(block, len, TK_HDLC_FLAG);
}

static size_t decode_frames(void *ctx, const uint8_t *bytes, size_t len) {
    struct decoder *d = ctx;
    struct tk_hdlc_cursor cursor = { bytes, 0, len };
    struct tk_hdlc_frame frame;
    uint64_t start = d->hdlc.offset + d->hdlc.carry_raw;
    d->chunk = bytes;
    d->chunk_offset = start;
    do {
        take_common(d, &cursor);
        if (cursor.at && tk_batch_is_full(d->batch)) break;
        if (!tk_hdlc_next(&d->hdlc, &cursor, &frame)) break; // at least one frame is decoded, even if the batch is full
        if (may_begin_repeat(d, &frame)) {
            return_frame(d, &cursor, &frame);
            break;
        }
        on_frame(d, &frame);
    } while (!tk_batch_is_full(d->batch));
    tk_repeat_keep(&d->repeat, d->host.alloc, start, bytes, cursor.at);
    return cursor.at;
}

// Returns the number of events in the batches.
static uint64_t count_events(const void *ctx) {
    const struct decoder *d = ctx;
    return d->batch->count;
}

static const struct tk_repeat_decoder repeat_calls = { judge_block, decode_frames, skip_repeat, count_events };

static size_t decode_stream(struct decoder *d, const uint8_t *bytes, size_t len) {
    return tk_repeat_decode(&d->repeat, d->host.alloc, &repeat_calls, d, bytes, len);
}

// ---- The decoder as the house sees it ----------------------------------------------------------

TK_COLD static bool init(void *ctx, const struct tk_decode_host *host) {
    struct decoder *d = ctx;
    struct qs_config config;
    d->host = *host;
    d->batch = host->open_stream(host->stream_ctx, TK_STREAM_RESOLVED);
    d->dictionary.alloc = host->alloc;
    d->dictionary.on_symbol_name = emit_symbol_name;
    d->dictionary.ctx = d;
    d->dictionary.diag = host->diag;
    d->dictionary.lookup = host->lookup;
    d->dictionary.firmware = host->symbols;
    d->dictionary.generation = (uint32_t)host->core << QS_CORE_SHIFT;
    d->event.input = (uint8_t)host->input;
    d->event.core = host->core;
    d->interrupts.enter = event_here(d, TK_EV_ISR_ENTER); // without its bytes, which may be overwritten before it is
                                                          // emitted
    d->interrupts.enter.timed = true;
    d->expected = ANY_SEQUENCE;
    read_options(d, &config);
    set_layouts(d, &config);
    return d->batch != NULL;
}

// Decodes buffered bytes. Events borrow from them, so they are freed in the next call. Returns false if more are left.
static bool drain(struct decoder *d) {
    if (!tk_carry_len(&d->buffered)) {
        if (d->buffered.memory) tk_carry_free(&d->buffered, d->host.alloc);
        return true;
    }
    tk_carry_drop(&d->buffered, decode_stream(d, tk_carry_bytes(&d->buffered), tk_carry_len(&d->buffered)));
    return false;
}

// Buffers bytes until the sizes are known.
static size_t buffer_bytes(struct decoder *d, const uint8_t *bytes, size_t len) {
    size_t step = tk_carry_fill(&d->buffered, d->host.alloc, MAX_BUFFERED, bytes, len);
    if (!finder(d, bytes, step) && tk_carry_len(&d->buffered) == MAX_BUFFERED) resolve_sizes(d);
    return step;
}

static size_t decode(void *ctx, const uint8_t *bytes, size_t len) {
    struct decoder *d = ctx;
    size_t used = 0;
    if (!d->decided) {
        import_from_side_inputs(d);
        used = buffer_bytes(d, bytes, len);
        if (!d->decided) return used;
    }
    if (d->is_text) {
        d->host.account->left += len - used;
        return len;
    }
    if (!drain(d)) return used;
    return used + decode_stream(d, bytes + used, len - used);
}

static void end_tail(struct decoder *d) {
    uint64_t tail = tk_hdlc_tail(&d->hdlc);
    d->tail_reported = true;
    d->event.offset = d->hdlc.offset;
    d->event.frame = d->hdlc.number;
    d->event.raw = NULL;
    d->event.raw_len = 0;
    if (tail) {
        note(d, TK_DIAG_FRAME_CUT_AT_END, tail);
        show_unread(d, d->hdlc.offset, tail, "cut frame at the end");
    }
    d->host.account->left += tail;
    end_ticks(d);
    if (d->interrupts.entered) enter_interrupt(d, INTERRUPT);
}

static void export_lookup(struct decoder *d) {
    qs_config_export(&d->layouts.config, d->host.alloc, d->host.lookup_out);
    qs_dictionary_export(&d->dictionary, d->host.lookup_out);
}

TK_COLD static bool end(void *ctx) {
    struct decoder *d = ctx;
    if (!d->decided) resolve_sizes(d);
    if (!drain(d)) return false;
    if (!tk_repeat_end(&d->repeat, &repeat_calls, d)) return false;
    if (!d->tail_reported) end_tail(d);
    const uint8_t pointers[2] = { d->layouts.config.size[QS_OBJECT], d->layouts.config.size[QS_FUNCTION] };
    if (!qs_dictionary_finish(&d->dictionary, pointers, TK_BATCH_LEN)) return false;
    if (d->host.lookup_out) export_lookup(d);
    return true;
}

static uint64_t frames(const void *ctx) {
    const struct decoder *d = ctx;
    return d->hdlc.number;
}

static uint64_t counts_per_os_tick(const void *ctx) {
    const struct decoder *d = ctx;
    const struct ticks *ticks = &d->ticks;
    bool is_ambiguous = d->host.diag->entries[TK_DIAG_CLOCK_AMBIGUOUS].count > 0;
    return d->rate.hz || !ticks->ticks || is_ambiguous ? 0 : (ticks->counts + ticks->ticks / 2) / ticks->ticks;
}

TK_COLD static bool summary_line(const void *ctx, uint32_t index, char out_text[TK_SUMMARY_LEN]) {
    const struct decoder *d = ctx;
    uint32_t count = 0;
    if (d->informed && index == count++) return qs_summary_target(&d->info, out_text), true;
    for (unsigned origin = QS_GIVEN + 1; origin--;)
        if (qs_summary_sizes(&d->layouts.config, (enum qs_origin)origin, d->known, d->fit, out_text) &&
            index == count++)
            return true;
    if (index != count || !counts_per_os_tick(d)) return false;
    return qs_summary_tick(counts_per_os_tick(d), out_text), true;
}

static const struct tk_tracker *const trackers[] = { &tk_tracker_rtos, &tk_tracker_active_objects, NULL };

const struct tk_decoder tk_decoder_qs = { .info = &tk_info_qs,
                                          .symbols = TK_SYMBOLS_FOR_NAMES,
                                          .trackers = trackers,
                                          .no_tick = TK_DIAG_RATE_UNKNOWN,
                                          .size = sizeof(struct decoder),
                                          .init = init,
                                          .decode = decode,
                                          .end = end,
                                          .frames = frames,
                                          .summary_line = summary_line,
                                          .counts_per_os_tick = counts_per_os_tick,
                                          .names = &tk_names_qs };
