// SPDX-License-Identifier: MIT
//
// Bytes to headers, entries and events, as docs/formats/tracealyzer.md describes them. These functions keep no state.
#ifndef TK_FORMATS_TRACEALYZER_DECODE_H
#define TK_FORMATS_TRACEALYZER_DECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { PSF_TEXT = 1024 + 1 }; // bytes for a formatted text with its zero byte

enum psf_kernel { PSF_FREERTOS, PSF_ZEPHYR, PSF_THREADX, PSF_BARE_METAL, PSF_KERNELS };

// Kinds of events in one numbering for all kernels.
enum psf_record {
    PSF_UNKNOWN,
#define PSF_RECORD(code, name, ...) PSF_##name,
#define PSF_CODE(kernel, code, name)
#include "records.def"
#undef PSF_RECORD
#undef PSF_CODE
    PSF_EXTENSION,      // event of a library on the target, which has registered a range of codes
    PSF_AUTO_ISR_BEGIN, // for recorders that mark interrupts automatically, with a code per interrupt number
    PSF_AUTO_ISR_RESUME,
    PSF_KERNEL_CALL, // call of a kernel that is shown by its code
    PSF_RECORDS
};

enum {
    PSF_FIRST_VERSION = 10,
    PSF_NEWEST_VERSION = 14,
    PSF_LAST_VERSION = 63, // newer versions are decoded like the newest known one; a larger number is damage
    PSF_CODES = 4096,
    PSF_MAX_CORES = 16,
    PSF_MAX_EVENT = 8 + 15 * 8, // in bytes
    PSF_MAX_ENTRY = 2 * 8 + 16 * 8 + 256,
    PSF_HEADER = 32,
    PSF_CERTAIN = 8, // bytes that identify a header
    PSF_MAX_TIMESTAMP = 32,
    PSF_MARK = 12,             // bytes of the marker of a memory image
    PSF_CHAIN_START = 8,       // events that prove a stream without a header
    PSF_CHAIN = 4,             // events that prove that the stream continues
    PSF_NEXT_EVENT_SCAN = 256, // bytes after an event with an implausible time in which the next event is searched
    PSF_PROBE_LEN = PSF_CHAIN_START * PSF_MAX_EVENT + PSF_HEADER + PSF_MAX_TIMESTAMP // bytes needed to recognise an
                                                                                     // event
};

// How to decode the words and codes of a target.
struct psf_layout {
    bool big;            // big-endian
    uint8_t word;        // bytes of an address: 4 or 8
    uint8_t cores;       // 1 .. PSF_MAX_CORES
    uint16_t count_mask; // mask of the event counter of each core
    uint8_t timer;       // type 1 to 6; 0: unknown
    uint64_t turn;       // counts until the raw timer wraps; 0: too few to distinguish steps forwards and backwards
    uint8_t kernel;      // enum psf_kernel
    uint16_t first_user, first_fixed; // codes of user events without arguments; fixed: events whose text is a string in
                                      // the program
    uint16_t auto_isrs; // code of the first automatically marked interrupt; 0: interrupts are not marked automatically
    uint8_t ids[PSF_CODES]; // maps a code to enum psf_record
};

// Higher values stand for objects that have no address.
static const uint64_t PSF_LAST_ADDRESS = UINT64_MAX - PSF_MAX_CORES - PSF_CODES,
                      PSF_AUTO_ISRS = UINT64_MAX - PSF_MAX_CORES - PSF_CODES + 1;

struct psf_header {
    bool big;
    uint16_t version, kernel_id;
    uint32_t options;
    uint8_t kernel, word, cores, streams; // streams: 3 all cores in one stream, 2 one stream per core, 0 unknown
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

// An event in the stream; psf_param reads its parameters.
struct psf_event {
    const uint8_t *bytes;
    uint32_t timer;
    uint16_t code, count; // count: event counter of its core, without the number of the core
    uint8_t core, params, record;
    uint8_t size; // in bytes
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

// Reads the fixed part of an event, not its parameters. At least eight bytes at `at` are readable.
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

// Returns a parameter; 0 if the event has fewer.
static inline uint64_t psf_param(const struct psf_layout *layout, const struct psf_event *event, unsigned index) {
    return index >= event->params
               ? 0
               : psf_word(layout->big, layout->word, event->bytes + 8 + (size_t)index * layout->word);
}

// Returns the object of the event: the address in its first parameter, or for a code that is the number of an
// interrupt, a value that stands for that interrupt.
static inline uint64_t psf_subject_of(const struct psf_layout *layout, const struct psf_event *event) {
    bool is_auto = event->record == PSF_AUTO_ISR_BEGIN || event->record == PSF_AUTO_ISR_RESUME;
    return is_auto ? PSF_AUTO_ISRS + (event->code - layout->auto_isrs) / 2u : psf_param(layout, event, 0);
}

// Returns false if the event is longer than sixteen words, the limit of recorders.
static inline bool psf_size_is_possible(const struct psf_layout *layout, const struct psf_event *event) {
    return layout->word == 8 || event->params <= 14;
}

// Returns a word as a signed number.
int64_t psf_signed(const struct psf_layout *layout, uint64_t word);
// Returns the text from parameter `first` on, up to its zero byte or the end of the event.
const char *psf_text(const struct psf_layout *layout, const struct psf_event *event, unsigned first, uint32_t *out_len);
// Returns the number of arguments of a user event. *out_fixed: the event contains only the address of its text, in the
// second parameter.
unsigned psf_user_arguments(const struct psf_layout *layout, const struct psf_event *event, bool *out_fixed);
// Returns true if a recorder can send this number of parameters.
bool psf_fits(const struct psf_layout *layout, const struct psf_event *event);

void psf_layout_init(struct psf_layout *layout, bool big, uint8_t word, uint8_t cores, enum psf_kernel kernel);
// Sets the number of cores. With several, the upper bits of an event counter are the number of the core.
static inline void psf_layout_set_cores(struct psf_layout *layout, unsigned cores) {
    layout->cores = (uint8_t)cores;
    layout->count_mask = cores > 1 ? 0xFFF : 0xFFFF;
}
// Adds the codes of an extension, up to the last possible code.
void psf_layout_extend(struct psf_layout *layout, uint64_t base, uint64_t count);
// Adds the codes of automatically marked interrupts: begin and resume of interrupt 0, of interrupt 1 and so on.
void psf_layout_mark_isrs(struct psf_layout *layout, uint64_t base, uint64_t count);

// All layouts that a stream without a header may have. The first one is FreeRTOS with one core.
enum { PSF_START_LAYOUTS = 8 };
void psf_start_layout(struct psf_layout *layout, unsigned index);

enum psf_verdict { PSF_NO, PSF_YES, PSF_MORE }; // PSF_MORE: more bytes are needed to decide

// Returns true for a start marker. At least four bytes at `at` are readable.
static inline bool psf_is_marker(const uint8_t *at) { return !memcmp(at, "\0FSP", 4) || !memcmp(at, "PSF", 4); }
// Returns false for most events, whose first four bytes show that they are no header.
static inline bool psf_may_be_header(const uint8_t *at, size_t len) { return len < 4 || psf_is_marker(at); }
// Sets how time stamps are compared.
void psf_layout_set_timer(struct psf_layout *layout, const struct psf_timestamp *timestamp);
// Reads a valid start marker: the header and the timestamp block after it. *out_version: version of a header that is
// valid except for its version; 0: none.
enum psf_verdict psf_header_read(const uint8_t *at, size_t len, struct psf_header *out_header,
                                 struct psf_timestamp *out_timestamp, uint16_t *out_version);
// Decides whether a header begins here. ended: the input ends after `len` bytes; a header that is cut there counts.
enum psf_verdict psf_header_probe(const uint8_t *at, size_t len, bool ended, uint16_t *out_version);
size_t psf_header_size(const struct psf_header *header); // includes the timestamp block
// Reads the table. Returns false if its size is impossible.
bool psf_table_read(const struct psf_header *header, const uint8_t *at, struct psf_table *out_table);
size_t psf_entry_size(const struct psf_header *header, const struct psf_table *table);
void psf_entry_read(const struct psf_header *header, const struct psf_table *table, const uint8_t *at,
                    struct psf_entry *out_entry);

// Decides whether `least` events follow each other here. ended: the input ends after `len` bytes. *out_events: how many
// did.
enum psf_verdict psf_chain(const struct psf_layout *layout, const uint8_t *at, size_t len, bool ended, unsigned least,
                           unsigned *out_events);

extern const uint8_t psf_image_begin[PSF_MARK], psf_image_end[PSF_MARK];
extern const uint8_t psf_snapshot_begin[PSF_MARK]; // marker of the recorder's older memory image, which this format
                                                   // does not include

#endif
