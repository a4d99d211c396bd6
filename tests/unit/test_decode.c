// SPDX-License-Identifier: MIT
#include "support.h"

#include "../common/stream.h"
#include "formats/tonbandgeraet/decode.h"
#include "formats/tonbandgeraet/image.h"
#include "tonkopf.h"

// ---- One record --------------------------------------------------------------------------------

static struct tk_event event;

static uint32_t number(void) { return (uint32_t)tk_event_number(&event, TK_SLOT_NUMBER); }
static int64_t value(void) { return tk_event_number(&event, TK_SLOT_VALUE); }
static uint8_t event_id, scratch[4096 + TB_SCRATCH_MORE];
static char string[512]; // copied from the event

// Decodes a frame (delimiter included) at the end of its buffer and one with bytes after it; both results must be
// equal.
static enum tb_verdict decode(const uint8_t *frame, size_t len) {
    uint8_t *alone = malloc(len), *roomy = malloc(len + 32);
    struct tk_event first = { 0 };
    uint8_t first_id = 0;
    memcpy(alone, frame, len);
    memset(roomy, 0x81, len + 32);
    memcpy(roomy, frame, len);
    assert_int_equal(frame[len - 1], 0);
    enum tb_verdict verdict = tb_decode_piece(alone, len - 1, 0, scratch, &first, &first_id);
    if (verdict == TB_OK) snprintf(string, sizeof string, "%.*s", (int)first.str_len, first.str_len ? first.str : "");
    event = (struct tk_event){ 0 };
    event_id = 0;
    assert_int_equal(tb_decode_piece(roomy, len - 1, 32, scratch, &event, &event_id), verdict);
    if (verdict == TB_OK) {
        assert_int_equal(event_id, first_id);
        assert_true(event.kind == first.kind);
        assert_memory_equal(&event.payload, &first.payload, sizeof event.payload);
        assert_true(event.timed == first.timed && event.ticks == first.ticks && event.str_len == first.str_len);
        if (event.str_len) assert_memory_equal(event.str, string, strlen(string));
    }
    free(alone);
    free(roomy);
    return verdict;
}

// The table of the specification, written independently: T time, I and A 32 bits, B byte, Q 32 bits, P 32 bits (an
// address), R 64 bits, V signed, S text.
static const struct {
    uint8_t id;
    const char *name, *fields;
    uint8_t kind;
} table[] = {
    { 0x00, "core_id", "TI", TK_EV_CORE },
    { 0x01, "dropped_evt_cnt", "TI", TK_EV_DROP_COUNT },
    { 0x02, "ts_resolution_ns", "R", TK_EV_TICK_LENGTH },
    { 0x03, "isr_name", "IS", TK_EV_ISR_NAME },
    { 0x04, "isr_enter", "TI", TK_EV_ISR_ENTER },
    { 0x05, "isr_exit", "TI", TK_EV_ISR_EXIT },
    { 0x06, "evtmarker_name", "IS", TK_EV_MARKER_NAME },
    { 0x07, "evtmarker", "TIS", TK_EV_MARKER },
    { 0x08, "evtmarker_begin", "TIS", TK_EV_MARKER_BEGIN },
    { 0x09, "evtmarker_end", "TI", TK_EV_MARKER_END },
    { 0x0A, "valmarker_name", "IS", TK_EV_VALUE_NAME },
    { 0x0B, "valmarker", "TIV", TK_EV_VALUE },
    { 0x54, "task_switched_in", "TI", TK_EV_TASK_SWITCHED_IN },
    { 0x55, "task_to_rdy_state", "TI", TK_EV_TASK_READY },
    { 0x56, "task_resumed", "TI", TK_EV_TASK_RESUMED },
    { 0x57, "task_resumed_from_isr", "TI", TK_EV_TASK_RESUMED_FROM_ISR },
    { 0x58, "task_suspended", "TI", TK_EV_TASK_SUSPENDED },
    { 0x59, "curtask_delay", "TA", TK_EV_DELAY },
    { 0x5A, "curtask_delay_until", "TA", TK_EV_DELAY_UNTIL },
    { 0x5B, "task_priority_set", "TIA", TK_EV_TASK_PRIORITY_SET },
    { 0x5C, "task_priority_inherit", "TIA", TK_EV_TASK_PRIORITY_INHERITED },
    { 0x5D, "task_priority_disinherit", "TIA", TK_EV_TASK_PRIORITY_DISINHERITED },
    { 0x5E, "task_created", "TI", TK_EV_TASK_CREATED },
    { 0x5F, "task_name", "IS", TK_EV_TASK_NAME },
    { 0x60, "task_is_idle_task", "IA", TK_EV_TASK_IS_IDLE },
    { 0x61, "task_is_timer_task", "I", TK_EV_TASK_IS_TIMER },
    { 0x62, "task_deleted", "TI", TK_EV_TASK_DELETED },
    { 0x63, "queue_created", "TI", TK_EV_QUEUE_CREATED },
    { 0x64, "queue_name", "IS", TK_EV_QUEUE_NAME },
    { 0x65, "queue_kind", "IB", TK_EV_QUEUE_KIND },
    { 0x66, "queue_send", "TIA", TK_EV_QUEUE_SEND },
    { 0x67, "queue_send_from_isr", "TIA", TK_EV_QUEUE_SEND_FROM_ISR },
    { 0x68, "queue_overwrite", "TIA", TK_EV_QUEUE_OVERWRITE },
    { 0x69, "queue_overwrite_from_isr", "TIA", TK_EV_QUEUE_OVERWRITE_FROM_ISR },
    { 0x6A, "queue_receive", "TIA", TK_EV_QUEUE_RECEIVE },
    { 0x6B, "queue_receive_from_isr", "TIA", TK_EV_QUEUE_RECEIVE_FROM_ISR },
    { 0x6C, "queue_reset", "TI", TK_EV_QUEUE_RESET },
    { 0x6D, "curtask_block_on_queue_peek", "TIA", TK_EV_BLOCK_ON_PEEK },
    { 0x6E, "curtask_block_on_queue_send", "TIA", TK_EV_BLOCK_ON_SEND },
    { 0x6F, "curtask_block_on_queue_receive", "TIA", TK_EV_BLOCK_ON_RECEIVE },
    { 0x70, "queue_cur_length", "TIA", TK_EV_QUEUE_LENGTH },
    { 0x7A, "task_evtmarker_name", "IAS", TK_EV_TASK_MARKER_NAME },
    { 0x7B, "task_evtmarker", "TIS", TK_EV_TASK_MARKER },
    { 0x7C, "task_evtmarker_begin", "TIS", TK_EV_TASK_MARKER_BEGIN },
    { 0x7D, "task_evtmarker_end", "TI", TK_EV_TASK_MARKER_END },
    { 0x7E, "task_valmarker_name", "IAS", TK_EV_TASK_VALUE_NAME },
    { 0x7F, "task_valmarker", "TIV", TK_EV_TASK_VALUE },
    { 0x80, "clock_sync", "TIR", TK_EV_CLOCK_SYNC },
    { 0x81, "clock_rate", "IA", TK_EV_CLOCK_RATE },
    { 0x89, "chunk", "IA", TK_EV_CHUNK },
    { 0x8A, "clock_hz", "RD", TK_EV_CLOCK_HZ },
    { 0x8B, "names_missing", "IA", TK_EV_NAMES_MISSING },
    { 0x8C, "task_declared", "IAN", TK_EV_TASK_DECLARED },
    { 0x8D, "fault_state", "TIAQ", TK_EV_FAULT_STATE },
    { 0x8E, "fault_context", "TIA", TK_EV_FAULT_CONTEXT },
    { 0x8F, "fault", "TIAQ", TK_EV_FAULT },
    { 0x82, "heap_name", "IS", TK_EV_HEAP_NAME },
    { 0x83, "heap_level", "TIQ", TK_EV_HEAP_LEVEL },
    { 0x84, "memory_allocated", "TIAQP", TK_EV_ALLOCATED },
    { 0x85, "memory_freed", "TIAQP", TK_EV_FREED },
    { 0x86, "stack_name", "IS", TK_EV_STACK_NAME },
    { 0x87, "stack_free", "TIQ", TK_EV_STACK_LEVEL },
    { 0x88, "memory_refused", "TIQ", TK_EV_ALLOCATION_FAILED },
    { 0x90, "build", "IA", TK_EV_BUILD },
    { 0x91, "run", "A", TK_EV_RUN },
    { 0x92, "task_stack_size", "IA", TK_EV_TASK_STACK_SIZE },
    { 0xC0, "waits_are_traced", "A", TK_EV_BLOCKING_IS_TRACED },
    { 0xC1, "task_notified", "TI", TK_EV_NOTIFIED },
    { 0xC2, "task_notified_from_isr", "TI", TK_EV_NOTIFIED_FROM_ISR },
    { 0xC3, "curtask_block_on_notification", "TA", TK_EV_BLOCK_ON_NOTIFICATION },
    { 0xC4, "curtask_notification_taken", "T", TK_EV_NOTIFICATION_TAKEN },
    { 0xC5, "curtask_notification_missed", "T", TK_EV_NOTIFICATION_MISSED },
    { 0xC6, "eventgroup_created", "TI", TK_EV_EVENT_GROUP_CREATED },
    { 0xC7, "eventgroup_name", "IS", TK_EV_EVENT_GROUP_NAME },
    { 0xC8, "eventgroup_deleted", "TI", TK_EV_EVENT_GROUP_DELETED },
    { 0xC9, "eventgroup_set", "TIQ", TK_EV_EVENT_GROUP_SET },
    { 0xCA, "eventgroup_cleared", "TIQ", TK_EV_EVENT_GROUP_CLEARED },
    { 0xCB, "eventgroup_asked_from_isr", "TIAQ", TK_EV_EVENT_GROUP_DEFERRED },
    { 0xCC, "curtask_block_on_eventgroup", "TIAQ", TK_EV_BLOCK_ON_EVENT_GROUP },
    { 0xCD, "eventgroup_waited", "TIAQ", TK_EV_EVENT_GROUP_WAITED },
    { 0xCE, "timer_created", "TIQ", TK_EV_TIMER_CREATED },
    { 0xCF, "timer_name", "IS", TK_EV_TIMER_NAME },
    { 0xD0, "timer_deleted", "TI", TK_EV_TIMER_DELETED },
    { 0xD1, "timer_started", "TIAQ", TK_EV_TIMER_STARTED },
    { 0xD2, "timer_stopped", "TI", TK_EV_TIMER_STOPPED },
    { 0xD3, "timer_expired", "TI", TK_EV_TIMER_EXPIRED },
    { 0xD4, "queue_capacity", "IA", TK_EV_QUEUE_CAPACITY },
    { 0xD5, "queue_deleted", "TI", TK_EV_QUEUE_DELETED },
    { 0xD6, "queue_refused", "TIAQ", TK_EV_QUEUE_FAILED },
    { 0xD7, "queue_refused_from_isr", "TIAQ", TK_EV_QUEUE_FAILED_FROM_ISR },
    { 0xD8, "task_stack_free", "TIQ", TK_EV_STACK_FREE },
    { 0xD9, "scheduler_suspended", "T", TK_EV_SCHEDULER_SUSPENDED },
    { 0xDA, "scheduler_resumed", "T", TK_EV_SCHEDULER_RESUMED },
};
enum { TABLE_LEN = sizeof table / sizeof *table };

struct values {
    uint64_t ticks, raw;
    uint32_t id, arg;
    int64_t value;
    const char *text;
};

static uint64_t sign_magnitude(int64_t value) {
    if (value == INT64_MIN) return 1;
    return value < 0 ? (uint64_t)-value << 1 | 1 : (uint64_t)value << 1;
}

static void build(struct stream *s, size_t row, const struct values *v) {
    s->len = 0;
    stream_begin(s, table[row].id);
    for (const char *field = table[row].fields; *field; field++) {
        switch (*field) {
        case 'T': stream_field(s, v->ticks); break;
        case 'I': stream_field(s, v->id); break;
        case 'A':
        case 'D': stream_field(s, v->arg); break;
        case 'B': s->payload[s->payload_len++] = (uint8_t)v->arg; break;
        case 'N':
        case 'R': stream_field(s, v->raw); break;
        case 'Q': stream_field(s, (uint32_t)v->raw); break;
        case 'P': stream_field(s, v->id ^ 1); break;
        case 'V': stream_field(s, sign_magnitude(v->value)); break;
        default: stream_string(s, v->text); break;
        }
    }
    stream_end(s);
}

static void expect_values(size_t row, const struct values *v) {
    const char *fields = table[row].fields;
    assert_int_equal(event_id, table[row].id);
    assert_int_equal(event.kind, table[row].kind);
    assert_int_equal(event.timed, strchr(fields, 'T') != NULL);
    if (event.timed) assert_true(event.ticks == v->ticks);
    assert_true(tk_event_id(&event) == (strchr(fields, 'I') ? v->id : 0));
    assert_true(number() == (strchr(fields, 'B') ? (v->arg & 0xFF) : strpbrk(fields, "AD") ? v->arg : 0));
    if (strpbrk(fields, "NR")) assert_true((uint64_t)value() == (v->raw > INT64_MAX ? INT64_MAX : v->raw));
    else if (strchr(fields, 'Q')) assert_true(value() == (uint32_t)v->raw);
    else assert_true(value() == (strchr(fields, 'V') ? v->value : 0));
    if (strchr(fields, 'P')) assert_true(event.allocation.address == (v->id ^ 1));
    assert_string_equal(string, strchr(fields, 'S') ? v->text : "");
}

static void every_record_gives_its_fields(void **state) {
    (void)state;
    static const struct values sets[] = {
        { 0, 0, 0, 0, 0, "" },
        { 1, 1, 1, 1, 1, "a" },
        { 130, 20, 7, 5, -300, "radio ready" },
        { UINT64_MAX, UINT64_MAX, UINT32_MAX, UINT32_MAX, INT64_MIN, "x" },
        { (uint64_t)1 << 56, (uint64_t)1 << 62, 1u << 28, 1u << 21, INT64_MAX, "message of some length" },
        { 127, 128, 127, 128, -INT64_MAX, "\x01\x7F" },
    };
    struct stream *s = calloc(1, sizeof *s);
    for (size_t row = 0; row < TABLE_LEN; row++) {
        for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
            build(s, row, &sets[i]);
            assert_int_equal(decode(s->bytes, s->len), TB_OK);
            expect_values(row, &sets[i]);
        }
        assert_string_equal(tb_record_name(table[row].id), table[row].name);
    }
    free(s);
}

// The members of an event, by name.
static void fields_are_those_of_the_family(void **state) {
    (void)state;
    struct stream *s = calloc(1, sizeof *s);
    const struct values v = { .ticks = 9, .id = 20, .arg = 5, .raw = 77, .value = -3, .text = "x" };
    for (size_t row = 0; row < TABLE_LEN; row++) {
        build(s, row, &v);
        assert_int_equal(decode(s->bytes, s->len), TB_OK);
        if (event.kind == TK_EV_TASK_PRIORITY_SET)
            assert_true(event.task_priority.task == 20 && event.task_priority.priority == 5);
        if (event.kind == TK_EV_QUEUE_SEND)
            assert_true(event.queue_operation.queue == 20 && event.queue_operation.length_after == 5);
        if (event.kind == TK_EV_DELAY) assert_int_equal(event.delay.ticks, 5);
        if (event.kind == TK_EV_TASK_SWITCHED_IN) assert_int_equal(event.task.task, 20);
        if (event.kind == TK_EV_VALUE) assert_true(event.value_sample.number == -3);
        if (event.kind == TK_EV_TICK_LENGTH) assert_true(event.tick_length.ns == 77);
    }
    free(s);
}

static void short_records_are_decoded_as_all_others(void **state) {
    (void)state;
    unsigned decoded = 0;
    for (unsigned id = 0; id < 256; id++) {
        for (size_t len = 1; len < 8; len++) {
            const uint8_t payload[32] = { (uint8_t)id, 9, 20, 5, 'a', 'b', 'c', 'd' };
            struct tk_event fast, other = { 0 };
            memset(&fast, 0xA5, sizeof fast);
            if (!tb_decode_short(payload, len, &fast)) continue;
            decoded++;
            assert_int_equal(tb_decode_payload(payload, len, 0, &other), TB_OK);
            assert_int_equal(fast.kind, other.kind);
            assert_memory_equal(&fast.payload, &other.payload, sizeof fast.payload);
            assert_true(fast.timed == other.timed && fast.time_invalid == other.time_invalid);
            assert_true(fast.ticks == other.ticks && fast.str_len == other.str_len);
            if (other.str_len) assert_ptr_equal(fast.str, other.str);
        }
    }
    assert_true(decoded > 40);
}

static void undefined_ids_are_unknown(void **state) {
    (void)state;
    for (unsigned id = 1; id < 256; id++) {
        bool known = false;
        for (size_t row = 0; row < TABLE_LEN; row++) known |= table[row].id == id;
        if (known) continue;
        const uint8_t frame[] = { 0x05, (uint8_t)id, 0xC8, 0x01, 0x03, 0 };
        assert_int_equal(decode(frame, sizeof frame), TB_UNKNOWN);
        assert_int_equal(event_id, id);
        assert_null(tb_record_name((uint8_t)id));
    }
}

// A record without its last byte is too short, with an extra byte too long; a text takes all remaining bytes.
static void every_record_has_its_length(void **state) {
    (void)state;
    static const struct values v = { 300, 300, 300, 7, 300, "" };
    struct stream *s = calloc(1, sizeof *s);
    for (size_t row = 0; row < TABLE_LEN; row++) {
        bool text = strchr(table[row].fields, 'S') != NULL;
        build(s, row, &v);
        size_t full = s->payload_len;
        for (size_t len = 1; len < full; len++) {
            s->len = 0;
            s->payload_len = len;
            stream_end(s);
            bool is_whole = table[row].id == 0x8A && len == full - 1; // its last field may be missing
            assert_int_equal(decode(s->bytes, s->len), is_whole ? TB_OK : TB_SHORT);
        }
        build(s, row, &v);
        s->len = 0;
        s->payload[s->payload_len++] = 0x11;
        stream_end(s);
        assert_int_equal(decode(s->bytes, s->len), text ? TB_OK : TB_LONG);
    }
    free(s);
}

static void names_of_fields_match_the_fields(void **state) {
    (void)state;
    for (size_t row = 0; row < TABLE_LEN; row++) {
        size_t names = 0, fields = strlen(table[row].fields) - (strchr(table[row].fields, 'T') != NULL);
        for (const char *at = tb_field_names(table[row].id); *at; at += strlen(at) + 1) names++;
        assert_int_equal(names, fields);
    }
}

#define FRAME(...) ((const uint8_t[]){ __VA_ARGS__ })
#define VERDICT(expected, ...) assert_int_equal(decode(FRAME(__VA_ARGS__), sizeof(FRAME(__VA_ARGS__))), expected)

static void malformed_records_have_different_errors(void **state) {
    (void)state;
    VERDICT(TB_EMPTY, 0x01, 0x00);
    VERDICT(TB_BROKEN, 0x33, 0x44, 0x55, 0x00);
    VERDICT(TB_BROKEN, 0x05, 0x04, 0x8C, 0x00);
    VERDICT(TB_LONG, 0x06, 0x04, 0xA0, 0x01, 0x07, 0x11, 0x00);
    VERDICT(TB_LONG, 0x05, 0x05, 0xB4, 0x01, 0x07, 0x01, 0x01, 0x00);
    VERDICT(TB_SHORT, 0x02, 0x04, 0x00);
    VERDICT(TB_SHORT, 0x04, 0x04, 0xDE, 0x02, 0x00);
    VERDICT(TB_SHORT, 0x06, 0x04, 0xF2, 0x02, 0x81, 0x80, 0x00);
    VERDICT(TB_BAD_NUMBER, 0x09, 0x04, 0x86, 0x03, 0xFF, 0xFF, 0xFF, 0xFF, 0x1F, 0x00);
    VERDICT(TB_BAD_NUMBER, 0x09, 0x04, 0x9A, 0x03, 0x81, 0x80, 0x80, 0x80, 0x80, 0x00);
    VERDICT(TB_BAD_NUMBER, 0x0D, 0x04, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x02, 0x07, 0x00);
    VERDICT(TB_BAD_NUMBER, 0x0E, 0x04, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01, 0x07, 0x00);
    VERDICT(TB_SHORT, 0x06, 0x04, 0xFF, 0xFF, 0xFF, 0xFF, 0x00);
    VERDICT(TB_SHORT, 0x06, 0x0B, 0x88, 0x04, 0x01, 0x80, 0x00);
    VERDICT(TB_BAD_NUMBER, 0x0F, 0x0B, 0x9C, 0x04, 0x01, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x03,
            0x00);
    VERDICT(TB_SHORT, 0x05, 0x0B, 0xD8, 0x04, 0x01, 0x00);
    VERDICT(TB_SHORT, 0x03, 0x65, 0x03, 0x00);
}

static void unusual_but_valid_records_are_read(void **state) {
    (void)state;
    VERDICT(TB_OK, 0x09, 0x04, 0xAE, 0x03, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F, 0x00);
    assert_true(tk_event_id(&event) == UINT32_MAX && event.ticks == 430);
    VERDICT(TB_OK, 0x07, 0x05, 0xC2, 0x03, 0x85, 0x80, 0x80, 0x01, 0x00);
    VERDICT(TB_OK, 0x07, 0x04, 0xF4, 0x83, 0x80, 0x02, 0x07, 0x00);
    VERDICT(TB_OK, 0x06, 0x0B, 0xB0, 0x04, 0x01, 0x01, 0x00);
    assert_true(value() == INT64_MIN);
    VERDICT(TB_OK, 0x06, 0x0B, 0xC4, 0x04, 0x01, 0x81, 0x01, 0x00); // 81, then the zero between two blocks
    VERDICT(TB_OK, 0x04, 0x65, 0x02, 0x06, 0x00);
    assert_int_equal(number(), 6);
    VERDICT(TB_OK, 0x06, 0x8A, 0x80, 0x9C, 0xD5, 0x50, 0x00);
    assert_true(value() == 169168384 && number() == 1);
    VERDICT(TB_OK, 0x03, 0x64, 0x04, 0x00);
    assert_int_equal(event.str_len, 0);
}

static void a_frame_is_found_after_text(void **state) {
    (void)state;
    static const char boot[] = "boot: hello\r\n\033[0m";
    uint8_t bytes[64];
    memcpy(bytes, boot, sizeof boot - 1);
    memcpy(bytes + sizeof boot - 1, "\x05\x04\xC8\x01\x03", 5);
    assert_int_equal(tb_text_before_frame(bytes, sizeof boot - 1 + 5, scratch), sizeof boot - 1);
    assert_int_equal(tb_text_before_frame(bytes, sizeof boot - 1, scratch), 0);
    bytes[3] = 0x91; // no longer text
    assert_int_equal(tb_text_before_frame(bytes, sizeof boot - 1 + 5, scratch), 0);
}

// ---- The malformed cases through the library -------------------------------------------------------

static bool take_text(void *ctx, const char *text, size_t len) {
    struct lines *lines = ctx;
    lines_add(lines, "%.*s", (int)len, text);
    return true;
}

static bool take_line(void *ctx, const char *line, size_t len) {
    lines_add(ctx, "%.*s\n", (int)len, line);
    return true;
}

// The frames of a stream with the decision on each.
static void dump_frames(const uint8_t *bytes, size_t len, struct lines *out_lines, struct lines *out_report) {
    struct heap heap = { 0 };
    struct tk_allocator allocator = { heap_realloc, &heap };
    struct tk_input_info info = { "malformed", TK_ROLE_RECORDING, -1 };
    tk *handle;
    uint32_t input;
    size_t consumed;
    assert_int_equal(tk_new(&allocator, &handle), TK_OK);
    assert_int_equal(tk_set_option(handle, "format", "tonbandgeraet"), TK_OK);
    assert_int_equal(tk_add_input(handle, &info, &input), TK_OK);
    assert_int_equal(tk_set_dump(handle, TK_DUMP_FRAMES, false, take_line, out_lines), TK_OK);
    assert_int_equal(tk_feed(handle, input, bytes, len, &consumed), TK_OK);
    assert_int_equal(consumed, len);
    assert_int_equal(tk_finish(handle), TK_OK);
    assert_int_equal(tk_report_json(handle, take_text, out_report), TK_OK);
    tk_free(handle);
    assert_int_equal(heap.in_use, 0);
}

static void expect_verdict(const uint8_t *frame, size_t len, const char *verdict, const char *problem) {
    struct lines *lines = calloc(1, sizeof *lines), *report = calloc(1, sizeof *report);
    uint8_t bytes[512] = { 0x04, 0x04, 0x64, 0x01, 0x00 }; // a valid frame first, because a damaged first frame is not
                                                           // counted
    memcpy(bytes + 5, frame, len);
    dump_frames(bytes, 5 + len, lines, report);
    const char *second = strchr(lines->text, '\n');
    assert_non_null(second);
    if (!strstr(second, verdict)) fail_msg("no '%s' in: %s", verdict, second);
    if (problem && !strstr(report->text, problem)) fail_msg("no %s in: %s", problem, report->text);
    free(lines);
    free(report);
}

#define CASE(verdict, problem, ...) expect_verdict(FRAME(__VA_ARGS__), sizeof(FRAME(__VA_ARGS__)), verdict, problem)

static void malformed_frames_are_counted_under_their_name(void **state) {
    (void)state;
    uint8_t noise[302];
    memset(noise, 0x55, 300);
    noise[300] = 0x81; // not text
    noise[301] = 0;
    CASE("broken", "FRAME_BROKEN", 0x33, 0x84, 0x55, 0x00);
    CASE("empty", "FRAME_EMPTY", 0x00, 0x00);
    CASE("no record id", "EVENT_SHORT", 0x01, 0x00);
    CASE("bytes left over", "EVENT_LONG", 0x06, 0x04, 0xA0, 0x01, 0x07, 0x11, 0x00);
    CASE("unknown record id", "EVENT_UNKNOWN", 0x05, 0x20, 0xDC, 0x01, 0x03, 0x00);
    CASE("record too short", "EVENT_SHORT", 0x04, 0x04, 0xDE, 0x02, 0x00);
    CASE("number out of range", "NUMBER_BAD", 0x09, 0x04, 0x86, 0x03, 0xFF, 0xFF, 0xFF, 0xFF, 0x1F, 0x00);
    CASE("ok", "STRING_BAD_UTF8", 0x0B, 0x07, 0xEC, 0x04, 0x01, 0x61, 0x62, 0xFF, 0xFE, 0x63, 0x64, 0x00);
    CASE("ok", "TICK_ZERO", 0x02, 0x02, 0x01, 0x00);
    CASE("ok", "KIND_UNKNOWN", 0x04, 0x65, 0x02, 0x09, 0x00);
    CASE("cut at the end", "FRAME_CUT_AT_END", 0x1A, 0x07, 0xD2, 0x06, 0x01, 0x74);
    expect_verdict(noise, sizeof noise, "broken", "FRAME_BROKEN");
}

static void a_truncated_first_piece_is_no_error(void **state) {
    (void)state;
    struct lines *lines = calloc(1, sizeof *lines), *report = calloc(1, sizeof *report);
    static const uint8_t bytes[] = { 0x33, 0x84, 0x55, 0x00, 0x04, 0x04, 0x64, 0x01, 0x00 };
    dump_frames(bytes, sizeof bytes, lines, report);
    assert_non_null(strstr(lines->text, "cut at the start"));
    assert_non_null(strstr(report->text, "FRAME_CUT_AT_START"));
    assert_null(strstr(report->text, "FRAME_BROKEN"));
    free(lines);
    free(report);
}

// A line end is also the length of a frame of nine or twelve bytes. Of both interpretations, the decoder keeps the one
// in which the text has its line end.
static void a_line_end_belongs_to_the_text(void **state) {
    (void)state;
    static const uint8_t marker[] = { 11, 0x07, 0xA5, 0x9C, 0x01, 0x01, 'a', 'a', 'a', 'a', 'a' };
    static const uint8_t value[] = { 13, 0x0B, 0xA5, 0x9C, 0x01, 0x01, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01 };
    static const char *const ends[] = { "\r\n", "\n", "\r", "", "\n\r", "\r\n\r\n", "> " };
    uint8_t bytes[64];
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        size_t text = (size_t)snprintf((char *)bytes, sizeof bytes, "boot%s", ends[i]);
        memcpy(bytes + text, marker, sizeof marker);
        assert_int_equal(tb_text_before_frame(bytes, text + sizeof marker, scratch), text);
        memcpy(bytes + text, value, sizeof value); // here the frame begins with one
        assert_int_equal(tb_text_before_frame(bytes, text + sizeof value, scratch), text);
    }
}

// ---- Dumps of memory ---------------------------------------------------------------------------

// The smallest block has 116 bytes, so a dump of 64 MiB may contain half a million.
static void a_dump_has_no_more_blocks_than_cores(void **state) {
    (void)state;
    enum { MORE = 8, LEN = 116 };
    struct heap heap = { 0 };
    struct tk_alloc alloc = heap_alloc(&heap);
    struct tb_dump dump = { 0 };
    for (unsigned i = 0; i < TB_MAX_BLOCKS + MORE; i++) {
        uint8_t block[LEN] = "Tonkopf Ring\1\1\1"; // version, stream, one core; its texts and buffers are empty
        block[24] = (uint8_t)(i + 1);              // length of a tick, so that it is no copy
        for (size_t at = 0; at < LEN;) at += tb_dump_collect(&dump, &alloc, block + at, LEN - at);
    }
    assert_int_equal(dump.count, TB_MAX_BLOCKS);
    assert_int_equal(dump.total_len, TB_MAX_BLOCKS * LEN);
    assert_int_equal(dump.missing_cores, MORE);
    assert_true(tb_dump_order(&dump, &alloc));
    assert_int_equal(dump.core_count, TK_MAX_CORES);
    assert_int_equal(dump.around, MORE * LEN);
    tk_alloc_free_all(&alloc);
    assert_int_equal(heap.in_use, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_end_belongs_to_the_text),
        cmocka_unit_test(every_record_gives_its_fields),
        cmocka_unit_test(fields_are_those_of_the_family),
        cmocka_unit_test(short_records_are_decoded_as_all_others),
        cmocka_unit_test(undefined_ids_are_unknown),
        cmocka_unit_test(every_record_has_its_length),
        cmocka_unit_test(names_of_fields_match_the_fields),
        cmocka_unit_test(malformed_records_have_different_errors),
        cmocka_unit_test(unusual_but_valid_records_are_read),
        cmocka_unit_test(a_frame_is_found_after_text),
        cmocka_unit_test(malformed_frames_are_counted_under_their_name),
        cmocka_unit_test(a_truncated_first_piece_is_no_error),
        cmocka_unit_test(a_dump_has_no_more_blocks_than_cores),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
