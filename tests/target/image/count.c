/* SPDX-License-Identifier: MIT */
/*
 * Counts instructions: with -icount shift=6 one takes 64 ns, a tick of the timer 40 ns. Prints "NAME TICKS" for CALLS calls each;
 * an empty function in the same loop is taken off by the reader.
 */
#include "board.h"
#include "tband.h"

enum { CALLS = 40 };

__attribute__((noinline)) static void empty(uint32_t id) { __asm__ volatile("" : : "r"(id)); }

#define COUNT(name, call) \
    do { \
        uint32_t begin = board_time(); \
        for (uint32_t i = CALLS; i; i--) call; \
        uint32_t ticks = board_time() - begin; \
        board_write(name " "); \
        board_write_number(ticks); \
        board_write("\n"); \
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
#else
static void count_all(void) {
    COUNT("off", tband_isr_enter(5));
    tband_start_post_mortem();
    COUNT("one_number", tband_isr_enter(5));
    COUNT("two_numbers", tband_event_queue_send(5, 3));
    COUNT("text_of_20", tband_evtmarker(5, "twenty characters...;"));
    COUNT("largest", tband_event_queue_send(0xFFFFFFFFu, 0xFFFFFFFFu));
    tband_set_groups(0);
    COUNT("filtered", tband_isr_enter(5));
}
#endif

int main(void) {
    COUNT("empty", empty(5));
    count_all();
    return 0;
}
