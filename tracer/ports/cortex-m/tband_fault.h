/* SPDX-License-Identifier: MIT */
/*
 * A crash record for Cortex-M: a HardFault handler that ends the recording with the registers of the fault. Set
 * tband_configFAULT_ENABLE to 1, include this header in one source file, and name the handler of the vector table:
 *
 *   #include "tband_fault.h"
 *   static void after_fault(void) { NVIC_SystemReset(); }
 *   TBAND_FAULT_HANDLER(HardFault_Handler, after_fault)
 *
 * `after_fault` is called after the record, with recording stopped: a handler of yours, a reset, or a function that
 * saves the recording. If it returns, the handler loops. The record needs a stack of about 100 bytes. Priority: a fault
 * within the recorder loses the event that it was recording.
 */
#ifndef TBAND_FAULT_H
#define TBAND_FAULT_H

#if defined(__cplusplus) && defined(__GNUC__)
#pragma GCC system_header /* so that casts of C are no warnings in C++ */
#endif

#include "tband.h"

#define TBAND_FAULT_HANDLER(handler, after)                                        \
    static void handler##_record(const uint32_t *stacked);                         \
    __attribute__((used)) static void handler##_record(const uint32_t *stacked) {  \
        tband_fault_record(stacked);                                               \
        after();                                                                   \
        for (;;) {}                                                                \
    }                                                                              \
    void handler(void);                                                            \
    __attribute__((naked)) void handler(void) {                                    \
        __asm__ volatile("movs r0, #4\n\t" /* the stack in use before the fault */ \
                         "mov r1, lr\n\t"                                          \
                         "tst r0, r1\n\t"                                          \
                         "beq 1f\n\t"                                              \
                         "mrs r0, psp\n\t"                                         \
                         "b 2f\n"                                                  \
                         "1: mrs r0, msp\n"                                        \
                         "2: ldr r1, =" #handler "_record\n\t"                     \
                         "bx r1\n\t"                                               \
                         ".ltorg");                                                \
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
