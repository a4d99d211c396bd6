// SPDX-License-Identifier: MIT
// Saved and restored, and snapshots:
//   save [KEY=VALUE ...] -- FILE[@CORE] ...          a conversion that another handle goes on with behind every call of
//   tk_feed says the same as one
//                                                    that nobody disturbed; a snapshot is what a recording that ends
//                                                    there becomes, and leaves no trace of itself. Prints how large a
//                                                    state was
//   save --leave STATE [KEY=VALUE ...] -- FILE ...   converts the first half and writes where it stands
//   save --go-on STATE [KEY=VALUE ...] -- FILE ...   converts the other half and compares the whole; another process,
//   whose memory lies elsewhere
#include "../common/pump.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    return got->status == expected->status && same("trace", at, &got->output, &expected->output) &&
           same("report", at, &got->report_json, &expected->report_json) &&
           same("report as text", at, &got->report_text, &expected->report_text);
}

// ---- In one process ------------------------------------------------------------------------------------------------

static bool goes_on(const struct pump_job *job, size_t chunk, const struct pump_result *plain, size_t *out_state) {
    struct pump_result result;
    pump_run(job, &(struct pump_how){ .chunk = chunk, .dump = -1, .restore_every = 1 }, &result);
    bool is_good = same_result(0, &result, plain) && result.bytes_in_use == 0;
    *out_state = result.state.len;
    pump_free_result(&result);
    return is_good;
}

static bool snapshot_is_right(const struct pump_job *job, size_t chunk, size_t at, const struct pump_result *plain) {
    struct pump_result result, stopped;
    pump_run(job, &(struct pump_how){ .chunk = chunk, .dump = -1, .snapshot_at = at }, &result);
    pump_run(job, &(struct pump_how){ .chunk = chunk, .dump = -1, .stop_at = at }, &stopped);
    bool is_good = stopped.status != TK_OK ||
                   (same_result(at, &result, plain) && same("snapshot", at, &result.snapshot, &stopped.output));
    pump_free_result(&result);
    pump_free_result(&stopped);
    return is_good;
}

static bool try_everywhere(const struct pump_job *job, size_t chunk, const struct pump_result *plain) {
    size_t state;
    bool is_good = goes_on(job, chunk, plain, &state);
    for (size_t at = 1; at <= plain->feeds && is_good; at += 5) is_good = snapshot_is_right(job, chunk, at, plain);
    printf("%zu\n", state);
    return is_good;
}

// ---- In two --------------------------------------------------------------------------------------------------------

static void transfer(struct pump_bytes *bytes, FILE *file, bool is_written) {
    bool is_good = is_written ? fwrite(&bytes->len, sizeof bytes->len, 1, file) == 1
                              : fread(&bytes->len, sizeof bytes->len, 1, file) == 1;
    if (is_good && !is_written) bytes->data = malloc(bytes->len + 1);
    if (is_good && bytes->len)
        is_good =
            (is_written ? fwrite(bytes->data, bytes->len, 1, file) : fread(bytes->data, bytes->len, 1, file)) == 1;
    if (!is_good) exit(3);
}

static void transfer_place(struct pump_result *result, const char *path, bool is_written) {
    struct pump_bytes at = { (uint8_t *)result->at, sizeof result->at, 0 },
                      ended = { (uint8_t *)result->ended, sizeof result->ended, 0 };
    FILE *file = fopen(path, is_written ? "wb" : "rb");
    if (!file) exit(3);
    transfer(&at, file, is_written);
    transfer(&ended, file, is_written);
    transfer(&result->output, file, is_written);
    transfer(&result->state, file, is_written);
    fclose(file);
    if (is_written) return;
    memcpy(result->at, at.data, sizeof result->at);
    memcpy(result->ended, ended.data, sizeof result->ended);
    free(at.data);
    free(ended.data);
}

static bool leave(const struct pump_job *job, size_t chunk, const struct pump_result *plain, const char *path) {
    struct pump_result result;
    pump_run(job, &(struct pump_how){ .chunk = chunk, .dump = -1, .leave_at = plain->feeds / 2 + 1 }, &result);
    transfer_place(&result, path, true);
    pump_free_result(&result);
    return true;
}

static bool go_on(const struct pump_job *job, size_t chunk, const struct pump_result *plain, const char *path) {
    struct pump_result before = { 0 }, result;
    transfer_place(&before, path, false);
    pump_run(job, &(struct pump_how){ .chunk = chunk, .dump = -1, .from = &before }, &result);
    bool is_good = same_result(plain->feeds / 2 + 1, &result, plain);
    pump_free_result(&before);
    pump_free_result(&result);
    return is_good;
}

enum { ROUNDS = 60 }; // so many places of a recording are tried

int main(int argc, char **argv) {
    struct pump_job job;
    bool leaves = argc > 2 && !strcmp(argv[1], "--leave"), comes = argc > 2 && !strcmp(argv[1], "--go-on");
    int words = leaves || comes ? 3 : 1;
    if (!pump_read_job(argc - words, argv + words, &job)) return 2;
    size_t bytes = 0;
    for (size_t i = 0; i < job.file_count; i++) bytes += job.files[i].bytes.len;
    size_t chunk = bytes / ROUNDS + 1;
    struct pump_result plain;
    pump_run(&job, &(struct pump_how){ .chunk = chunk, .dump = -1 }, &plain);
    bool is_good = leaves  ? leave(&job, chunk, &plain, argv[2])
                   : comes ? go_on(&job, chunk, &plain, argv[2])
                           : try_everywhere(&job, chunk, &plain);
    pump_free_result(&plain);
    pump_free_job(&job);
    return !is_good;
}
