// SPDX-License-Identifier: MIT
//
// Records to events of the model.
#ifndef TK_FORMATS_QS_MAP_H
#define TK_FORMATS_QS_MAP_H

#include "../../model/event/event.h"
#include "dictionary.h"

enum { QS_MAX_VALUES = 64, QS_TEXT_ROOM = 4096 };

// The fields of a record as values for users, and their texts.
struct qs_values {
    struct tk_value *list; // QS_MAX_VALUES long; for qs_map_fixed as long as the layout has details
    unsigned count;
    size_t used;
    char room[QS_TEXT_ROOM + 1];
};

// Adds all fields as recorded, for dumps. in_parts: a value for each number of a pair, and before the values of the
// application one with their widths.
void qs_values_plain(struct qs_values *values, const struct qs_record *record, uint8_t sequence, bool in_parts);
// Sets kind, the fields of the family, str and values. Returns false if there is nothing to show.
bool qs_map_fixed(struct qs_dictionary *dictionary, const struct qs_layout *layout, const uint8_t *payload,
                  struct qs_values *values, struct tk_event *event);
bool qs_map(struct qs_dictionary *dictionary, const struct qs_record *record, struct qs_values *values,
            struct tk_event *event);

#endif
