/* SPDX-License-Identifier: MIT */
/*
 * Records function entries, logs and memory dumps of a Cortex-M target in a format that `tonkopf` reads. There is no
 * buffer: each call writes its record.
 *
 *   CALLTRACE_ENTRY();             first in a function; or build with -finstrument-functions and -DCALLTRACE_HOOKS,
 * which needs no macro calltrace_log("ready"); calltrace_dump(&g_state, sizeof g_state);
 *
 * Build with -fno-optimize-sibling-calls: after a tail call, the return address is that of the caller's caller. Do not
 * trace the functions that write a record.
 */
#ifndef CALLTRACE_H
#define CALLTRACE_H

#include <stdint.h>

#if defined(__GNUC__) && !defined(__ICCARM__)
#define CALLTRACE_NONE __attribute__((no_instrument_function))
#else
#define CALLTRACE_NONE
#endif

/* Implemented by the application: sends the bytes. Called with interrupts disabled, so that records are not
 * interleaved. */
CALLTRACE_NONE void calltrace_write(const uint8_t *bytes, uint32_t len);

/* pc: an address in the function, or its start with bit 0 set; lr: the return address. */
CALLTRACE_NONE void calltrace_entry(uint32_t pc, uint32_t lr);
CALLTRACE_NONE void calltrace_log(const char *text); /* length up to 65535 bytes */
CALLTRACE_NONE void calltrace_dump(const void *address, uint16_t len);

#if defined(CALLTRACE_HOOKS)
#define CALLTRACE_ENTRY() ((void)0)
#elif defined(__ICCARM__)
/* Written from the compiler's documentation; not compiled in our tests. */
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
