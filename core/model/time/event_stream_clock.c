// SPDX-License-Identifier: MIT
//
// Event streams whose times are not trace times yet: they have a clock of their own, or need validation.
#include "event_stream.h"

// Returns the domain of another event stream with the clock of this core; NULL if there is none.
static struct tk_domain *clock_of(const struct tk_event_stream *stream, uint32_t core) {
    for (uint32_t i = 0; i < *stream->peer_count; i++) {
        struct tk_domain *domain = &stream->peers[i]->batch.domain;
        if (stream->peers[i] != stream && domain->core == core && tk_domain_is_set(domain)) return domain;
    }
    return NULL;
}

static bool is_validated(const struct tk_event_stream *stream) { return stream->time == TK_STREAM_RAW_WITH_CLOCK; }

static bool compare(struct tk_event_stream *stream, const struct tk_event *event) {
    const struct tk_event_clock_sync *sync = &event->clock_sync;
    const struct tk_domain *other = clock_of(stream, sync->core);
    if (sync->count < 0 || (other ? !other->placed : !is_validated(stream))) return false;
    tk_domain_compare(&stream->batch.domain, event->ticks,
                      other ? tk_domain_ns(other, (uint64_t)sync->count) : (uint64_t)sync->count);
    return true;
}

static const struct tk_event *first_timed(const struct tk_batch *batch, uint32_t from, uint32_t count) {
    for (uint32_t i = from; i < from + count; i++)
        if (tk_event_has_time(&batch->events[i])) return &batch->events[i];
    return NULL;
}

// Returns the start of an event stream: its first accepted time, whether or not its events were resolved before.
static uint64_t start_of(struct tk_event_stream *stream) {
    if (tk_domain_is_set(&stream->batch.domain)) return stream->batch.domain.start_ns;
    while (!stream->clock.has_first_time && tk_event_stream_resolve(stream)) {}
    const struct tk_event *first =
        stream->clock.has_first_time ? NULL : first_timed(&stream->batch, 0, stream->batch.count);
    return first ? first->ticks : stream->clock.first;
}

// Places the clock without a comparison: it starts with the first event stream.
static bool align_start(struct tk_event_stream *stream, uint64_t count) {
    uint64_t ns = start_of(stream->peers[0]);
    tk_domain_set_origin(&stream->batch.domain, count, ns, TK_DOMAIN_ALIGNED_START);
    tk_diag_count(stream->clock.diag, TK_DIAG_CLOCKS_NOT_SYNCED, NULL);
    return true;
}

// Places the clock by the first comparison among the pending events, as long as event streams may be silent. last: no
// more events will come.
static bool place(struct tk_event_stream *stream, uint32_t count, bool last) {
    const struct tk_event *first = first_timed(&stream->batch, stream->resolved, count);
    for (uint32_t i = 0; i < count; i++) {
        const struct tk_event *event = &stream->batch.events[stream->resolved + i];
        if (event->kind == TK_EV_CLOCK_SYNC && event->timed && compare(stream, event)) return true;
    }
    return (last || count >= TK_STREAM_MAX_WAITING) && align_start(stream, first ? first->ticks : 0);
}

static void convert_event(struct tk_event_stream *stream, struct tk_event *event) {
    struct tk_domain *domain = &stream->batch.domain;
    if (event->kind == TK_EV_TASK_DECLARED && event->task_declared.created >= 0)
        event->task_declared.created = (int64_t)tk_domain_ns(domain, (uint64_t)event->task_declared.created);
    if (!tk_event_has_time(event)) {
        if (is_validated(stream)) event->ticks = domain->last_ns; // time of its neighbour
        return;
    }
    if (event->kind == TK_EV_CLOCK_SYNC) compare(stream, event);
    if (event->kind == TK_EV_EVENTS_LOST) event->events_lost.since = tk_domain_ns(domain, event->events_lost.since);
    event->ticks = tk_domain_next_ns(domain, event->ticks);
}

static uint32_t convert_next(struct tk_event_stream *stream, uint32_t count, bool last) {
    struct tk_domain *domain = &stream->batch.domain;
    if (!domain->placed && !domain->is_compared) tk_domain_set_origin(domain, 0, 0, TK_DOMAIN_OWN_ORIGIN);
    if (!domain->placed && !place(stream, count, last)) return 0;
    for (uint32_t i = 0; i < count; i++) convert_event(stream, &stream->batch.events[stream->resolved + i]);
    return count;
}

static uint32_t convert(void *ctx, uint32_t count) {
    struct tk_event_stream *stream = ctx;
    return convert_next(stream, count, tk_event_stream_has_ended(stream));
}

void tk_batch_set_clock(struct tk_batch *batch, const struct tk_domain *domain) {
    batch->domain = *domain;
    batch->resolve = convert;
}

// Validates the event `from` and possibly further ones of `count`.
static uint32_t validate_next(struct tk_event_stream *stream, uint32_t from, uint32_t count) {
    return tk_clock_resolve(&stream->clock, &stream->batch.events[stream->resolved + from], count - from,
                            tk_event_stream_has_ended(stream));
}

static uint32_t validate_times(void *ctx, uint32_t count) { return validate_next(ctx, 0, count); }

void tk_event_stream_validate_times(struct tk_event_stream *stream) { stream->batch.resolve = validate_times; }

_Static_assert(TK_BATCH_MAX_DEFERRED + 8 < TK_STREAM_MAX_WAITING, "a lane that is held is not silent");

static uint32_t defer_times(void *ctx, uint32_t count) {
    (void)ctx, (void)count;
    return 0;
}

// Resolves pending events without a time: later settings for times do not concern them, however the bytes were cut.
static void resolve_untimed(struct tk_batch *batch) {
    while (tk_event_stream_resolve((struct tk_event_stream *)batch)) {} // the batch is the first member
}

void tk_batch_defer_times(struct tk_batch *batch) {
    resolve_untimed(batch);
    batch->resolve = defer_times;
}

void tk_batch_set_core(struct tk_batch *batch, uint8_t core) {
    ((struct tk_event_stream *)batch)->clock.core = core;
} // its first member

// ---- Validated, then converted -----------------------------------------------------------------

// Returns how many validated events belong to one section: a restarted target has new clocks.
static uint32_t of_one_section(const struct tk_event_stream *stream) {
    const struct tk_event *events = &stream->batch.events[stream->resolved];
    uint32_t count = 1;
    while (count < stream->validated && events[count].section == events->section) count++;
    return count;
}

static void enter_section(struct tk_event_stream *stream, uint32_t section) {
    struct tk_domain *domain = &stream->batch.domain;
    if (stream->section == section) return;
    stream->section = section;
    *domain = (struct tk_domain){ .name = domain->name,
                                  .ns = domain->ns,
                                  .per_counts = domain->per_counts,
                                  .core = domain->core,
                                  .is_compared = true };
}

static uint32_t validate_and_convert(void *ctx, uint32_t count) {
    struct tk_event_stream *stream = ctx;
    stream->time = TK_STREAM_RAW_WITH_CLOCK; // from now on every event takes this path
    for (uint32_t step; stream->validated < count && (step = validate_next(stream, stream->validated, count));
         stream->validated += step) {}
    if (!stream->validated) return 0;
    uint32_t run = of_one_section(stream);
    enter_section(stream, stream->batch.events[stream->resolved].section);
    uint32_t converted = convert_next(
        stream, run, run < stream->validated || (tk_event_stream_has_ended(stream) && stream->validated == count));
    stream->validated -= converted;
    return converted;
}

bool tk_batch_has_times(const struct tk_batch *batch) {
    const struct tk_event_stream *stream = (const struct tk_event_stream *)batch; // the batch is the first member
    return stream->clock.has_first_time || first_timed(batch, 0, batch->count);
}

bool tk_batch_validate_in_domain(struct tk_batch *batch, const struct tk_domain *domain) {
    if (tk_batch_has_times(batch)) return false;
    resolve_untimed(batch);
    batch->domain = *domain;
    batch->resolve = validate_and_convert;
    return true;
}

void tk_batch_restore_validation(struct tk_batch *batch) {
    batch->resolve = tk_domain_is_set(&batch->domain) ? validate_and_convert : validate_times;
}
