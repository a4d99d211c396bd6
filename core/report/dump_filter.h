// SPDX-License-Identifier: MIT
//
// Which events a dump shows: some kinds, some cores, some tasks, a part of the time.
#ifndef TK_REPORT_DUMP_FILTER_H
#define TK_REPORT_DUMP_FILTER_H

#include "../model/event/event.h"

enum tk_dump_only { TK_DUMP_ONLY_EVENT, TK_DUMP_ONLY_CORE, TK_DUMP_ONLY_TASK, TK_DUMP_ONLY_KEYS };
enum { TK_DUMP_FILTER_WORDS = 64, TK_DUMP_FILTER_TEXT = 128, TK_DUMP_FILTER_IDS = 16, TK_DUMP_FILTER_CORES = 32 };

struct tk_dump_word {
    uint8_t only; // enum tk_dump_only
    char text[TK_DUMP_FILTER_TEXT];
    uint32_t ids[TK_DUMP_FILTER_IDS]; // of the tasks that bear this name, or the number itself
    uint32_t id_count;
};

struct tk_dump_filter {
    struct tk_dump_word words[TK_DUMP_FILTER_WORDS];
    uint32_t count;
    struct {
        uint32_t id;
        bool runs;
    } running[TK_DUMP_FILTER_CORES]; // task or active object, per core
};

// Several words of one kind widen it, several kinds narrow it. False: no room, or a text that cannot be.
bool tk_dump_filter_add(struct tk_dump_filter *filter, enum tk_dump_only only, const char *text);
// Every event has to pass here in order, since names and running tasks are followed.
bool tk_dump_filter_takes(struct tk_dump_filter *filter, const struct tk_event *event);
// Of a record: only its name counts.
bool tk_dump_filter_takes_record(const struct tk_dump_filter *filter, const char *name);

#endif
