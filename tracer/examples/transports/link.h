/* SPDX-License-Identifier: MIT */
/* Sends the stream to the host. The Makefile compiles one of link_*.c. */
#ifndef LINK_H
#define LINK_H

void link_start(void); /* called when the stream has started */
void link_pump(void);  /* called repeatedly: sends the available bytes, never waits */

#endif
