/* SPDX-License-Identifier: MIT */
/*
 * Everything that the hooks of FreeRTOS report, by tasks and an interrupt. UART 0: the recording; UART 1: the kernel's
 * counts, "NAME NUMBER" each, its own clock per task as "task NAME TICKS".
 */
#include "FreeRTOS.h"
#include "queue.h"
#include "semphr.h"
#include "task.h"
#include "timers.h"

#include "board.h"

enum { SYSTICK = 15, TIMER0 = 16 + TIMER0_INTERRUPT, ROUNDS = 12, MARKER = 3, VALUE = 4 };

#ifndef BYTES_PER_TICK
#define BYTES_PER_TICK 1000 /* more than the events take */
#endif
#ifndef TIMER0_TICKS
#define TIMER0_TICKS (25000 * 7 / 2)
#endif

static QueueHandle_t letters, mailbox, wake, set;
static SemaphoreHandle_t bus, nested, spaces, button;
static TaskHandle_t sleeper, worker;
static uint32_t calls; /* number of calls of the interrupt handler */

/* ---- What the kernel counts -----------------------------------------------------------------------------------------
 */

static volatile uint32_t counts[COUNTED];

void count(enum counted what) {
    uint32_t before = tband_cortex_m_mask();
    counts[what]++;
    tband_cortex_m_unmask(before);
}

/* The first task runs from 0 on. */
static uint32_t run_time_begin;
void start_run_time(void) { run_time_begin = board_time(); }
uint32_t run_time(void) { return board_time() - run_time_begin; }

static void say(const char *name, uint32_t number) {
    board_note(name);
    board_note(" ");
    board_note_number(number);
    board_note("\n");
}

static void say_counts(void) {
    static const char *const names[COUNTED] = { "switches", "sends", "sends_from_isr", "receives",
                                                "receives_from_isr" };
    static TaskStatus_t tasks[12];
    for (unsigned i = 0; i < COUNTED; i++) say(names[i], counts[i]);
    say("ticks", xTaskGetTickCount());
    say("interrupts", calls);
    UBaseType_t len = uxTaskGetSystemState(tasks, sizeof tasks / sizeof *tasks, NULL);
    for (UBaseType_t i = 0; i < len; i++) {
        board_note("task ");
        say(tasks[i].pcTaskName, (uint32_t)tasks[i].ulRunTimeCounter);
    }
}

/* ---- The recording --------------------------------------------------------------------------------------------------
 */

#ifdef POST_MORTEM
static void start_recording(void) { tband_start_post_mortem(); }

static void write_recording(void) {
    for (unsigned piece = 0; piece < 3; piece++) {
        size_t len;
        const uint8_t *bytes = tband_get_post_mortem_piece(0, piece, &len);
        while (len--) board_write_byte(*bytes++);
    }
}

void vApplicationTickHook(void) {}

static void stop_recording(void) {
#ifdef RESET
    *(volatile uint32_t *)0xE000ED0Cu = 0x05FA0004u; /* AIRCR.SYSRESETREQ */
    for (;;) {}
#endif
    tband_stop_post_mortem();
    write_recording();
}
#else
static void start_recording(void) { tband_start_streaming(); }

static void write_some(size_t most) {
    const uint8_t *bytes;
    while (most) {
        size_t len = tband_stream_peek(0, &bytes);
        if (!len) return;
        if (len > most) len = most;
        for (size_t i = 0; i < len; i++) board_write_byte(bytes[i]);
        tband_stream_consume(0, len);
        most -= len;
    }
}

void vApplicationTickHook(void) { write_some(BYTES_PER_TICK); }

static void stop_recording(void) {
    tband_stop_streaming();
    write_some(SIZE_MAX);
}
#endif

void vApplicationIdleHook(void) {}

/* No task runs any more. */
static void stop(void) {
    vTaskSuspendAll();
    TIMER0_CONTROL = 0;
    say_counts();
#ifdef DUMP
    board_save(DUMP, (const void *)0x20000000, 0x80000);
#endif
    taskENTER_CRITICAL();
    stop_recording();
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

/* Waits for every kind of object. */
static void waiter(void *argument) {
    uint32_t letter;
    (void)argument;
    tband_freertos_task_evtmarker_name(MARKER, "round");
    tband_freertos_task_valmarker_name(VALUE, "letter");
    for (;;) {
        QueueSetMemberHandle_t member = xQueueSelectFromSet(set, portMAX_DELAY);
        tband_freertos_task_evtmarker_begin(MARKER, "member");
        if (member == spaces) xSemaphoreTake(spaces, 0);
        else xQueueReceive(wake, &letter, 0);
        xQueuePeek(letters, &letter, 2);
        xQueueReceive(letters, &letter, 3);
        tband_freertos_task_valmarker(VALUE, letter);
        tband_freertos_task_evtmarker_end(MARKER);
        tband_freertos_task_evtmarker(MARKER, "done");
        xSemaphoreTake(bus, portMAX_DELAY);
        work(300);
        xSemaphoreGive(bus);
    }
}

/* Suspends itself; tasks and the interrupt resume it. */
static void sleep_again(void *argument) {
    (void)argument;
    for (;;) {
        vTaskSuspend(NULL);
        work(100);
    }
}

static void on_button(void *argument) {
    (void)argument;
    for (;;) {
        xSemaphoreTake(button, portMAX_DELAY);
        work(50);
    }
}

static void short_life(void *argument) {
    (void)argument;
    work(100);
    vTaskDelete(NULL);
}

static void long_life(void *argument) {
    (void)argument;
    for (;;) vTaskDelay(1);
}

static void send_letters(uint32_t round) {
    uint32_t letter = round;
    xQueueOverwrite(mailbox, &letter);
    if (round % 3) xQueueOverwrite(mailbox, &letter);
    else xQueueReceive(mailbox, &letter, 0);
    for (int i = 0; i < 3; i++) xQueueSend(letters, &letter, 1); /* two fit */
    xQueueSendToFront(wake, &letter, 0);
    if (round % 4 == 3) xQueueReset(letters);
    xSemaphoreGive(spaces);
}

static void use_tasks(uint32_t round) {
    TaskHandle_t other;
    vTaskResume(sleeper);
    vTaskPrioritySet(worker, 1 + round % 3);
    if (round % 4) return;
    xTaskCreate(short_life, "short", configMINIMAL_STACK_SIZE, NULL, 3, NULL);
    xTaskCreate(long_life, "long", configMINIMAL_STACK_SIZE, NULL, 3, &other);
    vTaskDelay(2);
    vTaskDelete(other);
}

/* Low priority: a task that waits for the bus lends its own. */
static void work_rounds(void *argument) {
    TickType_t last = xTaskGetTickCount();
    (void)argument;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        xSemaphoreTake(bus, portMAX_DELAY);
        send_letters(round);
        work(2000);
        xSemaphoreGive(bus);
        xSemaphoreTakeRecursive(nested, portMAX_DELAY);
        xSemaphoreTakeRecursive(nested, portMAX_DELAY);
        xSemaphoreGiveRecursive(nested);
        xSemaphoreGiveRecursive(nested);
        use_tasks(round);
        xTaskDelayUntil(&last, 5);
    }
    stop();
}

static void on_timer(TimerHandle_t timer) {
    (void)timer;
    work(100);
}

void board_timer0(void) {
    BaseType_t woken = pdFALSE, resumed = pdFALSE;
    uint32_t letter = calls++;
    traceISR_ENTER();
    board_timer0_done();
    xSemaphoreGiveFromISR(button, &woken);
    xQueueOverwriteFromISR(mailbox, &letter, &woken);
    if (calls % 2) xQueueReceiveFromISR(mailbox, &letter, &woken);
    if (calls % 3) xQueueSendFromISR(letters, &letter, &woken);
    if (calls % 5 == 0) resumed = xTaskResumeFromISR(sleeper);
    portYIELD_FROM_ISR(woken || resumed);
}

static void create_objects(void) {
    letters = xQueueCreate(2, sizeof(uint32_t));
    mailbox = xQueueCreate(1, sizeof(uint32_t));
    wake = xQueueCreate(2, sizeof(uint32_t));
    set = xQueueCreateSet(6);
    bus = xSemaphoreCreateMutex();
    nested = xSemaphoreCreateRecursiveMutex();
    spaces = xSemaphoreCreateCounting(4, 0);
    button = xSemaphoreCreateBinary();
    xQueueAddToSet(wake, set);
    xQueueAddToSet(spaces, set);
    vQueueAddToRegistry(letters, "letters");
    vQueueAddToRegistry(mailbox, "mailbox");
    vQueueAddToRegistry(bus, "bus");
    tband_freertos_counting_semaphore_name(spaces, "spaces");
}

int main(void) {
#ifdef RESET
    if (tband_post_mortem_found()) {
        write_recording();
        board_exit();
    }
#endif
    tband_isr_name(SYSTICK, "SysTick");
    tband_isr_name(TIMER0, "button");
    start_recording();
    create_objects();
    xTaskCreate(waiter, "waiter", configMINIMAL_STACK_SIZE, NULL, 4, NULL);
    xTaskCreate(on_button, "button", configMINIMAL_STACK_SIZE, NULL, 5, NULL);
    xTaskCreate(sleep_again, "sleeper", configMINIMAL_STACK_SIZE, NULL, 2, &sleeper);
    xTaskCreate(work_rounds, "worker", configMINIMAL_STACK_SIZE, NULL, 1, &worker);
    xTimerStart(xTimerCreate("timer", 7, pdTRUE, NULL, on_timer), 0);
    board_start_timer0(TIMER0_TICKS, 0x80);
    vTaskStartScheduler();
    return 0;
}
