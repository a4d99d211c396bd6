// SPDX-License-Identifier: MIT
//
// At the end: what is known of an object beside its name goes into the description of its track.
#include "kernel_services_internal.h"

#include <string.h>

struct facts {
    uint32_t entity, capacity, set; // of what; 0: not known; symbol, 0: none
    bool unsure;                    // of a heap
};

static size_t append_set(const struct tk_names *names, char *text, size_t len, uint32_t set) {
    uint32_t entity = set ? tk_idmap_find(&names->symbols, set) : TK_NONE;
    if (entity == TK_NONE) return len;
    len = tk_append_text(text, len, ", set ");
    return len + tk_names_display(names, entity, text + len);
}

// "Queue: items in it, takes 4, 0x20001234"
static void describe(struct tk_kernel_services *services, uint32_t id, const struct facts *facts) {
    struct tk_names *names = tk_services_names(services);
    uint64_t address = tk_names_address(names, facts->entity);
    char text[2 * TK_DISPLAY_LEN];
    if (!id || services->tl->tracks[id - 1].told || !(facts->capacity || facts->set || address || facts->unsure))
        return;
    struct tk_track *track = &services->tl->tracks[id - 1];
    struct tk_track_details details = { .rank = track->rank, .ordered = track->ordered };
    size_t len = tk_append_text(text, 0, track->description ? track->description : "Kernel object");
    if (facts->capacity) len = tk_append_number(text, tk_append_text(text, len, ", takes "), facts->capacity);
    len = append_set(names, text, len, facts->set);
    if (facts->unsure) len = tk_append_text(text, len, ", where its level is not known: the sum of what was seen");
    if (address) len = tk_append_hex(text, tk_append_text(text, len, ", "), address);
    if (track->unit)
        details.unit_text = tk_strtab_intern(&names->strings, names->alloc, track->unit, strlen(track->unit));
    details.description_text = tk_strtab_intern(&names->strings, names->alloc, text, len);
    if (details.description_text && (details.unit_text || !track->unit))
        tk_timeline_update_track(services->tl, id, &details);
}

void tk_services_describe(struct tk_kernel_services *services) {
    for (uint32_t i = 0; i < services->rtos->queue_count; i++) {
        const struct tk_queue *queue = &services->rtos->queues[i];
        struct facts facts = { .entity = queue->entity, .capacity = tk_queue_is_lock(queue) ? 0 : queue->capacity };
        describe(services, queue->track, &facts);
        describe(services, queue->lock_track, &facts);
    }
    for (uint32_t i = 0; i < services->object_count; i++)
        describe(services, services->objects[i].track,
                 &(struct facts){ .entity = services->objects[i].entity,
                                  .set = services->objects[i].set,
                                  .unsure = services->objects[i].unsure });
}
