/* SPDX-License-Identifier: MIT */
/*
 * Records Tonbandgeraet events on the target. Applications include only this header. C11 and C++17.
 *
 * The application provides tband_config.h (start from tracer/config/tband_config.h) and tband_port.h (see
 * tracer/ports), and compiles tracer/src/tband.c. The recorder does not allocate memory and does not call the C
 * library.
 *
 * Context: functions that record events may be called from tasks and interrupts and before tracing was started, but not
 * from an interrupt that tband_portENTER_CRITICAL_FROM_ANY() does not mask (NMI, a fault). Functions that start, stop
 * and read are for tasks or before the start of the scheduler. With several cores, the very first call must have
 * returned before a second core calls. Cost: an event is encoded in one masked section, directly into its buffer; the
 * recorder never waits. Errors: an event that finds no space is discarded and counted. Events of a disabled group, and
 * events while recording is stopped, are discarded and not counted.
 *
 * Texts end with a zero byte, are truncated to tband_configMAX_STR_LEN bytes and copied; NULL is an empty text. The
 * application chooses its ids.
 */
#if !defined(TBAND_H) && !defined(__ASSEMBLER__) /* assemblers include FreeRTOSConfig.h too */
#define TBAND_H

#if defined(__cplusplus) && defined(__GNUC__)
#pragma GCC system_header /* so that casts of C are no warnings in C++ */
#endif

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tband_config.h"
#include "tband_defaults.h"

#define TBAND_NO_COMMAND (-3) /* of tband_command() */

#if tband_configENABLE == 1

#include "tband_build.h"
#include "tband_events.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- What is recorded ------------------------------------------------------------------------------------------ */

/* Sets the groups that are recorded, TBAND_GROUP_* or'ed together; all groups until the first call. Takes effect
 * with the next event. Names are always kept. Groups that tband_configGROUPS leaves out stay off. */
void tband_set_groups(uint32_t groups);
uint32_t tband_get_groups(void);

#if tband_configISR_FILTER_ENABLE == 1
/* Leaves out an interrupt, or records it again; all are recorded until the first call. isr_id: 0 to 255. Call it while
 * the interrupt is not active. */
void tband_set_isr_recorded(uint32_t isr_id, bool is_recorded);
extern volatile uint32_t tband_isr_left_out[8]; /* bit n of word m: interrupt 32 * m + n */
#endif

/* Returns true while events are recorded. */
bool tband_tracing_enabled(void);

/* Returns true when recording is stopped and the buffers of all cores (or of one core) are sent. Only a stream has
 * to wait for that. */
bool tband_tracing_finished(void);
bool tband_tracing_backend_finished(unsigned int core_id);

/* Returns the number of events of all cores that found no space; wraps at 2^32. The recording contains the same
 * number. */
uint32_t tband_get_dropped(void);

/* ---- Names and facts ------------------------------------------------------------------------------------------- */

/* Records the length of a tick and the clock rate. Every start function does so unless the application has; EXTERNAL
 * has no start function. */
void tband_record_resolution(void);
#define tband_gather_system_metadata() tband_record_resolution()

/* Returns the names and facts recorded on a core so far, as whole frames. They must precede the recording. Events never
 * overwrite them; with tband_configREUSE_NAMES, new names overwrite those of deleted objects. If some did not fit, the
 * last frame contains their number, and how many bytes are missing. */
const volatile uint8_t *tband_get_metadata_buf(unsigned int core_id);
size_t tband_get_metadata_buf_amnt(unsigned int core_id);
/* Returns the number of frames that did not fit into tband_configMETADATA_BUF_SIZE. Their names are missing unless
 * the recording contains their call. */
uint32_t tband_get_metadata_lost(unsigned int core_id);

#if TBAND_REUSES_NAMES
/* Called when an object is deleted, for example by the hooks of FreeRTOS: its names and facts may be overwritten. The
 * number of the object is not 0. */
void tband_note_task_deleted(uint32_t task);
void tband_note_queue_deleted(uint32_t queue);
#endif

#ifdef tband_configRUN_NUMBER
/* For tband_configRUN_NUMBER: returns the number of this run of the target. It counts from 1 as long as the RAM of the
 * control block keeps its content (tband_configCONTROL_ATTRIBUTE). */
uint32_t tband_next_run(void);
#endif

/* ---- Back ends: one of them, as configured --------------------------------------------------------------------- */

#if tband_configUSE_BACKEND_STREAMING == 1
/* Returns 0; -1: already streaming; -2: no space for names and facts, and nothing was started. The stream begins
 * with them and with a loss count. */
int tband_start_streaming(void);
/* Starts a stream without names and facts. Returns 0; -1: already streaming; -2: no space for the loss count. */
int tband_restart_streaming(void);
/* Ends the stream with a last loss count. Returns 0; -1: was not streaming. */
int tband_stop_streaming(void);
/* Sends the names and facts of all cores once more, for a capture that begins late. What finds no space is sent later;
 * those of another core are sent with its next events. Returns 0; -1: is not streaming; -2:
 * tband_portBACKEND_STREAM_DATA() refused them. */
int tband_send_names(void);
#if tband_configREPEAT_MS > 0
/* Sends the next name or fact of this core once more, one at a time, so that a capture may begin at any time: a full
 * buffer of names within tband_configREPEAT_MS. Does nothing until the next one is due, or without space. Call it
 * often, such as from the idle task of each core. */
void tband_repeat_names(void);
#else
#define tband_repeat_names() ((void)0)
#endif
#ifndef tband_portBACKEND_STREAM_DATA
/* Returns the number of contiguous bytes of a core that are ready to be sent, at *out_bytes; 0: none. They stay
 * valid until consumed. One consumer per core: a task, the end of a DMA transfer or the idle hook. */
size_t tband_stream_peek(unsigned int core_id, const uint8_t **out_bytes);
/* Frees the first `len` of these bytes. On a target with one core it masks interrupts and records the number of lost
 * events, if there are any. */
void tband_stream_consume(unsigned int core_id, size_t len);
#endif
#endif

#if tband_configUSE_BACKEND_SNAPSHOT == 1
/* Returns 0; -1: already recording. Appends to the events recorded before; call the reset function first for a new
 * recording. Recording ends on all cores when the buffer of one core is full. */
int tband_trigger_snapshot(void);
/* Returns 0; -1: was not recording. */
int tband_stop_snapshot(void);
/* Empties the buffers of all cores. Returns 0; -1: still recording. */
int tband_reset_snapshot(void);
/* Returns the whole frames that a core recorded. The recording of a core consists of its names and facts, then these
 * frames. */
const volatile uint8_t *tband_get_core_snapshot_buf(unsigned int core_id);
size_t tband_get_core_snapshot_buf_amnt(unsigned int core_id); /* 0 while recording */
#endif

#if tband_configUSE_BACKEND_POST_MORTEM == 1
/* Returns true when there is a recording. Before any other call of the recorder, this is the recording of the last
 * run; for that, tband_configCONTROL_ATTRIBUTE must place the buffers in RAM that the start-up code does not clear. */
bool tband_post_mortem_found(void);
/* Starts a new recording; the newest events overwrite the oldest. Returns 0; -1: already recording. */
int tband_start_post_mortem(void);
/* Returns 0; -1: was not recording. */
int tband_stop_post_mortem(void);
/* Returns the recording of a core in three pieces, 0 to 2, to be concatenated; whole frames, oldest first. Returns
 * the start of a piece; *out_len: its length, may be 0. The length is 0 while recording or if
 * tband_post_mortem_found() is false. */
const uint8_t *tband_get_post_mortem_piece(unsigned int core_id, unsigned int piece, size_t *out_len);
#endif

#if tband_configCOMMANDS_ENABLE == 1
/* Runs a command: "start", "stop", "names" (tband_send_names(), streams only) or "groups FF00" (tband_set_groups(), in
 * hexadecimal). Returns the result of its function; TBAND_NO_COMMAND: none of these. */
int tband_command(const char *line);
/* Takes bytes that were received from the host: from a UART, USB or the down channel of RTT. Runs a command at the end
 * of each line (LF or CR); skips other lines. One caller at a time. */
void tband_receive(const uint8_t *bytes, size_t len);
#endif

#if tband_configUSE_BACKEND_EXTERNAL == 1
/* Implemented by the application: takes one frame. Called in the masked section, on every core, from the first event
 * on; returns true when it refuses the frame. */
bool tband_submit_to_backend(uint8_t *buf, size_t len, bool is_metadata);
#endif

#ifdef __cplusplus
}
#endif

#else /* without tband_configENABLE all calls still compile */

/* Evaluates a constant without generating code, at -O0 too. Compilers differ in their warnings about unused values. */
#if defined(__clang__)
static inline int tband_nothing(void) { return 0; }
#define TBAND_NOTHING(value) (1 ? (value) : tband_nothing())
#elif defined(__GNUC__)
#define TBAND_NOTHING(value)              \
    __extension__({                       \
        enum { tband_nothing = (value) }; \
        tband_nothing;                    \
    })
#else
#define TBAND_NOTHING(value) (value)
#endif

#define tband_set_groups(groups) ((void)0)
#define tband_set_isr_recorded(isr_id, is_recorded) ((void)0)
#define tband_tracing_enabled() TBAND_NOTHING(0)
#define tband_tracing_finished() TBAND_NOTHING(1)
#define tband_tracing_backend_finished(core_id) TBAND_NOTHING(1)
#define tband_gather_system_metadata() ((void)0)
#define tband_start_streaming() TBAND_NOTHING(0)
#define tband_restart_streaming() TBAND_NOTHING(0)
#define tband_stop_streaming() TBAND_NOTHING(0)
#define tband_send_names() TBAND_NOTHING(0)
#define tband_repeat_names() ((void)0)
#define tband_command(line) TBAND_NOTHING(0)
#define tband_receive(bytes, len) ((void)0)
#define tband_trigger_snapshot() TBAND_NOTHING(0)
#define tband_stop_snapshot() TBAND_NOTHING(0)
#define tband_reset_snapshot() TBAND_NOTHING(0)
#define tband_post_mortem_found() TBAND_NOTHING(0)
#define tband_start_post_mortem() TBAND_NOTHING(0)
#define tband_stop_post_mortem() TBAND_NOTHING(0)

static inline uint32_t tband_get_groups(void) { return 0; }
static inline uint32_t tband_get_dropped(void) { return 0; }
static inline void tband_record_resolution(void) {}
static inline const volatile uint8_t *tband_get_metadata_buf(unsigned int core_id) {
    (void)core_id;
    return NULL;
}
static inline size_t tband_get_metadata_buf_amnt(unsigned int core_id) {
    (void)core_id;
    return 0;
}
static inline uint32_t tband_get_metadata_lost(unsigned int core_id) {
    (void)core_id;
    return 0;
}
static inline const volatile uint8_t *tband_get_core_snapshot_buf(unsigned int core_id) {
    (void)core_id;
    return NULL;
}
static inline size_t tband_get_core_snapshot_buf_amnt(unsigned int core_id) {
    (void)core_id;
    return 0;
}
static inline size_t tband_stream_peek(unsigned int core_id, const uint8_t **out_bytes) {
    (void)core_id;
    *out_bytes = NULL;
    return 0;
}
static inline void tband_stream_consume(unsigned int core_id, size_t len) {
    (void)core_id;
    (void)len;
}
static inline const uint8_t *tband_get_post_mortem_piece(unsigned int core_id, unsigned int piece, size_t *out_len) {
    (void)core_id;
    (void)piece;
    *out_len = 0;
    return NULL;
}

#endif

/* ---- Interrupts ------------------------------------------------------------------------------------------------ */

#if tband_configENABLE == 1 && tband_configISR_TRACE_ENABLE == 1
#define tband_isr_name(isr_id, name) tband_event_isr_name((isr_id), (name)) /* on each core that handles it */
/* Returns false for an interrupt that tband_configISR_RECORDED() or tband_set_isr_recorded() leaves out. */
static inline bool tband_isr_is_recorded(uint32_t isr_id) {
    bool is_recorded = (tband_configISR_RECORDED(isr_id)) != 0;
#if tband_configISR_FILTER_ENABLE == 1
    if (isr_id < 256u) is_recorded = is_recorded && !(tband_isr_left_out[isr_id >> 5] >> (isr_id & 31u) & 1u);
#endif
    (void)isr_id;
    return is_recorded;
}
static inline void tband_isr_enter(uint32_t isr_id) {
    if (tband_isr_is_recorded(isr_id)) tband_event_isr_enter(isr_id);
}
static inline void tband_isr_exit(uint32_t isr_id) {
    if (tband_isr_is_recorded(isr_id)) tband_event_isr_exit(isr_id);
}
#else
#define tband_isr_name(isr_id, name) ((void)0)
#define tband_isr_enter(isr_id) ((void)0)
#define tband_isr_exit(isr_id) ((void)0)
#endif

/* ---- Markers and values, shared by all tasks and cores --------------------------------------------------------- */

#if tband_configENABLE == 1 && tband_configMARKER_TRACE_ENABLE == 1
#define tband_evtmarker_name(id, name) tband_event_evtmarker_name((id), (name))
#define tband_evtmarker(id, msg) tband_event_evtmarker((id), (msg))
#define tband_evtmarker_begin(id, msg) tband_event_evtmarker_begin((id), (msg))
#define tband_evtmarker_end(id) tband_event_evtmarker_end(id)
#define tband_valmarker_name(id, name) tband_event_valmarker_name((id), (name))
#define tband_valmarker(id, val) tband_event_valmarker((id), (val)) /* int64_t */
/* Defines a marker named after the enclosing function, at the first call. */
#define tband_fn(id)               \
    do {                           \
        tband_fn_name(id);         \
        tband_evtmarker((id), ""); \
    } while (0)
/* A span named after the enclosing function. Begin and end must be in one scope of one function, and every exit must
 * pass the end. */
#define tband_fn_begin(id)             \
    const uint32_t tband_fn_id = (id); \
    tband_fn_name(tband_fn_id);        \
    tband_evtmarker_begin(tband_fn_id, "")
#define tband_fn_end() tband_evtmarker_end(tband_fn_id)
#define tband_fn_name(id)                                             \
    do {                                                              \
        static bool tband_fn_is_named = false;                        \
        if (!tband_fn_is_named) tband_evtmarker_name((id), __func__); \
        tband_fn_is_named = true;                                     \
    } while (0)
#else
#define tband_evtmarker_name(id, name) ((void)0)
#define tband_evtmarker(id, msg) ((void)0)
#define tband_evtmarker_begin(id, msg) ((void)0)
#define tband_evtmarker_end(id) ((void)0)
#define tband_valmarker_name(id, name) ((void)0)
#define tband_valmarker(id, val) ((void)0)
#define tband_fn(id) ((void)0)
#define tband_fn_begin(id) ((void)0)
#define tband_fn_end() ((void)0)
#endif

/* ---- Cores without a common clock; tband_configCLOCK_SYNC_ENABLE ----------------------------------------------- */

/* The clock of one core, such as core 0, is the clock of the recording. Each other core calls tband_clock_own()
 * before its first event, and tband_clock_sync() now and then: at least once within the kept part of a recording.
 * Two calls far apart show the real rate of the clock. Compared clocks must not wrap.
 * tband_portCLOCK_HZ is that of the recording's clock on every core. */
#if tband_configENABLE == 1 && tband_configCLOCK_SYNC_ENABLE == 1
#ifdef __cplusplus
extern "C" {
#endif
/* Returns the current time of this core's clock, for tband_clock_sync() on another core. */
uint64_t tband_now(void);
#ifdef __cplusplus
}
#endif
/* Nominal rate: so many counts of this core's clock take as long as `their_counts` of the recording's clock;
 * accurate to 1 %. Not 0. */
#define tband_clock_own(counts, their_counts) tband_event_clock_rate((counts), (their_counts))
/* Now, the time of core `core_id`, which uses the recording's clock, is `their_time` (uint64_t). */
#define tband_clock_sync(core_id, their_time) tband_event_clock_sync((core_id), (their_time))
#else
static inline uint64_t tband_now(void) { return 0; }
#define tband_clock_own(counts, their_counts) ((void)0)
#define tband_clock_sync(core_id, their_time) ((void)0)
#endif

/* ---- Heaps and stacks; tband_configMEMORY_TRACE_ENABLE --------------------------------------------------------- */

#if tband_configENABLE == 1 && tband_configMEMORY_TRACE_ENABLE == 1
#define tband_heap_name(heap_id, name) tband_event_heap_name((heap_id), (name))
#define tband_heap_level(heap_id, in_use) tband_event_heap_level((heap_id), (uint32_t)(in_use)) /* size in bytes */
/* Call one of these after an allocation or a release of `bytes`. in_use: bytes of the heap in use now, 0xFFFFFFFF if
 * unknown. Of an address, the lowest 32 bits are recorded. */
#define tband_allocated(heap_id, pointer, bytes, in_use) \
    tband_event_memory_allocated((heap_id), (uint32_t)(in_use), (uint32_t)(bytes), (uint32_t)(uintptr_t)(pointer))
#define tband_freed(heap_id, pointer, bytes, in_use) \
    tband_event_memory_freed((heap_id), (uint32_t)(in_use), (uint32_t)(bytes), (uint32_t)(uintptr_t)(pointer))
#define tband_allocation_failed(heap_id, bytes) tband_event_memory_refused((heap_id), (uint32_t)(bytes))
/* Name a stack, and record how many of its words were never used. An application that fills the stack with a pattern at
 * the start can count them. For tasks use tband_freertos_stack(). */
#define tband_stack_name(stack_id, name) tband_event_stack_name((stack_id), (name))
#define tband_stack_free(stack_id, words) tband_event_stack_free((stack_id), (uint32_t)(words))
#else
#define tband_heap_name(heap_id, name) ((void)0)
#define tband_heap_level(heap_id, in_use) ((void)0)
#define tband_allocated(heap_id, pointer, bytes, in_use) ((void)0)
#define tband_freed(heap_id, pointer, bytes, in_use) ((void)0)
#define tband_allocation_failed(heap_id, bytes) ((void)0)
#define tband_stack_name(stack_id, name) ((void)0)
#define tband_stack_free(stack_id, words) ((void)0)
#endif

#include "tband_freertos.h"

#endif
