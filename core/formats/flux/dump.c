// SPDX-License-Identifier: MIT
//
// Records as a dump shows them: the fields of an entry by the letters of its layout, and samples with their bytes.
#include "flux.h"

#include <string.h>

enum { MOST_VALUES = 16 };

struct list {
    struct tk_value values[MOST_VALUES];
    uint32_t count;
};

static void put_number(struct list *list, const char *name, uint64_t number) {
    list->values[list->count++] = (struct tk_value){ .name = name, .type = TK_VALUE_UINT, .number.u = number };
}
static void put_signed(struct list *list, const char *name, int64_t number) {
    list->values[list->count++] = (struct tk_value){ .name = name, .type = TK_VALUE_INT, .number.i = number };
}

static void put_text(struct list *list, const char *name, struct flux_bytes text) {
    list->values[list->count++] = (struct tk_value){
        .name = name, .type = TK_VALUE_TEXT, .text = (const char *)text.at, .text_len = (uint32_t)text.len
    };
}

static void put_field(struct list *list, char field, const struct flux_entry *entry) {
    switch (field) {
    case 'i': put_number(list, "id", entry->id); break;
    case 'j': put_number(list, "second", entry->second); break;
    case 'p': put_number(list, "parent", entry->parent); break;
    case 'a':
    case 'A': put_number(list, "first", entry->first); break;
    case 'b':
    case 'B': put_number(list, "last", entry->last); break;
    case 'z': put_signed(list, "scale", entry->scale); break;
    case 'K': put_number(list, "kind", entry->kind); break;
    case 'M': put_number(list, "mode", entry->mode); break;
    case 'n': put_text(list, "name", entry->name); break;
    case 'd': put_text(list, "description", entry->description); break;
    case 'g': put_text(list, "tags", entry->tags); break;
    case 'f': put_text(list, "format", entry->format); break;
    case 'x': put_signed(list, "x", flux_integer(entry->x)); break;
    case 'y': put_signed(list, "y", flux_integer(entry->y)); break;
    default: break;
    }
}

static void put_entry(struct list *list, const struct flux_dump_record *shown) {
    const struct flux_entry *entry = shown->entry;
    for (const char *fields =
             flux_fields_of((enum flux_dialect)flux_current(shown->flux)->dialect, (uint8_t)entry->tag);
         *fields; fields++)
        put_field(list, *fields, entry);
}

enum { SHOWN = 4096 };

static void put_sample(struct list *list, const struct flux_dump_record *shown, char hex[2 * SHOWN]) {
    static const char digits[] = "0123456789abcdef";
    const struct flux_sample *sample = shown->sample;
    const struct flux_sequence *sequence = shown->sequence;
    size_t len = sample->data.len < SHOWN ? sample->data.len : SHOWN;
    for (size_t i = 0; i < len; i++)
        hex[2 * i] = digits[sample->data.at[i] >> 4], hex[2 * i + 1] = digits[sample->data.at[i] & 15];
    put_number(list, "id", sample->id);
    put_signed(list, sequence ? "position" : "delta", shown->position);
    if (sequence)
        put_text(list, "domain", (struct flux_bytes){ (const uint8_t *)sequence->domain, sequence->domain_len });
    if (sample->tag) put_number(list, "tag", sample->tag);
    put_number(list, "df", sample->df);
    put_number(list, "xdf", sample->xdf);
    put_text(list, "data", (struct flux_bytes){ (const uint8_t *)hex, 2 * len });
}

void flux_dump_show(const struct tk_decode_host *host, const void *record) {
    const struct flux_dump_record *shown = record;
    const struct flux *flux = shown->flux;
    char hex[2 * SHOWN];
    struct list list;
    list.count = 0;
    put_number(&list, "depth", flux->depth);
    if (shown->entry) put_entry(&list, shown);
    else put_sample(&list, shown, hex);
    struct tk_event event = { .kind = TK_EV_TRACK_DEFINED,
                              .input = (uint8_t)host->input,
                              .offset = flux->entry_offset,
                              .frame = flux->entries + flux->samples,
                              .values = list.values,
                              .value_count = (uint8_t)list.count };
    host->on_record_decoded(host->dump_ctx, &event, shown->entry ? shown->entry->tag : FLUX_SAMPLE);
}

static const char *record_name(unsigned record) {
    switch (record) {
    case FLUX_HEAD: return "HEAD";
    case FLUX_SWTH: return "SWTH";
    case FLUX_PBLK: return "PBLK";
    case FLUX_SECT: return "SECT";
    case FLUX_SCPD: return "SCPD";
    case FLUX_SIGD: return "SIGD";
    case FLUX_MSGD: return "MSGD";
    case FLUX_SIRD: return "SIRD";
    case FLUX_SSGD: return "SSGD";
    case FLUX_SSRD: return "SSRD";
    case FLUX_OPEN: return "OPEN";
    case FLUX_CLOS: return "CLOS";
    case FLUX_DOMD: return "DOMD";
    case FLUX_CURR: return "CURR";
    case FLUX_ENMD: return "ENMD";
    case FLUX_MEMD: return "MEMD";
    case FLUX_ATRE: return "ATRE";
    case FLUX_ATLA: return "ATLA";
    case FLUX_CREQ: return "CREQ";
    case FLUX_CRES: return "CRES";
    default: return "sample";
    }
}

const struct tk_record_names tk_names_flux = { .name = record_name, .show = flux_dump_show };
