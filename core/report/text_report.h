// SPDX-License-Identifier: MIT
//
// The forms of a collected report other than JSON.
#ifndef TK_REPORT_TEXT_REPORT_H
#define TK_REPORT_TEXT_REPORT_H

#include "report.h"

// For a person: text with aligned columns, or Markdown. The 40 rows with the largest values of each table.
void tk_report_put_text(struct tk_out *out, const tk_report *report, bool markdown);
// All rows of one table, as programs read them (RFC 4180). A table with durations or times ends with the columns
// time_unit and time_certainty.
void tk_report_put_csv(struct tk_out *out, const struct tk_report_table *table, struct tk_time_basis times);
// The same rows after a first column with the name of the recording, under the columns of the schema.
void tk_report_put_csv_of(struct tk_out *out, const struct tk_report_table *table, struct tk_time_basis times,
                          const char *recording, bool with_head);

#endif
