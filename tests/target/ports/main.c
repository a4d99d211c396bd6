/* SPDX-License-Identifier: MIT */
/* Compares the time of SysTick with that of a timer, at any moment of its period and with its interrupt pending. Prints
 * whether the cycle counter counts, the number of comparisons, the largest difference, and how often the time fell. */
#include "board.h"
#include "tband.h"

enum { PERIOD = 2500, COMPARISONS = 4000 };

#define SYSTICK ((volatile uint32_t *)0xE000E010u)

void board_systick(void) { tband_portTICK(); }

static uint32_t seed = 1;
static uint32_t random_below(uint32_t limit) {
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % limit;
}

static void wait_for(uint32_t counts) {
    for (uint32_t begin = board_time(); board_time() - begin < counts;) {}
}

int main(void) {
    uint64_t last = 0;
    uint32_t falls = 0, most = 0, offset = 0;
    SYSTICK[1] = PERIOD - 1;
    SYSTICK[2] = 0;
    SYSTICK[0] = 7;
    for (uint32_t i = 0; i < COMPARISONS; i++) {
        wait_for(random_below(400));
        uint32_t mask = tband_cortex_m_mask();
        wait_for(random_below(1000)); /* the interrupt may become pending */
        uint32_t before = board_time();
        uint64_t time = tband_portTIMESTAMP();
        tband_cortex_m_unmask(mask);
        if (!i) offset = (uint32_t)time - before;
        uint32_t differs = (uint32_t)time - before - offset;
        if (differs > 0x80000000u) differs = 0u - differs;
        if (differs > most) most = differs;
        falls += time < last;
        last = time;
    }
    board_write_number(tband_cortex_m_start_cycles());
    board_write(" ");
    board_write_number((uint32_t)last);
    board_write(" ");
    board_write_number(most);
    board_write(" ");
    board_write_number(falls);
    return 0;
}
