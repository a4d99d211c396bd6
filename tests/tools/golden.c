// SPDX-License-Identifier: MIT
//
// golden [--sample] [KEY=VALUE ...] -- [-s SIDE_FILE ...] FILE[@CORE] ...
// Converts and dumps every stage at each chunk size, with --sample at the first ones; all must give the same bytes.
#include "../common/pump.h"

#include <stdio.h>
#include <string.h>

static const size_t chunks[] = { 0, 1, 7, 2, 3, 64, 4096 };
enum { CHUNK_COUNT = sizeof chunks / sizeof chunks[0], SAMPLE_COUNT = 3 };

static size_t chunk_count = CHUNK_COUNT;

// Runs one stage at all chunk sizes. out_whole: the result for the input as one chunk.
static bool same_at_all_sizes(const struct pump_job *job, int dump, struct pump_result *out_whole) {
    bool same = true;
    for (size_t i = 0; i < chunk_count; i++) {
        const struct pump_how how = { .chunk = chunks[i], .dump = dump };
        struct pump_result result;
        pump_run(job, &how, &result);
        if (result.bytes_in_use) fprintf(stderr, "%zu bytes leaked\n", result.bytes_in_use);
        if (result.bytes_in_use) same = false;
        if (i == 0) {
            *out_whole = result;
            continue;
        }
        if (result.status != out_whole->status || !pump_equal(&result.output, &out_whole->output) ||
            !pump_equal(&result.report_json, &out_whole->report_json)) {
            fprintf(stderr, "stage %d differs in chunks of %zu bytes\n", dump, chunks[i]);
            same = false;
        }
        pump_free_result(&result);
    }
    return same;
}

static int run(int argc, char **argv) {
    struct pump_job job;
    if (argc > 1 && !strcmp(argv[1], "--sample")) {
        chunk_count = SAMPLE_COUNT;
        argc--, argv++;
    }
    if (argc < 2 || !pump_read_job(argc - 1, argv + 1, &job)) return 2;
    bool is_good = true;
    for (int dump = -1; dump <= TK_DUMP_TRACKS; dump++) {
        struct pump_result whole;
        if (!same_at_all_sizes(&job, dump, &whole)) is_good = false;
        if (dump < 0 && whole.status != TK_OK) {
            fprintf(stderr, "%s: %s\n", tk_status_text(whole.status), whole.error);
            is_good = false;
        }
        pump_free_result(&whole);
    }
    pump_free_job(&job);
    return is_good ? 0 : 1;
}

int main(int argc, char **argv) { return pump_main(argc, argv, run); }
