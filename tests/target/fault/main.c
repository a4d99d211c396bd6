/* SPDX-License-Identifier: MIT */
/* A task that crashes in its third round by an undefined instruction, and the end of the recorder's handler writes the
 * recording. With IMAGE_OWN_HANDLER, the handler of the application calls the recorder. With IMAGE_CHAIN, the
 * recorder's handler jumps to that of the application, and the crash is a read of memory that does not exist. */
#include "FreeRTOS.h"
#include "task.h"

#include "../../../tracer/ports/cortex-m/tband_fault.h"
#include "board.h"

static void write_recording(void) {
    for (unsigned piece = 0; piece < 3; piece++) {
        size_t len;
        const uint8_t *bytes = tband_get_post_mortem_piece(0, piece, &len);
        while (len--) board_write_byte(*bytes++);
    }
    board_exit();
}

#if defined(IMAGE_OWN_HANDLER)
__attribute__((used)) static void own_fault(const uint32_t *stacked) {
    tband_fault_record(stacked);
    write_recording();
}

__attribute__((naked)) void board_hardfault(void) {
    __asm__ volatile("tst lr, #4\n\tite eq\n\tmrseq r0, msp\n\tmrsne r0, psp\n\tb own_fault");
}
#elif defined(IMAGE_CHAIN)
static uint32_t msp_of_task; /* the main stack while the task runs */

struct kept {
    uint32_t msp, r4, r11, lr;
};

__attribute__((used)) static void own_report(const uint32_t *stacked, const struct kept *kept) {
    const uint32_t numbers[] = {
        stacked[6], /* PC */
        msp_of_task - kept->msp,
        kept->r4,
        kept->r11,
        kept->lr,
        *(volatile uint32_t *)0xE000ED28u, /* CFSR */
        *(volatile uint32_t *)0xE000ED38u, /* BFAR */
    };
    for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        board_note_number(numbers[i]);
        board_note("\n");
    }
    write_recording();
}

/* A handler in assembly, as many applications have it: it finds the stack frame by LR. */
__attribute__((naked)) static void own_handler(void) {
    __asm__ volatile("tst lr, #4\n\tite eq\n\tmrseq r0, msp\n\tmrsne r0, psp\n\t"
                     "mrs r1, msp\n\tpush {r1, r4, r11, lr}\n\tmov r1, sp\n\tb own_report");
}
TBAND_FAULT_CHAIN(board_hardfault, own_handler)
#else
TBAND_FAULT_HANDLER(board_hardfault, write_recording)
#endif

__attribute__((noinline)) static void motor_update(uint32_t round) {
#ifdef IMAGE_CHAIN
    __asm__ volatile("mrs %0, msp" : "=r"(msp_of_task));
    if (round == 3)
        __asm__ volatile("mov r4, #44\n\tmov r11, #111\n\tldr r0, [%0]" : : "r"(0x90000008u) : "r0", "r4", "r11");
#else
    if (round == 3) __asm__ volatile("udf #0");
#endif
    __asm__ volatile("" : : "r"(round));
}

static void motor(void *argument) {
    (void)argument;
    for (uint32_t round = 1;; round++) {
        vTaskDelay(2);
        motor_update(round);
    }
}

void vApplicationIdleHook(void) {}

void demo_failed(int line) {
    board_write_number((uint32_t)line);
    board_exit();
}

int main(void) {
    tband_start_post_mortem();
    xTaskCreate(motor, "motor", configMINIMAL_STACK_SIZE, NULL, 2, NULL);
    vTaskStartScheduler();
    return 0;
}
