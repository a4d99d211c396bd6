// SPDX-License-Identifier: MIT
// snapshot [--sample] [KEY=VALUE ...] -- FILE[@CORE] ... A snapshot is the trace of a recording that ends there, and
// the conversion continues unaffected: same trace, same report. This also holds after snapshots whose n-th allocation
// fails, for each n. Prints how many failed. The recording is fed in 60 chunks and a snapshot is made after every
// third, with --sample in 24 and after every sixth.
#include "../common/pump.h"

#include <stdio.h>
#include <string.h>

enum { ROUNDS = 60, SAMPLE_ROUNDS = 24, STEP = 3, SAMPLE_STEP = 6 };

static bool same(const char *what, size_t at, const struct pump_bytes *got, const struct pump_bytes *expected) {
    if (pump_equal(got, expected)) return true;
    size_t byte = 0;
    while (byte < got->len && byte < expected->len && got->data[byte] == expected->data[byte]) byte++;
    fprintf(stderr, "%s differs at call %zu: %zu instead of %zu bytes, from byte %zu on\n", what, at, got->len,
            expected->len, byte);
    return false;
}

static bool same_result(size_t at, const struct pump_result *got, const struct pump_result *expected) {
    if (got->status != expected->status)
        fprintf(stderr, "call %zu: %s (%s)\n", at, tk_status_text(got->status), got->error);
    return got->status == expected->status && got->bytes_in_use == 0 &&
           same("trace", at, &got->output, &expected->output) &&
           same("report", at, &got->report_json, &expected->report_json) &&
           same("report as text", at, &got->report_text, &expected->report_text);
}

static bool snapshot_is_right(const struct pump_job *job, struct pump_how how, const struct pump_result *plain,
                              size_t *out_failed) {
    struct pump_result result, stopped;
    const struct pump_how stop = { .chunk = how.chunk, .dump = how.dump, .stop_at = how.snapshot_at };
    pump_run(job, &how, &result);
    pump_run(job, &stop, &stopped);
    bool is_good = stopped.status != TK_OK || (same_result(how.snapshot_at, &result, plain) &&
                                               same("snapshot", how.snapshot_at, &result.snapshot, &stopped.output));
    *out_failed = result.failed_snapshots;
    pump_free_result(&result);
    pump_free_result(&stopped);
    return is_good;
}

static int run(int argc, char **argv) {
    struct pump_job job;
    struct pump_result plain;
    size_t bytes = 0, failed = 0;
    bool is_sample = argc > 1 && !strcmp(argv[1], "--sample");
    if (is_sample) argc--, argv++;
    if (!pump_read_job(argc - 1, argv + 1, &job)) return 2;
    for (size_t i = 0; i < job.file_count; i++) bytes += job.files[i].bytes.len;
    struct pump_how how = { .chunk = bytes / (is_sample ? SAMPLE_ROUNDS : ROUNDS) + 1, .dump = -1 };
    pump_run(&job, &how, &plain);
    bool is_good = true;
    for (how.snapshot_at = 1; how.snapshot_at <= plain.feeds && is_good;
         how.snapshot_at += is_sample ? SAMPLE_STEP : STEP)
        is_good = snapshot_is_right(&job, how, &plain, &failed);
    how.snapshot_at = plain.feeds / 2 + 1;
    how.failing_first = true;
    if (is_good && plain.feeds) is_good = snapshot_is_right(&job, how, &plain, &failed);
    printf("%zu\n", failed);
    pump_free_result(&plain);
    pump_free_job(&job);
    return !is_good;
}

int main(int argc, char **argv) { return pump_main(argc, argv, run); }
