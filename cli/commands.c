// SPDX-License-Identifier: MIT
// The table of commands and options.
#include "commands.h"

#include "options.h"
#include "tonkopf.h"

#define FIELD(name) .field = offsetof(struct settings, name)

static const struct option general_options[] = {
    { .letter = 'v',
      .name = "verbose",
      .help = "Tell more: why an input was recognised, every problem.",
      .kind = OPTION_COUNT,
      FIELD(verbose) },
    { .letter = 'q', .name = "quiet", .help = "Print errors only.", .kind = OPTION_FLAG, FIELD(quiet) },
    { .letter = 'h', .name = "help", .help = "Show this help.", .kind = OPTION_FLAG, FIELD(help) },
    { 0 },
};

static const struct option help_options[] = {
    { .letter = 'h', .name = "help", .help = "Show this help.", .kind = OPTION_FLAG, FIELD(help) },
    { 0 },
};

static const struct option input_options[] = {
    { .letter = 'i',
      .name = "input",
      .value = "INPUT",
      .help = "An input; the same as naming it without the option.",
      .kind = OPTION_LIST,
      .value_kind = VALUE_FILE,
      FIELD(inputs) },
    { .letter = 'c',
      .name = "core-count",
      .value = "N",
      .help = "Number of cores that you expect; tonkopf warns when the data says otherwise.",
      .kind = OPTION_NUMBER,
      .min = 1,
      .max = TK_MAX_CORES,
      FIELD(core_count) },
    { .letter = 'r',
      .name = "recursive",
      .help = "Look into the folders of a folder as well.",
      .kind = OPTION_FLAG,
      FIELD(recursive) },
    { 0 },
};

// How the bytes of an input are read.
static const struct option format_options[] = {
    { .letter = 'f',
      .name = "format",
      .value = "ENCODING",
      .choices = "auto|bin|hex|base64",
      .help = "How the bytes are written down (default: found out from the content).",
      .kind = OPTION_TEXT,
      .value_kind = VALUE_CHOICE,
      FIELD(encoding) },
    { .letter = 'm',
      .name = "mode",
      .value = "MODE",
      .choices = "auto|bare-metal|free-rtos|freertos",
      .help = "What ran on the target (default: found out from the events).",
      .kind = OPTION_TEXT,
      .value_kind = VALUE_CHOICE,
      .key = "mode" },
    { .name = "type",
      .value = "NAME",
      .help = "Format of the recording: auto, or one that `tonkopf help` lists (default: found out from the content).",
      .kind = OPTION_TEXT,
      .key = "format" },
    { .name = "tick-ns",
      .value = "N",
      .help = "Length of a tick in nanoseconds, for recordings that do not name it.",
      .kind = OPTION_NUMBER,
      .min = 1,
      .max = INT64_MAX,
      .key = "tick-ns" },
    { .name = "clock-hz",
      .value = "N",
      .help =
          "Counts per second of the time stamp, such as 168000000 or 72000000/7, for recordings that do not name it.",
      .kind = OPTION_TEXT,
      .key = "clock-hz" },
    { .name = "with",
      .value = "FILE",
      .help = "A file that helps to read the input, such as an earlier capture with the names.",
      .kind = OPTION_LIST,
      .value_kind = VALUE_FILE,
      FIELD(with) },
    { .name = "signals",
      .value = "PATTERN",
      .help =
          "Show only the signals whose paths match: top/uart/*, with * and ?, several separated by commas (VCD, flux).",
      .kind = OPTION_TEXT,
      .key = "signals" },
    { .name = "set",
      .value = "KEY=VALUE",
      .help = "An option of the format, as `tonkopf help` lists them; may be given several times.",
      .kind = OPTION_LIST,
      .key = "" },
    { 0 },
};

static const struct option range_options[] = {
    { .name = "from",
      .value = "TIME",
      .help = "Leave out what was before this time (1.5s, 20ms, 300us; 5000 is nanoseconds, or ticks while their "
              "length is unknown).",
      .kind = OPTION_TEXT,
      .key = "from-ns" },
    { .name = "to",
      .value = "TIME",
      .help = "Leave out what came after this time.",
      .kind = OPTION_TEXT,
      .key = "to-ns" },
    { 0 },
};

static const struct option fail_options[] = {
    { .name = "fail-on",
      .value = "LIST",
      .help = "Exit with 1 on drops, damage, loss, notice, restarts, any, or named problems (comma-separated).",
      .kind = OPTION_LIST,
      .split = true,
      .key = "fail-on" },
    { .name = "expect",
      .value = "FIGURE",
      .help =
          "Exit with 1 unless it holds: 'cpu.load<80%', 'tasks[Motor].longest_wait<5ms'; may be given several times.",
      .kind = OPTION_LIST,
      .key = "expect" },
    { 0 },
};

#ifdef CLI_SERVE
static const struct option viewer_options[] = {
    { .name = "viewer",
      .value = "URL",
      .help = "Address of the Perfetto viewer (default: https://ui.perfetto.dev).",
      .kind = OPTION_TEXT,
      FIELD(viewer) },
    { .name = "port",
      .value = "N",
      .help = "Port to serve on (default: 9001, the only one that ui.perfetto.dev reads from).",
      .kind = OPTION_NUMBER,
      .min = 1,
      .max = 65535,
      FIELD(port) },
    { .name = "hand-over",
      .help = "Only serve the page that hands the trace over inside the browser.",
      .kind = OPTION_FLAG,
      FIELD(hand_over) },
    { 0 },
};
#endif

static const struct option filter_options[] = {
    { .letter = 'e',
      .name = "event",
      .value = "NAMES",
      .help = "Only events of these names, as the lines have them (comma-separated); with --stage records: records.",
      .kind = OPTION_LIST,
      .split = true,
      .key = "event" },
    { .name = "task",
      .value = "NAMES",
      .help = "Only what concerns these tasks or active objects, by name or number, and what happens while they run "
              "(comma-separated).",
      .kind = OPTION_LIST,
      .split = true,
      .key = "task" },
    { .name = "core",
      .value = "N",
      .help = "Only events of these cores (comma-separated).",
      .kind = OPTION_LIST,
      .split = true,
      .key = "core" },
    { 0 },
};

static const struct option text_options[] = {
    { .letter = 'o',
      .name = "output",
      .value = "FILE",
      .help = "Where to write (default: standard output).",
      .kind = OPTION_TEXT,
      .value_kind = VALUE_FILE,
      FIELD(output) },
    { 0 },
};

static const struct option conv_options[] = {
    { .letter = 'o',
      .name = "output",
      .value = "FILE",
      .help = "Where to write: a file, a folder (FOLDER/ is made), or - for standard output (default: INPUT.pftrace).",
      .kind = OPTION_TEXT,
      .value_kind = VALUE_FILE,
      FIELD(output) },
    { .letter = 'z',
      .name = "gzip",
      .help = "Compress the trace; Perfetto opens it as it is.",
      .kind = OPTION_FLAG,
      FIELD(gzip) },
    { .name = "raw-events",
      .help = "Add every event once more as an instant with its fields.",
      .kind = OPTION_FLAG,
      .key = "raw-events" },
    { .name = "wall-clock-ns",
      .value = "N",
      .help = "Unix time of the first event in nanoseconds, to show the time of day.",
      .kind = OPTION_TEXT,
      .key = "wall-clock-ns" },
#ifdef CLI_SERVE
    { .name = "serve",
      .help = "Serve the trace for Perfetto until it was fetched, and print the link.",
      .kind = OPTION_FLAG,
      FIELD(serve) },
    { .name = "open", .help = "The same, and open the browser.", .kind = OPTION_FLAG, FIELD(open) },
#endif
    { 0 },
};

static const struct option dump_options[] = {
    { .letter = 's',
      .name = "stage",
      .value = "STAGE",
      .choices = "frames|records|events|tracks|outline|jobs",
      .help = "What to print (default: events; of call traces the outline, a line per call, indented; jobs: CSV).",
      .kind = OPTION_TEXT,
      .value_kind = VALUE_CHOICE,
      .key = "stage" },
    { .name = "like",
      .value = "TOOL",
      .choices = "original",
      .help = "Print as the tool does that the format comes with (call traces, QS).",
      .kind = OPTION_TEXT,
      .value_kind = VALUE_CHOICE,
      .key = "like" },
    { .name = "signal",
      .value = "PATH",
      .help = "With --csv: the samples of one signal; PATH as the table of signals of `tonkopf info` has it.",
      .kind = OPTION_TEXT,
      .key = "signal" },
    { .name = "csv", .help = "Print the samples of --signal as CSV.", .kind = OPTION_FLAG, FIELD(as_csv) },
    { .letter = 'j', .name = "json", .help = "Print JSON Lines.", .kind = OPTION_FLAG, .key = "json" },
    { .name = "keep",
      .value = "FILE",
      .help = "Also write the bytes of a pipe or device to FILE, and when they came to FILE.times.",
      .kind = OPTION_TEXT,
      .value_kind = VALUE_FILE,
      FIELD(keep) },
    { .name = "color",
      .value = "WHEN",
      .choices = "auto|always|never",
      .help = "Colour the lines (default: on a terminal only).",
      .kind = OPTION_TEXT,
      .value_kind = VALUE_CHOICE,
      FIELD(color) },
    { 0 },
};

static const struct option schema_options[] = {
    { .name = "schema",
      .help = "Print what the tables and columns of reports mean, as JSON; takes no input.",
      .kind = OPTION_FLAG,
      FIELD(schema) },
    { 0 },
};

static const struct option info_options[] = {
    { .letter = 'j',
      .name = "json",
      .help = "Print one JSON object per recording and line.",
      .kind = OPTION_FLAG,
      FIELD(json) },
    { .name = "markdown", .help = "Print Markdown, for a ticket.", .kind = OPTION_FLAG, FIELD(markdown) },
    { .name = "csv",
      .value = "TABLE",
      .help = "Print all rows of one table, such as tasks, as CSV.",
      .kind = OPTION_TEXT,
      FIELD(csv) },
    { .name = "why",
      .value = "TASK",
      .help = "Print why the worst jobs of a task were late, with --json as tables.",
      .kind = OPTION_TEXT,
      FIELD(why) },
    { 0 },
};

static const struct option check_options[] = {
    { .name = "baseline",
      .value = "FILE",
      .help = "Report that the word baseline of rules refers to: the output of an earlier `tonkopf info --json`.",
      .kind = OPTION_TEXT,
      .value_kind = VALUE_FILE,
      FIELD(baseline) },
    { .name = "junit",
      .value = "FILE",
      .help = "Also write the verdicts as JUnit XML.",
      .kind = OPTION_TEXT,
      .value_kind = VALUE_FILE,
      FIELD(junit) },
    { .name = "sarif",
      .value = "FILE",
      .help = "Also write the verdicts that do not hold as SARIF.",
      .kind = OPTION_TEXT,
      .value_kind = VALUE_FILE,
      FIELD(sarif) },
    { .name = "github",
      .help = "Print annotations of GitHub, for the rules that do not hold; with --output the other form goes there.",
      .kind = OPTION_FLAG,
      FIELD(github) },
    { .letter = 'j', .name = "json", .help = "Print JSON.", .kind = OPTION_FLAG, FIELD(json) },
    { .name = "markdown", .help = "Print a table in Markdown.", .kind = OPTION_FLAG, FIELD(markdown) },
    { 0 },
};

static const struct option record_options[] = {
    { .letter = 'o',
      .name = "output",
      .value = "FILE",
      .help = "File for the bytes as they come, which must not exist (default: recording-N.bin). FILE.times tells when "
              "they came.",
      .kind = OPTION_TEXT,
      .value_kind = VALUE_FILE,
      FIELD(output) },
    { .name = "trace",
      .value = "FILE",
      .help = "Also write the Perfetto trace.",
      .kind = OPTION_TEXT,
      .value_kind = VALUE_FILE,
      FIELD(trace) },
    { .name = "duration",
      .value = "TIME",
      .help = "End this long after the first byte, or after the start if none comes (30s, 500ms, 10min, 2h).",
      .kind = OPTION_TEXT,
      FIELD(duration) },
    { .name = "until",
      .value = "RULE",
      .help = "End as soon as the figures fulfil this rule, as in 'tasks[control].response_max>5ms'.",
      .kind = OPTION_TEXT,
      FIELD(until) },
    { .name = "after",
      .value = "TIME",
      .help = "With --until: end this long after the rule is fulfilled, so that the recording shows what follows.",
      .kind = OPTION_TEXT,
      FIELD(after) },
    { .name = "rules",
      .value = "FILE",
      .help = "Judge the recording by a file of rules when it ends, as `tonkopf check` does.",
      .kind = OPTION_TEXT,
      .value_kind = VALUE_FILE,
      FIELD(rules) },
    { .name = "once",
      .help = "Read the memory through a debugger's server, once; the target is halted meanwhile.",
      .kind = OPTION_FLAG,
      FIELD(once) },
    { .name = "ram",
      .value = "BEGIN:LENGTH",
      .help = "Memory that --once reads (default: 0x20000000:0x10000).",
      .kind = OPTION_TEXT,
      FIELD(ram) },
#ifdef CLI_SERVE
    { .name = "live",
      .help = "Serve the page on this computer, with a timeline that grows with the recording. It prints the address.",
      .kind = OPTION_FLAG,
      FIELD(live) },
    { .name = "open", .help = "With --live: open the browser.", .kind = OPTION_FLAG, FIELD(open) },
    { .name = "page",
      .value = "FOLDER",
      .help = "Folder of the page that --live serves (default: the installed one).",
      .kind = OPTION_TEXT,
      .value_kind = VALUE_FILE,
      FIELD(page) },
#endif
    { 0 },
};

static const struct example conv_examples[] = {
    { "tonkopf conv capture.bin", "writes capture.pftrace" },
    { "tonkopf conv cpu.bin@0 cpu2.bin@1 -o both.pftrace", "two files, one per core, become one trace" },
    { "cat capture.bin | tonkopf conv - > capture.pftrace", "reads a pipe, writes a pipe" },
    { "tonkopf conv ring.bin --with first.bin --tick-ns 1000", "takes names from an earlier capture" },
    { "tonkopf conv capture.bin --from 1.5s --to 1600ms", "a part of it" },
    { "tonkopf conv capture.bin --fail-on drops,damage", "for scripts: exit code 1 when events were lost or damaged" },
    { 0 },
};

static const struct example dump_examples[] = {
    { "tonkopf dump capture.bin | head", "the first events" },
    { "tonkopf dump --json capture.bin | grep isr", "one JSON object per line" },
    { "tonkopf dump --event \"task switched in\" --core 1 --from 1s capture.bin", "some of them" },
    { "tonkopf dump --stage frames capture.bin", "what the framing found, damage in place" },
    { "tonkopf dump --signal top/counter --csv wave.vcd > counter.csv", "the samples of one signal for a spreadsheet" },
    { "cat /dev/ttyUSB0 | tonkopf dump -", "events as they come" },
    { 0 },
};

static const struct example info_examples[] = {
    { "tonkopf info capture.bin", "what it is, how long, who used the CPU, what is wrong with it" },
    { "tonkopf info --json capture.bin", "the same for scripts" },
    { "tonkopf info --fail-on drops,damage capture.bin", "exit code 1 when events were lost or damaged" },
    { "tonkopf info --csv tasks capture.bin > tasks.csv", "one table for a spreadsheet" },
    { "tonkopf info --why control capture.bin", "what delayed the longest jobs of the task control" },
    { "tonkopf info --schema > schema.json", "titles, kinds and units of all columns, for scripts" },
    { "tonkopf info --expect 'cpu.load<80%' capture.bin",
      "exit code 1 when the CPU was busier, or that was not measured" },
    { 0 },
};

static const struct example check_examples[] = {
    { "tonkopf check limits.rules capture.bin", "a verdict per rule; exit code 1 unless all hold" },
    { "tonkopf check limits.rules captures/ --junit results.xml", "for the test report of a build server" },
    { "tonkopf check limits.rules after.bin --baseline before.json", "rules such as cpu.load<=baseline*1.1" },
    { 0 },
};

static const struct example record_examples[] = {
    { "tonkopf record serial:/dev/ttyUSB0@921600 -o run.bin --trace run.pftrace",
      "until Ctrl-C; both files are complete" },
    { "tonkopf record tcp:localhost:9090 --duration 10s --rules limits.rules", "a gate for a test bench" },
    { "tonkopf record jlink:localhost:19021/1 --until 'events.lost>0'", "ends as soon as an event is lost" },
    { "tonkopf record gdb:localhost:3333 --once --trace crash.pftrace", "takes the buffer out of a running target" },
#ifdef CLI_SERVE
    { "tonkopf record tcp:localhost:9090 --live --open", "watch it in the browser" },
#endif
    { 0 },
};

static const struct example compare_examples[] = {
    { "tonkopf compare before.bin after.bin", "what changed" },
    { "tonkopf compare --csv tasks baseline.json after.bin", "against the JSON of an earlier `tonkopf info --json`" },
    { 0 },
};

#ifdef CLI_SERVE
static const struct option serve_options[] = {
    { .letter = 'i',
      .name = "input",
      .value = "FILE",
      .help = "The trace; the same as naming it without the option.",
      .kind = OPTION_LIST,
      .value_kind = VALUE_FILE,
      FIELD(inputs) },
    { .name = "open", .help = "Open the browser.", .kind = OPTION_FLAG, FIELD(open) },
    { 0 },
};

static const struct example serve_examples[] = {
    { "tonkopf serve capture.pftrace --open", "opens the trace in Perfetto" },
    { 0 },
};

static const struct option *const serve_groups[] = { serve_options, viewer_options, general_options, NULL };
#endif

static const struct option *const conv_groups[] = { input_options,   format_options,
                                                    conv_options,    range_options,
                                                    fail_options,
#ifdef CLI_SERVE
                                                    viewer_options,
#endif
                                                    general_options, NULL };
static const struct option *const dump_groups[] = { input_options, format_options, dump_options,    filter_options,
                                                    range_options, text_options,   general_options, NULL };
static const struct option *const info_groups[] = { input_options,  format_options,  info_options,
                                                    schema_options, range_options,   text_options,
                                                    fail_options,   general_options, NULL };
static const struct option *const compare_groups[] = { input_options, format_options,  info_options, range_options,
                                                       text_options,  general_options, NULL };
static const struct option *const check_groups[] = { input_options, format_options,  check_options, range_options,
                                                     text_options,  general_options, NULL };
static const struct option *const record_groups[] = { record_options, format_options, general_options, NULL };
static const struct option *const plain_groups[] = { help_options, NULL };

static const struct example completion_examples[] = {
    { "source <(tonkopf completion bash)", "for this bash" },
    { "tonkopf completion zsh > ~/.zfunc/_tonkopf", "for every zsh, with ~/.zfunc in fpath" },
    { "tonkopf completion fish | source", "for this fish" },
    { 0 },
};

static const struct example no_examples[] = { { 0 } };

#define INPUT_DETAILS                                                                                                  \
    "INPUT is a file, a folder, a pattern such as \"*.bin\", or - for standard input. NAME@N says that the file "      \
    "holds core N. Gzip, zip, tar, hex, base64 and the "                                                               \
    "JSON of demo files are recognised by content. Several inputs become one recording when @N, their names or their " \
    "content says that they belong together; otherwise each is a recording of its own."

const struct command commands[] = {
    { .name = "conv",
      .operands = "INPUT...",
      .summary = "Convert recordings to Perfetto traces.",
      .details = INPUT_DETAILS " The trace is written beside its final name and renamed when it is complete. On a "
                               "pipe, Ctrl-C ends the recording and the trace is complete up to there.",
      .groups = conv_groups,
      .examples = conv_examples,
      .run = cmd_convert },
    { .name = "dump",
      .operands = "INPUT...",
      .summary = "Print what is in a recording, one line per item.",
      .details = INPUT_DETAILS,
      .groups = dump_groups,
      .examples = dump_examples,
      .run = cmd_dump },
    { .name = "info",
      .operands = "INPUT...",
      .summary = "Report on a recording: times, load, losses, problems.",
      .details = INPUT_DETAILS,
      .groups = info_groups,
      .examples = info_examples,
      .run = cmd_info },
    { .name = "check",
      .operands = "RULES INPUT...",
      .summary = "Judge recordings by a file of rules: deadlines, loads, losses.",
      .details = "RULES is a text with one rule per line, such as cpu.load<80% or deadline Motor 5ms; # begins a "
                 "comment. " INPUT_DETAILS " A rule holds only if the recording proves it: what was not measured does "
                 "not hold. Exit code: 0 all rules hold, 1 a rule fails or is not measured, 2 a rule is wrong, 3 an "
                 "input could not be read.",
      .groups = check_groups,
      .examples = check_examples,
      .run = cmd_check },
    { .name = "compare",
      .operands = "BEFORE AFTER",
      .summary = "Compare the figures of two recordings.",
      .details = "Each is a recording, or the JSON of an earlier `tonkopf info --json`. Rows of tables are matched by "
                 "their names.",
      .groups = compare_groups,
      .examples = compare_examples,
      .run = cmd_compare },
    { .name = "record",
      .operands = "SOURCE",
      .summary = "Record from a running target, with its figures.",
      .details =
          "SOURCE is serial:PORT@BAUD, tcp:HOST:PORT, jlink:HOST:PORT/CHANNEL, gdb:HOST:PORT, the path of a pipe "
          "or device, or - for standard input. Waits for a source that is not there yet, and for one that is gone. "
          "Ctrl-C ends the recording; its files are complete then.",
      .groups = record_groups,
      .examples = record_examples,
      .run = cmd_record },
#ifdef CLI_SERVE
    { .name = "serve",
      .operands = "FILE",
      .summary = "Serve a trace for Perfetto on this computer.",
      .details = "Serves this one file to Perfetto on 127.0.0.1 and ends when it was fetched. A second link leads to a "
                 "page that hands the trace "
                 "over inside the browser: for Safari, for browsers that were told not to reach local programs, and "
                 "when port 9001 is busy.",
      .groups = serve_groups,
      .examples = serve_examples,
      .run = cmd_serve },
#endif
    { .name = "completion",
      .operands = "SHELL",
      .summary = "Print a completion script.",
      .details = "SHELL is bash, zsh, fish, powershell or elvish.",
      .groups = plain_groups,
      .examples = completion_examples,
      .operand_choices = "bash|zsh|fish|powershell|elvish",
      .run = cmd_completion },
    { .name = "help",
      .operands = "[COMMAND]",
      .summary = "Show help.",
      .details = "Shows the commands, or the help of one command.",
      .groups = plain_groups,
      .examples = no_examples,
      .operand_choices = "conv|dump|info|check|compare|record|"
#ifdef CLI_SERVE
                         "serve|"
#endif
                         "completion",
      .run = cmd_help },
    { .name = "man",
      .operands = "",
      .summary = "Print the man page.",
      .details = "",
      .groups = plain_groups,
      .examples = no_examples,
      .hidden = true,
      .run = cmd_man },
    { .name = "options-json",
      .operands = "",
      .summary = "Print the table of commands as JSON.",
      .details = "",
      .groups = plain_groups,
      .examples = no_examples,
      .hidden = true,
      .run = cmd_options_json },
};

const size_t command_count = sizeof commands / sizeof commands[0];
