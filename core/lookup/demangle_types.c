// SPDX-License-Identifier: MIT
//
// Types of the Itanium C++ ABI.
#include "demangle_tree.h"

static tk_node_id builtin(struct tk_mangled *m) {
    static const struct {
        char code[3];
        const char *text;
    } types[] = {
        { "v", "void" },
        { "w", "wchar_t" },
        { "b", "bool" },
        { "c", "char" },
        { "a", "signed char" },
        { "h", "unsigned char" },
        { "s", "short" },
        { "t", "unsigned short" },
        { "i", "int" },
        { "j", "unsigned int" },
        { "l", "long" },
        { "m", "unsigned long" },
        { "x", "long long" },
        { "y", "unsigned long long" },
        { "n", "__int128" },
        { "o", "unsigned __int128" },
        { "f", "float" },
        { "d", "double" },
        { "e", "long double" },
        { "g", "__float128" },
        { "z", "..." },
        { "Dd", "decimal64" },
        { "De", "decimal128" },
        { "Df", "decimal32" },
        { "Dh", "half" },
        { "Di", "char32_t" },
        { "Ds", "char16_t" },
        { "Du", "char8_t" },
        { "Da", "auto" },
        { "Dc", "decltype(auto)" },
        { "Dn", "decltype(nullptr)" },
    };
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (tk_mangled_skip(m, types[i].code)) return tk_mangled_text(m, TK_NODE_NAME, types[i].text, 0, 0);
    if (tk_mangled_skip(m, "DF16_")) return tk_mangled_text(m, TK_NODE_NAME, "_Float16", 0, 0);
    if (tk_mangled_skip(m, "DF16b")) return tk_mangled_text(m, TK_NODE_NAME, "std::bfloat16_t", 0, 0);
    return 0;
}

// Reads the qualifiers of a type or of a member function. Returns their bits.
static unsigned read_qualifiers(struct tk_mangled *m) {
    unsigned restricted = tk_mangled_skip(m, "r"), is_volatile = tk_mangled_skip(m, "V"),
             is_const = tk_mangled_skip(m, "K");
    return restricted << 2 | is_volatile << 1 | is_const;
}

#define QUALIFIERS(reference)         \
    { "" reference,                   \
      " const" reference,             \
      " volatile" reference,          \
      " const volatile" reference,    \
      " restrict" reference,          \
      " const restrict" reference,    \
      " volatile restrict" reference, \
      " const volatile restrict" reference }
static const char *const qualifier_texts[3][8] = { QUALIFIERS(""), QUALIFIERS(" &"), QUALIFIERS(" &&") };

const char *tk_mangled_qualifiers(struct tk_mangled *m) { return qualifier_texts[0][read_qualifiers(m)]; }

const char *tk_mangled_member_qualifiers(struct tk_mangled *m) {
    unsigned qualifiers = read_qualifiers(m), reference = tk_mangled_skip(m, "R") ? 1 : tk_mangled_skip(m, "O") ? 2 : 0;
    return qualifier_texts[reference][qualifiers];
}

bool tk_mangled_parameters(struct tk_mangled *m, tk_node_id *out_list) {
    tk_node_id last = 0;
    char next = tk_mangled_peek(m, 1);
    *out_list = 0;
    if (tk_mangled_peek(m, 0) == 'v' && (!next || next == 'E' || next == '.' || next == '@')) {
        m->at++;
        return true;
    }
    for (char c; (c = tk_mangled_peek(m, 0)) && c != 'E' && c != '.' && c != '@';) {
        if ((c == 'R' || c == 'O') && tk_mangled_peek(m, 1) == 'E') break; // a reference qualifier
        if (!tk_mangled_append(m, out_list, &last, tk_mangled_type(m))) return false;
    }
    return true;
}

// A function type after its qualifiers; `noexcept` and the like come before the F.
static tk_node_id function_type(struct tk_mangled *m, const char *quals) {
    tk_node_id list;
    bool is_noexcept = tk_mangled_skip(m, "Do");
    if (!tk_mangled_skip(m, "F")) return 0;
    tk_mangled_skip(m, "Y"); // extern "C"
    tk_node_id result = tk_mangled_type(m);
    if (!result || !tk_mangled_parameters(m, &list)) return 0;
    const char *reference = tk_mangled_skip(m, "R") ? " &" : tk_mangled_skip(m, "O") ? " &&" : "";
    if (!tk_mangled_skip(m, "E")) return 0;
    tk_node_id function = tk_mangled_text(m, TK_NODE_FUNCTION, quals, result, list);
    if (function && *reference) function = tk_mangled_text(m, TK_NODE_QUALIFIED, reference, function, 0);
    return function && is_noexcept ? tk_mangled_text(m, TK_NODE_QUALIFIED, " noexcept", function, 0) : function;
}

static bool is_function(const struct tk_mangled *m) {
    char c = tk_mangled_peek(m, 0), next = tk_mangled_peek(m, 1);
    return c == 'F' || (c == 'D' && next == 'o');
}

static tk_node_id qualified_type(struct tk_mangled *m) {
    const char *quals = tk_mangled_qualifiers(m);
    if (is_function(m)) return function_type(m, quals);
    tk_node_id type = tk_mangled_type(m);
    return type ? tk_mangled_text(m, TK_NODE_QUALIFIED, quals, type, 0) : 0;
}

// A qualifier of a vendor, as in `int ptr_mode`.
static tk_node_id vendor_qualified_type(struct tk_mangled *m) {
    tk_node_id name = tk_mangled_source_name(m);
    if (name && tk_mangled_peek(m, 0) == 'I') name = tk_mangled_with_arguments(m, name);
    tk_node_id type = name ? tk_mangled_type(m) : 0;
    return type ? tk_mangled_text(m, TK_NODE_BINARY, " ", type, name) : 0;
}

static tk_node_id pointer_type(struct tk_mangled *m) {
    char c = *m->at++;
    tk_node_id type = tk_mangled_type(m);
    if (!type) return 0;
    if (c == 'P') return tk_mangled_text(m, TK_NODE_POINTER, "*", type, 0);
    if (c == 'C' || c == 'G')
        return tk_mangled_text(m, TK_NODE_QUALIFIED, c == 'C' ? " _Complex" : " _Imaginary", type, 0);
    return tk_mangled_text(m, TK_NODE_POINTER, c == 'R' ? "&" : "&&", type, 0);
}

static tk_node_id number_text(struct tk_mangled *m) {
    const char *from = m->at;
    uint32_t number;
    if (!tk_mangled_number(m, &number)) return 0;
    return tk_mangled_add(m, (struct tk_node){ .kind = TK_NODE_NAME, .text = from, .len = (uint16_t)(m->at - from) });
}

// `A` or `Dv` with a number, an expression or nothing.
static tk_node_id sized_type(struct tk_mangled *m, enum tk_node_kind kind) {
    tk_node_id size = 0;
    if (tk_mangled_peek(m, 0) >= '0' && tk_mangled_peek(m, 0) <= '9') size = number_text(m);
    else if (kind == TK_NODE_VECTOR) size = tk_mangled_skip(m, "_") ? tk_mangled_expression(m) : 0;
    else if (tk_mangled_peek(m, 0) != '_') size = tk_mangled_expression(m);
    else size = tk_mangled_text(m, TK_NODE_NAME, "", 0, 0);
    if (!size || !tk_mangled_skip(m, "_")) return 0;
    tk_node_id type = tk_mangled_type(m);
    return type ? tk_mangled_text(m, kind, "", size, type) : 0;
}

tk_node_id tk_mangled_decltype(struct tk_mangled *m) {
    m->at += 2;
    tk_node_id expression = tk_mangled_expression(m);
    return expression && tk_mangled_skip(m, "E") ? tk_mangled_text(m, TK_NODE_DECLTYPE, "", expression, 0) : 0;
}

tk_node_id tk_mangled_template_parameter(struct tk_mangled *m) {
    uint32_t index;
    if (!tk_mangled_skip(m, "T") || !tk_mangled_sequence(m, 10, &index)) return 0;
    struct tk_node node = { .kind = TK_NODE_AUTO, .number = (uint16_t)(index + 1) };
    if (m->in_lambda) return tk_mangled_add(m, node);
    tk_node_id link = m->arguments;
    for (uint32_t left = index; link && left; left--) link = m->nodes[link].b;
    if (link && m->nodes[m->nodes[link].a].kind == TK_NODE_ARGUMENT_PACK)
        return tk_mangled_text(m, TK_NODE_PARAMETER_PACK, "", m->nodes[m->nodes[link].a].a, 0);
    node = (struct tk_node){ .kind = TK_NODE_FORWARD, .number = (uint16_t)index, .text = "" };
    return link ? m->nodes[link].a : tk_mangled_add(m, node);
}

// A template parameter may be a template.
static tk_node_id parameter_type(struct tk_mangled *m) {
    tk_node_id parameter = tk_mangled_template_parameter(m);
    if (!parameter || m->in_conversion || tk_mangled_peek(m, 0) != 'I') return parameter;
    return tk_mangled_add_sub(m, parameter) ? tk_mangled_with_arguments(m, parameter) : 0;
}

static tk_node_id named_type(struct tk_mangled *m) {
    struct tk_name_facts facts;
    return tk_mangled_name(m, &facts);
}

static tk_node_id extended_type(struct tk_mangled *m) {
    switch (tk_mangled_peek(m, 1)) {
    case 't':
    case 'T': return tk_mangled_decltype(m);
    case 'v': m->at += 2; return sized_type(m, TK_NODE_VECTOR);
    case 'o': return function_type(m, "");
    case 'p': {
        m->at += 2;
        tk_node_id type = tk_mangled_type(m);
        return type ? tk_mangled_text(m, TK_NODE_EXPANSION, "", type, 0) : 0;
    }
    default: return 0;
    }
}

static tk_node_id member_pointer_type(struct tk_mangled *m) {
    tk_node_id of = tk_mangled_type(m), member = of ? tk_mangled_type(m) : 0;
    return member ? tk_mangled_text(m, TK_NODE_MEMBER_POINTER, "", of, member) : 0;
}

static tk_node_id compound_type(struct tk_mangled *m) {
    char next = tk_mangled_peek(m, 1);
    switch (tk_mangled_peek(m, 0)) {
    case 'r':
    case 'V':
    case 'K': return qualified_type(m);
    case 'U': m->at++; return vendor_qualified_type(m);
    case 'u': m->at++; return tk_mangled_source_name(m);
    case 'P':
    case 'R':
    case 'O':
    case 'C':
    case 'G': return pointer_type(m);
    case 'F': return function_type(m, "");
    case 'A': m->at++; return sized_type(m, TK_NODE_ARRAY);
    case 'M': m->at++; return member_pointer_type(m);
    case 'D': return extended_type(m);
    case 'T':
        if (next != 's' && next != 'u' && next != 'e') return parameter_type(m);
        m->at += 2; // struct, union, enum
        return named_type(m);
    default: return named_type(m);
    }
}

static tk_node_id any_type(struct tk_mangled *m) {
    tk_node_id type = builtin(m);
    if (type) return type;
    if (tk_mangled_peek(m, 0) == 'S' && tk_mangled_peek(m, 1) != 't') {
        type = tk_mangled_substitution(m);
        if (!type || tk_mangled_peek(m, 0) != 'I') return type;
        type = tk_mangled_with_arguments(m, type);
    } else type = compound_type(m);
    return tk_mangled_add_sub(m, type) ? type : 0;
}

tk_node_id tk_mangled_type(struct tk_mangled *m) {
    bool in_type = m->in_type;
    m->in_type = true;
    tk_node_id type = tk_mangled_enter(m) ? any_type(m) : 0;
    m->level--;
    m->in_type = in_type;
    return type;
}
