// SPDX-License-Identifier: MIT
#include "explain.h"

const char *tk_explanation_text(enum tk_explanation sentence) {
    static const char *const sentences[] = {
#define TK_EXPLANATION(id, sentence) sentence,
#include "explanations.def"
#undef TK_EXPLANATION
    };
    return sentences[sentence];
}
