// SPDX-License-Identifier: MIT
//
// Reads TSDL, the language in which the metadata of CTF 1.8 describes the layout of a trace: section "Metadata" of
// docs/formats/ctf.md lists what is known.
#ifndef TK_FORMATS_CTF_TSDL_H
#define TK_FORMATS_CTF_TSDL_H

#include "schema.h"

enum { TSDL_ERROR = 128 };

// What the reader did not understand.
struct tsdl_problem {
    uint32_t line;          // of the first one, from 1; 0: none
    char words[TSDL_ERROR]; // what is wrong there
    uint32_t left_out;      // events that were left out for such a reason
};

// Returns true if a text is metadata: "/* CTF 1.8 */" follows white space and comments, or it is packetized.
bool tsdl_is(const uint8_t *text, size_t len);
// Takes the text out of the packets of packetized metadata, in place. Returns its length; `len` if it has no packets.
size_t tsdl_unpack(uint8_t *text, size_t len);
// Reads a description into an initialised schema and finishes it. Returns false if the description cannot be used:
// out_problem tells why. Events that it does not understand are left out.
bool tsdl_read(const char *text, size_t len, struct ctf_schema *schema, struct tsdl_problem *out_problem);

#endif
