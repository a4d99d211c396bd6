// SPDX-License-Identifier: MIT
//
// Packed blocks, once as a whole and once in small steps: both must give the same bytes and the same result. Byte 0:
// method; 1, 2: the steps.
#include <string.h>

#include "common/check.h"
#include "common/heap.h"
#include "common/take.h"
#include "unpack/unpack.h"

enum { ROOM = 256 * 1024 };

struct result {
    uint8_t bytes[ROOM];
    size_t len;
    bool good, complete;
};

static void slide(struct tk_unpack_io *io, uint8_t *window) {
    if ((size_t)(io->at - window) <= TK_UNPACK_HISTORY) return;
    memmove(window, io->at - TK_UNPACK_HISTORY, TK_UNPACK_HISTORY);
    io->at = window + TK_UNPACK_HISTORY;
}

static void unpack(enum tk_unpack_method method, const uint8_t *in, size_t len, size_t in_step, size_t out_step,
                   struct result *result) {
    static uint8_t window[TK_UNPACK_HISTORY + ROOM + 1];
    struct tk_alloc alloc = heap_alloc();
    struct tk_unpack unpack;
    struct tk_unpack_io io = { .in = in, .start = window, .at = window };
    size_t given = 0;
    result->len = 0;
    result->good = tk_unpack_begin(&unpack, &alloc, method);
    while (result->good && result->len < ROOM) {
        if (!io.in_len)
            io.in = in + given, io.in_len = len - given < in_step ? len - given : in_step, given += io.in_len;
        slide(&io, window);
        size_t room = ROOM - result->len < out_step ? ROOM - result->len : out_step;
        uint8_t *before = io.at;
        io.end = io.at + room;
        result->good = tk_unpack_run(&unpack, &io);
        check(io.at >= before && io.at <= io.end);
        memcpy(result->bytes + result->len, before, (size_t)(io.at - before));
        result->len += (size_t)(io.at - before);
        if (given == len && !io.in_len && io.at < io.end) break;
    }
    result->complete = result->len < ROOM && tk_unpack_is_complete(&unpack);
    tk_unpack_end(&unpack);
    heap_reset();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len) {
    static struct result whole, cut;
    struct take from = { data, data + len };
    enum tk_unpack_method method = (enum tk_unpack_method)(take_byte(&from) % TK_UNPACK_METHODS);
    size_t in_step = 1 + take_byte(&from), out_step = 1 + take_byte(&from), packed_len;
    const uint8_t *packed = take_bytes(&from, SIZE_MAX, &packed_len);
    unpack(method, packed, packed_len, packed_len ? packed_len : 1, ROOM, &whole);
    unpack(method, packed, packed_len, in_step, out_step, &cut);
    check(whole.good == cut.good && whole.complete == cut.complete);
    if (!whole.good) return 0; // the number of bytes before the damage may differ
    check(whole.len == cut.len && !memcmp(whole.bytes, cut.bytes, whole.len));
    check(whole.len >= ROOM || whole.len <= tk_unpack_bound(method, packed_len));
    return 0;
}
