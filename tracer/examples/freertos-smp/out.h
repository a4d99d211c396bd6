/* SPDX-License-Identifier: MIT */
/* Sends the recording to the host. The Makefile compiles one of out_*.c. */
#ifndef OUT_H
#define OUT_H

void out_begin(void); /* called before the first task is created */
void out_go_on(void); /* called once per tick while the tasks run */
void out_end(void);   /* called when the scheduler no longer switches tasks */

#endif
