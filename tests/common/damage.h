// SPDX-License-Identifier: MIT
// For the damage trial: what a recording says, event by event, and how far a damaged copy of it differs.
#ifndef TK_TESTS_DAMAGE_H
#define TK_TESTS_DAMAGE_H

#include "../../core/model/event/event.h"
#include "pump.h"

// An event as the model gets it; problems are not among them.
struct damage_event {
    uint64_t ticks;  // on the trace clock
    uint64_t hash;   // of everything that its frame says
    uint64_t text;   // of its text alone, 0: it has none
    uint32_t offset; // of its frame
    uint32_t id;
    uint8_t kind, core, input;
    bool timed;   // by its own frame
    bool derived; // follows from the frames around, too
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
    bool numbered;    // the frames of the format are: a lost one is seen behind it
    bool by_record;   // frames have no delimiter, and what they mean hangs on those before: what counts is how each
                      // record is read
    bool no_times;    // ... and its time, where it has one
    bool has_head;    // the first record tells how to read the others
    uint64_t noticed; // problems of damage and loss, how often
};

// Reads all files of the job as one recording; the library's account of the bytes is checked. Arrays are used again.
void damage_read(const struct pump_job *job, struct damage_reading *out_reading);
void damage_free(struct damage_reading *reading);

// The bytes [from, to) of a file were replaced by `len` others.
struct damage_place {
    size_t file, from, to, len;
    // Frames of the undamaged file that are touched, and the one behind them where a delimiter was: [first, end)
    size_t first, end;
    size_t frames; // how many
    bool cut;      // nothing follows
};

void damage_touch(const struct pump_file *file, uint8_t delimiter, struct damage_place *place);
// The same without delimiters, by the records of the undamaged reading: the five in front may need what follows them to
// be believed, and `reach` bytes behind are what it takes to find the next one. longest: bytes of a record (0: any);
// more between two is a header, on which all behind it hangs.
void damage_touch_records(const struct damage_reading *good, size_t file_len, size_t reach, size_t longest,
                          struct damage_place *place);

struct damage_result {
    uint64_t lost;            // events of touched frames that are missing
    uint64_t changed;         // events in their place that the undamaged recording does not have
    bool false_time_accepted; // one in their place has a time of its own that the undamaged recording does not have
    uint64_t missing;         // events of other frames that are missing, or that say something else
    uint64_t moved;           // ... with another time
    uint64_t moved_times, last_moved; // different times among them; the last one
    uint64_t max_move;                // by how much, ticks
    uint64_t misplaced;               // ... on another core
    bool core_heals;                  // from the next core switch on they are right again
    uint64_t metadata;                // names and tick length that differ at the end
    uint64_t unhealed; // core, name or tick length still wrong although an undamaged frame of the input told it later
    bool tick_differs;
    uint64_t origin;   // the time axis begins that much later; modulo 2^64
    bool core_id_seen; // by an undamaged frame behind the damage
};

void damage_compare(const struct damage_reading *good, const struct damage_reading *bad,
                    const struct damage_place *place, struct damage_result *out_result);

#endif
