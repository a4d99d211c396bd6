/* SPDX-License-Identifier: MIT */
/* A task that crashes in its third round: by an undefined instruction, with IMAGE_BUS_FAULT by a read of memory that
 * does not exist. The function that is called after the crash record writes the recording. */
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

#ifdef IMAGE_BUS_FAULT
/* A handler that the application already has: it finds the registers of the fault as they were. */
static void own_handler(void) {
    board_note_number(*(volatile uint32_t *)0xE000ED28u); /* CFSR */
    board_note(" ");
    board_note_number(*(volatile uint32_t *)0xE000ED38u); /* BFAR */
    write_recording();
}
TBAND_FAULT_HANDLER(board_hardfault, own_handler)
#else
TBAND_FAULT_HANDLER(board_hardfault, write_recording)
#endif

__attribute__((noinline)) static void motor_update(uint32_t round) {
#ifdef IMAGE_BUS_FAULT
    if (round == 3) (void)*(volatile uint32_t *)0x90000008u;
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
