/* SPDX-License-Identifier: MIT */
/* A task that crashes in its third round. The function that is called after the crash record writes the recording. */
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

TBAND_FAULT_HANDLER(board_hardfault, write_recording)

__attribute__((noinline)) static void motor_update(uint32_t round) {
    if (round == 3) __asm__ volatile("udf #0");
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
