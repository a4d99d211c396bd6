// SPDX-License-Identifier: MIT
//
// tables: prints every table that a rule may name, a line each: its id and the keys of its columns.
#include "handle/known_tables.h"

#include <stdio.h>

int main(void) {
    const struct tk_table *table;
    for (size_t i = 0; (table = tk_known_table(i)); i++) {
        printf("%s:", table->id);
        for (uint32_t column = 0; column < table->column_count; column++) printf(" %s", table->columns[column].key);
        printf("\n");
    }
    return 0;
}
