// SPDX-License-Identifier: MIT
#include "pump.h"

#include "role.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct heap {
    const struct pump_how *how;
    struct pump_result *result;
    size_t fail_at; // allocation `fail_at` (from 1) and all later ones fail; 0: none
};

static void *counted_realloc(void *ctx, void *ptr, size_t old_size, size_t new_size) {
    struct heap *heap = ctx;
    struct pump_result *result = heap->result;
    if (new_size == 0) {
        if (ptr) result->bytes_in_use -= old_size;
        free(ptr);
        return NULL;
    }
    result->allocations++;
    if (heap->fail_at && result->allocations >= heap->fail_at) return NULL;
    void *grown = realloc(ptr, new_size);
    if (!grown) return NULL;
    result->bytes_in_use += new_size - (ptr ? old_size : 0);
    if (result->bytes_in_use > result->peak_bytes) result->peak_bytes = result->bytes_in_use;
    return grown;
}

static bool append(struct pump_bytes *to, const void *data, size_t len) {
    if (to->cap - to->len < len) {
        size_t cap = (to->len + len) * 2;
        uint8_t *grown = realloc(to->data, cap);
        if (!grown) abort();
        to->data = grown;
        to->cap = cap;
    }
    if (len > 0) memcpy(to->data + to->len, data, len);
    to->len += len;
    return true;
}

static bool refuses(struct heap *heap) { return ++heap->result->writes == heap->how->refuse_at; }

static bool write_trace(void *ctx, const uint8_t *bytes, size_t len) {
    struct heap *heap = ctx;
    return !refuses(heap) && append(&heap->result->output, bytes, len);
}

static bool rewrite_head(void *ctx, const uint8_t *bytes, size_t len) {
    struct heap *heap = ctx;
    struct pump_bytes *output = &heap->result->output;
    if (refuses(heap) || len > output->len) return false;
    memcpy(output->data, bytes, len);
    return true;
}

static bool write_line(void *ctx, const char *line, size_t len) {
    struct heap *heap = ctx;
    return !refuses(heap) && append(&heap->result->output, line, len) && append(&heap->result->output, "\n", 1);
}

static bool write_text(void *ctx, const char *text, size_t len) { return append(ctx, text, len); }

// ---- Arguments ---------------------------------------------------------------------------------------------------

static bool read_file(const char *path, struct pump_bytes *out_bytes) {
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        return false;
    }
    uint8_t block[4096];
    for (size_t len; (len = fread(block, 1, sizeof block, file)) > 0;) append(out_bytes, block, len);
    fclose(file);
    return true;
}

void pump_look(struct pump_file *file) {
    struct tk_probe probe;
    tk_probe(file->bytes.data, file->bytes.len, NULL, 0, &probe);
    file->role = role_by(&probe, file->side);
    file->is_dump = probe.is_dump;
    file->from = probe.from;
}

bool pump_read_job(int argc, char **argv, struct pump_job *out_job) {
    memset(out_job, 0, sizeof *out_job);
    int at = 0;
    for (; at < argc && strcmp(argv[at], "--") != 0; at++) {
        if (out_job->option_count < PUMP_MAX_OPTIONS) out_job->options[out_job->option_count++] = argv[at];
    }
    for (at++; at < argc && out_job->file_count < TK_MAX_INPUTS; at++) {
        struct pump_file *file = &out_job->files[out_job->file_count++];
        file->side = strcmp(argv[at], "-s") == 0 && at + 1 < argc;
        if (file->side) at++;
        char *core = strrchr(argv[at], '@');
        file->core = core ? atoi(core + 1) : -1;
        if (core) *core = '\0';
        const char *slash = strrchr(argv[at], '/');
        file->name = slash ? slash + 1 : argv[at];
        if (!read_file(argv[at], &file->bytes)) return false;
        pump_look(file);
    }
    if (out_job->file_count == 0) fputs("no input\n", stderr);
    return out_job->file_count > 0;
}

enum { MAX_WORDS = 64 + TK_MAX_INPUTS };

// Runs the job of one line; `words` contains the first `count` arguments. Returns false when the job fails.
static bool run_line(char *line, char **words, int count, int (*run)(int argc, char **argv)) {
    char *word = strtok(line, "\t");
    if (!word) return false;
    const char *name = word;
    puts(name);
    fflush(stdout);
    while ((word = strtok(NULL, "\t")) && count < MAX_WORDS - 1) words[count++] = word;
    words[count] = NULL;
    if (!word && run(count, words) == 0) return true;
    fprintf(stderr, "%s failed\n", name);
    return false;
}

static int run_list(int argc, char **argv, int (*run)(int argc, char **argv)) {
    struct pump_bytes list = { 0 };
    char *words[MAX_WORDS] = { argv[0] };
    int count = 1;
    bool is_good = true;
    if (argc > MAX_WORDS - 1 || !read_file(argv[1] + 1, &list) || !append(&list, "", 1)) return 2;
    for (int i = 2; i < argc; i++) words[count++] = argv[i];
    char *line = (char *)list.data;
    for (char *end; (end = strchr(line, '\n')); line = end + 1) {
        *end = '\0';
        if (!run_line(line, words, count, run)) is_good = false;
    }
    if (line == (char *)list.data) fputs("the list contains no job\n", stderr), is_good = false;
    free(list.data);
    return !is_good;
}

int pump_main(int argc, char **argv, int (*run)(int argc, char **argv)) {
    return argc > 1 && argv[1][0] == '@' ? run_list(argc, argv, run) : run(argc, argv);
}

void pump_free_job(struct pump_job *job) {
    for (size_t i = 0; i < job->file_count; i++) free(job->files[i].bytes.data);
}

// ---- Conversion ----------------------------------------------------------------------------------------------------

static tk_status set_option(tk *handle, const char *option) {
    const char *equals = strchr(option, '=');
    if (!equals) return TK_MISUSE;
    char key[64] = "";
    size_t len = (size_t)(equals - option);
    if (len >= sizeof key) return TK_MISUSE;
    memcpy(key, option, len);
    return tk_set_option(handle, key, equals + 1);
}

static tk_status set_options(tk *handle, const struct pump_job *job) {
    tk_status status = TK_OK;
    for (size_t i = 0; i < job->option_count && status == TK_OK; i++) status = set_option(handle, job->options[i]);
    return status;
}

static tk_status add_inputs(tk *handle, const struct pump_job *job, uint32_t *ids) {
    for (size_t i = 0; i < job->file_count; i++) {
        const struct pump_file *file = &job->files[i];
        const struct tk_input_info info = { file->name, file->role, file->core };
        tk_status status = tk_add_input(handle, &info, &ids[i]);
        if (status == TK_OK && file->is_dump) status = tk_begin_input_at(handle, ids[i], file->from);
        if (status != TK_OK) return status;
    }
    return TK_OK;
}

struct reading {
    const struct pump_job *job;
    const struct pump_how *how;
    struct pump_result *result;
    uint32_t ids[TK_MAX_INPUTS];
};

static size_t file_len(const struct reading *reading, size_t index) {
    const struct pump_file *file = &reading->job->files[index];
    size_t cut = file->side ? 0 : reading->how->cut;
    return file->bytes.len > cut ? file->bytes.len - cut : 0;
}

static tk_status feed_once(tk *handle, struct reading *reading, size_t index) {
    size_t left = file_len(reading, index) - reading->result->at[index];
    size_t chunk = reading->how->chunk && reading->how->chunk < left ? reading->how->chunk : left;
    if (left == 0) {
        reading->result->ended[index] = true;
        return tk_end_input(handle, reading->ids[index]);
    }
    // A separate copy, so that the sanitizer detects every read beyond it.
    uint8_t *copy = malloc(chunk);
    if (!copy) abort();
    memcpy(copy, reading->job->files[index].bytes.data + reading->result->at[index], chunk);
    size_t consumed = 0;
    tk_status status = tk_feed(handle, reading->ids[index], copy, chunk, &consumed);
    free(copy);
    reading->result->feeds++;
    reading->result->at[index] += consumed;
    if (status == TK_OK && consumed == 0 && tk_wanted_input(handle) == (int32_t)reading->ids[index]) {
        fputs("the library wants an input and takes nothing of it\n", stderr);
        abort();
    }
    return status;
}

static bool append_snapshot(void *ctx, const uint8_t *bytes, size_t len) { return append(ctx, bytes, len); }

static bool rewrite_snapshot(void *ctx, const uint8_t *bytes, size_t len) {
    struct pump_bytes *snapshot = ctx;
    memcpy(snapshot->data, bytes, len);
    return true;
}

// The output so far, and the snapshot.
static tk_status take_snapshot(tk *handle, struct heap *heap) {
    struct pump_result *result = heap->result;
    const struct tk_sink sink = { &result->snapshot, append_snapshot, rewrite_snapshot };
    result->snapshot.len = 0;
    append(&result->snapshot, result->output.data, result->output.len);
    return tk_snapshot(handle, &sink);
}

static tk_status take_failing_snapshots(tk *handle, struct heap *heap) {
    struct pump_result *result = heap->result;
    tk_status status;
    for (size_t n = 1;; n++) {
        size_t bytes_in_use = result->bytes_in_use;
        heap->fail_at = result->allocations + n;
        status = take_snapshot(handle, heap);
        heap->fail_at = 0;
        if (result->bytes_in_use != bytes_in_use) {
            fputs("a snapshot left memory behind\n", stderr);
            abort();
        }
        if (status != TK_NO_MEMORY) return status;
        result->failed_snapshots++;
    }
}

static tk_status feed_all(tk *handle, struct reading *reading, struct heap *heap) {
    tk_status status = TK_OK;
    for (int32_t wanted; status == TK_OK && (wanted = tk_wanted_input(handle)) != TK_NO_INPUT;) {
        size_t index = 0, feeds = reading->result->feeds;
        while (index < reading->job->file_count &&
               (reading->result->ended[index] || (wanted >= 0 && reading->ids[index] != (uint32_t)wanted)))
            index++;
        if (index == reading->job->file_count || (reading->how->stop_at && feeds == reading->how->stop_at)) break;
        status = feed_once(handle, reading, index);
        if (status == TK_OK && reading->result->feeds > feeds && reading->result->feeds == reading->how->snapshot_at)
            status = (reading->how->failing_first ? take_failing_snapshots : take_snapshot)(handle, heap);
    }
    return status;
}

static tk_status open_output(tk *handle, struct heap *heap) {
    const struct tk_sink sink = { heap, write_trace, rewrite_head };
    if (heap->how->dump < 0) return tk_set_sink(handle, &sink);
    return tk_set_dump(handle, (tk_dump_stage)heap->how->dump, false, write_line, heap);
}

// Every byte that was fed must be accounted for.
static void check_account(const tk *handle, const struct reading *reading) {
    for (size_t i = 0; i < reading->job->file_count; i++) {
        struct tk_account_sums sums;
        tk_get_account(handle, reading->ids[i], &sums);
        if (sums.fed == reading->result->at[i] && sums.fed == sums.decoded + sums.skipped + sums.left) continue;
        fprintf(stderr, "of %zu bytes %llu are decoded, %llu skipped, %llu left over\n", reading->result->at[i],
                (unsigned long long)sums.decoded, (unsigned long long)sums.skipped, (unsigned long long)sums.left);
        abort();
    }
}

static tk_status begin(tk *handle, const struct pump_job *job, struct heap *heap, uint32_t *ids) {
    tk_status status = set_options(handle, job);
    if (status == TK_OK) status = add_inputs(handle, job, ids);
    return status == TK_OK ? open_output(handle, heap) : status;
}

static tk_status convert(tk *handle, const struct pump_job *job, struct heap *heap) {
    struct reading reading = { .job = job, .how = heap->how, .result = heap->result };
    tk_status status = begin(handle, job, heap, reading.ids);
    if (status == TK_OK) status = feed_all(handle, &reading, heap);
    tk_status end = tk_finish(handle);
    check_account(handle, &reading);
    return status == TK_OK ? end : status;
}

void pump_run(const struct pump_job *job, const struct pump_how *how, struct pump_result *out_result) {
    memset(out_result, 0, sizeof *out_result);
    struct heap heap = { how, out_result, how->fail_alloc_at };
    const struct tk_allocator allocator = { counted_realloc, &heap };
    tk *handle = NULL;
    out_result->status = tk_new(&allocator, &handle);
    if (out_result->status == TK_OK) {
        out_result->status = convert(handle, job, &heap);
        snprintf(out_result->error, sizeof out_result->error, "%s", tk_error_text(handle));
        tk_status json = tk_report_json(handle, write_text, &out_result->report_json);
        tk_status text = tk_report_text(handle, write_text, &out_result->report_text);
        if (out_result->status == TK_OK) out_result->status = json != TK_OK ? json : text;
    }
    tk_free(handle);
}

void pump_free_result(struct pump_result *result) {
    free(result->output.data);
    free(result->report_json.data);
    free(result->report_text.data);
    free(result->snapshot.data);
}

bool pump_equal(const struct pump_bytes *a, const struct pump_bytes *b) {
    return a->len == b->len && (a->len == 0 || memcmp(a->data, b->data, a->len) == 0);
}
