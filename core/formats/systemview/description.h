// SPDX-License-Identifier: MIT
//
// Description files, SYSVIEW_<OS>.txt: the names and parameters of the calls of an OS, the values of its types, and the
// causes of its waits. Section "Calls and waits" of docs/formats/systemview.md.
#ifndef TK_FORMATS_SYSTEMVIEW_DESCRIPTION_H
#define TK_FORMATS_SYSTEMVIEW_DESCRIPTION_H

#include "../../lookup/lookup.h"

// A parameter of a call. The texts are borrowed, not terminated.
struct sv_parameter {
    const char *name, *type; // type: what follows the %
    size_t name_len, type_len;
};

// Returns true for the first bytes of a description file.
bool sv_description_is(const uint8_t *head, size_t len);
// Adds what the lines of a file say to the table. Returns the number of lines that it understood.
uint64_t sv_description_read(const uint8_t *text, size_t len, struct tk_alloc *alloc, struct tk_lookup *lookup);
// Adds the name of the OS in the file name and the number of the input, by which sv_description_of chooses.
void sv_description_name(const char *file, uint32_t input, struct tk_alloc *alloc, struct tk_lookup *lookup);

enum { SV_NO_MATCH, SV_ONLY_FILE, SV_MATCHES_SIMILAR, SV_MATCHES };
// Returns how well a file fits an OS: by its name, or because no other file was given. *out_input: its input.
unsigned sv_description_fits(const struct tk_lookup *lookup, bool is_only, const char *os, uint32_t *out_input);

// The functions below return false if the table, which may be NULL, does not contain it.

// Finds the name of a call; *out_parameters: what it takes, and after `|` what it returns.
bool sv_description_call(const struct tk_lookup *lookup, uint32_t call, const char **out_name, size_t *out_len,
                         const char **out_parameters, size_t *out_parameters_len);
// Takes the next parameter from the text.
bool sv_next_parameter(const char **at, const char *end, struct sv_parameter *out_parameter);
// Finds the words for a value of a named type. *out_is_format: they contain a conversion of the value, such as %u.
bool sv_description_value(const struct tk_lookup *lookup, const struct sv_parameter *of, uint32_t value,
                          const char **out_words, size_t *out_len, bool *out_is_format);
// Finds the words for the cause of a wait.
bool sv_description_cause(const struct tk_lookup *lookup, uint32_t cause, const char **out_words, size_t *out_len);

#endif
