// SPDX-License-Identifier: MIT
#include "support.h"

#include "lookup/demangle.h"

// The texts are those of `c++filt -p`.
static void names_are_those_of_the_compiler_tools(void **state) {
    (void)state;
    static const char *const names[][2] = {
        { "_ZN3app5clampIiEET_S1_S1_", "app::clamp<int>" },
        { "_ZN3app5clampIyEET_S1_S1_", "app::clamp<unsigned long long>" },
        { "_ZNSt6vectorIS_IiSaIiEESaIS1_EE9push_backEv",
          "std::vector<std::vector<int, std::allocator<int> >, std::allocator<std::vector<int, std::allocator<int> > > "
          ">::push_back" },
        { "_ZNSsC1ERKSs", "std::basic_string<char, std::char_traits<char>, std::allocator<char> >::basic_string" },
        { "_ZN1AIiED0Ev", "A<int>::~A" },
        { "_ZN1AcvT_IiEEv", "A::operator int<int>" },
        { "_Zli2_xy", "operator\"\" _x" },
        { "_ZN1A1fB5cxx11Ev", "A::f[abi:cxx11]" },
        { "_ZN12_GLOBAL__N_13runEv", "(anonymous namespace)::run" },
        { "_ZZ4mainE3foo_0", "main::foo" },
        { "_ZZN3app3runEiENUlvE_clEv", "app::run(int)::{lambda()#1}::operator()" },
        { "_ZZNK1A3barIiEEvT_ENKUlT_E_clIcEEDaS2_", "A::bar<int>(int) const::{lambda(auto:1)#1}::operator()<char>" },
        { "_ZN3foo3barIZNS_3bazEvEUlvE_EEvT_", "foo::bar<foo::baz()::{lambda()#1}>" },
        { "_ZThn8_N1A1fEv", "non-virtual thunk to A::f()" },
        { "_ZGVZ3foovE1x", "guard variable for foo()::x" },
        { "_Z1fILin3ELj3ELm5ELb1ELc120EEvv", "f<-3, 3u, 5ul, true, (char)120>" },
        { "_Z1fIL5Color1EEvv", "f<(Color)1>" },
        { "_Z1fIXadL_Z3fooiEEEvv", "f<&(foo(int))>" },
        { "_Z1fIXadL_ZN1A3barEvEEEvv", "f<&A::bar>" },
        { "_Z1fIXplLi1ELi2EEEvv", "f<(1)+(2)>" },
        { "_Z1fIXsrSt7is_sameIiiE5valueEEvv", "f<std::is_same<int, int>::value>" },
        { "_Z1fIPFivEEvT_", "f<int (*)()>" },
        { "_Z1fIPFPFivEvEEvv", "f<int (*(*)())()>" },
        { "_Z1fIM1AKFivEEvT_", "f<int (A::*)() const>" },
        { "_Z1fIA2_A3_iEvv", "f<int [2][3]>" },
        { "_Z1fIPKcVPVKdEvv", "f<char const*, double const volatile* volatile>" },
        { "_Z1fIJidcEEvDpT_", "f<int, double, char>" },
        { "_Z1fIJEEvDpT_", "f<>" },
        { "_ZltIiEbT_S0_", "operator< <int>" },
        { "_ZN4core3fmt9Formatter3pad17h0123456789abcdefE", "core::fmt::Formatter::pad::h0123456789abcdef" },
    };
    char text[256];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t len = tk_demangle(names[i][0], strlen(names[i][0]), text, sizeof text);
        assert_string_equal(text, names[i][1]);
        assert_int_equal(len, strlen(text));
    }
}

static void a_suffix_of_the_compiler_is_left_out(void **state) {
    (void)state;
    char text[32];
    assert_int_equal(tk_demangle("_ZN3app3runEi.localalias", 24, text, sizeof text), 8);
    assert_string_equal(text, "app::run");
}

static void other_symbols_are_refused(void **state) {
    (void)state;
    static const char *const names[] = { "",          "_Z",          "main",          "_ZN3app",
                                         "_ZN3appE_", "_Z9short",    "_ZNS_1fE",      "_Z1fIT9_Ev",
                                         "_Z1fS9_v",  "_R1f1g_hash", "_Z99999999999f" };
    char text[64];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_int_equal(tk_demangle(names[i], strlen(names[i]), text, sizeof text), 0);
}

// Every beginning of a symbol is a symbol that ends too early or another one.
static void cut_symbols_are_no_trap(void **state) {
    (void)state;
    static const char name[] = "_ZN3fooIXplLi1ELi2EEJidEE3barIZNS_3bazEvEUlvE_PFivEEEDTclL_Z1gvEEET_M1AKFvDpT0_E";
    char text[64];
    for (size_t len = 0; len < sizeof name; len++) {
        char *cut = malloc(len ? len : 1); // exactly as long, so that a sanitizer sees each byte beyond it
        memcpy(cut, name, len);
        assert_true(tk_demangle(cut, len, text, sizeof text) < sizeof text);
        free(cut);
    }
}

static void a_long_name_is_cut(void **state) {
    (void)state;
    char text[8];
    assert_int_equal(tk_demangle("_ZN11application3runEv", 22, text, sizeof text), 7);
    assert_string_equal(text, "applica");
}

static size_t repeat(char *to, const char *text, unsigned times) {
    size_t len = strlen(text);
    for (unsigned i = 0; i < times; i++) memcpy(to + i * len, text, len);
    return len * times;
}

// Levels of nesting that would overflow the stack.
static void hostile_levels_are_bounded(void **state) {
    (void)state;
    static const char *const levels[] = {
        "P", "K", "F", "A_", "N", "Z", "M1A", "1aI", "Dp", "XadL_Z", "Xsr1aI", "Xng"
    };
    char name[4096] = "_Z1fI", text[64];
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
        size_t len = 5 + repeat(name + 5, levels[i], 600);
        assert_int_equal(tk_demangle(name, len, text, sizeof text), 0);
    }
}

// Each type contains the one before it twice: the whole text would have 2^60 bytes.
static void hostile_substitutions_are_bounded(void **state) {
    (void)state;
    char name[1024], text[512];
    size_t len = (size_t)snprintf(name, sizeof name, "_Z1fI1aI1xE");
    for (unsigned i = 0; i < 60; i++) {
        unsigned sub = 2 * i + 1; // after the template and the type before it
        char digits[8] = "";
        if (sub > 36)
            snprintf(digits, sizeof digits, "%c%c", "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[(sub - 1) / 36],
                     "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[(sub - 1) % 36]);
        else if (sub) snprintf(digits, sizeof digits, "%c", "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[sub - 1]);
        len += (size_t)snprintf(name + len, sizeof name - len, "1bIS%s_S%s_E", digits, digits);
    }
    len += (size_t)snprintf(name + len, sizeof name - len, "Evv");
    size_t written = tk_demangle(name, len, text, sizeof text);
    assert_int_equal(written, sizeof text - 1);
    assert_memory_equal(text, "f<a<x>, b<", 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_those_of_the_compiler_tools),
        cmocka_unit_test(a_suffix_of_the_compiler_is_left_out),
        cmocka_unit_test(other_symbols_are_refused),
        cmocka_unit_test(cut_symbols_are_no_trap),
        cmocka_unit_test(a_long_name_is_cut),
        cmocka_unit_test(hostile_levels_are_bounded),
        cmocka_unit_test(hostile_substitutions_are_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
