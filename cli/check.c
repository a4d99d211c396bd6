// SPDX-License-Identifier: MIT
//
// What the options say, taken together: names that exist, times that can be read, nothing that contradicts.
#include "message.h"
#include "options.h"
#include "tonkopf.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

// ---- --fail-on -----------------------------------------------------------------------------------

static bool is_trouble(const char *word) {
    for (size_t i = 0; tk_fail_on_word(i); i++) {
        if (strcmp(tk_fail_on_word(i), word) == 0) return true;
    }
    return false;
}

// Number of characters to insert, remove or change, of names up to NAME_LEN bytes; the case of letters does not count.
static size_t distance(const char *a, const char *b) {
    enum { NAME_LEN = 63 };
    size_t row[NAME_LEN + 1], a_len = strlen(a), b_len = strlen(b);
    if (a_len > NAME_LEN || b_len > NAME_LEN) return SIZE_MAX;
    for (size_t j = 0; j <= b_len; j++) row[j] = j;
    for (size_t i = 0; i < a_len; i++) {
        size_t diagonal = row[0];
        row[0]++;
        for (size_t j = 0; j < b_len; j++) {
            size_t change = diagonal + (toupper((unsigned char)a[i]) != toupper((unsigned char)b[j]));
            size_t other = (row[j] < row[j + 1] ? row[j] : row[j + 1]) + 1;
            diagonal = row[j + 1];
            row[j + 1] = change < other ? change : other;
        }
    }
    return row[b_len];
}

// The nearest names, nearest first.
static void report_unknown_trouble(const char *word) {
    enum { SUGGESTIONS = 3 };
    const char *names[SUGGESTIONS + 1];
    size_t distances[SUGGESTIONS + 1], count = 0, far = strlen(word) / 3 + 1;
    for (size_t i = 0; tk_fail_on_word(i); i++) {
        const char *name = tk_fail_on_word(i);
        size_t at = count, value = distance(word, name);
        if (value > far) continue;
        for (; at && distances[at - 1] > value; at--) names[at] = names[at - 1], distances[at] = distances[at - 1];
        names[at] = name;
        distances[at] = value;
        if (count < SUGGESTIONS) count++;
    }
    if (!count)
        message_error("--fail-on: there is no \"%s\"; use drops, damage, loss, notice, restarts, any, or the name of a "
                      "problem (`tonkopf info --schema` lists them)",
                      word);
    else
        message_error("--fail-on: there is no \"%s\"; the nearest names are %s%s%s%s%s", word, names[0],
                      count > 1 ? ", " : "", count > 1 ? names[1] : "", count > 2 ? ", " : "",
                      count > 2 ? names[2] : "");
}

static bool knows_troubles(const struct settings *settings) {
    for (size_t i = 0; i < settings->fail_on.count; i++) {
        if (is_trouble(settings->fail_on.items[i])) continue;
        report_unknown_trouble(settings->fail_on.items[i]);
        return false;
    }
    return true;
}

// ---- --expect ------------------------------------------------------------------------------------

// Reports every wrong rule before the first input is read.
static bool knows_rules(const struct settings *settings) {
    char text[TK_EXPECT_TEXT];
    bool ok = true;
    for (size_t i = 0; i < settings->expect.count; i++) {
        if (tk_expect_check(settings->expect.items[i], text)) continue;
        message_error("--expect %s", text);
        ok = false;
    }
    return ok;
}

// ---- Times ---------------------------------------------------------------------------------------

// "1.5s", "200ms", "30us", "20.5ns", "700ps", "5ticks", or a whole number of nanoseconds, exactly; INT64_MAX: more than
// that.
static bool parse_time(const char *text, struct time_limit *out) {
    static const struct {
        const char *unit;
        uint64_t fs;
    } units[] = { { "", 1000000 },
                  { "s", 1000000000000000 },
                  { "ms", 1000000000000 },
                  { "us", 1000000000 },
                  { "ns", 1000000 },
                  { "ps", 1000 },
                  { "fs", 1 },
                  { "ticks", 0 },
                  { "tick", 0 },
                  { "records", 0 },
                  { "record", 0 } };
    enum { FS_PER_NS = 1000000 };
    size_t whole_len = strspn(text, "0123456789");
    const char *fraction = text[whole_len] == '.' ? text + whole_len + 1 : "";
    size_t fraction_len = strspn(fraction, "0123456789");
    const char *unit = *fraction ? fraction + fraction_len : text + whole_len;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (whole_len == 0 || strcmp(unit, units[i].unit) != 0) continue;
        uint64_t whole = strtoull(text, NULL, 10), scale = units[i].fs, part = 0; // at most UINT64_MAX
        if (*fraction && (!*unit || fraction_len == 0 || !scale)) return false;
        for (size_t digit = 0; digit < fraction_len && scale > 1; digit++) {
            uint64_t own = scale /= 10;
            part += (uint64_t)(fraction[digit] - '0') * own;
        }
        uint64_t ns_scale = units[i].fs / FS_PER_NS, per_ns = ns_scale || !units[i].fs ? 1 : FS_PER_NS / units[i].fs;
        *out = (struct time_limit){ .number = INT64_MAX,
                                    .of = units[i].fs      ? NULL
                                          : unit[0] == 't' ? "ticks"
                                                           : "records" };
        if (ns_scale && whole > INT64_MAX / ns_scale - 1) return true;
        if (whole / per_ns >= INT64_MAX) return true;
        out->number = whole / per_ns * (ns_scale ? ns_scale : 1) + part / FS_PER_NS;
        out->fs = (uint32_t)(whole % per_ns * units[i].fs + part % FS_PER_NS);
        return true;
    }
    return false;
}

static bool read_time(const char *option, const char *text, struct time_limit *out) {
    if (!text) return true;
    if (!parse_time(text, out))
        message_error("%s takes a time such as 1.5s, 20ms, 300us or 5000 (nanoseconds), or a count such as 700ticks or "
                      "90records, not \"%s\"",
                      option, text);
    else if (out->number == INT64_MAX) message_error("%s %s is beyond what a trace can hold", option, text);
    else return true;
    return false;
}

static bool is_before(const struct time_limit *a, const struct time_limit *b) {
    return a->number < b->number || (a->number == b->number && a->fs < b->fs);
}

static bool read_range(struct settings *settings) {
    struct time_limit *from = &settings->from_limit, *to = &settings->to_limit;
    to->number = INT64_MAX;
    if (!read_time("--from", settings->from, from) || !read_time("--to", settings->to, to)) return false;
    bool is_mixed = settings->from && settings->to && (from->of != NULL) != (to->of != NULL);
    if (!is_mixed && is_before(from, to)) return true;
    if (is_mixed) message_error("--from %s and --to %s have different units", settings->from, settings->to);
    else if (!settings->from) message_error("--to %s leaves no time: it begins at 0", settings->to);
    else message_error("--from %s is not before --to %s", settings->from, settings->to);
    return false;
}

// ---- Contradictions ------------------------------------------------------------------------------

// The key that a text begins with, up to "=".
static bool has_key(const char *setting, const char *key) {
    size_t len = strlen(key);
    return strncmp(setting, key, len) == 0 && setting[len] == '=';
}

static bool sets(const struct settings *settings, const char *key) {
    for (size_t i = 0; i < settings->set.count; i++) {
        if (has_key(settings->set.items[i], key)) return true;
    }
    return false;
}

static bool is_set_twice(const struct settings *settings) {
    for (size_t i = 0; i < settings->set.count; i++) {
        const char *setting = settings->set.items[i];
        size_t len = strcspn(setting, "=");
        for (size_t j = 0; setting[len] && j < i; j++) {
            if (strncmp(settings->set.items[j], setting, len + 1) != 0) continue;
            message_error("--set %s and --set %s contradict each other", settings->set.items[j], setting);
            return true;
        }
    }
    return false;
}

// What --set says beside an option for the same thing.
static bool contradicts_option(const struct settings *settings) {
    const struct {
        const char *key, *option;
        bool given;
    } pairs[] = {
        { "mode", "mode", settings->mode != NULL },
        { "format", "type", settings->type != NULL },
        { "signals", "signals", settings->signals != NULL },
        { "tick-ns", "tick-ns", settings->tick_ns > 0 },
        { "from-ns", "from", settings->from != NULL },
        { "to-ns", "to", settings->to != NULL },
        { "raw-events", "raw-events", settings->raw_events },
        { "wall-clock-ns", "wall-clock-ns", settings->wall_clock_ns != NULL },
        { "rate-hz", "tick-ns", settings->tick_ns > 0 || sets(settings, "tick-ns") },
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        if (!pairs[i].given || !sets(settings, pairs[i].key)) continue;
        message_error("--set %s= and --%s contradict each other", pairs[i].key, pairs[i].option);
        return true;
    }
    return false;
}

static bool are_both_given(bool a, const char *name_a, bool b, const char *name_b) {
    if (a && b) message_error("--%s and --%s contradict each other", name_a, name_b);
    return a && b;
}

// A key without a value would change nothing without a word.
static bool has_empty_setting(const struct settings *settings) {
    for (size_t i = 0; i < settings->set.count; i++) {
        const char *setting = settings->set.items[i], *equals = strchr(setting, '=');
        if (equals && equals > setting && equals[1]) continue;
        message_error("--set takes KEY=VALUE, not \"%s\"", setting);
        return true;
    }
    return false;
}

bool options_check(struct settings *settings) {
    if (are_both_given(settings->quiet, "quiet", settings->verbose > 0, "verbose") ||
        are_both_given(settings->hand_over, "hand-over", settings->port > 0, "port"))
        return false;
    if (are_both_given(settings->json, "json", settings->markdown, "markdown") ||
        are_both_given(settings->json, "json", settings->csv != NULL, "csv") ||
        are_both_given(settings->markdown, "markdown", settings->csv != NULL, "csv"))
        return false;
    if (has_empty_setting(settings) || is_set_twice(settings) || contradicts_option(settings)) return false;
    return knows_troubles(settings) && read_range(settings) && knows_rules(settings);
}
