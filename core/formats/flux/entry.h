// SPDX-License-Identifier: MIT
//
// The elements of a flux stream, entries and samples, and how they are read from bytes. docs/formats/flux.md.
#ifndef TK_FLUX_ENTRY_H
#define TK_FLUX_ENTRY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum flux_dialect { FLUX_4, FLUX_6, FLUX_6I };

enum flux_tag {
    FLUX_HEAD = 0x01,
    FLUX_SWTH = 0x04,
    FLUX_PBLK,
    FLUX_SECT,
    FLUX_SCPD = 0x10,
    FLUX_SIGD,
    FLUX_MSGD,
    FLUX_SIRD,
    FLUX_SSGD,
    FLUX_SSRD,
    FLUX_OPEN = 0x20,
    FLUX_CLOS,
    FLUX_DOMD,
    FLUX_CURR,
    FLUX_ENMD = 0x30,
    FLUX_MEMD,
    FLUX_ATRE = 0x40,
    FLUX_ATLA,
    FLUX_CREQ = 0x80,
    FLUX_CRES,
    FLUX_SAMPLE = 0x100 // has no tag
};

// Types by the newer numbering. FLUX_UNKNOWN and the types after it occur only as types of members.
enum flux_type {
    FLUX_UNKNOWN,
    FLUX_EVENT,
    FLUX_INTEGER,
    FLUX_FLOAT,
    FLUX_TEXT,
    FLUX_LOGIC,
    FLUX_BINARY,
    FLUX_STRUCT,
    FLUX_EVENTS,
    FLUX_INTEGERS,
    FLUX_FLOATS,
    FLUX_TEXTS,
    FLUX_LOCAL_EVENT,
    FLUX_MERGED_EVENT,
    FLUX_BAD_TYPE
};

enum flux_enumeration {
    FLUX_LABELS,
    FLUX_TARGETS,
    FLUX_RELATION_STYLES,
    FLUX_LABEL_STYLES,
    FLUX_TARGET_BASES,
    FLUX_TAGS,
    FLUX_MEMBER_LABELS = 8
};

enum flux_result { FLUX_OK, FLUX_MORE, FLUX_BAD }; // MORE: the bytes end inside the entry

enum { FLUX_LONGEST = 256 * 1024 }; // bytes of an entry or sample; longer ones are damaged
enum { FLUX_NO_MEMBER = -1 };

struct flux_bytes {
    const uint8_t *at;
    size_t len;
};

// An entry, with its fields by their meaning. Fields that the entry does not have are zero. Texts borrow from the bytes
// that were read.
struct flux_entry {
    uint16_t tag;    // enum flux_tag
    size_t len;      // bytes of the entry; for a packed block and a section, without their content
    uint64_t id;     // item; HEAD, SWTH: trace; CREQ, CRES: control
    uint64_t second; // MSGD: last id; ENMD: enumeration; MEMD: member; ATRE, ATLA: style; CREQ, CRES: message
    uint64_t parent; // item, 0: the root; MEMD: member + 1
    uint64_t first;  // SSGD, SSRD: from; HEAD: largest id; PBLK: unpacked size; ENMD: value; ATRE: target; SECT: size
    uint64_t last;   // SSGD, SSRD: to; HEAD: largest entry; PBLK: packed size; ATRE: base of the target; SECT: used;
                     // CREQ, CRES: number of members
    int64_t scale;
    uint8_t kind; // HEAD: version; definitions: type as written; PBLK: method; ATRE: kind; SECT: counter and flag
    uint8_t mode; // HEAD
    struct flux_bytes name, description, tags;
    struct flux_bytes format; // or descriptor; OPEN, DOMD: domain base; CREQ, CRES: the members
    struct flux_bytes x, y;   // integers: OPEN start, rate; CLOS end; CURR position; ATRE delta; ATLA
};

struct flux_sample {
    uint64_t id, delta;
    struct flux_bytes data;
    size_t len;   // bytes of the sample; 0 with FLUX_MORE if the length is not known either
    uint16_t tag; // 0: untagged
    uint8_t df, xdf;
    bool has_delta, is_none;
};

// Reads a number of 7 bits per byte and moves *at after it.
enum flux_result flux_number(const uint8_t **at, const uint8_t *end, uint64_t *out);
// Reads a length and as many bytes, and moves *at after them.
enum flux_result flux_value(const uint8_t **at, const uint8_t *end, struct flux_bytes *out);
// Returns an integer of up to eight little-endian bytes; longer ones are cut (flux_is_small).
int64_t flux_integer(struct flux_bytes value);
uint64_t flux_unsigned(struct flux_bytes value);
bool flux_fits(struct flux_bytes value); // returns true if the value fits in 64 bits, signed

// Read the entry at `at`, which begins with a zero byte, or the sample, which does not. FLUX_MORE for a sample: its
// other fields are set if only data are missing.
enum flux_result flux_read_entry(enum flux_dialect dialect, const uint8_t *at, size_t len, struct flux_entry *out);
enum flux_result flux_read_sample(const uint8_t *at, size_t len, struct flux_sample *out);

bool flux_has_control_characters(struct flux_bytes text);

// Returns true if a text of the entry is unlikely: its length may be damaged, so that it covers the entries after it.
bool flux_entry_is_implausible(const struct flux_entry *entry);

// Returns a letter for each field of an entry, in their order; NULL: no such entry.
const char *flux_fields_of(enum flux_dialect dialect, uint8_t tag);

enum flux_type flux_signal_type(enum flux_dialect dialect, uint8_t written);
enum flux_type flux_member_type(enum flux_dialect dialect, uint8_t written); // ignores the upper bits
// Returns true if the data of the sample suit the type. Detects most damage at the first sample.
bool flux_sample_suits(enum flux_type type, const struct flux_sample *sample);
// Returns the type that the data of a sample suggest, for a signal without a definition.
enum flux_type flux_infer_type(const struct flux_sample *sample);

#endif
