// SPDX-License-Identifier: MIT
//
// Deadlines of jobs that the host names before the recording, for the analysis.
#include <string.h>

#include "handle.h"
#include "rules/amount.h"
#include "rules/rule.h"

enum { MOST_DEADLINES = 256 }; // further ones are ignored, so that memory is bounded

struct tk_deadline {
    struct tk_rule rule; // its spans are parts of `whole`
    char whole[TK_OPTION_LEN + 16], value[TK_OPTION_LEN];
};

bool tk_deadlines_add(struct tk *handle, const char *value) {
    struct tk_deadline deadline = { .value = "" };
    char why[TK_EXPECT_TEXT];
    struct tk_text whole = tk_text_in(deadline.whole, sizeof deadline.whole),
                   shown = tk_text_in(deadline.value, sizeof deadline.value);
    tk_text_add(&whole, "deadline ");
    tk_text_add(&whole, value);
    if (!tk_expect_check(deadline.whole, why) || tk_rule_read(whole.text, whole.len, &deadline.rule)) return false;
    for (uint32_t i = 0; i < handle->deadline_count; i++)
        if (!strcmp(handle->deadlines[i]->whole, deadline.whole)) return true;
    if (handle->deadline_count == MOST_DEADLINES ||
        !tk_alloc_grow(&handle->alloc, (void **)&handle->deadlines, &handle->deadline_capacity,
                       handle->deadline_count + 1, sizeof *handle->deadlines))
        return true; // out of memory: the next call fails
    struct tk_deadline *kept = tk_alloc_zero(&handle->alloc, sizeof *kept);
    if (!kept) return true;
    tk_text_put(&shown, deadline.rule.value.text, deadline.rule.value.len);
    *kept = deadline;
    tk_rule_read(kept->whole, whole.len, &kept->rule);
    handle->deadlines[handle->deadline_count++] = kept;
    return true;
}

static uint64_t tick_ns_of(const void *ctx) { return tk_handle_report_tick_ns(ctx); }

// Returns false if the unit is not one of the recording.
static bool read_amount(const struct tk *handle, uint32_t index, struct tk_amount *out) {
    const struct tk_amount_units units = { TK_COLUMN_DURATION, tk_handle_time_unit(handle), NULL };
    return tk_amount_read(handle->deadlines[index]->rule.value, &units, out);
}

static uint64_t limit_of(const void *ctx, uint32_t index) {
    struct tk_amount amount;
    uint64_t tick_ns = tick_ns_of(ctx);
    if (!read_amount(ctx, index, &amount)) return UINT64_MAX;
    return tick_ns ? amount.size / tick_ns : amount.size;
}

static bool covers(const void *ctx, uint32_t index, const char *name, size_t len, bool is_wait) {
    const struct tk *handle = ctx;
    const struct tk_rule *rule = &handle->deadlines[index]->rule;
    struct tk_amount unused;
    return is_wait == (rule->wait.text != NULL) && tk_rule_matches(rule, name, len) &&
           read_amount(handle, index, &unused);
}

static const char *text_of(const void *ctx, uint32_t index) {
    return ((const struct tk *)ctx)->deadlines[index]->value;
}

void tk_deadlines_start(struct tk *handle) {
    const struct tk_deadlines deadlines = { .ctx = handle,
                                            .count = handle->deadline_count,
                                            .tick_ns = tick_ns_of,
                                            .limit = limit_of,
                                            .covers = covers,
                                            .text = text_of };
    if (handle->deadline_count) tk_analysis_set_deadlines(handle->analysis, &deadlines);
}
