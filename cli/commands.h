// SPDX-License-Identifier: MIT
//
// Functions that run the commands. Each prints messages and returns an exit code (enum cli_exit).
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include "tonkopf.h"

struct settings;

int cmd_check(const struct settings *settings);
// The parts of cmd_check. A file of rules that is read may be wrong (tk_check_is_wrong): check_judge prints why.
int check_read_rules(const char *path, tk_check **out_check);
// Judges the inputs after the first, and writes the verdicts.
int check_judge(const struct settings *settings, tk_check *check);
int cmd_convert(const struct settings *settings);
int cmd_dump(const struct settings *settings);
int cmd_compare(const struct settings *settings);
int cmd_info(const struct settings *settings);
int cmd_record(const struct settings *settings);
int cmd_serve(const struct settings *settings);
int cmd_completion(const struct settings *settings);
int cmd_help(const struct settings *settings);
int cmd_man(const struct settings *settings);
int cmd_options_json(const struct settings *settings);

#endif
