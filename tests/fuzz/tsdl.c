// SPDX-License-Identifier: MIT
//
// A description in TSDL, and a stream that is read with it. Two bytes: length of the description. Types must stay
// within their limits, and every event must be inside of the bytes and have at least a bit.
#include "common/check.h"
#include "common/heap.h"
#include "common/take.h"
#include "formats/ctf/read.h"
#include "formats/ctf/tsdl.h"

static void check_schema(const struct ctf_schema *schema) {
    for (uint32_t i = 0; i < schema->type_count; i++) {
        const struct ctf_type *type = &schema->types[i];
        check(type->depth <= CTF_MAX_DEPTH + 1 && type->align && !(type->align & (type->align - 1)));
        check(type->order != CTF_NATIVE);
        if (type->kind == CTF_ARRAY || type->kind == CTF_SEQUENCE) check(type->element && type->element <= i);
        if (type->kind == CTF_STRUCT || type->kind == CTF_VARIANT)
            for (uint32_t n = 0; n < type->count; n++) {
                uint32_t field = schema->fields[type->first + n].type;
                check(field && field <= schema->type_count && schema->types[field - 1].depth < type->depth);
            }
    }
    for (uint32_t i = 0; i < schema->class_count; i++) {
        const struct ctf_class *class = &schema->classes[i];
        for (uint32_t n = 0; class->is_flat && n < class->slot_count; n++) {
            const struct ctf_slot *slot = &schema->slots[class->slots + n];
            check(slot->at + slot->size <= class->len);
        }
    }
}

static void read_events(const struct ctf_schema *schema, const uint8_t *bytes, size_t len) {
    static struct ctf_reader reader;
    static volatile unsigned seen;
    reader = (struct ctf_reader){ .schema = schema };
    struct ctf_cursor cursor = { .bytes = bytes, .end = len * UINT64_C(8), .limit = UINT64_MAX };
    struct ctf_event event;
    struct tk_value values[CTF_VALUES];
    ctf_begin_header(&reader);
    ctf_end_header(&reader);
    for (unsigned i = 0; i < 1000 && cursor.at < cursor.end; i++) {
        uint64_t from = cursor.at;
        if (ctf_read_event(&reader, &schema->streams[0], &cursor, &event) != CTF_OK) return;
        check(cursor.at > from && cursor.at <= cursor.end && event.len == cursor.at - from);
        uint32_t count = ctf_values_of(&reader, &event, values);
        check(count <= CTF_VALUES);
        for (uint32_t n = 0; n < count; n++) {
            if (values[n].type == TK_VALUE_GROUP || values[n].type == TK_VALUE_LIST)
                check(values[n].number.u < count - n);
            for (uint32_t at = 0; values[n].type == TK_VALUE_TEXT && at < values[n].text_len; at++)
                seen += (unsigned char)values[n].text[at]; // reads it
        }
        ctf_names_are_valid(schema, &event);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len) {
    struct take from = { data, data + len };
    size_t text_len = take_byte(&from), rest;
    text_len |= (size_t)take_byte(&from) << 8;
    const uint8_t *text = take_bytes(&from, text_len, &text_len), *stream = take_bytes(&from, SIZE_MAX, &rest);
    unsigned char *copy = heap_copy(text, text_len);
    struct tk_alloc alloc = heap_alloc();
    struct ctf_schema schema;
    struct tsdl_problem problem;
    tsdl_is(copy, text_len);
    size_t unpacked = tsdl_unpack(copy, text_len);
    check(unpacked <= text_len);
    ctf_schema_init(&schema, &alloc);
    bool ok = tsdl_read((const char *)copy, unpacked, &schema, &problem);
    check(ok || problem.line);
    if (ok) check_schema(&schema);
    heap_drop(copy, text_len);
    copy = heap_copy(stream, rest);
    if (ok) read_events(&schema, copy, rest);
    heap_drop(copy, rest);
    ctf_schema_free(&schema);
    heap_reset();
    return 0;
}
