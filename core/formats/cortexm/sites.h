// SPDX-License-Identifier: MIT
//
// Addresses of function records -> functions and call sites, each told to the model once. Which addresses are one
// function, and what it is called, comes from symbols where there are any; else each trace point is a function of its
// own, named by its address.
#ifndef TK_FORMATS_CORTEXM_SITES_H
#define TK_FORMATS_CORTEXM_SITES_H

#include "../../base/idmap.h"
#include "../../lookup/call_check.h"
#include "../../model/event/event.h"
#include "../../model/time/batch.h"
#include "records.h"

enum { CM_MAX_FUNCTIONS = 8192, CM_MAX_SITES = 8192, CM_SITE_CACHE = 1024, CM_NAME_LEN = TK_SHOWN_NAME_LEN + 33 };

// Numbers of symbols for the model.
#define CM_NO_SITE UINT32_MAX
enum { CM_UNKNOWN = 1, CM_FURTHER, CM_FIRST_FUNCTION };

struct cm_function {
    uint32_t start, point; // first address, as far as known; trace point that was seen first, 0: it is a caller only
    uint32_t symbol;
};

struct cm_site {
    uint32_t pc, lr;
    uint32_t function, caller; // symbols
    uint32_t functions;        // how many were known when the caller was looked up
    uint8_t entry;             // enum tk_call_entry
};

struct cm_sites {
    struct tk_alloc *alloc;
    struct tk_batch *batch;
    struct tk_symbols *symbols;    // NULL: there is no file of symbols
    struct cm_function *functions; // by start
    uint32_t function_count, function_capacity;
    uint32_t symbol_count; // numbers of functions that were given out
    struct cm_site *sites;
    uint32_t site_count, site_capacity;
    struct tk_idmap site_by_key;
    uint64_t cached_keys[CM_SITE_CACHE]; // key + 1
    uint32_t cached_sites[CM_SITE_CACHE];
    uint32_t before_point; // bytes from the first one of a function to what its trace point reads as PC
    bool is_proven;        // calls agree with the code of a file of symbols: a record that contradicts it is damaged
    bool flat;             // every record is a stack of its own
    bool unknown_named, further_named;
    bool has_shared; // a map was asked that does not know static functions
};

// Number of the call site of a function record, whose definition and names are in the batch; before: what their events
// have in common. CM_NO_SITE: the code of the symbols does not make this call.
uint32_t cm_sites_find(struct cm_sites *sites, const struct cm_record *record, const struct tk_event *before);
// Compares a function record with the code of a file of symbols.
enum tk_call_verdict cm_sites_check(const struct tk_symbol_file *file, const struct cm_record *record);
// How it was entered.
enum tk_call_entry cm_entry_of(const struct cm_record *record, bool flat);
// Name of the function that an address belongs to, as on the timeline; not terminated.
size_t cm_sites_name(const struct cm_sites *sites, uint32_t address, char out_text[CM_NAME_LEN]);
// "object.function", with the name as the file of symbols spells it.
size_t cm_sites_raw_name(const struct cm_sites *sites, uint32_t address, char out_text[CM_NAME_LEN]);
// Some files of symbols turned out to be of other firmware: what they told is forgotten. symbols: NULL when none is
// left.
void cm_sites_forget(struct cm_sites *sites, struct tk_symbols *symbols);

#endif
