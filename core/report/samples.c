// SPDX-License-Identifier: MIT
#include "samples.h"

#include <string.h>

#include "../base/decimal.h"
#include "../base/nearest.h"
#include "../base/utf8.h"

// Values in `checked`: WANTED for the selected track; for others NONE_DEFINED plus the number of definitions so far.
enum { WANTED, NONE_DEFINED };

struct tk_samples *tk_samples_new(struct tk_alloc *alloc, const char *path, tk_out_write_fn write, void *ctx) {
    size_t len = strlen(path);
    struct tk_samples *samples = tk_alloc_zero(alloc, sizeof *samples + len);
    if (!samples) return NULL;
    samples->alloc = alloc;
    samples->path_len = (uint32_t)len;
    samples->definitions = NONE_DEFINED;
    memcpy(samples->path, path, len);
    tk_out_init(&samples->out, write, ctx);
    return samples;
}

// ---- Selecting the track -----------------------------------------------------------------------

static bool has_path(const struct tk_samples *samples, const struct tk_tracks *tracks,
                     const struct tk_custom_track *track, bool root) {
    char path[TK_TRACK_PATH];
    size_t len = tk_tracks_path(tracks, track, root, path);
    return len == samples->path_len && !memcmp(path, samples->path, len);
}

static bool judge(struct tk_samples *samples, struct tk_tracks *tracks, uint32_t id) {
    const struct tk_custom_track *track = tk_tracks_find(tracks, id);
    if (!track || (!has_path(samples, tracks, track, true) && !has_path(samples, tracks, track, false))) return false;
    samples->others += samples->track && samples->track != id;
    if (!samples->track) samples->track = id;
    return samples->track == id;
}

// Returns true if the track had the requested path. Checks again after each definition, which may change the path of
// any track; a track that had the path once stays selected.
static bool is_wanted(struct tk_samples *samples, struct tk_tracks *tracks, uint32_t id) {
    uint32_t known = tk_idmap_find(&samples->checked, id);
    if (known == WANTED || known == samples->definitions) return known == WANTED;
    bool wanted = judge(samples, tracks, id);
    samples->begins_late |= wanted && known != TK_NONE;
    tk_idmap_set(&samples->checked, samples->alloc, id, wanted ? WANTED : samples->definitions);
    return wanted;
}

// ---- Cells -------------------------------------------------------------------------------------

static bool append_doubled(void *ctx, const char *text, size_t len) { return tk_out_doubled(ctx, text, len), true; }

static void put_text(struct tk_out *out, const char *text, size_t len) {
    enum { MOST = 4096 };
    uint8_t clean[TK_UTF8_GROWTH * MOST];
    size_t bad;
    if (!tk_utf8_is_clean((const uint8_t *)text, len)) {
        len = tk_utf8_clean((const uint8_t *)text, len < MOST ? len : MOST, clean, &bad);
        text = (const char *)clean;
    }
    tk_out_csv(out, text, len);
}

// ---- Details -----------------------------------------------------------------------------------

static const char *symbol_text(struct tk_tracks *tracks, uint32_t symbol, char room[TK_DISPLAY_LEN], size_t *out_len) {
    struct tk_names *names = &tracks->host->timeline->names;
    uint32_t entity = tk_names_symbol(names, symbol);
    *out_len = 0;
    return entity == TK_NONE ? "" : tk_names_text(names, entity, room, out_len);
}

static void put_hex(struct tk_json_out *json, uint64_t number) {
    char digits[TK_DECIMAL_LEN + 2] = "0x";
    tk_put_text(json, digits, 2 + tk_digits(number, 16, 1, digits + 2));
}

static void put_double(struct tk_json_out *json, double number) {
    char digits[TK_DOUBLE_LEN];
    size_t len = tk_double_text(number, digits);
    if (number - number == 0) tk_put_literal(json, digits, len);
    else tk_put_text(json, digits, len);
}

static void put_simple(struct tk_tracks *tracks, struct tk_json_out *json, const struct tk_value *value) {
    char room[TK_DISPLAY_LEN];
    size_t len;
    switch (value->type) {
    case TK_VALUE_UINT: tk_put_u64(json, value->number.u); break;
    case TK_VALUE_HEX: put_hex(json, value->number.u); break;
    case TK_VALUE_INT: tk_put_i64(json, value->number.i); break;
    case TK_VALUE_DOUBLE: put_double(json, value->number.d); break;
    case TK_VALUE_SYMBOL: {
        const char *text = symbol_text(tracks, (uint32_t)value->number.u, room, &len);
        tk_put_text(json, text, len);
        break;
    }
    default: tk_put_text(json, value->text, value->text_len); break;
    }
}

static size_t name_len(const struct tk_value *value) {
    return value->name_len || !value->name ? value->name_len : strlen(value->name);
}

static void put_name(struct tk_json_out *json, const struct tk_value *value) {
    const char *name = value->name ? value->name : "value";
    tk_put_text(json, name, value->name ? name_len(value) : strlen(name));
    tk_out_char(&json->out, ':');
    json->comma = false;
}

// Writes nested values, at most 64.
static void put_values(struct tk_tracks *tracks, struct tk_json_out *json, const struct tk_value *values,
                       uint32_t count, bool is_list) {
    for (uint32_t i = 0; i < count; i++) {
        const struct tk_value *value = &values[i];
        if (!is_list) put_name(json, value);
        if (value->type != TK_VALUE_GROUP && value->type != TK_VALUE_LIST) {
            put_simple(tracks, json, value);
            continue;
        }
        bool inner_list = value->type == TK_VALUE_LIST;
        uint32_t inside = value->number.u < count - i - 1 ? (uint32_t)value->number.u : count - i - 1;
        tk_put_begin(json, inner_list ? '[' : '{');
        put_values(tracks, json, value + 1, inside, inner_list);
        tk_put_end(json, inner_list ? ']' : '}');
        i += inside;
    }
}

static void put_details(struct tk_samples *samples, struct tk_tracks *tracks, const struct tk_event *event) {
    struct tk_json_out json = { .comma = false };
    if (!event->value_count) return;
    tk_out_init(&json.out, append_doubled, &samples->out);
    tk_out_char(&samples->out, '"');
    tk_put_begin(&json, '{');
    put_values(tracks, &json, event->values, event->value_count, false);
    tk_put_end(&json, '}');
    tk_out_flush(&json.out);
    tk_out_char(&samples->out, '"');
}

// ---- Rows --------------------------------------------------------------------------------------

static const struct tk_value *detail_named(const struct tk_event *event, const char *name, size_t len) {
    for (uint32_t i = 0; i < event->value_count; i++)
        if (name_len(&event->values[i]) == len && !memcmp(event->values[i].name, name, len)) return &event->values[i];
    return NULL;
}

static void put_count(struct tk_out *out, const struct tk_event *event) {
    char digits[TK_DOUBLE_LEN];
    const struct tk_value *other = event->mark & TK_SAMPLE_BLANK ? detail_named(event, "value", 5) : NULL;
    if (other) put_text(out, other->text, other->text_len); // the value is not a number
    else if (event->kind == TK_EV_TRACK_COUNT) tk_out_i64(out, event->track_count.number);
    else tk_out_bytes(out, digits, tk_double_text(event->track_count_double.number, digits));
}

// Writes the value; nothing where the signal has none, and 0 for a blank value, which the trace does not show.
static void put_value(struct tk_samples *samples, struct tk_tracks *tracks, const struct tk_event *event) {
    if (event->mark & TK_SAMPLE_NONE) return;
    if (tk_event_is_counter(event)) {
        put_count(&samples->out, event);
        return;
    }
    char room[TK_DISPLAY_LEN];
    size_t len = event->str_len;
    uint32_t symbol = event->track_slice.name;
    const char *text = symbol ? symbol_text(tracks, symbol, room, &len) : event->str;
    if (event->mark & TK_SAMPLE_BLANK) tk_out_char(&samples->out, '0');
    else put_text(&samples->out, text, len);
}

static void put_titles(struct tk_samples *samples) {
    if (samples->has_titles) return;
    samples->has_titles = true;
    tk_out_text(&samples->out, samples->time_title);
    tk_out_text(&samples->out, ",value,details\r\n");
}

static bool is_sample(const struct tk_event *event) {
    return tk_event_owner(event) == TK_OWNER_TRACKS && event->kind != TK_EV_TRACK_DEFINED &&
           event->kind != TK_EV_TRACK_END && !(event->mark & TK_SAMPLE_BESIDE);
}

void tk_samples_definition(struct tk_samples *samples) { samples->definitions += samples->definitions < TK_NONE - 1; }

void tk_samples_event(struct tk_samples *samples, struct tk_tracks *tracks, const struct tk_event *event,
                      uint64_t time) {
    if (!is_sample(event) || !is_wanted(samples, tracks, tk_tracks_number(event))) return;
    const struct tk_custom_track *track = tk_tracks_find(tracks, tk_tracks_number(event));
    put_titles(samples);
    if (!track->is_untimed) tk_out_u64(&samples->out, time);
    tk_out_char(&samples->out, ',');
    put_value(samples, tracks, event);
    tk_out_char(&samples->out, ',');
    put_details(samples, tracks, event);
    tk_out_text(&samples->out, "\r\n");
    tk_out_flush(&samples->out);
}

// ---- Message if no signal matches --------------------------------------------------------------

enum { NEAR = 3 };

static size_t last_name(const char *path, size_t len) {
    size_t at = len;
    while (at && path[at - 1] != '/') at--;
    return at;
}

// Returns the length of a name without the unit or bit range at its end: "level [V]", "bus[7:0]".
static size_t plain_name(const char *name, size_t len) {
    size_t at = len;
    if (!len || name[len - 1] != ']') return len;
    while (at && name[at - 1] != '[') at--;
    if (at > 1 && name[at - 2] == ' ') at--;
    return at > 1 ? at - 1 : len;
}

// Returns a score for the similarity of two paths, of the whole path or of the last name; lower is more similar.
static unsigned score(const struct tk_samples *samples, const char *path, size_t len) {
    size_t asked = last_name(samples->path, samples->path_len), own = last_name(path, len);
    size_t asked_len = plain_name(samples->path + asked, samples->path_len - asked),
           own_len = plain_name(path + own, len - own);
    unsigned whole = 2 * (unsigned)tk_edit_distance(samples->path, samples->path_len, path, len);
    unsigned name = 1 + 2 * (unsigned)tk_edit_distance(samples->path + asked, asked_len, path + own, own_len);
    return whole < name ? whole : name;
}

struct near {
    uint32_t tracks[NEAR], scores[NEAR], count;
};

static void keep_best_match(struct near *near, uint32_t track, uint32_t points) {
    uint32_t at = near->count;
    while (at && near->scores[at - 1] > points) at--;
    if (at == NEAR) return;
    if (near->count < NEAR) near->count++;
    for (uint32_t i = near->count - 1; i > at; i--)
        near->tracks[i] = near->tracks[i - 1], near->scores[i] = near->scores[i - 1];
    near->tracks[at] = track;
    near->scores[at] = points;
}

static void find_near(const struct tk_samples *samples, const struct tk_tracks *tracks, bool root, struct near *near) {
    char path[TK_TRACK_PATH];
    near->count = 0;
    for (uint32_t i = 0; i < tracks->count; i++)
        if (tracks->tracks[i].figures)
            keep_best_match(near, i, score(samples, path, tk_tracks_path(tracks, &tracks->tracks[i], root, path)));
}

struct sentence {
    char *text;
    size_t len;
};

static void say(struct sentence *sentence, const char *text, size_t len) {
    size_t room = TK_SAMPLES_TEXT - 1 - sentence->len;
    if (len > room) len = tk_utf8_cut(text, room);
    memcpy(sentence->text + sentence->len, text, len);
    sentence->len += len;
    sentence->text[sentence->len] = 0;
}

static void append_word(struct sentence *sentence, const char *word) { say(sentence, word, strlen(word)); }

static void append_path(struct sentence *sentence, const struct tk_tracks *tracks, const struct tk_custom_track *track,
                        bool root, const char *before) {
    char path[TK_TRACK_PATH];
    append_word(sentence, before);
    say(sentence, path, tk_tracks_path(tracks, track, root, path));
}

static void append_near_paths(struct tk_samples *samples, struct tk_tracks *tracks, struct sentence *sentence) {
    struct near near = { .count = 0 };
    bool root = tracks && tk_tracks_have_roots(tracks);
    if (tracks) find_near(samples, tracks, root, &near);
    append_word(sentence,
                near.count ? "no signal has this path; similar paths: " : "the recording contains no signals");
    for (uint32_t i = 0; i < near.count; i++)
        append_path(sentence, tracks, &tracks->tracks[near.tracks[i]], root, i ? ", " : "");
}

// Selects a track that has the path but no sample.
static bool find_unsampled(struct tk_samples *samples, struct tk_tracks *tracks) {
    for (uint32_t i = 0; tracks && !samples->track && i < tracks->count; i++)
        if (tracks->tracks[i].figures) is_wanted(samples, tracks, tracks->tracks[i].id);
    return samples->track;
}

bool tk_samples_end(struct tk_samples *samples, struct tk_tracks *tracks, char out_text[TK_SAMPLES_TEXT]) {
    struct sentence sentence = { out_text, 0 };
    if (!find_unsampled(samples, tracks)) {
        append_near_paths(samples, tracks, &sentence);
        return false;
    }
    if (samples->others)
        append_path(&sentence, tracks, tk_tracks_find(tracks, samples->track), true,
                    "several signals have this path; the samples are those of ");
    else if (samples->begins_late)
        append_word(&sentence,
                    "the signal had another path before: use that one, because its earlier samples are missing here");
    else put_titles(samples), tk_out_flush(&samples->out);
    return !samples->others && !samples->begins_late;
}
