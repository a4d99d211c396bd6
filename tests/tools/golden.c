// SPDX-License-Identifier: MIT
//
// golden OUT [KEY=VALUE ...] -- [-s SIDE_FILE ...] FILE[@CORE] ...
// Converts and dumps every stage at each chunk size; all must give the same bytes. Writes OUT.trace, OUT.events,
// OUT.report (text) and OUT.json (report).
#include "../common/pump.h"

#include <stdio.h>

static const size_t chunks[] = { 0, 1, 2, 3, 7, 64, 4096 };
enum { CHUNK_COUNT = sizeof chunks / sizeof chunks[0] };

static bool save(const char *prefix, const char *suffix, const struct pump_bytes *bytes) {
    char path[4096];
    snprintf(path, sizeof path, "%s.%s", prefix, suffix);
    FILE *file = fopen(path, "wb");
    if (!file) {
        perror(path);
        return false;
    }
    bool written = fwrite(bytes->data, 1, bytes->len, file) == bytes->len;
    return fclose(file) == 0 && written;
}

// Runs one stage at all chunk sizes. out_whole: the result for the input as one chunk.
static bool same_at_all_sizes(const struct pump_job *job, int dump, struct pump_result *out_whole) {
    bool same = true;
    for (size_t i = 0; i < CHUNK_COUNT; i++) {
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

int main(int argc, char **argv) {
    struct pump_job job;
    if (argc < 3 || !pump_read_job(argc - 2, argv + 2, &job)) return 2;
    struct pump_result trace, stage;
    bool good = same_at_all_sizes(&job, -1, &trace);
    if (trace.status != TK_OK) fprintf(stderr, "%s: %s\n", tk_status_text(trace.status), trace.error);
    good = good && trace.status == TK_OK && save(argv[1], "trace", &trace.output);
    good = good && save(argv[1], "json", &trace.report_json) && save(argv[1], "report", &trace.report_text);
    for (int dump = TK_DUMP_FRAMES; dump <= TK_DUMP_TRACKS; dump++) {
        if (!same_at_all_sizes(&job, dump, &stage)) good = false;
        if (dump == TK_DUMP_EVENTS && !save(argv[1], "events", &stage.output)) good = false;
        pump_free_result(&stage);
    }
    pump_free_result(&trace);
    pump_free_job(&job);
    return good ? 0 : 1;
}
