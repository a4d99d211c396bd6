// SPDX-License-Identifier: MIT
//
// Recognises the inputs in the sources: lists archives, unpacks gzip, decodes text, and probes the head of each input.
#include <string.h>

#include "conversion.h"

enum { HEAD_OF_ARCHIVE = 512, RANGE_LEN = 256 * 1024, PADDING_OF_LINE = 16 * 1024 * 1024 };

static struct tk_conv_source *source_of(struct tk_conversion *conversion) {
    return &conversion->sources[conversion->look.source];
}

static void close_reader(struct tk_conversion *conversion) {
    tk_conv_close_reader(conversion, conversion->look.reader);
    conversion->look.reader = NULL;
    conversion->look.has_ended = false;
    conversion->look.rest_len = 0;
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

static void out_of_memory(struct tk_conversion *conversion) {
    struct tk_look *look = &conversion->look;
    tk_conv_message(conversion, TK_MESSAGE_ERROR, look->source, source_of(conversion)->info.name, ": out of memory",
                    NULL);
    tk_conv_join_exit_code(conversion, TK_EXIT_INPUT);
    source_of(conversion)->once = NULL; // close_reader closes it
    close_reader(conversion);
    close_blocks(conversion);
    look->step = TK_LOOK_NEXT;
    look->member = -1;
    if (source_of(conversion)->archive) look->member = (int32_t)tk_archive_count(source_of(conversion)->archive);
}

static bool open_reader(struct tk_conversion *conversion, bool detect) {
    struct tk_look *look = &conversion->look;
    close_reader(conversion);
    look->reader = tk_conv_open_reader(conversion, look->source, look->member, detect);
    look->position = 0;
    return look->reader != NULL;
}

// Interprets a result of the reader; at the end sets *len to 0. Returns false when a request was made or memory is
// missing.
static bool has_result(struct tk_conversion *conversion, enum tk_reader_result result, size_t *len) {
    if (result == TK_READER_NEEDS) tk_conv_need(conversion, conversion->look.reader);
    if (result == TK_READER_NO_MEMORY) out_of_memory(conversion);
    if (result != TK_READER_END) return result == TK_READER_BYTES;
    conversion->look.has_ended = true;
    *len = 0;
    return true;
}

static bool next_piece(struct tk_conversion *conversion, const uint8_t **bytes, size_t *len) {
    return has_result(conversion, tk_reader_next(conversion->look.reader, bytes, len), len);
}

// Reads until `len` bytes are available or the source ends. may_be_short: bytes from a live line suffice as soon as the
// line is quiet, which is when the host answers. Returns false if a request was made or reading failed.
static bool look_ahead(struct tk_conversion *conversion, size_t len, bool may_be_short) {
    struct tk_look *look = &conversion->look;
    const struct tk_conv_source *source = source_of(conversion);
    bool is_enough = may_be_short && source->info.is_live && look->reader == source->once;
    while (!look->has_ended && look->reader->looked_len < len) {
        enum tk_reader_result result = tk_reader_look(look->reader);
        if (result == TK_READER_NEEDS && is_enough && look->reader->looked_len) return true;
        if (!has_result(conversion, result, &(size_t){ 0 })) return false;
    }
    return true;
}

// ---- Inputs ----

static uint32_t container_of(struct tk_conversion *conversion) {
    const struct tk_look *look = &conversion->look;
    if (look->member < 0) return 0;
    for (uint32_t i = 0; i < conversion->input_count; i++) {
        const struct tk_conv_input *other = &conversion->inputs[i];
        if (other->source == look->source && !other->is_block) return other->container;
    }
    return ++conversion->containers;
}

static char *name_of(struct tk_conversion *conversion, uint32_t block, uint32_t blocks, int32_t core) {
    const struct tk_look *look = &conversion->look;
    const struct tk_conv_source *source = source_of(conversion);
    struct tk_member member;
    char room[768];
    struct tk_text text = tk_text_in(room, sizeof room);
    tk_text_add(&text, source->info.name);
    if (look->member >= 0) {
        tk_text_add(&text, "/");
        if (tk_archive_member(source->archive, (uint32_t)look->member, &member)) tk_text_add(&text, member.path);
    }
    if (blocks > 1) {
        tk_text_add(&text, core >= 0 ? " (core " : " (part ");
        tk_text_u64(&text, core >= 0 ? (uint32_t)core : block + 1);
        tk_text_add(&text, ")");
    }
    return tk_conv_copy(conversion, room);
}

static void note_damage(struct tk_conversion *conversion) {
    const char *name = conversion->look.reader->is_damaged ? name_of(conversion, 0, 1, -1) : NULL;
    if (name) tk_conv_note_damage(conversion, name, conversion->look.reader);
}

static uint64_t size_of(struct tk_conversion *conversion) {
    const struct tk_look *look = &conversion->look;
    struct tk_member member;
    if (look->member < 0) return source_of(conversion)->info.size;
    return tk_archive_member(source_of(conversion)->archive, (uint32_t)look->member, &member) ? member.size
                                                                                              : UINT64_MAX;
}

static struct tk_conv_input *add_input(struct tk_conversion *conversion, uint32_t block, uint32_t blocks,
                                       int32_t core) {
    struct tk_look *look = &conversion->look;
    if (!tk_alloc_grow(&conversion->alloc, (void **)&conversion->inputs, &conversion->input_capacity,
                       conversion->input_count + 1, sizeof *conversion->inputs))
        return NULL;
    uint32_t container = container_of(conversion);
    struct tk_conv_input *input = &conversion->inputs[conversion->input_count];
    *input = (struct tk_conv_input){ .source = look->source,
                                     .member = look->member,
                                     .block = block,
                                     .container = container,
                                     .named_core = core,
                                     .encoding = look->encoding.kind,
                                     .size = size_of(conversion),
                                     .role = TK_PLAN_AUTO,
                                     .core = TK_PLAN_AUTO,
                                     .with = TK_PLAN_AUTO };
    if (look->reader) {
        input->is_gzip = tk_reader_is_gzip(look->reader);
        input->is_damaged = look->reader->is_damaged;
        memcpy(input->damage, look->reader->damage, sizeof input->damage);
    }
    memcpy(input->encoding_reason, look->encoding.reason, sizeof input->encoding_reason);
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
    bool packing_is_damaged = look->reader->is_damaged;
    tk_conv_note_damage(conversion, source->info.name, look->reader);
    if (packing_is_damaged) source->packing_damage = tk_conv_copy(conversion, look->reader->damage);
    if (problem[0] && !packing_is_damaged)
        tk_conv_message(conversion, TK_MESSAGE_WARNING, look->source, source->info.name, ": ", problem, NULL);
    source->is_archive_damaged = packing_is_damaged || problem[0];
    close_reader(conversion);
    tk_alloc_free(&conversion->alloc, look->range, RANGE_LEN);
    look->range = NULL;
    if (tk_archive_count(source->archive) > 0) {
        look->member = -1;
        look->step = TK_LOOK_NEXT;
        return;
    }
    tk_archive_free(source->archive);
    source->archive = NULL;
    look->step = TK_LOOK_ITEM;
}

static bool begin_list(struct tk_conversion *conversion, tk_archive_kind kind) {
    struct tk_look *look = &conversion->look;
    struct tk_conv_source *source = source_of(conversion);
    source->is_gzip = !source->is_kept && tk_reader_is_gzip(look->reader);
    look->range = tk_alloc_zero(&conversion->alloc, RANGE_LEN);
    look->range_len = look->range_filled = 0;
    if (!look->range ||
        tk_archive_new(&conversion->allocator, kind, source->is_gzip ? UINT64_MAX : source->info.size,
                       &source->archive) != TK_OK ||
        !open_reader(conversion, source->is_gzip))
        return false;
    look->step = TK_LOOK_LIST;
    return true;
}

// Copies bytes of the reader into the range. Returns false when a request was made or memory is missing.
static bool fill_range(struct tk_conversion *conversion) {
    struct tk_look *look = &conversion->look;
    while (look->range_filled < look->range_len && !look->has_ended) {
        if (!look->rest_len && !next_piece(conversion, &look->rest, &look->rest_len)) return false;
        uint64_t ahead = look->range_offset + look->range_filled - look->position;
        size_t drop = ahead < look->rest_len ? (size_t)ahead : look->rest_len;
        size_t len = look->rest_len - drop, room = look->range_len - look->range_filled;
        if (len > room) len = room;
        if (len) memcpy(look->range + look->range_filled, look->rest + drop, len);
        look->range_filled += len;
        look->rest += drop + len;
        look->rest_len -= drop + len;
        look->position += drop + len;
    }
    return true;
}

// Moves the reader to the range. A packed source is read again from its start when the range is before its position.
static bool seek(struct tk_conversion *conversion) {
    struct tk_look *look = &conversion->look;
    if (source_of(conversion)->is_gzip) return look->range_offset >= look->position || open_reader(conversion, true);
    tk_reader_seek(look->reader, look->range_offset, look->range_len);
    look->position = look->range_offset;
    look->rest_len = 0;
    look->has_ended = false;
    return true;
}

static bool list(struct tk_conversion *conversion) {
    struct tk_look *look = &conversion->look;
    const struct tk_conv_source *source = source_of(conversion);
    if (look->range_len) {
        if (!fill_range(conversion)) return true;
        if (tk_archive_feed(source->archive, look->range, look->range_filled) != TK_OK) return false;
        look->range_len = look->range_filled = 0;
    }
    if (tk_archive_wanted(source->archive, &look->range_offset, &look->range_len)) return seek(conversion);
    while (source->is_gzip && !look->has_ended) // the checksum of the data that contain the archive comes last
        if (!next_piece(conversion, &look->rest, &look->rest_len)) return true;
    finish_list(conversion);
    return true;
}

static bool look_at_archive(struct tk_conversion *conversion) {
    struct tk_look *look = &conversion->look;
    if (!look_ahead(conversion, HEAD_OF_ARCHIVE, true)) return true;
    tk_archive_kind kind = tk_archive_probe(look->reader->looked, look->reader->looked_len);
    if (kind == TK_ARCHIVE_NONE) {
        look->step = TK_LOOK_HEAD;
    } else if (source_of(conversion)->info.is_seekable) {
        return begin_list(conversion, kind);
    } else { // its parts are read in any order
        look->step = TK_LOOK_KEEP;
        look->after_keep = TK_LOOK_SOURCE;
    }
    return true;
}

// ---- What can be read only once ----

static void keep(struct tk_conversion *conversion) {
    struct tk_look *look = &conversion->look;
    enum tk_reader_result result = tk_conv_keep(conversion, look->reader);
    if (result == TK_READER_BYTES || !has_result(conversion, result, &(size_t){ 0 })) return;
    note_damage(conversion);
    close_reader(conversion);
    look->step = look->after_keep;
}

// ---- Heads ----

static void choose_encoding(struct tk_conversion *conversion) {
    struct tk_look *look = &conversion->look;
    const struct tk_reader *reader = look->reader;
    const struct tk_source_info *info = &source_of(conversion)->info;
    size_t len = reader->looked_len < TK_PROBE_LEN ? reader->looked_len : TK_PROBE_LEN;
    const uint8_t *head = len ? reader->looked : (const uint8_t *)"";
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

static bool open_blocks(struct tk_conversion *conversion) {
    struct tk_look *look = &conversion->look;
    struct tk_encoding_sink sink = { .ctx = conversion, .begin = on_block, .data = on_bytes };
    look->head_count = 0;
    look->too_many_blocks = false;
    look->heads = tk_alloc_zero(&conversion->alloc, TK_MAX_INPUTS * sizeof *look->heads);
    return look->heads && tk_encoding_new(&conversion->allocator, look->encoding.kind, &sink, &look->decoder) == TK_OK;
}

static void probe_block(const struct tk_look *look, uint32_t block, struct tk_probe *out_probe) {
    tk_probe(tk_carry_bytes(&look->heads[block].bytes), tk_carry_len(&look->heads[block].bytes), NULL, 0, out_probe);
}

// Probes the first bytes of a text that can be read only once.
static bool probe_text_head(struct tk_conversion *conversion) {
    struct tk_look *look = &conversion->look;
    struct tk_encoding_result result;
    bool ok = open_blocks(conversion) &&
              tk_encoding_feed(look->decoder, look->reader->looked, look->reader->looked_len) == TK_OK &&
              tk_encoding_finish(look->decoder, &result) == TK_OK;
    if (ok) probe_block(look, 0, &look->probe);
    close_blocks(conversion);
    return ok;
}

static bool probe_head(struct tk_conversion *conversion) {
    struct tk_look *look = &conversion->look;
    const struct tk_reader *reader = look->reader;
    memset(&look->probe, 0, sizeof look->probe);
    if (look->encoding.kind != TK_ENCODING_BINARY) return probe_text_head(conversion);
    size_t len = reader->looked_len < TK_PROBE_LEN ? reader->looked_len : TK_PROBE_LEN;
    tk_probe(len ? reader->looked : (const uint8_t *)"", len, NULL, 0, &look->probe);
    return true;
}

static bool add_binary(struct tk_conversion *conversion) {
    struct tk_look *look = &conversion->look;
    note_damage(conversion);
    struct tk_conv_input *input = add_input(conversion, 0, 1, -1);
    if (!input) return false;
    input->probe = look->probe;
    input->head_suffices = look->probe.format != NULL;
    struct tk_conv_source *source = source_of(conversion);
    if (source->once == look->reader) look->reader = NULL; // the conversion continues with this reader
    look->step = TK_LOOK_NEXT;
    return true;
}

// Recognises a source that can be read only once by its first bytes, which its reader keeps.
static bool look_at_once(struct tk_conversion *conversion) {
    struct tk_look *look = &conversion->look;
    struct tk_reader *reader = look->reader;
    bool is_padding = look->probe.looked >= TK_PROBE_LEN;
    bool is_dump = conversion->output == TK_OUTPUT_DUMP || conversion->output == TK_OUTPUT_SAMPLES;
    if (!look_ahead(conversion, (is_padding ? (size_t)look->probe.looked : 0) + TK_PROBE_LEN, !is_padding)) return true;
    choose_encoding(conversion);
    if (look->encoding.kind != TK_ENCODING_BINARY && (!is_dump || look->encoding.kind == TK_ENCODING_JSON)) {
        look->step = TK_LOOK_KEEP;
        look->after_keep = TK_LOOK_ITEM;
        return true;
    }
    if (!is_padding) {
        if (!probe_head(conversion)) return false;
        if (!look->probe.format && reader->looked_len < TK_PROBE_LEN && !look->has_ended) {
            tk_conv_need(conversion, reader);
            return true;
        }
    } else { // padding, after which a recording may follow
        size_t at = (size_t)look->probe.looked, fresh = reader->looked_len - at;
        if (fresh > TK_PROBE_LEN) fresh = TK_PROBE_LEN;
        if (!fresh || !tk_probe_continue(reader->looked + at, fresh, &look->probe)) return add_binary(conversion);
    }
    bool goes_on = look->encoding.kind == TK_ENCODING_BINARY && look->probe.padding && !look->probe.format &&
                   look->probe.looked >= TK_PROBE_LEN && look->probe.looked < PADDING_OF_LINE && !look->has_ended;
    return goes_on || add_binary(conversion);
}

static bool look_at_head(struct tk_conversion *conversion) {
    struct tk_look *look = &conversion->look;
    if (source_of(conversion)->once == look->reader) return look_at_once(conversion);
    if (!look_ahead(conversion, TK_PROBE_LEN, false)) return true;
    choose_encoding(conversion);
    if (look->encoding.kind != TK_ENCODING_BINARY) {
        look->step = TK_LOOK_BLOCKS;
        return open_blocks(conversion);
    }
    if (!probe_head(conversion)) return false;
    if (look->probe.looked < TK_PROBE_LEN || !tk_probe_can_continue(&look->probe)) return add_binary(conversion);
    look->step = TK_LOOK_FURTHER;
    look->skip = look->probe.looked;
    look->part_len = 0;
    look->part = tk_alloc_zero(&conversion->alloc, TK_PROBE_LEN);
    return look->part != NULL;
}

// Continues the search in a dump of memory, in which a recording may begin anywhere. The bytes after the head are
// probed in parts of the same length.
static bool probe_further(struct tk_conversion *conversion) {
    struct tk_look *look = &conversion->look;
    bool goes_on = true;
    while (goes_on && !look->has_ended) {
        const uint8_t *bytes;
        size_t len;
        if (!next_piece(conversion, &bytes, &len)) return true;
        size_t drop = look->skip < len ? (size_t)look->skip : len;
        look->skip -= drop;
        for (size_t at = drop; at < len && goes_on;) {
            size_t room = TK_PROBE_LEN - look->part_len, step = len - at < room ? len - at : room;
            memcpy(look->part + look->part_len, bytes + at, step);
            look->part_len += step;
            at += step;
            if (look->part_len < TK_PROBE_LEN) continue;
            goes_on = tk_probe_continue(look->part, look->part_len, &look->probe);
            look->part_len = 0;
        }
    }
    if (goes_on && look->part_len) tk_probe_continue(look->part, look->part_len, &look->probe);
    tk_alloc_free(&conversion->alloc, look->part, TK_PROBE_LEN);
    look->part = NULL;
    return add_binary(conversion);
}

static bool add_blocks(struct tk_conversion *conversion, const char *bad_text) {
    struct tk_look *look = &conversion->look;
    struct tk_conv_source *source = source_of(conversion);
    uint32_t container = look->head_count > 1 ? ++conversion->containers : 0;
    bool ok = true;
    size_t reason_len = strlen(look->encoding.reason);
    struct tk_text reason = tk_text_in(look->encoding.reason + reason_len, sizeof look->encoding.reason - reason_len);
    if (bad_text[0] && look->head_count) {
        tk_text_add(&reason, "; ");
        tk_text_add(&reason, bad_text);
    }
    for (uint32_t i = 0; ok && i < look->head_count; i++) {
        struct tk_conv_input *input = add_input(conversion, i, look->head_count, look->heads[i].core);
        ok = input != NULL;
        if (!ok) break;
        input->size = look->heads[i].size;
        probe_block(look, i, &input->probe);
        input->head_suffices = input->probe.format != NULL;
        if (look->head_count > 1) input->is_block = true, input->container = container;
    }
    if (!look->head_count) {
        reason = tk_text_in(look->encoding.reason, sizeof look->encoding.reason);
        tk_text_add(&reason, "it is a text without digits of a recording");
        ok = add_input(conversion, 0, 1, -1) != NULL;
    }
    if (look->too_many_blocks)
        tk_conv_message(conversion, TK_MESSAGE_WARNING, look->source, source->info.name,
                        ": only the first 64 blocks are read", NULL);
    close_blocks(conversion);
    look->step = TK_LOOK_NEXT;
    return ok;
}

// Recognises all blocks of a text.
static bool look_at_blocks(struct tk_conversion *conversion) {
    struct tk_look *look = &conversion->look;
    struct tk_encoding_result result;
    const uint8_t *bytes;
    size_t len;
    bool ok;
    do {
        if (!next_piece(conversion, &bytes, &len)) return true;
        ok = !len || tk_encoding_feed(look->decoder, bytes, len) == TK_OK;
    } while (ok && len);
    note_damage(conversion);
    return ok && tk_encoding_finish(look->decoder, &result) == TK_OK && add_blocks(conversion, result.bad_text);
}

// ---- Steps: each returns false when memory is missing ----

static bool begin_item(struct tk_conversion *conversion) {
    struct tk_look *look = &conversion->look;
    struct tk_conv_source *source = source_of(conversion);
    bool may_be_archive = look->step == TK_LOOK_SOURCE && source->info.encoding == TK_PLAN_AUTO;
    memset(&look->probe, 0, sizeof look->probe);
    if (!open_reader(conversion, true)) return false;
    if (!source->info.is_seekable) source->once = look->reader;
    look->step = may_be_archive ? TK_LOOK_ARCHIVE : TK_LOOK_HEAD;
    return true;
}

static bool add_unreadable(struct tk_conversion *conversion, const char *reason) {
    memset(&conversion->look.encoding, 0, sizeof conversion->look.encoding);
    struct tk_conv_input *input = add_input(conversion, 0, 1, -1);
    if (!input) return false;
    struct tk_text text = tk_text_in(input->probe.reason, sizeof input->probe.reason);
    tk_text_add(&text, reason);
    input->is_unreadable = true;
    return true;
}

static void go_to_next_source(struct tk_look *look) {
    look->source++;
    look->member = -1;
    look->step = TK_LOOK_SOURCE;
}

static bool go_to_next(struct tk_conversion *conversion) {
    struct tk_look *look = &conversion->look;
    const struct tk_conv_source *source = source_of(conversion);
    close_reader(conversion);
    struct tk_member member;
    while (source->archive && tk_archive_member(source->archive, (uint32_t)(look->member + 1), &member)) {
        look->member++;
        const char *reason = tk_member_reason(member.state);
        if (!reason[0]) {
            look->step = TK_LOOK_ITEM;
            return true;
        }
        tk_conv_message(conversion, TK_MESSAGE_WARNING, look->source, source->info.name, "/", member.path,
                        ": left out, ", reason, NULL);
        if (!add_unreadable(conversion, reason)) return false;
    }
    go_to_next_source(look);
    return true;
}

void tk_look_step(struct tk_conversion *conversion) {
    struct tk_look *look = &conversion->look;
    if (source_of(conversion)->is_unreadable) { // the first byte cannot be read
        source_of(conversion)->once = NULL;
        close_reader(conversion);
        go_to_next_source(look);
        return;
    }
    bool ok = true;
    switch (look->step) {
    case TK_LOOK_SOURCE:
    case TK_LOOK_ITEM: ok = begin_item(conversion); break;
    case TK_LOOK_ARCHIVE: ok = look_at_archive(conversion); break;
    case TK_LOOK_LIST: ok = list(conversion); break;
    case TK_LOOK_HEAD: ok = look_at_head(conversion); break;
    case TK_LOOK_KEEP: keep(conversion); break;
    case TK_LOOK_FURTHER: ok = probe_further(conversion); break;
    case TK_LOOK_BLOCKS: ok = look_at_blocks(conversion); break;
    case TK_LOOK_NEXT: ok = go_to_next(conversion); break;
    }
    if (!ok) out_of_memory(conversion);
}

void tk_look_release(struct tk_conversion *conversion) {
    struct tk_look *look = &conversion->look;
    bool is_once = false;
    for (uint32_t i = 0; i < conversion->source_count; i++) is_once |= conversion->sources[i].once == look->reader;
    if (!is_once) close_reader(conversion);
    close_blocks(conversion);
}
