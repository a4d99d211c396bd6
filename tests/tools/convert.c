// SPDX-License-Identifier: MIT
//
// convert TRACE REPORT [KEY=VALUE ...] -- [-s SIDE_FILE ...] FILE[@CORE] ... Converts binary files without the
// recognition and unpacking of the command line program: for tests of the output.
#include "../../core/tonkopf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/role.h"

struct input {
    FILE *file;
    uint8_t block[4096];
    size_t at, len;
    uint32_t id;
    bool ended;
};

static void *reallocate(void *ctx, void *ptr, size_t old_size, size_t new_size) {
    (void)ctx;
    (void)old_size;
    if (new_size) return realloc(ptr, new_size);
    free(ptr);
    return NULL;
}

static bool write_bytes(void *ctx, const uint8_t *bytes, size_t len) { return fwrite(bytes, 1, len, ctx) == len; }
static bool write_head(void *ctx, const uint8_t *bytes, size_t len) {
    return !fseek(ctx, 0, SEEK_SET) && write_bytes(ctx, bytes, len) && !fseek(ctx, 0, SEEK_END);
}

static bool write_text(void *ctx, const char *text, size_t len) { return fwrite(text, 1, len, ctx) == len; }

static int fail(const char *what, const char *why) {
    fprintf(stderr, "convert: %s: %s\n", what, why);
    return 1;
}

static bool open_input(tk *handle, char *argument, bool side, struct input *input) {
    struct tk_input_info info = { .name = argument, .core = -1 };
    char *at = strrchr(argument, '@');
    if (at) {
        info.core = atoi(at + 1);
        *at = '\0';
    }
    input->file = fopen(argument, "rb");
    if (!input->file) return false;
    input->len = fread(input->block, 1, sizeof input->block, input->file);
    info.role = role_of(input->block, input->len, side);
    return tk_add_input(handle, &info, &input->id) == TK_OK;
}

static tk_status feed_some(tk *handle, struct input *input) {
    if (input->at == input->len) {
        input->len = fread(input->block, 1, sizeof input->block, input->file);
        input->at = 0;
    }
    if (!input->len) {
        input->ended = true;
        return tk_end_input(handle, input->id);
    }
    size_t consumed = 0;
    tk_status status = tk_feed(handle, input->id, input->block + input->at, input->len - input->at, &consumed);
    input->at += consumed;
    return status;
}

static tk_status feed_all(tk *handle, struct input *inputs, int count) {
    tk_status status = TK_OK;
    for (int32_t wanted; status == TK_OK && (wanted = tk_wanted_input(handle)) != TK_NO_INPUT;) {
        int index = 0;
        while (index < count && (inputs[index].ended || (wanted >= 0 && inputs[index].id != (uint32_t)wanted))) index++;
        if (index == count) break;
        status = feed_some(handle, &inputs[index]);
    }
    return status;
}

int main(int argc, char **argv) {
    static struct input inputs[TK_MAX_INPUTS];
    struct tk_allocator allocator = { reallocate, NULL };
    tk *handle;
    int count = 0, at = 3;
    if (argc < 4) return fail("usage", "convert TRACE REPORT [KEY=VALUE ...] -- [-s SIDE_FILE ...] FILE[@CORE] ...");
    if (tk_new(&allocator, &handle) != TK_OK) return fail("start", "no memory");
    for (; at < argc && strcmp(argv[at], "--"); at++) {
        char *value = strchr(argv[at], '=');
        if (!value) return fail(argv[at], "is no KEY=VALUE");
        *value++ = '\0';
        if (tk_set_option(handle, argv[at], value) != TK_OK) return fail(argv[at], tk_error_text(handle));
    }
    for (at++; at < argc && count < TK_MAX_INPUTS; at++) {
        bool side = !strcmp(argv[at], "-s") && at + 1 < argc;
        at += side;
        if (!open_input(handle, argv[at], side, &inputs[count++])) return fail(argv[at], "cannot be opened");
    }
    struct tk_sink sink = { .ctx = fopen(argv[1], "wb"), .write = write_bytes, .rewrite_head = write_head };
    FILE *report = fopen(argv[2], "wb");
    if (!sink.ctx || !report || tk_set_sink(handle, &sink) != TK_OK) return fail(argv[1], "cannot be written");
    tk_status status = feed_all(handle, inputs, count);
    tk_status end = tk_finish(handle);
    if (status == TK_OK) status = end;
    if (status != TK_OK) fail(tk_status_text(status), tk_error_text(handle));
    bool written = tk_report_json(handle, write_text, report) == TK_OK && !fclose(sink.ctx) && !fclose(report);
    for (int i = 0; i < count; i++) fclose(inputs[i].file);
    tk_free(handle);
    return status == TK_OK && written ? 0 : 1;
}
