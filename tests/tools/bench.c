// SPDX-License-Identifier: MIT
//
// bench RUNS [KEY=VALUE ...] FILE[@CORE] ...
// Converts with the output discarded and prints one line of JSON: the best processor time inside tk_feed of RUNS runs, beside a
// floor measured on the same bytes in the same run: a loop that splits frames, reads varints and appends packets, and
// nothing else.
#define _POSIX_C_SOURCE 200809L
#include "../../core/tonkopf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SLICE = 256 * 1024 };

struct heap {
    size_t in_use, peak;
};

struct figures {
    double feed_seconds, floor_seconds;
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

// Keeps the work of the floor loop from being optimised away, and holds its output block.
struct floor_output {
    uint8_t block[64 * 1024];
    size_t len;
    uint64_t total;
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

// Processor time, so that other programs on the machine change little.
static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static uint8_t *put_varint(uint8_t *to, uint64_t value) {
    for (; value > 127; value >>= 7) *to++ = (uint8_t)(value | 128);
    *to++ = (uint8_t)value;
    return to;
}

// One frame of at most 256 bytes: COBS undone, its varints read, a packet of them written.
static void floor_frame(const uint8_t *frame, size_t len, struct floor_output *out) {
    uint8_t plain[256];
    size_t plain_len = 0;
    for (size_t at = 0; at < len && len <= sizeof plain;) {
        uint8_t code = frame[at++];
        for (uint8_t i = 1; i < code && at < len; i++) plain[plain_len++] = frame[at++];
        if (code < 255 && at < len) plain[plain_len++] = 0;
    }
    if (out->len > sizeof out->block - 1024) {
        out->total += out->len;
        out->len = 0;
    }
    uint8_t *to = out->block + out->len;
    uint64_t value = 0;
    unsigned shift = 0;
    *to++ = 0x0A;
    uint8_t *packet_len = to++;
    for (size_t i = 0; i < plain_len; i++) {
        value |= (uint64_t)(plain[i] & 127) << (shift & 63);
        shift += 7;
        if (plain[i] & 128) continue;
        *to++ = 0x08;
        to = put_varint(to, value);
        value = shift = 0;
    }
    *packet_len = (uint8_t)(to - packet_len - 1);
    out->len = (size_t)(to - out->block);
}

static double floor_slice(const uint8_t *bytes, size_t len, struct floor_output *out) {
    double begin = now();
    for (size_t at = 0; at < len;) {
        const uint8_t *zero = memchr(bytes + at, 0, len - at);
        size_t frame_len = zero ? (size_t)(zero - bytes) - at : len - at;
        floor_frame(bytes + at, frame_len, out);
        at += frame_len + 1;
    }
    return now() - begin;
}

static tk_status feed_some(tk *handle, struct input *input, struct figures *figures, struct floor_output *floor) {
    if (input->at == input->len) {
        input->len = fread(input->slice, 1, SLICE, input->file);
        input->at = 0;
        figures->floor_seconds += floor_slice(input->slice, input->len, floor);
    }
    input->ended = input->len == 0;
    size_t consumed = 0;
    double begin = now();
    tk_status status = input->ended ? tk_end_input(handle, input->id) : tk_feed(handle, input->id, input->slice + input->at, input->len - input->at, &consumed);
    figures->feed_seconds += now() - begin;
    input->at += consumed;
    return status;
}

static tk_status feed_all(tk *handle, struct input *inputs, int count, struct figures *figures, struct floor_output *floor) {
    tk_status status = TK_OK;
    for (int32_t wanted; status == TK_OK && (wanted = tk_wanted_input(handle)) != TK_NO_INPUT;) {
        int index = 0;
        while (index < count && (inputs[index].ended || (wanted >= 0 && inputs[index].id != (uint32_t)wanted))) index++;
        if (index == count) break;
        status = feed_some(handle, &inputs[index], figures, floor);
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
        const struct tk_input_info info = {path, TK_RECORDING, core ? atoi(core + 1) : -1};
        input->file = fopen(path, "rb");
        input->at = input->len = 0;
        input->ended = false;
        if (!input->file || tk_add_input(handle, &info, &input->id) != TK_OK) return false;
    }
    return *out_inputs > 0;
}

static bool run(char **words, int count, struct input *inputs, struct figures *out_figures) {
    static struct floor_output floor;
    struct heap heap = {0, 0};
    const struct tk_allocator allocator = {counted_realloc, &heap};
    uint64_t written = 0;
    const struct tk_sink sink = {&written, discard, NULL};
    tk *handle;
    int files;
    *out_figures = (struct figures){0};
    if (tk_new(&allocator, &handle) != TK_OK || !set_up(handle, words, count, inputs, &files) || tk_set_sink(handle, &sink) != TK_OK) return false;
    tk_status status = feed_all(handle, inputs, files, out_figures, &floor);
    double begin = now();
    if (status == TK_OK) status = tk_finish(handle);
    out_figures->feed_seconds += now() - begin;
    tk_get_progress(handle, &out_figures->progress);
    for (int i = 0; i < files; i++) fclose(inputs[i].file);
    if (status != TK_OK) fprintf(stderr, "%s: %s\n", tk_status_text(status), tk_error_text(handle));
    out_figures->heap = heap;
    tk_free(handle);
    return status == TK_OK && floor.total + floor.len > 0;
}

// Highest resident memory of this process in bytes; 0 where the system does not tell.
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

int main(int argc, char **argv) {
    static struct input inputs[TK_MAX_INPUTS];
    struct figures best = {0}, one;
    int runs = argc > 2 ? atoi(argv[1]) : 0;
    if (runs < 1 || argc - 2 > TK_MAX_INPUTS) return 2;
    for (int i = 0; i < runs; i++) {
        if (!run(argv + 2, argc - 2, inputs, &one)) return 1;
        if (i == 0 || one.feed_seconds < best.feed_seconds) {
            double floor_seconds = best.floor_seconds;
            best = one;
            if (i > 0 && floor_seconds < one.floor_seconds) best.floor_seconds = floor_seconds;
        }
        if (one.floor_seconds < best.floor_seconds) best.floor_seconds = one.floor_seconds;
    }
    printf("{\"bytes\":%llu,\"events\":%llu,\"bytesOut\":%llu,\"seconds\":%.6f,\"floorSeconds\":%.6f,\"heapPeak\":%zu,\"rssPeak\":%zu}\n",
           (unsigned long long)best.progress.bytes_in, (unsigned long long)best.progress.events, (unsigned long long)best.progress.bytes_out,
           best.feed_seconds, best.floor_seconds, best.heap.peak, peak_rss());
    return 0;
}
