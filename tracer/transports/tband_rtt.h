/* SPDX-License-Identifier: MIT */
/*
 * A stream through RTT: a debugger reads it out of RAM while the program runs (J-Link, OpenOCD, probe-rs, pyOCD).
 * Nothing is copied on the target: the ring of core N is the buffer of channel N.
 *
 *   tband_start_streaming();
 *   tband_rtt_start();
 *   tband_rtt_pump();        again and again: idle hook, tick hook or main loop
 *
 * For programs without SEGGER's RTT: two blocks would confuse the debugger. Where there is a data cache, place the
 * stream in memory that is not cached (tband_configCONTROL_ATTRIBUTE), and the block too (tband_configRTT_ATTRIBUTE).
 * Compile tband_rtt.c; back end STREAMING. Context: tasks or the tick, one at a time. Cost: some ten instructions per
 * core.
 */
#ifndef TBAND_RTT_H
#define TBAND_RTT_H

#include "tband.h"

#if tband_configENABLE == 1

#ifdef __cplusplus
extern "C" {
#endif

/* Makes the block that debuggers look for. After tband_start_streaming(), once. */
void tband_rtt_start(void);
/* Shows the debugger what was recorded and takes back the room of what it has read. Without a debugger the stream gets
 * full and losses are counted. */
void tband_rtt_pump(void);

#ifdef __cplusplus
}
#endif

#else

static inline void tband_rtt_start(void) {}
static inline void tband_rtt_pump(void) {}

#endif

#endif
