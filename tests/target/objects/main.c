/* SPDX-License-Identifier: MIT */
/*
 * Notifications, event groups, stream and message buffers, software timers, heap and stacks of FreeRTOS. UART 0: the
 * recording; UART 1: the kernel's counts, "NAME NUMBER" each.
 */
#include "FreeRTOS.h"
#include "event_groups.h"
#include "message_buffer.h"
#include "stream_buffer.h"
#include "task.h"
#include "timers.h"

#include "board.h"

enum {
    SYSTICK = 15,
    TIMER0 = 16 + TIMER0_INTERRUPT,
    ROUNDS = 8,
    MEET_A = 1,
    MEET_B = 2,
    MEET = 3,
    PRESSED = 8,
    TOO_MUCH = 1000000
};

static EventGroupHandle_t doors;
static StreamBufferHandle_t log_bytes;
static MessageBufferHandle_t letters;
static TimerHandle_t blink, once;
static TaskHandle_t taker;
static uint32_t calls; /* number of calls of the interrupt handler */
static size_t free_at_first;

/* ---- What the kernel counts -----------------------------------------------------------------------------------------
 */

static volatile uint32_t counts[COUNTED];

void count(enum counted what, uint32_t number) {
    uint32_t before = tband_cortex_m_mask();
    counts[what] += number;
    tband_cortex_m_unmask(before);
}

static void say(const char *name, uint32_t number) {
    board_note(name);
    board_note(" ");
    board_note_number(number);
    board_note("\n");
}

/* ---- The recording --------------------------------------------------------------------------------------------------
 */

static void write_all(void) {
    const uint8_t *bytes;
    for (size_t len; (len = tband_stream_peek(0, &bytes)) != 0; tband_stream_consume(0, len))
        for (size_t i = 0; i < len; i++) board_write_byte(bytes[i]);
}

void vApplicationTickHook(void) { write_all(); }
void vApplicationIdleHook(void) {}

static void stop(void) {
    static const char *const names[COUNTED] = { "notified",           "notified_from_isr", "bits_set",
                                                "event_group_waited", "bytes_sent",        "bytes_received",
                                                "timer_commands" };
    HeapStats_t heap;
    vTaskSuspendAll();
    TIMER0_CONTROL = 0;
    for (unsigned i = 0; i < COUNTED; i++) say(names[i], counts[i]);
    say("interrupts", calls);
    vPortGetHeapStats(&heap);
    say("allocated", (uint32_t)heap.xNumberOfSuccessfulAllocations);
    say("freed", (uint32_t)heap.xNumberOfSuccessfulFrees);
    say("used_since_first", (uint32_t)(free_at_first - xPortGetFreeHeapSize()));
    say("stack_of_taker", (uint32_t)uxTaskGetStackHighWaterMark(taker));
    taskENTER_CRITICAL();
    tband_stop_streaming();
    write_all();
    say("dropped", tband_get_dropped());
    say("names_lost", tband_get_metadata_lost(0));
    board_exit();
}

void demo_failed(int line) {
    say("failed", (uint32_t)line);
    board_exit();
}

/* ---- Tasks ----------------------------------------------------------------------------------------------------------
 */

static void work(uint32_t amount) {
    for (volatile uint32_t i = 0; i < amount; i++) {}
}

static void take_notifications(void *argument) {
    uint32_t value;
    (void)argument;
    for (;;) {
        ulTaskNotifyTake(pdTRUE, portMAX_DELAY);
        work(200);
        xTaskNotifyWaitIndexed(1, 0, 0xFFFFFFFF, &value, 2);
    }
}

static void meet(void *argument) {
    (void)argument;
    for (;;) {
        xEventGroupSync(doors, MEET_A, MEET, portMAX_DELAY);
        work(100);
        xEventGroupWaitBits(doors, PRESSED, pdTRUE, pdFALSE, 2);
    }
}

static void receive(void *argument) {
    char bytes[16];
    (void)argument;
    for (;;) {
        xStreamBufferReceive(log_bytes, bytes, sizeof bytes, portMAX_DELAY);
        work(100);
        xMessageBufferReceive(letters, bytes, sizeof bytes, 1);
    }
}

static void use_memory(uint32_t round) {
    void *block = pvPortMalloc(40 + 8 * round);
    pvPortMalloc(TOO_MUCH);
    if (round % 4) vPortFree(block); /* the others are never freed */
    tband_freertos_stack(taker);
    tband_freertos_stack(NULL);
}

static void use_timers(uint32_t round) {
    switch (round % 4) {
    case 0: xTimerStart(once, 0); break;
    case 1: xTimerChangePeriod(blink, 3 + round, 0); break;
    case 2: xTimerStop(once, 0); break;
    default: xTimerReset(blink, 0); break;
    }
}

/* At a low priority. */
static void work_rounds(void *argument) {
    (void)argument;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        xTaskNotifyGive(taker);
        if (round % 2) xTaskNotifyIndexed(taker, 1, round, eSetValueWithOverwrite);
        xEventGroupSync(doors, MEET_B, MEET, portMAX_DELAY);
        xStreamBufferSend(log_bytes, "some bytes", 10, 0);
        if (round % 3) xMessageBufferSend(letters, "a letter", 8, 0);
        use_memory(round);
        use_timers(round);
        vTaskDelay(4);
    }
    xTimerDelete(once, 0);
    vEventGroupDelete(xEventGroupCreate());
    vTaskDelay(1);
    stop();
}

static void on_timer(TimerHandle_t timer) {
    (void)timer;
    work(100);
}

void board_timer0(void) {
    BaseType_t woken = pdFALSE;
    traceISR_ENTER();
    board_timer0_done();
    if (++calls % 2) vTaskNotifyGiveFromISR(taker, &woken);
    else xEventGroupSetBitsFromISR(doors, PRESSED, &woken);
    if (calls % 3 == 0) xStreamBufferSendFromISR(log_bytes, "isr", 3, &woken);
    portYIELD_FROM_ISR(woken);
}

static void create_objects(void) {
    doors = xEventGroupCreate();
    free_at_first = xPortGetFreeHeapSize();
    log_bytes = xStreamBufferCreate(40, 1);
    letters = xMessageBufferCreate(60);
    blink = xTimerCreate("blink", 3, pdTRUE, NULL, on_timer);
    once = xTimerCreate("once", 5, pdFALSE, NULL, on_timer);
    tband_freertos_event_group_name(doors, "doors");
    tband_freertos_stream_buffer_name(log_bytes, "log");
    tband_freertos_stream_buffer_name(letters, "letters");
    tband_heap_name(0, "heap");
}

int main(void) {
    tband_isr_name(SYSTICK, "SysTick");
    tband_isr_name(TIMER0, "button");
    tband_start_streaming();
    create_objects();
    xTaskCreate(take_notifications, "taker", configMINIMAL_STACK_SIZE, NULL, 4, &taker);
    xTaskCreate(meet, "meeter", configMINIMAL_STACK_SIZE, NULL, 3, NULL);
    xTaskCreate(receive, "receiver", configMINIMAL_STACK_SIZE, NULL, 3, NULL);
    xTaskCreate(work_rounds, "worker", configMINIMAL_STACK_SIZE, NULL, 1, NULL);
    xTimerStart(blink, 0);
    board_start_timer0(25000 * 5 / 2, 0x80);
    vTaskStartScheduler();
    return 0;
}
