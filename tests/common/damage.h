// SPDX-License-Identifier: MIT
// For the damage trial: the events of a recording, and how much those of a damaged copy differ.
#ifndef TK_TESTS_DAMAGE_H
#define TK_TESTS_DAMAGE_H

#include "../../core/model/event/event.h"
#include "pump.h"

// An event as passed to the model, except problems.
struct damage_event {
    uint64_t ticks;  // on the trace clock
    uint64_t hash;   // hash of all fields of its frame
    uint64_t text;   // hash of its text, 0: no text
    uint32_t offset; // offset of its frame
    uint32_t id;
    uint8_t kind, core, input;
    bool timed;   // contained in its own frame
    bool derived; // depends on the frames around it too
};

// A name (or the tick length) at the end of the conversion.
struct damage_metadata {
    uint32_t id;
    uint8_t core; // interrupts
    uint8_t type; // enum tk_entity_type; TK_ENTITY_TYPES: the tick length
    uint64_t hash;
};

struct damage_reading {
    tk_status status;
    struct damage_event *events;
    struct damage_metadata *metadata;
    size_t event_count, event_cap, metadata_count, metadata_capacity;
    bool numbered;    // frames of the format are numbered: the frame after a lost one shows the loss
    bool by_record;   // frames have no delimiter, and their meaning depends on those before: the bytes of each
                      // record are compared
    bool no_times;    // and its time, if it has one
    bool has_head;    // the first record determines how the others are decoded
    uint64_t noticed; // number of problems of damage and loss
};

// Reads all files of the job as one recording and checks the library's account of the bytes. Arrays are reused.
void damage_read(const struct pump_job *job, struct damage_reading *out_reading);
void damage_free(struct damage_reading *reading);

// The bytes [from, to) of a file were replaced by `len` others.
struct damage_place {
    size_t file, from, to, len;
    // Frames of the undamaged file that overlap the damage, and the one after them if a delimiter was damaged: [first,
    // end)
    size_t first, end;
    size_t frames; // number of frames
    bool cut;      // no frame follows
};

void damage_touch(const struct pump_file *file, uint8_t delimiter, struct damage_place *place);
// The frames for formats without delimiters, by the records of the undamaged reading: the five before may need later
// ones as confirmation, and `reach` bytes after the damage are needed to find the next one. longest: bytes of a record
// (0: any); more bytes between two records are a header, on which all following records depend.
void damage_touch_records(const struct damage_reading *good, size_t file_len, size_t reach, size_t longest,
                          struct damage_place *place);

struct damage_result {
    uint64_t lost;            // missing events of damaged frames
    uint64_t changed;         // extra events in their place
    bool false_time_accepted; // one of the extra events has a time of its own that the undamaged recording does not
                              // contain
    uint64_t missing;         // events of other frames that are missing or differ
    uint64_t moved;           // with another time
    uint64_t moved_times, last_moved; // number of different times among them; the last one
    uint64_t max_move;                // difference in ticks
    uint64_t misplaced;               // on another core
    bool core_heals;                  // correct again from the next core switch on
    uint64_t metadata;                // names and tick length that differ at the end
    uint64_t unhealed; // core, name or tick length still wrong although a later undamaged frame of the input contains
                       // it
    bool tick_differs;
    uint64_t origin;   // the time axis begins later by this; modulo 2^64
    bool core_id_seen; // by an undamaged frame after the damage
};

void damage_compare(const struct damage_reading *good, const struct damage_reading *bad,
                    const struct damage_place *place, struct damage_result *out_result);

#endif
