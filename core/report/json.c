// SPDX-License-Identifier: MIT
#include "out.h"

#include "../base/utf8.h"

#include <string.h>

struct json {
    struct tk_out out;
    bool comma; // a value precedes at this level
};

// ---- Syntax ----

static void separate(struct json *json) {
    if (json->comma) tk_out_char(&json->out, ',');
    json->comma = false;
}

static void begin(struct json *json, char bracket) {
    separate(json);
    tk_out_char(&json->out, bracket);
}

static void end(struct json *json, char bracket) {
    tk_out_char(&json->out, bracket);
    json->comma = true;
}

static void literal(struct json *json, const char *text) {
    separate(json);
    tk_out_text(&json->out, text);
    json->comma = true;
}

static void put_escaped(struct tk_out *out, unsigned char c, bool clean) {
    static const char hex[] = "0123456789abcdef";
    if (c == '"' || c == '\\') {
        char pair[2] = {'\\', (char)c};
        tk_out_bytes(out, pair, 2);
    } else if (c < 0x20 || c == 0x7F) {
        char code[6] = {'\\', 'u', '0', '0', hex[c >> 4], hex[c & 15]};
        tk_out_bytes(out, code, 6);
    } else if (c >= 0x80 && !clean) {
        tk_out_text(out, "\xEF\xBF\xBD");
    } else {
        tk_out_char(out, (char)c);
    }
}

// Names of files come from the host and may be anything.
static void string_len(struct json *json, const char *text, size_t len) {
    separate(json);
    bool clean = tk_utf8_is_clean((const uint8_t *)text, len);
    tk_out_char(&json->out, '"');
    for (size_t i = 0; i < len; i++) put_escaped(&json->out, (unsigned char)text[i], clean);
    tk_out_char(&json->out, '"');
    json->comma = true;
}

static void string(struct json *json, const char *text) { string_len(json, text, strlen(text)); }

static void key(struct json *json, const char *name) {
    string(json, name);
    tk_out_char(&json->out, ':');
    json->comma = false;
}

// A number that JavaScript reads exactly.
static void number(struct json *json, uint64_t value) {
    char digits[TK_NUMBER_LEN];
    tk_format_u64(value > ((uint64_t)1 << 53) - 1 ? ((uint64_t)1 << 53) - 1 : value, digits);
    literal(json, digits);
}

// value / 10^places, between 0 and 1
static void fraction(struct json *json, uint64_t value, unsigned places) {
    uint64_t one = 1;
    for (unsigned i = 0; i < places; i++) one *= 10;
    if (value == 0 || value >= one) {
        literal(json, value ? "1" : "0");
        return;
    }
    char digits[TK_NUMBER_LEN], text[TK_NUMBER_LEN + 2] = "0.";
    tk_format_u64(one + value, digits); // the leading 1 keeps the zeros
    memcpy(text + 2, digits + 1, places);
    size_t len = 2 + places;
    while (text[len - 1] == '0') len--;
    text[len] = 0;
    literal(json, text);
}

static void big(struct json *json, uint64_t value) {
    char digits[TK_NUMBER_LEN];
    size_t len = tk_format_u64(value, digits);
    string_len(json, digits, len);
}

// ---- Members: a key and its value ----

static void string_member(struct json *json, const char *name, const char *text) {
    key(json, name);
    string(json, text);
}

static void name_member(struct json *json, const char *name, struct tk_report_string text) {
    key(json, name);
    string_len(json, text.text ? text.text : "", text.text ? text.len : 0);
}

static void number_member(struct json *json, const char *name, uint64_t value) {
    key(json, name);
    number(json, value);
}

static void big_member(struct json *json, const char *name, uint64_t value) {
    key(json, name);
    big(json, value);
}

static void bool_member(struct json *json, const char *name, bool value) {
    key(json, name);
    literal(json, value ? "true" : "false");
}

static void null_member(struct json *json, const char *name) {
    key(json, name);
    literal(json, "null");
}

static void core_member(struct json *json, int32_t core) {
    if (core < 0) null_member(json, "core");
    else number_member(json, "core", (uint64_t)core);
}

static void open_list(struct json *json, const char *name) {
    key(json, name);
    begin(json, '[');
}

static void open_member(struct json *json, const char *name) {
    key(json, name);
    begin(json, '{');
}

// ---- Parts of the report ----

static void write_format(struct json *json, const struct tk_report *report) {
    open_member(json, "format");
    string_member(json, "name", report->format_name);
    string_member(json, "title", report->format_title);
    string_member(json, "mode", report->mode);
    end(json, '}');
}

static void write_account(struct json *json, const struct tk_report_input *input) {
    big_member(json, "decoded", input->decoded);
    big_member(json, "skipped", input->skipped);
    open_list(json, "skippedBy");
    for (int id = 0; input->skipped_by && id < TK_DIAG_COUNT; id++) {
        if (!input->skipped_by[id]) continue;
        begin(json, '{');
        string_member(json, "id", tk_diag_info((enum tk_diag_id)id)->name);
        big_member(json, "bytes", input->skipped_by[id]);
        end(json, '}');
    }
    end(json, ']');
    big_member(json, "left", input->left);
}

static void write_facts(struct json *json, const struct tk_report *report, uint32_t input) {
    char fact[TK_REPORT_FACT];
    open_list(json, "facts");
    for (uint32_t i = 0; report->source.fact && report->source.fact(report->source.ctx, input, i, fact); i++) string(json, fact);
    end(json, ']');
}

static void write_inputs(struct json *json, const struct tk_report *report) {
    open_list(json, "inputs");
    for (uint32_t i = 0; i < report->input_count; i++) {
        struct tk_report_input input = {0};
        if (!report->source.input(report->source.ctx, i, &input)) continue;
        begin(json, '{');
        name_member(json, "name", input.name);
        string_member(json, "role", input.side ? "side" : "recording");
        big_member(json, "bytes", input.bytes);
        write_account(json, &input);
        number_member(json, "frames", input.frames);
        core_member(json, input.core);
        write_facts(json, report, i);
        end(json, '}');
    }
    end(json, ']');
}

static void write_time(struct json *json, const struct tk_report *report) {
    static const char *const sources[] = {"recording", "option", "side", "assumed"};
    const struct tk_stats *stats = report->stats;
    open_member(json, "tick");
    big_member(json, "ns", report->tick_ns);
    string_member(json, "source", sources[report->tick_source]);
    bool_member(json, "late", report->tick_late);
    if (report->counts_per_tick) big_member(json, "countsPerTick", report->counts_per_tick);
    else null_member(json, "countsPerTick");
    end(json, '}');
    open_member(json, "time");
    big_member(json, "startNs", tk_report_ns(report, stats->start));
    big_member(json, "endNs", tk_report_ns(report, stats->end));
    big_member(json, "durationNs", tk_report_ns(report, stats->end - stats->start));
    end(json, '}');
}

static void write_cores(struct json *json, const struct tk_report *report) {
    uint32_t cores = tk_report_cores(report);
    open_list(json, "cores");
    for (uint32_t core = 0; core < TK_STATS_CORES; core++) {
        if (!(cores >> core & 1)) continue;
        struct tk_report_time time;
        tk_report_core_time(report, core, &time);
        begin(json, '{');
        number_member(json, "core", core);
        big_member(json, "busyNs", tk_report_ns(report, time.busy));
        big_member(json, "idleNs", tk_report_ns(report, time.idle));
        big_member(json, "interruptNs", tk_report_ns(report, time.interrupt));
        big_member(json, "outsideNs", tk_report_ns(report, time.outside));
        big_member(json, "notMeasuredNs", tk_report_ns(report, time.unmeasured));
        big_member(json, "endNs", tk_report_ns(report, report->stats->cores[core].end));
        end(json, '}');
    }
    end(json, ']');
}

static void write_events(struct json *json, const struct tk_report *report) {
    open_member(json, "events");
    number_member(json, "total", tk_stats_event_count(report->stats));
    open_list(json, "byKind");
    for (unsigned kind = 0; kind < TK_STATS_KINDS; kind++) {
        if (!report->stats->kinds[kind]) continue;
        char buffer[16];
        begin(json, '{');
        string_member(json, "kind", tk_report_kind(report, (uint8_t)kind, buffer));
        number_member(json, "count", report->stats->kinds[kind]);
        end(json, '}');
    }
    end(json, ']');
    end(json, '}');
}

static void write_wait(struct json *json, const struct tk_report *report, uint32_t index, const struct tk_report_task *task) {
    static const struct tk_stats_task none = {0};
    const struct tk_stats_task *stats = index < report->stats->task_count ? &report->stats->tasks[index] : &none;
    number_member(json, "runs", stats->runs);
    number_member(json, "runsNotMeasured", stats->runs_unmeasured);
    number_member(json, "waits", stats->waits);
    number_member(json, "waitsNotMeasured", stats->waits_unmeasured);
    big_member(json, "longestWaitNs", tk_report_ns(report, stats->longest_wait));
    string_member(json, "longestWaitOn", stats->longest_wait ? task->wait_on : "");
    if (stats->longest_wait) big_member(json, "longestWaitAtNs", tk_report_ns(report, stats->longest_wait_from));
    else null_member(json, "longestWaitAtNs");
}

static void write_task(struct json *json, const struct tk_report *report, uint32_t index) {
    struct tk_report_task task = {0};
    if (!report->source.task(report->source.ctx, index, &task)) return;
    uint64_t running = tk_stats_running(report->stats, index);
    begin(json, '{');
    number_member(json, "id", task.id);
    number_member(json, "pid", task.pid < 0 ? 0 : (uint64_t)task.pid);
    name_member(json, "name", task.name);
    bool_member(json, "idle", task.idle);
    if (task.has_priority) number_member(json, "priority", task.priority);
    else null_member(json, "priority");
    big_member(json, "cpuNs", tk_report_ns(report, running));
    key(json, "share");
    fraction(json, tk_report_fraction(running, report->stats->end - report->stats->start, 1000000), 6);
    write_wait(json, report, index, &task);
    end(json, '}');
}

static void write_isr(struct json *json, const struct tk_report *report, uint32_t index) {
    static const struct tk_stats_isr none = {0};
    const struct tk_stats_isr *stats = index < report->stats->isr_count ? &report->stats->isrs[index] : &none;
    struct tk_report_isr isr = {0};
    if (!report->source.isr(report->source.ctx, index, &isr)) return;
    begin(json, '{');
    number_member(json, "core", isr.core);
    number_member(json, "id", isr.id);
    name_member(json, "name", isr.name);
    number_member(json, "count", stats->entered);
    number_member(json, "notMeasured", stats->entered - stats->measured);
    big_member(json, "totalNs", tk_report_ns(report, stats->total));
    big_member(json, "minNs", tk_report_ns(report, stats->min));
    big_member(json, "meanNs", tk_report_mean_ns(report, stats->total, stats->measured));
    big_member(json, "maxNs", tk_report_ns(report, stats->max));
    if (stats->measured) big_member(json, "maxAtNs", tk_report_ns(report, stats->max_from));
    else null_member(json, "maxAtNs");
    big_member(json, "periodMinNs", tk_report_ns(report, stats->period_min));
    big_member(json, "periodMeanNs", tk_report_mean_ns(report, stats->period_total, stats->periods));
    big_member(json, "periodMaxNs", tk_report_ns(report, stats->period_max));
    end(json, '}');
}

static void write_queue(struct json *json, const struct tk_report *report, uint32_t index) {
    struct tk_report_queue queue = {.kind = ""};
    if (!report->source.queue(report->source.ctx, index, &queue)) return;
    bool known = index < report->stats->queue_count;
    begin(json, '{');
    number_member(json, "id", queue.id);
    name_member(json, "name", queue.name);
    string_member(json, "kind", queue.kind);
    number_member(json, "operations", known ? report->stats->queues[index].operations : 0);
    number_member(json, "maxFill", known ? report->stats->queues[index].max_len : 0);
    end(json, '}');
}

static void write_entities(struct json *json, const struct tk_report *report) {
    open_list(json, "tasks");
    for (uint32_t i = 0; i < report->task_count; i++) write_task(json, report, i);
    end(json, ']');
    open_list(json, "interrupts");
    for (uint32_t i = 0; i < report->isr_count; i++) write_isr(json, report, i);
    end(json, ']');
    open_list(json, "queues");
    for (uint32_t i = 0; i < report->queue_count; i++) write_queue(json, report, i);
    end(json, ']');
}

static void write_problem(struct json *json, const struct tk_report *report, enum tk_diag_id id) {
    const struct tk_diag_info *info = tk_diag_info(id);
    const struct tk_diag_entry *entry = &report->diag->entries[id];
    const struct tk_diag_spot *first = &entry->spots[0];
    char detail[TK_DIAG_DETAIL_LEN], hex[TK_REPORT_HEX_LEN];
    tk_diag_detail(report->diag, id, detail);
    tk_report_hex(first, hex);
    begin(json, '{');
    string_member(json, "id", info->name);
    string_member(json, "severity", tk_severity_name(info->severity));
    string_member(json, "title", info->title);
    string_member(json, "cause", info->cause);
    string_member(json, "remedy", info->remedy);
    number_member(json, "count", entry->count);
    number_member(json, "input", first->input);
    if (first->has_offset) {
        big_member(json, "offset", first->offset);
        number_member(json, "frame", first->frame);
    } else {
        null_member(json, "offset");
        null_member(json, "frame");
    }
    if (first->has_ticks) big_member(json, "timeNs", tk_report_ns(report, first->ticks));
    else null_member(json, "timeNs");
    string_member(json, "hex", hex);
    string_member(json, "detail", detail);
    end(json, '}');
}

static void write_problems(struct json *json, const struct tk_report *report) {
    enum tk_diag_id ids[TK_DIAG_COUNT];
    size_t count = tk_report_problems(report->diag, ids);
    open_list(json, "problems");
    for (size_t i = 0; i < count; i++) write_problem(json, report, ids[i]);
    end(json, ']');
}

static void write_list(struct json *json, const char *name, const char *const *texts, size_t count) {
    open_list(json, name);
    for (size_t i = 0; i < count; i++) string(json, texts[i]);
    end(json, ']');
}

// ---- Strip ----

static void write_row(struct json *json, const struct tk_report *report, uint32_t row, const char *kind, int32_t core, struct tk_report_string name) {
    uint32_t buckets = tk_stats_bucket_count(report->stats);
    begin(json, '{');
    name_member(json, "name", name);
    string_member(json, "kind", kind);
    core_member(json, core);
    open_list(json, "busy");
    for (uint32_t bucket = 0; bucket < buckets; bucket++) fraction(json, tk_stats_busy(report->stats, row, bucket), 3);
    end(json, ']');
    end(json, '}');
}

static void write_task_rows(struct json *json, const struct tk_report *report) {
    for (uint32_t i = 0; i < report->task_count && i < TK_STATS_TASK_ROWS; i++) {
        struct tk_report_task task = {0};
        if (!tk_stats_running(report->stats, i) || !report->source.task(report->source.ctx, i, &task)) continue;
        write_row(json, report, i, task.idle ? "idle" : "task", -1, task.name);
    }
}

static void write_isr_rows(struct json *json, const struct tk_report *report) {
    for (uint32_t i = 0; i < report->isr_count && i < TK_STATS_ISR_ROWS && i < report->stats->isr_count; i++) {
        struct tk_report_isr isr = {0};
        if (!report->stats->isrs[i].total || !report->source.isr(report->source.ctx, i, &isr)) continue;
        write_row(json, report, TK_STATS_TASK_ROWS + i, "interrupt", (int32_t)isr.core, isr.name);
    }
}

static bool row_is_blank(const struct tk_stats *stats, uint32_t row) {
    for (uint32_t bucket = 0; bucket < tk_stats_bucket_count(stats); bucket++)
        if (stats->strip[row][bucket]) return false;
    return true;
}

static void write_marker_rows(struct json *json, const struct tk_report *report) {
    if (!report->source.marker) return;
    for (uint32_t i = 0; i < report->marker_count && i < TK_STATS_MARKER_ROWS; i++) {
        uint32_t row = TK_STATS_TASK_ROWS + TK_STATS_ISR_ROWS + i;
        struct tk_report_string name = {0};
        if (row_is_blank(report->stats, row) || !report->source.marker(report->source.ctx, i, &name)) continue;
        write_row(json, report, row, "marker", -1, name);
    }
}

static void write_strip(struct json *json, const struct tk_report *report) {
    open_member(json, "strip");
    big_member(json, "startNs", tk_report_ns(report, report->stats->start));
    big_member(json, "bucketNs", tk_report_ns(report, (uint64_t)1 << report->stats->shift));
    open_list(json, "rows");
    if (tk_stats_bucket_count(report->stats)) {
        write_task_rows(json, report);
        write_isr_rows(json, report);
        write_marker_rows(json, report);
    }
    end(json, ']');
    end(json, '}');
}

// ---- The whole ----

static void write_outcome(struct json *json, const struct tk_report *report) {
    const char *sentences[TK_REPORT_EXPLAIN_MAX];
    size_t count = tk_report_explain(report, sentences);
    open_member(json, "drops");
    number_member(json, "count", report->drops);
    number_member(json, "beforeStart", report->drops_before);
    end(json, '}');
    number_member(json, "restarts", report->restarts);
    write_problems(json, report);
    write_list(json, "explain", sentences, count);
    write_strip(json, report);
    open_member(json, "output");
    big_member(json, "bytes", report->bytes_out);
    number_member(json, "packets", report->packets);
    end(json, '}');
    open_member(json, "view");
    write_list(json, "expand", report->expand, report->expand_count);
    write_list(json, "collapse", report->collapse, report->collapse_count);
    write_list(json, "pin", report->pin, report->pin_count);
    end(json, '}');
}

bool tk_report_write_json(const struct tk_report *report, tk_report_write_fn write, void *ctx) {
    struct json json = {.comma = false};
    tk_out_init(&json.out, write, ctx);
    begin(&json, '{');
    string_member(&json, "tool", report->tool);
    write_format(&json, report);
    write_inputs(&json, report);
    write_time(&json, report);
    write_cores(&json, report);
    write_events(&json, report);
    write_entities(&json, report);
    write_outcome(&json, report);
    end(&json, '}');
    return tk_out_flush(&json.out);
}
