// SPDX-License-Identifier: MIT
//
// Writes a collected report in its forms other than JSON.
#ifndef TK_REPORT_TEXT_REPORT_H
#define TK_REPORT_TEXT_REPORT_H

#include "report.h"

// Writes text for users: aligned columns or Markdown. Shows at most 40 rows of each table: those
// with the largest values if the table has a sort column, otherwise the first ones.
void tk_report_put_text(struct tk_out *out, const tk_report *report, bool markdown);
// Writes all rows of one table for programs (RFC 4180). A table with durations or times ends with the columns time_unit
// and time_certainty.
void tk_report_put_csv(struct tk_out *out, const struct tk_report_table *table, struct tk_time_basis times);
// Writes the rows like tk_report_put_csv, with a first column for the name of the recording, under all columns of the
// schema.
void tk_report_put_csv_of(struct tk_out *out, const struct tk_report_table *table, struct tk_time_basis times,
                          const char *recording, bool with_head);

#endif
