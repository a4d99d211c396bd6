// SPDX-License-Identifier: MIT
//
// Which files belong to one recording. Public functions tk_group and tk_core_from_name.
#include <string.h>

#include "tonkopf.h"

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c; }

static bool starts_with(const char *text, const char *word) {
    for (; *word; text++, word++)
        if (lower(*text) != *word) return false;
    return true;
}

// Number at `text` if it is a core number and ends there as one should; -1 otherwise.
static int32_t core_number(const char *text, bool to_the_end) {
    int32_t number = 0;
    size_t digits = 0;
    for (; is_digit(text[digits]) && digits < 3; digits++) number = number * 10 + (text[digits] - '0');
    if (!digits || is_digit(text[digits]) || number >= TK_MAX_CORES) return -1;
    if (to_the_end && text[digits]) return -1;
    return number;
}

int32_t tk_core_from_name(const char *name, size_t *out_stem_len) {
    int32_t core = -1;
    *out_stem_len = strlen(name);
    const char *at_sign = strrchr(name, '@');
    if (at_sign && (core = core_number(at_sign + 1, true)) >= 0) {
        *out_stem_len = (size_t)(at_sign - name);
        return core;
    }
    for (const char *at = name; *at; at++) {
        bool letter_before = at > name && lower(at[-1]) >= 'a' && lower(at[-1]) <= 'z';
        size_t word = starts_with(at, "core") ? 4 : starts_with(at, "cpu") ? 3 : 0;
        if (!word || letter_before) continue;
        const char *digits = at + word + (at[word] == '-' || at[word] == '_' || at[word] == ' ' || at[word] == '.');
        int32_t found = core_number(digits, false);
        if (found < 0) continue;
        core = found;
        *out_stem_len = (size_t)(at - name);
    }
    return core;
}

// ---- Evidence ----------------------------------------------------------------------------------

static bool overlap(const struct tk_probe *a, const struct tk_probe *b) {
    return a->first_ticks <= b->last_ticks && b->first_ticks <= a->last_ticks;
}

static int find(const struct tk_probe *probe, uint32_t id) {
    for (uint32_t i = 0; i < probe->task_count; i++)
        if (probe->tasks[i].id == id) return (int)i;
    return -1;
}

// Two files of one run never create a task twice, never name it differently and never have the same idle core.
static bool contradict(const struct tk_probe *a, const struct tk_probe *b) {
    if (a->idle_core_mask & b->idle_core_mask) return true;
    if (a->tick_ns && b->tick_ns && a->tick_ns != b->tick_ns) return true;
    for (uint32_t i = 0; i < a->task_count; i++) {
        int j = find(b, a->tasks[i].id);
        if (j < 0) continue;
        if (a->tasks[i].created && b->tasks[j].created) return true;
        if (a->tasks[i].named && b->tasks[j].named) return true; // each is named where it was created
    }
    return false;
}

// Tasks that run here and are named only there, or the other way round.
static bool lean_on(const struct tk_probe *a, const struct tk_probe *b) {
    for (uint32_t i = 0; i < a->task_count; i++) {
        int j = find(b, a->tasks[i].id);
        if (j >= 0 && a->tasks[i].runs && !a->tasks[i].named && b->tasks[j].named) return true;
    }
    return false;
}

static bool same_stem(const struct tk_group_file *a, const struct tk_group_file *b) {
    size_t a_len, b_len;
    int32_t a_core = tk_core_from_name(a->name, &a_len), b_core = tk_core_from_name(b->name, &b_len);
    return a_core >= 0 && b_core >= 0 && a_core != b_core && a_len == b_len && !memcmp(a->name, b->name, a_len);
}

static bool may_join(const struct tk_group_file *a, const struct tk_group_file *b) {
    return a->probe->format && b->probe->format && !strcmp(a->probe->format, b->probe->format) &&
           !(a->probe->cores_mask & (a->probe->cores_mask - 1)) && !(b->probe->cores_mask & (b->probe->cores_mask - 1));
}

static const char by_tasks[] = "tasks of one file are named in the other and their times overlap";

static const char *join_reason(const struct tk_group_file *a, const struct tk_group_file *b) {
    if (!may_join(a, b)) return NULL;
    if (a->core >= 0 && b->core >= 0) return a->core != b->core ? "the cores were given" : NULL;
    if (same_stem(a, b)) return "the file names name the cores";
    if (overlap(a->probe, b->probe) && !contradict(a->probe, b->probe) && (lean_on(a->probe, b->probe) || lean_on(b->probe, a->probe)))
        return by_tasks;
    return NULL;
}

// Room in the group of an earlier file: its core is not there yet, and none of the members speaks against it.
static bool fits(const struct tk_group_file *files, size_t at, uint32_t group, const char *reason) {
    for (size_t i = 0; i < at; i++) {
        if (files[i].out_group != group) continue;
        if (files[i].out_core >= 0 && files[i].out_core == files[at].out_core) return false;
        if (reason == by_tasks && contradict(files[i].probe, files[at].probe)) return false;
    }
    return true;
}

static void number_cores(struct tk_group_file *files, size_t count, uint32_t group) {
    uint32_t used = 0, members = 0;
    for (size_t i = 0; i < count; i++) {
        if (files[i].out_group != group) continue;
        members++;
        if (files[i].out_core >= 0) used |= 1u << files[i].out_core;
    }
    if (members < 2) return;
    for (size_t i = 0; i < count; i++) {
        if (files[i].out_group != group || files[i].out_core >= 0) continue;
        int32_t core = 0;
        while (core < TK_MAX_CORES - 1 && used >> core & 1) core++;
        files[i].out_core = core;
        used |= 1u << core;
    }
}

// Joins an earlier file for a reason of this kind. Names say more than tasks, which may fit by chance.
static bool join(struct tk_group_file *files, size_t at, bool names) {
    for (size_t j = 0; j < at; j++) {
        const char *reason = join_reason(&files[j], &files[at]);
        if (!reason || names == (reason == by_tasks) || !fits(files, at, files[j].out_group, reason)) continue;
        files[at].out_group = files[j].out_group;
        files[at].out_reason = files[j].out_reason = reason;
        return true;
    }
    return false;
}

void tk_group(struct tk_group_file *files, size_t count) {
    uint32_t groups = 0;
    for (size_t i = 0; i < count; i++) {
        size_t stem;
        files[i].out_core = files[i].core >= 0 ? files[i].core : tk_core_from_name(files[i].name, &stem);
        files[i].out_group = UINT32_MAX;
        files[i].out_reason = "a recording of its own";
        if (!join(files, i, true) && !join(files, i, false)) files[i].out_group = groups++;
    }
    for (uint32_t group = 0; group < groups; group++) number_cores(files, count, group);
}
