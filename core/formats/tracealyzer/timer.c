// SPDX-License-Identifier: MIT
#include "timer.h"

enum { TYPE_FREE_UP = 1, TYPE_FREE_DOWN, TYPE_TICK_UP, TYPE_TICK_DOWN, TYPE_CUSTOM_UP, TYPE_CUSTOM_DOWN };

static const uint64_t free_turn = (uint64_t)1 << 32, fastest = 10000000000u;

static bool counts_down(const struct psf_timer *timer) { return timer->type && !(timer->type & 1); }

// As if every timer counted up from 0 to its turn.
static uint64_t upward(const struct psf_timer *timer, uint64_t raw) {
    if (!counts_down(timer)) return raw;
    return raw < timer->turn ? timer->turn - 1 - raw : 0;
}

// The first start of a recorder: its timer was not read yet.
static bool is_first_start(const struct psf_timer *timer, const struct psf_timestamp *timestamp) {
    bool nothing = timestamp->latest == (counts_down(timer) ? UINT32_MAX : 0);
    return nothing && !timestamp->wraparounds;
}

void psf_timer_init(struct psf_timer *timer, const struct psf_timestamp *timestamp, bool live) {
    *timer = (struct psf_timer){ .turn = free_turn, .type = (uint8_t)timestamp->type, .hz = timestamp->hz <= fastest ? timestamp->hz : 0, .tick = timestamp->tick_count };
    if (timer->type > TYPE_FREE_DOWN && timestamp->period) timer->turn = timestamp->period;
    if (timer->hz && !(1000000000u % timer->hz)) timer->count_ns = 1000000000u / timer->hz;
    timer->starts = !live && !is_first_start(timer, timestamp);
    timer->start = timestamp->wraparounds * timer->turn + upward(timer, timestamp->latest);
}

static uint64_t next_tick_count(const struct psf_timer *timer, struct psf_clock *clock, uint32_t raw) {
    if (!clock->started) clock->tick = timer->starts ? timer->tick : raw >> 24;
    clock->tick += (uint8_t)((raw >> 24) - clock->tick);
    return clock->tick * timer->turn + upward(timer, raw & 0xFFFFFF);
}

// Of a core that was silent for long nobody knows how often the timer turned: the other cores tell.
static uint64_t near_others(const struct psf_timer *timer, uint64_t time) {
    if (timer->latest < time || timer->latest - time < timer->turn / 2) return time;
    return time + (timer->latest - time + timer->turn / 2) / timer->turn * timer->turn;
}

static uint64_t next_count(const struct psf_timer *timer, struct psf_clock *clock, uint32_t raw) {
    uint64_t up = upward(timer, raw) % timer->turn, last = clock->started ? clock->last : timer->starts ? timer->start : up;
    uint64_t now = last % timer->turn;
    return near_others(timer, last + (up >= now ? up - now : timer->turn - now + up));
}

uint64_t psf_clock_next(struct psf_timer *timer, struct psf_clock *clock, uint32_t raw) {
    uint64_t time = psf_timer_has_ticks(timer) ? next_tick_count(timer, clock, raw) : next_count(timer, clock, raw);
    if (clock->started && time < clock->last) time = clock->last; // a timer that was reloaded a moment before its tick was counted
    clock->started = true;
    clock->last = time;
    if (time > timer->latest) timer->latest = time;
    return time;
}

void psf_clock_anchor(const struct psf_timer *timer, struct psf_clock *clock, uint32_t tick, uint32_t raw) {
    if (!psf_timer_has_ticks(timer) || (uint8_t)tick != raw >> 24) return;
    uint32_t step = tick - (uint32_t)clock->tick;
    clock->tick = clock->started && step < UINT32_MAX / 2 ? clock->tick + step : tick;
    clock->started = true;
}

uint64_t psf_timer_ns(struct psf_timer *timer, uint64_t counts) {
    if (!timer->hz) return counts;
    if (timer->count_ns && counts <= INT64_MAX / 1000000000u) return counts * timer->count_ns;
    if (counts - timer->second >= timer->hz) {
        uint64_t seconds = counts / timer->hz;
        if (seconds > INT64_MAX / 1000000000u - 1) return INT64_MAX;
        timer->second = seconds * timer->hz;
        timer->second_ns = seconds * 1000000000u;
    }
    return timer->second_ns + ((counts - timer->second) * 1000000000u + timer->hz / 2) / timer->hz;
}
