/* SPDX-License-Identifier: MIT */
/*
 * A crash record for Cortex-M: the recording ends with the registers of a HardFault. Set tband_configFAULT_ENABLE to 1
 * and include this header in one source file, which uses one of these:
 *
 *   TBAND_FAULT_HANDLER(HardFault_Handler, after_fault)
 *
 * defines the handler of the vector table. It records the fault, then calls `after_fault`, a function without
 * arguments: a reset, or one that saves the recording. If it returns, the handler loops.
 *
 *   TBAND_FAULT_CHAIN(HardFault_Handler, own_handler)
 *
 * defines a handler of the vector table that records the fault, then jumps to a handler of the application, in C or
 * assembly. own_handler finds the stack pointers, LR (EXC_RETURN) and R4 to R11 as after the entry of the
 * exception; R0 to R3 and R12 only in the stack frame, where the processor saved them. If own_handler returns, the
 * processor repeats the instruction that failed, unless the handler has changed the PC in the stack frame; nothing
 * more is recorded.
 *
 *   tband_fault_record(stacked);
 *
 * for a handler of the application that stays in the vector table: records the fault. It must find the stack frame
 * itself, before it changes the stack pointers: at PSP if bit 2 of LR is set, else at MSP.
 *
 * Recording is stopped after the record, which needs a stack of about 100 bytes. Priority: a fault within the recorder
 * loses the event that it was recording.
 */
#ifndef TBAND_FAULT_H
#define TBAND_FAULT_H

#if defined(__cplusplus) && defined(__GNUC__)
#pragma GCC system_header /* so that casts of C are no warnings in C++ */
#endif

#include "tband.h"

#ifdef __cplusplus
#define TBAND_C_LINKAGE extern "C"
#else
#define TBAND_C_LINKAGE
#endif

typedef void tband_fault_next(void);

#define TBAND_FAULT_HANDLER(handler, after) \
    static void handler##_end(void) {       \
        after();                            \
        for (;;) {}                         \
    }                                       \
    TBAND_FAULT_CHAIN(handler, handler##_end)

/* The asm label keeps the name of handler_record in C++, where the compiler would change it. */
#define TBAND_FAULT_CHAIN(handler, next)                                                            \
    static tband_fault_next *handler##_record(const uint32_t *stacked) __asm__(#handler "_record"); \
    __attribute__((used)) static tband_fault_next *handler##_record(const uint32_t *stacked) {      \
        tband_fault_record(stacked);                                                                \
        return next;                                                                                \
    }                                                                                               \
    TBAND_C_LINKAGE void handler(void);                                                             \
    __attribute__((naked)) void handler(void) {                                                     \
        __asm__ volatile("movs r0, #4\n\t" /* the stack in use before the fault */                  \
                         "mov r1, lr\n\t"                                                           \
                         "tst r0, r1\n\t"                                                           \
                         "beq 1f\n\t"                                                               \
                         "mrs r0, psp\n\t"                                                          \
                         "b 2f\n"                                                                   \
                         "1: mrs r0, msp\n"                                                         \
                         "2: push {r0, lr}\n\t" /* two, so that the stack stays aligned */          \
                         "bl " #handler "_record\n\t"                                               \
                         "pop {r1, r2}\n\t"                                                         \
                         "mov lr, r2\n\t"                                                           \
                         "bx r0");                                                                  \
    }

#if tband_configENABLE == 1

#if tband_configFAULT_ENABLE != 1
#error "tband_fault.h: tband_config.h must set tband_configFAULT_ENABLE to 1."
#endif

/* Records the fault and stops recording. stacked: the eight registers that the processor saved. */
static inline void tband_fault_record(const uint32_t *stacked) {
    enum {
        LR = 5,
        PC = 6,
        XPSR = 7,
        EXCEPTION = 0x1FF,
        STACKING_FAILED = 0x1010,
        BFAR_VALID = 0x8000,
        MMFAR_VALID = 0x80
    };
#if defined(__ARM_ARCH_6M__) || defined(__ARM_ARCH_8M_BASE__)
    const uint32_t cfsr = 0, hfsr = 0, address = 0;
#else
    const uint32_t cfsr = *(const volatile uint32_t *)0xE000ED28u, hfsr = *(const volatile uint32_t *)0xE000ED2Cu;
    const uint32_t address = (cfsr & (uint32_t)BFAR_VALID)    ? *(const volatile uint32_t *)0xE000ED38u
                             : (cfsr & (uint32_t)MMFAR_VALID) ? *(const volatile uint32_t *)0xE000ED34u
                                                              : 0u;
#endif
    const bool is_usable = ((uintptr_t)stacked % 4u == 0u) && ((cfsr & (uint32_t)STACKING_FAILED) == 0u);
    const uint32_t pc = is_usable ? stacked[PC] : 0u, lr = is_usable ? stacked[LR] : 0u;
    const uint32_t xpsr = is_usable ? stacked[XPSR] : 0u;
#if tband_configFREERTOS_TRACE_ENABLE == 1
    const uint32_t task = tband_freertos_running_task();
#else
    const uint32_t task = 0;
#endif
    tband_event_fault_state(xpsr, hfsr, address);
    tband_event_fault_context(task, xpsr & (uint32_t)EXCEPTION);
    tband_event_fault(pc, lr, cfsr);
#if tband_configUSE_BACKEND_POST_MORTEM == 1
    (void)tband_stop_post_mortem();
#elif tband_configUSE_BACKEND_SNAPSHOT == 1
    (void)tband_stop_snapshot();
#elif tband_configUSE_BACKEND_STREAMING == 1
    (void)tband_stop_streaming();
#endif
}

#else
static inline void tband_fault_record(const uint32_t *stacked) { (void)stacked; }
#endif

#endif
