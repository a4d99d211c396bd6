// SPDX-License-Identifier: MIT
//
// Names of symbols: mangled, demangled by a linker, or neither. The shown name fits its buffer, is terminated, and is
// computed quickly.
#include <string.h>

#include "common/check.h"
#include "common/heap.h"
#include "lookup/symbol_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len) {
    struct tk_alloc alloc = heap_alloc();
    struct tk_symbol_file *file = tk_alloc_zero(&alloc, sizeof *file);
    char shown[TK_SHOWN_NAME_LEN];
    check(file);
    struct tk_symbol_entry entry = { .start = len,
                                     .name = tk_symbol_file_add_name(file, &alloc, (const char *)data, len) };
    entry.unit = tk_symbol_file_add_unit(file, &alloc, (const char *)data, len / 2);
    for (int how = TK_SHOWN_SHORT; how <= TK_SHOWN_WITH_ADDRESS; how++) {
        size_t written = tk_symbol_write_shown(file, &entry, (enum tk_shown)how, shown);
        check(written < sizeof shown && !shown[written]);
    }
    check(tk_symbol_base_len((const char *)data, len, true) >= tk_symbol_base_len((const char *)data, len, false));
    tk_symbol_file_complete(file, &alloc);
    tk_alloc_free_all(&alloc);
    heap_reset();
    return 0;
}
