// SPDX-License-Identifier: MIT
// convert RECORDING TRACE: the least that a program needs to convert one recording.
#include <stdio.h>
#include <tonkopf.h>

static bool write_file(void *ctx, const uint8_t *bytes, size_t len) { return fwrite(bytes, 1, len, ctx) == len; }
static bool write_text(void *ctx, const char *text, size_t len) { return fwrite(text, 1, len, ctx) == len; }

static bool rewrite_head(void *ctx, const uint8_t *bytes, size_t len) {
    rewind(ctx);
    return write_file(ctx, bytes, len);
}

int main(int argc, char **argv) {
    FILE *in = argc == 3 ? fopen(argv[1], "rb") : NULL, *out = in ? fopen(argv[2], "wb") : NULL;
    struct tk_sink sink = { out, write_file, rewrite_head };
    struct tk_input_info info = { argv[1], TK_ROLE_RECORDING, -1 };
    uint8_t chunk[65536];
    uint32_t input;
    size_t len, used;
    tk *handle;

    if (!out)
        return fputs("usage: convert RECORDING TRACE, of which the first can be read and the second written\n", stderr),
               2;
    if (tk_new(tk_libc_allocator(), &handle) != TK_OK) return 2;
    tk_status status = tk_set_sink(handle, &sink);
    if (status == TK_OK) status = tk_add_input(handle, &info, &input);
    while (status == TK_OK && (len = fread(chunk, 1, sizeof chunk, in)) > 0)
        status = tk_feed(handle, input, chunk, len, &used);
    if (status == TK_OK) status = tk_end_input(handle, input);
    if (status == TK_OK) status = tk_finish(handle);
    if (status == TK_OK) status = tk_report_text(handle, write_text, stdout);
    if (status != TK_OK) fprintf(stderr, "%s: %s\n", argv[1], tk_error_text(handle));
    tk_free(handle);
    fclose(in);
    return fclose(out) || status != TK_OK;
}
