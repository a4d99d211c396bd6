// SPDX-License-Identifier: MIT
//
// Finds options that contradict each other.
#include "message.h"
#include "options.h"

#include <string.h>

static bool is_pair(const struct setting *setting) { return !*setting->option->key; }

static bool is_rate(const struct setting *setting) {
    return strcmp(setting->key, "rate-hz") == 0 || strcmp(setting->key, "tick-ns") == 0 ||
           strcmp(setting->key, "clock-hz") == 0;
}

// Returns true if two settings contradict each other: both set the same key, at least one of them through --set. An
// option may be repeated.
static bool contradict(const struct setting *a, const struct setting *b) {
    bool is_same = strcmp(a->key, b->key) == 0 || (is_rate(a) && is_rate(b));
    return is_same && (is_pair(a) || is_pair(b));
}

static bool has_contradiction(const struct settings *settings) {
    for (size_t i = 0; i < settings->chosen_count; i++) {
        for (size_t j = 0; j < settings->chosen_count; j++) {
            const struct setting *a = &settings->chosen[i], *b = &settings->chosen[j];
            if (i == j || !is_pair(a) || !contradict(a, b)) continue;
            message_error("--set %s= and --%s%s contradict each other", a->key, b->option->name,
                          is_pair(b) ? b->key : "");
            return true;
        }
    }
    return false;
}

bool options_check(const struct settings *settings) {
    const struct {
        const char *name, *other;
        bool are_given;
    } pairs[] = {
        { "quiet", "verbose", settings->quiet && settings->verbose > 0 },
        { "hand-over", "port", settings->hand_over && settings->port > 0 },
        { "json", "markdown", settings->json && settings->markdown },
        { "json", "csv", settings->json && settings->csv },
        { "json", "github", settings->json && settings->github && !settings->output },
        { "markdown", "github", settings->markdown && settings->github && !settings->output },
        { "markdown", "csv", settings->markdown && settings->csv },
        { "why", "csv", settings->why && settings->csv },
        { "why", "markdown", settings->why && settings->markdown },
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        if (!pairs[i].are_given) continue;
        message_error("--%s and --%s contradict each other", pairs[i].name, pairs[i].other);
        return false;
    }
    return !has_contradiction(settings);
}
