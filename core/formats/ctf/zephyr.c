// SPDX-License-Identifier: MIT
#include "zephyr.h"

#include <string.h>

#include "../../base/bytes.h"

enum {
    IDS = 0x186,
    NAME = 20,          // bytes of a name
    ENOUGH = 64,        // events that show a layout
    FEWEST = 8,         // events in a row after bytes that are none
    FEWEST_WHOLE = 4,   // events that are enough if the stream ends with them
    MOST_BEFORE = 4096, // bytes of boot text before the first event
    SECOND = 1000000000
};

static const struct event_def {
    uint16_t id;
    const char *name, *end; // `end` follows the name
    const char *fields;
} defs[] = {
#define CTF_EVENT(id, name, fields) { id, name, "", fields },
#define CTF_CALL(enter, exit, name, enter_fields, exit_fields) \
    { enter, name, "_enter", enter_fields }, { exit, name, "_exit", exit_fields },
#include "zephyr.def"
};
enum { DEFS = sizeof defs / sizeof *defs };

struct field_def {
    const char *name;
    size_t len;
    unsigned size; // bytes
    char type;     // u, i, s
};

// Takes the next field of a list. Returns false at its end.
static bool next_field(const char **at, bool is_later, struct field_def *out_field) {
    while (**at) {
        bool is_left_out = **at == '!' && !is_later;
        *at += **at == '!';
        *out_field = (struct field_def){ .name = *at, .size = 4, .type = 'u' };
        while (**at && **at != ',' && **at != ':') ++*at;
        out_field->len = (size_t)(*at - out_field->name);
        if (**at == ':') {
            char type = *++*at;
            ++*at;
            out_field->type = type == 's' ? 's' : type == 'i' || type == 'c' ? 'i' : 'u';
            out_field->size = type == 'b' || type == 'c' ? 1 : type == 'h' ? 2 : 4;
            if (type == 's')
                for (out_field->size = 0; **at >= '0' && **at <= '9'; ++*at)
                    out_field->size = out_field->size * 10 + (unsigned)(**at - '0');
        }
        *at += **at == ',';
        if (!is_left_out) return true;
    }
    return false;
}

// ---- Looking at bytes ----------------------------------------------------------------------------

// Bytes of the events after their headers, and where their names are.
struct sizes {
    uint8_t len_plus_1[IDS]; // 0: no such event
    uint8_t name_plus_1[IDS];
};

static void measure_event(struct sizes *sizes, const struct event_def *def, bool is_later) {
    const char *at = def->fields;
    struct field_def field;
    unsigned len = 0;
    while (next_field(&at, is_later, &field)) {
        if (field.type == 's' && field.size == NAME) sizes->name_plus_1[def->id] = (uint8_t)(len + 1);
        len += field.size;
    }
    sizes->len_plus_1[def->id] = (uint8_t)(len + 1);
}

// Measures the events of earlier and of later versions.
static void measure(struct sizes sizes[2]) {
    memset(&sizes[1], 0, sizeof sizes[1]);
    for (size_t i = 0; i < DEFS; i++) measure_event(&sizes[1], &defs[i], true);
    sizes[0] = sizes[1];
    for (size_t i = 0; i < DEFS; i++)
        if (strchr(defs[i].fields, '!')) measure_event(&sizes[0], &defs[i], false);
}

// Eight bytes per step, because every event of a thread contains its name.
bool ctf_is_padded_text(const uint8_t *text, size_t len) {
    const uint64_t ones = 0x0101010101010101u, tops = 0x8080808080808080u;
    size_t end = 0;
    for (; end + 8 <= len; end += 8) {
        uint64_t word = tk_load64(text + end), low = (word - ' ' * ones) & ~word, rubout = word ^ 0x7F * ones,
                 others = (low | ((rubout - ones) & ~rubout)) & tops; // the lowest one is exact
        if (!others) continue;
        end += (size_t)__builtin_ctzll(others) / 8;
        break;
    }
    while (end < len && text[end] >= ' ' && text[end] != 0x7F) end++;
    if (end == len) return false; // the last byte is 0
    return tk_is_zero(text + end, len - end);
}

struct walk {
    const struct sizes *sizes;
    const struct ctf_layout *layout;
    const uint8_t *bytes;
    size_t at, end;
    uint32_t events, names, pauses;
    uint64_t first, last;
};

// Returns the id of the event at the start of the bytes, of at least the length of a header.
static inline unsigned id_at(const uint8_t *at, unsigned time_size, unsigned id_size) {
    return at[time_size] | (id_size == 2 ? (unsigned)at[time_size + 1] << 8 : 0);
}

static inline bool is_known(const struct sizes *sizes, unsigned id) { return id < IDS && sizes->len_plus_1[id]; }

// Reads an event. Returns false if there is none.
static bool step(struct walk *walk) {
    const struct ctf_layout *layout = walk->layout;
    const uint8_t *at = walk->bytes + walk->at;
    size_t left = walk->end - walk->at, head = layout->time_size + layout->id_size;
    if (left < head) return false;
    uint64_t time = layout->time_size == 8 ? tk_load64(at) : tk_load32(at);
    unsigned id = id_at(at, layout->time_size, layout->id_size);
    if (!is_known(walk->sizes, id)) return false;
    size_t len = head + walk->sizes->len_plus_1[id] - 1u, name = walk->sizes->name_plus_1[id];
    if (layout->has_core) len += 4;
    if (len > left) return false;
    if (layout->has_core && tk_load32(at + len - 4) >= 32) return false;
    if (name && !ctf_is_padded_text(at + head + name - 1, NAME)) return false;
    uint64_t passed = layout->time_size == 8 ? time - walk->last : (uint32_t)(time - walk->last);
    if (walk->events && passed >= SECOND) {
        if (layout->time_size == 8 && passed > INT64_MAX) return false;
        if (++walk->pauses * 4 > walk->events + 8) return false;
    }
    if (!walk->events) walk->first = time;
    walk->last = time;
    walk->names += name && at[head + name - 1];
    walk->events++;
    walk->at += len;
    return true;
}

static struct walk walk_from(const struct sizes *sizes, const struct ctf_layout *layout, const uint8_t *bytes,
                             size_t from, size_t end) {
    struct walk walk = { .sizes = sizes, .layout = layout, .bytes = bytes, .at = from, .end = end };
    while (walk.events < ENOUGH * 8 && step(&walk)) {}
    return walk;
}

// Returns true if a walk shows that its layout is that of the stream.
static bool is_enough(const struct walk *walk, bool is_end, bool is_at_start) {
    size_t left = walk->end - walk->at;
    if (!walk->names) return false;
    if (walk->events >= (is_at_start ? FEWEST : 2 * FEWEST) && walk->names >= 2) return true;
    return is_end && walk->events >= FEWEST_WHOLE && (left < 16 || tk_is_zero(walk->bytes + walk->at, left));
}

static bool look_at_events(const struct sizes sizes[2], const uint8_t *bytes, size_t len, size_t from, bool is_end,
                           struct ctf_look *out_look) {
    static const struct {
        uint8_t time_size, id_size;
        bool has_core;
    } kinds[] = { { 4, 1, false }, { 4, 2, false }, { 8, 2, false }, { 4, 1, true } };
    struct walk best = { 0 };
    for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        size_t head = kinds[i].time_size + kinds[i].id_size;
        if (len - from < head || !is_known(&sizes[1], id_at(bytes + from, kinds[i].time_size, kinds[i].id_size)))
            continue; // for speed: most bytes of other files
        for (int later = 1; later >= 0; later--) {
            struct ctf_layout layout = { .time_size = kinds[i].time_size,
                                         .id_size = kinds[i].id_size,
                                         .is_later = later,
                                         .has_core = kinds[i].has_core };
            struct walk walk = walk_from(&sizes[later], &layout, bytes, from, len);
            if (!is_enough(&walk, is_end, !from) || walk.events <= best.events) continue;
            best = walk;
            out_look->layout = layout;
        }
    }
    if (!best.events) return false;
    out_look->from = from;
    out_look->events = best.events;
    out_look->names = best.names;
    out_look->first = best.first;
    out_look->last = best.last;
    return true;
}

// ---- Packets -------------------------------------------------------------------------------------

static bool read_packet(const uint8_t *at, size_t len, enum ctf_packets kind, struct ctf_zephyr_packet *out_packet) {
    static const uint8_t magic[] = { 0xC1, 0x1F, 0xFC, 0xC1 };
    bool has_cpu = kind == CTF_CPU_PACKETS;
    size_t header = has_cpu ? 37 : 36, context = has_cpu ? 8 : 4;
    if (len < header || memcmp(at, magic, sizeof magic)) return false;
    uint32_t content = tk_load32(at + context + 16), whole = tk_load32(at + context + 20);
    *out_packet = (struct ctf_zephyr_packet){ .begin = tk_load64(at + context),
                                              .end = tk_load64(at + context + 8),
                                              .content = content / 8,
                                              .len = whole / 8,
                                              .header_len = (uint32_t)header };
    if (has_cpu) out_packet->cpu = at[36];
    if (has_cpu && (tk_load32(at + 4) > 255 || out_packet->cpu >= 32)) return false;
    return content % 8 == 0 && whole % 8 == 0 && out_packet->content >= header &&
           out_packet->len >= out_packet->content && out_packet->begin <= out_packet->end;
}

static bool look_at_packets(const struct sizes sizes[2], const uint8_t *bytes, size_t len, size_t from,
                            struct ctf_look *out_look) {
    for (unsigned kind = CTF_CPU_PACKETS; kind <= CTF_RING_PACKETS; kind++) {
        struct ctf_look look = { .layout = { 8, 2, (uint8_t)kind, true, false }, .from = from };
        uint32_t events[2] = { 0 };
        struct ctf_zephyr_packet packet;
        for (size_t at = from; read_packet(bytes + at, len - at, (enum ctf_packets)kind, &packet);) {
            size_t content = packet.content < len - at ? packet.content : len - at;
            for (int later = 0; later < 2; later++) {
                struct walk walk = walk_from(&sizes[later], &look.layout, bytes, at + packet.header_len, at + content);
                events[later] += walk.events;
                look.names += later ? walk.names : 0;
            }
            if (!look.packets || packet.begin < look.first) look.first = packet.begin;
            if (packet.end > look.last) look.last = packet.end;
            look.packets++;
            if (kind == CTF_CPU_PACKETS) look.cores_mask |= UINT32_C(1) << packet.cpu;
            if (packet.len >= len - at) break;
            at += packet.len;
        }
        look.layout.is_later = events[1] >= events[0];
        look.events = events[look.layout.is_later];
        if (look.events < FEWEST_WHOLE || look.events <= out_look->events) continue;
        *out_look = look;
    }
    return out_look->packets > 0;
}

bool ctf_zephyr_look(const uint8_t *bytes, size_t len, bool is_end, struct ctf_look *out_look) {
    struct sizes sizes[2];
    measure(sizes);
    *out_look = (struct ctf_look){ 0 };
    for (size_t from = 0; from < len && from < MOST_BEFORE; from++) // boot text may come before
        if (look_at_packets(sizes, bytes, len, from, out_look) ||
            look_at_events(sizes, bytes, len, from, is_end, out_look))
            return true;
    return false;
}

// ---- Schemas -------------------------------------------------------------------------------------

// Types that are added once.
struct types {
    uint32_t integers[2][9]; // by sign and bytes
    uint32_t texts[64];      // by length
};

static uint32_t integer(struct ctf_schema *s, struct types *types, unsigned bytes, bool is_signed) {
    uint32_t *type = &types->integers[is_signed][bytes];
    if (!*type)
        *type = ctf_schema_type(s, &(struct ctf_type){ .kind = CTF_INTEGER,
                                                       .order = CTF_LITTLE,
                                                       .size = (uint16_t)(bytes * 8),
                                                       .align = 8,
                                                       .depth = 1,
                                                       .is_signed = is_signed });
    return *type;
}

static uint32_t text_of(struct ctf_schema *s, struct types *types, unsigned len) {
    uint32_t *type = &types->texts[len % 64], character = integer(s, types, 1, false);
    if (!*type && character)
        *type = ctf_schema_type(
            s, &(struct ctf_type){
                   .kind = CTF_ARRAY, .align = 8, .depth = 2, .is_text = true, .element = character, .length = len });
    return *type;
}

static bool add_field(struct ctf_schema *s, struct types *types, const struct field_def *field) {
    uint32_t name = ctf_schema_text(s, field->name, field->len),
             type = field->type == 's' ? text_of(s, types, field->size)
                                       : integer(s, types, field->size, field->type == 'i');
    return name && type && ctf_schema_field(s, name, type);
}

static bool add_class(struct ctf_schema *s, struct types *types, const struct event_def *def,
                      const struct ctf_layout *layout) {
    static const struct field_def core = { .name = "core_id", .len = sizeof "core_id" - 1, .size = 4, .type = 'u' };
    char room[64];
    const char *at = def->fields;
    struct field_def field;
    uint32_t count = 0;
    size_t len = strlen(def->name), end = strlen(def->end);
    memcpy(room, def->name, len);
    memcpy(room + len, def->end, end);
    struct ctf_class *class = ctf_schema_class(s);
    if (!class) return false;
    class->id = def->id;
    class->name = ctf_schema_text(s, room, len + end);
    for (; next_field(&at, layout->is_later, &field); count++)
        if (!add_field(s, types, &field)) return false;
    if (layout->has_core) {
        if (!add_field(s, types, &core)) return false;
        count++;
    }
    class->fields = ctf_schema_struct(s, count, 8);
    return class->fields != CTF_NO_TYPE;
}

// "name4" is a field of four bytes.
static uint32_t header_of(struct ctf_schema *s, struct types *types, const char *const *fields) {
    uint32_t count = 0;
    for (; fields[count]; count++) {
        size_t len = strlen(fields[count]) - 1;
        struct field_def field = {
            .name = fields[count], .len = len, .size = (unsigned)(fields[count][len] - '0'), .type = 'u'
        };
        if (!add_field(s, types, &field)) return CTF_NO_TYPE;
    }
    return ctf_schema_struct(s, count, 8);
}

bool ctf_zephyr_schema(struct ctf_schema *s, const struct ctf_layout *layout) {
    static const char *const headers[][3] = { { "timestamp4", "id1", NULL },
                                              { "timestamp4", "id2", NULL },
                                              { "timestamp8", "id2", NULL } };
    static const char *const cpu_header[] = { "magic4", "stream_id4", NULL }, *const ring_header[] = { "magic4", NULL };
    static const char *const cpu_context[] = { "timestamp_begin8",
                                               "timestamp_end8",
                                               "content_size4",
                                               "packet_size4",
                                               "events_discarded4",
                                               "cpu_id1",
                                               NULL },
                             *const ring_context[] = { "timestamp_begin8", "timestamp_end8",  "content_size4",
                                                       "packet_size4",     "packet_seq_num8", NULL };
    struct types types = { 0 };
    struct ctf_stream_class *stream = ctf_schema_stream(s);
    if (!stream) return false;
    stream->event_header = header_of(s, &types, headers[layout->time_size == 8 ? 2 : layout->id_size - 1]);
    if (!stream->event_header) return false;
    if (layout->packets) {
        bool has_cpu = layout->packets == CTF_CPU_PACKETS;
        s->packet_header = header_of(s, &types, has_cpu ? cpu_header : ring_header);
        stream->packet_context = header_of(s, &types, has_cpu ? cpu_context : ring_context);
        if (!s->packet_header || !stream->packet_context) return false;
    }
    for (size_t i = 0; i < DEFS; i++)
        if ((layout->id_size == 2 || defs[i].id < 256) && !add_class(s, &types, &defs[i], layout)) return false;
    return ctf_schema_finish(s);
}
