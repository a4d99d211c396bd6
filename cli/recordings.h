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
    char name[512];     // for reports
    int32_t named_core; // that the text names, else -1
    uint32_t container; // of what came out of one file: its number; else 0
    bool is_block;      // of several in its text: that is its container, else the archive
    bool is_side;       // named by --with
    char encoding[160]; // why the source was taken as binary, hex ...
    struct tk_probe probe;
    const struct tk_plan_input *plan; // what it is for
};

struct input_list {
    struct input *items;
    size_t count;
    uint32_t containers; // numbers given so far
};

struct workload {
    struct source_list sources, side_sources;
    struct input_list inputs;   // in the order given, those of --with first
    struct tk_plan_input *plan; // for each
    uint32_t groups;
    bool skipped; // an input that was named is no recording: exit code 3 at the end
};

// Finds, looks and groups all that the settings name. On failure a message was printed; returns an exit code.
int workload_find(const struct settings *settings, struct workload *out_workload);
// The same of one side of a comparison: of options that nobody takes nothing is said, since the other side may.
int workload_find_side(const struct settings *settings, struct workload *out_workload);
// Warns of options that are for other formats than all recordings of all of these.
void plan_report_unused(const struct workload *works, size_t count, const struct settings *settings);
// The input that is also the file that `path` leads to ("-" or NULL: standard output), as a message; false: there is
// none.
bool workload_has_output(const struct workload *workload, const char *path);
bool workload_read_failed(const struct workload *workload); // an input could not be read to its end
void workload_release(struct workload *workload);

// Whether an option is for recordings of a format: false of one that only others have. Common ones, and those that do
// not exist, are for all.
bool format_takes(const char *format, const char *key, size_t key_len);

// The inputs of one recording, in the order in which a handle takes them; returns how many. out_sides: of them those
// that only help to read it.
size_t workload_group(const struct workload *workload, uint32_t group, const struct input *out_inputs[TK_MAX_INPUTS],
                      size_t *out_sides);
// Its first file.
const struct input *workload_first(const struct workload *workload, uint32_t group);

#endif
