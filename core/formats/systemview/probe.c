// SPDX-License-Identifier: MIT
//
// Recognises recordings of SystemView: a sync and a start of the recorder, or packets after it.
#include "../format.h"

#include "../../base/text.h"
#include "description.h"
#include "packet.h"
#include "ring.h"

enum { CONFIDENCE = 100, FEWEST = 3, SURE = 16 }; // SURE: packets that are no coincidence in other data

// Returns true if INIT is among the next packets, with its length or, by a defect of the recorder, its id in place of
// it. Two cores in one stream start one after the other.
static bool is_init_next(const uint8_t *start, size_t len) {
    for (unsigned kind = 0; kind < 4; kind++) {
        struct sv_packing packing = { .core_in_id = kind & 1, .no_lengths = kind >> 1 };
        struct sv_packet packet;
        size_t at = 0;
        for (unsigned i = 0; i < 4 && sv_packet_read(start + at, len - at, &packing, &packet) == SV_OK; i++) {
            if (packet.id == SV_INIT) return true;
            at += packet.len;
        }
    }
    return false;
}

// A start of the recorder: ten zeros or more, then TRACE_START, and INIT soon after it.
static size_t find_start(const uint8_t *head, size_t len) {
    size_t zeros = 0;
    for (size_t at = 0; at < len; at++) {
        if (!head[at]) zeros++;
        else if (zeros >= SV_SYNC && head[at] == SV_TRACE_START && is_init_next(head + at, len - at)) return at;
        else zeros = 0;
    }
    return len;
}

static void probe(const uint8_t *head, size_t len, const uint8_t *tail, size_t tail_len, struct tk_probe *out_probe) {
    struct tk_text reason = tk_text_in(out_probe->reason, sizeof out_probe->reason);
    struct sv_packing packing = { 0 };
    size_t at = find_start(head, len);
    bool has_init = false, decodes = true;
    (void)tail, (void)tail_len;
    if (len && sv_description_is(head, len)) {
        out_probe->confidence = CONFIDENCE;
        out_probe->is_names_file = true;
        tk_text_add(&reason, "the names of the calls of an OS as text, to be given along with a recording");
        return;
    }
    if (at == len) return;
    size_t block = sv_find_control_block(head, len);
    if (block < len || sv_is_ring(head, len)) {
        out_probe->confidence = CONFIDENCE - 10; // of a dump, which may contain other recordings
        out_probe->is_dump = true;
        out_probe->from = block < len ? block : 0;
        out_probe->frames = out_probe->valid = SURE;
        out_probe->names_tick = out_probe->has_events = true;
        out_probe->tick_ns = 1;
        tk_text_add(&reason, block < len ? "a dump of memory with the ring of a SystemView recorder"
                                         : "the ring of a post-mortem SystemView recorder");
        return;
    }
    packing.core_in_id = sv_head_tells_extension(head, at);
    while (at < len && decodes) {
        struct sv_packet packet;
        if (!head[at]) { // a sync
            at++;
            continue;
        }
        enum sv_verdict verdict = sv_packet_read(head + at, len - at, &packing, &packet);
        if (verdict == SV_SHORT) break;
        if (verdict == SV_BAD && head[at] == SV_INIT && !packing.no_lengths) {
            packing.no_lengths = true;
            continue;
        }
        out_probe->frames++;
        decodes = verdict == SV_OK;
        out_probe->valid += decodes;
        has_init = has_init || packet.id == SV_INIT;
        out_probe->has_events = out_probe->has_events || packet.id == SV_TASK_START_EXEC || packet.id == SV_ISR_ENTER ||
                                packet.id == SV_IDLE;
        at += packet.len;
    }
    if (!has_init || out_probe->valid < FEWEST) return;
    out_probe->confidence = CONFIDENCE;
    out_probe->names_tick = true;
    out_probe->tick_ns = 1;
    tk_text_add(&reason, "begins with a sync and the start of a SystemView recorder");
}

static bool reads_text(const uint8_t *head, size_t len) { return len && sv_description_is(head, len); }

const struct tk_format_info tk_info_systemview = {
    .name = "systemview", .title = "SEGGER SystemView", .pieces = "Packets", .joins_cores = true
};
const struct tk_format tk_format_systemview = { &tk_info_systemview, probe, reads_text, &tk_decoder_systemview };
