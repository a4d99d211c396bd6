// SPDX-License-Identifier: MIT
//
// gzip streams and raw deflate, once as a whole and once in small steps: both must give the same bytes and find the
// same error. Byte 0: bit 0: raw; 1, 2: the steps.
#include <string.h>

#include "common/check.h"
#include "common/heap.h"
#include "common/take.h"
#include "unpack/gunzip.h"

enum { ROOM = 256 * 1024 };

struct result {
    uint8_t bytes[ROOM];
    size_t len;
    uint64_t byte;
    enum tk_gunzip_fault fault;
};

static void gunzip(bool raw, const uint8_t *packed, size_t len, size_t in_step, size_t out_step,
                   struct result *result) {
    struct tk_alloc alloc = heap_alloc();
    struct tk_gunzip *gunzip = tk_gunzip_new(&alloc, raw);
    const uint8_t *in = packed;
    size_t given = 0, left = 0;
    check(gunzip);
    result->len = 0;
    while (result->len < ROOM) {
        size_t room = ROOM - result->len < out_step ? ROOM - result->len : out_step;
        size_t made = tk_gunzip_run(gunzip, &in, &left, result->bytes + result->len, room);
        check(made <= room && in + left == packed + given);
        result->len += made;
        if (made) continue;
        if (left || given == len) break;
        left = len - given < in_step ? len - given : in_step;
        given += left;
    }
    result->fault = tk_gunzip_fault(gunzip, &result->byte);
    check(result->byte <= len);
    tk_gunzip_free(gunzip);
    heap_reset();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len) {
    static struct result whole, cut;
    struct take from = { data, data + len };
    bool raw = take_byte(&from) & 1;
    size_t in_step = 1 + take_byte(&from), out_step = 1 + take_byte(&from), packed_len;
    const uint8_t *packed = take_bytes(&from, SIZE_MAX, &packed_len);
    gunzip(raw, packed, packed_len, packed_len ? packed_len : 1, ROOM, &whole);
    gunzip(raw, packed, packed_len, in_step, out_step, &cut);
    if (whole.len == ROOM) return 0; // there may be more
    check(whole.fault == cut.fault);
    if (whole.fault == TK_GUNZIP_DAMAGED) return 0; // the number of bytes before the damage may differ
    check(whole.byte == cut.byte && whole.len == cut.len && !memcmp(whole.bytes, cut.bytes, whole.len));
    return 0;
}
