// SPDX-License-Identifier: MIT
//
// Active objects: pools, time events, ticks, and records of the application.
#include "active_objects_internal.h"

#include <string.h>

// ---- Pools -------------------------------------------------------------------------------------

void tk_ao_pool(struct tk_active_objects *o, const struct tk_event *event) {
    struct tk_ao_object *pool = tk_ao_find(o, event->pool.pool);
    uint64_t free_blocks = (uint64_t)event->pool.free_blocks;
    if (!pool) return;
    uint32_t track =
        tk_ao_track(o, &pool->pool_track, TK_GROUP_POOLS, TK_TRACK_COUNTER, pool->entity, NULL, "free blocks");
    tk_timeline_counter(o->tl, track, event->pool.free_blocks, NULL, 0);
    if (event->pool.least_plus_1 && event->pool.least_plus_1 != pool->least) {
        pool->least = event->pool.least_plus_1;
        track = tk_ao_track(o, &pool->least_track, TK_GROUP_POOLS, TK_TRACK_COUNTER, pool->entity, " (lowest so far)",
                            "free blocks");
        tk_timeline_counter(o->tl, track, (int64_t)event->pool.least_plus_1 - 1, NULL, 0);
    }
    // One block of a whole pool was taken, and never more before.
    bool first = event->pool.least_plus_1 == free_blocks + 1 && tk_post_queue_is_known(o, &pool->store);
    tk_ao_queue_level(o, &pool->store, pool->entity, "event pool", free_blocks, first);
    tk_post_queue_invalidate(o, &pool->store);
}
