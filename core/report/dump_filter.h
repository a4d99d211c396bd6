// SPDX-License-Identifier: MIT
//
// Filters the events of a dump by kind, core and task.
#ifndef TK_REPORT_DUMP_FILTER_H
#define TK_REPORT_DUMP_FILTER_H

#include "../model/event/event.h"

enum tk_dump_only { TK_DUMP_ONLY_EVENT, TK_DUMP_ONLY_CORE, TK_DUMP_ONLY_TASK, TK_DUMP_ONLY_KEYS };
enum { TK_DUMP_FILTER_WORDS = 64, TK_DUMP_FILTER_TEXT = 128, TK_DUMP_FILTER_IDS = 16, TK_DUMP_FILTER_CORES = 32 };

struct tk_dump_word {
    uint8_t only; // enum tk_dump_only
    char text[TK_DUMP_FILTER_TEXT];
    uint32_t ids[TK_DUMP_FILTER_IDS]; // ids of the tasks with this name, or the number itself
    uint32_t id_count;
};

struct tk_dump_filter {
    struct tk_dump_word words[TK_DUMP_FILTER_WORDS];
    uint32_t count;
    struct {
        uint32_t id;
        bool runs;
    } running[TK_DUMP_FILTER_CORES]; // running task or active object, per core
};

// Adds a word. Words of the same key are alternatives; all keys must match. Returns false if there is no room or the
// text is invalid.
bool tk_dump_filter_add(struct tk_dump_filter *filter, enum tk_dump_only only, const char *text);
// Returns true if the dump shows the event. Call it for every event in order, because it follows names and running
// tasks.
bool tk_dump_filter_takes(struct tk_dump_filter *filter, const struct tk_event *event);
// Returns true if the dump shows a record with this name.
bool tk_dump_filter_takes_record(const struct tk_dump_filter *filter, const char *name, size_t len);

#endif
