// SPDX-License-Identifier: MIT
//
// tables: prints every table that a rule may name, a line each: its id and the keys of its columns.
#include "report/schema.h"

#include <stdio.h>

int main(void) {
    struct tk_schema_walk walk = { 0 };
    const struct tk_table *table;
    while ((table = tk_schema_next(&walk)) != NULL) {
        printf("%s:", table->id);
        for (uint32_t column = 0; column < table->column_count; column++) printf(" %s", table->columns[column].key);
        printf("\n");
    }
    return 0;
}
