// SPDX-License-Identifier: MIT
//
// A recording of any format, whose conversion goes on in another handle from a saved state, again and again, and of which snapshots are made
// meanwhile. Byte 0: format, a part of the time, a pipe; 1, 2: where the input is cut; 3, 4: where it is saved; 5: where there are snapshots.
#include "common/check.h"
#include "common/conversion.h"
#include "common/take.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len) {
    static struct conversion_result plain, saved;
    struct take from = { data, data + len };
    struct conversion_job job = { .dump = -1, .input_count = 1 };
    unsigned options = take_byte(&from), cuts = take_byte(&from);
    cuts |= take_byte(&from) << 8;
    unsigned restores = take_byte(&from);
    restores |= take_byte(&from) << 8;
    unsigned snapshots = take_byte(&from);
    conversion_option(&job, "format", tk_format_at((options & 7) % tk_format_count())->name);
    if (options & 8) conversion_option(&job, "from-ns", "2000");
    if (options & 16) conversion_option(&job, "to-ns", "400000");
    job.pipe = options & 32;
    job.inputs[0] = (struct conversion_input){ .name = "input", .core = -1 };
    job.inputs[0].bytes = take_bytes(&from, SIZE_MAX, &job.inputs[0].len);
    job.cuts = cuts | 32;
    conversion_run(&job, &plain);
    job.restores = restores;
    job.snapshots = snapshots;
    conversion_run(&job, &saved);
    conversion_check(&job, &saved);
    conversion_check_equal(&plain, &saved);
    return 0;
}
