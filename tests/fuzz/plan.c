// SPDX-License-Identifier: MIT
//
// The plan for any names, facts and overrides of inputs. Each input has one role, recordings are in one group of their
// format, groups are numbered in order, no core occurs twice in a group, a recording without a common clock is alone in
// its group, a side input belongs only to its own format, and each decision has a reason. Without overrides and with
// different names, the order of the inputs changes only the numbers.
#include <string.h>

#include "common/check.h"
#include "common/take.h"
#include "tonkopf.h"

enum { FILES = 6, NAME_LEN = 24 };

static struct tk_probe probes[FILES];
static char file_names[FILES][NAME_LEN];

static void choose_name(struct take *from, char *name) {
    static const char *const names[] = { "run@0",     "run@1",     "run@31",      "run@32",
                                         "trace.bin", "core0.bin", "x.cpu-1.hex", "" };
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

static void choose_probe_result(struct take *from, struct tk_probe *probe) {
    static const char *const modes[] = { "", "bare-metal", "free-rtos" };
    unsigned flags = take_byte(from);
    memset(probe, 0, offsetof(struct tk_probe, tasks));
    probe->task_count = probe->idle_core_mask = 0;
    if (flags & 1) probe->format = flags & 2 ? flags & 128 ? "vcd" : "qs" : "tonbandgeraet", probe->confidence = 90;
    strcpy(probe->mode, modes[(flags >> 2) % 3]);
    probe->header = (tk_header)((flags >> 2) % 3);
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

static void choose_overrides(struct take *from, struct tk_plan_input *input) {
    unsigned overrides = take_byte(from);
    *input = (struct tk_plan_input){ .name = input->name,
                                     .probe = input->probe,
                                     .found_core = -1,
                                     .role = TK_PLAN_AUTO,
                                     .core = -1,
                                     .with = TK_PLAN_AUTO };
    if (overrides & 1) input->core = (int32_t)(take_byte(from) % TK_MAX_CORES);
    if (overrides & 2) input->container = take_byte(from) & 3;
    if (overrides & 4) input->found_core = (int32_t)(take_byte(from) % TK_MAX_CORES);
    if (overrides & 8) input->role = (int32_t)(take_byte(from) % (TK_ROLE_NONE + 1));
    if (overrides & 16) input->with = (int32_t)(take_byte(from) & 7) - 1;
    if (overrides & 32) input->format = overrides & 64 ? "qs" : "tonbandgeraet";
}

static void check_input(const struct tk_plan_input *in) {
    check((unsigned)in->out_role <= TK_ROLE_NONE);
    check((in->out_role == TK_ROLE_RECORDING) == (in->out_group != TK_NO_GROUP));
    check(in->out_format || (in->out_role != TK_ROLE_RECORDING && in->out_role != TK_ROLE_NAMES));
    check(memchr(in->out_reason, 0, sizeof in->out_reason) && in->out_reason[0]);
    check(in->out_core >= -1 && in->out_core < TK_MAX_CORES);
}

static void check_groups(const struct tk_plan_input *inputs, size_t count) {
    uint32_t groups = 0, places = 0;
    for (size_t i = 0; i < count; i++) {
        const struct tk_plan_input *in = &inputs[i];
        check_input(in);
        places |= 1u << in->out_order;
        if (in->out_group == TK_NO_GROUP) continue;
        check(in->out_group <= groups);
        groups += in->out_group == groups;
        for (size_t j = 0; j < i; j++) {
            if (inputs[j].out_group != in->out_group) continue;
            check(!strcmp(inputs[j].out_format, in->out_format) && inputs[j].out_core >= 0 &&
                  inputs[j].out_core != in->out_core);
            check(strcmp(in->out_format, "vcd"));
            check(in->probe->header != TK_HEADER_PRESENT || inputs[j].probe->header != TK_HEADER_PRESENT);
        }
    }
    check(places == (1u << count) - 1);
}

static void check_sides(const struct tk_plan_input *inputs, size_t count) {
    for (size_t i = 0; i < count; i++) {
        unsigned served = 0;
        for (size_t j = 0; j < count; j++) {
            if (!tk_plan_serves(inputs, count, i, inputs[j].out_group)) continue;
            check(inputs[j].out_order > inputs[i].out_order);
            check(inputs[i].out_role != TK_ROLE_NAMES || !strcmp(inputs[i].out_format, inputs[j].out_format));
            served++;
        }
        check((served > 0) == (inputs[i].out_role != TK_ROLE_RECORDING && inputs[i].out_role != TK_ROLE_NONE));
        check(!tk_plan_serves(inputs, count, i, TK_NO_GROUP));
    }
}

static bool is_undecided(const struct tk_plan_input *inputs, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (inputs[i].with >= 0) return true;
        for (size_t j = 0; j < i; j++)
            if (!strcmp(inputs[i].name, inputs[j].name)) return true;
    }
    return false;
}

// The same inputs in reverse order.
static void check_turned(const struct tk_plan_input *inputs, size_t count) {
    struct tk_plan_input turned[FILES];
    if (is_undecided(inputs, count)) return;
    for (size_t i = 0; i < count; i++) turned[i] = inputs[count - 1 - i];
    tk_plan(turned, count);
    for (size_t i = 0; i < count; i++) {
        check(turned[i].out_role == inputs[count - 1 - i].out_role &&
              !strcmp(turned[i].out_reason, inputs[count - 1 - i].out_reason));
        for (size_t j = 0; j < i; j++)
            check((turned[i].out_group == turned[j].out_group) ==
                  (inputs[count - 1 - i].out_group == inputs[count - 1 - j].out_group));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len) {
    struct take from = { data, data + len };
    struct tk_plan_input inputs[FILES];
    size_t count = take_byte(&from) % (FILES + 1), stem;
    for (size_t i = 0; i < count; i++) {
        choose_name(&from, file_names[i]);
        choose_probe_result(&from, &probes[i]);
        inputs[i] = (struct tk_plan_input){ .name = file_names[i], .probe = &probes[i] };
        choose_overrides(&from, &inputs[i]);
        int32_t named = tk_core_from_name(file_names[i], &stem);
        check(named >= -1 && named < TK_MAX_CORES && stem <= strlen(file_names[i]));
    }
    tk_plan(inputs, count);
    check_groups(inputs, count);
    check_sides(inputs, count);
    check_turned(inputs, count);
    return 0;
}
