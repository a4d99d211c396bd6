// SPDX-License-Identifier: MIT
//
// The state of a target during its recording. Files of several cores of one target share it.
#ifndef TK_FORMATS_TRACEALYZER_SESSION_H
#define TK_FORMATS_TRACEALYZER_SESSION_H

#include "map.h"
#include "order.h"
#include "timer.h"

struct psf_core {
    struct psf_clock clock;
    struct psf_order order;
    uint64_t last_ns;  // time of its last event
    uint64_t shift_ns; // added to its times, so that events after a reset of the target come after those before it
    uint64_t damaged;  // bytes since its last event that are no events
    uint32_t resets;   // resets so far; used if cores have files of their own
    uint16_t expected; // event counter of its next event
    bool seen;         // `last_ns` and `expected` are known
};

enum { PSF_RESETS = 16 };

struct psf_session {
    struct psf_layout layout;
    struct psf_header header;
    struct psf_timer timer;
    struct psf_map map;
    struct psf_core cores[PSF_MAX_CORES];
    uint64_t latest_ns; // latest time of all events
    uint64_t events;
    uint64_t reset_ns[PSF_RESETS]; // used if cores have files of their own: times of the latest resets, set by the
                                   // first file that contains each of them
    uint32_t resets;               // resets so far, in any file
    uint64_t header_count;         // number of events that the last header counts for in the event counter of its core
    uint32_t headers;              // headers so far
    uint32_t layout_number;        // number of headers so far that changed the layout of the records
    uint8_t upper;   // upper bits of the event counters in a stream without a header, as long as they do not change
    bool is_whole;   // the upper bits changed, so they are not the number of a core
    bool begins;     // the first event of a section is still to come
    uint32_t files;  // number of files with events that are not mapped yet
    bool translates; // the recording has several cores, so that events are mapped in the merge, in order of time
    uint64_t auto_isr_extension; // address of the extension whose codes are interrupt numbers; 0: unknown
    bool lacks_entries;          // the table of entries is damaged
    bool is_image;               // a memory image, whose tables contain the state at its end
};

#endif
