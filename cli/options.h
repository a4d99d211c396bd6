// SPDX-License-Identifier: MIT
//
// The table of commands and options. The parser, --help, the man page and the completions use this table.
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

// Exit codes of the program. The man page documents them, and scripts rely on them.
enum cli_exit {
    EXIT_FINE = 0,
    EXIT_PROBLEMS = 1, // a rule or --fail-on failed
    EXIT_USAGE = 2,
    EXIT_INPUT = 3,   // an input is not readable or not recognised
    EXIT_OUTPUT = 4,  // the output is not writable
    EXIT_SIGNAL = 128 // plus the number of the signal that stopped the program: 129, 130, 143
};

struct text_list {
    const char **items;
    size_t count;
};

// A setting of the conversion, as the command line names it.
struct setting {
    const struct option *option;
    const char *key, *value;
};

// Values of the command line. Strings are parts of argv. NULL and 0: not given.
struct settings {
    struct text_list inputs, with;
    struct setting *chosen; // in the order of the command line
    size_t chosen_count;
    char number[24]; // text of the last numeric setting, in decimal
    const char *encoding, *color, *output, *viewer, *csv, *why, *keep, *baseline, *junit, *sarif, *trace, *duration,
        *until, *after, *rules, *ram, *page;
    uint64_t core_count, port, verbose;
    bool recursive, gzip, json, as_csv, markdown, github, schema, serve, open, hand_over, once, live, quiet, help;
};

enum option_kind {
    OPTION_FLAG,   // bool
    OPTION_COUNT,  // uint64_t, number of times the option is given
    OPTION_TEXT,   // const char *
    OPTION_NUMBER, // uint64_t, within [min, max]
    OPTION_LIST    // struct text_list, one element each time; settings with `split`: several, separated by commas
};

// Kind of a value, for the completion scripts.
enum value_kind { VALUE_OTHER, VALUE_FILE, VALUE_CHOICE };

struct option {
    char letter; // 0: none
    const char *name;
    const char *value;   // name of the value in the help; NULL: the option has no value
    const char *choices; // allowed values, "a|b"; NULL: any
    const char *help;    // one sentence
    const char *key;     // key of the setting of the conversion that the option sets; "": its value is KEY=VALUE; NULL:
                         // the option sets `field`
    enum option_kind kind;
    enum value_kind value_kind;
    size_t field; // offset of the value in struct settings
    uint64_t min, max;
    bool split;
};

struct example {
    const char *line, *text;
};

struct command {
    const char *name, *operands, *summary, *details;
    const struct option *const *groups; // list that ends with NULL; each array of options ends with name == NULL
    const struct example *examples;     // ends with line == NULL
    const char *operand_choices;        // allowed operands, "bash|zsh"; NULL: operands are files
    bool hidden;
    int (*run)(const struct settings *settings);
};

extern const struct command commands[];
extern const size_t command_count;

const struct command *command_find(const char *name, size_t len);

// Calls `each` for every option of a command, in the order of the help.
void options_each(const struct command *command, void (*each)(void *ctx, const struct option *option), void *ctx);

// Parses the arguments after the command. Returns false after a message. The caller frees the settings with
// options_release, also after a failure.
bool options_parse(const struct command *command, int argc, char **argv, struct settings *out_settings);
// Checks that options do not contradict each other. Returns false after a message.
bool options_check(const struct settings *settings);
// Returns the value of a setting by its key, the last one if it is given several times; NULL: not given.
const char *options_value(const struct settings *settings, const char *key);
void options_release(struct settings *settings);

void options_print_overview(FILE *out);
void options_print_help(FILE *out, const struct command *command);

// Finds the next choice in "a|b|c" and advances *choices. Returns its length; 0: no choice is left.
size_t options_next_choice(const char **choices, const char **out_choice);

#endif
