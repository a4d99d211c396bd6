// SPDX-License-Identifier: MIT
//
// The summary and the tables of a flux recording in the report.
#include "flux.h"

#include "../../base/utf8.h"

#include <string.h>

// ---- Sentences -----------------------------------------------------------------------------------

struct sentence {
    char *text;
    size_t len;
};

static void put(struct sentence *sentence, const char *words) {
    size_t len = strlen(words), room = TK_SUMMARY_LEN - 1 - sentence->len;
    if (len > room) len = room;
    memcpy(sentence->text + sentence->len, words, len);
    sentence->len += len;
    sentence->text[sentence->len] = 0;
}

static void put_number(struct sentence *sentence, int64_t number) {
    char digits_room[TK_SHORT_ROOM];
    struct tk_text digits = tk_short_in(digits_room);
    tk_text_i64(&digits, number);
    digits.text[digits.len] = 0;
    put(sentence, digits.text);
}

static void put_dialect(const struct flux *flux, struct sentence *sentence) {
    static const char *const dialects[] = { "4", "6", "6i (impulse 3)" };
    put(sentence, "Written in dialect ");
    put(sentence, dialects[flux->trace_count ? flux->traces[0].dialect : flux->dialect]);
    if (flux->ignores_version) put(sentence, ", although no header contains this version");
    put(sentence, flux->trace_count == 1 ? ", one trace" : ", several traces: ");
    if (flux->trace_count != 1) put_number(sentence, flux->trace_count);
}

bool flux_summary_line(const void *decoder, uint32_t index, char out_text[TK_SUMMARY_LEN]) {
    static const char *const fine[] = { "", "Times are shown 1000 times as long: 1 ns in the viewer is 1 ps",
                                        "Times are shown a million times as long: 1 ns in the viewer is 1 fs" };
    const struct flux *flux = decoder;
    struct sentence sentence = { out_text, 0 };
    if (!index--) return put_dialect(flux, &sentence), true;
    if (flux->fine && !index--) return put(&sentence, fine[flux->fine]), true;
    if (!flux->shift || index) return false;
    put(&sentence, "Times begin below zero and are shown ");
    put_number(&sentence, flux->shift);
    put(&sentence, " ns later");
    return true;
}

// ---- Tables --------------------------------------------------------------------------------------

static void put_span(const struct tk_table_sink *sink, struct tk_span text) {
    char clean[256 * TK_UTF8_GROWTH];
    size_t bad,
        len = tk_utf8_clean((const uint8_t *)text.text, text.len < 256 ? text.len : 256, (uint8_t *)clean, &bad);
    tk_cell_text(sink, clean, len);
}

static const struct tk_column traces_columns[] = {
    { "trace", "Trace", TK_COLUMN_NAME, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "id", "Number", TK_COLUMN_NUMBER, TK_ROLE_KEY, NULL, TK_FOLD_NONE },
    { "version", "Version", TK_COLUMN_NUMBER, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "sequences", "Sequences", TK_COLUMN_COUNT, TK_ROLE_VALUE, NULL, TK_FOLD_SUM },
    { "definitions", "Definitions", TK_COLUMN_COUNT, TK_ROLE_VALUE, NULL, TK_FOLD_SUM },
    { "last", "Last", TK_COLUMN_TIME, TK_ROLE_VALUE, NULL, TK_FOLD_MAX },
};
static const struct tk_table traces_table = { "traces",      "Traces", TK_TABLE_COLUMNS(traces_columns),
                                              TK_TABLE_LIST, NULL,     "The traces that the recording contains." };

static void put_traces(const struct flux *flux, const struct tk_table_sink *sink) {
    tk_table_begin(sink, &traces_table);
    for (uint32_t i = 0; i < flux->trace_count; i++) {
        const struct flux_trace *trace = &flux->traces[i];
        put_span(sink, trace->root ? flux->signals.signals[trace->root - 1].def.name : (struct tk_span){ "", 0 });
        tk_cell_uint(sink, trace->id);
        tk_cell_uint_if(sink, trace->has_head, trace->version);
        tk_cell_uint(sink, trace->opened);
        tk_cell_uint(sink, trace->definitions);
        tk_cell_ticks(sink, trace->last_ns);
    }
    tk_table_end(sink);
}

static const struct tk_column blocks_columns[] = {
    { "method", "Packed by", TK_COLUMN_NAME, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "blocks", "Blocks", TK_COLUMN_COUNT, TK_ROLE_VALUE, NULL, TK_FOLD_SUM },
    { "packed", "Packed", TK_COLUMN_COUNT, TK_ROLE_VALUE, "bytes", TK_FOLD_SUM },
    { "unpacked", "Unpacked", TK_COLUMN_COUNT, TK_ROLE_VALUE, "bytes", TK_FOLD_SUM },
    { "dropped", "Dropped", TK_COLUMN_COUNT, TK_ROLE_VALUE, "blocks", TK_FOLD_SUM },
};
static const struct tk_table blocks_table = { "blocks",
                                              "Packed blocks",
                                              TK_TABLE_COLUMNS(blocks_columns),
                                              TK_TABLE_LIST,
                                              NULL,
                                              "Packed blocks of the recording, by method of compression." };

static void put_blocks(const struct flux *flux, const struct tk_table_sink *sink) {
    uint64_t any = 0;
    for (unsigned i = 0; i < TK_UNPACK_METHODS; i++) any += flux->blocks[i].blocks;
    if (!any) return;
    tk_table_begin(sink, &blocks_table);
    for (unsigned i = 0; i < TK_UNPACK_METHODS; i++) {
        const struct flux_block_count *count = &flux->blocks[i];
        if (!count->blocks) continue;
        tk_cell_word(sink, tk_unpack_name((enum tk_unpack_method)i));
        tk_cell_uint(sink, count->blocks);
        tk_cell_uint(sink, count->packed);
        tk_cell_uint(sink, count->unpacked);
        tk_cell_uint(sink, count->dropped);
    }
    tk_table_end(sink);
}

const struct tk_table *const flux_table_list[] = { &traces_table, &blocks_table, NULL };

void flux_tables(const void *decoder, const struct tk_table_sink *sink) {
    const struct flux *flux = decoder;
    put_traces(flux, sink);
    put_blocks(flux, sink);
}
