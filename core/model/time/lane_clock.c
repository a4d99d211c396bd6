// SPDX-License-Identifier: MIT
//
// Lanes whose times are not those of the trace yet: that go by a clock of their own, or are judged.
#include "lane.h"

// Another lane that goes by the clock of this core; NULL: none does.
static struct tk_domain *clock_of(const struct tk_lane *lane, uint32_t core) {
    for (uint32_t i = 0; i < *lane->peer_count; i++) {
        struct tk_domain *domain = &lane->peers[i]->batch.domain;
        if (lane->peers[i] != lane && domain->core == core && tk_domain_is_set(domain)) return domain;
    }
    return NULL;
}

static bool is_judged(const struct tk_lane *lane) { return lane->time == TK_LANE_CONVERTED; }

static bool compare(struct tk_lane *lane, const struct tk_event *event) {
    const struct tk_domain *other = clock_of(lane, event->id);
    if (event->value < 0 || (other ? !other->placed : !is_judged(lane))) return false;
    tk_domain_compare(&lane->batch.domain, event->ticks, other ? tk_domain_ns(other, (uint64_t)event->value) : (uint64_t)event->value);
    return true;
}


static const struct tk_event *first_timed(const struct tk_batch *batch, uint32_t from, uint32_t count) {
    for (uint32_t i = from; i < from + count; i++)
        if (tk_event_has_time(&batch->events[i])) return &batch->events[i];
    return NULL;
}

// When a lane begins: its first time that is believed, however far others have looked at it.
static uint64_t start_of(struct tk_lane *lane) {
    if (tk_domain_is_set(&lane->batch.domain)) return lane->batch.domain.start_ns;
    while (!lane->clock.has_first && tk_lane_settle(lane)) {}
    const struct tk_event *first = lane->clock.has_first ? NULL : first_timed(&lane->batch, 0, lane->batch.count);
    return first ? first->ticks : lane->clock.first;
}

// Side by side: it begins where the first lane does.
static bool place_alone(struct tk_lane *lane, uint64_t count) {
    uint64_t ns = start_of(lane->peers[0]);
    tk_domain_place(&lane->batch.domain, count, ns, TK_DOMAIN_SIDE_BY_SIDE);
    tk_diag_hit(lane->clock.diag, TK_DIAG_CLOCKS_APART, NULL);
    return true;
}

// Looks for the first comparison among those that wait, for so long as lanes may be silent. last: no more will come.
static bool place(struct tk_lane *lane, uint32_t count, bool last) {
    const struct tk_event *first = first_timed(&lane->batch, lane->settled, count);
    for (uint32_t i = 0; i < count; i++) {
        const struct tk_event *event = &lane->batch.events[lane->settled + i];
        if (event->kind == TK_EV_CLOCK_SYNC && event->timed && compare(lane, event)) return true;
    }
    return (last || count >= TK_LANE_PATIENCE) && place_alone(lane, first ? first->ticks : 0);
}

static void convert_event(struct tk_lane *lane, struct tk_event *event) {
    struct tk_domain *domain = &lane->batch.domain;
    if (!tk_event_has_time(event)) {
        if (is_judged(lane)) event->ticks = domain->last_ns; // where its neighbour stands
        return;
    }
    if (event->kind == TK_EV_CLOCK_SYNC) compare(lane, event);
    if (event->kind == TK_EV_LOST) event->since = tk_domain_ns(domain, event->since);
    event->ticks = tk_domain_next_ns(domain, event->ticks);
}

static uint32_t convert_next(struct tk_lane *lane, uint32_t count, bool last) {
    struct tk_domain *domain = &lane->batch.domain;
    if (!domain->placed && !domain->is_compared) tk_domain_place(domain, 0, 0, TK_DOMAIN_OWN_ZERO);
    if (!domain->placed && !place(lane, count, last)) return 0;
    for (uint32_t i = 0; i < count; i++) convert_event(lane, &lane->batch.events[lane->settled + i]);
    return count;
}

static uint32_t convert(void *ctx, uint32_t count) {
    struct tk_lane *lane = ctx;
    return convert_next(lane, count, tk_lane_is_over(lane));
}

void tk_batch_set_clock(struct tk_batch *batch, const struct tk_domain *domain) {
    batch->domain = *domain;
    batch->settle = convert;
}

// Judges the event `from` and maybe further ones of `count`.
static uint32_t judge_next(struct tk_lane *lane, uint32_t from, uint32_t count) {
    return tk_clock_settle(&lane->clock, &lane->batch.events[lane->settled + from], count - from, tk_lane_is_over(lane));
}

static uint32_t judge(void *ctx, uint32_t count) { return judge_next(ctx, 0, count); }

void tk_batch_judge_times(struct tk_batch *batch) { batch->settle = judge; }

_Static_assert(TK_BATCH_MOST_HELD + 8 < TK_LANE_PATIENCE, "a lane that is held is not silent");

static uint32_t hold(void *ctx, uint32_t count) {
    (void)ctx, (void)count;
    return 0;
}

// Events that came before this and have no time do not depend on what is said of times now, however the bytes come.
static void settle_untimed(struct tk_batch *batch) {
    while (tk_lane_settle((struct tk_lane *)batch)) {} // its first member
}

void tk_batch_hold_times(struct tk_batch *batch) {
    settle_untimed(batch);
    batch->settle = hold;
}

void tk_batch_holds_again(struct tk_batch *batch) { batch->settle = hold; }

void tk_batch_set_core(struct tk_batch *batch, uint8_t core) { ((struct tk_lane *)batch)->clock.core = core; } // its first member

// ---- Judged, then converted --------------------------------------------------------------------

// Of those that are judged, how many are of one section: a target that starts again has other clocks.
static uint32_t of_one_section(const struct tk_lane *lane) {
    const struct tk_event *events = &lane->batch.events[lane->settled];
    uint32_t count = 1;
    while (count < lane->judged && events[count].section == events->section) count++;
    return count;
}

static void enter_section(struct tk_lane *lane, uint32_t section) {
    struct tk_domain *domain = &lane->batch.domain;
    if (lane->section == section) return;
    lane->section = section;
    *domain = (struct tk_domain){ .name = domain->name, .ns = domain->ns, .per_counts = domain->per_counts, .core = domain->core, .is_compared = true };
}

static uint32_t judge_and_convert(void *ctx, uint32_t count) {
    struct tk_lane *lane = ctx;
    lane->time = TK_LANE_CONVERTED; // from now on every event comes here
    for (uint32_t step; lane->judged < count && (step = judge_next(lane, lane->judged, count)); lane->judged += step) {}
    if (!lane->judged) return 0;
    uint32_t run = of_one_section(lane);
    enter_section(lane, lane->batch.events[lane->settled].section);
    uint32_t converted = convert_next(lane, run, run < lane->judged || (tk_lane_is_over(lane) && lane->judged == count));
    lane->judged -= converted;
    return converted;
}

bool tk_batch_has_times(const struct tk_batch *batch) {
    const struct tk_lane *lane = (const struct tk_lane *)batch; // its first member
    return lane->clock.has_first || first_timed(batch, 0, batch->count);
}

bool tk_batch_judge_by_clock(struct tk_batch *batch, const struct tk_domain *domain) {
    if (tk_batch_has_times(batch)) return false;
    settle_untimed(batch);
    batch->domain = *domain;
    batch->settle = judge_and_convert;
    return true;
}

void tk_batch_judges_again(struct tk_batch *batch) { batch->settle = tk_domain_is_set(&batch->domain) ? judge_and_convert : judge; }
