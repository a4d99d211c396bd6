// SPDX-License-Identifier: MIT
#include "support.h"

#include "lookup/symbol_file.h"
#include "lookup/symbol_reader.h"

static struct heap heap;
static struct tk_alloc alloc;
static struct tk_symbols symbols;

static int reset(void **state) {
    (void)state;
    heap = (struct heap){ 0 };
    alloc = heap_alloc(&heap);
    symbols = (struct tk_symbols){ 0 };
    return 0;
}

static int done(void **state) {
    (void)state;
    tk_alloc_free_all(&alloc);
    assert_int_equal(heap.in_use, 0);
    return 0;
}

static void read_text(const char *text) {
    size_t size = strlen(text), len;
    uint64_t offset;
    struct tk_symbol_reader *reader = tk_symbol_reader_new(TK_SYMBOLS_FOR_LINES, &alloc, "x", 0, size);
    assert_non_null(reader);
    while (tk_symbol_reader_wanted(reader, &offset, &len)) {
        assert_true(offset + len <= size);
        tk_symbol_reader_feed(reader, (const uint8_t *)text + offset, len);
    }
    tk_symbol_reader_finish(reader, &symbols);
}

// "shown+offset [object]" of an address, "-" if unknown.
static const char *at(uint64_t address) {
    static char text[512];
    struct tk_symbol symbol;
    char shown[TK_SHOWN_NAME_LEN];
    if (!tk_symbols_function(&symbols, address, &symbol)) return "-";
    tk_symbols_shown(&symbol, shown);
    snprintf(text, sizeof text, "%s+%d [%.*s]", shown, (int)symbol.offset, (int)symbol.object_len, symbol.object);
    return text;
}

#define GNU_START                                                                                                   \
    "Archive member included to satisfy reference by file (symbol)\n\nDiscarded input sections\n\n .text          " \
    "0x00000000       0x10 lost.o\n\nLinker script and memory map\n\n.text           0x08000140      0x5e4\n "      \
    "*(.text*)\n"

static void map_of_gnu_ld_with_a_section_for_each_function(void **state) {
    (void)state;
    read_text(GNU_START " .text.main     0x08000140       0x20 build/main.o\n"
                        "                0x08000140                main\n"
                        " .text.process  0x08000160       0x10 C:\\work dir\\comm.obj\r\n"
                        " .text.process  0x08000170       0x10 lib/libapp.a(sensor.o)\n"
                        " .text.a_long_name_of_a_static_function\n"
                        "                0x08000180       0x10 build/main.o\n"
                        " *fill*         0x08000190        0x4 \n"
                        " .text._ZN3app5clampEi\n"
                        "                0x08000194        0xc build/main.o\n"
                        "                0x08000194                int app::clamp<int>(int, char*)\n"
                        " .text.unlikely.main\n"
                        "                0x080001a0        0x8 build/main.o\n"
                        " .rodata.table  0x080001a8       0x10 build/main.o\n"
                        "                0x080001a8                __assigned = .\n"
                        "OUTPUT(x.elf elf32-littlearm)\n"
                        " .text.behind   0x08000200       0x20 build/main.o\n");
    assert_string_equal(at(0x08000140), "main+0 [main]");
    assert_string_equal(at(0x0800015F), "main+31 [main]");
    assert_string_equal(at(0x08000164), "comm.process+4 [comm]");
    assert_string_equal(at(0x08000174), "sensor.process+4 [sensor]");
    assert_string_equal(at(0x08000184), "a_long_name_of_a_static_function+4 [main]");
    assert_string_equal(at(0x08000192), "-");
    assert_string_equal(at(0x08000194), "app::clamp<int>+0 [main]");
    assert_string_equal(at(0x080001A4), "main+4 [main]"); // a fragment of the function
    assert_string_equal(at(0x080001A8), "-");
    assert_string_equal(at(0x08000200), "-");
    assert_string_equal(at(0x00000004), "-");
    struct tk_symbol variable;
    assert_true(tk_symbols_variable(&symbols, 0x080001AC, &variable));
    assert_int_equal(variable.offset, 4);
}

static void map_of_gnu_ld_without_sections_reports_missing_statics(void **state) {
    (void)state;
    struct tk_symbol symbol;
    read_text(GNU_START " .text          0x08000140       0x40 main.o\n"
                        "                0x08000150                first\n"
                        "                0x08000160                second\n");
    assert_string_equal(at(0x08000144), "main.<static>+4 [main]");
    assert_string_equal(at(0x08000154), "first+4 [main]");
    assert_string_equal(at(0x0800017F), "second+31 [main]");
    assert_string_equal(at(0x08000180), "-");
    assert_true(tk_symbols_function(&symbols, 0x08000154, &symbol) && symbol.shared);
}

static void map_of_lld(void **state) {
    (void)state;
    read_text("     VMA      LMA     Size Align Out     In      Symbol\n"
              " 8000140  8000140      100     4 .text\n"
              " 8000140  8000140       20     4         main.o:(.text.main)\n"
              " 8000140  8000140        0     1                 $t.0\n"
              " 8000141  8000141       1e     1                 main\n"
              " 8000160  8000160       10     4         obj/libapp.a(tasks.o):(.text._ZN3app3runEv)\n"
              " 8000161  8000161       10     1                 app::run()\n"
              " 8000170  8000170        0     1         . = ALIGN ( 4 )\n"
              "20000000 20000000        4     4         main.o:(.bss.count)\n"
              "20000000 20000000        4     1                 count\n");
    assert_string_equal(at(0x08000140), "main+0 [main]");
    assert_string_equal(at(0x08000141), "main+0 [main]"); // a function pointer as the processor stores it
    assert_string_equal(at(0x0800015E), "-");
    assert_string_equal(at(0x08000164), "app::run+4 [tasks]");
    struct tk_symbol variable;
    assert_true(tk_symbols_variable(&symbols, 0x20000003, &variable));
    assert_int_equal(variable.offset, 3);
    assert_false(tk_symbols_variable(&symbols, 0x20000004, &variable));
}

static void map_of_iar(void **state) {
    (void)state;
    read_text("####\n#\n# IAR ELF Linker V9.10\n#\n*** ENTRY LIST\n***\n\n"
              "Entry                      Address   Size  Type      Object\n"
              "-----                      -------   ----  ----      ------\n"
              "__iar_systems$$module {Abs}\n"
              "                               0x1         Data  Gb  command line/config [2]\n"
              "a_name_that_is_very_long_indeed\n"
              "                        0x800'0141   0x1e  Code  Gb  main.o [1]\n"
              "label                   0x800'0161         Code  Lc  main.o [1]\n"
              "next                    0x800'0171    0x4  Code  Wk  - Linker created -\n"
              "\n[1] = C:\\work\\Obj\n"
              "late                    0x800'0181    0x4  Code  Gb  main.o [1]\n");
    assert_string_equal(at(0x08000140), "a_name_that_is_very_long_indeed+0 [main]");
    assert_string_equal(at(0x0800016E), "label+14 [main]");
    assert_string_equal(at(0x08000172), "next+2 []");
    assert_string_equal(at(0x08000174), "-");
    assert_string_equal(at(0x08000181), "-");
}

static void map_of_armlink(void **state) {
    (void)state;
    read_text("Component: ARM Compiler 5.06 update 7 Tool: armlink [4d3601]\n\n"
              "==============================================================================\n\n"
              "Image Symbol Table\n\n    Local Symbols\n\n"
              "    Symbol Name                              Value     Ov Type        Size  Object(Section)\n\n"
              "    helper                                   0x08000141   Thumb Code    30  main.o(i.helper)\n"
              "    i.helper                                 0x08000140   Section       30  main.o(i.helper)\n"
              "    count                                    0x20000000   Data           4  main.o(.data)\n\n"
              "    Global Symbols\n\n"
              "    a_name_that_is_so_long_that_it_pushes_the_columns 0x08000161   Thumb Code   0  "
              "libapp.a(startup.o)(.text)\n"
              "    main                                     0x08000181   Thumb Code    16  main.o(i.main)\n"
              "==============================================================================\n"
              "    late                                     0x08000191   Thumb Code    16  main.o(i.main)\n");
    assert_string_equal(at(0x0800015C), "helper+28 [main]");
    assert_string_equal(at(0x0800017E), "a_name_that_is_so_long_that_it_pushes_the_columns+30 [libapp.a]");
    assert_string_equal(at(0x08000184), "main+4 [main]");
    assert_string_equal(at(0x08000194), "-");
}

static void a_second_map_adds_the_symbol_to_the_object(void **state) {
    (void)state;
    read_text(GNU_START
              " .text          0x08000140       0x40 main.o\n                0x08000150                first\n");
    read_text("####\n# IAR ELF Linker V9.10\n*** ENTRY LIST\n***\n\nhidden                  0x800'0141   0x10  Code  "
              "Lc  - Linker created -\n");
    assert_string_equal(at(0x08000144), "hidden+4 [main]");
    struct tk_symbol_file_summary summary;
    tk_symbol_file_summary(tk_symbols_next(&symbols, NULL), &summary);
    assert_int_equal(summary.asked, 1);
    assert_int_equal(summary.found, 1);
}

static void a_dismissed_file_is_not_searched(void **state) {
    (void)state;
    read_text(GNU_START " .text.main     0x08000140       0x40 main.o\n");
    struct tk_symbol_file *file = tk_symbols_next(&symbols, NULL);
    assert_true(tk_symbol_file_has_function(file, 0x08000150));
    tk_symbol_file_dismiss(file);
    assert_string_equal(at(0x08000150), "-");
}

static void only_supported_map_files_are_recognised(void **state) {
    (void)state;
    const char *strange[] = {
        "", "x", "\177ELF", "Archive", "main.o", "     VMA      LMA", "####\nhello\n", "Component: ARM Compiler"
    };
    for (size_t i = 0; i < sizeof strange / sizeof *strange; i++)
        assert_int_equal(tk_symbols_probe((const uint8_t *)strange[i], strlen(strange[i])), TK_SYMBOLS_NONE);
    assert_int_equal(tk_symbols_probe((const uint8_t *)"\177ELF\1\1\1\0\0\0\0\0\0\0\0\0", 16), TK_SYMBOLS_ELF);
}

static void demangled_names_are_shortened(void **state) {
    (void)state;
    static const char *const names[][2] = {
        { "main", "main" },
        { "app::run()", "app::run" },
        { "app::run() const", "app::run" },
        { "int app::clamp<int>(int, char*)", "app::clamp<int>" },
        { "(anonymous namespace)::run(int)", "(anonymous namespace)::run" },
        { "std::vector<int, std::allocator<int> >::push_back(int const&)",
          "std::vector<int, std::allocator<int> >::push_back" },
        { "app::operator()(int)", "app::operator()" },
        { "operator new(unsigned int)", "operator new" },
        { "app::run(void (*)(int)) [clone .constprop.0]", "app::run" },
        { "app::run(int) [clone .constprop.0] [clone .isra.0]", "app::run" },
        { "int app::clamp<int>(int) const (.constprop.0.isra.0)", "app::clamp<int>" }, // as LLVM writes it
        { "app::run(int) (.localalias)", "app::run" },
        { "(.part.0)", "(.part.0)" },
        { "_ZN3appL5clampEi.constprop.0.isra.0", "app::clamp" },
        { "_ZN4core3fmt9Formatter3pad17h0123456789abcdefE", "core::fmt::Formatter::pad" },
        { "_Z", "_Z" },
        { "f (i]", "f (i]" }, // unbalanced brackets
        { "f.lto_priv.12", "f" },
        { "f.cold", "f" },
        { ".cold", ".cold" },
        { "f.part", "f.part" },
    };
    struct tk_symbol_file file = { .kind = TK_SYMBOLS_GNU_MAP };
    char shown[TK_SHOWN_NAME_LEN];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct tk_symbol_entry entry = { .name =
                                             tk_symbol_file_add_name(&file, &alloc, names[i][0], strlen(names[i][0])) };
        size_t len = tk_symbol_write_shown(&file, &entry, TK_SHOWN_SHORT, shown);
        assert_string_equal(shown, names[i][1]);
        assert_int_equal(len, strlen(shown));
    }
    tk_alloc_free(&alloc, file.names, file.names_capacity);
}

static void failing_allocations_leak_nothing(void **state) {
    (void)state;
    for (size_t fail = 1;; fail++) {
        heap = (struct heap){ .fail_from = fail };
        alloc = heap_alloc(&heap);
        static const char text[] =
            GNU_START " .text.main     0x08000140       0x40 main.o\n .text.f        0x08000180       0x40 main.o\n";
        struct tk_symbol_reader *reader = tk_symbol_reader_new(TK_SYMBOLS_FOR_LINES, &alloc, "x", 0, sizeof text - 1);
        uint64_t offset;
        size_t len;
        while (tk_symbol_reader_wanted(reader, &offset, &len))
            tk_symbol_reader_feed(reader, (const uint8_t *)text + offset, len);
        if (reader) tk_symbol_reader_finish(reader, &symbols);
        tk_alloc_free_all(&alloc);
        symbols = (struct tk_symbols){ 0 };
        assert_int_equal(heap.in_use, 0);
        if (!alloc.failed) break;
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(map_of_gnu_ld_with_a_section_for_each_function, reset, done),
        cmocka_unit_test_setup_teardown(map_of_gnu_ld_without_sections_reports_missing_statics, reset, done),
        cmocka_unit_test_setup_teardown(map_of_lld, reset, done),
        cmocka_unit_test_setup_teardown(map_of_iar, reset, done),
        cmocka_unit_test_setup_teardown(map_of_armlink, reset, done),
        cmocka_unit_test_setup_teardown(a_second_map_adds_the_symbol_to_the_object, reset, done),
        cmocka_unit_test_setup_teardown(a_dismissed_file_is_not_searched, reset, done),
        cmocka_unit_test_setup_teardown(only_supported_map_files_are_recognised, reset, done),
        cmocka_unit_test_setup_teardown(demangled_names_are_shortened, reset, done),
        cmocka_unit_test_setup_teardown(failing_allocations_leak_nothing, reset, done),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
