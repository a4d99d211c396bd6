// SPDX-License-Identifier: MIT
//
// Enumerates the declarations of all tables of this build.
#include "analysis/analysis.h"
#include "handle.h"
#include "lookup/symbol_reader.h"
#include "report/report.h"
#include "report/schema.h"

#include <string.h>

// Returns NULL if no format of this build needs a tracker of this owner.
static const struct tk_tracker *tracker_of(unsigned owner) {
    for (size_t i = 0; i < tk_formats_len; i++) {
        const struct tk_decoder *decoder = tk_formats[i]->decoder;
        for (const struct tk_tracker *const *at = decoder ? decoder->trackers : NULL; at && *at; at++)
            if ((unsigned)(*at)->owner == owner) return *at;
    }
    return NULL;
}

// Returns false after the last list. *out_list may be NULL: an empty list.
static bool list_at(unsigned number, const struct tk_table *const **out_list) {
    static const struct tk_table *const symbols[] = { &tk_symbols_table_info, NULL };
    static const struct tk_table *const *const shared[] = {
        tk_findings_table_list, tk_handle_table_list, tk_model_table_list, tk_analysis_table_list, symbols,
        tk_verdict_table_list
    };
    enum { SHARED = sizeof shared / sizeof *shared };
    *out_list = NULL;
    if (number < SHARED) {
        *out_list = shared[number];
    } else if (number - SHARED < TK_OWNERS) {
        const struct tk_tracker *tracker = tracker_of(number - SHARED);
        if (tracker) *out_list = tracker->table_list;
    } else if (number - SHARED - TK_OWNERS < tk_formats_len) {
        const struct tk_decoder *decoder = tk_formats[number - SHARED - TK_OWNERS]->decoder;
        if (decoder) *out_list = decoder->table_list;
    } else {
        return false;
    }
    return true;
}

const struct tk_table *tk_schema_next(struct tk_schema_walk *walk) {
    const struct tk_table *const *list;
    for (; list_at(walk->list, &list); walk->list++, walk->index = 0)
        if (list && list[walk->index]) return list[walk->index++];
    return NULL;
}

const struct tk_table *tk_schema_table(const char *id) {
    struct tk_schema_walk walk = { 0 };
    const struct tk_table *table;
    do table = tk_schema_next(&walk);
    while (table && strcmp(table->id, id));
    return table;
}

const struct tk_column *tk_schema_column(const struct tk_table *table, const char *key) {
    for (uint32_t i = 0; table && i < table->column_count; i++)
        if (!strcmp(table->columns[i].key, key)) return &table->columns[i];
    return NULL;
}

bool tk_schema_rule(unsigned number, struct tk_schema_rule *out_rule) {
    struct tk_finder_text rule;
    if (!tk_finding_rule(number, &rule)) return false;
    *out_rule = (struct tk_schema_rule){ rule.id, rule.severity, rule.title, rule.threshold, rule.needs, rule.remedy };
    return true;
}
