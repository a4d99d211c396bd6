// SPDX-License-Identifier: MIT
//
// What a conversion found, for users: tables on standard output, problems and hints as messages.
#ifndef CLI_RESULTS_H
#define CLI_RESULTS_H

#include "host.h"

// In the form that the settings name. Exit code; a message was printed.
int results_print_report(const tk_report *report, const struct settings *settings);
// The report of the open output. *csv_begun: the line of keys was printed; set by this function.
int results_print_figures(const struct host *host, bool *csv_begun);
// What the tables and columns mean, as JSON.
int results_print_schema(void);

// A time of the report for users; returns out.
const char *results_time_text(const tk_report *report, uint64_t time, char out[48]);
// Of the open output: problems of the recording.
void results_print_problems(const struct host *host);
// The chosen time range leaves nothing.
void results_print_range(const struct host *host);
// Files of symbols that served nothing, or not wholly: a dump has no report that lists them.
void results_print_symbols(const struct host *host);

#endif
