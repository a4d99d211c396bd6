// SPDX-License-Identifier: MIT
//
// problems: every problem that a report may list, a line each as the table of docs/REPORT.md has it.
#include "base/diag.h"

#include <stdio.h>

int main(void) {
    for (int id = 0; id < TK_DIAG_COUNT; id++) {
        const struct tk_diag_info *info = tk_diag_info((enum tk_diag_id)id);
        printf("| `%s` | %s | %s |\n", info->name, tk_severity_name(info->severity), info->title);
    }
    return 0;
}
