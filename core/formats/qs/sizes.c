// SPDX-License-Identifier: MIT
#include "sizes.h"

#include <string.h>

#include "decode.h"

static const uint8_t defaults[QS_SIZES] = { 4, 4, 4, 2, 2, 1, 2, 4 };

const char *const qs_size_keys[QS_SIZES] = {
    [QS_TIME] = "size-time",     [QS_OBJECT] = "size-object", [QS_FUNCTION] = "size-function",
    [QS_SIGNAL] = "size-signal", [QS_EVENT] = "size-event",   [QS_QUEUE] = "size-queue",
    [QS_POOL] = "size-pool",     [QS_TIMER] = "size-timer"
};

void qs_config_default(struct qs_config *config) {
    memset(config, 0, sizeof *config);
    memcpy(config->size, defaults, sizeof defaults);
    config->version = 730;
}

// ---- What the target says ----------------------------------------------------------------------

static bool is_legal(uint8_t size, enum qs_size which) {
    bool may_be_missing = which == QS_QUEUE || which == QS_POOL, pointer = which == QS_OBJECT || which == QS_FUNCTION;
    return size == 1 || size == 2 || size == 4 || (size == 8 && pointer) || (!size && may_be_missing);
}

static uint32_t read_number(const uint8_t *at, size_t len) {
    uint32_t value = 0;
    while (len--) value = value << 8 | at[len];
    return value;
}

bool qs_target_info_read(const uint8_t *payload, size_t len, struct qs_target_info *out_info) {
    bool is_new = len && (payload[0] & 3) == 2;
    if (len != (is_new ? 18 : 16)) return false;
    struct qs_target_info info = { 0 };
    const uint8_t *b = payload + len - 13;
    if (is_new) {
        uint32_t both = ~read_number(payload + 1, 4);
        info.version = both % 10000;
        info.date = both / 10000;
        info.framework = payload[0] >> 2 & 3;
        info.reset = payload[0] >> 6 & 1;
        info.big_endian = payload[0] >> 7;
    } else {
        uint32_t both = read_number(payload + 1, 2);
        info.version = both & 0x7FFF;
        info.big_endian = both >> 15;
        info.reset = payload[0] & 1;
    }
    const uint8_t sizes[QS_SIZES] = {
        [QS_TIME] = b[4] & 15,  [QS_OBJECT] = b[3] & 15, [QS_FUNCTION] = b[3] >> 4, [QS_SIGNAL] = b[0] & 15,
        [QS_EVENT] = b[0] >> 4, [QS_QUEUE] = b[1] & 15,  [QS_POOL] = b[2] >> 4,     [QS_TIMER] = b[1] >> 4
    };
    for (unsigned i = 0; i < QS_SIZES; i++)
        if (!is_legal(sizes[i], (enum qs_size)i)) return false;
    memcpy(info.size, sizes, sizeof sizes);
    info.pool_block_size = b[2] & 15;
    info.max_objects = b[5];
    info.max_pools = b[6] & 15;
    info.max_rates = b[6] >> 4;
    memcpy(info.build, b + 7, 6);
    *out_info = info;
    return true;
}

void qs_config_take(struct qs_config *config, const struct qs_target_info *info) {
    for (unsigned i = 0; i < QS_SIZES; i++) {
        if (config->origin[i] == QS_GIVEN || !info->size[i]) continue;
        config->size[i] = info->size[i];
        config->origin[i] = QS_FROM_TARGET;
    }
    if (config->version_given) return;
    config->version = (uint16_t)info->version;
    config->version_known = true;
}

void qs_config_import(struct qs_config *config, const struct tk_lookup *lookup) {
    uint64_t number;
    for (unsigned i = 0; i < QS_SIZES; i++) {
        if (config->origin[i] == QS_GIVEN ||
            !tk_lookup_number(lookup, (struct tk_lookup_key){ .space = QS_LOOKUP_SIZE, .id = i }, &number))
            continue;
        config->size[i] = (uint8_t)number;
        config->origin[i] = QS_IMPORTED;
    }
    if (config->version_given ||
        !tk_lookup_number(lookup, (struct tk_lookup_key){ .space = QS_LOOKUP_VERSION }, &number))
        return;
    config->version = (uint16_t)number;
    config->version_known = true;
}

void qs_config_export(const struct qs_config *config, struct tk_alloc *alloc, struct tk_lookup *to) {
    for (unsigned i = 0; i < QS_SIZES; i++)
        if (config->origin[i] == QS_FROM_TARGET)
            tk_lookup_add(to, alloc,
                          &(struct tk_lookup_entry){ .key = { .space = QS_LOOKUP_SIZE, .id = i },
                                                     .number = config->size[i] },
                          NULL, 0);
    if (config->version_known)
        tk_lookup_add(to, alloc,
                      &(struct tk_lookup_entry){ .key = { .space = QS_LOOKUP_VERSION }, .number = config->version },
                      NULL, 0);
}

// ---- Inference ---------------------------------------------------------------------------------

void qs_histogram_add(struct qs_histogram *histogram, uint8_t record, const uint8_t *payload, size_t len) {
    histogram->frames++;
    if (record >= QS_PREDEFINED) {
        histogram->users++;
        return;
    }
    histogram->total[record]++;
    if (len < QS_LENGTHS) histogram->count[record][len]++;
    if (record == 70 && len) histogram->user_70++;
    if (record == 54 && len && payload[len - 1]) histogram->long_54++;
}

// A layout as a sum: its fixed bytes, and the number of fields of each size.
struct shape {
    uint8_t record, fixed, times[QS_SIZES];
};

static bool shape_of(uint8_t record, uint16_t version, struct shape *out_shape) {
    static const char letters[] = "TOFSEQPC";
    const char *fields = qs_record_fields(record, version);
    if (!fields) return false;
    *out_shape = (struct shape){ .record = record };
    for (; *fields; fields += strlen(fields) + 1) {
        const char *letter = memchr(letters, *fields, QS_SIZES);
        if (letter) out_shape->times[letter - letters]++;
        else if (*fields == '1' || *fields == '2' || *fields == '4')
            out_shape->fixed = (uint8_t)(out_shape->fixed + (*fields - '0'));
        else return false;
    }
    return true;
}

static unsigned collect_shapes(const struct qs_histogram *histogram, uint16_t version, struct shape *out_shapes) {
    unsigned count = 0;
    for (unsigned record = 1; record < QS_PREDEFINED; record++)
        if (histogram->total[record] && shape_of((uint8_t)record, version, &out_shapes[count])) count++;
    return count;
}

static size_t shape_len(const struct shape *shape, const uint8_t *sizes) {
    size_t len = shape->fixed;
    for (unsigned i = 0; i < QS_SIZES; i++) len += (size_t)shape->times[i] * sizes[i];
    return len;
}

static uint64_t fits(const struct qs_histogram *histogram, const struct shape *shapes, unsigned count,
                     const uint8_t *sizes) {
    uint64_t sum = 0;
    for (unsigned i = 0; i < count; i++) {
        size_t len = shape_len(&shapes[i], sizes);
        if (len < QS_LENGTHS) sum += histogram->count[shapes[i].record][len];
    }
    return sum;
}

static unsigned like_defaults(const uint8_t *sizes) {
    unsigned same = 0;
    for (unsigned i = 0; i < QS_SIZES; i++) same += sizes[i] == defaults[i];
    return same;
}

// The search for the sizes that fit most records. It chooses one size after the other, and counts the frames of a
// record as soon as the sizes of all its fields are chosen. Levels are the sizes in `search_order`.
static const uint8_t search_order[QS_SIZES] = { QS_TIME,  QS_OBJECT, QS_SIGNAL, QS_EVENT,
                                                QS_QUEUE, QS_TIMER,  QS_POOL,   QS_FUNCTION };

struct search {
    const struct qs_histogram *histogram;
    struct shape shapes[QS_PREDEFINED]; // by the level at which their last size is chosen
    unsigned begin[QS_SIZES + 2];       // of the shapes of a level; level 0: the shapes without an open size
    uint64_t most_after[QS_SIZES + 1];  // upper limit of the frames that fit by the sizes chosen after a level
    bool open[QS_SIZES];                // the search chooses this size
    uint8_t sizes[QS_SIZES], best[QS_SIZES];
    uint64_t most; // frames that fit `best`
};

// Of several combinations that fit equally many frames: the one with most defaults, of these the one with the smallest
// last sizes.
static bool is_preferred(const uint8_t *sizes, const uint8_t *to) {
    unsigned same = like_defaults(sizes), same_to = like_defaults(to);
    if (same != same_to) return same > same_to;
    for (unsigned i = QS_SIZES; i--;)
        if (sizes[i] != to[i]) return sizes[i] < to[i];
    return false;
}

static void search_level(struct search *search, unsigned level, uint64_t sum) {
    const struct shape *shapes = &search->shapes[search->begin[level]];
    sum += fits(search->histogram, shapes, search->begin[level + 1] - search->begin[level], search->sizes);
    if (sum + search->most_after[level] < search->most) return;
    if (level == QS_SIZES) {
        if (sum == search->most && !is_preferred(search->sizes, search->best)) return;
        search->most = sum;
        memcpy(search->best, search->sizes, sizeof search->best);
        return;
    }
    unsigned i = search_order[level], largest = i == QS_OBJECT || i == QS_FUNCTION ? 8 : 4;
    if (!search->open[i]) {
        search_level(search, level + 1, sum);
        return;
    }
    for (unsigned size = 1; size <= largest; size *= 2) {
        search->sizes[i] = (uint8_t)size;
        search_level(search, level + 1, sum);
    }
}

static unsigned level_of(const struct search *search, const struct shape *shape) {
    unsigned level = QS_SIZES;
    while (level && !(search->open[search_order[level - 1]] && shape->times[search_order[level - 1]])) level--;
    return level;
}

static void assign_levels(struct search *search, const struct shape *shapes, unsigned count) {
    unsigned assigned = 0;
    for (unsigned level = 0; level <= QS_SIZES; level++) {
        search->begin[level] = assigned;
        for (unsigned i = 0; i < count; i++) {
            if (level_of(search, &shapes[i]) != level) continue;
            search->shapes[assigned++] = shapes[i];
            const uint32_t *counts = search->histogram->count[shapes[i].record];
            uint32_t most = 0;
            for (unsigned len = 0; len < QS_LENGTHS; len++)
                if (counts[len] > most) most = counts[len];
            for (unsigned before = 0; before < level; before++) search->most_after[before] += most;
        }
    }
    search->begin[QS_SIZES + 1] = assigned;
}

static void infer_version(struct qs_config *config, const struct qs_histogram *histogram) {
    if (config->version_known || config->version_given) return;
    if (histogram->user_70 && !histogram->users) config->version = 650;
    else if (histogram->long_54) config->version = 710;
}

void qs_config_infer(struct qs_config *config, const struct qs_histogram *histogram) {
    struct shape shapes[QS_PREDEFINED];
    struct search search = { .histogram = histogram };
    infer_version(config, histogram);
    unsigned count = collect_shapes(histogram, config->version, shapes);
    for (unsigned i = 0; i < QS_SIZES; i++) {
        if (config->origin[i] == QS_GIVEN) continue;
        for (unsigned j = 0; j < count; j++) search.open[i] |= shapes[j].times[i] > 0;
        config->size[i] = defaults[i];
        config->origin[i] = search.open[i] ? QS_INFERRED : QS_ASSUMED;
    }
    assign_levels(&search, shapes, count);
    memcpy(search.sizes, config->size, sizeof search.sizes);
    memcpy(search.best, config->size, sizeof search.best);
    search.most = fits(histogram, shapes, count, search.best);
    search_level(&search, 0, 0);
    memcpy(config->size, search.best, sizeof search.best);
}

void qs_config_fit(const struct qs_config *config, const struct qs_histogram *histogram, uint64_t *out_known,
                   uint64_t *out_fit) {
    struct shape shapes[QS_PREDEFINED];
    unsigned count = collect_shapes(histogram, config->version, shapes);
    *out_known = 0;
    for (unsigned i = 0; i < count; i++) *out_known += histogram->total[shapes[i].record];
    *out_fit = fits(histogram, shapes, count, config->size);
}
