// SPDX-License-Identifier: MIT
#include "options.h"

#include "message.h"
#include "tonkopf.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const struct command *command_find(const char *name, size_t len) {
    for (size_t i = 0; i < command_count; i++) {
        if (strlen(commands[i].name) == len && memcmp(commands[i].name, name, len) == 0) return &commands[i];
    }
    return NULL;
}

void options_each(const struct command *command, void (*each)(void *ctx, const struct option *option), void *ctx) {
    for (const struct option *const *group = command->groups; *group; group++)
        for (const struct option *option = *group; option->name; option++) each(ctx, option);
}

size_t options_next_choice(const char **choices, const char **out_choice) {
    const char *at = *choices;
    size_t len = strcspn(at, "|");
    *out_choice = at;
    *choices = at + len + (at[len] == '|');
    return len;
}

static bool is_choice(const char *choices, const char *value) {
    const char *choice;
    for (size_t len; (len = options_next_choice(&choices, &choice)) > 0;) {
        if (strlen(value) == len && memcmp(choice, value, len) == 0) return true;
    }
    return false;
}

// ---- Finding an option ---------------------------------------------------------------------------

struct search {
    const char *name; // NULL: search by letter
    size_t len;
    char letter;
    const struct option *found;
};

static void match_option(void *ctx, const struct option *option) {
    struct search *search = ctx;
    bool same = search->name
                    ? strlen(option->name) == search->len && memcmp(option->name, search->name, search->len) == 0
                    : option->letter == search->letter;
    if (same) search->found = option;
}

static const struct option *find_long(const struct command *command, const char *name, size_t len) {
    struct search search = { .name = name, .len = len };
    options_each(command, match_option, &search);
    return search.found;
}

static const struct option *find_letter(const struct command *command, char letter) {
    struct search search = { .letter = letter };
    options_each(command, match_option, &search);
    return search.found;
}

// ---- Storing values ------------------------------------------------------------------------------

static void *field_of(struct settings *settings, size_t offset) { return (char *)settings + offset; }

static bool list_add(struct text_list *list, const char *text) {
    const char **items = realloc((void *)list->items, (list->count + 1) * sizeof *items);
    if (!items) {
        message_error("out of memory");
        return false;
    }
    items[list->count++] = text;
    list->items = items;
    return true;
}

// Adds a setting. The last value of an option counts, unless the option can be given several times.
static bool add_setting(struct settings *settings, const struct option *option, const char *key, const char *value) {
    for (size_t i = 0; option->kind != OPTION_LIST && i < settings->chosen_count; i++) {
        if (settings->chosen[i].option != option) continue;
        settings->chosen[i].value = value;
        return true;
    }
    struct setting *chosen = realloc(settings->chosen, (settings->chosen_count + 1) * sizeof *chosen);
    if (!chosen) {
        message_error("out of memory");
        return false;
    }
    chosen[settings->chosen_count++] = (struct setting){ option, key, value };
    settings->chosen = chosen;
    return true;
}

const char *options_value(const struct settings *settings, const char *key) {
    const char *value = NULL;
    for (size_t i = 0; i < settings->chosen_count; i++)
        if (strcmp(settings->chosen[i].key, key) == 0) value = settings->chosen[i].value;
    return value;
}

// Returns the text without blanks at its start and end. Shortens it in place.
static char *trimmed(char *text) {
    text += strspn(text, " \t");
    size_t len = strlen(text);
    while (len > 0 && strchr(" \t", text[len - 1])) len--;
    text[len] = 0;
    return text;
}

// Adds a setting for each word of a comma-separated list. Splits the text in place, so the words are parts of argv.
static bool add_split(struct settings *settings, const struct option *option, char *text) {
    for (char *piece = text; piece;) {
        char *comma = strchr(piece, ',');
        if (comma) *comma = 0;
        char *word = trimmed(piece);
        if (!*word) {
            message_error("--%s: there is an empty name in the list", option->name);
            return false;
        }
        if (!add_setting(settings, option, option->key, word)) return false;
        piece = comma ? comma + 1 : NULL;
    }
    return true;
}

// Adds a setting KEY=VALUE. Splits the text in place. Returns false after a message if there is no value.
static bool add_pair(struct settings *settings, const struct option *option, char *text) {
    char *equals = strchr(text, '=');
    if (!equals || equals == text || !equals[1]) {
        message_error("--set takes KEY=VALUE, not \"%s\"", text);
        return false;
    }
    *equals = 0;
    return add_setting(settings, option, text, equals + 1);
}

static bool store_number(const struct option *option, const char *value, uint64_t *out_number) {
    char *end;
    errno = 0;
    bool is_hex = value[0] == '0' && (value[1] | 0x20) == 'x'; // a leading 0 alone does not mean octal
    unsigned long long number = strtoull(value, &end, is_hex ? 16 : 10);
    bool is_number = *value >= '0' && *value <= '9' && !*end && errno == 0;
    if (is_number && number >= option->min && number <= option->max) {
        *out_number = number;
        return true;
    }
    message_error("--%s takes a number from %" PRIu64 " to %" PRIu64 ", not \"%s\"", option->name, option->min,
                  option->max, value);
    return false;
}

static bool store_setting(const struct option *option, char *value, struct settings *settings) {
    uint64_t number;
    if (!*option->key) return add_pair(settings, option, value);
    if (option->split) return add_split(settings, option, value);
    if (option->kind == OPTION_NUMBER) { // the conversion accepts decimal numbers only
        if (!store_number(option, value, &number)) return false;
        snprintf(settings->number, sizeof settings->number, "%" PRIu64, number);
        value = settings->number;
    }
    return add_setting(settings, option, option->key, value ? value : "1");
}

static bool store(const struct option *option, char *value, struct settings *settings) {
    void *field = field_of(settings, option->field);
    if (option->choices && !is_choice(option->choices, value)) {
        message_error("--%s takes one of %s, not \"%s\"", option->name, option->choices, value);
        return false;
    }
    if (option->key) return store_setting(option, value, settings);
    switch (option->kind) {
    case OPTION_FLAG: *(bool *)field = true; return true;
    case OPTION_COUNT: ++*(uint64_t *)field; return true;
    case OPTION_TEXT: *(const char **)field = value; return true;
    case OPTION_NUMBER: return store_number(option, value, field);
    case OPTION_LIST: return list_add(field, value);
    }
    return false;
}

// ---- Walking the arguments -----------------------------------------------------------------------

struct walk {
    const struct command *command;
    char **argv;
    int argc, at;
    struct settings *settings;
};

static char *take_value(struct walk *walk, const struct option *option, char *attached) {
    char *value = attached ? attached : walk->at < walk->argc ? walk->argv[walk->at++] : NULL;
    if (value && (*value || option->split)) return value;
    message_error("--%s needs a value: --%s %s", option->name, option->name, option->value);
    return NULL;
}

static bool unknown_option(const struct walk *walk, const char *text) {
    message_error("unknown option %s; `tonkopf %s --help` lists them", text, walk->command->name);
    return false;
}

static bool take_long(struct walk *walk, char *argument) {
    char *name = argument + 2;
    size_t len = strcspn(name, "=");
    const struct option *option = find_long(walk->command, name, len);
    if (!option) return unknown_option(walk, argument);
    char *attached = name[len] == '=' ? name + len + 1 : NULL;
    if (!option->value) {
        if (!attached) return store(option, NULL, walk->settings);
        message_error("--%s takes no value", option->name);
        return false;
    }
    char *value = take_value(walk, option, attached);
    return value && store(option, value, walk->settings);
}

static bool take_letters(struct walk *walk, char *argument) {
    for (char *letter = argument + 1; *letter; letter++) {
        const struct option *option = find_letter(walk->command, *letter);
        if (!option) return unknown_option(walk, argument);
        if (option->value) {
            char *rest = letter[1] == '=' ? letter + 2 : letter[1] ? letter + 1 : NULL;
            char *value = take_value(walk, option, rest);
            return value && store(option, value, walk->settings);
        }
        if (!store(option, NULL, walk->settings)) return false;
    }
    return true;
}

bool options_parse(const struct command *command, int argc, char **argv, struct settings *out_settings) {
    struct walk walk = { .command = command, .argv = argv, .argc = argc, .settings = out_settings };
    bool only_operands = false;
    while (walk.at < argc) {
        char *argument = argv[walk.at++];
        bool ok = *argument != 0;
        if (!ok) message_error("an input has no name; - stands for standard input");
        else if (only_operands || argument[0] != '-' || !argument[1]) ok = list_add(&out_settings->inputs, argument);
        else if (strcmp(argument, "--") == 0) ok = only_operands = true;
        else if (argument[1] == '@') ok = list_add(&out_settings->inputs, argument); // -@1: standard input is core 1
        else if (argument[1] == '-') ok = take_long(&walk, argument);
        else ok = take_letters(&walk, argument);
        if (!ok) return false;
    }
    return true;
}

void options_release(struct settings *settings) {
    free((void *)settings->inputs.items);
    free((void *)settings->with.items);
    free(settings->chosen);
}

// ---- Help ----------------------------------------------------------------------------------------

enum { HELP_WIDTH = 96, HELP_INDENT = 30 };

// Prints a text, broken at blanks into lines of HELP_WIDTH columns. The caller has printed `indent` columns of the
// first line.
static void print_wrapped(FILE *out, const char *text, int indent) {
    for (int column = indent; *text;) {
        int word = (int)strcspn(text, " ");
        bool first = column == indent;
        if (!first && column + 1 + word > HELP_WIDTH) {
            fprintf(out, "\n%*s", indent, "");
            column = indent;
            first = true;
        }
        fprintf(out, "%s%.*s", first ? "" : " ", word, text);
        column += word + !first;
        text += word + (text[word] == ' ');
    }
    fputc('\n', out);
}

static void print_option(void *ctx, const struct option *option) {
    FILE *out = ctx;
    char head[80];
    int len = option->letter ? snprintf(head, sizeof head, "  -%c, --%s", option->letter, option->name)
                             : snprintf(head, sizeof head, "      --%s", option->name);
    if (option->value) len += snprintf(head + len, sizeof head - (size_t)len, " %s", option->value);
    fprintf(out, "%-*s", HELP_INDENT, head);
    if (len >= HELP_INDENT) fprintf(out, "\n%*s", HELP_INDENT, "");
    print_wrapped(out, option->help, HELP_INDENT);
    if (option->choices) fprintf(out, "%*sOne of: %s\n", HELP_INDENT, "", option->choices);
}

void options_print_help(FILE *out, const struct command *command) {
    fprintf(out, "%s\n\nUsage: tonkopf %s [OPTIONS]%s%s\n\n", command->summary, command->name,
            *command->operands ? " " : "", command->operands);
    print_wrapped(out, command->details, 0);
    fprintf(out, "\nOptions:\n");
    options_each(command, print_option, out);
    if (!command->examples[0].line) return;
    fprintf(out, "\nExamples:\n");
    for (const struct example *example = command->examples; example->line; example++) {
        fprintf(out, "  %s\n      %s\n", example->line, example->text);
    }
}

static void print_formats(FILE *out) {
    fprintf(out, "\nFormats:\n");
    for (size_t i = 0; i < tk_format_count(); i++) {
        const struct tk_format_info *info = tk_format_at(i);
        fprintf(out, "  %-14s %s\n", info->name, info->title);
        for (size_t j = 0; j < info->option_count; j++) {
            const struct tk_option_info *option = &info->options[j];
            fprintf(out, "    --set %-14s %s%s%s%s\n", option->key, option->help, option->choices ? " (" : "",
                    option->choices ? option->choices : "", option->choices ? ")" : "");
        }
    }
}

void options_print_overview(FILE *out) {
    fprintf(out, "tonkopf " TK_VERSION ": turns what a microcontroller recorded into a Perfetto trace.\n\n");
    fprintf(out, "Usage: tonkopf COMMAND [OPTIONS] INPUT...\n\nCommands:\n");
    for (size_t i = 0; i < command_count; i++) {
        if (!commands[i].hidden) fprintf(out, "  %-14s %s\n", commands[i].name, commands[i].summary);
    }
    print_formats(out);
    fprintf(out, "\nOptions:\n  -h, --help     Show this help; `tonkopf COMMAND --help` shows that of a command.\n  "
                 "-V, --version  Show the version.\n");
    fprintf(out, "\nExit codes: 0 fine, 1 what --fail-on and --expect name, 2 wrong usage,\n"
                 "3 input not readable or not recognised, 4 output not writable, 130 stopped.\n");
}
