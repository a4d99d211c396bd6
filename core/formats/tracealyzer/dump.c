// SPDX-License-Identifier: MIT
//
// Records as a dump shows them, with the names of all parameters.
#include "mapping.h"

enum { MOST_VALUES = 4 + 15 + 2 };

static const char *const fields[PSF_RECORDS] = {
#define PSF_RECORD(code, name, least, most, fields, ...) [PSF_##name] = fields,
#define PSF_CODE(kernel, code, name)
#include "records.def"
#undef PSF_RECORD
#undef PSF_CODE
    [PSF_UNKNOWN] = "",        [PSF_EXTENSION] = "",       [PSF_KERNEL_CALL] = "",
    [PSF_AUTO_ISR_BEGIN] = "", [PSF_AUTO_ISR_RESUME] = "",
};

struct values {
    struct tk_value list[MOST_VALUES];
    unsigned count;
};

static void add(struct values *values, const char *name, enum tk_value_type type, uint64_t number) {
    values->list[values->count++] = (struct tk_value){ .name = name, .type = (uint8_t)type, .number.u = number };
}

static void add_text(struct psf_out *out, struct values *values, const char *name, const char *text, size_t len) {
    struct tk_event event = { 0 };
    psf_set_text(out, &event, text, len);
    values->list[values->count++] = (struct tk_value){
        .name = name, .type = TK_VALUE_TEXT, .text = event.str ? event.str : "", .text_len = event.str_len
    };
}

static void add_parameter(const struct psf_layout *layout, struct values *values, const char *name, char type,
                          uint64_t word) {
    if (type == 'i') add(values, name, TK_VALUE_INT, (uint64_t)psf_signed(layout, word));
    else add(values, name, type == 'd' ? TK_VALUE_UINT : TK_VALUE_HEX, word);
}

// Adds the parameters that the record names, then further ones, which known recorders do not send.
static void add_parameters(struct psf_out *out, const struct psf_layout *layout, const struct psf_event *event,
                           struct values *values) {
    const char *field = fields[event->record];
    for (unsigned i = 0; i < event->params; i++) {
        if (*field == 's') {
            uint32_t len;
            const char *text = psf_text(layout, event, i, &len);
            add_text(out, values, field + 1, text, len);
            return;
        }
        add_parameter(layout, values, *field ? field + 1 : "parameter", *field ? *field : 'x',
                      psf_param(layout, event, i));
        if (*field && *field != 'r') field += strlen(field) + 1;
    }
}

static void add_user_event(struct psf_session *session, struct psf_out *out, const struct psf_event *event,
                           struct values *values) {
    char text_room[PSF_TEXT];
    struct tk_text text = tk_text_in(text_room, PSF_TEXT);
    struct tk_printf format;
    bool fixed;
    psf_read_user_event(&session->map, &session->layout, event, &text, &format, &fixed);
    add(values, "channel", TK_VALUE_HEX, psf_param(&session->layout, event, 0));
    if (fixed) add(values, "format", TK_VALUE_HEX, psf_param(&session->layout, event, 1));
    for (unsigned i = 0; i < format.count; i++) add(values, "argument", TK_VALUE_HEX, format.arguments[i].word);
    add_text(out, values, "text", text.text, text.len);
}

void psf_dump_show(const struct tk_decode_host *host, const void *shown) {
    const struct psf_dump_record *at = shown;
    struct psf_session *session = at->session;
    struct psf_out *out = at->out;
    const struct psf_event *event = &at->step->event;
    struct values values = { .count = 0 };
    struct tk_event record = out->at;
    uint16_t core_and_count = psf_u16(session->layout.big, event->bytes + 2);
    bool fixed = false;
    add(&values, "code", TK_VALUE_HEX, event->code);
    add(&values, "count", TK_VALUE_UINT, core_and_count);
    add(&values, "timer", TK_VALUE_UINT, event->timer);
    if (event->record == PSF_USER_EVENT) psf_user_arguments(&session->layout, event, &fixed);
    if (event->record == PSF_USER_EVENT) add_user_event(session, out, event, &values);
    else add_parameters(out, &session->layout, event, &values);
    record.kind = TK_EV_APP_RECORD;
    record.timed = true;
    record.ticks = at->step->ns;
    record.values = values.list;
    record.value_count = (uint8_t)values.count;
    host->on_record_decoded(host->dump_ctx, &record, fixed ? PSF_USER_EVENT_FIXED : event->record);
}

static const char *record_name(unsigned record) {
    static const char *const names[PSF_RECORDS] = {
#define PSF_RECORD(code, name, ...) [PSF_##name] = #name,
#define PSF_CODE(kernel, code, name)
#include "records.def"
#undef PSF_RECORD
#undef PSF_CODE
        [PSF_UNKNOWN] = "EVENT",
        [PSF_EXTENSION] = "EXTENSION",
        [PSF_KERNEL_CALL] = "KERNEL_CALL",
        [PSF_AUTO_ISR_BEGIN] = "AUTO_ISR_BEGIN",
        [PSF_AUTO_ISR_RESUME] = "AUTO_ISR_RESUME",
    };
    return names[record];
}

const struct tk_record_names tk_names_tracealyzer = { .name = record_name, .show = psf_dump_show };
