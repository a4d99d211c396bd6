// SPDX-License-Identifier: MIT
//
// bench [--hdlc | --calls | --words | --flux | --vcd | --alone | --rows] RUNS [KEY=VALUE ...] FILE[@CORE] ... Converts
// with the output discarded and prints one line of JSON: the best processor time inside tk_feed of RUNS runs, beside
// two lower bounds measured on the same slices in the same run: a minimal loop (see floor.h: frames with varints, or
// the framing of the first option), and a copy. --alone omits the lower bounds, for counting instructions. --rows omits
// them too, and adds the second output, the rows of a timeline.
#define _POSIX_C_SOURCE 200809L
#include "../../core/tonkopf.h"
#include "../common/floor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SLICE = 256 * 1024 };

struct heap {
    size_t in_use, peak;
};

struct figures {
    double feed_seconds, floor_seconds, copy_seconds;
    uint64_t floor_bytes, floor_packets;
    struct tk_progress progress;
    struct heap heap;
};

struct input {
    FILE *file;
    uint8_t slice[SLICE];
    size_t at, len;
    uint32_t id;
    bool ended;
};

typedef void floor_loop(const uint8_t *bytes, size_t len, struct floor_output *out);

// The output of the lower bounds; kept, so that the compiler does not remove their work.
struct limits {
    floor_loop *floor_of; // NULL: not measured
    struct floor_output floor;
    uint8_t copy[SLICE];
};

static void *counted_realloc(void *ctx, void *ptr, size_t old_size, size_t new_size) {
    struct heap *heap = ctx;
    if (new_size == 0) {
        if (ptr) heap->in_use -= old_size;
        free(ptr);
        return NULL;
    }
    heap->in_use += new_size - (ptr ? old_size : 0);
    if (heap->in_use > heap->peak) heap->peak = heap->in_use;
    return realloc(ptr, new_size);
}

static bool discard(void *ctx, const uint8_t *bytes, size_t len) {
    uint64_t *total = ctx;
    (void)bytes;
    *total += len;
    return true;
}

// Processor time, which other programs on the machine hardly affect.
static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void measure_limits(const uint8_t *bytes, size_t len, struct figures *figures, struct limits *limits) {
    if (!limits->floor_of) return;
    double begin = now();
    limits->floor_of(bytes, len, &limits->floor);
    double between = now();
    memcpy(limits->copy, bytes, len);
    figures->floor_seconds += between - begin;
    figures->copy_seconds += now() - between;
}

static tk_status feed_some(tk *handle, struct input *input, struct figures *figures, struct limits *limits) {
    if (input->at == input->len) {
        input->len = fread(input->slice, 1, SLICE, input->file);
        input->at = 0;
        measure_limits(input->slice, input->len, figures, limits);
    }
    input->ended = input->len == 0;
    size_t consumed = 0;
    double begin = now();
    tk_status status = input->ended
                           ? tk_end_input(handle, input->id)
                           : tk_feed(handle, input->id, input->slice + input->at, input->len - input->at, &consumed);
    figures->feed_seconds += now() - begin;
    input->at += consumed;
    return status;
}

static tk_status feed_all(tk *handle, struct input *inputs, int count, struct figures *figures, struct limits *limits) {
    tk_status status = TK_OK;
    for (int32_t wanted; status == TK_OK && (wanted = tk_wanted_input(handle)) != TK_NO_INPUT;) {
        int index = 0;
        while (index < count && (inputs[index].ended || (wanted >= 0 && inputs[index].id != (uint32_t)wanted))) index++;
        if (index == count) break;
        status = feed_some(handle, &inputs[index], figures, limits);
    }
    return status;
}

static bool set_up(tk *handle, char **words, int count, struct input *inputs, int *out_inputs) {
    *out_inputs = 0;
    for (int i = 0; i < count; i++) {
        char key[64];
        const char *equals = strchr(words[i], '='), *core = strrchr(words[i], '@');
        if (equals && (size_t)(equals - words[i]) < sizeof key) {
            snprintf(key, sizeof key, "%.*s", (int)(equals - words[i]), words[i]);
            if (tk_set_option(handle, key, equals + 1) != TK_OK) return false;
            continue;
        }
        char path[4096];
        snprintf(path, sizeof path, "%.*s", core ? (int)(core - words[i]) : (int)strlen(words[i]), words[i]);
        struct input *input = &inputs[(*out_inputs)++];
        const struct tk_input_info info = { path, TK_ROLE_RECORDING, core ? atoi(core + 1) : -1 };
        input->file = fopen(path, "rb");
        input->at = input->len = 0;
        input->ended = false;
        if (!input->file || tk_add_input(handle, &info, &input->id) != TK_OK) return false;
    }
    return *out_inputs > 0;
}

static bool has_rows;

static bool run(char **words, int count, struct input *inputs, struct limits *limits, struct figures *out_figures) {
    struct heap heap = { 0, 0 };
    const struct tk_allocator allocator = { counted_realloc, &heap };
    uint64_t written = 0;
    const struct tk_sink sink = { &written, discard, NULL };
    tk *handle;
    int files;
    *out_figures = (struct figures){ 0 };
    limits->floor = (struct floor_output){ 0 };
    if (tk_new(&allocator, &handle) != TK_OK || !set_up(handle, words, count, inputs, &files) ||
        tk_set_sink(handle, &sink) != TK_OK || (has_rows && tk_set_timeline(handle, &sink) != TK_OK))
        return false;
    tk_status status = feed_all(handle, inputs, files, out_figures, limits);
    double begin = now();
    if (status == TK_OK) status = tk_finish(handle);
    out_figures->feed_seconds += now() - begin;
    tk_get_progress(handle, &out_figures->progress);
    for (int i = 0; i < files; i++) fclose(inputs[i].file);
    if (status != TK_OK) fprintf(stderr, "%s: %s\n", tk_status_text(status), tk_error_text(handle));
    out_figures->heap = heap;
    tk_free(handle);
    out_figures->floor_bytes = limits->floor.total + limits->floor.len;
    out_figures->floor_packets = limits->floor.packets;
    return status == TK_OK;
}

// Highest resident memory of this process in bytes; 0 if the system does not report it.
static size_t peak_rss(void) {
    FILE *file = fopen("/proc/self/status", "r");
    char line[256];
    size_t kilobytes = 0;
    while (file && fgets(line, sizeof line, file)) {
        if (strncmp(line, "VmHWM:", 6) == 0) kilobytes = strtoul(line + 6, NULL, 10);
    }
    if (file) fclose(file);
    return kilobytes * 1024;
}

static double least(double a, double b) { return a < b ? a : b; }

static void keep_best(struct figures *best, const struct figures *one) {
    struct figures before = *best;
    *best = one->feed_seconds < before.feed_seconds ? *one : before;
    best->floor_seconds = least(before.floor_seconds, one->floor_seconds);
    best->copy_seconds = least(before.copy_seconds, one->copy_seconds);
}

static void print(const struct figures *best) {
    const struct tk_progress *progress = &best->progress;
    printf("{\"bytes\":%llu,\"events\":%llu,\"bytesOut\":%llu,", (unsigned long long)progress->bytes_in,
           (unsigned long long)progress->events, (unsigned long long)progress->bytes_out);
    printf("\"seconds\":%.6f,\"floorSeconds\":%.6f,\"copySeconds\":%.6f,", best->feed_seconds, best->floor_seconds,
           best->copy_seconds);
    printf("\"floorBytesOut\":%llu,\"floorPackets\":%llu,", (unsigned long long)best->floor_bytes,
           (unsigned long long)best->floor_packets);
    printf("\"heapPeak\":%zu,\"rssPeak\":%zu}\n", best->heap.peak, peak_rss());
}

// NULL with --alone.
static floor_loop *find_floor(const char *word) {
    static const struct {
        const char *word;
        floor_loop *loop;
    } floors[] = {
        { "--hdlc", floor_hdlc }, { "--calls", floor_calls }, { "--words", floor_words },
        { "--flux", floor_flux }, { "--vcd", floor_vcd },
    };
    for (size_t i = 0; i < sizeof floors / sizeof *floors; i++)
        if (!strcmp(word, floors[i].word)) return floors[i].loop;
    return NULL;
}

int main(int argc, char **argv) {
    static struct input inputs[TK_MAX_INPUTS];
    struct figures best = { 0 }, one;
    static struct limits limits = { .floor_of = floor_cobs };
    if (argc > 1 && argv[1][0] == '-') {
        limits.floor_of = find_floor(argv[1]);
        has_rows = !strcmp(argv[1], "--rows");
        argc--, argv++;
    }
    int runs = argc > 2 ? atoi(argv[1]) : 0;
    if (runs < 1 || argc - 2 > TK_MAX_INPUTS) return 2;
    for (int i = 0; i < runs; i++) {
        if (!run(argv + 2, argc - 2, inputs, &limits, &one)) return 1;
        if (i == 0) best = one;
        else keep_best(&best, &one);
    }
    print(&best);
    return 0;
}
