// SPDX-License-Identifier: MIT
//
// Prints the man page, and the table of commands as JSON, for the build.
#include "commands.h"
#include "options.h"
#include "tonkopf.h"

#include <inttypes.h>
#include <string.h>

// Prints a text of a man page. Escapes backslashes, dashes, and a dot or quote at the start of the text.
static void put_man(const char *text) {
    if (*text == '.' || *text == '\'') fputs("\\&", stdout);
    for (; *text; text++) {
        if (*text == '\\') fputs("\\e", stdout);
        else if (*text == '-') fputs("\\-", stdout);
        else putchar(*text);
    }
}

static void man_option(void *ctx, const struct option *option) {
    (void)ctx;
    printf(".TP\n");
    if (option->letter) printf("\\fB\\-%c\\fR, ", option->letter);
    printf("\\fB\\-\\-");
    put_man(option->name);
    printf("\\fR");
    if (option->value) printf(" \\fI%s\\fR", option->value);
    printf("\n");
    put_man(option->help);
    if (option->choices) {
        printf("\nOne of: ");
        put_man(option->choices);
    }
    printf("\n");
}

static void man_command(const struct command *command) {
    printf(".SH \"%s\"\n.B tonkopf %s\n[OPTIONS] %s\n.PP\n", command->name, command->name, command->operands);
    put_man(command->summary);
    printf("\n");
    put_man(command->details);
    printf("\n");
    options_each(command, man_option, NULL);
    for (const struct example *example = command->examples; example->line; example++) {
        printf(".PP\n");
        put_man(example->text);
        printf(":\n.PP\n.nf\n.RS\n");
        put_man(example->line);
        printf("\n.RE\n.fi\n");
    }
}

static void man_formats(void) {
    printf(".SH FORMATS\n");
    for (size_t i = 0; i < tk_format_count(); i++) {
        printf(".TP\n.B ");
        put_man(tk_format_at(i)->name);
        printf("\n");
        put_man(tk_format_at(i)->title);
        printf("\n");
    }
}

int cmd_man(const struct settings *settings) {
    (void)settings;
    printf(".TH TONKOPF 1 \"\" \"tonkopf " TK_VERSION "\" \"User Commands\"\n"
           ".SH NAME\ntonkopf \\- turn what a microcontroller recorded into a Perfetto trace\n"
           ".SH SYNOPSIS\n.B tonkopf\nCOMMAND [OPTIONS] INPUT...\n");
    for (size_t i = 0; i < command_count; i++) {
        if (!commands[i].hidden) man_command(&commands[i]);
    }
    man_formats();
    printf(".SH \"EXIT STATUS\"\n.TP\n.B 0\nfine\n.TP\n.B 1\nthe recording has problems that \\-\\-fail\\-on "
           "names\n.TP\n.B 2\nwrong usage\n"
           ".TP\n.B 3\nan input could not be read or was not recognised\n.TP\n.B 4\nthe output could not be "
           "written\n.TP\n.B 129, 130, 143\nstopped by a hang-up, Ctrl\\-C or a request to end, before the end of an "
           "input\n"
           ".SH ENVIRONMENT\n.TP\n.B NO_COLOR\nif set, dump does not colour its lines\n.TP\n.B TERM\nif it is dumb, "
           "there are no colours and no progress\n");
    return EXIT_FINE;
}

// ---- JSON ----------------------------------------------------------------------------------------

static void put_json(const char *key, const char *text, const char *after) {
    printf("\"%s\":", key);
    if (!text) {
        printf("null%s", after);
        return;
    }
    putchar('"');
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') putchar('\\');
        putchar(*text);
    }
    printf("\"%s", after);
}

// Prints the words that --fail-on accepts.
static void json_words(void) {
    printf("\"words\":[");
    for (size_t i = 0; tk_fail_on_word(i); i++) printf("%s\"%s\"", i ? "," : "", tk_fail_on_word(i));
    printf("],");
}

static void json_option(void *ctx, const struct option *option) {
    static const char *const kinds[] = { [OPTION_FLAG] = "flag",
                                         [OPTION_COUNT] = "count",
                                         [OPTION_TEXT] = "text",
                                         [OPTION_NUMBER] = "number",
                                         [OPTION_LIST] = "list" };
    bool *first = ctx;
    char letter[2] = { option->letter, 0 };
    printf("%s\n{", *first ? "" : ",");
    *first = false;
    put_json("name", option->name, ",");
    put_json("letter", option->letter ? letter : NULL, ",");
    put_json("value", option->value, ",");
    put_json("choices", option->choices, ",");
    put_json("kind", kinds[option->kind], ",");
    if (option->kind == OPTION_NUMBER)
        printf("\"min\":\"%" PRIu64 "\",\"max\":\"%" PRIu64 "\",", option->min, option->max);
    if (option->split) printf("\"split\":true,");
    if (strcmp(option->name, "fail-on") == 0) json_words();
    put_json("help", option->help, "}");
}

int cmd_options_json(const struct settings *settings) {
    (void)settings;
    printf("[");
    for (size_t i = 0; i < command_count; i++) {
        const struct command *command = &commands[i];
        bool first = true;
        if (command->hidden) continue;
        printf("%s\n{", i ? "," : "");
        put_json("name", command->name, ",");
        put_json("operands", command->operands, ",");
        put_json("summary", command->summary, ",");
        put_json("details", command->details, ",\"options\":[");
        options_each(command, json_option, &first);
        printf("],\"examples\":[");
        for (const struct example *example = command->examples; example->line; example++) {
            printf("%s{", example == command->examples ? "" : ",");
            put_json("line", example->line, ",");
            put_json("text", example->text, "}");
        }
        printf("]}");
    }
    printf("\n]\n");
    return EXIT_FINE;
}
