// SPDX-License-Identifier: MIT
#include "diag.h"

#include "attributes.h"
#include "text.h"

#include <string.h>

void tk_diag_init(struct tk_diag *diag) { memset(diag, 0, sizeof *diag); }

const char *tk_severity_name(enum tk_severity severity) {
    static const char *const names[] = { "info", "notice", "damage", "loss" };
    return names[severity];
}

enum tk_severity tk_diag_severity_at(const struct tk_diag *diag, unsigned rank) {
    uint64_t on_line = diag->entries[TK_DIAG_LOST_ON_LINE].amount,
             elsewhere = diag->entries[TK_DIAG_DROPPED].amount + diag->entries[TK_DIAG_LOST_SOMEWHERE].amount;
    enum tk_severity severity = (enum tk_severity)(TK_SEVERITY_LOSS - rank);
    if (severity < TK_SEVERITY_DAMAGE || on_line <= elsewhere) return severity;
    return severity == TK_SEVERITY_LOSS ? TK_SEVERITY_DAMAGE : TK_SEVERITY_LOSS;
}

// Orders source positions. The order of the calls would not do: it depends on how the inputs are cut into chunks.
static int compare(const struct tk_source_pos *place, const struct tk_diag_location *spot) {
    if (place->has_offset != spot->has_offset) return place->has_offset ? -1 : 1;
    if (place->has_offset && place->input != spot->input) return place->input < spot->input ? -1 : 1;
    if (place->has_offset) return (place->offset > spot->offset) - (place->offset < spot->offset);
    if (place->has_ticks != spot->has_ticks) return place->has_ticks ? -1 : 1;
    if (!place->has_ticks && (place->has_input || spot->has_input))
        return place->has_input != spot->has_input ? (place->has_input ? -1 : 1)
                                                   : (place->input > spot->input) - (place->input < spot->input);
    return place->has_ticks ? (place->ticks > spot->ticks) - (place->ticks < spot->ticks) : 0;
}

static void fill(struct tk_diag_location *spot, const struct tk_source_pos *place) {
    size_t len = place->bytes && place->has_offset ? place->len : 0;
    memset(spot, 0, sizeof *spot);
    spot->input = place->input;
    spot->has_offset = place->has_offset;
    spot->has_ticks = place->has_ticks;
    spot->has_input = place->has_input;
    spot->line = place->line;
    spot->offset = place->has_offset ? place->offset : 0;
    spot->frame = place->has_offset ? place->frame : 0;
    spot->ticks = place->has_ticks ? place->ticks : 0;
    spot->context_len = (uint8_t)(len < TK_DIAG_CONTEXT ? len : TK_DIAG_CONTEXT);
    if (spot->context_len) memcpy(spot->context, place->bytes, spot->context_len);
}

// Returns the pseudo-random number of a position. The sample keeps the positions with the smallest numbers, so it does
// not depend on the order of the calls.
static uint64_t draw_lot(uint32_t input, uint64_t position) {
    uint64_t lot = (position + 1) * 0x9E3779B97F4A7C15u + input;
    lot = (lot ^ lot >> 30) * 0xBF58476D1CE4E5B9u;
    lot = (lot ^ lot >> 27) * 0x94D049BB133111EBu;
    return lot ^ lot >> 31;
}

static uint64_t lot_of(const struct tk_diag_location *spot) {
    return draw_lot(spot->input, spot->has_offset ? spot->offset : spot->ticks);
}

static uint64_t lot_of_place(const struct tk_source_pos *place) {
    return draw_lot(place->input, place->has_offset ? place->offset : place->has_ticks ? place->ticks : 0);
}

// Selects the position to drop from the random sample when a new one is inserted at index `at`. Returns its index, or
// TK_DIAG_LOCATIONS for the new position.
static unsigned find_surplus(const struct tk_diag_entry *entry, const struct tk_source_pos *place, unsigned at) {
    bool is_first = at < TK_DIAG_FIRST_LOCATIONS;
    uint64_t most = lot_of_place(place);
    unsigned surplus = TK_DIAG_LOCATIONS, i = TK_DIAG_FIRST_LOCATIONS - is_first;
    if (is_first) most = lot_of(&entry->locations[surplus = i++]);
    for (; i < TK_DIAG_LOCATIONS; i++) {
        uint64_t lot = lot_of(&entry->locations[i]);
        if (lot > most) most = lot, surplus = i;
    }
    return surplus;
}

// Returns true if neither the first positions nor the sample would keep a new position.
static bool is_passed_over(const struct tk_diag_entry *entry, const struct tk_source_pos *place) {
    return entry->location_count == TK_DIAG_LOCATIONS && lot_of_place(place) > entry->largest_lot &&
           compare(place, &entry->locations[TK_DIAG_FIRST_LOCATIONS - 1]) > 0;
}

TK_NOINLINE static void keep_place(struct tk_diag_entry *entry, const struct tk_source_pos *place) {
    unsigned at = entry->location_count;
    while (at && compare(place, &entry->locations[at - 1]) < 0) at--;
    if (at && compare(place, &entry->locations[at - 1]) == 0) return;
    unsigned end = entry->location_count;
    if (end < TK_DIAG_LOCATIONS) {
        entry->location_count++;
    } else {
        end = find_surplus(entry, place, at);
        if (end == TK_DIAG_LOCATIONS) return;
    }
    struct tk_diag_location *spot = entry->locations;
    if (end < at) memmove(&spot[end], &spot[end + 1], (--at - end) * sizeof *spot);
    else memmove(&spot[at + 1], &spot[at], (end - at) * sizeof *spot);
    fill(&spot[at], place);
    if (entry->location_count < TK_DIAG_LOCATIONS) return;
    entry->largest_lot = 0;
    for (unsigned i = TK_DIAG_FIRST_LOCATIONS; i < TK_DIAG_LOCATIONS; i++)
        if (lot_of(&spot[i]) > entry->largest_lot) entry->largest_lot = lot_of(&spot[i]);
}

void tk_diag_set_time(struct tk_diag *diag, enum tk_diag_id id, const struct tk_source_pos *place) {
    struct tk_diag_entry *entry = &diag->entries[id];
    for (unsigned at = entry->location_count; at--;) {
        struct tk_diag_location *spot = &entry->locations[at];
        if (spot->has_ticks || !spot->has_offset || compare(place, spot)) continue;
        spot->has_ticks = true;
        spot->ticks = place->ticks;
    }
}

bool tk_diag_has_damage(const struct tk_diag *diag) {
    for (int id = 0; id < TK_DIAG_COUNT; id++)
        if (diag->entries[id].count && tk_diag_info((enum tk_diag_id)id)->severity == TK_SEVERITY_DAMAGE) return true;
    return false;
}

void tk_diag_count(struct tk_diag *diag, enum tk_diag_id id, const struct tk_source_pos *place) {
    struct tk_diag_entry *entry = &diag->entries[id];
    if (place && !is_passed_over(entry, place)) keep_place(entry, place);
    entry->count++;
}

// Keeps the smallest different numbers, so that the set does not depend on the order of the calls.
static void keep_value(struct tk_diag_entry *entry, uint64_t value) {
    unsigned at = 0;
    while (at < entry->value_count && entry->values[at] < value) at++;
    if (at < entry->value_count && entry->values[at] == value) return;
    if (entry->value_count == TK_DIAG_VALUES) entry->more_values = true;
    else entry->value_count++;
    if (at == TK_DIAG_VALUES) return;
    memmove(&entry->values[at + 1], &entry->values[at], (entry->value_count - 1u - at) * sizeof entry->values[0]);
    entry->values[at] = value;
}

void tk_diag_note(struct tk_diag *diag, enum tk_diag_id id, const struct tk_source_pos *place, uint64_t value) {
    tk_diag_count(diag, id, place);
    struct tk_diag_entry *entry = &diag->entries[id];
    switch (tk_diag_info(id)->detail) {
    case TK_DETAIL_NONE: break;
    case TK_DETAIL_AMOUNT:
        entry->amount = value > UINT64_MAX - entry->amount ? UINT64_MAX : entry->amount + value;
        break;
    case TK_DETAIL_VALUE:
    case TK_DETAIL_UNIT:
    case TK_DETAIL_HEX: keep_value(entry, value); break;
    }
}

// ---- The number as text ----

static void put_number(struct tk_text *text, uint64_t value, bool hexadecimal) {
    if (hexadecimal) tk_text_hex(text, value, 1);
    else tk_text_u64(text, value);
}

static void put_values(struct tk_text *text, const struct tk_diag_entry *entry, const struct tk_diag_info *info) {
    if (info->detail != TK_DETAIL_UNIT) {
        tk_text_add(text, info->word);
        tk_text_add(text, " ");
    }
    for (unsigned i = 0; i < entry->value_count; i++) {
        if (i) tk_text_add(text, ", ");
        put_number(text, entry->values[i], info->detail == TK_DETAIL_HEX);
    }
    if (info->detail == TK_DETAIL_UNIT) {
        tk_text_add(text, " ");
        tk_text_add(text, info->word);
    }
    if (entry->more_values) tk_text_add(text, " and others");
}

size_t tk_diag_detail(const struct tk_diag *diag, enum tk_diag_id id, char out_text[TK_DIAG_DETAIL_LEN]) {
    const struct tk_diag_info *info = tk_diag_info(id);
    const struct tk_diag_entry *entry = &diag->entries[id];
    struct tk_text text = tk_text_in(out_text, TK_DIAG_DETAIL_LEN);
    if (info->detail == TK_DETAIL_AMOUNT && entry->amount) tk_text_count(&text, entry->amount, info->word);
    else if (entry->value_count) put_values(&text, entry, info);
    return text.len;
}

static const struct tk_diag_info infos[TK_DIAG_COUNT] = {
#define TK_DIAG(id, severity, detail, word, title, cause, remedy) \
    { #id, TK_SEVERITY_##severity, TK_DETAIL_##detail, word, title, cause, remedy },
#include "diag.def"
#undef TK_DIAG
};

const struct tk_diag_info *tk_diag_info(enum tk_diag_id id) { return &infos[id]; }
