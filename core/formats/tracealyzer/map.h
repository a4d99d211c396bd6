// SPDX-License-Identifier: MIT
//
// The meaning of a recorder's events: tasks, interrupts, objects, and the events of the model.
#ifndef TK_FORMATS_TRACEALYZER_MAP_H
#define TK_FORMATS_TRACEALYZER_MAP_H

#include "decode.h"
#include "objects.h"
#include "order.h"
#include "out.h"

struct psf_session;

enum { PSF_EXTENSIONS = 16, PSF_NAME = 128 };
enum {
    PSF_RUNNABLES = 1,
    PSF_SYSTEM_HEAP = 1
}; // ids in the model: the marker of tasks that shows runnables; the only heap in the events

// The current state of a core.
struct psf_context {
    struct psf_object *task;             // the running task; NULL: unknown
    struct psf_object *isrs[PSF_NESTED]; // open interrupts, outermost first
    uint32_t depth;
    uint64_t named;    // address of an object whose name waits for the next event, which may create the object
    uint32_t name_len; // 0: no name waits
    char name[PSF_NAME];
};

struct psf_map {
    struct psf_objects objects;
    struct psf_context contexts[PSF_MAX_CORES];
    struct {
        uint64_t base, count;
        struct psf_object *object;
    } extensions[PSF_EXTENSIONS];
    uint32_t extension_count;
    struct psf_object *timer_task, *timer_queue; // NULL: unknown
    struct tk_symbols *symbols;                  // source of texts that only the program contains
    struct tk_idmap numbers;                     // of user events: maps the name of a number to a value of the model
    uint64_t tick;                               // OS ticks that were emitted
    int64_t heap_change;                         // in a memory image: bytes that its events allocate
    int64_t heap_level;                          // bytes of the heap at the start of the section
    bool heap_level_emitted;                     // `heap_level` was emitted
    uint32_t introduced, not_introduced;         // bit per class: events used an object that the recording had
                                                 // introduced, or one that it had not
    bool priorities_agree;                       // a switch had the known priority of its task
    bool ticks_known;                            // `tick` is that of an event since the last loss
    bool begun;                                  // there was an event
    bool complete;                               // the recording introduces each object: no event was lost
    bool logs;                                   // user events are shown as log messages as well
};

void psf_map_init(struct psf_map *map, const struct tk_decode_host *host);
void psf_map_entry(struct psf_session *session, const struct psf_entry *entry);
// Begins a section: the first event follows, or the first one after a header. lost: events between this section and the
// one before.
void psf_map_section(struct psf_session *session, struct psf_out *out, uint64_t lost);
// Used when events are mapped in the merge: registers the codes of an extension, because the next event needs them for
// decoding. event: that of the record PSF_OBJ_NAME or PSF_EXTENSION_CREATE.
void psf_extend_by_entry(struct psf_session *session, const struct psf_entry *entry);
void psf_extend_by_event(struct psf_session *session, const struct psf_event *event);
// Resets a core after a reset of the target: its running task is unknown.
void psf_map_reset(struct psf_session *session, struct psf_out *out, uint8_t core);
void psf_map_event(struct psf_session *session, struct psf_out *out, const struct psf_step *step);
// Marks the start of a loss on a core since `since`. Called before the events of the other cores, which continue, are
// merged.
void psf_map_gap_begin(const struct psf_session *session, struct psf_out *out, uint64_t since);
// Reports events of a core that are missing since `since`, before the next event.
void psf_map_gap(struct psf_session *session, struct psf_out *out, uint32_t missing, uint64_t damaged, uint64_t since);
// For a memory image: psf_map_prescan examines each event in advance, before any is taken.
void psf_map_prescan(struct psf_session *session, const struct psf_event *event);
void psf_map_prescan_end(struct psf_session *session);
void psf_map_end(struct psf_session *session, struct psf_out *out);
// dump.c: shows the current record, a struct psf_dump_record, in a dump.
struct psf_dump_record {
    struct psf_session *session;
    struct psf_out *out;
    const struct psf_step *step;
};
void psf_dump_show(const struct tk_decode_host *host, const void *shown);
bool psf_map_summary_line(const struct psf_session *session, uint32_t index, char out_text[TK_SUMMARY_LEN]);

#endif
