/* SPDX-License-Identifier: MIT */
/* Prints the longest time with interrupts masked of each call as "NAME TICKS", with full buffers, the longest
 * numbers, and at each position of the ring. */
#include "board.h"
#include "tband.h"
#include "tband_control.h"
#if defined(IMAGE_STREAMING) && tband_portNUMBER_OF_CORES == 1
#include "tband_transfer.h"
#endif

#define TEXT "twenty characters...;"

uint32_t longest;
unsigned this_core;

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
    for (size_t len; (len = tband_stream_peek(this_core, &bytes)) != 0;) tband_stream_consume(this_core, len);
}
#elif defined(IMAGE_SNAPSHOT)
/* Begins again when the buffer is full. */
static void send(void) {
    const uint32_t before = longest;
    if (tband_tracing_enabled()) return;
    (void)tband_reset_snapshot();
    (void)tband_trigger_snapshot();
    longest = before;
}
#else
static void send(void) {}
#endif

static void repeat(void (*call)(void)) {
    for (int i = 0; i < 2000; i++) {
        call();
        send();
    }
}

static void number(void) { tband_isr_enter(5); }
static void two_numbers(void) { tband_event_queue_send(0xFFFFFFFFu, 0xFFFFFFFFu); }
static void value(void) { tband_valmarker(5, INT64_MIN + 1); }
static void allocation(void) { tband_allocated(7, 0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu); }
static void text(void) { tband_evtmarker(5, TEXT); }
static void name(void) { tband_isr_name(1000, TEXT); }

#ifdef IMAGE_STREAMING
static void lose(void) {
    const uint32_t before = tband_get_dropped();
    while (tband_get_dropped() == before) text();
}

/* The longest of a call that finds space after a loss. prepare: called while the stream is full. */
static void after_loss(void (*prepare)(void), void (*call)(void)) {
    uint32_t most = 0;
    for (int i = 0; i < 1000; i++) {
        lose();
        tband_stream_consume(0, 1u + ((uint32_t)i % 100u)); /* at another position in the ring */
        lose();
        prepare();
        send();
        longest = 0;
        call();
        if (longest > most) most = longest;
        call(); /* a name that waited comes after the number of losses */
        if (longest > most) most = longest;
        send();
    }
    longest = most;
}

#if tband_portNUMBER_OF_CORES > 1
/* The first event of a core whose ring was full at the start, so that its names are still to come. */
static void begin_late(void) {
    this_core = 1;
    lose();
    (void)tband_stop_streaming();
    this_core = 0;
    send();
    (void)tband_start_streaming();
    this_core = 1;
    lose();
    send();
    longest = 0;
    allocation();
}
#endif

#if tband_portNUMBER_OF_CORES == 1
size_t tband_transfer_begin(const uint8_t *bytes, size_t len) { return (void)bytes, len; }

static void transfer(void) {
    const uint32_t before = longest;
    number();
    longest = before;
    tband_transfer_pump();
    tband_transfer_done();
}
#endif

static void nothing(void) {}
static void ask_for_names(void) { (void)tband_send_names(); }
#endif

static void fill_names(void) {
    for (uint32_t i = 0; !tband_get_metadata_lost(0); i++) tband_isr_name(i, TEXT);
}

#if !defined(IMAGE_STREAMING) && !defined(IMAGE_SNAPSHOT)
static void reuse(void) {
    for (uint32_t i = 1; i <= tband_configREUSE_NAMES; i++) tband_note_queue_deleted(i);
    name();
    tband_event_queue_kind(1000, 3);
    for (uint32_t i = 2; i < tband_configREUSE_NAMES; i++) name(); /* and none is left */
}
#endif

static void events(void) {
    CALL("number", repeat(number));
    CALL("two_numbers", repeat(two_numbers));
    CALL("value", repeat(value));
    CALL("allocation", repeat(allocation));
    CALL("text_of_20", repeat(text));
    CALL("name_of_20", repeat(name));
    CALL("groups", tband_set_groups(TBAND_GROUPS_ALL));
    CALL("isr_recorded", tband_set_isr_recorded(6, false));
    CALL("now", (void)tband_now());
    CALL("resolution", tband_record_resolution());
}

int main(void) {
    CALL("first_name_of_20", tband_isr_name(0, TEXT));
    for (uint32_t i = 1; i <= 40; i++) tband_event_queue_kind(i, 3);
    CALL("fill_names_of_20", fill_names());
#ifdef IMAGE_STREAMING
    CALL("start", tband_start_streaming());
    events();
    tband_control.core[0].lost = 0xFFFF0000u;
    CALL("lost_of_20", lose());
    CALL("send", send());
    CALL("after_loss", after_loss(nothing, number));
    CALL("two_after_loss", after_loss(nothing, two_numbers));
    CALL("value_after_loss", after_loss(nothing, value));
    CALL("allocation_after_loss", after_loss(nothing, allocation));
    CALL("text_after_loss_of_20", after_loss(nothing, text));
    CALL("name_after_loss_of_20", after_loss(nothing, name));
    CALL("value_with_name_of_20", after_loss(ask_for_names, value));
    CALL("allocation_with_name_of_20", after_loss(ask_for_names, allocation));
    CALL("repeated_name_of_20", after_loss(nothing, tband_repeat_names));
#if tband_portNUMBER_OF_CORES == 1
    send();
    CALL("transfer", repeat(transfer));
#endif
    CALL("stop", tband_stop_streaming());
    CALL("restart", tband_restart_streaming());
#if tband_portNUMBER_OF_CORES > 1
    CALL("first_allocation", begin_late());
#endif
#elif defined(IMAGE_SNAPSHOT)
    CALL("start", tband_trigger_snapshot());
    events();
    CALL("stop", tband_stop_snapshot());
    (void)tband_reset_snapshot();
    CALL("restart", tband_trigger_snapshot());
#else
    CALL("reused_name_of_20", reuse());
    CALL("start", tband_start_post_mortem());
    events();
    CALL("stop", tband_stop_post_mortem());
    CALL("restart", tband_start_post_mortem());
#endif
    return 0;
}
