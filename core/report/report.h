// SPDX-License-Identifier: MIT
//
// What was found in a recording, for programs (JSON, docs/REPORT.md) and for people (text).
// The owner of the conversion fills in a tk_report: figures, borrowed pointers to the statistics and the
// problems, and callbacks that name one entity at a time. Writing it allocates nothing and changes nothing.
#ifndef TK_REPORT_REPORT_H
#define TK_REPORT_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../base/diag.h"
#include "../model/stats.h"

// The same as tk_write_fn of the public header. False: refused.
typedef bool (*tk_report_write_fn)(void *ctx, const char *text, size_t len);

enum { TK_REPORT_TEXT = 128, TK_REPORT_FACT = 192 };

// A borrowed string; valid UTF-8. Need not be terminated.
struct tk_report_string {
    const char *text;
    size_t len;
};

enum tk_report_tick_source { TK_TICK_FROM_RECORDING, TK_TICK_FROM_OPTION, TK_TICK_FROM_SIDE, TK_TICK_ASSUMED };

struct tk_report_input {
    struct tk_report_string name;
    bool side;      // helps to read the recordings
    uint64_t bytes; // fed
    uint64_t decoded, skipped, left; // of them: in events, skipped, behind the last whole frame
    const uint64_t *skipped_by; // TK_DIAG_COUNT numbers, one per problem that was the reason; NULL: not known
    uint64_t frames;
    int32_t core;   // -1: not of one core
};

struct tk_report_task {
    uint32_t id;
    int32_t pid;
    struct tk_report_string name;
    bool idle;
    bool has_priority;
    uint32_t priority;
    char wait_on[TK_REPORT_TEXT]; // what the longest wait was for ("receive from commands"), terminated, "" if none
};

struct tk_report_isr {
    uint32_t core, id;
    struct tk_report_string name;
};

struct tk_report_queue {
    uint32_t id;
    struct tk_report_string name;
    const char *kind; // static: "queue", "mutex" ...
};

// Fills *out (zeroed before the call) for entity `index` of the statistics. False: leave it out of the report.
// Strings must live until the next call of any callback.
struct tk_report_source {
    const void *ctx;
    bool (*input)(const void *ctx, uint32_t index, struct tk_report_input *out_input);
    bool (*fact)(const void *ctx, uint32_t input, uint32_t index, char out_text[TK_REPORT_FACT]); // a sentence about an input; false: no more
    bool (*task)(const void *ctx, uint32_t index, struct tk_report_task *out_task);
    bool (*isr)(const void *ctx, uint32_t index, struct tk_report_isr *out_isr);
    bool (*queue)(const void *ctx, uint32_t index, struct tk_report_queue *out_queue);
    bool (*marker)(const void *ctx, uint32_t index, struct tk_report_string *out_name); // rows of the strip; may be NULL
    const char *(*kind)(uint8_t kind); // name of a kind of event ("task switched in"); NULL: "kind 17"
};

struct tk_report {
    const char *tool;         // "Tonkopf 0.1.0"
    const char *format_name;  // "" when not recognised
    const char *format_title;
    const char *mode;         // "" where the format has none
    const char *probe_reason; // why the format was (not) recognised, one sentence; "" if unknown
    uint64_t tick_ns;         // as used in the output, >= 1
    enum tk_report_tick_source tick_source;
    uint64_t counts_per_tick; // of the target's own tick, where the length of a count is not known; 0: unknown
    bool tick_late;           // known only after the first output; said so because the output could not be corrected
    uint64_t bytes_in;        // of all recordings
    uint64_t drops, drops_before, restarts;
    uint64_t bytes_out, packets;
    uint32_t input_count, task_count, isr_count, queue_count, marker_count; // indices for the source
    struct tk_report_source source;
    const struct tk_stats *stats;
    const struct tk_diag *diag;
    const char *const *expand; // regular expressions over track names for the viewer
    uint32_t expand_count;
    const char *const *collapse;
    uint32_t collapse_count;
    const char *const *pin;
    uint32_t pin_count;
};

// False when `write` refused.
bool tk_report_write_json(const struct tk_report *report, tk_report_write_fn write, void *ctx);
bool tk_report_write_text(const struct tk_report *report, tk_report_write_fn write, void *ctx);

// ---- Shared by the two forms ----

// Sentences that explain an empty or tiny result, static; returns how many (none: nothing to explain).
enum { TK_REPORT_EXPLAIN_MAX = 8 };
size_t tk_report_explain(const struct tk_report *report, const char *out_sentences[TK_REPORT_EXPLAIN_MAX]);

// Ids of the problems that occurred, loss first, then damage, notice, info; returns how many.
size_t tk_report_problems(const struct tk_diag *diag, enum tk_diag_id out_ids[TK_DIAG_COUNT]);

// Where the time of one core went, in ticks; together the duration of the recording.
struct tk_report_time {
    uint64_t busy;       // tasks other than idle tasks, without the interrupts that ran meanwhile
    uint64_t idle;       // idle tasks, or nobody ran; likewise
    uint64_t interrupt;  // in interrupts, whatever they interrupted
    uint64_t outside;    // outside interrupts, where no task is known to exist
    uint64_t unmeasured; // nobody knows: before the first switch, where events were lost, where an end was lost
};
void tk_report_core_time(const struct tk_report *report, uint32_t core, struct tk_report_time *out_time);
// Cores that occur: bit n = core n.
uint32_t tk_report_cores(const struct tk_report *report);

uint64_t tk_report_ns(const struct tk_report *report, uint64_t ticks); // saturates
uint64_t tk_report_mean_ns(const struct tk_report *report, uint64_t total_ticks, uint64_t count); // rounded; 0 when count is 0
// "5b 7f 02"; terminated.
enum { TK_REPORT_HEX_LEN = 3 * TK_DIAG_CONTEXT + 1 };
void tk_report_hex(const struct tk_diag_spot *spot, char out_text[TK_REPORT_HEX_LEN]);
// Name of a kind of event; `buffer` holds it when the source has none.
const char *tk_report_kind(const struct tk_report *report, uint8_t kind, char buffer[16]);
// part / whole in units of 1/scale, rounded, without overflow; 0 when whole is 0. scale <= 2^20.
uint64_t tk_report_fraction(uint64_t part, uint64_t whole, uint32_t scale);

#endif
