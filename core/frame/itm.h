// SPDX-License-Identifier: MIT
//
// Packets of the ITM and the DWT of Arm Cortex-M processors. docs/formats/itm.md describes them.
#ifndef TK_FRAME_ITM_H
#define TK_FRAME_ITM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum tk_itm_kind {
    TK_ITM_SYNC,
    TK_ITM_PADDING, // zeros outside of packets
    TK_ITM_OVERFLOW,
    TK_ITM_LOCAL_TIME,
    TK_ITM_GLOBAL_TIME_LOW,  // global timestamp 1
    TK_ITM_GLOBAL_TIME_HIGH, // global timestamp 2
    TK_ITM_PAGE,
    TK_ITM_EXTENSION,
    TK_ITM_SOFTWARE,
    TK_ITM_EVENT_COUNTERS,
    TK_ITM_EXCEPTION,
    TK_ITM_PC,
    TK_ITM_NO_PC, // sleep, or sampling is not permitted
    TK_ITM_PMU,
    TK_ITM_DATA_PC,
    TK_ITM_DATA_MATCH,
    TK_ITM_DATA_ADDRESS,
    TK_ITM_DATA_READ,
    TK_ITM_DATA_WRITTEN,
    TK_ITM_BAD, // no packet begins with this byte
    TK_ITM_KINDS
};

enum tk_itm_exception { TK_ITM_ENTERED = 1, TK_ITM_EXITED, TK_ITM_RETURNED };
enum tk_itm_global_flag { TK_ITM_CLOCK_CHANGED = 1, TK_ITM_WRAPPED = 2 };

enum {
    TK_ITM_LONGEST = 7,   // bytes of the longest packet but syncs and padding
    TK_ITM_SYNC_ZEROS = 5 // zero bytes of the shortest sync
};

struct tk_itm_packet {
    uint8_t kind;   // enum tk_itm_kind
    uint8_t len;    // bytes of the packet
    uint8_t size;   // bytes of the payload; of a global timestamp its bits / 7
    uint8_t what;   // SOFTWARE: port in its page; DATA_...: comparator; LOCAL_TIME: status; EXCEPTION: enum
                    // tk_itm_exception; GLOBAL_TIME_LOW: bits of enum tk_itm_global_flag; PAGE: page
    uint64_t value; // payload; EXCEPTION: number of the exception
};

// Reads the packet at the start of `bytes`. Returns its length; 0: more bytes are needed to tell. is_end: no more bytes
// follow. TK_ITM_BAD has the length 1 if its first byte begins no packet, otherwise that of its bytes. A packet that a
// sync cuts is bad.
size_t tk_itm_read(const uint8_t *bytes, size_t len, bool is_end, struct tk_itm_packet *out_packet);

// A stream of packets that may begin within one and may be damaged. A zero-initialised one is at its first byte.
struct tk_itm_stream {
    bool begun;        // the first packet was found
    bool lost;         // after damage
    bool is_end;       // set by the caller: no bytes follow those that it passes
    bool is_impatient; // set by the caller: the first packets are passed on without waiting for those after them
};

// Largest number of bytes that tk_itm_next needs.
enum { TK_ITM_LOOK = 64 * (TK_ITM_LONGEST + 64) };

// Reads what is at the start of `bytes`. Returns its length; 0: more bytes are needed to tell. TK_ITM_BAD: bytes that
// are no packet; while `begun` is false, the end of a packet that began before the stream.
size_t tk_itm_next(struct tk_itm_stream *stream, const uint8_t *bytes, size_t len, struct tk_itm_packet *out_packet);

// Counts of the packets in some bytes.
struct tk_itm_evidence {
    uint32_t packets, bad, syncs;
    uint32_t source; // packets of the hardware
    uint32_t text, times_after_source, pc_in_region, exceptions_paired, exceptions_unpaired, pc_outside;
};

// Examines bytes from their first one on.
void tk_itm_examine(const uint8_t *bytes, size_t len, struct tk_itm_evidence *out_evidence);
// Returns true if the bytes are ITM packets and no others: by a sync, or by what the packets contain.
bool tk_itm_is_proven(const struct tk_itm_evidence *evidence);

#endif
