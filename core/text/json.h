// SPDX-License-Identifier: MIT
//
// Reads {"title": "...", "trace_mode": "freertos", "data": [{"core_id": 0, "hex": "..."}]} with keys in any order and
// chunks cut anywhere. Stores only the title; skips unknown content.
#ifndef TK_TEXT_JSON_H
#define TK_TEXT_JSON_H

#include "hex_digits.h"

enum tk_json_key { TK_KEY_OTHER, TK_KEY_TITLE, TK_KEY_MODE, TK_KEY_DATA, TK_KEY_CORE, TK_KEY_HEX };
enum tk_json_state { TK_JSON_OUTSIDE, TK_JSON_STRING, TK_JSON_ESCAPE, TK_JSON_UNICODE };

struct tk_json {
    enum tk_json_state state;
    uint32_t depth;
    uint8_t key[4]; // enum tk_json_key at depth 1 (the outer object) to 3 (an entry of data)
    bool value;     // a colon was read: a value follows
    bool in_hex;    // the current string contains hex
    char text[TK_TITLE_LEN];
    size_t text_len; // length of the last or current string
    uint32_t unicode, high;
    uint8_t unicode_digits;
    uint64_t column; // column of the next character, from 1
    // The current entry of data.
    bool entry_begun;
    uint32_t entry_block;
    int32_t entry_core;
    uint64_t number;
    bool in_number;
    int32_t cores[TK_MAX_INPUTS]; // core of each block, for announcing blocks again when the title comes last
    bool seen_title, seen_mode, seen_hex;
    struct tk_hex_digits plain;
};

void tk_json_init(struct tk_json *json);
// decoded NULL: parses only, for recognition.
void tk_json_feed(struct tk_json *json, struct tk_text_output *decoded, const uint8_t *text, size_t len);
void tk_json_end(struct tk_json *json, struct tk_text_output *decoded);

#endif
