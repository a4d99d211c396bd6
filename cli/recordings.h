// SPDX-License-Identifier: MIT
//
// From sources to recordings: looks at every block of every source, and groups those that belong together.
#ifndef CLI_RECORDINGS_H
#define CLI_RECORDINGS_H

#include "source.h"

// One binary input: a block of a source.
struct input {
    struct source *source;
    uint32_t block;
    char name[512];       // for reports
    int32_t named_core;   // by @N or by the text, else -1
    int32_t core;         // as grouped, or -1
    uint32_t group;
    char encoding[160];   // why the source was taken as binary, hex ...
    const char *group_reason;
    struct tk_probe probe;
};

struct input_list {
    struct input *items;
    size_t count;
};

struct workload {
    struct source_list sources, side_sources;
    struct input_list inputs, sides; // inputs sorted by group; within one in the order given
    uint32_t groups;
    bool skipped; // an input that was named is no recording: exit code 3 at the end
};

// Finds, looks and groups all that the settings name. On failure a message was printed; returns an exit code.
int workload_find(const struct settings *settings, struct workload *out_workload);
// The input that is also the file that `path` leads to ("-" or NULL: standard output), as a message; false: there is none.
bool workload_has_output(const struct workload *workload, const char *path);
// Format of an input: as named by --type, else as recognised; NULL: neither.
const char *input_format(const struct input *input, const struct settings *settings);
// Whether a side input can help to read a recording: it is of the same format.
bool input_serves(const struct input *side, const struct input *recording, const struct settings *settings);
bool workload_read_failed(const struct workload *workload); // an input could not be read to its end
void workload_release(struct workload *workload);

// The inputs of one group: returns the first, sets the count.
struct input *workload_group(const struct workload *workload, uint32_t group, size_t *out_count);

#endif
