// SPDX-License-Identifier: MIT
//
// Objects of the target. The stream knows them by their address, which the next object may bear when one is deleted:
// each lifetime of an address has a number of its own. Its name may come before, while or after it is used.
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

// Numbers of the model are given out per space.
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
    uint64_t states[3];         // of the table of entries
    uint32_t id;                // number for the model; 0: none yet
    uint32_t name;              // string; 0: none
    uint32_t entry_name;        // in a memory image: the name at its end
    uint32_t options;           // of the table of entries
    uint64_t first_ns;          // time of its first event
    uint32_t priority;          // of a task: the first one, of an interrupt: the only one, plus 1; 0: not known
    uint32_t present;           // and the present one
    struct psf_object *related; // of a task: the buffer that it waits for; of an interval: its set; of a channel: none
    uint16_t cores;             // of an interrupt: those that served it, a bit each
    uint8_t first_core;         // of its first event
    uint8_t class;              // enum psf_class
    uint8_t kind;               // enum tk_queue_kind as the model knows it
    uint8_t operation;          // of a task: what it does with the buffer
    bool listed;                // its states are those of the moment at which the recording starts
    bool dead;                  // deleted: the address will be another object
    bool dying;                 // a task that deleted itself and still runs
    bool fresh;                 // a mutex that was just created
    bool mortal;                // in a memory image: deleted or created before its end
    bool idle;                  // a task that is known as idle
    bool created;               // the recording tells when it was made
};

struct psf_objects {
    struct tk_alloc *alloc;
    struct tk_diag *diag;
    struct tk_arena memory;
    struct tk_idmap by_address;
    struct psf_object **list;
    uint32_t count, capacity;
    struct psf_object overflow; // stands for all beyond the limit
    struct tk_strtab names;
    struct tk_idmap free_tasks; // name -> number of a task that is dead
    uint32_t next_id[PSF_SPACES];
    uint32_t idle_name; // string; 0: idle tasks are known by their usual name
};

void psf_objects_init(struct psf_objects *objects, struct tk_alloc *alloc, struct tk_diag *diag);

// What lives at the address, of whatever class; made where there is nothing.
struct psf_object *psf_object_at(struct psf_objects *objects, uint64_t address);
// NULL: nothing was ever there.
struct psf_object *psf_object_known(const struct psf_objects *objects, uint64_t address);
// The same as an object of this class: what is dead or of another class is followed by a new one. The model hears of
// it.
struct psf_object *psf_object_as(struct psf_objects *objects, struct psf_out *out, uint64_t address,
                                 enum psf_class class);
// A task is over: the next one of its name gets its number.
void psf_task_died(struct psf_objects *objects, struct psf_object *task);
// Another object begins at its address.
void psf_object_renew(struct psf_object *object);
// A full name stays where one that was cut comes later.
void psf_object_name(struct psf_objects *objects, struct psf_out *out, struct psf_object *object, const char *text,
                     size_t len);
// Its name as it is known now.
void psf_object_emit_name(const struct psf_objects *objects, struct psf_out *out, const struct psf_object *object);
// Handles of interrupts are global, the model numbers interrupts per core: introduces the interrupt on a core that
// serves it for the first time.
void psf_object_use_on_core(const struct psf_objects *objects, struct psf_out *out, struct psf_object *isr,
                            uint8_t core);
void psf_emit_isr_priority(struct psf_out *out, const struct psf_object *isr);
// An idle task by its name and first priority: told when both are known.
void psf_object_check_idle(struct psf_objects *objects, struct psf_out *out, struct psf_object *task);
// Appends its name, or its class and address.
void psf_object_words(const struct psf_objects *objects, const struct psf_object *object, struct tk_text *text);
const char *psf_object_text(const struct psf_objects *objects, uint32_t name, size_t *out_len);
uint32_t psf_next_id(struct psf_objects *objects, enum psf_space space);
const char *psf_class_words(enum psf_class class); // "event group"
enum tk_queue_kind psf_queue_kind(enum psf_class class);

#endif
