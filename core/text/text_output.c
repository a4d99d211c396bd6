// SPDX-License-Identifier: MIT
#include "text_output.h"
#include "../base/text.h"

#include <string.h>

void tk_text_output_init(struct tk_text_output *decoded, struct tk_alloc *alloc, const struct tk_encoding_sink *sink) {
    memset(decoded, 0, offsetof(struct tk_text_output, bytes));
    decoded->alloc = alloc;
    decoded->sink = *sink;
    decoded->line = 1;
    decoded->core = -1;
    decoded->repeat_budget = TK_REPEAT_BUDGET;
}

void tk_text_output_deinit(struct tk_text_output *decoded) { tk_lines_deinit(&decoded->lines, decoded->alloc); }

void tk_text_output_announce(struct tk_text_output *decoded, uint32_t block, int32_t core) {
    if (decoded->refused) return;
    decoded->refused = !decoded->sink.begin(decoded->sink.ctx, block, core, decoded->title, decoded->title_len);
}

static void open_block(struct tk_text_output *decoded) {
    decoded->open = true;
    decoded->block_bytes = 0;
    decoded->result.blocks = decoded->block + 1;
    tk_text_output_announce(decoded, decoded->block, decoded->core);
}

void tk_text_output_flush(struct tk_text_output *decoded) {
    if (!decoded->len) return;
    if (!decoded->open) open_block(decoded);
    if (!decoded->refused) {
        decoded->refused = !decoded->sink.data(decoded->sink.ctx, decoded->block, decoded->bytes, decoded->len);
    }
    decoded->block_bytes += decoded->len;
    decoded->result.bytes += decoded->len;
    decoded->len = 0;
}

void tk_text_output_make_room(struct tk_text_output *decoded) {
    if (decoded->len > TK_TEXT_OUTPUT_LEN - TK_PIECE_LEN) tk_text_output_flush(decoded);
}

void tk_text_output_bytes(struct tk_text_output *decoded, const uint8_t *bytes, size_t len) {
    while (len && !decoded->refused) {
        if (decoded->len == TK_TEXT_OUTPUT_LEN) tk_text_output_flush(decoded);
        size_t step = TK_TEXT_OUTPUT_LEN - decoded->len;
        if (step > len) step = len;
        memcpy(decoded->bytes + decoded->len, bytes, step);
        decoded->len += step;
        bytes += step;
        len -= step;
    }
}

bool tk_text_output_repeat(struct tk_text_output *decoded, const uint8_t *pattern, size_t len, uint64_t total) {
    uint8_t many[1024];
    size_t many_len = 0;
    do memcpy(many + many_len, pattern, len);
    while ((many_len += len) + len <= sizeof many);
    bool fits = total <= decoded->repeat_budget;
    if (!fits) total = decoded->repeat_budget;
    decoded->repeat_budget -= total;
    while (total && !decoded->refused) {
        size_t step = total < many_len ? (size_t)total : many_len;
        tk_text_output_bytes(decoded, many, step);
        total -= step;
    }
    tk_text_output_make_room(decoded);
    return fits;
}

void tk_text_output_end(struct tk_text_output *decoded) {
    tk_text_output_flush(decoded);
    if (!decoded->open) return;
    decoded->open = false;
    decoded->block++;
    decoded->block_bytes = 0;
    tk_text_output_mark(decoded, 0, decoded->line); // the next block may begin in the same line
}

void tk_text_output_begin(struct tk_text_output *decoded, int32_t core) {
    tk_text_output_end(decoded);
    decoded->core = core;
    open_block(decoded);
    decoded->core = -1;
}

void tk_text_output_mark(struct tk_text_output *decoded, uint64_t offset, uint64_t line) {
    tk_lines_add(&decoded->lines, decoded->alloc, decoded->block, offset, line);
}

static bool begin_bad_text(struct tk_text_output *decoded, uint64_t line, uint64_t column,
                           struct tk_text *out_sentence) {
    struct tk_encoding_result *result = &decoded->result;
    if (result->bad_line) return false;
    result->bad_line = line;
    result->bad_column = column;
    *out_sentence = tk_text_in(result->bad_text, sizeof result->bad_text);
    return true;
}

void tk_text_output_bad(struct tk_text_output *decoded, uint64_t column, uint8_t c, const char *complaint) {
    struct tk_text sentence;
    decoded->result.bad++;
    if (!begin_bad_text(decoded, decoded->line, column, &sentence)) return;
    tk_text_add(&sentence, "line ");
    tk_text_u64(&sentence, decoded->line);
    tk_text_add(&sentence, ", column ");
    tk_text_u64(&sentence, column);
    tk_text_add(&sentence, ": ");
    if (c > ' ' && c < 0x7F) tk_text_add(&sentence, "'"), tk_text_char(&sentence, (char)c), tk_text_add(&sentence, "'");
    else tk_text_add(&sentence, "byte "), tk_text_hex(&sentence, c, 1);
    tk_text_add(&sentence, complaint);
}

bool tk_text_output_note(struct tk_text_output *decoded, uint64_t line, struct tk_text *out_sentence) {
    return begin_bad_text(decoded, line, 1, out_sentence);
}
