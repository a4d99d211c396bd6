/* SPDX-License-Identifier: MIT */
#include "FreeRTOS.h"
#include "queue.h"
#include "task.h"

#include "board.h"

static QueueHandle_t letters;

static void send(void *argument) {
    (void)argument;
    for (int letter = 'a';; letter++) {
        xQueueSend(letters, &letter, portMAX_DELAY);
        vTaskDelay(2);
    }
}

static void receive(void *argument) {
    int letter;
    (void)argument;
    for (int count = 0; count < 30; count++) xQueueReceive(letters, &letter, portMAX_DELAY);
    board_exit();
}

int main(void) {
    letters = xQueueCreate(4, sizeof(int));
    vQueueAddToRegistry(letters, "letters");
    xTaskCreate(send, "sender", configMINIMAL_STACK_SIZE, NULL, 1, NULL);
    xTaskCreate(receive, "receiver", configMINIMAL_STACK_SIZE, NULL, 2, NULL);
    vTaskStartScheduler();
    return 0;
}
