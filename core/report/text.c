// SPDX-License-Identifier: MIT
//
// The report for a terminal or a ticket: plain text, aligned columns, no colour. Control characters in names
// are replaced, so that a recording cannot steer the terminal.
#include "out.h"

#include "../base/utf8.h"

#include <string.h>

enum { COLUMNS = 8, CELL = 256, NAME = 32, LONG_NAME = 60, LIST_MAX = 40, WRAP = 96, INDENT = 14 };

// ---- Cells: short texts built piece by piece, cut when full ----

struct cell {
    char text[CELL + 1];
    size_t len;
};

static void put(struct cell *cell, const char *text, size_t len) {
    if (len > CELL - cell->len) len = CELL - cell->len;
    memcpy(cell->text + cell->len, text, len);
    cell->len += len;
    cell->text[cell->len] = 0;
}

static void put_text(struct cell *cell, const char *text) { put(cell, text, strlen(text)); }

static void put_u64(struct cell *cell, uint64_t value) {
    char digits[TK_NUMBER_LEN];
    put(cell, digits, tk_format_u64(value, digits));
}

// value / 10^places
static void put_fixed(struct cell *cell, uint64_t value, unsigned places) {
    uint64_t one = 1;
    for (unsigned i = 0; i < places; i++) one *= 10;
    put_u64(cell, value / one);
    char digits[TK_NUMBER_LEN];
    size_t len = tk_format_u64(one + value % one, digits);
    put_text(cell, ".");
    put(cell, digits + 1, len - 1);
}

static void put_counted(struct cell *cell, uint64_t count, const char *one, const char *many) {
    put_u64(cell, count);
    put_text(cell, " ");
    put_text(cell, count == 1 ? one : many);
}

// While nothing tells how long a tick is, a nanosecond stands for one in the trace; here it is told as what it is.
static bool in_ticks(const struct tk_report *report) {
    return report->tick_ns == 1 && report->tick_source == TK_TICK_ASSUMED;
}

static void put_duration(struct cell *cell, const struct tk_report *report, uint64_t ns) {
    if (in_ticks(report)) put_counted(cell, ns, "tick", "ticks");
    else if (ns >= 1000000000) put_fixed(cell, ns / 1000000, 3), put_text(cell, " s");
    else if (ns >= 1000000) put_fixed(cell, ns / 1000, 3), put_text(cell, " ms");
    else if (ns >= 1000) put_fixed(cell, ns, 3), put_text(cell, " us");
    else put_u64(cell, ns), put_text(cell, " ns");
}

// A point in time: seconds to the nanosecond, so that it can be searched for.
static void put_instant(struct cell *cell, const struct tk_report *report, uint64_t ns) {
    if (in_ticks(report)) put_counted(cell, ns, "tick", "ticks");
    else put_fixed(cell, ns, 9), put_text(cell, " s");
}

static void put_percent(struct cell *cell, uint64_t part, uint64_t whole) {
    put_fixed(cell, tk_report_fraction(part, whole, 1000), 1);
    put_text(cell, " %");
}

// "40", or "40, 3 not measured"
static void put_measured(struct cell *cell, uint64_t count, uint64_t unmeasured) {
    put_u64(cell, count);
    if (!unmeasured) return;
    put_text(cell, ", ");
    put_u64(cell, unmeasured);
    put_text(cell, " not measured");
}

// ---- Names: only what is harmless on a terminal ----

static bool is_continuation(char c) { return ((unsigned char)c & 0xC0) == 0x80; }

static size_t columns_of(const char *text, size_t len) {
    size_t columns = 0;
    for (size_t i = 0; i < len; i++) columns += !is_continuation(text[i]);
    return columns;
}

static bool is_control(const char *text, size_t len) {
    unsigned char first = (unsigned char)text[0];
    if (first < 0x20 || first == 0x7F) return true;
    if (len < 2) return false;
    unsigned char second = (unsigned char)text[1];
    if (first == 0xC2 && second < 0xA0) return true;
    // marks that turn the direction of writing
    return len == 3 && first == 0xE2 && ((second == 0x80 && (unsigned char)text[2] >= 0xAA && (unsigned char)text[2] <= 0xAE) ||
                                         (second == 0x81 && (unsigned char)text[2] >= 0xA6 && (unsigned char)text[2] <= 0xA9));
}

// At most `columns` of it; a cut one ends in "~".
static void put_name(struct cell *cell, struct tk_report_string name, size_t columns) {
    bool clean = name.text && tk_utf8_is_clean((const uint8_t *)name.text, name.len);
    for (size_t at = 0, next; name.text && at < name.len; at = next) {
        const char *piece = &name.text[at];
        for (next = at + 1; clean && next < name.len && is_continuation(name.text[next]);) next++;
        if (--columns == 0 && next < name.len) {
            put_text(cell, "~");
            return;
        }
        bool bad = is_control(piece, next - at) || (!clean && (unsigned char)*piece >= 0x80);
        put(cell, bad ? "?" : piece, bad ? 1 : next - at);
    }
}

// The end of a path says more than its beginning.
static void put_file_name(struct cell *cell, struct tk_report_string name) {
    size_t skip = name.len > LONG_NAME ? name.len - (LONG_NAME - 1) : 0;
    while (skip && skip < name.len && is_continuation(name.text[skip])) skip++;
    if (skip) put_text(cell, "~");
    put_name(cell, (struct tk_report_string){name.text + skip, name.len - skip}, LONG_NAME);
}

// ---- Lines ----

static void spaces(struct tk_out *out, size_t count) {
    while (count--) tk_out_char(out, ' ');
}

static void heading(struct tk_out *out, const char *text) {
    tk_out_char(out, '\n');
    tk_out_text(out, text);
    tk_out_char(out, '\n');
}

// "Label       value"; an empty label continues the one before.
static void label(struct tk_out *out, const char *text) {
    tk_out_text(out, text);
    spaces(out, INDENT - strlen(text));
}

static void line(struct tk_out *out, const char *name, const struct cell *cell) {
    label(out, name);
    tk_out_bytes(out, cell->text, cell->len);
    tk_out_char(out, '\n');
}

// Words, broken into lines that start at `indent`.
static void paragraph(struct tk_out *out, size_t indent, const char *text) {
    size_t column = 0;
    while (*text) {
        size_t len = 0;
        while (text[len] && text[len] != ' ') len++;
        if (column && column + 1 + len > WRAP) {
            tk_out_char(out, '\n');
            column = 0;
        }
        if (column == 0) {
            spaces(out, indent);
            column = indent;
        } else {
            tk_out_char(out, ' ');
            column++;
        }
        tk_out_bytes(out, text, len);
        column += len;
        text += len;
        while (*text == ' ') text++;
    }
    tk_out_char(out, '\n');
}

// ---- Tables ----

struct table {
    const struct tk_report *report;
    const char *titles[COLUMNS];
    bool left[COLUMNS]; // else right-aligned
    unsigned columns;
    uint32_t count; // indices
    // Rows come in falling order of weight; false: not shown.
    bool (*weigh)(const struct tk_report *report, uint32_t index, uint64_t *out_weight);
    void (*fill)(const struct tk_report *report, uint32_t index, struct cell cells[COLUMNS]);
};

struct cursor {
    bool started;
    uint32_t index;
    uint64_t weight;
};

// The next row: the largest weight below the last one, lower index first. Sorting in place would need memory.
static bool next_row(const struct table *table, struct cursor *cursor) {
    struct cursor best = {false, 0, 0};
    for (uint32_t i = 0; i < table->count; i++) {
        uint64_t weight;
        if (!table->weigh(table->report, i, &weight)) continue;
        bool done = cursor->started && (weight > cursor->weight || (weight == cursor->weight && i <= cursor->index));
        if (!done && (!best.started || weight > best.weight)) best = (struct cursor){true, i, weight};
    }
    if (best.started) *cursor = best;
    return best.started;
}

static uint32_t shown_rows(const struct table *table) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < table->count; i++) {
        uint64_t weight;
        count += table->weigh(table->report, i, &weight);
    }
    return count;
}

static void measure(const struct table *table, const uint32_t *rows, uint32_t count, size_t widths[COLUMNS]) {
    for (unsigned column = 0; column < table->columns; column++) widths[column] = strlen(table->titles[column]);
    for (uint32_t row = 0; row < count; row++) {
        struct cell cells[COLUMNS] = {0};
        table->fill(table->report, rows[row], cells);
        for (unsigned column = 0; column < table->columns; column++) {
            size_t width = columns_of(cells[column].text, cells[column].len);
            if (width > widths[column]) widths[column] = width;
        }
    }
}

static void print_row(struct tk_out *out, const struct table *table, const struct cell cells[COLUMNS], const size_t widths[COLUMNS]) {
    unsigned columns = table->columns;
    while (columns && cells[columns - 1].len == 0) columns--;
    for (unsigned column = 0; column < columns; column++) {
        size_t pad = widths[column] - columns_of(cells[column].text, cells[column].len);
        spaces(out, 2);
        if (!table->left[column]) spaces(out, pad);
        tk_out_bytes(out, cells[column].text, cells[column].len);
        if (table->left[column] && column + 1 < columns) spaces(out, pad);
    }
    tk_out_char(out, '\n');
}

static void print_table(struct tk_out *out, const char *title, const struct table *table) {
    uint32_t rows[LIST_MAX], count = 0, all = shown_rows(table);
    if (all == 0) return;
    struct cursor cursor = {false, 0, 0};
    while (count < LIST_MAX && next_row(table, &cursor)) rows[count++] = cursor.index;
    size_t widths[COLUMNS];
    measure(table, rows, count, widths);
    heading(out, title);
    struct cell cells[COLUMNS] = {0};
    for (unsigned column = 0; column < table->columns; column++) put_text(&cells[column], table->titles[column]);
    print_row(out, table, cells, widths);
    for (uint32_t row = 0; row < count; row++) {
        memset(cells, 0, sizeof cells);
        table->fill(table->report, rows[row], cells);
        print_row(out, table, cells, widths);
    }
    if (all > count) {
        struct cell rest = {0};
        put_text(&rest, "  and ");
        put_u64(&rest, all - count);
        put_text(&rest, " more\n");
        tk_out_bytes(out, rest.text, rest.len);
    }
}

// ---- Tasks ----

static bool weigh_task(const struct tk_report *report, uint32_t index, uint64_t *out_weight) {
    struct tk_report_task task = {0};
    *out_weight = tk_stats_running(report->stats, index);
    return report->source.task(report->source.ctx, index, &task);
}

static void fill_task(const struct tk_report *report, uint32_t index, struct cell cells[COLUMNS]) {
    const struct tk_stats *stats = report->stats;
    struct tk_report_task task = {0};
    report->source.task(report->source.ctx, index, &task);
    uint64_t running = tk_stats_running(stats, index);
    put_name(&cells[0], task.name, NAME);
    if (task.idle) put_text(&cells[0], " (idle)");
    put_u64(&cells[1], task.id);
    if (task.has_priority) put_u64(&cells[2], task.priority);
    else put_text(&cells[2], "-");
    put_duration(&cells[3], report, tk_report_ns(report, running));
    put_percent(&cells[4], running, stats->end - stats->start);
    if (index < stats->task_count) put_measured(&cells[5], stats->tasks[index].runs, stats->tasks[index].runs_unmeasured);
    if (index >= stats->task_count || !stats->tasks[index].longest_wait) {
        put_text(&cells[6], "-");
        return;
    }
    put_duration(&cells[6], report, tk_report_ns(report, stats->tasks[index].longest_wait));
    put_name(&cells[7], (struct tk_report_string){task.wait_on, strlen(task.wait_on)}, LONG_NAME);
}

static void print_tasks(struct tk_out *out, const struct tk_report *report) {
    struct table table = {
        .report = report, .columns = 8, .count = report->task_count, .weigh = weigh_task, .fill = fill_task,
        .titles = {"name", "id", "prio", "CPU time", "share", "runs", "longest wait", "waited for"},
        .left = {true, false, false, false, false, false, false, true}};
    print_table(out, "Tasks", &table);
}

// ---- Interrupts ----

static bool weigh_isr(const struct tk_report *report, uint32_t index, uint64_t *out_weight) {
    struct tk_report_isr isr = {0};
    *out_weight = index < report->stats->isr_count ? report->stats->isrs[index].total : 0;
    return index < report->stats->isr_count && report->source.isr(report->source.ctx, index, &isr);
}

static void put_period(const struct tk_report *report, const struct tk_stats_isr *stats, struct cell *cell) {
    if (!stats->periods) {
        put_text(cell, "-");
        return;
    }
    put_duration(cell, report, tk_report_ns(report, stats->period_min));
    put_text(cell, " / ");
    put_duration(cell, report, tk_report_mean_ns(report, stats->period_total, stats->periods));
    put_text(cell, " / ");
    put_duration(cell, report, tk_report_ns(report, stats->period_max));
}

static void fill_isr(const struct tk_report *report, uint32_t index, struct cell cells[COLUMNS]) {
    const struct tk_stats_isr *stats = &report->stats->isrs[index];
    struct tk_report_isr isr = {0};
    report->source.isr(report->source.ctx, index, &isr);
    put_name(&cells[0], isr.name, NAME);
    put_u64(&cells[1], isr.core);
    put_measured(&cells[2], stats->entered, stats->entered - stats->measured);
    put_duration(&cells[3], report, tk_report_ns(report, stats->total));
    put_duration(&cells[4], report, tk_report_ns(report, stats->min));
    put_duration(&cells[5], report, tk_report_mean_ns(report, stats->total, stats->measured));
    put_duration(&cells[6], report, tk_report_ns(report, stats->max));
    put_period(report, stats, &cells[7]);
}

static void print_isrs(struct tk_out *out, const struct tk_report *report) {
    struct table table = {
        .report = report, .columns = 8, .count = report->isr_count, .weigh = weigh_isr, .fill = fill_isr,
        .titles = {"name", "core", "count", "total", "shortest", "mean", "longest", "period min / mean / max"},
        .left = {true, false, false, false, false, false, false, false}};
    print_table(out, "Interrupts", &table);
}

// ---- Queues ----

static bool weigh_queue(const struct tk_report *report, uint32_t index, uint64_t *out_weight) {
    struct tk_report_queue queue = {0};
    *out_weight = index < report->stats->queue_count ? report->stats->queues[index].operations : 0;
    return index < report->stats->queue_count && report->source.queue(report->source.ctx, index, &queue);
}

static void fill_queue(const struct tk_report *report, uint32_t index, struct cell cells[COLUMNS]) {
    struct tk_report_queue queue = {.kind = ""};
    report->source.queue(report->source.ctx, index, &queue);
    put_name(&cells[0], queue.name, NAME);
    put_u64(&cells[1], queue.id);
    put_text(&cells[2], queue.kind);
    put_u64(&cells[3], report->stats->queues[index].operations);
    put_u64(&cells[4], report->stats->queues[index].max_len);
}

static void print_queues(struct tk_out *out, const struct tk_report *report) {
    struct table table = {
        .report = report, .columns = 5, .count = report->queue_count, .weigh = weigh_queue, .fill = fill_queue,
        .titles = {"name", "id", "kind", "operations", "highest fill"},
        .left = {true, false, true, false, false}};
    print_table(out, "Queues and locks", &table);
}

// ---- Events by kind ----

static bool weigh_kind(const struct tk_report *report, uint32_t index, uint64_t *out_weight) {
    *out_weight = report->stats->kinds[index];
    return *out_weight > 0;
}

static void fill_kind(const struct tk_report *report, uint32_t index, struct cell cells[COLUMNS]) {
    char buffer[16];
    put_text(&cells[0], tk_report_kind(report, (uint8_t)index, buffer));
    put_u64(&cells[1], report->stats->kinds[index]);
    put_percent(&cells[2], report->stats->kinds[index], tk_stats_event_count(report->stats));
}

static void print_kinds(struct tk_out *out, const struct tk_report *report) {
    struct table table = {
        .report = report, .columns = 3, .count = TK_STATS_KINDS, .weigh = weigh_kind, .fill = fill_kind,
        .titles = {"kind", "count", "share"}, .left = {true, false, false}};
    print_table(out, "Events by kind", &table);
}

// ---- Head ----

static void print_input(struct tk_out *out, const struct tk_report_input *input, bool first) {
    struct cell cell = {0};
    put_file_name(&cell, input->name);
    if (cell.len) put_text(&cell, ": ");
    put_counted(&cell, input->bytes, "byte", "bytes");
    put_text(&cell, ", ");
    put_counted(&cell, input->frames, "frame", "frames");
    line(out, first ? "Input" : "", &cell);
    struct cell account = {0}, more = {0};
    put_u64(&account, input->decoded);
    put_text(&account, " decoded, ");
    put_u64(&account, input->skipped);
    put_text(&account, " skipped, ");
    put_u64(&account, input->left);
    put_text(&account, " left over");
    line(out, "", &account);
    if (input->side) put_text(&more, "read for names and settings only");
    if (input->core >= 0) put_text(&more, "core "), put_u64(&more, (uint64_t)input->core);
    if (more.len) line(out, "", &more);
}

static void print_inputs(struct tk_out *out, const struct tk_report *report) {
    for (uint32_t i = 0; i < report->input_count; i++) {
        struct tk_report_input input = {0};
        if (!report->source.input(report->source.ctx, i, &input)) continue;
        print_input(out, &input, i == 0);
        char fact[TK_REPORT_FACT];
        for (uint32_t n = 0; report->source.fact && report->source.fact(report->source.ctx, i, n, fact); n++) paragraph(out, INDENT, fact);
    }
}

static void print_format(struct tk_out *out, const struct tk_report *report) {
    struct cell cell = {0};
    put_text(&cell, report->format_title[0] ? report->format_title : "not recognised");
    if (report->mode[0]) put_text(&cell, ", mode "), put_text(&cell, report->mode);
    line(out, "Format", &cell);
}

static void print_time(struct tk_out *out, const struct tk_report *report) {
    static const char *const sources[] = {", named by the recording", ", given as an option", ", from another capture", ", assumed"};
    const struct tk_stats *stats = report->stats;
    struct cell duration = {0}, range = {0}, tick = {0};
    put_duration(&duration, report, tk_report_ns(report, stats->end - stats->start));
    line(out, "Duration", &duration);
    put_instant(&range, report, tk_report_ns(report, stats->start));
    put_text(&range, " to ");
    put_instant(&range, report, tk_report_ns(report, stats->end));
    line(out, "From", &range);
    put_u64(&tick, report->tick_ns);
    put_text(&tick, " ns");
    put_text(&tick, sources[report->tick_source]);
    if (report->tick_late) put_text(&tick, ", too late");
    line(out, "Tick", &tick);
}

// The parts are all of the time.
static void print_core(struct tk_out *out, const struct tk_report *report, uint32_t core) {
    struct tk_report_time time;
    tk_report_core_time(report, core, &time);
    const struct { const char *words; uint64_t ticks; } parts[] = {
        { "busy ", time.busy }, { "idle ", time.idle }, { "interrupts ", time.interrupt },
        { "outside interrupts ", time.interrupt ? time.outside : 0 }, { "not measured ", time.unmeasured }
    };
    struct cell name = {0}, cell = {0};
    put_text(&name, "Core ");
    put_u64(&name, core);
    for (unsigned i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (!parts[i].ticks) continue;
        if (cell.len) put_text(&cell, ", ");
        put_text(&cell, parts[i].words);
        put_percent(&cell, parts[i].ticks, report->stats->end - report->stats->start);
    }
    if (cell.len == 0) put_text(&cell, "no task switches, no interrupts");
    line(out, name.text, &cell);
}

static void print_outcome(struct tk_out *out, const struct tk_report *report) {
    struct cell events = {0}, lost = {0}, result = {0};
    put_u64(&events, tk_stats_event_count(report->stats));
    line(out, "Events", &events);
    if (report->drops || report->drops_before) {
        put_counted(&lost, report->drops, "event", "events");
        if (report->drops_before) put_text(&lost, ", before the start "), put_u64(&lost, report->drops_before);
        line(out, "Lost", &lost);
    }
    if (report->restarts) {
        struct cell restarts = {0};
        put_u64(&restarts, report->restarts);
        line(out, "Restarts", &restarts);
    }
    put_counted(&result, report->bytes_out, "byte", "bytes");
    if (report->packets) {
        put_text(&result, " in ");
        put_counted(&result, report->packets, "packet", "packets");
    }
    line(out, "Trace", &result);
}

static void print_head(struct tk_out *out, const struct tk_report *report) {
    tk_out_text(out, report->tool);
    tk_out_text(out, "\n\n");
    print_inputs(out, report);
    print_format(out, report);
    if (report->stats->started) print_time(out, report);
    uint32_t cores = tk_report_cores(report);
    for (uint32_t core = 0; core < TK_STATS_CORES; core++)
        if (cores >> core & 1) print_core(out, report, core);
    print_outcome(out, report);
}

static void print_explanation(struct tk_out *out, const struct tk_report *report) {
    const char *sentences[TK_REPORT_EXPLAIN_MAX];
    size_t count = tk_report_explain(report, sentences);
    if (count == 0) return;
    heading(out, "Why there is so little to see");
    for (size_t i = 0; i < count; i++) paragraph(out, 2, sentences[i]);
}

// ---- Problems ----

static void put_input(struct cell *cell, const struct tk_report *report, uint32_t index) {
    struct tk_report_input input = {0};
    if (index >= report->input_count || !report->source.input(report->source.ctx, index, &input)) return;
    put_text(cell, " of ");
    put_file_name(cell, input.name);
}

static void print_place(struct tk_out *out, const struct tk_report *report, const struct tk_diag_spot *spot) {
    struct cell place = {0};
    if (spot->has_offset) {
        put_text(&place, "byte ");
        put_u64(&place, spot->offset);
        put_text(&place, ", frame ");
        put_u64(&place, spot->frame);
        if (report->input_count > 1) put_input(&place, report, spot->input);
    }
    if (spot->has_ticks) {
        if (place.len) put_text(&place, ", ");
        put_instant(&place, report, tk_report_ns(report, spot->ticks));
    }
    if (place.len == 0) return;
    tk_out_text(out, "    first at ");
    tk_out_bytes(out, place.text, place.len);
    if (spot->context_len) {
        char hex[TK_REPORT_HEX_LEN];
        tk_report_hex(spot, hex);
        tk_out_text(out, ": ");
        tk_out_text(out, hex);
    }
    tk_out_char(out, '\n');
}

static void print_problem(struct tk_out *out, const struct tk_report *report, enum tk_diag_id id) {
    const struct tk_diag_info *info = tk_diag_info(id);
    const struct tk_diag_entry *entry = &report->diag->entries[id];
    char detail[TK_DIAG_DETAIL_LEN];
    struct cell count = {0};
    tk_out_text(out, "  ");
    tk_out_text(out, tk_severity_name(info->severity));
    spaces(out, 8 - strlen(tk_severity_name(info->severity)));
    tk_out_text(out, info->title);
    put_text(&count, ": ");
    put_counted(&count, entry->count, "time", "times");
    tk_out_bytes(out, count.text, count.len);
    if (tk_diag_detail(report->diag, id, detail)) {
        tk_out_text(out, ", ");
        tk_out_text(out, detail);
    }
    tk_out_char(out, '\n');
    print_place(out, report, &entry->spots[0]);
    paragraph(out, 4, info->cause);
    paragraph(out, 4, info->remedy);
}

static void print_problems(struct tk_out *out, const struct tk_report *report) {
    enum tk_diag_id ids[TK_DIAG_COUNT];
    size_t count = tk_report_problems(report->diag, ids);
    bool harmless = count && tk_diag_info(ids[0])->severity == TK_SEVERITY_INFO; // the worst comes first
    heading(out, count == 0 ? "No problems" : harmless ? "Notes" : "Problems");
    for (size_t i = 0; i < count; i++) print_problem(out, report, ids[i]);
}

bool tk_report_write_text(const struct tk_report *report, tk_report_write_fn write, void *ctx) {
    struct tk_out out;
    tk_out_init(&out, write, ctx);
    print_head(&out, report);
    print_explanation(&out, report);
    print_problems(&out, report);
    print_tasks(&out, report);
    print_isrs(&out, report);
    print_queues(&out, report);
    print_kinds(&out, report);
    return tk_out_flush(&out);
}
