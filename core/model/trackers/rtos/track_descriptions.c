// SPDX-License-Identifier: MIT
//
// At the end: adds capacity, set and address of an object to the description of its track.
#include <string.h>

#include "rtos_internal.h"

struct properties {
    uint32_t entity;
    uint32_t capacity; // of a queue; 0: unknown
    uint32_t set;      // symbol; 0: none
    bool is_inexact;   // a heap of which inexact levels were drawn
};

static void put_set(const struct tk_names *names, struct tk_text *text, uint32_t set) {
    uint32_t entity = set ? tk_idmap_find(&names->symbols, set) : TK_NONE;
    if (entity == TK_NONE) return;
    tk_text_add(text, ", set ");
    tk_names_put(names, entity, text);
}

// Writes a description such as "Queue: items in it, takes 4, 0x20001234".
static void describe(struct tk_rtos *rtos, uint32_t id, const struct properties *object) {
    struct tk_names *names = tk_rtos_names(rtos);
    uint64_t address = tk_names_address(names, object->entity);
    char room[2 * TK_DISPLAY_LEN];
    struct tk_text text = tk_text_in(room, sizeof room);
    if (!id || rtos->tl->tracks[id - 1].from_recording ||
        !(object->capacity || object->set || address || object->is_inexact))
        return;
    struct tk_track *track = &rtos->tl->tracks[id - 1];
    struct tk_track_details details = { .rank = track->rank, .ordered = track->ordered };
    tk_text_add(&text, track->description ? track->description : "Kernel object");
    if (object->capacity) tk_text_add(&text, ", takes "), tk_text_u64(&text, object->capacity);
    put_set(names, &text, object->set);
    if (object->is_inexact) tk_text_add(&text, ", where its level is not known: the sum of what was seen");
    if (address) tk_text_add(&text, ", "), tk_text_hex(&text, address, 1);
    if (track->unit)
        details.unit_text = tk_strtab_intern(&names->strings, names->alloc, track->unit, strlen(track->unit));
    details.description_text = tk_strtab_intern(&names->strings, names->alloc, text.text, text.len);
    if (details.description_text && (details.unit_text || !track->unit))
        tk_timeline_update_track(rtos->tl, id, &details);
}

void tk_rtos_describe_tracks(struct tk_rtos *rtos) {
    for (uint32_t i = 0; i < rtos->queue_count; i++) {
        const struct tk_queue *queue = &rtos->queues[i];
        struct properties properties = { .entity = queue->entity,
                                         .capacity = tk_queue_is_lock(queue) ? 0 : queue->capacity };
        describe(rtos, queue->track, &properties);
        describe(rtos, queue->lock_track, &properties);
    }
    for (uint32_t i = 0; i < rtos->object_count; i++) {
        const struct tk_kernel_object *object = &rtos->objects[i];
        struct properties properties = { .entity = object->entity };
        if (object->class == TK_CLASS_INTERVAL) properties.set = object->channel.set;
        if (object->class == TK_CLASS_HEAP) properties.is_inexact = object->heap.drew_inexact;
        describe(rtos, object->track, &properties);
    }
}
