// SPDX-License-Identifier: MIT
#include "diag.h"

#include <string.h>

static const struct tk_diag_info infos[TK_DIAG_COUNT] = {
#define TK_DIAG(id, severity, detail, word, title, cause, remedy) \
    {#id, TK_SEVERITY_##severity, TK_DETAIL_##detail, word, title, cause, remedy},
#include "diag.def"
#undef TK_DIAG
};

void tk_diag_init(struct tk_diag *diag) { memset(diag, 0, sizeof *diag); }

const struct tk_diag_info *tk_diag_info(enum tk_diag_id id) { return &infos[id]; }

const char *tk_severity_name(enum tk_severity severity) {
    static const char *const names[] = {"info", "notice", "damage", "loss"};
    return names[severity];
}

// Not simply "the first call": inputs are read in turns that depend on how they are cut.
static bool is_earlier(const struct tk_diag_place *place, const struct tk_diag_entry *entry) {
    if (place->has_offset != entry->has_offset) return place->has_offset;
    if (place->has_offset) {
        if (place->input != entry->input) return place->input < entry->input;
        return place->offset < entry->offset;
    }
    if (place->has_ticks != entry->has_ticks) return place->has_ticks;
    return place->has_ticks && place->ticks < entry->ticks;
}

static void keep_place(struct tk_diag_entry *entry, const struct tk_diag_place *place) {
    entry->input = place->input;
    entry->has_offset = place->has_offset;
    entry->has_ticks = place->has_ticks;
    entry->offset = place->has_offset ? place->offset : 0;
    entry->frame = place->has_offset ? place->frame : 0;
    entry->ticks = place->has_ticks ? place->ticks : 0;
    size_t len = place->bytes && place->has_offset ? place->len : 0;
    entry->context_len = (uint8_t)(len < TK_DIAG_CONTEXT ? len : TK_DIAG_CONTEXT);
    if (entry->context_len) memcpy(entry->context, place->bytes, entry->context_len);
}

void tk_diag_hit(struct tk_diag *diag, enum tk_diag_id id, const struct tk_diag_place *place) {
    struct tk_diag_entry *entry = &diag->entries[id];
    if (place && (entry->count == 0 || is_earlier(place, entry))) keep_place(entry, place);
    entry->count++;
}

// Keeps the smallest different numbers: the same set whatever the order of the calls.
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

void tk_diag_note(struct tk_diag *diag, enum tk_diag_id id, const struct tk_diag_place *place, uint64_t value) {
    tk_diag_hit(diag, id, place);
    struct tk_diag_entry *entry = &diag->entries[id];
    switch (infos[id].detail) {
    case TK_DETAIL_NONE: break;
    case TK_DETAIL_AMOUNT:
        entry->amount = value > UINT64_MAX - entry->amount ? UINT64_MAX : entry->amount + value;
        break;
    case TK_DETAIL_VALUE:
    case TK_DETAIL_UNIT:
    case TK_DETAIL_HEX: keep_value(entry, value); break;
    }
}

// ---- The number in words ----

struct text {
    char *out;
    size_t len;
};

static void put_string(struct text *text, const char *string) {
    size_t len = strlen(string);
    if (len > TK_DIAG_DETAIL_LEN - 1 - text->len) len = TK_DIAG_DETAIL_LEN - 1 - text->len;
    memcpy(text->out + text->len, string, len);
    text->len += len;
}

static void put_number(struct text *text, uint64_t value, unsigned base) {
    char digits[24];
    size_t at = sizeof digits;
    digits[--at] = 0;
    do {
        digits[--at] = "0123456789abcdef"[value % base];
        value /= base;
    } while (value);
    put_string(text, base == 16 ? "0x" : "");
    put_string(text, digits + at);
}

// The words of amounts are plurals that end in s.
static void put_amount(struct text *text, uint64_t amount, const char *word) {
    put_number(text, amount, 10);
    put_string(text, " ");
    put_string(text, word);
    if (amount == 1) text->len--;
}

static void put_values(struct text *text, const struct tk_diag_entry *entry, const struct tk_diag_info *info) {
    if (info->detail != TK_DETAIL_UNIT) {
        put_string(text, info->word);
        put_string(text, " ");
    }
    for (unsigned i = 0; i < entry->value_count; i++) {
        if (i) put_string(text, ", ");
        put_number(text, entry->values[i], info->detail == TK_DETAIL_HEX ? 16 : 10);
    }
    if (info->detail == TK_DETAIL_UNIT) {
        put_string(text, " ");
        put_string(text, info->word);
    }
    if (entry->more_values) put_string(text, " and others");
}

size_t tk_diag_detail(const struct tk_diag *diag, enum tk_diag_id id, char out_text[TK_DIAG_DETAIL_LEN]) {
    const struct tk_diag_info *info = &infos[id];
    const struct tk_diag_entry *entry = &diag->entries[id];
    struct text text = {out_text, 0};
    if (info->detail == TK_DETAIL_AMOUNT && entry->amount) put_amount(&text, entry->amount, info->word);
    else if (entry->value_count) put_values(&text, entry, info);
    out_text[text.len] = 0;
    return text.len;
}
