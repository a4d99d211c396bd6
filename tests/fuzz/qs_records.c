// SPDX-License-Identifier: MIT
//
// One QS record. Byte 0: sizes; 1: version; then records, each with its length and number. Fields must be inside the
// record and cover it; inferred sizes must be valid.
#include <string.h>

#include "common/check.h"
#include "common/heap.h"
#include "common/take.h"
#include "formats/qs/decode.h"

static const struct qs_layouts *layouts;
static struct qs_histogram histogram;
static struct qs_record record;

// Building layouts takes longer than anything else here, so each is built once.
static void choose_layouts(unsigned sizes, unsigned version) {
    static const uint16_t versions[] = {
        500, 610, 650, 660, 690, 700, 710, 720, 730, 740, 800, 810, 9999, 0, 620, 735
    };
    static struct qs_layouts built[32][16];
    static bool ready[32][16];
    struct qs_config config;
    layouts = &built[sizes][version];
    if (ready[sizes][version]) return;
    ready[sizes][version] = true;
    qs_config_default(&config);
    for (unsigned i = 0; i < QS_SIZES; i++) {
        bool pointer = i == QS_OBJECT || i == QS_FUNCTION;
        if (sizes) config.size[i] = (uint8_t)(1u << ((sizes + i * (sizes >> 2)) % (pointer ? 4 : 3)));
    }
    config.version = versions[version];
    config.version_given = true;
    qs_layouts_build(&built[sizes][version], &config);
}

static void check_fields(const uint8_t *payload, size_t len, enum qs_verdict verdict) {
    check(record.count <= QS_MAX_FIELDS);
    for (unsigned i = 0; i < record.count; i++) {
        struct qs_field room;
        const struct qs_field *field = qs_field_of(&record, i, &room);
        check(field->info->name && qs_words(field->info->name));
        if (field->info->type != QS_TEXT && field->info->type != QS_MEMORY && field->info->type != QS_WORDS) continue;
        check(field->bytes >= payload && field->bytes + field->len <= payload + len);
        check(field->info->type != QS_WORDS || (field->object && field->len % field->object == 0));
    }
    check(verdict == QS_UNKNOWN || record.user || (record.layout && record.layout->meaning));
}

static void check_record(uint8_t id, const uint8_t *bytes, size_t len) {
    uint8_t padded[256 + QS_SLACK] = { 0 }; // bytes after the payload that may be read
    memcpy(padded, bytes, len);
    unsigned char *payload = heap_copy(padded, len + QS_SLACK);
    enum qs_verdict verdict = qs_decode(layouts, id, payload, len, &record);
    check_fields(payload, len, verdict);
    const struct qs_layout *layout = id < QS_PREDEFINED && id < layouts->first_user ? &layouts->of[id] : NULL;
    if (layout && layout->meaning && layout->fixed != 0xFF)
        check(verdict == (len == layout->fixed ? QS_OK : len < layout->fixed ? QS_SHORT : QS_LONG));
    struct qs_target_info info;
    if (id == 64 && qs_target_info_read(payload, len, &info)) {
        struct qs_config config;
        qs_config_default(&config);
        qs_config_take(&config, &info);
        for (unsigned i = 0; i < QS_SIZES; i++) check(config.size[i] && config.size[i] <= 8);
    }
    qs_histogram_add(&histogram, id, payload, len);
}

// Tries many sizes, which is slow, so only certain inputs do it.
static void check_inference(void) {
    struct qs_config config;
    uint64_t known, fit;
    qs_config_default(&config);
    config.origin[QS_QUEUE] = config.origin[QS_POOL] = config.origin[QS_EVENT] = config.origin[QS_TIMER] =
        config.origin[QS_SIGNAL] = QS_GIVEN;
    qs_config_infer(&config, &histogram);
    for (unsigned i = 0; i < QS_SIZES; i++)
        check(config.size[i] && config.size[i] <= 8 && !(config.size[i] & (config.size[i] - 1)));
    qs_config_fit(&config, &histogram, &known, &fit);
    check(fit <= known && known <= histogram.frames);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len) {
    struct take from = { data, data + len };
    unsigned sizes = take_byte(&from), version = take_byte(&from);
    bool infer = sizes == 0xFF;
    choose_layouts(sizes % 32, version % 16);
    if (infer) memset(&histogram, 0, sizeof histogram);
    for (unsigned i = 0; i < 16 && take_left(&from); i++) {
        size_t payload_len = take_byte(&from);
        uint8_t id = (uint8_t)take_byte(&from);
        const uint8_t *payload = take_bytes(&from, payload_len, &payload_len);
        check_record(id, payload, payload_len);
    }
    if (infer) check_inference();
    heap_reset();
    return 0;
}
