// SPDX-License-Identifier: MIT
#include "out.h"

#include <string.h>

// ---- Numbers ----

uint64_t tk_report_ns(const struct tk_report *report, uint64_t ticks) {
    if (report->tick_ns && ticks > UINT64_MAX / report->tick_ns) return UINT64_MAX;
    return ticks * report->tick_ns;
}

uint64_t tk_report_fraction(uint64_t part, uint64_t whole, uint32_t scale) {
    if (whole == 0) return 0;
    // Low bits do not matter once the numbers are this large.
    while ((part | whole) >> 43) {
        part >>= 1;
        whole >>= 1;
    }
    if (whole == 0) whole = 1;
    return (part * scale + whole / 2) / whole;
}

uint64_t tk_report_mean_ns(const struct tk_report *report, uint64_t total_ticks, uint64_t count) {
    if (count == 0) return 0;
    uint64_t total_ns = tk_report_ns(report, total_ticks);
    if (total_ns == UINT64_MAX) return tk_report_ns(report, total_ticks / count);
    return total_ns / count + (total_ns % count >= count - count / 2);
}

// ---- Words ----

void tk_report_hex(const struct tk_diag_spot *spot, char out_text[TK_REPORT_HEX_LEN]) {
    static const char hex[] = "0123456789abcdef";
    char *at = out_text;
    for (unsigned i = 0; i < spot->context_len; i++) {
        if (i) *at++ = ' ';
        *at++ = hex[spot->context[i] >> 4];
        *at++ = hex[spot->context[i] & 15];
    }
    *at = 0;
}

const char *tk_report_kind(const struct tk_report *report, uint8_t kind, char buffer[16]) {
    const char *name = report->source.kind(kind);
    if (name) return name;
    char digits[TK_NUMBER_LEN];
    size_t len = tk_format_u64(kind, digits);
    memcpy(buffer, "kind ", 5);
    memcpy(buffer + 5, digits, len + 1);
    return buffer;
}

// ---- Cores ----

uint32_t tk_report_cores(const struct tk_report *report) {
    uint32_t cores = 0;
    for (uint32_t core = 0; core < TK_STATS_CORES; core++)
        if (report->stats->cores[core].events) cores |= (uint32_t)1 << core;
    return cores;
}

static bool is_idle(const struct tk_report *report, uint32_t task) {
    struct tk_report_task entry = {0};
    return task < report->task_count && report->source.task(report->source.ctx, task, &entry) && entry.idle;
}

static uint64_t add(uint64_t a, uint64_t b) { return b > UINT64_MAX - a ? UINT64_MAX : a + b; }

// Takes a part of what is left; false times may claim more.
static uint64_t take(uint64_t *left, uint64_t ticks) {
    uint64_t part = ticks < *left ? ticks : *left;
    *left -= part;
    return part;
}

void tk_report_core_time(const struct tk_report *report, uint32_t core, struct tk_report_time *out_time) {
    *out_time = (struct tk_report_time){0};
    if (core >= TK_STATS_CORES) return;
    const struct tk_stats_core *stats = &report->stats->cores[core];
    uint64_t left = report->stats->end - report->stats->start, busy = 0, idle = stats->idle;
    for (uint32_t task = 0; task < report->stats->task_count; task++) {
        struct tk_stats_running running = tk_stats_running_on(report->stats, task, core);
        if (running.ticks == 0) continue;
        uint64_t *sum = is_idle(report, task) ? &idle : &busy;
        *sum = add(*sum, running.ticks - running.interrupted);
    }
    bool has_tasks = busy || idle;
    out_time->interrupt = take(&left, stats->interrupt);
    out_time->busy = take(&left, busy);
    out_time->idle = take(&left, idle);
    out_time->unmeasured = take(&left, has_tasks ? left : stats->interrupt_unmeasured);
    out_time->outside = left;
}

// ---- Problems ----

size_t tk_report_problems(const struct tk_diag *diag, enum tk_diag_id out_ids[TK_DIAG_COUNT]) {
    size_t count = 0;
    for (int severity = TK_SEVERITY_LOSS; severity >= TK_SEVERITY_INFO; severity--) {
        for (int id = 0; id < TK_DIAG_COUNT; id++) {
            if (diag->entries[id].count && (int)tk_diag_info((enum tk_diag_id)id)->severity == severity)
                out_ids[count++] = (enum tk_diag_id)id;
        }
    }
    return count;
}

// ---- Explanations ----

static uint64_t hits(const struct tk_report *report, enum tk_diag_id id) { return report->diag->entries[id].count; }

// Pieces between delimiters that did not become an event.
static uint64_t bad_frames(const struct tk_report *report) {
    return hits(report, TK_DIAG_FRAME_BROKEN) + hits(report, TK_DIAG_FRAME_TOO_LONG) + hits(report, TK_DIAG_EVENT_UNKNOWN) +
           hits(report, TK_DIAG_EVENT_SHORT) + hits(report, TK_DIAG_EVENT_LONG) + hits(report, TK_DIAG_NUMBER_BAD);
}

struct sentences {
    const char **out;
    size_t count;
};

static void say(struct sentences *sentences, const char *sentence) {
    if (sentences->count < TK_REPORT_EXPLAIN_MAX && *sentence) sentences->out[sentences->count++] = sentence;
}

static void explain_no_events(const struct tk_report *report, struct sentences *sentences) {
    if (report->bytes_in == 0) {
        say(sentences, "The recording is empty: there are no bytes in it.");
        say(sentences, "Check that the capturing program has closed the file and that the right port or memory range was read.");
        return;
    }
    if (!report->format_name[0]) {
        say(sentences, "These bytes were not recognised as a trace.");
        say(sentences, report->probe_reason);
        say(sentences, "If it should be one: the usual causes are a wrong baud rate, a text encoding that was damaged on the way, or a dump of the wrong memory range.");
        return;
    }
    if (bad_frames(report)) {
        say(sentences, "Not one valid event was found: the pieces between the delimiters are no frames of this format.");
        say(sentences, "Usual causes: a wrong baud rate, an inverted or unsynchronised line, the wrong format chosen, or a file that is not a trace.");
    } else if (hits(report, TK_DIAG_TEXT_SKIPPED)) {
        say(sentences, "Only text was found, no trace: the target printed messages here but recorded nothing.");
        say(sentences, "Check that tracing is started on the target and that this is the channel it writes to.");
    } else if (hits(report, TK_DIAG_FRAME_EMPTY)) {
        say(sentences, "There are only empty frames (zero bytes): this is memory or a line that was never written.");
        say(sentences, "Check the address of the buffer and that tracing was started before it was read.");
    } else {
        say(sentences, "No complete frame was found: there is no delimiter behind any data.");
        say(sentences, "The capture may have been stopped at once, or this is not a trace.");
    }
}

static void explain_few_events(const struct tk_report *report, uint64_t timed, struct sentences *sentences) {
    if (timed == 0) {
        say(sentences, "Only names and settings were found, no event with a time, so there is nothing to draw.");
        say(sentences, "This is what a target sends before tracing starts (its metadata buffer). Start tracing, or add the file that holds the events.");
    } else if (timed == 1) {
        say(sentences, "Only one event with a time was found, so there is no duration to show.");
    } else if (report->stats->end == report->stats->start) {
        say(sentences, "All events carry the same time, so nothing has a length: the target's time function does not count. Check that its timer runs.");
    } else if (timed < 10) {
        say(sentences, "Only a handful of events was found.");
    }
}

static bool nothing_ran(const struct tk_report *report) {
    for (uint32_t task = 0; task < report->stats->task_count; task++)
        if (report->stats->tasks[task].runs) return false;
    return true;
}

size_t tk_report_explain(const struct tk_report *report, const char *out_sentences[TK_REPORT_EXPLAIN_MAX]) {
    struct sentences sentences = {out_sentences, 0};
    uint64_t events = tk_stats_event_count(report->stats), timed = tk_stats_timed_count(report->stats);
    if (events == 0) {
        explain_no_events(report, &sentences);
        return sentences.count;
    }
    explain_few_events(report, timed, &sentences);
    if (bad_frames(report) > events)
        say(&sentences, "More pieces are damaged than intact. What is shown may be chance: check the baud rate and the format.");
    if (timed >= 10 && report->stats->task_count && nothing_ran(report))
        say(&sentences, "Tasks are named, but no task switch was recorded: the trace hooks of the scheduler are not active on the target.");
    return sentences.count;
}
