// SPDX-License-Identifier: MIT
//
// What is known of a target while it is recorded, whatever file its events stand in: files of its other cores share it.
#ifndef TK_FORMATS_TRACEALYZER_SESSION_H
#define TK_FORMATS_TRACEALYZER_SESSION_H

#include "map.h"
#include "order.h"
#include "timer.h"

struct psf_core {
    struct psf_clock clock;
    struct psf_order order;
    uint64_t last_ns;  // of its last event
    uint64_t shift_ns; // added to its times: what follows a reset of the target stands behind what was before
    uint64_t damaged;  // bytes that are no events since its last event
    uint32_t resets;   // so far; where cores have files of their own
    uint16_t expected; // count of its next event
    bool seen;         // the two above are known
};

enum { PSF_RESETS = 16 };

struct psf_session {
    struct psf_layout layout;
    struct psf_header header;
    struct psf_timer timer;
    struct psf_map map;
    struct psf_core cores[PSF_MAX_CORES];
    uint64_t latest_ns; // of all events
    uint64_t events;
    uint64_t reset_ns[PSF_RESETS]; // where cores have files of their own: the latest resets, as the first file that
                                   // tells of each has them
    uint32_t resets;               // so far, in any file
    uint64_t header_count;         // events that the last header stands for in the count of its core
    uint32_t headers;              // so far
    uint32_t layout_number;        // of the headers so far, those that changed the layout of the records
    uint8_t upper;                 // bits of the counts of a stream without a header, until they change
    bool is_whole;                 // they did: they are no number of a core
    bool begins;                   // the first event of a section is still to come
    uint32_t files;                // files with events that are not mapped yet
    bool translates;               // several cores: events are mapped in the merge, in order of time
    uint64_t auto_isr_extension;   // address of the extension whose codes number interrupts; 0: unknown
    bool is_image;                 // a memory image: its tables tell the state at its end
};

#endif
