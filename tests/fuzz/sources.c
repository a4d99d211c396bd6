// SPDX-License-Identifier: MIT
//
// Sources of any content through the conversion, driven as a host drives it: once with sources that can seek and long
// answers, once with sources that are read once and short answers. Both give the same outputs, messages and exit code.
// Byte 0: output, rules, a time range, a side source, an encoding; 1: number of sources and other choices; 2: length of
// the short answers; 3: the request from which on all fail in a third run; then per source except the last its length
// in two bytes, and the sources.
#include <string.h>

#include "common/check.h"
#include "common/heap.h"
#include "common/take.h"

enum { SOURCES = 3, KEPT = 256 * 1024, TRACE = 1024 * 1024, REQUESTS = 400000, HEAD = 64 };

struct source {
    const uint8_t *bytes;
    size_t len;
    uint8_t kept[KEPT]; // copy that the conversion requested
    size_t kept_len, read;
    bool is_kept;
};

struct job {
    unsigned bits, more, step, failing; // failing: number of the request from which on all fail; 0: none
    struct source *sources;
    uint32_t count;
    bool is_seekable;
};

struct result {
    uint8_t out[TRACE];
    size_t len;
    uint64_t messages; // a checksum of their texts
    uint32_t outputs;
    int exit_code;
    bool too_long;
};

static void add_sources(tk_conversion *conversion, const struct job *job) {
    for (uint32_t i = 0; i < job->count; i++) {
        uint32_t number;
        struct tk_source_info info = { .name = i ? "two.core1.bin" : "one.core0.bin",
                                       .size = job->is_seekable ? job->sources[i].len : UINT64_MAX,
                                       .is_seekable = job->is_seekable,
                                       .is_side = !i && job->count > 1 && (job->bits & 16),
                                       .encoding = job->bits & 32 ? (int32_t)(job->more >> 6) : TK_PLAN_AUTO,
                                       .role = TK_PLAN_AUTO,
                                       .core = TK_PLAN_AUTO };
        check(tk_conversion_add_source(conversion, &info, &number) == TK_OK && number == i);
    }
}

static void set_options(tk_conversion *conversion, const struct job *job) {
    static const char *const outputs[] = { "trace", "report", "dump", "trace" };
    check(tk_conversion_set(conversion, "output", outputs[job->bits & 3]) == TK_OK);
    if (job->bits & 4) check(tk_conversion_set(conversion, "expect", "cpu.load<50%") == TK_OK);
    if (job->bits & 4) check(tk_conversion_set(conversion, "fail-on", "any") == TK_OK);
    if (job->bits & 8) check(tk_conversion_set(conversion, "from-ns", "2000") == TK_OK);
    if (job->bits & 8) check(tk_conversion_set(conversion, "to-ns", "900000") == TK_OK);
}

static void answer_read(tk_conversion *conversion, struct job *job, const struct tk_request *request) {
    struct source *source = &job->sources[request->source];
    check(request->source < job->count && request->len > 0);
    const uint8_t *bytes = source->is_kept ? source->kept : source->bytes;
    size_t size = source->is_kept ? source->kept_len : source->len;
    check(job->is_seekable || source->is_kept || request->offset == source->read);
    size_t at = request->offset < size ? (size_t)request->offset : size, len = size - at;
    if (len > request->len) len = request->len;
    if (!job->is_seekable && len > job->step) len = job->step;
    source->read = at + len;
    unsigned char *copy = heap_copy(bytes + at, len);
    tk_conversion_answer(conversion, copy, len, 0);
    heap_drop(copy, len);
}

static bool answer_keep(tk_conversion *conversion, struct job *job, const struct tk_request *request) {
    struct source *source = &job->sources[request->source];
    if (request->len > KEPT - source->kept_len) return false;
    memcpy(source->kept + source->kept_len, request->bytes, request->len);
    source->kept_len += request->len;
    source->is_kept = request->len == 0;
    tk_conversion_keep(conversion);
    return true;
}

static void append(struct result *result, const struct tk_request *request) {
    if (request->len > TRACE - result->len) result->too_long = true;
    else memcpy(result->out + result->len, request->bytes, request->len), result->len += request->len;
}

static bool ignore_text(void *ctx, const char *text, size_t len) {
    (void)ctx, (void)text, (void)len;
    return true;
}

static void run(struct job *job, struct result *result) {
    struct tk_allocator allocator = heap_allocator();
    tk_conversion *conversion;
    bool is_open = false, is_done = false;
    size_t begin = 0;
    result->len = 0;
    result->messages = 0;
    result->outputs = 0;
    result->too_long = false;
    for (uint32_t i = 0; i < job->count; i++)
        job->sources[i].kept_len = job->sources[i].read = job->sources[i].is_kept = 0;
    check(tk_conversion_new(&allocator, &conversion) == TK_OK);
    set_options(conversion, job);
    add_sources(conversion, job);
    for (uint32_t number = 1; !is_done && !result->too_long; number++) {
        const struct tk_request *request = tk_conversion_next(conversion);
        check(number < REQUESTS);
        bool may_fail = request->kind == TK_REQUEST_READ || request->kind == TK_REQUEST_KEEP ||
                        request->kind == TK_REQUEST_WRITE || request->kind == TK_REQUEST_REWRITE;
        if (may_fail && number >= job->failing && job->failing) {
            tk_conversion_fail(conversion, number & 1 ? "failed" : NULL);
            continue;
        }
        switch (request->kind) {
        case TK_REQUEST_READ: answer_read(conversion, job, request); break;
        case TK_REQUEST_KEEP: result->too_long = !answer_keep(conversion, job, request); break;
        case TK_REQUEST_PLAN:
            check(!is_open);
            check(tk_conversion_inputs_json(conversion, ignore_text, NULL) == TK_OK);
            break;
        case TK_REQUEST_OPEN:
            check(!is_open);
            is_open = true;
            begin = result->len;
            tk_conversion_open(conversion, true);
            break;
        case TK_REQUEST_WRITE:
            check(is_open && request->len);
            append(result, request);
            break;
        case TK_REQUEST_REWRITE:
            check(is_open && request->len <= result->len - begin);
            memcpy(result->out + begin, request->bytes, request->len);
            break;
        case TK_REQUEST_CLOSE:
        case TK_REQUEST_DISCARD:
            check(is_open);
            if (request->kind == TK_REQUEST_CLOSE) check(tk_conversion_handle(conversion));
            is_open = false;
            result->outputs++;
            break;
        case TK_REQUEST_PROGRESS: break;
        case TK_REQUEST_MESSAGE:
            for (const char *at = request->text; *at; at++) result->messages = result->messages * 31 + (uint8_t)*at;
            break;
        case TK_REQUEST_DONE: is_done = true; break;
        }
    }
    check(result->too_long || !is_open);
    result->exit_code = tk_conversion_exit_code(conversion);
    tk_conversion_free(conversion);
    heap_reset();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len) {
    static struct source sources[SOURCES];
    static struct result whole, cut;
    struct take from = { data, data + len };
    struct job job = { .bits = take_byte(&from), .more = take_byte(&from), .sources = sources, .is_seekable = true };
    job.step = 1 + take_byte(&from);
    unsigned failing = 1 + take_byte(&from);
    job.count = 1 + (job.more & 3) % SOURCES;
    for (uint32_t i = 0; i < job.count; i++) {
        unsigned low = i + 1 < job.count ? take_byte(&from) : 0;
        size_t most = i + 1 < job.count ? low | take_byte(&from) << 8 : SIZE_MAX;
        sources[i].bytes = take_bytes(&from, most, &sources[i].len);
    }
    run(&job, &whole);
    job.is_seekable = false;
    run(&job, &cut);
    // The results of a source that is read once may differ: a time range needs a tick length, text is dumped as it
    // arrives, and of a packed archive in it the size is known.
    bool is_comparable = !whole.too_long && !cut.too_long && !(job.bits & 8) && (job.bits & 3) != 2;
    for (uint32_t i = 0; i < job.count; i++) is_comparable &= !sources[i].len || sources[i].bytes[0] != 0x1f;
    if (is_comparable) {
        check(whole.exit_code == cut.exit_code && whole.outputs == cut.outputs && whole.messages == cut.messages);
        check(whole.len == cut.len && !memcmp(whole.out, cut.out, whole.len));
    }
    job.failing = failing;
    run(&job, &cut);
    return 0;
}
