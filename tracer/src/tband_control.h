/* SPDX-License-Identifier: MIT */
/*
 * All RAM of the recorder, in one block without pointers. A reader finds the block in a memory dump by its magic and
 * needs nothing else. Fields have the byte order of the target; the sizes in the header determine the offset of every
 * member.
 */
#ifndef TBAND_CONTROL_H
#define TBAND_CONTROL_H

#include <stdint.h>
#if defined(__ARM_ARCH_6M__) || (defined(__riscv) && !defined(__riscv_atomic))
#define TBAND_HAS_ATOMICS 0
#else
#define TBAND_HAS_ATOMICS 1
#include <stdatomic.h>
#endif

#include "tband_encode.h"

enum { TBAND_CONTROL_VERSION = 1 };
#define TBAND_NOT_FULL 0xFFFFFFFFu
enum tband_backend { TBAND_STREAMING = 1, TBAND_SNAPSHOT, TBAND_POST_MORTEM, TBAND_HANDED_OVER };

#if tband_configUSE_BACKEND_STREAMING == 1 && !defined(tband_portBACKEND_STREAM_DATA)
#define TBAND_BACKEND TBAND_STREAMING
#define TBAND_RING_SIZE tband_configBACKEND_STREAMING_BUF_SIZE
#elif tband_configUSE_BACKEND_SNAPSHOT == 1
#define TBAND_BACKEND TBAND_SNAPSHOT
#define TBAND_RING_SIZE tband_configBACKEND_SNAPSHOT_BUF_SIZE
#elif tband_configUSE_BACKEND_POST_MORTEM == 1
#define TBAND_BACKEND TBAND_POST_MORTEM
#define TBAND_RING_SIZE tband_configBACKEND_POST_MORTEM_BUF_SIZE
#else
#define TBAND_BACKEND TBAND_HANDED_OVER
#define TBAND_RING_SIZE 0
#endif

/* The other back ends overwrite or end. */
#define TBAND_COUNTS_LOSSES (tband_configUSE_BACKEND_STREAMING == 1 || tband_configUSE_BACKEND_EXTERNAL == 1)

#if tband_configUSE_METADATA_BUF == 1
#define TBAND_METADATA_SIZE tband_configMETADATA_BUF_SIZE
#else
#define TBAND_METADATA_SIZE 0
#endif

/* ---- Words that interrupts, consumers and other cores share ---- */

#if !TBAND_HAS_ATOMICS
/* Compilers for these targets have no atomics, some have not even atomic loads. The processor still reads and writes
 * an aligned word at once. */
typedef volatile uint32_t tband_word;

TBAND_HOT uint32_t tband_load(const tband_word *from) { return *from; }
TBAND_HOT void tband_store(tband_word *to, uint32_t value) { *to = value; }
#if tband_portNUMBER_OF_CORES > 1 && defined(__riscv)
#define TBAND_ORDER() __asm__ volatile("fence rw, rw" : : : "memory")
#elif tband_portNUMBER_OF_CORES > 1
#define TBAND_ORDER() __asm__ volatile("dmb" : : : "memory")
#else
#define TBAND_ORDER() __asm__ volatile("" : : : "memory")
#endif
TBAND_HOT void tband_publish(tband_word *to, uint32_t value) {
    TBAND_ORDER();
    *to = value;
}
TBAND_HOT uint32_t tband_observe(const tband_word *from) {
    uint32_t value = *from;
    TBAND_ORDER();
    return value;
}
#else
typedef _Atomic uint32_t tband_word;

/* A single core executes its own stores in order, so only the compiler must not reorder them. */
#if tband_portNUMBER_OF_CORES > 1
#define TBAND_ACQUIRE memory_order_acquire
#define TBAND_RELEASE memory_order_release
#define TBAND_ORDER() ((void)0)
#else
#define TBAND_ACQUIRE memory_order_relaxed
#define TBAND_RELEASE memory_order_relaxed
#define TBAND_ORDER() atomic_signal_fence(memory_order_seq_cst)
#endif

TBAND_HOT uint32_t tband_load(const tband_word *from) { return atomic_load_explicit(from, memory_order_relaxed); }
TBAND_HOT void tband_store(tband_word *to, uint32_t value) { atomic_store_explicit(to, value, memory_order_relaxed); }

/* A core that reads the value also sees everything written before. */
TBAND_HOT void tband_publish(tband_word *to, uint32_t value) {
    TBAND_ORDER();
    atomic_store_explicit(to, value, TBAND_RELEASE);
}
TBAND_HOT uint32_t tband_observe(const tband_word *from) {
    uint32_t value = atomic_load_explicit(from, TBAND_ACQUIRE);
    TBAND_ORDER();
    return value;
}
#endif

/* Stores a value unless another core has stored one since `was` was read. Without atomics of the compiler, a store
 * between two instructions can be overwritten. */
TBAND_HOT void tband_change(tband_word *of, uint32_t was, uint32_t value) {
#if tband_portNUMBER_OF_CORES == 1
    (void)was;
    tband_publish(of, value);
#elif TBAND_HAS_ATOMICS
    (void)atomic_compare_exchange_strong(of, &was, value);
#else
    if (tband_load(of) == was) tband_publish(of, value);
#endif
}

/* Written only by its own core, except `read`, and except while recording is stopped. */
struct tband_core {
    tband_word position; /* position of the next frame in the ring */
    tband_word read;     /* streaming: position of the next byte to be sent */
    tband_word limit;  /* streaming: an event may begin before this position; 0 also when something has to go before it
                        */
    tband_word full;   /* streaming: value of `read` when the ring was full; TBAND_NOT_FULL */
    tband_word rounds; /* post-mortem: number of wraps of the ring */
    tband_word lost;   /* events that found no space */
    uint32_t told; /* `lost` when the last count was recorded, inverted, so that a count of 0 is still to come at the
                      start */
    uint32_t metadata_sent;               /* streaming: bytes of the metadata that were put into the stream */
    uint32_t metadata_len, metadata_lost; /* bytes; frames that did not fit */
    uint8_t metadata[TBAND_METADATA_SIZE + TBAND_LONGEST_METADATA]; /* a frame is written behind the last one, and kept
                                                                       when it fits the size */
    uint8_t ring[TBAND_RING_SIZE + TBAND_LONGEST_FRAME]; /* a frame that begins in the ring is written in one piece,
                                                            then carried over to the start */
};

/* A reader, and a later run of the same build, identify the block by these fields. */
struct tband_header {
    uint8_t magic[12];
    uint8_t version, backend, cores, longest_text; /* longest_text gives TBAND_LONGEST_METADATA and TBAND_LONGEST_FRAME
                                                    */
    uint32_t metadata_size, ring_size;
};

struct tband_control {
    struct tband_header header;
    uint32_t resolution[2]; /* nanoseconds of a tick, the low word first */
    struct tband_core core[tband_portNUMBER_OF_CORES];
};

extern struct tband_control tband_control;
extern tband_word tband_active; /* bit mask of the enabled groups; 0: tracing is off */

/* All functions below are called in the masked section. */

/* Counts one more event of this core that found no space. */
TBAND_HOT void tband_count_loss(struct tband_core *core) { tband_store(&core->lost, tband_load(&core->lost) + 1); }
uint8_t *tband_copy(uint8_t *to, const uint8_t *from, uint32_t len);
void tband_begin(void); /* the block is initialised */
void tband_enable(void);
bool tband_disable(void); /* false: event not recorded */

/* Initialises the block: the recording can begin. Not in the masked section. */
void tband_prepare(void);

/* For targets with one core, the core id is a constant. */
TBAND_HOT struct tband_core *tband_core_of(unsigned core_id) {
    return &tband_control.core[(tband_portNUMBER_OF_CORES > 1) ? core_id : 0u];
}

TBAND_HOT struct tband_core *tband_this_core(void) { return &tband_control.core[tband_portGET_CORE_ID()]; }

#endif
