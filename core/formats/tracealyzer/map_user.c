// SPDX-License-Identifier: MIT
//
// Events of the application: user events, extensions, state machines, intervals, counters, runnables; and its heap.
#include "mapping.h"

#include "../../base/attributes.h"

// ---- User events -------------------------------------------------------------------------------

// Returns the string at an address, from an event that named it or from the program.
static const char *string_at(void *ctx, uint64_t address, size_t *out_len) {
    const struct psf_map *map = ctx;
    const struct psf_object *object = psf_object_known(&map->objects, address);
    const char *text;
    if (object && object->name) return psf_object_text(&map->objects, object->name, out_len);
    return map->symbols && tk_symbols_text(map->symbols, address, &text, out_len) ? text : NULL;
}

static void name_channel(const struct psf_mapping *m, struct psf_object *channel) {
    size_t len;
    const char *text = channel->name ? NULL : string_at(m->map, channel->address, &len);
    if (text) psf_object_name(&m->map->objects, m->out, channel, text, len);
}

void psf_read_user_event(struct psf_map *map, const struct psf_layout *layout, const struct psf_event *event,
                         struct tk_text *text, struct tk_printf *format, bool *out_fixed) {
    unsigned count = psf_user_arguments(layout, event, out_fixed), first = *out_fixed ? 2 : 1;
    uint32_t len = 0;
    if (count + first > event->params) count = event->params > first ? event->params - first : 0;
    *format = (struct tk_printf){ .word = layout->word, .count = count, .string = string_at, .ctx = map };
    for (unsigned i = 0; i < count; i++) format->arguments[i].word = psf_param(layout, event, first + i);
    format->text = *out_fixed ? string_at(map, psf_param(layout, event, 1), &format->len)
                              : psf_text(layout, event, 1 + count, &len);
    if (!*out_fixed) format->len = len;
    if (format->text) {
        tk_printf_put(text, format);
        return;
    }
    tk_text_add(text, "fmt@"); // the text is only in the program
    tk_text_hex(text, psf_param(layout, event, 1), 1);
    for (unsigned i = 0; i < count; i++)
        tk_text_add(text, i ? ", " : " ("), tk_text_u64(text, format->arguments[i].word);
    if (count) tk_text_add(text, ")");
}

static struct tk_value value_of(const struct tk_printf_argument *argument, unsigned index, const struct psf_map *map) {
    static const char *const names[TK_PRINTF_ARGUMENTS] = { "argument 1",  "argument 2",  "argument 3",  "argument 4",
                                                            "argument 5",  "argument 6",  "argument 7",  "argument 8",
                                                            "argument 9",  "argument 10", "argument 11", "argument 12",
                                                            "argument 13", "argument 14", "argument 15" };
    struct tk_value value = { .name = names[index], .type = TK_VALUE_HEX, .number.u = argument->word };
    size_t len = 0;
    if (argument->type == TK_PRINTF_SIGNED) value.type = TK_VALUE_INT, value.number.i = argument->number;
    if (argument->type == TK_PRINTF_UNSIGNED) value.type = TK_VALUE_UINT, value.number.u = (uint64_t)argument->number;
    if (argument->type != TK_PRINTF_STRING) return value;
    const char *text = string_at((void *)(uintptr_t)map, argument->word, &len);
    if (text) value.type = TK_VALUE_TEXT, value.text = text, value.text_len = (uint32_t)len;
    return value;
}

static void set_user_values(const struct psf_mapping *m, struct tk_event *event, const struct tk_printf *format) {
    struct tk_value values[TK_PRINTF_ARGUMENTS + 1];
    unsigned count = 0;
    if (format->text)
        values[count++] = (struct tk_value){ .name = "format",
                                             .type = TK_VALUE_TEXT,
                                             .text = tk_arena_copy(&m->out->batch->memory, format->text, format->len),
                                             .text_len = (uint32_t)format->len };
    if (count && !values[0].text) values[0].text_len = 0;
    for (unsigned i = 0; i < format->count; i++) {
        values[count] = value_of(&format->arguments[i], i, m->map);
        if (values[count].type == TK_VALUE_TEXT)
            values[count].text = tk_arena_copy(&m->out->batch->memory, values[count].text, values[count].text_len);
        count++;
    }
    if (count) psf_set_values(m->out, event, values, count);
}

// Names the number of a user event, such as "ChanA: sent". If the text before the number is empty or not unique, the
// name is the format and the position of the number.
static void number_name(const struct psf_mapping *m, const struct psf_object *channel, const struct tk_printf *format,
                        unsigned index, struct tk_text *name) {
    const struct tk_printf_argument *argument = &format->arguments[index];
    bool has_label = argument->label_len;
    for (unsigned i = 0; i < format->count; i++) {
        const struct tk_printf_argument *other = &format->arguments[i];
        bool same = other->label_len == argument->label_len &&
                    !memcmp(format->text + other->label, format->text + argument->label, argument->label_len);
        has_label = has_label && (i == index || !same);
    }
    psf_put_object(m, name, channel);
    tk_text_add(name, ": ");
    tk_text_put(name, has_label ? format->text + argument->label : format->text,
                has_label ? argument->label_len : format->len);
    if (!has_label) tk_text_add(name, ", argument "), tk_text_u64(name, index + 1);
}

static uint32_t number_of(const struct psf_mapping *m, const struct tk_text *name) {
    struct psf_objects *objects = &m->map->objects;
    uint32_t string = tk_strtab_intern(&objects->names, objects->alloc, name->text, name->len);
    uint32_t id = string ? tk_idmap_find(&m->map->numbers, string) : TK_NONE;
    if (id != TK_NONE || !string) return id;
    id = psf_next_id(objects, PSF_VALUES);
    tk_idmap_set(&m->map->numbers, objects->alloc, string, id);
    struct tk_event *event = psf_emit_untimed(m->out, TK_EV_VALUE_NAME);
    event->value_name = (struct tk_event_value_name){ .value = id, .in_markers = 1 };
    psf_set_text(m->out, event, name->text, name->len);
    return id;
}

// Follows the numbers of user events as counters, except in events with so many that they are a table.
static void follow_numbers(const struct psf_mapping *m, const struct psf_object *channel,
                           const struct tk_printf *format) {
    enum { MOST = 4 };
    unsigned counting = 0;
    for (unsigned i = 0; i < format->count; i++) counting += format->arguments[i].counts;
    for (unsigned i = 0; i < format->count && format->text && counting <= MOST; i++) {
        char name_room[PSF_TEXT];
        struct tk_text name = tk_text_in(name_room, PSF_TEXT);
        if (!format->arguments[i].counts) continue;
        number_name(m, channel, format, i, &name);
        uint32_t id = number_of(m, &name);
        if (id != TK_NONE)
            psf_emit(m, TK_EV_VALUE)->value_sample = (struct tk_event_value_sample){ id, format->arguments[i].number };
    }
}

static void log_it(const struct psf_mapping *m, const struct psf_object *channel, const struct tk_text *text,
                   bool warns) {
    struct tk_event *event = psf_emit_text(m, TK_EV_LOG_MESSAGE, text), named = { .str_len = 0 };
    event->log_message.level = warns ? TK_LOG_WARNING : TK_LOG_INFO;
    char name_room[PSF_NAME + 1];
    struct tk_text name = tk_text_in(name_room, sizeof name_room);
    psf_put_object(m, &name, channel);
    psf_set_text(m->out, &named, name.text, name.len);
    psf_set_values(
        m->out, event,
        &(struct tk_value){ .name = "channel", .type = TK_VALUE_TEXT, .text = named.str, .text_len = named.str_len },
        1);
}

void psf_on_user_event(const struct psf_mapping *m) {
    struct psf_object *channel = psf_subject(m);
    char text_room[PSF_TEXT];
    struct tk_text text = tk_text_in(text_room, PSF_TEXT);
    struct tk_printf format;
    bool fixed;
    name_channel(m, channel);
    if (psf_is_called(m->map, channel, "#WFR")) tk_text_add(&text, "recorder warning: ");
    bool warns = text.len;
    psf_read_user_event(m->map, &m->session->layout, &m->step->event, &text, &format, &fixed);
    if (!text.len) tk_text_add(&text, "(empty)");
    if (m->map->logs) log_it(m, channel, &text, warns);
    struct tk_event *event = psf_emit_text(m, warns ? TK_EV_PROBLEM : TK_EV_MARKER, &text);
    if (warns) {
        event->problem = (struct tk_event_problem){ .diag = TK_DIAG_RECORDER_WARNING, .loss_reported = 1 };
        struct tk_source_pos place = tk_event_trace_pos(event);
        tk_diag_count(m->out->host->diag, TK_DIAG_RECORDER_WARNING, &place);
        event->timed = false;
        return;
    }
    event->marker.marker = channel->id;
    set_user_values(m, event, &format);
    follow_numbers(m, channel, &format);
}

// ---- Extensions, calls without a table ---------------------------------------------------------

static void set_parameters(const struct psf_mapping *m, struct tk_event *event) {
    static const char *const names[] = {
        "parameter 0",  "parameter 1",  "parameter 2",  "parameter 3",  "parameter 4",
        "parameter 5",  "parameter 6",  "parameter 7",  "parameter 8",  "parameter 9",
        "parameter 10", "parameter 11", "parameter 12", "parameter 13", "parameter 14"
    };
    enum { MOST = sizeof names / sizeof *names };
    struct tk_value values[MOST];
    unsigned count = psf_args(m) < MOST ? psf_args(m) : MOST;
    for (unsigned i = 0; i < count; i++)
        values[i] = (struct tk_value){ .name = names[i], .type = TK_VALUE_HEX, .number.u = psf_arg(m, i) };
    if (count) psf_set_values(m->out, event, values, count);
}

static void extend_layout(struct psf_session *session, bool numbers_isrs, uint64_t base, uint64_t count) {
    if (numbers_isrs) psf_layout_mark_isrs(&session->layout, base, count);
    else psf_layout_extend(&session->layout, base, count);
}

static bool is_auto_isr(const char *name, size_t len) { return len == 7 && !memcmp(name, "AutoISR", len); }

TK_COLD void psf_extend_by_entry(struct psf_session *session, const struct psf_entry *entry) {
    if (entry->options & PSF_ENTRY_EXTENSION)
        extend_layout(session, is_auto_isr(entry->symbol, entry->symbol_len), entry->states[1], entry->states[2]);
}

TK_COLD void psf_extend_by_event(struct psf_session *session, const struct psf_event *event) {
    const struct psf_layout *layout = &session->layout;
    uint64_t address = psf_param(layout, event, 0);
    uint32_t len;
    if (event->record == PSF_OBJ_NAME) {
        const char *name = psf_text(layout, event, 1, &len);
        if (is_auto_isr(name, len)) session->auto_isr_extension = address;
    } else
        extend_layout(session, address && address == session->auto_isr_extension, psf_param(layout, event, 2),
                      psf_param(layout, event, 3));
}

void psf_add_extension(struct psf_session *session, struct psf_object *object, uint64_t base, uint64_t count) {
    struct psf_map *map = &session->map;
    uint32_t at = 0;
    while (at < map->extension_count && map->extensions[at].object != object) at++;
    if (at == PSF_EXTENSIONS) return;
    if (at == map->extension_count) map->extension_count++;
    map->extensions[at].base = base;
    map->extensions[at].count = count;
    map->extensions[at].object = object;
    if (!session->translates) extend_layout(session, psf_is_called(map, object, "AutoISR"), base, count);
}

void psf_on_extension_create(const struct psf_mapping *m) {
    psf_add_extension(m->session, psf_subject(m), psf_arg(m, 2), psf_arg(m, 3));
}

void psf_on_extension(const struct psf_mapping *m) {
    uint16_t code = m->step->event.code;
    for (uint32_t i = 0; i < m->map->extension_count; i++) {
        uint64_t index = code - m->map->extensions[i].base;
        if (index >= m->map->extensions[i].count) continue;
        struct psf_object *object =
            psf_object_as(&m->map->objects, m->out, m->map->extensions[i].object->address, PSF_IS_EXTENSION);
        char text_room[PSF_TEXT];
        struct tk_text text = tk_text_in(text_room, PSF_TEXT);
        tk_text_add(&text, "event "), tk_text_u64(&text, index);
        struct tk_event *event = psf_emit_text(m, TK_EV_MARKER, &text);
        event->marker.marker = object->id;
        set_parameters(m, event);
        return;
    }
}

void psf_on_kernel_call(const struct psf_mapping *m) {
    char text_room[PSF_TEXT];
    struct tk_text text = tk_text_in(text_room, PSF_TEXT);
    tk_text_add(&text, "event "), tk_text_hex(&text, m->step->event.code, 1);
    set_parameters(m, psf_emit_text(m, TK_EV_KERNEL_CALL, &text));
}

// ---- State machines, intervals -----------------------------------------------------------------

void psf_on_machine_create(const struct psf_mapping *m) { (void)psf_subject(m); }
void psf_on_state_create(const struct psf_mapping *m) { (void)psf_subject(m); }
void psf_on_set_create(const struct psf_mapping *m) { (void)psf_subject(m); }
void psf_on_dependency(const struct psf_mapping *m) { (void)psf_subject(m); }
void psf_on_heap_create(const struct psf_mapping *m) { (void)psf_subject(m); }

void psf_on_state(const struct psf_mapping *m) {
    if (!psf_agrees_with(m, psf_arg(m, 1), PSF_IS_STATE)) {
        psf_report_contradiction(m);
        return;
    }
    uint32_t machine = psf_subject(m)->id;
    uint32_t state = psf_object_as(&m->map->objects, m->out, psf_arg(m, 1), PSF_IS_STATE)->id;
    psf_emit(m, TK_EV_MACHINE_STATE)->machine_state = (struct tk_event_machine_state){ machine, state };
}

// Names the interval again, because its set is known now.
void psf_on_interval_create(const struct psf_mapping *m) {
    struct psf_object *interval = psf_subject(m);
    if (!psf_arg(m, 1)) return;
    interval->related = psf_object_as(&m->map->objects, m->out, psf_arg(m, 1), PSF_IS_SET);
    psf_object_emit_name(&m->map->objects, m->out, interval);
}

// Begins or ends an interval. The oldest recorders use one code for both and write no instance.
void psf_on_interval(const struct psf_mapping *m) {
    uint32_t interval = psf_subject(m)->id;
    bool is_old = m->operation == PSF_OP_BEGIN && psf_args(m) == 2,
         begins = is_old ? psf_arg(m, 1) != 0 : m->operation == PSF_OP_BEGIN;
    psf_emit(m, begins ? TK_EV_INTERVAL_BEGIN : TK_EV_INTERVAL_END)->interval =
        (struct tk_event_interval){ .interval = interval,
                                    .number = begins ? psf_u32_of(psf_arg(m, 2)) : 0,
                                    .instance = is_old ? 0 : (int64_t)psf_arg(m, 1) };
}

// ---- Counters, runnables, heap -----------------------------------------------------------------

static int64_t signed_arg(const struct psf_mapping *m, unsigned index) {
    return psf_signed(&m->session->layout, psf_arg(m, index));
}

void psf_on_counter_create(const struct psf_mapping *m) {
    uint32_t counter = psf_subject(m)->id;
    psf_emit_limits(m->out, counter, signed_arg(m, 2), signed_arg(m, 3));
    psf_emit(m, TK_EV_VALUE)->value_sample = (struct tk_event_value_sample){ counter, signed_arg(m, 1) };
}

void psf_on_counter(const struct psf_mapping *m) {
    uint32_t counter = psf_subject(m)->id; // may emit its name first
    psf_emit(m, TK_EV_VALUE)->value_sample = (struct tk_event_value_sample){ counter, signed_arg(m, 1) };
}
void psf_on_counter_limit(const struct psf_mapping *m) {
    psf_emit_static_text(m, TK_EV_FAILURE, "", psf_subject(m), " beyond its limits");
}

void psf_on_runnable_name(const struct psf_mapping *m) {
    uint32_t len;
    const char *name = psf_text(&m->session->layout, &m->step->event, 1, &len);
    psf_object_name(&m->map->objects, m->out, psf_subject(m), name, len);
}

void psf_on_runnable(const struct psf_mapping *m) {
    if (m->operation == PSF_OP_END) {
        psf_emit(m, TK_EV_TASK_MARKER_END)->marker.marker = PSF_RUNNABLES;
        return;
    }
    psf_emit_static_text(m, TK_EV_TASK_MARKER_BEGIN, "", psf_subject(m), "")->marker.marker = PSF_RUNNABLES;
}

void psf_on_heap(const struct psf_mapping *m) {
    bool allocates = m->operation == PSF_OP_ALLOCATE;
    char text_room[PSF_TEXT];
    struct tk_text text = tk_text_in(text_room, PSF_TEXT);
    if (!(m->outcome & PSF_FAILED)) {
        psf_emit_heap(m->map, m->out);
        psf_emit(m, allocates ? TK_EV_ALLOCATED : TK_EV_FREED)->allocation =
            (struct tk_event_allocation){ .heap = PSF_SYSTEM_HEAP,
                                          .level_after = UINT32_MAX,
                                          .bytes = (int64_t)(psf_arg(m, 1) & INT64_MAX),
                                          .address = m->subject };
        return;
    }
    tk_text_add(&text, allocates ? "allocate " : "free "), tk_text_u64(&text, psf_arg(m, 1)),
        tk_text_add(&text, " bytes: failed");
    psf_emit_failure(m, &text, NULL);
}
