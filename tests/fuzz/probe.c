// SPDX-License-Identifier: MIT
//
// tk_probe on any first and last bytes, and tk_plan on its result. Byte 0: how the data is divided; 1: given cores.
#include <string.h>

#include "base/utf8.h"
#include "common/check.h"
#include "tonkopf.h"

enum { FILES = 4 };

static void check_probe(const struct tk_probe *probe) {
    check(memchr(probe->reason, 0, sizeof probe->reason));
    check(memchr(probe->mode, 0, sizeof probe->mode));
    check(tk_utf8_is_clean((const uint8_t *)probe->reason, strlen(probe->reason)));
    check(probe->confidence <= 100);
    check((probe->format != NULL) == (probe->confidence > 0));
    check(probe->valid <= probe->frames);
    check(probe->task_count <= sizeof probe->tasks / sizeof *probe->tasks);
    check(probe->format || probe->reason[0]); // every rejection has a message
}

static void check_plan(const struct tk_plan_input *files) {
    uint32_t groups = 0;
    for (size_t i = 0; i < FILES; i++) {
        check(files[i].out_reason[0]);
        check((files[i].out_role == TK_ROLE_RECORDING) == (files[i].out_group != TK_NO_GROUP));
        check(files[i].out_core >= -1 && files[i].out_core < TK_MAX_CORES);
        if (files[i].out_group == TK_NO_GROUP) continue;
        check(files[i].out_group <= groups);
        groups += files[i].out_group == groups;
        for (size_t j = 0; j < i; j++)
            check(files[i].out_group != files[j].out_group || files[i].out_core != files[j].out_core);
    }
}

// The bytes as a file name, up to the first zero.
static void check_name(const uint8_t *data, size_t len) {
    char name[64];
    size_t stem, name_len = len < sizeof name - 1 ? len : sizeof name - 1;
    memcpy(name, data, name_len);
    name[name_len] = 0;
    int32_t core = tk_core_from_name(name, &stem);
    check(core >= -1 && core < TK_MAX_CORES && stem <= strlen(name));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len) {
    static const char *const names[FILES] = { "run@0", "run@1", "trace.bin", "core2.bin" };
    struct tk_probe probes[FILES];
    struct tk_plan_input files[FILES];
    if (len < 2) return 0;
    unsigned division = data[0], cores = data[1];
    data += 2;
    len -= 2;
    check_name(data, len);
    for (size_t i = 0; i < FILES; i++) {
        size_t start = len * ((division >> 2 * i) & 3) / 4, head = (len - start) / (1 + (division & 1));
        tk_probe(data + start, head, i & 1 ? data + start + head : NULL, i & 1 ? len - start - head : 0, &probes[i]);
        check_probe(&probes[i]);
        int32_t core = (cores >> i & 1) ? (int32_t)(cores >> 4 & 7) : -1;
        files[i] = (struct tk_plan_input){ .name = cores & 0x80 ? "" : names[i],
                                           .probe = &probes[i],
                                           .found_core = -1,
                                           .role = TK_PLAN_AUTO,
                                           .core = core,
                                           .with = TK_PLAN_AUTO };
    }
    tk_plan(files, FILES);
    check_plan(files);
    return 0;
}
