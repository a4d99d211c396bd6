// SPDX-License-Identifier: MIT
//
// Writes what a host offers its user as JSON: the formats with their options, and the inputs of a conversion with their
// plan. wasm/types.ts describes the members (Catalogue, DetectedInput).
#include <string.h>

#include "base/out.h"
#include "conversion.h"
#include "handle/handle.h"

static const uint64_t largest_count = (UINT64_C(1) << 53) - 1; // larger integers are not exact in JavaScript

static void put_string(struct tk_json_out *json, const char *key, const char *text) {
    tk_put_key(json, key);
    tk_put_string(json, text);
}

static void put_bool(struct tk_json_out *json, const char *key, bool value) {
    tk_put_key(json, key);
    tk_put_bool(json, value);
}

static void put_count(struct tk_json_out *json, const char *key, uint64_t value) {
    tk_put_key(json, key);
    tk_put_u64(json, value < largest_count ? value : largest_count);
}

// Writes a number; null if it is not `known`.
static void put_known(struct tk_json_out *json, const char *key, bool known, uint64_t value) {
    if (known) put_count(json, key, value);
    else put_string(json, key, NULL);
}

static void begin(struct tk_json_out *json, const char *key, char bracket) {
    tk_put_key(json, key);
    tk_put_begin(json, bracket);
}

// ---- Formats ----

static void put_choices(struct tk_json_out *json, const char *choices) {
    if (!choices) {
        put_string(json, "choices", NULL);
        return;
    }
    begin(json, "choices", '[');
    for (size_t len; *choices; choices += len + (choices[len] == '|')) {
        len = strcspn(choices, "|");
        tk_put_text(json, choices, len);
    }
    tk_put_end(json, ']');
}

static void put_options(struct tk_json_out *json, const char *key, const struct tk_option_info *options, size_t count) {
    begin(json, key, '[');
    for (const struct tk_option_info *option = options; option < options + count; option++) {
        tk_put_begin(json, '{');
        put_string(json, "key", option->key);
        put_string(json, "label", option->label);
        put_string(json, "help", option->help);
        put_choices(json, option->choices);
        put_string(json, "fallback", option->fallback);
        tk_put_end(json, '}');
    }
    tk_put_end(json, ']');
}

static void put_format(struct tk_json_out *json, const struct tk_format_info *format) {
    tk_put_begin(json, '{');
    put_string(json, "name", format->name);
    put_string(json, "title", format->title);
    put_string(json, "pieces", format->pieces);
    put_bool(json, "text", format->is_text);
    put_bool(json, "cores", format->joins_cores);
    put_bool(json, "outlined", format->is_outlined);
    put_bool(json, "original", format->has_vendor_dump);
    put_options(json, "options", format->options, format->option_count);
    tk_put_end(json, '}');
}

static tk_status ended(struct tk_json_out *json) { return tk_out_flush(&json->out) ? TK_OK : TK_SINK_REFUSED; }

tk_status tk_catalogue_json(tk_write_fn write, void *ctx) {
    struct tk_json_out json = { .comma = false };
    size_t count;
    const struct tk_option_info *common = tk_common_options(&count);
    tk_out_init(&json.out, write, ctx);
    tk_put_begin(&json, '{');
    put_options(&json, "common", common, count);
    begin(&json, "formats", '[');
    for (size_t i = 0; i < tk_format_count(); i++) put_format(&json, tk_format_at(i));
    tk_put_end(&json, ']');
    tk_put_end(&json, '}');
    return ended(&json);
}

// ---- Inputs ----

static void put_member(struct tk_json_out *json, const struct tk_conv_source *source, int32_t number) {
    struct tk_member member;
    if (!tk_conv_member(source, number, &member)) {
        put_string(json, "member", NULL);
        return;
    }
    begin(json, "member", '{');
    put_count(json, "number", (uint32_t)number);
    put_string(json, "path", member.path);
    put_count(json, "offset", member.offset);
    put_count(json, "packed", member.packed);
    put_bool(json, "deflated", member.state == TK_MEMBER_DEFLATED);
    put_string(json, "reason", tk_member_reason(member.state));
    put_string(json, "problem", tk_conv_archive_problem(source));
    tk_put_end(json, '}');
}

static void put_probe(struct tk_json_out *json, const struct tk_probe *probe) {
    static const char *const contents[] = { "", "trace", "symbols", "times", "other" }; // in the order of tk_content
    const struct tk_decoder *decoder = probe->format ? tk_decoder_named(probe->format) : NULL;
    begin(json, "probe", '{');
    put_string(json, "format", probe->format);
    put_string(json, "title", decoder ? decoder->info->title : "");
    put_count(json, "confidence", probe->confidence);
    put_string(json, "mode", probe->mode);
    put_string(json, "reason", probe->reason);
    put_count(json, "looked", probe->looked);
    if (probe->is_dump) put_count(json, "from", probe->from);
    put_count(json, "frames", probe->frames);
    put_count(json, "valid", probe->valid);
    put_count(json, "textBytes", probe->text_bytes);
    put_bool(json, "namesTick", probe->names_tick);
    tk_put_key(json, "tickNs");
    tk_put_digits(json, probe->tick_ns);
    put_bool(json, "hasEvents", probe->has_events);
    put_bool(json, "takesTimes", decoder && decoder->info->takes_times);
    put_bool(json, "goesOn", tk_probe_can_continue(probe));
    begin(json, "cores", '[');
    for (unsigned core = 0; core < TK_MAX_CORES; core++)
        if (probe->cores_mask >> core & 1) tk_put_u64(json, core);
    tk_put_end(json, ']');
    put_string(json, "content", contents[probe->content]);
    tk_put_end(json, '}');
}

static bool is_same_format(const struct tk_plan_input *a, const struct tk_plan_input *b) {
    return a->out_format && b->out_format && !strcmp(a->out_format, b->out_format);
}

// Lists the recordings that the user may assign an input to, and why a recording of its format is not one of them.
static void put_partners(struct tk_json_out *json, const struct tk_conversion *conversion, uint32_t index) {
    const struct tk_plan_input *plan = &conversion->plan[index];
    const char *apart = "";
    begin(json, "partners", '[');
    for (uint32_t i = 0; i < conversion->input_count; i++) {
        const struct tk_plan_input *other = &conversion->plan[i];
        if (i == index || other->out_role != TK_ROLE_RECORDING) continue;
        const char *conflict = tk_plan_conflict(plan, other);
        if (!conflict) tk_put_u64(json, i);
        else if (plan->out_role == TK_ROLE_RECORDING && is_same_format(plan, other)) apart = conflict;
    }
    tk_put_end(json, ']');
    put_string(json, "apart", apart);
}

static void put_plan(struct tk_json_out *json, const struct tk_conversion *conversion, uint32_t index) {
    static const char *const roles[] = { "recording", "names", "symbols", "times", "none" }; // in the order of tk_role
    const struct tk_plan_input *plan = &conversion->plan[index];
    begin(json, "plan", '{');
    put_string(json, "role", roles[plan->out_role]);
    put_string(json, "format", plan->out_format);
    put_known(json, "group", plan->out_group != TK_NO_GROUP, plan->out_group);
    put_known(json, "core", plan->out_core >= 0, (uint32_t)plan->out_core);
    put_count(json, "order", plan->out_order);
    begin(json, "serves", '[');
    for (uint32_t group = 0; group < conversion->groups; group++)
        if (tk_plan_serves(conversion->plan, conversion->input_count, index, group)) tk_put_u64(json, group);
    tk_put_end(json, ']');
    put_partners(json, conversion, index);
    put_string(json, "reason", plan->out_reason);
    tk_put_end(json, '}');
}

static void put_input(struct tk_json_out *json, const struct tk_conversion *conversion, uint32_t index) {
    static const char *const encodings[] = { "binary", "hex", "base64", "json" }; // in the order of tk_encoding_kind
    const struct tk_conv_input *input = &conversion->inputs[index];
    tk_put_begin(json, '{');
    put_count(json, "source", input->source);
    put_member(json, &conversion->sources[input->source], input->member);
    put_count(json, "block", input->block);
    put_string(json, "name", input->name);
    put_string(json, "encoding", encodings[input->encoding]);
    put_bool(json, "gzip", input->is_gzip);
    put_string(json, "encodingReason", input->encoding_reason);
    put_count(json, "bytes", input->size == UINT64_MAX ? input->probe.looked : input->size);
    put_string(json, "cut", input->damage[0] ? input->damage : NULL);
    put_known(json, "core", input->named_core >= 0, (uint32_t)input->named_core);
    put_probe(json, &input->probe);
    put_plan(json, conversion, index);
    tk_put_end(json, '}');
}

tk_status tk_conversion_inputs_json(const tk_conversion *conversion, tk_write_fn write, void *ctx) {
    struct tk_json_out json = { .comma = false };
    tk_out_init(&json.out, write, ctx);
    tk_put_begin(&json, '[');
    for (uint32_t i = 0; i < conversion->input_count; i++) put_input(&json, conversion, i);
    tk_put_end(&json, ']');
    return ended(&json);
}
