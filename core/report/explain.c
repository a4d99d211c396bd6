// SPDX-License-Identifier: MIT
#include "explain.h"

static uint64_t hits(const struct tk_explained *report, enum tk_diag_id id) { return report->diag->entries[id].count; }

// Pieces between delimiters that did not become an event.
static uint64_t bad_frames(const struct tk_explained *report) {
    return hits(report, TK_DIAG_FRAME_BROKEN) + hits(report, TK_DIAG_FRAME_TOO_LONG) +
           hits(report, TK_DIAG_EVENT_UNKNOWN) + hits(report, TK_DIAG_EVENT_SHORT) + hits(report, TK_DIAG_EVENT_LONG) +
           hits(report, TK_DIAG_NUMBER_BAD);
}

struct sentences {
    const char **out;
    size_t count;
};

static void add_sentence(struct sentences *sentences, const char *sentence) {
    if (sentences->count < TK_EXPLAIN_MAX && *sentence) sentences->out[sentences->count++] = sentence;
}

static void say(struct sentences *sentences, enum tk_explanation sentence) {
    add_sentence(sentences, tk_explanation_text(sentence));
}

static void explain_no_events(const struct tk_explained *report, struct sentences *sentences) {
    if (report->bytes_in == 0) {
        say(sentences, TK_EXPLANATION_NO_BYTES);
        say(sentences, TK_EXPLANATION_NO_BYTES_CHECK);
        return;
    }
    if (!report->recognised) {
        say(sentences, TK_EXPLANATION_UNRECOGNISED);
        add_sentence(sentences, report->probe_reason);
        say(sentences, TK_EXPLANATION_UNRECOGNISED_CAUSES);
        return;
    }
    if (hits(report, TK_DIAG_HEADER_CUT)) {
        say(sentences, TK_EXPLANATION_HEADER_ONLY);
        say(sentences, TK_EXPLANATION_HEADER_ONLY_CHECK);
    } else if (bad_frames(report)) {
        say(sentences, TK_EXPLANATION_NO_FRAMES);
        say(sentences, TK_EXPLANATION_NO_FRAMES_CAUSES);
    } else if (hits(report, TK_DIAG_TEXT_SKIPPED)) {
        say(sentences, TK_EXPLANATION_ONLY_TEXT);
        say(sentences, TK_EXPLANATION_ONLY_TEXT_CHECK);
    } else if (hits(report, TK_DIAG_FRAME_EMPTY)) {
        say(sentences, TK_EXPLANATION_EMPTY_FRAMES);
        say(sentences, TK_EXPLANATION_EMPTY_FRAMES_CHECK);
    } else {
        say(sentences, TK_EXPLANATION_NO_DELIMITER);
        say(sentences, TK_EXPLANATION_NO_DELIMITER_CAUSES);
    }
}

static void explain_few_events(const struct tk_explained *report, uint64_t timed, struct sentences *sentences) {
    if (timed == 0) {
        say(sentences, TK_EXPLANATION_NO_TIMES);
        say(sentences, TK_EXPLANATION_NO_TIMES_CHECK);
    } else if (timed == 1) {
        say(sentences, TK_EXPLANATION_ONE_TIME);
    } else if (report->stats->end == report->stats->start) {
        say(sentences, TK_EXPLANATION_TIME_STANDS);
    } else if (timed < 10) {
        say(sentences, TK_EXPLANATION_FEW_EVENTS);
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
        if (!timed) say(&sentences, TK_EXPLANATION_NONE_IN_PART);
        return sentences.count;
    }
    if (events == 0) {
        explain_no_events(report, &sentences);
        return sentences.count;
    }
    explain_few_events(report, timed, &sentences);
    if (bad_frames(report) > events) say(&sentences, TK_EXPLANATION_MOSTLY_DAMAGED);
    if (timed >= 10 && report->stats->task_count && nothing_ran(report)) say(&sentences, TK_EXPLANATION_NO_SWITCHES);
    return sentences.count;
}
