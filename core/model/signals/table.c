// SPDX-License-Identifier: MIT
#include "emit.h"

#include "../../base/utf8.h"

static const struct tk_column columns[] = {
    { "path", "Signal", TK_COLUMN_NAME, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "id", "Number", TK_COLUMN_NUMBER, TK_ROLE_KEY, NULL, TK_FOLD_NONE },
    { "type", "Type", TK_COLUMN_TEXT, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "samples", "Samples", TK_COLUMN_COUNT, TK_ROLE_VALUE, NULL, TK_FOLD_SUM },
    { "none", "Without a value", TK_COLUMN_COUNT, TK_ROLE_VALUE, NULL, TK_FOLD_SUM },
    { "tagged", "Tagged", TK_COLUMN_COUNT, TK_ROLE_VALUE, NULL, TK_FOLD_SUM },
    { "first", "First", TK_COLUMN_TIME, TK_ROLE_VALUE, NULL, TK_FOLD_MIN },
    { "last", "Last", TK_COLUMN_TIME, TK_ROLE_VALUE, NULL, TK_FOLD_MAX },
    { "smallest", "Smallest", TK_COLUMN_NUMBER, TK_ROLE_VALUE, NULL, TK_FOLD_MIN },
    { "largest", "Largest", TK_COLUMN_NUMBER, TK_ROLE_VALUE, NULL, TK_FOLD_MAX },
    { "mean", "Mean", TK_COLUMN_NUMBER, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
};

static void put_number(const struct tk_table_sink *sink, bool known, double value) {
    bool is_whole = value >= -9007199254740992.0 && value <= 9007199254740992.0 && (double)(int64_t)value == value;
    if (!known) tk_cell_none(sink);
    else if (is_whole) tk_cell_int(sink, (int64_t)value);
    else tk_cell_double(sink, value);
}

static void put_row(const struct tk_signals *signals, const struct tk_table_sink *sink, uint32_t index) {
    static const char *const types[TK_SHAPES] = { "", "event", "integer", "float", "text", "logic", "binary", "struct", "event array", "integer array", "float array", "text array" };
    const struct tk_signal *signal = &signals->signals[index];
    char path[TK_SIGNAL_PATH], clean[TK_SIGNAL_PATH * TK_UTF8_GROWTH];
    size_t bad, len = tk_signals_path(signals, index + 1, path);
    len = tk_utf8_clean((const uint8_t *)path, len, (uint8_t *)clean, &bad);
    tk_cell_text(sink, clean, len);
    tk_cell_uint(sink, signal->def.number);
    tk_cell_word(sink, types[signal->def.shape]);
    tk_cell_uint(sink, signal->samples);
    tk_cell_uint(sink, signal->none);
    tk_cell_uint(sink, signal->tagged);
    tk_cell_ticks_if(sink, !signal->is_untimed, signal->first_ns);
    tk_cell_ticks_if(sink, !signal->is_untimed, signal->last_ns);
    put_number(sink, signal->numbers, signal->least);
    put_number(sink, signal->numbers, signal->most);
    put_number(sink, signal->numbers, signal->sum / (double)signal->numbers);
}

void tk_signals_table(const struct tk_signals *signals, const struct tk_table_sink *sink) {
    static const struct tk_table table = { "signals", "Signals", columns, sizeof columns / sizeof *columns, TK_TABLE_LIST, NULL };
    tk_table_begin(sink, &table);
    for (uint32_t i = 0; i < signals->count; i++)
        if (signals->signals[i].samples) put_row(signals, sink, i);
    tk_table_end(sink);
}
