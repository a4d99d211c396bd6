// SPDX-License-Identifier: MIT
//
// Formats, recognising and planning for a WebAssembly host.
#include "io.h"

#include <string.h>

// ---- Formats
// ---------------------------------------------------------------------------------------------------------

static void put_options(struct tkw_bytes *to, const struct tk_option_info *options, size_t count) {
    tkw_put_text(to, "[");
    for (size_t i = 0; i < count; i++) {
        tkw_put_key_string(to, i ? ",{\"key\":" : "{\"key\":", options[i].key);
        tkw_put_key_string(to, ",\"label\":", options[i].label);
        tkw_put_key_string(to, ",\"help\":", options[i].help);
        tkw_put_key_string(to, ",\"choices\":", options[i].choices); // "a|b|c": split by the host
        tkw_put_key_string(to, ",\"fallback\":", options[i].fallback);
        tkw_put_text(to, "}");
    }
    tkw_put_text(to, "]");
}

static void put_formats(struct tkw_bytes *to) {
    size_t common_count;
    const struct tk_option_info *common = tk_common_options(&common_count);
    tkw_put_text(to, "{\"common\":");
    put_options(to, common, common_count);
    tkw_put_text(to, ",\"formats\":[");
    for (size_t i = 0; i < tk_format_count(); i++) {
        const struct tk_format_info *format = tk_format_at(i);
        tkw_put_key_string(to, i ? ",{\"name\":" : "{\"name\":", format->name);
        tkw_put_key_string(to, ",\"title\":", format->title);
        tkw_put_key_string(to, ",\"pieces\":", format->pieces);
        tkw_put_key_bool(to, ",\"text\":", format->is_text);
        tkw_put_key_bool(to, ",\"cores\":", format->joins_cores);
        tkw_put_key_bool(to, ",\"outlined\":", format->is_outlined);
        tkw_put_key_bool(to, ",\"original\":", format->has_vendor_dump);
        tkw_put_text(to, ",\"options\":");
        put_options(to, format->options, format->option_count);
        tkw_put_text(to, "}");
    }
    tkw_put_text(to, "]}");
}

int32_t tkw_format_info(struct tkw_instance *instance, uint32_t what);

int32_t tkw_format_info(struct tkw_instance *instance, uint32_t what) {
    tkw_begin(instance);
    if (what == TKW_VERSION) tkw_put_text(&instance->output, TK_VERSION);
    else put_formats(&instance->output);
    return tkw_end(instance, TK_OK);
}

// ---- Recognising
// -----------------------------------------------------------------------------------------------------

static const char *title_of(const char *name) {
    for (size_t i = 0; name && i < tk_format_count(); i++) {
        if (strcmp(tk_format_at(i)->name, name) == 0) return tk_format_at(i)->title;
    }
    return "";
}

static void put_probe(struct tkw_bytes *to, const struct tk_probe *probe) {
    tkw_put_key_string(to, "{\"format\":", probe->format);
    tkw_put_key_string(to, ",\"title\":", title_of(probe->format));
    tkw_put_key_number(to, ",\"confidence\":", probe->confidence);
    tkw_put_key_string(to, ",\"mode\":", probe->mode);
    tkw_put_key_string(to, ",\"reason\":", probe->reason);
    tkw_put_key_number(to, ",\"looked\":", probe->looked);
    if (probe->is_dump) tkw_put_key_number(to, ",\"from\":", probe->from);
    tkw_put_key_number(to, ",\"frames\":", probe->frames);
    tkw_put_key_number(to, ",\"valid\":", probe->valid);
    tkw_put_key_number(to, ",\"textBytes\":", probe->text_bytes);
    tkw_put_key_bool(to, ",\"namesTick\":", probe->names_tick);
    tkw_put_key_number(to, ",\"tickNs\":\"", probe->tick_ns);
    tkw_put_key_bool(to, "\",\"hasEvents\":", probe->has_events);
    tkw_put_key_bool(to, ",\"goesOn\":", tk_probe_can_continue(probe));
    tkw_put_text(to, ",\"cores\":[");
    const char *comma = "";
    for (uint32_t core = 0; core < 32; core++) {
        if (!(probe->cores_mask >> core & 1)) continue;
        tkw_put_key_number(to, comma, core);
        comma = ",";
    }
    static const char *const contents[] = { [TK_CONTENT_UNKNOWN] = "",
                                            [TK_CONTENT_TRACE] = "trace",
                                            [TK_CONTENT_SYMBOLS] = "symbols",
                                            [TK_CONTENT_TIMES] = "times",
                                            [TK_CONTENT_OTHER] = "other" };
    tkw_put_key_string(to, "],\"content\":", contents[probe->content]);
    tkw_put_text(to, "}");
}

int32_t tkw_probe(struct tkw_instance *instance, uint32_t head_len, uint32_t tail_len, uint32_t what);
int32_t tkw_plan(struct tkw_instance *instance, uint32_t len);

// The next part of the input that was probed last: its probe is replaced.
static int32_t probe_on(struct tkw_instance *instance, uint32_t len) {
    if (instance->probes.len < sizeof(struct tk_probe)) return tkw_end(instance, TK_MISUSE);
    struct tk_probe *probe = (struct tk_probe *)(void *)(instance->probes.data + instance->probes.len - sizeof *probe);
    tk_probe_continue(instance->input, len, probe);
    put_probe(&instance->output, probe);
    return tkw_end(instance, TK_OK);
}

enum { PROBE_NEXT, PROBE_FIRST, PROBE_ON };

// The input block holds the head and then the tail. what: PROBE_FIRST forgets the probes kept for tkw_plan, PROBE_ON
// goes on with the last one.
int32_t tkw_probe(struct tkw_instance *instance, uint32_t head_len, uint32_t tail_len, uint32_t what) {
    tkw_begin(instance);
    if (head_len > TKW_INPUT_LEN || tail_len > TKW_INPUT_LEN - head_len) return tkw_end(instance, TK_MISUSE);
    if (what == PROBE_ON) return probe_on(instance, head_len);
    if (what == PROBE_FIRST) tkw_bytes_clear(&instance->probes);
    struct tk_probe probe;
    tk_probe(instance->input, head_len, tail_len ? instance->input + head_len : NULL, tail_len, &probe);
    put_probe(&instance->output, &probe);
    bool kept = tkw_put(&instance->probes, &probe, sizeof probe);
    return tkw_end(instance, kept ? TK_OK : TK_NO_MEMORY);
}

// What the host sent about one input: container, found core, role, core and partner as 4 bytes each, its name, a zero,
// the format that a person named or nothing, a zero.
static const uint8_t *read_overrides(const uint8_t *at, const uint8_t *stop, struct tk_plan_input *out) {
    int32_t numbers[5];
    const uint8_t *name = at + sizeof numbers, *format, *end;
    if ((size_t)(stop - at) < sizeof numbers || !(format = memchr(name, 0, (size_t)(stop - name)))) return NULL;
    format++;
    if (!(end = memchr(format, 0, (size_t)(stop - format)))) return NULL;
    memcpy(numbers, at, sizeof numbers);
    *out = (struct tk_plan_input){ .name = (const char *)name,
                                   .container = (uint32_t)numbers[0],
                                   .found_core = numbers[1],
                                   .role = numbers[2],
                                   .core = numbers[3],
                                   .with = numbers[4],
                                   .format = end > format ? (const char *)format : NULL };
    return end + 1;
}

static bool read_plan(struct tkw_instance *instance, uint32_t len, struct tk_plan_input *inputs, size_t count) {
    const struct tk_probe *probes = (const struct tk_probe *)(const void *)instance->probes.data;
    const uint8_t *at = instance->input, *stop = instance->input + len;
    for (size_t i = 0; i < count && at; i++) {
        at = read_overrides(at, stop, &inputs[i]);
        inputs[i].probe = &probes[i];
    }
    return at == stop;
}

static void put_served(struct tkw_bytes *to, const struct tk_plan_input *inputs, size_t count, size_t side) {
    uint32_t groups = 0;
    const char *comma = "";
    for (size_t i = 0; i < count; i++) {
        if (inputs[i].out_group != groups) continue; // they are numbered in order
        if (tk_plan_serves(inputs, count, side, groups)) tkw_put_key_number(to, comma, groups), comma = ",";
        groups++;
    }
}

// The recordings that it may go with, and why there is none where those of its format are meant.
static void put_partners(struct tkw_bytes *to, const struct tk_plan_input *inputs, size_t count,
                         const struct tk_plan_input *in) {
    const char *apart = "", *comma = "";
    tkw_put_text(to, ",\"partners\":[");
    for (size_t i = 0; i < count; i++) {
        if (&inputs[i] == in || inputs[i].out_role != TK_ROLE_RECORDING) continue;
        const char *reason = tk_plan_conflict(in, &inputs[i]);
        if (!reason) tkw_put_key_number(to, comma, i), comma = ",";
        else if (in->out_role == TK_ROLE_RECORDING && !strcmp(in->out_format, inputs[i].out_format)) apart = reason;
    }
    tkw_put_key_string(to, "],\"apart\":", apart);
}

static void put_plan(struct tkw_bytes *to, const struct tk_plan_input *inputs, size_t count) {
    static const char *const roles[] = { "recording", "names", "symbols", "times", "none" };
    tkw_put_text(to, "[");
    for (size_t i = 0; i < count; i++) {
        const struct tk_plan_input *in = &inputs[i];
        tkw_put_key_string(to, i ? ",{\"role\":" : "{\"role\":", roles[in->out_role]);
        tkw_put_key_string(to, ",\"format\":", in->out_format);
        tkw_put_text(to, ",\"group\":");
        tkw_put_number(to, in->out_group == TK_NO_GROUP ? -1 : (int64_t)in->out_group);
        tkw_put_text(to, ",\"core\":");
        tkw_put_number(to, in->out_core);
        tkw_put_key_number(to, ",\"order\":", in->out_order);
        tkw_put_text(to, ",\"serves\":[");
        put_served(to, inputs, count, i);
        tkw_put_text(to, "]");
        put_partners(to, inputs, count, in);
        tkw_put_key_string(to, ",\"reason\":", in->out_reason);
        tkw_put_text(to, "}");
    }
    tkw_put_text(to, "]");
}

// The input block holds what the host knows of each input that was probed since the first, in that order.
int32_t tkw_plan(struct tkw_instance *instance, uint32_t len) {
    tkw_begin(instance);
    size_t count = instance->probes.len / sizeof(struct tk_probe);
    size_t size = (count ? count : 1) * sizeof(struct tk_plan_input);
    struct tk_plan_input *inputs = tkw_heap.realloc(tkw_heap.ctx, NULL, 0, size);
    if (!inputs) return tkw_end(instance, TK_NO_MEMORY);
    memset(inputs, 0, size);
    bool well_formed = len <= TKW_INPUT_LEN && read_plan(instance, len, inputs, count);
    if (well_formed) {
        tk_plan(inputs, count);
        put_plan(&instance->output, inputs, count);
    }
    tkw_heap.realloc(tkw_heap.ctx, inputs, size, 0);
    return tkw_end(instance, well_formed ? TK_OK : TK_MISUSE);
}
