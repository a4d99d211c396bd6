// SPDX-License-Identifier: MIT
//
// The host of a conversion (tonkopf.h): reads files and pipes, passes on outputs and messages, and stops when the user
// asks for it.
#ifndef CLI_HOST_H
#define CLI_HOST_H

#include "keep.h"
#include "progress.h"
#include "source.h"
#include "tonkopf.h"

struct host_file; // an open source

struct host {
    const struct settings *settings;
    struct sources sources;
    tk_conversion *conversion;
    struct host_file *files; // by number of the source: those of --with first
    size_t file_count;
    const char *keep_path; // set by the command: what comes live is kept here; NULL: nowhere
    struct keep *keep;
    bool show_progress;       // set by the command
    bool ignores_unused;      // set by the command: no message about options of other formats
    bool keeps_partial;       // set by the command: what was read before the user stopped it is of use
    bool is_live;             // anything is read as it comes
    bool is_stopped;          // by the user
    bool output_failed;       // something could not be written, a message was printed
    struct progress progress; // of the output that is open
    uint64_t read_bytes, total_bytes;
    tk_report *report; // during on_close: of the open output, with its verdicts; a command may take it
    // Callbacks of the command. on_close is required; of the others NULL does nothing. ctx belongs to the command.
    void *ctx;
    int (*on_plan)(struct host *host); // all sources are recognised: EXIT_FINE goes on
    // An output begins. False: it is left out, a message was printed and *out_exit is set.
    bool (*on_open)(struct host *host, uint32_t output, const struct source *first, bool *out_can_rewrite,
                    int *out_exit);
    bool (*on_write)(struct host *host, const uint8_t *bytes, size_t len); // false: a message was printed, or the
                                                                           // reader has gone
    bool (*on_rewrite)(struct host *host, const uint8_t *bytes, size_t len);
    bool (*is_closed)(struct host *host); // on_write failed because the reader has gone: no error
    int (*on_close)(struct host *host);
    void (*on_discard)(struct host *host);
};

// Whether the library takes the options, whatever the recordings are. False: a message was printed (exit code
// EXIT_USAGE).
bool host_accepts(const struct settings *settings);
// Converts all that the settings name. output: as the setting of that name of a conversion. Returns an exit code.
int host_run(struct host *host, const char *output);
void host_release(struct host *host);

// Between on_open and on_close: the name of the first file of the recording.
const char *host_name(const struct host *host);
const struct source *host_source(const struct host *host, uint32_t number);
// The input with a number of the open output's handle.
void host_input(const struct host *host, uint32_t number, struct tk_conversion_input *out_input);
// Prints how far it came and returns the exit code.
int host_report_stopped(const struct host *host);
// The worse of two exit codes.
int exit_code_join(int a, int b);

#endif
