// SPDX-License-Identifier: MIT
//
// Texts that are put together: a bounded builder, and user events, whose format the stream carries like printf's.
#ifndef TK_FORMATS_TRACEALYZER_PRINTF_H
#define TK_FORMATS_TRACEALYZER_PRINTF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PSF_TEXT = 1024, PSF_MAX_ARGUMENTS = 15 };

// What does not fit is left out.
struct psf_text {
    char bytes[PSF_TEXT];
    size_t len;
};

void psf_put(struct psf_text *text, const char *bytes, size_t len);
void psf_put_words(struct psf_text *text, const char *words);
void psf_put_number(struct psf_text *text, uint64_t number);
void psf_put_hex(struct psf_text *text, uint64_t number); // with 0x before it

enum psf_argument_type { PSF_UNUSED, PSF_SIGNED, PSF_UNSIGNED, PSF_HEX, PSF_STRING };

struct psf_argument {
    uint64_t word;             // as the target sent it
    uint8_t type;              // enum psf_argument_type: how the format shows it
    bool counts;               // %d, %i, %u: a number that may be followed over time
    int64_t number;            // PSF_SIGNED, PSF_UNSIGNED: its value
    uint16_t label, label_len; // the words before it in the format; 0 long: none
};

struct psf_format {
    const char *text;
    size_t len;
    uint8_t word;   // bytes of an address
    unsigned count; // arguments
    struct psf_argument arguments[PSF_MAX_ARGUMENTS];
    // The string at an address, NULL: not known.
    const char *(*string)(void *ctx, uint64_t address, size_t *out_len);
    void *ctx;
};

// Appends the text with its arguments filled in, and sets what each argument is.
void psf_put_formatted(struct psf_text *text, struct psf_format *format);

#endif
