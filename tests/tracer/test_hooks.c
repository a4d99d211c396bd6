// SPDX-License-Identifier: MIT
//
// The hooks of FreeRTOS in stubs of its releases: macros, arguments and local names are those of the release, the code
// between them is not.
#include "target.h"

#include "FreeRTOS.h"
#include "queue.h"
#include "task.h"
#include "timers.h"

// ---- What is recorded ----------------------------------------------------------------------------------------------

static struct {
    uint8_t event_id;
    uint32_t id, arg;
    int64_t value;
} seen[64];
static unsigned seen_count;
static uint32_t running_interrupt;

uint32_t test_interrupt(void) { return running_interrupt; }

static unsigned clock_updates;

void test_tick(void) { clock_updates++; }

bool tband_submit_to_backend(uint8_t *bytes, size_t len, bool is_metadata) {
    uint8_t scratch[512 + TB_SCRATCH_MORE], event_id = 0xFF;
    struct tk_event event = { 0 };
    (void)is_metadata;
    assert_int_equal(tb_decode_piece(bytes, len - 1, 0, scratch, &event, &event_id), TB_OK);
    if (event_id == 0x01) return false; // the loss count
    seen[seen_count].event_id = event_id;
    seen[seen_count].id = tk_event_id(&event);
    seen[seen_count].value = tk_event_number(&event, TK_SLOT_VALUE);
    seen[seen_count++].arg = (uint32_t)tk_event_number(&event, TK_SLOT_NUMBER);
    return false;
}

static void assert_seen(unsigned at, uint8_t event_id, uint32_t id, uint32_t arg) {
    assert_true(at < seen_count);
    assert_int_equal(seen[at].event_id, event_id);
    assert_int_equal(seen[at].id, id);
    assert_int_equal(seen[at].arg, arg);
}

static void assert_only(uint8_t event_id, uint32_t id, uint32_t arg) {
    assert_int_equal(seen_count, 1);
    assert_seen(0, event_id, id, arg);
    seen_count = 0;
}

static void assert_value(unsigned at, uint8_t event_id, uint32_t id, uint32_t arg, int64_t value) {
    assert_seen(at, event_id, id, arg);
    assert_int_equal(seen[at].value, value);
}

// Expects this event and no further one.
static void assert_only_value(uint8_t event_id, uint32_t id, uint32_t arg, int64_t value) {
    assert_value(0, event_id, id, arg, value);
    assert_only(event_id, id, arg);
}

// ---- The kernel ----------------------------------------------------------------------------------------------------

static TCB_t tasks[4] = { { .pcTaskName = "" },
                          { .uxPriority = 5, .uxTCBNumber = 1, .pcTaskName = "worker" },
                          { .uxTCBNumber = 2, .pcTaskName = "IDLE" },
                          { .uxPriority = 2, .uxTCBNumber = 3, .pcTaskName = "Tmr Svc" } };
static TCB_t *pxCurrentTCB = &tasks[1];

void vTaskGetInfo(TaskHandle_t task, TaskStatus_t *status, BaseType_t stack, eTaskState state) {
    (void)stack, (void)state;
    status->xTaskNumber = (task ? task : pxCurrentTCB)->uxTCBNumber;
}
TaskHandle_t xTaskGetIdleTaskHandle(void) { return &tasks[2]; }
TaskHandle_t xTimerGetTimerDaemonTaskHandle(void) { return &tasks[3]; }
UBaseType_t uxTaskGetStackHighWaterMark(TaskHandle_t task) { return (task ? task : pxCurrentTCB)->uxTCBNumber * 100; }
UBaseType_t uxEventGroupGetNumber(void *group) { return ((EventGroup_t *)group)->uxEventGroupNumber; }
UBaseType_t uxStreamBufferGetStreamBufferNumber(StreamBufferHandle_t buffer) {
    return ((StreamBuffer_t *)buffer)->uxStreamBufferNumber;
}
UBaseType_t uxQueueGetQueueNumber(QueueHandle_t queue) { return queue->uxQueueNumber; }

static void prvAddNewTaskToReadyList(TCB_t *pxNewTCB) {
    traceTASK_CREATE(pxNewTCB);
    traceMOVED_TASK_TO_READY_STATE(pxNewTCB);
}

static void vTaskSwitchContext(void) { traceTASK_SWITCHED_IN(); }

static void vTaskStartScheduler(void) {
#if KERNEL_VERSION >= 1001
    traceTASK_SWITCHED_IN();
#endif
#if KERNEL_VERSION >= 1102
    TaskHandle_t xIdleTaskHandles[] = { &tasks[2] };
    traceSTARTING_SCHEDULER(xIdleTaskHandles);
    (void)xIdleTaskHandles;
#endif
}

static void xTaskIncrementTick(TickType_t xTickCount) {
    traceTASK_INCREMENT_TICK(xTickCount);
    (void)xTickCount;
}

// After a sleep without ticks.
static void vTaskStepTick(TickType_t xTicksToJump) {
    traceINCREASE_TICK_COUNT(xTicksToJump);
    (void)xTicksToJump;
}

static void vTaskDelay(const TickType_t xTicksToDelay) {
    traceTASK_DELAY();
    (void)xTicksToDelay;
}

static void prvInitialiseNewQueue(Queue_t *pxNewQueue) { traceQUEUE_CREATE(pxNewQueue); }

static void xQueueGenericReset(QueueHandle_t xQueue, BaseType_t xNewQueue) {
#if KERNEL_VERSION >= 1100
    traceENTER_xQueueGenericReset(xQueue, xNewQueue);
#endif
    (void)xQueue, (void)xNewQueue;
}

static void xQueueGenericSend(Queue_t *pxQueue, const BaseType_t xCopyPosition) {
    traceQUEUE_SEND(pxQueue);
    (void)xCopyPosition;
}

static void xQueueGenericSendFromISR(Queue_t *pxQueue, const BaseType_t xCopyPosition) {
    traceQUEUE_SEND_FROM_ISR(pxQueue);
    (void)xCopyPosition;
}

static void xQueueGiveFromISR(Queue_t *pxQueue) { traceQUEUE_SEND_FROM_ISR(pxQueue); }

// Up to V10.3 with the position of the member's send.
static void prvNotifyQueueSetContainer(Queue_t *pxQueueSetContainer, const BaseType_t xCopyPosition) {
#if KERNEL_VERSION >= 1004
    traceQUEUE_SET_SEND(pxQueueSetContainer);
#else
    traceQUEUE_SEND(pxQueueSetContainer);
#endif
    (void)xCopyPosition;
}

static void xQueueReceive(Queue_t *pxQueue, TickType_t xTicksToWait) {
    if (pxQueue->uxMessagesWaiting) {
        traceQUEUE_RECEIVE(pxQueue);
    } else {
        traceBLOCKING_ON_QUEUE_RECEIVE(pxQueue);
    }
    (void)xTicksToWait;
}

static QueueHandle_t xQueueCreateCountingSemaphore(QueueHandle_t xHandle, const UBaseType_t uxInitialCount) {
    traceCREATE_COUNTING_SEMAPHORE();
    (void)uxInitialCount;
    return xHandle;
}

static void xQueueSemaphoreTake(Queue_t *pxQueue) { traceQUEUE_RECEIVE_FAILED(pxQueue); }

#if KERNEL_VERSION >= 1100
static void vQueueWaitForMessageRestricted(QueueHandle_t xQueue) {
    traceENTER_vQueueWaitForMessageRestricted(xQueue, 1, pdFALSE);
}
#endif

// Notifications: with the index of the notification since V10.4.
#define taskNOTIFICATION_RECEIVED ((uint8_t)2)
#if KERNEL_VERSION >= 1004
#define NOTIFICATION(what) what(uxIndex)
#else
#define NOTIFICATION(what) what()
#endif

static void xTaskGenericNotify(TCB_t *pxTCB, UBaseType_t uxIndex) {
    NOTIFICATION(traceTASK_NOTIFY);
    (void)uxIndex;
}

static void vTaskNotifyGiveFromISR(TCB_t *pxTCB, UBaseType_t uxIndex) {
    NOTIFICATION(traceTASK_NOTIFY_GIVE_FROM_ISR);
    (void)uxIndex;
}

static void ulTaskNotifyTake(UBaseType_t uxIndex, TickType_t xTicksToWait) {
    NOTIFICATION(traceTASK_NOTIFY_TAKE_BLOCK);
    NOTIFICATION(traceTASK_NOTIFY_TAKE);
    (void)uxIndex, (void)xTicksToWait;
}

static void xTaskNotifyWait(UBaseType_t uxIndex, TickType_t xTicksToWait) {
    NOTIFICATION(traceTASK_NOTIFY_WAIT_BLOCK);
    NOTIFICATION(traceTASK_NOTIFY_WAIT);
    (void)uxIndex, (void)xTicksToWait;
}

static size_t bytes_in_buffer;
static size_t prvBytesInBuffer(const StreamBuffer_t *const pxStreamBuffer) {
    (void)pxStreamBuffer;
    return bytes_in_buffer;
}

static void xStreamBufferSend(StreamBufferHandle_t xStreamBuffer, size_t xReturn, TickType_t xTicksToWait) {
    if (xReturn) traceSTREAM_BUFFER_SEND(xStreamBuffer, xReturn);
    else {
        traceBLOCKING_ON_STREAM_BUFFER_SEND(xStreamBuffer);
        traceSTREAM_BUFFER_SEND_FAILED(xStreamBuffer);
    }
    (void)xTicksToWait;
}

static void xStreamBufferReceiveFromISR(StreamBufferHandle_t xStreamBuffer, size_t xReceivedLength) {
    traceSTREAM_BUFFER_RECEIVE_FROM_ISR(xStreamBuffer, xReceivedLength);
}

static void xTimerGenericCommand(TimerHandle_t xTimer, BaseType_t xCommandID, TickType_t xOptionalValue,
                                 BaseType_t xReturn) {
    traceTIMER_COMMAND_SEND(xTimer, xCommandID, xOptionalValue, xReturn);
}

static void pvPortMalloc(const void *pvReturn, size_t xAllocatedBlockSize, size_t xWantedSize) {
    traceMALLOC(pvReturn, xAllocatedBlockSize);
    (void)xWantedSize;
}

// ---- Tests ---------------------------------------------------------------------------------------------------------

static void tasks_are_named_and_marked(void **state) {
    (void)state;
    seen_count = 0;
    prvAddNewTaskToReadyList(&tasks[1]);
    assert_seen(0, 0x5E, 1, 0);
    assert_seen(1, 0x5B, 1, 5);
    assert_seen(2, 0x5F, 1, 0);
    assert_seen(3, 0x55, 1, 0);
    seen_count = 0;
    vTaskStartScheduler();
    vTaskSwitchContext();
    unsigned marks = 0, switches = 0;
    for (unsigned i = 0; i < seen_count; i++) {
        marks += (seen[i].event_id == 0x60 && seen[i].id == 2) || (seen[i].event_id == 0x61 && seen[i].id == 3);
        switches += seen[i].event_id == 0x54 && seen[i].id == 1;
    }
    assert_int_equal(marks, 2);
    assert_int_equal(switches, KERNEL_VERSION >= 1001 ? 2 : 1);
    seen_count = 0;
    vTaskDelay(7);
    assert_only(0x59, 0, 7);
}

static void queues_are_numbered_and_counted(void **state) {
    Queue_t queue = { .uxLength = 4, .ucQueueType = 2 },
            mailbox = { .uxLength = 1, .ucQueueType = 0, .uxMessagesWaiting = 1 };
    (void)state;
    seen_count = 0;
    prvInitialiseNewQueue(&queue);
    assert_seen(0, 0x63, 1, 0);
    assert_seen(1, 0x65, 1, 1); // a counting semaphore
    assert_seen(2, 0x70, 1, 0);
    assert_seen(3, 0xD4, 1, 4); // its count
    prvInitialiseNewQueue(&mailbox);
    assert_seen(4, 0x63, 2, 0);
    seen_count = 0;
    xQueueCreateCountingSemaphore(&queue, 3);
    assert_only(0x70, 1, 3);
    queue.uxMessagesWaiting = 2;
    xQueueGenericSend(&queue, queueSEND_TO_BACK);
    assert_only(0x66, 1, 3);
    xQueueGenericSend(&mailbox, queueOVERWRITE);
    assert_only(0x68, 2, 1);
    xQueueGenericSendFromISR(&mailbox, queueOVERWRITE);
    assert_only(0x69, 2, 1);
    xQueueGiveFromISR(&queue);
    assert_only(0x67, 1, 3);
    prvNotifyQueueSetContainer(&queue, queueOVERWRITE); // a member was overwritten, the set grows
    assert_only(0x66, 1, 3);
    xQueueReceive(&queue, 9);
    assert_only(0x6A, 1, 1);
    queue.uxMessagesWaiting = 0;
    xQueueReceive(&queue, 9);
    assert_only(0x6F, 1, 9);
    xQueueSemaphoreTake(&queue);
    assert_only_value(0xD6, 1, 0, TBAND_RECEIVE);
    xQueueGenericReset(&queue, pdTRUE); // a new queue
    assert_int_equal(seen_count, 0);
    xQueueGenericReset(&queue, pdFALSE);
    if (KERNEL_VERSION >= 1100) assert_only(0x6C, 1, 0);
    tband_freertos_queue_name(&queue, "spaces");
    assert_only(0x64, 1, 0);
}

static void task_markers_name_the_task(void **state) {
    (void)state;
    seen_count = 0;
    tband_freertos_task_evtmarker_name(9, "round");
    assert_only(0x7A, 9, 1);
}

static void the_queue_of_the_timer_task_refuses_nothing(void **state) {
    Queue_t other = { .uxQueueNumber = 41 }, named = { .uxQueueNumber = 42 };
    (void)state;
    seen_count = 0;
    traceQUEUE_REGISTRY_ADD(&other, "other");
    assert_only(0x64, 41, 0);
    traceQUEUE_REGISTRY_ADD(&named, "TmrQ");
    assert_only(0x64, 42, 0);
    xQueueSemaphoreTake(&named);
    assert_int_equal(seen_count, 0);
    xQueueSemaphoreTake(&other);
    assert_only_value(0xD6, 41, 0, TBAND_RECEIVE);
#if KERNEL_VERSION >= 1100 // also without a registry
    Queue_t unnamed = { .uxQueueNumber = 43 };
    vQueueWaitForMessageRestricted(&unnamed);
    xQueueSemaphoreTake(&unnamed);
    assert_int_equal(seen_count, 0);
#endif
}

static void notifications_name_the_notified_task(void **state) {
    (void)state;
    seen_count = 0;
    xTaskGenericNotify(&tasks[3], 0);
    assert_only(0xC1, 3, 0);
    vTaskNotifyGiveFromISR(&tasks[1], 0);
    assert_only(0xC2, 1, 0);
    UBaseType_t index = KERNEL_VERSION >= 1004;
    ((volatile uint32_t *)&tasks[1].ulNotifiedValue)[index] = 4;
    ulTaskNotifyTake(index, 9);
    assert_seen(0, 0xC3, 0, 9);
    assert_seen(1, 0xC4, 0, 0);
    seen_count = 0;
    xTaskNotifyWait(index, 7);
    assert_seen(0, 0xC3, 0, 7);
    assert_seen(1, 0xC5, 0, 0); // the wait timed out
    ((volatile uint8_t *)&tasks[1].ucNotifyState)[index] = taskNOTIFICATION_RECEIVED;
    seen_count = 0;
    xTaskNotifyWait(index, 7);
    assert_seen(1, 0xC4, 0, 0);
}

static void event_groups_record_bits(void **state) {
    BaseType_t xClearOnExit = pdFALSE;
    EventGroup_t memory = { 0 }, *pxEventBits = &memory;
    EventGroupHandle_t group = pxEventBits;
    (void)state;
    seen_count = 0;
    traceEVENT_GROUP_CREATE(pxEventBits);
    assert_only(0xC6, 1, 0);
    tband_freertos_event_group_name(group, "doors");
    assert_only(0xC7, 1, 0);
    traceEVENT_GROUP_SET_BITS(group, 5);
    assert_only_value(0xC9, 1, 0, 5);
    traceEVENT_GROUP_CLEAR_BITS(group, 4);
    assert_only_value(0xCA, 1, 0, 4);
    traceEVENT_GROUP_CLEAR_BITS_FROM_ISR(group, 2);
    assert_only_value(0xCB, 1, 1, 2);
    traceEVENT_GROUP_WAIT_BITS_BLOCK(group, 3);
    assert_only_value(0xCC, 1, 0, 3);
    traceEVENT_GROUP_SYNC_BLOCK(group, 1, 3);
    assert_only_value(0xCC, 1, 1, 3);
    traceEVENT_GROUP_WAIT_BITS_END(group, 3, pdTRUE);
    assert_only_value(0xCD, 1, 2, 3);
    xClearOnExit = pdTRUE;
    traceEVENT_GROUP_WAIT_BITS_END(group, 3, pdFALSE);
    assert_only_value(0xCD, 1, 4, 3);
    traceEVENT_GROUP_SYNC_END(group, 1, 3, pdFALSE);
    assert_only_value(0xCD, 1, 1, 3);
    traceEVENT_GROUP_DELETE(group);
    assert_only(0xC8, 1, 0);
}

static void buffers_are_queues_of_bytes(void **state) {
    StreamBuffer_t memory = { .xLength = 65 }, *pxStreamBuffer = &memory;
    (void)state;
    seen_count = 0;
    traceSTREAM_BUFFER_CREATE(pxStreamBuffer, pdTRUE);
    uint32_t id = (uint32_t)memory.uxStreamBufferNumber;
    assert_seen(0, 0x65, id, 7); // a message buffer
    assert_seen(1, 0x63, id, 0);
    assert_seen(2, 0xD4, id, 64);
    assert_seen(3, 0x70, id, 0);
    seen_count = 0;
    tband_freertos_stream_buffer_name(pxStreamBuffer, "log");
    assert_only(0x64, id, 0);
    bytes_in_buffer = 20;
    xStreamBufferSend(pxStreamBuffer, 20, 5);
    assert_only(0x66, id, 20);
    xStreamBufferSend(pxStreamBuffer, 0, 5);
    assert_seen(0, 0x6E, id, 5);
    assert_value(1, 0xD6, id, 20, TBAND_SEND);
    seen_count = 0;
    xStreamBufferReceiveFromISR(pxStreamBuffer, 3);
    assert_only(0x6B, id, 20);
    xStreamBufferReceiveFromISR(pxStreamBuffer, 0);
    assert_only_value(0xD7, id, 20, TBAND_RECEIVE);
}

static void timers_record_their_commands(void **state) {
    Timer_t memory = { "blink", 50, 0 }, *pxNewTimer = &memory;
    (void)state;
    seen_count = 0;
    traceTIMER_CREATE(pxNewTimer);
    assert_seen(0, 0xCF, 1, 0);
    assert_value(1, 0xCE, 1, 0, 50);
    seen_count = 0;
    xTimerGenericCommand(pxNewTimer, tmrCOMMAND_START, 1234, pdPASS);
    assert_only_value(0xD1, 1, 0, 50);
    xTimerGenericCommand(pxNewTimer, tmrCOMMAND_START, 1234, pdFAIL);
    assert_int_equal(seen_count, 0);
    xTimerGenericCommand(pxNewTimer, tmrCOMMAND_CHANGE_PERIOD_FROM_ISR, 80, pdPASS);
    assert_only_value(0xD1, 1, 2, 80);
    xTimerGenericCommand(pxNewTimer, tmrCOMMAND_RESET_FROM_ISR, 1234, pdPASS);
    assert_only_value(0xD1, 1, 1, 50);
    xTimerGenericCommand(pxNewTimer, tmrCOMMAND_STOP, 0, pdPASS);
    assert_only(0xD2, 1, 0);
    xTimerGenericCommand(pxNewTimer, tmrCOMMAND_STOP_FROM_ISR, 0, pdPASS);
    assert_only(0xD2, 1, 0);
    xTimerGenericCommand(pxNewTimer, -1, 0, pdPASS); // a function for the timer task
    assert_int_equal(seen_count, 0);
    traceTIMER_EXPIRED(pxNewTimer);
    assert_only(0xD3, 1, 0);
    xTimerGenericCommand(pxNewTimer, tmrCOMMAND_DELETE, 0, pdPASS);
    assert_only(0xD0, 1, 0);
}

static void memory_in_use_is_recorded(void **state) {
    uint32_t block = 0;
    (void)state;
    seen_count = 0;
    pvPortMalloc(&block, 100, 90);
    assert_only_value(0x84, 0, 100, 100);
    pvPortMalloc(&block, 20, 10);
    assert_only_value(0x84, 0, 120, 20);
    pvPortMalloc(NULL, 0, 4000);
    assert_only_value(0x88, 0, 0, 4000);
    traceFREE(&block, 100);
    assert_only_value(0x85, 0, 20, 100);
    traceFREE(&block, 0); // heap 3 does not report it
    assert_only_value(0x85, 0, UINT32_MAX, 0);
    tband_freertos_stack(NULL);
    assert_only_value(0xD8, 1, 0, 100);
}

// portYIELD_FROM_ISR() reports an exit also for handlers that reported no entry.
static void an_interrupt_ends_where_it_began(void **state) {
    (void)state;
    seen_count = 0;
    running_interrupt = 24;
    traceISR_EXIT();
    assert_int_equal(seen_count, 0);
    traceISR_ENTER();
    assert_only(0x04, 24, 0);
    running_interrupt = 15; // a nested one that did not report its entry
    traceISR_EXIT_TO_SCHEDULER();
    assert_int_equal(seen_count, 0);
    running_interrupt = 24;
    traceISR_EXIT();
    assert_only(0x05, 24, 0);
    traceISR_EXIT();
    assert_int_equal(seen_count, 0);
}

static void enter_interrupt(uint32_t number) {
    running_interrupt = number;
    traceISR_ENTER();
    assert_only(0x04, number, 0);
}

static void leave_interrupt(uint32_t number) {
    running_interrupt = number;
    traceISR_EXIT();
    assert_only(0x05, number, 0);
}

// Handlers whose numbers are equal modulo 256.
static void nested_interrupts_end_each(void **state) {
    (void)state;
    seen_count = 0;
    for (uint32_t step = 1; step < 64; step++) {
        for (uint32_t depth = 0; depth < 4; depth++) enter_interrupt(16 + depth * step);
        running_interrupt = 15;
        traceISR_EXIT();
        assert_int_equal(seen_count, 0);
        for (uint32_t depth = 4; depth > 0; depth--) leave_interrupt(16 + (depth - 1) * step);
    }
    running_interrupt = 0; // a task
    traceISR_EXIT();
    assert_int_equal(seen_count, 0);
}

// An exit of a handler that did not report its entry is no event, for any number.
static void an_exit_without_an_entry_is_not_recorded(void **state) {
    (void)state;
    seen_count = 0;
    for (uint32_t number = 1; number < 600; number++) {
        running_interrupt = number;
        traceISR_EXIT();
        assert_int_equal(seen_count, 0);
    }
    enter_interrupt(255);
    leave_interrupt(255);
}

// A tick without an effect is not recorded; one that makes tasks ready begins before the first of them.
static void a_tick_is_recorded_if_it_makes_a_task_ready(void **state) {
    (void)state;
    seen_count = 0;
    running_interrupt = 1000;
    traceISR_ENTER();
    traceISR_EXIT();
    assert_int_equal(seen_count, 0);
    traceISR_ENTER();
    tband_freertos_task_ready(1);
    tband_freertos_task_ready(3);
    traceISR_EXIT_TO_SCHEDULER();
    assert_int_equal(seen_count, 4);
    assert_seen(0, 0x04, 1000, 0);
    assert_seen(1, 0x55, 1, 0);
    assert_seen(2, 0x55, 3, 0);
    assert_seen(3, 0x05, 1000, 0);
    seen_count = 0;
    traceISR_ENTER();
    enter_interrupt(24); // preempts the tick, whose entry is not recorded
    tband_freertos_task_ready(1);
    assert_only(0x55, 1, 0);
    leave_interrupt(24);
    running_interrupt = 1000;
    traceISR_EXIT();
    assert_int_equal(seen_count, 0);
    running_interrupt = 0;
    tband_freertos_task_ready(1);
    assert_only(0x55, 1, 0);
}

static void the_clock_is_updated_at_ticks_and_after_sleep(void **state) {
    (void)state;
    clock_updates = 0;
    xTaskIncrementTick(1);
    vTaskStepTick(100);
    assert_int_equal(clock_updates, 2);
}

int main(void) {
    const struct CMUnitTest all[] = {
        cmocka_unit_test(tasks_are_named_and_marked),
        cmocka_unit_test(queues_are_numbered_and_counted),
        cmocka_unit_test(task_markers_name_the_task),
        cmocka_unit_test(the_queue_of_the_timer_task_refuses_nothing),
        cmocka_unit_test(notifications_name_the_notified_task),
        cmocka_unit_test(event_groups_record_bits),
        cmocka_unit_test(buffers_are_queues_of_bytes),
        cmocka_unit_test(timers_record_their_commands),
        cmocka_unit_test(memory_in_use_is_recorded),
        cmocka_unit_test(an_interrupt_ends_where_it_began),
        cmocka_unit_test(nested_interrupts_end_each),
        cmocka_unit_test(an_exit_without_an_entry_is_not_recorded),
        cmocka_unit_test(a_tick_is_recorded_if_it_makes_a_task_ready),
        cmocka_unit_test(the_clock_is_updated_at_ticks_and_after_sleep),
    };
    return cmocka_run_group_tests(all, NULL, NULL);
}
