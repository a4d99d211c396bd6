// SPDX-License-Identifier: MIT
//
// Times as targets send them, of one to three inputs, through lanes and the merge onto the trace clock. Every event
// comes out once and in its order, or is told as damaged; texts survive the wait; the trace clock never falls.
#include <string.h>

#include "common/check.h"
#include "common/heap.h"
#include "common/take.h"
#include "model/time/merge.h"

enum { INPUTS = 3, MAX_EVENTS = 400 };

enum { ROUND = 8 };

struct line {
    struct tk_event_stream stream;
    char texts[ROUND][20]; // what the events of a round borrow
    struct tk_account account;
    uint64_t fed, passed, damaged;
    uint64_t last_frame;
    uint32_t section;
    uint64_t ticks;
};

static struct line lines[INPUTS];
static struct tk_diag diag;

// The text of an event follows from its number.
static uint32_t text_of(uint64_t frame, char *out) {
    uint32_t len = (uint32_t)(frame * 7 % 20);
    memset(out, (int)('a' + frame % 26), len);
    return len;
}

static void check_event(struct line *line, const struct tk_event *event) {
    char text[20];
    check(event->core < TK_CLOCK_CORES && event->section >= line->section);
    check(event->frame == line->last_frame + 1);
    line->last_frame = event->frame;
    line->section = event->section;
    if (event->kind == TK_EV_PROBLEM) {
        check(!event->timed &&
              (event->problem.diag == TK_DIAG_TIME_DAMAGED || event->problem.diag == TK_DIAG_CORE_OUT_OF_RANGE));
        line->damaged++;
    } else {
        line->passed++;
        check(event->str_len == text_of(event->frame, text) &&
              (!event->str_len || !memcmp(event->str, text, event->str_len)));
    }
}

static void add(struct take *from, struct line *line, char *text) {
    unsigned flags = take_byte(from);
    struct tk_event *event = tk_batch_slot(&line->stream.batch);
    *event = (struct tk_event){ .frame = ++line->fed,
                                .offset = line->fed * 5,
                                .kind = flags & 1 ? TK_EV_CORE : TK_EV_VALUE,
                                .timed = !(flags & 2),
                                .time_invalid = flags & 4 };
    if (flags & 8) line->ticks += take_number(from);
    else line->ticks += flags >> 4;
    if (flags & 0x40 && flags & 0x80) line->ticks = take_number(from);
    event->ticks = line->ticks;
    if (event->kind == TK_EV_CORE) event->core_tag.core = take_byte(from) % 40;
    event->str_len = text_of(event->frame, text);
    event->str = text;
    tk_batch_add(&line->stream.batch);
}

// A round of a decoder: some events, which borrow until the next one.
static void feed(struct take *from, struct line *line) {
    unsigned count = 1 + take_byte(from) % ROUND;
    tk_event_stream_compact(&line->stream);
    memset(line->texts, 0, sizeof line->texts);
    for (unsigned i = 0; i < count; i++) add(from, line, line->texts[i]);
    while (tk_event_stream_resolve(&line->stream)) {}
    check(line->stream.batch.count - line->stream.resolved < TK_CLOCK_WINDOW);
}

static void merge(struct line *all, unsigned count, struct tk_trace_clock *trace) {
    struct tk_event_stream *streams[INPUTS];
    bool starved = false;
    int rival;
    for (unsigned i = 0; i < count; i++) streams[i] = &all[i].stream;
    for (int next; (next = tk_merge_next(streams, count, &rival, &starved)) != TK_MERGE_DONE && !starved;) {
        do {
            struct tk_event *event = tk_event_stream_pop(streams[next]);
            uint64_t before = trace->now;
            check_event(&all[next], event);
            tk_trace_clock_apply(trace, &diag, event);
            check(event->ticks >= before && event->ticks <= INT64_MAX && trace->now == event->ticks);
        } while (tk_merge_continues(streams, next, rival));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len) {
    struct take from = { data, data + len };
    struct tk_alloc alloc = heap_alloc();
    struct tk_trace_clock trace = { 0 };
    unsigned count = 1 + take_byte(&from) % INPUTS;
    memset(lines, 0, sizeof lines);
    tk_diag_init(&diag);
    for (unsigned i = 0; i < count; i++) {
        check(tk_event_stream_init(&lines[i].stream, &alloc, &diag, &lines[i].account, TK_STREAM_RAW, (uint8_t)i));
    }
    for (unsigned i = 0; i < MAX_EVENTS && take_left(&from); i++) {
        // The input that starves the others is fed, as the owner of the merge does.
        unsigned which = 0;
        while (which + 1 < count && tk_event_stream_has_event(&lines[which].stream)) which++;
        feed(&from, &lines[which]);
        merge(lines, count, &trace);
    }
    for (unsigned i = 0; i < count; i++) {
        lines[i].stream.ended = true;
    }
    merge(lines, count, &trace);
    for (unsigned i = 0; i < count; i++) {
        check(lines[i].passed + lines[i].damaged == lines[i].fed);
    }
    tk_alloc_free_all(&alloc);
    check(!alloc.in_use);
    heap_reset();
    return 0;
}
