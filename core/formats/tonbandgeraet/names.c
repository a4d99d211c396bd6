// SPDX-License-Identifier: MIT
#include "decode.h"

#include "../format.h"

const char *tb_record_name(unsigned id) {
    switch (id) {
#define TB_EVENT(id, name, group, fields, kind, names) \
    case id: return #name;
#include "../../../spec/tonbandgeraet.def"
#undef TB_EVENT
    default: return NULL;
    }
}

const char *tb_field_names(unsigned id) {
    switch (id) {
#define TB_EVENT(id, name, group, fields, kind, names) \
    case id: return names "\0";
#include "../../../spec/tonbandgeraet.def"
#undef TB_EVENT
    default: return "\0";
    }
}

const struct tk_record_names tk_names_tonbandgeraet = { .name = tb_record_name, .fields = tb_field_names };
