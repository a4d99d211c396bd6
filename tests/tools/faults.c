// SPDX-License-Identifier: MIT
//
// faults [--sample] [KEY=VALUE ...] -- [-s SIDE_FILE ...] FILE[@CORE] ... Every failure that a host can cause, one
// after the other: the n-th allocation fails, the n-th write is refused (up to the 64th and every seventh after it), n
// bytes of the recording are missing at its end (0 to 256, and every seventh number above). Each conversion must end
// with the right status, free all memory, and keep the bytes written so far.
//
// --sample tries each n up to 4. Above, the steps are random and on average n; the bytes of the recordings are
// their seed. So a run can be repeated, and the cases of a format together try many n.
#include "../common/pump.h"

#include <stdio.h>
#include <string.h>

enum { EVERY_ALLOCATION = INT32_MAX, EVERY_WRITE = 64, EVERY_BYTE = 256, STEP = 7, SAMPLE_EVERY = 4 };

static int failures;
static bool is_sample;
static uint32_t random_state;

static void seed_random(const struct pump_job *job) {
    random_state = 2166136261u; // FNV-1a
    for (size_t i = 0; i < job->file_count; i++)
        for (size_t at = 0; at < job->files[i].bytes.len; at++)
            random_state = (random_state ^ job->files[i].bytes.data[at]) * 16777619u;
    random_state |= 1; // xorshift never leaves 0
}

// The position to try after `n`; without --sample each one up to `every`.
static size_t next_position(size_t n, size_t every) {
    if (!is_sample) return n + (n < every ? 1 : STEP);
    if (n < SAMPLE_EVERY) return n + 1;
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return n + 1 + random_state % (2 * n);
}

static void expect(bool good, const char *what, size_t n, const struct pump_result *result) {
    if (good) return;
    failures++;
    fprintf(stderr, "%s %zu: status %s, %zu bytes not given back\n", what, n, tk_status_text(result->status),
            result->bytes_in_use);
}

static size_t try_allocations(const struct pump_job *job, int dump) {
    for (size_t n = 1;; n = next_position(n, EVERY_ALLOCATION)) {
        const struct pump_how how = { .dump = dump, .fail_alloc_at = n };
        struct pump_result result;
        pump_run(job, &how, &result);
        bool all_done = result.allocations < n;
        expect(result.bytes_in_use == 0 && (all_done ? result.status == TK_OK : result.status == TK_NO_MEMORY),
               "allocation", n, &result);
        pump_free_result(&result);
        if (all_done || failures > 20) return result.allocations;
    }
}

static size_t try_writes(const struct pump_job *job, int dump) {
    for (size_t n = 1;; n = next_position(n, EVERY_WRITE)) {
        const struct pump_how how = { .dump = dump, .refuse_at = n };
        struct pump_result result;
        pump_run(job, &how, &result);
        bool all_done = result.writes < n;
        expect(result.bytes_in_use == 0 && result.status == (all_done ? TK_OK : TK_SINK_REFUSED), "write", n, &result);
        pump_free_result(&result);
        if (all_done || failures > 20) return result.writes;
    }
}

// For any truncation: no crash, and a fatal status only if no recognisable bytes are left.
static size_t try_cuts(const struct pump_job *job) {
    size_t longest = 0, cuts = 0;
    for (size_t i = 0; i < job->file_count; i++) {
        if (job->files[i].bytes.len > longest) longest = job->files[i].bytes.len;
    }
    for (size_t cut = 0; cut <= longest; cut = next_position(cut, EVERY_BYTE), cuts++) {
        const struct pump_how how = { .dump = -1, .cut = cut };
        struct pump_result result;
        pump_run(job, &how, &result);
        expect(result.bytes_in_use == 0 && (result.status == TK_OK || result.status == TK_UNKNOWN_FORMAT), "cut", cut,
               &result);
        pump_free_result(&result);
    }
    return cuts;
}

static int run(int argc, char **argv) {
    struct pump_job job;
    failures = 0;
    is_sample = argc > 1 && !strcmp(argv[1], "--sample");
    if (is_sample) argc--, argv++;
    if (argc < 2 || !pump_read_job(argc - 1, argv + 1, &job)) return 2;
    seed_random(&job);
    size_t allocations = try_allocations(&job, -1), writes = try_writes(&job, -1), cuts = try_cuts(&job);
    size_t dump_allocations = try_allocations(&job, TK_DUMP_EVENTS), lines = try_writes(&job, TK_DUMP_TRACKS);
    printf("%zu + %zu allocations, %zu writes, %zu lines, %zu cuts: %d failures\n", allocations, dump_allocations,
           writes, lines, cuts, failures);
    pump_free_job(&job);
    return failures ? 1 : 0;
}

int main(int argc, char **argv) { return pump_main(argc, argv, run); }
