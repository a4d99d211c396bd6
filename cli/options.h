// SPDX-License-Identifier: MIT
//
// One table of commands and options. Parsing, --help, the man page and the completions all come from it.
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

// Documented in the man page; scripts rely on them.
enum cli_exit {
    EXIT_FINE = 0,
    EXIT_PROBLEMS = 1, // only with --fail-on and --expect
    EXIT_USAGE = 2,
    EXIT_INPUT = 3,   // not readable or not recognised
    EXIT_OUTPUT = 4,  // not writable
    EXIT_SIGNAL = 128 // and the number of the signal that stopped it: 129, 130, 143
};

struct text_list {
    const char **items;
    size_t count;
};

// A limit of a time range.
struct time_limit {
    uint64_t number; // nanoseconds, or ticks or records
    uint32_t fs;     // fraction of a nanosecond
    const char *of;  // "ticks" or "records"; NULL: a time
};

// Options of the command line. Strings belong to argv; NULL and 0: not given.
struct settings {
    struct text_list inputs, with, set, fail_on, expect, events, tasks, cores;
    const char *encoding, *mode, *type, *stage, *like, *signal, *signals, *color, *output, *viewer, *from, *to,
        *wall_clock_ns, *csv, *keep;
    uint64_t core_count, tick_ns, port, verbose;
    struct time_limit from_limit, to_limit; // set by options_check
    bool recursive, gzip, raw_events, json, as_csv, markdown, schema, serve, open, hand_over, quiet, help;
};

enum option_kind {
    OPTION_FLAG,   // bool
    OPTION_COUNT,  // uint64_t, +1 each time
    OPTION_TEXT,   // const char *
    OPTION_NUMBER, // uint64_t, within [min, max]
    OPTION_LIST    // struct text_list, once per element; with `split` also by commas
};

// What a value is, for the completions.
enum value_kind { VALUE_OTHER, VALUE_FILE, VALUE_CHOICE };

struct option {
    char letter; // 0: none
    const char *name;
    const char *value;    // name of the value in the help, NULL: takes none
    const char *choices;  // "a|b", NULL: any
    const char *help;     // one sentence
    const char *core_key; // key of tk_common_options that the option sets: offered only if the core has it. NULL:
                          // always
    enum option_kind kind;
    enum value_kind value_kind;
    size_t field; // offset in struct settings
    uint64_t min, max;
    bool split;
};

struct example {
    const char *line, *text;
};

struct command {
    const char *name, *operands, *summary, *details;
    const struct option *const *groups; // NULL-ended list of arrays that end with name == NULL
    const struct example *examples;     // ends with line == NULL
    const char *operand_choices;        // "bash|zsh", NULL: files
    bool hidden;
    int (*run)(const struct settings *settings);
};

extern const struct command commands[];
extern const size_t command_count;

const struct command *command_find(const char *name, size_t len);

// Calls `each` for every option that this build offers for a command, in order of the help.
void options_each(const struct command *command, void (*each)(void *ctx, const struct option *option), void *ctx);

// False: a message was printed. Frees nothing on failure; settings are released with options_release.
bool options_parse(const struct command *command, int argc, char **argv, struct settings *out_settings);
// What the options say together; false: a message was printed.
bool options_check(struct settings *settings);
void options_release(struct settings *settings);

void options_print_overview(FILE *out);
void options_print_help(FILE *out, const struct command *command);

// Returns the length of the first choice in "a|b|c"; *choices moves after it. 0: none left.
size_t options_next_choice(const char **choices, const char **out_choice);

#endif
