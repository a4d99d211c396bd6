// SPDX-License-Identifier: MIT
#include "decoded.h"
#include "sentence.h"

#include <string.h>

void tk_decoded_init(struct tk_decoded *decoded, struct tk_alloc *alloc, const struct tk_encoding_sink *sink) {
    memset(decoded, 0, offsetof(struct tk_decoded, bytes));
    decoded->alloc = alloc;
    decoded->sink = *sink;
    decoded->line = 1;
    decoded->core = -1;
    decoded->repeat_budget = TK_REPEAT_BUDGET;
}

void tk_decoded_deinit(struct tk_decoded *decoded) { tk_lines_deinit(&decoded->lines, decoded->alloc); }

void tk_decoded_announce(struct tk_decoded *decoded, uint32_t block, int32_t core) {
    if (decoded->refused) return;
    decoded->refused = !decoded->sink.begin(decoded->sink.ctx, block, core, decoded->title, decoded->title_len);
}

static void open_block(struct tk_decoded *decoded) {
    decoded->open = true;
    decoded->block_bytes = 0;
    decoded->result.blocks = decoded->block + 1;
    tk_decoded_announce(decoded, decoded->block, decoded->core);
}

void tk_decoded_flush(struct tk_decoded *decoded) {
    if (!decoded->len) return;
    if (!decoded->open) open_block(decoded);
    if (!decoded->refused) {
        decoded->refused = !decoded->sink.data(decoded->sink.ctx, decoded->block, decoded->bytes, decoded->len);
    }
    decoded->block_bytes += decoded->len;
    decoded->result.bytes += decoded->len;
    decoded->len = 0;
}

void tk_decoded_make_room(struct tk_decoded *decoded) {
    if (decoded->len > TK_DECODED_LEN - TK_PIECE_LEN) tk_decoded_flush(decoded);
}

void tk_decoded_bytes(struct tk_decoded *decoded, const uint8_t *bytes, size_t len) {
    while (len && !decoded->refused) {
        if (decoded->len == TK_DECODED_LEN) tk_decoded_flush(decoded);
        size_t part = TK_DECODED_LEN - decoded->len;
        if (part > len) part = len;
        memcpy(decoded->bytes + decoded->len, bytes, part);
        decoded->len += part;
        bytes += part;
        len -= part;
    }
}

bool tk_decoded_repeat(struct tk_decoded *decoded, const uint8_t *pattern, size_t len, uint64_t total) {
    uint8_t many[1024];
    size_t many_len = 0;
    do memcpy(many + many_len, pattern, len);
    while ((many_len += len) + len <= sizeof many);
    bool fits = total <= decoded->repeat_budget;
    if (!fits) total = decoded->repeat_budget;
    decoded->repeat_budget -= total;
    while (total && !decoded->refused) {
        size_t part = total < many_len ? (size_t)total : many_len;
        tk_decoded_bytes(decoded, many, part);
        total -= part;
    }
    tk_decoded_make_room(decoded);
    return fits;
}

void tk_decoded_end(struct tk_decoded *decoded) {
    tk_decoded_flush(decoded);
    if (!decoded->open) return;
    decoded->open = false;
    decoded->block++;
    decoded->block_bytes = 0;
    tk_decoded_mark(decoded, 0, decoded->line); // the next block may begin in the same line
}

void tk_decoded_begin(struct tk_decoded *decoded, int32_t core) {
    tk_decoded_end(decoded);
    decoded->core = core;
    open_block(decoded);
    decoded->core = -1;
}

void tk_decoded_mark(struct tk_decoded *decoded, uint64_t offset, uint64_t line) {
    tk_lines_add(&decoded->lines, decoded->alloc, decoded->block, offset, line);
}

static bool tell(struct tk_decoded *decoded, uint64_t line, uint64_t column, struct tk_sentence *out_sentence) {
    struct tk_encoding_result *result = &decoded->result;
    if (result->bad_line) return false;
    result->bad_line = line;
    result->bad_column = column;
    *out_sentence = tk_sentence_begin(result->bad_text, sizeof result->bad_text);
    return true;
}

void tk_decoded_bad(struct tk_decoded *decoded, uint64_t column, uint8_t c, const char *complaint) {
    struct tk_sentence sentence;
    decoded->result.bad++;
    if (!tell(decoded, decoded->line, column, &sentence)) return;
    tk_sentence_add(&sentence, "line ");
    tk_sentence_number(&sentence, decoded->line);
    tk_sentence_add(&sentence, ", column ");
    tk_sentence_number(&sentence, column);
    tk_sentence_add(&sentence, ": ");
    tk_sentence_char(&sentence, c);
    tk_sentence_add(&sentence, complaint);
}

bool tk_decoded_note(struct tk_decoded *decoded, uint64_t line, struct tk_sentence *out_sentence) {
    return tell(decoded, line, 1, out_sentence);
}
