// SPDX-License-Identifier: MIT
// The language of CTF's metadata: what is known, and what is refused with its line.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "formats/ctf/read.h"
#include "formats/ctf/tsdl.h"
#include "tonkopf.h"

#define HEAD                                              \
    "/* CTF 1.8 */\n"                                     \
    "typealias integer { size = 8; } := u8;\n"            \
    "trace { major = 1; minor = 8; byte_order = le; };\n" \
    "stream { event.header := struct { u8 id; }; };\n"
#define EVENT(fields) HEAD "event { name = e; id = 1; fields := struct { " fields " }; };\n"

static struct ctf_schema schema;
static struct tsdl_problem problem;

static bool read(const char *text) {
    static struct tk_alloc alloc;
    alloc.realloc = tk_libc_allocator()->realloc;
    ctf_schema_init(&schema, &alloc);
    return tsdl_read(text, strlen(text), &schema, &problem);
}

static void refuses_with_the_line(void **state) {
    static const struct {
        const char *text;
        uint32_t line;
        const char *words;
    } cases[] = {
        { "/* CTF 1.8 */\n\ntypealias integer { size = 65; } := wide;", 3, "an integer has 1 to 64 bits" },
        { "typealias integer { align = 3; size = 8; } := x;", 1, "an alignment must be a power of two, up to 4096" },
        { "\n\nfoo { };", 3, "unknown declaration `foo'" },
        { "struct a { b c; };", 1, "unknown type `b'" },
        { "trace { major = 2; };", 1, "the major version of CTF is not 1" },
        { "clock { freq = 0; };", 1, "the frequency of a clock is 0" },
        { "typealias floating_point { exp_dig = 5; mant_dig = 11; } := half;", 1,
          "floating point numbers have 32 or 64 bits (8 + 24, 11 + 53)" },
        { "typealias integer { size = 8 } := x;", 1, "expected ; `}'" },
        { "typealias integer { color = 8; } := x;", 1, "unknown attribute of an integer `color'" },
        { "typealias enum { a } := x;", 1, "an enumeration without a type needs `int'" },
        { HEAD, 5, "no event is described" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_false(read(cases[i].text));
        assert_string_equal(problem.words, cases[i].words);
        assert_int_equal(problem.line, cases[i].line);
        ctf_schema_free(&schema);
    }
}

static void leaves_out_an_event_that_it_does_not_know(void **state) {
    (void)state;
    assert_true(read(HEAD "event { name = a:\n id = 1; };\nevent { name = b; id = 2;\n fields := struct { u8 x; ;\n"
                          "event { name = c; id = 3; };\n"));
    assert_int_equal(problem.line, 5);
    assert_int_equal(problem.left_out, 2);
    assert_int_equal(schema.class_count, 1);
    assert_true(ctf_text_is(&schema, schema.classes[0].name, "c"));
    ctf_schema_free(&schema);
}

// Nesting is limited, however it is written.
static void limits_nesting(void **state) {
    char text[4096] = HEAD "event { name = e; id = 1; fields := ";
    (void)state;
    for (int i = 0; i < 100; i++) strcat(text, "struct { ");
    assert_true(!read(text) && problem.line);
    ctf_schema_free(&schema);
    strcpy(text, HEAD "typedef u8 t0[2];\n");
    for (int i = 0; i < 40; i++) {
        char line[32];
        snprintf(line, sizeof line, "typedef t%d t%d[2];\n", i, i + 1);
        strcat(text, line);
    }
    assert_false(read(text));
    assert_string_equal(problem.words, "types are nested too deeply");
    ctf_schema_free(&schema);
}

static const struct tk_value *value(const char *text, const uint8_t *bytes, size_t len, enum ctf_verdict expected) {
    static struct ctf_reader reader;
    struct ctf_event event;
    struct ctf_cursor cursor = { .bytes = bytes, .end = len * 8, .limit = UINT64_MAX };
    assert_true(read(text));
    reader = (struct ctf_reader){ .schema = &schema };
    assert_int_equal(ctf_read_event(&reader, &schema.streams[0], &cursor, &event), expected);
    return event.values;
}

static void reads_bit_fields_in_both_byte_orders(void **state) {
    static const uint8_t bytes[] = { 1, 0xA7, 0x5C };
    (void)state;
    const struct tk_value *values = value(EVENT("integer { size = 3; align = 1; byte_order = le; } a;"
                                                "integer { size = 13; align = 1; byte_order = le; } b;"),
                                          bytes, sizeof bytes, CTF_OK);
    assert_int_equal(values[0].number.u, 0xA7 & 7);
    assert_int_equal(values[1].number.u, 0x5CA7 >> 3);
    ctf_schema_free(&schema);
    values = value(EVENT("integer { size = 3; align = 1; byte_order = be; } a;"
                         "integer { size = 13; align = 1; byte_order = be; signed = true; } b;"),
                   bytes, sizeof bytes, CTF_OK);
    assert_int_equal(values[0].number.u, 0xA7 >> 5);
    assert_int_equal(values[1].number.i, 0x075C);
    ctf_schema_free(&schema);
}

static void aligns_from_the_start_of_the_packet(void **state) {
    static const uint8_t bytes[] = { 1, 9, 9, 9, 4, 3, 2, 1 };
    (void)state;
    const struct tk_value *values = value(EVENT("integer { size = 32; align = 32; } a;"), bytes, sizeof bytes, CTF_OK);
    assert_int_equal(values[0].number.u, 0x01020304);
    ctf_schema_free(&schema);
}

static void a_sequence_is_within_the_bytes(void **state) {
    static const uint8_t bytes[] = { 1, 200, 1, 2 };
    (void)state;
    value(EVENT("u8 n; u8 list[n];"), bytes, sizeof bytes, CTF_SHORT);
    ctf_schema_free(&schema);
    value(EVENT("enum : u8 { a = 1 } tag; variant <tag> { u8 a; } v;"), bytes, sizeof bytes, CTF_BAD);
    ctf_schema_free(&schema);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses_with_the_line),
        cmocka_unit_test(leaves_out_an_event_that_it_does_not_know),
        cmocka_unit_test(limits_nesting),
        cmocka_unit_test(reads_bit_fields_in_both_byte_orders),
        cmocka_unit_test(aligns_from_the_start_of_the_packet),
        cmocka_unit_test(a_sequence_is_within_the_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
