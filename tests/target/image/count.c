/* SPDX-License-Identifier: MIT */
/*
 * Counts instructions: with -icount shift=6 one takes 64 ns, a tick of the timer 40 ns. Prints "NAME TICKS" for CALLS
 * calls each; the reader subtracts an empty function in the same loop.
 */
#include "board.h"
#include "tband.h"

enum { CALLS = 40 };

__attribute__((noinline)) static void empty(uint32_t id) { __asm__ volatile("" : : "r"(id)); }

#define COUNT(name, call)                      \
    do {                                       \
        uint32_t begin = board_time();         \
        for (uint32_t i = CALLS; i; i--) call; \
        uint32_t ticks = board_time() - begin; \
        board_write(name " ");                 \
        board_write_number(ticks);             \
        board_write("\n");                     \
    } while (0)

#ifdef IMAGE_STREAMING
static void make_room(void) {
    const uint8_t *bytes;
    for (int half = 0; half < 2; half++) tband_stream_consume(0, tband_stream_peek(0, &bytes));
}

static void count_all(void) {
    tband_start_streaming();
    make_room();
    COUNT("streaming", tband_isr_enter(5));
    while (!tband_get_dropped()) tband_isr_enter(5);
    COUNT("dropped", tband_isr_enter(5));
}
#elif defined(IMAGE_REPETITION)
static void repeat(uint32_t id) {
    (void)id;
    tband_repeat_names();
}

/* Ticks of a call, with a pause before each in which a name becomes due. */
static uint32_t ticks_with_pauses(void (*call)(uint32_t id)) {
    uint32_t sum = 0;
    for (uint32_t i = CALLS; i; i--) {
        uint32_t begin = board_time();
        while (board_time() - begin < 5000) {}
        begin = board_time();
        call(5);
        sum += board_time() - begin;
    }
    return sum;
}

static void count_all(void) {
    for (uint32_t i = 0; i < 14; i++) tband_isr_name(5, "ten letter");
    tband_start_streaming();
    uint32_t without = ticks_with_pauses(empty), with = ticks_with_pauses(repeat);
    board_write("repeat_name ");
    board_write_number(with - without);
    board_write("\n");
    COUNT("repeat_idle", tband_repeat_names());
}
#else
/* Bytes below the caller's frame that a call writes to, including its own frame. */
__attribute__((noinline)) static void note_stack(void (*call)(void)) {
    enum { WORDS = 100, PAINT = 0x5A5A5A5A };
    uint32_t *top, *lowest;
    __asm__ volatile("mov %0, sp" : "=r"(top));
    lowest = top - WORDS;
    for (uint32_t *word = lowest; word < top; word++) *(volatile uint32_t *)word = PAINT;
    call();
    while (*(volatile uint32_t *)lowest == PAINT) lowest++;
    board_note_number((uint32_t)((top - lowest) * 4));
    board_note("\n");
}

static void record_largest(void) { tband_event_queue_send(0xFFFFFFFFu, 0xFFFFFFFFu); }
static void record_value(void) { tband_valmarker(5, INT64_MIN + 1); }
static void record_text(void) { tband_evtmarker(5, "twenty characters...;"); }

static void note_stacks(void) {
    for (unsigned i = 0; i < 1000; i++) { /* also when it reaches the end of the ring */
        note_stack(record_largest);
        note_stack(record_value);
        note_stack(record_text);
    }
}

static void count_all(void) {
    COUNT("off", tband_isr_enter(5));
    tband_start_post_mortem();
    COUNT("one_number", tband_isr_enter(5));
    COUNT("two_numbers", tband_event_queue_send(5, 3));
    COUNT("marker", tband_evtmarker(5, ""));
    COUNT("text_of_20", tband_evtmarker(5, "twenty characters...;"));
    COUNT("largest", tband_event_queue_send(0xFFFFFFFFu, 0xFFFFFFFFu));
    note_stacks();
    tband_set_groups(0);
    COUNT("filtered", tband_isr_enter(5));
}
#endif

int main(void) {
    COUNT("empty", empty(5));
    count_all();
    return 0;
}
