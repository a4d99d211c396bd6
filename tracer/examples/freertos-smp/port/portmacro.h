/* SPDX-License-Identifier: MIT */
/*
 * A port of FreeRTOS to both cores of the emulated board mps2-an521: the kernel has no SMP port for a board that QEMU
 * emulates. Use it to try recordings of several cores, not for products: it has no support for FPU, MPU and stack
 * limits.
 */
#ifndef PORTMACRO_H
#define PORTMACRO_H

#include <stdint.h>

#include "../board.h"

typedef uint32_t StackType_t;
typedef int32_t BaseType_t;
typedef uint32_t UBaseType_t;
typedef uint32_t TickType_t;

#define portMAX_DELAY ((TickType_t)0xFFFFFFFFu)
#define portTICK_TYPE_IS_ATOMIC 1
#define portSTACK_GROWTH (-1)
#define portTICK_PERIOD_MS ((TickType_t)1000 / configTICK_RATE_HZ)
#define portBYTE_ALIGNMENT 8
#define portCRITICAL_NESTING_IN_TCB 1
#define portTASK_FUNCTION_PROTO(function, argument) void function(void *argument)
#define portTASK_FUNCTION(function, argument) void function(void *argument)

/* PendSV switches tasks. It is pended here, or by an interrupt from the other core. */
static inline void port_pend_switch(void) {
    *(volatile uint32_t *)0xE000ED04u = UINT32_C(1) << 28;
    __asm__ volatile("dsb\n\tisb" : : : "memory");
}
#define portYIELD() port_pend_switch()
#define portYIELD_CORE(core) board_signal((uint32_t)(core))
#define portEND_SWITCHING_ISR(wanted)     \
    do {                                  \
        if (wanted) {                     \
            traceISR_EXIT_TO_SCHEDULER(); \
            portYIELD();                  \
        } else {                          \
            traceISR_EXIT();              \
        }                                 \
    } while (0)
#define portYIELD_FROM_ISR(wanted) portEND_SWITCHING_ISR(wanted)

static inline uint32_t port_exception(void) {
    uint32_t number;
    __asm__ volatile("mrs %0, ipsr" : "=r"(number));
    return number;
}
#define portGET_CORE_ID() ((BaseType_t)board_core())
#define portCHECK_IF_IN_ISR() (port_exception() != 0)

static inline uint32_t port_mask(void) {
    uint32_t before;
    __asm__ volatile("mrs %0, primask\n\tcpsid i" : "=r"(before) : : "memory");
    return before;
}
static inline void port_unmask(uint32_t before) { __asm__ volatile("msr primask, %0" : : "r"(before) : "memory"); }
#define portSET_INTERRUPT_MASK() port_mask()
#define portCLEAR_INTERRUPT_MASK(before) port_unmask(before)
#define portSET_INTERRUPT_MASK_FROM_ISR() port_mask()
#define portCLEAR_INTERRUPT_MASK_FROM_ISR(before) port_unmask(before)
#define portDISABLE_INTERRUPTS() __asm__ volatile("cpsid i" : : : "memory")
#define portENABLE_INTERRUPTS() __asm__ volatile("cpsie i" : : : "memory")

void vTaskEnterCritical(void);
void vTaskExitCritical(void);
UBaseType_t vTaskEnterCriticalFromISR(void);
void vTaskExitCriticalFromISR(UBaseType_t before);
#define portENTER_CRITICAL() vTaskEnterCritical()
#define portEXIT_CRITICAL() vTaskExitCritical()
#define portENTER_CRITICAL_FROM_ISR() vTaskEnterCriticalFromISR()
#define portEXIT_CRITICAL_FROM_ISR(before) vTaskExitCriticalFromISR(before)

/* Recursive locks between the cores. */
struct port_lock {
    uint32_t owner; /* number of the owning core plus 1; 0: free */
    uint32_t depth;
};
extern struct port_lock port_task_lock, port_isr_lock;
void port_take(struct port_lock *lock, BaseType_t core);
void port_give(struct port_lock *lock);
#define portGET_TASK_LOCK(core) port_take(&port_task_lock, (core))
#define portRELEASE_TASK_LOCK(core) ((void)(core), port_give(&port_task_lock))
#define portGET_ISR_LOCK(core) port_take(&port_isr_lock, (core))
#define portRELEASE_ISR_LOCK(core) ((void)(core), port_give(&port_isr_lock))

#define portMEMORY_BARRIER() __asm__ volatile("" : : : "memory")
#define portNOP() __asm__ volatile("nop")

#endif
