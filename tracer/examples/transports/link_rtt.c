/* SPDX-License-Identifier: MIT */
/* RTT: a debugger reads the stream out of RAM. Without a debugger, the program waits for one at its end. */
#include "link.h"
#include "tband_rtt.h"

void link_start(void) { tband_rtt_start(); }
void link_pump(void) { tband_rtt_pump(); }
