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

// The decision that needs the following text, before decoding can continue.
enum vcd_pending_decision { VCD_NOTHING_OPEN, VCD_SCALE_OPEN, VCD_TIME_OPEN };

struct vcd_var {
    uint32_t handle; // handle of the signal; 0: not shown
    uint32_t width;
    uint8_t kind; // enum vcd_kind
    bool is_signed, is_chosen, has_sample;
    uint64_t last_ns, last_time;
    uint32_t last_len; // bytes of the last value as text; 0: it is unknown
    uint8_t last[VCD_LAST_LEN];
};

struct vcd_scope {
    uint32_t group; // 0: no signal of the scope is shown yet
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
    uint32_t chosen, omitted; // number of variables that the option "signals" selects, and of others
    int32_t rank;
    // carry: a token that is cut by the end of a chunk; value: a value whose code comes next.
    struct tk_carry carry, value;
    struct tk_carry text; // a value with its escapes resolved
    bool awaits_code, skips_token;
    bool ends_in_word;                   // the dump ends without a blank after its last token
    uint8_t command;                     // enum vcd_command
    uint8_t byte_before, byte_after;     // the bytes before and after the current token
    bool is_defined;                     // the definitions have ended
    bool off;                            // between $dumpoff and $dumpon
    char words[VCD_WORDS][VCD_WORD_LEN]; // words of the current command
    uint16_t word_len[VCD_WORDS];
    uint32_t word_count;
    char about[512]; // texts of $version and $date
    uint32_t about_len;
    struct tk_unit unit, shown; // shown: the unit in which the trace shows times, which may be longer
    char unit_text[24];
    uint8_t unit_len;
    uint8_t fine;              // 0: times are unchanged; 1: times are shown 1000 times as long; 2: 10^6 times
    bool last_byte_unreported; // the last byte was not reported as consumed
    uint8_t open;              // enum vcd_pending_decision
    struct tk_carry lookahead; // buffered text, up to VCD_LOOKAHEAD_LEN bytes
    int64_t time, uncertain;   // uncertain: an uncertain time, which the following text must confirm
    int64_t typical_step;      // approximately the median of the recent steps in time
    uint64_t ns, at, offset, tokens, changes; // offset: that of the current token in the input
    uint8_t *states;                          // TK_MAX_STATES bytes
};

// read.c: tokens to commands, times and changes
void vcd_token(struct vcd *vcd, const uint8_t *token, size_t len);
void vcd_end_section(struct vcd *vcd); // ends a section whose $end was lost
void vcd_define_root(struct vcd *vcd);
void vcd_show_unit(struct vcd *vcd); // sets `shown`
static inline uint64_t vcd_time_multiplier(const struct vcd *vcd) {
    return vcd->fine == 2 ? 1000000 : vcd->fine ? 1000 : 1;
}
void vcd_begin_times(struct vcd *vcd); // emits the tick length, when the definitions have ended and the scale is
                                       // decided
void vcd_accept_time(struct vcd *vcd, int64_t time);
// timescale_probe.c: decisions by the following text
bool vcd_is_blank(uint8_t byte);
static const int64_t VCD_TIME_BEYOND = INT64_MAX;
enum vcd_command vcd_command_of(const uint8_t *token, size_t len); // VCD_UNKNOWN: no command
bool vcd_ends_line(uint8_t byte);
bool vcd_parse_time(const uint8_t *digits, size_t len, int64_t *out_time); // VCD_TIME_BEYOND: the number is too large

bool vcd_is_far(const struct vcd *vcd, int64_t time); // compared with the time before
// Makes the pending decision with the following text, of which at most VCD_LOOKAHEAD_LEN bytes are examined. is_all: no
// text follows it. Returns false if more text is needed.
bool vcd_resolve_timescale(struct vcd *vcd, const uint8_t *text, size_t len, bool is_all);
// names.c
// Resolves \x20 and \040, with has_letters also
//  and similar. out_text: at least `len` bytes. Returns the length.
size_t vcd_unescape(const uint8_t *text, size_t len, bool has_letters, uint8_t *out_text);
size_t vcd_unescape_name(struct tk_span name, char *out_name); // out_name: at least name.len bytes
uint32_t vcd_bit_of(struct tk_span name, uint32_t *out_bit);
bool vcd_is_chosen(const struct vcd *vcd, struct tk_span name); // in the current scope
// value.c
void vcd_change(struct vcd *vcd, const uint8_t *value, size_t value_len, const uint8_t *code, size_t code_len);
void vcd_gap(struct vcd *vcd);
uint64_t vcd_code(const uint8_t *code, size_t len);
bool vcd_is_change(const struct vcd *vcd, const uint8_t *value, size_t len); // returns true for the change of a
                                                                             // declared bit, or for the value of a
                                                                             // vector
void vcd_note(struct vcd *vcd, enum tk_diag_id id, uint64_t number);
void vcd_problem(struct vcd *vcd, enum tk_diag_id id);

struct vcd_field {
    const char *name, *text;
    size_t len;
};
void vcd_dump(struct vcd *vcd, enum vcd_record record, const struct vcd_field *fields, uint32_t count);

#endif
