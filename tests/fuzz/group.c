// SPDX-License-Identifier: MIT
//
// Which files belong together, for any names and any facts about them. Each file is in one group, groups are numbered in
// order, no core is twice in a group, and each decision has its words.
#include <string.h>

#include "common/check.h"
#include "common/take.h"
#include "tonkopf.h"

enum { FILES = 6, NAME_LEN = 24 };

static struct tk_probe probes[FILES];
static char file_names[FILES][NAME_LEN];

static void choose_name(struct take *from, char *name) {
    static const char *const names[] = { "run@0", "run@1", "run@31", "run@32", "trace.bin", "core0.bin", "x.cpu-1.hex", "" };
    unsigned choice = take_byte(from);
    size_t len;
    if (choice < 0x80) {
        strcpy(name, names[choice % 8]);
        return;
    }
    const uint8_t *bytes = take_bytes(from, choice % NAME_LEN, &len);
    memcpy(name, bytes, len);
    name[len] = 0;
}

static void choose_facts(struct take *from, struct tk_probe *probe) {
    static const char *const modes[] = { "", "bare-metal", "free-rtos" };
    unsigned flags = take_byte(from);
    memset(probe, 0, offsetof(struct tk_probe, tasks));
    probe->task_count = probe->idle_core_mask = 0;
    if (flags & 1) probe->format = flags & 2 ? "qs" : "tonbandgeraet", probe->confidence = 90;
    strcpy(probe->mode, modes[(flags >> 2) % 3]);
    probe->has_events = flags & 16;
    if (flags & 32) probe->cores_mask = (uint32_t)take_number(from);
    if (flags & 64) probe->idle_core_mask = (uint32_t)take_number(from);
    probe->first_ticks = take_number(from);
    probe->last_ticks = probe->first_ticks + take_number(from);
    unsigned tasks = take_byte(from) % 8;
    for (unsigned i = 0; i < tasks; i++) {
        unsigned task = take_byte(from);
        probe->tasks[i].id = task & 7;
        probe->tasks[i].name_hash = task >> 3 & 3;
        probe->tasks[i].named = task >> 5 & 1;
        probe->tasks[i].created = task >> 6 & 1;
        probe->tasks[i].runs = (uint8_t)(task >> 7);
    }
    probe->task_count = tasks;
}

static void check_groups(const struct tk_group_file *files, size_t count) {
    uint32_t groups = 0;
    for (size_t i = 0; i < count; i++) {
        check(files[i].out_group <= groups);
        groups += files[i].out_group == groups;
        check(files[i].out_reason && files[i].out_reason[0]);
        check(files[i].out_core >= -1 && files[i].out_core < TK_MAX_CORES);
        for (size_t j = 0; j < i; j++) check(files[i].out_group != files[j].out_group || files[i].out_core != files[j].out_core);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len) {
    struct take from = { data, data + len };
    struct tk_group_file files[FILES], again[FILES];
    size_t count = take_byte(&from) % (FILES + 1), stem;
    for (size_t i = 0; i < count; i++) {
        choose_name(&from, file_names[i]);
        choose_facts(&from, &probes[i]);
        unsigned core = take_byte(&from);
        files[i] = (struct tk_group_file){ .name = file_names[i], .probe = &probes[i], .core = core < 32 ? (int32_t)core : -1 };
        int32_t named = tk_core_from_name(file_names[i], &stem);
        check(named >= -1 && named < TK_MAX_CORES && stem <= strlen(file_names[i]));
    }
    memcpy(again, files, count * sizeof *files);
    tk_group(files, count);
    check_groups(files, count);
    tk_group(again, count);
    for (size_t i = 0; i < count; i++) check(files[i].out_group == again[i].out_group && files[i].out_core == again[i].out_core);
    return 0;
}
