/* SPDX-License-Identifier: MIT */
/*
 * A stream through RTT: a debugger reads it out of RAM while the program runs (J-Link, OpenOCD, probe-rs, pyOCD). The
 * target copies nothing: the ring of core N is the buffer of channel N.
 *
 *   tband_start_streaming();
 *   tband_rtt_start();
 *   tband_rtt_pump();        again and again: idle hook, tick hook or main loop
 *
 * With tband_configCOMMANDS_ENABLE 1, down channel 0 takes commands (tband_command()); then the pump starts and stops
 * streams.
 *
 * For programs without SEGGER's RTT: the debugger would find two control blocks. On a target with a data cache, place
 * the stream (tband_configCONTROL_ATTRIBUTE) and the control block (tband_configRTT_ATTRIBUTE) in uncached memory.
 * Compile tband_rtt.c; back end STREAMING. Context: tasks or the tick, one at a time. Cost: about ten instructions per
 * core.
 */
#ifndef TBAND_RTT_H
#define TBAND_RTT_H

#include "tband.h"

#if tband_configENABLE == 1

#ifdef __cplusplus
extern "C" {
#endif

/* Initialises the control block that debuggers look for. Call it once, after tband_start_streaming(). */
void tband_rtt_start(void);
/* Makes recorded bytes visible to the debugger and frees the space of the bytes that it has read. Without a debugger
 * the ring becomes full, and losses are counted. */
void tband_rtt_pump(void);

#ifdef __cplusplus
}
#endif

#else

static inline void tband_rtt_start(void) {}
static inline void tband_rtt_pump(void) {}

#endif

#endif
