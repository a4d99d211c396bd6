// SPDX-License-Identifier: MIT
#include "image.h"

#include <string.h>

size_t tb_image_collect(struct tb_image *image, struct tk_alloc *alloc, const uint8_t *bytes, size_t len) {
    uint32_t left = image->control.len - image->len;
    size_t step = len < left ? len : left;
    if (!tk_alloc_grow(alloc, (void **)&image->bytes, &image->capacity, image->len + (uint32_t)step, 1)) return step;
    memcpy(image->bytes + image->len, bytes, step);
    image->len += (uint32_t)step;
    return step;
}

bool tb_image_is_whole(const struct tb_image *image) { return image->len == image->control.len; }

// Returns the next frame without its delimiter.
static struct tk_piece frame_at(const struct tb_image *image, const struct tb_frames *frames) {
    const uint8_t *bytes = frames->bytes + frames->at;
    size_t left = frames->len - frames->at, len = tk_find_zero(bytes, left);
    uint32_t place =
        frames->at < frames->first_len ? frames->place + frames->at : frames->rest + frames->at - frames->first_len;
    size_t cut = len > TK_COBS_MAX_PIECE ? len - TK_COBS_MAX_PIECE : 0;
    return (
        struct tk_piece){ bytes + cut, len - cut, image->offset + place, cut, image->frames, left - len, len < left };
}

// After the names, a recorder that has dropped some writes the frame names_missing, which metadata_len does not count.
// Returns false if there is none: the recorder is older.
static bool add_missing_names(const struct tb_image *image, const struct tb_control_core *at, struct tb_frames *names) {
    enum { LONGEST = 13 };
    uint8_t scratch[LONGEST + TB_SCRATCH_MORE], id = 0;
    struct tk_event event = { 0 };
    const uint8_t *frame = image->bytes + at->metadata + at->metadata_len;
    size_t room = image->control.metadata_room - at->metadata_len, most = room < LONGEST ? room : LONGEST,
           len = tk_find_zero(frame, most);
    if (len == most || tb_decode_piece(frame, len, 0, scratch, &event, &id) != TB_OK || id != TB_NAMES_MISSING_ID)
        return false;
    names->len += (uint32_t)len + 1;
    names->first_len = names->len;
    return true;
}

static void order_core(struct tb_image *image, const struct tb_control_core *at, struct tb_image_core *core) {
    uint8_t *ordered = image->ordered + image->ordered_len;
    memcpy(ordered, image->bytes + at->ring + at->from, at->first_len);
    memcpy(ordered + at->first_len, image->bytes + at->ring, at->second_len);
    image->ordered_len += at->first_len + at->second_len;
    core->names = (struct tb_frames){ .bytes = image->bytes + at->metadata,
                                      .len = at->metadata_len,
                                      .place = at->metadata,
                                      .first_len = at->metadata_len };
    core->events = (struct tb_frames){ .bytes = ordered,
                                       .len = at->first_len + at->second_len,
                                       .place = at->ring + at->from,
                                       .first_len = at->first_len,
                                       .rest = at->ring };
    if (at->names_lost && !add_missing_names(image, at, &core->names)) image->names_lost += at->names_lost;
}

bool tb_image_order(struct tb_image *image, struct tk_alloc *alloc) {
    struct tb_control_core at;
    if (image->control.cores > TK_MAX_CORES) image->control.cores = TK_MAX_CORES;
    image->ordered_size = image->len;
    image->ordered = tk_alloc_zero(alloc, image->ordered_size);
    if (!image->ordered) return false;
    for (uint32_t i = 0; i < image->control.cores; i++) {
        if (tb_control_core(&image->control, image->bytes, image->len, i, &at))
            order_core(image, &at, &image->cores[i]);
        else image->missing_cores++;
    }
    image->core_count = image->control.cores;
    return true;
}

// Skips bytes that the recorder has left over where it has overwritten names of deleted objects. They count as unused
// bytes of the block.
static void skip_left_over(struct tb_frames *names) {
    while (names->at < names->len && !names->bytes[names->at]) names->at++;
}

static struct tk_piece take(struct tb_image *image, struct tb_frames *frames) {
    struct tk_piece piece = frame_at(image, frames);
    frames->at += (uint32_t)(piece.cut + piece.len + piece.delimited);
    image->frames++;
    image->frame_bytes += piece.cut + piece.len + piece.delimited;
    return piece;
}

// Returns the next frames of the core, those of names first; NULL: none left.
static const struct tb_frames *frames_of(const struct tb_image *image, uint32_t core) {
    if (core >= image->core_count) return NULL;
    const struct tb_image_core *of = &image->cores[core];
    const struct tb_frames *frames = of->names.at < of->names.len ? &of->names : &of->events;
    return frames->at < frames->len ? frames : NULL;
}

bool tb_image_has_frame(const struct tb_image *image, uint32_t core) { return frames_of(image, core); }

bool tb_image_next(struct tb_image *image, uint32_t core, struct tk_piece *out_piece) {
    const struct tb_frames *frames = frames_of(image, core);
    if (!frames) return false;
    struct tb_image_core *of = &image->cores[core];
    bool is_name = frames == &of->names;
    *out_piece = take(image, is_name ? &of->names : &of->events);
    if (is_name) skip_left_over(&of->names);
    return true;
}
