// SPDX-License-Identifier: MIT
//
// Recognises packets of the ITM. They have no magic number: the lowest rank.
#include "../format.h"

#include "../../base/text.h"
#include "../../frame/itm.h"

enum { CONFIDENCE = 10, LOOKED = 64 * 1024 };

static void probe(const uint8_t *head, size_t len, const uint8_t *tail, size_t tail_len, struct tk_probe *out_probe) {
    struct tk_text reason = tk_text_in(out_probe->reason, sizeof out_probe->reason);
    struct tk_itm_evidence evidence;
    (void)tail, (void)tail_len;
    tk_itm_examine(head, len < LOOKED ? len : LOOKED, &evidence);
    if (!tk_itm_is_proven(&evidence)) return;
    out_probe->confidence = CONFIDENCE;
    out_probe->has_events = true;
    out_probe->frames = evidence.packets + evidence.bad;
    out_probe->valid = evidence.packets;
    tk_text_add(&reason, evidence.syncs ? "a sync and packets of the ITM of a Cortex-M: "
                                        : "packets of the ITM of a Cortex-M that confirm each other: ");
    tk_text_count(&reason, evidence.packets, "packets");
}

static const struct tk_option_info options[] = {
    { "prescaler", "Prescaler of the timestamps", "As the target sets it in ITM_TCR.TSPrescale", "1|4|16|64", "1", 0 },
    { "ports", "Numbers in ports", "As counters, or each number as an instant", "counters|instants", "counters", 0 },
    { "numbers", "Sign of numbers", "Of numbers in ports and of the data trace", "unsigned|signed", "unsigned", 0 },
    { "text-ports", "Ports with text", "Numbers of ports whose bytes are lines of text, separated by commas", NULL, "0",
      0 },
    { "task-port", "Port with task switches",
      "Number of a port to which the target writes the number of the task that runs", NULL, "", 255 },
    { "omit-ports", "Ports that are not shown",
      "Numbers separated by commas; those that carry recordings of other formats, if not set", NULL, "", 0 },
};

const struct tk_format_info tk_info_itm = { .name = "itm",
                                            .title = "ITM/SWO of Cortex-M",
                                            .pieces = "Packets",
                                            .options = options,
                                            .option_count = sizeof options / sizeof *options,
                                            .takes_symbols = true };
const struct tk_format tk_format_itm = { &tk_info_itm, probe, NULL, &tk_decoder_itm };
