// SPDX-License-Identifier: MIT
#include "clock.h"

#include <string.h>

// Unresolved events [0 .. len), and the first of them with a time, the front.
struct window {
    const struct tk_event *events;
    uint32_t len;
    uint32_t front; // index of the front; len: there is none
    uint32_t names; // number of names and settings since the event before the front
    uint8_t core;   // core of the front
    bool full;      // decide with these events: there will be no more, or there are enough
};

enum { PREAMBLE = 2 }; // this many names and settings are a start of tracing, which suggests a restart

// Returns true for names and settings; bytes that could not be decoded do not count, nor what the target repeats.
static bool is_name(const struct tk_event *event) {
    return !tk_event_has_time(event) && event->kind != TK_EV_PROBLEM && !event->is_repeated;
}
static uint64_t time_of(const struct tk_clock *clock, const struct tk_event *event) {
    return event->ticks + clock->wrap;
}
static const struct tk_event *front_of(const struct window *window) { return &window->events[window->front]; }

// Returns the core of the events from this one on. A core switch itself belongs to the core that it names.
static uint8_t core_from(const struct tk_event *event, uint8_t core) {
    return event->kind == TK_EV_CORE && event->core_tag.core < TK_CLOCK_CORES ? (uint8_t)event->core_tag.core : core;
}

// ---- Plausibility --------------------------------------------------------------------------------------------------

// Returns true for a time slightly before the last one on another core: cores of one stream share a counter, but may be
// slightly out of step.
static bool is_core_skew(const struct tk_clock *clock, uint8_t core, uint64_t time) {
    return core != clock->last_core && time < clock->last && time >= clock->last_on_core[core] &&
           clock->last - time <= clock->plausible_step;
}

// Returns true if either this time or the one before it is slightly damaged; both are equally likely, so none is
// rejected.
static bool is_slightly_back(const struct tk_clock *clock, uint64_t time, uint32_t names) {
    return time >= clock->before_last && clock->last - time <= clock->max_common_step && names < PREAMBLE;
}

static bool is_plausible(const struct tk_clock *clock, const struct window *window) {
    uint64_t time = time_of(clock, front_of(window));
    if (!clock->started) return false;
    if (time >= clock->last) return time - clock->last <= clock->plausible_step;
    return is_core_skew(clock, window->core, time) || is_slightly_back(clock, time, window->names);
}

static bool needs_confirmation(const struct tk_clock *clock, const struct window *window) {
    uint64_t time = time_of(clock, front_of(window));
    return time > clock->last && time - clock->last > clock->max_common_step;
}

// ---- Wraps ---------------------------------------------------------------------------------------------------------

static uint64_t times(uint64_t step, uint64_t factor) {
    return step > UINT64_MAX / factor ? UINT64_MAX : step * factor;
}

// Returns the largest step that may contain a wrap. If no step is known yet, the steps after it determine the limit.
static uint64_t widest_step(const struct tk_clock *clock, const struct window *window, uint32_t index) {
    uint64_t from = window->events[index].ticks, widest = 0;
    if (clock->max_gap) return times(clock->plausible_step, 8);
    while (++index < window->len) {
        const struct tk_event *event = &window->events[index];
        if (!tk_event_has_time(event)) continue;
        if (event->ticks > from && event->ticks - from > widest) widest = event->ticks - from;
        from = event->ticks;
    }
    return times(widest, 16);
}

// Returns the width of a counter that wrapped between two readings at most `widest` apart; 0: it did not wrap.
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

// Returns the width of the counter if it wrapped between `before` and the event `index`, whose time is lower (both
// without earlier wraps); 0 if not. A counter that has wrapped before has a known width: then any pause shorter than a
// turn is accepted.
static unsigned wrapped(const struct tk_clock *clock, const struct window *window, uint64_t before, uint32_t index) {
    uint64_t after = window->events[index].ticks, end = (uint64_t)1 << clock->bits;
    if (clock->bits && before < end && after < end) return clock->bits;
    return bits_of_wrap(before, after, widest_step(clock, window, index));
}

// Returns true if a start of tracing is directly before or after the front: the target restarted.
static bool has_preamble(const struct window *window) {
    uint32_t names_after = 0;
    for (uint32_t i = window->front + 1; i < window->len && is_name(&window->events[i]); i++) names_after++;
    return window->names >= PREAMBLE || names_after >= PREAMBLE;
}

// ---- Validation ----------------------------------------------------------------------------------------------------

enum verdict { OPEN, DAMAGED, NEW_LINE, AHEAD };

// Evidence of the events after the front about its time.
struct votes {
    uint32_t timed, old_line, new_line;
    uint64_t first, other, next; // time of the front; last time on the old line, first time on the new line
};

static uint64_t product(uint64_t a, uint64_t b) {
    return (a < UINT32_MAX ? a + 1 : UINT32_MAX) * (b < UINT32_MAX ? b + 1 : UINT32_MAX);
}

// Returns true if the front is ahead of the true time. The front and an event after it contradict each other, and later
// events fit both. The choice with fewer large gaps is right.
static bool is_ahead(const struct tk_clock *clock, const struct votes *votes) {
    return product(votes->other - clock->last, votes->next - votes->other) <
           product(votes->first - clock->last, votes->next - votes->first);
}

static void vote(const struct tk_clock *clock, struct votes *votes, uint64_t time) {
    bool forward = clock->started && votes->first >= clock->last;
    votes->timed++;
    if (!clock->started) time >= votes->first ? votes->new_line++ : votes->old_line++;
    else if (forward && time >= votes->first) votes->next = votes->new_line++ ? votes->next : time;
    else if (forward && time >= clock->last) votes->old_line++, votes->other = time;
    else if (!forward) time >= clock->last ? votes->old_line++ : (votes->new_line += time >= votes->first);
}

// Returns the wraps to add after the front, if the counter wrapped after `newest`, or, if that is damaged, after the
// end of the line.
static uint64_t wraps_after_front(const struct tk_clock *clock, const struct window *window, uint64_t newest,
                                  uint64_t line, uint32_t index) {
    unsigned bits = wrapped(clock, window, newest - clock->wrap, index);
    if (!bits) bits = wrapped(clock, window, line - clock->wrap, index);
    return bits ? (uint64_t)1 << bits : 0;
}

static struct votes count_votes(const struct tk_clock *clock, const struct window *window) {
    struct votes votes = { .first = time_of(clock, front_of(window)) };
    bool forward = !clock->started || votes.first >= clock->last;
    uint64_t line = clock->started ? clock->last : votes.first, newest = forward ? votes.first : line, turn = 0;
    for (uint32_t i = window->front + 1; i < window->len; i++) {
        if (!tk_event_has_time(&window->events[i])) continue;
        uint64_t time = time_of(clock, &window->events[i]);
        if (!turn && (forward || votes.old_line) && time < line)
            turn = wraps_after_front(clock, window, newest, line, i);
        vote(clock, &votes, time + turn);
        if (time > newest) newest = time;
    }
    return votes;
}

static bool is_implausible_step(const struct tk_clock *clock, uint64_t time) {
    return time - clock->last > times(clock->plausible_step, TK_CLOCK_MAX_END_STEPS);
}

// Decides at the end of an input, where no event confirms the time. A pause, however long compared with the steps
// before, or a counter wrap is more likely than damage, unless the pause exceeds TK_CLOCK_MAX_END_STEPS.
static enum verdict validate_at_end(const struct tk_clock *clock, const struct window *window) {
    const struct tk_event *event = front_of(window);
    uint64_t first = time_of(clock, event);
    if (!clock->started) return NEW_LINE;
    if (first < clock->last)
        return bits_of_wrap(clock->last - clock->wrap, event->ticks, times(clock->plausible_step, 8)) ? NEW_LINE
                                                                                                      : DAMAGED;
    return clock->others || !clock->max_gap || !is_implausible_step(clock, first) ? NEW_LINE : DAMAGED;
}

static enum verdict validate(const struct tk_clock *clock, const struct window *window) {
    struct votes votes = count_votes(clock, window);
    bool forward = clock->started && votes.first >= clock->last;
    bool preamble = clock->started && !forward && window->names >= PREAMBLE; // evidence for a restart, but not against
                                                                             // the events that follow
    if (preamble && (votes.new_line || (window->full && !votes.timed))) votes.new_line += 2;
    if (forward && votes.old_line == 1 && votes.new_line >= 2 && is_ahead(clock, &votes)) return AHEAD;
    uint32_t against = clock->started ? 2 : 3; // one of two events that show the first wrap may be damaged
    bool few = !window->full && votes.timed < TK_CLOCK_WINDOW_TIMED;
    // A counter may wrap after the first event. More of the later steps tell how large a step with a wrap may be.
    bool may_wrap = clock->started ? !forward && !wrapped(clock, window, clock->last - clock->wrap, window->front)
                                   : votes.old_line > votes.new_line;
    if (few && !clock->max_gap && may_wrap) return OPEN;
    if (votes.old_line >= against && votes.old_line > votes.new_line) return DAMAGED;
    if (votes.new_line >= 2 && votes.new_line > votes.old_line) return NEW_LINE;
    if (few) return OPEN;
    if (votes.old_line != votes.new_line) return votes.old_line > votes.new_line ? DAMAGED : NEW_LINE;
    return validate_at_end(clock, window);
}

// Checks a large but possible step: the next event of the same core confirms it; otherwise more events are compared.
// Other cores may be out of step.
static enum verdict check_time_step(const struct tk_clock *clock, const struct window *window) {
    uint64_t first = front_of(window)->ticks;
    uint8_t current = window->core;
    uint32_t timed = 0;
    for (uint32_t i = window->front + 1; i < window->len; i++) {
        const struct tk_event *event = &window->events[i];
        current = core_from(event, current);
        if (!tk_event_has_time(event) || event->kind == TK_EV_CORE) continue;
        timed++;
        if (current == window->core) return event->ticks >= first ? NEW_LINE : validate(clock, window);
    }
    return window->full || timed >= TK_CLOCK_WINDOW_TIMED ? NEW_LINE : OPEN;
}

static enum verdict validate_front(const struct tk_clock *clock, const struct window *window) {
    if (!is_plausible(clock, window)) return validate(clock, window);
    return needs_confirmation(clock, window) ? check_time_step(clock, window) : NEW_LINE;
}

// ---- Resolution ----------------------------------------------------------------------------------------------------

// Converts an event with an impossible time to a problem at its position.
static void convert_to_problem(struct tk_clock *clock, struct tk_event *event, enum tk_diag_id why, uint64_t number) {
    struct tk_source_pos place = tk_event_source_pos(event);
    tk_diag_note(clock->diag, why, &place, number);
    tk_account_reject(clock->account, why, event->frame_len);
    event->kind = TK_EV_PROBLEM;
    event->str_len = 0;
    event->payload = (struct tk_event_payload){ 0 };
    event->problem.diag = why;
    event->timed = event->time_invalid = false;
    event->str_len = 0;
}

void tk_clock_reject_event(struct tk_clock *clock, struct tk_event *event) {
    convert_to_problem(clock, event, TK_DIAG_TIME_DAMAGED, 0);
}

static void switch_core(struct tk_clock *clock, struct tk_event *event) {
    uint32_t core = event->core_tag.core;
    if (core >= TK_CLOCK_CORES) {
        convert_to_problem(clock, event, TK_DIAG_CORE_OUT_OF_RANGE, core);
        return;
    }
    clock->core = (uint8_t)core;
    clock->may_be_start = event->time_invalid && clock->started;
}

// Sets the resolved time of an event.
static void resolve(struct tk_clock *clock, struct tk_event *event, uint64_t time) {
    if (event->kind == TK_EV_CORE) switch_core(clock, event);
    event->ticks = time;
    event->core = clock->core;
    event->section = clock->section;
}

// Counts a repeated start of tracing: names after a core switch without a time. Without names, it is a chunk of that
// core.
static void note_start(struct tk_clock *clock, const struct tk_event *event) {
    struct tk_source_pos place = tk_event_source_pos(event);
    if (!clock->may_be_start || !is_name(event) || event->kind == TK_EV_CORE) return;
    if (clock->untimed_seen) tk_diag_count(clock->diag, TK_DIAG_START_REPEATED, &place);
    clock->may_be_start = false;
}

static void accept_untimed(struct tk_clock *clock, struct tk_event *events, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        note_start(clock, &events[i]);
        clock->untimed_seen += is_name(&events[i]);
        resolve(clock, &events[i], clock->last);
    }
}

// Advances the line to `time`, which is not before its end.
static void advance(struct tk_clock *clock, uint64_t time) {
    uint64_t gap = time - clock->last, change = clock->max_common_step >> 4;
    clock->max_common_step += gap > change ? change + 1 : 0 - change;
    clock->before_last = clock->last;
    clock->last = clock->last_on_core[clock->core] = time;
    clock->last_core = clock->core;
    clock->untimed_seen = 0;
}

static void accept(struct tk_clock *clock, const struct tk_event *event, uint64_t time) {
    bool is_switch = event->kind == TK_EV_CORE; // may be stamped after the event it announces: it is no evidence for a
                                                // core
    if (clock->started && time < clock->last) { // skew, or the frame before was slightly ahead: the line continues here
        if (!is_switch) clock->last_on_core[clock->core] = time;
        if (!is_switch && clock->core == clock->last_core) clock->last = time;
        clock->untimed_seen = 0;
        return;
    }
    if (!clock->started) clock->last = time;
    if (!clock->has_first_time) clock->first = time;
    clock->started = clock->has_first_time = true;
    uint8_t last_core = clock->last_core;
    uint64_t last_on_core = clock->last_on_core[clock->core];
    uint64_t gap = time - clock->last;
    clock->max_gap = gap > clock->max_gap ? gap : clock->max_gap - (clock->max_gap >> 6);
    clock->plausible_step = times(clock->max_gap + 32, 2);
    advance(clock, time);
    if (!is_switch) return;
    clock->last_core = last_core;
    clock->last_on_core[clock->core] = last_on_core;
}

static void restart(struct tk_clock *clock, uint64_t time) {
    clock->section++;
    clock->wrap = 0;
    clock->bits = 0;
    clock->last = clock->before_last = time;
    clock->started = false;
    memset(clock->last_on_core, 0, sizeof clock->last_on_core);
}

// Starts a new line at the front: unchanged for a first event or a long pause, otherwise with a wrap or a restart.
static void start_new_line(struct tk_clock *clock, const struct window *window) {
    const struct tk_event *event = front_of(window);
    uint64_t time = time_of(clock, event);
    struct tk_source_pos place = tk_event_source_pos(event);
    if (!clock->started || time >= clock->last) return;
    if (time >= clock->before_last && clock->last - time <= clock->plausible_step) { // the frame before was ahead
        tk_diag_count(clock->diag, TK_DIAG_TIME_DAMAGED, &place);
        clock->last = time;
        return;
    }
    unsigned bits = has_preamble(window) ? 0 : wrapped(clock, window, clock->last - clock->wrap, window->front);
    if (!bits) {
        tk_diag_count(clock->diag, TK_DIAG_TIME_RESTART, &place);
        restart(clock, event->ticks);
        return;
    }
    clock->wrap += (uint64_t)1 << bits;
    clock->bits = (uint8_t)bits;
    tk_diag_note(clock->diag, TK_DIAG_TIME_WRAPPED, &place, bits);
}

// Keeps an event of which it is unknown whether it or a later one is damaged, at the time of the later event that
// contradicts it.
static void show_earlier(struct tk_clock *clock, const struct window *window, struct tk_event *event) {
    struct tk_source_pos place = tk_event_source_pos(event);
    uint64_t time = event->ticks;
    for (uint32_t i = window->front + 1; i < window->len; i++) {
        const struct tk_event *later = &window->events[i];
        if (tk_event_has_time(later) && later->ticks < event->ticks && time_of(clock, later) >= clock->last)
            event->ticks = later->ticks;
    }
    tk_diag_note(clock->diag, TK_DIAG_TIME_SKEW, &place, time - event->ticks);
}

// Returns true if no later event of the stream confirms a step that is too large: then only another event stream can
// confirm it.
static bool is_unconfirmed(const struct tk_clock *clock, const struct window *window) {
    uint64_t time = time_of(clock, front_of(window));
    for (uint32_t i = window->front + 1; i < window->len; i++)
        if (tk_event_has_time(&window->events[i])) return false;
    return clock->started && clock->max_gap && time > clock->last && is_implausible_step(clock, time);
}

// Accepts the front and the names before it, which belong to the same run of the target.
static void accept_front(struct tk_clock *clock, const struct window *window, struct tk_event *events,
                         enum verdict verdict) {
    struct tk_event *event = &events[window->front];
    event->unconfirmed = is_unconfirmed(clock, window);
    if (!is_plausible(clock, window)) start_new_line(clock, window);
    accept_untimed(clock, events, window->front);
    if (verdict == AHEAD) show_earlier(clock, window, event);
    uint64_t time = time_of(clock, event);
    accept(clock, event, time);
    resolve(clock, event, time);
}

static void reject_front(struct tk_clock *clock, const struct window *window, struct tk_event *events) {
    accept_untimed(clock, events, window->front);
    tk_clock_reject_event(clock, &events[window->front]);
    resolve(clock, &events[window->front], clock->last);
}

static void find_front(const struct tk_clock *clock, struct window *window, uint32_t count) {
    window->names = clock->untimed_seen;
    window->core = clock->core;
    for (window->front = 0; window->front < count; window->front++) {
        const struct tk_event *event = &window->events[window->front];
        window->core = core_from(event, window->core);
        if (tk_event_has_time(event)) break;
        window->names += is_name(event);
    }
}

// Adds one event at a time until there is a decision, so that the decision does not depend on the number of available
// events.
static enum verdict validate_with_lookahead(const struct tk_clock *clock, struct window *window, uint32_t count,
                                            bool ended) {
    uint64_t bytes = 0;
    for (window->len = 1; window->len <= count; window->len++) {
        const struct tk_event *newest = &window->events[window->len - 1];
        bytes += newest->str_len;
        window->full =
            window->len == TK_CLOCK_WINDOW || bytes > TK_CLOCK_WINDOW_BYTES || (ended && window->len == count);
        if (window->full && window->front >= window->len) return NEW_LINE; // names without a time
        if (window->front >= window->len || !(window->full || tk_event_has_time(newest))) continue;
        enum verdict verdict = validate_front(clock, window);
        if (verdict != OPEN) return verdict;
    }
    return OPEN;
}

// Returns true if the target's clock runs backwards at the front, whether or not the event before was rejected. Cores
// of one stream may be out of step.
static bool is_fall(const struct tk_clock *clock, const struct window *window) {
    uint64_t before = clock->was_rejected ? clock->rejected_ticks : clock->last - clock->wrap;
    return clock->has_first_time && window->core == clock->last_core && front_of(window)->ticks < before;
}

// Stores the position of the first fall with its bytes, because the input is not available when the fall is reported.
TK_COLD static void keep_fall(struct tk_clock *clock, const struct tk_event *event) {
    struct tk_source_pos place = tk_event_source_pos(event);
    if (!place.bytes) place.len = 0;
    if (place.len > TK_DIAG_CONTEXT) place.len = TK_DIAG_CONTEXT;
    if (place.len) memcpy(clock->fall_bytes, place.bytes, place.len);
    place.bytes = NULL;
    clock->fall = place;
}

void tk_clock_report_falls(const struct tk_clock *clock) {
    enum { FEWEST = 2, ONE_IN = 4 };
    struct tk_source_pos place = clock->fall;
    place.bytes = clock->fall_bytes;
    if (clock->falls >= FEWEST && clock->falls >= clock->steps / ONE_IN)
        tk_diag_note(clock->diag, TK_DIAG_TIME_FALLS, &place, clock->falls);
}

TK_NOINLINE uint32_t tk_clock_resolve(struct tk_clock *clock, struct tk_event *events, uint32_t count, bool ended) {
    struct window window = { .events = events };
    if (!tk_event_has_time(events) && (!clock->started || !is_name(events))) {
        accept_untimed(clock, events, 1);
        return 1;
    }
    find_front(clock, &window, count);
    enum verdict verdict = validate_with_lookahead(clock, &window, count, ended);
    if (verdict == OPEN) return 0;
    if (window.front >= window.len) {
        accept_untimed(clock, events, window.len);
        return window.len;
    }
    uint64_t ticks = front_of(&window)->ticks, wrap = clock->wrap;
    bool falls = is_fall(clock, &window);
    if (falls && !clock->falls) keep_fall(clock, front_of(&window));
    if (verdict == DAMAGED) reject_front(clock, &window, events);
    else accept_front(clock, &window, events, verdict);
    clock->was_rejected = verdict == DAMAGED;
    clock->rejected_ticks = ticks;
    clock->steps++;
    clock->falls += falls && clock->wrap == wrap;
    return window.front + 1;
}

TK_COLD void tk_clock_init(struct tk_clock *clock, struct tk_diag *diag, struct tk_account *account, uint8_t core) {
    *clock = (struct tk_clock){ .diag = diag, .account = account, .core = core };
}

// ---- Trace clock -------------------------------------------------------------------------------

static const uint64_t latest = INT64_MAX; // Perfetto's time is signed

static enum tk_trace_step enter_section(struct tk_trace_clock *clock, const struct tk_event *event) {
    if (!clock->started) {
        clock->started = true;
        if (event->ticks > latest / 2 || clock->from_zero)
            clock->offset = 0 - event->ticks; // start at 0 if absolute times would overflow
        clock->now = event->ticks + clock->offset;
        clock->section = event->section;
        return TK_STEP_SAME;
    }
    clock->offset = clock->now + 1 - event->ticks;
    clock->now += clock->now < latest; // even if the section begins with names
    clock->section = event->section;
    return TK_STEP_RESTART;
}

static uint64_t clamp_time(struct tk_trace_clock *clock, struct tk_diag *diag, const struct tk_event *event,
                           uint64_t time) {
    struct tk_source_pos place = tk_event_source_pos(event);
    if (!diag) return time > latest ? latest : clock->now;
    if (time > latest) {
        tk_diag_count(diag, TK_DIAG_TIME_CLAMPED, &place);
        return latest;
    }
    tk_diag_note(diag, TK_DIAG_TIME_SKEW, &place, clock->now - time);
    return clock->now;
}

TK_COLD enum tk_trace_step tk_trace_clock_apply_slow(struct tk_trace_clock *clock, struct tk_diag *diag,
                                                     struct tk_event *event) {
    enum tk_trace_step step = TK_STEP_SAME;
    if (!tk_event_has_time(event) && event->section == clock->section) {
        event->ticks = clock->now;
        return step;
    }
    if (!clock->started || event->section != clock->section) {
        if (!clock->started && !tk_event_has_time(event)) {
            event->ticks = clock->now;
            return step;
        }
        step = enter_section(clock, event);
    }
    uint64_t time = tk_event_has_time(event) ? event->ticks + clock->offset : clock->now;
    if (time > latest || time < clock->now) time = clamp_time(clock, diag, event, time);
    event->ticks = clock->now = time;
    return step;
}
