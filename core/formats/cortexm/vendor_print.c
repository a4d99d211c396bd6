// SPDX-License-Identifier: MIT
//
// Prints records as the tool that comes with the tracer does. The records contain the names.
#include "vendor_print.h"

#include <string.h>

#include "../../base/out.h"
#include "records.h"

struct vendor_printer {
    uint64_t ns; // time of the last record
};

static const struct tk_value *field(const struct tk_event *event, const char *name) {
    for (unsigned i = 0; i < event->value_count; i++)
        if (!strcmp(event->values[i].name, name)) return &event->values[i];
    return NULL;
}

static uint64_t number(const struct tk_event *event, const char *name) {
    const struct tk_value *value = field(event, name);
    return value ? value->number.u : 0;
}

static void put_text(struct tk_out *out, const struct tk_event *event, const char *name) {
    const struct tk_value *value = field(event, name);
    for (uint32_t i = 0; value && i < value->text_len; i++)
        tk_out_char(out, value->text[i] < 0x20 && value->text[i] >= 0 ? '?' : value->text[i]);
}

static void put_function(struct tk_out *out, const struct tk_event *event, const char *name) {
    if (field(event, name)) put_text(out, event, name);
    else tk_out_text(out, "<unknown function>"); // no file of symbols contains it
}

// Prints the time since the record before as seconds with six decimal places.
static void put_time(struct tk_out *out, struct vendor_printer *vendor_printer, uint64_t ns) {
    uint64_t micros = ns > vendor_printer->ns ? (ns - vendor_printer->ns) / 1000 : 0;
    vendor_printer->ns = ns;
    tk_out_digits(out, micros / 1000000, 10, 1);
    tk_out_char(out, '.');
    tk_out_digits(out, micros % 1000000, 10, 6);
}

static void put_call(struct tk_out *out, struct vendor_printer *vendor_printer, const struct tk_event *event) {
    put_text(out, event, "context");
    tk_out_text(out, " (");
    tk_out_digits(out, number(event, "vector"), 10, 1);
    tk_out_text(out, "):  ");
    put_time(out, vendor_printer, event->ticks);
    tk_out_char(out, ' ');
    put_function(out, event, "callee");
    tk_out_text(out, " <- ");
    put_function(out, event, "caller");
    tk_out_char(out, '\n');
}

// Prints a dump with a line for each byte.
static void put_dump(struct tk_out *out, const struct tk_event *event) {
    const struct tk_value *data = field(event, "data");
    tk_out_text(out, "Data dump: addr: 0x");
    tk_out_digits(out, number(event, "address"), 16, 1);
    tk_out_text(out, " len ");
    tk_out_digits(out, number(event, "length"), 10, 1);
    tk_out_text(out, " bytes\n");
    for (uint32_t i = 0; data && i + 1 < data->text_len; i += 2) {
        tk_out_text(out, "0x");
        tk_out_bytes(out, data->text + i, 2);
        tk_out_char(out, '\n');
    }
}

static void print(void *state, struct tk_alloc *alloc, const struct tk_event *event, unsigned record,
                  struct tk_out *out) {
    (void)alloc;
    if (record == CM_FUNCTION) put_call(out, state, event);
    if (record == CM_DUMP) put_dump(out, event);
    if (record != CM_LOG) return;
    tk_out_text(out, "LOG: ");
    put_text(out, event, "text");
    tk_out_char(out, '\n');
}

const struct tk_vendor_printer cm_original = { sizeof(struct vendor_printer), print };

static const char *record_name(unsigned record) {
    static const char *const names[] = { [CM_FUNCTION] = "FUNCTION", [CM_LOG] = "ASCII_LOG", [CM_DUMP] = "DATA_DUMP" };
    return names[record];
}

const struct tk_record_names tk_names_cortexm = { .name = record_name, .original = &cm_original };
