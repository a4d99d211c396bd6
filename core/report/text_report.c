// SPDX-License-Identifier: MIT
//
// Writes the report as plain text with aligned columns and without colour, or as Markdown. Replaces control characters
// in names, which would affect the terminal, and escapes Markdown.
#include "text_report.h"

#include "cell_text.h"
#include "changes.h"

enum { ROWS = 40, WRAP = 96, LABEL = 24 };

struct page {
    struct tk_out *out;
    const tk_report *report;
    bool markdown;
};

// ---- Lines ----

static void spaces(struct tk_out *out, size_t count) {
    while (count--) tk_out_char(out, ' ');
}

// Writes text, escaped in Markdown.
static void put_safe(struct page *page, const char *text, size_t len) {
    for (size_t i = 0; i < len; i++) {
        if (page->markdown && text[i] && strchr("\\`*_{}[]<>|#&~", text[i])) tk_out_char(page->out, '\\');
        tk_out_char(page->out, text[i]);
    }
}

static void put_words(struct page *page, const struct tk_text *words) { put_safe(page, words->text, words->len); }

static void heading(struct page *page, const char *text) {
    tk_out_text(page->out, page->markdown ? "\n## " : "\n");
    put_safe(page, text, strlen(text));
    tk_out_text(page->out, page->markdown ? "\n\n" : "\n");
}

// Writes a paragraph, broken into lines that start at `indent`; one line in Markdown.
static void paragraph(struct page *page, size_t indent, const char *text) {
    struct tk_out *out = page->out;
    size_t column = 0;
    while (*text) {
        size_t len = strcspn(text, " ");
        bool wraps = !page->markdown && column && column + 1 + len > WRAP;
        if (wraps) tk_out_char(out, '\n');
        if (wraps || column == 0) spaces(out, column = indent);
        else tk_out_char(out, ' '), column++;
        put_safe(page, text, len);
        column += len;
        text += len + strspn(text + len, " ");
    }
    tk_out_char(out, '\n');
}

// Writes the text of a cell as a paragraph, without control characters.
static void sentence(struct page *page, size_t indent, const struct tk_cell *cell) {
    char words_room[TK_CELL_TEXT_ROOM];
    struct tk_text words = tk_text_in(words_room, TK_CELL_TEXT_ROOM);
    if (cell && cell->type == TK_CELL_TEXT) tk_cell_text_name(&words, cell->text, cell->len, TK_CELL_TEXT_ROOM);
    if (words.len) paragraph(page, indent, words.text);
}

// ---- Tables ----

// The shown part of a table: columns that are not empty, and the rows with the largest values.
struct grid {
    const struct tk_report_table *table;
    uint32_t columns[TK_REPORT_COLUMNS], column_count;
    uint32_t rows[ROWS], row_count;
    size_t widths[TK_REPORT_COLUMNS];
};

static uint64_t weight(const struct tk_cell *cell) { return cell->type == TK_CELL_UINT ? cell->u : 0; }

// Inserts a row if it is among the largest; of equal values the first row is kept.
static void take_row(struct grid *grid, uint32_t row, uint32_t by) {
    uint32_t at = grid->row_count;
    if (by != UINT32_MAX)
        while (at && weight(tk_report_cell(grid->table, grid->rows[at - 1], by)) <
                         weight(tk_report_cell(grid->table, row, by)))
            at--;
    if (at == ROWS) return;
    uint32_t moved = grid->row_count - at - (grid->row_count == ROWS);
    memmove(&grid->rows[at + 1], &grid->rows[at], moved * sizeof grid->rows[0]);
    grid->rows[at] = row;
    if (grid->row_count < ROWS) grid->row_count++;
}

static bool is_shown(const struct grid *grid, uint32_t column) {
    const struct tk_column *info = &grid->table->info.columns[column];
    if (info->role == TK_ROLE_HIDDEN || info->role == TK_ROLE_BEFORE || info->role == TK_ROLE_MEASURED) return false;
    bool only_if_any = info->role == TK_ROLE_UNMEASURED || info->role == TK_ROLE_CHANGE;
    for (uint32_t i = 0; i < grid->row_count; i++) {
        const struct tk_cell *cell = tk_report_cell(grid->table, grid->rows[i], column);
        if (tk_report_has(cell, info->kind) && !(only_if_any && cell->u == 0)) return true;
    }
    return false;
}

static void cell_words(const struct page *page, const struct grid *grid, uint32_t row, uint32_t column,
                       struct tk_text *out) {
    const struct tk_column *info = &grid->table->info.columns[column];
    tk_cell_text_cell(out, page->report->times.unit, info, tk_report_cell(grid->table, row, column));
}

static void lay_out(const struct page *page, const struct tk_report_table *table, struct grid *out) {
    *out = (struct grid){ .table = table };
    uint32_t by = table->info.sort ? tk_report_column(table, table->info.sort, strlen(table->info.sort)) : UINT32_MAX;
    for (uint32_t row = 0; row < tk_report_rows(table); row++) take_row(out, row, by);
    for (uint32_t column = 0; column < table->info.column_count; column++) {
        if (!is_shown(out, column)) continue;
        size_t *width = &out->widths[out->column_count];
        *width = strlen(table->info.columns[column].title);
        for (uint32_t i = 0; i < out->row_count; i++) {
            char words_room[TK_CELL_TEXT_ROOM];
            struct tk_text words = tk_text_in(words_room, TK_CELL_TEXT_ROOM);
            cell_words(page, out, out->rows[i], column, &words);
            size_t needed = tk_text_width(words.text, words.len);
            if (needed > *width) *width = needed;
        }
        out->columns[out->column_count++] = column;
    }
}

static bool is_left(const struct grid *grid, uint32_t i) {
    return grid->table->info.columns[grid->columns[i]].kind <= TK_COLUMN_FLAG;
}

static void put_aligned(struct page *page, const struct grid *grid, uint32_t i, const struct tk_text *words,
                        bool last) {
    size_t pad = grid->widths[i] - tk_text_width(words->text, words->len);
    spaces(page->out, 2);
    if (!is_left(grid, i)) spaces(page->out, pad);
    tk_out_bytes(page->out, words->text, words->len);
    if (is_left(grid, i) && !last) spaces(page->out, pad);
}

// row UINT32_MAX: writes the titles.
static void put_row(struct page *page, const struct grid *grid, uint32_t row) {
    char rooms[TK_REPORT_COLUMNS][TK_CELL_TEXT_ROOM];
    struct tk_text words[TK_REPORT_COLUMNS];
    uint32_t used = 0;
    for (uint32_t i = 0; i < grid->column_count; i++) {
        words[i] = tk_text_in(rooms[i], TK_CELL_TEXT_ROOM);
        if (row == UINT32_MAX)
            tk_cell_text_name(&words[i], grid->table->info.columns[grid->columns[i]].title,
                              strlen(grid->table->info.columns[grid->columns[i]].title), TK_TEXT_WIDTH);
        else cell_words(page, grid, row, grid->columns[i], &words[i]);
        if (words[i].len) used = i + 1;
    }
    if (page->markdown) used = grid->column_count;
    for (uint32_t i = 0; i < used; i++) {
        if (!page->markdown) {
            put_aligned(page, grid, i, &words[i], i + 1 == used);
            continue;
        }
        tk_out_text(page->out, i ? " | " : "| ");
        put_words(page, &words[i]);
    }
    tk_out_text(page->out, page->markdown ? " |\n" : "\n");
}

static void put_rule(struct page *page, const struct grid *grid) {
    for (uint32_t i = 0; i < grid->column_count; i++) tk_out_text(page->out, is_left(grid, i) ? "| --- " : "| ---: ");
    tk_out_text(page->out, "|\n");
}

static void put_list(struct page *page, const struct tk_report_table *table) {
    struct grid grid;
    uint32_t all = tk_report_rows(table);
    if (all == 0) return;
    lay_out(page, table, &grid);
    heading(page, table->info.title);
    put_row(page, &grid, UINT32_MAX);
    if (page->markdown) put_rule(page, &grid);
    for (uint32_t i = 0; i < grid.row_count; i++) put_row(page, &grid, grid.rows[i]);
    if (all == grid.row_count) return;
    tk_out_text(page->out, page->markdown ? "\nand " : "  and ");
    tk_out_u64(page->out, all - grid.row_count);
    tk_out_text(page->out, " more\n");
}

static void put_prose(struct page *page, const struct tk_report_table *table) {
    uint32_t last = table->info.column_count - 1;
    if (tk_report_rows(table) == 0) return;
    heading(page, table->info.title);
    for (uint32_t row = 0; row < tk_report_rows(table); row++) {
        if (page->markdown) tk_out_text(page->out, "- ");
        sentence(page, page->markdown ? 0 : 2, tk_report_cell(table, row, last));
    }
}

// ---- Figures ----

static void put_change(struct page *page, const struct tk_report_table *table, uint32_t column) {
    for (uint32_t i = column + 1; i < table->info.column_count && table->info.columns[i].role != TK_ROLE_VALUE; i++) {
        const struct tk_cell *cell = tk_report_cell(table, 0, i);
        char words_room[TK_CELL_TEXT_ROOM];
        struct tk_text words = tk_text_in(words_room, TK_CELL_TEXT_ROOM);
        if (table->info.columns[i].role != TK_ROLE_CHANGE || cell->type == TK_CELL_NONE || cell->u == 0) continue;
        tk_cell_text_cell(&words, page->report->times.unit, &table->info.columns[i], cell);
        tk_out_text(page->out, " (");
        put_words(page, &words);
        tk_out_text(page->out, ")");
    }
}

static void put_figures(struct page *page, const struct tk_report_table *table) {
    for (uint32_t i = 0; tk_report_rows(table) && i < table->info.column_count; i++) {
        const struct tk_column *column = &table->info.columns[i];
        const struct tk_cell *cell = tk_report_cell(table, 0, i);
        if (column->role != TK_ROLE_VALUE || !tk_report_has(cell, column->kind)) continue;
        char words_room[TK_CELL_TEXT_ROOM], title_room[TK_CELL_TEXT_ROOM];
        struct tk_text words = tk_text_in(words_room, TK_CELL_TEXT_ROOM),
                       title = tk_text_in(title_room, TK_CELL_TEXT_ROOM);
        tk_cell_text_name(&title, column->title, strlen(column->title), LABEL);
        tk_cell_text_cell(&words, page->report->times.unit, column, cell);
        tk_out_text(page->out, page->markdown ? "| " : "");
        put_words(page, &title);
        if (page->markdown) tk_out_text(page->out, " | ");
        else spaces(page->out, LABEL - tk_text_width(title.text, title.len));
        put_words(page, &words);
        put_change(page, table, i);
        tk_out_text(page->out, page->markdown ? " |\n" : "\n");
    }
}

// ---- Problems: a table as text ----

static void put_text(struct page *page, const struct tk_cell *cell) {
    char words_room[TK_CELL_TEXT_ROOM];
    struct tk_text words = tk_text_in(words_room, TK_CELL_TEXT_ROOM);
    if (cell && cell->type == TK_CELL_TEXT) tk_cell_text_name(&words, cell->text, cell->len, TK_CELL_TEXT_ROOM);
    put_words(page, &words);
}

static bool same_text(const struct tk_cell *a, const struct tk_cell *b) {
    return a && b && a->type == TK_CELL_TEXT && b->type == TK_CELL_TEXT && a->len == b->len &&
           !memcmp(a->text, b->text, a->len);
}

static const struct tk_cell *place_cell(const struct page *page, uint32_t row, const char *column) {
    return tk_report_find(page->report, "places", row, column);
}

static void place_words(const struct page *page, uint32_t row, struct tk_text *out) {
    static const struct tk_column time = { .kind = TK_COLUMN_TIME };
    const struct tk_cell *offset = place_cell(page, row, "offset"), *frame = place_cell(page, row, "frame"),
                         *at = place_cell(page, row, "time");
    const struct tk_cell *input = place_cell(page, row, "input"), *hex = place_cell(page, row, "hex");
    if (tk_report_has(offset, TK_COLUMN_NUMBER)) tk_text_add(out, "byte "), tk_text_u64(out, offset->u);
    if (tk_report_has(frame, TK_COLUMN_NUMBER)) tk_text_add(out, ", frame "), tk_text_u64(out, frame->u);
    if (out->len && tk_report_has(input, TK_COLUMN_TEXT))
        tk_text_add(out, " of "), tk_cell_text_name(out, input->text, input->len, TK_TEXT_WIDTH);
    if (tk_report_has(at, TK_COLUMN_TIME)) {
        if (out->len) tk_text_add(out, ", ");
        tk_cell_text_cell(out, page->report->times.unit, &time, at);
    }
    if (tk_report_has(hex, TK_COLUMN_TEXT))
        tk_text_add(out, ": "), tk_cell_text_name(out, hex->text, hex->len, TK_TEXT_WIDTH);
}

enum { PLACES = 3 };

static void put_places(struct page *page, const struct tk_cell *id) {
    const struct tk_report_table *places = tk_report_table(page->report, "places", 6);
    uint32_t shown = 0;
    for (uint32_t row = 0; places && row < tk_report_rows(places); row++) {
        char words_room[TK_CELL_TEXT_ROOM];
        struct tk_text words = tk_text_in(words_room, TK_CELL_TEXT_ROOM);
        if (!same_text(place_cell(page, row, "problem"), id)) continue;
        place_words(page, row, &words);
        if (!words.len || shown++ >= PLACES) continue;
        tk_out_text(page->out, shown == 1       ? page->markdown ? "  first at " : "    first at "
                               : page->markdown ? "  then at "
                                                : "    then at ");
        put_words(page, &words);
        tk_out_text(page->out, page->markdown ? "  \n" : "\n");
    }
}

static void put_problem(struct page *page, uint32_t row) {
    static const char *const columns[] = { "id", "severity", "title", "count", "detail", "cause", "remedy" };
    const struct tk_cell *cells[7];
    for (unsigned i = 0; i < 7; i++) cells[i] = tk_report_find(page->report, "problems", row, columns[i]);
    char count_room[TK_CELL_TEXT_ROOM];
    struct tk_text count = tk_text_in(count_room, TK_CELL_TEXT_ROOM);
    tk_text_count(&count, cells[3] ? cells[3]->u : 0, "times");
    tk_out_text(page->out, page->markdown ? "- **" : "  ");
    put_text(page, cells[1]);
    if (page->markdown) tk_out_text(page->out, "** ");
    else spaces(page->out, cells[1] && cells[1]->len < 8 ? 8 - cells[1]->len : 1);
    put_text(page, cells[2]);
    tk_out_text(page->out, ": ");
    put_words(page, &count);
    if (tk_report_has(cells[4], TK_COLUMN_TEXT)) tk_out_text(page->out, ", "), put_text(page, cells[4]);
    tk_out_text(page->out, page->markdown ? "  \n" : "\n");
    put_places(page, cells[0]);
    sentence(page, page->markdown ? 2 : 4, cells[5]);
    sentence(page, page->markdown ? 2 : 4, cells[6]);
}

static void put_problems(struct page *page, const struct tk_report_table *table) {
    uint32_t count = tk_report_rows(table);
    const struct tk_cell *worst = tk_report_find(page->report, "problems", 0, "severity");
    bool harmless = worst && worst->len == 4 && !memcmp(worst->text, "info", 4); // the most severe one is first
    heading(page, count == 0 ? "No problems" : harmless ? "Notes" : "Problems");
    for (uint32_t row = 0; row < count; row++) put_problem(page, row);
}

// Writes the sentences about the target.
static void put_target_summary(struct page *page) {
    const struct tk_cell *fact;
    for (uint32_t row = 0; (fact = tk_report_find(page->report, "facts", row, "fact")); row++) sentence(page, 2, fact);
}

// Writes a crash of the target, what the recording lacks to be understood, and what to do.
static void put_first(struct page *page) {
    static const char *const first[] = { "TARGET_FAULT", "NAMES_UNKNOWN", "TICK_ASSUMED", "RATE_UNKNOWN" };
    const struct tk_report_table *problems = tk_report_table(page->report, "problems", 8);
    if (page->report->times.certainty != TK_TIME_MEASURED)
        tk_out_text(page->out, tk_time_certainty_text(page->report->times.certainty)), tk_out_text(page->out, "\n\n");
    for (uint32_t row = 0; problems && row < tk_report_rows(problems); row++) {
        const struct tk_cell *id = tk_report_find(page->report, "problems", row, "id");
        for (unsigned i = 0; id && i < sizeof first / sizeof *first; i++) {
            if (id->len != strlen(first[i]) || memcmp(id->text, first[i], id->len) != 0) continue;
            put_text(page, tk_report_find(page->report, "problems", row, "title"));
            tk_out_text(page->out, "\n");
            if (i == 0) put_target_summary(page);
            sentence(page, 2, tk_report_find(page->report, "problems", row, "remedy"));
            tk_out_text(page->out, "\n");
        }
    }
}

// ---- Findings: sentences above everything else ----

static const struct tk_cell *finding_cell(const struct page *page, uint32_t row, const char *column) {
    return tk_report_find(page->report, "findings", row, column);
}

static void put_finding(struct page *page, uint32_t row) {
    static const struct tk_column time = { .kind = TK_COLUMN_TIME };
    const struct tk_cell *severity = finding_cell(page, row, "severity"), *at = finding_cell(page, row, "at");
    char words_room[TK_CELL_TEXT_ROOM];
    struct tk_text words = tk_text_in(words_room, TK_CELL_TEXT_ROOM);
    tk_out_text(page->out, page->markdown ? "- **" : "  ");
    put_text(page, severity);
    if (page->markdown) tk_out_text(page->out, "** ");
    else spaces(page->out, severity && severity->len < 8 ? 8 - severity->len : 1);
    put_text(page, finding_cell(page, row, "title"));
    tk_out_text(page->out, ": ");
    put_text(page, finding_cell(page, row, "who"));
    if (tk_report_has(at, TK_COLUMN_TIME)) {
        tk_text_add(&words, ", at ");
        tk_cell_text_cell(&words, page->report->times.unit, &time, at);
        put_words(page, &words);
    }
    tk_out_text(page->out, page->markdown ? "  \n" : "\n");
    sentence(page, page->markdown ? 2 : 4, finding_cell(page, row, "text"));
    sentence(page, page->markdown ? 2 : 4, finding_cell(page, row, "remedy"));
}

// Writes which rules were not examined and why, because no finding of them proves nothing.
static void put_not_examined(struct page *page) {
    const struct tk_report_table *table = tk_report_table(page->report, "not_examined", 12);
    if (!table || tk_report_rows(table) == 0) return;
    tk_out_text(page->out, page->markdown ? "\nNot examined:\n\n" : "  Not examined:\n");
    for (uint32_t row = 0; row < tk_report_rows(table); row++) {
        tk_out_text(page->out, page->markdown ? "- " : "    ");
        put_text(page, tk_report_find(page->report, "not_examined", row, "title"));
        tk_out_text(page->out, ": ");
        put_text(page, tk_report_find(page->report, "not_examined", row, "reason"));
        tk_out_char(page->out, '\n');
    }
}

static void put_findings(struct page *page) {
    const struct tk_report_table *table = tk_report_table(page->report, "findings", 8);
    if (!table) return;
    uint32_t count = tk_report_rows(table);
    if (page->markdown) heading(page, count ? "Findings" : "No findings");
    else tk_out_text(page->out, count ? "Findings\n" : "No findings\n");
    for (uint32_t row = 0; row < count; row++) put_finding(page, row);
    put_not_examined(page);
    tk_out_char(page->out, '\n');
}

static bool is_about_findings(const struct tk_report_table *table) {
    return !strcmp(table->info.id, "findings") || !strcmp(table->info.id, "not_examined");
}

// ---- Verdicts: one line per rule, so that no explanation is cut ----

static void put_verdicts(struct page *page, const struct tk_report_table *table) {
    if (tk_report_rows(table) == 0) return;
    heading(page, table->info.title);
    for (uint32_t row = 0; row < tk_report_rows(table); row++) {
        const struct tk_cell *verdict = tk_report_cell(table, row, 1), *text = tk_report_cell(table, row, 2);
        tk_out_text(page->out, page->markdown ? "- **" : "  ");
        put_text(page, verdict);
        tk_out_text(page->out, page->markdown ? "** " : "  ");
        put_text(page, tk_report_cell(table, row, 0));
        if (tk_report_has(text, TK_COLUMN_TEXT)) tk_out_text(page->out, ": "), put_text(page, text);
        tk_out_char(page->out, '\n');
    }
}

// ---- The report ----

static void put_all_figures(struct page *page) {
    if (page->markdown) tk_out_text(page->out, "| | |\n| --- | --- |\n");
    for (uint32_t i = 0; i < page->report->count; i++)
        if (page->report->tables[i].info.shape == TK_TABLE_FIGURES) put_figures(page, &page->report->tables[i]);
}

static bool is_named(const struct tk_report_table *table, const char *id) { return !strcmp(table->info.id, id); }

static const struct tk_cell *input_cell(const struct page *page, uint32_t row, const char *column) {
    return tk_report_find(page->report, "inputs", row, column);
}

// Writes the names of the recordings, which distinguish several reports in one file.
static void put_title(struct page *page, bool compared) {
    const struct tk_cell *name, *role;
    bool named = false;
    tk_out_text(page->out, "# ");
    for (uint32_t row = 0; !compared && (name = input_cell(page, row, "name")); row++) {
        role = input_cell(page, row, "role");
        bool is_recording = role && role->type == TK_CELL_TEXT && role->len == 9 && !memcmp(role->text, "recording", 9);
        if (!is_recording || !tk_report_has(name, TK_COLUMN_NAME)) continue;
        if (named) tk_out_text(page->out, ", ");
        put_text(page, name);
        named = true;
    }
    if (!named) tk_out_text(page->out, compared ? "Comparison" : "Report");
    tk_out_text(page->out, "\n\n");
}

// ---- Comparisons: what changed first, all tables folded ----

// Text inside a code block of Markdown needs no escaping. It is indented, so that no line can end the block.
static void put_changes(struct page *page) {
    const struct tk_report_table *compared = tk_report_table(page->report, "compared", 8);
    enum { INDENT = 4 };
    if (compared) put_list(page, compared);
    tk_out_text(page->out, page->markdown ? "\n```text\n" : "\n");
    tk_changes_put_text(page->out, page->report, page->markdown ? INDENT : 0);
    tk_out_text(page->out, page->markdown ? "```\n\n<details><summary>All tables</summary>\n\n" : "\nAll tables\n\n");
}

static bool is_about_changes(const struct tk_report_table *table) {
    return is_named(table, "compared") || is_named(table, "changes");
}

void tk_report_put_text(struct tk_out *out, const tk_report *report, bool markdown) {
    struct page page = { .out = out, .report = report, .markdown = markdown };
    bool compared = !tk_report_table(report, "explain", 7);
    if (markdown) put_title(&page, compared);
    put_safe(&page, report->tool, strlen(report->tool));
    tk_out_text(page.out, "\n\n");
    put_first(&page);
    if (compared) put_changes(&page);
    else put_findings(&page);
    put_all_figures(&page);
    for (uint32_t i = 0; i < report->count; i++) {
        const struct tk_report_table *table = &report->tables[i];
        if (compared ? is_about_changes(table) : is_about_findings(table)) continue;
        if (is_named(table, "problems") && !compared) put_problems(&page, table);
        else if (is_named(table, "verdicts") && table->info.column_count == 3) put_verdicts(&page, table);
        else if (table->info.shape == TK_TABLE_PROSE) put_prose(&page, table);
        else if (table->info.shape == TK_TABLE_LIST && !(is_named(table, "places") && !compared))
            put_list(&page, table);
    }
    if (compared && markdown) tk_out_text(page.out, "\n</details>\n");
}
