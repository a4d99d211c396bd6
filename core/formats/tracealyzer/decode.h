// SPDX-License-Identifier: MIT
//
// Bytes -> headers, entries and events, as docs/formats/tracealyzer.md describes them. Nothing here keeps state.
#ifndef TK_FORMATS_TRACEALYZER_DECODE_H
#define TK_FORMATS_TRACEALYZER_DECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { PSF_TEXT = 1024 + 1 }; // room of a text that is put together, with its zero

enum psf_kernel { PSF_FREERTOS, PSF_ZEPHYR, PSF_THREADX, PSF_BARE_METAL, PSF_KERNELS };

// Kinds of events under one numbering, whatever the kernel.
enum psf_record {
    PSF_UNKNOWN,
#define PSF_RECORD(code, name, ...) PSF_##name,
#define PSF_CODE(kernel, code, name)
#include "records.def"
#undef PSF_RECORD
#undef PSF_CODE
    PSF_EXTENSION,      // of a library on the target, which told the range of its codes
    PSF_AUTO_ISR_BEGIN, // of a recorder that marks interrupts by itself: a code of its own for each number
    PSF_AUTO_ISR_RESUME,
    PSF_KERNEL_CALL, // of a kernel whose calls are shown by their codes
    PSF_RECORDS
};

enum {
    PSF_FIRST_VERSION = 10,
    PSF_NEWEST_VERSION = 14,
    PSF_LAST_VERSION = 63, // newer ones are read like the newest that is known; what claims more is damaged
    PSF_CODES = 4096,
    PSF_MAX_CORES = 16,
    PSF_MAX_EVENT = 8 + 15 * 8, // bytes
    PSF_MAX_ENTRY = 2 * 8 + 16 * 8 + 256,
    PSF_HEADER = 32,
    PSF_CERTAIN = 8, // bytes of a header by which it is one
    PSF_MAX_TIMESTAMP = 32,
    PSF_MARK = 12,             // of a memory image
    PSF_CHAIN_START = 8,       // events that prove a stream without a header
    PSF_CHAIN = 4,             // events that prove that the stream goes on
    PSF_NEXT_EVENT_SCAN = 256, // bytes behind an event of a doubtful time in which the next one is looked for
    PSF_PROBE_LEN = PSF_CHAIN_START * PSF_MAX_EVENT + PSF_HEADER + PSF_MAX_TIMESTAMP // bytes that are looked at to
                                                                                     // decide about one
};

// How to read a target's words and codes.
struct psf_layout {
    bool big;                         // byte order
    uint8_t word;                     // bytes of an address: 4 or 8
    uint8_t cores;                    // 1 .. PSF_MAX_CORES
    uint16_t count_mask;              // of the count that each core has of its events
    uint8_t timer;                    // type 1 .. 6; 0: unknown
    uint64_t turn;                    // counts until the raw timer starts again; 0: too few to tell forth from back
    uint8_t kernel;                   // enum psf_kernel
    uint16_t first_user, first_fixed; // codes of user events without arguments; fixed: with a text that stands in the
                                      // target's program
    uint16_t auto_isrs;               // code of the first interrupt that the recorder marks by itself; 0: it does not
    uint8_t ids[PSF_CODES];           // code -> enum psf_record
};

// Above are objects without an address of their own.
static const uint64_t PSF_LAST_ADDRESS = UINT64_MAX - PSF_MAX_CORES - PSF_CODES,
                      PSF_AUTO_ISRS = UINT64_MAX - PSF_MAX_CORES - PSF_CODES + 1;

struct psf_header {
    bool big;
    uint16_t version, kernel_id;
    uint32_t options;
    uint8_t kernel, word, cores, streams; // streams: 3 all cores in one, 2 one each, 0 not told
    uint8_t patch, minor, major;
    char platform[9];
    uint32_t tail_threshold;
};

struct psf_timestamp {
    uint32_t type, period, wraparounds, tick_rate, latest, tick_count;
    uint64_t hz;
};

struct psf_table {
    uint64_t entries, symbol, states;
};

enum {
    PSF_ENTRY_HEAP = 1u << 31,
    PSF_ENTRY_EXTENSION = 1 << 30,
    PSF_ENTRY_MACHINE = 1 << 29,
    PSF_ENTRY_STATE = 1 << 28,
    PSF_ENTRY_INTERVAL = 1 << 27,
    PSF_ENTRY_COUNTER = 1 << 26,
    PSF_ENTRY_SET = 1 << 25,
    PSF_ENTRY_IDLE_NAME = 1 << 24,
    PSF_ENTRY_RUNNABLE = 1 << 23,
    PSF_ENTRY_DEPENDENCY = 1 << 22
};

struct psf_entry {
    uint64_t address, states[3];
    uint32_t options, symbol_len;
    const char *symbol;
};

// One event as it stands in the stream; parameters are read with psf_param.
struct psf_event {
    const uint8_t *bytes;
    uint32_t timer;
    uint16_t code, count; // count: of its core, without the number of the core
    uint8_t core, params, record;
    uint8_t size; // bytes
};

static inline uint16_t psf_u16(bool big, const uint8_t *at) {
    return big ? (uint16_t)(at[0] << 8 | at[1]) : (uint16_t)(at[0] | at[1] << 8);
}

static inline uint32_t psf_u32(bool big, const uint8_t *at) {
    uint32_t little = (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
    return big ? (uint32_t)at[3] | (uint32_t)at[2] << 8 | (uint32_t)at[1] << 16 | (uint32_t)at[0] << 24 : little;
}

static inline uint64_t psf_word(bool big, uint8_t word, const uint8_t *at) {
    if (word == 4) return psf_u32(big, at);
    uint64_t first = psf_u32(big, at), second = psf_u32(big, at + 4);
    return big ? first << 32 | second : second << 32 | first;
}

// Eight bytes at `at` are there; the parameters are not looked at.
static inline void psf_event_read(const struct psf_layout *layout, const uint8_t *at, struct psf_event *out_event) {
    uint16_t head = psf_u16(layout->big, at), count = psf_u16(layout->big, at + 2);
    out_event->bytes = at;
    out_event->code = head & 0xFFF;
    out_event->params = (uint8_t)(head >> 12);
    out_event->core = layout->cores > 1 ? (uint8_t)(count >> 12) : 0;
    out_event->count = count & layout->count_mask;
    out_event->timer = psf_u32(layout->big, at + 4);
    out_event->record = layout->ids[out_event->code];
    out_event->size = (uint8_t)(8 + out_event->params * layout->word);
}

// 0 where it has fewer.
static inline uint64_t psf_param(const struct psf_layout *layout, const struct psf_event *event, unsigned index) {
    return index >= event->params
               ? 0
               : psf_word(layout->big, layout->word, event->bytes + 8 + (size_t)index * layout->word);
}

// What it is about: the address that it tells first, or where its code is the number of an interrupt, one that stands
// for it.
static inline uint64_t psf_subject_of(const struct psf_layout *layout, const struct psf_event *event) {
    bool is_auto = event->record == PSF_AUTO_ISR_BEGIN || event->record == PSF_AUTO_ISR_RESUME;
    return is_auto ? PSF_AUTO_ISRS + (event->code - layout->auto_isrs) / 2u : psf_param(layout, event, 0);
}

// Recorders cap an event at sixteen words.
static inline bool psf_size_is_possible(const struct psf_layout *layout, const struct psf_event *event) {
    return layout->word == 8 || event->params <= 14;
}

// A signed word.
int64_t psf_signed(const struct psf_layout *layout, uint64_t word);
// The text from parameter `first` on, up to its zero byte or the end of the event.
const char *psf_text(const struct psf_layout *layout, const struct psf_event *event, unsigned first, uint32_t *out_len);
// A user event: its arguments. *out_fixed: the text stands in the target's program only, the second parameter is its
// address.
unsigned psf_user_arguments(const struct psf_layout *layout, const struct psf_event *event, bool *out_fixed);
// Whether a recorder could have sent so many parameters.
bool psf_fits(const struct psf_layout *layout, const struct psf_event *event);

void psf_layout_init(struct psf_layout *layout, bool big, uint8_t word, uint8_t cores, enum psf_kernel kernel);
// Of several cores the upper bits of a count are the number of the core.
static inline void psf_layout_set_cores(struct psf_layout *layout, unsigned cores) {
    layout->cores = (uint8_t)cores;
    layout->count_mask = cores > 1 ? 0xFFF : 0xFFFF;
}
// Codes of an extension; the ones beyond the last code are left out.
void psf_layout_extend(struct psf_layout *layout, uint64_t base, uint64_t count);
// The same of a recorder that marks interrupts by itself: begin and resume of number 0, of number 1 ...
void psf_layout_mark_isrs(struct psf_layout *layout, uint64_t base, uint64_t count);

// Every layout that a stream without a header may have: FreeRTOS first, one core.
enum { PSF_START_LAYOUTS = 8 };
void psf_start_layout(struct psf_layout *layout, unsigned index);

enum psf_verdict { PSF_NO, PSF_YES, PSF_MORE }; // PSF_MORE: more bytes are needed to tell

// Four bytes at `at` are there.
static inline bool psf_is_marker(const uint8_t *at) { return !memcmp(at, "\0FSP", 4) || !memcmp(at, "PSF", 4); }
// Most events are seen to be no header by their first four bytes.
static inline bool psf_may_be_header(const uint8_t *at, size_t len) { return len < 4 || psf_is_marker(at); }
// How to compare time stamps.
void psf_layout_set_timer(struct psf_layout *layout, const struct psf_timestamp *timestamp);
// A start marker that is one: the header and the timestamp block after it. *out_version of a marker that is one but for
// its version; 0: none.
enum psf_verdict psf_header_read(const uint8_t *at, size_t len, struct psf_header *out_header,
                                 struct psf_timestamp *out_timestamp, uint16_t *out_version);
// Does one begin here? ended: nothing comes behind `len`; one that is cut there is one.
enum psf_verdict psf_header_probe(const uint8_t *at, size_t len, bool ended, uint16_t *out_version);
size_t psf_header_size(const struct psf_header *header); // with the timestamp block
// False: no table can be so large.
bool psf_table_read(const struct psf_header *header, const uint8_t *at, struct psf_table *out_table);
size_t psf_entry_size(const struct psf_header *header, const struct psf_table *table);
void psf_entry_read(const struct psf_header *header, const struct psf_table *table, const uint8_t *at,
                    struct psf_entry *out_entry);

// Do `least` events follow each other here? ended: nothing comes behind `len`. *out_events: how many did.
enum psf_verdict psf_chain(const struct psf_layout *layout, const uint8_t *at, size_t len, bool ended, unsigned least,
                           unsigned *out_events);

extern const uint8_t psf_image_begin[PSF_MARK], psf_image_end[PSF_MARK];
extern const uint8_t psf_snapshot_begin[PSF_MARK]; // the recorder's other, older image, which is none of this format

#endif
