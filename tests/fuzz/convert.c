// SPDX-License-Identifier: MIT
//
// One to three inputs through the whole library. Byte 0: number of inputs and which is a side input; 1: options;
// 2, 3: size of the chunks, a part of the time; then per input but the last its length in two bytes, and the inputs.
// However the input is cut, the result must be the same; it must parse, stay small in memory and be clean UTF-8.
#include <pb_decode.h>
#include <string.h>

#include "../common/pump.h"
#include "base/utf8.h"
#include "common/check.h"
#include "perfetto.pb.h"

enum { HEAP_LIMIT = 16 * 1024 * 1024 };

struct reader {
    const uint8_t *bytes;
    size_t len;
};

static unsigned take(struct reader *reader) {
    if (!reader->len) return 0;
    reader->len--;
    return *reader->bytes++;
}

static void choose_options(unsigned bits, struct pump_job *job) {
    static const char *const tick[] = { NULL, "tick-ns=1000", "tick-ns=9223372036854775807", NULL };
    static const char *const mode[] = { NULL, "mode=bare-metal", "mode=free-rtos", NULL };
    if (tick[bits & 3]) job->options[job->option_count++] = tick[bits & 3];
    if (mode[bits >> 2 & 3]) job->options[job->option_count++] = mode[bits >> 2 & 3];
    if (bits & 0x10) job->options[job->option_count++] = "raw-events=1";
    if (bits & 0x20) job->options[job->option_count++] = "wall-clock-ns=1700000000000000000";
    if (!(bits & 0x40)) job->options[job->option_count++] = "format=tonbandgeraet";
}

static void choose_inputs(struct reader *reader, unsigned head, struct pump_job *job) {
    job->file_count = 1 + head % 3;
    for (size_t i = 0; i < job->file_count; i++) {
        struct pump_file *file = &job->files[i];
        size_t len = reader->len;
        if (i + 1 < job->file_count) {
            len = take(reader);
            len |= (size_t)take(reader) << 8;
            if (len > reader->len) len = reader->len;
        }
        *file = (struct pump_file){ .name = "input", .bytes = { (uint8_t *)(uintptr_t)reader->bytes, len, len }, .core = head & 0x80 ? (int32_t)i : -1 };
        file->side = !i && (head & 0x40);
        reader->bytes += len;
        reader->len -= len;
    }
}

static bool parses(const struct pump_bytes *output) {
    tk_pb_Trace trace = tk_pb_Trace_init_zero;
    pb_istream_t stream = pb_istream_from_buffer(output->data, output->len);
    return pb_decode(&stream, tk_pb_Trace_fields, &trace);
}

static void convert(const struct pump_job *job, size_t chunk, int dump, struct pump_result *out_result) {
    const struct pump_how how = { .chunk = chunk, .dump = dump };
    pump_run(job, &how, out_result);
    check(out_result->bytes_in_use == 0);
    check(out_result->peak_bytes <= HEAP_LIMIT);
    check(out_result->status == TK_OK || out_result->status == TK_UNKNOWN_FORMAT);
    check(tk_utf8_is_clean(out_result->report_json.data, out_result->report_json.len));
    check(tk_utf8_is_clean(out_result->report_text.data, out_result->report_text.len));
    if (dump < 0 && out_result->output.len) check(parses(&out_result->output));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len) {
    struct reader reader = { data, len };
    struct pump_job job = { 0 };
    unsigned head = take(&reader), options = take(&reader), small = take(&reader), large = take(&reader);
    choose_options(options, &job);
    if (large & 8) job.options[job.option_count++] = "from-ns=300000";
    if (large & 16) job.options[job.option_count++] = "to-ns=900000";
    choose_inputs(&reader, head, &job);
    int dump = options & 0x80 ? (int)(large & 3) : -1;
    struct pump_result whole, cut;
    convert(&job, 0, dump, &whole);
    convert(&job, 1 + small + (large & 7) * 97, dump, &cut);
    check(whole.status == cut.status);
    check(pump_equal(&whole.output, &cut.output));
    check(pump_equal(&whole.report_json, &cut.report_json));
    check(pump_equal(&whole.report_text, &cut.report_text));
    pump_free_result(&whole);
    pump_free_result(&cut);
    return 0;
}
