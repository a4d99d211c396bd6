// SPDX-License-Identifier: MIT
//
// Expressions of the Itanium C++ ABI: in template arguments, array bounds and decltype.
#include <string.h>

#include "demangle_tree.h"

enum { NAME_ONLY, PREFIX, BINARY };

static const struct tk_operator operators[] = {
    { "aN", BINARY, "&=" },        { "aS", BINARY, "=" },           { "aa", BINARY, "&&" },
    { "ad", PREFIX, "&" },         { "an", BINARY, "&" },           { "aw", PREFIX, "co_await" },
    { "cl", NAME_ONLY, "()" },     { "cm", BINARY, "," },           { "co", PREFIX, "~" },
    { "dV", BINARY, "/=" },        { "da", NAME_ONLY, "delete[]" }, { "de", PREFIX, "*" },
    { "dl", NAME_ONLY, "delete" }, { "ds", BINARY, ".*" },          { "dv", BINARY, "/" },
    { "eO", BINARY, "^=" },        { "eo", BINARY, "^" },           { "eq", BINARY, "==" },
    { "ge", BINARY, ">=" },        { "gt", BINARY, ">" },           { "ix", NAME_ONLY, "[]" },
    { "lS", BINARY, "<<=" },       { "le", BINARY, "<=" },          { "ls", BINARY, "<<" },
    { "lt", BINARY, "<" },         { "mI", BINARY, "-=" },          { "mL", BINARY, "*=" },
    { "mi", BINARY, "-" },         { "ml", BINARY, "*" },           { "mm", PREFIX, "--" },
    { "na", NAME_ONLY, "new[]" },  { "ne", BINARY, "!=" },          { "ng", PREFIX, "-" },
    { "nt", PREFIX, "!" },         { "nw", NAME_ONLY, "new" },      { "oR", BINARY, "|=" },
    { "oo", BINARY, "||" },        { "or", BINARY, "|" },           { "pL", BINARY, "+=" },
    { "pl", BINARY, "+" },         { "pm", BINARY, "->*" },         { "pp", PREFIX, "++" },
    { "ps", PREFIX, "+" },         { "pt", NAME_ONLY, "->" },       { "rM", BINARY, "%=" },
    { "rS", BINARY, ">>=" },       { "rm", BINARY, "%" },           { "rs", BINARY, ">>" },
    { "ss", BINARY, "<=>" },
};

const struct tk_operator *tk_mangled_operator(const struct tk_mangled *m) {
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (tk_mangled_peek(m, 0) == operators[i].code[0] && tk_mangled_peek(m, 1) == operators[i].code[1])
            return &operators[i];
    return NULL;
}

// ---- Literals ------------------------------------------------------------------------------------

// Integers have a suffix instead of a type in brackets.
static bool is_integer(char type) { return type && strchr("bijlmxy", type); }

static tk_node_id value_of(struct tk_mangled *m, tk_node_id type, char code) {
    const char *from = m->at;
    while (m->at < m->end && *m->at != 'E') m->at++;
    struct tk_node node = { .kind = code ? TK_NODE_NUMBER : TK_NODE_LITERAL,
                            .text = from,
                            .len = (uint16_t)(m->at - from),
                            .number = (uint8_t)code,
                            .a = type };
    return tk_mangled_skip(m, "E") ? tk_mangled_add(m, node) : 0;
}

tk_node_id tk_mangled_literal(struct tk_mangled *m) {
    if (!tk_mangled_skip(m, "L")) return 0;
    if (tk_mangled_skip(m, "_Z") || tk_mangled_skip(m, "Z")) {
        tk_node_id encoding = tk_mangled_encoding(m);
        return tk_mangled_skip(m, "E") ? encoding : 0;
    }
    char code = tk_mangled_peek(m, 0);
    tk_node_id type = tk_mangled_type(m);
    return type ? value_of(m, type, is_integer(code) ? code : 0) : 0;
}

// ---- Names in expressions ------------------------------------------------------------------------

static tk_node_id with_optional_arguments(struct tk_mangled *m, tk_node_id name) {
    return name && tk_mangled_peek(m, 0) == 'I' ? tk_mangled_with_arguments(m, name) : name;
}

static tk_node_id simple_name(struct tk_mangled *m) {
    if (tk_mangled_skip(m, "dn")) {
        tk_node_id name = with_optional_arguments(m, tk_mangled_source_name(m));
        return name ? tk_mangled_text(m, TK_NODE_PREFIX, "~", name, 0) : 0;
    }
    tk_mangled_skip(m, "on");
    return with_optional_arguments(m, tk_mangled_unqualified(m));
}

static tk_node_id nested(struct tk_mangled *m, tk_node_id scope, tk_node_id name) {
    return scope && name ? tk_mangled_text(m, TK_NODE_NESTED, "", scope, name) : 0;
}

static tk_node_id levels(struct tk_mangled *m, tk_node_id scope) {
    while (scope && !tk_mangled_skip(m, "E")) scope = nested(m, scope, simple_name(m));
    return scope;
}

// After `sr`: a scope and a name. The scope is a type, or names up to `E`.
static tk_node_id scoped_name(struct tk_mangled *m) {
    struct tk_mangled_mark mark = tk_mangled_mark(m);
    char c = tk_mangled_peek(m, 0);
    tk_node_id scope = c >= '0' && c <= '9' ? levels(m, simple_name(m)) : 0;
    if (!scope) {
        tk_mangled_reset(m, mark);
        scope = tk_mangled_type(m);
    }
    return nested(m, scope, simple_name(m));
}

static tk_node_id function_parameter(struct tk_mangled *m) {
    uint32_t number;
    if (tk_mangled_skip(m, "fpT")) return tk_mangled_text(m, TK_NODE_NAME, "this", 0, 0);
    if (tk_mangled_skip(m, "fL") && (!tk_mangled_number(m, &number) || !tk_mangled_skip(m, "p"))) return 0;
    tk_mangled_skip(m, "fp");
    tk_mangled_qualifiers(m);
    if (!tk_mangled_sequence(m, 10, &number)) return 0;
    return tk_mangled_add(
        m, (struct tk_node){ .kind = TK_NODE_FUNCTION_PARAMETER, .text = "", .number = (uint16_t)(number + 1) });
}

// ---- Operators -----------------------------------------------------------------------------------

// Expressions up to `E`.
static bool expressions(struct tk_mangled *m, tk_node_id *list) {
    tk_node_id last = 0;
    *list = 0;
    while (!tk_mangled_skip(m, "E"))
        if (!tk_mangled_append(m, list, &last, tk_mangled_expression(m))) return false;
    return true;
}

static tk_node_id with_list(struct tk_mangled *m, enum tk_node_kind kind, tk_node_id a, bool may_lack_a) {
    tk_node_id list;
    return (a || may_lack_a) && expressions(m, &list) ? tk_mangled_text(m, kind, "", a, list) : 0;
}

static tk_node_id two(struct tk_mangled *m, enum tk_node_kind kind, const char *text, tk_node_id a) {
    tk_node_id b = a ? tk_mangled_expression(m) : 0;
    return b ? tk_mangled_text(m, kind, text, a, b) : 0;
}

static tk_node_id one(struct tk_mangled *m, enum tk_node_kind kind, const char *text, tk_node_id a) {
    return a ? tk_mangled_text(m, kind, text, a, 0) : 0;
}

static tk_node_id conversion(struct tk_mangled *m) {
    tk_node_id type = tk_mangled_type(m), last = 0, list = 0;
    if (!type) return 0;
    if (tk_mangled_skip(m, "_")) return with_list(m, TK_NODE_CONVERT, type, false);
    return tk_mangled_append(m, &list, &last, tk_mangled_expression(m))
               ? tk_mangled_text(m, TK_NODE_CONVERT, "", type, list)
               : 0;
}

static tk_node_id choice(struct tk_mangled *m) {
    tk_node_id condition = tk_mangled_expression(m), last = 0, list = 0;
    if (!condition || !tk_mangled_append(m, &list, &last, tk_mangled_expression(m)) ||
        !tk_mangled_append(m, &list, &last, tk_mangled_expression(m)))
        return 0;
    return tk_mangled_text(m, TK_NODE_CHOICE, "", condition, list);
}

// `f`, a direction and an operator: an expression over all elements of a pack.
static tk_node_id fold(struct tk_mangled *m) {
    char direction = tk_mangled_peek(m, 1);
    m->at += 2;
    const struct tk_operator *found = tk_mangled_operator(m);
    if (!found || found->kind != BINARY) return 0;
    m->at += 2;
    tk_node_id first = tk_mangled_expression(m);
    if (direction == 'l' || direction == 'r')
        return one(m, direction == 'l' ? TK_NODE_FOLD_LEFT : TK_NODE_FOLD_RIGHT, found->text, first);
    return two(m, TK_NODE_FOLD, found->text, first);
}

static tk_node_id applied_operator(struct tk_mangled *m) {
    const struct tk_operator *found = tk_mangled_operator(m);
    if (!found || found->kind == NAME_ONLY) return 0;
    m->at += 2;
    if (found->kind == BINARY) return two(m, TK_NODE_BINARY, found->text, tk_mangled_expression(m));
    bool is_step = !strcmp(found->text, "++") || !strcmp(found->text, "--");
    bool is_prefix = is_step && tk_mangled_skip(m, "_");
    return one(m, is_step && !is_prefix ? TK_NODE_POSTFIX : TK_NODE_PREFIX, found->text, tk_mangled_expression(m));
}

enum form { OF_TYPE, OF_EXPRESSION, CAST };

// Operators whose text is a word.
static tk_node_id word_operator(struct tk_mangled *m) {
    static const struct {
        char code[3];
        uint8_t form;
        const char *text;
    } words[] = {
        { "st", OF_TYPE, "sizeof " },         { "sz", OF_EXPRESSION, "sizeof " },   { "at", OF_TYPE, "alignof " },
        { "az", OF_EXPRESSION, "alignof " },  { "ti", OF_TYPE, "typeid " },         { "te", OF_EXPRESSION, "typeid " },
        { "nx", OF_EXPRESSION, "noexcept " }, { "sZ", OF_EXPRESSION, "sizeof..." }, { "cc", CAST, "const_cast" },
        { "dc", CAST, "dynamic_cast" },       { "rc", CAST, "reinterpret_cast" },   { "sc", CAST, "static_cast" },
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (!tk_mangled_skip(m, words[i].code)) continue;
        if (words[i].form == CAST) return two(m, TK_NODE_CAST, words[i].text, tk_mangled_type(m));
        tk_node_id of = words[i].form == OF_TYPE ? tk_mangled_type(m) : tk_mangled_expression(m);
        return one(m, TK_NODE_WRAPPED, words[i].text, of);
    }
    return 0;
}

static tk_node_id member(struct tk_mangled *m, const char *text) {
    tk_node_id object = tk_mangled_expression(m), name = object ? tk_mangled_expression(m) : 0;
    return name ? tk_mangled_text(m, TK_NODE_BINARY, text, object, name) : 0;
}

static tk_node_id any_expression(struct tk_mangled *m) {
    char c = tk_mangled_peek(m, 0), next = tk_mangled_peek(m, 1);
    if (c == 'L') return tk_mangled_literal(m);
    if (c == 'T') return tk_mangled_template_parameter(m);
    if (c == 'f' && (next == 'p' || (next == 'L' && tk_mangled_peek(m, 2) >= '0' && tk_mangled_peek(m, 2) <= '9')))
        return function_parameter(m);
    if (c == 'f') return next == 'l' || next == 'r' || next == 'L' || next == 'R' ? fold(m) : 0;
    if (tk_mangled_skip(m, "gs")) return one(m, TK_NODE_PREFIX, "::", tk_mangled_expression(m));
    if (tk_mangled_skip(m, "sr")) return scoped_name(m);
    if (tk_mangled_skip(m, "sp")) return one(m, TK_NODE_EXPANSION, "", tk_mangled_expression(m));
    if (tk_mangled_skip(m, "cl") || tk_mangled_skip(m, "cp"))
        return with_list(m, TK_NODE_CALL, tk_mangled_expression(m), false);
    if (tk_mangled_skip(m, "cv")) return conversion(m);
    if (tk_mangled_skip(m, "tl")) return with_list(m, TK_NODE_BRACED, tk_mangled_type(m), false);
    if (tk_mangled_skip(m, "il")) return with_list(m, TK_NODE_BRACED, 0, true);
    if (tk_mangled_skip(m, "ix")) return two(m, TK_NODE_INDEX, "", tk_mangled_expression(m));
    if (tk_mangled_skip(m, "qu")) return choice(m);
    if (tk_mangled_skip(m, "dt")) return member(m, ".");
    if (tk_mangled_skip(m, "pt")) return member(m, "->");
    if ((c >= '0' && c <= '9') || (c == 'o' && next == 'n') || (c == 'd' && next == 'n')) return simple_name(m);
    tk_node_id found = word_operator(m);
    return found ? found : applied_operator(m);
}

tk_node_id tk_mangled_expression(struct tk_mangled *m) {
    bool in_type = m->in_type;
    m->in_type = true;
    tk_node_id expression = tk_mangled_enter(m) ? any_expression(m) : 0;
    m->level--;
    m->in_type = in_type;
    return expression;
}
