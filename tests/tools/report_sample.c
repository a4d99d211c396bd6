// SPDX-License-Identifier: MIT
//
// report_sample empty|full|hostile json|text: prints one of the reports of tests/report/sample.h.
#include "../report/sample.h"

#include <stdio.h>

static bool to_stdout(void *ctx, const char *text, size_t len) {
    (void)ctx;
    return fwrite(text, 1, len, stdout) == len;
}

int main(int argc, char **argv) {
    static const char *const kinds[] = {"empty", "full", "hostile"};
    for (int kind = 0; argc == 3 && kind < 3; kind++) {
        if (strcmp(argv[1], kinds[kind])) continue;
        struct sample sample;
        sample_init(&sample, (enum sample_kind)kind);
        bool ok = (strcmp(argv[2], "json") ? tk_report_write_text : tk_report_write_json)(&sample.report, to_stdout, NULL);
        sample_deinit(&sample);
        return ok ? 0 : 1;
    }
    fprintf(stderr, "usage: report_sample empty|full|hostile json|text\n");
    return 2;
}
