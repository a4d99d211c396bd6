// SPDX-License-Identifier: MIT
//
// Reads Intel HEX and Motorola S-records, as gdb ("dump ihex memory") and objcopy write them. Decodes data records
// only.
#ifndef TK_TEXT_HEX_RECORDS_H
#define TK_TEXT_HEX_RECORDS_H

#include "chars.h"
#include "text_output.h"

struct tk_hex_record {
    bool data;
    bool base; // Intel HEX: `address` is the upper part of the addresses in the records that follow
    bool sum_ok;
    uint32_t address;
    uint32_t len;
    uint8_t bytes[256];
};

// line: whole, without blanks at its ends. Returns false if it is not a record.
bool tk_hex_record_parse(struct tk_span line, struct tk_hex_record *out_record);

struct tk_hex_records {
    uint32_t base, next; // `next`: the address after the last data
    bool any;
};

void tk_hex_records_line(struct tk_hex_records *records, struct tk_text_output *decoded, struct tk_span line);

#endif
