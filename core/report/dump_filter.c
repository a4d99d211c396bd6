// SPDX-License-Identifier: MIT
#include "dump_filter.h"

#include <string.h>

static bool parse_u32(const char *text, uint32_t *out_number) {
    uint64_t number = 0;
    if (!*text) return false;
    for (; *text; text++) {
        if (*text < '0' || *text > '9') return false;
        number = number * 10 + (uint64_t)(*text - '0');
        if (number > UINT32_MAX) return false;
    }
    *out_number = (uint32_t)number;
    return true;
}

bool tk_dump_filter_add(struct tk_dump_filter *filter, enum tk_dump_only only, const char *text) {
    uint32_t number = 0;
    bool is_number = parse_u32(text, &number);
    if (filter->count == TK_DUMP_FILTER_WORDS || strlen(text) >= TK_DUMP_FILTER_TEXT) return false;
    if (only == TK_DUMP_ONLY_CORE && (!is_number || number >= TK_DUMP_FILTER_CORES)) return false;
    struct tk_dump_word *word = &filter->words[filter->count++];
    word->only = (uint8_t)only;
    memcpy(word->text, text, strlen(text) + 1);
    if (is_number) word->ids[word->id_count++] = number;
    return true;
}

// ---- Names of tasks, running tasks -------------------------------------------------------------

static int find_id(const struct tk_dump_word *word, uint32_t id) {
    for (uint32_t i = 0; i < word->id_count; i++)
        if (word->ids[i] == id) return (int)i;
    return -1;
}

// Follows names: a task may get another name, and another task may get its former name.
static void learn_name(struct tk_dump_filter *filter, const struct tk_event *event) {
    for (uint32_t i = 0; i < filter->count; i++) {
        struct tk_dump_word *word = &filter->words[i];
        uint32_t number;
        if (word->only != TK_DUMP_ONLY_TASK || parse_u32(word->text, &number)) continue;
        bool same = strlen(word->text) == event->str_len && !memcmp(word->text, event->str, event->str_len);
        uint32_t id = event->name.entity;
        int at = find_id(word, id);
        if (same && at < 0 && word->id_count < TK_DUMP_FILTER_IDS) word->ids[word->id_count++] = id;
        if (!same && at >= 0) word->ids[at] = word->ids[--word->id_count];
    }
}

static void follow(struct tk_dump_filter *filter, const struct tk_event *event) {
    if (event->kind == TK_EV_TASK_NAME || event->kind == TK_EV_SYMBOL_NAME) learn_name(filter, event);
    if (event->core >= TK_DUMP_FILTER_CORES) return;
    bool begins = event->kind == TK_EV_TASK_SWITCHED_IN || event->kind == TK_EV_RTC_STEP_BEGIN;
    if (begins) filter->running[event->core].id = tk_event_id(event);
    filter->running[event->core].runs |= begins;
}

static void follow_end(struct tk_dump_filter *filter, const struct tk_event *event) {
    bool ends = event->kind == TK_EV_RTC_STEP_END || event->kind == TK_EV_TASK_DELETED;
    if (ends && event->core < TK_DUMP_FILTER_CORES && filter->running[event->core].id == tk_event_id(event))
        filter->running[event->core].runs = false;
}

// Returns true if the subject of the event is a task or an active object. Symbols may be names of active objects.
static bool is_about_task(unsigned kind) {
    unsigned subject = tk_event_subjects[kind];
    return subject == TK_CLASS_TASK || subject == TK_CLASS_OBJECT || subject == TK_CLASS_SYMBOL;
}

// ---- Filtering ---------------------------------------------------------------------------------

static bool word_takes(const struct tk_dump_filter *filter, const struct tk_dump_word *word,
                       const struct tk_event *event) {
    if (word->only == TK_DUMP_ONLY_EVENT) return !strcmp(word->text, tk_event_title((enum tk_event_kind)event->kind));
    if (word->only == TK_DUMP_ONLY_CORE) return word->ids[0] == event->core;
    if (is_about_task(event->kind) && find_id(word, tk_event_id(event)) >= 0) return true;
    bool runs = event->core < TK_DUMP_FILTER_CORES && filter->running[event->core].runs;
    return runs && find_id(word, filter->running[event->core].id) >= 0;
}

static bool takes(const struct tk_dump_filter *filter, const struct tk_event *event) {
    bool asked[TK_DUMP_ONLY_KEYS] = { false }, taken[TK_DUMP_ONLY_KEYS] = { false };
    for (uint32_t i = 0; i < filter->count; i++) {
        const struct tk_dump_word *word = &filter->words[i];
        asked[word->only] = true;
        taken[word->only] |= word_takes(filter, word, event);
    }
    for (int only = 0; only < TK_DUMP_ONLY_KEYS; only++)
        if (asked[only] && !taken[only]) return false;
    return true;
}

bool tk_dump_filter_takes(struct tk_dump_filter *filter, const struct tk_event *event) {
    follow(filter, event);
    bool result = takes(filter, event);
    follow_end(filter, event);
    return result;
}

bool tk_dump_filter_takes_record(const struct tk_dump_filter *filter, const char *name, size_t len) {
    for (uint32_t i = 0; i < filter->count; i++)
        if (strlen(filter->words[i].text) == len && !memcmp(filter->words[i].text, name, len)) return true;
    return filter->count == 0;
}
