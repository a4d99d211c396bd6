// SPDX-License-Identifier: MIT
//
// Compares a recorded call with the code that an ELF file of a Cortex-M holds: the instruction before the return
// address must be a call of the function that was entered, and a handler must be the one in the vector table.
#ifndef TK_LOOKUP_CALL_CHECK_H
#define TK_LOOKUP_CALL_CHECK_H

#include "symbols.h"

enum tk_call_verdict {
    TK_CALL_UNPROVEN,   // the file does not hold the code, or the code does not decide
    TK_CALL_AGREES,     // the code makes this call
    TK_CALL_CONTRADICTS // the code cannot make this call: the file or the record is wrong
};

// A function was entered: `point` lies in it, and it returns to `return_address`.
enum tk_call_verdict tk_symbol_file_check_call(const struct tk_symbol_file *file, uint64_t point,
                                               uint64_t return_address);
// The hardware entered a function for an exception: `point` lies in the function.
enum tk_call_verdict tk_symbol_file_check_vector(const struct tk_symbol_file *file, uint32_t vector, uint64_t point);

#endif
