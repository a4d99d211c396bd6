// SPDX-License-Identifier: MIT
//
// The records of a call trace and how they are found in a stream without lengths, marks or sums: a record counts only
// where the next one confirms it, or where it can hardly be anything else. Numbers are big endian.
#ifndef TK_FORMATS_CORTEXM_RECORDS_H
#define TK_FORMATS_CORTEXM_RECORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    CM_FUNCTION_LEN = 10,          // the common function record
    CM_MAX_GROUPS = 4,             // of flags; a chain without end would have to be looked at without end
    CM_MAX_RECORD = 5 + 6 + 65535, // header of four groups, address and length, data
    CM_DECISION_LEN = 256 * 1024,  // so much is looked at where a record fits both numberings of the flags
    CM_MAX_VECTOR = 495
};

// The lowest LR with a meaning of its own: exception returns; in thread mode the reset value.
#define CM_LR_EXCEPTION 0xFF000000u

enum cm_numbering { CM_FLAGS_OPEN, CM_FLAGS_NEW, CM_FLAGS_OLD }; // of the flags; OPEN: nothing decided yet

enum cm_kind { CM_FUNCTION, CM_LOG, CM_DUMP };

struct cm_record {
    const uint8_t *data; // CM_LOG, CM_DUMP
    uint32_t data_len;
    uint32_t size;    // of the record in the stream
    uint32_t pc, lr;  // CM_FUNCTION
    uint32_t address; // CM_DUMP
    uint16_t vector;  // CM_FUNCTION
    uint8_t kind;     // enum cm_kind
};

struct cm_window {
    const uint8_t *bytes;
    size_t len;
    bool ended; // nothing follows
};

enum cm_verdict {
    CM_ACCEPTED, // out[0]
    CM_SPLIT,    // out[0], and out[1] that an interrupt wrote inside it: together they take the 20 bytes
    CM_SKIPPED,  // this byte begins no record
    CM_MORE      // more bytes are needed, CM_DECISION_LEN at most
};

// What begins at `at`, which is below window->len. *numbering is decided here when a record tells.
enum cm_verdict cm_next(const struct cm_window *window, size_t at, enum cm_numbering *numbering,
                        struct cm_record out[2]);

static inline bool cm_is_sync(uint8_t byte) { return (byte & 0xFC) == 0xC0; }
static inline uint32_t cm_u32(const uint8_t *at) {
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}
static inline bool cm_is_code(uint32_t address) {
    return address < 0x40000000u || (address >= 0x60000000u && address < 0xA0000000u);
}
// A return to the secure side of a target with TrustZone.
static inline bool cm_is_secure(uint32_t lr) { return lr >= 0xFEFFFFFEu && lr <= 0xFEFFFFFFu; }

static inline bool cm_is_plausible(const struct cm_record *record) {
    bool returns =
        (record->lr & 1 && cm_is_code(record->lr)) || record->lr >= CM_LR_EXCEPTION || cm_is_secure(record->lr);
    return record->vector <= CM_MAX_VECTOR && cm_is_code(record->pc) && returns;
}

static inline void cm_read_function(const uint8_t *at, uint32_t top, struct cm_record *out) {
    out->kind = CM_FUNCTION;
    out->vector = (uint16_t)((top & 1) << 8 | at[0]);
    out->pc = cm_u32(at + 1);
    out->lr = cm_u32(at + 5);
}

// The common record, confirmed by the next one: what most bytes are. False: nothing is decided. Eleven bytes are
// readable.
static inline bool cm_is_common(const uint8_t *at, struct cm_record *out) {
    if ((at[0] & 0xFE) != 0xC0 || !cm_is_sync(at[CM_FUNCTION_LEN])) return false;
    cm_read_function(at + 1, at[0], out);
    out->size = CM_FUNCTION_LEN;
    return cm_is_plausible(out);
}

#endif
