// SPDX-License-Identifier: MIT
//
// Determines the layout of a stream: a description that the user gave, or a layout of Zephyr.
#include <string.h>

#include "ctf.h"

#include "../../base/bytes.h"

enum { FEWEST = 64, FEWEST_OF_ANY = 8, MOST_BEFORE = 4096, TEXT = TK_LOOKUP_OF_FORMAT };

#define MAGIC UINT32_C(0xC1FC1FC1)

// ---- Packets -------------------------------------------------------------------------------------

uint64_t ctf_extend(uint64_t last, uint64_t value, unsigned size, bool *out_fell) {
    *out_fell = false;
    if (size >= 64) {
        *out_fell = value < last;
        return value;
    }
    uint64_t turn = UINT64_C(1) << size, extended = (last & ~(turn - 1)) | (value & (turn - 1));
    return extended < last ? extended + turn : extended;
}

size_t ctf_find_magic(const struct ctf_schema *schema, const uint8_t *bytes, size_t len, size_t from) {
    static const uint8_t little[] = { 0xC1, 0x1F, 0xFC, 0xC1 }, big[] = { 0xC1, 0xFC, 0x1F, 0xC1 };
    const uint8_t *magic = schema->is_big ? big : little;
    if (schema->packet_header == CTF_NO_TYPE) return from;
    for (size_t at = from; at < len; at++) {
        const uint8_t *found = memchr(bytes + at, magic[0], len - at);
        if (!found) return len;
        at = (size_t)(found - bytes);
        size_t left = len - at;
        if (!memcmp(found, magic, left < sizeof little ? left : sizeof little)) return at;
    }
    return len;
}

static bool is_plausible(const struct ctf_packet *packet) {
    if (packet->len != UINT64_MAX && (!packet->len || packet->len % 8 || packet->content > packet->len)) return false;
    if (packet->content < packet->header || (packet->has_cpu && packet->cpu >= TK_MAX_CORES)) return false;
    return !packet->has_begin || !packet->has_end || packet->begin <= packet->end;
}

enum ctf_verdict ctf_read_packet(const struct ctf_schema *schema, struct ctf_reader *reader, const uint8_t *bytes,
                                 size_t len, struct ctf_packet *out_packet) {
    struct ctf_cursor cursor = { .bytes = bytes, .end = len * UINT64_C(8), .limit = UINT64_MAX };
    struct ctf_packet packet = { .content = UINT64_MAX, .len = UINT64_MAX };
    uint64_t value, stream = 0;
    ctf_begin_header(reader);
    enum ctf_verdict verdict = ctf_read_header(reader, schema->packet_header, &cursor);
    if (verdict != CTF_OK) return verdict;
    if (ctf_recent(reader, "magic", &value) && (uint32_t)value != MAGIC) return CTF_BAD;
    ctf_recent(reader, "stream_id", &stream);
    packet.stream = ctf_find_stream(schema, stream);
    if (!packet.stream) return CTF_BAD;
    uint32_t header = reader->recent_count;
    verdict = ctf_read_header(reader, packet.stream->packet_context, &cursor);
    if (verdict != CTF_OK) return verdict;
    packet.header = cursor.at;
    packet.has_begin = ctf_recent(reader, "timestamp_begin", &packet.begin);
    packet.has_end = ctf_recent(reader, "timestamp_end", &packet.end) && packet.end;
    if (reader->recent_count == header) packet.has_begin = packet.has_end = false;
    ctf_recent(reader, "packet_size", &packet.len);
    if (!ctf_recent(reader, "content_size", &packet.content)) packet.content = packet.len;
    ctf_recent(reader, "packet_seq_num", &packet.sequence);
    packet.has_discarded = ctf_recent(reader, "events_discarded", &packet.discarded);
    packet.has_cpu = ctf_recent(reader, "cpu_id", &value);
    packet.cpu = packet.has_cpu && value < UINT32_MAX ? (unsigned)value : packet.has_cpu ? UINT32_MAX : 0;
    ctf_end_header(reader);
    *out_packet = packet;
    return is_plausible(&packet) ? CTF_OK : CTF_BAD;
}

// ---- Trying a description ------------------------------------------------------------------------

struct trial {
    uint32_t events;
    bool is_whole; // all events up to the end of the bytes, or enough of them
};

static struct trial try_events(struct ctf *d, const struct ctf_stream_class *stream, struct ctf_cursor cursor,
                               bool is_end) {
    struct trial trial = { 0 };
    struct ctf_event event;
    while (trial.events < FEWEST) {
        enum ctf_verdict verdict =
            cursor.at < cursor.end ? ctf_read_event(&d->reader, stream, &cursor, &event) : CTF_SHORT;
        if (verdict == CTF_OK && !ctf_names_are_valid(&d->schema, &event)) verdict = CTF_BAD;
        if (verdict == CTF_BAD) {
            size_t at = (size_t)(cursor.at / 8), end = (size_t)(cursor.end / 8);
            bool is_unused = at >= end || tk_is_zero(cursor.bytes + at, end - at); // memory
            trial.is_whole = is_end && trial.events && is_unused;
            return trial;
        }
        if (verdict == CTF_SHORT) break;
        trial.events++;
    }
    trial.is_whole = trial.events > 0;
    return trial;
}

static struct trial try_stream(struct ctf *d, const uint8_t *head, size_t len, bool is_end) {
    struct trial best = { 0 };
    struct ctf_packet packet;
    bool has_packets = d->schema.packet_header || d->schema.streams[0].packet_context;
    for (size_t from = 0; from < len && from < MOST_BEFORE; from++) {
        from = ctf_find_magic(&d->schema, head, len, from);
        if (from == len || ctf_read_packet(&d->schema, &d->reader, head + from, len - from, &packet) != CTF_OK)
            continue;
        struct ctf_cursor cursor = {
            .bytes = head + from, .at = packet.header, .end = (len - from) * UINT64_C(8), .limit = packet.content
        };
        if (cursor.end > packet.content) cursor.end = packet.content;
        struct trial trial = try_events(d, packet.stream, cursor, is_end && !has_packets);
        if (trial.events > best.events) best = trial;
        if (best.is_whole || best.events >= FEWEST_OF_ANY) return best;
        if (!from && !d->schema.is_rtos) return best; // the search needs names
    }
    return best;
}

// ---- Descriptions that the user gave -------------------------------------------------------------

// Puts the text of a side input together. Returns its length; 0: it is none.
static size_t text_of(const struct tk_lookup *lookup, struct tk_carry *text, struct tk_alloc *alloc,
                      uint32_t *out_input) {
    const char *piece;
    uint64_t input = 0;
    size_t len;
    for (uint32_t i = 0; tk_lookup_text_of(lookup, (struct tk_lookup_key){ .space = TEXT, .id = i }, &piece, &len); i++)
        if (!tk_carry_add(text, alloc, (const uint8_t *)piece, len)) return 0;
    tk_lookup_number_of(lookup, (struct tk_lookup_key){ .space = TEXT }, &input);
    *out_input = (uint32_t)input;
    return tk_carry_len(text);
}

static void use_schema(struct ctf *d) { d->reader.schema = &d->schema; }

// Reads a description and tries it. Returns false if it cannot be used.
static bool try_description(struct ctf *d, const struct tk_lookup *lookup, const uint8_t *head, size_t len, bool is_end,
                            bool is_final, struct trial *out_trial) {
    struct tk_carry text = { 0 };
    struct tsdl_problem problem = { 0 };
    uint32_t input = 0;
    *out_trial = (struct trial){ 0 };
    bool ok = text_of(lookup, &text, d->host.alloc, &input) > 0;
    if (ok) {
        ctf_schema_init(&d->schema, d->host.alloc);
        ok = tsdl_read((const char *)tk_carry_bytes(&text), tk_carry_len(&text), &d->schema, &problem);
        if (problem.line && (is_final || !ok)) {
            d->problem = problem;
            tk_diag_note(d->host.diag, TK_DIAG_DESCRIPTION_LINE, &(struct tk_source_pos){ .input = input },
                         problem.line);
        }
        use_schema(d);
        if (ok) *out_trial = try_stream(d, head, len, is_end);
        else ctf_schema_free(&d->schema);
    }
    tk_carry_free(&text, d->host.alloc);
    return ok;
}

static bool fits(const struct trial *trial) { return trial->is_whole || trial->events >= FEWEST_OF_ANY; }

// Returns the description that fits best, even if it does not fit (is_refused); NULL: there is none.
static const struct tk_lookup *find_description(struct ctf *d, const uint8_t *head, size_t len, bool is_end) {
    const struct tk_lookup *first = d->host.lookup ? *d->host.lookup : NULL, *best = NULL;
    struct trial trial, most = { 0 };
    bool has_any = false;
    for (const struct tk_lookup *at = first; at && !most.is_whole; at = at->next) {
        if (!try_description(d, at, head, len, is_end, false, &trial)) continue;
        has_any = true;
        if (!best || trial.events > most.events) best = at, most = trial;
        ctf_schema_free(&d->schema);
    }
    for (const struct tk_lookup *at = first; at; at = at->next) {
        uint64_t input = 0;
        bool is_text = tk_lookup_number_of(at, (struct tk_lookup_key){ .space = TEXT }, &input);
        if (at != best && best && is_text && fits(&most))
            tk_diag_note(d->host.diag, TK_DIAG_INPUT_UNUSED, &(struct tk_source_pos){ .input = (uint32_t)input }, 1);
    }
    d->is_refused = has_any && !fits(&most) && len;
    if (d->is_refused)
        tk_diag_note(d->host.diag, TK_DIAG_DESCRIPTION_MISFIT, &(struct tk_source_pos){ .input = d->host.input }, 1);
    return best;
}

bool ctf_choose(struct ctf *d, const uint8_t *head, size_t len, bool is_end) {
    struct ctf_look look;
    struct trial trial;
    const struct tk_lookup *description = find_description(d, head, len, is_end);
    bool is_zephyr = (!description || d->is_refused) && ctf_zephyr_look(head, len, is_end, &look);
    if (description && !is_zephyr) {
        d->used = description;
        return try_description(d, description, head, len, is_end, true, &trial);
    }
    if (!is_zephyr) look.layout = (struct ctf_layout){ .time_size = 4, .id_size = 1, .is_later = true };
    d->layout = look.layout;
    ctf_schema_init(&d->schema, d->host.alloc);
    use_schema(d);
    return ctf_zephyr_schema(&d->schema, &look.layout);
}
