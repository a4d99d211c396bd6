// SPDX-License-Identifier: MIT
//
// Times as targets send them, of one to three inputs, through the clock and the merge onto the trace clock. Every event
// comes out once and in its order, or is told as damaged; texts survive both waits; the trace clock never falls.
#include <string.h>

#include "common/check.h"
#include "common/heap.h"
#include "common/take.h"
#include "model/clock.h"
#include "model/merge.h"

enum { INPUTS = 3, MAX_EVENTS = 400 };

struct line {
    struct tk_clock clock;
    struct tk_fifo fifo;
    struct tk_account account;
    uint64_t fed, passed, damaged, dropped; // dropped: switches to a core that cannot be
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

static void on_event(void *ctx, struct tk_event *event) {
    struct line *line = ctx;
    char text[20];
    check(event->core < TK_CLOCK_CORES && event->section >= line->section);
    line->section = event->section;
    if (event->kind == TK_EV_PROBLEM) {
        check(!event->timed && event->id == TK_DIAG_TIME_DAMAGED);
        line->damaged++;
    } else {
        check(event->frame > line->last_frame);
        line->last_frame = event->frame;
        line->passed++;
        check(event->str_len == text_of(event->frame, text) && (!event->str_len || !memcmp(event->str, text, event->str_len)));
    }
    check(line->fifo.count < TK_FIFO_LEN); // the clock lets go of no more at once
    tk_fifo_push(&line->fifo, line->clock.alloc, event);
}

static void feed(struct take *from, struct line *line) {
    char text[20];
    unsigned flags = take_byte(from);
    struct tk_event event = { .frame = ++line->fed, .offset = line->fed * 5, .kind = flags & 1 ? TK_EV_CORE : TK_EV_VALUE, .timed = !(flags & 2), .no_clock = flags & 4 };
    if (flags & 8) line->ticks += take_number(from);
    else line->ticks += flags >> 4;
    if (flags & 0x40 && flags & 0x80) line->ticks = take_number(from);
    event.ticks = line->ticks;
    if (event.kind == TK_EV_CORE) event.id = take_byte(from) % 40;
    if (event.kind == TK_EV_CORE && event.id >= TK_CLOCK_CORES) line->dropped++;
    event.str_len = text_of(event.frame, text);
    event.str = text;
    tk_clock_event(&line->clock, &event);
    memset(text, 0, sizeof text); // borrowed until return
}

static void merge(struct line *all, unsigned count, struct tk_trace_clock *trace) {
    struct tk_fifo *fifos[INPUTS];
    bool starved = false;
    int rival;
    for (unsigned i = 0; i < count; i++) fifos[i] = &all[i].fifo;
    for (int next; (next = tk_merge_next(fifos, count, &rival, &starved)) != TK_MERGE_DONE && !starved;) {
        do {
            struct tk_event *event = tk_fifo_first(fifos[next]);
            uint64_t before = trace->now;
            char text[20];
            check(event->kind == TK_EV_PROBLEM || (event->str_len == text_of(event->frame, text) && !memcmp(event->str, text, event->str_len)));
            tk_trace_clock_apply(trace, &diag, event);
            check(event->ticks >= before && event->ticks <= INT64_MAX && trace->now == event->ticks);
            tk_fifo_pop(fifos[next]);
        } while (tk_merge_goes_on(fifos, next, rival));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len) {
    struct take from = { data, data + len };
    struct tk_alloc alloc = heap_alloc();
    struct tk_trace_clock trace = { 0 };
    unsigned count = 1 + take_byte(&from) % INPUTS;
    memset(lines, 0, sizeof lines);
    tk_diag_init(&diag);
    for (unsigned i = 0; i < count; i++) tk_clock_init(&lines[i].clock, &alloc, &diag, &lines[i].account, (struct tk_event_sink){ &lines[i], on_event }, (uint8_t)i);
    for (unsigned i = 0; i < MAX_EVENTS && take_left(&from); i++) {
        // The input that starves the others is fed, as the owner of the merge does.
        unsigned which = 0;
        while (which + 1 < count && lines[which].fifo.count) which++;
        feed(&from, &lines[which]);
        merge(lines, count, &trace);
    }
    for (unsigned i = 0; i < count; i++) {
        tk_clock_finish(&lines[i].clock);
        lines[i].fifo.ended = true;
        check(lines[i].passed + lines[i].damaged + lines[i].dropped >= lines[i].fed && lines[i].passed + lines[i].damaged <= lines[i].fed);
    }
    merge(lines, count, &trace);
    for (unsigned i = 0; i < count; i++) {
        tk_clock_deinit(&lines[i].clock);
        tk_fifo_deinit(&lines[i].fifo, &alloc);
    }
    check(!alloc.in_use);
    heap_reset();
    return 0;
}
