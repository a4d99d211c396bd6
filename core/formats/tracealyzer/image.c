// SPDX-License-Identifier: MIT
#include "image.h"

#include <string.h>

bool psf_image_collect(struct psf_image *image, struct tk_alloc *alloc, const uint8_t *bytes, size_t len) {
    if (!tk_alloc_grow(alloc, (void **)&image->bytes, &image->capacity, image->len + (uint32_t)len, 1)) return false;
    if (len) memcpy(image->bytes + image->len, bytes, len);
    image->len += (uint32_t)len;
    return true;
}

// The fields before the events of a core.
struct control {
    uint32_t head, tail, size, options, free, slack;
    uint32_t bytes; // bytes of the control block itself
};

static void read_control(const struct psf_header *header, const uint8_t *at, struct control *out_control) {
    uint32_t fields = header->version < 12 ? 7 : header->version < 13 ? 9 : 10;
    out_control->head = psf_u32(header->big, at);
    out_control->tail = psf_u32(header->big, at + 4);
    out_control->size = psf_u32(header->big, at + 8);
    out_control->options = psf_u32(header->big, at + 12);
    out_control->free = psf_u32(header->big, at + 20);
    out_control->slack = header->version < 12 ? 0 : psf_u32(header->big, at + 24);
    out_control->bytes = fields * 4 + header->word;
}

// Finds the oldest byte and the number of bytes. Returns false if the fields contradict each other.
static bool find_events(struct psf_image *image, const struct control *control, uint32_t room, uint32_t *out_len) {
    bool sane = control->size <= room && control->head <= control->size && control->tail <= control->size &&
                control->slack <= control->size;
    bool full = control->head == control->tail && control->options == 1 && !control->free;
    image->from = control->tail;
    image->end = control->size - control->slack;
    *out_len = control->head > control->tail ? control->head - control->tail : 0;
    if (!sane || image->end < control->tail) return false;
    if (control->head < control->tail || full) *out_len = image->end - control->tail + control->head;
    return true;
}

bool psf_image_next_core(struct psf_image *image, struct tk_alloc *alloc, const struct psf_header *header) {
    enum { MOST_CONTROL = 40 + 8 };
    uint64_t core_size = image->size / header->cores / header->word * header->word, begin = core_size * image->core;
    struct control control;
    image->at = image->events_len = 0;
    if (image->core++ >= header->cores || core_size < MOST_CONTROL || begin + MOST_CONTROL > image->len) return false;
    read_control(header, image->bytes + begin, &control);
    uint64_t data = begin + control.bytes,
             room = (begin + core_size < image->len ? begin + core_size : image->len) - data;
    if (!find_events(image, &control, (uint32_t)room, &image->events_len)) return image->events_len = 0, true;
    image->data = image->offset + data;
    if (!tk_alloc_grow(alloc, (void **)&image->events, &image->events_capacity, image->events_len + 1, 1)) return false;
    uint32_t first = image->end - image->from < image->events_len ? image->end - image->from : image->events_len;
    memcpy(image->events, image->bytes + data + image->from, first);
    memcpy(image->events + first, image->bytes + data, image->events_len - first);
    return true;
}

uint64_t psf_image_offset(const struct psf_image *image, uint32_t at) {
    uint32_t first = image->end - image->from;
    return image->data + (at < first ? image->from + at : at - first);
}

void psf_image_deinit(struct psf_image *image, struct tk_alloc *alloc) {
    tk_alloc_free(alloc, image->bytes, image->capacity);
    tk_alloc_free(alloc, image->events, image->events_capacity);
    *image = (struct psf_image){ 0 };
}
