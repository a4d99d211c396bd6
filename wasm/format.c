// SPDX-License-Identifier: MIT
//
// The one decoder of a module, named by the build, with or without what reads symbols, and no recognisers: the linker
// leaves out what only the others need. Texts that every format may need it learns from the module that recognises.
#include "formats/format.h"
#include "io.h"
#include "report/explain.h"

#include <string.h>

const struct tk_decoder *const tk_decoders[] = { &TK_ONLY_DECODER };
const size_t tk_decoders_len = 1;
const struct tk_symbol_service *const tk_program_symbols[] = { TK_ONLY_SYMBOLS, TK_ONLY_SYMBOLS, TK_ONLY_SYMBOLS };
const struct tk_format *const tk_formats[] = { NULL };
const size_t tk_formats_len = 0;

// ---- Texts
// -----------------------------------------------------------------------------------------------------------

enum { PROBLEM_TEXTS = 7, TEXTS = TK_DIAG_COUNT * PROBLEM_TEXTS + TK_EV_COUNT + TK_EXPLANATION_COUNT };

static char texts[40 * 1024]; // zeros behind what was learned
static struct tk_diag_info infos[TK_DIAG_COUNT];
static const char *words[TK_EV_COUNT], *sentences[TK_EXPLANATION_COUNT];

const struct tk_diag_info *tk_diag_info(enum tk_diag_id id) { return &infos[id]; }
const char *tk_event_title(enum tk_event_kind kind) { return words[kind]; }
const char *tk_explanation_text(enum tk_explanation sentence) { return sentences[sentence]; }

static const char *next(const char **at) {
    const char *text = *at;
    *at += strlen(text) + 1;
    return text;
}

static unsigned place_of(char letter, const char *letters) {
    unsigned place = 0;
    while (letters[place] && letters[place] != letter) place++;
    return place;
}

// Severities and details begin with different letters.
static void read_info(struct tk_diag_info *info, const char **at) {
    info->name = next(at);
    info->severity = (enum tk_severity)place_of(*next(at), "INDL");
    info->detail = (enum tk_detail)place_of(*next(at), "NAVUH");
    info->word = next(at);
    info->title = next(at);
    info->cause = next(at);
    info->remedy = next(at);
}

int32_t tkw_load_strings(struct tkw_instance *instance, uint32_t len);

// The input block holds what tkw_format_info has of texts. Before anything else. Refuses the texts of a build that has
// more or less of them.
int32_t tkw_load_strings(struct tkw_instance *instance, uint32_t len) {
    const char *at = texts;
    tkw_begin(instance);
    if (len > sizeof texts - TEXTS) return tkw_end(instance, TK_MISUSE);
    memcpy(texts, instance->input, len);
    for (int id = 0; id < TK_DIAG_COUNT; id++) read_info(&infos[id], &at);
    for (int kind = 0; kind < TK_EV_COUNT; kind++) words[kind] = next(&at);
    for (int i = 0; i < TK_EXPLANATION_COUNT; i++) sentences[i] = next(&at);
    return tkw_end(instance, at == texts + len ? TK_OK : TK_MISUSE);
}
