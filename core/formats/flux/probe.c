// SPDX-License-Identifier: MIT
#include <string.h>

#include "../format.h"
#include "../../base/text.h"
#include "head.h"

enum { HEAD = 1, SWITCH = 4, BLOCK = 5 };
enum { LZ4, FASTLZ, ZLIB, GZIP, METHODS };

static const uint8_t magic[] = { 0, HEAD, 'f', 'l', 'u', 'x' };

static bool begins_with(const uint8_t *at, const uint8_t *end, const void *bytes, size_t len) {
    return (size_t)(end - at) >= len && !memcmp(at, bytes, len);
}

static bool is_derived(const uint8_t *at, const uint8_t *end) {
    if (end - at < 7 || at[0] || at[1] != HEAD) return false;
    for (int i = 2; i < 6; i++)
        if (at[i] < 0x20 || at[i] > 0x7E) return false;
    return at[6] && at[6] < 32;
}

static const uint8_t *skip_number(const uint8_t *at, const uint8_t *end) {
    while (at < end && *at & 0x80) at++;
    return at < end ? at + 1 : end;
}

// Returns the first bytes of an LZ4 or FastLZ block, which it contains unpacked after their length.
static const uint8_t *literals(uint8_t method, const uint8_t *at, const uint8_t *end) {
    bool is_long = method == LZ4 && at < end && *at >> 4 == 15;
    if (at < end) at++;
    while (is_long && at < end && *at == 255) at++;
    return is_long && at < end ? at + 1 : at;
}

static bool has_head(const uint8_t *at, const uint8_t *end, unsigned deep);

// Returns true for a packed block whose content, or whose packed stream, begins with a head.
static bool is_block(const uint8_t *at, const uint8_t *end, unsigned deep) {
    if (end - at < 5 || at[0] || at[1] != BLOCK || at[2] >= METHODS) return false;
    uint8_t method = at[2];
    at = skip_number(skip_number(at + 3, end), end);
    if (end - at < 8) return false;
    if (method == ZLIB) return (at[0] & 15) == 8 && (at[0] << 8 | at[1]) % 31 == 0;
    if (method == GZIP) return at[0] == 0x1F && at[1] == 0x8B;
    return deep && has_head(literals(method, at, end), end, deep - 1);
}

static const uint8_t *skip_switch(const uint8_t *at, const uint8_t *end) {
    return end - at > 3 && !at[0] && at[1] == SWITCH ? skip_number(at + 2, end) : at;
}

static bool has_head(const uint8_t *at, const uint8_t *end, unsigned deep) {
    at = skip_switch(at, end);
    return begins_with(at, end, magic, sizeof magic) || is_block(at, end, deep);
}

static const char *recognise(const uint8_t *at, const uint8_t *end) {
    enum { DEEPEST = 8 };
    const uint8_t *start = at;
    at = skip_switch(at, end);
    if (begins_with(at, end, magic, sizeof magic))
        return at > start ? "begins with the choice of a trace and the head of flux" : "begins with the head of flux";
    if (is_block(at, end, DEEPEST)) return "begins with a packed block of flux";
    return at == start && is_derived(at, end) ? "begins with a head as flux has it, under another name" : NULL;
}

size_t flux_text_len(const uint8_t *bytes, size_t len) {
    size_t text = 0;
    for (; text < len; text++) {
        uint8_t byte = bytes[text];
        if (!(byte >= 0x20 && byte < 0x7F) && !(byte >= '\a' && byte <= '\r') && byte != 0x1B) break;
    }
    return text;
}

bool flux_begins(const uint8_t *bytes, size_t len) {
    enum { DEEPEST = 8 };
    return has_head(bytes, bytes + len, DEEPEST);
}

static void explain(struct tk_probe *probe, const char *reason) {
    struct tk_text text = tk_text_in(probe->reason, sizeof probe->reason);
    tk_text_add(&text, reason);
    if (!probe->text_bytes) return;
    tk_text_add(&text, ", after ");
    tk_text_count(&text, probe->text_bytes, "bytes");
    tk_text_add(&text, " of text");
}

static void probe(const uint8_t *head, size_t head_len, const uint8_t *tail, size_t tail_len,
                  struct tk_probe *out_probe) {
    static const char older[] = "de.toem.impulse.trace\x01";
    static const char refused[] = "this is the older trace format of impulse, which came before flux and is not read";
    size_t text = flux_text_len(head, head_len);
    if (text < head_len && flux_begins(head + text, head_len - text))
        head += text, head_len -= text, out_probe->text_bytes = text;
    const char *reason = recognise(head, head + head_len);
    (void)tail, (void)tail_len;
    if (begins_with(head, head + head_len, older, sizeof older - 1)) memcpy(out_probe->reason, refused, sizeof refused);
    if (!reason) return;
    bool is_derived_head = is_derived(head, head + head_len) && memcmp(head, magic, sizeof magic) != 0;
    explain(out_probe, reason);
    out_probe->confidence = is_derived_head ? 60 : 100;
    out_probe->has_events = true;
    out_probe->names_tick = true;
    out_probe->frames = out_probe->valid = 1;
}

static const struct tk_option_info options[] = {
    { "time-scale", "Times below a nanosecond",
      "fine shows 1 ps (or 1 fs) as 1 ns, real rounds down; auto: fine where everything is below a nanosecond",
      "auto|real|fine", "auto", 0 },
    { "signals", "Signals", "Only these are shown: paths as drive/mode/*, with * and ?, separated by commas", NULL, "",
      0 },
};

const struct tk_format_info tk_info_flux = {
    .name = "flux",
    .title = "toem flux (impulse)",
    .pieces = "Entries",
    .options = options,
    .option_count = sizeof options / sizeof *options,
};
const struct tk_format tk_format_flux = { &tk_info_flux, probe, NULL, &tk_decoder_flux };
