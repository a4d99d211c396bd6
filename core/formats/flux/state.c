// SPDX-License-Identifier: MIT
//
// Traces and their items: definitions, and checks of samples against them.
#include "flux.h"

#include <string.h>

#include "../kit/ids.h"

static uint64_t item_key(uint32_t trace, uint64_t id) {
    return (uint64_t)1 << 63 | (uint64_t)trace << 32 | (uint32_t)id;
}

uint32_t flux_find_item(const struct flux *flux, uint32_t trace, uint64_t id) {
    return id > UINT32_MAX ? TK_NONE : tk_idmap_find(&flux->by_id, item_key(trace, id));
}

uint32_t flux_add_item(struct flux *flux, uint32_t trace, uint64_t id) {
    uint32_t index = flux->item_count;
    if (!id || id > UINT32_MAX) return TK_NONE;
    if (index == FLUX_MAX_ITEMS) {
        flux_note(flux, TK_DIAG_TOO_MANY, 1);
        return TK_NONE;
    }
    if (!tk_ids_add(&flux->by_id, flux->host.alloc, item_key(trace, id), (void **)&flux->items, &flux->item_capacity,
                    index, sizeof *flux->items))
        return TK_NONE;
    flux->items[index] = (struct flux_item){ .id = (uint32_t)id, .trace = trace };
    flux->item_count++;
    return index;
}

static uint32_t find_or_add(struct flux *flux, uint64_t id) {
    uint32_t index = flux_find_item(flux, flux->trace, id);
    return index == TK_NONE ? flux_add_item(flux, flux->trace, id) : index;
}

void flux_state_deinit(struct flux *flux) {
    struct tk_alloc *alloc = flux->host.alloc;
    tk_alloc_free(alloc, flux->traces, flux->trace_capacity * sizeof *flux->traces);
    tk_alloc_free(alloc, flux->items, flux->item_capacity * sizeof *flux->items);
    tk_alloc_free(alloc, flux->sequences, flux->sequence_capacity * sizeof *flux->sequences);
    tk_alloc_free(alloc, flux->waiting, flux->waiting_capacity * sizeof *flux->waiting);
    tk_alloc_free(alloc, flux->fields, flux->field_capacity * sizeof *flux->fields);
    tk_alloc_free(alloc, flux->states, flux->states ? TK_MAX_STATES : 0);
    tk_idmap_deinit(&flux->by_id, alloc);
}

// ---- Traces --------------------------------------------------------------------------------------

uint32_t flux_find_trace(const struct flux *flux, uint64_t id) {
    uint32_t index = 0;
    while (index < flux->trace_count && flux->traces[index].id != (uint32_t)id) index++;
    return index;
}

void flux_select_trace(struct flux *flux, uint64_t id) {
    uint32_t index = flux_find_trace(flux, id);
    if (index == FLUX_MAX_TRACES) {
        flux_note(flux, TK_DIAG_TOO_MANY, 1);
        return;
    }
    if (index == flux->trace_count) {
        if (!tk_alloc_grow(flux->host.alloc, (void **)&flux->traces, &flux->trace_capacity, index + 1,
                           sizeof *flux->traces))
            return;
        flux->traces[index] = (struct flux_trace){ .id = (uint32_t)id, .dialect = flux->dialect, .epoch = 1 };
        flux->trace_count++;
    }
    flux->trace = index;
}

struct flux_trace *flux_current(struct flux *flux) {
    if (!flux->trace_count) flux_select_trace(flux, 0); // init has made room for one trace
    return &flux->traces[flux->trace];
}

static enum flux_dialect dialect_of(struct flux *flux, uint8_t version) {
    bool is_older = version <= 4;
    flux->trial_result.any_older |= is_older;
    return is_older && !flux->ignores_version ? FLUX_4 : (enum flux_dialect)flux->dialect;
}

static void on_head(struct flux *flux, const struct flux_entry *entry) {
    enum { MOST_IDS = 1 << 24 };
    const struct flux_trace *begun = &flux->traces[0];
    if (flux->trace_count == 1 && !begun->has_head && !begun->root && !begun->definitions)
        flux->trace_count = 0; // the trace exists only because this head was read in it
    flux_select_trace(flux, entry->id);
    struct flux_trace *trace = flux_current(flux);
    trace->version = entry->kind;
    trace->dialect = (uint8_t)dialect_of(flux, entry->kind);
    trace->max_id = entry->first && entry->first < MOST_IDS ? (uint32_t)entry->first : 0;
    trace->has_head = true;
    flux_map_trace(flux, entry);
}

// ---- Definitions ---------------------------------------------------------------------------------

static void define(struct flux *flux, uint64_t id, const struct flux_entry *entry, uint64_t k) {
    struct flux_trace *trace = flux_current(flux);
    uint32_t index = find_or_add(flux, id);
    if (index == TK_NONE) return;
    struct flux_item *item = &flux->items[index];
    bool is_new = !item->is_defined || item->parent != entry->parent;
    item->parent = entry->parent == id ? 0 : (uint32_t)entry->parent;
    item->is_signal = entry->tag != FLUX_SCPD;
    item->type =
        item->is_signal ? (uint8_t)flux_signal_type((enum flux_dialect)trace->dialect, entry->kind) : FLUX_UNKNOWN;
    item->is_defined = true;
    if (is_new) trace->epoch++;
    if (id > trace->max_id) trace->max_id = 0; // either the head or this definition is damaged
    trace->definitions += item->is_signal;
    flux->trial_result.definitions += item->is_signal;
    flux_map_definition(flux, index, entry, k);
}

// Defines a range of signals. An entry of twenty bytes may define 65536 of them, again and again. So beyond a free
// number, the limit grows with the entries and samples that were read.
static void define_several(struct flux *flux, const struct flux_entry *entry) {
    enum { FREE = 2 * FLUX_MAX_ITEMS, PER_ENTRY = 16 };
    uint64_t count = entry->second - entry->id + 1,
             left = FREE + PER_ENTRY * (flux->entries + flux->samples) - flux->several;
    uint64_t taken = count < left ? count : left;
    flux->several += taken;
    for (uint64_t k = 0; k < taken && !flux->host.alloc->failed; k++) define(flux, entry->id + k, entry, k);
    if (taken < count) flux_note(flux, TK_DIAG_TOO_MANY, count - taken);
}

// ---- Sequences -----------------------------------------------------------------------------------

struct flux_sequence *flux_covering(struct flux *flux, struct flux_item *item) {
    struct flux_trace *trace = &flux->traces[item->trace];
    if (item->epoch != trace->epoch) {
        const struct flux_item *at = item;
        uint32_t sequence = at->sequence;
        for (unsigned depth = 0; !sequence && at->parent && depth < 64; depth++) {
            uint32_t parent = flux_find_item(flux, item->trace, at->parent);
            if (parent == TK_NONE) break;
            at = &flux->items[parent];
            sequence = at->sequence;
        }
        item->covering = sequence ? sequence : trace->sequence;
        item->epoch = trace->epoch;
    }
    return item->covering ? &flux->sequences[item->covering - 1] : NULL;
}

static void on_open(struct flux *flux, const struct flux_entry *entry) {
    uint32_t index = entry->id ? find_or_add(flux, entry->id) : TK_NONE;
    if (entry->id && index == TK_NONE) return;
    flux_open_sequence(flux, index, entry);
}

static struct flux_sequence *find_sequence_of_item(struct flux *flux, uint64_t id) {
    uint32_t index = flux_find_item(flux, flux->trace, id);
    uint32_t sequence = !id ? flux_current(flux)->sequence : index == TK_NONE ? 0 : flux->items[index].sequence;
    return sequence ? &flux->sequences[sequence - 1] : NULL;
}

static void on_close(struct flux *flux, const struct flux_entry *entry) {
    struct flux_sequence *sequence = find_sequence_of_item(flux, entry->id);
    if (sequence) flux_close_sequence(flux, sequence, flux_integer(entry->x), TK_END_SEEN);
}

static void on_current(struct flux *flux, const struct flux_entry *entry) {
    uint32_t index = flux_find_item(flux, flux->trace, entry->id);
    struct flux_sequence *sequence = entry->id && index != TK_NONE ? flux_covering(flux, &flux->items[index])
                                                                   : find_sequence_of_item(flux, entry->id);
    if (!sequence && flux_current(flux)->sequence) sequence = &flux->sequences[flux_current(flux)->sequence - 1];
    if (sequence) flux_move_sequence(flux, sequence, flux_integer(entry->x));
}

static void on_domain(struct flux *flux, const struct flux_entry *entry) {
    struct flux_trace *trace = flux_current(flux);
    trace->domain_len = (uint8_t)tk_text_cut((const char *)entry->format.at, entry->format.len, FLUX_DOMAIN_LEN);
    memcpy(trace->domain, entry->format.at, trace->domain_len);
}

// ---- Entries -------------------------------------------------------------------------------------

static void on_item_entry(struct flux *flux, const struct flux_entry *entry) {
    uint32_t index = find_or_add(flux, entry->id);
    if (index == TK_NONE || !flux->batch) return;
    switch (entry->tag) {
    case FLUX_ENMD: flux_map_label(flux, index, entry); break;
    case FLUX_MEMD: flux_map_member(flux, index, entry); break;
    case FLUX_ATRE: flux_map_relation(flux, index, entry); break;
    case FLUX_ATLA: flux_map_note(flux, index, entry); break;
    default: flux_map_alias(flux, index, entry); break;
    }
}

bool flux_on_entry(struct flux *flux, const struct flux_entry *entry) {
    flux_current(flux);
    switch (entry->tag) {
    case FLUX_HEAD: on_head(flux, entry); break;
    case FLUX_SWTH: flux_select_trace(flux, entry->id); break;
    case FLUX_SCPD:
    case FLUX_SIGD:
    case FLUX_SSGD: define(flux, entry->id, entry, UINT64_MAX); break;
    case FLUX_MSGD: define_several(flux, entry); break;
    case FLUX_OPEN: on_open(flux, entry); break;
    case FLUX_CLOS: on_close(flux, entry); break;
    case FLUX_DOMD: on_domain(flux, entry); break;
    case FLUX_CURR: on_current(flux, entry); break;
    case FLUX_CREQ:
    case FLUX_CRES: flux_map_control(flux, entry); break;
    case FLUX_PBLK: break;
    default: on_item_entry(flux, entry); break;
    }
    return true;
}

// ---- Samples -------------------------------------------------------------------------------------

bool flux_sample_is_sound(struct flux *flux, const struct flux_sample *sample, uint32_t index) {
    const struct flux_item *item = &flux->items[index];
    const struct flux_trace *trace = &flux->traces[item->trace];
    if (item->is_defined && !item->is_signal) return false;
    if (!item->is_defined) return true;
    if (!flux_sample_suits((enum flux_type)item->type, sample)) return false;
    return item->type < FLUX_STRUCT || sample->is_none ||
           flux_read_data(flux, (enum flux_type)item->type, (enum flux_dialect)trace->dialect, sample);
}

// Returns the position of a sample. In a continuous sequence a signal without deltas is sampled at the rate of the
// sequence, as long as the sequence has not moved.
static int64_t position_of(const struct flux_sequence *sequence, struct flux_item *item,
                           const struct flux_sample *sample) {
    if (sample->has_delta) item->had_delta = true;
    bool at_rate = sequence->rate && !item->had_delta && sequence->position == sequence->start;
    uint64_t k = item->k++;
    return at_rate ? (int64_t)((uint64_t)sequence->start + k * (uint64_t)sequence->rate) : sequence->position;
}

static void leave_sequence(struct flux *flux, struct flux_item *item) {
    if (!item->listed_in) return;
    if (item->previous) flux->items[item->previous - 1].next = item->next;
    else flux->sequences[item->listed_in - 1].first = item->next;
    if (item->next) flux->items[item->next - 1].previous = item->previous;
}

// Lists an item in the sequence that covers it. An item may change to its own sequence and back to that of its scope.
static void join_sequence(struct flux *flux, struct flux_sequence *sequence, uint32_t index) {
    struct flux_item *item = &flux->items[index];
    bool is_new = item->drawn_in != sequence->number;
    if (!is_new && item->listed_in) return; // an item that is not listed had its slice ended at a gap
    sequence->is_used = true;
    leave_sequence(flux, item);
    item->drawn_in = sequence->number;
    item->listed_in = (uint32_t)(sequence - flux->sequences) + 1;
    item->previous = 0;
    item->next = sequence->first;
    if (item->next) flux->items[item->next - 1].previous = index + 1;
    sequence->first = index + 1;
    if (!is_new) return;
    item->k = 0;
    item->had_delta = false;
}

bool flux_on_sample(struct flux *flux, const struct flux_sample *sample, uint32_t index) {
    const struct flux_trace *trace = flux_current(flux);
    if (trace->max_id && sample->id > trace->max_id) return false;
    if (index == TK_NONE) index = flux_add_item(flux, flux->trace, sample->id);
    if (index == TK_NONE) return sample->id <= UINT32_MAX; // above the limit of items a sample is skipped
    if (!flux_sample_is_sound(flux, sample, index)) return false;
    struct flux_sequence *sequence = flux_covering(flux, &flux->items[index]);
    int64_t position = 0;
    if (sequence) {
        join_sequence(flux, sequence, index);
        sequence->position = (int64_t)((uint64_t)sequence->position + sample->delta);
        position = position_of(sequence, &flux->items[index], sample);
        if (!flux->batch)
            flux->trial_result.any_fraction |= sequence->unit.num && tk_unit_has_fraction(sequence->unit, position);
    }
    flux_shows(flux, &(struct flux_dump_record){ flux, NULL, sample, sequence,
                                                 sequence ? sequence->position : (int64_t)sample->delta });
    if (flux->batch) flux_map_sample(flux, index, sample, sequence, position);
    return true;
}
