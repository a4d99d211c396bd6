// SPDX-License-Identifier: MIT
//
// Recognises the format by valid checksums, consecutive sequence numbers, and sizes that fit the records.
#include "../format.h"

#include <string.h>

#include "../../frame/hdlc.h"
#include "names_text.h"
#include "target_summary.h"

enum { QS_PROBE_LEN = 64 * 1024 };

struct evidence {
    uint64_t frames, good, follow, commands;
    struct qs_histogram histogram;
    struct qs_target_info info;
    bool informed, good_before;
    uint8_t sequence;
};

static void count_frame(struct evidence *evidence, const struct tk_hdlc_frame *frame) {
    if (frame->verdict == TK_HDLC_EMPTY) return;
    bool good = frame->verdict == TK_HDLC_OK;
    if (!frame->number && !good) return; // the rest of a frame
    evidence->frames++;
    if (!good) return;
    uint8_t sequence = frame->bytes[0], record = frame->bytes[1];
    evidence->good++;
    evidence->follow += !evidence->good_before || sequence == (uint8_t)(evidence->sequence + 1);
    evidence->commands += record <= 16;
    evidence->good_before = true;
    evidence->sequence = sequence;
    if (record == 64 && qs_target_info_read(frame->bytes + 2, frame->len - 3, &evidence->info))
        evidence->informed = true;
    qs_histogram_add(&evidence->histogram, record, frame->bytes + 2, frame->len - 3);
}

static void explain(const struct evidence *evidence, struct tk_text *reason) {
    tk_text_u64(reason, evidence->good);
    tk_text_add(reason, " of ");
    tk_text_u64(reason, evidence->frames);
    tk_text_add(reason, " frames have the right sum");
    if (evidence->informed)
        tk_text_add(reason, "; the target names itself QP "), qs_summary_version(reason, evidence->info.version);
    else tk_text_add(reason, "; the sizes of its fields are inferred");
}

static uint32_t confidence(const struct evidence *evidence, bool starts) {
    struct qs_config config;
    uint64_t known, fit;
    if (!evidence->good) return 0;
    if (!starts && (evidence->good < 8 || evidence->good * 10 < evidence->frames * 7 ||
                    evidence->follow * 10 < evidence->good * 7))
        return 0;
    qs_config_default(&config);
    if (evidence->informed) qs_config_take(&config, &evidence->info);
    else qs_config_infer(&config, &evidence->histogram);
    qs_config_fit(&config, &evidence->histogram, &known, &fit);
    if (known && fit * 10 < known * 9) return 0;
    uint64_t sure = evidence->good * 100 / evidence->frames;
    return (uint32_t)(sure < 71 ? 71 : sure);
}

static void probe(const uint8_t *head, size_t head_len, const uint8_t *tail, size_t tail_len,
                  struct tk_probe *out_probe) {
    static const uint8_t start[] = { 0x01, 0x00, 0xFE, 0x7E, 0x02, 0x40 };
    struct tk_text reason = tk_text_in(out_probe->reason, sizeof out_probe->reason);
    (void)tail, (void)tail_len;
    if (qs_names_text_is(head, head_len)) {
        out_probe->confidence = 100;
        out_probe->is_names_file = true;
        tk_text_add(&reason, "names and sizes of a target as text, to be given along with a recording");
        return;
    }
    struct evidence evidence = { 0 };
    struct tk_hdlc hdlc = { 0 };
    struct tk_hdlc_cursor cursor = { head, 0, head_len < QS_PROBE_LEN ? head_len : QS_PROBE_LEN };
    struct tk_hdlc_frame frame;
    while (tk_hdlc_next(&hdlc, &cursor, &frame)) count_frame(&evidence, &frame);
    out_probe->looked = cursor.len;
    out_probe->frames = evidence.frames;
    out_probe->valid = evidence.good;
    out_probe->confidence = confidence(&evidence, head_len >= sizeof start && !memcmp(head, start, sizeof start));
    out_probe->has_events = evidence.good > 2;
    out_probe->names_tick = true; // the rate of the clock is known or assumed before the first event
    if (out_probe->confidence) explain(&evidence, &reason);
    else if (evidence.good >= 8 && evidence.commands == evidence.good)
        tk_text_add(&reason, "these are commands to a target, not what it recorded");
}

static const struct tk_option_info options[] = {
    { "rate-hz", "Clock rate (Hz)",
      "Ticks per second of the target's time stamp; with it times are exact, without it they are in ticks", NULL, "",
      10000000000u },
    { "tick-rate-hz", "System ticks per second",
      "With the clock rate, the recorded ticks then tell how often a time stamp of 1 or 2 bytes turned over", NULL, "",
      1000000 },
    { "qp-version", "QP version", "Three digits, as 740 for 7.4.0; needed only where the recording does not tell it",
      NULL, "", 9999 },
    { "size-time", "Time stamp bytes", "Where the recording does not tell it, or tells it wrong", "auto|1|2|4", "auto",
      0 },
    { "size-object", "Object pointer bytes", "Where the recording does not tell it, or tells it wrong", "auto|1|2|4|8",
      "auto", 0 },
    { "size-function", "Function pointer bytes", "Where the recording does not tell it, or tells it wrong",
      "auto|1|2|4|8", "auto", 0 },
    { "size-signal", "Signal bytes", "Where the recording does not tell it, or tells it wrong", "auto|1|2|4", "auto",
      0 },
    { "size-event", "Event size bytes", "Where the recording does not tell it, or tells it wrong", "auto|1|2|4", "auto",
      0 },
    { "size-queue", "Queue counter bytes", "Where the recording does not tell it, or tells it wrong", "auto|1|2|4",
      "auto", 0 },
    { "size-pool", "Pool counter bytes", "Where the recording does not tell it, or tells it wrong", "auto|1|2|4",
      "auto", 0 },
    { "size-timer", "Time event counter bytes", "Where the recording does not tell it, or tells it wrong", "auto|1|2|4",
      "auto", 0 },
};

const struct tk_format_info tk_info_qs = {
    .name = "qs",
    .title = "QP/Spy (QS)",
    .pieces = "Frames",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .takes_symbols = true,
    .has_vendor_dump = true,
    .joins_cores = true,
};
const struct tk_format tk_format_qs = { &tk_info_qs, probe, qs_names_text_is, &tk_decoder_qs };
