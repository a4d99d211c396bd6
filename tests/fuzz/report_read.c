// SPDX-License-Identifier: MIT
//
// Any text as the JSON of a report, and any rule. A report that was read is written as JSON that is parsed and reads
// the same again.
#include <string.h>

#include "base/utf8.h"
#include "common/check.h"
#include "common/conversion.h"
#include "common/heap.h"
#include "common/json_check.h"
#include "common/take.h"
#include "report/json_text.h"
#include "report/report.h"

static struct conversion_bytes out, again;

static bool on_text(void *ctx, const char *bytes, size_t len) {
    conversion_append(ctx, bytes, len);
    return true;
}

static void write_into(struct conversion_bytes *to, const tk_report *report, tk_report_form form) {
    to->len = 0;
    check(tk_report_write(report, form, NULL, on_text, to) == TK_OK && tk_utf8_is_clean(to->data, to->len));
}

static void check_report(const tk_report *report, const struct tk_allocator *allocator, const char *expression) {
    tk_report *copy, *difference;
    char text[TK_EXPECT_TEXT];
    write_into(&out, report, TK_REPORT_JSON);
    check(json_is_valid(out.data, out.len));
    check(tk_report_read((const char *)out.data, out.len, allocator, &copy) == TK_OK);
    write_into(&again, copy, TK_REPORT_JSON);
    check(again.len == out.len && !memcmp(again.data, out.data, out.len));
    check(tk_report_compare(report, copy, allocator, &difference) == TK_OK);
    write_into(&out, difference, TK_REPORT_MARKDOWN);
    tk_report_expect(report, expression, text);
    check(tk_utf8_is_clean((const uint8_t *)text, strlen(text)));
    bool is_rule = tk_expect_check(expression, text);
    check(is_rule == !*text && tk_utf8_is_clean((const uint8_t *)text, strlen(text)));
    tk_report_free(difference);
    tk_report_free(copy);
}

// The text up to a zero is a rule.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len) {
    const struct tk_allocator allocator = heap_allocator();
    const uint8_t *zero = len ? memchr(data, 0, len) : NULL;
    size_t skip = zero ? (size_t)(zero - data) + 1 : 0;
    if (len - skip > 4096 || skip > 1024) return 0;
    char *json = (char *)heap_copy(data + skip, len - skip);
    bool valid = json_is_valid((const uint8_t *)json, len - skip);
    tk_report *report;
    tk_status status = tk_report_read(json, len - skip, &allocator, &report);
    check(status == TK_OK || status == TK_UNKNOWN_FORMAT || status == TK_OTHER_SCHEMA);
    check(!valid || tk_json_is_valid(json, len - skip)); // it accepts duplicate keys and deeper nesting, too
    if (report) check_report(report, &allocator, skip ? (const char *)data : "");
    tk_report_free(report);
    heap_reset();
    return 0;
}
