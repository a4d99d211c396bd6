// SPDX-License-Identifier: MIT
//
// A report of any figures, problems and names. The JSON must parse, the text must be clean UTF-8.
#include <string.h>

#include "base/utf8.h"
#include "common/check.h"
#include "common/conversion.h"
#include "common/heap.h"
#include "common/json_check.h"
#include "common/take.h"
#include "report/report.h"

enum { MAX_STEPS = 200, ENTITIES = 12, NAME_LEN = 40 };

static struct conversion_bytes json, text;
static struct tk_stats stats;
static struct tk_diag diag;
static char name[NAME_LEN * TK_UTF8_GROWTH];
static struct take names; // bytes that names are made of

// The same each time for one place among all names.
static struct tk_report_string name_at(unsigned place) {
    size_t len, bad;
    struct take from = names;
    take_bytes(&from, place * 9, &len);
    const uint8_t *bytes = take_bytes(&from, take_byte(&from) % NAME_LEN, &len);
    len = tk_utf8_clean(bytes, len, (uint8_t *)name, &bad);
    return (struct tk_report_string){ name, len };
}

static bool on_input(const void *ctx, uint32_t index, struct tk_report_input *out) {
    (void)ctx;
    *out = (struct tk_report_input){ .name = name_at(index), .side = index & 1, .bytes = index * 1000u, .decoded = index, .skipped = UINT64_MAX, .frames = UINT64_MAX / (index + 1), .core = (int32_t)index - 1 };
    return true;
}

static bool on_task(const void *ctx, uint32_t index, struct tk_report_task *out) {
    (void)ctx;
    *out = (struct tk_report_task){ .id = index * 77, .pid = (int32_t)index + 300, .name = name_at(4 + index), .idle = index == 1, .has_priority = index & 1, .priority = index };
    if (index & 2) strcpy(out->wait_on, "receive from \"x\"\\\n");
    return index != 3;
}

static bool on_isr(const void *ctx, uint32_t index, struct tk_report_isr *out) {
    (void)ctx;
    *out = (struct tk_report_isr){ index % 32, index, name_at(16 + index) };
    return index != 2;
}

static bool on_queue(const void *ctx, uint32_t index, struct tk_report_queue *out) {
    (void)ctx;
    *out = (struct tk_report_queue){ index, name_at(28 + index), "mutex" };
    return true;
}

static bool on_marker(const void *ctx, uint32_t index, struct tk_report_string *out) {
    (void)ctx;
    *out = name_at(40 + index);
    return true;
}

static bool on_fact(const void *ctx, uint32_t input, uint32_t index, char out_text[TK_REPORT_FACT]) {
    (void)ctx;
    memcpy(out_text, "a \"fact\"", 9);
    return index < input % 3;
}

static const char *on_kind(uint8_t kind) { return kind & 1 ? "task switched in" : NULL; }

static bool on_text(void *ctx, const char *bytes, size_t len) {
    conversion_append(ctx, bytes, len);
    return true;
}

// ---- Figures -----------------------------------------------------------------------------------------------------------

static void note(struct take *from) {
    uint8_t context[TK_DIAG_CONTEXT] = { 0, 0xFF, '"' };
    unsigned id = take_byte(from) % TK_DIAG_COUNT, flags = take_byte(from);
    struct tk_diag_place place = {
        .input = flags & 3, .has_offset = flags & 4, .has_ticks = flags & 8, .offset = take_number(from), .frame = flags, .ticks = take_number(from),
        .bytes = flags & 16 ? context : NULL, .len = flags >> 5
    };
    if (flags & 16) tk_diag_note(&diag, (enum tk_diag_id)id, flags & 0x80 ? NULL : &place, take_number(from));
    else tk_diag_hit(&diag, (enum tk_diag_id)id, &place);
}

// Times as the model gives them: a span does not end before it begins.
static void count(struct take *from, uint64_t *now) {
    unsigned what = take_byte(from), index = take_byte(from) % (ENTITIES + 1), core = what >> 3;
    uint64_t before = *now, step = take_number(from);
    *now = step > INT64_MAX - *now ? INT64_MAX : *now + step;
    switch (what & 7) {
    case 0: tk_stats_run(&stats, index, core, before, *now); break;
    case 1: tk_stats_wait(&stats, index, before, *now, step); break;
    case 2: tk_stats_isr_enter(&stats, index, *now); break;
    case 3: tk_stats_isr_exit(&stats, index, core, before, *now, step & 1); break;
    case 4: tk_stats_queue(&stats, index, step); break;
    case 5: tk_stats_marker(&stats, index, before, *now); break;
    case 6: tk_stats_gap(&stats); break;
    default: note(from); break;
    }
    tk_stats_timed_event(&stats, (uint8_t)index, core, *now);
}

static void choose_figures(struct take *from, struct tk_report *report) {
    static const char *const patterns[] = { "^(Target|\"x\")$", "^CPU \\d+$" };
    unsigned flags = take_byte(from);
    *report = (struct tk_report){
        .tool = "Tonkopf", .format_name = flags & 1 ? "qs" : "", .format_title = flags & 1 ? "QP/Spy (QS)" : "", .mode = flags & 2 ? "free-rtos" : "",
        .probe_reason = flags & 4 ? "because \"it\" fits" : "", .tick_ns = take_number(from), .tick_source = (enum tk_report_tick_source)(flags >> 3 & 3),
        .tick_late = flags & 32, .bytes_in = take_number(from), .drops = take_number(from), .drops_before = take_number(from), .restarts = take_number(from),
        .bytes_out = take_number(from), .packets = take_number(from), .input_count = flags >> 6, .task_count = take_byte(from) % ENTITIES,
        .isr_count = take_byte(from) % ENTITIES, .queue_count = take_byte(from) % ENTITIES, .marker_count = take_byte(from) % ENTITIES,
        .source = { .input = on_input, .fact = on_fact, .task = on_task, .isr = on_isr, .queue = on_queue, .marker = flags & 64 ? on_marker : NULL, .kind = on_kind }, .stats = &stats, .diag = &diag,
        .expand = patterns, .expand_count = flags & 1, .collapse = patterns, .collapse_count = flags >> 1 & 1, .pin = patterns, .pin_count = 2
    };
    if (!report->tick_ns) report->tick_ns = 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len) {
    struct take from = { data, data + len };
    struct tk_alloc alloc = heap_alloc();
    struct tk_report report;
    uint64_t now = 0;
    json.len = text.len = 0;
    names = from;
    memset(&stats, 0, sizeof stats);
    tk_stats_init(&stats, &alloc);
    tk_diag_init(&diag);
    choose_figures(&from, &report);
    check(tk_stats_need_tasks(&stats, ENTITIES) && tk_stats_need_isrs(&stats, ENTITIES) && tk_stats_need_queues(&stats, ENTITIES) && tk_stats_need_cores(&stats, 32));
    for (unsigned i = 0; i < MAX_STEPS && take_left(&from); i++) count(&from, &now);
    check(tk_report_write_json(&report, on_text, &json) && json_is_valid(json.data, json.len));
    check(tk_report_write_text(&report, on_text, &text) && tk_utf8_is_clean(text.data, text.len));
    tk_stats_deinit(&stats);
    check(!alloc.in_use);
    heap_reset();
    return 0;
}
