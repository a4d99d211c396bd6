// SPDX-License-Identifier: MIT
//
// The public functions in any order, with any options, refusing outputs and failing allocations. Byte 0: which
// allocation fails; 1: which write; then calls. Errors are sticky, misuse is not; all memory is freed; the report can
// always be written.
#include <string.h>

#include "common/check.h"
#include "common/conversion.h"
#include "common/heap.h"
#include "common/json_check.h"
#include "common/take.h"

enum { MAX_CALLS = 64, VALUE_LEN = 80 };

struct host {
    struct take from;
    struct tk_allocator heap;
    unsigned allocations_left, writes_left; // 0: unlimited
    uint32_t inputs;
    tk *handle;
    tk_status fatal; // the first one
};

static struct conversion_bytes written;

static void *failing_realloc(void *ctx, void *ptr, size_t old_size, size_t new_size) {
    struct host *host = ctx;
    if (new_size && host->allocations_left && !--host->allocations_left) host->allocations_left = 1;
    if (new_size && host->allocations_left == 1) return NULL;
    return host->heap.realloc(host->heap.ctx, ptr, old_size, new_size);
}

static bool may_write(struct host *host) { return !host->writes_left || --host->writes_left; }

static bool on_write(void *ctx, const uint8_t *bytes, size_t len) {
    conversion_append(&written, bytes, len);
    return may_write(ctx);
}

static bool on_rewrite(void *ctx, const uint8_t *bytes, size_t len) {
    check(len <= written.len && bytes);
    return may_write(ctx);
}

static bool on_line(void *ctx, const char *line, size_t len) {
    conversion_append(&written, line, len);
    return may_write(ctx);
}

static bool on_text(void *ctx, const char *text, size_t len) {
    (void)ctx;
    conversion_append(&written, text, len);
    return true;
}

// ---- Calls
// -------------------------------------------------------------------------------------------------------------

static const struct tk_option_info *some_option(unsigned number) {
    size_t count;
    const struct tk_option_info *common = tk_common_options(&count);
    if (number < count) return &common[number];
    const struct tk_format_info *format = tk_format_at(number % tk_format_count());
    return format->option_count ? &format->options[number / tk_format_count() % format->option_count] : common;
}

static tk_status set_option(struct host *host) {
    static const char *const values[] = { "0",  "1",    "auto",       "tonbandgeraet",
                                          "qs", "1000", "4",          "18446744073709551616",
                                          "-1", "740",  "bare-metal", "" };
    unsigned number = take_byte(&host->from), choice = take_byte(&host->from);
    char value[VALUE_LEN + 1];
    size_t len;
    if (choice < 0x80) return tk_set_option(host->handle, some_option(number)->key, values[choice % 12]);
    const uint8_t *bytes = take_bytes(&host->from, choice % VALUE_LEN, &len);
    memcpy(value, bytes, len);
    value[len] = 0;
    return tk_set_option(host->handle, number & 1 ? value : some_option(number)->key, value);
}

static tk_status add_input(struct host *host) {
    unsigned flags = take_byte(&host->from);
    struct tk_input_info info = { .name = flags & 1 ? "input" : NULL,
                                  .role = flags & 2 ? TK_ROLE_NAMES : TK_ROLE_RECORDING,
                                  .core = (int32_t)(flags >> 2) - 1 };
    return tk_add_input(host->handle, &info, &host->inputs);
}

static tk_status set_output(struct host *host) {
    unsigned flags = take_byte(&host->from);
    const struct tk_sink sink = { host, on_write, flags & 8 ? on_rewrite : NULL };
    if (flags & 1) return tk_set_sink(host->handle, &sink);
    return tk_set_dump(host->handle, (tk_dump_stage)(flags >> 1 & 3), flags & 8, on_line, host);
}

static tk_status feed(struct host *host) {
    size_t len, consumed;
    uint32_t input = take_byte(&host->from) % 4;
    const uint8_t *bytes = take_bytes(&host->from, take_byte(&host->from), &len);
    unsigned char *copy = heap_copy(bytes, len);
    tk_status status = tk_feed(host->handle, input, copy, len, &consumed);
    heap_drop(copy, len);
    check(consumed <= len);
    return status;
}

static void call(struct host *host) {
    struct tk_progress progress;
    tk_status status;
    switch (take_byte(&host->from) % 8) {
    case 0: status = set_option(host); break;
    case 1: status = add_input(host); break;
    case 2: status = set_output(host); break;
    case 3: status = tk_end_input(host->handle, take_byte(&host->from) % 4); break;
    case 4: status = take_byte(&host->from) & 1 ? tk_finish(host->handle) : TK_OK; break;
    default: status = feed(host); break;
    }
    check(tk_status_text(status)[0]);
    check(host->fatal == TK_OK || status == host->fatal || status == TK_OK || status == TK_MISUSE);
    if (status != TK_OK) check(tk_error_text(host->handle)[0]);
    if (status != TK_OK && status != TK_MISUSE && host->fatal == TK_OK) host->fatal = status;
    check(tk_wanted_input(host->handle) >= TK_NO_INPUT);
    tk_get_progress(host->handle, &progress);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len) {
    struct host host = { .from = { data, data + len }, .heap = heap_allocator() };
    const struct tk_allocator allocator = { failing_realloc, &host };
    unsigned fail = take_byte(&host.from);
    host.allocations_left = fail < 0x80 ? 0 : fail - 0x7E;
    host.writes_left = take_byte(&host.from) % 32;
    written.len = 0;
    tk_status status = tk_new(&allocator, &host.handle);
    check(status == TK_OK || (status == TK_NO_MEMORY && fail >= 0x80));
    if (status == TK_OK) {
        for (unsigned i = 0; i < MAX_CALLS && take_left(&host.from); i++) call(&host);
        status = tk_finish(host.handle);
        check(status == host.fatal || host.fatal == TK_OK);
        written.len = 0;
        check(tk_report_json(host.handle, on_text, NULL) == TK_OK && json_is_valid(written.data, written.len));
        tk_status text = tk_report_text(host.handle, on_text, NULL);
        check(text == TK_OK || (text == TK_NO_MEMORY && fail >= 0x80)); // it collects the tables, JSON does not
        tk_free(host.handle);
    }
    heap_reset();
    return 0;
}
