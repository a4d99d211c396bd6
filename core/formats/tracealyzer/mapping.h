// SPDX-License-Identifier: MIT
//
// Declarations that the files of the mapping share: map.c (tasks and interrupts), map_objects.c (kernel objects),
// map_user.c (events of the application).
#ifndef TK_FORMATS_TRACEALYZER_MAPPING_H
#define TK_FORMATS_TRACEALYZER_MAPPING_H

#include "session.h"
#include "../kit/printf.h"

// The columns of records.def that describe the operation.
enum psf_operation {
    PSF_OP_NONE,
    PSF_OP_PLAIN,
    PSF_OP_BINARY,
    PSF_OP_COUNTING,
    PSF_OP_RECURSIVE,
    PSF_OP_SEND,
    PSF_OP_SEND_FIRST,
    PSF_OP_RECEIVE,
    PSF_OP_PEEK,
    PSF_OP_RESET,
    PSF_OP_SET,
    PSF_OP_CLEAR,
    PSF_OP_WAIT,
    PSF_OP_SYNC,
    PSF_OP_TIMER_START,
    PSF_OP_TIMER_RESET,
    PSF_OP_TIMER_STOP,
    PSF_OP_TIMER_PERIOD,
    PSF_OP_TIMER_DELETE,
    PSF_OP_PRIORITY_SET,
    PSF_OP_PRIORITY_INHERIT,
    PSF_OP_PRIORITY_DISINHERIT,
    PSF_OP_ALLOCATE,
    PSF_OP_FREE,
    PSF_OP_BEGIN,
    PSF_OP_END,
    PSF_OP_NEXT,
    PSF_OP_DIRECT
};

enum { PSF_STARTUP = 2 }; // address of the context that runs before the scheduler starts
enum { PSF_DONE, PSF_FAILED = 1, PSF_BLOCK = 2, PSF_FROM_ISR = 4, PSF_IS_RECURSIVE = 8 }; // flags of `outcome`

// An event that is being mapped to the model.
struct psf_mapping {
    struct psf_session *session;
    struct psf_map *map;
    struct psf_context *context; // context of the core of the event
    struct psf_out *out;
    const struct psf_step *step;
    uint64_t subject;          // first parameter: the address of the object
    struct psf_object *object; // the object of the event, of any class; NULL: unknown, or the event introduces it
    uint8_t class, operation, outcome;
};

static inline uint64_t psf_arg(const struct psf_mapping *m, unsigned index) {
    return psf_param(&m->session->layout, &m->step->event, index);
}
static inline unsigned psf_args(const struct psf_mapping *m) { return m->step->event.params; }
// Returns the object of the event, as one of the class in the event.
static inline struct psf_object *psf_subject(const struct psf_mapping *m) {
    struct psf_object *object = m->object;
    if (object && object->class == m->class && !object->dead) return object;
    return psf_object_as(&m->map->objects, m->out, m->subject, (enum psf_class)m->class);
}
static inline uint32_t psf_u32_of(uint64_t number) { return number > UINT32_MAX ? UINT32_MAX : (uint32_t)number; }
static inline struct tk_event *psf_emit(const struct psf_mapping *m, enum tk_event_kind kind) {
    return psf_emit_event(m->out, kind);
}

struct tk_event *psf_emit_text(const struct psf_mapping *m, enum tk_event_kind kind, const struct tk_text *text);
// Emits an event with the text `words`, the name of the object, `more`.
struct tk_event *psf_emit_static_text(const struct psf_mapping *m, enum tk_event_kind kind, const char *words,
                                      const struct psf_object *object, const char *more);
// Emits a failed call of the kernel. value: an additional value of the event, or NULL.
void psf_emit_failure(const struct psf_mapping *m, const struct tk_text *text, const struct tk_value *value);
void psf_put_object(const struct psf_mapping *m, struct tk_text *text, const struct psf_object *object);
// Copies values into memory that lasts as long as the event.
void psf_set_values(struct psf_out *out, struct tk_event *event, const struct tk_value *values, unsigned count);

bool psf_is_called(const struct psf_map *map, const struct psf_object *object, const char *name);

void psf_emit_limits(struct psf_out *out, uint32_t counter, int64_t low, int64_t high);

// Emits the heap level at the start of the section, once.
void psf_emit_heap(struct psf_map *map, struct psf_out *out);

typedef void psf_handler(const struct psf_mapping *m);

// check.c
// Returns false if the event contradicts the recording before it: then it is damaged. object: that of the event; NULL:
// the recording has not introduced it.
bool psf_agrees(const struct psf_mapping *m, struct psf_object *object);
// As psf_agrees, for another object of the event.
bool psf_agrees_with(const struct psf_mapping *m, uint64_t address, enum psf_class class);
// Returns false if the priority of a task that is switched in is not the known one, and no earlier switch confirms it.
// Reports it.
bool psf_accepts_priority(const struct psf_mapping *m, struct psf_object *task);
// Returns false if the tick is before that of the last tick event, or too far after it.
bool psf_tick_agrees(const struct psf_mapping *m);
// Reports the event as damaged. The model treats it as lost.
void psf_report_contradiction(const struct psf_mapping *m);
// map_objects.c
psf_handler psf_on_create, psf_on_create_refused, psf_on_delete, psf_on_queue, psf_on_event_group, psf_on_timer,
    psf_on_timer_expired, psf_on_notify, psf_on_notify_wait;
// map_user.c
psf_handler psf_on_user_event, psf_on_extension, psf_on_extension_create, psf_on_kernel_call, psf_on_machine_create,
    psf_on_state_create, psf_on_state, psf_on_interval_create;
psf_handler psf_on_interval, psf_on_set_create, psf_on_counter_create, psf_on_counter, psf_on_counter_limit,
    psf_on_runnable_name, psf_on_runnable, psf_on_dependency;
psf_handler psf_on_heap, psf_on_heap_create;
// Registers the range of codes of an extension.
void psf_add_extension(struct psf_session *session, struct psf_object *object, uint64_t base, uint64_t count);
// Reads a user event: its text with the arguments, its channel, and whether only the address of its text is known.
void psf_read_user_event(struct psf_map *map, const struct psf_layout *layout, const struct psf_event *event,
                         struct tk_text *text, struct tk_printf *format, bool *out_fixed);

#endif
