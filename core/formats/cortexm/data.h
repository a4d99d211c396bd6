// SPDX-License-Identifier: MIT
//
// Logs and memory dumps: their tracks on the timeline and their tables in the report.
#ifndef TK_FORMATS_CORTEXM_DATA_H
#define TK_FORMATS_CORTEXM_DATA_H

#include "../../base/idmap.h"
#include "../../base/strtab.h"
#include "../../lookup/symbols.h"
#include "../../model/event/event.h"
#include "../../model/tables/table.h"
#include "../../model/time/batch.h"
#include "records.h"

enum { CM_MAX_TEXTS = 8192, CM_MAX_PLACES = 8192, CM_LAST_BYTES = 16 };

// Statistics of one log text.
struct cm_logged {
    uint32_t text;               // id in cm_data.texts
    uint64_t count, first, last; // ticks
};

// A range of memory that was dumped. Each address and length has an entry.
struct cm_place {
    uint32_t address, len;
    uint32_t lengths_before; // number of other lengths at this address
    uint32_t last_len;
    uint64_t count, last;
    uint8_t last_bytes[CM_LAST_BYTES];
};

struct cm_data {
    struct tk_alloc *alloc;
    struct tk_batch *batch;
    struct tk_symbols *symbols; // NULL: there is no file of symbols
    struct tk_strtab texts;
    struct cm_logged *logged;
    struct cm_place *places;
    uint32_t logged_count, logged_capacity, place_count, place_capacity;
    struct tk_idmap logged_by_text, place_by_key, lengths_by_address;
    uint64_t further_logs, overflow_dumps; // number of logs and dumps above the limits
    uint64_t bad_texts;                    // number of texts that are not UTF-8
    bool log_track_defined, group_track_defined;
};

// at: the fields that its events have in common. after: text about the function record before it; after_len 0: there
// was none.
void cm_data_log(struct cm_data *data, const struct cm_record *record, const struct tk_event *at, const char *after,
                 size_t after_len);
void cm_data_dump(struct cm_data *data, const struct cm_record *record, const struct tk_event *at);
extern const struct tk_table *const cm_data_table_list[];
void cm_data_tables(const struct cm_data *data, const struct tk_table_sink *sink);

#endif
