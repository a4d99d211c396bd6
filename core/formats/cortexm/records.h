// SPDX-License-Identifier: MIT
//
// The records of a call trace, and how they are found in a stream without lengths, sync marks or checksums. A record is
// accepted only if the next one confirms it, or if its own bytes are unlikely to be anything else. Numbers are big
// endian.
#ifndef TK_FORMATS_CORTEXM_RECORDS_H
#define TK_FORMATS_CORTEXM_RECORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    CM_FUNCTION_LEN = 10,          // length of the function record without flags
    CM_MAX_GROUPS = 4,             // of flags in a row; more are damage
    CM_MAX_RECORD = 5 + 6 + 65535, // header of four groups, address and length, data
    CM_DECISION_LEN = 256 * 1024,  // largest number of bytes that are examined if a record fits both numberings of the
                                   // flags
    CM_MAX_VECTOR = 495
};

// The lowest LR that is not an address: exception returns, and the reset value in thread mode.
#define CM_LR_EXCEPTION 0xFF000000u

enum cm_numbering { CM_FLAGS_OPEN, CM_FLAGS_NEW, CM_FLAGS_OLD }; // numbering of the flags; OPEN: not decided yet

enum cm_kind { CM_FUNCTION, CM_LOG, CM_DUMP };

struct cm_record {
    const uint8_t *data; // used for CM_LOG, CM_DUMP
    uint32_t data_len;
    uint32_t size;    // bytes of the record in the stream
    uint32_t pc, lr;  // used for CM_FUNCTION
    uint32_t address; // used for CM_DUMP
    uint16_t vector;  // used for CM_FUNCTION
    uint8_t kind;     // enum cm_kind
};

struct cm_window {
    const uint8_t *bytes;
    size_t len;
    bool ended; // the window ends with the input
};

enum cm_verdict {
    CM_ACCEPTED, // out[0] is the record
    CM_SPLIT,    // out[0] is the record, out[1] that of an interrupt which wrote it inside the first one: 20 bytes
                 // together
    CM_SKIPPED,  // no record begins with this byte
    CM_MORE      // more bytes are needed to decide, at most CM_DECISION_LEN
};

// Reads the record at `at`, which is below window->len. Sets *numbering when a record decides it.
enum cm_verdict cm_next(const struct cm_window *window, size_t at, enum cm_numbering *numbering,
                        struct cm_record out[2]);

static inline bool cm_is_sync(uint8_t byte) { return (byte & 0xFC) == 0xC0; }
static inline uint32_t cm_u32(const uint8_t *at) {
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}
static inline bool cm_is_code(uint32_t address) {
    return address < 0x40000000u || (address >= 0x60000000u && address < 0xA0000000u);
}
// Returns true for a return to the secure state of a target with TrustZone.
static inline bool cm_is_secure(uint32_t lr) { return lr >= 0xFEFFFFFEu && lr <= 0xFEFFFFFFu; }

// Returns true if no Cortex-M has an exception with this number: reserved numbers, and Reset, whose handler runs in
// thread mode.
static inline bool cm_is_no_vector(uint32_t vector) {
    enum { RESERVED = 1 << 1 | 1 << 8 | 1 << 9 | 1 << 10 | 1 << 13 };
    return vector > CM_MAX_VECTOR || (vector < 16 && RESERVED >> vector & 1);
}
// Returns true for an EXC_RETURN, most of whose bits are fixed.
static inline bool cm_is_exception_return(uint32_t lr) { return (lr & 0xFFFFFF82u) == 0xFFFFFF80u; }
// Returns true if LR is no address: in a handler an EXC_RETURN or the reset value, in thread mode also a value that an
// RTOS set.
static inline bool cm_is_hardware_lr(uint32_t lr, uint32_t vector) {
    return vector ? cm_is_exception_return(lr) || lr == UINT32_MAX : lr >= CM_LR_EXCEPTION;
}

static inline bool cm_is_plausible(const struct cm_record *record) {
    bool returns = (record->lr & 1 && cm_is_code(record->lr)) || cm_is_hardware_lr(record->lr, record->vector) ||
                   cm_is_secure(record->lr);
    return !cm_is_no_vector(record->vector) && cm_is_code(record->pc) && returns;
}

static inline void cm_read_function(const uint8_t *at, uint32_t top, struct cm_record *out) {
    out->kind = CM_FUNCTION;
    out->vector = (uint16_t)((top & 1) << 8 | at[0]);
    out->pc = cm_u32(at + 1);
    out->lr = cm_u32(at + 5);
}

// Fast path for the function record without flags, confirmed by the next record: most of a recording. At least eleven
// bytes are readable. Returns false if cm_next must decide.
static inline bool cm_is_common(const uint8_t *at, struct cm_record *out) {
    if ((at[0] & 0xFE) != 0xC0 || !cm_is_sync(at[CM_FUNCTION_LEN])) return false;
    cm_read_function(at + 1, at[0], out);
    out->size = CM_FUNCTION_LEN;
    return cm_is_plausible(out);
}

#endif
