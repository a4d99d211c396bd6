// SPDX-License-Identifier: MIT
#include "clock.h"

#include "../base/bytes.h"

#include <string.h>

static bool has_time(const struct tk_event *event) { return event->timed && !event->no_clock; }

// The core of the events from this one on. A core switch is already told by the core it names.
static uint8_t core_from(const struct tk_event *event, uint8_t core) {
    return event->kind == TK_EV_CORE && event->id < TK_CLOCK_CORES ? (uint8_t)event->id : core;
}

// ---- What is held --------------------------------------------------------------------------------------------------

static struct tk_event *held(struct tk_clock *clock, uint32_t index) { return &clock->held[clock->held_at + index]; }
static const struct tk_event *held_const(const struct tk_clock *clock, uint32_t index) { return &clock->held[clock->held_at + index]; }

// The first held event with a time, and what stands before it.
struct front {
    uint32_t at;    // its index; held_count: there is none
    uint32_t names; // names and settings since the event before it
    uint8_t core;   // its core
};

enum { PREAMBLE = 2 }; // so many names and settings are the start of tracing: a hint at a restart

// Names and settings; what could not be decoded is none.
static bool is_name(const struct tk_event *event) { return !has_time(event) && event->kind != TK_EV_PROBLEM; }

static struct front find_front(const struct tk_clock *clock) {
    struct front front = { 0, clock->names_seen, clock->core };
    for (; front.at < clock->held_count; front.at++) {
        const struct tk_event *event = held_const(clock, front.at);
        front.core = core_from(event, front.core);
        if (has_time(event)) break;
        front.names += is_name(event);
    }
    return front;
}

// ---- Is a time plausible? ------------------------------------------------------------------------------------------

// Cores of one stream share a counter, but may be a little out of step.
static bool is_core_skew(const struct tk_clock *clock, uint8_t core, uint64_t time) {
    return core != clock->last_core && time < clock->last && time >= clock->last_on_core[core] && clock->last - time <= clock->step_limit;
}

// Either it or the frame before it is damaged a little, and both are as likely: none is left out.
static bool is_slightly_back(const struct tk_clock *clock, uint64_t time, uint32_t names) {
    return time >= clock->before_last && clock->last - time <= clock->usual && names < PREAMBLE;
}

static bool is_plausible(const struct tk_clock *clock, const struct tk_event *event, const struct front *front) {
    uint64_t time = event->ticks + clock->wrap;
    if (!clock->started) return false;
    if (time >= clock->last) return time - clock->last <= clock->step_limit;
    return is_core_skew(clock, front->core, time) || is_slightly_back(clock, time, front->names);
}

static bool needs_witness(const struct tk_clock *clock, const struct tk_event *event) {
    uint64_t time = event->ticks + clock->wrap;
    return time > clock->last && time - clock->last > clock->usual;
}

static void accept(struct tk_clock *clock, const struct tk_event *event, uint64_t time) {
    bool is_switch = event->kind == TK_EV_CORE; // may be stamped after the event it announces: it speaks for no core
    if (clock->started && time < clock->last) { // skew, or the frame before was a little ahead: the line goes on from here
        if (!is_switch) clock->last_on_core[clock->core] = time;
        if (!is_switch && clock->core == clock->last_core) clock->last = time;
        clock->names_seen = 0;
        return;
    }
    if (!clock->started) clock->last = time;
    clock->started = true;
    uint8_t last_core = clock->last_core;
    uint64_t last_on_core = clock->last_on_core[clock->core];
    uint64_t gap = time - clock->last;
    clock->max_gap = gap > clock->max_gap ? gap : clock->max_gap - (clock->max_gap >> 6);
    clock->step_limit = 2 * clock->max_gap + 64;
    tk_clock_step(clock, time);
    if (!is_switch) return;
    clock->last_core = last_core;
    clock->last_on_core[clock->core] = last_on_core;
}

static struct tk_diag_place place_of(const struct tk_event *event) {
    return (struct tk_diag_place){ .input = event->input, .has_offset = true, .offset = event->offset, .frame = event->frame, .bytes = event->raw, .len = event->raw_len };
}

// False: the core cannot be; the event is dropped.
static bool switch_core(struct tk_clock *clock, const struct tk_event *event) {
    struct tk_diag_place place = place_of(event);
    if (event->id >= TK_CLOCK_CORES) {
        tk_diag_note(clock->diag, TK_DIAG_CORE_OUT_OF_RANGE, &place, event->id);
        tk_account_reject(clock->account, TK_DIAG_CORE_OUT_OF_RANGE, event->frame_len);
        return false;
    }
    clock->core = (uint8_t)event->id;
    if (event->no_clock && clock->started) tk_diag_hit(clock->diag, TK_DIAG_START_REPEATED, &place);
    return true;
}

// Sends an event on; its time is decided.
static void pass(struct tk_clock *clock, struct tk_event *event, uint64_t time) {
    if (event->kind == TK_EV_CORE && !switch_core(clock, event)) return;
    event->ticks = time;
    event->core = clock->core;
    event->section = clock->section;
    clock->out.event(clock->out.ctx, event);
}

// In halves, which compilers move by loads and stores; the whole would be WebAssembly's own copy, a call.
static inline void copy_event(struct tk_event *to, const struct tk_event *from) {
    enum { HALF = sizeof *to / 2 };
    memcpy(to, from, HALF);
    memcpy((uint8_t *)to + HALF, (const uint8_t *)from + HALF, sizeof *to - HALF);
}

static void hold(struct tk_clock *clock, const struct tk_event *event) {
    if (!clock->held_count) clock->held_at = clock->arena_len = 0;
    if (clock->held_at + clock->held_count == TK_CLOCK_HELD) {
        memmove(clock->held, held(clock, 0), clock->held_count * sizeof *clock->held);
        memmove(clock->held_raw, clock->held_raw[clock->held_at], clock->held_count * sizeof *clock->held_raw);
        clock->held_at = 0;
    }
    if (event->str_len && !tk_alloc_grow(clock->alloc, (void **)&clock->arena, &clock->arena_capacity, clock->arena_len + event->str_len, 1)) return;
    struct tk_event *place = held(clock, clock->held_count);
    copy_event(place, event);
    if (event->str_len) tk_copy(clock->arena + clock->arena_len, event->str, event->str_len);
    place->str = (const char *)(uintptr_t)clock->arena_len;
    clock->arena_len += event->str_len;
    if (event->raw_len) tk_copy(clock->held_raw[clock->held_at + clock->held_count], event->raw, event->raw_len);
    clock->held_count++;
}

// The first held event with its pointers mended; it is held no longer.
static struct tk_event take_first(struct tk_clock *clock) {
    struct tk_event event = *held(clock, 0);
    event.str = event.str_len ? (const char *)clock->arena + (uintptr_t)event.str : "";
    memcpy(clock->first_raw, clock->held_raw[clock->held_at], TK_DIAG_CONTEXT); // its place may be taken before it is done with
    event.raw = clock->first_raw;
    clock->held_at++;
    clock->held_count--;
    return event;
}

// ---- Wraps ---------------------------------------------------------------------------------------------------------

// The largest step that may hide behind the end of the counter. While no step is known, those behind it tell.
static uint64_t widest_step(const struct tk_clock *clock, uint32_t index) {
    uint64_t from = held_const(clock, index)->ticks;
    if (clock->max_gap) return 8 * clock->step_limit;
    while (++index < clock->held_count)
        if (has_time(held_const(clock, index))) return held_const(clock, index)->ticks > from ? 16 * (held_const(clock, index)->ticks - from) : 0;
    return 0;
}

// Bits of a counter that went through its end between two readings no further apart than `widest`; 0: it did not.
static unsigned bits_of_wrap(uint64_t before, uint64_t after, uint64_t widest) {
    static const unsigned widths[] = { 16, 24, 31, 32, 40, 48, 56 };
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        uint64_t end = (uint64_t)1 << widths[i];
        if (before >= end || after >= end) continue;
        uint64_t gap = end - before + after;
        if (gap <= widest && gap < end / 4) return widths[i];
    }
    return 0;
}

// The same for the held event `index`, whose time is below `before` (both without the wraps so far). A counter that
// has wrapped is known: no pause is too long for it, as long as it is shorter than a turn.
static unsigned wrapped(const struct tk_clock *clock, uint64_t before, uint32_t index) {
    uint64_t after = held_const(clock, index)->ticks, end = (uint64_t)1 << clock->bits;
    if (clock->bits && before < end && after < end) return clock->bits;
    return bits_of_wrap(before, after, widest_step(clock, index));
}

// A preamble right before or behind the held event: the target started.
static bool has_preamble(const struct tk_clock *clock, const struct front *front) {
    uint32_t behind = 0;
    for (uint32_t i = front->at + 1; i < clock->held_count && is_name(held_const(clock, i)); i++) behind++;
    return front->names >= PREAMBLE || behind >= PREAMBLE;
}

// ---- Verdicts ------------------------------------------------------------------------------------------------------

enum verdict { OPEN, DAMAGED, NEW_LINE, AHEAD };

static uint64_t product(uint64_t a, uint64_t b) { return (a < UINT32_MAX ? a + 1 : UINT32_MAX) * (b < UINT32_MAX ? b + 1 : UINT32_MAX); }

// What the frames behind the first one say about its time.
struct witnesses {
    uint32_t timed, old_line, new_line;
    uint64_t first, other, next; // the first one; the last one of the old line, the first one of the new
};

// The first frame and one behind it contradict each other, and those behind go with either. Large gaps are rare: the
// time that makes fewer of them is the right one.
static bool is_ahead(const struct tk_clock *clock, const struct witnesses *seen) {
    return product(seen->other - clock->last, seen->next - seen->other) < product(seen->first - clock->last, seen->next - seen->first);
}

static void hear(const struct tk_clock *clock, struct witnesses *seen, uint64_t time) {
    bool forward = clock->started && seen->first >= clock->last;
    seen->timed++;
    if (!clock->started) time >= seen->first ? seen->new_line++ : seen->old_line++;
    else if (forward && time >= seen->first) seen->next = seen->new_line++ ? seen->next : time;
    else if (forward && time >= clock->last) seen->old_line++, seen->other = time;
    else if (!forward) time >= clock->last ? seen->old_line++ : (seen->new_line += time >= seen->first);
}

static struct witnesses hear_all(const struct tk_clock *clock, const struct front *front) {
    struct witnesses seen = { .first = held_const(clock, front->at)->ticks + clock->wrap };
    uint64_t line = clock->started ? clock->last : seen.first, newest = seen.first, turn = 0;
    for (uint32_t i = front->at + 1; i < clock->held_count; i++) {
        if (!has_time(held_const(clock, i))) continue;
        uint64_t time = held_const(clock, i)->ticks + clock->wrap;
        if (!turn && seen.first >= line && time < line) { // behind the first one the counter may wrap
            unsigned bits = wrapped(clock, newest - clock->wrap, i);
            turn = bits ? (uint64_t)1 << bits : 0;
        }
        hear(clock, &seen, time + turn);
        if (time > newest) newest = time;
    }
    return seen;
}

// No witness: the last frames of an input. What is there without a reason is likelier than damage: a pause, however long
// compared with the steps before it, unless it is beyond all measure; a counter at its end.
static enum verdict judge_end(const struct tk_clock *clock, const struct front *front) {
    const struct tk_event *event = held_const(clock, front->at);
    uint64_t first = event->ticks + clock->wrap;
    if (!clock->started) return NEW_LINE;
    if (first < clock->last) return bits_of_wrap(clock->last - clock->wrap, event->ticks, 8 * clock->step_limit) ? NEW_LINE : DAMAGED;
    return clock->others || !clock->max_gap || first - clock->last <= TK_CLOCK_END_STEPS * clock->step_limit ? NEW_LINE : DAMAGED;
}

static enum verdict judge(const struct tk_clock *clock, const struct front *front, bool force) {
    struct witnesses seen = hear_all(clock, front);
    bool forward = clock->started && seen.first >= clock->last;
    bool preamble = clock->started && !forward && front->names >= PREAMBLE; // speaks for a restart, but not against the frames that follow
    if (preamble && (seen.new_line || (force && !seen.timed))) seen.new_line += 2;
    if (forward && seen.old_line == 1 && seen.new_line >= 2 && is_ahead(clock, &seen)) return AHEAD;
    if (seen.old_line >= 2 && seen.old_line > seen.new_line) return DAMAGED;
    if (seen.new_line >= 2 && seen.new_line > seen.old_line) return NEW_LINE;
    if (!force && seen.timed < TK_CLOCK_HELD_TIMED) return OPEN;
    if (seen.old_line != seen.new_line) return seen.old_line > seen.new_line ? DAMAGED : NEW_LINE;
    return judge_end(clock, front);
}

// A large step that could be: the next frame of the same core confirms it, or there is a closer look. Other cores may
// be out of step.
static enum verdict judge_step(const struct tk_clock *clock, const struct front *front, bool force) {
    uint64_t first = held_const(clock, front->at)->ticks;
    uint8_t current = front->core;
    uint32_t timed = 0;
    for (uint32_t i = front->at + 1; i < clock->held_count; i++) {
        const struct tk_event *event = held_const(clock, i);
        current = core_from(event, current);
        if (!has_time(event) || event->kind == TK_EV_CORE) continue;
        timed++;
        if (current == front->core) return event->ticks >= first ? NEW_LINE : judge(clock, front, force);
    }
    return force || timed >= TK_CLOCK_HELD_TIMED ? NEW_LINE : OPEN;
}

static void restart(struct tk_clock *clock, uint64_t time) {
    clock->section++;
    clock->wrap = 0;
    clock->bits = 0;
    clock->last = clock->before_last = time;
    clock->started = false;
    memset(clock->last_on_core, 0, sizeof clock->last_on_core);
}

// The line goes on from the front event: in a first event or a long pause as it is, else the line moves.
static void start_new_line(struct tk_clock *clock, const struct front *front) {
    const struct tk_event *event = held(clock, front->at);
    uint64_t time = event->ticks + clock->wrap;
    struct tk_diag_place place = place_of(event);
    place.bytes = clock->held_raw[clock->held_at + front->at];
    if (!clock->started || time >= clock->last) return;
    if (time >= clock->before_last && clock->last - time <= clock->step_limit) { // the frame before was ahead
        tk_diag_hit(clock->diag, TK_DIAG_TIME_DAMAGED, &place);
        clock->last = time;
        return;
    }
    unsigned bits = has_preamble(clock, front) ? 0 : wrapped(clock, clock->last - clock->wrap, front->at);
    if (!bits) {
        tk_diag_hit(clock->diag, TK_DIAG_TIME_RESTART, &place);
        restart(clock, event->ticks);
        return;
    }
    clock->wrap += (uint64_t)1 << bits;
    clock->bits = (uint8_t)bits;
    tk_diag_note(clock->diag, TK_DIAG_TIME_WRAPPED, &place, bits);
}

void tk_clock_reject(struct tk_clock *clock, struct tk_event *event) {
    struct tk_diag_place place = place_of(event);
    tk_diag_hit(clock->diag, TK_DIAG_TIME_DAMAGED, &place);
    tk_account_reject(clock->account, TK_DIAG_TIME_DAMAGED, event->frame_len);
    event->kind = TK_EV_PROBLEM;
    event->id = TK_DIAG_TIME_DAMAGED;
    event->arg = 0;
    event->timed = false;
    event->str_len = 0;
}

// Nobody knows which of the two is damaged: it is kept, at the time of the frame behind it that it contradicts.
static void show_earlier(struct tk_clock *clock, struct tk_event *event) {
    struct tk_diag_place place = place_of(event);
    uint64_t time = event->ticks;
    for (uint32_t i = 0; i < clock->held_count; i++) {
        const struct tk_event *later = held(clock, i);
        if (has_time(later) && later->ticks < event->ticks && later->ticks + clock->wrap >= clock->last) event->ticks = later->ticks;
    }
    tk_diag_note(clock->diag, TK_DIAG_TIME_SKEW, &place, time - event->ticks);
}

static void take_untimed(struct tk_clock *clock, struct tk_event *event) {
    clock->names_seen += is_name(event);
    pass(clock, event, clock->last);
}

// Sends on what stands before the front event.
static void take_names(struct tk_clock *clock, uint32_t count) {
    while (count--) {
        struct tk_event event = take_first(clock);
        take_untimed(clock, &event);
    }
}

static enum verdict judge_front(const struct tk_clock *clock, const struct front *front, bool force) {
    const struct tk_event *event = held_const(clock, front->at);
    if (!is_plausible(clock, event, front)) return judge(clock, front, force);
    return needs_witness(clock, event) ? judge_step(clock, front, force) : NEW_LINE;
}

// No frame of its own input follows a pause beyond measure: only another input can confirm it.
static bool is_unconfirmed(const struct tk_clock *clock, const struct front *front) {
    const struct tk_event *event = held_const(clock, front->at);
    uint64_t time = event->ticks + clock->wrap;
    for (uint32_t i = front->at + 1; i < clock->held_count; i++)
        if (has_time(held_const(clock, i))) return false;
    return clock->started && clock->max_gap && time > clock->last && time - clock->last > TK_CLOCK_END_STEPS * clock->step_limit;
}

// The front event is believed: it and the names before it, which belong to the run of the target that it belongs to.
static void take_front(struct tk_clock *clock, const struct front *front, enum verdict verdict) {
    if (is_unconfirmed(clock, front)) clock->unconfirmed = held(clock, front->at)->frame + 1;
    if (!is_plausible(clock, held(clock, front->at), front)) start_new_line(clock, front);
    take_names(clock, front->at);
    struct tk_event event = take_first(clock);
    if (verdict == AHEAD) show_earlier(clock, &event);
    uint64_t time = event.ticks + clock->wrap;
    accept(clock, &event, time);
    pass(clock, &event, time);
}

// Sends on what is decided.
TK_RARE static void pump(struct tk_clock *clock, bool force) {
    while (clock->held_count) {
        struct front front = find_front(clock);
        if (front.at == clock->held_count) { // whose names these are, the next time tells
            if (force) take_names(clock, front.at);
            return;
        }
        enum verdict verdict = judge_front(clock, &front, force);
        if (verdict == OPEN) return;
        if (verdict != DAMAGED) {
            take_front(clock, &front, verdict);
            continue;
        }
        take_names(clock, front.at);
        struct tk_event event = take_first(clock);
        tk_clock_reject(clock, &event);
        pass(clock, &event, clock->last);
    }
}

TK_RARE void tk_clock_init(struct tk_clock *clock, struct tk_alloc *alloc, struct tk_diag *diag, struct tk_account *account, struct tk_event_sink out, uint8_t core) {
    memset(clock, 0, sizeof *clock);
    clock->alloc = alloc;
    clock->diag = diag;
    clock->account = account;
    clock->out = out;
    clock->core = core;
}

// The usual end of a doubt: the next frame goes on from the one that waits.
static bool confirms(const struct tk_clock *clock, const struct tk_event *event) {
    return clock->waits && has_time(event) && event->kind != TK_EV_CORE && event->ticks >= held_const(clock, 0)->ticks;
}

static void send_waiting(struct tk_clock *clock) {
    struct tk_event *event = held(clock, 0);
    uint64_t time = event->ticks + clock->wrap;
    event->str = event->str_len ? (const char *)clock->arena : "";
    event->raw = clock->held_raw[clock->held_at];
    clock->held_count = 0;
    clock->waits = false;
    accept(clock, event, time);
    pass(clock, event, time);
}

// Nothing is held. True: the event was sent on.
static bool passes_at_once(struct tk_clock *clock, struct tk_event *event) {
    struct front front = { 0, clock->names_seen, core_from(event, clock->core) };
    uint64_t time = event->ticks + clock->wrap;
    if (!has_time(event)) {
        if (clock->started && is_name(event)) return false;
        take_untimed(clock, event);
        return true;
    }
    bool plausible = is_plausible(clock, event, &front);
    clock->waits = plausible && needs_witness(clock, event);
    if (!plausible || clock->waits) return false;
    accept(clock, event, time);
    pass(clock, event, time);
    return true;
}

TK_APART void tk_clock_event(struct tk_clock *clock, struct tk_event *event) {
    if (clock->held_count && confirms(clock, event)) send_waiting(clock);
    if (clock->held_count) clock->waits = false;
    else if (passes_at_once(clock, event)) return;
    hold(clock, event);
    if (!clock->waits) pump(clock, clock->held_count == TK_CLOCK_HELD || clock->arena_len > TK_CLOCK_HELD_BYTES);
}

TK_RARE void tk_clock_finish(struct tk_clock *clock) { pump(clock, true); }

void tk_clock_deinit(struct tk_clock *clock) { tk_alloc_free(clock->alloc, clock->arena, clock->arena_capacity); }

static const uint64_t latest = INT64_MAX; // Perfetto's time is signed

static enum tk_trace_step enter_section(struct tk_trace_clock *clock, const struct tk_event *event) {
    if (!clock->started) {
        clock->started = true;
        if (event->ticks > latest / 2) clock->offset = 0 - event->ticks; // start at 0 where absolute time has no room
        clock->now = event->ticks + clock->offset;
        clock->section = event->section;
        return TK_STEP_SAME;
    }
    clock->offset = clock->now + 1 - event->ticks;
    clock->now += clock->now < latest; // also when the section begins with names
    clock->section = event->section;
    return TK_STEP_RESTART;
}

static uint64_t mend_time(struct tk_trace_clock *clock, struct tk_diag *diag, const struct tk_event *event, uint64_t time) {
    struct tk_diag_place place = place_of(event);
    if (!diag) return time > latest ? latest : clock->now;
    if (time > latest) {
        tk_diag_hit(diag, TK_DIAG_TIME_CLAMPED, &place);
        return latest;
    }
    tk_diag_note(diag, TK_DIAG_TIME_SKEW, &place, clock->now - time);
    return clock->now;
}

TK_RARE enum tk_trace_step tk_trace_clock_apply_slow(struct tk_trace_clock *clock, struct tk_diag *diag, struct tk_event *event) {
    enum tk_trace_step step = TK_STEP_SAME;
    if (!has_time(event) && event->section == clock->section) {
        event->ticks = clock->now;
        return step;
    }
    if (!clock->started || event->section != clock->section) {
        if (!clock->started && !has_time(event)) {
            event->ticks = clock->now;
            return step;
        }
        step = enter_section(clock, event);
    }
    uint64_t time = has_time(event) ? event->ticks + clock->offset : clock->now;
    if (time > latest || time < clock->now) time = mend_time(clock, diag, event, time);
    event->ticks = clock->now = time;
    return step;
}
