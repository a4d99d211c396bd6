// SPDX-License-Identifier: MIT
//
// Recognises the format. It has no magic number, but nearly all pieces of a real recording decode.
#include "../format.h"

#include <string.h>

#include "../../base/bytes.h"
#include "../../base/text.h"
#include "control.h"
#include "decode.h"

enum { ENOUGH_INTACT = 4 }; // so many frames that all decode are no coincidence
enum { MAX_PIECE = 4096 };  // longer pieces count as invalid: no target sends such frames

struct evidence {
    struct tk_probe *probe;
    uint8_t scratch[MAX_PIECE + TB_SCRATCH_MORE];
    uint64_t last; // time of the last valid frame
    uint64_t rises, falls;
    uint8_t core;
    bool rtos, timed;
    bool has_rate; // a clock rate came before the first time
};

static size_t find_task(struct evidence *evidence, uint32_t id) {
    struct tk_probe *probe = evidence->probe;
    for (uint32_t i = 0; i < probe->task_count; i++)
        if (probe->tasks[i].id == id) return i;
    if (probe->task_count == sizeof probe->tasks / sizeof *probe->tasks) return SIZE_MAX;
    probe->tasks[probe->task_count].id = id;
    return probe->task_count++;
}

static void note_time(struct evidence *evidence, const struct tk_event *event) {
    struct tk_probe *probe = evidence->probe;
    if (!event->timed || (event->kind == TK_EV_CORE && !event->ticks)) return;
    if (evidence->timed) event->ticks >= evidence->last ? evidence->rises++ : evidence->falls++;
    else probe->first_ticks = event->ticks;
    evidence->timed = true;
    evidence->last = event->ticks;
    if (event->ticks > probe->last_ticks) probe->last_ticks = event->ticks;
    probe->has_events = probe->has_events || (event->kind != TK_EV_CORE && event->kind != TK_EV_DROP_COUNT);
}

static void note_evidence(struct evidence *evidence, const struct tk_event *event) {
    struct tk_probe *probe = evidence->probe;
    size_t task;
    switch (event->kind) {
    case TK_EV_CORE:
        if (event->core_tag.core < TK_MAX_CORES) probe->cores_mask |= 1u << event->core_tag.core;
        break;
    case TK_EV_TICK_LENGTH:
        probe->names_tick = probe->names_tick || event->tick_length.ns > 0;
        if (event->tick_length.ns > 0 && !evidence->has_rate) probe->tick_ns = (uint64_t)event->tick_length.ns;
        break;
    case TK_EV_CLOCK_HZ: // times become ns
        if (event->clock_hz.hz <= 0 || !event->clock_hz.divisor || evidence->timed) break;
        evidence->has_rate = probe->names_tick = true;
        probe->tick_ns = 1;
        break;
    case TK_EV_BUILD:
        if (probe->has_build) break;
        probe->has_build = true;
        probe->build = (uint64_t)event->build.high << 32 | event->build.low;
        break;
    case TK_EV_TASK_IS_IDLE:
        if (event->idle_task.core < TK_MAX_CORES) probe->idle_core_mask |= 1u << event->idle_task.core;
        break;
    case TK_EV_TASK_NAME:
    case TK_EV_TASK_CREATED:
    case TK_EV_TASK_SWITCHED_IN:
        if ((task = find_task(evidence, tk_event_id(event))) == SIZE_MAX) break;
        if (event->kind == TK_EV_TASK_NAME) {
            probe->tasks[task].named = 1;
            probe->tasks[task].name_hash = (uint32_t)tk_hash_bytes((const uint8_t *)event->str, event->str_len);
        } else if (event->kind == TK_EV_TASK_CREATED) {
            probe->tasks[task].created = 1;
        } else {
            probe->tasks[task].runs = 1;
        }
        break;
    default: break;
    }
}

static void probe_piece(struct evidence *evidence, const uint8_t *piece, size_t len) {
    if (!len) return; // before all else, because memory of zeros is long
    struct tk_probe *probe = evidence->probe;
    struct tk_event event = { 0 };
    uint8_t id = 0;
    probe->frames++;
    if (len > MAX_PIECE) {
        size_t text = 0;
        while (text < len && tb_is_filler(piece[text])) text++;
        if (text < len - MAX_PIECE) return;
        probe->text_bytes += len - MAX_PIECE;
        piece += len - MAX_PIECE;
        len = MAX_PIECE;
    }
    if (tb_decode_piece(piece, len, 0, evidence->scratch, &event, &id) != TB_OK) {
        size_t text = tb_text_before_frame(piece, len, evidence->scratch);
        if (!text) return;
        probe->text_bytes += text;
        event = (struct tk_event){ 0 };
        if (tb_decode_piece(piece + text, len - text, 0, evidence->scratch, &event, &id) != TB_OK) return;
    }
    probe->valid++;
    evidence->rtos |= (id & TB_RTOS_ID_BIT) != 0;
    note_time(evidence, &event);
    note_evidence(evidence, &event);
}

// Examines the pieces. The first one may be the rest of a frame: it counts only if it decodes.
static void probe_bytes(struct evidence *evidence, const uint8_t *bytes, size_t len) {
    size_t at = 0;
    while (at < len) {
        size_t piece = tk_find_zero(bytes + at, len - at);
        if (at + piece == len) break;
        uint64_t valid = evidence->probe->valid;
        probe_piece(evidence, bytes + at, piece);
        if (!at && evidence->probe->valid == valid && piece) evidence->probe->frames--;
        at += piece + 1;
    }
}

static void probe_tail(struct evidence *evidence, const uint8_t *tail, size_t tail_len) {
    struct tk_probe seen = *evidence->probe;
    size_t start = tk_find_zero(tail, tail_len);
    if (start < tail_len) probe_bytes(evidence, tail + start + 1, tail_len - start - 1);
    uint64_t last = evidence->probe->last_ticks;
    *evidence->probe = seen; // only the head decides about the format; the tail gives the time of the last event
    evidence->probe->last_ticks = last;
}

static uint32_t confidence(const struct evidence *evidence) {
    const struct tk_probe *probe = evidence->probe;
    if (!probe->valid) return 0;
    uint64_t valid = probe->valid * 100 / probe->frames;
    uint64_t steps = evidence->rises + evidence->falls, rising = steps ? evidence->rises * 100 / steps : 100;
    bool is_intact = probe->valid == probe->frames && probe->valid >= ENOUGH_INTACT; // also accepted if the times do
                                                                                     // not rise
    if (valid < 25 || (rising < 60 && !is_intact)) return 0;
    if (probe->valid < ENOUGH_INTACT && valid < 100) return 0;
    uint64_t sure = is_intact ? 100 : valid * rising / 100;
    return (uint32_t)(probe->valid < 8 && sure > 80 ? 80 : sure);
}

static void explain(const struct evidence *evidence) {
    struct tk_probe *probe = evidence->probe;
    struct tk_text reason = tk_text_in(probe->reason, sizeof probe->reason);
    if (!probe->frames) {
        tk_text_add(&reason, "no whole frame is in it");
        return;
    }
    tk_text_u64(&reason, probe->valid);
    tk_text_add(&reason, " of ");
    tk_text_u64(&reason, probe->frames);
    tk_text_add(&reason, probe->frames == 1 ? " frame decodes" : " frames decode");
    if (evidence->falls) tk_text_add(&reason, ", time falls "), tk_text_count(&reason, evidence->falls, "times");
    else if (evidence->rises) tk_text_add(&reason, " and time never falls");
    if (evidence->rtos) tk_text_add(&reason, "; task and queue records show FreeRTOS");
}

// Examines the frames after a control block in a dump of memory, as far as the head contains them.
static void probe_dump_cores(struct evidence *evidence, const struct tb_control *control, const uint8_t *block,
                             size_t len) {
    struct tb_control_core core;
    for (uint32_t i = 0; i < control->cores; i++) {
        if (!tb_control_core(control, block, len > UINT32_MAX ? UINT32_MAX : (uint32_t)len, i, &core)) continue;
        probe_bytes(evidence, block + core.metadata, core.metadata_len);
        probe_bytes(evidence, block + core.ring + core.from, core.first_len);
        probe_bytes(evidence, block + core.ring, core.second_len);
    }
}

// Counts the control blocks after the first one, as far as the head contains their starts. Adds their cores.
static uint32_t count_more_blocks(const uint8_t *head, size_t len, size_t from, uint32_t *cores) {
    struct tb_control control;
    uint32_t blocks = 0;
    while (from < len) {
        size_t at = tb_control_find(head + from, len - from, &control);
        if (at == len - from) break;
        *cores += control.cores;
        blocks++;
        from += at + control.len;
    }
    return blocks;
}

static void explain_dump(struct evidence *evidence, const struct tb_control *control, uint64_t at, uint32_t more,
                         uint32_t cores) {
    static const char *const kinds[] = { [TB_STREAMING] = "stream",
                                         [TB_SNAPSHOT] = "snapshot",
                                         [TB_POST_MORTEM] = "overwritten ring",
                                         [TB_HANDED_OVER] = "names" };
    struct tk_text reason = tk_text_in(evidence->probe->reason, sizeof evidence->probe->reason);
    tk_text_add(&reason, "a dump of memory with the control block of the recorder at byte ");
    tk_text_u64(&reason, at);
    tk_text_add(&reason, ": ");
    tk_text_add(&reason, kinds[control->backend]);
    if (more) tk_text_add(&reason, "; "), tk_text_count(&reason, more, "more control blocks");
    if (cores == 1) return;
    tk_text_add(&reason, ", ");
    tk_text_u64(&reason, cores);
    tk_text_add(&reason, " cores");
}

static bool probe_dump(struct evidence *evidence, const uint8_t *head, size_t len) {
    enum { SURE = 16 }; // with so many frames in other data, the magic number is no coincidence
    struct tk_probe *probe = evidence->probe;
    struct tb_control control;
    size_t at = tb_control_find(head, len, &control);
    if (at == len) return false;
    probe_dump_cores(evidence, &control, head + at, len - at);
    probe->is_dump = true;
    probe->from = at;
    probe->confidence = 100;
    probe->names_tick = true;
    probe->tick_ns = control.resolution;
    probe->has_events = control.backend != TB_HANDED_OVER;
    uint32_t cores = control.cores, more = count_more_blocks(head, len, at + control.len, &cores);
    if (cores > 1) probe->cores_mask = cores >= TK_MAX_CORES ? UINT32_MAX : (1u << cores) - 1;
    if (probe->frames < SURE) probe->frames = probe->valid = SURE;
    explain_dump(evidence, &control, at, more, cores);
    return true;
}

static void probe(const uint8_t *head, size_t head_len, const uint8_t *tail, size_t tail_len,
                  struct tk_probe *out_probe) {
    struct evidence evidence = { .probe = out_probe };
    if (!probe_dump(&evidence, head, head_len)) {
        probe_bytes(&evidence, head, head_len);
        out_probe->confidence = confidence(&evidence);
        if (tail && tail_len) probe_tail(&evidence, tail, tail_len);
        explain(&evidence);
    }
    memcpy(out_probe->mode, evidence.rtos ? "free-rtos" : "bare-metal", evidence.rtos ? 10 : 11);
}

static const struct tk_option_info options[] = {
    { "mode", "Mode", "What ran on the target; recognised from the records", "auto|bare-metal|free-rtos", "auto", 0 },
};

const struct tk_format_info tk_info_tonbandgeraet = {
    .name = "tonbandgeraet",
    .title = "Tonbandgeraet",
    .pieces = "Frames",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .joins_cores = true,
    .takes_symbols = true,
};
const struct tk_format tk_format_tonbandgeraet = { &tk_info_tonbandgeraet, probe, NULL, &tk_decoder_tonbandgeraet };
