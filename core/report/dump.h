// SPDX-License-Identifier: MIT
//
// One line per item of a stage, as text or JSON, for users and golden tests. `input` is the name of an input.
#ifndef TK_REPORT_DUMP_H
#define TK_REPORT_DUMP_H

#include "../base/text.h"
#include "../model/event/event.h"
#include "../model/timeline/track_sink.h"
#include "dump_filter.h"

enum tk_dump_at {
    TK_DUMP_AT_FRAMES,
    TK_DUMP_AT_RECORDS,
    TK_DUMP_AT_EVENTS,
    TK_DUMP_AT_TRACKS,
    TK_DUMP_AT_OUTLINE,
    TK_DUMP_AT_VENDOR
}; // as tk_dump_stage of the public header

struct tk_dump {
    enum tk_dump_at stage;
    bool json;
    bool (*line)(void *ctx, const char *line, size_t len);
    void *ctx;
    bool refused;                  // `line` returned false
    bool is_first;                 // what comes next is the first of an object or array
    struct tk_dump_filter *filter; // NULL: everything is shown
    struct tk_text text;           // the line that is being put together; it grows
};

// One frame: offset, number, raw bytes, verdict. payload NULL: not decodable.
void tk_dump_frame(struct tk_dump *dump, const char *input, uint64_t offset, uint64_t number, const uint8_t *raw,
                   size_t raw_len, const uint8_t *payload, size_t payload_len, const char *verdict);
// One record as the format names it. field_names: zero-separated in the order id, arg, value, str of those that occur;
// ends with an empty name.
void tk_dump_record(struct tk_dump *dump, const char *input, const struct tk_event *event, const char *name,
                    const char *field_names);
// Text as it is, each line up to its newline.
void tk_dump_lines(struct tk_dump *dump, const char *text, size_t len);
// One event on the trace clock. tick_units: units of time per tick, of which a nanosecond has units_per_ns; 0: unknown.
void tk_dump_event(struct tk_dump *dump, const char *input, const struct tk_event *event, uint64_t tick_units,
                   uint64_t units_per_ns);
// A track sink that prints what it is told.
struct tk_track_sink tk_dump_track_sink(struct tk_dump *dump);

#endif
