// SPDX-License-Identifier: MIT
//
// Prints the results of a conversion: tables on standard output, problems and hints as messages.
#ifndef CLI_RESULTS_H
#define CLI_RESULTS_H

#include "host.h"

// Prints a report in the form that the settings name. Returns an exit code; a message reports a failure.
int results_print_report(const tk_report *report, const struct settings *settings);
// Prints the report of the open output in the form that the settings name. CSV: prints the header line unless
// *csv_begun, and sets it. Returns an exit code.
int results_print_figures(const struct host *host, bool *csv_begun);
// Prints the descriptions of all tables and columns of reports as JSON (`info --schema`). Returns an exit code.
int results_print_schema(void);

// Formats a time of the report with its unit. Returns `out`.
const char *results_time_text(const tk_report *report, uint64_t time, char out[48]);
// Prints the problems of the open output.
void results_print_problems(const struct host *host);
// Warns about unused and incomplete files of symbols. Used for dumps, which print no report that lists such files.
void results_print_symbols(const struct host *host);

#endif
