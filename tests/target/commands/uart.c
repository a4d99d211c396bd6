/* SPDX-License-Identifier: MIT */
/* The host sends commands through UART 0, and receives the stream there: as lines of text, with IMAGE_CALL as packets
 * of this program, whose results UART 1 receives. A round of events follows each received byte, so that every run is
 * the same. The byte END ends the program. */
#include "board.h"
#include "tband.h"

enum { STEP = 1, LEVEL = 2, END = 4, CAN_NOT_SEND = 1, HAS_RECEIVED = 2 };

#define UART0_DATA (*(volatile uint32_t *)0x40004000u)
#define UART0_STATE (*(volatile uint32_t *)0x40004004u)

static uint8_t read_byte(void) {
    while (!(UART0_STATE & HAS_RECEIVED)) {}
    return (uint8_t)UART0_DATA;
}

static void send(void) {
    const uint8_t *bytes;
    for (size_t len; (len = tband_stream_peek(0, &bytes)) != 0; tband_stream_consume(0, len)) {
        for (size_t i = 0; i < len; i++) {
            while (UART0_STATE & CAN_NOT_SEND) {}
            UART0_DATA = bytes[i];
        }
    }
}

#ifdef IMAGE_CALL
/* A packet is a text and a zero. */
static void receive(uint8_t byte) {
    static char text[32];
    static uint32_t len;
    text[len] = (char)byte;
    len = (len + 1u) % (uint32_t)sizeof text;
    if (byte != 0u) return;
    len = 0;
    const int result = tband_command(text);
    if (result < 0) board_note("-");
    board_note_number((uint32_t)(result < 0 ? -result : result));
    board_note(" ");
}
#else
static void receive(uint8_t byte) { tband_receive(&byte, 1); }
#endif

int main(void) {
    UART0_CONTROL = 3; /* sends and receives */
    tband_evtmarker_name(STEP, "step");
    tband_valmarker_name(LEVEL, "level");
    uint8_t byte;
    for (int64_t level = 0; (byte = read_byte()) != END; level++) {
        receive(byte);
        tband_evtmarker(STEP, "");
        tband_valmarker(LEVEL, level);
        send();
    }
    return 0;
}
