/* SPDX-License-Identifier: MIT */
/* Prints the longest time with interrupts masked of each call as "NAME TICKS", with full buffers. */
#include "board.h"
#include "tband.h"

#define TEXT "twenty characters...;"

uint32_t longest;

#define CALL(name, call)            \
    do {                            \
        longest = 0;                \
        call;                       \
        board_note(name " ");       \
        board_note_number(longest); \
        board_note("\n");           \
    } while (0)

#ifdef IMAGE_STREAMING
static void send(void) {
    const uint8_t *bytes;
    for (size_t len; (len = tband_stream_peek(0, &bytes)) != 0;) tband_stream_consume(0, len);
}
#else
static void send(void) {}
#endif

static void repeat(void (*call)(void)) {
    for (int i = 0; i < 2000; i++) { /* also at the end of the ring */
        call();
        send();
    }
}

static void number(void) { tband_isr_enter(5); }
static void two_numbers(void) { tband_event_queue_send(0xFFFFFFFFu, 0xFFFFFFFFu); }
static void value(void) { tband_valmarker(5, INT64_MIN + 1); }
static void text(void) { tband_evtmarker(5, TEXT); }
static void name(void) { tband_isr_name(1000, TEXT); }

#ifdef IMAGE_STREAMING
static void lose(void) {
    for (int i = 0; i < 2000; i++) text();
}
#endif

static void fill_names(void) {
    for (uint32_t i = 0; !tband_get_metadata_lost(0); i++) tband_isr_name(i, TEXT);
}

static void events(void) {
    CALL("number", repeat(number));
    CALL("two_numbers", repeat(two_numbers));
    CALL("value", repeat(value));
    CALL("text_of_20", repeat(text));
    CALL("name_of_20", repeat(name));
    CALL("groups", tband_set_groups(TBAND_GROUPS_ALL));
    CALL("resolution", tband_record_resolution());
}

int main(void) {
    CALL("first_name_of_20", tband_isr_name(0, TEXT));
    CALL("fill_names_of_20", fill_names());
#ifdef IMAGE_STREAMING
    CALL("start", tband_start_streaming());
    events();
    CALL("lost_of_20", lose());
    CALL("send", send());
    CALL("after_loss", number());
    lose(), send();
    CALL("two_after_loss", two_numbers());
    lose(), send();
    CALL("value_after_loss", value());
    lose(), send();
    CALL("text_after_loss_of_20", text());
    lose(), send();
    CALL("name_after_loss_of_20", name());
    CALL("stop", tband_stop_streaming());
    CALL("restart", tband_restart_streaming());
#else
    CALL("start", tband_start_post_mortem());
    events();
    CALL("stop", tband_stop_post_mortem());
    CALL("restart", tband_start_post_mortem());
#endif
    return 0;
}
