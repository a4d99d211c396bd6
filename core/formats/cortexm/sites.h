// SPDX-License-Identifier: MIT
//
// Functions and call sites of the addresses in function records, each defined once for the model. The boundaries and
// names of functions come from symbols. Without symbols each trace point counts as a function, named by its address.
#ifndef TK_FORMATS_CORTEXM_SITES_H
#define TK_FORMATS_CORTEXM_SITES_H

#include "../../base/idmap.h"
#include "../../lookup/call_check.h"
#include "../../model/event/event.h"
#include "../../model/time/batch.h"
#include "records.h"

enum { CM_MAX_FUNCTIONS = 8192, CM_MAX_SITES = 8192, CM_SITE_CACHE = 1024, CM_NAME_LEN = TK_SHOWN_NAME_LEN + 33 };

// Numbers of symbols in the model.
#define CM_NO_SITE UINT32_MAX
enum { CM_UNKNOWN = 1, CM_FURTHER, CM_FIRST_FUNCTION };

struct cm_function {
    uint32_t start, point; // first address, as far as known; the first trace point seen in it, 0: seen only as a caller
    uint32_t symbol;
};

struct cm_site {
    uint32_t pc, lr;
    uint32_t function, caller; // symbols
    uint32_t functions;        // number of functions known when the caller was looked up
    uint8_t entry;             // enum tk_call_entry
};

struct cm_sites {
    struct tk_alloc *alloc;
    struct tk_batch *batch;
    struct tk_diag *diag;
    struct tk_symbols *symbols;    // NULL: no file of symbols
    struct cm_function *functions; // sorted by start
    uint32_t function_count, function_capacity;
    uint32_t symbol_count; // number of symbols that were assigned to functions
    struct cm_site *sites;
    uint32_t site_count, site_capacity;
    struct tk_idmap site_by_key;
    uint64_t cached_keys[CM_SITE_CACHE]; // key + 1
    uint32_t cached_sites[CM_SITE_CACHE];
    uint32_t before_point; // bytes from the start of a function to the PC that its trace point reads
    bool is_proven; // the code in a file of symbols agrees with the calls, so a record that contradicts it is damaged
    bool flat;      // calls are not nested: every record is a call stack of its own
    bool unknown_named, further_named;
    bool has_shared; // a lookup used a linker map that does not list static functions
};

// Returns the call site of a function record. Puts the definition and the names of a new site into the batch; before:
// the fields that these events have in common. Returns CM_NO_SITE if the code in the symbols cannot have made this
// call.
uint32_t cm_sites_find(struct cm_sites *sites, const struct cm_record *record, const struct tk_event *before);
// Compares a function record with the code of a file of symbols.
enum tk_call_verdict cm_sites_check(const struct tk_symbol_file *file, const struct cm_record *record);
// Returns true if the vector table of the symbols, which agrees with other interrupts, has no such exception.
bool cm_sites_lack_context(const struct cm_sites *sites, uint32_t vector);
// Returns how the function of the record was entered.
enum tk_call_entry cm_entry_of(const struct cm_record *record, bool flat);
// Returns the length of the name of the function at `address`, as on the timeline; out_text is not terminated.
size_t cm_sites_name(const struct cm_sites *sites, uint32_t address, char out_text[CM_NAME_LEN]);
// Writes "object.function", with the name as the file of symbols spells it. Returns the length.
size_t cm_sites_raw_name(const struct cm_sites *sites, uint32_t address, char out_text[CM_NAME_LEN]);
// Discards the functions and call sites, because some files of symbols belong to other firmware. symbols: the remaining
// ones; NULL: none.
void cm_sites_forget(struct cm_sites *sites, struct tk_symbols *symbols);

#endif
