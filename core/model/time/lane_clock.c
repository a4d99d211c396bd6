// SPDX-License-Identifier: MIT
//
// Lanes whose times are not those of the trace yet: that go by a clock of their own, or are judged.
#include "lane.h"

// Whoever goes by this clock; NULL: nobody, or it is not placed itself.
static struct tk_domain *clock_of(const struct tk_lane *lane, uint32_t core) {
    for (uint32_t i = 0; i < *lane->peer_count; i++) {
        struct tk_domain *domain = &lane->peers[i]->batch.domain;
        if (lane->peers[i] != lane && domain->core == core && tk_domain_is_set(domain) && domain->placed) return domain;
    }
    return NULL;
}

static bool compare(struct tk_lane *lane, const struct tk_event *event) {
    const struct tk_domain *other = clock_of(lane, event->id);
    if (!other || event->value < 0) return false;
    tk_domain_compare(&lane->batch.domain, event->ticks, tk_domain_ns(other, (uint64_t)event->value));
    return true;
}

// Side by side: it begins where the first lane does.
static bool place_alone(struct tk_lane *lane, uint64_t count) {
    const struct tk_domain *first = &lane->peers[0]->batch.domain;
    tk_domain_place(&lane->batch.domain, count, first->start_ns, TK_DOMAIN_SIDE_BY_SIDE);
    tk_diag_hit(lane->clock.diag, TK_DIAG_CLOCKS_APART, NULL);
    return true;
}

// Looks for the first comparison among those that wait, for so long as lanes may be silent.
static bool place(struct tk_lane *lane, uint32_t count) {
    const struct tk_event *first = NULL;
    for (uint32_t i = 0; i < count; i++) {
        const struct tk_event *event = &lane->batch.events[lane->settled + i];
        if (event->kind == TK_EV_CLOCK_SYNC && event->timed && compare(lane, event)) return true;
        if (!first && event->timed) first = event;
    }
    return (lane->ended || count >= TK_LANE_PATIENCE) && place_alone(lane, first ? first->ticks : 0);
}

static uint32_t convert(void *ctx, uint32_t count) {
    struct tk_lane *lane = ctx;
    struct tk_domain *domain = &lane->batch.domain;
    if (!domain->placed && !domain->is_compared) tk_domain_place(domain, 0, 0, TK_DOMAIN_OWN_ZERO);
    if (!domain->placed && !place(lane, count)) return 0;
    for (uint32_t i = 0; i < count; i++) {
        struct tk_event *event = &lane->batch.events[lane->settled + i];
        if (!event->timed) continue;
        if (event->kind == TK_EV_CLOCK_SYNC) compare(lane, event);
        if (event->kind == TK_EV_LOST) event->since = tk_domain_ns(domain, event->since);
        event->ticks = tk_domain_next_ns(domain, event->ticks);
    }
    return count;
}

void tk_batch_set_clock(struct tk_batch *batch, const struct tk_domain *domain) {
    batch->domain = *domain;
    batch->settle = convert;
}

static uint32_t judge(void *ctx, uint32_t count) {
    struct tk_lane *lane = ctx;
    return tk_clock_settle(&lane->clock, &lane->batch.events[lane->settled], count, lane->ended);
}

void tk_batch_judge_times(struct tk_batch *batch) { batch->settle = judge; }
