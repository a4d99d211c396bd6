// SPDX-License-Identifier: MIT
//
// Compares recorded calls with the code in an ELF file of a Cortex-M: the instruction before the return address must
// call the entered function, and an exception handler must be the one in the vector table.
#ifndef TK_LOOKUP_CALL_CHECK_H
#define TK_LOOKUP_CALL_CHECK_H

#include "symbols.h"

enum tk_call_verdict {
    TK_CALL_UNPROVEN,   // the file does not contain the code, or the code does not decide
    TK_CALL_AGREES,     // the code makes this call
    TK_CALL_CONTRADICTS // the code cannot make this call: the file belongs to another build, or the record is damaged
};

// Checks a call: `point` is an address in the entered function, which returns to `return_address`.
enum tk_call_verdict tk_symbol_file_check_call(const struct tk_symbol_file *file, uint64_t point,
                                               uint64_t return_address);
// Checks an exception entry: `point` is an address in the entered function.
enum tk_call_verdict tk_symbol_file_check_vector(const struct tk_symbol_file *file, uint32_t vector, uint64_t point);
// Checks that an exception exists: a vector table that agrees with interrupts of the recording must have an entry for
// it.
enum tk_call_verdict tk_symbol_file_check_context(const struct tk_symbol_file *file, uint32_t vector);
// Checks a function that the hardware entered in thread mode, which it does not do with a handler. Never agrees.
enum tk_call_verdict tk_symbol_file_check_thread_entry(const struct tk_symbol_file *file, uint64_t point);

#endif
