// SPDX-License-Identifier: MIT
//
// Recognises the format. It has no magic number, but almost all bytes of a recording belong to records that confirm
// each other.
#include "../format.h"

#include <string.h>

#include "../../base/text.h"
#include "records.h"
#include "vectors.h"

enum {
    PROBE_LEN = 4096,
    FEWEST = 3,
    CONFIDENCE = 60,
    PERCENT = 90
}; // CONFIDENCE is lower than that of formats with a magic number

struct evidence {
    uint64_t records, functions, bytes;
    uint64_t data;    // bytes of dumps and logs among the records: any bytes fit there, so they prove nothing
    uint64_t skipped; // number of bytes skipped in a row up to the current position
    bool may_be_cut;  // the skipped bytes begin like a record
};

static void count(struct evidence *evidence, enum cm_verdict verdict, const struct cm_record *record, size_t step,
                  uint8_t first) {
    if (verdict == CM_SKIPPED) {
        if (!evidence->skipped++) evidence->may_be_cut = cm_is_sync(first);
        return;
    }
    evidence->records += 1 + (verdict == CM_SPLIT);
    evidence->functions += verdict == CM_SPLIT || record->kind == CM_FUNCTION;
    evidence->bytes += step;
    if (record->kind != CM_FUNCTION) evidence->data += record->data_len;
    evidence->skipped = 0;
}

// Returns how many bytes were examined; a record that is cut at the end does not count.
static size_t collect_evidence(const uint8_t *head, size_t head_len, struct evidence *out) {
    struct cm_window window = { head, head_len, head_len < TK_PROBE_LEN };
    enum cm_numbering numbering = CM_FLAGS_OPEN;
    struct cm_record records[2];
    size_t at = 0;
    while (at < head_len && at < PROBE_LEN) {
        enum cm_verdict verdict = cm_next(&window, at, &numbering, records);
        if (verdict == CM_MORE) break;
        size_t step = verdict == CM_SKIPPED ? 1 : verdict == CM_SPLIT ? 2 * CM_FUNCTION_LEN : records[0].size;
        count(out, verdict, &records[0], step, head[at]);
        at += step;
    }
    return at == head_len && out->may_be_cut ? at - (size_t)out->skipped : at;
}

static void probe(const uint8_t *head, size_t head_len, const uint8_t *tail, size_t tail_len,
                  struct tk_probe *out_probe) {
    struct evidence found = { 0 };
    struct tk_text reason = tk_text_in(out_probe->reason, sizeof out_probe->reason);
    (void)tail, (void)tail_len;
    if (cm_vectors_text_is(head, head_len)) {
        out_probe->confidence = CONFIDENCE;
        tk_text_add(&reason, "names of exception vectors as text, to be given along with a recording");
        return;
    }
    uint64_t len = collect_evidence(head, head_len, &found);
    out_probe->frames = found.records;
    out_probe->valid = found.records;
    found.bytes -= found.data;
    len -= found.data;
    bool enough = found.records >= FEWEST && found.functions && found.bytes * 100 >= len * PERCENT;
    if (!enough) return;
    out_probe->confidence = CONFIDENCE;
    out_probe->has_events = out_probe->names_tick = true;
    tk_text_add(&reason, "function records of Cortex-M that confirm each other: ");
    tk_text_u64(&reason, found.bytes * 100 / len);
    tk_text_add(&reason, " % of the bytes");
}

static const struct tk_option_info options[] = {
    { "time", "Times", "Receive times or the rate of the line where they are known, or the order of the records",
      "auto|order|rate", "auto", 0 },
    { "baud", "Baud rate of the line", "With it a record stands where the line was busy all the time", NULL, "",
      1000000000u },
    { "flags", "Numbering of the flags", "Which bits mark dumps and logs", "auto|new|old", "auto", 0 },
    { "calls", "Calls", "As stacks, or each record by itself", "nested|flat", "nested", 0 },
    { "vectors", "Interrupt names", "What interrupts are called that neither symbols nor a file of names tells",
      "numbers|stm32f303", "numbers", 0 },
    { "pc-start", "Bytes before a trace point",
      "From the start of a function to the address that its trace point sends, where no symbols tell it", NULL, "6",
      4096 },
};

const struct tk_format_info tk_info_cortexm = {
    .name = "cortexm",
    .title = "Cortex-M call trace",
    .pieces = "Records",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .takes_symbols = true,
    .is_outlined = true,
    .has_vendor_dump = true,
    .takes_times = true,
};
const struct tk_format tk_format_cortexm = { &tk_info_cortexm, probe, cm_vectors_text_is, &tk_decoder_cortexm };
