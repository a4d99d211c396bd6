// SPDX-License-Identifier: MIT
//
// The state machine of a conversion: which request the host gets next, and how its answers are used. Implements the
// public functions tk_conversion_*.
#include "conversion.h"

#include <stdarg.h>
#include <string.h>

#include "handle/handle.h"
#include "rules/check.h"

// ---- Memory and messages ----

char *tk_conv_copy(struct tk_conversion *conversion, const char *text) {
    size_t size = strlen(text) + 1;
    char *copy = tk_alloc_zero(&conversion->alloc, size);
    if (copy) memcpy(copy, text, size);
    return copy;
}

void tk_conv_message(struct tk_conversion *conversion, tk_message_severity severity, tk_exit_code exit_code,
                     uint32_t source, const char *name, ...) {
    bool has_failed = conversion->alloc.failed;
    struct tk_conv_message *message = tk_alloc_zero(&conversion->alloc, sizeof *message);
    struct tk_text text = tk_text_growing(&conversion->alloc);
    va_list pieces;
    if ((int)exit_code > conversion->exit_code) conversion->exit_code = (int)exit_code; // a larger one is worse
    if (name) tk_text_add(&text, name), tk_text_add(&text, ": ");
    va_start(pieces, name);
    for (const char *piece; (piece = va_arg(pieces, const char *));) tk_text_add(&text, piece);
    va_end(pieces);
    if (!message || !text.text || text.is_cut) { // only the message is lost: the exit code tells the host, and the
                                                 // conversion goes on
        tk_alloc_free(&conversion->alloc, text.text, text.capacity);
        tk_alloc_free(&conversion->alloc, message, sizeof *message);
        conversion->alloc.failed = has_failed;
        if (conversion->exit_code < TK_EXIT_INPUT) conversion->exit_code = TK_EXIT_INPUT;
        return;
    }
    *message = (struct tk_conv_message){ .severity = severity, .source = source, .text = text };
    *conversion->last_message = message;
    conversion->last_message = &message->next;
}

// ---- Requests ----

struct tk_request *tk_conv_request(struct tk_conversion *conversion, tk_request_kind kind) {
    conversion->request = (struct tk_request){ .kind = kind, .output = conversion->run.group };
    conversion->has_request = true;
    conversion->is_pending = kind == TK_REQUEST_READ || kind == TK_REQUEST_KEEP || kind == TK_REQUEST_OPEN ||
                             kind == TK_REQUEST_DONE; // other requests need no answer
    return &conversion->request;
}

void tk_conv_need_range(struct tk_conversion *conversion, uint32_t source, uint64_t offset, size_t len) {
    struct tk_request *request = tk_conv_request(conversion, TK_REQUEST_READ);
    request->source = source;
    request->offset = offset;
    request->len = len;
    request->is_look = conversion->phase == TK_PHASE_LOOK;
    conversion->wanting = NULL;
}

void tk_conv_need(struct tk_conversion *conversion, struct tk_reader *reader) {
    uint64_t left = reader->end - reader->at;
    tk_conv_need_range(conversion, reader->source, reader->at, left < TK_READER_PIECE ? (size_t)left : TK_READER_PIECE);
    conversion->wanting = reader;
}

// ---- Readers ----

struct tk_reader *tk_conv_open_reader(struct tk_conversion *conversion, uint32_t source_number, int32_t member_number,
                                      bool detect) {
    const struct tk_conv_source *source = &conversion->sources[source_number];
    struct tk_member member;
    bool is_member = tk_conv_member(source, member_number, &member);
    uint64_t at = 0, end = source->info.size;
    if (is_member && !source->is_gzip) {
        at = member.offset;
        end = member.packed > UINT64_MAX - at ? UINT64_MAX : at + member.packed;
    }
    struct tk_reader *reader = tk_reader_new(&conversion->alloc, &conversion->allocator, source_number, at, end);
    if (!reader) return NULL;
    if (is_member && source->is_gzip) {
        tk_reader_wrap(reader, (struct tk_layer){ .kind = TK_LAYER_GZIP });
        tk_reader_wrap(reader,
                       (struct tk_layer){ .kind = TK_LAYER_RANGE, .skip = member.offset, .left = member.packed });
    }
    if (is_member && member.state == TK_MEMBER_DEFLATED)
        tk_reader_wrap(reader, (struct tk_layer){ .kind = TK_LAYER_DEFLATE });
    if (detect && (is_member || !source->is_kept)) tk_reader_wrap(reader, (struct tk_layer){ .kind = TK_LAYER_DETECT });
    reader->is_cut_allowed = conversion->ended || source->read_failed;
    return reader;
}

void tk_conv_wrap_input(struct tk_reader *reader, const struct tk_conv_input *input) {
    if (input->encoding != TK_ENCODING_BINARY)
        tk_reader_wrap(reader,
                       (struct tk_layer){ .kind = TK_LAYER_TEXT, .encoding = input->encoding, .block = input->block });
    for (uint32_t i = 0; i < input->carried_count; i++)
        tk_reader_wrap(reader, (struct tk_layer){ .kind = TK_LAYER_CARRIED, .carried = input->carried[i] });
}

bool tk_conv_keep(struct tk_conversion *conversion, struct tk_reader *reader) {
    struct tk_conv_source *source = &conversion->sources[reader->source];
    struct tk_piece piece;
    enum tk_reader_result result = tk_reader_next(reader, &piece); // returns the looked-at bytes first
    if (result == TK_READER_NEEDS) {
        tk_conv_need(conversion, reader);
        return false;
    }
    if (result == TK_READER_END) piece = (struct tk_piece){ (const uint8_t *)"", 0 };
    source->kept += piece.len;
    struct tk_request *request = tk_conv_request(conversion, TK_REQUEST_KEEP);
    request->source = reader->source;
    request->bytes = piece.bytes;
    request->len = piece.len;
    if (piece.len) return false;
    source->info.is_seekable = true;
    source->info.is_live = false;
    source->info.size = source->kept;
    source->is_kept = true;
    source->once = NULL;
    return true;
}

void tk_conv_note_damage(struct tk_conversion *conversion, const char *name, const struct tk_reader *reader) {
    struct tk_conv_source *source = &conversion->sources[reader->source];
    if (!reader->damage[0] || source->damage_reported) return;
    source->damage_reported = true;
    tk_conv_message(conversion, TK_MESSAGE_WARNING, TK_EXIT_FINE, reader->source, name, reader->damage, NULL);
}

// ---- Beginning ----

tk_status tk_conversion_new(const struct tk_allocator *allocator, tk_conversion **out_conversion) {
    struct tk_conversion *conversion = allocator->realloc(allocator->ctx, NULL, 0, sizeof *conversion);
    if (!conversion) return TK_NO_MEMORY;
    memset(conversion, 0, sizeof *conversion);
    conversion->allocator = *allocator;
    conversion->alloc = (struct tk_alloc){ .realloc = allocator->realloc, .ctx = allocator->ctx };
    conversion->last_setting = &conversion->settings;
    conversion->last_message = &conversion->messages;
    conversion->look.member = -1;
    *out_conversion = conversion;
    return TK_OK;
}

static tk_status fail(struct tk_conversion *conversion, tk_status status, const char *text, const char *more) {
    struct tk_text error = tk_text_in(conversion->error, sizeof conversion->error);
    tk_text_add(&error, text);
    tk_text_add(&error, more);
    return status;
}

const char *tk_conversion_error(const tk_conversion *conversion) { return conversion->error; }

tk_status tk_conversion_add_source(tk_conversion *conversion, const struct tk_source_info *info, uint32_t *out_source) {
    if (conversion->is_started) return fail(conversion, TK_MISUSE, "sources are added before the first request", "");
    if (!tk_alloc_grow(&conversion->alloc, (void **)&conversion->sources, &conversion->source_capacity,
                       conversion->source_count + 1, sizeof *conversion->sources))
        return fail(conversion, TK_NO_MEMORY, "out of memory", "");
    char *name = tk_conv_copy(conversion, info->name ? info->name : "");
    if (!name) return fail(conversion, TK_NO_MEMORY, "out of memory", "");
    struct tk_conv_source *source = &conversion->sources[conversion->source_count];
    *source = (struct tk_conv_source){ .info = *info };
    source->info.name = name;
    *out_source = conversion->source_count++;
    return TK_OK;
}

// ---- Settings ----

const char *tk_conv_setting(const struct tk_conversion *conversion, const char *key) {
    const char *value = NULL;
    for (const struct tk_conv_setting *setting = conversion->settings; setting; setting = setting->next)
        if (!strcmp(setting->key, key)) value = setting->value;
    return value;
}

static tk_status add_setting(struct tk_conversion *conversion, const char *key, const char *value, bool is_own) {
    struct tk_conv_setting *setting = tk_alloc_zero(&conversion->alloc, sizeof *setting);
    if (setting) setting->key = tk_conv_copy(conversion, key);
    if (setting && setting->key) setting->value = tk_conv_copy(conversion, value);
    if (!setting || !setting->value) return fail(conversion, TK_NO_MEMORY, "out of memory", "");
    setting->is_own = is_own;
    *conversion->last_setting = setting;
    conversion->last_setting = &setting->next;
    return TK_OK;
}

// Accepts a word of "fail-on". Otherwise the error names the nearest one.
static tk_status check_trouble(struct tk_conversion *conversion, const char *word) {
    struct tk_nearest nearest = { .word = word };
    for (size_t i = 0; tk_fail_on_word(i); i++) {
        if (!strcmp(word, tk_fail_on_word(i))) return TK_OK;
        tk_nearest_try(&nearest, tk_fail_on_word(i));
    }
    if (nearest.name)
        return fail(conversion, TK_MISUSE, "fail-on: there is no such problem; the nearest name is ", nearest.name);
    return fail(conversion, TK_MISUSE, "fail-on: there is no such problem; use drops, damage, loss, notice, restarts, ",
                "any, or the id of a problem, such as FRAME_BROKEN");
}

static tk_status check_rule(struct tk_conversion *conversion, const char *rule) {
    char text[TK_EXPECT_TEXT];
    return tk_expect_check(rule, text) ? TK_OK : fail(conversion, TK_MISUSE, text, "");
}

// Checks the value of a setting. choices: the values that it allows, "a|b"; NULL: any.
static tk_status check(struct tk_conversion *conversion, const char *key, const char *choices, const char *value) {
    if (!strcmp(key, "fail-on")) return check_trouble(conversion, value);
    if (!strcmp(key, "expect")) return check_rule(conversion, value);
    if (!choices || tk_choice(choices, value) >= 0) return TK_OK;
    char text[32];
    struct tk_text start = tk_text_in(text, sizeof text);
    tk_text_add(&start, key);
    tk_text_add(&start, ": one of ");
    return fail(conversion, TK_MISUSE, text, choices);
}

static const char too_late[] = "options are set before the first request", no_memory[] = "out of memory";

tk_status tk_conversion_set_option(tk_conversion *conversion, const char *key, const char *value) {
    conversion->error[0] = 0;
    if (conversion->is_started) return fail(conversion, TK_MISUSE, too_late, "");
    if (!conversion->trial && tk_new(&conversion->allocator, &conversion->trial) != TK_OK)
        return fail(conversion, TK_NO_MEMORY, no_memory, "");
    tk_status status = tk_set_option(conversion->trial, key, value);
    return status == TK_OK ? add_setting(conversion, key, value, false)
                           : fail(conversion, status, tk_error_text(conversion->trial), "");
}

// Makes the reports count the jobs that miss the deadline of a rule.
static tk_status add_deadline(struct tk_conversion *conversion, const struct tk_rule *rule) {
    char room[TK_OPTION_LEN];
    struct tk_text text = tk_text_in(room, sizeof room);
    if (rule->kind != TK_RULE_DEADLINE) return TK_OK;
    tk_text_put(&text, rule->row.text, rule->row.len);
    tk_text_add(&text, " ");
    tk_text_put(&text, rule->value.text, rule->value.len);
    if (rule->wait.text) tk_text_add(&text, " from "), tk_text_put(&text, rule->wait.text, rule->wait.len);
    return text.is_cut ? TK_OK : tk_conversion_set_option(conversion, "deadline", room); // longer than a name can be
}

static tk_status add_deadlines(struct tk_conversion *conversion, const char *rules) {
    struct tk_check *file;
    tk_status status = tk_check_new(&conversion->allocator, "", rules, strlen(rules), &file);
    if (status != TK_OK) return fail(conversion, status, no_memory, "");
    for (uint32_t i = 0; i < file->rule_count && status == TK_OK; i++)
        status = add_deadline(conversion, &file->rules[i].rule);
    tk_check_free(file);
    return status;
}

static tk_status add_expectation(struct tk_conversion *conversion, const char *text) {
    struct tk_rule rule;
    tk_rule_read(text, strlen(text), &rule);
    tk_status status = add_setting(conversion, "expect", text, true);
    return status == TK_OK ? add_deadline(conversion, &rule) : status;
}

tk_status tk_conversion_set(tk_conversion *conversion, const char *key, const char *value) {
    // The settings that the conversion uses itself. choices: the values that a setting allows, "a|b"; NULL: any.
    static const struct {
        const char *key, *choices;
    } own[] = { { "output", TK_OUTPUTS }, { "stage", TK_STAGES }, { "json", "0|1" },    { "like", "original" },
                { "figures", "range" },   { "unused", "quiet" },  { "range", "later" }, { "expect", NULL },
                { "fail-on", NULL },      { "event", NULL },      { "task", NULL },     { "core", NULL },
                { "signal", NULL },       { "rules", NULL } };
    size_t i = 0, count = sizeof own / sizeof *own;
    while (i < count && strcmp(own[i].key, key)) i++;
    if (i == count) return tk_conversion_set_option(conversion, key, value);
    conversion->error[0] = 0;
    if (conversion->is_started) return fail(conversion, TK_MISUSE, too_late, "");
    tk_status status = check(conversion, key, own[i].choices, value);
    if (status != TK_OK) return status;
    if (!strcmp(key, "rules")) return add_deadlines(conversion, value);
    if (!strcmp(key, "expect")) return add_expectation(conversion, value);
    if (!strcmp(key, "output")) conversion->output = (enum tk_conv_output)tk_choice(TK_OUTPUTS, value);
    return add_setting(conversion, key, value, true);
}

// ---- Steps ----

// Shows the next message to the host. Returns false if there is none.
static bool show_message(struct tk_conversion *conversion) {
    struct tk_conv_message *message = conversion->messages;
    if (conversion->shown) {
        tk_alloc_free(&conversion->alloc, conversion->shown->text.text, conversion->shown->text.capacity);
        tk_alloc_free(&conversion->alloc, conversion->shown, sizeof *conversion->shown);
        conversion->shown = NULL;
    }
    if (!message) return false;
    conversion->messages = message->next;
    if (!conversion->messages) conversion->last_message = &conversion->messages;
    conversion->shown = message;
    conversion->message = (struct tk_request){ .kind = TK_REQUEST_MESSAGE,
                                               .output = conversion->run.group,
                                               .source = message->source,
                                               .severity = message->severity,
                                               .text = message->text.text };
    return true;
}

static void look(struct tk_conversion *conversion) {
    if (conversion->look.source < conversion->source_count) {
        tk_look_step(conversion);
    } else {
        tk_plan_conversion(conversion);
        conversion->phase = TK_PHASE_PLAN;
        tk_conv_request(conversion, TK_REQUEST_PLAN);
    }
    if (!conversion->alloc.failed) return;
    tk_conv_message(conversion, TK_MESSAGE_ERROR, TK_EXIT_INPUT, conversion->look.source, NULL, "out of memory", NULL);
    conversion->has_request = conversion->is_pending = false;
    conversion->phase = TK_PHASE_DONE;
}

static void step(struct tk_conversion *conversion) {
    switch (conversion->phase) {
    case TK_PHASE_LOOK: look(conversion); return;
    case TK_PHASE_PLAN:
        tk_plan_report(conversion);
        conversion->phase = TK_PHASE_RUN;
        return;
    case TK_PHASE_RUN:
        if (conversion->run.group >= conversion->groups) conversion->phase = TK_PHASE_DONE;
        else tk_run_step(conversion);
        if (conversion->alloc.failed) tk_run_out_of_memory(conversion);
        return;
    case TK_PHASE_DONE: tk_conv_request(conversion, TK_REQUEST_DONE); return;
    }
}

const struct tk_request *tk_conversion_next(tk_conversion *conversion) {
    conversion->is_started = true;
    if (conversion->trial) tk_free(conversion->trial); // all options are set
    conversion->trial = NULL;
    for (;;) { // messages of a step come before its request
        if (show_message(conversion)) return &conversion->message;
        if (conversion->has_request || conversion->is_pending) {
            conversion->has_request = false;
            return &conversion->request;
        }
        step(conversion);
    }
}

// ---- Answers ----

static bool is_asked(const struct tk_conversion *conversion, tk_request_kind kind) {
    return conversion->is_pending && conversion->request.kind == kind;
}

void tk_conversion_answer(tk_conversion *conversion, const uint8_t *bytes, size_t len, uint64_t ns) {
    if (!is_asked(conversion, TK_REQUEST_READ)) return;
    if (len > conversion->request.len) len = conversion->request.len;
    conversion->is_pending = false;
    if (conversion->wanting) tk_reader_supply(conversion->wanting, bytes, len, ns);
    else tk_run_answer(conversion, bytes, len);
}

void tk_conversion_keep(tk_conversion *conversion) {
    if (is_asked(conversion, TK_REQUEST_KEEP)) conversion->is_pending = false;
}

static void read_failed(struct tk_conversion *conversion, const char *reason) {
    struct tk_conv_source *source = &conversion->sources[conversion->request.source];
    uint64_t at = conversion->request.offset;
    char place[64];
    struct tk_text text = tk_text_in(place, sizeof place);
    bool is_first = !source->read_failed;
    source->read_failed = true;
    source->failed_at = at;
    source->is_unreadable = conversion->phase == TK_PHASE_LOOK && at == 0;
    if (!source->is_unreadable) {
        tk_text_add(&text, "cannot be read at byte ");
        tk_text_u64(&text, at);
        tk_text_add(&text, ": ");
    }
    if (is_first && reason)
        tk_conv_message(conversion, TK_MESSAGE_ERROR, TK_EXIT_INPUT, conversion->request.source, source->info.name,
                        place, reason, source->is_unreadable ? "" : "; what came before is used", NULL);
    if (conversion->exit_code < TK_EXIT_INPUT) conversion->exit_code = TK_EXIT_INPUT;
    if (conversion->wanting) conversion->wanting->is_cut_allowed = true;
    tk_conversion_answer(conversion, NULL, 0, 0);
}

void tk_conversion_fail(tk_conversion *conversion, const char *reason) {
    const struct tk_request *request = &conversion->request;
    if (is_asked(conversion, TK_REQUEST_READ)) {
        read_failed(conversion, reason);
    } else if (is_asked(conversion, TK_REQUEST_KEEP)) {
        struct tk_conv_source *source = &conversion->sources[request->source];
        conversion->is_pending = false;
        tk_conv_message(conversion, TK_MESSAGE_ERROR, TK_EXIT_INPUT, request->source, source->info.name,
                        "no room for a temporary copy: ", reason ? reason : "it cannot be read twice", NULL);
        source->is_unreadable = true;
    } else if (request->kind == TK_REQUEST_WRITE || request->kind == TK_REQUEST_REWRITE) {
        conversion->run.is_refused = true;
        conversion->run.is_quiet_refusal = !reason;
        if (reason) tk_conv_message(conversion, TK_MESSAGE_ERROR, TK_EXIT_OUTPUT, request->source, NULL, reason, NULL);
    }
}

static void answer_open(tk_conversion *conversion, bool is_opened, bool can_rewrite) {
    if (!is_asked(conversion, TK_REQUEST_OPEN)) return;
    conversion->is_pending = false;
    conversion->run.is_opened = is_opened;
    conversion->run.can_rewrite = can_rewrite;
}

void tk_conversion_open(tk_conversion *conversion, bool can_rewrite) { answer_open(conversion, true, can_rewrite); }
void tk_conversion_skip(tk_conversion *conversion) { answer_open(conversion, false, false); }

void tk_conversion_set_timeline(tk_conversion *conversion, const struct tk_sink *sink) {
    struct tk *handle = conversion->run.handle;
    conversion->has_timeline = sink != NULL;
    if (sink) conversion->timeline = *sink;
    else if (handle && tk_set_timeline(handle, NULL) != TK_OK) return; // the handle has failed already
}

void tk_conversion_flush_timeline(tk_conversion *conversion) {
    struct tk *handle = conversion->run.handle;
    if (handle && tk_flush_timeline(handle) != TK_OK) return; // the next call on the handle reports the failure
}

void tk_conversion_end(tk_conversion *conversion) {
    conversion->ended = true;
    if (!is_asked(conversion, TK_REQUEST_READ)) return;
    if (conversion->wanting) conversion->wanting->is_cut_allowed = true;
    tk_conversion_answer(conversion, NULL, 0, 0);
}

// ---- What is known ----

uint32_t tk_conversion_input_count(const tk_conversion *conversion) { return conversion->input_count; }
uint32_t tk_conversion_recording_count(const tk_conversion *conversion) { return conversion->groups; }

void tk_conversion_input(const tk_conversion *conversion, uint32_t index, struct tk_conversion_input *out) {
    const struct tk_conv_input *input = &conversion->inputs[index];
    *out = (struct tk_conversion_input){ .source = input->source,
                                         .member = input->member,
                                         .block = input->block,
                                         .name = input->name,
                                         .encoding_reason = input->encoding_reason,
                                         .plan = &conversion->plan[index] };
}

const tk *tk_conversion_handle(const tk_conversion *conversion) { return conversion->run.handle; }
int tk_conversion_exit_code(const tk_conversion *conversion) { return conversion->exit_code; }

void tk_conversion_free(tk_conversion *conversion) {
    if (!conversion) return;
    const struct tk_allocator allocator = conversion->allocator;
    tk_look_release(conversion);
    tk_run_release(conversion);
    for (uint32_t i = 0; i < conversion->source_count; i++) {
        tk_archive_free(conversion->sources[i].archive);
        tk_reader_free(conversion->sources[i].once);
    }
    if (conversion->trial) tk_free(conversion->trial);
    tk_alloc_free_all(&conversion->alloc);
    allocator.realloc(allocator.ctx, conversion, sizeof *conversion, 0);
}
