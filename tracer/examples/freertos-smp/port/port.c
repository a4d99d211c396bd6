/* SPDX-License-Identifier: MIT */
#include "FreeRTOS.h"
#include "task.h"

#define SYSTICK_CONTROL (*(volatile uint32_t *)0xE000E010u)
#define SYSTICK_RELOAD (*(volatile uint32_t *)0xE000E014u)
#define INTERRUPTS_ENABLE (*(volatile uint32_t *)0xE000E100u)
#define INTERRUPT_PRIORITIES ((volatile uint8_t *)0xE000E400u)
#define SYSTEM_PRIORITIES (*(volatile uint32_t *)0xE000ED20u)

struct port_lock port_task_lock, port_isr_lock;

/* Called with interrupts masked. Only this core writes its own number, so checking whether it holds the lock needs
 * no atomics. */
void port_take(struct port_lock *lock, BaseType_t core) {
    uint32_t mine = (uint32_t)core + 1;
    if (__atomic_load_n(&lock->owner, __ATOMIC_RELAXED) != mine) {
        for (uint32_t expected = 0;
             !__atomic_compare_exchange_n(&lock->owner, &expected, mine, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);)
            expected = 0;
    }
    lock->depth++;
}

void port_give(struct port_lock *lock) {
    if (!--lock->depth) __atomic_store_n(&lock->owner, 0, __ATOMIC_RELEASE);
}

static void task_returned(void) { configASSERT(0); }

/* The same layout as PendSV saves: r4 to r11 below the registers that an exception saves. */
StackType_t *pxPortInitialiseStack(StackType_t *top, TaskFunction_t code, void *argument) {
    *--top = 0x01000000; /* xPSR: Thumb */
    *--top = (StackType_t)code;
    *--top = (StackType_t)task_returned;
    top -= 4; /* r12, r3, r2, r1 */
    *--top = (StackType_t)argument;
    return top - 8;
}

/* Called with interrupts masked to the priority of the kernel, the lowest. A tick may occur before the first switch. */
static void start_on_this_core(void) {
    SYSTEM_PRIORITIES = 0xFFFF0000u;
    INTERRUPT_PRIORITIES[SIGNAL_INTERRUPT] = 0xFF;
    INTERRUPTS_ENABLE = UINT32_C(1) << SIGNAL_INTERRUPT;
    __asm__ volatile("msr psp, %0" : : "r"(0)); /* no task to save */
    port_pend_switch();
    portENABLE_INTERRUPTS();
    for (;;) {}
}

void board_on_core_1(void) { start_on_this_core(); }

BaseType_t xPortStartScheduler(void) {
    portDISABLE_INTERRUPTS();
    SYSTICK_RELOAD = configCPU_CLOCK_HZ / configTICK_RATE_HZ - 1;
    SYSTICK_CONTROL = 7;
    board_start_core_1();
    start_on_this_core();
    return pdFALSE;
}

void vPortEndScheduler(void) {}

extern void *volatile pxCurrentTCBs[]; /* the stack pointer is the first member of a task's control block */

/* Argument NULL: no task has run on this core yet. Returns the stack of the next task. */
__attribute__((used)) static StackType_t *switch_task(StackType_t *stack) {
    BaseType_t core = portGET_CORE_ID();
    if (stack) *(StackType_t **)pxCurrentTCBs[core] = stack;
    portDISABLE_INTERRUPTS();
    vTaskSwitchContext(core);
    portENABLE_INTERRUPTS();
    return *(StackType_t **)pxCurrentTCBs[core];
}

/* 0xFFFFFFFD: returns to thread mode with the process stack. */
__attribute__((naked)) void board_pendsv(void) {
    __asm__ volatile("mrs r0, psp\n\t"
                     "cbz r0, 1f\n\t"
                     "stmdb r0!, {r4-r11}\n"
                     "1:\n\t"
                     "bl switch_task\n\t"
                     "ldmia r0!, {r4-r11}\n\t"
                     "msr psp, r0\n\t"
                     "mvn lr, #2\n\t"
                     "bx lr");
}

void board_signalled(void) {
    board_signal_done(board_core());
    port_pend_switch();
}

void board_systick(void) {
    traceISR_ENTER();
    UBaseType_t before = portENTER_CRITICAL_FROM_ISR();
    BaseType_t wanted = xTaskIncrementTick();
    portEXIT_CRITICAL_FROM_ISR(before);
    portYIELD_FROM_ISR(wanted);
}
