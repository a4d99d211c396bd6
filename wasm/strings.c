// SPDX-License-Identifier: MIT
#include "strings.h"

static const char texts[] =
#define TK_DIAG(id, severity, detail, word, title, cause, remedy) \
    #id "\0" #severity "\0" #detail "\0" word "\0" title "\0" cause "\0" remedy "\0"
#include "base/diag.def"
#undef TK_DIAG
#define TK_EVENT(owner, kind, words) words "\0"
#include "model/event/events.def"
#undef TK_EVENT
#define TK_EXPLANATION(id, sentence) sentence "\0"
#include "report/explanations.def"
#undef TK_EXPLANATION
    ;

void tkw_put_strings(struct tkw_bytes *to) { tkw_put(to, texts, sizeof texts - 1); }
