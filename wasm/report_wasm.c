// SPDX-License-Identifier: MIT
//
// The forms of a report, comparison and expectations as a module of its own: a conversion needs none of them. What goes
// in is the JSON of reports, so that it does not matter which module made them.
#include "desk.h"

#include <string.h>

struct room {
    struct tkw_room at;
    struct tkw_bytes json; // as far as it was handed in
};

struct room *tkw_open(void);
void tkw_close(struct room *room);

struct room *tkw_open(void) {
    return tkw_room_new(sizeof(struct room));
}

void tkw_close(struct room *room) {
    tkw_bytes_free(&room->json);
    tkw_room_free(&room->at, sizeof *room);
}

int32_t tkw_report_feed(struct room *room, uint32_t len);
tk_report *tkw_report_read(struct room *room);
tk_report *tkw_report_compare(const tk_report *before, const tk_report *after);
int32_t tkw_report_write(struct room *room, const tk_report *report, uint32_t form, uint32_t table_len);
int32_t tkw_report_expect(struct room *room, const tk_report *report, uint32_t len);
void tkw_report_free(tk_report *report);

// The input block holds the next part of the JSON.
int32_t tkw_report_feed(struct room *room, uint32_t len) {
    tkw_begin(&room->at);
    if (len > TKW_INPUT_LEN) return tkw_end(&room->at, TK_MISUSE);
    return tkw_end(&room->at, tkw_put(&room->json, room->at.input, len) ? TK_OK : TK_NO_MEMORY);
}

// Of all that was fed since the last one. NULL: no memory, or no report of this version of the schema.
tk_report *tkw_report_read(struct room *room) {
    tk_report *report = NULL;
    bool whole = !room->json.failed;
    if (whole && tk_report_read((const char *)room->json.data, room->json.len, &tkw_heap, &report) != TK_OK) report = NULL;
    tkw_bytes_clear(&room->json);
    return report;
}

// NULL: no memory.
tk_report *tkw_report_compare(const tk_report *before, const tk_report *after) {
    tk_report *report = NULL;
    return tk_report_compare(before, after, &tkw_heap, &report) == TK_OK ? report : NULL;
}

// What the input block holds as text; NULL: it does not fit.
static const char *taken_text(struct room *room, uint32_t len) {
    if (len >= TKW_INPUT_LEN) return NULL;
    room->at.input[len] = 0;
    return (const char *)room->at.input;
}

static bool write_text(void *ctx, const char *text, size_t len) {
    return tkw_put(ctx, text, len);
}

// form: a tk_report_form. The input block holds the id of the table for CSV.
int32_t tkw_report_write(struct room *room, const tk_report *report, uint32_t form, uint32_t table_len) {
    tkw_begin(&room->at);
    const char *table = taken_text(room, table_len);
    if (!table || form > TK_REPORT_CSV) return tkw_end(&room->at, TK_MISUSE);
    return tkw_end(&room->at, tk_report_write(report, (tk_report_form)form, table_len ? table : NULL, write_text, &room->at.output));
}

// The input block holds the expression. Output: {"found": a tk_expectation, "text": why it does not hold}.
int32_t tkw_report_expect(struct room *room, const tk_report *report, uint32_t len) {
    tkw_begin(&room->at);
    const char *expression = taken_text(room, len);
    if (!expression) return tkw_end(&room->at, TK_MISUSE);
    char text[TK_EXPECT_TEXT];
    tkw_put_key_number(&room->at.output, "{\"found\":", tk_report_expect(report, expression, text));
    tkw_put_key_string(&room->at.output, ",\"text\":", text);
    tkw_put_text(&room->at.output, "}");
    return tkw_end(&room->at, TK_OK);
}

void tkw_report_free(tk_report *report) {
    tk_report_free(report);
}
