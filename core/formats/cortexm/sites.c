// SPDX-License-Identifier: MIT
#include "sites.h"

#include <string.h>

#include "../../base/attributes.h"
#include "../../base/text.h"
#include "../kit/ids.h"

static void add_event(struct cm_sites *sites, const struct tk_event *event) {
    *tk_batch_slot(sites->batch) = *event;
    tk_batch_add(sites->batch);
}

// ---- Symbols -----------------------------------------------------------------------------------

static bool lookup_symbol(const struct cm_sites *sites, uint32_t address, struct tk_symbol *out) {
    return sites->symbols && tk_symbols_function(sites->symbols, address & ~1u, out);
}

// Returns true if a trace point may belong to a static function. A map without a section per function does not list
// those: they lie after a listed function, or before the first one of their object. The trace point of a listed
// function lies close to its start.
static bool is_hidden(const struct cm_sites *sites, const struct tk_symbol *symbol, uint32_t point) {
    enum { PROLOGUE = 10 };
    return symbol->shared && (!symbol->name_len || point - symbol->start > sites->before_point + PROLOGUE);
}

static void put_object(struct tk_text *words, const struct tk_symbol *symbol) {
    tk_text_put(words, symbol->object, symbol->object_len);
    if (symbol->object_len) tk_text_add(words, ".");
}

// Appends "<static 0x08000146>", with the object before it if the function is the first one of its object.
static void put_hidden(struct tk_text *words, const struct tk_symbol *symbol, uint32_t point) {
    if (!symbol->name_len) put_object(words, symbol);
    tk_text_add(words, "<static ");
    tk_text_hex(words, point, 8);
    tk_text_add(words, ">");
}

// ---- Functions ---------------------------------------------------------------------------------

// Returns the number of functions that begin at `address` or before it.
static uint32_t rank_of(const struct cm_sites *sites, uint32_t address) {
    uint32_t low = 0, high = sites->function_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (sites->functions[middle].start <= address) low = middle + 1;
        else high = middle;
    }
    return low;
}

// Returns the start of the function with a trace point at `pc`. A hook of the compiler sends an odd PC, which is the
// start itself.
static uint32_t start_of(const struct cm_sites *sites, uint32_t pc) {
    uint32_t distance = pc & 1 ? 0 : sites->before_point, address = pc & ~1u;
    return address > distance ? address - distance : 0;
}

// Returns the last known function that begins at `address` or before it, but not before `from`. NULL: none.
static const struct cm_function *known_at(const struct cm_sites *sites, uint32_t address, uint64_t from) {
    uint32_t rank = rank_of(sites, address);
    return rank && sites->functions[rank - 1].start >= from ? &sites->functions[rank - 1] : NULL;
}

static void put_name(const struct cm_sites *sites, struct tk_text *words, uint32_t address, bool raw) {
    struct tk_symbol symbol;
    char shown[TK_SHOWN_NAME_LEN];
    bool found = lookup_symbol(sites, address, &symbol);
    if (!found && sites->symbols) {
        tk_text_add(words, "<unknown function>");
        return;
    }
    const struct cm_function *known = known_at(sites, address, found ? symbol.start : 0);
    uint32_t point = known ? known->point & ~1u : 0;
    if (!found && known) tk_text_hex(words, point, 8);
    else if (!found) tk_text_add(words, "<unknown function>");
    else if (known && point && is_hidden(sites, &symbol, point)) put_hidden(words, &symbol, point);
    else if (!symbol.name_len) put_object(words, &symbol), tk_text_add(words, "<static>");
    else if (raw) put_object(words, &symbol), tk_text_put(words, symbol.name, symbol.name_len);
    else tk_text_put(words, shown, tk_symbols_shown(&symbol, shown));
}

size_t cm_sites_name(const struct cm_sites *sites, uint32_t address, char out_text[CM_NAME_LEN]) {
    struct tk_text words = tk_text_in(out_text, CM_NAME_LEN);
    put_name(sites, &words, address, false);
    return words.len;
}

size_t cm_sites_raw_name(const struct cm_sites *sites, uint32_t address, char out_text[CM_NAME_LEN]) {
    struct tk_text words = tk_text_in(out_text, CM_NAME_LEN);
    put_name(sites, &words, address, true);
    return words.len;
}

static void name_symbol(struct cm_sites *sites, const struct tk_event *before, uint32_t symbol, const char *text,
                        size_t len) {
    struct tk_event event = *before;
    event.kind = TK_EV_SYMBOL_NAME;
    event.name.entity = symbol;
    event.str = tk_arena_copy(&sites->batch->memory, text, len);
    event.str_len = event.str ? (uint32_t)len : 0;
    add_event(sites, &event);
}

TK_COLD static uint32_t shared_symbol(struct cm_sites *sites, const struct tk_event *before, uint32_t symbol) {
    bool *told = symbol == CM_UNKNOWN ? &sites->unknown_named : &sites->further_named;
    const char *words = symbol == CM_UNKNOWN ? "<unknown function>" : "further functions";
    if (!*told) name_symbol(sites, before, symbol, words, strlen(words));
    *told = true;
    return symbol;
}

TK_COLD static uint32_t add_function(struct cm_sites *sites, const struct tk_event *before, uint32_t start,
                                     uint32_t point) {
    uint32_t rank = rank_of(sites, start);
    if (sites->function_count == CM_MAX_FUNCTIONS) return shared_symbol(sites, before, CM_FURTHER);
    if (!tk_alloc_grow(sites->alloc, (void **)&sites->functions, &sites->function_capacity, sites->function_count + 1,
                       sizeof *sites->functions))
        return CM_FURTHER;
    struct cm_function *function = &sites->functions[rank];
    memmove(function + 1, function, (sites->function_count - rank) * sizeof *function);
    sites->function_count++;
    *function = (struct cm_function){ start, point, CM_FIRST_FUNCTION + sites->symbol_count++ };
    uint32_t symbol = function->symbol;
    char text[CM_NAME_LEN];
    name_symbol(sites, before, symbol, text, cm_sites_name(sites, start, text));
    return symbol;
}

// Returns the symbol of the function that begins at `start`. point: 0 if it was seen only as a caller.
static uint32_t function_at(struct cm_sites *sites, const struct tk_event *before, uint32_t start, uint32_t point) {
    uint32_t rank = rank_of(sites, start);
    if (!rank || sites->functions[rank - 1].start != start) return add_function(sites, before, start, point);
    if (!sites->functions[rank - 1].point) sites->functions[rank - 1].point = point;
    return sites->functions[rank - 1].symbol;
}

static uint32_t callee_of(struct cm_sites *sites, const struct tk_event *before, uint32_t pc) {
    struct tk_symbol symbol;
    bool found = lookup_symbol(sites, pc, &symbol);
    if (!found && sites->symbols) return shared_symbol(sites, before, CM_UNKNOWN);
    sites->has_shared |= found && symbol.shared;
    bool by_point = !found || is_hidden(sites, &symbol, pc & ~1u);
    return function_at(sites, before, by_point ? start_of(sites, pc) : (uint32_t)symbol.start, pc);
}

// Returns the symbol of the caller. The lookup uses the instruction before the return address, because a call may be
// the last instruction of its function.
static uint32_t caller_of(struct cm_sites *sites, const struct tk_event *before, uint32_t lr) {
    struct tk_symbol symbol;
    uint32_t address = (lr & ~1u) - 1;
    bool found = lookup_symbol(sites, address, &symbol);
    // A wrapped address is no code.
    const struct cm_function *known =
        (!found && sites->symbols) || address > lr ? NULL : known_at(sites, address, found ? symbol.start : 0);
    if (found && (!symbol.shared || !known)) return function_at(sites, before, (uint32_t)symbol.start, 0);
    return known ? known->symbol : shared_symbol(sites, before, CM_UNKNOWN);
}

void cm_sites_forget(struct cm_sites *sites, struct tk_symbols *symbols) {
    sites->symbols = symbols;
    sites->is_proven &= symbols != NULL;
    sites->function_count = 0; // their starts and names came from the wrong symbols
    tk_idmap_deinit(&sites->site_by_key, sites->alloc);
    memset(&sites->site_by_key, 0, sizeof sites->site_by_key);
    memset(sites->cached_keys, 0, sizeof sites->cached_keys);
}

// ---- Call sites --------------------------------------------------------------------------------

enum tk_call_entry cm_entry_of(const struct cm_record *record, bool flat) {
    enum { RETURNS_TO_THREAD = 8 };
    if (record->lr < CM_LR_EXCEPTION)
        return flat || cm_is_secure(record->lr) ? TK_CALL_FROM_OUTSIDE : TK_CALL_FROM_FUNCTION;
    if (!record->vector) return TK_CALL_FROM_OUTSIDE;
    return record->lr & RETURNS_TO_THREAD ? TK_CALL_FROM_THREAD : TK_CALL_FROM_HANDLER;
}

// Appends " comm.c:12", or the known part of it.
static void put_source(const struct cm_sites *sites, struct tk_text *words, uint32_t address,
                       const struct tk_symbol *symbol) {
    struct tk_source_line line;
    if (tk_symbols_line(sites->symbols, address, &line)) {
        tk_text_add(words, " ");
        tk_text_put(words, line.file, line.file_len);
        if (line.line) tk_text_add(words, ":"), tk_text_u64(words, line.line);
    } else if (symbol && symbol->source_len) {
        tk_text_add(words, " ");
        tk_text_put(words, symbol->source, symbol->source_len);
    }
}

// Appends the full name where the timeline shows a shortened one.
static void put_full_name(struct tk_text *words, const struct tk_symbol *symbol) {
    char shown[TK_SHOWN_NAME_LEN];
    size_t len = tk_symbols_shown(symbol, shown);
    if (!symbol->name_len ||
        (len >= symbol->name_len && !memcmp(shown + len - symbol->name_len, symbol->name, symbol->name_len)))
        return;
    tk_text_add(words, " ");
    tk_text_put(words, symbol->name, symbol->name_len);
}

// at: address in the function; line_at: address whose source line is shown.
static void describe_function(const struct cm_sites *sites, struct tk_text *words, uint32_t at, bool is_call) {
    struct tk_symbol symbol;
    bool found = lookup_symbol(sites, at, &symbol);
    tk_text_hex(words, at & ~1u, 8);
    if (!sites->symbols) {
        if (is_call) tk_text_add(words, ", a guess without symbols");
        return;
    }
    put_source(sites, words, is_call || !found ? at : (uint32_t)symbol.start, found ? &symbol : NULL);
    if (found && !is_call) put_full_name(words, &symbol);
}

static void describe_caller(const struct cm_sites *sites, struct tk_text *words, const struct cm_site *site) {
    struct tk_symbol symbol;
    char name[CM_NAME_LEN];
    uint32_t call = (site->lr & ~1u) - 1;
    tk_text_hex(words, site->lr & ~1u, 8);
    if (!lookup_symbol(sites, call, &symbol)) return;
    tk_text_add(words, " ");
    tk_text_put(words, name, cm_sites_name(sites, call, name));
    tk_text_add(words, "+");
    tk_text_u64(words, symbol.offset + ((site->lr & ~1u) - (call & ~1u)));
    put_source(sites, words, call, NULL);
}

static void describe_entry(const struct cm_sites *sites, struct tk_text *words, const struct cm_site *site) {
    if (cm_is_secure(site->lr)) tk_text_add(words, "secure code");
    else if (site->lr < CM_LR_EXCEPTION) describe_caller(sites, words, site);
    else if (site->entry == TK_CALL_FROM_OUTSIDE) tk_text_add(words, "reset");
    else
        tk_text_add(words, site->entry == TK_CALL_FROM_THREAD ? "hardware, returns to thread mode"
                                                              : "hardware, returns to another handler");
}

static void emit_call_site(struct cm_sites *sites, const struct tk_event *before, uint32_t number,
                           const struct cm_site *site) {
    enum { TEXT_LEN = 2 * CM_NAME_LEN, ALL = sizeof(struct tk_call_site) + 3 * TEXT_LEN };
    uint8_t *room = tk_arena_reserve(&sites->batch->memory, ALL);
    if (!room) return;
    char *texts = (char *)room + sizeof(struct tk_call_site);
    struct tk_text details = tk_text_in(texts, TEXT_LEN), caller = tk_text_in(texts + TEXT_LEN, TEXT_LEN),
                   from = tk_text_in(texts + 2 * TEXT_LEN, TEXT_LEN);
    struct tk_call_site *told = (struct tk_call_site *)room;
    if (number < CM_MAX_SITES) {
        describe_function(sites, &details, site->pc & ~1u, false);
        if (site->entry == TK_CALL_FROM_FUNCTION) describe_function(sites, &caller, (site->lr & ~1u) - 1, true);
        describe_entry(sites, &from, site);
    }
    *told = (struct tk_call_site){ .function = site->function,
                                   .caller = site->caller,
                                   .point = site->pc & ~1u,
                                   .from = site->lr & ~1u,
                                   .entry = site->entry,
                                   .is_caller_proven =
                                       sites->is_proven && !sites->has_shared && site->caller >= CM_FIRST_FUNCTION,
                                   .details = details.text,
                                   .caller_details = caller.text,
                                   .from_words = from.text,
                                   .details_len = (uint16_t)details.len,
                                   .caller_details_len = (uint16_t)caller.len,
                                   .from_words_len = (uint16_t)from.len };
    tk_arena_commit(&sites->batch->memory, ALL);
    struct tk_event event = *before;
    event.kind = TK_EV_CALL_SITE;
    event.call_site = (struct tk_event_call_site){ number, told };
    add_event(sites, &event);
}

static struct cm_site resolve_site(struct cm_sites *sites, const struct cm_record *record,
                                   const struct tk_event *before) {
    struct cm_site site = { .pc = record->pc, .lr = record->lr, .entry = (uint8_t)cm_entry_of(record, sites->flat) };
    site.function = callee_of(sites, before, record->pc);
    if (site.entry == TK_CALL_FROM_FUNCTION) site.caller = caller_of(sites, before, record->lr);
    site.functions = sites->function_count;
    return site;
}

// Looks up the caller again, because it may be one of the functions found since the last lookup.
TK_COLD static void retry_caller_lookup(struct cm_sites *sites, const struct cm_record *record,
                                        const struct tk_event *before, uint32_t number) {
    struct cm_site now = resolve_site(sites, record, before), *site = &sites->sites[number];
    bool changed = now.caller != site->caller;
    *site = now;
    if (changed) emit_call_site(sites, before, number, site);
}

enum tk_call_verdict cm_sites_check(const struct tk_symbol_file *file, const struct cm_record *record) {
    bool by_hardware = record->lr >= CM_LR_EXCEPTION;
    if (by_hardware && record->vector) return tk_symbol_file_check_vector(file, record->vector, record->pc);
    if (by_hardware && cm_is_exception_return(record->lr)) return tk_symbol_file_check_thread_entry(file, record->pc);
    if (by_hardware || cm_is_secure(record->lr)) return TK_CALL_UNPROVEN;
    return tk_symbol_file_check_call(file, record->pc, record->lr);
}

// Returns true if a file contradicts the record and no file agrees with it. Code in RAM may be in no file.
TK_COLD static bool is_contradicted(const struct cm_sites *sites, const struct cm_record *record) {
    struct tk_symbol_file_summary summary;
    bool contradicts = false;
    for (struct tk_symbol_file *file = NULL; (file = tk_symbols_next(sites->symbols, file));) {
        tk_symbol_file_summary(file, &summary);
        if (summary.dismissed) continue;
        enum tk_call_verdict verdict = cm_sites_check(file, record);
        if (verdict == TK_CALL_AGREES) return false;
        contradicts |= verdict == TK_CALL_CONTRADICTS && tk_symbol_checks_agree(&summary.checks);
    }
    return contradicts;
}

bool cm_sites_lack_context(const struct cm_sites *sites, uint32_t vector) {
    struct tk_symbol_file_summary summary;
    bool contradicts = false;
    if (!sites->is_proven || !sites->symbols) return false;
    for (struct tk_symbol_file *file = NULL; (file = tk_symbols_next(sites->symbols, file));) {
        tk_symbol_file_summary(file, &summary);
        if (summary.dismissed) continue;
        enum tk_call_verdict verdict = tk_symbol_file_check_context(file, vector);
        if (verdict == TK_CALL_AGREES) return false;
        contradicts |= verdict == TK_CALL_CONTRADICTS;
    }
    return contradicts;
}

// Returns true if the site has an address in no function, although there are symbols.
static bool is_outside(const struct cm_sites *sites, const struct cm_site *site) {
    bool is_caller_unknown = site->entry == TK_CALL_FROM_FUNCTION && site->caller == CM_UNKNOWN;
    return sites->symbols && (site->function == CM_UNKNOWN || is_caller_unknown);
}

// Adds a call site. Above the limit the site is not stored: each use sends its definition to the model again.
TK_COLD static uint32_t add_site(struct cm_sites *sites, const struct cm_record *record, const struct tk_event *before,
                                 uint64_t key) {
    if (sites->is_proven && sites->symbols && is_contradicted(sites, record)) return CM_NO_SITE;
    struct cm_site site = resolve_site(sites, record, before);
    struct tk_source_pos place = tk_event_source_pos(before);
    uint32_t number = sites->site_count;
    if (is_outside(sites, &site)) tk_diag_count(sites->diag, TK_DIAG_ADDRESS_UNKNOWN, &place);
    if (number < CM_MAX_SITES) {
        if (!tk_ids_add(&sites->site_by_key, sites->alloc, key, (void **)&sites->sites, &sites->site_capacity, number,
                        sizeof *sites->sites))
            return number;
        sites->sites[sites->site_count++] = site;
    }
    emit_call_site(sites, before, number, &site);
    return number;
}

// Returns a key for each call site. An LR that is no address contributes only how the function returns, and in which
// context.
static uint64_t key_of(const struct cm_record *record) {
    uint32_t lr = record->lr;
    if (lr >= CM_LR_EXCEPTION)
        lr = CM_LR_EXCEPTION | (record->vector ? (lr & 8) | (uint32_t)record->vector << 4 : cm_is_exception_return(lr));
    return (uint64_t)record->pc << 32 | lr;
}

// Returns true if the caller should be looked up again. Complete symbols make that unnecessary.
static bool is_stale(const struct cm_sites *sites, const struct cm_site *site) {
    bool learns = !sites->symbols || sites->has_shared;
    return learns && site->functions != sites->function_count && site->entry == TK_CALL_FROM_FUNCTION;
}

uint32_t cm_sites_find(struct cm_sites *sites, const struct cm_record *record, const struct tk_event *before) {
    uint64_t key = key_of(record);
    uint32_t slot = (uint32_t)((key ^ key >> 32) * 0x9E3779B1u) >> 22, number;
    if (sites->cached_keys[slot] == key + 1) {
        number = sites->cached_sites[slot];
    } else {
        number = tk_idmap_find(&sites->site_by_key, key);
        if (number == TK_NONE) {
            number = add_site(sites, record, before, key);
            if (number != CM_NO_SITE) return number;
        }
        sites->cached_keys[slot] = key + 1;
        sites->cached_sites[slot] = number;
    }
    if (number == CM_NO_SITE) return number;
    if (is_stale(sites, &sites->sites[number])) retry_caller_lookup(sites, record, before, number);
    return number;
}
