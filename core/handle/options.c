// SPDX-License-Identifier: MIT
//
// Options of a conversion, and tk_set_option.
#include <string.h>

#include "base/time_units.h"
#include "handle.h"

enum { FS_DIGITS = -6 }; // power of ten of a femtosecond, in nanoseconds

static const struct tk_option_info common[] = {
#define TK_OPTION(name, key, title, help, choices, fallback) { key, title, help, choices, fallback, 0 },
#include "options.def"
#undef TK_OPTION
};

const struct tk_option_info *tk_common_options(size_t *out_count) {
    *out_count = TK_OPTION_COMMON;
    return common;
}

size_t tk_format_count(void) { return tk_formats_len; }

const struct tk_format_info *tk_format_at(size_t index) {
    return index < tk_formats_len ? tk_formats[index]->info : NULL;
}

int tk_choice(const char *choices, const char *value) {
    size_t len = strlen(value), word;
    int index = 0;
    for (const char *at = choices; at; at = at[word] ? at + word + 1 : NULL, index++) {
        for (word = 0; at[word] && at[word] != '|';) word++;
        if (word == len && !memcmp(at, value, len)) return index;
    }
    return -1;
}

static bool parse_u64(const char *text, uint64_t max, uint64_t *out_value) {
    uint64_t value = 0;
    if (!*text) return false;
    for (; *text; text++) {
        if (*text < '0' || *text > '9' || value > (max - (uint64_t)(*text - '0')) / 10) return false;
        value = value * 10 + (uint64_t)(*text - '0');
    }
    *out_value = value;
    return true;
}

static tk_status refuse(struct tk *handle, const char *key, const char *what) {
    size_t len = 0;
    handle->error[0] = 0;
    strncat(handle->error, key, 60);
    len = strlen(handle->error);
    strncat(handle->error, what, sizeof handle->error - 1 - len);
    return TK_MISUSE;
}

const struct tk_decoder *tk_decoder_named(const char *name) {
    for (size_t i = 0; i < tk_formats_len; i++)
        if (!strcmp(tk_formats[i]->info->name, name)) return tk_formats[i]->decoder;
    return NULL;
}

static const char too_late[] = ": set options before the first byte";

// Returns true for options that may be set after the handle has begun: those of a time range whose trace has not begun.
static bool is_late(enum tk_option option) {
    return option == TK_OPTION_FROM || option == TK_OPTION_TO || option == TK_OPTION_RANGE_TICK;
}

// Reads the unit of a limit. *out_power: power of ten of the unit in nanoseconds.
static bool read_limit_unit(const char *text, uint8_t *out_unit, int *out_power) {
    static const struct {
        const char *name;
        enum tk_limit_unit unit;
    } others[] = { { "", TK_LIMIT_NS },           { "tick", TK_LIMIT_COUNTS },    { "ticks", TK_LIMIT_COUNTS },
                   { "record", TK_LIMIT_COUNTS }, { "records", TK_LIMIT_COUNTS }, { "trace-ns", TK_LIMIT_TRACE_NS } };
    int power = tk_time_unit_power(text, strlen(text));
    *out_power = power < 0 ? 0 : power + FS_DIGITS;
    *out_unit = TK_LIMIT_NS;
    if (power >= 0) return true;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        *out_unit = (uint8_t)others[i].unit;
        if (!strcmp(text, others[i].name)) return true;
    }
    return false;
}

// Parses a limit. "20", "20.5", "1.5s", "700ps": a time, as a rule in nanoseconds; "7 ticks", "7records": counts;
// "20 trace-ns": on the clock of the trace. Returns NULL, or what is wrong.
static const char *parse_limit(const char *text, struct tk_limit *out) {
    static const char digits[] = "0123456789";
    size_t whole = strspn(text, digits), point = text[whole] == '.',
           part = point ? strspn(text + whole + 1, digits) : 0;
    const char *unit = text + whole + point + part;
    int unit_power;
    *out = (struct tk_limit){ 0 };
    unit += *unit == ' ';
    bool is_valid = read_limit_unit(unit, &out->unit, &unit_power);
    if (!is_valid || !whole || (point && (!part || out->unit != TK_LIMIT_NS)))
        return ": a time such as 1.5s, 20ms, 300us or 5000 (nanoseconds), or a count such as 700ticks or 90records, is "
               "needed";
    for (int power = (int)whole - 1 + unit_power; power >= FS_DIGITS; power--) {
        text += *text == '.';
        uint32_t digit = *text >= '0' && *text <= '9' ? (uint32_t)(*text++ - '0') : 0;
        if (power < 0) out->fs = out->fs * 10 + digit;
        else if (out->number > (INT64_MAX - (uint64_t)digit) / 10) return ": this is beyond what a trace can hold";
        else out->number = out->number * 10 + digit;
    }
    return NULL;
}

uint64_t tk_saturated_product(uint64_t a, uint64_t b) { return a && b > INT64_MAX / a ? INT64_MAX : a * b; }

// Converts a limit to nanoseconds of the trace. Rounds the start of a range up and its end down.
static uint64_t trace_ns_of(const struct tk *handle, const struct tk_limit *limit, bool is_first) {
    enum { FS_PER_NS = 1000000 };
    if (limit->unit == TK_LIMIT_TRACE_NS) return limit->number;
    if (limit->unit == TK_LIMIT_COUNTS) return tk_saturated_product(limit->number, handle->limits_tick_ns);
    uint64_t whole = tk_saturated_product(limit->number, handle->limits_stretch),
             part = (uint64_t)limit->fs * handle->limits_stretch,
             more = part / FS_PER_NS + (is_first && part % FS_PER_NS ? 1 : 0);
    return whole > INT64_MAX - more ? INT64_MAX : whole + more;
}

// Converts all limits. Sets those of the figures; the caller sets those of the trace.
static void convert_limits(struct tk *handle, uint64_t ns[TK_LIMITS]) {
    handle->limits_stretch = tk_time_stretch(handle);
    handle->limits_tick_ns = tk_current_tick_ns(handle);
    for (unsigned i = 0; i < TK_LIMITS; i++)
        ns[i] = trace_ns_of(handle, &handle->limits[i], i == TK_LIMIT_FROM || i == TK_LIMIT_FIGURES_FROM);
    handle->figures.from_ns = ns[TK_LIMIT_FIGURES_FROM];
    handle->figures.to_ns = ns[TK_LIMIT_FIGURES_TO];
}

static bool apply_limits(struct tk *handle) {
    uint64_t ns[TK_LIMITS];
    convert_limits(handle, ns);
    return !handle->has_range || tk_time_range_set(&handle->range, ns[TK_LIMIT_FROM], ns[TK_LIMIT_TO]);
}

void tk_limits_update(struct tk *handle) {
    uint64_t ns[TK_LIMITS];
    if (handle->limits_stretch == tk_time_stretch(handle) && handle->limits_tick_ns == tk_current_tick_ns(handle))
        return;
    convert_limits(handle, ns);
    if (handle->has_range) tk_time_range_rescale(&handle->range, ns[TK_LIMIT_FROM], ns[TK_LIMIT_TO]);
}

static bool is_before(const struct tk_limit *a, const struct tk_limit *b) {
    return a->number < b->number || (a->number == b->number && a->fs < b->fs);
}

// Sets a limit of the trace or of the figures. Limits of the trace may change until it has begun.
static tk_status set_limit(struct tk *handle, enum tk_option option, unsigned index, const char *value) {
    struct tk_limit limit, before = handle->limits[index];
    bool is_of_trace = index <= TK_LIMIT_TO, had_range = handle->has_range;
    const char *wrong = parse_limit(value, &limit);
    if (wrong) return refuse(handle, common[option].key, wrong);
    if (is_of_trace && handle->started && (!handle->has_range || handle->range_tail.is_complete))
        return refuse(handle, common[option].key, too_late);
    handle->limits[index] = limit;
    const struct tk_limit *from = &handle->limits[index & ~1u], *to = &handle->limits[index | 1];
    bool may_be_late = handle->started && option == TK_OPTION_FROM; // the host moves the range; it sets the end next
    bool is_wrong = is_before(to, from) && !may_be_late && from->unit == to->unit;
    bool is_mixed = from->unit != to->unit && from->unit != TK_LIMIT_TRACE_NS && to->unit != TK_LIMIT_TRACE_NS &&
                    (from->number || from->fs) && to->number != INT64_MAX;
    handle->range.tick_ns = tk_current_tick_ns;
    handle->range.tick_ctx = handle;
    handle->has_range |= is_of_trace;
    if (is_wrong || is_mixed || !apply_limits(handle)) {
        handle->limits[index] = before;
        handle->has_range = had_range;
        return is_wrong   ? refuse(handle, "from-ns", " is after to-ns")
               : is_mixed ? refuse(handle, "from-ns", " and to-ns have different units")
                          : refuse(handle, common[option].key, ": the trace has already passed this time");
    }
    if (!is_of_trace) handle->figures.is_set = true;
    handle->watched = handle->intercepts = true;
    return TK_OK;
}

bool tk_parse_rate(const char *text, uint64_t *out_hz, uint64_t *out_divisor) {
    char hz[24] = "";
    size_t len = strcspn(text, "/");
    *out_divisor = 1;
    if (len >= sizeof hz) return false;
    memcpy(hz, text, len);
    return parse_u64(hz, INT64_MAX, out_hz) && *out_hz &&
           (!text[len] || (parse_u64(text + len + 1, UINT32_MAX, out_divisor) && *out_divisor));
}

static tk_status set_clock_rate(struct tk *handle, const char *value) {
    uint64_t hz, divisor;
    if (!tk_parse_rate(value, &hz, &divisor))
        return refuse(handle, "clock-hz", ": counts per second are needed, such as 168000000 or 72000000/7");
    tk_model_set_rate(&handle->model, hz, (uint32_t)divisor);
    handle->model.rate_is_given = handle->intercepts = true;
    handle->option_tick_ns = 1; // times become ns
    return TK_OK;
}

static tk_status set_common(struct tk *handle, enum tk_option option, const char *value) {
    uint64_t number = 0;
    switch (option) {
    case TK_OPTION_FORMAT:
        if (strcmp(value, "auto") && !tk_decoder_named(value)) return refuse(handle, value, ": no such format");
        handle->format = tk_decoder_named(value);
        break;
    case TK_OPTION_TICK:
        if (!parse_u64(value, INT64_MAX, &number) || !number)
            return refuse(handle, "tick-ns", ": a whole number of nanoseconds from 1 on is needed");
        handle->option_tick_ns = number;
        break;
    case TK_OPTION_CLOCK: return set_clock_rate(handle, value);
    case TK_OPTION_RANGE_TICK:
        if (!parse_u64(value, INT64_MAX, &number) || !number)
            return refuse(handle, "range-tick-ns", ": a whole number of nanoseconds from 1 on is needed");
        handle->range_tick_ns = number;
        break;
    case TK_OPTION_RAW:
        if (tk_choice("0|1", value) < 0) return refuse(handle, "raw-events", ": 0 or 1");
        handle->model.raw_events = value[0] == '1';
        break;
    case TK_OPTION_ANALYSIS:
        if (tk_choice("0|1", value) < 0) return refuse(handle, "analysis", ": 0 or 1");
        handle->has_no_analysis = value[0] == '0';
        break;
    case TK_OPTION_DEADLINE:
        if (!tk_deadlines_add(handle, value))
            return refuse(handle, "deadline", ": a task and a duration are needed, as in Motor 5ms");
        break;
    case TK_OPTION_WALL_CLOCK:
        if (!parse_u64(value, INT64_MAX, &number))
            return refuse(handle, "wall-clock-ns", ": nanoseconds since 1970 are needed");
        handle->wall_clock_ns = (int64_t)number;
        handle->has_wall_clock = true;
        break;
    case TK_OPTION_FROM: return set_limit(handle, option, TK_LIMIT_FROM, value);
    case TK_OPTION_TO: return set_limit(handle, option, TK_LIMIT_TO, value);
    case TK_OPTION_FIGURES_FROM: return set_limit(handle, option, TK_LIMIT_FIGURES_FROM, value);
    case TK_OPTION_FIGURES_TO: return set_limit(handle, option, TK_LIMIT_FIGURES_TO, value);
    default: return TK_MISUSE;
    }
    return TK_OK;
}

static const struct tk_option_info *option_of(const struct tk_decoder *decoder, const char *key) {
    for (size_t i = 0; i < decoder->info->option_count; i++)
        if (!strcmp(decoder->info->options[i].key, key)) return &decoder->info->options[i];
    return NULL;
}

static const struct tk_option_info *find_format_option(const char *key) {
    const struct tk_option_info *info = NULL;
    for (size_t i = 0; i < tk_formats_len && !info; i++) info = option_of(tk_formats[i]->decoder, key);
    return info;
}

bool tk_format_takes(const char *format, const char *key) {
    const struct tk_decoder *decoder = format ? tk_decoder_named(format) : NULL;
    return !format || !find_format_option(key) || (decoder && option_of(decoder, key));
}

void tk_options_report_unused(struct tk *handle) {
    for (uint32_t i = 0; handle->format && i < handle->format_option_count; i++)
        if (!option_of(handle->format, handle->format_options[i].key) &&
            !(handle->beside && option_of(handle->beside->beside_kind, handle->format_options[i].key)))
            tk_diag_count(&handle->diag, TK_DIAG_OPTION_UNUSED, NULL);
}

static tk_status set_format_option(struct tk *handle, const struct tk_option_info *info, const char *value) {
    uint64_t number = 0;
    uint32_t i = 0;
    if (info->max && (!parse_u64(value, info->max, &number) || !number))
        return refuse(handle, info->key, ": a whole number from 1 on, within the limit of this option, is needed");
    if (info->choices && tk_choice(info->choices, value) < 0) {
        refuse(handle, info->key, ": one of ");
        strncat(handle->error, info->choices, sizeof handle->error - 1 - strlen(handle->error));
        return TK_MISUSE;
    }
    while (i < handle->format_option_count && strcmp(handle->format_options[i].key, info->key)) i++;
    if (i == TK_FORMAT_OPTIONS) return TK_MISUSE;
    if (i == handle->format_option_count) handle->format_option_count++;
    handle->format_options[i].key = info->key;
    memcpy(handle->format_options[i].value, value, strlen(value) + 1);
    return TK_OK;
}

static tk_status refuse_unknown(struct tk *handle, const char *key) {
    struct tk_nearest nearest = { .word = key };
    for (size_t i = 0; i < sizeof common / sizeof *common; i++) tk_nearest_try(&nearest, common[i].key);
    for (size_t i = 0; i < tk_formats_len; i++) {
        const struct tk_format_info *info = tk_formats[i]->decoder->info;
        for (size_t j = 0; j < info->option_count; j++) tk_nearest_try(&nearest, info->options[j].key);
    }
    if (!nearest.name) return refuse(handle, key, ": no such option");
    refuse(handle, key, ": no such option; the nearest name is ");
    strncat(handle->error, nearest.name, sizeof handle->error - 1 - strlen(handle->error));
    return TK_MISUSE;
}

tk_status tk_set_option(tk *handle, const char *key, const char *value) {
    if (handle->status != TK_OK) return handle->status;
    if (strlen(value) >= TK_OPTION_LEN) return refuse(handle, key, ": the value is too long");
    for (size_t i = 0; i < sizeof common / sizeof *common; i++)
        if (!strcmp(common[i].key, key))
            return handle->started && !is_late((enum tk_option)i) ? refuse(handle, key, too_late)
                                                                  : set_common(handle, (enum tk_option)i, value);
    const struct tk_option_info *info = find_format_option(key);
    if (info && handle->started) return refuse(handle, key, too_late);
    return info ? set_format_option(handle, info, value) : refuse_unknown(handle, key);
}

const char *tk_handle_option(void *ctx, const char *key) {
    const struct tk *handle = ctx;
    for (uint32_t i = 0; i < handle->format_option_count; i++)
        if (!strcmp(handle->format_options[i].key, key)) return handle->format_options[i].value;
    return NULL;
}
