// SPDX-License-Identifier: MIT
//
// Runs one recording through the library: options, inputs, side inputs, feeding, progress, report.
#ifndef CLI_ENGINE_H
#define CLI_ENGINE_H

#include "recordings.h"

struct engine {
    const struct settings *settings;
    const struct workload *work;
    const struct input *inputs[TK_MAX_INPUTS]; // as the handle numbers them: what helps to read the recording, then its
                                               // files
    size_t input_count, side_count;
    const struct input *first; // of its files
    tk *handle;
    void (*after_piece)(void *ctx); // may be NULL
    void *ctx;
    struct keep *keep; // where what comes live is kept; NULL: nowhere
    bool show_progress;
    struct bytes report;              // JSON, terminated; after engine_run
    tk_status status;                 // of tk_finish
    bool interrupted;                 // stopped by the user
    uint64_t read_bytes, total_bytes; // of the inputs as they lie there; total 0: unknown
};

// Whether the library takes the options, whatever the recordings are. False: a message was printed (exit code
// EXIT_USAGE).
bool engine_accepts(const struct settings *settings);
// A handle with options and inputs. False: a message was printed (exit code EXIT_USAGE).
bool engine_prepare(struct engine *engine, const struct settings *settings, const struct workload *work,
                    uint32_t group);
// Feeds everything, finishes, fetches the report. False: a fatal error, a message was printed unless the sink refused.
bool engine_run(struct engine *engine);
void engine_release(struct engine *engine);

// Anything that is read as it comes.
bool engine_is_live(const struct engine *engine);

// Name of the input that has what the word of --fail-on names; NULL: none.
const char *engine_find_trouble(const struct engine *engine, const char *word);
bool engine_has_times(const struct engine *engine); // false: --fail-on has nothing to judge
// Whether --fail-on names something that the report has, or there was nothing to judge; tells which.
bool engine_fails(const struct engine *engine);
// What of the chosen time there is nothing to be found in, as a message.
void engine_report_range(const struct engine *engine);
// Files of symbols that served nobody, or not wholly: a dump tells it nowhere else.
void engine_report_symbols(const struct engine *engine);
// Says how far it came and returns the exit code.
int engine_report_stopped(const struct engine *engine);
// A time of the report for users; returns out.
const char *engine_time_text(const struct engine *engine, uint64_t ns, char out[48]);
// Problems of the recording, as messages.
void engine_report_problems(const struct engine *engine);

// The worse of two exit codes, for several recordings.
int exit_code_join(int a, int b);

#endif
