/* SPDX-License-Identifier: MIT */
/*
 * A bare metal program with an interrupt, markers and a value, which streams while it runs.
 *
 *   make LINK=dma && qemu-system-arm -M mps2-an385 -nographic -semihosting -serial file:demo.tband -monitor none
 * -kernel demo.elf && tonkopf conv demo.tband
 *
 * LINK=semihosting writes demo.tband itself. LINK=rtt needs a debugger that reads (docs/CAPTURE.md).
 */
#include "../mps2/board.h"
#include "link.h"
#include "tband.h"

#define SYSTICK_CONTROL (*(volatile uint32_t *)0xE000E010u)
#define SYSTICK_RELOAD (*(volatile uint32_t *)0xE000E014u)

enum { TICKS = 400, TEMPERATURE = 1, CONTROL = 2, CYCLES_PER_TICK = 25000 };

static volatile uint32_t ticks;

void board_systick(void) {
    if (ticks == TICKS) return; /* the timer runs until the last step is done */
    tband_isr_enter(tband_cortex_m_exception());
    ticks++;
    tband_valmarker(TEMPERATURE, (int64_t)ticks - 10);
    tband_isr_exit(tband_cortex_m_exception());
}

static void step(void) {
    tband_evtmarker_begin(CONTROL, "step");
    for (volatile uint32_t work = 0; work < 500; work++) {}
    tband_evtmarker_end(CONTROL);
}

int main(void) {
    tband_isr_name(15, "SysTick");
    tband_valmarker_name(TEMPERATURE, "temperature");
    tband_evtmarker_name(CONTROL, "control");
    tband_start_streaming();
    link_start();
    SYSTICK_RELOAD = CYCLES_PER_TICK - 1;
    SYSTICK_CONTROL = 7;
    for (uint32_t seen = 0; seen < TICKS; seen++) {
        while (ticks <= seen) link_pump();
        step();
    }
    SYSTICK_CONTROL = 0;
    tband_stop_streaming();
    while (!tband_tracing_finished()) link_pump();
    board_note_number(tband_get_dropped());
    return 0;
}
