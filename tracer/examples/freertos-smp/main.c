/* SPDX-License-Identifier: MIT */
/*
 * FreeRTOS on two cores: workers share a mutex and pass numbers through a queue; the scheduler moves them between the
 * cores. UART 0 sends the recording of core 0, UART 1 that of core 1.
 *
 *   make && qemu-system-arm -M mps2-an521 -nographic -semihosting -serial file:demo.core0.tband \
 *     -serial file:demo.core1.tband -serial null -monitor none -kernel demo.elf \
 *     && tonkopf conv demo.core0.tband demo.core1.tband
 *
 * Both over UART 0 while the program runs:
 *
 *   make OUT=link && qemu-system-arm -M mps2-an521 -icount shift=5 -nographic -semihosting \
 *     -serial file:demo.tband -monitor none -kernel demo.elf && tonkopf conv demo.tband
 */
#include "FreeRTOS.h"
#include "queue.h"
#include "semphr.h"
#include "task.h"

#include "board.h"
#include "out.h"

// ENOUGH bounds the recording if an emulator on a busy computer lets only one core run for a long time.
enum { SYSTICK = 15, TICKS = 60, HANDED = 1, ENOUGH = 20000 };

static QueueHandle_t numbers;
static SemaphoreHandle_t bus;
static volatile uint32_t sent, received;

static void work(uint32_t amount) {
    for (volatile uint32_t i = 0; i < amount; i++) {}
}

static void produce(void *argument) {
    uint32_t seed = (uint32_t)argument;
    for (;;) {
        seed = seed * 1664525 + 1013904223;
        work(seed >> 20);
        xSemaphoreTake(bus, portMAX_DELAY);
        work(400);
        sent++;
        xSemaphoreGive(bus);
        xQueueSend(numbers, &seed, portMAX_DELAY);
        if (seed >> 30 == 0) vTaskDelay(1);
    }
}

static void consume(void *argument) {
    uint32_t number;
    (void)argument;
    while (received < ENOUGH) {
        xQueueReceive(numbers, &number, portMAX_DELAY);
        received++;
        tband_valmarker(HANDED, received);
        work(number >> 21);
    }
    vTaskSuspend(NULL);
}

static void note(const char *name, uint32_t number) {
    board_note(name);
    board_note_number(number);
    board_note("\n");
}

static void stop(void *argument) {
    (void)argument;
    for (unsigned tick = 0; tick < TICKS; tick++) {
        vTaskDelay(1);
        out_go_on();
    }
    vTaskSuspendAll();
    out_end();
    note("received ", received);
    note("dropped ", tband_get_dropped());
    board_exit();
}

void demo_failed(int line) {
    note("failed ", (uint32_t)line);
    board_exit();
}

int main(void) {
    tband_isr_name(SYSTICK, "SysTick");
    tband_valmarker_name(HANDED, "handed over");
    out_begin();
    numbers = xQueueCreate(4, sizeof(uint32_t));
    bus = xSemaphoreCreateMutex();
    vQueueAddToRegistry(numbers, "numbers");
    vQueueAddToRegistry(bus, "bus");
    xTaskCreate(produce, "left", configMINIMAL_STACK_SIZE, (void *)1, 1, NULL);
    xTaskCreate(produce, "right", configMINIMAL_STACK_SIZE, (void *)2, 1, NULL);
    xTaskCreate(produce, "third", configMINIMAL_STACK_SIZE, (void *)3, 2, NULL);
    xTaskCreate(consume, "consumer", configMINIMAL_STACK_SIZE, NULL, 3, NULL);
    xTaskCreate(stop, "stop", configMINIMAL_STACK_SIZE, NULL, 5, NULL);
    vTaskStartScheduler();
    return 0;
}
