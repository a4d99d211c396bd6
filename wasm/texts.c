// SPDX-License-Identifier: MIT
#include "texts.h"

static const char texts[] =
#define TK_DIAG(id, severity, detail, word, title, cause, remedy) #id "\0" #severity "\0" #detail "\0" word "\0" title "\0" cause "\0" remedy "\0"
#include "base/diag.def"
#undef TK_DIAG
#define TK_EVENT(owner, kind, words) words "\0"
#include "model/events.def"
#undef TK_EVENT
#define TK_SENTENCE(id, sentence) sentence "\0"
#include "report/sentences.def"
#undef TK_SENTENCE
    ;

void tkw_put_texts(struct tkw_bytes *to) { tkw_put(to, texts, sizeof texts - 1); }
