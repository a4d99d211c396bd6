// SPDX-License-Identifier: MIT
//
// Inputs with symbols: read by ranges, or buffered until their end if the host cannot seek. Contains tk_wanted_range,
// tk_feed_range and tk_symbol_address.
#include <string.h>

#include "handle.h"

enum { MAX_BUFFERED = 64 * 1024 * 1024 };

// Returns what the format needs. Before the format is known, reads everything.
static enum tk_symbols_need need_of(const struct tk *handle) {
    if (!handle->format) return TK_SYMBOLS_FOR_LINES;
    bool is_more = handle->beside && handle->beside->beside_kind->symbols > handle->format->symbols;
    return is_more ? handle->beside->beside_kind->symbols : handle->format->symbols;
}

static bool open(struct tk_input *input, uint64_t size) {
    if (!input->reader)
        input->reader =
            tk_symbol_reader_new(need_of(input->handle), &input->handle->alloc, input->name, input->number, size);
    return input->reader != NULL;
}

bool tk_wanted_range(tk *handle, uint32_t number, uint64_t size, uint64_t *out_offset, size_t *out_len) {
    struct tk_input *input = number < handle->input_count ? handle->inputs[number] : NULL;
    if (!input || input->role != TK_ROLE_SYMBOLS || input->buffered || input->ended || handle->status != TK_OK)
        return false;
    if (!open(input, size)) return false;
    input->bytes = size;
    return tk_symbol_reader_wanted(input->reader, out_offset, out_len);
}

tk_status tk_feed_range(tk *handle, uint32_t number, const uint8_t *bytes, size_t len) {
    uint64_t offset;
    size_t wanted;
    if (handle->status != TK_OK) return handle->status;
    struct tk_input *input = number < handle->input_count ? handle->inputs[number] : NULL;
    if (!input || !input->reader || !tk_symbol_reader_wanted(input->reader, &offset, &wanted) || len > wanted)
        return tk_handle_misuse(handle, "this range was not requested");
    tk_symbol_reader_feed(input->reader, bytes, len);
    return handle->alloc.failed ? tk_handle_fail(handle, TK_NO_MEMORY, "out of memory") : TK_OK;
}

static void free_buffered(struct tk_input *input) {
    tk_alloc_free(&input->handle->alloc, input->buffered, input->buffered_capacity);
    input->buffered = NULL;
    input->buffered_len = input->buffered_capacity = 0;
}

void tk_symbols_feed(struct tk_input *input, const uint8_t *bytes, size_t len) {
    if (input->reader) input->draining = true;
    if (len > MAX_BUFFERED - input->buffered_len) {
        tk_diag_count(&input->handle->diag, TK_DIAG_SYMBOLS_TOO_LARGE,
                      &(struct tk_source_pos){ .input = input->number });
        input->draining = true;
        free_buffered(input);
    }
    if (input->draining || !tk_alloc_grow(&input->handle->alloc, (void **)&input->buffered, &input->buffered_capacity,
                                          input->buffered_len + (uint32_t)len, 1))
        return;
    memcpy(input->buffered + input->buffered_len, bytes, len);
    input->buffered_len += (uint32_t)len;
}

void tk_symbols_end(struct tk_input *input) {
    uint64_t offset;
    size_t len;
    if (input->buffered_len && open(input, input->buffered_len))
        while (tk_symbol_reader_wanted(input->reader, &offset, &len))
            tk_symbol_reader_feed(input->reader, input->buffered + offset, len);
    free_buffered(input);
    input->account.decoded = input->bytes;
    if (!input->reader) return;
    tk_symbol_reader_finish(input->reader, &input->handle->symbols);
    input->reader = NULL;
}

bool tk_symbol_address(tk *handle, const char *name, uint64_t *out_address) {
    struct tk_symbol symbol;
    if (!tk_symbols_named(&handle->symbols, name, &symbol)) return false;
    *out_address = symbol.start;
    return true;
}

void tk_symbols_report(struct tk *handle) {
    struct tk_symbol_file_summary summary;
    for (struct tk_symbol_file *file = NULL; (file = tk_symbols_next(&handle->symbols, file));) {
        tk_symbol_file_summary(file, &summary);
        struct tk_source_pos place = { .input = summary.input };
        bool helped = summary.found || summary.variables_found || summary.texts_found;
        bool holds_any = summary.read == TK_SYMBOLS_FOR_TEXTS ? summary.bytes > 0 : summary.functions > 0 || helped;
        if (summary.contradicted) tk_diag_count(&handle->diag, TK_DIAG_SYMBOLS_CONTRADICTED, &place);
        else if (summary.dismissed || (summary.functions && summary.asked && !helped))
            tk_diag_count(&handle->diag, TK_DIAG_SYMBOLS_MISMATCH, &place);
        else if (!holds_any) tk_diag_count(&handle->diag, TK_DIAG_SYMBOLS_NONE, &place);
    }
}

void tk_symbols_put(const struct tk *handle, const struct tk_table_sink *sink) {
    tk_symbols_table(&handle->symbols, sink);
}
