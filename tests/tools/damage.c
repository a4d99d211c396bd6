// SPDX-License-Identifier: MIT
//
// damage [--trials N] [--seed N] [--show N] [WAY N ...] [KEY=VALUE ...] -- [-s SIDE_FILE ...] FILE[@CORE] ... Damages a
// recording as a line or a disk does, and compares the events that are still decoded with those of the undamaged one.
// If there are at most N positions, every one is tried with every bit and every kind of damage, otherwise N random
// ones. Prints one line of JSON; --show: the first N trials in which the damage affects other frames, on stderr.
#include "../common/damage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MANY = 64 };
enum way { FLIP, DROP, INSERT, DUPLICATE, CUT, ZERO, WAYS };
static const char *const way_names[WAYS] = { "flip", "drop", "insert", "duplicate", "cut", "zero" };

// Sums over trials.
struct tally {
    uint64_t trials, bytes; // damaged bytes
    uint64_t lost, max_lost, max_frames;
    uint64_t differs, differs_unnoticed; // trials with an event that the recording does not have; of them without an
                                         // error
    uint64_t missing, moved;             // trials that lose or move events of other frames
    uint64_t max_missing, max_moved, max_move; // most in one trial, and by how many ticks
    uint64_t origin;                           // trials that only move the origin of the time axis
    uint64_t thrown;        // trials that move events of many times, or by more than the longest pause of the recording
    uint64_t thrown_by_sum; // trials in which the checksum of a damaged frame matches by chance: its
                            // time is accepted
    uint64_t core_local, core_to_end, tick, names, unhealed;
    uint64_t unrecognised; // the first bytes alone no longer identify the format
};

struct trial {
    struct pump_job job;
    struct pump_bytes original;
    size_t total; // bytes of all recordings
    uint64_t random, count;
    uint64_t pause; // longest pause between two times of the undamaged recording
    unsigned show;
    uint8_t delimiter;
    size_t reach, longest; // without delimiters: the argument of damage_touch_records
    struct damage_reading good, bad;
    struct damage_place place;
    struct tally tallies[WAYS];
};

static uint64_t random_below(struct trial *t, uint64_t limit) {
    t->random ^= t->random << 13;
    t->random ^= t->random >> 7;
    t->random ^= t->random << 17;
    return (t->random >> 11) % limit;
}

// ---- Kinds of damage -----------------------------------------------------------------------------------------------

// Replaces [from, to) of the file by `len` bytes that the caller writes.
static uint8_t *replace(struct trial *t, size_t from, size_t to, size_t len) {
    struct pump_bytes *bytes = &t->job.files[t->place.file].bytes;
    const struct pump_bytes *original = &t->original;
    memcpy(bytes->data, original->data, from);
    if (original->len > to) memcpy(bytes->data + from + len, original->data + to, original->len - to);
    bytes->len = original->len - (to - from) + len;
    t->place.from = from;
    t->place.to = to;
    t->place.len = len;
    return bytes->data + from;
}

static size_t no_more(size_t wanted, size_t have) { return wanted < have ? wanted : have; }

static void damage(struct trial *t, enum way way, size_t at, unsigned bit) {
    size_t left = t->original.len - at, few = 1 + (random_below(t, 2) ? random_below(t, 8) : 0), len;
    uint8_t *to;
    t->place.cut = way == CUT;
    switch (way) {
    case FLIP: *replace(t, at, at + 1, 1) = t->original.data[at] ^ (uint8_t)(1u << bit); break;
    case DROP: replace(t, at, at + no_more(few, left), 0); break;
    case INSERT:
        to = replace(t, at, at, few);
        for (size_t i = 0; i < few; i++) to[i] = (uint8_t)(bit & 1 ? random_below(t, 256) : 0);
        break;
    case DUPLICATE:
        len = no_more(2 * few, at);
        to = replace(t, at, at, len);
        memcpy(to, t->original.data + at - len, len);
        break;
    case CUT: replace(t, at, t->original.len, 0); break;
    default:
        len = no_more(few, left);
        memset(replace(t, at, at + len, len), 0, len);
        break;
    }
}

// ---- One trial -----------------------------------------------------------------------------------------------------

static void raise(uint64_t *most, uint64_t number) {
    if (number > *most) *most = number;
}

static void show(struct trial *t, enum way way, const struct damage_result *r) {
    if (!t->show || !(r->missing || r->moved || r->unhealed || !r->core_heals || r->tick_differs)) return;
    t->show--;
    fprintf(stderr,
            "%s %s at %zu to %zu by %zu, frames at %zu to %zu: %llu missing, %llu moved by up to %llu, %llu on another "
            "core%s, %llu names%s, %llu unhealed\n",
            t->job.files[t->place.file].name, way_names[way], t->place.from, t->place.to, t->place.len, t->place.first,
            t->place.end, (unsigned long long)r->missing, (unsigned long long)r->moved, (unsigned long long)r->max_move,
            (unsigned long long)r->misplaced, r->core_heals ? "" : " to the end", (unsigned long long)r->metadata,
            r->tick_differs ? ", tick length" : "", (unsigned long long)r->unhealed);
}

static void add(struct trial *t, enum way way, const struct damage_result *r) {
    struct tally *tally = &t->tallies[way];
    size_t bytes = t->place.to - t->place.from;
    if (t->place.len > bytes) bytes = t->place.len;
    tally->trials++;
    tally->bytes += way == CUT ? 1 : bytes;
    tally->lost += r->lost;
    raise(&tally->max_lost, r->lost);
    raise(&tally->max_frames, t->place.frames);
    tally->differs += r->changed > 0;
    tally->differs_unnoticed += r->changed > 0 && t->bad.noticed <= t->good.noticed;
    tally->missing += r->missing > 0;
    tally->moved += r->moved > 0;
    tally->origin += r->origin && !r->moved;
    bool thrown = r->moved_times > MANY || r->max_move > t->pause,
         fits_by_chance = t->good.numbered && r->false_time_accepted;
    tally->thrown += thrown && !fits_by_chance;
    tally->thrown_by_sum += thrown && fits_by_chance;
    raise(&tally->max_missing, r->missing);
    raise(&tally->max_moved, r->moved);
    raise(&tally->max_move, r->max_move);
    tally->core_local += r->misplaced && r->core_heals;
    tally->core_to_end += !r->core_heals;
    tally->tick += r->tick_differs;
    tally->names += r->metadata > r->tick_differs;
    tally->unhealed += r->unhealed > 0;
}

static void try(struct trial *t, enum way way, size_t at, unsigned bit) {
    struct pump_file *file = &t->job.files[t->place.file];
    const struct pump_file whole = { .bytes = t->original };
    struct damage_result result;
    struct tk_probe probe;
    damage(t, way, at, bit);
    if (t->reach) damage_touch_records(&t->good, t->original.len, t->reach, t->longest, &t->place);
    else damage_touch(&whole, t->delimiter, &t->place);
    damage_read(&t->job, &t->bad);
    damage_compare(&t->good, &t->bad, &t->place, &result);
    tk_probe(file->bytes.data, file->bytes.len, NULL, 0, &probe);
    t->tallies[way].unrecognised += way != CUT && !probe.format;
    show(t, way, &result);
    add(t, way, &result);
}

static uint64_t longest_pause(const struct damage_reading *reading) {
    uint64_t pause = 0;
    for (size_t i = 1; i < reading->event_count; i++)
        raise(&pause, reading->events[i].ticks - reading->events[i - 1].ticks);
    return pause;
}

// ---- All trials ----------------------------------------------------------------------------------------------------

// Makes one file the damaged one.
static void choose(struct trial *t, size_t index) {
    struct pump_file *file = &t->job.files[index];
    t->place.file = index;
    t->original = file->bytes;
    file->bytes.data = malloc(t->original.len + 64);
    if (!file->bytes.data) abort();
}

static void free_block(struct trial *t) {
    struct pump_file *file = &t->job.files[t->place.file];
    free(file->bytes.data);
    file->bytes = t->original;
}

static void try_everywhere(struct trial *t) {
    for (size_t at = 0; at < t->original.len; at++) {
        for (unsigned bit = 0; bit < 8; bit++) try(t, FLIP, at, bit);
        for (unsigned way = DROP; way < WAYS; way++)
            for (unsigned bit = 0; bit < 2; bit++) try(t, (enum way)way, at, bit);
    }
}

static void try_some(struct trial *t, uint64_t count) {
    for (uint64_t i = 0; i < count; i++) {
        enum way way = i & 1 ? FLIP : (enum way)(i / 2 % WAYS);
        size_t at = (size_t)random_below(t, t->original.len);
        try(t, way, at, (unsigned)random_below(t, 8));
    }
}

static void try_all(struct trial *t) {
    for (size_t i = 0; i < t->job.file_count; i++)
        if (!t->job.files[i].side) t->total += t->job.files[i].bytes.len;
    for (size_t i = 0; i < t->job.file_count; i++) {
        if (t->job.files[i].side || !t->job.files[i].bytes.len) continue;
        choose(t, i);
        if (t->total * 18 <= t->count) try_everywhere(t);
        else try_some(t, t->count * t->original.len / t->total);
        free_block(t);
    }
}

// ---- Output --------------------------------------------------------------------------------------------------------

static void print_tally(const char *name, const struct tally *t) {
    const struct {
        const char *key;
        uint64_t number;
    } members[] = {
        { "trials", t->trials },
        { "bytes", t->bytes },
        { "lost", t->lost },
        { "maxLost", t->max_lost },
        { "maxFrames", t->max_frames },
        { "differs", t->differs },
        { "differsUnnoticed", t->differs_unnoticed },
        { "missing", t->missing },
        { "moved", t->moved },
        { "origin", t->origin },
        { "thrown", t->thrown },
        { "thrownBySum", t->thrown_by_sum },
        { "maxMissing", t->max_missing },
        { "maxMoved", t->max_moved },
        { "maxMove", t->max_move },
        { "coreLocal", t->core_local },
        { "coreToEnd", t->core_to_end },
        { "tick", t->tick },
        { "names", t->names },
        { "unhealed", t->unhealed },
        { "unrecognised", t->unrecognised },
    };
    printf("\"%s\":{", name);
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        printf("%s\"%s\":%llu", i ? "," : "", members[i].key, (unsigned long long)members[i].number);
    putchar('}');
}

// How the trial finds what a change of the bytes touches; core/formats/FORMAT/format.json contains these words.
static bool choose_way(struct trial *t, const char *word, uint64_t number) {
    if (!strcmp(word, "--delimiter")) t->delimiter = (uint8_t)number;                  // the byte that ends a frame
    else if (!strcmp(word, "--reach")) t->reach = (size_t)number;                      // of formats without frames
    else if (!strcmp(word, "--longest")) t->longest = (size_t)number;                  // longest record; 0: any length
    else if (!strcmp(word, "--numbered")) t->good.numbered = t->bad.numbered = number; // frames have numbers
    else if (!strcmp(word, "--no-times")) t->good.no_times = t->bad.no_times = number; // records have no times
    else if (!strcmp(word, "--has-head")) t->good.has_head = number;                   // other records need the head
    else return false;
    return true;
}

static bool read_arguments(struct trial *t, int argc, char **argv) {
    int at = 1;
    for (; at + 1 < argc && !strncmp(argv[at], "--", 2) && argv[at][2]; at += 2) {
        uint64_t number = strtoull(argv[at + 1], NULL, 10);
        if (!strcmp(argv[at], "--trials")) t->count = number;
        else if (!strcmp(argv[at], "--seed")) t->random ^= number * 0x9E3779B97F4A7C15u;
        else if (!strcmp(argv[at], "--show")) t->show = (unsigned)number;
        else if (!choose_way(t, argv[at], number)) return false;
    }
    return pump_read_job(argc - at, argv + at, &t->job);
}

static int run(int argc, char **argv) {
    static struct trial t;
    t = (struct trial){ .random = 88172645463325252u, .count = 2000, .delimiter = 0 };
    if (!read_arguments(&t, argc, argv)) return 2;
    t.good.by_record = t.bad.by_record = t.reach > 0;
    damage_read(&t.job, &t.good);
    t.pause = longest_pause(&t.good);
    try_all(&t);
    printf("{\"bytes\":%zu,\"events\":%zu,", t.total, t.good.event_count);
    for (unsigned way = 0; way < WAYS; way++) {
        if (way) putchar(',');
        print_tally(way_names[way], &t.tallies[way]);
    }
    puts("}");
    damage_free(&t.good);
    damage_free(&t.bad);
    pump_free_job(&t.job);
    return 0;
}

int main(int argc, char **argv) { return pump_main(argc, argv, run); }
