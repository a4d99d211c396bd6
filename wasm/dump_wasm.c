// SPDX-License-Identifier: MIT
//
// Dumps. The page shows none and need not load this.
#include "instance.h"

int32_t tkw_dump(struct instance *instance, uint32_t stage, uint32_t json);
int32_t tkw_dump_only(struct instance *instance, uint32_t key_len, uint32_t value_len);

static bool write_line(void *ctx, const char *line, size_t len) {
    struct instance *instance = ctx;
    return tkw_put(&instance->at.output, line, len) && tkw_put(&instance->at.output, "\n", 1);
}

// Behind tkw_new without a trace: the lines of a tk_dump_stage are the output.
int32_t tkw_dump(struct instance *instance, uint32_t stage, uint32_t json) {
    tkw_begin(&instance->at);
    return tkw_end(&instance->at, tk_set_dump(instance->handle, (tk_dump_stage)stage, json != 0, write_line, instance));
}

// The input block holds key and value as for tkw_set_option.
int32_t tkw_dump_only(struct instance *instance, uint32_t key_len, uint32_t value_len) {
    tkw_begin(&instance->at);
    if (!instance->handle || key_len > TKW_INPUT_LEN / 4 || value_len > TKW_INPUT_LEN / 4)
        return tkw_end(&instance->at, TK_MISUSE);
    instance->at.input[key_len] = 0;
    instance->at.input[key_len + 1 + value_len] = 0;
    return tkw_end(&instance->at, tk_dump_only(instance->handle, (const char *)instance->at.input,
                                               (const char *)instance->at.input + key_len + 1));
}
