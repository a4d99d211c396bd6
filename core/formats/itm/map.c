// SPDX-License-Identifier: MIT
#include "itm.h"

#include <string.h>

#include "../../base/utf8.h"

// Tracks that recordings have once; further ones follow.
enum {
    DATA_GROUP = 1,
    PORT_GROUP,
    COUNTER_GROUP,
    PC_TRACK,
    DATA_INSTANTS,
    TEXT_TRACK,
    EXCEPTION_TRACK,
    FIRST_TRACK = 16
};
enum { FEWEST_TIMES = 3 }; // local timestamps that prove that the recording has some
enum key { KEY_DATA = 1, KEY_PORT, KEY_COUNTER };

static const char *const kind_names[TK_ITM_KINDS] = {
    "sync",         "padding",   "overflow", "local timestamp", "global timestamp 1", "global timestamp 2",
    "page",         "extension", "software", "counters",        "exception",          "pc",
    "no pc",        "pmu",       "data pc",  "data match",      "data address",       "data read",
    "data written", "bad"
};

const char *itm_kind_name(unsigned kind) { return kind_names[kind]; }

// ---- Events --------------------------------------------------------------------------------------

static struct tk_event *emit_at(struct itm_map *map, enum tk_event_kind kind, bool is_timed,
                                const struct itm_pending *at) {
    struct tk_event *event = tk_batch_slot(map->batch);
    *event = (struct tk_event){ .kind = (uint8_t)kind,
                                .timed = is_timed,
                                .ticks = at->cycles,
                                .input = (uint8_t)map->host->input,
                                .core = map->host->core,
                                .offset = at->offset,
                                .frame = at->number,
                                .frame_len = at->len };
    tk_batch_add(map->batch);
    return event;
}

static struct tk_event *emit(struct itm_map *map, enum tk_event_kind kind) { return emit_at(map, kind, true, map->at); }

static void set_text(struct itm_map *map, struct tk_event *event, const char *text, size_t len) {
    event->str = tk_arena_copy(&map->batch->memory, text, len);
    event->str_len = event->str ? (uint32_t)len : 0;
}

static void set_values(struct itm_map *map, struct tk_event *event, const struct tk_value *values, uint8_t count) {
    event->values = tk_arena_copy(&map->batch->memory, values, count * sizeof *values);
    event->value_count = event->values ? count : 0;
}

static void emit_problem(struct itm_map *map, enum tk_diag_id id, const char *words) {
    struct tk_event *event = emit(map, TK_EV_PROBLEM);
    event->problem.diag = id;
    tk_event_set_text(event, words);
}

static struct tk_source_pos place_of(const struct itm_map *map, const struct itm_pending *at) {
    return (struct tk_source_pos){
        .input = map->host->input, .has_offset = true, .offset = at->offset, .frame = at->number
    };
}

// ---- Tracks --------------------------------------------------------------------------------------

static void define(struct itm_map *map, uint32_t track, const struct tk_track_def *definition, const char *name,
                   size_t len) {
    const struct tk_track_def *copy = tk_arena_copy(&map->batch->memory, definition, sizeof *definition);
    if (!copy) return;
    struct tk_event *event = emit_at(map, TK_EV_TRACK_DEFINED, false, map->at);
    event->track_defined = (struct tk_event_track_defined){ map->first_track + track, copy };
    set_text(map, event, name, len);
}

// Defines one of the tracks that recordings have once.
static void need_track(struct itm_map *map, uint32_t track) {
    static const struct {
        const char *name;
        struct tk_track_def definition;
    } fixed[] = {
        [DATA_GROUP] = { "Data trace", { .type = TK_TRACK_OF_GROUP, .rank = 3 } },
        [PORT_GROUP] = { "Ports", { .type = TK_TRACK_OF_GROUP, .rank = 2 } },
        [COUNTER_GROUP] = { "Event counters", { .type = TK_TRACK_OF_GROUP, .rank = 5 } },
        [PC_TRACK] = { "Samples of the program counter", { .type = TK_TRACK_OF_SAMPLES, .rank = 1 } },
        [DATA_INSTANTS] = { "Accesses",
                            { .type = TK_TRACK_OF_SLICES, .parent_kind = TK_PARENT_TRACK, .parent = DATA_GROUP } },
        [TEXT_TRACK] = { "Text", { .type = TK_TRACK_OF_SLICES, .category = TK_CATEGORY_LOG } },
        [EXCEPTION_TRACK] = { "Exceptions", { .type = TK_TRACK_OF_SLICES } },
    };
    if (map->defined >> track & 1) return;
    map->defined |= 1u << track;
    if (track == DATA_INSTANTS) need_track(map, DATA_GROUP);
    struct tk_track_def definition = fixed[track].definition;
    if (definition.parent_kind == TK_PARENT_TRACK) definition.parent += map->first_track;
    define(map, track, &definition, fixed[track].name, strlen(fixed[track].name));
}

// Returns the track with this key; 0: without memory or above the limit. *out_is_new: the caller must define it.
static uint32_t find_track(struct itm_map *map, enum key kind, uint64_t key, bool *out_is_new) {
    uint64_t whole = (uint64_t)kind << 48 | key;
    uint32_t track = tk_idmap_find(&map->tracks, whole);
    *out_is_new = false;
    if (track != TK_NONE) return track;
    if (map->track_count == ITM_TRACKS) {
        struct tk_source_pos place = place_of(map, map->at);
        tk_diag_note(map->host->diag, TK_DIAG_TOO_MANY, &place, 1);
        return 0;
    }
    track = FIRST_TRACK + map->track_count;
    if (!tk_idmap_set(&map->tracks, map->host->alloc, whole, track)) return 0;
    map->track_count++;
    *out_is_new = true;
    return track;
}

static void define_counter(struct itm_map *map, uint32_t track, uint32_t group, const struct tk_text *name) {
    need_track(map, group);
    define(map, track,
           &(struct tk_track_def){ .type = TK_TRACK_OF_COUNTER,
                                   .parent_kind = TK_PARENT_TRACK,
                                   .parent = map->first_track + group,
                                   .in_signals = true,
                                   .rank = (int32_t)track },
           name->text, name->len);
}

static void emit_count(struct itm_map *map, uint32_t track, int64_t number) {
    emit(map, TK_EV_TRACK_COUNT)->track_count = (struct tk_event_track_count){ map->first_track + track, number };
}

static int64_t number_of(const struct itm_map *map, uint64_t value, unsigned size) {
    if (!map->are_signed) return (int64_t)value;
    return size == 1 ? (int8_t)value : size == 2 ? (int16_t)value : (int32_t)value;
}

// ---- Exceptions ------------------------------------------------------------------------------------

static void put_exception(const struct itm_map *map, uint32_t number, struct tk_text *name) {
    static const char *const fixed[16] = {
        [1] = "Reset",         [2] = "NMI",        [3] = "HardFault",   [4] = "MemManage",
        [5] = "BusFault",      [6] = "UsageFault", [7] = "SecureFault", [11] = "SVCall",
        [12] = "DebugMonitor", [14] = "PendSV",    [15] = "SysTick"
    };
    static const char *const suffixes[] = { "_IRQHandler", "_Handler", "IRQHandler", "Handler" };
    struct tk_symbol symbol;
    if (number < 16 && fixed[number]) {
        tk_text_add(name, fixed[number]);
    } else if (number >= 16 && map->host->symbols && tk_symbols_vector(map->host->symbols, number, &symbol)) {
        size_t len = symbol.name_len;
        for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
            size_t suffix = strlen(suffixes[i]);
            if (len <= suffix || memcmp(symbol.name + len - suffix, suffixes[i], suffix)) continue;
            len -= suffix;
            break;
        }
        tk_text_put(name, symbol.name, len);
    } else {
        tk_text_add(name, number < 16 ? "reserved " : "IRQ ");
        tk_text_u64(name, number < 16 ? number : number - 16);
    }
}

static void need_name(struct itm_map *map, uint32_t number) {
    char room[128];
    struct tk_text name = tk_text_in(room, sizeof room);
    if (map->named[number / 64] >> number % 64 & 1) return;
    map->named[number / 64] |= (uint64_t)1 << number % 64;
    put_exception(map, number, &name);
    struct tk_event *event = emit_at(map, TK_EV_ISR_NAME, false, map->at);
    event->name.entity = number;
    set_text(map, event, name.text, name.len);
}

static void emit_isr(struct itm_map *map, enum tk_event_kind kind, uint32_t number) {
    need_name(map, number);
    emit(map, kind)->isr.isr = number;
}

// A recording in a port may have the same interrupts, so the exceptions beside it are slices.
static void begin_slice(struct itm_map *map, uint32_t number) {
    char room[128];
    struct tk_text name = tk_text_in(room, sizeof room);
    need_track(map, EXCEPTION_TRACK);
    put_exception(map, number, &name);
    struct tk_event *event = emit(map, TK_EV_TRACK_BEGIN);
    event->track_slice.track = map->first_track + EXCEPTION_TRACK;
    set_text(map, event, name.text, name.len);
}

static void end_slice(struct itm_map *map, bool is_seen) {
    struct tk_event *event = emit(map, TK_EV_TRACK_END);
    event->track_end.track = map->first_track + EXCEPTION_TRACK;
    event->mark = is_seen ? TK_END_SEEN : TK_END_LOST;
}

// Packets are missing, or the exceptions contradict each other: figures across this place are not measured.
static void mark_contradiction(struct itm_map *map) {
    struct tk_source_pos place = place_of(map, map->at);
    if (map->is_stack_uncertain) return;
    map->is_stack_uncertain = true;
    tk_diag_note(map->host->diag, TK_DIAG_EVENT_CONTRADICTS, &place, 1);
    emit_problem(map, TK_DIAG_EVENT_CONTRADICTS, NULL);
}

// Returns the number of exceptions below and including the innermost `number`; 0: it does not run.
static uint32_t depth_of(const struct itm_map *map, uint32_t number) {
    uint32_t depth = map->depth;
    while (depth && map->stack[depth - 1] != number) depth--;
    return depth;
}

static void enter(struct itm_map *map, uint32_t number) {
    if (map->depth == ITM_NESTED) {
        mark_contradiction(map);
        memmove(map->stack, map->stack + 1, sizeof map->stack - sizeof *map->stack);
        map->depth--;
    }
    map->stack[map->depth++] = (uint16_t)number;
    if (map->host->beside) begin_slice(map, number);
    else emit_isr(map, TK_EV_ISR_ENTER, number);
}

// Ends the exceptions above `depth`. The tracker ends those inside another one, whose ends are unknown.
static void close_above(struct itm_map *map, uint32_t depth) {
    if (map->depth <= depth) return;
    mark_contradiction(map);
    uint32_t outermost = map->stack[depth];
    for (; map->host->beside && map->depth > depth; map->depth--) end_slice(map, false);
    map->depth = depth;
    if (!map->host->beside) emit_isr(map, TK_EV_ISR_EXIT, outermost);
}

static void leave(struct itm_map *map, uint32_t number) {
    uint32_t depth = depth_of(map, number);
    close_above(map, depth);
    if (!depth) map->is_stack_uncertain = true; // it began before the recording, or its packet is missing
    else map->depth = depth - 1;
    if (!map->host->beside) emit_isr(map, TK_EV_ISR_EXIT, number);
    else if (depth) end_slice(map, true);
}

static void return_to(struct itm_map *map, uint32_t number) {
    uint32_t depth = number ? depth_of(map, number) : 0;
    close_above(map, depth);
    if (number && !depth) {
        enter(map, number);
        // It began earlier: a loss after its begin keeps it out of the figures.
        map->is_stack_uncertain = true;
        emit_problem(map, TK_DIAG_ISR_END_WITHOUT_BEGIN, "the beginning of an interrupt is not recorded");
        return;
    }
    if (!number) map->is_stack_uncertain = false; // nothing runs below thread mode
}

static void on_exception(struct itm_map *map, const struct itm_pending *packet) {
    uint32_t number = (uint32_t)packet->value;
    if (packet->what == TK_ITM_ENTERED) enter(map, number);
    else if (packet->what == TK_ITM_EXITED) leave(map, number);
    else return_to(map, number);
}

// ---- Samples and counters --------------------------------------------------------------------------

static void emit_instant(struct itm_map *map, uint32_t track, const char *name, size_t len) {
    need_track(map, track);
    struct tk_event *event = emit(map, TK_EV_TRACK_INSTANT);
    event->track_slice.track = map->first_track + track;
    set_text(map, event, name, len);
}

static void on_no_pc(struct itm_map *map, const struct itm_pending *packet) {
    const char *words = packet->value ? "secure code" : "asleep";
    if (packet->value) map->profile.not_permitted++;
    else map->profile.asleep++;
    emit_instant(map, PC_TRACK, words, strlen(words));
}

static void on_pc(struct itm_map *map, const struct itm_pending *packet) {
    size_t len;
    const char *name = itm_profile_sample(&map->profile, map->host, packet->value, &len);
    emit_instant(map, PC_TRACK, name, len);
}

// A counter of the DWT has 8 bits; a packet contains which counters wrapped.
static void on_counters(struct itm_map *map, const struct itm_pending *packet) {
    static const char *const names[ITM_COUNTERS] = { "extra cycles of instructions", "cycles of exception overhead",
                                                     "cycles of sleep", "extra cycles of loads and stores",
                                                     "folded instructions" };
    for (unsigned i = 0; i < ITM_COUNTERS; i++) {
        bool is_new;
        if (!(packet->value >> i & 1)) continue;
        map->counters[i] += 256;
        uint32_t track = find_track(map, KEY_COUNTER, i, &is_new);
        if (is_new) {
            struct tk_text name = tk_text_in((char[40]){ 0 }, 40);
            tk_text_add(&name, names[i]);
            define_counter(map, track, COUNTER_GROUP, &name);
        }
        if (track) emit_count(map, track, (int64_t)map->counters[i]);
    }
}

// ---- Data trace ------------------------------------------------------------------------------------

// Finds the only variable at an address with these low 16 bits. Regions of RAM: as in the memory map of Armv7-M.
static bool find_variable(const struct itm_map *map, uint32_t low, struct tk_symbol *out_symbol) {
    static const uint32_t regions[] = { 0x20000000, 0x10000000, 0x24000000, 0x30000000, 0x38000000 };
    enum { PAGES = 32 };
    struct tk_symbol symbol;
    unsigned found = 0;
    for (size_t region = 0; region < sizeof regions / sizeof *regions; region++) {
        for (uint32_t page = 0; page < PAGES; page++) {
            if (!tk_symbols_variable(map->host->symbols, regions[region] + (page << 16) + low, &symbol)) continue;
            *out_symbol = symbol;
            found++;
        }
    }
    return found == 1;
}

// Writes the variable at an address of which the low half is known: "speed", "buffer+4", "..2004".
static void put_variable(struct itm_map *map, uint32_t low, struct tk_text *text, bool *out_is_known) {
    struct tk_symbol symbol;
    char shown[TK_SHOWN_NAME_LEN + 24];
    struct tk_text name = tk_text_in(shown, sizeof shown);
    bool has_symbols = map->host->symbols && map->host->symbols->first;
    uint32_t id = has_symbols ? tk_idmap_find(&map->variables, low) : 0;
    size_t len;
    if (id == TK_NONE && find_variable(map, low, &symbol)) {
        name.len = (uint32_t)tk_symbols_shown(&symbol, shown);
        if (symbol.offset) tk_text_add(&name, "+"), tk_text_u64(&name, symbol.offset);
    }
    if (id == TK_NONE) {
        id = name.len ? tk_strtab_intern(&map->names, map->host->alloc, name.text, name.len) : 0;
        tk_idmap_set(&map->variables, map->host->alloc, low, id);
    }
    *out_is_known = id != 0;
    const char *known = tk_strtab_text(&map->names, id, &len);
    if (id) tk_text_put(text, known, len);
    else tk_text_add(text, ".."), tk_text_digits(text, low, 16, 4);
}

// "speed written", "comparator 1 read", "comparator 0 at ..2004 written".
static void name_data(struct itm_map *map, const struct itm_pending *value, const struct itm_pending *address,
                      struct tk_text *name) {
    char room[TK_SHOWN_NAME_LEN + 32];
    struct tk_text variable = tk_text_in(room, sizeof room);
    bool is_known = false;
    if (address) put_variable(map, (uint32_t)address->value, &variable, &is_known);
    if (!is_known) {
        tk_text_add(name, "comparator ");
        tk_text_u64(name, value->what);
        if (address) tk_text_add(name, " at ");
    }
    tk_text_put(name, variable.text, variable.len);
    tk_text_add(name, value->kind == TK_ITM_DATA_READ ? " read" : " written");
}

// before: the address or the instruction of the access; NULL: unknown.
static void on_value(struct itm_map *map, const struct itm_pending *value, const struct itm_pending *before) {
    const struct itm_pending *address = before && before->kind == TK_ITM_DATA_ADDRESS ? before : NULL;
    uint64_t key = (uint64_t)(value->kind == TK_ITM_DATA_READ) << 24 | (uint64_t)value->what << 20 |
                   (address ? address->value + 1 : 0);
    bool is_new;
    uint32_t track = find_track(map, KEY_DATA, key, &is_new);
    if (is_new) {
        char room[TK_SHOWN_NAME_LEN + 64];
        struct tk_text name = tk_text_in(room, sizeof room);
        name_data(map, value, address, &name);
        define_counter(map, track, DATA_GROUP, &name);
    }
    if (!track) return;
    emit_count(map, track, number_of(map, value->value, value->size));
    if (!before || address) return;
    size_t len;
    struct tk_event *event = &map->batch->events[map->batch->count - 1];
    const char *function = itm_function_name(&map->profile, map->host, before->value, &len);
    const char *copy = tk_arena_copy(&map->batch->memory, function, len);
    struct tk_value by = { .name = "by", .type = TK_VALUE_TEXT, .text = copy, .text_len = copy ? (uint32_t)len : 0 };
    set_values(map, event, &by, 1);
}

// An access without its value.
static void on_access(struct itm_map *map, const struct itm_pending *packet) {
    char room[TK_SHOWN_NAME_LEN + 64];
    struct tk_text name = tk_text_in(room, sizeof room);
    size_t len;
    bool is_known;
    tk_text_add(&name, "comparator ");
    tk_text_u64(&name, packet->what);
    if (packet->kind == TK_ITM_DATA_PC) {
        tk_text_add(&name, " by ");
        const char *function = itm_function_name(&map->profile, map->host, packet->value, &len);
        tk_text_put(&name, function, len);
    } else if (packet->kind == TK_ITM_DATA_ADDRESS) {
        tk_text_add(&name, " at ");
        put_variable(map, (uint32_t)packet->value, &name, &is_known);
    } else {
        tk_text_add(&name, " matched");
    }
    emit_instant(map, DATA_INSTANTS, name.text, name.len);
}

// ---- Ports -----------------------------------------------------------------------------------------

static void on_number(struct itm_map *map, const struct itm_pending *packet) {
    bool is_new;
    uint32_t track = find_track(map, KEY_PORT, (uint64_t)packet->port << 8 | packet->size, &is_new);
    char room[48];
    struct tk_text name = tk_text_in(room, sizeof room);
    if (is_new) {
        tk_text_add(&name, "port ");
        tk_text_u64(&name, packet->port);
        tk_text_add(&name, packet->size == 1 ? ", 8 bits" : packet->size == 2 ? ", 16 bits" : ", 32 bits");
        if (!map->are_instants) {
            define_counter(map, track, PORT_GROUP, &name);
        } else {
            need_track(map, PORT_GROUP);
            define(map, track,
                   &(struct tk_track_def){ .type = TK_TRACK_OF_SLICES,
                                           .parent_kind = TK_PARENT_TRACK,
                                           .parent = map->first_track + PORT_GROUP },
                   name.text, name.len);
        }
    }
    if (!track) return;
    int64_t number = number_of(map, packet->value, packet->size);
    if (!map->are_instants) {
        emit_count(map, track, number);
        return;
    }
    name = tk_text_in(room, sizeof room);
    tk_text_i64(&name, number);
    struct tk_event *event = emit(map, TK_EV_TRACK_INSTANT);
    event->track_slice = (struct tk_event_track_slice){ .track = map->first_track + track, .number.integer = number };
    event->mark = TK_SAMPLE_INTEGER;
    set_text(map, event, name.text, name.len);
}

static void on_task(struct itm_map *map, const struct itm_pending *packet) {
    if (map->host->beside) return; // the recording in the port has tasks
    emit(map, TK_EV_TASK_SWITCHED_IN)->task.task = (uint32_t)packet->value;
}

static void emit_line(struct itm_map *map, uint32_t port, const char *line, size_t len) {
    uint8_t clean[ITM_LINE * TK_UTF8_GROWTH];
    char room[24];
    struct tk_text source = tk_text_in(room, sizeof room);
    size_t bad = 0, clean_len = tk_utf8_clean((const uint8_t *)line, len, clean, &bad);
    struct tk_source_pos place = place_of(map, map->at);
    if (bad) tk_diag_count(map->host->diag, TK_DIAG_STRING_BAD_UTF8, &place);
    emit_instant(map, TEXT_TRACK, (const char *)clean, clean_len);
    struct tk_event *event = emit(map, TK_EV_LOG_MESSAGE);
    event->log_message.level = TK_LOG_INFO;
    set_text(map, event, (const char *)clean, clean_len);
    tk_text_add(&source, "port ");
    tk_text_u64(&source, port);
    const char *copy = tk_arena_copy(&map->batch->memory, source.text, source.len);
    struct tk_value value = {
        .name = "source", .type = TK_VALUE_TEXT, .text = copy, .text_len = copy ? source.len : 0
    };
    set_values(map, event, &value, 1);
}

// Takes the bytes of a packet up to the end of a line. Returns true if the line ends.
static bool take_text(struct itm_pending *packet, char *line, size_t *len) {
    while (packet->taken < packet->size) {
        char byte = (char)(packet->value >> 8 * packet->taken);
        if (byte != '\n' && *len == ITM_LINE) return true;
        packet->taken++;
        if (byte == '\n') return true;
        if (byte && byte != '\r') line[(*len)++] = byte;
    }
    return false;
}

// A line begins with this packet. It takes the bytes of the packets that follow, which have later times.
static void on_text(struct itm_map *map, uint32_t index) {
    uint32_t port = map->pending[index].port;
    char line[ITM_LINE];
    while (map->pending[index].taken < map->pending[index].size) {
        size_t len = 0;
        bool ends = false;
        for (uint32_t i = index; i < map->pending_count && !ends; i++) {
            struct itm_pending *packet = &map->pending[i];
            if (packet->kind == TK_ITM_SOFTWARE && packet->port == port) ends = take_text(packet, line, &len);
        }
        if (ends && map->lines[port]) map->lines[port]--;
        if (len) emit_line(map, port, line, len);
        if (!ends) break;
    }
}

static unsigned line_ends(uint64_t value, unsigned size) {
    unsigned count = 0;
    for (unsigned i = 0; i < size; i++) count += (value >> 8 * i & 0xFF) == '\n';
    return count;
}

// ---- Records ---------------------------------------------------------------------------------------

static void show_record(struct itm_map *map, const struct itm_pending *packet) {
    struct tk_event event = { .kind = TK_EV_NOTE,
                              .timed = packet->kind >= TK_ITM_SOFTWARE && packet->kind < TK_ITM_BAD,
                              .ticks = packet->cycles,
                              .input = (uint8_t)map->host->input,
                              .core = map->host->core,
                              .offset = packet->offset,
                              .frame = packet->number,
                              .frame_len = packet->len };
    struct tk_value values[4];
    uint8_t count = 0;
    bool has_port = packet->kind == TK_ITM_SOFTWARE;
    if (packet->kind > TK_ITM_OVERFLOW)
        values[count++] = (struct tk_value){ .name = has_port ? "port" : "what",
                                             .type = TK_VALUE_UINT,
                                             .number.u = has_port ? packet->port : packet->what };
    if (packet->kind > TK_ITM_OVERFLOW && packet->size)
        values[count++] = (struct tk_value){ .name = "size", .type = TK_VALUE_UINT, .number.u = packet->size };
    if (packet->kind > TK_ITM_OVERFLOW)
        values[count++] = (struct tk_value){ .name = "value", .type = TK_VALUE_UINT, .number.u = packet->value };
    if (packet->is_inexact)
        values[count++] = (struct tk_value){ .name = "inexact", .type = TK_VALUE_UINT, .number.u = 1 };
    event.values = values;
    event.value_count = count;
    map->host->on_record_decoded(map->host->dump_ctx, &event, packet->kind);
}

// ---- Times -----------------------------------------------------------------------------------------

static bool is_source(const struct itm_pending *packet) {
    return packet->kind >= TK_ITM_SOFTWARE || packet->kind == TK_ITM_OVERFLOW;
}

static void on_overflow(struct itm_map *map) {
    struct tk_source_pos place = place_of(map, map->at);
    tk_diag_count(map->host->diag, TK_DIAG_TRACE_OVERFLOW, &place);
    emit_problem(map, TK_DIAG_TRACE_OVERFLOW, NULL);
    map->is_stack_uncertain = true;
}

static void on_damage(struct itm_map *map) {
    emit_problem(map, TK_DIAG_NOT_A_RECORD, NULL);
    map->is_stack_uncertain = true;
}

static bool is_access(const struct itm_pending *packet) {
    return packet->kind == TK_ITM_DATA_PC || packet->kind == TK_ITM_DATA_ADDRESS;
}

static bool has_value_of(const struct itm_pending *packet, const struct itm_pending *access) {
    return (packet->kind == TK_ITM_DATA_READ || packet->kind == TK_ITM_DATA_WRITTEN) && packet->what == access->what &&
           packet->cycles == access->cycles;
}

// Emits the events of a packet. Returns the number of packets that it has used.
static uint32_t map_at(struct itm_map *map, uint32_t index) {
    const struct itm_pending *packet = map->at = &map->pending[index];
    if (packet->is_inexact) map->inexact++;
    switch (packet->kind) {
    case TK_ITM_OVERFLOW: on_overflow(map); break;
    case TK_ITM_BAD: on_damage(map); break;
    case TK_ITM_EXCEPTION: on_exception(map, packet); break;
    case TK_ITM_PC: on_pc(map, packet); break;
    case TK_ITM_NO_PC: on_no_pc(map, packet); break;
    case TK_ITM_EVENT_COUNTERS: on_counters(map, packet); break;
    case TK_ITM_DATA_PC:
    case TK_ITM_DATA_ADDRESS:
        if (index + 1 < map->timed && has_value_of(packet + 1, packet)) {
            if (packet[1].is_inexact) map->inexact++;
            map->at = packet + 1;
            on_value(map, packet + 1, packet);
            return 2;
        }
        on_access(map, packet);
        break;
    case TK_ITM_DATA_MATCH: on_access(map, packet); break;
    case TK_ITM_DATA_READ:
    case TK_ITM_DATA_WRITTEN: on_value(map, packet, NULL); break;
    case TK_ITM_SOFTWARE:
        if (map->use[packet->port] == ITM_PORT_NUMBERS) on_number(map, packet);
        else if (map->use[packet->port] == ITM_PORT_TASKS) on_task(map, packet);
        else if (map->use[packet->port] == ITM_PORT_TEXT) on_text(map, index);
        break;
    default: break; // nothing is drawn of the PMU
    }
    return 1;
}

// Returns true if a packet begins a line of text whose end may still come.
static bool begins_open_line(const struct itm_map *map, const struct itm_pending *packet) {
    return packet->kind == TK_ITM_SOFTWARE && map->use[packet->port] == ITM_PORT_TEXT && packet->taken < packet->size &&
           !map->lines[packet->port];
}

// Emits the events of packets whose time is known. Those after the begin of a line wait for its end, because a line has
// the time of its first byte. all: nothing waits.
static void release(struct itm_map *map, bool all) {
    uint32_t at = 0;
    while (at < map->timed) {
        const struct itm_pending *packet = &map->pending[at];
        if (!all && begins_open_line(map, packet)) break;
        if (!all && is_access(packet) && at + 1 == map->timed && map->are_counts) break; // its value may follow
        if (map->host->on_record_decoded) show_record(map, packet);
        uint32_t used = map_at(map, at);
        if (used > 1 && map->host->on_record_decoded) show_record(map, packet + 1);
        at += used;
    }
    if (!at) return;
    map->pending_count -= at;
    map->timed -= at;
    if (map->pending_count) memmove(map->pending, map->pending + at, map->pending_count * sizeof *map->pending);
}

static void stamp(struct itm_map *map, bool is_inexact) {
    for (; map->timed < map->pending_count; map->timed++) {
        struct itm_pending *packet = &map->pending[map->timed];
        packet->cycles = map->are_counts ? packet->number : map->cycles;
        packet->is_inexact = is_inexact && !map->are_counts && is_source(packet);
    }
}

static void emit_axis(struct itm_map *map) {
    static const struct itm_pending start = { 0 };
    struct tk_event *event = emit_at(map, TK_EV_TICK_LENGTH, false, &start);
    event->tick_length = (struct tk_event_tick_length){ 1000, TK_TICK_IS_COUNT };
    tk_event_set_text(event, "no times: the axis counts the packets");
    event = emit_at(map, TK_EV_TRACK_AXIS, false, &start);
    event->track_axis = (struct tk_event_track_axis){ .of_all = 1, .shown_ns = 1000 };
    tk_event_set_text(event, "packet");
    tk_diag_count(map->host->diag, TK_DIAG_TIME_ORDER, &(struct tk_source_pos){ .input = map->host->input });
}

// A recording without timestamps among its first packets has none. Damage may look like one or two.
static void decide(struct itm_map *map) {
    enum { PACKETS_PER_TIME = 32 };
    if (map->is_decided) return;
    map->is_decided = true;
    map->are_counts = !map->host->beside && map->local_times < FEWEST_TIMES &&
                      map->local_times * PACKETS_PER_TIME <= map->pending_count;
    if (!map->are_counts) return;
    map->timed = 0;
    emit_axis(map);
}

// The pending packets are too many to wait any longer.
static void release_all(struct itm_map *map) {
    decide(map);
    stamp(map, true);
    release(map, true);
}

static struct itm_pending *push(struct itm_map *map, uint8_t kind, uint64_t offset, uint64_t number) {
    if (map->pending_count == ITM_PENDING) release_all(map);
    struct itm_pending *packet = &map->pending[map->pending_count++];
    *packet = (struct itm_pending){ .kind = kind, .offset = offset, .number = number };
    return packet;
}

static void on_local_time(struct itm_map *map, const struct tk_itm_packet *packet) {
    enum { LONGEST_OF_CORTEX_M4 = 1 << 21 };
    uint64_t delta = packet->value * map->prescaler;
    map->local_times++;
    map->long_deltas += packet->value >= LONGEST_OF_CORTEX_M4;
    if (map->are_counts) return;
    map->cycles = delta > INT64_MAX - map->cycles ? INT64_MAX : map->cycles + delta;
    stamp(map, packet->what != 0);
    for (; map->arrivals_timed < map->arrival_count; map->arrivals_timed++)
        map->arrivals[map->arrivals_timed].cycles = map->cycles;
    if (map->local_times == FEWEST_TIMES) decide(map);
    if (map->is_decided) release(map, false);
}

// Global timestamps are compared with the sum of the local ones. A damaged local one shows as a difference.
static void compare_times(struct itm_map *map, uint64_t offset, uint64_t number) {
    enum { APART = 1 << 21 };
    uint64_t global = map->global_high << 26 | map->global_low;
    if (!map->has_global_low || !map->has_global_high || map->are_counts) return;
    map->globals++;
    uint64_t local = map->cycles, expected = map->global_first_local + (global - map->global_first);
    bool is_first = !map->has_global_first,
         is_apart = !is_first && (global < map->global_first || expected > local + APART || local > expected + APART);
    if (!is_first && !is_apart) return;
    map->has_global_first = true;
    map->global_first = global;
    map->global_first_local = local;
    if (is_first) return;
    struct tk_source_pos place = { .input = map->host->input, .has_offset = true, .offset = offset, .frame = number };
    map->globals_apart++;
    tk_diag_count(map->host->diag, TK_DIAG_TIME_DAMAGED, &place);
}

static void on_global_low(struct itm_map *map, const struct tk_itm_packet *packet, uint64_t offset, uint64_t number) {
    uint64_t mask = packet->size >= 4 ? ((uint64_t)1 << 26) - 1 : ((uint64_t)1 << 7 * packet->size) - 1;
    map->global_low = (map->global_low & ~mask) | (packet->value & mask);
    if (packet->size >= 4) map->has_global_low = true;
    map->clock_changes += packet->what & TK_ITM_CLOCK_CHANGED;
    if (packet->what & TK_ITM_WRAPPED) map->has_global_high = false;
    compare_times(map, offset, number);
}

// ---- Packets ---------------------------------------------------------------------------------------

static void keep_arrival(struct itm_map *map, uint16_t port) {
    const struct tk_beside *beside = map->host->beside;
    if (!beside || beside->port != port || map->port_bytes[port] <= beside->from || map->arrival_count == ITM_ARRIVALS)
        return;
    map->arrivals[map->arrival_count++].end = map->port_bytes[port];
}

void itm_map_packet(struct itm_map *map, const struct tk_itm_packet *packet, uint64_t offset, uint64_t number) {
    bool is_time = packet->kind == TK_ITM_LOCAL_TIME, is_source_packet = packet->kind >= TK_ITM_SOFTWARE;
    if (packet->kind == TK_ITM_SYNC) map->page = 0;
    if (packet->kind == TK_ITM_PAGE) map->page = packet->what;
    if (packet->kind == TK_ITM_GLOBAL_TIME_LOW) on_global_low(map, packet, offset, number);
    if (packet->kind == TK_ITM_GLOBAL_TIME_HIGH) {
        map->global_high = packet->value;
        map->has_global_high = true;
        compare_times(map, offset, number);
    }
    if (is_source_packet || packet->kind == TK_ITM_OVERFLOW || map->host->on_record_decoded) {
        struct itm_pending *pending = push(map, packet->kind, offset, number);
        pending->value = packet->value;
        pending->what = packet->what;
        pending->size = packet->size;
        pending->len = packet->len;
        if (packet->kind == TK_ITM_SOFTWARE) {
            pending->port = (uint16_t)(map->page * 32 + packet->what);
            map->port_bytes[pending->port] += packet->size;
            keep_arrival(map, pending->port);
            if (map->use[pending->port] == ITM_PORT_TEXT)
                map->lines[pending->port] += (uint16_t)line_ends(packet->value, packet->size);
        }
    }
    if (is_time) {
        on_local_time(map, packet);
    } else if (map->are_counts) {
        stamp(map, false);
        release(map, false);
    }
}

bool itm_map_arrival(const struct itm_map *map, uint64_t offset, uint64_t *out_count) {
    uint32_t from = 0, to = map->arrivals_timed;
    while (from < to) {
        uint32_t middle = (from + to) / 2;
        if (map->arrivals[middle].end <= offset) from = middle + 1;
        else to = middle;
    }
    *out_count = from < map->arrivals_timed ? map->arrivals[from].cycles : UINT64_MAX;
    return from < map->arrivals_timed || map->arrivals_timed == ITM_ARRIVALS;
}

void itm_map_damage(struct itm_map *map, uint64_t offset, uint64_t number) { push(map, TK_ITM_BAD, offset, number); }

void itm_map_end(struct itm_map *map) { release_all(map); }

// ---- Options ---------------------------------------------------------------------------------------

// Reads the numbers of a list such as "0,1".
static void set_use(struct itm_map *map, const char *key, enum itm_port_use use) {
    const char *list = map->host->option(map->host->option_ctx, key);
    uint32_t number = 0;
    bool has_digit = false;
    for (; list; list++) {
        if (*list >= '0' && *list <= '9' && number < ITM_PORTS) {
            number = number * 10 + (uint32_t)(*list - '0');
            has_digit = true;
            continue;
        }
        if (has_digit && number < ITM_PORTS) map->use[number] = (uint8_t)use;
        number = 0;
        has_digit = false;
        if (!*list) break;
    }
}

static bool is_option(const struct itm_map *map, const char *key, const char *value) {
    const char *set = map->host->option(map->host->option_ctx, key);
    return set && !strcmp(set, value);
}

void itm_map_init(struct itm_map *map, const struct tk_decode_host *host, struct tk_batch *batch) {
    map->host = host;
    map->batch = batch;
    map->first_track = host->beside ? TK_TRACKS_BESIDE : 0;
    map->prescaler = is_option(map, "prescaler", "4")    ? 4
                     : is_option(map, "prescaler", "16") ? 16
                     : is_option(map, "prescaler", "64") ? 64
                                                         : 1;
    map->are_instants = is_option(map, "ports", "instants");
    map->are_signed = is_option(map, "numbers", "signed");
    map->use[0] = ITM_PORT_TEXT;
    if (host->option(host->option_ctx, "text-ports")) map->use[0] = ITM_PORT_NUMBERS;
    set_use(map, "text-ports", ITM_PORT_TEXT);
    set_use(map, "task-port", ITM_PORT_TASKS);
    set_use(map, "omit-ports", ITM_PORT_OMITTED);
}

// ---- Report ----------------------------------------------------------------------------------------

static void put_ports(const struct itm_map *map, struct tk_text *text) {
    unsigned ports = 0, omitted = 0;
    for (unsigned port = 0; port < ITM_PORTS; port++) {
        if (!map->port_bytes[port]) continue;
        if (ports == 6) {
            omitted++;
            continue;
        }
        tk_text_add(text, ports++ ? ", " : "Stimulus ports: ");
        tk_text_u64(text, port);
        tk_text_add(text, " (");
        tk_text_count(text, map->port_bytes[port], "bytes");
        tk_text_add(text, ")");
    }
    if (omitted) tk_text_add(text, " and "), tk_text_u64(text, omitted), tk_text_add(text, " more");
    if (ports) tk_text_add(text, ".");
}

bool itm_map_summary(const struct itm_map *map, uint32_t index, char out_text[TK_SUMMARY_LEN]) {
    enum { TEXTS = 4 };
    struct tk_text texts[TEXTS];
    char rooms[TEXTS][TK_SUMMARY_LEN];
    for (unsigned i = 0; i < TEXTS; i++) texts[i] = tk_text_in(rooms[i], TK_SUMMARY_LEN);
    put_ports(map, &texts[0]);
    if (map->inexact) {
        tk_text_count(&texts[1], map->inexact, "packets");
        tk_text_add(&texts[1],
                    " have inexact times: the target delayed them or their timestamp, so their events are older.");
    }
    if (map->long_deltas) {
        tk_text_count(&texts[2], map->long_deltas, "local timestamps");
        tk_text_add(&texts[2], " exceed 21 bits, which a Cortex-M3 or M4 does not send: later times may be too late.");
    }
    if (map->clock_changes) {
        tk_text_add(&texts[3], "The target reports that its clock changed, ");
        tk_text_count(&texts[3], map->clock_changes, "times");
        tk_text_add(&texts[3], ": one rate does not fit all times.");
    }
    for (unsigned i = 0; i < TEXTS; i++) {
        if (!texts[i].len || index--) continue;
        memcpy(out_text, rooms[i], texts[i].len + 1);
        return true;
    }
    return false;
}
