// SPDX-License-Identifier: MIT
//
// The forms of a report, comparison and expectations as a module of its own: a conversion needs none of them. What goes
// in is the JSON of reports, so that it does not matter which module made them.
#include "io.h"

#include <string.h>

struct instance {
    struct tkw_instance at;
    struct tkw_bytes json; // as far as it was handed in
};

struct instance *tkw_open(void);
void tkw_close(struct instance *instance);

struct instance *tkw_open(void) { return tkw_instance_new(sizeof(struct instance)); }

void tkw_close(struct instance *instance) {
    tkw_bytes_free(&instance->json);
    tkw_instance_free(&instance->at, sizeof *instance);
}

int32_t tkw_report_feed(struct instance *instance, uint32_t len);
tk_report *tkw_report_read(struct instance *instance);
tk_report *tkw_report_compare(const tk_report *before, const tk_report *after);
int32_t tkw_report_write(struct instance *instance, const tk_report *report, uint32_t form, uint32_t table_len);
int32_t tkw_report_expect(struct instance *instance, const tk_report *report, uint32_t len);
void tkw_report_free(tk_report *report);

// The input block holds the next part of the JSON.
int32_t tkw_report_feed(struct instance *instance, uint32_t len) {
    tkw_begin(&instance->at);
    if (len > TKW_INPUT_LEN) return tkw_end(&instance->at, TK_MISUSE);
    return tkw_end(&instance->at, tkw_put(&instance->json, instance->at.input, len) ? TK_OK : TK_NO_MEMORY);
}

// Of all that was fed since the last one. NULL: no memory, or no report of this version of the schema.
tk_report *tkw_report_read(struct instance *instance) {
    tk_report *report = NULL;
    bool whole = !instance->json.failed;
    if (whole && tk_report_read((const char *)instance->json.data, instance->json.len, &tkw_heap, &report) != TK_OK)
        report = NULL;
    tkw_bytes_clear(&instance->json);
    return report;
}

// NULL: no memory.
tk_report *tkw_report_compare(const tk_report *before, const tk_report *after) {
    tk_report *report = NULL;
    return tk_report_compare(before, after, &tkw_heap, &report) == TK_OK ? report : NULL;
}

// What the input block holds as text; NULL: it does not fit.
static const char *taken_text(struct instance *instance, uint32_t len) {
    if (len >= TKW_INPUT_LEN) return NULL;
    instance->at.input[len] = 0;
    return (const char *)instance->at.input;
}

static bool write_text(void *ctx, const char *text, size_t len) { return tkw_put(ctx, text, len); }

// form: a tk_report_form. The input block holds the id of the table for CSV.
int32_t tkw_report_write(struct instance *instance, const tk_report *report, uint32_t form, uint32_t table_len) {
    tkw_begin(&instance->at);
    const char *table = taken_text(instance, table_len);
    if (!table || form > TK_REPORT_CSV) return tkw_end(&instance->at, TK_MISUSE);
    return tkw_end(&instance->at, tk_report_write(report, (tk_report_form)form, table_len ? table : NULL, write_text,
                                                  &instance->at.output));
}

// The input block holds the expression. Output: {"found": a tk_expectation, "text": why it does not hold}.
int32_t tkw_report_expect(struct instance *instance, const tk_report *report, uint32_t len) {
    tkw_begin(&instance->at);
    const char *expression = taken_text(instance, len);
    if (!expression) return tkw_end(&instance->at, TK_MISUSE);
    char text[TK_EXPECT_TEXT];
    tkw_put_key_number(&instance->at.output, "{\"found\":", tk_report_expect(report, expression, text));
    tkw_put_key_string(&instance->at.output, ",\"text\":", text);
    tkw_put_text(&instance->at.output, "}");
    return tkw_end(&instance->at, TK_OK);
}

void tkw_report_free(tk_report *report) { tk_report_free(report); }
