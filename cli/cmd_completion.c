// SPDX-License-Identifier: MIT
//
// Generates completion scripts for shells from the table of commands.
#include "commands.h"
#include "message.h"
#include "options.h"

#include <string.h>

// Prints a text in quotes. Replaces each `quote` in the text by `escape`.
static void put_quoted(const char *text, char quote, const char *escape) {
    putchar(quote);
    for (; *text; text++) {
        if (*text == quote) fputs(escape, stdout);
        else putchar(*text);
    }
    putchar(quote);
}

static void put_choices(const char *choices, const char *separator) {
    const char *choice;
    bool first = true;
    for (size_t len; (len = options_next_choice(&choices, &choice)) > 0; first = false)
        printf("%s%.*s", first ? "" : separator, (int)len, choice);
}

static void each_command(void (*each)(const struct command *command)) {
    for (size_t i = 0; i < command_count; i++) {
        if (!commands[i].hidden) each(&commands[i]);
    }
}

// ---- bash ----------------------------------------------------------------------------------------

static void bash_word(void *ctx, const struct option *option) {
    (void)ctx;
    if (option->letter) printf("-%c ", option->letter);
    printf("--%s ", option->name);
}

static void bash_value(void *ctx, const struct option *option) {
    (void)ctx;
    if (!option->value) return;
    printf("            ");
    if (option->letter) printf("-%c|", option->letter);
    printf("--%s) ", option->name);
    if (option->choices) {
        printf("COMPREPLY=($(compgen -W '");
        put_choices(option->choices, " ");
        printf("' -- \"$current\")); return ;;\n");
    } else if (option->value_kind == VALUE_FILE) {
        printf("_tonkopf_files; return ;;\n");
    } else {
        printf("return ;;\n");
    }
}

static void bash_command(const struct command *command) {
    printf("    %s)\n        case \"$previous\" in\n", command->name);
    options_each(command, bash_value, NULL);
    printf("        esac\n        words='");
    options_each(command, bash_word, NULL);
    printf("'\n        operands='");
    if (command->operand_choices) put_choices(command->operand_choices, " ");
    printf("' ;;\n");
}

static void bash_name(const struct command *command) { printf("%s ", command->name); }

static void print_bash(void) {
    printf("# bash completion of tonkopf\n"
           "_tonkopf_files() {\n    local IFS=$'\\n'\n    compopt -o filenames 2>/dev/null\n    COMPREPLY=($(compgen "
           "-f -- \"$current\"))\n}\n\n"
           "_tonkopf() {\n    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} words='' "
           "operands=''\n"
           "    COMPREPLY=()\n    if [ \"$COMP_CWORD\" -eq 1 ]; then\n        COMPREPLY=($(compgen -W '");
    each_command(bash_name);
    printf("--help --version' -- \"$current\"))\n        return\n    fi\n    case \"${COMP_WORDS[1]}\" in\n");
    each_command(bash_command);
    printf("    *) return ;;\n    esac\n    case \"$current\" in\n    -*) COMPREPLY=($(compgen -W \"$words\" -- "
           "\"$current\")) ;;\n"
           "    *) if [ -n \"$operands\" ]; then COMPREPLY=($(compgen -W \"$operands\" -- \"$current\")); else "
           "_tonkopf_files; fi ;;\n    esac\n}\n"
           "complete -F _tonkopf tonkopf\n");
}

// ---- zsh -----------------------------------------------------------------------------------------

// Escapes the characters that have a meaning in a spec of zsh's _arguments, and single quotes.
static void zsh_text(const char *text) {
    for (; *text; text++) {
        if (strchr("[]:\\", *text)) putchar('\\');
        if (*text == '\'') fputs("'\\''", stdout);
        else putchar(*text);
    }
}

static void zsh_spec(const struct option *option, const char *name, const char *dashes) {
    bool repeats = option->kind == OPTION_LIST || option->kind == OPTION_COUNT;
    printf("            '%s%s%s%s[", repeats ? "*" : "", dashes, name, option->value && dashes[1] ? "=" : "");
    zsh_text(option->help);
    printf("]");
    if (option->value) {
        printf(":%s:", option->value);
        if (option->choices) {
            printf("(");
            put_choices(option->choices, " ");
            printf(")");
        } else if (option->value_kind == VALUE_FILE) {
            printf("_files");
        }
    }
    printf("' \\\n");
}

static void zsh_option(void *ctx, const struct option *option) {
    (void)ctx;
    char letter[2] = { option->letter, 0 };
    if (option->letter) zsh_spec(option, letter, "-");
    zsh_spec(option, option->name, "--");
}

static void zsh_command(const struct command *command) {
    printf("        %s) _arguments -s \\\n", command->name);
    options_each(command, zsh_option, NULL);
    if (command->operand_choices) {
        printf("            '1:%s:(", command->operands);
        put_choices(command->operand_choices, " ");
        printf(")' ;;\n");
    } else {
        printf("            '*:%s:_files' ;;\n", command->operands);
    }
}

static void zsh_name(const struct command *command) {
    printf("        '%s:", command->name);
    zsh_text(command->summary);
    printf("'\n");
}

static void print_zsh(void) {
    printf("#compdef tonkopf\n# zsh completion of tonkopf\n_tonkopf() {\n    local -a commands\n    commands=(\n");
    each_command(zsh_name);
    printf("    )\n    if (( CURRENT == 2 )); then\n        _describe command commands\n        return\n    fi\n"
           "    local command=${words[2]}\n    words=(\"${words[@]:1}\")\n    (( CURRENT-- ))\n    case $command in\n");
    each_command(zsh_command);
    printf(
        "    esac\n}\nif [ \"$funcstack[1]\" = _tonkopf ]; then _tonkopf \"$@\"; else compdef _tonkopf tonkopf; fi\n");
}

// ---- fish ----------------------------------------------------------------------------------------

static void fish_option(void *ctx, const struct option *option) {
    const struct command *command = ctx;
    printf("complete -c tonkopf -n '__fish_seen_subcommand_from %s' -l %s", command->name, option->name);
    if (option->letter) printf(" -s %c", option->letter);
    if (option->value) printf(option->value_kind == VALUE_FILE ? " -rF" : " -x");
    if (option->choices) {
        printf(" -a '");
        put_choices(option->choices, " ");
        printf("'");
    }
    printf(" -d ");
    put_quoted(option->help, '\'', "\\'");
    printf("\n");
}

static void fish_command(const struct command *command) {
    printf("complete -c tonkopf -n __fish_use_subcommand -a %s -d ", command->name);
    put_quoted(command->summary, '\'', "\\'");
    printf("\ncomplete -c tonkopf -n '__fish_seen_subcommand_from %s' ", command->name);
    if (command->operand_choices) {
        printf("-a '");
        put_choices(command->operand_choices, " ");
        printf("'\n");
    } else {
        printf("-F\n");
    }
    options_each(command, fish_option, (void *)(uintptr_t)command);
}

static void print_fish(void) {
    printf("# fish completion of tonkopf\ncomplete -c tonkopf -f\n"
           "complete -c tonkopf -n __fish_use_subcommand -l help -s h -d 'Show help'\n"
           "complete -c tonkopf -n __fish_use_subcommand -l version -s V -d 'Show the version'\n");
    each_command(fish_command);
}

// ---- PowerShell ----------------------------------------------------------------------------------

static void powershell_word(void *ctx, const struct option *option) {
    (void)ctx;
    printf("'--%s', ", option->name);
}

static void powershell_value(void *ctx, const struct option *option) {
    (void)ctx;
    if (!option->choices) return;
    printf("            '--%s' { $values = '", option->name);
    put_choices(option->choices, "', '");
    printf("' }\n");
}

static void powershell_command(const struct command *command) {
    printf("        '%s' {\n            $words = @(", command->name);
    options_each(command, powershell_word, NULL);
    if (command->operand_choices) {
        printf("'");
        put_choices(command->operand_choices, "', '");
        printf("')\n");
    } else {
        printf("'')\n");
    }
    printf("            switch ($previous) {\n");
    options_each(command, powershell_value, NULL);
    printf("            }\n        }\n");
}

static void powershell_name(const struct command *command) { printf("'%s', ", command->name); }

static void print_powershell(void) {
    printf("# PowerShell completion of tonkopf\nRegister-ArgumentCompleter -Native -CommandName tonkopf -ScriptBlock "
           "{\n    param($word, $ast, $position)\n"
           "    $elements = @($ast.CommandElements | Where-Object { $_.Extent.EndOffset -le $position } | "
           "ForEach-Object { $_.ToString() })\n"
           "    if ($word -ne '') { $elements = @($elements | Select-Object -SkipLast 1) }\n"
           "    $previous = $elements[-1]\n    $values = $null\n    $words = @(");
    each_command(powershell_name);
    printf("'--help', '--version')\n    if ($elements.Count -gt 1) { switch ($elements[1]) {\n");
    each_command(powershell_command);
    printf("    } }\n    if ($values) { $words = @($values) }\n"
           "    $words | Where-Object { $_ -ne '' -and $_ -like \"$word*\" } | ForEach-Object { "
           "[System.Management.Automation.CompletionResult]::new($_) }\n}\n");
}

// ---- elvish --------------------------------------------------------------------------------------

static void elvish_word(void *ctx, const struct option *option) {
    (void)ctx;
    printf(" --%s", option->name);
}

static void elvish_options(const struct command *command) {
    printf("    &%s=[", command->name);
    options_each(command, elvish_word, NULL);
    if (command->operand_choices) {
        printf(" ");
        put_choices(command->operand_choices, " ");
    }
    printf("]\n");
}

static void elvish_choice(void *ctx, const struct option *option) {
    const struct command *command = ctx;
    if (!option->choices) return;
    printf("    &'%s --%s'=[", command->name, option->name);
    put_choices(option->choices, " ");
    printf("]\n");
}

static void elvish_choices(const struct command *command) {
    options_each(command, elvish_choice, (void *)(uintptr_t)command);
}

static void elvish_name(const struct command *command) { printf("%s ", command->name); }

static void print_elvish(void) {
    printf("# elvish completion of tonkopf\nvar tonkopf-words = [\n");
    each_command(elvish_options);
    printf("]\nvar tonkopf-choices = [\n");
    each_command(elvish_choices);
    printf("]\nfn tonkopf-complete {|@line|\n    if (== (count $line) 2) {\n        put ");
    each_command(elvish_name);
    printf("--help --version\n        return\n    }\n    var command = $line[1]\n    var key = $command' '$line[-2]\n"
           "    if (has-key $tonkopf-choices $key) {\n        all $tonkopf-choices[$key]\n        return\n    }\n"
           "    if (has-key $tonkopf-words $command) {\n        all $tonkopf-words[$command]\n    }\n"
           "    edit:complete-filename $@line\n}\nset edit:completion:arg-completer[tonkopf] = $tonkopf-complete~\n");
}

// ---- The command ---------------------------------------------------------------------------------

int cmd_completion(const struct settings *settings) {
    static const struct {
        const char *name;
        void (*print)(void);
    } shells[] = { { "bash", print_bash },
                   { "zsh", print_zsh },
                   { "fish", print_fish },
                   { "powershell", print_powershell },
                   { "elvish", print_elvish } };
    const char *wanted = settings->inputs.count == 1 ? settings->inputs.items[0] : "";
    for (size_t i = 0; i < sizeof shells / sizeof *shells; i++) {
        if (strcmp(shells[i].name, wanted) != 0) continue;
        shells[i].print();
        return EXIT_FINE;
    }
    message_error("name one shell: bash, zsh, fish, powershell or elvish");
    return EXIT_USAGE;
}
