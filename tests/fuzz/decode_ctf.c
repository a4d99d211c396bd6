// SPDX-License-Identifier: MIT
//
// A CTF stream with one of three small descriptions, and the start of a recording that fits it. Without a description,
// trying the layouts of Zephyr takes longer than everything else.
#include "common/check.h"
#include "common/decoding.h"

#define INTEGERS                                                      \
    "/* CTF 1.8 */ typealias integer { size = 8; } := u8;"            \
    "typealias integer { size = 16; align = 8; } := u16;"             \
    "typealias integer { size = 32; align = 8; } := u32;"             \
    "typealias integer { size = 32; align = 8; signed = 1; } := i32;" \
    "typealias integer { size = 64; align = 8; } := u64;"             \
    "typealias integer { size = 8; encoding = ASCII; } := text;"
#define EVENT(id, name, fields) "event { id = " id "; name = " name "; fields := struct { " fields " }; };"
#define THREAD "u32 thread_id; text name[20];"
#define SWITCHES                               \
    EVENT("16", "thread_switched_out", THREAD) \
    EVENT("17", "thread_switched_in", THREAD)  \
    EVENT("30", "idle", "")
#define STATES                                             \
    EVENT("18", "thread_priority_set", THREAD "i32 prio;") \
    EVENT("19", "thread_create", THREAD)                   \
    EVENT("20", "thread_abort", THREAD)                    \
    EVENT("23", "thread_ready", THREAD)                    \
    EVENT("24", "thread_pending", THREAD)                  \
    EVENT("27", "isr_enter", "")                           \
    EVENT("28", "isr_exit", "")
#define CALLS                                                           \
    EVENT("36", "semaphore_take_enter", "u32 id; u32 timeout;")         \
    EVENT("37", "semaphore_take_blocking", "u32 id; u32 timeout;")      \
    EVENT("38", "semaphore_take_exit", "u32 id; u32 timeout; i32 ret;") \
    EVENT("43", "mutex_lock_exit", "u32 id; u32 timeout; i32 ret;")     \
    EVENT("45", "mutex_unlock_exit", "u32 id; i32 ret;")                \
    EVENT("47", "timer_start", "u32 id; u32 duration; u32 period;")     \
    EVENT("98", "named_event", "text name[20]; u32 arg0; u32 arg1;")    \
    EVENT("127", "k_sleep_enter", "u32 timeout;")                       \
    EVENT("128", "k_sleep_exit", "u32 timeout; i32 ret;")

// Threads without packets, and an event that does not end with a byte; 8 events.
static const char plain[] =
    INTEGERS "trace { byte_order = le; };"
             "stream { event.header := struct { u32 timestamp; u8 id; }; };"
             "typealias integer { size = 5; align = 1; } := u5;" SWITCHES STATES EVENT("99", "bits", "u5 a;");
#define PLAIN(time) (time), 0, 0, 0, 30
static const uint8_t plain_start[] = { PLAIN(1), PLAIN(2), PLAIN(3), PLAIN(4), PLAIN(5), PLAIN(6), PLAIN(7), PLAIN(8) };

// Threads and their calls in packets of several CPUs; a packet of 8 events.
static const char packets[] = INTEGERS
    "trace { byte_order = le; packet.header := struct { u32 magic; u32 stream_id; }; };"
    "stream { id = 0; event.header := struct { u64 timestamp; u16 id; }; packet.context := struct { u64 "
    "timestamp_begin; u64 timestamp_end; u32 content_size; u32 packet_size; u32 events_discarded; u8 cpu_id; }; "
    "};" SWITCHES CALLS;
#define U32(low, high) (low), (high), 0, 0
#define U64(low) (low), 0, 0, 0, 0, 0, 0, 0
#define LATER(time) U64(time), 30, 0
// magic, stream; begin, end; bits of content, bits of the packet; lost events, CPU
static const uint8_t packets_start[] = { 0xC1,         0x1F,         0xFC,      0xC1,     U32(0, 0), U64(0),   U64(100),
                                         U32(0xA8, 3), U32(0xA8, 3), U32(0, 0), 0,        LATER(1),  LATER(2), LATER(3),
                                         LATER(4),     LATER(5),     LATER(6),  LATER(7), LATER(8) };

// Bit fields, sequences, a variant, big-endian numbers; a ring of packets, of which the first has 8 events.
static const char fields[] =
    INTEGERS "typealias integer { size = 5; align = 1; } := u5;"
             "typealias integer { size = 27; align = 1; map = clock.c.value; } := time27;"
             "typealias floating_point { exp_dig = 8; mant_dig = 24; align = 8; } := float;"
             "clock { name = c; freq = 1000000; offset = 5; };"
             "trace { byte_order = be; packet.header := struct { u32 magic; }; };"
             "stream { packet.context := struct { u64 timestamp_begin; u64 timestamp_end; u32 content_size; u32 "
             "packet_size; u64 packet_seq_num; }; event.header := struct { u5 id; time27 timestamp; }; };"
             "event { id = 1; name = a_entry; fields := struct { u8 _len; u16 list[_len]; string s; float f; }; };"
             "event { id = 2; name = a_exit; fields := struct { enum : u8 { num, txt } tag; variant <tag> { u32 num; "
             "string txt; } v; u8 grid[2][2]; }; };";
#define BIG_U32(high, low) 0, 0, (high), (low)
#define BIG_U64(low) 0, 0, 0, 0, 0, 0, 0, (low)
#define ENTRY(time) 0x08, 0, 0, (time), 0, 0, 0, 0, 0, 0
// magic; begin, end; bits of content, bits of the packet; its number
static const uint8_t fields_start[] = {
    0xC1,     0xFC,     0x1F,     0xC1,     BIG_U64(0), BIG_U64(100), BIG_U32(3, 0xA0), BIG_U32(3, 0xA0), BIG_U64(0),
    ENTRY(1), ENTRY(2), ENTRY(3), ENTRY(4), ENTRY(5),   ENTRY(6),     ENTRY(7),         ENTRY(8)
};

static const struct decoding_side sides[] = {
    { plain, plain_start, sizeof plain_start },
    { packets, packets_start, sizeof packets_start },
    { fields, fields_start, sizeof fields_start },
    { 0 },
};

static const struct decoding_option options[] = { { 0 } };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len) {
    static const struct decoding_job job = { .decoder = &tk_decoder_ctf, .options = options, .sides = sides };
    decoding_try(&job, data, len);
    return 0;
}
