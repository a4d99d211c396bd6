// SPDX-License-Identifier: MIT
//
// Writes one line per item of a stage, as text or JSON, for users and golden tests. `input`: the name of an input.
#ifndef TK_REPORT_DUMP_H
#define TK_REPORT_DUMP_H

#include "../base/text.h"
#include "../model/event/event.h"
#include "../model/timeline/track_sink.h"
#include "dump_filter.h"

// Same values as tk_dump_stage of the public header.
enum tk_dump_at {
    TK_DUMP_AT_FRAMES,
    TK_DUMP_AT_RECORDS,
    TK_DUMP_AT_EVENTS,
    TK_DUMP_AT_TRACKS,
    TK_DUMP_AT_OUTLINE,
    TK_DUMP_AT_JOBS,
    TK_DUMP_AT_VENDOR
};

struct tk_dump {
    enum tk_dump_at stage;
    bool json;
    bool (*line)(void *ctx, const char *line, size_t len);
    void *ctx;
    bool refused;                  // `line` returned false
    bool is_first;                 // the next item is the first of an object or array
    struct tk_dump_filter *filter; // filter of the items; NULL: shows all
    struct tk_text text;           // the current line; it grows
};

// Dumps a frame: offset, number, raw bytes, result of decoding. payload NULL: it could not be decoded.
void tk_dump_frame(struct tk_dump *dump, const char *input, uint64_t offset, uint64_t number, const uint8_t *raw,
                   size_t raw_len, const uint8_t *payload, size_t payload_len, const char *verdict);
// Dumps a record under the names of the format. field_names: names of the fields in the slots ID, NUMBER and VALUE, and
// of str, that the record has, in this order, separated by zeros; ends with an empty name.
void tk_dump_record(struct tk_dump *dump, const char *input, const struct tk_event *event, const char *name,
                    size_t name_len, const char *field_names);
// Dumps text unchanged, one line per newline.
void tk_dump_lines(struct tk_dump *dump, const char *text, size_t len);
// Dumps an event on the trace clock. tick_units: time units per tick, where a nanosecond has units_per_ns; 0: unknown.
void tk_dump_event(struct tk_dump *dump, const char *input, const struct tk_event *event, uint64_t tick_units,
                   uint64_t units_per_ns);
// Returns a track sink that dumps its calls.
struct tk_track_sink tk_dump_track_sink(struct tk_dump *dump);

#endif
