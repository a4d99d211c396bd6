// SPDX-License-Identifier: MIT
#include "decode.h"

#include "../../base/attributes.h"

#include <string.h>

const uint8_t psf_image_begin[PSF_MARK] = { 0x05, 0x06, 0x07, 0x08, 0x75, 0x76, 0x77, 0x78, 0xF5, 0xF6, 0xF7, 0xF8 };
const uint8_t psf_image_end[PSF_MARK] = { 0x0A, 0x0B, 0x0C, 0x0D, 0x71, 0x72, 0x73, 0x74, 0xF1, 0xF2, 0xF3, 0xF4 };
const uint8_t psf_snapshot_begin[PSF_MARK] = { 0x01, 0x02, 0x03, 0x04, 0x71, 0x72, 0x73, 0x74, 0xF1, 0xF2, 0xF3, 0xF4 };

// ---- Codes -------------------------------------------------------------------------------------

static const struct {
    uint8_t least, most;
} params[PSF_RECORDS] = {
#define PSF_RECORD(code, name, least, most, ...) [PSF_##name] = { least, most },
#define PSF_CODE(kernel, code, name)
#include "records.def"
#undef PSF_RECORD
#undef PSF_CODE
    [PSF_EXTENSION] = { 0, 15 },
    [PSF_KERNEL_CALL] = { 0, 15 },
    [PSF_AUTO_ISR_BEGIN] = { 0, 0 },
    [PSF_AUTO_ISR_RESUME] = { 0, 0 },
};

static const struct {
    uint16_t code;
    uint8_t kernel, record;
} codes[] = {
#define PSF_RECORD(code, name, ...) { code, PSF_FREERTOS, PSF_##name },
#define PSF_CODE(kernel, code, name) { code, PSF_##kernel, PSF_##name },
#include "records.def"
#undef PSF_RECORD
#undef PSF_CODE
};

static uint16_t first_code(const struct psf_layout *layout, enum psf_record record) {
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        if (codes[i].kernel == layout->kernel && codes[i].record == record) return codes[i].code;
    return 0;
}

// Maps the codes of user events, one for each number of arguments. Older releases of the recorder use further codes
// where later ones have user events with a fixed text.
static void spread_user_events(struct psf_layout *layout) {
    uint16_t first = layout->first_user = first_code(layout, PSF_USER_EVENT);
    layout->first_fixed = first_code(layout, PSF_USER_EVENT_FIXED);
    uint16_t last = layout->first_fixed + 4;
    for (uint16_t code = first; first && code <= last; code++) layout->ids[code] = PSF_USER_EVENT;
    if (layout->kernel == PSF_FREERTOS) layout->ids[last + 1] = PSF_USER_EVENT; // twelve arguments
}

TK_COLD void psf_layout_init(struct psf_layout *layout, bool big, uint8_t word, uint8_t cores, enum psf_kernel kernel) {
    // The last code of the kernel's own calls.
    static const uint16_t calls[PSF_KERNELS] = { [PSF_ZEPHYR] = 0x17F, [PSF_THREADX] = 4009 };
    *layout = (struct psf_layout){ .big = big, .word = word, .kernel = (uint8_t)kernel };
    psf_layout_set_cores(layout, cores);
    memset(layout->ids + 1, PSF_KERNEL_CALL, calls[kernel]);
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        if (codes[i].kernel == kernel) layout->ids[codes[i].code] = codes[i].record;
    spread_user_events(layout);
}

TK_COLD void psf_layout_extend(struct psf_layout *layout, uint64_t base, uint64_t count) {
    if (!base || base >= PSF_CODES || count > PSF_CODES - base) return;
    memset(layout->ids + base, PSF_EXTENSION, (size_t)count);
}

TK_COLD void psf_layout_mark_isrs(struct psf_layout *layout, uint64_t base, uint64_t count) {
    if (!base || base >= PSF_CODES || count > PSF_CODES - base) return;
    layout->auto_isrs = (uint16_t)base;
    for (uint64_t i = 0; i < count; i++) layout->ids[base + i] = i % 2 ? PSF_AUTO_ISR_RESUME : PSF_AUTO_ISR_BEGIN;
}

TK_COLD void psf_start_layout(struct psf_layout *layout, unsigned index) {
    psf_layout_init(layout, index & 1, index & 2 ? 8 : 4, 1, index & 4 ? PSF_BARE_METAL : PSF_FREERTOS);
}

// ---- Events ------------------------------------------------------------------------------------

int64_t psf_signed(const struct psf_layout *layout, uint64_t word) {
    return layout->word == 4 ? (int32_t)(uint32_t)word : (int64_t)word;
}

const char *psf_text(const struct psf_layout *layout, const struct psf_event *event, unsigned first,
                     uint32_t *out_len) {
    const uint8_t *text = event->bytes + 8 + (size_t)first * layout->word;
    size_t room = first < event->params ? (size_t)(event->params - first) * layout->word : 0;
    const uint8_t *zero = room ? memchr(text, 0, room) : NULL;
    *out_len = (uint32_t)(zero ? (size_t)(zero - text) : room);
    return (const char *)text;
}

unsigned psf_user_arguments(const struct psf_layout *layout, const struct psf_event *event, bool *out_fixed) {
    unsigned fixed = layout->first_fixed, plain = layout->first_user;
    *out_fixed = event->code >= fixed && event->params == event->code - fixed + 2u && event->params >= 2;
    return *out_fixed ? event->params - 2u : event->code - plain;
}

static bool user_event_fits(const struct psf_layout *layout, const struct psf_event *event) {
    bool fixed;
    unsigned arguments = psf_user_arguments(layout, event, &fixed);
    return fixed || event->params >= arguments + 1;
}

bool psf_fits(const struct psf_layout *layout, const struct psf_event *event) {
    if (event->record == PSF_USER_EVENT) return user_event_fits(layout, event);
    return event->params >= params[event->record].least && event->params <= params[event->record].most;
}

// ---- Headers -----------------------------------------------------------------------------------

static bool kernel_of(uint16_t id, uint8_t *out_kernel) {
    static const uint16_t ids[PSF_KERNELS] = {
        [PSF_FREERTOS] = 0x1AA1, [PSF_ZEPHYR] = 0x9AA9, [PSF_THREADX] = 0xEAAE, [PSF_BARE_METAL] = 0x1FF1
    };
    for (unsigned i = 0; i < PSF_KERNELS; i++)
        if (ids[i] == id) return *out_kernel = (uint8_t)i, true;
    return false;
}

static void read_platform(struct psf_header *header, const uint8_t *at) {
    const uint8_t *version = header->version < 13 ? at + 28 : at + 20, *name = header->version < 13 ? at + 20 : at + 24;
    header->patch = (uint8_t)psf_u16(header->big, version);
    header->minor = version[2];
    header->major = version[3];
    memcpy(header->platform, name, 8);
}

static void read_timestamp(const struct psf_header *header, const uint8_t *at, struct psf_timestamp *out_timestamp) {
    bool old = header->version < 13;
    out_timestamp->type = psf_u32(header->big, at);
    out_timestamp->hz = psf_word(header->big, header->word, at + (old ? 4 : 8));
    out_timestamp->period = psf_u32(header->big, at + (old ? 4 + header->word : 4));
    at += 8 + header->word;
    out_timestamp->wraparounds = psf_u32(header->big, at);
    out_timestamp->tick_rate = psf_u32(header->big, at + 4);
    out_timestamp->latest = psf_u32(header->big, at + 8);
    out_timestamp->tick_count = psf_u32(header->big, at + 12);
}

TK_COLD enum psf_verdict psf_header_read(const uint8_t *at, size_t len, struct psf_header *out_header,
                                         struct psf_timestamp *out_timestamp, uint16_t *out_version) {
    struct psf_header header = { 0 };
    *out_version = 0;
    if (len < 4) return !memcmp(at, "\0FSP", len) || !memcmp(at, "PSF", len) ? PSF_MORE : PSF_NO;
    if (!psf_is_marker(at)) return PSF_NO;
    if (len < PSF_CERTAIN) return PSF_MORE;
    header.big = at[0] != 0;
    header.version = psf_u16(header.big, at + 4);
    header.kernel_id = psf_u16(header.big, at + 6);
    bool known_kernel = kernel_of(header.kernel_id, &header.kernel),
         known_version = header.version >= PSF_FIRST_VERSION && header.version <= PSF_LAST_VERSION;
    if (known_kernel && !known_version) *out_version = header.version;
    if (!known_kernel || !known_version) return PSF_NO;
    if (len < PSF_HEADER + PSF_MAX_TIMESTAMP) return PSF_MORE;
    header.options = psf_u32(header.big, at + 8);
    header.word = header.version >= 13 && header.options & 8 ? 8 : 4;
    uint32_t cores = psf_u32(header.big, at + 12);
    header.cores = (uint8_t)cores;
    header.streams = (uint8_t)(cores >> 8);
    header.tail_threshold = psf_u32(header.big, at + 16);
    read_platform(&header, at);
    read_timestamp(&header, at + PSF_HEADER, out_timestamp);
    bool known_cores = header.cores >= 1 && header.cores <= PSF_MAX_CORES;
    *out_header = header;
    return known_cores && out_timestamp->type >= 1 && out_timestamp->type <= 6 ? PSF_YES : PSF_NO;
}

enum psf_verdict psf_header_probe(const uint8_t *at, size_t len, bool ended, uint16_t *out_version) {
    struct psf_header header;
    struct psf_timestamp timestamp;
    *out_version = 0;
    if (!psf_may_be_header(at, len)) return PSF_NO;
    enum psf_verdict verdict = psf_header_read(at, len, &header, &timestamp, out_version);
    return verdict != PSF_MORE || !ended ? verdict : len < PSF_CERTAIN ? PSF_NO : PSF_YES;
}

size_t psf_header_size(const struct psf_header *header) { return PSF_HEADER + 24 + header->word; }

TK_COLD bool psf_table_read(const struct psf_header *header, const uint8_t *at, struct psf_table *out_table) {
    out_table->entries = psf_word(header->big, header->word, at);
    out_table->symbol = psf_word(header->big, header->word, at + header->word);
    out_table->states = psf_word(header->big, header->word, at + 2 * header->word);
    return out_table->entries <= 65536 && out_table->symbol <= 256 && out_table->states >= 1 && out_table->states <= 16;
}

size_t psf_entry_size(const struct psf_header *header, const struct psf_table *table) {
    return (size_t)((1 + table->states) * header->word + 4 + table->symbol);
}

TK_COLD void psf_entry_read(const struct psf_header *header, const struct psf_table *table, const uint8_t *at,
                            struct psf_entry *out_entry) {
    *out_entry = (struct psf_entry){ .address = psf_word(header->big, header->word, at) };
    for (uint64_t i = 0; i < table->states; i++)
        if (i < 3) out_entry->states[i] = psf_word(header->big, header->word, at + (1 + i) * header->word);
    at += (1 + table->states) * header->word;
    out_entry->options = psf_u32(header->big, at);
    out_entry->symbol = (const char *)at + 4;
    const char *zero = memchr(out_entry->symbol, 0, (size_t)table->symbol);
    out_entry->symbol_len = (uint32_t)(zero ? (size_t)(zero - out_entry->symbol) : (size_t)table->symbol);
}

// ---- Chains of events --------------------------------------------------------------------------

struct chain {
    uint32_t timer[PSF_MAX_CORES];
    uint16_t count[PSF_MAX_CORES], seen;
};

TK_COLD void psf_layout_set_timer(struct psf_layout *layout, const struct psf_timestamp *timestamp) {
    enum { SHORTEST = 1 << 20, CUSTOM = 5 };
    layout->timer = (uint8_t)timestamp->type;
    layout->turn = timestamp->type >= CUSTOM && timestamp->period ? timestamp->period : (uint64_t)1 << 32;
    if (layout->turn < SHORTEST) layout->turn = 0;
}

// Returns true if the time does not go back. An OS tick timer may be reloaded just before its tick is counted.
static bool is_monotonic_step(const struct psf_layout *layout, uint32_t before, uint32_t now) {
    enum { TICK_UP = 3, TICK_DOWN, TICK = 1 << 24 };
    bool has_ticks = layout->timer == TICK_UP || layout->timer == TICK_DOWN,
         is_down = layout->timer && !(layout->timer & 1);
    uint64_t turn = layout->turn, step;
    if (!turn) return true;
    if (layout->timer == TICK_DOWN) before ^= TICK - 1, now ^= TICK - 1, is_down = false;
    if (before >= turn || now >= turn) return false;
    step = is_down ? before + turn - now : now + turn - before;
    step -= step >= turn ? turn : 0;
    return step < turn / 2 || (has_ticks && turn - step <= TICK);
}

// Returns true if the event may follow the earlier ones. Events may be missing in between.
static bool continues(const struct psf_layout *layout, const struct psf_event *event, struct chain *chain) {
    uint16_t mask = layout->count_mask, step = (uint16_t)(event->count - chain->count[event->core]) & mask;
    uint32_t before = chain->timer[event->core];
    bool seen = chain->seen >> event->core & 1;
    chain->count[event->core] = event->count;
    chain->timer[event->core] = event->timer;
    chain->seen |= (uint16_t)(1u << event->core);
    if (!seen) return true;
    if (!step || step > mask / 2) return false;
    return is_monotonic_step(layout, before, event->timer);
}

static bool is_possible(const struct psf_layout *layout, const struct psf_event *event) {
    return event->record && event->core < layout->cores && psf_size_is_possible(layout, event) &&
           psf_fits(layout, event);
}

TK_COLD enum psf_verdict psf_chain(const struct psf_layout *layout, const uint8_t *at, size_t len, bool ended,
                                   unsigned least, unsigned *out_events) {
    struct chain chain = { 0 };
    struct psf_event event;
    uint16_t version;
    for (*out_events = 0; *out_events < least; ++*out_events) {
        enum psf_verdict header = psf_header_probe(at, len, ended, &version);
        if (header != PSF_NO) return header;
        if (len < 8) return !ended ? PSF_MORE : *out_events ? PSF_YES : PSF_NO;
        psf_event_read(layout, at, &event);
        if (!is_possible(layout, &event) || !continues(layout, &event, &chain)) return PSF_NO;
        if (len < event.size) return !ended ? PSF_MORE : *out_events ? PSF_YES : PSF_NO;
        at += event.size;
        len -= event.size;
    }
    return PSF_YES;
}
