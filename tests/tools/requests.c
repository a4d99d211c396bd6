// SPDX-License-Identifier: MIT
//
// requests OUTPUT [KEY=VALUE ...] --|--once NAME=FILE ... Performs the requests of one conversion, and prints each of
// them on a line, with the checksum of its bytes: for comparison with other hosts. The traces are written to OUTPUT0,
// OUTPUT1 ..., their reports to OUTPUT0.json ... --once: the files are sources that cannot seek.
#include "../../core/tonkopf.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SOURCES = 64, MOST_READ = 512 * 1024 };

struct files {
    FILE *sources[MOST_SOURCES], *copies[MOST_SOURCES];
    bool is_once;
    FILE *trace;
    const char *output;
    unsigned count; // number of outputs
};

static uint32_t crc_of(uint32_t crc, const void *data, size_t len) {
    const uint8_t *bytes = data;
    crc = ~crc;
    for (size_t i = 0; i < len; i++) {
        crc ^= bytes[i];
        for (int bit = 0; bit < 8; bit++) crc = (crc >> 1) ^ (0xedb88320u & (0u - (crc & 1)));
    }
    return ~crc;
}

static int fail(const char *what, const char *why) {
    fprintf(stderr, "requests: %s: %s\n", what, why);
    return 1;
}

static void print_bytes(const char *what, const void *bytes, size_t len) {
    printf("%s %zu %08" PRIx32 "\n", what, len, crc_of(0, bytes, len));
}

static FILE *open_output(const struct files *files, const char *ending) {
    char path[4096];
    snprintf(path, sizeof path, "%s%u%s", files->output, files->count, ending);
    return fopen(path, "wb+");
}

static void answer_read(tk_conversion *conversion, const struct tk_request *request, const struct files *files) {
    static uint8_t room[MOST_READ];
    size_t len = request->len < sizeof room ? request->len : sizeof room;
    FILE *file = files->sources[request->source];
    printf("read %" PRIu32 " %" PRIu64 " %zu: ", request->source, request->offset, request->len);
    if (fseek(file, (long)request->offset, SEEK_SET)) len = 0;
    len = fread(room, 1, len, file);
    print_bytes("answer", room, len);
    tk_conversion_answer(conversion, room, len, 0);
}

static bool keep(tk_conversion *conversion, const struct tk_request *request, struct files *files) {
    FILE **copy = &files->copies[request->source];
    printf("keep %" PRIu32 " ", request->source);
    print_bytes("of", request->bytes, request->len);
    if (!*copy) *copy = tmpfile();
    if (!*copy || fwrite(request->bytes, 1, request->len, *copy) != request->len) return false;
    if (!request->len) { // complete
        fclose(files->sources[request->source]);
        files->sources[request->source] = *copy;
    }
    tk_conversion_keep(conversion);
    return true;
}

struct report {
    FILE *file;
    uint32_t crc;
    size_t len;
};

static bool write_report(void *ctx, const char *text, size_t len) {
    struct report *report = ctx;
    report->crc = crc_of(report->crc, text, len);
    report->len += len;
    return fwrite(text, 1, len, report->file) == len;
}

static bool close_output(const tk_conversion *conversion, struct files *files) {
    struct report report = { .file = open_output(files, ".json") };
    printf("close %d\n", tk_conversion_exit_code(conversion));
    bool ok = report.file && tk_report_json(tk_conversion_handle(conversion), write_report, &report) == TK_OK;
    printf("report %zu %08" PRIx32 "\n", report.len, report.crc);
    if (report.file) ok &= !fclose(report.file);
    ok &= !fclose(files->trace);
    files->trace = NULL;
    files->count++;
    return ok;
}

static bool write_trace(const struct tk_request *request, FILE *trace) {
    bool is_head = request->kind == TK_REQUEST_REWRITE;
    print_bytes(is_head ? "rewrite" : "write", request->bytes, request->len);
    if (fseek(trace, 0, is_head ? SEEK_SET : SEEK_END)) return false;
    return fwrite(request->bytes, 1, request->len, trace) == request->len;
}

static bool perform(tk_conversion *conversion, const struct tk_request *request, struct files *files) {
    switch (request->kind) {
    case TK_REQUEST_READ: answer_read(conversion, request, files); return true;
    case TK_REQUEST_PLAN: puts("plan"); return true;
    case TK_REQUEST_OPEN:
        puts("open");
        files->trace = open_output(files, "");
        tk_conversion_open(conversion, true);
        return files->trace != NULL;
    case TK_REQUEST_WRITE:
    case TK_REQUEST_REWRITE: return write_trace(request, files->trace);
    case TK_REQUEST_CLOSE: return close_output(conversion, files);
    case TK_REQUEST_MESSAGE:
        printf("message %d %" PRIu32 " %s\n", (int)request->severity, request->source, request->text);
        return true;
    case TK_REQUEST_DISCARD: puts("discard"); return true;
    case TK_REQUEST_PROGRESS: return true;
    case TK_REQUEST_KEEP: return keep(conversion, request, files);
    case TK_REQUEST_DONE: printf("done %d\n", tk_conversion_exit_code(conversion)); return true;
    }
    return false;
}

static bool add_source(tk_conversion *conversion, char *argument, struct files *files) {
    uint32_t number;
    char *path = strchr(argument, '=');
    if (!path) return false;
    *path++ = '\0';
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END)) return false;
    struct tk_source_info info = { .name = argument,
                                   .size = files->is_once ? UINT64_MAX : (uint64_t)ftell(file),
                                   .is_seekable = !files->is_once,
                                   .encoding = TK_PLAN_AUTO,
                                   .role = TK_PLAN_AUTO,
                                   .core = TK_PLAN_AUTO };
    if (tk_conversion_add_source(conversion, &info, &number) != TK_OK || number >= MOST_SOURCES) return false;
    files->sources[number] = file;
    return true;
}

int main(int argc, char **argv) {
    static struct files files;
    tk_conversion *conversion;
    int at = 2;
    if (argc < 4) return fail("usage", "requests OUTPUT [KEY=VALUE ...] --|--once NAME=FILE ...");
    files.output = argv[1];
    if (tk_conversion_new(tk_libc_allocator(), &conversion) != TK_OK) return fail("start", "no memory");
    for (; at < argc && strncmp(argv[at], "--", 2) != 0; at++) {
        char *value = strchr(argv[at], '=');
        if (!value) return fail(argv[at], "is no KEY=VALUE");
        *value++ = '\0';
        if (tk_conversion_set(conversion, argv[at], value) != TK_OK)
            return fail(argv[at], tk_conversion_error(conversion));
    }
    files.is_once = at < argc && !strcmp(argv[at], "--once");
    for (at++; at < argc; at++)
        if (!add_source(conversion, argv[at], &files)) return fail(argv[at], "cannot be opened");
    bool ok = true;
    const struct tk_request *request;
    do {
        request = tk_conversion_next(conversion);
        ok = perform(conversion, request, &files);
    } while (ok && request->kind != TK_REQUEST_DONE);
    for (int i = 0; i < MOST_SOURCES; i++)
        if (files.sources[i]) fclose(files.sources[i]);
    tk_conversion_free(conversion);
    return ok ? 0 : fail("request", "it could not be performed");
}
