// SPDX-License-Identifier: MIT
//
// The state of a decoder of value change dumps (IEEE 1364, clause 18), shared by the files of this folder.
#ifndef TK_VCD_VCD_H
#define TK_VCD_VCD_H

#include "../../base/carry.h"
#include "../../base/idmap.h"
#include "../../model/signals/axis.h"
#include "../../model/signals/signals.h"
#include "../format.h"

enum {
    VCD_LONGEST_TOKEN = 256 * 1024,
    VCD_WORDS = 16,
    VCD_WORD_LEN = 256,
    VCD_NAME_LEN = 2 * VCD_WORD_LEN,
    VCD_SCOPES = 64,
    VCD_LAST_LEN = 32, // of a longer value its hash is kept
    VCD_LOOKAHEAD_LEN = 64 * 1024
};

enum vcd_record { VCD_TIMESCALE, VCD_SCOPE, VCD_UPSCOPE, VCD_VAR, VCD_TIME, VCD_CHANGE, VCD_GAP, VCD_RECORDS };

enum vcd_command {
    VCD_NONE,
    VCD_COMMENT,
    VCD_UNKNOWN,
    VCD_DATE,
    VCD_VERSION,
    VCD_IN_TIMESCALE,
    VCD_IN_SCOPE,
    VCD_IN_VAR,
    VCD_IN_UPSCOPE,
    VCD_END_DEFINITIONS,
    VCD_DUMP,
    VCD_DUMP_ON,
    VCD_DUMP_OFF
};

enum vcd_kind { VCD_LOGIC, VCD_INTEGER, VCD_REAL, VCD_STRING, VCD_EVENT };

// What the text ahead has to decide before anything else is read.
enum vcd_pending_decision { VCD_NOTHING_OPEN, VCD_SCALE_OPEN, VCD_TIME_OPEN };

struct vcd_var {
    uint32_t handle; // of the signal
    uint32_t width;
    uint8_t kind; // enum vcd_kind
    bool is_signed, is_chosen, has_sample;
    uint64_t last_ns, last_time;
    uint32_t last_len; // of the value as text; 0: none is valid
    uint8_t last[VCD_LAST_LEN];
};

struct vcd_scope {
    uint32_t group; // 0: nothing is shown in it so far
    uint16_t name_len, kind_len;
    char name[VCD_WORD_LEN], kind[VCD_WORD_LEN];
};

struct vcd {
    struct tk_decode_host host;
    struct tk_batch *batch;
    struct tk_signals signals;
    struct vcd_var *vars;
    uint32_t var_count, var_capacity;
    struct tk_idmap by_code;
    struct vcd_scope scopes[VCD_SCOPES + 1]; // [0] is the root
    uint32_t depth, too_deep;
    uint32_t chosen, omitted; // variables that the option "signals" names, and others
    int32_t rank;
    // The token that is cut by the end of a chunk, and the value whose code comes next.
    struct tk_carry carry, value;
    struct tk_carry text; // of a value whose escapes were resolved
    bool awaits_code, skips_token;
    bool ends_in_word;                   // the dump does, without a blank after it
    uint8_t command;                     // enum vcd_command
    uint8_t byte_before, byte_after;     // the token: bytes that are no part of it
    bool is_defined;                     // behind $enddefinitions
    bool off;                            // between $dumpoff and $dumpon
    char words[VCD_WORDS][VCD_WORD_LEN]; // of the command
    uint16_t word_len[VCD_WORDS];
    uint32_t word_count;
    char about[512]; // $version and $date
    uint32_t about_len;
    struct tk_unit unit, shown; // shown: a unit of the recording in the trace, where times may be longer
    char unit_text[24];
    uint8_t unit_len;
    uint8_t fine;                             // 0, 1: times are 1000 as long, 2: 10^6
    bool last_byte_unreported, tick_emitted;  // last_byte_unreported: the last byte was not told as read
    uint8_t open;                             // enum vcd_pending_decision
    struct tk_carry lookahead;                // up to VCD_LOOKAHEAD_LEN bytes that are held back meanwhile
    int64_t time, doubtful;                   // doubtful: a time that waits for what is ahead of it
    int64_t typical_step;                     // about the median of the recent ones
    uint64_t ns, at, offset, tokens, changes; // offset: of the token that is read, in the input
    uint8_t *states;                          // TK_MAX_STATES
};

// read.c: tokens -> commands, times, changes
void vcd_token(struct vcd *vcd, const uint8_t *token, size_t len);
void vcd_end_section(struct vcd *vcd); // one that is open, although its end was lost
void vcd_define_root(struct vcd *vcd);
void vcd_show_unit(struct vcd *vcd); // sets `shown`
static inline uint64_t vcd_time_multiplier(const struct vcd *vcd) {
    return vcd->fine == 2 ? 1000000 : vcd->fine ? 1000 : 1;
}
void vcd_accept_time(struct vcd *vcd, int64_t time);
// timescale_probe.c: what the text ahead decides
bool vcd_is_blank(uint8_t byte);
static const int64_t VCD_TIME_BEYOND = INT64_MAX;
enum vcd_command vcd_command_of(const uint8_t *token, size_t len); // VCD_UNKNOWN: none
bool vcd_ends_line(uint8_t byte);
bool vcd_parse_time(const uint8_t *digits, size_t len, int64_t *out_time); // VCD_TIME_BEYOND: too long a number

bool vcd_is_far(const struct vcd *vcd, int64_t time); // from the time before
// Decides what is open by the text that follows, of which no more than VCD_LOOKAHEAD_LEN bytes are looked at. is_all:
// nothing follows it. False: more is needed.
bool vcd_resolve_timescale(struct vcd *vcd, const uint8_t *text, size_t len, bool is_all);
// names.c
// Resolves \x20 and \040, with has_letters also \n and the like. out_text: `len` bytes. Returns the length.
size_t vcd_unescape(const uint8_t *text, size_t len, bool has_letters, uint8_t *out_text);
size_t vcd_unescape_name(struct tk_span name, char *out_name); // out_name: name.len bytes
uint32_t vcd_bit_of(struct tk_span name, uint32_t *out_bit);
bool vcd_is_chosen(const struct vcd *vcd, struct tk_span name); // in the scope that is open
// value.c
void vcd_change(struct vcd *vcd, const uint8_t *value, size_t value_len, const uint8_t *code, size_t code_len);
void vcd_gap(struct vcd *vcd);
uint64_t vcd_code(const uint8_t *code, size_t len);
bool vcd_is_change(const struct vcd *vcd, const uint8_t *value, size_t len); // of a bit that was declared, or the value
                                                                             // of a vector
void vcd_note(struct vcd *vcd, enum tk_diag_id id, uint64_t number);
void vcd_problem(struct vcd *vcd, enum tk_diag_id id);

struct vcd_field {
    const char *name, *text;
    size_t len;
};
void vcd_dump(struct vcd *vcd, enum vcd_record record, const struct vcd_field *fields, uint32_t count);

#endif
