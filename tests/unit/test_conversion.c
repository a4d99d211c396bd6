// SPDX-License-Identifier: MIT
//
// A conversion without memory: allocation after allocation fails, once or from there on. The conversion ends as its
// host expects it, and its exit code tells the failure.
#include "support.h"

#include "../common/stream.h"
#include "tonkopf.h"

enum { SOURCES = 2, MOST_REQUESTS = 10000 };

struct memory {
    size_t calls, fail_at; // number of the allocation that fails; 0: none
    bool is_once;
};

static void *failing_realloc(void *ctx, void *ptr, size_t old_size, size_t new_size) {
    struct memory *memory = ctx;
    (void)old_size;
    if (!new_size) {
        free(ptr);
        return NULL;
    }
    memory->calls++;
    bool fails = memory->is_once ? memory->calls == memory->fail_at : memory->calls >= memory->fail_at;
    return memory->fail_at && fails ? NULL : realloc(ptr, new_size);
}

// What the host saw.
struct outcome {
    unsigned opened, closed, discarded, errors;
    size_t written;
    uint64_t sum; // of the written bytes
    int exit_code;
};

static struct outcome convert(const struct stream *recording, struct memory *memory) {
    struct tk_allocator allocator = { .realloc = failing_realloc, .ctx = memory };
    struct outcome outcome = { .exit_code = TK_EXIT_INPUT };
    tk_conversion *conversion = NULL;
    const struct tk_request *request;
    unsigned requests = 0;
    if (tk_conversion_new(&allocator, &conversion) != TK_OK) return outcome;
    bool is_set = tk_conversion_set(conversion, "fail-on", "damage") == TK_OK;
    for (uint32_t i = 0, number; is_set && i < SOURCES; i++) {
        struct tk_source_info info = { .name = i ? "two.bin" : "one.bin",
                                       .size = recording->len,
                                       .is_seekable = true,
                                       .encoding = TK_PLAN_AUTO,
                                       .role = TK_PLAN_AUTO,
                                       .core = TK_PLAN_AUTO };
        is_set = tk_conversion_add_source(conversion, &info, &number) == TK_OK;
    }
    while (is_set && (request = tk_conversion_next(conversion))->kind != TK_REQUEST_DONE) {
        assert_true(requests++ < MOST_REQUESTS);
        switch (request->kind) {
        case TK_REQUEST_READ: {
            size_t at = request->offset < recording->len ? (size_t)request->offset : recording->len;
            size_t len = recording->len - at < request->len ? recording->len - at : request->len;
            tk_conversion_answer(conversion, recording->bytes + at, len, 0);
            break;
        }
        case TK_REQUEST_OPEN:
            assert_int_equal(outcome.opened, outcome.closed + outcome.discarded);
            assert_true(++outcome.opened <= SOURCES);
            tk_conversion_open(conversion, true);
            break;
        case TK_REQUEST_WRITE:
            outcome.written += request->len;
            for (size_t i = 0; i < request->len; i++) outcome.sum = outcome.sum * 31 + request->bytes[i];
            break;
        case TK_REQUEST_CLOSE: outcome.closed++; break;
        case TK_REQUEST_DISCARD: outcome.discarded++; break;
        case TK_REQUEST_MESSAGE: outcome.errors += request->severity == TK_MESSAGE_ERROR; break;
        default: break;
        }
    }
    assert_int_equal(outcome.opened, outcome.closed + outcome.discarded);
    if (is_set) outcome.exit_code = tk_conversion_exit_code(conversion);
    tk_conversion_free(conversion);
    return outcome;
}

static void try_every_allocation(bool is_once) {
    static struct stream recording;
    recording.len = 0;
    stream_event(&recording, 0x00, 1, 0);
    for (unsigned i = 0; i < 200; i++) stream_event(&recording, 0x54, 100 + 10 * i, 1 + i % 3);
    struct memory memory = { .is_once = is_once };
    struct outcome whole = convert(&recording, &memory);
    size_t allocations = memory.calls;
    assert_int_equal(whole.exit_code, TK_EXIT_FINE);
    assert_int_equal(whole.closed, SOURCES);
    for (size_t at = 1; at <= allocations; at++) {
        memory = (struct memory){ .fail_at = at, .is_once = is_once };
        struct outcome outcome = convert(&recording, &memory);
        bool is_whole = outcome.closed == SOURCES && outcome.written == whole.written && outcome.sum == whole.sum;
        if (!is_whole && outcome.exit_code < TK_EXIT_INPUT)
            fail_msg("allocation %zu of %zu fails: exit code %d for %zu of %zu bytes", at, allocations,
                     outcome.exit_code, outcome.written, whole.written);
    }
}

static void one_allocation_fails(void **state) {
    (void)state;
    try_every_allocation(true);
}

static void memory_ends(void **state) {
    (void)state;
    try_every_allocation(false);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(one_allocation_fails), cmocka_unit_test(memory_ends) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
