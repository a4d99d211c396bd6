// SPDX-License-Identifier: MIT
//
// Conversions for a WebAssembly host, and what it wants to know of formats and inputs.
#include "conversion/conversion.h"
#include "io.h"

#include <string.h>

// ---- Formats

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

// ---- Inputs

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

static void put_plan(struct tkw_bytes *to, const struct tk_plan_input *inputs, size_t count, size_t at) {
    static const char *const roles[] = { "recording", "names", "symbols", "times", "none" };
    const struct tk_plan_input *in = &inputs[at];
    tkw_put_key_string(to, "{\"role\":", roles[in->out_role]);
    tkw_put_key_string(to, ",\"format\":", in->out_format);
    tkw_put_text(to, ",\"group\":");
    if (in->out_group == TK_NO_GROUP) tkw_put_text(to, "null");
    else tkw_put_number(to, in->out_group);
    tkw_put_text(to, ",\"core\":");
    if (in->out_core < 0) tkw_put_text(to, "null");
    else tkw_put_number(to, in->out_core);
    tkw_put_key_number(to, ",\"order\":", in->out_order);
    tkw_put_text(to, ",\"serves\":[");
    put_served(to, inputs, count, at);
    tkw_put_text(to, "]");
    put_partners(to, inputs, count, in);
    tkw_put_key_string(to, ",\"reason\":", in->out_reason);
    tkw_put_text(to, "}");
}

static void put_member(struct tkw_bytes *to, const struct tk_conv_source *source, int32_t number) {
    struct tk_member member;
    if (number < 0 || !tk_archive_member(source->archive, (uint32_t)number, &member)) {
        tkw_put_text(to, ",\"member\":null");
        return;
    }
    tkw_put_key_number(to, ",\"member\":{\"number\":", (uint32_t)number);
    tkw_put_key_string(to, ",\"path\":", member.path);
    tkw_put_key_number(to, ",\"offset\":", member.offset);
    tkw_put_key_number(to, ",\"packed\":", member.packed);
    tkw_put_key_bool(to, ",\"deflated\":", member.state == TK_MEMBER_DEFLATED);
    tkw_put_key_string(to, ",\"reason\":", tk_member_reason(member.state));
    tkw_put_key_string(
        to, ",\"problem\":", source->packing_damage ? source->packing_damage : tk_archive_problem(source->archive));
    tkw_put_text(to, "}");
}

static void put_input(struct tkw_bytes *to, const tk_conversion *conversion, uint32_t number) {
    static const char *const encodings[] = { "binary", "hex", "base64", "json" };
    const struct tk_conv_input *in = &conversion->inputs[number];
    tkw_put_key_number(to, number ? ",{\"source\":" : "{\"source\":", in->source);
    put_member(to, &conversion->sources[in->source], in->member);
    tkw_put_key_number(to, ",\"block\":", in->block);
    tkw_put_key_string(to, ",\"name\":", in->name);
    tkw_put_key_string(to, ",\"encoding\":", encodings[in->encoding]);
    tkw_put_key_bool(to, ",\"gzip\":", in->is_gzip);
    tkw_put_key_string(to, ",\"encodingReason\":", in->encoding_reason);
    tkw_put_key_number(to, ",\"bytes\":", in->size == UINT64_MAX ? in->probe.looked : in->size);
    tkw_put_key_string(to, ",\"cut\":", in->damage[0] ? in->damage : NULL);
    tkw_put_text(to, ",\"core\":");
    if (in->named_core < 0) tkw_put_text(to, "null");
    else tkw_put_number(to, in->named_core);
    tkw_put_text(to, ",\"probe\":");
    put_probe(to, &in->probe);
    tkw_put_text(to, ",\"plan\":");
    put_plan(to, conversion->plan, conversion->input_count, number);
    tkw_put_text(to, "}");
}

// ---- Conversions

int32_t tkw_conversion_new(struct tkw_instance *instance);
int32_t tkw_conversion_add_source(struct tkw_instance *instance, uint32_t name_len, double size, uint32_t is_seekable,
                                  int32_t encoding);
int32_t tkw_conversion_set(struct tkw_instance *instance, uint32_t key_len, uint32_t value_len);
int32_t tkw_conversion_next(struct tkw_instance *instance);
int32_t tkw_conversion_answer(struct tkw_instance *instance, uint32_t len);
int32_t tkw_conversion_keep(struct tkw_instance *instance);
int32_t tkw_conversion_open(struct tkw_instance *instance, uint32_t is_wanted);
int32_t tkw_conversion_fail(struct tkw_instance *instance, uint32_t reason_len);
int32_t tkw_conversion_inputs(struct tkw_instance *instance);
int32_t tkw_conversion_override(struct tkw_instance *instance, uint32_t input, int32_t role, int32_t core, int32_t with,
                                uint32_t format_len);
int32_t tkw_conversion_set_range(struct tkw_instance *instance, uint32_t len);
int32_t tkw_conversion_exit_code(const struct tkw_instance *instance);

// Ends the one before, and the handle of tkw_new.
int32_t tkw_conversion_new(struct tkw_instance *instance) {
    tkw_begin(instance);
    tk_free(instance->handle);
    tk_conversion_free(instance->conversion);
    instance->handle = NULL;
    instance->conversion = NULL;
    return tkw_end(instance, tk_conversion_new(&instance->memory.allocator, &instance->conversion));
}

// The input block holds the name. size below 0: unknown. encoding: a tk_encoding_kind, or -1.
int32_t tkw_conversion_add_source(struct tkw_instance *instance, uint32_t name_len, double size, uint32_t is_seekable,
                                  int32_t encoding) {
    uint32_t number;
    tkw_begin(instance);
    if (!instance->conversion || name_len >= TKW_INPUT_LEN) return tkw_end(instance, TK_MISUSE);
    instance->input[name_len] = 0;
    const struct tk_source_info info = { .name = (const char *)instance->input,
                                         .size = size < 0 ? UINT64_MAX : (uint64_t)size,
                                         .is_seekable = is_seekable != 0,
                                         .encoding = encoding < 0 ? TK_PLAN_AUTO : encoding,
                                         .role = TK_PLAN_AUTO,
                                         .core = TK_PLAN_AUTO };
    return tkw_end(instance, tk_conversion_add_source(instance->conversion, &info, &number));
}

// The input block holds key and value as for tkw_set_option.
int32_t tkw_conversion_set(struct tkw_instance *instance, uint32_t key_len, uint32_t value_len) {
    const char *key, *value;
    tkw_begin(instance);
    if (!instance->conversion || !tkw_take_pair(instance, key_len, value_len, &key, &value))
        return tkw_end(instance, TK_MISUSE);
    return tkw_end(instance, tk_conversion_set(instance->conversion, key, value));
}

// The io block has the request. Its bytes or text are the output, until the next call.
int32_t tkw_conversion_next(struct tkw_instance *instance) {
    struct tkw_io *io = &instance->io;
    tkw_begin(instance);
    if (!instance->conversion) return tkw_end(instance, TK_MISUSE);
    const struct tk_request *request = tk_conversion_next(instance->conversion);
    int32_t status = tkw_end_counted(instance, TK_OK);
    bool has_bytes =
        request->kind == TK_REQUEST_WRITE || request->kind == TK_REQUEST_REWRITE || request->kind == TK_REQUEST_KEEP;
    io->request = (uint32_t)request->kind;
    io->source = request->source;
    io->severity = (uint32_t)request->severity;
    io->is_look = request->is_look;
    io->offset = (double)request->offset;
    io->len = (uint32_t)request->len;
    if (has_bytes) {
        io->output = (uint32_t)(uintptr_t)request->bytes;
        io->output_len = (uint32_t)request->len;
    } else if (request->kind == TK_REQUEST_MESSAGE) {
        io->output = (uint32_t)(uintptr_t)request->text;
        io->output_len = (uint32_t)strlen(request->text);
    }
    return status;
}

// The input block holds the bytes.
int32_t tkw_conversion_answer(struct tkw_instance *instance, uint32_t len) {
    tkw_begin(instance);
    if (!instance->conversion || len > TKW_INPUT_LEN) return tkw_end(instance, TK_MISUSE);
    tk_conversion_answer(instance->conversion, instance->input, len, 0);
    return tkw_end(instance, TK_OK);
}

int32_t tkw_conversion_keep(struct tkw_instance *instance) {
    tkw_begin(instance);
    if (instance->conversion) tk_conversion_keep(instance->conversion);
    return tkw_end(instance, TK_OK);
}

// The head of every output can be replaced.
int32_t tkw_conversion_open(struct tkw_instance *instance, uint32_t is_wanted) {
    tkw_begin(instance);
    if (!instance->conversion) return tkw_end(instance, TK_MISUSE);
    if (is_wanted) tk_conversion_open(instance->conversion, true);
    else tk_conversion_skip(instance->conversion);
    return tkw_end(instance, TK_OK);
}

// The input block holds the reason.
int32_t tkw_conversion_fail(struct tkw_instance *instance, uint32_t reason_len) {
    tkw_begin(instance);
    if (!instance->conversion || reason_len >= TKW_INPUT_LEN) return tkw_end(instance, TK_MISUSE);
    instance->input[reason_len] = 0;
    tk_conversion_fail(instance->conversion, (const char *)instance->input);
    return tkw_end(instance, TK_OK);
}

// At TK_REQUEST_PLAN: a list of them.
int32_t tkw_conversion_inputs(struct tkw_instance *instance) {
    struct tkw_bytes *to = &instance->output;
    tkw_begin(instance);
    if (!instance->conversion || !instance->conversion->plan) return tkw_end(instance, TK_MISUSE);
    tkw_put_text(to, "[");
    for (uint32_t i = 0; i < instance->conversion->input_count; i++) put_input(to, instance->conversion, i);
    tkw_put_text(to, "]");
    return tkw_end(instance, TK_OK);
}

// The input block holds the name of the format; nothing: none is chosen.
int32_t tkw_conversion_override(struct tkw_instance *instance, uint32_t input, int32_t role, int32_t core, int32_t with,
                                uint32_t format_len) {
    tkw_begin(instance);
    if (!instance->conversion || format_len >= TKW_INPUT_LEN) return tkw_end(instance, TK_MISUSE);
    instance->input[format_len] = 0;
    tk_conversion_override(instance->conversion, input, role, core, with,
                           format_len ? (const char *)instance->input : NULL);
    return tkw_end(instance, TK_OK);
}

// The input block holds the tick length, from-ns and to-ns, 8 bytes each.
int32_t tkw_conversion_set_range(struct tkw_instance *instance, uint32_t len) {
    uint64_t numbers[3];
    tkw_begin(instance);
    if (!instance->conversion || len != sizeof numbers) return tkw_end(instance, TK_MISUSE);
    memcpy(numbers, instance->input, sizeof numbers);
    return tkw_end(instance, tk_conversion_set_range(instance->conversion, numbers[0], numbers[1], numbers[2]));
}

int32_t tkw_conversion_exit_code(const struct tkw_instance *instance) {
    return instance->conversion ? tk_conversion_exit_code(instance->conversion) : 0;
}
