// SPDX-License-Identifier: MIT
// Saved and restored, and snapshots: "save [KEY=VALUE ...] -- FILE[@CORE] ...". A conversion that another handle goes on with behind every call
// of tk_feed says the same as one that nobody disturbed. A snapshot is what a recording that ends there becomes, and leaves no trace of itself.
// Says on stdout how large a state was.
#include "../common/pump.h"

#include <stdio.h>
#include <string.h>

static bool same(const char *what, size_t at, const struct pump_bytes *got, const struct pump_bytes *expected) {
    if (pump_equal(got, expected)) return true;
    size_t byte = 0;
    while (byte < got->len && byte < expected->len && got->data[byte] == expected->data[byte]) byte++;
    fprintf(stderr, "%s differs at call %zu: %zu instead of %zu bytes, from byte %zu on\n", what, at, got->len, expected->len, byte);
    return false;
}

static bool same_result(size_t at, const struct pump_result *got, const struct pump_result *expected) {
    if (got->status != expected->status) fprintf(stderr, "call %zu: %s (%s)\n", at, tk_status_text(got->status), got->error);
    return got->status == expected->status && same("trace", at, &got->output, &expected->output) && same("report", at, &got->report_json, &expected->report_json) &&
           same("report as text", at, &got->report_text, &expected->report_text);
}

static bool goes_on(const struct pump_job *job, size_t chunk, size_t every, const struct pump_result *plain, size_t *out_largest) {
    struct pump_result result;
    pump_run(job, &(struct pump_how){.chunk = chunk, .dump = -1, .restore_every = every}, &result);
    bool is_good = same_result(0, &result, plain) && result.bytes_in_use == 0;
    if (result.state.len > *out_largest) *out_largest = result.state.len;
    pump_free_result(&result);
    return is_good;
}

static bool snapshot_is_right(const struct pump_job *job, size_t chunk, size_t at, const struct pump_result *plain) {
    struct pump_result result, stopped;
    pump_run(job, &(struct pump_how){.chunk = chunk, .dump = -1, .snapshot_at = at}, &result);
    pump_run(job, &(struct pump_how){.chunk = chunk, .dump = -1, .stop_at = at}, &stopped);
    bool is_good = stopped.status != TK_OK || (same_result(at, &result, plain) && same("snapshot", at, &result.snapshot, &stopped.output));
    pump_free_result(&result);
    pump_free_result(&stopped);
    return is_good;
}

enum { ROUNDS = 240 }; // so many places of a recording are tried

int main(int argc, char **argv) {
    struct pump_job job;
    if (!pump_read_job(argc - 1, argv + 1, &job)) return 2;
    size_t bytes = 0, largest = 0;
    for (size_t i = 0; i < job.file_count; i++) bytes += job.files[i].bytes.len;
    size_t chunk = bytes / ROUNDS + 1;
    struct pump_result plain;
    pump_run(&job, &(struct pump_how){.chunk = chunk, .dump = -1}, &plain);
    bool is_good = goes_on(&job, chunk, 1, &plain, &largest);
    for (size_t at = 1; at <= plain.feeds && is_good; at += 3) is_good = snapshot_is_right(&job, chunk, at, &plain);
    printf("%zu\n", largest);
    pump_free_result(&plain);
    pump_free_job(&job);
    return !is_good;
}
