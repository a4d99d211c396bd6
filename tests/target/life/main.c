/* SPDX-License-Identifier: MIT */
/* Creates and deletes many tasks and queues, with a buffer that holds the names of few. Suspends the scheduler, waits
 * for bits that are cleared on exit, and lets the timer task run a function. UART 0: the recording; UART 1: number of
 * names that were lost; the file DUMP: the first 64 kB of RAM. */
#include "FreeRTOS.h"
#include "event_groups.h"
#include "queue.h"
#include "task.h"
#include "timers.h"

#include "board.h"

enum { ROUNDS = 40, READY = 4, RAM = 0x20000000, RAM_BYTES = 0x10000 };

static EventGroupHandle_t bits;

static void child(void *queue) {
    uint32_t item = 1;
    xQueueSend((QueueHandle_t)queue, &item, 0);
    xEventGroupSetBits(bits, READY);
    vTaskDelete(NULL);
}

static void live(uint32_t round) {
    char task_name[] = "task 00 (odd)", queue_name[] = "queue 00";
    uint32_t item;
    task_name[5] = queue_name[6] = (char)('0' + round / 10);
    task_name[6] = queue_name[7] = (char)('0' + round % 10);
    if (round % 2 == 0) task_name[7] = '\0'; /* another length, so that bytes are left over */
    QueueHandle_t queue = xQueueCreate(2, sizeof item);
    tband_freertos_queue_name(queue, queue_name);
    xTaskCreate(child, task_name, configMINIMAL_STACK_SIZE, queue, 1, NULL);
    xEventGroupWaitBits(bits, READY, pdTRUE, pdFALSE, portMAX_DELAY);
    xQueueReceive(queue, &item, portMAX_DELAY);
    vTaskDelay(2); /* the idle task frees the memory of the child */
    vQueueDelete(queue);
}

static void run_by_timer_task(void *argument, uint32_t number) {
    (void)argument;
    (void)number;
}

static void keep(void *argument) {
    (void)argument;
    for (uint32_t round = 0; round < ROUNDS; round++) live(round);
    vTaskSuspendAll();
    for (volatile uint32_t work = 0; work < 1000; work++) {}
    xTaskResumeAll();
    xTimerPendFunctionCall(run_by_timer_task, NULL, 0, portMAX_DELAY); /* the timer task has the higher priority */
    tband_stop_post_mortem();
    for (unsigned piece = 0; piece < 3; piece++) {
        size_t len;
        const uint8_t *bytes = tband_get_post_mortem_piece(0, piece, &len);
        while (len--) board_write_byte(*bytes++);
    }
    board_note_number(tband_get_metadata_lost(0));
    board_save(DUMP, (const void *)RAM, RAM_BYTES);
    board_exit();
}

void vApplicationIdleHook(void) {}

void demo_failed(int line) {
    board_note_number((uint32_t)line);
    board_exit();
}

int main(void) {
    tband_start_post_mortem();
    bits = xEventGroupCreate();
    tband_freertos_event_group_name(bits, "bits");
    xTaskCreate(keep, "keeper", configMINIMAL_STACK_SIZE, NULL, 2, NULL);
    vTaskStartScheduler();
    return 1;
}
