/* SPDX-License-Identifier: MIT */
/*
 * Records Tonbandgeraet events on the target: the one header an application includes. C11 and C++17.
 *
 * The application supplies tband_config.h (start from tracer/config/tband_config.h) and tband_port.h (tracer/ports has
 * some), and compiles tracer/src/tband.c. Nothing is allocated, no C library is called.
 *
 * Context: what traces may be called from tasks and interrupts and before tracing was started, but not from an
 * interrupt that tband_portENTER_CRITICAL_FROM_ANY() does not mask (NMI, a fault). What starts, stops and reads is for
 * tasks or before the start of the scheduler. With several cores the first call of all must have returned before a
 * second core calls. Cost: an event is encoded in one masked section, straight into its buffer; nothing ever waits.
 * Errors: an event that finds no room is counted; events of a group that is off, or while nothing is recorded, vanish
 * without a trace.
 *
 * Texts end with a zero byte, are cut after tband_configMAX_STR_LEN bytes and copied; NULL is an empty text. Ids are
 * the application's own.
 */
#if !defined(TBAND_H) && !defined(__ASSEMBLER__) /* FreeRTOSConfig.h is read by assemblers too */
#define TBAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tband_config.h"
#include "tband_defaults.h"

#if tband_configENABLE == 1

#include "tband_events.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- What is recorded ---------------------------------------------------------------------------------------------
 */

/* The groups that are recorded, TBAND_GROUP_* or'ed together; all of them until set. Takes effect with the next event.
 * Names are always kept. */
void tband_set_groups(uint32_t groups);
uint32_t tband_get_groups(void);

/* True while events are recorded. */
bool tband_tracing_enabled(void);

/* Nothing is recorded, and what was recorded has left the buffers of all cores (or of one): only streaming has to wait
 * for that. */
bool tband_tracing_finished(void);
bool tband_tracing_backend_finished(unsigned int core_id);

/* Losses: events that found no room, of all cores; wraps at 2^32. What the recording itself says. */
uint32_t tband_get_dropped(void);

/* ---- Names and facts ----------------------------------------------------------------------------------------------
 */

/* Records the length of a tick. Every start does it for an application that did not; EXTERNAL has no start. */
void tband_record_resolution(void);
#define tband_gather_system_metadata() tband_record_resolution()

/* Names and facts recorded on a core so far, as whole frames: what precedes a recording. They are never overwritten. */
const volatile uint8_t *tband_get_metadata_buf(unsigned int core_id);
size_t tband_get_metadata_buf_amnt(unsigned int core_id);
/* Frames that tband_configMETADATA_BUF_SIZE had no room for: those names are missing when a recording does not hold
 * their call. */
uint32_t tband_get_metadata_lost(unsigned int core_id);

/* ---- Back ends: one of them, as configured ------------------------------------------------------------------------
 */

#if tband_configUSE_BACKEND_STREAMING == 1
/* 0; -1: already streaming; -2: no room for names and facts, nothing was started. The stream begins with them and with
 * a count of losses. */
int tband_start_streaming(void);
/* The same without names and facts. 0; -1: already streaming; -2: no room for the count. */
int tband_restart_streaming(void);
/* Ends the stream with a last count of losses. 0; -1: was not streaming. */
int tband_stop_streaming(void);
#ifndef tband_portBACKEND_STREAM_DATA
/* Bytes of a core that are ready to be sent: how many stand at *out_bytes in one piece; 0: none. They stay until
   consumed. One consumer per core: a task, the end of a DMA transfer or the idle hook. */
size_t tband_stream_peek(unsigned int core_id, const uint8_t **out_bytes);
/* Gives the room of the first `len` of them back. */
void tband_stream_consume(unsigned int core_id, size_t len);
#endif
#endif

#if tband_configUSE_BACKEND_SNAPSHOT == 1
/* 0; -1: already recording. Goes on behind what was recorded before: reset first for a new one. Ends by itself, on all
 * cores, when the buffer of one is full. */
int tband_trigger_snapshot(void);
/* 0; -1: was not recording. */
int tband_stop_snapshot(void);
/* Empties the buffers of all cores. 0; -1: still recording. */
int tband_reset_snapshot(void);
/* What a core recorded: whole frames. The recording of a core is its names and facts, then these. */
const volatile uint8_t *tband_get_core_snapshot_buf(unsigned int core_id);
size_t tband_get_core_snapshot_buf_amnt(unsigned int core_id); /* 0 while recording */
#endif

#if tband_configUSE_BACKEND_POST_MORTEM == 1
/* Is there a recording to be read? Before anything else of the tracer is called, it is the one that the last run left
   behind; that needs tband_configCONTROL_ATTRIBUTE to place the buffers in RAM which the start-up code leaves alone. */
bool tband_post_mortem_found(void);
/* Begins a new recording; the newest events overwrite the oldest. 0; -1: already recording. */
int tband_start_post_mortem(void);
/* 0; -1: was not recording. */
int tband_stop_post_mortem(void);
/* The recording of a core in three pieces, 0 to 2, one behind the other; whole frames, oldest first. Returns where a
   piece begins, *out_len: its bytes, maybe none. 0 bytes while something is recorded or tband_post_mortem_found() is
   false. */
const uint8_t *tband_get_post_mortem_piece(unsigned int core_id, unsigned int piece, size_t *out_len);
#endif

#if tband_configUSE_BACKEND_EXTERNAL == 1
/* Written by the application: takes one frame. Called in the masked section, on every core, from the first event on;
 * true: it was refused. */
bool tband_submit_to_backend(uint8_t *buf, size_t len, bool is_metadata);
#endif

#ifdef __cplusplus
}
#endif

#else /* tband_configENABLE: everything can be called all the same */

/* A value that may be used or not, and leaves no code behind, at -O0 either: compilers differ in what they say of one
 * that is not used. */
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
#define tband_tracing_enabled() TBAND_NOTHING(0)
#define tband_tracing_finished() TBAND_NOTHING(1)
#define tband_tracing_backend_finished(core_id) TBAND_NOTHING(1)
#define tband_gather_system_metadata() ((void)0)
#define tband_start_streaming() TBAND_NOTHING(0)
#define tband_restart_streaming() TBAND_NOTHING(0)
#define tband_stop_streaming() TBAND_NOTHING(0)
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

/* ---- Interrupts ---------------------------------------------------------------------------------------------------
 */

#if tband_configENABLE == 1 && tband_configISR_TRACE_ENABLE == 1
#define tband_isr_name(isr_id, name) tband_event_isr_name((isr_id), (name)) /* on each core that has the interrupt */
#define tband_isr_enter(isr_id) tband_event_isr_enter(isr_id)
#define tband_isr_exit(isr_id) tband_event_isr_exit(isr_id)
#else
#define tband_isr_name(isr_id, name) ((void)0)
#define tband_isr_enter(isr_id) ((void)0)
#define tband_isr_exit(isr_id) ((void)0)
#endif

/* ---- Markers and values, shared by all tasks and cores -------------------------------------------------------------
 */

#if tband_configENABLE == 1 && tband_configMARKER_TRACE_ENABLE == 1
#define tband_evtmarker_name(id, name) tband_event_evtmarker_name((id), (name))
#define tband_evtmarker(id, msg) tband_event_evtmarker((id), (msg))
#define tband_evtmarker_begin(id, msg) tband_event_evtmarker_begin((id), (msg))
#define tband_evtmarker_end(id) tband_event_evtmarker_end(id)
#define tband_valmarker_name(id, name) tband_event_valmarker_name((id), (name))
#define tband_valmarker(id, val) tband_event_valmarker((id), (val)) /* int64_t */
/* A marker named after the enclosing function, at the first call. */
#define tband_fn(id)               \
    do {                           \
        tband_fn_name(id);         \
        tband_evtmarker((id), ""); \
    } while (0)
/* The same as a span. Both in one scope of one function, on every way out of it. */
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

/* ---- Cores without a common clock; tband_configCLOCK_SYNC_ENABLE
 * ------------------------------------------------------- */

/* One core's clock is the recording's: that of core 0, say. Each other core calls tband_clock_own() before anything
   else is recorded on it, and tband_clock_sync() now and then: at least once in what a recording holds; two far apart
   tell how fast the clock really runs. Clocks that are compared must not wrap. tband_portTIMESTAMP_RESOLUTION_NS is
   that of the recording's clock on every core. */
#if tband_configENABLE == 1 && tband_configCLOCK_SYNC_ENABLE == 1
#ifdef __cplusplus
extern "C" {
#endif
/* The present time of this core's clock, for tband_clock_sync() on another one. */
uint64_t tband_now(void);
#ifdef __cplusplus
}
#endif
/* So many counts of this core's clock take as long as `their_counts` of the recording's, as the hardware is meant:
 * right within 1 %. Not 0. */
#define tband_clock_own(counts, their_counts) tband_event_clock_rate((counts), (their_counts))
/* It is `their_time` (uint64_t) at core `core_id`, which goes by the recording's clock, now. */
#define tband_clock_sync(core_id, their_time) tband_event_clock_sync((core_id), (their_time))
#else
static inline uint64_t tband_now(void) { return 0; }
#define tband_clock_own(counts, their_counts) ((void)0)
#define tband_clock_sync(core_id, their_time) ((void)0)
#endif

/* ---- Heaps and stacks; tband_configMEMORY_TRACE_ENABLE
 * --------------------------------------------------------------- */

#if tband_configENABLE == 1 && tband_configMEMORY_TRACE_ENABLE == 1
#define tband_heap_name(heap_id, name) tband_event_heap_name((heap_id), (name))
#define tband_heap_level(heap_id, in_use) tband_event_heap_level((heap_id), (uint32_t)(in_use)) /* bytes */
/* Behind an allocation or a release of `bytes`: what is in use now, 0xFFFFFFFF where nobody knows; of an address the
 * lowest 32 bits. */
#define tband_allocated(heap_id, pointer, bytes, in_use) \
    tband_event_memory_allocated((heap_id), (uint32_t)(in_use), (uint32_t)(bytes), (uint32_t)(uintptr_t)(pointer))
#define tband_freed(heap_id, pointer, bytes, in_use) \
    tband_event_memory_freed((heap_id), (uint32_t)(in_use), (uint32_t)(bytes), (uint32_t)(uintptr_t)(pointer))
#define tband_allocation_failed(heap_id, bytes) tband_event_memory_refused((heap_id), (uint32_t)(bytes))
/* How many words of a stack were never used so far: who fills it with a pattern at the start can count them. Of tasks:
 * tband_freertos_stack(). */
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
