// SPDX-License-Identifier: MIT
//
// The report as tables: its forms, and what --expect says of it.
#ifndef CLI_FIGURES_H
#define CLI_FIGURES_H

#include "engine.h"

// In the form that the settings name. Exit code; a message was printed.
int figures_print(const tk_report *report, const struct settings *settings);
// The report of a conversion, with the verdicts on --expect and --fail-on unless it is JSON. *csv_begun: the line of
// keys was printed; set by this function.
int figures_print_of(const struct engine *engine, bool *csv_begun);
// What the tables and columns mean, as JSON.
int figures_print_schema(void);
// Whether what --expect names holds. Exit code; a message was printed for what does not.
int figures_evaluate(const struct engine *engine);

#endif
