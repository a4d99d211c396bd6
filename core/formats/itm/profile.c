// SPDX-License-Identifier: MIT
//
// Samples of the program counter: their functions, and a table of them.
#include "itm.h"

#include "../../model/tables/table.h"
#include "../kit/ids.h"

// Returns the index of the function at a new address; TK_NONE without memory or above the limits.
static uint32_t add_address(struct itm_profile *profile, const struct tk_decode_host *host, uint64_t address) {
    struct tk_symbol symbol;
    char room[TK_SHOWN_NAME_LEN];
    struct tk_text name = tk_text_in(room, sizeof room);
    uint64_t start = address;
    bool is_known = host->symbols && tk_symbols_function(host->symbols, address, &symbol);
    if (is_known) start = symbol.start, name.len = (uint32_t)tk_symbols_shown(&symbol, room);
    else tk_text_hex(&name, address, 8);
    if (profile->addresses == ITM_ADDRESSES) return TK_NONE;
    uint32_t index = tk_idmap_find(&profile->by_start, start);
    if (index == TK_NONE) {
        uint32_t text = tk_strtab_intern(&profile->names, host->alloc, room, name.len);
        if (!text || !tk_ids_add(&profile->by_start, host->alloc, start, (void **)&profile->functions,
                                 &profile->capacity, profile->count, sizeof *profile->functions))
            return TK_NONE;
        index = profile->count++;
        profile->functions[index] = (struct itm_function){ .start = start, .name = text };
    }
    if (!tk_ids_add(&profile->by_address, host->alloc, address, (void **)&profile->function_of,
                    &profile->address_capacity, profile->addresses, sizeof *profile->function_of))
        return TK_NONE;
    return profile->function_of[profile->addresses++] = index;
}

// Returns the index of the function at an address; TK_NONE without memory or above the limits.
static uint32_t function_at(struct itm_profile *profile, const struct tk_decode_host *host, uint64_t address) {
    uint32_t at = tk_idmap_find(&profile->by_address, address);
    return at == TK_NONE ? add_address(profile, host, address) : profile->function_of[at];
}

static const char *name_at(const struct itm_profile *profile, uint32_t index, size_t *out_len) {
    if (index != TK_NONE) return tk_strtab_text(&profile->names, profile->functions[index].name, out_len);
    *out_len = 8;
    return "(others)";
}

const char *itm_profile_sample(struct itm_profile *profile, const struct tk_decode_host *host, uint64_t address,
                               size_t *out_len) {
    uint32_t index = function_at(profile, host, address & ~(uint64_t)1);
    profile->samples++;
    *(index == TK_NONE ? &profile->further : &profile->functions[index].samples) += 1;
    return name_at(profile, index, out_len);
}

const char *itm_function_name(struct itm_profile *profile, const struct tk_decode_host *host, uint64_t address,
                              size_t *out_len) {
    return name_at(profile, function_at(profile, host, address & ~(uint64_t)1), out_len);
}

static const struct tk_column columns[] = {
    { "name", "Function", TK_COLUMN_NAME, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "address", "Address", TK_COLUMN_TEXT, TK_ROLE_KEY, NULL, TK_FOLD_NONE },
    { "samples", "Samples", TK_COLUMN_COUNT, TK_ROLE_VALUE, NULL, TK_FOLD_SUM },
    { "share", "Share", TK_COLUMN_SHARE, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
};
static const struct tk_table profile_table = {
    "profile",
    "Samples of the program counter",
    TK_TABLE_COLUMNS(columns),
    TK_TABLE_LIST,
    "samples",
    "Functions in which the processor was when it sampled its program counter, without the functions that they call.",
};
const struct tk_table *const itm_table_list[] = { &profile_table, NULL };

static void put_row(const struct itm_profile *profile, const struct tk_table_sink *sink, const char *name, size_t len,
                    const uint64_t *address, uint64_t samples) {
    char room[24];
    struct tk_text text = tk_text_in(room, sizeof room);
    tk_cell_text(sink, name, len);
    if (address) tk_text_hex(&text, *address, 8), tk_cell_text(sink, text.text, text.len);
    else tk_cell_none(sink);
    tk_cell_uint(sink, samples);
    tk_cell_share(sink, samples, profile->samples + profile->asleep + profile->not_permitted);
}

void itm_profile_tables(const struct itm_profile *profile, const struct tk_table_sink *sink) {
    if (!(profile->samples + profile->asleep + profile->not_permitted)) return;
    tk_table_begin(sink, &profile_table);
    for (uint32_t i = 0; i < profile->count; i++) {
        const struct itm_function *function = &profile->functions[i];
        size_t len;
        if (!function->samples) continue; // only an access of the data trace names it
        const char *name = tk_strtab_text(&profile->names, function->name, &len);
        put_row(profile, sink, name, len, &function->start, function->samples);
    }
    if (profile->asleep) put_row(profile, sink, "(asleep)", 8, NULL, profile->asleep);
    if (profile->not_permitted) put_row(profile, sink, "(secure code)", 13, NULL, profile->not_permitted);
    if (profile->further) put_row(profile, sink, "(others)", 8, NULL, profile->further);
    tk_table_end(sink);
}
