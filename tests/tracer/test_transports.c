// SPDX-License-Identifier: MIT
//
// Transports at every pace: the other side receives the stream unchanged, with its losses.
#include "stream.h"

static uint32_t itm[0xE90 / 4];
#define TBAND_ITM ((volatile uint32_t *)itm)
#include "tband_itm.h"
#include "tband_rtt.h"
#include "tband_transfer.h"

static struct sample events[MOST_EVENTS];
static uint8_t bytes[MOST_BYTES];
static struct stream stream = { events, 0, bytes, 0 };

// Transfers up to `most` bytes to the other side.
typedef void pump_fn(size_t most);

static uint32_t stream_through(pump_fn *pump, unsigned pace) {
    uint32_t before = tband_get_dropped();
    stream.event_count = 0;
    stream.len = 0;
    assert_int_equal(tband_restart_streaming(), 0);
    for (unsigned i = 0; i < 3000; i++) {
        stream_event(&stream);
        pump(random64() % (2 * pace + 1));
    }
    assert_int_equal(tband_stop_streaming(), 0);
    for (unsigned tries = 0; !tband_tracing_finished(); tries++) {
        assert_true(tries < 10000);
        pump(100);
    }
    uint32_t lost = tband_get_dropped() - before;
    assert_int_equal(assert_stream(&stream), lost);
    return lost;
}

static void brings_everything(pump_fn *pump) {
    assert_int_equal(stream_through(pump, 1000), 0);
    for (unsigned pace = 1; pace < 30; pace++) stream_through(pump, pace);
    assert_true(stream_through(pump, 1) > 100);
}

// ---- RTT: a debugger reads the channel ------------------------------------------------------------------------------

struct channel {
    const char *name;
    const uint8_t *buffer;
    uint32_t size;
    volatile uint32_t written, read;
    uint32_t flags;
};

extern struct {
    char id[16];
    uint32_t up, down;
    struct channel channel[1];
} _SEGGER_RTT;

static void debugger_reads(size_t most) {
    struct channel *channel = &_SEGGER_RTT.channel[0];
    for (; most-- && channel->read != channel->written; channel->read = (channel->read + 1) % channel->size)
        bytes[stream.len++] = channel->buffer[channel->read];
    tband_rtt_pump();
}

static void debugger_finds_and_reads_the_channel(void **state) {
    (void)state;
    assert_int_equal(tband_start_streaming(), 0);
    tband_rtt_start();
    assert_memory_equal(_SEGGER_RTT.id, "SEGGER RTT\0\0\0\0\0", 16);
    assert_int_equal(_SEGGER_RTT.up, 1);
    assert_int_equal(_SEGGER_RTT.down, 0);
    assert_string_equal(_SEGGER_RTT.channel[0].name, "Tonkopf");
    assert_int_equal(tband_stop_streaming(), 0);
    while (!tband_tracing_finished()) debugger_reads(7);
    brings_everything(debugger_reads);
}

static void invalid_positions_from_the_debugger_are_ignored(void **state) {
    (void)state;
    struct channel *channel = &_SEGGER_RTT.channel[0];
    uint32_t read = channel->read;
    channel->read = channel->size;
    tband_rtt_pump();
    channel->read = 0xFFFFFFFFu;
    tband_rtt_pump();
    channel->read = read;
    assert_true(stream_through(debugger_reads, 5) > 0);
}

// ---- Transfers that end by an interrupt -----------------------------------------------------------------------------

static const uint8_t *sending;
static size_t sending_len, longest;
static bool is_ready;

size_t tband_transfer_begin(const uint8_t *from, size_t len) {
    assert_true(is_masked);
    assert_true(len > 0);
    assert_int_equal(sending_len, 0);
    if (!is_ready) return 0;
    sending = from;
    sending_len = len < longest ? len : longest;
    return sending_len;
}

// The link is done when it has sent the whole transfer.
static void link_sends(size_t most) {
    static size_t sent;
    is_ready = random64() % 8 != 0;
    tband_transfer_pump();
    while (most-- && sending_len) {
        bytes[stream.len++] = sending[sent++];
        if (sent < sending_len) continue;
        sent = sending_len = 0;
        tband_transfer_done();
    }
}

static void transfers_follow_each_other(void **state) {
    (void)state;
    for (longest = 1; longest < 1000; longest *= 8) brings_everything(link_sends);
}

// ---- ITM ------------------------------------------------------------------------------------------------------------

enum { PORT = 1, ENABLES = 0xE00 / 4, CONTROL = 0xE80 / 4 };

static void itm_accepts_words_and_bytes(void **state) {
    (void)state;
    const uint8_t some[] = { 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x76 }; // odd: after them the port looks ready
    itm[PORT] = 1;
    assert_int_equal(tband_itm_write(PORT, some, 4), 0);
    itm[CONTROL] = 1;
    assert_int_equal(tband_itm_write(PORT, some, 4), 0);
    itm[ENABLES] = 1u << PORT;
    assert_int_equal(tband_itm_write(PORT, some, 4), 4);
    assert_int_equal(itm[PORT], 0x44332211);
    assert_int_equal(tband_itm_write(PORT, some + 4, 1), 1);
    assert_int_equal(itm[PORT], 0x44332255);
    assert_int_equal(tband_itm_write(PORT, some, 7), 6); // 0x66 is even: no space after it
    assert_int_equal(itm[PORT], 0x44332266);
    assert_int_equal(tband_itm_write(PORT, some, 7), 0);
    assert_int_equal(tband_itm_write(PORT, some, 0), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(debugger_finds_and_reads_the_channel),
        cmocka_unit_test(invalid_positions_from_the_debugger_are_ignored),
        cmocka_unit_test(transfers_follow_each_other),
        cmocka_unit_test(itm_accepts_words_and_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
