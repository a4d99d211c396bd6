// SPDX-License-Identifier: MIT
// A part of a recording, made from a state:
//   part CHUNK TICK_NS FROM TO [KEY=VALUE ...] -- FILE[@CORE] ...
// A first pass shows nothing and is saved in several places; from each that lies before FROM the trace of the part is
// the one that a conversion of the whole with from-ns and to-ns makes. Prints from how many places, and how many bytes
// of the recording were read less.
#include "../common/pump.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLACES = 5, ROOM = 48 };

struct part {
    char tick[ROOM], from[ROOM], to[ROOM];
};

static size_t bytes_read(const struct pump_result *result) {
    size_t bytes = 0;
    for (size_t i = 0; i < TK_MAX_INPUTS; i++) bytes += result->at[i];
    return bytes;
}

static void run_with(const struct pump_job *job, const char *const *options, size_t count, const struct pump_how *how,
                     struct pump_result *out) {
    struct pump_job with = *job;
    for (size_t i = 0; i < count && with.option_count < PUMP_MAX_OPTIONS; i++)
        with.options[with.option_count++] = options[i];
    pump_run(&with, how, out);
}

// 1: the same bytes; 0: the place lies behind the beginning of the part; -1: others.
static int try_from(const struct pump_job *job, const struct part *part, size_t chunk, size_t place,
                    const struct pump_result *plain, size_t *spared) {
    const char *nothing[] = { "from-ns=9223372036854775807" }, *late[] = { part->tick, part->from, part->to, NULL };
    struct pump_result left, result;
    run_with(job, nothing, 1, &(struct pump_how){ .chunk = chunk, .dump = -1, .leave_at = place }, &left);
    pump_run(job,
             &(struct pump_how){ .chunk = chunk, .dump = -1, .from = &left, .late = late, .complete_is_enough = true },
             &result);
    bool is_behind = result.status == TK_MISUSE && strstr(result.error, "behind this moment"),
         is_same = pump_equal(&result.output, &plain->output);
    if (!is_behind && !is_same)
        fprintf(stderr, "from call %zu: %s, %zu instead of %zu bytes\n", place, tk_status_text(result.status),
                result.output.len, plain->output.len);
    if (is_same) *spared = bytes_read(plain) - bytes_read(&result) + bytes_read(&left);
    pump_free_result(&left);
    pump_free_result(&result);
    return is_behind ? 0 : is_same ? 1 : -1;
}

int main(int argc, char **argv) {
    struct pump_job job;
    struct part part;
    if (argc < 6 || !pump_read_job(argc - 5, argv + 5, &job)) return 2;
    size_t chunk = strtoul(argv[1], NULL, 10), spared = 0, places = 0;
    snprintf(part.tick, ROOM, "range-tick-ns=%s", argv[2]);
    snprintf(part.from, ROOM, "from-ns=%s", argv[3]);
    snprintf(part.to, ROOM, "to-ns=%s", argv[4]);
    const char *options[] = { part.tick, part.from, part.to };
    struct pump_result plain;
    run_with(&job, options, 3, &(struct pump_how){ .chunk = 2 * chunk + 1, .dump = -1 }, &plain); // how it is fed
                                                                                                  // changes nothing
    int found = plain.status == TK_OK ? 0 : -1;
    for (size_t i = 0; i < PLACES && found >= 0; i++) {
        found = try_from(&job, &part, chunk, 1 + i * (2 * plain.feeds - 1) / PLACES, &plain, &spared);
        places += found > 0;
    }
    printf("%zu %zu\n", places, spared);
    pump_free_result(&plain);
    pump_free_job(&job);
    return found < 0;
}
