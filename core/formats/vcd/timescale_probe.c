// SPDX-License-Identifier: MIT
//
// Decisions by the text that follows: how times are scaled, and whether a time far ahead is valid.
#include <string.h>

#include "vcd.h"

bool vcd_is_blank(uint8_t byte) { return byte <= ' '; }

bool vcd_parse_time(const uint8_t *digits, size_t len, int64_t *out_time) {
    int64_t time = 0;
    for (size_t i = 0; i < len; i++) {
        unsigned digit = digits[i] - (unsigned)'0';
        if (digit > 9) return false;
        time = time > (VCD_TIME_BEYOND - 9) / 10 ? VCD_TIME_BEYOND : time * 10 + digit;
    }
    *out_time = time;
    return len > 0;
}

struct text_ahead {
    const uint8_t *text;
    size_t len, at;
    bool is_all;   // text after these bytes cannot change the decision
    bool is_words; // the current tokens are words of a comment or a definition
};

// Returns the length of the next token; 0: none. A token that is cut at the end is ignored.
static size_t next_token(struct text_ahead *text_ahead, const uint8_t **out_token) {
    while (text_ahead->at < text_ahead->len && vcd_is_blank(text_ahead->text[text_ahead->at])) text_ahead->at++;
    const uint8_t *token = *out_token = text_ahead->text + text_ahead->at;
    while (text_ahead->at < text_ahead->len && !vcd_is_blank(text_ahead->text[text_ahead->at])) text_ahead->at++;
    return text_ahead->at < text_ahead->len ? (size_t)(text_ahead->text + text_ahead->at - token) : 0;
}

static bool begins_line(const struct text_ahead *text_ahead, const uint8_t *token) {
    return token > text_ahead->text && vcd_ends_line(token[-1]);
}

// Tracks whether tokens are words. They end with $end. A command at the start of a line ends them too, because their
// $end was lost.
static void on_command(struct text_ahead *text_ahead, const uint8_t *token, size_t len) {
    static const char end[] = "$end";
    enum vcd_command command = vcd_command_of(token, len);
    if (len == sizeof end - 1 && !memcmp(token, end, len)) text_ahead->is_words = false;
    if (command == VCD_UNKNOWN || (text_ahead->is_words && !begins_line(text_ahead, token))) return;
    text_ahead->is_words = command >= VCD_COMMENT && command <= VCD_IN_VAR;
    if (command != VCD_IN_TIMESCALE) return;
    text_ahead->at = text_ahead->len; // counts of different units cannot be compared
    text_ahead->is_all = true;
}

// Finds the next time. The token after a value is a code, whatever it looks like.
static bool next_time(struct text_ahead *text_ahead, int64_t *out_time) {
    static const char values[] = "bBrRsS";
    const uint8_t *token;
    size_t len;
    for (bool is_code = false; (len = next_token(text_ahead, &token));) {
        bool is_time = len > 1 && !is_code && *token == '#' && vcd_parse_time(token + 1, len - 1, out_time) &&
                       *out_time != VCD_TIME_BEYOND;
        if (is_time && (!text_ahead->is_words || (begins_line(text_ahead, token) && vcd_ends_line(token[len]))))
            return !(text_ahead->is_words = false);
        if (!is_code && *token == '$') on_command(text_ahead, token, len);
        is_code = !is_code && !text_ahead->is_words && memchr(values, *token, sizeof values - 1);
    }
    return false;
}

// ---- How times are shown -------------------------------------------------------------------------

static bool has_fraction(const struct vcd *vcd, struct text_ahead *text_ahead) {
    int64_t time;
    while (next_time(text_ahead, &time))
        if (tk_unit_has_fraction(vcd->unit, time)) return true;
    return false;
}

static bool decide_scale(struct vcd *vcd, struct text_ahead *text_ahead) {
    const char *option = vcd->host.option ? vcd->host.option(vcd->host.option_ctx, "time-scale") : NULL;
    bool is_real = option && !strcmp(option, "real"), is_fine = option && !strcmp(option, "fine");
    if (!is_real && !is_fine) is_fine = has_fraction(vcd, text_ahead);
    if (!is_real && !is_fine && !text_ahead->is_all) return false;
    if (is_fine) vcd->fine = vcd->unit.den > 1000 ? 2 : 1;
    vcd_show_unit(vcd);
    vcd_define_root(vcd);
    vcd_begin_times(vcd);
    return true;
}

// ---- Times that jump -----------------------------------------------------------------------------

// Returns true if the time is more than twice the typical distance after the time before: a pause, or damage.
bool vcd_is_far(const struct vcd *vcd, int64_t time) { return (time - vcd->time) / 2 > vcd->typical_step; }

// Decides whether the following times continue from the uncertain time or from the time before it. The first time that
// fits only one of the two decides, so that few times are examined.
static bool resolve_times(struct vcd *vcd, struct text_ahead *text_ahead) {
    enum { ENOUGH = 2, MOST = 16 };
    int below = 0, seen = 0;
    int64_t time;
    bool is_confirmed = false;
    while (!is_confirmed && below < ENOUGH && seen < MOST && next_time(text_ahead, &time)) {
        seen++;
        if (time >= vcd->uncertain) is_confirmed = !below--;
        else if (time >= vcd->time) below++;
    }
    if (!is_confirmed && below < ENOUGH && seen < MOST && !text_ahead->is_all) return false;
    if (below > 0 || (seen == MOST && !is_confirmed)) vcd_problem(vcd, TK_DIAG_TIME_IMPOSSIBLE);
    else vcd_accept_time(vcd, vcd->uncertain);
    return true;
}

bool vcd_resolve_timescale(struct vcd *vcd, const uint8_t *text, size_t len, bool is_all) {
    struct text_ahead text_ahead = { .text = text,
                                     .len = len < VCD_LOOKAHEAD_LEN ? len : VCD_LOOKAHEAD_LEN,
                                     .is_all = is_all || len >= VCD_LOOKAHEAD_LEN };
    bool is_resolved = vcd->open == VCD_SCALE_OPEN ? decide_scale(vcd, &text_ahead) : resolve_times(vcd, &text_ahead);
    if (is_resolved) vcd->open = VCD_NOTHING_OPEN;
    return is_resolved;
}
