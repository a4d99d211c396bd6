// SPDX-License-Identifier: MIT
//
// The host of a conversion (tonkopf.h): reads files and pipes, passes outputs to the command, prints messages, and
// stops when the user requests it.
#ifndef CLI_HOST_H
#define CLI_HOST_H

#include "keep.h"
#include "output.h"
#include "progress.h"
#include "source.h"
#include "target.h"
#include "tonkopf.h"

struct host {
    const struct settings *settings;
    struct sources sources;
    tk_conversion *conversion;
    uint32_t output;          // number of the open output
    output *trace;            // set by on_open: gets the trace; the host discards it if it stays incomplete; NULL: none
    const char *keep_path;    // set by the command: file for a copy of the bytes of a pipe or device; NULL: none
    struct keep *keep;        // the open file; a command may set it instead of keep_path
    struct target *target;    // set by the command: standard input ("-") is read from this target; NULL: none
    const char *rules;        // set by the command: text of a file of rules that judges the reports; NULL: none
    bool show_progress;       // set by the command: shows the progress of each output
    bool ignores_unused;      // set by the command: no message about options of other formats
    bool keeps_partial;       // set by the command: completes the output of a conversion that the user stops
    bool is_live;             // a source is a pipe or a device
    bool is_stopped;          // the user stopped the conversion
    bool is_ended;            // the recording of the target has ended: by the user, by on_wait or by itself
    bool output_failed;       // a write failed, and a message was printed
    struct progress progress; // progress of the open output
    uint64_t read_bytes, total_bytes;
    tk_report *report; // during on_close: report of the open output with its verdicts; a command may take it
    // Callbacks of the command. on_close is required, the others may be NULL. ctx belongs to the command.
    void *ctx;
    int (*on_plan)(struct host *host); // called after all sources are recognised; EXIT_FINE: continue
    void (*on_error)(struct host *host, const struct tk_request *request); // called after each message of an error
    // Called when an output begins. Returns EXIT_FINE; or, after a message, another exit code, to skip the output.
    int (*on_open)(struct host *host, const struct source *first);
    bool (*on_write)(struct host *host, const uint8_t *bytes, size_t len); // prints lines; false ends the output
    int (*on_close)(struct host *host);                                    // commits the trace; returns an exit code
    void (*on_discard)(struct host *host);                                 // called after the trace was discarded
    // Called several times a second while the target is read. Returns false to end the recording.
    bool (*on_wait)(struct host *host);
};

// Converts all files that the settings name. kind: value of the setting "output" of a conversion. Returns an exit
// code.
int host_run(struct host *host, const char *kind);
void host_release(struct host *host);

// Returns the name of the first file of the recording, between on_open and on_close.
const char *host_name(const struct host *host);
// Finds the next input that is a recording of the open output, from number *at on, and advances *at. Returns false if
// there is none.
bool host_next_recording(const struct host *host, uint32_t *at, struct tk_conversion_input *out_input);
// Prints that the user stopped the conversion, and after how many bytes. Returns the exit code.
int host_report_stopped(const struct host *host);
// Returns the worse of two exit codes.
int exit_code_join(int a, int b);

#endif
