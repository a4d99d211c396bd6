// SPDX-License-Identifier: MIT
//
// The state of a handle as bytes: an image of all its memory, and of what it takes to let pointers follow where the
// image is put up again.
#include <string.h>

#include "base/bytes.h"
#include "build_id.h"
#include "handle.h"

// In front of an image; after it a struct block for each block, the bytes of the handle, and those of the blocks.
struct head {
    char magic[8];
    uint64_t build;         // whose memory it is
    uint64_t handle;        // where it stood
    uint64_t program;       // where static memory did
    uint64_t blocks, bytes; // how many there are; their bytes together
    uint64_t sum;           // of everything, with 0 in this place
};

struct block {
    uint64_t old, size;
};

static const char magic[8] = "tkstate1";

static uint64_t add_to(uint64_t sum, const void *bytes, size_t len) {
    return (sum ^ tk_hash_bytes(bytes, len)) * 0x9E3779B97F4A7C15u;
}

// The same program has its parts at the same distances, wherever it is loaded.
static uint64_t add_place(uint64_t sum, const void *part) {
    uint64_t distance = (uint64_t)((uintptr_t)part - (uintptr_t)magic);
    return add_to(sum, &distance, sizeof distance);
}

static uint64_t add_decoder(uint64_t sum, const struct tk_decoder *decoder) {
    sum = add_place(add_place(sum, decoder), decoder->info);
    for (const struct tk_tracker *const *tracker = decoder->trackers; tracker && *tracker; tracker++)
        sum = add_place(sum, *tracker);
    return sum;
}

// The layout of memory follows from sources and compiler. Where static memory stands depends on what else the program
// holds, which may move texts by themselves.
static uint64_t build(void) {
    const uint64_t id = TK_BUILD_ID;
    size_t count;
    const struct tk_option_info *options = tk_common_options(&count);
    uint64_t sum = add_place(add_to(0, &id, sizeof id), options);
    for (size_t i = 0; i < count; i++) sum = add_place(sum, options[i].key);
    for (unsigned i = 0; i < TK_DIAG_COUNT; i++) sum = add_place(sum, tk_diag_info(i)->name);
    for (size_t i = 0; i < tk_decoders_len; i++) sum = add_decoder(sum, tk_decoders[i]);
    return sum;
}

// ---- Pointers follow ---------------------------------------------------------------------------

// One of those that this program has.
static const struct tk_decoder *decoder_moved(const struct tk_decoder *old, struct tk_relocation *move) {
    const struct tk_decoder *decoder = tk_relocate_static(move, old);
    size_t i = 0;
    while (i < tk_decoders_len && tk_decoders[i] != decoder) i++;
    if (decoder && i == tk_decoders_len) move->refused = true;
    return move->refused ? NULL : decoder;
}

static void streams_relocate(struct tk_input *input, struct tk_relocation *move) {
    if (input->stream_count > TK_INPUT_STREAMS) move->refused = true;
    for (uint32_t i = 0; i < input->stream_count && !move->refused; i++) {
        input->streams[i] = tk_relocate(move, input->streams[i], sizeof *input->streams[i]);
        if (input->streams[i]) tk_event_stream_relocate(input->streams[i], move);
    }
}

static void input_moved(struct tk *handle, struct tk_input *input, struct tk_relocation *move) {
    input->handle = handle;
    input->window = tk_relocate(move, input->window, input->window_cap);
    input->held = tk_relocate(move, input->held, input->held_cap);
    tk_lookup_relocate(&input->lookup, move);
    streams_relocate(input, move);
    input->kind = decoder_moved(input->kind, move);
    input->decoder = tk_relocate(move, input->decoder, input->kind ? input->kind->size : 0);
    struct tk_decode_host host = tk_host_of(input);
    if (input->kind && input->decoder) input->kind->relocate(input->decoder, &host, move);
}

static void inputs_moved(struct tk *handle, struct tk_relocation *move) {
    if (handle->input_count > TK_MAX_INPUTS) move->refused = true;
    for (uint32_t i = 0; i < handle->input_count && !move->refused; i++) {
        handle->inputs[i] = tk_relocate(move, handle->inputs[i], sizeof *handle->inputs[i]);
        if (handle->inputs[i]) input_moved(handle, handle->inputs[i], move);
    }
}

static void output_moved(struct tk *handle, struct tk_relocation *move) {
    if (!handle->writer) {
        if (handle->started) handle->track_sink = tk_ignoring_sink();
        return;
    }
    struct tk_byte_sink out = tk_byte_sink_of(handle);
    handle->writer = tk_writer_relocate(handle->writer, &out, move);
    if (!handle->writer) return;
    handle->track_sink = tk_writer_track_sink(handle->writer);
    if (!handle->has_range) return;
    tk_time_range_relocate(&handle->range, move);
    tk_insert_range_filter(handle);
}

static void handle_moved(struct tk *handle, struct tk_relocation *move) {
    handle->probe = tk_relocate(move, handle->probe, sizeof *handle->probe);
    if (handle->probe) handle->probe->format = tk_relocate_static(move, handle->probe->format);
    for (uint32_t i = 0; i < handle->format_option_count && i < TK_FORMAT_OPTIONS; i++)
        handle->format_options[i].key = tk_relocate_static(move, handle->format_options[i].key);
    handle->format = decoder_moved(handle->format, move);
    handle->lookup = tk_relocate(move, handle->lookup, handle->lookup ? sizeof *handle->lookup : 0);
    handle->last_lookup = tk_relocate(move, handle->last_lookup, handle->last_lookup ? sizeof *handle->last_lookup : 0);
    const struct tk_symbol_service *service = tk_symbols_service(handle);
    if (handle->symbols.first && service) service->relocate(service, &handle->symbols, move);
    tk_times_relocate(&handle->times, move);
    tk_model_relocate(&handle->model, handle->format ? handle->format->trackers : NULL, move);
    output_moved(handle, move);
    inputs_moved(handle, move);
}

// ---- Copies ------------------------------------------------------------------------------------

static size_t count_blocks(const struct tk *handle, uint64_t *out_bytes) {
    size_t count = 0;
    *out_bytes = 0;
    for (const struct tk_block_head *block = handle->alloc.blocks; block; block = block->next, count++)
        *out_bytes += block->size;
    return count;
}

// The blocks of the table, somewhere else. bytes: theirs, one behind the other; NULL: they are still where they stood.
// False: no memory.
static bool copy_blocks(struct tk_alloc *alloc, struct tk_relocation *move, const uint8_t *bytes) {
    for (size_t i = 0; i < move->count; i++) {
        struct tk_relocated_block *block = &move->blocks[i];
        block->now = tk_alloc_zero(alloc, block->size);
        if (!block->now) return tk_alloc_free_all(alloc), false;
        memcpy(block->now, bytes ? bytes : (const uint8_t *)block->old, block->size);
        if (bytes) bytes += block->size;
    }
    return true;
}

// Makes `handle`, a new one, a copy of one that stood at `old`: its blocks are in the table, which has room for one
// more. Else it stays what it is.
static tk_status put_up(struct tk *handle, const void *copy, const void *old, const uint8_t *bytes,
                        struct tk_relocation *move) {
    const struct tk_allocator allocator = { handle->alloc.realloc, handle->alloc.ctx };
    const struct tk_sink out = handle->out;
    bool has_out = handle->has_out;
    struct tk_alloc alloc = { .realloc = allocator.realloc, .ctx = allocator.ctx };
    if (!copy_blocks(&alloc, move, bytes)) return TK_NO_MEMORY;
    tk_alloc_free_all(&handle->alloc);
    memcpy(handle, copy, sizeof *handle);
    handle->alloc = alloc;
    handle->out = out;
    handle->has_out = has_out;
    move->blocks[move->count++] = (struct tk_relocated_block){ (uintptr_t)old, sizeof *handle, (uint8_t *)handle };
    if (tk_relocation_begin(move)) handle_moved(handle, move);
    if (!move->refused) return TK_OK;
    tk_alloc_free_all(&handle->alloc);
    tk_handle_init(handle, &allocator);
    handle->out = out;
    handle->has_out = has_out;
    return handle->alloc.failed ? tk_handle_fail(handle, TK_NO_MEMORY, "out of memory") : TK_MISUSE;
}

static tk_status fill_copy(const struct tk *handle, struct tk *copy) {
    uint64_t bytes;
    struct tk_alloc alloc = { .realloc = handle->alloc.realloc, .ctx = handle->alloc.ctx };
    size_t count = count_blocks(handle, &bytes);
    struct tk_relocation move = { .blocks = tk_alloc_zero(&alloc, (count + 1) * sizeof *move.blocks) };
    if (!move.blocks) return TK_NO_MEMORY;
    for (const struct tk_block_head *block = handle->alloc.blocks; block; block = block->next)
        move.blocks[move.count++] = (struct tk_relocated_block){ (uintptr_t)(block + 1), block->size, NULL };
    tk_status status = put_up(copy, handle, handle, NULL, &move);
    tk_alloc_free_all(&alloc);
    return status;
}

static tk_status copy_handle(const struct tk *handle, const struct tk_sink *sink, struct tk **out_copy) {
    const struct tk_allocator allocator = { handle->alloc.realloc, handle->alloc.ctx };
    tk_status status = tk_new(&allocator, out_copy);
    if (status != TK_OK) return status;
    if (sink) (*out_copy)->out = *sink;
    (*out_copy)->has_out = sink != NULL;
    status = fill_copy(handle, *out_copy);
    if (status == TK_OK) return TK_OK;
    tk_free(*out_copy);
    return status;
}

tk_status tk_with_copy(struct tk *handle, const struct tk_sink *sink, tk_status (*work)(struct tk *copy, void *ctx),
                       void *ctx) {
    struct tk *copy;
    tk_status status = copy_handle(handle, sink, &copy);
    if (status != TK_OK) return status;
    status = work(copy, ctx);
    tk_free(copy);
    return status;
}

// ---- States ------------------------------------------------------------------------------------

static uint64_t sum_of(const struct tk *handle, const struct head *head) {
    uint64_t sum = add_to(add_to(0, head, sizeof *head), handle, sizeof *handle);
    for (const struct tk_block_head *block = handle->alloc.blocks; block; block = block->next) {
        struct block place = { (uintptr_t)(block + 1), block->size };
        sum = add_to(add_to(sum, &place, sizeof place), block + 1, block->size);
    }
    return sum;
}

static bool write_blocks(const struct tk *handle, const struct tk_sink *sink) {
    bool taken = true;
    for (const struct tk_block_head *block = handle->alloc.blocks; block && taken; block = block->next) {
        struct block place = { (uintptr_t)(block + 1), block->size };
        taken = sink->write(sink->ctx, (const uint8_t *)&place, sizeof place);
    }
    taken = taken && sink->write(sink->ctx, (const uint8_t *)handle, sizeof *handle);
    for (const struct tk_block_head *block = handle->alloc.blocks; block && taken; block = block->next)
        taken = sink->write(sink->ctx, (const uint8_t *)(block + 1), block->size);
    return taken;
}

tk_status tk_save(tk *handle, const struct tk_sink *sink) {
    struct head head = { .build = build(), .handle = (uintptr_t)handle, .program = (uintptr_t)magic };
    tk_status status = tk_check_state(handle);
    if (status != TK_OK) return status;
    memcpy(head.magic, magic, sizeof magic);
    head.blocks = count_blocks(handle, &head.bytes);
    head.sum = sum_of(handle, &head);
    bool taken = sink->write(sink->ctx, (const uint8_t *)&head, sizeof head) && write_blocks(handle, sink);
    return taken ? TK_OK : TK_SINK_REFUSED;
}

// The parts of an image, all of which lie within it.
struct image {
    struct head head;
    const uint8_t *places, *handle, *bytes;
};

static bool read_image(const uint8_t *state, size_t len, struct image *out) {
    struct head *head = &out->head;
    if (len < sizeof *head) return false;
    memcpy(head, state, sizeof *head);
    if (memcmp(head->magic, magic, sizeof magic) || head->build != build()) return false;
    uint64_t rest = len - sizeof *head;
    if (rest < sizeof(struct tk) || head->blocks > (rest - sizeof(struct tk)) / sizeof(struct block)) return false;
    if (head->bytes != rest - sizeof(struct tk) - head->blocks * sizeof(struct block)) return false;
    out->places = state + sizeof *head;
    out->handle = out->places + head->blocks * sizeof(struct block);
    out->bytes = out->handle + sizeof(struct tk);
    return true;
}

static bool is_intact(const struct image *image, struct tk_relocation *move) {
    struct head head = image->head;
    const uint8_t *bytes = image->bytes;
    uint64_t left = head.bytes;
    head.sum = 0;
    uint64_t sum = add_to(add_to(0, &head, sizeof head), image->handle, sizeof(struct tk));
    for (uint64_t i = 0; i < head.blocks; i++) {
        struct block place;
        memcpy(&place, image->places + i * sizeof place, sizeof place);
        if (!place.size || place.size > left || place.old > UINTPTR_MAX) return false;
        sum = add_to(add_to(sum, &place, sizeof place), bytes, (size_t)place.size);
        bytes += place.size;
        left -= place.size;
        move->blocks[move->count++] = (struct tk_relocated_block){ (uintptr_t)place.old, (size_t)place.size, NULL };
    }
    return !left && sum == image->head.sum;
}

tk_status tk_restore(tk *handle, const uint8_t *state, size_t len) {
    struct image image;
    struct tk_alloc alloc = { .realloc = handle->alloc.realloc, .ctx = handle->alloc.ctx };
    if (handle->status != TK_OK) return handle->status;
    if (handle->started || handle->input_count || handle->dumping)
        return tk_handle_misuse(handle, "a state is restored into a new handle");
    if (!read_image(state, len, &image)) return tk_handle_misuse(handle, "this is no state that this program wrote");
    struct tk_relocation move = { .blocks =
                                      tk_alloc_zero(&alloc, (size_t)(image.head.blocks + 1) * sizeof *move.blocks),
                                  .program = (uintptr_t)magic - (uintptr_t)image.head.program };
    if (!move.blocks) return TK_NO_MEMORY;
    tk_status status = TK_MISUSE;
    if (is_intact(&image, &move))
        status = put_up(handle, image.handle, (const void *)(uintptr_t)image.head.handle, image.bytes, &move);
    tk_alloc_free_all(&alloc);
    return status == TK_MISUSE ? tk_handle_misuse(handle, "the state is damaged") : status;
}
