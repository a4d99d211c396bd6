// SPDX-License-Identifier: MIT
//
// Counts the problems of a recording: how often, how much and where. Fixed arrays, no allocation, never fatal. The
// result does not depend on how the input was cut into chunks or how several inputs were interleaved: the first
// positions kept are those with the lowest (input, offset).
#ifndef TK_BASE_DIAG_H
#define TK_BASE_DIAG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum tk_severity { TK_SEVERITY_INFO, TK_SEVERITY_NOTICE, TK_SEVERITY_DAMAGE, TK_SEVERITY_LOSS };

// Meaning of the number passed to tk_diag_note; see diag.def.
enum tk_detail { TK_DETAIL_NONE, TK_DETAIL_AMOUNT, TK_DETAIL_VALUE, TK_DETAIL_UNIT, TK_DETAIL_HEX };

enum tk_diag_id {
#define TK_DIAG(id, severity, detail, word, title, cause, remedy) TK_DIAG_##id,
#include "diag.def"
#undef TK_DIAG
    TK_DIAG_COUNT
};

// Static texts of one problem.
struct tk_diag_info {
    const char *name; // "FRAME_BROKEN"
    enum tk_severity severity;
    enum tk_detail detail;
    const char *word;
    const char *title;
    const char *cause, *remedy; // why it happened, and what the user can do
};

// Source position of a problem. Borrowed during the call.
struct tk_source_pos {
    uint32_t input;
    bool has_offset;      // `offset` and `frame` are valid
    bool has_ticks;       // `ticks` is valid
    bool has_input;       // `input` is valid although there is no offset
    uint64_t offset;      // position of the first byte of the frame, in the decoded bytes of the input
    uint64_t frame;       // number of the frame in its input, from 0
    uint64_t ticks;       // time on the trace clock
    uint64_t line;        // line (from 1) of the text that contains the bytes; 0: unknown, or the input is no text
    const uint8_t *bytes; // bytes from `offset` on; NULL: not available
    size_t len;           // number of bytes; at most TK_DIAG_CONTEXT are copied
};

enum { TK_DIAG_CONTEXT = 16, TK_DIAG_VALUES = 4, TK_DIAG_FIRST_LOCATIONS = 4, TK_DIAG_LOCATIONS = 26 };

// Copy of a source position.
struct tk_diag_location {
    bool has_offset, has_ticks, has_input;
    uint8_t context_len;
    uint8_t context[TK_DIAG_CONTEXT];
    uint32_t input;
    uint64_t offset, frame, ticks, line;
};

struct tk_diag_entry {
    uint64_t count;                  // number of occurrences
    uint64_t amount;                 // TK_DETAIL_AMOUNT: sum of the numbers (saturates)
    uint64_t values[TK_DIAG_VALUES]; // TK_DETAIL_VALUE, _UNIT, _HEX: the smallest different numbers, ascending
    uint8_t value_count;
    bool more_values; // there were more different numbers than fit
    uint8_t location_count;
    // Different positions, ascending: the first TK_DIAG_FIRST_LOCATIONS, then a random sample of all others, which
    // covers a recording of any length. The sample does not depend on the order of the calls. [0] is zero if there is
    // no position.
    struct tk_diag_location locations[TK_DIAG_LOCATIONS];
    uint64_t largest_lot; // largest random number in the sample once all locations are in use (see draw_lot)
};

struct tk_diag {
    struct tk_diag_entry entries[TK_DIAG_COUNT];
};

void tk_diag_init(struct tk_diag *diag);

// Returns true if a problem of severity TK_SEVERITY_DAMAGE has occurred.
bool tk_diag_has_damage(const struct tk_diag *diag);

// Counts one occurrence. place NULL: without a position.
void tk_diag_count(struct tk_diag *diag, enum tk_diag_id id, const struct tk_source_pos *place);

// Counts one occurrence with its number, whose meaning is the detail of the problem.
void tk_diag_note(struct tk_diag *diag, enum tk_diag_id id, const struct tk_source_pos *place, uint64_t value);

// Sets the time of a stored position that was counted before its time was known. `place` has the time on the trace
// clock.
void tk_diag_set_time(struct tk_diag *diag, enum tk_diag_id id, const struct tk_source_pos *place);

const struct tk_diag_info *tk_diag_info(enum tk_diag_id id);

// Returns the severity at a rank; users should read rank 0 first. Damage precedes loss if more events were lost on the
// line than elsewhere.
enum { TK_SEVERITIES = TK_SEVERITY_LOSS + 1 };
enum tk_severity tk_diag_severity_at(const struct tk_diag *diag, unsigned rank);

// Returns "info", "notice", "damage" or "loss".
const char *tk_severity_name(enum tk_severity severity);

// Writes the number that belongs to the title ("212 bytes", "id 0x34, 0x35", "" if none), terminated. Returns its
// length. TK_DIAG_DETAIL_LEN is always enough.
enum { TK_DIAG_DETAIL_LEN = 128 };
size_t tk_diag_detail(const struct tk_diag *diag, enum tk_diag_id id, char out_text[TK_DIAG_DETAIL_LEN]);

#endif
