// SPDX-License-Identifier: MIT
//
// Recognises the inputs in the sources: lists archives, unpacks gzip, decodes text, and probes the head of each input.
#include <string.h>

#include "conversion.h"

enum { HEAD_OF_ARCHIVE = 1024, PADDING_OF_LINE = 16 * 1024 * 1024 };

static struct tk_conv_source *source_of(struct tk_conversion *conversion) {
    return &conversion->sources[conversion->look.source];
}

static void close_reader(struct tk_conversion *conversion) {
    tk_reader_free(conversion->look.reader);
    conversion->look.reader = NULL;
    conversion->look.has_ended = false;
}

static void close_blocks(struct tk_conversion *conversion) {
    struct tk_look *look = &conversion->look;
    tk_encoding_free(look->decoder);
    look->decoder = NULL;
    if (!look->heads) return;
    for (uint32_t i = 0; i < TK_MAX_INPUTS; i++) tk_carry_free(&look->heads[i].bytes, &conversion->alloc);
    tk_alloc_free(&conversion->alloc, look->heads, TK_MAX_INPUTS * sizeof *look->heads);
    look->heads = NULL;
}

static void open_reader(struct tk_conversion *conversion, bool detect) {
    struct tk_look *look = &conversion->look;
    close_reader(conversion);
    look->reader = tk_conv_open_reader(conversion, look->source, look->member, detect);
}

// Reads until `len` bytes are available or the source ends. may_be_short: bytes from a live line suffice as soon as the
// line is quiet, which is when the host answers. Returns false if a request was made.
static bool look_ahead(struct tk_conversion *conversion, size_t len, bool may_be_short) {
    struct tk_look *look = &conversion->look;
    bool is_enough = may_be_short && source_of(conversion)->info.is_live;
    while (!look->has_ended && tk_carry_len(&look->reader->looked) < len) {
        enum tk_reader_result result = tk_reader_look(look->reader);
        if (result == TK_READER_NEEDS && is_enough && tk_carry_len(&look->reader->looked)) return true;
        if (result == TK_READER_NEEDS) return tk_conv_need(conversion, look->reader), false;
        look->has_ended = result == TK_READER_END;
    }
    return true;
}

// ---- Inputs ----

static char *name_of(struct tk_conversion *conversion, uint32_t block, uint32_t blocks, int32_t core) {
    const struct tk_look *look = &conversion->look;
    const struct tk_conv_source *source = source_of(conversion);
    struct tk_member member;
    char room[768];
    struct tk_text text = tk_text_in(room, sizeof room);
    tk_text_add(&text, source->info.name);
    if (tk_conv_member(source, look->member, &member)) {
        tk_text_add(&text, "/");
        tk_text_add(&text, member.path);
    }
    if (blocks > 1) {
        tk_text_add(&text, core >= 0 ? " (core " : " (part ");
        tk_text_u64(&text, core >= 0 ? (uint32_t)core : block + 1);
        tk_text_add(&text, ")");
    }
    for (uint32_t i = 0; i < look->carried_count; i++) {
        tk_text_add(&text, i ? ", " : " (");
        tk_carried_put(&look->carried[i], &text);
    }
    if (look->carried_count) tk_text_add(&text, ")");
    return tk_conv_copy(conversion, room);
}

static void note_damage(struct tk_conversion *conversion) {
    const char *name = conversion->look.reader->damage[0] ? name_of(conversion, 0, 1, -1) : NULL;
    if (name) tk_conv_note_damage(conversion, name, conversion->look.reader);
}

static uint64_t size_of(struct tk_conversion *conversion) {
    const struct tk_conv_source *source = source_of(conversion);
    struct tk_member member;
    return tk_conv_member(source, conversion->look.member, &member) ? member.size : source->info.size;
}

static struct tk_conv_input *add_input(struct tk_conversion *conversion, uint32_t block, uint32_t blocks,
                                       int32_t core) {
    struct tk_look *look = &conversion->look;
    if (!tk_alloc_grow(&conversion->alloc, (void **)&conversion->inputs, &conversion->input_capacity,
                       conversion->input_count + 1, sizeof *conversion->inputs))
        return NULL;
    struct tk_conv_input *input = &conversion->inputs[conversion->input_count];
    *input = (struct tk_conv_input){ .source = look->source,
                                     .member = look->member,
                                     .block = block,
                                     .container = source_of(conversion)->container,
                                     .named_core = core,
                                     .encoding = look->encoding.kind,
                                     .size = size_of(conversion) };
    if (look->reader) {
        input->is_gzip = tk_reader_is_gzip(look->reader);
        memcpy(input->damage, look->reader->damage, sizeof input->damage);
    }
    memcpy(input->encoding_reason, look->encoding.reason, sizeof input->encoding_reason);
    memcpy(input->carried, look->carried, sizeof input->carried);
    input->carried_count = look->carried_count;
    input->name = name_of(conversion, block, blocks, core);
    if (!input->name) return NULL;
    conversion->input_count++;
    return input;
}

// ---- Archives ----

static void finish_list(struct tk_conversion *conversion) {
    struct tk_look *look = &conversion->look;
    struct tk_conv_source *source = source_of(conversion);
    const char *problem = tk_archive_problem(source->archive);
    tk_conv_note_damage(conversion, source->info.name, look->reader);
    if (look->reader->damage[0]) source->packing_damage = tk_conv_copy(conversion, look->reader->damage);
    else if (problem[0])
        tk_conv_message(conversion, TK_MESSAGE_WARNING, TK_EXIT_FINE, look->source, source->info.name, problem, NULL);
    close_reader(conversion);
    look->member = -1;
    look->step = TK_LOOK_NEXT;
    if (tk_archive_count(source->archive) > 0) {
        source->container = ++conversion->containers;
        return;
    }
    tk_archive_free(source->archive);
    source->archive = NULL;
    look->step = TK_LOOK_ITEM;
}

// Opens a reader of any range of the archive, whose data may be packed.
static void open_archive(struct tk_conversion *conversion) {
    bool is_gzip = source_of(conversion)->is_gzip;
    open_reader(conversion, is_gzip);
    if (is_gzip && conversion->look.reader)
        tk_reader_wrap(conversion->look.reader, (struct tk_layer){ .kind = TK_LAYER_RANGE });
}

static void begin_list(struct tk_conversion *conversion, tk_archive_kind kind) {
    struct tk_look *look = &conversion->look;
    struct tk_conv_source *source = source_of(conversion);
    source->is_gzip = !source->is_kept && tk_reader_is_gzip(look->reader);
    uint64_t size = source->is_gzip ? UINT64_MAX : source->info.size;
    if (tk_archive_new(&conversion->allocator, kind, size, &source->archive) != TK_OK) conversion->alloc.failed = true;
    look->range_len = 0;
    look->step = TK_LOOK_LIST;
    open_archive(conversion);
}

// Moves the reader to a range. Packed data are read again from their start when the range is before the reader.
static void seek(struct tk_conversion *conversion, uint64_t offset, size_t len) {
    struct tk_look *look = &conversion->look;
    look->has_ended = false;
    if (tk_reader_seek(look->reader, offset, len)) return;
    open_archive(conversion);
    if (look->reader) tk_reader_seek(look->reader, offset, len);
}

static void list(struct tk_conversion *conversion) {
    struct tk_look *look = &conversion->look;
    struct tk_conv_source *source = source_of(conversion);
    const struct tk_carry *looked = &look->reader->looked;
    uint64_t offset;
    if (look->range_len) {
        if (!look_ahead(conversion, look->range_len, false)) return;
        if (tk_archive_feed(source->archive, tk_carry_bytes(looked), tk_carry_len(looked)) != TK_OK)
            conversion->alloc.failed = true;
        look->range_len = 0;
    }
    if (tk_archive_wanted(source->archive, &offset, &look->range_len)) {
        seek(conversion, offset, look->range_len);
    } else if (source->is_gzip && !look->has_ended) { // the checksum of the packed data comes last
        seek(conversion, UINT64_MAX, 1);
        look_ahead(conversion, 1, false);
    } else {
        finish_list(conversion);
    }
}

static void look_at_archive(struct tk_conversion *conversion) {
    struct tk_look *look = &conversion->look;
    const struct tk_carry *looked = &look->reader->looked;
    if (!look_ahead(conversion, HEAD_OF_ARCHIVE, true)) return;
    tk_archive_kind kind = tk_archive_probe(tk_carry_bytes(looked), tk_carry_len(looked));
    if (kind == TK_ARCHIVE_NONE) {
        look->step = TK_LOOK_HEAD;
    } else if (source_of(conversion)->info.is_seekable) {
        begin_list(conversion, kind);
    } else {
        look->step = TK_LOOK_KEEP; // its members are read in any order
    }
}

// ---- What can be read only once ----

static void keep(struct tk_conversion *conversion) {
    if (!tk_conv_keep(conversion, conversion->look.reader)) return;
    note_damage(conversion);
    close_reader(conversion);
    conversion->look.step = TK_LOOK_SOURCE;
}

// ---- Heads ----

static size_t head_len(const struct tk_reader *reader) {
    size_t len = tk_carry_len(&reader->looked);
    return len < TK_PROBE_LEN ? len : TK_PROBE_LEN;
}

static void choose_encoding(struct tk_conversion *conversion) {
    struct tk_look *look = &conversion->look;
    const struct tk_source_info *info = &source_of(conversion)->info;
    const uint8_t *head = tk_carry_bytes(&look->reader->looked);
    size_t len = head_len(look->reader);
    memset(&look->encoding, 0, sizeof look->encoding);
    struct tk_text reason = tk_text_in(look->encoding.reason, sizeof look->encoding.reason);
    if (info->encoding != TK_PLAN_AUTO && look->member < 0) {
        look->encoding.kind = (tk_encoding_kind)info->encoding;
        tk_text_add(&reason, "chosen by the user");
    } else if (tk_format_reads_text(head, len)) {
        tk_text_add(&reason, "text that is read as it is");
    } else {
        tk_encoding_probe(head, len, &look->encoding);
    }
}

static bool on_block(void *ctx, uint32_t block, int32_t core, const char *title, size_t title_len) {
    struct tk_look *look = &((struct tk_conversion *)ctx)->look;
    (void)title, (void)title_len;
    if (block >= TK_MAX_INPUTS) {
        look->too_many_blocks = true;
        return true;
    }
    look->heads[block].core = core;
    look->head_count = block + 1;
    return true;
}

static bool on_bytes(void *ctx, uint32_t block, const uint8_t *bytes, size_t len) {
    struct tk_conversion *conversion = ctx;
    struct tk_look *look = &conversion->look;
    if (block >= TK_MAX_INPUTS) return true;
    struct tk_carry *head = &look->heads[block].bytes;
    size_t room = TK_PROBE_LEN - tk_carry_len(head);
    look->heads[block].size += len;
    return tk_carry_add(head, &conversion->alloc, bytes, len < room ? len : room);
}

static void open_blocks(struct tk_conversion *conversion) {
    struct tk_look *look = &conversion->look;
    struct tk_encoding_sink sink = { .ctx = conversion, .begin = on_block, .data = on_bytes };
    look->head_count = 0;
    look->too_many_blocks = false;
    look->heads = tk_alloc_zero(&conversion->alloc, TK_MAX_INPUTS * sizeof *look->heads);
    if (tk_encoding_new(&conversion->allocator, look->encoding.kind, &sink, &look->decoder) != TK_OK)
        conversion->alloc.failed = true;
}

// Decodes bytes of the text, or ends it (bytes NULL). Returns false without memory.
static bool decode(struct tk_conversion *conversion, const struct tk_piece *piece, struct tk_encoding_result *result) {
    tk_encoding *decoder = conversion->look.decoder;
    bool ok = !conversion->alloc.failed && (piece ? tk_encoding_feed(decoder, piece->bytes, piece->len)
                                                  : tk_encoding_finish(decoder, result)) == TK_OK;
    conversion->alloc.failed |= !ok;
    return ok;
}

// Probes what the digits of a text encode.
static void probe_block(const struct tk_look *look, uint32_t block, struct tk_probe *out_probe) {
    tk_probe(tk_carry_bytes(&look->heads[block].bytes), tk_carry_len(&look->heads[block].bytes), NULL, 0, out_probe);
    if (out_probe->format || out_probe->content != TK_CONTENT_UNKNOWN) return;
    char why[sizeof out_probe->reason];
    memcpy(why, out_probe->reason, sizeof why);
    struct tk_text text = tk_text_in(out_probe->reason, sizeof out_probe->reason);
    tk_text_add(&text, "this is a text, and its digits encode no recording");
    if (why[0]) tk_text_add(&text, ": "), tk_text_add(&text, why);
}

// Probes the first bytes; of a text that can be read only once those of its first block.
static void probe_head(struct tk_conversion *conversion) {
    struct tk_look *look = &conversion->look;
    const struct tk_carry *looked = &look->reader->looked;
    const struct tk_piece head = { tk_carry_bytes(looked), tk_carry_len(looked) };
    struct tk_encoding_result result;
    if (look->encoding.kind == TK_ENCODING_BINARY) {
        tk_probe(head.bytes, head_len(look->reader), NULL, 0, &look->probe);
        return;
    }
    open_blocks(conversion);
    if (decode(conversion, &head, NULL) && decode(conversion, NULL, &result)) probe_block(look, 0, &look->probe);
    close_blocks(conversion);
}

static void add_binary(struct tk_conversion *conversion) {
    struct tk_look *look = &conversion->look;
    note_damage(conversion);
    struct tk_member member;
    bool is_member = tk_conv_member(source_of(conversion), look->member, &member);
    struct tk_conv_input *input = add_input(conversion, 0, 1, is_member ? member.core : -1);
    if (!input) return;
    input->probe = look->probe;
    look->step = TK_LOOK_NEXT;
    if (source_of(conversion)->info.is_seekable) return;
    source_of(conversion)->once = look->reader; // the conversion continues with this reader
    look->reader = NULL;
}

// ---- Streams that others carry ----

// The first bytes of the streams that some bytes carry.
struct stream_heads {
    struct tk_alloc *alloc;
    struct tk_carry streams[TK_CARRIER_STREAMS];
};

static bool on_stream(void *ctx, uint8_t number, const uint8_t *bytes, size_t len) {
    struct stream_heads *heads = ctx;
    return tk_carry_add(&heads->streams[number], heads->alloc, bytes, len);
}

static void free_heads(struct stream_heads *heads) {
    for (unsigned i = 0; i < TK_CARRIER_STREAMS; i++) tk_carry_free(&heads->streams[i], heads->alloc);
    tk_alloc_free(heads->alloc, heads, sizeof *heads);
}

// Returns NULL without memory.
static struct stream_heads *read_heads(struct tk_conversion *conversion, enum tk_carrier_kind kind,
                                       struct tk_piece head) {
    struct tk_carrier carrier = { .kind = kind };
    struct stream_heads *heads = tk_alloc_zero(&conversion->alloc, sizeof *heads);
    if (!heads) return NULL;
    heads->alloc = &conversion->alloc;
    bool is_ok = tk_carrier_feed(&carrier, heads->alloc, head.bytes, head.len, on_stream, heads);
    tk_carrier_release(&carrier, heads->alloc);
    if (is_ok) return heads;
    free_heads(heads);
    return NULL;
}

static struct tk_piece head_of(const struct stream_heads *heads, unsigned number) {
    const struct tk_carry *stream = &heads->streams[number];
    return (struct tk_piece){ tk_carry_bytes(stream), tk_carry_len(stream) };
}

static void add_stream(struct tk_conversion *conversion, const struct tk_probe *probe) {
    struct tk_conv_input *input = add_input(conversion, 0, 1, -1);
    if (!input) return;
    input->probe = *probe;
    const struct tk_conv_input *before = conversion->input_count > 1 ? input - 1 : NULL;
    bool is_further = before && before->source == input->source && before->member == input->member;
    input->block = is_further ? before->block + 1 : 0;
}

enum { PROVEN = 50 }; // least confidence of what is found in a stream of another format

// Adds the ports of an ITM that carry recordings of other formats, after the packets of the ITM itself unless they
// contain nothing else. Returns false if there are no such ports.
static bool add_ports(struct tk_conversion *conversion, const struct stream_heads *heads, struct tk_piece head) {
    struct tk_look *look = &conversion->look;
    struct tk_carried *carried = &look->carried[look->carried_count];
    struct tk_probe whole, probe;
    struct tk_itm_evidence evidence;
    bool is_found = false, has_others = false, is_inner[TK_CARRIER_STREAMS] = { false };
    for (unsigned port = 0; port < TK_CARRIER_STREAMS; port++) {
        struct tk_piece piece = head_of(heads, port);
        if (!piece.len) continue;
        tk_probe(piece.bytes, piece.len, NULL, 0, &probe);
        is_inner[port] = probe.format && probe.confidence >= PROVEN;
        is_found |= is_inner[port];
        has_others |= !is_inner[port];
    }
    if (!is_found) return false;
    tk_itm_examine(head.bytes, head.len, &evidence);
    tk_probe(head.bytes, head.len, NULL, 0, &whole);
    if (evidence.source || has_others) add_stream(conversion, &whole);
    look->carried_count++;
    for (unsigned port = 0; port < TK_CARRIER_STREAMS; port++) {
        struct tk_piece piece = head_of(heads, port);
        if (!is_inner[port]) continue;
        tk_probe(piece.bytes, piece.len, NULL, 0, &probe);
        *carried = (struct tk_carried){ TK_CARRIER_ITM, (uint8_t)port };
        add_stream(conversion, &probe);
    }
    look->carried_count--;
    return true;
}

static bool add_carried(struct tk_conversion *conversion, struct tk_piece head);

static void report_left_out(struct tk_conversion *conversion, struct tk_piece head) {
    char room[40];
    struct tk_text text = tk_text_in(room, sizeof room);
    char *name = name_of(conversion, 0, 1, -1);
    tk_text_count(&text, head.len, "bytes");
    if (name)
        tk_conv_message(conversion, TK_MESSAGE_DETAIL, TK_EXIT_FINE, conversion->look.source, name,
                        "left out, no recording: ", text.text, " among the first ones", NULL);
}

// Adds the streams of TPIU frames that are recordings, or that carry some. Returns false if there are none.
static bool add_streams(struct tk_conversion *conversion, const struct stream_heads *heads) {
    struct tk_look *look = &conversion->look;
    struct tk_probe probe;
    uint32_t before = conversion->input_count;
    struct tk_carried *carried = &look->carried[look->carried_count++];
    for (unsigned stream = 1; stream < TK_TPIU_STREAMS; stream++) {
        struct tk_piece piece = head_of(heads, stream);
        *carried = (struct tk_carried){ TK_CARRIER_TPIU, (uint8_t)stream };
        if (!piece.len || add_carried(conversion, piece)) continue;
        tk_probe(piece.bytes, piece.len, NULL, 0, &probe);
        if (probe.format) add_stream(conversion, &probe);
        else report_left_out(conversion, piece);
    }
    look->carried_count--;
    return conversion->input_count > before;
}

// Adds the streams that some bytes carry. Returns false if they carry none.
static bool add_carried(struct tk_conversion *conversion, struct tk_piece head) {
    enum tk_carrier_kind kind = tk_carrier_probe(head.bytes, head.len);
    if (kind == TK_CARRIER_NONE || (kind == TK_CARRIER_TPIU && conversion->look.carried_count)) return false;
    struct stream_heads *heads = read_heads(conversion, kind, head);
    if (!heads) return false;
    bool is_found = kind == TK_CARRIER_ITM ? add_ports(conversion, heads, head) : add_streams(conversion, heads);
    free_heads(heads);
    return is_found;
}

// Adds the inputs of a source whose bytes carry streams. Returns false if they carry none.
static bool look_at_carried(struct tk_conversion *conversion) {
    struct tk_look *look = &conversion->look;
    struct tk_conv_source *source = source_of(conversion);
    uint32_t before = conversion->input_count;
    struct tk_piece head = { tk_carry_bytes(&look->reader->looked), head_len(look->reader) };
    if (look->probe.confidence >= PROVEN || !add_carried(conversion, head)) return false;
    note_damage(conversion);
    uint32_t added = conversion->input_count - before;
    look->step = TK_LOOK_NEXT;
    if (source->info.is_seekable) return true;
    // A source that can be read only once has one reader. A line that is live goes on with what a port carries.
    if (added > 1 && !source->info.is_live) {
        conversion->input_count = before;
        look->step = TK_LOOK_KEEP;
        return true;
    }
    conversion->inputs[before] = conversion->inputs[conversion->input_count - 1];
    conversion->input_count = before + 1;
    source->once = look->reader;
    look->reader = NULL;
    return true;
}

static void look_at_head(struct tk_conversion *conversion) {
    struct tk_look *look = &conversion->look;
    bool is_once = !source_of(conversion)->info.is_seekable;
    if (!look_ahead(conversion, TK_PROBE_LEN, true)) return;
    choose_encoding(conversion);
    bool is_text = look->encoding.kind != TK_ENCODING_BINARY;
    // The dump of a text that can be read only once contains its first block, as it arrives.
    bool is_dumped = conversion->output == TK_OUTPUT_DUMP || conversion->output == TK_OUTPUT_SAMPLES;
    if (is_text && !is_once) {
        look->step = TK_LOOK_BLOCKS;
        open_blocks(conversion);
        return;
    }
    if (is_text && (!is_dumped || look->encoding.kind == TK_ENCODING_JSON)) {
        look->step = TK_LOOK_KEEP;
        return;
    }
    probe_head(conversion);
    if (!is_text && look_at_carried(conversion)) return;
    bool is_short = tk_carry_len(&look->reader->looked) < TK_PROBE_LEN;
    if (is_short && !look->has_ended && !look->probe.format) {
        tk_conv_need(conversion, look->reader);
    } else if (is_text || is_short || !tk_probe_can_continue(&look->probe) || (is_once && !look->probe.padding)) {
        add_binary(conversion);
    } else {
        look->step = TK_LOOK_FURTHER;
        if (!is_once) tk_reader_forget(look->reader, TK_PROBE_LEN);
    }
}

// Continues the search in a dump of memory, in which a recording may begin anywhere, or after the padding of a source
// that can be read only once; its reader keeps all bytes for the conversion.
static void probe_further(struct tk_conversion *conversion) {
    struct tk_look *look = &conversion->look;
    const struct tk_carry *looked = &look->reader->looked;
    bool is_once = !source_of(conversion)->info.is_seekable, goes_on = true;
    while (goes_on) {
        size_t at = is_once ? (size_t)look->probe.looked : 0;
        if (!look_ahead(conversion, at + TK_PROBE_LEN, false)) return;
        size_t left = tk_carry_len(looked) - at, len = left < TK_PROBE_LEN ? left : TK_PROBE_LEN;
        goes_on = len && tk_probe_continue(tk_carry_bytes(looked) + at, len, &look->probe);
        if (is_once) goes_on &= look->probe.padding && look->probe.looked < PADDING_OF_LINE;
        else tk_reader_forget(look->reader, len);
    }
    add_binary(conversion);
}

static void add_blocks(struct tk_conversion *conversion, const char *bad_text) {
    struct tk_look *look = &conversion->look;
    uint32_t container = look->head_count > 1 ? ++conversion->containers : 0;
    size_t reason_len = strlen(look->encoding.reason);
    struct tk_text reason = tk_text_in(look->encoding.reason + reason_len, sizeof look->encoding.reason - reason_len);
    if (bad_text[0] && look->head_count) {
        tk_text_add(&reason, "; ");
        tk_text_add(&reason, bad_text);
    }
    for (uint32_t i = 0; i < look->head_count; i++) {
        struct tk_conv_input *input = add_input(conversion, i, look->head_count, look->heads[i].core);
        if (!input) break;
        input->size = look->heads[i].size;
        probe_block(look, i, &input->probe);
        if (container) input->container = container;
    }
    if (!look->head_count) {
        reason = tk_text_in(look->encoding.reason, sizeof look->encoding.reason);
        tk_text_add(&reason, "it is a text without digits of a recording");
        add_input(conversion, 0, 1, -1);
    }
    if (look->too_many_blocks)
        tk_conv_message(conversion, TK_MESSAGE_WARNING, TK_EXIT_FINE, look->source, source_of(conversion)->info.name,
                        "only the first 64 blocks are read", NULL);
    close_blocks(conversion);
    look->step = TK_LOOK_NEXT;
}

// Recognises all blocks of a text.
static void look_at_blocks(struct tk_conversion *conversion) {
    struct tk_encoding_result result;
    struct tk_piece piece;
    enum tk_reader_result next;
    while ((next = tk_reader_next(conversion->look.reader, &piece)) == TK_READER_BYTES)
        if (!decode(conversion, &piece, NULL)) return;
    if (next == TK_READER_NEEDS) {
        tk_conv_need(conversion, conversion->look.reader);
        return;
    }
    note_damage(conversion);
    if (decode(conversion, NULL, &result)) add_blocks(conversion, result.bad_text);
}

// ---- Steps ----

static void begin_item(struct tk_conversion *conversion) {
    struct tk_look *look = &conversion->look;
    bool may_be_archive = look->step == TK_LOOK_SOURCE && source_of(conversion)->info.encoding == TK_PLAN_AUTO;
    open_reader(conversion, true);
    look->step = may_be_archive ? TK_LOOK_ARCHIVE : TK_LOOK_HEAD;
}

static void add_unreadable(struct tk_conversion *conversion, const char *reason) {
    memset(&conversion->look.encoding, 0, sizeof conversion->look.encoding);
    struct tk_conv_input *input = add_input(conversion, 0, 1, -1);
    if (!input) return;
    struct tk_text text = tk_text_in(input->probe.reason, sizeof input->probe.reason);
    tk_text_add(&text, reason);
    input->is_unreadable = true;
    tk_conv_message(conversion, TK_MESSAGE_WARNING, TK_EXIT_FINE, input->source, input->name, "left out, ", reason,
                    NULL);
}

static void go_to_next_source(struct tk_look *look) {
    look->source++;
    look->member = -1;
    look->step = TK_LOOK_SOURCE;
}

static void go_to_next(struct tk_conversion *conversion) {
    struct tk_look *look = &conversion->look;
    const struct tk_conv_source *source = source_of(conversion);
    close_reader(conversion);
    struct tk_member member;
    while (tk_conv_member(source, look->member + 1, &member)) {
        look->member++;
        const char *reason = tk_member_reason(member.state);
        if (!reason[0]) {
            look->step = TK_LOOK_ITEM;
            return;
        }
        add_unreadable(conversion, reason);
    }
    go_to_next_source(look);
}

void tk_look_step(struct tk_conversion *conversion) {
    struct tk_look *look = &conversion->look;
    if (source_of(conversion)->is_unreadable) { // the first byte cannot be read
        close_reader(conversion);
        go_to_next_source(look);
        return;
    }
    switch (look->step) {
    case TK_LOOK_SOURCE:
    case TK_LOOK_ITEM: begin_item(conversion); break;
    case TK_LOOK_ARCHIVE: look_at_archive(conversion); break;
    case TK_LOOK_LIST: list(conversion); break;
    case TK_LOOK_HEAD: look_at_head(conversion); break;
    case TK_LOOK_KEEP: keep(conversion); break;
    case TK_LOOK_FURTHER: probe_further(conversion); break;
    case TK_LOOK_BLOCKS: look_at_blocks(conversion); break;
    case TK_LOOK_NEXT: go_to_next(conversion); break;
    }
}

void tk_look_release(struct tk_conversion *conversion) {
    close_reader(conversion);
    close_blocks(conversion);
}
