// SPDX-License-Identifier: MIT
//
// Recognises metadata, packets with a magic, and streams of Zephyr.
#include "../format.h"

#include <string.h>

#include "../../base/text.h"
#include "tsdl.h"
#include "zephyr.h"

enum { SURE = 100, OF_EVENTS = 60, LOOKED = 64 * 1024, HEAD = 4096 };

static void probe_metadata(struct tk_probe *out_probe) {
    struct tk_text reason = tk_text_in(out_probe->reason, sizeof out_probe->reason);
    out_probe->confidence = SURE;
    out_probe->is_names_file = out_probe->describes_others = true;
    tk_text_add(&reason, "metadata of a CTF trace, to be given along with its streams");
}

static bool begins_packet(const uint8_t *head, size_t len) {
    static const uint8_t little[] = { 0xC1, 0x1F, 0xFC, 0xC1 }, big[] = { 0xC1, 0xFC, 0x1F, 0xC1 };
    return len >= 16 && (!memcmp(head, little, sizeof little) || !memcmp(head, big, sizeof big));
}

static void probe(const uint8_t *head, size_t len, const uint8_t *tail, size_t tail_len, struct tk_probe *out_probe) {
    struct tk_text reason = tk_text_in(out_probe->reason, sizeof out_probe->reason);
    struct ctf_look look;
    (void)tail, (void)tail_len;
    if (tsdl_is(head, len < HEAD ? len : HEAD)) {
        probe_metadata(out_probe);
        return;
    }
    size_t looked = len < LOOKED ? len : LOOKED;
    bool is_zephyr = ctf_zephyr_look(head, looked, len < TK_PROBE_LEN && looked == len, &look),
         is_packet = begins_packet(head, len);
    if (!is_zephyr && !is_packet) return;
    out_probe->is_part = is_packet && (!is_zephyr || look.cores_mask); // a ring of Zephyr is a trace of its own
    out_probe->has_events = true;
    out_probe->names_tick = true;
    out_probe->tick_ns = 1;
    out_probe->frames = out_probe->valid = is_zephyr ? look.events : 1;
    if (!is_zephyr) {
        out_probe->confidence = SURE;
        tk_text_add(&reason, "begins with the magic of a packet of CTF; its metadata is needed");
        return;
    }
    bool has_packets = look.packets > 0;
    out_probe->confidence = has_packets ? SURE : OF_EVENTS;
    out_probe->cores_mask = look.cores_mask;
    out_probe->text_bytes = look.from;
    out_probe->first_ticks = look.first;
    out_probe->last_ticks = look.last < look.first ? look.first : look.last;
    tk_text_add(&reason,
                has_packets ? "packets of CTF as Zephyr writes them" : "events of Zephyr's CTF follow each other");
}

static bool reads_text(const uint8_t *head, size_t len) {
    bool is_ascii = len && (head[0] == '/' || head[0] == ' ' || head[0] == '\n' || head[0] == '\r' || head[0] == '\t');
    return is_ascii && tsdl_is(head, len < HEAD ? len : HEAD);
}

const struct tk_format_info tk_info_ctf = {
    .name = "ctf", .title = "Common Trace Format", .pieces = "Events", .joins_cores = true, .takes_symbols = true
};
const struct tk_format tk_format_ctf = { &tk_info_ctf, probe, reads_text, &tk_decoder_ctf };
