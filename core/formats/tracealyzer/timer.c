// SPDX-License-Identifier: MIT
#include "timer.h"

#include "../../base/attributes.h"

enum { TYPE_FREE_UP = 1, TYPE_FREE_DOWN, TYPE_TICK_UP, TYPE_TICK_DOWN, TYPE_CUSTOM_UP, TYPE_CUSTOM_DOWN };

static const uint64_t free_turn = (uint64_t)1 << 32, fastest = 10000000000u;

// Returns the raw value as if the timer counted up from 0.
static uint64_t as_counting_up(const struct psf_timer *timer, uint64_t raw) {
    if (!timer->counts_down) return raw;
    return raw < timer->turn ? timer->turn - 1 - raw : 0;
}

// Returns true for the first start of a recorder, which had not read its timer before.
static bool is_first_start(const struct psf_timer *timer, const struct psf_timestamp *timestamp) {
    bool nothing = timestamp->latest == (timer->counts_down ? UINT32_MAX : 0);
    return nothing && !timestamp->wraparounds;
}

void psf_timer_set(struct psf_timer *timer, uint8_t type, uint64_t turn) {
    bool has_ticks = type == TYPE_TICK_UP || type == TYPE_TICK_DOWN;
    *timer = (struct psf_timer){ .turn = turn,
                                 .range = has_ticks ? turn * 256 : turn,
                                 .type = type,
                                 .has_ticks = has_ticks,
                                 .counts_down = type && !(type & 1) };
}

void psf_timer_init(struct psf_timer *timer, const struct psf_timestamp *timestamp, bool live) {
    psf_timer_set(timer, (uint8_t)timestamp->type,
                  timestamp->type > TYPE_FREE_DOWN && timestamp->period ? timestamp->period : free_turn);
    timer->rate = tk_rate_of(timestamp->hz <= fastest ? timestamp->hz : 0, TK_RATE_ROUNDS_TO_NEAREST);
    timer->tick = timestamp->tick_count;
    timer->starts = !live && !is_first_start(timer, timestamp);
    timer->start = timestamp->wraparounds * timer->turn + as_counting_up(timer, timestamp->latest);
}

// Returns number % turn, without a division for a power of two, which most timers have.
static uint64_t wrap_count(uint64_t number, uint64_t turn) {
    return turn & (turn - 1) ? number % turn : number & (turn - 1);
}

// Returns the raw value as counts within the range of the timer.
static uint64_t counts_of(const struct psf_timer *timer, uint32_t raw) {
    if (!timer->has_ticks) return wrap_count(as_counting_up(timer, raw), timer->turn);
    return (raw >> 24) * timer->turn + as_counting_up(timer, raw & 0xFFFFFF) % timer->turn;
}

uint64_t psf_clock_step(const struct psf_timer *timer, const struct psf_clock *clock, uint32_t raw) {
    uint64_t range = timer->range, now = wrap_count(clock->last, range), next = counts_of(timer, raw);
    return next >= now ? next - now : range - now + next;
}

// Returns true if a time is slightly before the last one: the timer was reloaded just before its tick was counted, or
// the last time was damaged and too late.
static bool is_slightly_back(const struct psf_timer *timer, const struct psf_clock *clock, uint64_t step) {
    uint64_t back = timer->range - step;
    return back <= clock->last - clock->before || (timer->has_ticks && back <= timer->turn);
}

bool psf_clock_is_implausible(const struct psf_timer *timer, const struct psf_clock *clock, uint32_t raw) {
    uint64_t step = psf_clock_step(timer, clock, raw);
    return clock->started && step > clock->typical && !is_slightly_back(timer, clock, step);
}

// Extends a time by the times of the other cores. After a long silence of a core the number of turns of its timer is
// unknown. That fails if the timer turns over faster than buffers are sent.
static uint64_t unwrap_near_other_cores(const struct psf_timer *timer, uint64_t time) {
    enum { SENT = 20 }; // at least so many times per second
    uint64_t range = timer->range;
    if (timer->apart || range * SENT < timer->rate.hz || timer->latest < time || timer->latest - time < range / 2)
        return time;
    return time + (timer->latest - time + range / 2) / range * range;
}

// Starts the clock of a core at a time near those of the other cores. It may begin a little earlier than the core that
// was read first, and before a turn of the timer.
TK_COLD static void start(struct psf_timer *timer, struct psf_clock *clock, uint32_t raw) {
    enum { AROUND = 16 }; // a core may begin earlier than the first one by 1/AROUND of the range
    uint64_t first = counts_of(timer, raw), around = timer->range / AROUND,
             earlier = timer->apart ? around : timer->range / 2;
    if (timer->has_ticks) clock->last = timer->starts ? timer->tick * timer->turn + first % timer->turn : first;
    else clock->last = timer->starts ? timer->start : first;
    if (timer->leads && !timer->latest && clock->last < around) timer->lead = timer->range;
    clock->last += timer->lead;
    clock->before = clock->last;
    if (timer->latest)
        clock->last = timer->latest, clock->before = timer->latest > earlier ? timer->latest - earlier : 0;
    clock->started = true;
}

static void step_back(struct psf_clock *clock, uint64_t back) {
    clock->before = clock->last = clock->last > back ? clock->last - back : 0;
}

TK_COLD void psf_clock_restart(const struct psf_timer *timer, struct psf_clock *clock, uint32_t raw) {
    uint64_t first = timer->lead + counts_of(timer, raw);
    *clock = (struct psf_clock){ .last = first, .before = first, .started = true };
}

bool psf_clock_goes_back(const struct psf_timer *timer, const struct psf_clock *clock, uint32_t raw) {
    return psf_clock_step(timer, clock, raw) > timer->range / 2;
}

static void advance(struct psf_clock *clock, uint64_t time) {
    uint64_t gap = time - clock->last, change = clock->typical >> 4;
    clock->typical += gap > change ? change + 1 : 0 - change;
    clock->before = clock->last;
    clock->last = time;
}

uint64_t psf_clock_next(struct psf_timer *timer, struct psf_clock *clock, uint32_t raw) {
    if (!clock->started) start(timer, clock, raw);
    uint64_t step = psf_clock_step(timer, clock, raw);
    if (step && is_slightly_back(timer, clock, step)) step_back(clock, timer->range - step);
    else advance(clock, unwrap_near_other_cores(timer, clock->last + step));
    if (clock->last > clock->shown) clock->shown = clock->last;
    if (clock->shown > timer->latest && !(timer->apart && timer->latest)) timer->latest = clock->shown;
    return clock->shown;
}

// Sets the clock by the whole number of ticks: moves the time by whole ranges.
TK_COLD void psf_clock_anchor(const struct psf_timer *timer, struct psf_clock *clock, uint32_t tick, uint32_t raw) {
    uint64_t time = timer->lead + (uint64_t)tick * timer->turn + counts_of(timer, raw) % timer->turn;
    if (!timer->has_ticks || (uint8_t)tick != raw >> 24 || (clock->started && time <= clock->last + timer->range / 2))
        return;
    clock->before = clock->last = time;
    clock->started = true;
}
