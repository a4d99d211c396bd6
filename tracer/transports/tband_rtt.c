/* SPDX-License-Identifier: MIT */
#include "tband.h"

#if tband_configENABLE == 1

#include "tband_rtt.h"

#include "../src/tband_control.h"

#if tband_configUSE_BACKEND_STREAMING != 1 || defined(tband_portBACKEND_STREAM_DATA)
#error "tband_rtt.c shows a stream: set tband_configUSE_BACKEND_STREAMING to 1, without tband_portBACKEND_STREAM_DATA."
#endif

#ifndef tband_configRTT_ATTRIBUTE
#define tband_configRTT_ATTRIBUTE
#endif

/* The layout that debuggers expect: words and pointers of the target, without padding. */
struct channel {
    const char *name;
    const uint8_t *buffer;
    uint32_t size;
    tband_word written; /* offset of the next byte to be written */
    tband_word read;    /* offset of the next byte to be read; the debugger writes it */
    uint32_t flags;     /* 0: bytes without space are skipped */
};

struct block {
    char id[16];
    uint32_t up, down;                                 /* number of channels to the debugger and from it */
    struct channel channel[tband_portNUMBER_OF_CORES]; /* up */
#if tband_configCOMMANDS_ENABLE == 1
    struct channel commands; /* down; the debugger writes `written` */
#endif
};

#if tband_configCOMMANDS_ENABLE == 1
static uint8_t commands[32]; /* received bytes; one stays free */
#endif

/* probe-rs looks for this symbol, the other debuggers search for the id. */
extern struct block _SEGGER_RTT;
tband_configRTT_ATTRIBUTE struct block _SEGGER_RTT;

void tband_rtt_start(void) {
    static const char backwards[] = "TTR REGGES"; /* must not be found by a search of the memory */
    struct block *block = &_SEGGER_RTT;
    block->up = tband_portNUMBER_OF_CORES;
#if tband_configCOMMANDS_ENABLE == 1
    block->down = 1;
    block->commands.name = "Tonkopf";
    block->commands.buffer = commands;
    block->commands.size = sizeof commands;
    block->commands.flags = 0;
    tband_store(&block->commands.read, 0);
    tband_store(&block->commands.written, 0);
#else
    block->down = 0;
#endif
    for (unsigned i = 0; i < tband_portNUMBER_OF_CORES; i++) {
        struct channel *channel = &block->channel[i];
        struct tband_core *core = &tband_control.core[i];
        channel->name = "Tonkopf";
        channel->buffer = core->ring;
        channel->size = TBAND_RING_SIZE;
        channel->flags = 0;
        tband_store(&channel->read, tband_load(&core->read));
        tband_store(&channel->written, tband_load(&core->read));
    }
    TBAND_ORDER();
    for (unsigned i = 0; i < sizeof block->id; i++) {
        block->id[i] = i < sizeof backwards - 1 ? backwards[sizeof backwards - 2 - i] : '\0';
    }
}

#if tband_configCOMMANDS_ENABLE == 1
static void take_commands(void) {
    struct channel *channel = &_SEGGER_RTT.commands;
    uint32_t written = tband_observe(&channel->written), read = tband_load(&channel->read);
    while ((written < sizeof commands) && (read != written)) {
        tband_receive(&commands[read], 1);
        read = (read + 1u) % (uint32_t)sizeof commands;
        tband_publish(&channel->read, read);
    }
}
#else
static void take_commands(void) {}
#endif

void tband_rtt_pump(void) {
    take_commands();
    for (unsigned i = 0; i < tband_portNUMBER_OF_CORES; i++) {
        struct channel *channel = &_SEGGER_RTT.channel[i];
        struct tband_core *core = &tband_control.core[i];
        const uint32_t read = tband_observe(&channel->read);
        const uint32_t before = tband_load(&core->read);
        if (read < TBAND_RING_SIZE) {
            tband_stream_consume(i, ((read < before) ? (uint32_t)TBAND_RING_SIZE : 0u) + read - before);
        }
        tband_publish(&channel->written, tband_observe(&core->position));
    }
}

#endif
