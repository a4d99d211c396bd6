// SPDX-License-Identifier: MIT
#include "decoding.h"

#include <string.h>

#include "check.h"
#include "heap.h"
#include "model/time/event_stream.h"
#include "take.h"

enum { LONGEST = 64 * 1024, MOST_IN_BATCH = 128 * 1024 };
enum { CHECK_WHOLE = 1, CHECK_BOTH = 2, SHOW_FRAMES = 8, SHOW_RECORDS = 16, SHOW_ORIGINAL = 32, IS_DUMP = 64 };

// Results for one chunking of the input.
struct result {
    uint64_t events[TK_MAX_CORES]; // a checksum for each stream
    uint64_t shown;
    uint64_t frames, booked;
    uint32_t streams;
};

struct decoding {
    const struct decoding_job *job;
    struct result *result;
    unsigned options, mode, cuts;
    const struct decoding_side *side; // NULL: none
    struct tk_alloc alloc;
    struct tk_account account;
    struct tk_event_stream *streams[TK_MAX_CORES];
    const struct tk_lookup *lookup;
    struct tk_symbols symbols;
    struct tk_times times;
    void *original;
};

static struct tk_diag diag; // large: only the used part is cleared

// ---- Checksums ----

static uint64_t mix(uint64_t sum, uint64_t number) { return (sum ^ number) * 0x9E3779B97F4A7C15u ^ sum >> 29; }

static uint64_t mix_bytes(uint64_t sum, const void *bytes, size_t len) {
    const uint8_t *at = bytes;
    uint64_t word = 0;
    for (; len >= sizeof word; at += sizeof word, len -= sizeof word)
        memcpy(&word, at, sizeof word), sum = mix(sum, word);
    for (word = len; len--; at++) word = word << 8 | *at;
    return mix(sum, word);
}

static uint64_t mix_text(uint64_t sum, const char *text) {
    return text ? mix_bytes(sum, text, strlen(text)) : mix(sum, 0);
}

static uint64_t mix_value(uint64_t sum, const struct tk_value *value) {
    sum = value->name_len ? mix_bytes(sum, value->name, value->name_len) : mix_text(sum, value->name);
    sum = mix(sum, value->type);
    return value->type == TK_VALUE_TEXT ? mix_bytes(sum, value->text, value->text_len) : mix(sum, value->number.u);
}

static uint64_t mix_track(uint64_t sum, const struct tk_track_def *def) {
    check(def->type <= TK_TRACK_OF_SAMPLES && def->parent_kind <= TK_PARENT_TASK_DETAILS &&
          def->category < TK_CATEGORIES);
    sum = mix(mix(mix(sum, def->parent), (uint32_t)def->rank),
              (uint64_t)def->type << 32 | def->parent_kind << 8 | def->in_signals);
    sum = mix_bytes(mix_bytes(sum, def->unit, def->unit_len), def->description, def->description_len);
    return mix_bytes(sum, def->type_words, def->type_words_len);
}

static uint64_t mix_call_site(uint64_t sum, const struct tk_call_site *site) {
    check(site->entry <= TK_CALL_FROM_OUTSIDE);
    sum = mix(mix(mix(sum, site->function), site->caller), site->point ^ site->from << 1);
    sum = mix_bytes(mix_bytes(sum, site->details, site->details_len), site->caller_details, site->caller_details_len);
    return mix_bytes(sum, site->from_words, site->from_words_len);
}

// All fields of an event that decoders set, including every borrowed byte.
static uint64_t mix_fields(uint64_t sum, const struct tk_event *event) {
    sum = mix(sum, event->kind | (uint64_t)event->timed << 8);
    if (event->timed) sum = mix(sum, event->ticks);
    sum = mix(sum, tk_event_id(event) | (uint64_t)tk_event_number(event, TK_SLOT_NUMBER) << 32);
    sum = mix(sum, (uint64_t)tk_event_number(event, TK_SLOT_VALUE));
    sum = mix(mix(sum, event->offset), event->frame);
    return event->str_len ? mix_bytes(sum, event->str, event->str_len) : sum;
}

static uint64_t mix_values(uint64_t sum, const struct tk_event *event) {
    for (unsigned i = 0; i < event->value_count; i++) sum = mix_value(sum, &event->values[i]);
    return sum;
}

static uint64_t mix_event(uint64_t sum, const struct tk_event *event) {
    check(event->kind < TK_EV_COUNT && event->core < TK_MAX_CORES);
    check(event->kind != TK_EV_DROP_COUNT ||
          (event->drop_count.where <= TK_LOST_SOMEWHERE && event->drop_count.counter < TK_MAX_CORES));
    check(event->kind != TK_EV_EVENTS_LOST || event->events_lost.where <= TK_LOST_SOMEWHERE);
    check(event->kind != TK_EV_PROBLEM || event->problem.diag < TK_DIAG_COUNT);
    sum = mix(mix_fields(sum, event), event->core | (uint64_t)event->section << 8);
    if (event->raw_len) sum = mix_bytes(sum, event->raw, event->raw_len);
    if (event->kind == TK_EV_TRACK_DEFINED) return mix_track(sum, event->track_defined.definition);
    if (event->kind == TK_EV_CALL_SITE) return mix_call_site(sum, event->call_site.definition);
    return mix_values(sum, event);
}

// ---- The host of the decoder ----

static struct tk_batch *open_stream(void *ctx, enum tk_stream_time time) {
    struct decoding *decoding = ctx;
    struct result *result = decoding->result;
    if (result->streams == TK_MAX_CORES) return NULL;
    struct tk_event_stream *stream = tk_alloc_zero(&decoding->alloc, sizeof *stream);
    check(stream && tk_event_stream_init(stream, &decoding->alloc, &diag, &decoding->account, time, 0));
    decoding->streams[result->streams++] = stream;
    stream->peers = decoding->streams;
    stream->peer_count = &result->streams;
    return &stream->batch;
}

static const char *option(void *ctx, const char *key) {
    const struct decoding *decoding = ctx;
    for (const struct decoding_option *one = decoding->job->options; one && one->key; one++)
        if (!strcmp(one->key, key) && (decoding->options & one->mask) == one->bits) return one->value;
    return NULL;
}

static void *no_other(void *ctx, uint32_t index) { return (void)ctx, (void)index, NULL; }

static void show_frame(void *ctx, const struct tk_decode_frame *frame) {
    struct result *result = ((struct decoding *)ctx)->result;
    result->shown = mix(mix_bytes(result->shown, frame->raw, frame->raw_len), frame->offset);
    if (frame->payload) result->shown = mix_bytes(result->shown, frame->payload, frame->payload_len);
}

static bool mix_line(void *ctx, const char *text, size_t len) {
    struct result *result = ctx;
    for (size_t i = 0; i < len; i++) result->shown = mix(result->shown, (uint8_t)text[i]); // in any chunking
    return true;
}

static void show_record(void *ctx, const struct tk_event *event, unsigned record) {
    struct decoding *decoding = ctx;
    const struct tk_record_names *names = decoding->job->decoder->names;
    check(!names->name || names->name(record));
    decoding->result->shown =
        mix_values(mix_fields(mix_text(decoding->result->shown, names->name ? names->name(record) : ""), event), event);
    if (!(decoding->mode & SHOW_ORIGINAL) || !names->original) return;
    struct tk_out out;
    if (!decoding->original) decoding->original = tk_alloc_zero(&decoding->alloc, names->original->size);
    tk_out_init(&out, mix_line, decoding->result);
    names->original->print(decoding->original, &decoding->alloc, event, record, &out);
    tk_out_flush(&out);
}

static struct tk_decode_host host_of(struct decoding *decoding) {
    bool records = decoding->mode & SHOW_RECORDS;
    bool is_dump = decoding->job->may_be_dump && decoding->mode & IS_DUMP;
    return (struct tk_decode_host){ .alloc = &decoding->alloc,
                                    .diag = &diag,
                                    .account = &decoding->account,
                                    .open_stream = open_stream,
                                    .stream_ctx = decoding,
                                    .option = option,
                                    .option_ctx = decoding,
                                    .other = no_other,
                                    .lookup = &decoding->lookup,
                                    .symbols = &decoding->symbols,
                                    .times = &decoding->times,
                                    .dump_ctx = decoding,
                                    .is_dump = is_dump,
                                    .from = is_dump ? decoding->options : 0,
                                    .on_frame_decoded = decoding->mode & SHOW_FRAMES ? show_frame : NULL,
                                    .on_record_decoded = records ? show_record : NULL,
                                    .names = decoding->job->decoder->names,
                                    .names_wanted = records && decoding->mode & SHOW_ORIGINAL };
}

// ---- One chunking ----

// Takes events as the merge does, but stream by stream. Returns how many were in the batches.
static uint32_t take_events(struct decoding *decoding) {
    uint32_t given = 0;
    for (uint32_t i = 0; i < decoding->result->streams; i++) {
        struct tk_event_stream *stream = decoding->streams[i];
        given += stream->batch.count;
        check(stream->batch.count <= MOST_IN_BATCH);
        while (tk_event_stream_has_event(stream))
            decoding->result->events[i] = mix_event(decoding->result->events[i], tk_event_stream_pop(stream));
    }
    for (uint32_t i = 0; i < decoding->result->streams; i++) tk_event_stream_compact(decoding->streams[i]);
    return given;
}

static size_t next_chunk(struct decoding *decoding, size_t left) {
    unsigned cuts = decoding->cuts;
    size_t chunk = cuts ? 1 + (cuts & 31) * (cuts & 32 ? 1 : 41) : left;
    decoding->cuts = cuts >> 1 | (cuts & 1) << 15;
    return chunk < left ? chunk : left;
}

static void feed(struct decoding *decoding, void *state, const uint8_t *bytes, size_t len) {
    const struct tk_decoder *decoder = decoding->job->decoder;
    for (size_t at = 0; at < len;) {
        size_t chunk = next_chunk(decoding, len - at);
        unsigned char *copy = heap_copy(bytes + at, chunk);
        for (size_t used = 0; used < chunk;) {
            size_t step = decoder->decode(state, copy + used, chunk - used);
            check(step <= chunk - used);
            check(take_events(decoding) || step == chunk - used); // it returns early only for a full batch
            used += step;
        }
        heap_drop(copy, chunk);
        at += chunk;
    }
    for (bool ended = false; !ended;) {
        ended = decoder->end(state);
        take_events(decoding);
    }
    for (uint32_t i = 0; i < decoding->result->streams; i++) decoding->streams[i]->ended = true;
    take_events(decoding);
}

static void ask(const struct tk_decoder *decoder, const void *state) {
    char summary_line[TK_SUMMARY_LEN];
    for (uint32_t i = 0; decoder->summary_line && decoder->summary_line(state, i, summary_line); i++)
        check(i < 1000 && memchr(summary_line, 0, sizeof summary_line));
    if (decoder->mode) decoder->mode(state);
    if (decoder->counts_per_os_tick) decoder->counts_per_os_tick(state);
    if (decoder->stretch) check(decoder->stretch(state));
}

static void empty_diag(void) {
    for (unsigned id = 0; id < TK_DIAG_COUNT; id++)
        if (diag.entries[id].count) memset(&diag.entries[id], 0, sizeof diag.entries[id]);
}

static const struct tk_lookup *lookup_of(struct tk_alloc *alloc, const char *text) {
    struct tk_lookup *lookup = tk_alloc_zero(alloc, sizeof *lookup);
    tk_lookup_add(lookup, alloc, &(struct tk_lookup_entry){ .key = { .space = TK_LOOKUP_OF_FORMAT }, .number = 1 },
                  text, strlen(text));
    return lookup;
}

static void run(struct decoding *decoding, const uint8_t *bytes, size_t len, struct result *result) {
    const struct tk_decoder *decoder = decoding->job->decoder;
    memset(result, 0, sizeof *result);
    decoding->result = result;
    decoding->alloc = heap_alloc();
    memset(&decoding->account, 0, sizeof decoding->account);
    decoding->original = NULL;
    decoding->lookup = decoding->side ? lookup_of(&decoding->alloc, decoding->side->text) : NULL;
    const struct tk_decode_host host = host_of(decoding);
    void *state = tk_alloc_zero(&decoding->alloc, decoder->size);
    check(state && decoder->init(state, &host));
    feed(decoding, state, bytes, len);
    ask(decoder, state);
    result->frames = decoder->frames(state);
    result->booked = decoding->account.decoded;
    check(decoding->account.decoded + tk_account_skipped(&decoding->account) + decoding->account.left == len);
    tk_alloc_free_all(&decoding->alloc);
    heap_reset();
    empty_diag();
}

// ---- Inputs ----

// Returns true for one input of 64. A hash selects these inputs and not a byte of the input: otherwise the fuzzer would
// find that they reach more code and spend most of its time on them.
static bool is_rare(unsigned purpose, const uint8_t *bytes, size_t len) {
    return !(mix_bytes(purpose, bytes, len) >> 58);
}

static const struct decoding_side *choose_side(const struct decoding *decoding, const uint8_t *bytes, size_t len) {
    const struct decoding_side *sides = decoding->job->sides;
    unsigned count = 0;
    while (sides && sides[count].text) count++;
    return count && !is_rare(decoding->options, bytes, len) ? &sides[decoding->options % count] : NULL;
}

// One input of 64 repeats a part of itself, so that it is longer than the decoder's window.
static size_t repeat(uint8_t *bytes, size_t len, unsigned how) {
    if (!len || !is_rare(how, bytes, len)) return len;
    size_t start = len * (how >> 3 & 7) / 8, piece = len - start;
    for (unsigned times = 2u << (how & 7); times-- && len + piece <= LONGEST; len += piece)
        memcpy(bytes + len, bytes + start, piece);
    return len;
}

void decoding_try(const struct decoding_job *job, const uint8_t *data, size_t len) {
    static uint8_t input[LONGEST];
    static struct decoding decoding;
    static struct result cut, whole;
    struct take from = { data, data + len };
    decoding.job = job;
    decoding.options = take_byte(&from);
    decoding.mode = take_byte(&from);
    unsigned cuts = take_byte(&from);
    cuts |= take_byte(&from) << 8;
    unsigned how = take_byte(&from);
    size_t input_len = take_left(&from) < LONGEST / 2 ? take_left(&from) : LONGEST / 2;
    decoding.side = choose_side(&decoding, from.at, input_len);
    size_t start_len = decoding.side ? decoding.side->start_len : 0;
    if (start_len) memcpy(input, decoding.side->start, start_len);
    if (job->build) input_len = job->build(from.at, input_len, input + start_len, LONGEST - start_len);
    else if (input_len) memcpy(input + start_len, from.at, input_len);
    input_len = repeat(input, start_len + input_len, how);
    decoding.cuts = decoding.mode & CHECK_WHOLE ? 0 : cuts;
    run(&decoding, input, input_len, &cut);
    if (!(decoding.mode & CHECK_BOTH) || !cuts) return;
    decoding.cuts = decoding.mode & CHECK_WHOLE ? cuts : 0;
    run(&decoding, input, input_len, &whole);
    check(cut.streams == whole.streams);
    if (cut.streams > 1)
        memset(cut.events, 0, sizeof cut.events), memset(whole.events, 0, sizeof whole.events); // only merged events
                                                                                                // must be in one order:
                                                                                                // the conversions check
                                                                                                // that
    check(!memcmp(&cut, &whole, sizeof cut));
}
