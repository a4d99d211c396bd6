/* SPDX-License-Identifier: MIT */
/* Streams markers and values through RTT until the board is switched off. The host starts and stops the stream. */
#include "board.h"
#include "tband.h"
#include "tband_rtt.h"

enum { STEP = 1, LEVEL = 2 };

static volatile uint32_t rounds; /* the debugger reads whether the program has run */

int main(void) {
    tband_evtmarker_name(STEP, "step");
    tband_valmarker_name(LEVEL, "level");
    tband_rtt_start();
    for (int64_t level = 0;; level++) {
        tband_rtt_pump();
        tband_evtmarker(STEP, "");
        tband_valmarker(LEVEL, level);
        rounds = (uint32_t)level + 1u;
    }
}
