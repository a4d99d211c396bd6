// SPDX-License-Identifier: MIT
//
// Text in small pieces to the caller's write function, through a buffer. After a refusal nothing more is written.
#ifndef TK_REPORT_OUT_H
#define TK_REPORT_OUT_H

#include "report.h"

enum { TK_OUT_BUFFER = 2048, TK_NUMBER_LEN = 24 };

struct tk_out {
    tk_report_write_fn write;
    void *ctx;
    bool refused;
    size_t len;
    char buffer[TK_OUT_BUFFER];
};

void tk_out_init(struct tk_out *out, tk_report_write_fn write, void *ctx);
void tk_out_bytes(struct tk_out *out, const char *text, size_t len);
void tk_out_text(struct tk_out *out, const char *text);
void tk_out_char(struct tk_out *out, char c);
// True: everything was taken.
bool tk_out_flush(struct tk_out *out);

// Decimal digits, terminated. Returns their number.
size_t tk_format_u64(uint64_t value, char out_text[TK_NUMBER_LEN]);

#endif
