// SPDX-License-Identifier: MIT
#include <string.h>

#include "../format.h"

static bool is_blank(uint8_t byte) { return byte == ' ' || (byte >= '\t' && byte <= '\r'); }

static const uint8_t *skip_blanks(const uint8_t *at, const uint8_t *end) {
    if (end - at >= 3 && !memcmp(at, "\xEF\xBB\xBF", 3)) at += 3;
    while (at < end && is_blank(*at)) at++;
    return at;
}

static bool begins_with(const uint8_t *at, const uint8_t *end, const char *word) {
    size_t len = strlen(word);
    return (size_t)(end - at) > len && !memcmp(at, word, len) && is_blank(at[len]);
}

// Returns true for the head of a dump: it begins with a command, and a command that only dumps have follows soon.
static bool is_dump(const uint8_t *at, const uint8_t *end) {
    static const char *const first[] = { "$date", "$version", "$comment", "$timescale", "$scope", "$var" },
                             *const sure[] = { "$timescale", "$scope", "$var", "$enddefinitions" };
    bool begins = false;
    at = skip_blanks(at, end);
    for (size_t i = 0; i < sizeof first / sizeof *first; i++) begins |= begins_with(at, end, first[i]);
    for (; begins && at < end; at++)
        for (size_t i = 0; *at == '$' && i < sizeof sure / sizeof *sure; i++)
            if (begins_with(at, end, sure[i])) return true;
    return false;
}

// Returns true if its variables are ports, as in "$var port 1 <0 name $end".
static bool is_extended(const uint8_t *at, const uint8_t *end) {
    for (; at < end; at++) {
        if (*at != '$') continue;
        const uint8_t *word = begins_with(at, end, "$var") ? skip_blanks(at + 4, end) : end;
        if (begins_with(word, end, "port") || begins_with(at, end, "$dumpports")) return true;
    }
    return false;
}

static void probe(const uint8_t *head, size_t head_len, const uint8_t *tail, size_t tail_len,
                  struct tk_probe *out_probe) {
    static const char reason[] = "begins with the commands of a value change dump";
    static const char refused[] = "this is an extended value change dump (EVCD, written by $dumpports), which is not "
                                  "read: write a plain one with $dumpvars";
    (void)tail, (void)tail_len;
    if (!head_len || !is_dump(head, head + head_len)) return;
    if (is_extended(head, head + head_len)) {
        memcpy(out_probe->reason, refused, sizeof refused);
        return;
    }
    memcpy(out_probe->reason, reason, sizeof reason);
    out_probe->confidence = 100;
    out_probe->has_events = true;
    out_probe->names_tick = true;
    out_probe->frames = out_probe->valid = 1;
}

static bool reads_text(const uint8_t *head, size_t len) { return len && is_dump(head, head + len); }

static const struct tk_option_info options[] = {
    { "time-scale", "Times below a nanosecond",
      "fine shows 1 ps (or 1 fs) as 1 ns, real rounds down; auto: fine where it is needed", "auto|real|fine", "auto",
      0 },
    { "signals", "Signals", "Only these are shown: paths as top/uart/*, with * and ?, separated by commas", NULL, "",
      0 },
};

const struct tk_format_info tk_info_vcd = {
    .name = "vcd",
    .title = "Value change dump (VCD)",
    .pieces = "Value changes",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .is_text = true,
};
const struct tk_format tk_format_vcd = { &tk_info_vcd, probe, reads_text, &tk_decoder_vcd };
