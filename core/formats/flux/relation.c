// SPDX-License-Identifier: MIT
//
// Relations: an instant at either end and an arrow between them. The instant at the target waits until the samples of
// its time are drawn, so that it belongs to the slice that begins there.
#include "flux.h"

#include <string.h>

static struct tk_span label_text(const struct flux *flux, const struct flux_item *item,
                                 enum flux_enumeration enumeration, uint64_t value) {
    const struct tk_label *label =
        tk_signals_find_label(&flux->signals, flux_key(flux, item) + enumeration, (int64_t)value);
    return label ? (struct tk_span){ label->text, label->text_len } : (struct tk_span){ "", 0 };
}

static struct tk_span until_slash(struct tk_span text) {
    uint32_t len = 0;
    while (len < text.len && text.text[len] != '/' && text.text[len] != '\\') len++;
    return (struct tk_span){ text.text, len };
}

static struct tk_span last_component(struct tk_span path) {
    uint32_t at = path.len;
    while (at && path.text[at - 1] != '/' && path.text[at - 1] != '\\') at--;
    return (struct tk_span){ path.text + at, path.len - at };
}

// Returns the item at a path from the root of the trace; TK_NONE: not defined yet.
static uint32_t find_path(struct flux *flux, uint32_t trace, struct tk_span path) {
    uint32_t handle = flux_root(flux, trace);
    while (path.len && handle) {
        struct tk_span component = until_slash(path);
        uint32_t used = component.len < path.len ? component.len + 1 : component.len;
        path = (struct tk_span){ path.text + used, path.len - used };
        if (component.len) handle = tk_signals_find(&flux->signals, handle, component);
    }
    if (!handle || handle == flux->traces[trace].root) return TK_NONE;
    return flux_find_item(flux, trace, tk_signals_get(&flux->signals, handle)->def.number);
}

// ---- One end -------------------------------------------------------------------------------------

static void put_end(struct flux *flux, const struct flux_waiting *waiting, uint32_t at, uint32_t other, bool is_target,
                    bool has_target) {
    const struct flux_item *source = &flux->items[waiting->source];
    const struct flux_relation *relation = &waiting->relation;
    struct tk_span style = label_text(flux, source, FLUX_RELATION_STYLES, relation->style), word = until_slash(style),
                   base = label_text(flux, source, FLUX_TARGET_BASES, relation->base);
    struct tk_span path = label_text(flux, source, FLUX_TARGETS, relation->path);
    struct tk_span far = is_target    ? flux_name(flux, other)
                         : has_target ? last_component(path)
                                      : (struct tk_span){ "?", 1 };
    bool points_away = is_target == (relation->kind & 1);
    char name_room[TK_SHORT_ROOM];
    struct tk_text name = tk_short_in(name_room);
    char source_path[TK_SIGNAL_PATH];
    if (is_target)
        path = (struct tk_span){ source_path, (uint32_t)tk_signals_path(&flux->signals, source->handle, source_path) };
    if (!word.len || word.text[0] == '#') word = (struct tk_span){ "relation", 8 };
    tk_text_put(&name, word.text, tk_text_cut(word.text, word.len, 40));
    tk_text_add(&name, points_away ? " \xE2\x86\x92 " : " \xE2\x86\x90 ");
    tk_text_put(&name, far.text, tk_text_cut(far.text, far.len, 32));
    struct tk_value values[4] = {
        { .name = "style", .type = TK_VALUE_TEXT, .text = style.text, .text_len = style.len },
        { .name = is_target ? "source" : "target", .type = TK_VALUE_TEXT, .text = path.text, .text_len = path.len },
        { .name = relation->kind & 2 ? "position" : "delta", .type = TK_VALUE_INT, .number.i = relation->number },
        { .name = "base", .type = TK_VALUE_TEXT, .text = base.text, .text_len = base.len },
    };
    if (!style.len) values[0].type = TK_VALUE_UINT, values[0].number.u = relation->style;
    if (!path.len) values[1].type = TK_VALUE_UINT, values[1].number.u = relation->path;
    struct tk_note_of_signal note = { .ns = waiting->ns,
                                      .name = { name.text, name.len },
                                      .values = values,
                                      .value_count = base.len ? 4 : 3,
                                      .flow = waiting->flow,
                                      .flow_end = waiting->flow_end };
    uint32_t handle = flux_handle(flux, at, 0);
    flux->signals.batch = flux->batch;
    if (handle) tk_signals_note(&flux->signals, handle, &note);
}

static void put_target(struct flux *flux, const struct flux_waiting *waiting) {
    struct flux_waiting copy = *waiting;
    put_end(flux, &copy, copy.target, copy.source, true, true);
}

// ---- Waiting -------------------------------------------------------------------------------------

static uint32_t free_slot(struct flux *flux) {
    uint32_t slot = flux->waiting_free;
    if (slot) {
        flux->waiting_free = flux->waiting[slot - 1].next;
        return slot;
    }
    if (flux->waiting_count == FLUX_MAX_WAITING ||
        !tk_alloc_grow(flux->host.alloc, (void **)&flux->waiting, &flux->waiting_capacity, flux->waiting_count + 1,
                       sizeof *flux->waiting))
        return 0;
    return ++flux->waiting_count;
}

static void wait_for(struct flux *flux, const struct flux_waiting *waiting) {
    uint32_t slot = free_slot(flux);
    if (!slot) {
        flux_note(flux, TK_DIAG_RELATIONS_TOO_MANY, 1);
        if (waiting->target != TK_NONE) put_target(flux, waiting);
        return;
    }
    uint32_t *head = waiting->target == TK_NONE ? &flux->unresolved : &flux->items[waiting->target].waiting;
    flux->waiting[slot - 1] = *waiting;
    flux->waiting[slot - 1].next = *head;
    *head = slot;
}

void flux_release_waiting(struct flux *flux, uint32_t index, uint64_t before_ns) {
    uint32_t *link = &flux->items[index].waiting;
    while (*link) {
        uint32_t slot = *link;
        struct flux_waiting *waiting = &flux->waiting[slot - 1];
        if (waiting->ns >= before_ns) {
            link = &waiting->next;
            continue;
        }
        *link = waiting->next;
        put_target(flux, waiting);
        flux->waiting[slot - 1].next = flux->waiting_free;
        flux->waiting_free = slot;
    }
}

void flux_release_all(struct flux *flux) {
    while (flux->unresolved) {
        struct flux_waiting waiting = flux->waiting[flux->unresolved - 1];
        const struct flux_item *source = &flux->items[waiting.source];
        flux->unresolved = waiting.next;
        waiting.target = find_path(flux, source->trace, label_text(flux, source, FLUX_TARGETS, waiting.relation.path));
        if (waiting.target == TK_NONE) flux_note(flux, TK_DIAG_RELATION_LOST, 1);
        else put_target(flux, &waiting);
    }
    for (uint32_t i = 0; i < flux->item_count; i++) flux_release_waiting(flux, i, UINT64_MAX);
}

// ---- Relations -----------------------------------------------------------------------------------

// Computes the time of the target. Returns false if it is out of range.
static bool far_time(struct flux *flux, struct flux_item *item, const struct flux_relation *relation,
                     uint64_t *out_ns) {
    struct flux_sequence *sequence = flux_covering(flux, item);
    struct tk_span base = label_text(flux, item, FLUX_TARGET_BASES, relation->base);
    struct tk_unit unit = tk_unit_parse(base.text, base.len);
    bool is_absolute = relation->kind & 2;
    int64_t ns;
    if (!sequence) return false;
    if (!unit.num) {
        int64_t from = is_absolute ? 0 : item->last_position;
        return !sequence->axis &&
               flux_time(flux, sequence, (int64_t)((uint64_t)from + (uint64_t)relation->number), out_ns);
    }
    if (!tk_unit_to_ns(tk_unit_stretch(unit, flux->fine == 2 ? 1000000 : flux->fine ? 1000 : 1), relation->number, &ns))
        return false;
    ns += is_absolute ? flux->shift : (int64_t)item->last_ns;
    *out_ns = (uint64_t)(ns < 0 ? 0 : ns);
    return true;
}

void flux_map_relation(struct flux *flux, uint32_t index, const struct flux_entry *entry) {
    struct flux_item *item = &flux->items[index];
    struct flux_waiting near = { .source = index,
                                 .ns = item->last_ns,
                                 .target = TK_NONE,
                                 .relation = { .style = entry->second,
                                               .path = entry->first,
                                               .base = entry->last,
                                               .number = flux_integer(entry->x),
                                               .kind = entry->kind & 3 } };
    struct flux_waiting far = near;
    if (!item->has_sample) {
        flux_note(flux, TK_DIAG_ANNOTATION_EARLY, 1);
        return;
    }
    struct tk_span path = label_text(flux, item, FLUX_TARGETS, entry->first);
    bool has_target = path.len && far_time(flux, item, &near.relation, &far.ns);
    if (has_target && far.ns >= near.ns) near.flow = far.flow_end = ++flux->flows;
    else if (has_target) near.flow_end = far.flow = ++flux->flows;
    far.target = has_target ? find_path(flux, item->trace, path) : TK_NONE;
    put_end(flux, &near, index, index, false, has_target);
    if (!has_target) return;
    wait_for(flux, &far);
    item = &flux->items[index];
    if (far.target != TK_NONE && flux->items[far.target].has_sample)
        flux_release_waiting(flux, far.target, flux->items[far.target].last_ns);
}
