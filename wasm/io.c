// SPDX-License-Identifier: MIT
#include "io.h"

#include <string.h>

static void *resize(void *ptr, size_t old_size, size_t new_size) {
    return tkw_heap.realloc(tkw_heap.ctx, ptr, old_size, new_size);
}

void tkw_bytes_free(struct tkw_bytes *bytes) { resize(bytes->data, bytes->cap, 0); }

void tkw_bytes_clear(struct tkw_bytes *bytes) {
    bytes->len = 0;
    bytes->failed = false;
}

static bool grow(struct tkw_bytes *to, size_t len) {
    if (len > SIZE_MAX - to->len) return false;
    size_t cap = to->cap ? to->cap : 64 * 1024;
    while (cap - to->len < len) cap = cap > SIZE_MAX / 2 ? SIZE_MAX : cap * 2;
    uint8_t *grown = resize(to->data, to->cap, cap);
    if (!grown) return false;
    to->data = grown;
    to->cap = cap;
    return true;
}

bool tkw_put(struct tkw_bytes *to, const void *data, size_t len) {
    if (!to->failed && len > to->cap - to->len) to->failed = !grow(to, len);
    if (to->failed) return false;
    if (len > 0) memcpy(to->data + to->len, data, len);
    to->len += len;
    return true;
}

void tkw_put_text(struct tkw_bytes *to, const char *text) { tkw_put(to, text, strlen(text)); }

void tkw_put_number(struct tkw_bytes *to, int64_t value) {
    char digits[24];
    size_t at = sizeof digits;
    uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    do digits[--at] = (char)('0' + rest % 10);
    while (rest /= 10);
    if (value < 0) digits[--at] = '-';
    tkw_put(to, digits + at, sizeof digits - at);
}

static void put_string(struct tkw_bytes *to, const char *text) {
    static const char hex[] = "0123456789abcdef";
    tkw_put_text(to, "\"");
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        char escaped[6] = { '\\', 'u', '0', '0', hex[c >> 4], hex[c & 15] };
        if (c < 0x20) tkw_put(to, escaped, 6);
        else if (c == '"' || c == '\\') tkw_put(to, (char[]){ '\\', (char)c }, 2);
        else tkw_put(to, text, 1);
    }
    tkw_put_text(to, "\"");
}

void tkw_put_key_string(struct tkw_bytes *to, const char *key, const char *value) {
    tkw_put_text(to, key);
    if (value) put_string(to, value);
    else tkw_put_text(to, "null");
}

void tkw_put_key_number(struct tkw_bytes *to, const char *key, uint64_t value) {
    tkw_put_text(to, key);
    tkw_put_number(to, (int64_t)value);
}

void tkw_put_key_bool(struct tkw_bytes *to, const char *key, bool value) {
    tkw_put_text(to, key);
    tkw_put_text(to, value ? "true" : "false");
}

struct tkw_instance *tkw_open(void);
void tkw_close(struct tkw_instance *instance);

// NULL: no memory.
struct tkw_instance *tkw_open(void) {
    struct tkw_instance *instance = resize(NULL, 0, sizeof *instance);
    if (!instance) return NULL;
    memset(instance, 0, sizeof *instance);
    instance->io.input = (uint32_t)(uintptr_t)instance->input;
    instance->io.input_len = TKW_INPUT_LEN;
    tkw_memory_open(&instance->memory);
    return instance;
}

void tkw_close(struct tkw_instance *instance) {
    tk_free(instance->handle);
    tk_conversion_free(instance->conversion);
    tkw_bytes_free(&instance->json);
    tkw_bytes_free(&instance->output);
    tkw_bytes_free(&instance->head);
    resize(instance, sizeof *instance, 0);
}

void tkw_begin(struct tkw_instance *instance) { tkw_bytes_clear(&instance->output); }

// A full memory in this glue shows up as a refusing sink inside.
int32_t tkw_end(struct tkw_instance *instance, tk_status status) {
    struct tkw_io *io = &instance->io;
    io->output = (uint32_t)(uintptr_t)instance->output.data;
    io->output_len = (uint32_t)instance->output.len;
    io->head = (uint32_t)(uintptr_t)instance->head.data;
    io->head_len = (uint32_t)instance->head.len;
    return instance->output.failed || instance->head.failed ? TK_NO_MEMORY : (int32_t)status;
}

bool tkw_take_pair(struct tkw_instance *instance, uint32_t key_len, uint32_t value_len, const char **out_key,
                   const char **out_value) {
    if (key_len > TKW_INPUT_LEN / 4 || value_len > TKW_INPUT_LEN / 4) return false;
    instance->input[key_len] = 0;
    instance->input[key_len + 1 + value_len] = 0;
    *out_key = (const char *)instance->input;
    *out_value = *out_key + key_len + 1;
    return true;
}

const tk *tkw_handle(const struct tkw_instance *instance) {
    return instance->conversion ? tk_conversion_handle(instance->conversion) : instance->handle;
}

static void put_counts(struct tkw_io *io, const struct tk_progress *progress) {
    io->bytes_in = (double)progress->bytes_in;
    io->events = (double)progress->events;
    io->bytes_out = (double)progress->bytes_out;
    io->skipped_until_ticks = (double)progress->skipped_until_ticks;
    io->is_complete = progress->is_complete;
    io->states = (double)progress->left_out.states;
    io->slices = (double)progress->left_out.slices;
    io->instants = (double)progress->left_out.instants;
    io->values = (double)progress->left_out.values;
    io->arguments = (double)progress->left_out.arguments;
}

int32_t tkw_end_counted(struct tkw_instance *instance, tk_status status) {
    const tk *handle = tkw_handle(instance);
    if (handle) {
        struct tk_progress progress;
        tk_get_progress(handle, &progress);
        put_counts(&instance->io, &progress);
        instance->io.wanted = tk_wanted_input(handle);
    }
    return tkw_end(instance, status);
}

int32_t tkw_status(struct tkw_instance *instance, uint32_t status);

// The sentence for a status.
int32_t tkw_status(struct tkw_instance *instance, uint32_t status) {
    tkw_begin(instance);
    tkw_put_text(&instance->output, tk_status_text((tk_status)status));
    return tkw_end(instance, TK_OK);
}
