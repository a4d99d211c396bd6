/* SPDX-License-Identifier: MIT */
/*
 * Function entries, logs and memory dumps of a Cortex-M target, as `tonkopf` reads them. There is no buffer: each call
 * writes its record.
 *
 *   CALLTRACE_ENTRY();             first in a function; or build with -finstrument-functions and -DCALLTRACE_HOOKS,
 * which needs no macro calltrace_log("ready"); calltrace_dump(&g_state, sizeof g_state);
 *
 * Build with -fno-optimize-sibling-calls: behind a tail call the caller's caller is seen. Functions that write a record
 * must not be traced themselves.
 */
#ifndef CALLTRACE_H
#define CALLTRACE_H

#include <stdint.h>

#if defined(__GNUC__) && !defined(__ICCARM__)
#define CALLTRACE_NONE __attribute__((no_instrument_function))
#else
#define CALLTRACE_NONE
#endif

/* Yours: sends the bytes. Called with interrupts disabled, so that no record splits another one. */
CALLTRACE_NONE void calltrace_write(const uint8_t *bytes, uint32_t len);

/* pc: in the function, or its address with bit 0 set; lr: what it returns to. */
CALLTRACE_NONE void calltrace_entry(uint32_t pc, uint32_t lr);
CALLTRACE_NONE void calltrace_log(const char *text); /* up to 65535 bytes */
CALLTRACE_NONE void calltrace_dump(const void *address, uint16_t len);

#if defined(CALLTRACE_HOOKS)
#define CALLTRACE_ENTRY() ((void)0)
#elif defined(__ICCARM__)
/* Written from the compiler's documentation, not compiled. */
#include <intrinsics.h>
#define CALLTRACE_ENTRY()                                                \
    do {                                                                 \
        uint32_t calltrace_pc;                                           \
        __asm volatile("MOV %0, PC" : "=r"(calltrace_pc));               \
        calltrace_entry(calltrace_pc, (uint32_t)__get_return_address()); \
    } while (0)
#else
#define CALLTRACE_ENTRY()                                                     \
    do {                                                                      \
        uint32_t calltrace_pc;                                                \
        __asm volatile("mov %0, pc" : "=r"(calltrace_pc));                    \
        calltrace_entry(calltrace_pc, (uint32_t)__builtin_return_address(0)); \
    } while (0)
#endif

#endif
