// SPDX-License-Identifier: MIT
//
// What the events of a recorder mean: who runs and acts, which objects there are, and what the model hears of it.
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
}; // numbers of the model: the marker of tasks that shows runnables; the one heap that events tell of

// What happens on a core now.
struct psf_context {
    struct psf_object *task;             // that runs; NULL: not known
    struct psf_object *isrs[PSF_NESTED]; // open ones, outermost first
    uint32_t depth;
    uint64_t named;    // an address whose name waits for the next event, which may create the object
    uint32_t name_len; // 0: none waits
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
    struct psf_object *timer_task, *timer_queue; // NULL: not known
    struct tk_symbols *symbols;                  // texts that stand in the program only
    struct tk_idmap numbers;                     // of user events: name of the number -> value of the model
    uint64_t tick;                               // OS ticks that the model was told
    int64_t heap_change;                         // in a memory image: bytes that its events allocate
    int64_t heap_level;                          // bytes of the heap when the section began
    bool heap_level_emitted;                     // the model knows that
    bool begun;                                  // an event was seen
    bool logs;                                   // user events are log messages as well
};

void psf_map_init(struct psf_map *map, const struct tk_decode_host *host);
void psf_map_entry(struct psf_session *session, const struct psf_entry *entry);
// The first event behind a header, or of all, follows. lost: events between this section and the one before.
void psf_map_section(struct psf_session *session, struct psf_out *out, uint64_t lost);
// Where events are mapped in the merge: the codes of an extension are needed when the next event is decoded. event: of
// the record PSF_OBJ_NAME or PSF_EXTENSION_CREATE.
void psf_extend_by_entry(struct psf_session *session, const struct psf_entry *entry);
void psf_extend_by_event(struct psf_session *session, const struct psf_event *event);
// A target that was reset: nobody is known to run on this core.
void psf_map_reset(struct psf_session *session, struct psf_out *out, uint8_t core);
void psf_map_event(struct psf_session *session, struct psf_out *out, const struct psf_step *step);
// Events of a core are missing since `since`: where other cores go on meanwhile, tells the model before the events of
// those are merged.
void psf_map_gap_begin(const struct psf_session *session, struct psf_out *out, uint64_t since);
// Events of a core are missing since `since`, before what follows.
void psf_map_gap(struct psf_session *session, struct psf_out *out, uint32_t missing, uint64_t damaged, uint64_t since);
// A memory image: its events before they are taken, and when all have been seen.
void psf_map_prescan(struct psf_session *session, const struct psf_event *event);
void psf_map_prescan_end(struct psf_session *session);
void psf_map_end(struct psf_session *session, struct psf_out *out);
// dump.c. The record at hand for a dump, which is a struct psf_dump_record.
struct psf_dump_record {
    struct psf_session *session;
    struct psf_out *out;
    const struct psf_step *step;
};
void psf_dump_show(const struct tk_decode_host *host, const void *shown);
bool psf_map_summary_line(const struct psf_session *session, uint32_t index, char out_text[TK_SUMMARY_LEN]);

#endif
