/* SPDX-License-Identifier: MIT */
/* How the recording leaves the board. One of out_*.c is compiled. */
#ifndef OUT_H
#define OUT_H

void out_begin(void); /* before the first task is created */
void out_go_on(void); /* once per tick, while the tasks run */
void out_end(void);   /* when no other task is switched in any more */

#endif
