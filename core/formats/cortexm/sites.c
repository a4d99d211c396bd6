// SPDX-License-Identifier: MIT
#include "sites.h"

#include <string.h>

#include "../../base/decimal.h"
#include "../../base/rare.h"

void cm_sites_deinit(struct cm_sites *sites) {
    tk_alloc_free(sites->alloc, sites->functions, sites->function_capacity * sizeof *sites->functions);
    tk_alloc_free(sites->alloc, sites->sites, sites->site_capacity * sizeof *sites->sites);
    tk_idmap_deinit(&sites->site_by_key, sites->alloc);
}

// ---- Words -------------------------------------------------------------------------------------

struct words {
    char *text;
    uint16_t len;
};

static void put(struct words *words, const char *text) {
    size_t len = strlen(text);
    memcpy(words->text + words->len, text, len);
    words->len = (uint16_t)(words->len + len);
}

static void put_address(struct words *words, uint32_t address) {
    char digits[TK_DECIMAL_LEN];
    tk_digits(address, 16, 8, digits);
    put(words, "0x");
    put(words, digits);
}

static void add_event(struct cm_sites *sites, const struct tk_event *event) {
    *tk_batch_place(sites->batch) = *event;
    tk_batch_add(sites->batch);
}

static void name_symbol(struct cm_sites *sites, const struct tk_event *before, uint32_t symbol, const char *text, size_t len) {
    struct tk_event event = *before;
    event.kind = TK_EV_SYMBOL_NAME;
    event.id = symbol;
    event.str = tk_arena_copy(&sites->batch->memory, text, len);
    event.str_len = event.str ? (uint32_t)len : 0;
    add_event(sites, &event);
}

size_t cm_sites_name(const struct cm_sites *sites, uint32_t symbol, char out_text[64]) {
    struct words words = { out_text, 0 };
    if (symbol == CM_UNKNOWN) return put(&words, "<unknown function>"), words.len;
    if (symbol == CM_FURTHER) return put(&words, "further functions"), words.len;
    for (uint32_t i = 0; i < sites->function_count; i++)
        if (sites->functions[i].symbol == symbol) put_address(&words, sites->functions[i].point & ~1u);
    return words.len;
}

// ---- Functions ---------------------------------------------------------------------------------

// Functions that begin at `address` or before it.
static uint32_t rank_of(const struct cm_sites *sites, uint32_t address) {
    uint32_t low = 0, high = sites->function_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (sites->functions[middle].start <= address) low = middle + 1;
        else high = middle;
    }
    return low;
}

TK_RARE static uint32_t shared_symbol(struct cm_sites *sites, const struct tk_event *before, uint32_t symbol) {
    bool *told = symbol == CM_UNKNOWN ? &sites->unknown_told : &sites->further_told;
    char text[64];
    if (!*told) name_symbol(sites, before, symbol, text, cm_sites_name(sites, symbol, text));
    *told = true;
    return symbol;
}

TK_RARE static uint32_t add_function(struct cm_sites *sites, const struct tk_event *before, uint32_t at, uint32_t start, uint32_t pc) {
    if (sites->function_count == CM_MAX_FUNCTIONS) return shared_symbol(sites, before, CM_FURTHER);
    if (!tk_alloc_grow(sites->alloc, (void **)&sites->functions, &sites->function_capacity, sites->function_count + 1, sizeof *sites->functions)) return CM_FURTHER;
    struct cm_function *function = &sites->functions[at];
    memmove(function + 1, function, (sites->function_count - at) * sizeof *function);
    *function = (struct cm_function){ start, pc, CM_FIRST_FUNCTION + sites->function_count++ };
    uint32_t symbol = function->symbol;
    char text[64];
    name_symbol(sites, before, symbol, text, cm_sites_name(sites, symbol, text));
    return symbol;
}

// A hook of the compiler sends the function's own address, which is odd.
static uint32_t start_of(const struct cm_sites *sites, uint32_t pc) {
    uint32_t distance = pc & 1 ? 0 : sites->before_point, address = pc & ~1u;
    return address > distance ? address - distance : 0;
}

static uint32_t callee_of(struct cm_sites *sites, const struct tk_event *before, uint32_t pc) {
    uint32_t start = start_of(sites, pc), rank = rank_of(sites, start);
    if (rank && sites->functions[rank - 1].start == start) return sites->functions[rank - 1].symbol;
    return add_function(sites, before, rank, start, pc);
}

// The instruction in front of the return address: a call may be the last one of its function.
static uint32_t caller_of(struct cm_sites *sites, const struct tk_event *before, uint32_t lr) {
    uint32_t rank = rank_of(sites, (lr & ~1u) - 1);
    return rank ? sites->functions[rank - 1].symbol : shared_symbol(sites, before, CM_UNKNOWN);
}

// ---- Call sites --------------------------------------------------------------------------------

enum tk_call_entry cm_entry_of(const struct cm_record *record, bool flat) {
    enum { RETURNS_TO_THREAD = 8 };
    if (record->lr < CM_LR_EXCEPTION) return flat || cm_is_secure(record->lr) ? TK_CALL_FROM_OUTSIDE : TK_CALL_FROM_FUNCTION;
    if (!record->vector) return TK_CALL_FROM_OUTSIDE;
    return record->lr & RETURNS_TO_THREAD ? TK_CALL_FROM_THREAD : TK_CALL_FROM_HANDLER;
}

static void describe_caller(const struct cm_site *site, struct words *words) {
    if (site->lr >= CM_LR_EXCEPTION) put(words, site->entry == TK_CALL_FROM_OUTSIDE ? "reset" : site->entry == TK_CALL_FROM_THREAD ? "hardware, returns to thread mode" : "hardware, returns to another handler");
    else if (cm_is_secure(site->lr)) put(words, "secure code");
    else put_address(words, site->lr & ~1u);
}

static void tell_site(struct cm_sites *sites, const struct tk_event *before, uint32_t number, const struct cm_site *site) {
    enum { TEXT_LEN = 64, ALL = sizeof(struct tk_call_site) + 3 * TEXT_LEN };
    uint8_t *room = tk_arena_reserve(&sites->batch->memory, ALL);
    if (!room) return;
    char *texts = (char *)room + sizeof(struct tk_call_site);
    struct words details = { texts, 0 }, caller = { texts + TEXT_LEN, 0 }, from = { texts + 2 * TEXT_LEN, 0 };
    struct tk_call_site *told = (struct tk_call_site *)room;
    if (number < CM_MAX_SITES) {
        put_address(&details, site->pc & ~1u);
        put_address(&caller, (site->lr & ~1u) - 1);
        put(&caller, ", a guess without symbols");
        describe_caller(site, &from);
    }
    *told = (struct tk_call_site){
        .function = site->function, .caller = site->caller, .point = site->pc & ~1u, .from = site->lr & ~1u, .entry = site->entry,
        .details = details.text, .caller_details = caller.text, .from_words = from.text,
        .details_len = details.len, .caller_details_len = caller.len, .from_words_len = from.len
    };
    tk_arena_commit(&sites->batch->memory, ALL);
    struct tk_event event = *before;
    event.kind = TK_EV_CALL_SITE;
    event.id = number;
    event.call_site = told;
    add_event(sites, &event);
}

static struct cm_site look_up(struct cm_sites *sites, const struct cm_record *record, const struct tk_event *before) {
    struct cm_site site = { .pc = record->pc, .lr = record->lr, .entry = (uint8_t)cm_entry_of(record, sites->flat) };
    site.function = callee_of(sites, before, record->pc);
    if (site.entry == TK_CALL_FROM_FUNCTION) site.caller = caller_of(sites, before, record->lr);
    site.functions = sites->function_count;
    return site;
}

// Since then functions were seen, one of which the caller may be.
TK_RARE static void look_again(struct cm_sites *sites, const struct cm_record *record, const struct tk_event *before, uint32_t number) {
    struct cm_site now = look_up(sites, record, before), *site = &sites->sites[number];
    bool changed = now.caller != site->caller;
    *site = now;
    if (changed) tell_site(sites, before, number, site);
}

// Beyond the limit a site is told each time that it is used, without words.
TK_RARE static uint32_t add_site(struct cm_sites *sites, const struct cm_record *record, const struct tk_event *before, uint64_t key) {
    struct cm_site site = look_up(sites, record, before);
    uint32_t number = sites->site_count;
    if (number < CM_MAX_SITES) {
        if (!tk_alloc_grow(sites->alloc, (void **)&sites->sites, &sites->site_capacity, number + 1, sizeof *sites->sites)) return number;
        if (!tk_idmap_set(&sites->site_by_key, sites->alloc, key, number)) return number;
        sites->sites[sites->site_count++] = site;
    }
    tell_site(sites, before, number, &site);
    return number;
}

// What tells two sites apart. Of LRs without an address only how they return, and in which mode, counts.
static uint64_t key_of(const struct cm_record *record) {
    uint32_t lr = record->lr;
    if (lr >= CM_LR_EXCEPTION) lr = CM_LR_EXCEPTION | (record->vector ? 1u | (lr & 8) : 0);
    return (uint64_t)record->pc << 32 | lr;
}

uint32_t cm_sites_find(struct cm_sites *sites, const struct cm_record *record, const struct tk_event *before) {
    uint64_t key = key_of(record);
    uint32_t slot = (uint32_t)((key ^ key >> 32) * 0x9E3779B1u) >> 22, number;
    if (sites->cached_keys[slot] == key + 1) {
        number = sites->cached_sites[slot];
    } else {
        number = tk_idmap_find(&sites->site_by_key, key);
        if (number == TK_NONE) return add_site(sites, record, before, key);
        sites->cached_keys[slot] = key + 1;
        sites->cached_sites[slot] = number;
    }
    if (sites->sites[number].functions != sites->function_count && sites->sites[number].entry == TK_CALL_FROM_FUNCTION) look_again(sites, record, before, number);
    return number;
}
