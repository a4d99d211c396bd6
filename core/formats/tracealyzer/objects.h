// SPDX-License-Identifier: MIT
//
// Objects of the target. The stream identifies them by address, which another object may have later: each lifetime of
// an address gets an id of its own. The name of an object may come before, during or after its use.
#ifndef TK_FORMATS_TRACEALYZER_OBJECTS_H
#define TK_FORMATS_TRACEALYZER_OBJECTS_H

#include "../../base/arena.h"
#include "../../base/idmap.h"
#include "../../base/strtab.h"
#include "../../base/text.h"
#include "out.h"

enum psf_class {
    PSF_IS_ANY,
    PSF_IS_TASK,
    PSF_IS_QUEUE,
    PSF_IS_SEMAPHORE,
    PSF_IS_MUTEX,
    PSF_IS_STREAM,
    PSF_IS_MESSAGE,
    PSF_IS_GROUP,
    PSF_IS_TIMER,
    PSF_IS_ISR,
    PSF_IS_CHANNEL,
    PSF_IS_MACHINE,
    PSF_IS_STATE,
    PSF_IS_INTERVAL,
    PSF_IS_SET,
    PSF_IS_COUNTER,
    PSF_IS_RUNNABLE,
    PSF_IS_HEAP,
    PSF_IS_EXTENSION,
    PSF_IS_DEPENDENCY,
    PSF_CLASSES
};

// Ids of the model are assigned per space.
enum psf_space {
    PSF_NO_SPACE,
    PSF_TASKS,
    PSF_QUEUES,
    PSF_GROUPS,
    PSF_TIMERS,
    PSF_ISRS,
    PSF_MARKERS,
    PSF_MACHINES,
    PSF_SYMBOLS,
    PSF_INTERVALS,
    PSF_VALUES,
    PSF_SPACES
};

enum { PSF_MAX_OBJECTS = 65536 };

struct psf_object {
    uint64_t address;
    uint64_t states[3];              // from the table of entries
    uint32_t id;                     // id in the model; 0: none yet
    uint32_t name;                   // string id; 0: none
    uint32_t entry_name;             // in a memory image: the name at its end
    uint32_t options;                // from the table of entries
    uint64_t first_ns;               // time of its first event
    uint32_t priority;               // first priority of a task, or priority of an interrupt, plus 1; 0: unknown
    uint32_t present;                // current priority plus 1; 0: unknown
    uint32_t contradicting_priority; // priority plus 1 in an event that contradicts `present`; 0: none
    struct psf_object *related;  // for a task: the buffer that it waits for; for an interval: its set; for a channel:
                                 // unused
    uint16_t cores;              // for an interrupt: bit per core that served it
    uint8_t first_core;          // core of its first event
    uint8_t class;               // enum psf_class
    uint8_t kind;                // enum tk_queue_kind as the model knows it
    uint8_t operation;           // for a task: its operation on the buffer
    uint8_t contradicting_class; // class in an event that contradicts the recording (check.c); PSF_IS_ANY: none
    bool listed;                 // its states are those at the start of the recording
    bool dead;                   // the object was deleted, so its address will belong to another one
    bool dying;                  // a task that deleted itself and still runs
    bool fresh;                  // a mutex that was just created
    bool mortal;                 // in a memory image: created or deleted before its end
    bool inherits;               // a task that has inherited a priority and not given it back
    bool idle;                   // a task that is known as idle
    bool created;                // the recording contains its creation
};

struct psf_objects {
    struct tk_alloc *alloc;
    struct tk_diag *diag;
    struct tk_arena memory;
    struct tk_idmap by_address;
    struct psf_object **list;
    uint32_t count, capacity;
    struct psf_object overflow; // stands for all objects above the limit
    struct tk_strtab names;
    struct tk_idmap free_tasks; // maps a name to the id of a dead task
    uint32_t next_id[PSF_SPACES];
    uint32_t idle_name; // string id; 0: idle tasks are recognised by their default name
};

void psf_objects_init(struct psf_objects *objects, struct tk_alloc *alloc, struct tk_diag *diag);

// Returns the living object at the address, of any class; creates it if there is none.
struct psf_object *psf_object_at(struct psf_objects *objects, uint64_t address);
// Returns the object at the address; NULL: there has never been one.
struct psf_object *psf_object_known(const struct psf_objects *objects, uint64_t address);
// Returns the object at the address as one of this class. An object that is dead or of another class is replaced by a
// new one, which is introduced to the model.
struct psf_object *psf_object_as(struct psf_objects *objects, struct psf_out *out, uint64_t address,
                                 enum psf_class class);
// Marks a task as dead. The next task with its name gets its id.
void psf_task_died(struct psf_objects *objects, struct psf_object *task);
// Begins a new object at the address.
void psf_object_renew(struct psf_object *object);
// Names an object. A full name is not replaced by a cut one.
void psf_object_name(struct psf_objects *objects, struct psf_out *out, struct psf_object *object, const char *text,
                     size_t len);
// Emits the current name.
void psf_object_emit_name(const struct psf_objects *objects, struct psf_out *out, const struct psf_object *object);
// Introduces an interrupt on a core that serves it for the first time. Handles of interrupts are global, but the model
// numbers interrupts per core.
void psf_object_use_on_core(const struct psf_objects *objects, struct psf_out *out, struct psf_object *isr,
                            uint8_t core);
void psf_emit_isr_priority(struct psf_out *out, const struct psf_object *isr);
// Marks an idle task, as soon as its name and its first priority are known.
void psf_object_check_idle(struct psf_objects *objects, struct psf_out *out, struct psf_object *task);
// Appends the name of the object, or its class and address.
void psf_object_words(const struct psf_objects *objects, const struct psf_object *object, struct tk_text *text);
const char *psf_object_text(const struct psf_objects *objects, uint32_t name, size_t *out_len);
uint32_t psf_next_id(struct psf_objects *objects, enum psf_space space);
const char *psf_class_words(enum psf_class class); // such as "event group"
enum tk_queue_kind psf_queue_kind(enum psf_class class);

#endif
