// SPDX-License-Identifier: MIT
#include "clock.h"

#include "../base/bytes.h"

#include <string.h>

static bool has_time(const struct tk_event *event) { return event->timed && !event->no_clock; }

// A core switch is already told by the core it names.
static uint8_t core_of(const struct tk_clock *clock, const struct tk_event *event) {
    return event->kind == TK_EV_CORE && event->id < TK_CLOCK_CORES ? (uint8_t)event->id : clock->core;
}

// Cores of one stream share a counter, but may be a little out of step.
static bool is_core_skew(const struct tk_clock *clock, uint8_t core, uint64_t time) {
    return core != clock->last_core && time < clock->last && time >= clock->last_on_core[core] && clock->last - time <= clock->step_limit;
}

// Either it or the frame before it is damaged a little, and both are as likely: none is left out.
static bool is_slightly_back(const struct tk_clock *clock, uint64_t time) {
    return time >= clock->before_last && clock->last - time <= clock->usual && clock->names_seen < 2;
}

static bool is_plausible(const struct tk_clock *clock, const struct tk_event *event) {
    uint64_t time = event->ticks + clock->wrap;
    if (!clock->started) return false;
    return time >= clock->last ? time - clock->last <= clock->step_limit : is_core_skew(clock, core_of(clock, event), time) || is_slightly_back(clock, time);
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
    struct tk_event *held = &clock->held[clock->held_count];
    if (!clock->held_count) clock->arena_len = 0;
    if (event->str_len && !tk_alloc_grow(clock->alloc, (void **)&clock->arena, &clock->arena_capacity, clock->arena_len + event->str_len, 1)) return;
    copy_event(held, event);
    if (event->str_len) tk_copy(clock->arena + clock->arena_len, event->str, event->str_len);
    held->str = (const char *)(uintptr_t)clock->arena_len;
    clock->arena_len += event->str_len;
    if (event->raw_len) tk_copy(clock->held_raw[clock->held_count], event->raw, event->raw_len);
    clock->held_count++;
}

// The first held event with its pointers mended.
static struct tk_event first_held(struct tk_clock *clock) {
    struct tk_event event = clock->held[0];
    event.str = event.str_len ? (const char *)clock->arena + (uintptr_t)event.str : "";
    memcpy(clock->first_raw, clock->held_raw[0], TK_DIAG_CONTEXT); // its place in the queue is about to be taken
    event.raw = clock->first_raw;
    return event;
}

static void drop_first(struct tk_clock *clock) {
    clock->held_count--;
    memmove(clock->held, clock->held + 1, clock->held_count * sizeof *clock->held);
    memmove(clock->held_raw, clock->held_raw + 1, clock->held_count * sizeof *clock->held_raw);
}

enum verdict { OPEN, DAMAGED, NEW_LINE, AHEAD };

static uint64_t product(uint64_t a, uint64_t b) { return (a < UINT32_MAX ? a + 1 : UINT32_MAX) * (b < UINT32_MAX ? b + 1 : UINT32_MAX); }

// The first frame and one behind it contradict each other, and those behind go with either. Large gaps are rare: the
// time that makes fewer of them is the right one.
static bool is_ahead(const struct tk_clock *clock, uint64_t first, uint64_t other, uint64_t next) {
    return product(other - clock->last, next - other) < product(first - clock->last, next - first);
}

// What the frames behind the first one say about its time.
static enum verdict judge(const struct tk_clock *clock, bool force) {
    uint64_t first = clock->held[0].ticks + clock->wrap;
    uint32_t timed = 0, old_line = 0, new_line = 0;
    uint64_t other = 0, next = 0; // the last one of the old line, the first one of the new
    bool forward = clock->started && first >= clock->last;
    for (uint32_t i = 1; i < clock->held_count; i++) {
        if (!has_time(&clock->held[i])) continue;
        uint64_t time = clock->held[i].ticks + clock->wrap;
        timed++;
        if (!clock->started) time >= first ? new_line++ : old_line++;
        else if (forward && time >= first) next = new_line++ ? next : time;
        else if (forward && time >= clock->last) old_line++, other = time;
        else if (forward) continue;
        else time >= clock->last ? old_line++ : (new_line += time >= first);
    }
    bool preamble = clock->started && !forward && clock->names_seen >= 2; // speaks for a restart, but not against the frames that follow
    if (preamble && (new_line || (force && !timed))) new_line += 2;
    if (forward && old_line == 1 && new_line >= 2 && is_ahead(clock, first, other, next)) return AHEAD;
    if (old_line >= 2 && old_line > new_line) return DAMAGED;
    if (new_line >= 2 && new_line > old_line) return NEW_LINE;
    if (!force && timed < TK_CLOCK_HELD_TIMED) return OPEN;
    if (old_line != new_line) return old_line > new_line ? DAMAGED : NEW_LINE;
    // No witness: the last frames of an input. A long pause is likelier than damage only while it is modest.
    if (!clock->started) return NEW_LINE;
    return forward && first - clock->last <= 64 * clock->step_limit ? NEW_LINE : DAMAGED;
}

// A large step that could be: the next frame of the same core confirms it, or there is a closer look. Other cores may
// be out of step.
static enum verdict judge_step(const struct tk_clock *clock, bool force) {
    uint64_t first = clock->held[0].ticks + clock->wrap;
    uint8_t core = core_of(clock, &clock->held[0]), current = core;
    uint32_t timed = 0;
    for (uint32_t i = 1; i < clock->held_count; i++) {
        const struct tk_event *event = &clock->held[i];
        current = event->kind == TK_EV_CORE ? core_of(clock, event) : current;
        if (!has_time(event) || event->kind == TK_EV_CORE) continue;
        timed++;
        if (current == core) return event->ticks + clock->wrap >= first ? NEW_LINE : judge(clock, force);
    }
    return force || timed >= TK_CLOCK_HELD_TIMED ? NEW_LINE : OPEN;
}

// Bits of a counter that went from `last` through its end to `first`; 0: it did not.
static unsigned wrap_bits(const struct tk_clock *clock, uint64_t first) {
    static const unsigned widths[] = { 16, 24, 32, 40, 48, 56 };
    uint64_t last = clock->last - clock->wrap;
    if (clock->names_seen >= 2) return 0;
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        uint64_t end = (uint64_t)1 << widths[i];
        if (last >= end || first >= end) continue;
        uint64_t gap = end - last + first;
        if (gap <= 8 * clock->step_limit && gap < end / 4) return widths[i];
    }
    return 0;
}

static void start_new_line(struct tk_clock *clock, const struct tk_event *event) {
    uint64_t time = event->ticks + clock->wrap;
    struct tk_diag_place place = place_of(event);
    if (!clock->started || time >= clock->last) return; // a first event, or a long pause
    if (time >= clock->before_last && clock->last - time <= clock->step_limit) { // the frame before was ahead
        tk_diag_hit(clock->diag, TK_DIAG_TIME_DAMAGED, &place);
        clock->last = time;
        return;
    }
    unsigned bits = wrap_bits(clock, event->ticks);
    if (bits) {
        clock->wrap += (uint64_t)1 << bits;
        tk_diag_note(clock->diag, TK_DIAG_TIME_WRAPPED, &place, bits);
        return;
    }
    tk_diag_hit(clock->diag, TK_DIAG_TIME_RESTART, &place);
    clock->section++;
    clock->wrap = 0;
    clock->last = clock->before_last = event->ticks;
    memset(clock->last_on_core, 0, sizeof clock->last_on_core);
}

static void report_damage(struct tk_clock *clock, const struct tk_event *event) {
    struct tk_diag_place place = place_of(event);
    struct tk_event problem = *event;
    tk_diag_hit(clock->diag, TK_DIAG_TIME_DAMAGED, &place);
    tk_account_reject(clock->account, TK_DIAG_TIME_DAMAGED, event->frame_len);
    problem.kind = TK_EV_PROBLEM;
    problem.id = TK_DIAG_TIME_DAMAGED;
    problem.timed = false;
    problem.str_len = 0;
    pass(clock, &problem, clock->last);
}

// Nobody knows which of the two is damaged: it is kept, at the time of the frame behind it that it contradicts.
static void show_earlier(struct tk_clock *clock, struct tk_event *event) {
    struct tk_diag_place place = place_of(event);
    uint64_t time = event->ticks;
    for (uint32_t i = 0; i < clock->held_count; i++) {
        const struct tk_event *held = &clock->held[i];
        if (has_time(held) && held->ticks < event->ticks && held->ticks + clock->wrap >= clock->last) event->ticks = held->ticks;
    }
    tk_diag_note(clock->diag, TK_DIAG_TIME_SKEW, &place, time - event->ticks);
}

// Names and settings; what could not be decoded is none.
static void note_untimed(struct tk_clock *clock, const struct tk_event *event) { clock->names_seen += event->kind != TK_EV_PROBLEM; }

static void take_untimed(struct tk_clock *clock, struct tk_event *event) {
    note_untimed(clock, event);
    pass(clock, event, clock->last);
}

// Sends on what is decided.
TK_RARE static void pump(struct tk_clock *clock, bool force) {
    while (clock->held_count) {
        struct tk_event event = first_held(clock);
        uint64_t time = event.ticks + clock->wrap;
        enum verdict verdict = NEW_LINE;
        if (has_time(&event) && !is_plausible(clock, &event)) verdict = judge(clock, force);
        else if (has_time(&event) && needs_witness(clock, &event)) verdict = judge_step(clock, force);
        if (verdict == OPEN) return;
        drop_first(clock);
        if (verdict == DAMAGED) {
            report_damage(clock, &event);
        } else if (!has_time(&event)) {
            take_untimed(clock, &event);
        } else {
            if (verdict == AHEAD) show_earlier(clock, &event);
            if (!is_plausible(clock, &event)) start_new_line(clock, &event);
            time = event.ticks + clock->wrap;
            accept(clock, &event, time);
            pass(clock, &event, time);
        }
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
    return clock->waits && has_time(event) && event->kind != TK_EV_CORE && event->ticks >= clock->held[0].ticks;
}

static void send_waiting(struct tk_clock *clock) {
    struct tk_event *event = &clock->held[0];
    uint64_t time = event->ticks + clock->wrap;
    event->str = event->str_len ? (const char *)clock->arena : "";
    event->raw = clock->held_raw[0];
    clock->held_count = 0;
    clock->waits = false;
    accept(clock, event, time);
    pass(clock, event, time);
}

TK_APART void tk_clock_event(struct tk_clock *clock, struct tk_event *event) {
    if (clock->held_count && confirms(clock, event)) send_waiting(clock);
    if (!clock->held_count) {
        uint64_t time = event->ticks + clock->wrap;
        if (!has_time(event)) {
            take_untimed(clock, event);
            return;
        }
        bool plausible = is_plausible(clock, event);
        clock->waits = plausible && needs_witness(clock, event);
        if (plausible && !clock->waits) {
            accept(clock, event, time);
            pass(clock, event, time);
            return;
        }
        hold(clock, event);
        if (clock->waits) return;
    } else {
        clock->waits = false;
        hold(clock, event);
    }
    pump(clock, clock->held_count == TK_CLOCK_HELD || clock->arena_len > TK_CLOCK_HELD_BYTES);
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
