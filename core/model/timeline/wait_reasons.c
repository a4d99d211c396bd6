// SPDX-License-Identifier: MIT
#include "wait_reasons.h"

#include "../../base/attributes.h"
#include "../../base/text.h"
#include "names.h"

TK_COLD size_t tk_reason_text(const struct tk_names *names, uint64_t reason, char out_text[TK_LABEL_LEN]) {
    uint32_t number = (uint32_t)reason;
    struct tk_text text = tk_text_in(out_text, TK_LABEL_LEN);
    const char *words;
    size_t len;
    switch (tk_reason_kind(reason)) {
    case TK_REASON_DELAY:
        if (number == UINT32_MAX) tk_text_add(&text, "delay forever");
        else tk_text_add(&text, "delay "), tk_text_count(&text, number, "ticks");
        break;
    case TK_REASON_DELAY_UNTIL: tk_text_add(&text, "delay until tick "), tk_text_u64(&text, number); break;
    case TK_REASON_FIXED:
        tk_text_add(&text, number == TK_FIXED_SUSPENDED ? "suspended"
                           : number == TK_FIXED_DELETED ? "deleted"
                                                        : "waiting (not traced)");
        break;
    case TK_REASON_LABEL: return tk_label_text_at(names, number, out_text);
    case TK_REASON_TEXT:
        words = tk_strtab_text(&names->strings, number, &len);
        tk_text_put(&text, words, len);
        break;
    }
    return text.len;
}
