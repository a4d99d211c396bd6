// SPDX-License-Identifier: MIT
//
// The samples of a signal: in modules of formats that have signals.
#include "instance.h"

int32_t tkw_samples(struct instance *instance, uint32_t path_len);
int32_t tkw_end_samples(struct instance *instance);

static bool write_text(void *ctx, const char *text, size_t len) {
    struct instance *instance = ctx;
    return tkw_put(&instance->at.output, text, len);
}

// Behind tkw_new without a trace: the input block holds the path of the signal whose samples are the output.
int32_t tkw_samples(struct instance *instance, uint32_t path_len) {
    tkw_begin(&instance->at);
    if (!instance->handle || path_len > TKW_INPUT_LEN / 4) return tkw_end(&instance->at, TK_MISUSE);
    instance->at.input[path_len] = 0;
    return tkw_end(&instance->at,
                   tk_set_samples(instance->handle, (const char *)instance->at.input, write_text, instance));
}

// Behind tkw_finish: the last of them. TK_MISUSE: tkw_report tells why there are none.
int32_t tkw_end_samples(struct instance *instance) {
    tkw_begin(&instance->at);
    return tkw_end(&instance->at, tk_end_samples(instance->handle));
}
