// SPDX-License-Identifier: MIT
#include "conversion.h"

#include <string.h>

#include "../../common/role.h"
#include "base/utf8.h"
#include "check.h"
#include "heap.h"
#include "json_check.h"
#include "trace_check.h"

void conversion_append(struct conversion_bytes *to, const void *bytes, size_t len) {
    if (to->cap - to->len < len) {
        to->cap = (to->len + len) * 2;
        to->data = realloc(to->data, to->cap);
        check(to->data);
    }
    if (len) memcpy(to->data + to->len, bytes, len);
    to->len += len;
}

bool conversion_equal(const struct conversion_bytes *a, const struct conversion_bytes *b) {
    return a->len == b->len && (!a->len || !memcmp(a->data, b->data, a->len));
}

void conversion_option(struct conversion_job *job, const char *key, const char *value) {
    check(job->option_count < CONVERSION_OPTIONS);
    job->options[job->option_count].key = key;
    job->options[job->option_count++].value = value;
}

void conversion_choose_output(struct conversion_job *job, unsigned bits) {
    if (bits & 1) conversion_option(job, "from-ns", "100");
    if (bits & 2) conversion_option(job, "to-ns", "4000");
    if (bits & 4) conversion_option(job, "raw-events", "1");
    if (bits & 8) conversion_option(job, "tick-ns", "100");
    job->dump = bits & 0x80 ? (int)(bits >> 4 & 7) : -1;
}

void conversion_take_inputs(struct conversion_job *job, struct take *from, bool side, bool second) {
    if (side || second) {
        size_t len = take_byte(from);
        len |= (size_t)take_byte(from) << 8;
        job->inputs[0] = (struct conversion_input){ .name = "first", .core = second ? 0 : -1, .side = side };
        job->inputs[0].bytes = take_bytes(from, len, &job->inputs[0].len);
        job->input_count = 1;
    }
    struct conversion_input *input = &job->inputs[job->input_count++];
    *input = (struct conversion_input){ .name = "input", .core = second ? 1 : -1 };
    input->bytes = take_bytes(from, SIZE_MAX, &input->len);
}

// ---- Sinks
// -----------------------------------------------------------------------------------------------------------

static bool write_trace(void *ctx, const uint8_t *bytes, size_t len) {
    struct conversion_result *result = ctx;
    conversion_append(&result->output, bytes, len);
    return true;
}

static bool rewrite_head(void *ctx, const uint8_t *bytes, size_t len) {
    struct conversion_result *result = ctx;
    check(!result->head_corrected && len <= result->output.len);
    memcpy(result->output.data, bytes, len);
    result->head_corrected = true;
    return true;
}

static bool write_line(void *ctx, const char *line, size_t len) {
    struct conversion_result *result = ctx;
    check(tk_utf8_is_clean((const uint8_t *)line, len));
    conversion_append(&result->output, line, len);
    conversion_append(&result->output, "\n", 1);
    return true;
}

static bool write_text(void *ctx, const char *text, size_t len) {
    conversion_append(ctx, text, len);
    return true;
}

// ---- Feeding
// -----------------------------------------------------------------------------------------------------------

struct feeding {
    const struct conversion_job *job;
    struct conversion_result *result;
    tk *handle;
    size_t at[CONVERSION_INPUTS];
    bool ended[CONVERSION_INPUTS];
    unsigned cuts, snapshots, failures;
};

static bool turn(unsigned *bits) {
    bool bit = *bits & 1;
    *bits = *bits >> 1 | (*bits & 1) << 15;
    return bit;
}

static size_t next_chunk(struct feeding *feeding, size_t left) {
    if (!feeding->cuts) return left;
    size_t chunk = 1 + (feeding->cuts & 31) * (feeding->cuts & 32 ? 1 : 41);
    turn(&feeding->cuts);
    return chunk < left ? chunk : left;
}

// A separate copy that is freed afterwards, so that reading beyond or after it is detected.
static tk_status feed_once(struct feeding *feeding, uint32_t index) {
    const struct conversion_input *input = &feeding->job->inputs[index];
    size_t chunk = next_chunk(feeding, input->len - feeding->at[index]), consumed = 0;
    if (feeding->at[index] == input->len) {
        feeding->ended[index] = true;
        return tk_end_input(feeding->handle, index);
    }
    unsigned char *copy = heap_copy(input->bytes + feeding->at[index], chunk);
    tk_status status = tk_feed(feeding->handle, index, copy, chunk, &consumed);
    heap_drop(copy, chunk);
    check(consumed <= chunk);
    check(consumed || status != TK_OK || tk_wanted_input(feeding->handle) != (int32_t)index); // wants it and takes
                                                                                              // nothing
    feeding->at[index] += consumed;
    return status;
}

static bool keep_bytes(void *ctx, const uint8_t *bytes, size_t len) {
    conversion_append(ctx, bytes, len);
    return true;
}

static bool keep_head(void *ctx, const uint8_t *bytes, size_t len) {
    struct conversion_bytes *kept = ctx;
    memcpy(kept->data, bytes, len);
    return true;
}

// The only misuse: several recordings of a format that allows one, or of two targets.
static bool may_end_with(const struct conversion_job *job, tk_status status) {
    return status == TK_OK || status == TK_UNKNOWN_FORMAT || (status == TK_MISUSE && job->input_count > 1);
}

static void take_snapshot(struct feeding *feeding) {
    static struct conversion_bytes snapshot;
    const struct tk_sink sink = { &snapshot, keep_bytes, keep_head };
    snapshot.len = 0;
    conversion_append(&snapshot, feeding->result->output.data, feeding->result->output.len);
    size_t in_use = heap_in_use(), spared = feeding->failures & 127;
    bool fails = turn(&feeding->failures);
    if (fails) heap_fail_after(spared);
    tk_status status = tk_snapshot(feeding->handle, &sink);
    heap_fail_after(SIZE_MAX);
    check((fails && status == TK_NO_MEMORY) || may_end_with(feeding->job, status));
    check(heap_in_use() == in_use);
    if (status == TK_OK) trace_check(snapshot.data, snapshot.len, true);
}

static tk_status feed_all(struct feeding *feeding) {
    tk_status status = TK_OK;
    for (int32_t wanted; status == TK_OK && (wanted = tk_wanted_input(feeding->handle)) != TK_NO_INPUT;) {
        uint32_t index = 0;
        while (index < feeding->job->input_count &&
               (feeding->ended[index] || (wanted >= 0 && (uint32_t)wanted != index)))
            index++;
        check(index < feeding->job->input_count);
        status = feed_once(feeding, index);
        if (status == TK_OK && turn(&feeding->snapshots)) take_snapshot(feeding);
    }
    return status;
}

static tk_status open_job(tk *handle, const struct conversion_job *job, struct conversion_result *result) {
    const struct tk_sink sink = { result, write_trace, job->pipe ? NULL : rewrite_head };
    tk_status status = TK_OK;
    for (size_t i = 0; i < job->option_count && status == TK_OK; i++)
        status = tk_set_option(handle, job->options[i].key, job->options[i].value);
    for (uint32_t i = 0, number; i < job->input_count && status == TK_OK; i++) {
        struct tk_probe own;
        const struct tk_probe *probe = job->inputs[i].probe ? job->inputs[i].probe : &own;
        if (probe == &own) tk_probe(job->inputs[i].bytes, job->inputs[i].len, NULL, 0, &own);
        const struct tk_input_info info = { job->inputs[i].name, role_by(probe, job->inputs[i].side),
                                            job->inputs[i].core };
        status = tk_add_input(handle, &info, &number);
        if (status == TK_OK && probe->is_dump) status = tk_begin_input_at(handle, number, probe->from);
        check(status != TK_OK || number == i);
    }
    if (status != TK_OK) return status;
    if (job->samples) return tk_set_samples(handle, job->samples, write_text, &result->output);
    return job->dump < 0 ? tk_set_sink(handle, &sink)
                         : tk_set_dump(handle, (tk_dump_stage)(job->dump & 3), job->dump & 4, write_line, result);
}

// A signal with this path may not exist.
static void check_samples(tk *handle, const struct conversion_result *result) {
    tk_status status = tk_end_samples(handle);
    check(status == TK_OK || (status == TK_MISUSE && tk_error_text(handle)[0]));
    check(tk_utf8_is_clean(result->output.data, result->output.len));
    check(status != TK_OK || result->output.len);
}

static tk_status convert(tk *handle, const struct conversion_job *job, struct conversion_result *result) {
    struct feeding feeding = { .job = job,
                               .result = result,
                               .handle = handle,
                               .cuts = job->cuts,
                               .snapshots = job->snapshots,
                               .failures = job->failures };
    tk_status status = open_job(handle, job, result);
    if (status == TK_OK) status = feed_all(&feeding);
    for (size_t i = 0; i < job->input_count; i++) result->fed += feeding.at[i];
    tk_status end = tk_finish(handle);
    if (job->samples && end == TK_OK) check_samples(handle, result);
    return status == TK_OK ? end : status;
}

static void run(const struct conversion_job *job, struct conversion_result *result, bool reports) {
    const struct tk_allocator allocator = heap_allocator();
    tk *handle;
    result->output.len = result->json.len = result->text.len = result->fed = 0;
    result->head_corrected = false;
    check(tk_new(&allocator, &handle) == TK_OK);
    result->status = convert(handle, job, result);
    check(result->status == TK_OK || tk_error_text(handle)[0]);
    if (reports)
        check(tk_report_json(handle, write_text, &result->json) == TK_OK &&
              tk_report_text(handle, write_text, &result->text) == TK_OK);
    tk_get_progress(handle, &result->progress);
    for (uint32_t i = 0; i < job->input_count; i++) tk_get_account(handle, i, &result->accounts[i]);
    tk_free(handle);
    heap_reset();
}

void conversion_run(const struct conversion_job *job, struct conversion_result *result) { run(job, result, true); }

// ---- Invariants
// --------------------------------------------------------------------------------------------------------

static void check_account(const struct conversion_job *job, const struct conversion_result *result) {
    size_t given = 0;
    for (size_t i = 0; i < job->input_count; i++) given += job->inputs[i].len;
    check(may_end_with(job, result->status));
    check(result->progress.bytes_in == result->fed);
    for (size_t i = 0; i < job->input_count && result->status == TK_OK; i++) {
        const struct tk_account_sums *sums = &result->accounts[i];
        check(sums->decoded + sums->skipped + sums->left == job->inputs[i].len);
    }
    check(result->status != TK_OK || result->fed == given);
}

static void check_output(const struct conversion_job *job, const struct conversion_result *result) {
    if (job->samples) return;
    if (job->dump < 0 && result->output.len)
        trace_check(result->output.data, result->output.len, result->status == TK_OK);
    check(job->dump >= 0 || result->progress.bytes_out == result->output.len);
}

void conversion_check(const struct conversion_job *job, const struct conversion_result *result) {
    check_account(job, result);
    check(json_is_valid(result->json.data, result->json.len));
    check(tk_utf8_is_clean(result->text.data, result->text.len));
    check_output(job, result);
}

void conversion_check_equal(const struct conversion_result *whole, const struct conversion_result *cut) {
    check(whole->status == cut->status);
    check(conversion_equal(&whole->output, &cut->output));
    check(conversion_equal(&whole->json, &cut->json));
    check(conversion_equal(&whole->text, &cut->text));
    check(whole->head_corrected == cut->head_corrected);
    check(whole->progress.events == cut->progress.events && whole->progress.bytes_out == cut->progress.bytes_out);
}

// The bytes of an input select its checks, always the same ones: all checks for all inputs would take four times as
// long.
static uint32_t sum_of(const struct conversion_job *job) {
    uint32_t sum = 0;
    for (size_t i = 0; i < job->input_count; i++)
        for (size_t at = 0; at < job->inputs[i].len; at++) sum = (sum ^ job->inputs[i].bytes[at]) * 0x01000193u;
    return sum >> 13;
}

static void run_and_check(const struct conversion_job *job, struct conversion_result *result, bool reports,
                          bool output) {
    run(job, result, reports);
    if (reports) conversion_check(job, result);
    else check_account(job, result);
    if (output && !reports) check_output(job, result);
}

void conversion_try(struct conversion_job *job, unsigned cuts) {
    static struct conversion_result result, other;
    static struct tk_probe probes[CONVERSION_INPUTS];
    uint32_t sum = sum_of(job);
    bool reports = !(sum >> 2 & 7), both = !(sum & 3);
    for (size_t i = 0; i < job->input_count; i++) {
        if (job->inputs[i].probe) continue;
        tk_probe(job->inputs[i].bytes, job->inputs[i].len, NULL, 0, &probes[i]);
        job->inputs[i].probe = &probes[i];
    }
    job->cuts = sum & 1 ? cuts : 0;
    run_and_check(job, &result, reports, sum & 32);
    if (!both || !cuts) return;
    job->cuts = cuts;
    run(job, &other, reports);
    check_account(job, &other);
    conversion_check_equal(&result, &other); // so that checks of one hold for the other
}
