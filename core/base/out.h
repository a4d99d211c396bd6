// SPDX-License-Identifier: MIT
//
// Writes text in small pieces through a buffer to the caller's write function. After a refusal it writes nothing more.
#ifndef TK_BASE_OUT_H
#define TK_BASE_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Same type as tk_write_fn of the public header. Returns false to refuse.
typedef bool (*tk_out_write_fn)(void *ctx, const char *text, size_t len);

enum { TK_OUT_BUFFER = 2048 };

struct tk_out {
    tk_out_write_fn write;
    void *ctx;
    bool refused;
    size_t len;
    char buffer[TK_OUT_BUFFER];
};

void tk_out_init(struct tk_out *out, tk_out_write_fn write, void *ctx);
void tk_out_bytes(struct tk_out *out, const char *text, size_t len);
void tk_out_text(struct tk_out *out, const char *text);
void tk_out_char(struct tk_out *out, char c);
void tk_out_u64(struct tk_out *out, uint64_t value);
void tk_out_i64(struct tk_out *out, int64_t value);
// Writes digits, padded with zeros to at least `least` digits. base: 8 .. 16.
void tk_out_digits(struct tk_out *out, uint64_t value, unsigned base, unsigned least);
// Writes a JSON string with quotes. Invalid UTF-8 becomes U+FFFD.
void tk_out_quoted(struct tk_out *out, const char *text, size_t len);
// Writes a CSV cell (RFC 4180), in quotes if necessary. tk_out_doubled writes only the text between the quotes.
void tk_out_csv(struct tk_out *out, const char *text, size_t len);
void tk_out_doubled(struct tk_out *out, const char *text, size_t len);
// Writes the buffered text. Returns true if the caller's function accepted everything so far.
bool tk_out_flush(struct tk_out *out);

// ---- JSON: values with the commas between them ----

struct tk_json_out {
    struct tk_out out;
    bool comma; // a value precedes on this level
};

void tk_put_begin(struct tk_json_out *json, char bracket);
void tk_put_end(struct tk_json_out *json, char bracket);
void tk_put_key(struct tk_json_out *json, const char *key);
void tk_put_literal(struct tk_json_out *json, const char *text, size_t len);
void tk_put_text(struct tk_json_out *json, const char *text, size_t len);
void tk_put_string(struct tk_json_out *json, const char *text); // writes null for NULL
// Write a number; a string of digits if JavaScript cannot represent it exactly.
void tk_put_u64(struct tk_json_out *json, uint64_t value);
void tk_put_i64(struct tk_json_out *json, int64_t value);
void tk_put_bool(struct tk_json_out *json, bool value);
void tk_put_digits(struct tk_json_out *json, uint64_t value); // always writes a string

#endif
