// SPDX-License-Identifier: MIT
//
// Intel HEX and Motorola S-records, as gdb ("dump ihex memory") and objcopy write them. Only the data counts.
#ifndef TK_TEXT_RECORDS_H
#define TK_TEXT_RECORDS_H

#include "chars.h"
#include "decoded.h"

struct tk_record {
    bool data;
    bool base;     // Intel HEX: `address` is the upper part for the records that follow
    bool sum_ok;
    uint32_t address;
    uint32_t len;
    uint8_t bytes[256];
};

// line: whole, without blanks at its ends. False: no record.
bool tk_record_parse(struct tk_span line, struct tk_record *out_record);

struct tk_records {
    uint32_t base, next; // next: the address after the last data
    bool any;
};

void tk_records_line(struct tk_records *records, struct tk_decoded *decoded, struct tk_span line);

#endif
