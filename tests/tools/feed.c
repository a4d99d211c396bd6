// SPDX-License-Identifier: MIT
// Converts files with the library, for tests: any chunk size, any option, any dump stage.
//   tool_feed [--chunk N] [--dump frames|records|events|tracks] [--json] [--report] [--pipe] [--out FILE]
//   [KEY=VALUE...] [+SIDE...] FILE[@CORE]... Prints dump lines or the report (JSON) on standard output. Exit code: the
//   tk_status.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/role.h"

enum { MAX_FILES = TK_MAX_INPUTS };

struct job {
    size_t chunk;
    const char *out_path;
    int stage; // -1: trace
    bool json, report, pipe;
    struct file {
        uint8_t *bytes;
        size_t len, at;
        bool ended;
    } files[MAX_FILES];
    uint32_t file_count;
    FILE *out;
};

static void *resize(void *ctx, void *ptr, size_t old_size, size_t new_size) {
    (void)ctx, (void)old_size;
    if (new_size) return realloc(ptr, new_size);
    free(ptr);
    return NULL;
}

static bool write_trace(void *ctx, const uint8_t *bytes, size_t len) {
    struct job *job = ctx;
    return !job->out || fwrite(bytes, 1, len, job->out) == len;
}

static bool rewrite_head(void *ctx, const uint8_t *bytes, size_t len) {
    struct job *job = ctx;
    return !job->out ||
           (!fseek(job->out, 0, SEEK_SET) && fwrite(bytes, 1, len, job->out) == len && !fseek(job->out, 0, SEEK_END));
}

static bool print_line(void *ctx, const char *line, size_t len) {
    (void)ctx;
    return fwrite(line, 1, len, stdout) == len && putchar('\n') != EOF;
}

static bool print_text(void *ctx, const char *text, size_t len) {
    (void)ctx;
    return fwrite(text, 1, len, stdout) == len;
}

static void fail(const char *what, const char *why) {
    fprintf(stderr, "%s: %s\n", what, why);
    exit(99);
}

static void read_file(struct file *file, const char *path) {
    FILE *in = fopen(path, "rb");
    if (!in) fail(path, "cannot be opened");
    size_t cap = 1 << 16;
    file->bytes = malloc(cap);
    for (size_t got; (got = fread(file->bytes + file->len, 1, cap - file->len, in)) > 0;) {
        file->len += got;
        if (file->len == cap) file->bytes = realloc(file->bytes, cap *= 2);
    }
    fclose(in);
}

static void add_file(struct job *job, tk *handle, char *word) {
    struct tk_input_info info = { .name = word, .role = TK_ROLE_RECORDING, .core = -1 };
    char *core = strrchr(word, '@');
    uint32_t input;
    bool side = *word == '+';
    if (side) word++;
    if (core) *core = 0, info.core = atoi(core + 1);
    if (job->file_count == MAX_FILES) fail(word, "too many files");
    struct file *file = &job->files[job->file_count++];
    read_file(file, word);
    info.role = role_of(file->bytes, file->len, side);
    const char *slash = strrchr(word, '/');
    info.name = slash ? slash + 1 : word;
    if (tk_add_input(handle, &info, &input) != TK_OK || begin_dump(handle, input, file->bytes, file->len) != TK_OK)
        fail(word, tk_error_text(handle));
}

static int stage_of(const char *name) {
    static const char *const names[] = { "frames", "records", "events", "tracks" };
    for (int i = 0; i < 4; i++)
        if (!strcmp(name, names[i])) return i;
    fail(name, "no such stage");
    return -1;
}

static void parse(struct job *job, tk *handle, int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        char *word = argv[i], *equals = strchr(word, '=');
        if (!strcmp(word, "--chunk")) job->chunk = strtoul(argv[++i], NULL, 10);
        else if (!strcmp(word, "--dump")) job->stage = stage_of(argv[++i]);
        else if (!strcmp(word, "--json")) job->json = true;
        else if (!strcmp(word, "--report")) job->report = true;
        else if (!strcmp(word, "--pipe")) job->pipe = true;
        else if (!strcmp(word, "--out")) job->out_path = argv[++i];
        else if (equals && *word != '/') {
            *equals = 0;
            if (tk_set_option(handle, word, equals + 1) != TK_OK) fail(word, tk_error_text(handle));
        } else add_file(job, handle, word);
    }
}

// With chunks of the usual size symbols are read by ranges, with smaller ones from the first byte on: the result is the
// same.
static void feed_ranges(struct job *job, tk *handle, uint32_t input) {
    struct file *file = &job->files[input];
    uint64_t offset;
    size_t len;
    while (job->chunk > 4096 && !file->at && tk_wanted_range(handle, input, file->len, &offset, &len)) {
        if (tk_feed_range(handle, input, file->bytes + offset, len) != TK_OK) return;
        if (!tk_wanted_range(handle, input, file->len, &offset, &len)) file->at = file->len;
    }
}

static tk_status feed_all(struct job *job, tk *handle) {
    for (;;) {
        int32_t wanted = tk_wanted_input(handle);
        size_t consumed;
        if (wanted == TK_NO_INPUT) return TK_OK;
        if (wanted == TK_ANY_INPUT)
            for (wanted = 0; job->files[wanted].ended; wanted++) {}
        struct file *file = &job->files[wanted];
        feed_ranges(job, handle, (uint32_t)wanted);
        size_t left = file->len - file->at, step = left < job->chunk ? left : job->chunk;
        file->ended = !left;
        tk_status status = left ? tk_feed(handle, (uint32_t)wanted, file->bytes + file->at, step, &consumed)
                                : tk_end_input(handle, (uint32_t)wanted);
        if (status != TK_OK) return status;
        if (left) file->at += consumed;
    }
}

int main(int argc, char **argv) {
    static struct job job = { .chunk = 1 << 20, .stage = -1 };
    const struct tk_allocator allocator = { resize, NULL };
    tk *handle;
    if (argc == 2 && !strcmp(argv[1], "--schema")) return (int)tk_schema_json(print_text, NULL);
    if (tk_new(&allocator, &handle) != TK_OK) return TK_NO_MEMORY;
    parse(&job, handle, argc, argv);
    if (job.out_path && !(job.out = fopen(job.out_path, "wb"))) fail(job.out_path, "cannot be written");
    const struct tk_sink sink = { &job, write_trace, job.pipe ? NULL : rewrite_head };
    tk_status status = job.stage < 0 ? tk_set_sink(handle, &sink)
                                     : tk_set_dump(handle, (tk_dump_stage)job.stage, job.json, print_line, NULL);
    if (status == TK_OK) status = feed_all(&job, handle);
    tk_status finished = tk_finish(handle);
    if (status == TK_OK) status = finished;
    if (status != TK_OK) fprintf(stderr, "%s: %s\n", tk_status_text(status), tk_error_text(handle));
    if (job.report && tk_report_json(handle, print_text, NULL) != TK_OK) status = TK_SINK_REFUSED;
    if (job.out && fclose(job.out)) status = TK_SINK_REFUSED;
    for (uint32_t i = 0; i < job.file_count; i++) free(job.files[i].bytes);
    tk_free(handle);
    return (int)status;
}
