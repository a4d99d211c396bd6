// SPDX-License-Identifier: MIT
//
// Forms of a report, comparison and expectations for a WebAssembly host. They take reports as JSON.
#include "io.h"

int32_t tkw_report_feed(struct tkw_instance *instance, uint32_t len);
tk_report *tkw_report_read(struct tkw_instance *instance);
tk_report *tkw_report_compare(const tk_report *before, const tk_report *after);
int32_t tkw_schema(struct tkw_instance *instance);
int32_t tkw_report_write(struct tkw_instance *instance, const tk_report *report, uint32_t form, uint32_t table_len);
int32_t tkw_report_expect(struct tkw_instance *instance, const tk_report *report, uint32_t len);
int32_t tkw_expect_check(struct tkw_instance *instance, uint32_t len);
void tkw_report_free(tk_report *report);

// The input block holds the next part of the JSON.
int32_t tkw_report_feed(struct tkw_instance *instance, uint32_t len) {
    tkw_begin(instance);
    if (len > TKW_INPUT_LEN) return tkw_end(instance, TK_MISUSE);
    return tkw_end(instance, tkw_put(&instance->json, instance->input, len) ? TK_OK : TK_NO_MEMORY);
}

// Of all that was fed since the last one. NULL: the output is the number of the tk_status that tells why.
tk_report *tkw_report_read(struct tkw_instance *instance) {
    tk_report *report = NULL;
    tk_status status = TK_NO_MEMORY;
    tkw_begin(instance);
    if (!instance->json.failed)
        status = tk_report_read((const char *)instance->json.data, instance->json.len, &tkw_heap, &report);
    tkw_bytes_clear(&instance->json);
    if (status == TK_OK) return report;
    tkw_put_key_number(&instance->output, "", status);
    tkw_end(instance, TK_OK);
    return NULL;
}

// NULL: no memory.
tk_report *tkw_report_compare(const tk_report *before, const tk_report *after) {
    tk_report *report = NULL;
    return tk_report_compare(before, after, &tkw_heap, &report) == TK_OK ? report : NULL;
}

// What the input block holds as text; NULL: it does not fit.
static const char *taken_text(struct tkw_instance *instance, uint32_t len) {
    if (len >= TKW_INPUT_LEN) return NULL;
    instance->input[len] = 0;
    return (const char *)instance->input;
}

static bool write_text(void *ctx, const char *text, size_t len) { return tkw_put(ctx, text, len); }

// Output: what the tables and columns of reports mean, as JSON.
int32_t tkw_schema(struct tkw_instance *instance) {
    tkw_begin(instance);
    return tkw_end(instance, tk_schema_json(write_text, &instance->output));
}

// form: a tk_report_form. The input block holds the id of the table for CSV.
int32_t tkw_report_write(struct tkw_instance *instance, const tk_report *report, uint32_t form, uint32_t table_len) {
    tkw_begin(instance);
    const char *table = taken_text(instance, table_len);
    if (!table || form > TK_REPORT_CSV) return tkw_end(instance, TK_MISUSE);
    return tkw_end(instance, tk_report_write(report, (tk_report_form)form, table_len ? table : NULL, write_text,
                                             &instance->output));
}

// The input block holds the expression. Output: {"found": a tk_expectation, "text": why it does not hold}.
int32_t tkw_report_expect(struct tkw_instance *instance, const tk_report *report, uint32_t len) {
    tkw_begin(instance);
    const char *expression = taken_text(instance, len);
    if (!expression) return tkw_end(instance, TK_MISUSE);
    char text[TK_EXPECT_TEXT];
    tkw_put_key_number(&instance->output, "{\"found\":", tk_report_expect(report, expression, text));
    tkw_put_key_string(&instance->output, ",\"text\":", text);
    tkw_put_text(&instance->output, "}");
    return tkw_end(instance, TK_OK);
}

// The input block holds the expression. Output: {"text": what is wrong with it, or ""}.
int32_t tkw_expect_check(struct tkw_instance *instance, uint32_t len) {
    tkw_begin(instance);
    const char *expression = taken_text(instance, len);
    if (!expression) return tkw_end(instance, TK_MISUSE);
    char text[TK_EXPECT_TEXT];
    tk_expect_check(expression, text);
    tkw_put_key_string(&instance->output, "{\"text\":", text);
    tkw_put_text(&instance->output, "}");
    return tkw_end(instance, TK_OK);
}

void tkw_report_free(tk_report *report) { tk_report_free(report); }
