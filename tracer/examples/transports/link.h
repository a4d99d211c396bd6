/* SPDX-License-Identifier: MIT */
/* What brings the stream to the host. One of link_*.c is compiled. */
#ifndef LINK_H
#define LINK_H

void link_start(void); /* when the stream has begun */
void link_pump(void);  /* again and again: sends what there is, never waits */

#endif
