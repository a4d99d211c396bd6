// SPDX-License-Identifier: MIT
//
// Writes verdicts as JSON and as SARIF 2.1.0.
#include "check.h"

#include "../base/decimal.h"
#include "../base/out.h"

// ---- JSON --------------------------------------------------------------------------------------

static void put_member(struct tk_json_out *json, const char *key, const char *text) {
    tk_put_key(json, key);
    tk_put_string(json, *text ? text : NULL);
}

static void put_digits_member(struct tk_json_out *json, const char *key, bool is_known, uint64_t value) {
    tk_put_key(json, key);
    if (is_known) tk_put_digits(json, value);
    else tk_put_string(json, NULL);
}

static void put_label(struct tk_json_out *json, const struct tk_check *check, uint32_t rule) {
    static const struct tk_span none = { NULL, 0 };
    struct tk_span label = rule == TK_CHECK_NO_RULE ? none : check->rules[rule].rule.label;
    tk_put_key(json, "label");
    if (label.len) tk_put_text(json, label.text, label.len);
    else tk_put_string(json, NULL);
}

static void put_json_result(struct tk_json_out *json, const struct tk_check *check,
                            const struct tk_check_result *result) {
    tk_put_begin(json, '{');
    tk_put_key(json, "line");
    if (result->line) tk_put_u64(json, result->line);
    else tk_put_string(json, NULL);
    put_label(json, check, result->rule);
    put_member(json, "rule", result->subject);
    put_member(json, "input", result->input);
    put_member(json, "verdict", tk_check_verdict_text(result));
    put_member(json, "text", result->text);
    put_member(json, "row", result->row);
    put_member(json, "value", result->value);
    put_member(json, "bound", result->bound);
    put_digits_member(json, "count", result->has_count, result->count);
    put_digits_member(json, "at", result->has_at, result->at);
    put_digits_member(json, "at_ns", result->has_ns, result->at_ns);
    tk_put_end(json, '}');
}

bool tk_check_write_json(const struct tk_check *check, tk_write_fn write, void *ctx) {
    struct tk_json_out json = { .comma = false };
    tk_out_init(&json.out, write, ctx);
    tk_put_begin(&json, '{');
    put_member(&json, "rules", check->name);
    tk_put_key(&json, "exit_code");
    tk_put_u64(&json, (uint64_t)tk_check_exit_code(check));
    tk_put_key(&json, "recordings");
    tk_put_u64(&json, check->judged);
    tk_put_key(&json, "results");
    tk_put_begin(&json, '[');
    for (uint32_t i = 0; i < check->result_count; i++) put_json_result(&json, check, &check->results[i]);
    tk_put_end(&json, ']');
    tk_put_end(&json, '}');
    tk_out_char(&json.out, '\n');
    return tk_out_flush(&json.out);
}

// ---- SARIF -------------------------------------------------------------------------------------

// A JSON string that is written piece by piece.
struct built {
    struct tk_alloc alloc;
    struct tk_text text;
    struct tk_out out;
};

static void begin_built(struct built *built, const struct tk_check *check) {
    built->alloc = (struct tk_alloc){ .realloc = check->alloc.realloc, .ctx = check->alloc.ctx };
    built->text = tk_text_growing(&built->alloc);
    tk_out_init(&built->out, tk_text_write, &built->text);
}

static void end_built(struct built *built, struct tk_json_out *json) {
    tk_out_flush(&built->out);
    tk_put_text(json, built->text.text ? built->text.text : "", built->text.len);
    tk_alloc_free(&built->alloc, built->text.text, built->text.capacity);
}

static void put_message(struct tk_json_out *json, const struct tk_check *check, const struct tk_check_result *result) {
    struct built built;
    begin_built(&built, check);
    tk_out_text(&built.out, tk_check_verdict_text(result));
    tk_out_text(&built.out, ": ");
    tk_check_put_sentence(&built.out, tk_check_put_plain, result);
    end_built(&built, json);
}

static bool is_plain_in_uri(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || strchr("-._~/", c);
}

// Writes the path of the file of rules as a URI reference.
static void put_uri(struct tk_json_out *json, const struct tk_check *check) {
    struct built built;
    begin_built(&built, check);
    for (const char *at = check->name; *at; at++) {
        char hex[TK_DECIMAL_LEN];
        if (is_plain_in_uri(*at)) {
            tk_out_char(&built.out, *at);
        } else if (*at == '\\') {
            tk_out_char(&built.out, '/');
        } else {
            tk_capital_hex((unsigned char)*at, 2, hex);
            tk_out_char(&built.out, '%');
            tk_out_text(&built.out, hex);
        }
    }
    end_built(&built, json);
}

static void put_rule_id(struct tk_json_out *json, const struct tk_rule *rule) {
    const struct tk_span *id = rule->label.len ? &rule->label : &rule->whole;
    tk_put_text(json, id->text, id->len);
}

static void put_driver(struct tk_json_out *json, const struct tk_check *check) {
    tk_put_key(json, "driver");
    tk_put_begin(json, '{');
    put_member(json, "name", "Tonkopf");
    put_member(json, "version", tk_version());
    tk_put_key(json, "rules");
    tk_put_begin(json, '[');
    for (uint32_t i = 0; i < check->rule_count; i++) {
        const struct tk_rule *rule = &check->rules[i].rule;
        tk_put_begin(json, '{');
        tk_put_key(json, "id");
        put_rule_id(json, rule);
        tk_put_key(json, "shortDescription");
        tk_put_begin(json, '{');
        tk_put_key(json, "text");
        tk_put_text(json, rule->whole.text, rule->whole.len);
        tk_put_end(json, '}');
        tk_put_end(json, '}');
    }
    tk_put_end(json, ']');
    tk_put_end(json, '}');
}

// GitHub requires a location: that of the rule.
static void put_location(struct tk_json_out *json, const struct tk_check *check, const struct tk_check_result *result) {
    tk_put_key(json, "locations");
    tk_put_begin(json, '[');
    tk_put_begin(json, '{');
    tk_put_key(json, "physicalLocation");
    tk_put_begin(json, '{');
    tk_put_key(json, "artifactLocation");
    tk_put_begin(json, '{');
    tk_put_key(json, "uri");
    put_uri(json, check);
    tk_put_end(json, '}');
    tk_put_key(json, "region");
    tk_put_begin(json, '{');
    tk_put_key(json, "startLine");
    tk_put_u64(json, result->line ? result->line : 1);
    tk_put_end(json, '}');
    tk_put_end(json, '}');
    tk_put_end(json, '}');
    tk_put_end(json, ']');
}

static void put_sarif_result(struct tk_json_out *json, const struct tk_check *check,
                             const struct tk_check_result *result) {
    bool has_rule = result->rule != TK_CHECK_NO_RULE;
    tk_put_begin(json, '{');
    tk_put_key(json, "ruleId");
    if (has_rule) put_rule_id(json, &check->rules[result->rule].rule);
    else tk_put_string(json, result->is_unread ? "input" : "rules");
    if (has_rule) {
        tk_put_key(json, "ruleIndex");
        tk_put_u64(json, result->rule);
    }
    put_member(json, "level", "error");
    tk_put_key(json, "message");
    tk_put_begin(json, '{');
    tk_put_key(json, "text");
    put_message(json, check, result);
    tk_put_end(json, '}');
    put_location(json, check, result);
    tk_put_end(json, '}');
}

bool tk_check_write_sarif(const struct tk_check *check, tk_write_fn write, void *ctx) {
    struct tk_json_out json = { .comma = false };
    tk_out_init(&json.out, write, ctx);
    tk_put_begin(&json, '{');
    put_member(&json, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
    put_member(&json, "version", "2.1.0");
    tk_put_key(&json, "runs");
    tk_put_begin(&json, '[');
    tk_put_begin(&json, '{');
    tk_put_key(&json, "tool");
    tk_put_begin(&json, '{');
    put_driver(&json, check);
    tk_put_end(&json, '}');
    tk_put_key(&json, "results");
    tk_put_begin(&json, '[');
    for (uint32_t i = 0; i < check->result_count; i++)
        if (check->results[i].verdict != TK_EXPECT_PASS) put_sarif_result(&json, check, &check->results[i]);
    tk_put_end(&json, ']');
    tk_put_end(&json, '}');
    tk_put_end(&json, ']');
    tk_put_end(&json, '}');
    tk_out_char(&json.out, '\n');
    return tk_out_flush(&json.out);
}
