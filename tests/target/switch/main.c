/* SPDX-License-Identifier: MIT */
/* Two tasks that yield to each other. Prints the ticks that SWITCHES switches took. */
#include "FreeRTOS.h"
#include "task.h"

#include "board.h"

enum { SWITCHES = 80 };

static void yield_back(void *argument) {
    (void)argument;
    for (;;) taskYIELD();
}

static void measure(void *argument) {
    (void)argument;
    *(volatile uint32_t *)0xE000E010u = 0; /* no tick */
    taskYIELD();
    uint32_t begin = board_time();
    for (unsigned i = 0; i < SWITCHES / 2; i++) taskYIELD();
    board_write_number(board_time() - begin);
    board_exit();
}

void vApplicationIdleHook(void) {}

void demo_failed(int line) {
    board_write_number((uint32_t)line);
    board_exit();
}

int main(void) {
#if tband_configENABLE == 1
    tband_start_post_mortem();
#endif
    xTaskCreate(measure, "measure", configMINIMAL_STACK_SIZE, NULL, 1, NULL);
    xTaskCreate(yield_back, "yield", configMINIMAL_STACK_SIZE, NULL, 1, NULL);
    vTaskStartScheduler();
    return 0;
}
