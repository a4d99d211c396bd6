// SPDX-License-Identifier: MIT
//
// The list of what became worse and better as text.
#include "../base/decimal.h"
#include "cell_text.h"
#include "changes.h"

enum { BAR = 48, HISTOGRAM = 20, TITLE = 18, LABEL = 14, RANGE = 12 };

struct page {
    struct tk_out *out;
    const tk_report *report;
    const struct tk_report_table *changes;
    size_t indent;
};

// ---- Cells and lines ---------------------------------------------------------------------------

static bool is_text(const struct tk_cell *cell, const char *text) {
    return cell->type == TK_CELL_TEXT && cell->len == strlen(text) && !memcmp(cell->text, text, cell->len);
}

static bool is_same(const struct tk_cell *a, const struct tk_cell *b) {
    return a->type == TK_CELL_TEXT && b->type == TK_CELL_TEXT && a->len == b->len && !memcmp(a->text, b->text, a->len);
}

static void spaces(struct page *page, size_t count) {
    while (count--) tk_out_char(page->out, ' ');
}

static void begin_line(struct page *page, size_t indent) { spaces(page, page->indent + indent); }

// Writes words of a recording without control characters, and pads them to `width` characters.
static void put_padded(struct page *page, const char *text, size_t len, size_t width) {
    char room[TK_CELL_TEXT_ROOM];
    struct tk_text words = tk_text_in(room, sizeof room);
    tk_cell_text_name(&words, text, len, TK_TEXT_WIDTH);
    size_t used = tk_text_width(words.text, words.len);
    tk_out_bytes(page->out, words.text, words.len);
    spaces(page, used < width ? width - used : 0);
}

static void put_words(struct page *page, const struct tk_cell *cell, size_t width) {
    bool has_text = cell->type == TK_CELL_TEXT;
    put_padded(page, has_text ? cell->text : "", has_text ? cell->len : 0, width);
}

static void put_duration(struct page *page, const struct tk_cell *cell, enum tk_column_kind kind, size_t width) {
    char room[TK_CELL_TEXT_ROOM];
    struct tk_text words = tk_text_in(room, sizeof room);
    struct tk_column column = { .kind = (uint8_t)kind, .role = TK_ROLE_VALUE };
    tk_cell_text_cell(&words, page->report->times.unit, &column, cell);
    put_padded(page, words.text, words.len, width);
}

static void put_repeated(struct page *page, char c, uint64_t count) {
    while (count--) tk_out_char(page->out, c);
}

static void heading(struct page *page, const char *text) {
    begin_line(page, 0);
    tk_out_text(page->out, text);
    tk_out_char(page->out, '\n');
}

// ---- One figure --------------------------------------------------------------------------------

static void put_percent(struct page *page, const struct tk_cell *cell) {
    char text[TK_DOUBLE_LEN];
    double value = cell->type == TK_CELL_DOUBLE ? cell->d
                   : cell->type == TK_CELL_INT  ? (double)cell->i
                                                : (double)cell->u;
    if (value > 0) tk_out_char(page->out, '+');
    tk_out_bytes(page->out, text, tk_double_rounded(value, 3, -5, 14, text));
    tk_out_text(page->out, " %");
}

static bool is_number(const struct tk_cell *cell) { return cell->type != TK_CELL_NONE && cell->type != TK_CELL_TEXT; }

static void put_least(struct page *page, const struct tk_cell *least) {
    char text[TK_DOUBLE_LEN];
    double value = least->type == TK_CELL_DOUBLE ? least->d : (double)least->u;
    if (!is_number(least)) return;
    tk_out_text(page->out, "a change below ");
    tk_out_bytes(page->out, text, tk_double_rounded(value, 2, -5, 14, text));
    tk_out_text(page->out, " % would not be seen");
}

// "mean response     1.080 ms -> 1.620 ms (+50 %; a change below 4 % would not be seen)"
static void put_figure(struct page *page, uint32_t row) {
    const struct tk_cell *change = tk_report_cell_of(page->changes, row, "change");
    begin_line(page, 4);
    put_words(page, tk_report_cell_of(page->changes, row, "title"), TITLE);
    put_words(page, tk_report_cell_of(page->changes, row, "before"), 0);
    tk_out_text(page->out, " -> ");
    put_words(page, tk_report_cell_of(page->changes, row, "after"), 0);
    if (is_number(change)) {
        tk_out_text(page->out, " (");
        put_percent(page, change);
        tk_out_text(page->out, "; ");
        put_least(page, tk_report_cell_of(page->changes, row, "least"));
        tk_out_char(page->out, ')');
    }
    tk_out_char(page->out, '\n');
}

// ---- Distributions and worst jobs --------------------------------------------------------------

static uint64_t count_of(const struct tk_cell *cell) { return cell->type == TK_CELL_UINT ? cell->u : 0; }

static uint64_t scaled(uint64_t value, uint64_t whole, uint64_t width) {
    if (!whole || !value) return 0;
    uint64_t length = (uint64_t)((double)value / (double)whole * (double)width + 0.5);
    return !length ? 1 : length < width ? length : width;
}

static void put_percentiles(struct page *page, const struct tk_report_table *sides, uint32_t row) {
    static const char *const keys[] = { "p50", "p95", "p99", "response" };
    static const char *const words[] = { "  50 % at most ", "  95 % ", "  99 % ", "  longest " };
    begin_line(page, 4);
    put_words(page, tk_report_cell_of(sides, row, "side"), 8);
    tk_out_u64(page->out, count_of(tk_report_cell_of(sides, row, "jobs")));
    tk_out_text(page->out, " jobs");
    for (unsigned i = 0; i < 4; i++) {
        tk_out_text(page->out, words[i]);
        put_duration(page, tk_report_cell_of(sides, row, keys[i]), TK_COLUMN_DURATION, 0);
    }
    tk_out_char(page->out, '\n');
}

static void put_histogram(struct page *page, const struct tk_cell *name) {
    const struct tk_report_table *table = tk_report_table(page->report, "change_distributions", 20);
    uint64_t most[2] = { 0, 0 };
    static const char *const keys[] = { "before", "after" };
    uint32_t rows = table ? tk_report_rows(table) : 0, count = 0;
    for (uint32_t row = 0; row < rows; row++) {
        if (!is_same(tk_report_cell(table, row, 0), name)) continue;
        count++;
        for (unsigned i = 0; i < 2; i++)
            if (count_of(tk_report_cell_of(table, row, keys[i])) > most[i])
                most[i] = count_of(tk_report_cell_of(table, row, keys[i]));
    }
    if (!count) return;
    begin_line(page, 4);
    put_padded(page, "response up to", 14, RANGE + 4);
    put_padded(page, "before", 6, HISTOGRAM + RANGE);
    tk_out_text(page->out, "after\n");
    for (uint32_t row = 0; row < rows; row++) {
        if (!is_same(tk_report_cell(table, row, 0), name)) continue;
        begin_line(page, 4);
        put_duration(page, tk_report_cell_of(table, row, "up_to"), TK_COLUMN_DURATION, RANGE + 4);
        for (unsigned i = 0; i < 2; i++) {
            uint64_t jobs = count_of(tk_report_cell_of(table, row, keys[i])), length = scaled(jobs, most[i], HISTOGRAM);
            char digits[TK_DECIMAL_LEN] = "";
            size_t len = jobs ? tk_decimal(jobs, digits) : 0;
            put_repeated(page, '#', length);
            tk_out_char(page->out, ' ');
            tk_out_bytes(page->out, digits, len);
            if (i == 0) spaces(page, HISTOGRAM + RANGE - 1 - length - (len < RANGE - 1 ? len : RANGE - 1));
        }
        tk_out_char(page->out, '\n');
    }
}

static const struct {
    const char *key, *words;
    char mark;
} parts[] = { { "pending", "ready before it ran", '.' }, { "net", "ran", '#' },
              { "interrupted", "interrupted", 'i' },     { "preempted", "preempted", 'p' },
              { "blocked", "waited for locks", 'b' },    { "room", "waited for room", 'r' },
              { "waited", "waited inside", 'w' } };
enum { PARTS = sizeof parts / sizeof *parts };

// A bar that begins at the release of the job.
static void put_bar(struct page *page, const struct tk_report_table *sides, uint32_t row, uint64_t longest) {
    begin_line(page, 4);
    put_words(page, tk_report_cell_of(sides, row, "side"), 8);
    tk_out_char(page->out, '|');
    for (unsigned i = 0; i < PARTS; i++)
        put_repeated(page, parts[i].mark, scaled(count_of(tk_report_cell_of(sides, row, parts[i].key)), longest, BAR));
    tk_out_text(page->out, "|  ");
    put_duration(page, tk_report_cell_of(sides, row, "response"), TK_COLUMN_DURATION, 0);
    tk_out_text(page->out, " at ");
    put_duration(page, tk_report_cell_of(sides, row, "release"), TK_COLUMN_TIME, 0);
    tk_out_char(page->out, '\n');
}

static void put_legend(struct page *page, const struct tk_report_table *sides, const uint32_t rows[2]) {
    bool any = false;
    begin_line(page, 12);
    for (unsigned i = 0; i < PARTS; i++) {
        if (!count_of(tk_report_cell_of(sides, rows[0], parts[i].key)) &&
            !count_of(tk_report_cell_of(sides, rows[1], parts[i].key)))
            continue;
        tk_out_text(page->out, any ? ", " : "");
        tk_out_char(page->out, parts[i].mark);
        tk_out_char(page->out, ' ');
        tk_out_text(page->out, parts[i].words);
        any = true;
    }
    tk_out_text(page->out, " (sums, from the release)\n");
}

static void put_worst_jobs(struct page *page, const struct tk_report_table *sides, const uint32_t rows[2]) {
    uint64_t longest = 0;
    for (unsigned i = 0; i < 2; i++) {
        uint64_t response = count_of(tk_report_cell_of(sides, rows[i], "response"));
        if (response > longest) longest = response;
    }
    if (!longest) return;
    begin_line(page, 4);
    tk_out_text(page->out, "worst jobs\n");
    for (unsigned i = 0; i < 2; i++) put_bar(page, sides, rows[i], longest);
    put_legend(page, sides, rows);
    for (unsigned i = 0; i < 2; i++) {
        begin_line(page, 4);
        put_words(page, tk_report_cell_of(sides, rows[i], "side"), 8);
        tk_cell_text_put_long(page->out, tk_report_cell_of(sides, rows[i], "why"));
        tk_out_char(page->out, '\n');
    }
}

static void put_jobs(struct page *page, const struct tk_cell *name) {
    const struct tk_report_table *sides = tk_report_table(page->report, "change_sides", 12);
    uint32_t rows[2], count = 0;
    for (uint32_t row = 0; sides && row < tk_report_rows(sides) && count < 2; row++)
        if (is_same(tk_report_cell(sides, row, 0), name)) rows[count++] = row;
    if (count < 2) return;
    for (unsigned i = 0; i < 2; i++) put_percentiles(page, sides, rows[i]);
    put_histogram(page, name);
    put_worst_jobs(page, sides, rows);
}

// ---- The list ----------------------------------------------------------------------------------

static bool has_verdict(const struct page *page, uint32_t row, enum tk_change_verdict verdict) {
    return is_text(tk_report_cell_of(page->changes, row, "verdict"), tk_change_verdicts[verdict]);
}

static bool is_changed(const struct page *page, uint32_t row) {
    return has_verdict(page, row, TK_CHANGE_WORSE) || has_verdict(page, row, TK_CHANGE_BETTER) ||
           has_verdict(page, row, TK_CHANGE_OTHER);
}

static const struct tk_cell *name_at(const struct page *page, uint32_t row) {
    return tk_report_cell(page->changes, row, 0);
}

// Returns the row after the last one of the task or interrupt in row `first`.
static uint32_t group_end(const struct page *page, uint32_t first) {
    uint32_t row = first;
    while (row < tk_report_rows(page->changes) && is_changed(page, row) &&
           is_same(name_at(page, row), name_at(page, first)) &&
           is_same(tk_report_cell_of(page->changes, row, "of"), tk_report_cell_of(page->changes, first, "of")))
        row++;
    return row;
}

// A group is of the first of these verdicts that one of its figures has.
static enum tk_change_verdict group_verdict(const struct page *page, uint32_t first, uint32_t end) {
    for (unsigned verdict = TK_CHANGE_WORSE; verdict < TK_CHANGE_OTHER; verdict++)
        for (uint32_t row = first; row < end; row++)
            if (has_verdict(page, row, (enum tk_change_verdict)verdict)) return (enum tk_change_verdict)verdict;
    return TK_CHANGE_OTHER;
}

static void put_group(struct page *page, uint32_t first, uint32_t end) {
    const struct tk_cell *of = tk_report_cell_of(page->changes, first, "of");
    begin_line(page, 2);
    put_words(page, name_at(page, first), 0);
    if (!is_text(of, "task")) tk_out_text(page->out, ", "), put_words(page, of, 0);
    tk_out_char(page->out, '\n');
    for (uint32_t row = first; row < end; row++) put_figure(page, row);
    if (is_text(of, "task")) put_jobs(page, name_at(page, first));
}

static void put_changed(struct page *page, enum tk_change_verdict verdict, const char *title) {
    bool any = false;
    for (uint32_t row = 0, end; row < tk_report_rows(page->changes) && is_changed(page, row); row = end) {
        end = group_end(page, row);
        if (group_verdict(page, row, end) != verdict) continue;
        tk_out_text(page->out, "\n");
        if (!any) heading(page, title);
        any = true;
        put_group(page, row, end);
    }
}

static void put_only(struct page *page, enum tk_change_verdict verdict, const char *title) {
    bool any = false;
    for (uint32_t row = 0; row < tk_report_rows(page->changes); row++) {
        if (!has_verdict(page, row, verdict)) continue;
        if (!any) tk_out_char(page->out, '\n'), heading(page, title);
        any = true;
        begin_line(page, 2);
        put_words(page, tk_report_cell_of(page->changes, row, "of"), 0);
        tk_out_char(page->out, ' ');
        put_words(page, name_at(page, row), 0);
        tk_out_text(page->out, ": ");
        put_words(page, tk_report_cell_of(page->changes, row, "title"), 0);
        tk_out_char(page->out, ' ');
        put_words(page, tk_report_cell_of(page->changes, row, verdict == TK_CHANGE_NEW ? "after" : "before"), 0);
        tk_out_char(page->out, '\n');
    }
}

// What was compared without a change, and what could not be compared: silence must be readable.
static void put_others(struct page *page, enum tk_change_verdict verdict, const char *title) {
    bool any = false;
    for (uint32_t row = 0; row < tk_report_rows(page->changes); row++) {
        if (!has_verdict(page, row, verdict)) continue;
        if (!any) tk_out_char(page->out, '\n'), heading(page, title);
        any = true;
        begin_line(page, 2);
        put_words(page, name_at(page, row), LABEL);
        tk_out_char(page->out, ' ');
        put_words(page, tk_report_cell_of(page->changes, row, "title"), TITLE);
        if (verdict == TK_CHANGE_NOISE) {
            put_words(page, tk_report_cell_of(page->changes, row, "before"), 0);
            tk_out_text(page->out, " -> ");
            put_words(page, tk_report_cell_of(page->changes, row, "after"), 0);
            tk_out_text(page->out, "; ");
            put_least(page, tk_report_cell_of(page->changes, row, "least"));
        } else {
            put_words(page, tk_report_cell_of(page->changes, row, "reason"), 0);
        }
        tk_out_char(page->out, '\n');
    }
}

void tk_changes_put_text(struct tk_out *out, const tk_report *report, size_t indent) {
    struct page page = { .out = out, .report = report, .indent = indent };
    page.changes = tk_report_table(report, "changes", 7);
    if (!page.changes) return;
    bool any = tk_report_rows(page.changes) && is_changed(&page, 0);
    if (!tk_report_rows(page.changes))
        heading(&page, "No figure of these recordings has a known noise, so nothing is judged.");
    else if (!any) heading(&page, "Nothing became worse or better beyond the noise.");
    put_changed(&page, TK_CHANGE_WORSE, "Worse");
    put_changed(&page, TK_CHANGE_BETTER, "Better");
    put_changed(&page, TK_CHANGE_OTHER, "Changed");
    put_only(&page, TK_CHANGE_NEW, "Only in the second recording");
    put_only(&page, TK_CHANGE_GONE, "Only in the first recording");
    put_others(&page, TK_CHANGE_NOISE, "Within the noise");
    put_others(&page, TK_CHANGE_NOT_JUDGED, "Not judged");
}
