/* SPDX-License-Identifier: MIT */
#include "calltrace.h"

#define ICSR (*(volatile uint32_t *)0xE000ED04u)

enum { ACTIVE_VECTOR = 0x1FF, SYNC = 0xC0, WITH_FLAGS = 2, DUMP = 0x04, LOG = 0x08 };

/* Restores the interrupt mask. */
CALLTRACE_NONE static uint32_t lock(void) {
    uint32_t primask;
    __asm volatile("mrs %0, primask" : "=r"(primask));
    __asm volatile("cpsid i" ::: "memory");
    return primask;
}

CALLTRACE_NONE static void unlock(uint32_t primask) { __asm volatile("msr primask, %0" ::"r"(primask) : "memory"); }

CALLTRACE_NONE static void put(uint8_t *at, uint32_t value, unsigned width) {
    while (width--) *at++ = (uint8_t)(value >> 8 * width);
}

void calltrace_entry(uint32_t pc, uint32_t lr) {
    uint8_t record[10];
    uint32_t primask = lock(), vector = ICSR & ACTIVE_VECTOR;
    record[0] = (uint8_t)(SYNC | vector >> 8);
    record[1] = (uint8_t)vector;
    put(record + 2, pc, 4);
    put(record + 6, lr, 4);
    calltrace_write(record, sizeof record);
    unlock(primask);
}

void calltrace_log(const char *text) {
    uint8_t head[4] = { SYNC | WITH_FLAGS, LOG };
    uint32_t len = 0, primask = lock();
    while (text[len] && len < 0xFFFF) len++;
    put(head + 2, len, 2);
    calltrace_write(head, sizeof head);
    calltrace_write((const uint8_t *)text, len);
    unlock(primask);
}

void calltrace_dump(const void *address, uint16_t len) {
    uint8_t head[8] = { SYNC | WITH_FLAGS, DUMP };
    uint32_t primask = lock();
    put(head + 2, (uint32_t)address, 4);
    put(head + 6, len, 2);
    calltrace_write(head, sizeof head);
    calltrace_write(address, len);
    unlock(primask);
}

/* GCC and clang call these functions with -finstrument-functions. Function exits are not recorded. */
CALLTRACE_NONE void __cyg_profile_func_enter(void *function, void *call_site);
CALLTRACE_NONE void __cyg_profile_func_exit(void *function, void *call_site);
void __cyg_profile_func_enter(void *function, void *call_site) {
    calltrace_entry((uint32_t)function, (uint32_t)call_site);
}
void __cyg_profile_func_exit(void *function, void *call_site) { (void)function, (void)call_site; }
