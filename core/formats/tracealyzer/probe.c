// SPDX-License-Identifier: MIT
//
// Recognises the format by a start marker with a consistent header, by the marker of a memory image, or by a chain of
// events.
#include "../format.h"

#include <string.h>

#include "decode.h"
#include "../../base/text.h"

enum {
    CHAIN_WITHIN = 4096
}; // a stream without a header begins in the middle of an event, so that its first whole event is near

static void put_header(struct tk_text *text, const struct psf_header *header) {
    static const char *const kernels[PSF_KERNELS] = {
        [PSF_FREERTOS] = "FreeRTOS", [PSF_ZEPHYR] = "Zephyr", [PSF_THREADX] = "ThreadX", [PSF_BARE_METAL] = "bare metal"
    };
    tk_text_add(text, "its header names ");
    tk_text_add(text, kernels[header->kernel]);
    tk_text_add(text, ", stream format ");
    tk_text_u64(text, header->version);
    tk_text_add(text, header->word == 8 ? ", 64 bit" : ", 32 bit");
    tk_text_add(text, header->big ? ", big-endian" : ", little-endian");
}

// Counts events from here on, and the cores in them.
static void count_events(struct tk_probe *probe, const struct psf_layout *layout, const uint8_t *at, size_t len) {
    struct psf_event event;
    while (len >= 8) {
        psf_event_read(layout, at, &event);
        size_t size = event.size;
        if (!event.record || event.core >= layout->cores || size > len) break;
        if (layout->cores > 1) probe->cores_mask |= 1u << event.core;
        if (!probe->frames++) probe->first_ticks = event.timer;
        probe->last_ticks = event.timer;
        at += size;
        len -= size;
    }
    probe->valid = probe->frames;
    probe->has_events = probe->frames;
}

static void skip_table(const struct psf_header *header, const uint8_t *at, size_t len, size_t *out_size) {
    struct psf_table table;
    size_t begin = psf_header_size(header), words = 3u * header->word;
    *out_size = len;
    if (len < begin + words || !psf_table_read(header, at + begin, &table)) return;
    uint64_t size = begin + words + table.entries * psf_entry_size(header, &table);
    if (size < len) *out_size = (size_t)size;
}

// Fills the probe from a header. Returns false if it is none.
static bool probe_header(struct tk_probe *probe, const uint8_t *at, size_t len, uint64_t before, bool image) {
    struct psf_header header;
    struct psf_timestamp timestamp;
    struct psf_layout layout;
    uint16_t version;
    size_t size;
    enum psf_verdict verdict = psf_header_read(at, len, &header, &timestamp, &version);
    if (verdict != PSF_YES && !(verdict == PSF_MORE && before == 0 && len >= 8)) return false;
    struct tk_text text = tk_text_in(probe->reason, sizeof probe->reason);
    probe->confidence = 100;
    probe->names_tick = true;
    probe->header = TK_HEADER_PRESENT;
    probe->text_bytes = before;
    if (verdict == PSF_MORE)
        tk_text_add(&text, "it begins with the start marker of a recorder, and ends within the header");
    else put_header(&text, &header);
    if (image) tk_text_add(&text, "; image of a ring in memory");
    if (verdict == PSF_MORE) return true;
    probe->tick_ns = timestamp.hz ? 1 : 0;
    probe->file_per_core = header.cores > 1 && header.streams == 2;
    psf_layout_init(&layout, header.big, header.word, header.cores, (enum psf_kernel)header.kernel);
    skip_table(&header, at, len, &size);
    if (!image) count_events(probe, &layout, at + size, len - size);
    else probe->has_events = true, probe->frames = probe->valid = 16;
    return true;
}

static bool find_header(struct tk_probe *probe, const uint8_t *head, size_t len) {
    static const bool may_begin[256] = { [0] = true, ['P'] = true, [1] = true, [5] = true };
    const uint8_t *snapshot = NULL;
    for (size_t at = 0; at + 4 <= len; at++) {
        const uint8_t *here = head + at;
        if (!may_begin[*here]) continue;
        bool image = here[0] == 5 && len - at > PSF_MARK && !memcmp(here, psf_image_begin, PSF_MARK);
        if (image && probe_header(probe, here + PSF_MARK, len - at - PSF_MARK, at, true)) return true;
        if (here[1] == 'F' || here[1] == 'S') {
            if (psf_is_marker(here) && probe_header(probe, here, len - at, at, false)) return true;
        }
        if (here[0] == 1 && len - at >= PSF_MARK && !memcmp(here, psf_snapshot_begin, PSF_MARK)) snapshot = here;
    }
    if (!snapshot) return false;
    struct tk_text text = tk_text_in(probe->reason, sizeof probe->reason);
    tk_text_add(&text, "a snapshot of Percepio's recorder: only its streaming mode is supported");
    return false;
}

static void find_events(struct tk_probe *probe, const uint8_t *head, size_t len) {
    struct psf_layout layout;
    unsigned events;
    for (unsigned i = 0; i < PSF_START_LAYOUTS; i++) {
        psf_start_layout(&layout, i);
        for (size_t at = 0; at + 8 <= len && at < CHAIN_WITHIN; at++) {
            if (psf_chain(&layout, head + at, len - at, true, PSF_CHAIN_START, &events) != PSF_YES ||
                events < PSF_CHAIN_START)
                continue;
            count_events(probe, &layout, head + at, len - at);
            probe->confidence = probe->frames >= 32 ? 95 : 75;
            probe->file_per_core = true; // possibly
            probe->header = TK_HEADER_MISSING;
            struct tk_text text = tk_text_in(probe->reason, sizeof probe->reason);
            tk_text_u64(&text, probe->frames);
            tk_text_add(&text, " events of a recorder follow each other; the header is missing");
            return;
        }
    }
}

static void probe(const uint8_t *head, size_t head_len, const uint8_t *tail, size_t tail_len,
                  struct tk_probe *out_probe) {
    (void)tail, (void)tail_len;
    if (!find_header(out_probe, head, head_len)) find_events(out_probe, head, head_len);
}

static const struct tk_option_info options[] = {
    { "log", "List of log messages",
      "User events in the viewer's list of log messages, too, with its filter and search", "off|on", "off", 0 },
};

const struct tk_format_info tk_info_tracealyzer = {
    .name = "tracealyzer",
    .title = "Percepio TraceRecorder",
    .pieces = "Events",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .takes_symbols = true,
    .joins_cores = true,
};
const struct tk_format tk_format_tracealyzer = { &tk_info_tracealyzer, probe, NULL, &tk_decoder_tracealyzer };
