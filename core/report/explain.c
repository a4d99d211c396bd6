// SPDX-License-Identifier: MIT
#include "explain.h"

static uint64_t hits(const struct tk_explained *report, enum tk_diag_id id) { return report->diag->entries[id].count; }

// Returns the number of frames that did not become an event.
static uint64_t bad_frames(const struct tk_explained *report) {
    return hits(report, TK_DIAG_FRAME_BROKEN) + hits(report, TK_DIAG_FRAME_TOO_LONG) +
           hits(report, TK_DIAG_EVENT_UNKNOWN) + hits(report, TK_DIAG_EVENT_SHORT) + hits(report, TK_DIAG_EVENT_LONG) +
           hits(report, TK_DIAG_NUMBER_BAD);
}

struct sentences {
    const char **out;
    size_t count;
};

static void say(struct sentences *sentences, const char *sentence) {
    if (sentences->count < TK_EXPLAIN_MAX && *sentence) sentences->out[sentences->count++] = sentence;
}

static void explain_no_events(const struct tk_explained *report, struct sentences *sentences) {
    if (report->bytes_in == 0) {
        say(sentences, "The recording is empty: there are no bytes in it.");
        say(sentences,
            "Check that the capturing program has closed the file and that the right port or memory range was read.");
        return;
    }
    if (!report->recognised) {
        say(sentences, "These bytes were not recognised as a trace.");
        say(sentences, report->probe_reason);
        say(sentences, "If it should be one: the usual causes are a wrong baud rate, a text encoding that was damaged "
                       "on the way, or a dump of the wrong memory range.");
        return;
    }
    if (hits(report, TK_DIAG_HEADER_CUT)) {
        say(sentences, "The recording ends within its header: there are no events in it.");
        say(sentences, "Copy the file again, or let the target run longer.");
    } else if (bad_frames(report)) {
        say(sentences,
            "Not one valid event was found: the bytes between the delimiters are not frames of this format.");
        say(sentences, "Usual causes: a wrong baud rate, an inverted or unsynchronised line, the wrong format chosen, "
                       "or a file that is not a trace.");
    } else if (hits(report, TK_DIAG_TEXT_SKIPPED)) {
        say(sentences, "Only text was found, no trace: the target printed messages here but recorded nothing.");
        say(sentences, "Check that tracing is started on the target and that this is the channel it writes to.");
    } else if (hits(report, TK_DIAG_FRAME_EMPTY)) {
        say(sentences, "There are only empty frames (zero bytes): this is memory or a line that was never written.");
        say(sentences, "Check the address of the buffer and that tracing was started before it was read.");
    } else {
        say(sentences, "No complete frame was found: no delimiter follows the data.");
        say(sentences, "The capture may have been stopped at once, or this is not a trace.");
    }
}

// Returns true if entries of a signal recording, which contain the times, are damaged or missing.
static bool lost_times(const struct tk_explained *report) {
    return hits(report, TK_DIAG_SAMPLE_OUTSIDE) || hits(report, TK_DIAG_BYTES_SKIPPED) ||
           hits(report, TK_DIAG_BLOCK_DAMAGED) || hits(report, TK_DIAG_BLOCK_TOO_LARGE) ||
           hits(report, TK_DIAG_SECTION_DAMAGED);
}

static void explain_few_events(const struct tk_explained *report, uint64_t timed, struct sentences *sentences) {
    if (timed == 0) {
        say(sentences, "Only names and settings were found, no event with a time, so there is nothing to draw.");
        say(sentences, "This is what a target sends before tracing starts (its metadata buffer). Start tracing; to use "
                       "the names for another recording, add the file to that one.");
    } else if (timed == 1) {
        say(sentences, "Only one event with a time was found, so there is no duration to show.");
    } else if (report->stats->end == report->stats->start && lost_times(report)) {
        say(sentences, "All events carry the same time, because the entries with the times are damaged or missing.");
    } else if (report->stats->end == report->stats->start) {
        say(sentences, "All events carry the same time, so nothing has a length: the target's time function does not "
                       "count. Check that its timer runs.");
    } else if (timed < 10) {
        say(sentences, "Only a few events were found.");
    }
}

static bool nothing_ran(const struct tk_explained *report) {
    for (uint32_t task = 0; task < report->stats->task_count; task++)
        if (report->stats->tasks[task].runs) return false;
    return true;
}

size_t tk_explain(const struct tk_explained *report, const char *out_sentences[TK_EXPLAIN_MAX]) {
    struct sentences sentences = { out_sentences, 0 };
    uint64_t events = tk_stats_event_count(report->stats), timed = tk_stats_timed_count(report->stats);
    if (report->is_part) {
        if (!timed) say(&sentences, "The chosen time range contains no event.");
        return sentences.count;
    }
    if (events == 0) {
        explain_no_events(report, &sentences);
        return sentences.count;
    }
    explain_few_events(report, timed, &sentences);
    if (bad_frames(report) > events)
        say(&sentences, "More frames are damaged than intact, so the trace may be meaningless: check the baud rate and "
                        "the format.");
    if (timed >= 10 && report->stats->task_count && nothing_ran(report))
        say(&sentences, "Tasks are named, but no task switch was recorded: the trace hooks of the scheduler are not "
                        "active on the target.");
    return sentences.count;
}
