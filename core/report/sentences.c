// SPDX-License-Identifier: MIT
#include "explain.h"

const char *tk_sentence_text(enum tk_sentence sentence) {
    static const char *const sentences[] = {
#define TK_SENTENCE(id, sentence) sentence,
#include "sentences.def"
#undef TK_SENTENCE
    };
    return sentences[sentence];
}
