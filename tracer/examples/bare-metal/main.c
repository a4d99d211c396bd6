/* SPDX-License-Identifier: MIT */
/*
 * A bare metal program with an interrupt, markers and a value. It records into the overwriting ring and writes the ring
 * to UART 0 at its end.
 *
 *   make && qemu-system-arm -M mps2-an385 -nographic -semihosting -serial file:demo.tband \
 *     -monitor none -kernel demo.elf && tonkopf conv demo.tband
 */
#include "../mps2/board.h"
#include "tband.h"

#define SYSTICK_CONTROL (*(volatile uint32_t *)0xE000E010u)
#define SYSTICK_RELOAD (*(volatile uint32_t *)0xE000E014u)

enum { TICKS = 40, TEMPERATURE = 1, CONTROL = 2, CYCLES_PER_TICK = 25000 };

static volatile uint32_t ticks;

void board_systick(void) {
    tband_isr_enter(tband_cortex_m_exception());
    ticks++;
    tband_valmarker(TEMPERATURE, (int64_t)ticks - 10);
    tband_isr_exit(tband_cortex_m_exception());
}

static void write_recording(void) {
    for (unsigned piece = 0; piece < 3; piece++) {
        size_t len;
        const uint8_t *bytes = tband_get_post_mortem_piece(0, piece, &len);
        while (len--) board_write_byte(*bytes++);
    }
}

int main(void) {
    tband_isr_name(15, "SysTick");
    tband_valmarker_name(TEMPERATURE, "temperature");
    tband_evtmarker_name(CONTROL, "control");
    tband_start_post_mortem();
    SYSTICK_RELOAD = CYCLES_PER_TICK - 1;
    SYSTICK_CONTROL = 7;
    for (uint32_t seen = 0; seen < TICKS; seen++) {
        while (ticks <= seen) {}
        tband_evtmarker_begin(CONTROL, "step");
        for (volatile uint32_t work = 0; work < 500; work++) {}
        tband_evtmarker_end(CONTROL);
    }
    SYSTICK_CONTROL = 0;
    tband_stop_post_mortem();
    write_recording();
    return 0;
}
