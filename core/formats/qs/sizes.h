// SPDX-License-Identifier: MIT
//
// The widths of fields, which records do not contain: from the target's own record, from options, or inferred.
#ifndef TK_FORMATS_QS_SIZES_H
#define TK_FORMATS_QS_SIZES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../lookup/lookup.h"

enum qs_size { QS_TIME, QS_OBJECT, QS_FUNCTION, QS_SIGNAL, QS_EVENT, QS_QUEUE, QS_POOL, QS_TIMER, QS_SIZES };
enum qs_lookup {
    QS_LOOKUP_ENUM = TK_LOOKUP_OF_FORMAT,
    QS_LOOKUP_SIGNAL,
    QS_LOOKUP_SIZE,
    QS_LOOKUP_VERSION
}; // data of side inputs other than names
enum qs_origin {
    QS_ASSUMED,
    QS_INFERRED,
    QS_IMPORTED,
    QS_FROM_TARGET,
    QS_GIVEN
}; // IMPORTED: from a side input; FROM_TARGET: sent by the target; GIVEN: set by the user

struct qs_config {
    uint8_t size[QS_SIZES];
    uint8_t origin[QS_SIZES];
    uint16_t version;                  // 740 = 7.4.0
    bool version_known, version_given; // sent by the target; set by the user
};

struct qs_target_info {
    uint32_t version, date;
    uint8_t framework, max_objects, max_pools, max_rates, pool_block_size;
    bool reset, big_endian;
    uint8_t size[QS_SIZES]; // 0: not configured
    uint8_t build[6];       // second, minute, hour, day, month, year
};

enum { QS_PREDEFINED = 100, QS_LENGTHS = 64 };

// How often each pair of record and payload length occurred in intact frames.
struct qs_histogram {
    uint32_t count[QS_PREDEFINED][QS_LENGTHS], total[QS_PREDEFINED];
    uint64_t users, long_54, frames, user_70;
};

// Keys of the options for the sizes.
extern const char *const qs_size_keys[QS_SIZES];

void qs_config_default(struct qs_config *config);
bool qs_target_info_read(const uint8_t *payload, size_t len, struct qs_target_info *out_info);
// Takes the sizes that the target sent, except those that the user set.
void qs_config_take(struct qs_config *config, const struct qs_target_info *info);
// Takes the sizes that a target sent in a side input, except those that the user set.
void qs_config_import(struct qs_config *config, const struct tk_lookup *lookup);
void qs_config_export(const struct qs_config *config, struct tk_alloc *alloc, struct tk_lookup *to);
void qs_histogram_add(struct qs_histogram *histogram, uint8_t record, const uint8_t *payload, size_t len);
// Infers the sizes with which most frames have the length of their layout. Sizes that occur in no record stay assumed.
void qs_config_infer(struct qs_config *config, const struct qs_histogram *histogram);
// Counts the frames of fixed layout, and those of them whose length fits.
void qs_config_fit(const struct qs_config *config, const struct qs_histogram *histogram, uint64_t *out_known,
                   uint64_t *out_fit);

#endif
