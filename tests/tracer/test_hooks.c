// SPDX-License-Identifier: MIT
//
// The hooks of FreeRTOS in a stand-in for its releases: macros, arguments and locals are those of the release, what lies between them is not.
#include "target.h"

#include "FreeRTOS.h"
#include "queue.h"
#include "task.h"
#include "timers.h"

// ---- What is recorded ----------------------------------------------------------------------------------------------

static struct { uint8_t event_id; uint32_t id, arg; } seen[64];
static unsigned seen_count;
static uint32_t running_interrupt;

uint32_t test_interrupt(void) { return running_interrupt; }

bool tband_submit_to_backend(uint8_t *bytes, size_t len, bool is_metadata) {
    uint8_t scratch[512 + TB_SCRATCH_MORE], event_id = 0xFF;
    struct tk_event event = { 0 };
    (void)is_metadata;
    assert_int_equal(tb_decode_piece(bytes, len - 1, 0, scratch, &event, &event_id), TB_OK);
    if (event_id == 0x01) return false; // the count of losses
    seen[seen_count].event_id = event_id;
    seen[seen_count].id = event.id;
    seen[seen_count++].arg = event.arg;
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

// ---- The kernel ----------------------------------------------------------------------------------------------------

static TCB_t tasks[4] = { { 0, 0, "" }, { 5, 1, "worker" }, { 0, 2, "IDLE" }, { 2, 3, "Tmr Svc" } };
static TCB_t *pxCurrentTCB = &tasks[1];

void vTaskGetInfo(TaskHandle_t task, TaskStatus_t *status, BaseType_t stack, eTaskState state) {
    (void)stack, (void)state;
    status->xTaskNumber = (task ? task : pxCurrentTCB)->uxTCBNumber;
}
TaskHandle_t xTaskGetIdleTaskHandle(void) { return &tasks[2]; }
TaskHandle_t xTimerGetTimerDaemonTaskHandle(void) { return &tasks[3]; }
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

static void vTaskDelay(const TickType_t xTicksToDelay) { traceTASK_DELAY(); (void)xTicksToDelay; }

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
    Queue_t queue = { .uxLength = 4, .ucQueueType = 2 }, mailbox = { .uxLength = 1, .ucQueueType = 0, .uxMessagesWaiting = 1 };
    (void)state;
    seen_count = 0;
    prvInitialiseNewQueue(&queue);
    assert_seen(0, 0x63, 1, 0);
    assert_seen(1, 0x65, 1, 1); // a counting semaphore
    assert_seen(2, 0x70, 1, 0);
    prvInitialiseNewQueue(&mailbox);
    assert_seen(3, 0x63, 2, 0);
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

int main(void) {
    const struct CMUnitTest all[] = {
        cmocka_unit_test(tasks_are_named_and_marked),
        cmocka_unit_test(queues_are_numbered_and_counted),
        cmocka_unit_test(task_markers_name_the_task),
        cmocka_unit_test(an_interrupt_ends_where_it_began),
    };
    return cmocka_run_group_tests(all, NULL, NULL);
}
