// SPDX-License-Identifier: MIT
#include "recordings.h"

#include "message.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// The number of the archive that holds a source; 0: none does.
static uint32_t archive_of(struct input_list *list, const struct source *source) {
    if (!source->in_archive) return 0;
    for (size_t i = 0; i + 1 < list->count; i++) {
        const struct input *other = &list->items[i];
        if (other->source->in_archive && !other->is_block && strcmp(other->source->path, source->path) == 0)
            return other->container;
    }
    return ++list->containers;
}

static struct input *add_input(struct input_list *list, struct source *source, uint32_t block, const char *encoding) {
    struct input *items = realloc(list->items, (list->count + 1) * sizeof *items);
    if (!items) {
        message_error("out of memory");
        return NULL;
    }
    list->items = items;
    struct input *input = &items[list->count++];
    memset(input, 0, sizeof *input);
    input->source = source;
    input->block = block;
    input->named_core = -1;
    snprintf(input->name, sizeof input->name, "%s", source->name);
    snprintf(input->encoding, sizeof input->encoding, "%s", encoding);
    input->container = archive_of(list, source);
    return input;
}

// ---- Heads of text -------------------------------------------------------------------------------

struct block_head {
    struct bytes bytes;
    int32_t core;
};

struct block_heads {
    struct block_head items[TK_MAX_INPUTS];
    uint32_t count;
    bool too_many, no_memory;
};

static bool on_block(void *ctx, uint32_t block, int32_t core, const char *title, size_t title_len) {
    (void)title, (void)title_len;
    struct block_heads *heads = ctx;
    if (block >= TK_MAX_INPUTS) {
        heads->too_many = true;
        return true;
    }
    heads->items[block].core = core;
    heads->count = block + 1;
    return true;
}

static bool on_bytes(void *ctx, uint32_t block, const uint8_t *bytes, size_t len) {
    struct block_heads *heads = ctx;
    if (block >= TK_MAX_INPUTS) return true;
    struct bytes *head = &heads->items[block].bytes;
    size_t room = TK_PROBE_LEN - head->len;
    if (bytes_append(head, bytes, len < room ? len : room)) return true;
    heads->no_memory = true;
    return false;
}

static void release_heads(struct block_heads *heads) {
    for (uint32_t i = 0; i < TK_MAX_INPUTS; i++) bytes_release(&heads->items[i].bytes);
}

// As the library for Node names them.
static void name_block(struct input *input, int32_t core) {
    if (core >= 0) snprintf(input->name, sizeof input->name, "%.480s (core %d)", input->source->name, (int)core);
    else snprintf(input->name, sizeof input->name, "%.480s (part %u)", input->source->name, (unsigned)input->block + 1);
}

static bool add_blocks(struct input_list *list, struct source *source, const struct block_heads *heads,
                       const char *encoding) {
    uint32_t container = heads->count > 1 ? ++list->containers : 0;
    for (uint32_t i = 0; i < heads->count; i++) {
        struct input *input = add_input(list, source, i, encoding);
        if (!input) return false;
        input->named_core = heads->items[i].core;
        if (heads->count > 1) input->is_block = true, input->container = container;
        if (heads->count > 1) name_block(input, heads->items[i].core);
        tk_probe(heads->items[i].bytes.data, heads->items[i].bytes.len, NULL, 0, &input->probe);
    }
    if (heads->count == 0) add_input(list, source, 0, "it is a text without digits of a recording");
    if (heads->too_many) message_warn("%s: only the first %d blocks are read", source->name, TK_MAX_INPUTS);
    return true;
}

// All blocks of a text that can be read again.
static bool look_at_blocks(struct input_list *list, struct source *source, const char *encoding) {
    struct block_heads heads = { .count = 0 };
    struct tk_encoding_sink sink = { .ctx = &heads, .begin = on_block, .data = on_bytes };
    bool ok = source_each_block(source, &sink) && add_blocks(list, source, &heads, encoding);
    release_heads(&heads);
    return ok;
}

static void probe_text(enum tk_encoding_kind kind, const struct bytes *text, struct tk_probe *out_probe) {
    struct block_heads heads = { .count = 0 };
    struct tk_encoding_sink sink = { .ctx = &heads, .begin = on_block, .data = on_bytes };
    struct tk_encoding_result result;
    tk_encoding *decoder;
    if (tk_encoding_new(tk_libc_allocator(), kind, &sink, &decoder) != TK_OK) return;
    if (tk_encoding_feed(decoder, text->data, text->len) == TK_OK && tk_encoding_finish(decoder, &result) == TK_OK) {
        tk_probe(heads.items[0].bytes.data, heads.items[0].bytes.len, NULL, 0, out_probe);
    }
    tk_encoding_free(decoder);
    release_heads(&heads);
}

// ---- Looking -------------------------------------------------------------------------------------

// What follows the head of a source, in parts as long as the head.
struct further {
    struct tk_probe *probe;
    struct bytes part;
    uint64_t skip; // bytes of the head still to come
    bool goes_on;
};

static void look_at_part(struct further *further) {
    if (further->part.len) further->goes_on = tk_probe_continue(further->part.data, further->part.len, further->probe);
    further->part.len = 0;
}

// False: no memory.
static bool look_at_piece(struct further *further, const uint8_t *piece, size_t len) {
    size_t at = further->skip < len ? (size_t)further->skip : len;
    further->skip -= at;
    for (size_t step; at < len && further->goes_on; at += step) {
        size_t room = TK_PROBE_LEN - further->part.len;
        step = len - at < room ? len - at : room;
        if (!bytes_append(&further->part, piece + at, step)) return false;
        if (further->part.len == TK_PROBE_LEN) look_at_part(further);
    }
    return true;
}

// A recording may begin anywhere in a dump: a file is looked at until it is recognised.
static bool probe_on(struct source *source, struct tk_probe *probe) {
    struct further further = { .probe = probe, .skip = probe->looked, .goes_on = tk_probe_can_continue(probe) };
    if (probe->looked < TK_PROBE_LEN || !further.goes_on) return true;
    stream *bytes = stream_open(source, 0);
    bool ok = bytes != NULL;
    size_t len = 1;
    while (ok && further.goes_on && len > 0) {
        const uint8_t *piece = stream_next(bytes, &len);
        ok = look_at_piece(&further, piece, len);
        if (!ok) message_error("%s: out of memory", source->name);
    }
    look_at_part(&further);
    bytes_release(&further.part);
    stream_close(bytes);
    return ok;
}

static void probe_head(const struct source *source, const struct bytes *head, struct tk_probe *out_probe) {
    memset(out_probe, 0, sizeof *out_probe);
    size_t len = head->len < TK_PROBE_LEN ? head->len : TK_PROBE_LEN;
    if (source->encoding == TK_ENCODING_BINARY) tk_probe(head->data, len, NULL, 0, out_probe);
    else probe_text(source->encoding, head, out_probe);
}

// What is looked at stays in memory, since nothing of a line can be read twice.
static void probe_behind_padding(struct source *source, struct tk_probe *probe) {
    static const uint64_t farthest = 16 * 1024 * 1024;
    bool goes_on = probe->looked >= TK_PROBE_LEN;
    while (goes_on && probe->looked < farthest) {
        const struct bytes *came = source_peek(source, (size_t)probe->looked + TK_PROBE_LEN);
        size_t fresh = came->len - (size_t)probe->looked;
        if (fresh > TK_PROBE_LEN) fresh = TK_PROBE_LEN;
        goes_on = fresh > 0 && tk_probe_continue(came->data + probe->looked, fresh, probe);
    }
}

// A live line may be slow: looks again whenever more came, until it is recognised.
static bool look_at_live(struct input_list *list, struct source *source, const struct settings *settings,
                         struct bytes *head, char reason[160]) {
    struct tk_probe probe;
    probe_head(source, head, &probe);
    while (!probe.format && head->len < TK_PROBE_LEN && source_look_more(source, settings->encoding, head, reason))
        probe_head(source, head, &probe);
    if (source->encoding == TK_ENCODING_BINARY && probe.padding) probe_behind_padding(source, &probe);
    source->head_suffices = probe.format != NULL;
    struct input *input = add_input(list, source, 0, reason);
    if (input) input->probe = probe;
    return input != NULL;
}

static bool look_at(struct input_list *list, struct source *source, const struct settings *settings, bool may_keep) {
    struct bytes head = { 0 };
    char reason[160];
    bool ok = source_look(source, settings->encoding, &head, reason);
    if (ok && source->live && source->encoding != TK_ENCODING_BINARY &&
        (may_keep || source->encoding == TK_ENCODING_JSON))
        ok = source_keep(source);
    bool once = source->live && source->scratch < 0;
    if (ok && once) {
        ok = look_at_live(list, source, settings, &head, reason);
    } else if (ok && source->encoding != TK_ENCODING_BINARY) {
        ok = look_at_blocks(list, source, reason);
    } else if (ok) {
        struct input *input = add_input(list, source, 0, reason);
        ok = input != NULL;
        if (ok) probe_head(source, &head, &input->probe);
        ok = ok && probe_on(source, &input->probe);
    }
    bytes_release(&head);
    return ok;
}

// ---- What they are for ---------------------------------------------------------------------------

static const char *named_type(const struct settings *settings) {
    return settings->type && strcmp(settings->type, "auto") != 0 ? settings->type : NULL;
}

static struct tk_plan_input overrides_for(const struct input *input, const struct settings *settings) {
    // Of a live line only the first bytes were looked at: what has no events yet may have some later.
    int32_t role = input->is_side ? TK_ROLE_NAMES : input->source->live ? TK_ROLE_RECORDING : TK_PLAN_AUTO;
    const char *name = input->source->in_archive ? input->source->member.path : plat_base_name(input->source->path);
    return (struct tk_plan_input){ .name = name,
                                   .probe = &input->probe,
                                   .container = input->container,
                                   .found_core = input->named_core,
                                   .role = role,
                                   .core = input->source->core,
                                   .with = TK_PLAN_AUTO,
                                   .format = named_type(settings) };
}

static bool plan_inputs(struct workload *work, const struct settings *settings) {
    size_t count = work->inputs.count;
    work->plan = calloc(count ? count : 1, sizeof *work->plan);
    if (!work->plan) {
        message_error("out of memory");
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        work->plan[i] = overrides_for(&work->inputs.items[i], settings);
        work->inputs.items[i].plan = &work->plan[i];
    }
    tk_plan(work->plan, count);
    for (size_t i = 0; i < count; i++) {
        if (work->plan[i].out_group != TK_NO_GROUP && work->groups <= work->plan[i].out_group)
            work->groups = work->plan[i].out_group + 1;
    }
    return true;
}

static void tell_unknown(const struct input *input) {
    static const char advice[] = " If it is a recording all the same, name its format with --type.";
    const struct tk_probe *probe = &input->probe;
    const char *reason = probe->reason[0] ? probe->reason : input->encoding,
               *stop = reason[strlen(reason) - 1] == '.' ? "" : ".";
    if (input->source->from_folder)
        message_detail("%s: left out, %s", input->name, probe->reason[0] ? probe->reason : "no recording");
    else
        message_error("%s: not recognised: %s%s%s", input->name, reason, stop,
                      probe->looked && (probe->content == TK_CONTENT_UNKNOWN || probe->content == TK_CONTENT_OTHER)
                          ? advice
                          : "");
}

static bool is_joined(const struct workload *work, const struct tk_plan_input *plan) {
    size_t members = 0;
    for (size_t i = 0; i < work->inputs.count; i++) members += work->plan[i].out_group == plan->out_group;
    return members > 1;
}

static void tell_roles(struct workload *work) {
    for (size_t i = 0; i < work->inputs.count; i++) {
        const struct input *input = &work->inputs.items[i];
        const struct tk_plan_input *plan = input->plan;
        if (!input->is_side) message_detail("%s: %s; %s", input->name, input->encoding, input->probe.reason);
        bool is_known = plan->out_format ||
                        ((input->probe.content == TK_CONTENT_SYMBOLS || input->probe.content == TK_CONTENT_TIMES) &&
                         work->groups > 0);
        if (plan->out_role == TK_ROLE_NONE && !is_known && !input->is_side) {
            tell_unknown(input);
            work->skipped |= !input->source->from_folder;
        } else if (plan->out_role == TK_ROLE_NONE && work->groups > 0) {
            message_warn("%s: not used: %s", input->name, plan->out_reason);
        } else if (plan->out_role != TK_ROLE_RECORDING && plan->out_role != TK_ROLE_NONE && !input->is_side) {
            message_detail("%s: %s", input->name, plan->out_reason);
        } else if (plan->out_role == TK_ROLE_RECORDING && plan->core >= 0 && work->groups > 1 &&
                   !is_joined(work, plan)) {
            message_warn("%s: %s", input->name, plan->out_reason);
        }
    }
}

size_t workload_group(const struct workload *work, uint32_t group, const struct input *out_inputs[TK_MAX_INPUTS],
                      size_t *out_sides) {
    size_t count = 0;
    for (size_t i = 0; i < work->inputs.count; i++) {
        if (tk_plan_serves(work->plan, work->inputs.count, i, group)) out_inputs[count++] = &work->inputs.items[i];
    }
    *out_sides = count;
    for (size_t i = 0; i < work->inputs.count; i++) {
        if (work->plan[i].out_group == group) out_inputs[count++] = &work->inputs.items[i];
    }
    return count;
}

const struct input *workload_first(const struct workload *work, uint32_t group) {
    for (size_t i = 0; i < work->inputs.count; i++) {
        if (work->plan[i].out_group == group) return &work->inputs.items[i];
    }
    return NULL;
}

// ---- Sources -------------------------------------------------------------------------------------

static bool cores_are_different(const struct source_list *sources) {
    for (size_t i = 0; i < sources->count; i++) {
        for (size_t j = 0; j < i; j++) {
            const struct source *a = &sources->items[j], *b = &sources->items[i];
            if (b->core < 0 || a->core != b->core) continue;
            message_error("%s and %s are both named as core %d; give each its own number", a->name, b->name,
                          (int)b->core);
            return false;
        }
    }
    return true;
}

static size_t count_stdin(const struct source_list *sources) {
    size_t count = 0;
    for (size_t i = 0; i < sources->count; i++) count += strcmp(sources->items[i].path, "-") == 0;
    return count;
}

static bool stdin_is_named_once(const struct workload *work) {
    bool ok = count_stdin(&work->sources) + count_stdin(&work->side_sources) <= 1;
    if (!ok) message_error("standard input (-) can be read only once");
    return ok;
}

// ---- The same file twice -------------------------------------------------------------------------

static bool is_same_file(const struct plat_identity *a, const struct plat_identity *b) {
    return a->volume == b->volume && a->file == b->file;
}

static struct source *find_same(const struct source_list *list, size_t count, const struct source *source) {
    for (size_t i = 0; i < count; i++) {
        struct source *other = &list->items[i];
        if (source->is_file && other->is_file && is_same_file(&source->identity, &other->identity)) return other;
    }
    return NULL;
}

// One file cannot be two cores, and is read once otherwise.
static bool drop_repeated(struct workload *work) {
    for (size_t i = 0; i < work->sources.count; i++) {
        const struct source *source = &work->sources.items[i], *same = find_same(&work->sources, i, source);
        if (!same) continue;
        if (source->core >= 0 || same->core >= 0) {
            message_error("%s and %s are the same file; a core has a file of its own", same->path, source->path);
            return false;
        }
        if (!source->from_folder)
            message_warn("%s and %s are the same file; it is read once", same->path, source->path);
        sources_remove(&work->sources, i--);
    }
    for (size_t i = 0; i < work->side_sources.count; i++) {
        if (!find_same(&work->sources, work->sources.count, &work->side_sources.items[i])) continue;
        message_warn("--with %s: that is an input itself and has nothing to add", work->side_sources.items[i].path);
        sources_remove(&work->side_sources, i--);
    }
    return true;
}

bool workload_has_output(const struct workload *work, const char *path) {
    struct source out = { 0 };
    bool is_stdout = !path || strcmp(path, "-") == 0;
    out.is_file = is_stdout ? plat_fd_identity(PLAT_STDOUT, &out.identity) : plat_path_identity(path, &out.identity);
    const struct source *same = find_same(&work->sources, work->sources.count, &out);
    if (!same) same = find_same(&work->side_sources, work->side_sources.count, &out);
    if (same)
        message_error("%s is an input%s%s; --output has to name another file", is_stdout ? "standard output" : path,
                      is_stdout ? ": " : "", is_stdout ? same->path : "");
    return same != NULL;
}

// ---- All of it -----------------------------------------------------------------------------------

static int look_at_all(const struct settings *settings, struct workload *work, bool may_keep) {
    for (size_t i = 0; i < work->side_sources.count; i++) {
        if (!look_at(&work->inputs, &work->side_sources.items[i], settings, true)) return EXIT_INPUT;
    }
    for (size_t i = 0; i < work->inputs.count; i++) work->inputs.items[i].is_side = true;
    for (size_t i = 0; i < work->sources.count; i++) {
        if (!look_at(&work->inputs, &work->sources.items[i], settings, may_keep)) work->skipped = true;
    }
    return EXIT_FINE;
}

static int find_sources(const struct settings *settings, struct workload *work) {
    if (settings->inputs.count == 0) {
        message_error("no input named; - stands for standard input");
        return EXIT_USAGE;
    }
    int result = sources_find(&settings->inputs, settings->recursive, &work->sources);
    if (result == EXIT_INPUT) work->skipped = true, result = EXIT_FINE;
    if (result == EXIT_FINE) result = sources_find(&settings->with, settings->recursive, &work->side_sources);
    if (result != EXIT_FINE) return result;
    bool ok = stdin_is_named_once(work) && drop_repeated(work) && cores_are_different(&work->sources) &&
              !workload_has_output(work, settings->output);
    if (!ok) return EXIT_USAGE;
    sources_make_names_unique(&work->sources, &work->side_sources);
    return sources_unpack(&work->sources) && sources_unpack(&work->side_sources) ? EXIT_FINE : EXIT_INPUT;
}

// ---- Options of formats --------------------------------------------------------------------------

static bool has_option(const struct tk_format_info *format, const char *key, size_t key_len) {
    for (size_t i = 0; i < format->option_count; i++)
        if (strlen(format->options[i].key) == key_len && memcmp(format->options[i].key, key, key_len) == 0) return true;
    return false;
}

bool format_takes(const char *format, const char *key, size_t key_len) {
    bool is_of_others = false;
    for (size_t i = 0; format && i < tk_format_count(); i++) {
        const struct tk_format_info *info = tk_format_at(i);
        if (!has_option(info, key, key_len)) continue;
        if (strcmp(info->name, format) == 0) return true;
        is_of_others = true;
    }
    return !is_of_others;
}

static bool is_used(const struct workload *work, const char *key, size_t key_len) {
    for (size_t i = 0; i < work->inputs.count; i++)
        if (work->plan[i].out_group != TK_NO_GROUP && format_takes(work->plan[i].out_format, key, key_len)) return true;
    return false;
}

// An option of other formats than all recordings here: a typing error, or one line for many kinds of recordings.
static void tell_unused(const struct workload *works, size_t count, const char *option, const char *setting,
                        const char *key, size_t key_len) {
    struct bytes names = { 0 };
    bool ok = false;
    for (size_t i = 0; i < count; i++) {
        ok |= works[i].groups > 0;
        if (is_used(&works[i], key, key_len)) return;
    }
    for (size_t i = 0; ok && i < tk_format_count(); i++) {
        const struct tk_format_info *info = tk_format_at(i);
        if (has_option(info, key, key_len))
            ok = bytes_append(&names, ", ", names.len ? 2 : 0) && bytes_append(&names, info->name, strlen(info->name));
    }
    if (ok && bytes_append(&names, "", 1))
        message_warn("--%s %s is not used: it is for recordings of another format (%s)", option, setting,
                     (char *)names.data);
    bytes_release(&names);
}

void plan_report_unused(const struct workload *works, size_t count, const struct settings *settings) {
    if (settings->mode && strcmp(settings->mode, "auto") != 0)
        tell_unused(works, count, "mode", settings->mode, "mode", 4);
    for (size_t i = 0; i < settings->set.count; i++)
        tell_unused(works, count, "set", settings->set.items[i], settings->set.items[i],
                    strcspn(settings->set.items[i], "="));
}

static int sort_out(const struct settings *settings, struct workload *work) {
    if (!plan_inputs(work, settings)) return EXIT_INPUT;
    tell_roles(work);
    if (work->groups > 0) return EXIT_FINE;
    if (!work->skipped) message_error("none of the files there is a recording; --verbose says why");
    return EXIT_INPUT;
}

int workload_find_side(const struct settings *settings, struct workload *out_workload) {
    int result = find_sources(settings, out_workload);
    if (result == EXIT_FINE) result = look_at_all(settings, out_workload, settings->keep_text);
    if (result != EXIT_FINE) return result;
    bool live = false;
    for (size_t i = 0; i < out_workload->inputs.count; i++)
        live |= out_workload->inputs.items[i].probe.format && out_workload->inputs.items[i].source->live;
    if (plat_stop_requested() && !live) {
        message_error("stopped before anything was read");
        return plat_stop_code();
    }
    return sort_out(settings, out_workload);
}

int workload_find(const struct settings *settings, struct workload *out_workload) {
    int result = workload_find_side(settings, out_workload);
    if (result == EXIT_FINE) plan_report_unused(out_workload, 1, settings);
    return result;
}

bool workload_read_failed(const struct workload *workload) {
    bool failed = false;
    for (size_t i = 0; i < workload->sources.count; i++) failed |= workload->sources.items[i].read_failed;
    for (size_t i = 0; i < workload->side_sources.count; i++) failed |= workload->side_sources.items[i].read_failed;
    return failed;
}

void workload_release(struct workload *workload) {
    sources_release(&workload->sources);
    sources_release(&workload->side_sources);
    free(workload->inputs.items);
    free(workload->plan);
}
