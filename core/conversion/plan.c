// SPDX-License-Identifier: MIT
//
// Assigns roles to the inputs and groups the recordings, by tk_plan with the overrides of the user.
#include <string.h>

#include "conversion.h"

static const char *base_name(const char *path) {
    const char *name = path;
    for (const char *at = path; *at; at++)
        if (*at == '/' || *at == '\\') name = at + 1;
    return name;
}

static const char *plan_name(const struct tk_conversion *conversion, const struct tk_conv_input *input) {
    const struct tk_conv_source *source = &conversion->sources[input->source];
    struct tk_member member;
    return tk_conv_member(source, input->member, &member) ? member.path : base_name(source->info.name);
}

static int32_t role_of(const struct tk_source_info *info) {
    if (info->role != TK_PLAN_AUTO) return info->role;
    // Only the first bytes of a live line were probed, and events may follow later.
    return info->is_side ? TK_ROLE_NAMES : info->is_live ? TK_ROLE_RECORDING : TK_PLAN_AUTO;
}

static const char *chosen_format(const struct tk_conversion *conversion) {
    const char *format = tk_conv_setting(conversion, "format");
    return format && strcmp(format, "auto") ? format : NULL;
}

static void assign(struct tk_conversion *conversion) {
    tk_plan(conversion->plan, conversion->input_count);
    conversion->groups = 0;
    for (uint32_t i = 0; i < conversion->input_count; i++) {
        uint32_t group = conversion->plan[i].out_group;
        if (group != TK_NO_GROUP && conversion->groups <= group) conversion->groups = group + 1;
    }
}

bool tk_conv_carries(const struct tk_conv_input *outer, const struct tk_conv_input *inner) {
    bool is_same = outer->source == inner->source && outer->member == inner->member &&
                   inner->carried_count == outer->carried_count + 1 &&
                   inner->carried[outer->carried_count].kind == TK_CARRIER_ITM;
    for (uint32_t i = 0; is_same && i < outer->carried_count; i++)
        is_same = outer->carried[i].number == inner->carried[i].number;
    return is_same;
}

// Returns 1 + the index of the only recording that a stream of packets carries, if both can share a trace: their rates
// must be known, and a dump has one format. 0: none.
static uint32_t carried_by(const struct tk_conversion *conversion, uint32_t number) {
    bool is_trace = conversion->output == TK_OUTPUT_TRACE || conversion->output == TK_OUTPUT_REPORT,
         has_rate = tk_conv_setting(conversion, "clock-hz") || tk_conv_setting(conversion, "tick-ns");
    uint32_t found = 0, count = 0;
    for (uint32_t i = 0; i < conversion->input_count && is_trace && has_rate; i++) {
        if (!tk_conv_carries(&conversion->inputs[number], &conversion->inputs[i])) continue;
        count++;
        found = i + 1;
    }
    return count == 1 && conversion->inputs[found - 1].probe.names_tick ? found : 0;
}

void tk_plan_conversion(struct tk_conversion *conversion) {
    uint32_t count = conversion->input_count;
    conversion->plan = tk_alloc_zero(&conversion->alloc, (count + 1) * sizeof *conversion->plan);
    if (!conversion->plan) return;
    for (uint32_t i = 0; i < count; i++) {
        const struct tk_conv_input *input = &conversion->inputs[i];
        const struct tk_source_info *info = &conversion->sources[input->source].info;
        conversion->plan[i] = (struct tk_plan_input){ .name = plan_name(conversion, input),
                                                      .probe = &input->probe,
                                                      .container = input->container,
                                                      .found_core = input->named_core,
                                                      .role = role_of(info),
                                                      .core = info->core,
                                                      .with = TK_PLAN_AUTO,
                                                      .carries = carried_by(conversion, i),
                                                      .format = chosen_format(conversion) };
    }
    assign(conversion);
}

void tk_conversion_override(tk_conversion *conversion, uint32_t index, int32_t role, int32_t core, int32_t with,
                            const char *format) {
    if (conversion->phase != TK_PHASE_PLAN || index >= conversion->input_count) return;
    const struct tk_source_info *info = &conversion->sources[conversion->inputs[index].source].info;
    struct tk_plan_input *plan = &conversion->plan[index];
    plan->role = role != TK_PLAN_AUTO ? role : role_of(info);
    plan->core = core != TK_PLAN_AUTO ? core : info->core;
    plan->with = with;
    plan->format = format ? tk_conv_copy(conversion, format) : chosen_format(conversion);
    assign(conversion);
}

// ---- Messages ----

static void report_unknown(struct tk_conversion *conversion, const struct tk_conv_input *input) {
    static const char advice[] = " If it is a recording all the same, choose its format.";
    const struct tk_probe *probe = &input->probe;
    const char *reason = probe->reason[0] ? probe->reason : input->encoding_reason,
               *stop = reason[0] && reason[strlen(reason) - 1] == '.' ? "" : ".";
    bool may_be_one = probe->looked && (probe->content == TK_CONTENT_UNKNOWN || probe->content == TK_CONTENT_OTHER);
    if (input->member >= 0) // an archive may contain any other files
        tk_conv_message(conversion, TK_MESSAGE_DETAIL, TK_EXIT_FINE, input->source, input->name, "left out, ",
                        probe->reason[0] ? probe->reason : "no recording", NULL);
    else
        tk_conv_message(conversion, TK_MESSAGE_ERROR, TK_EXIT_INPUT, input->source, input->name,
                        "not recognised: ", reason, stop, may_be_one ? advice : "", NULL);
}

static bool is_joined(const struct tk_conversion *conversion, uint32_t group) {
    uint32_t members = 0;
    for (uint32_t i = 0; i < conversion->input_count; i++) members += conversion->plan[i].out_group == group;
    return members > 1;
}

static void report_input(struct tk_conversion *conversion, uint32_t index) {
    const struct tk_conv_input *input = &conversion->inputs[index];
    const struct tk_plan_input *plan = &conversion->plan[index];
    if (input->is_unreadable) return; // reported when the archive was listed
    bool is_side = conversion->sources[input->source].info.is_side, has_recordings = conversion->groups > 0;
    tk_content content = input->probe.content;
    bool is_known =
        plan->out_format || ((content == TK_CONTENT_SYMBOLS || content == TK_CONTENT_TIMES) && has_recordings);
    if (!is_side)
        tk_conv_message(conversion, TK_MESSAGE_DETAIL, TK_EXIT_FINE, input->source, input->name, input->encoding_reason,
                        "; ", input->probe.reason, NULL);
    bool is_unused = plan->out_role == TK_ROLE_NONE && has_recordings;
    bool is_alone = plan->out_role == TK_ROLE_RECORDING && plan->core >= 0 && conversion->groups > 1 &&
                    !is_joined(conversion, plan->out_group);
    bool is_help = plan->out_role != TK_ROLE_RECORDING && plan->out_role != TK_ROLE_NONE && !is_side;
    if (plan->out_role == TK_ROLE_NONE && !is_known && !is_side) report_unknown(conversion, input);
    else if (is_unused || is_alone || is_help)
        tk_conv_message(conversion, is_help ? TK_MESSAGE_DETAIL : TK_MESSAGE_WARNING, TK_EXIT_FINE, input->source,
                        input->name, is_unused ? "not used: " : "", plan->out_reason, NULL);
}

// ---- Options of formats ----

bool tk_unused_option(const char *key, const char *value, const char *const *formats, size_t count,
                      char out_text[TK_UNUSED_OPTION_TEXT]) {
    bool is_first = true;
    if (!strcmp(key, "mode") && !strcmp(value, "auto")) return false; // this is the default
    for (size_t i = 0; i < count; i++)
        if (tk_format_takes(formats[i], key)) return false;
    struct tk_text text = tk_text_in(out_text, TK_UNUSED_OPTION_TEXT);
    tk_text_add(&text, "the option ");
    tk_text_add(&text, key);
    tk_text_char(&text, '=');
    tk_text_add(&text, value);
    tk_text_add(&text, " is not used: it is for recordings of another format (");
    for (size_t i = 0; i < tk_format_count(); i++) {
        if (!tk_format_takes(tk_format_at(i)->name, key)) continue;
        if (!is_first) tk_text_add(&text, ", ");
        tk_text_add(&text, tk_format_at(i)->name);
        is_first = false;
    }
    tk_text_add(&text, ")");
    return true;
}

// Warns about options of formats that no recording here has: a typing error, or one command line for several kinds of
// recordings.
static void report_unused(struct tk_conversion *conversion) {
    const char *formats[TK_MAX_INPUTS];
    char text[TK_UNUSED_OPTION_TEXT];
    size_t count = 0;
    for (uint32_t i = 0; i < conversion->input_count; i++) {
        const struct tk_plan_input *plan = &conversion->plan[i];
        bool is_known = plan->out_group == TK_NO_GROUP;
        for (size_t n = 0; n < count && !is_known; n++) is_known = formats[n] == plan->out_format;
        if (!is_known && count < TK_MAX_INPUTS) formats[count++] = plan->out_format;
    }
    for (const struct tk_conv_setting *setting = conversion->settings; setting; setting = setting->next)
        if (tk_unused_option(setting->key, setting->value, formats, count, text))
            tk_conv_message(conversion, TK_MESSAGE_WARNING, TK_EXIT_FINE, 0, NULL, text, NULL);
}

void tk_plan_report(struct tk_conversion *conversion) {
    for (uint32_t i = 0; i < conversion->input_count; i++) report_input(conversion, i);
    if (!conversion->groups) {
        if (conversion->exit_code < TK_EXIT_INPUT)
            tk_conv_message(conversion, TK_MESSAGE_ERROR, TK_EXIT_INPUT, 0, NULL,
                            "none of the files there is a recording; the detailed messages contain the reasons", NULL);
        return;
    }
    if (!tk_conv_setting(conversion, "unused")) report_unused(conversion);
}
