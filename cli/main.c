// SPDX-License-Identifier: MIT
#include "commands.h"
#include "message.h"
#include "options.h"
#include "platform.h"
#include "tonkopf.h"

#include <string.h>

static int run_command(const struct command *command, int argc, char **argv) {
    struct settings settings = { 0 };
    int result = EXIT_USAGE;
    if (options_parse(command, argc, argv, &settings)) {
        message_set_level(settings.quiet, settings.verbose > 0);
        if (settings.help) {
            options_print_help(stdout, command);
            result = EXIT_FINE;
        } else if (options_check(&settings)) {
            result = command->run(&settings);
        }
    }
    options_release(&settings);
    return result;
}

int cmd_help(const struct settings *settings) {
    if (settings->inputs.count == 0) {
        options_print_overview(stdout);
        return EXIT_FINE;
    }
    const char *name = settings->inputs.items[0];
    const struct command *command = command_find(name, strlen(name));
    if (!command) {
        message_error("there is no command \"%s\"; `tonkopf help` lists them", name);
        return EXIT_USAGE;
    }
    options_print_help(stdout, command);
    return EXIT_FINE;
}

// Returns the index of the first argument after leading -v options. The original converter accepts them before the
// command, as in -v conv ...
static int skip_verbose(int argc, char **argv) {
    int at = 1;
    while (at < argc && (strcmp(argv[at], "-v") == 0 || strcmp(argv[at], "--verbose") == 0)) at++;
    return at;
}

static int dispatch(int argc, char **argv) {
    int at = skip_verbose(argc, argv);
    if (at == argc) {
        options_print_overview(stderr);
        return EXIT_USAGE;
    }
    const char *first = argv[at];
    if (strcmp(first, "-h") == 0 || strcmp(first, "--help") == 0) {
        options_print_overview(stdout);
        return EXIT_FINE;
    }
    if (strcmp(first, "-V") == 0 || strcmp(first, "--version") == 0) {
        printf("tonkopf " TK_VERSION "\n");
        return EXIT_FINE;
    }
    const struct command *command = command_find(first, strlen(first));
    if (!command) {
        bool is_file = plat_path_kind(first) != PLAT_MISSING;
        if (is_file) message_error("say what to do with it: `tonkopf conv %s`", first);
        else message_error("there is no command \"%s\"; `tonkopf help` lists them", first);
        return EXIT_USAGE;
    }
    if (at == 1) return run_command(command, argc - 2, argv + 2);
    argv[at] = argv[1]; // passes one of the leading -v options to the command
    return run_command(command, argc - at, argv + at);
}

int cli_main(int argc, char **argv) {
    plat_init();
    int result = dispatch(argc, argv);
    return message_stdout_ended() || result != EXIT_FINE ? result : EXIT_OUTPUT;
}

#ifndef _WIN32
int main(int argc, char **argv) { return cli_main(argc, argv); }
#endif
