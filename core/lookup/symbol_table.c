// SPDX-License-Identifier: MIT
//
// Writes the symbol files as a table of the report.
#include "../model/tables/table.h"
#include "symbol_reader.h"

static bool is_unproven(const struct tk_symbol_checks *checks) {
    return checks->points && !checks->calls_agree && !checks->calls_contradict;
}

const char *tk_symbol_file_note(const struct tk_symbol_file_summary *summary) {
    if (summary->contradicted) return "of another build: the recording contradicts it, so Tonkopf does not use it";
    if (summary->dismissed) return "of other firmware: Tonkopf does not use it";
    if (summary->kind == TK_SYMBOLS_NONE) return "not a known kind of symbol file";
    if (summary->read == TK_SYMBOLS_FOR_TEXTS && !summary->bytes) return "it contains no texts: only an ELF file does";
    if (summary->read != TK_SYMBOLS_FOR_TEXTS && !summary->functions)
        return "it contains no functions: it was stripped";
    if (summary->asked && !summary->found && !summary->variables_found && !summary->texts_found)
        return "no address of the recording lies in one of its functions";
    if (is_unproven(&summary->checks)) return "unproven: it contains no code to compare the calls with";
    if (summary->cut) return "it is incomplete";
    if (summary->limited) return "it exceeds a limit: Tonkopf omits the rest";
    return summary->compressed ? "no source lines: its line table is compressed in a way that Tonkopf does not read "
                                 "(zstd): link with zlib or without compression"
                               : "";
}

static void put_file(const struct tk_symbol_file_summary *summary, const struct tk_table_sink *sink) {
    bool is_checked = summary->checks.points > 0;
    tk_cell_word(sink, summary->name);
    tk_cell_uint(sink, summary->input);
    tk_cell_word(sink, tk_symbols_kind_name(summary->kind));
    tk_cell_uint_if(sink, summary->read >= TK_SYMBOLS_FOR_NAMES, summary->functions);
    tk_cell_uint_if(sink, summary->read >= TK_SYMBOLS_FOR_NAMES, summary->variables);
    tk_cell_uint_if(sink, summary->read >= TK_SYMBOLS_FOR_LINES, summary->lines);
    tk_cell_uint(sink, summary->bytes);
    tk_cell_uint(sink, summary->asked);
    tk_cell_uint(sink, summary->found);
    tk_cell_uint(sink, summary->lines_found);
    tk_cell_uint(sink, summary->variables_found);
    tk_cell_uint(sink, summary->texts_found);
    tk_cell_uint_if(sink, is_checked, summary->checks.calls_agree);
    tk_cell_uint_if(sink, is_checked, summary->checks.calls_contradict);
    tk_cell_uint_if(sink, is_checked, summary->checks.vectors_agree);
    tk_cell_uint_if(sink, is_checked, summary->checks.vectors_contradict);
    tk_cell_word(sink, tk_symbol_file_note(summary));
}

static const struct tk_column symbols_columns[] = {
    { "name", "File", TK_COLUMN_NAME, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "input_number", "Number of the input", TK_COLUMN_NUMBER, TK_ROLE_HIDDEN, NULL, TK_FOLD_NONE },
    { "kind", "Kind", TK_COLUMN_TEXT, TK_ROLE_NOTE, NULL, TK_FOLD_NONE },
    { "functions", "Functions", TK_COLUMN_COUNT, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "variables", "Variables", TK_COLUMN_COUNT, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "lines", "Line changes", TK_COLUMN_COUNT, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "bytes", "Constants", TK_COLUMN_COUNT, TK_ROLE_VALUE, "bytes", TK_FOLD_NONE },
    { "asked", "Addresses looked up", TK_COLUMN_COUNT, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "found", "In a function", TK_COLUMN_COUNT, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "lines_found", "With a line", TK_COLUMN_COUNT, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "variables_found", "Variables found", TK_COLUMN_COUNT, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "texts_found", "Texts found", TK_COLUMN_COUNT, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "calls_agree", "Calls that agree", TK_COLUMN_COUNT, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "calls_contradict", "Calls that contradict", TK_COLUMN_COUNT, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "handlers_agree", "Handlers that agree", TK_COLUMN_COUNT, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "handlers_contradict", "Handlers that contradict", TK_COLUMN_COUNT, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "note", "Note", TK_COLUMN_TEXT, TK_ROLE_NOTE, NULL, TK_FOLD_NONE },
};
const struct tk_table tk_symbols_table_info = {
    "symbols",     "Symbols", TK_TABLE_COLUMNS(symbols_columns),
    TK_TABLE_LIST, NULL,      "Contents of each symbol file, and the number of look-ups that it answered."
};

void tk_symbols_table(const struct tk_symbols *symbols, const struct tk_table_sink *sink) {
    struct tk_symbol_file_summary summary;
    if (!symbols->first) return;
    tk_table_begin(sink, &tk_symbols_table_info);
    for (struct tk_symbol_file *file = NULL; (file = tk_symbols_next(symbols, file));) {
        tk_symbol_file_summary(file, &summary);
        put_file(&summary, sink);
    }
    tk_table_end(sink);
}
