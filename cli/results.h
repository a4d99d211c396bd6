// SPDX-License-Identifier: MIT
//
// What a conversion found, for users: tables on standard output, problems and hints as messages.
#ifndef CLI_RESULTS_H
#define CLI_RESULTS_H

#include "host.h"

struct results {
    const struct host *host;
    const char *json; // the report
};

// In the form that the settings name. Exit code; a message was printed.
int results_print_report(const tk_report *report, const struct settings *settings);
// The report of the open output, with the verdicts. *csv_begun: the line of keys was printed; set by this function.
int results_print_figures(const struct host *host, bool *csv_begun);
// What the tables and columns mean, as JSON.
int results_print_schema(void);

// A time of the report for users; returns out.
const char *results_time_text(const struct results *results, uint64_t time, char out[48]);
// Problems of the recording.
void results_print_problems(const struct results *results);
// The chosen time range leaves nothing.
void results_print_range(const struct results *results);
// Files of symbols that served nothing, or not wholly: a dump has no report that lists them.
void results_print_symbols(const struct results *results);

#endif
