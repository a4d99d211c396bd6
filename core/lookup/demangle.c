// SPDX-License-Identifier: MIT
//
// Names and encodings of the Itanium C++ ABI.
#include "demangle.h"

#include <string.h>

#include "demangle_tree.h"

// ---- The tree ------------------------------------------------------------------------------------

tk_node_id tk_mangled_add(struct tk_mangled *m, struct tk_node node) {
    if (m->count == TK_MANGLED_NODES) return 0;
    m->nodes[m->count] = node;
    return (tk_node_id)m->count++;
}

tk_node_id tk_mangled_text(struct tk_mangled *m, enum tk_node_kind kind, const char *text, tk_node_id a, tk_node_id b) {
    return tk_mangled_add(
        m, (struct tk_node){ .kind = (uint8_t)kind, .text = text, .len = (uint16_t)strlen(text), .a = a, .b = b });
}

static tk_node_id add_pair(struct tk_mangled *m, enum tk_node_kind kind, tk_node_id a, tk_node_id b) {
    return a && b ? tk_mangled_text(m, kind, "", a, b) : 0;
}

bool tk_mangled_add_sub(struct tk_mangled *m, tk_node_id id) {
    if (!id || m->sub_count == TK_MANGLED_SUBS) return false;
    m->subs[m->sub_count++] = id;
    return true;
}

bool tk_mangled_append(struct tk_mangled *m, tk_node_id *list, tk_node_id *last, tk_node_id element) {
    tk_node_id link = element ? tk_mangled_text(m, TK_NODE_LIST, "", element, 0) : 0;
    if (!link) return false;
    if (*list) m->nodes[*last].b = link;
    else *list = link;
    *last = link;
    return true;
}

// ---- Bytes ---------------------------------------------------------------------------------------

char tk_mangled_peek(const struct tk_mangled *m, size_t ahead) {
    return (size_t)(m->end - m->at) > ahead ? m->at[ahead] : 0;
}

bool tk_mangled_skip(struct tk_mangled *m, const char *word) {
    size_t len = strlen(word);
    if ((size_t)(m->end - m->at) < len || memcmp(m->at, word, len)) return false;
    m->at += len;
    return true;
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool tk_mangled_number(struct tk_mangled *m, uint32_t *out) {
    uint32_t value = 0;
    if (!is_digit(tk_mangled_peek(m, 0))) return false;
    while (is_digit(tk_mangled_peek(m, 0)) && value <= 65533) value = value * 10 + (uint32_t)(*m->at++ - '0');
    *out = value;
    return value <= 65533;
}

bool tk_mangled_sequence(struct tk_mangled *m, unsigned base, uint32_t *out) {
    uint32_t value = 0;
    *out = 0;
    if (tk_mangled_skip(m, "_")) return true;
    for (char c; (c = tk_mangled_peek(m, 0)) != '_'; m->at++) {
        unsigned digit = is_digit(c) ? (unsigned)(c - '0') : c >= 'A' && c <= 'Z' ? (unsigned)(c - 'A') + 10 : base;
        if (digit >= base || value > 65533) return false;
        value = value * base + digit;
    }
    m->at++;
    *out = value + 1;
    return value <= 65533;
}

// Skips the number of a local name: `_3`, `__12_`.
static bool skip_discriminator(struct tk_mangled *m) {
    uint32_t number;
    if (!tk_mangled_skip(m, "_")) return true;
    if (tk_mangled_skip(m, "_")) return tk_mangled_number(m, &number) && tk_mangled_skip(m, "_");
    if (!is_digit(tk_mangled_peek(m, 0))) return false;
    m->at++;
    return true;
}

// ---- Unqualified names ---------------------------------------------------------------------------

tk_node_id tk_mangled_source_name(struct tk_mangled *m) {
    uint32_t len;
    if (!tk_mangled_number(m, &len) || !len || (size_t)(m->end - m->at) < len) return 0;
    const char *name = m->at;
    m->at += len;
    if (len >= 10 && !memcmp(name, "_GLOBAL_", 8) && strchr("._$", name[8]) && name[9] == 'N')
        return tk_mangled_text(m, TK_NODE_NAME, "(anonymous namespace)", 0, 0);
    return tk_mangled_add(m, (struct tk_node){ .kind = TK_NODE_NAME, .text = name, .len = (uint16_t)len });
}

// Numbers of unnamed things: `_` is 1, `0_` is 2.
static tk_node_id add_numbered(struct tk_mangled *m, enum tk_node_kind kind, tk_node_id list) {
    uint32_t number;
    if (!tk_mangled_sequence(m, 10, &number)) return 0;
    return tk_mangled_add(m, (struct tk_node){ .kind = (uint8_t)kind, .number = (uint16_t)(number + 1), .a = list });
}

static tk_node_id parse_lambda(struct tk_mangled *m) {
    bool in_lambda = m->in_lambda;
    tk_node_id list;
    m->in_lambda = true;
    bool parsed = tk_mangled_parameters(m, &list);
    m->in_lambda = in_lambda;
    return parsed && tk_mangled_skip(m, "E") ? add_numbered(m, TK_NODE_LAMBDA, list) : 0;
}

static tk_node_id parse_binding(struct tk_mangled *m) {
    tk_node_id list = 0, last = 0;
    while (!tk_mangled_skip(m, "E"))
        if (!tk_mangled_append(m, &list, &last, tk_mangled_source_name(m))) return 0;
    return list ? tk_mangled_text(m, TK_NODE_BINDING, "", list, 0) : 0;
}

static tk_node_id parse_operator_name(struct tk_mangled *m) {
    if (tk_mangled_skip(m, "cv")) {
        bool in_conversion = m->in_conversion;
        m->in_conversion = true;
        tk_node_id type = tk_mangled_type(m);
        m->in_conversion = in_conversion;
        return type ? tk_mangled_text(m, TK_NODE_CONVERSION, "", type, 0) : 0;
    }
    if (tk_mangled_skip(m, "li")) {
        tk_node_id name = tk_mangled_source_name(m);
        return name ? tk_mangled_text(m, TK_NODE_LITERAL_OPERATOR, "", name, 0) : 0;
    }
    const struct tk_operator *found = tk_mangled_operator(m);
    if (!found || !found->text) return 0;
    m->at += 2;
    tk_node_id symbol = tk_mangled_text(m, TK_NODE_NAME, found->text, 0, 0);
    return symbol
               ? tk_mangled_text(m, TK_NODE_PREFIX,
                                 found->text[0] >= 'a' && found->text[0] <= 'z' ? "operator " : "operator", symbol, 0)
               : 0;
}

static tk_node_id parse_untagged(struct tk_mangled *m) {
    char c = tk_mangled_peek(m, 0);
    if (is_digit(c)) return tk_mangled_source_name(m);
    if (tk_mangled_skip(m, "Ut")) return add_numbered(m, TK_NODE_UNNAMED, 0);
    if (tk_mangled_skip(m, "Ul")) return parse_lambda(m);
    if (tk_mangled_skip(m, "DC")) return parse_binding(m);
    return c >= 'a' && c <= 'z' ? parse_operator_name(m) : 0;
}

static tk_node_id with_tags(struct tk_mangled *m, tk_node_id name) {
    while (name && tk_mangled_skip(m, "B")) {
        tk_node_id tag = tk_mangled_source_name(m);
        if (!tag) return 0;
        struct tk_node node = {
            .kind = TK_NODE_TAGGED, .text = m->nodes[tag].text, .len = m->nodes[tag].len, .a = name
        };
        name = tk_mangled_add(m, node);
    }
    return name;
}

tk_node_id tk_mangled_unqualified(struct tk_mangled *m) {
    tk_mangled_skip(m, "L"); // internal linkage
    return with_tags(m, parse_untagged(m));
}

// ---- Template arguments, substitutions -----------------------------------------------------------

static bool parse_argument_list(struct tk_mangled *m, tk_node_id *list, bool are_own);

static tk_node_id parse_argument(struct tk_mangled *m) {
    if (tk_mangled_skip(m, "X")) {
        tk_node_id expression = tk_mangled_expression(m);
        return tk_mangled_skip(m, "E") ? expression : 0;
    }
    if (tk_mangled_peek(m, 0) == 'L') return tk_mangled_literal(m);
    if (tk_mangled_skip(m, "J") || tk_mangled_skip(m, "I")) { // I: earlier compilers
        tk_node_id list;
        return parse_argument_list(m, &list, false) ? tk_mangled_text(m, TK_NODE_ARGUMENT_PACK, "", list, 0) : 0;
    }
    return tk_mangled_type(m);
}

static bool parse_argument_list(struct tk_mangled *m, tk_node_id *list, bool are_own) {
    tk_node_id last = 0;
    bool fits = tk_mangled_enter(m);
    *list = 0;
    while (fits && !tk_mangled_skip(m, "E")) {
        fits = tk_mangled_append(m, list, &last, parse_argument(m));
        if (are_own) m->arguments = *list; // later arguments may refer to earlier ones
    }
    m->level--;
    return fits;
}

tk_node_id tk_mangled_with_arguments(struct tk_mangled *m, tk_node_id name) {
    bool are_own = !m->in_type;
    tk_node_id list;
    if (!name || !tk_mangled_skip(m, "I")) return 0;
    if (are_own) m->arguments = 0;
    m->in_type = true;
    bool parsed = parse_argument_list(m, &list, are_own);
    m->in_type = !are_own;
    return parsed ? tk_mangled_text(m, TK_NODE_TEMPLATE, "", name, list) : 0;
}

tk_node_id tk_mangled_substitution(struct tk_mangled *m) {
    static const char *const texts[][2] = {
        { "Sa", "std::allocator" },
        { "Sb", "std::basic_string" },
        { "Ss", "std::basic_string<char, std::char_traits<char>, std::allocator<char> >" },
        { "Si", "std::basic_istream<char, std::char_traits<char> >" },
        { "So", "std::basic_ostream<char, std::char_traits<char> >" },
        { "Sd", "std::basic_iostream<char, std::char_traits<char> >" },
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (!tk_mangled_skip(m, texts[i][0])) continue;
        tk_node_id name = tk_mangled_text(m, TK_NODE_NAME, texts[i][1], 0, 0);
        if (tk_mangled_peek(m, 0) != 'B') return name;
        name = with_tags(m, name);
        return tk_mangled_add_sub(m, name) ? name : 0;
    }
    uint32_t index;
    if (!tk_mangled_skip(m, "S") || !tk_mangled_sequence(m, 36, &index) || index >= m->sub_count) return 0;
    return m->subs[index];
}

// ---- Names ---------------------------------------------------------------------------------------

static bool is_structor(const struct tk_mangled *m) {
    char c = tk_mangled_peek(m, 0), next = tk_mangled_peek(m, 1);
    return (c == 'C' && (next == 'I' || (next >= '1' && next <= '5'))) || (c == 'D' && next >= '0' && next <= '5');
}

static tk_node_id parse_structor(struct tk_mangled *m, tk_node_id of, struct tk_name_facts *facts) {
    enum tk_node_kind kind = *m->at == 'C' ? TK_NODE_CONSTRUCTOR : TK_NODE_DESTRUCTOR;
    bool inherits = m->at[1] == 'I';
    size_t len = inherits ? 3 : 2;
    if ((size_t)(m->end - m->at) < len) return 0;
    m->at += len;
    if (inherits && !tk_mangled_type(m)) return 0;
    facts->has_no_return = true;
    tk_node_id name = of ? tk_mangled_text(m, kind, "", of, 0) : 0;
    return add_pair(m, TK_NODE_NESTED, of, with_tags(m, name));
}

static tk_node_id parse_component(struct tk_mangled *m, tk_node_id scope, struct tk_name_facts *facts) {
    facts->has_no_return = tk_mangled_peek(m, 0) == 'c' && tk_mangled_peek(m, 1) == 'v';
    tk_node_id name = tk_mangled_unqualified(m);
    return scope ? add_pair(m, TK_NODE_NESTED, scope, name) : name;
}

// One more component of a nested name after `scope`. *is_candidate: later substitutions may refer to it.
static tk_node_id parse_prefix(struct tk_mangled *m, tk_node_id scope, struct tk_name_facts *facts,
                               bool *is_candidate) {
    char c = tk_mangled_peek(m, 0), next = tk_mangled_peek(m, 1);
    *is_candidate = true;
    facts->has_arguments = c == 'I';
    if (c == 'I') return tk_mangled_with_arguments(m, scope);
    if (is_structor(m)) return parse_structor(m, scope, facts);
    if (scope) return parse_component(m, scope, facts);
    if (c == 'T') return tk_mangled_template_parameter(m);
    if (c == 'D' && (next == 't' || next == 'T')) return tk_mangled_decltype(m);
    if (c != 'S') return parse_component(m, 0, facts);
    *is_candidate = false;
    return tk_mangled_skip(m, "St") ? tk_mangled_text(m, TK_NODE_NAME, "std", 0, 0) : tk_mangled_substitution(m);
}

static tk_node_id parse_nested(struct tk_mangled *m, struct tk_name_facts *facts) {
    tk_node_id name = 0;
    facts->quals = tk_mangled_member_qualifiers(m);
    while (!tk_mangled_skip(m, "E")) {
        bool is_candidate;
        name = parse_prefix(m, name, facts, &is_candidate);
        if (!name) return 0;
        tk_mangled_skip(m, "M"); // the initialiser of a data member
        if (is_candidate && tk_mangled_peek(m, 0) != 'E' && !tk_mangled_add_sub(m, name)) return 0;
    }
    return name;
}

static tk_node_id parse_local(struct tk_mangled *m, struct tk_name_facts *facts) {
    tk_node_id function = tk_mangled_encoding(m);
    if (!function || !tk_mangled_skip(m, "E")) return 0;
    if (tk_mangled_skip(m, "s")) {
        tk_node_id text = tk_mangled_text(m, TK_NODE_NAME, "string literal", 0, 0);
        return skip_discriminator(m) ? add_pair(m, TK_NODE_NESTED, function, text) : 0;
    }
    if (tk_mangled_skip(m, "d"))
        function = add_pair(m, TK_NODE_NESTED, function, add_numbered(m, TK_NODE_DEFAULT_ARGUMENT, 0));
    tk_node_id name = tk_mangled_name(m, facts);
    return skip_discriminator(m) ? add_pair(m, TK_NODE_NESTED, function, name) : 0;
}

// A name at the global scope or in `std`, or a substitution that is a template.
static tk_node_id parse_unscoped(struct tk_mangled *m, struct tk_name_facts *facts) {
    tk_node_id name;
    bool is_sub = tk_mangled_peek(m, 0) == 'S' && tk_mangled_peek(m, 1) != 't';
    if (is_sub) name = tk_mangled_substitution(m);
    else {
        bool is_std = tk_mangled_skip(m, "St");
        name = parse_component(m, is_std ? tk_mangled_text(m, TK_NODE_NAME, "std", 0, 0) : 0, facts);
    }
    if (!name || tk_mangled_peek(m, 0) != 'I') return is_sub ? 0 : name;
    if (!is_sub && !tk_mangled_add_sub(m, name)) return 0;
    facts->has_arguments = true;
    return tk_mangled_with_arguments(m, name);
}

tk_node_id tk_mangled_name(struct tk_mangled *m, struct tk_name_facts *facts) {
    *facts = (struct tk_name_facts){ .quals = "" };
    if (!tk_mangled_enter(m)) return m->level--, (tk_node_id)0;
    tk_node_id name = tk_mangled_skip(m, "N")   ? parse_nested(m, facts)
                      : tk_mangled_skip(m, "Z") ? parse_local(m, facts)
                                                : parse_unscoped(m, facts);
    m->level--;
    return name;
}

// ---- Encodings -----------------------------------------------------------------------------------

static bool skip_offset(struct tk_mangled *m) {
    uint32_t number;
    tk_mangled_skip(m, "n");
    return tk_mangled_number(m, &number) && tk_mangled_skip(m, "_");
}

static bool skip_call_offset(struct tk_mangled *m) {
    if (tk_mangled_skip(m, "h")) return skip_offset(m);
    return tk_mangled_skip(m, "v") && skip_offset(m) && skip_offset(m);
}

static tk_node_id parse_construction_vtable(struct tk_mangled *m) {
    uint32_t number;
    tk_node_id type = tk_mangled_type(m);
    if (!type || !tk_mangled_number(m, &number) || !tk_mangled_skip(m, "_")) return 0;
    return add_pair(m, TK_NODE_CONSTRUCTION, tk_mangled_type(m), type);
}

static tk_node_id parse_special(struct tk_mangled *m) {
    enum { TYPE, NAME, ENCODING };
    static const struct {
        char code[4];
        uint8_t what;
        const char *text;
    } specials[] = {
        { "TV", TYPE, "vtable for " },
        { "TT", TYPE, "VTT for " },
        { "TI", TYPE, "typeinfo for " },
        { "TS", TYPE, "typeinfo name for " },
        { "TA", TYPE, "template parameter object for " },
        { "TW", NAME, "TLS wrapper function for " },
        { "TH", NAME, "TLS init function for " },
        { "GV", NAME, "guard variable for " },
        { "GR", NAME, "reference temporary #0 for " },
        { "GA", ENCODING, "hidden alias for " },
        { "GTt", ENCODING, "transaction clone for " },
        { "GTn", ENCODING, "non-transaction clone for " },
    };
    struct tk_name_facts facts;
    tk_node_id of = 0;
    const char *text = NULL;
    for (size_t i = 0; i < sizeof specials / sizeof *specials && !text; i++) {
        if (!tk_mangled_skip(m, specials[i].code)) continue;
        text = specials[i].text;
        of = specials[i].what == TYPE   ? tk_mangled_type(m)
             : specials[i].what == NAME ? tk_mangled_name(m, &facts)
                                        : tk_mangled_encoding(m);
        if (specials[i].code[1] == 'R' && m->at < m->end) {
            uint32_t number;
            if (!tk_mangled_sequence(m, 36, &number)) return 0;
        }
    }
    if (!text && tk_mangled_skip(m, "TC")) return parse_construction_vtable(m);
    if (!text && tk_mangled_skip(m, "Tc")) {
        text = "covariant return thunk to ";
        of = skip_call_offset(m) && skip_call_offset(m) ? tk_mangled_encoding(m) : 0;
    }
    if (!text && tk_mangled_skip(m, "T")) {
        text = tk_mangled_peek(m, 0) == 'h' ? "non-virtual thunk to " : "virtual thunk to ";
        of = skip_call_offset(m) ? tk_mangled_encoding(m) : 0;
    }
    return of ? tk_mangled_text(m, TK_NODE_SPECIAL, text, of, 0) : 0;
}

// Resolves template parameters that came before their arguments: of a conversion to a type of its own arguments.
static void resolve_forward(struct tk_mangled *m, uint32_t from) {
    for (uint32_t i = from; i < m->count; i++) {
        struct tk_node *node = &m->nodes[i];
        if (node->kind != TK_NODE_FORWARD || node->a) continue;
        tk_node_id link = m->arguments;
        for (unsigned left = node->number; link && left; left--) link = m->nodes[link].b;
        node->a = link ? m->nodes[link].a : 0;
    }
}

static bool ends_here(const struct tk_mangled *m) {
    char c = tk_mangled_peek(m, 0);
    return m->at == m->end || c == 'E' || c == '.' || c == '@';
}

static tk_node_id parse_function_or_object(struct tk_mangled *m) {
    struct tk_name_facts facts;
    uint32_t from = m->count;
    tk_node_id name = tk_mangled_name(m, &facts), result = 0, list;
    if (!name) return 0;
    resolve_forward(m, from);
    if (ends_here(m)) return name;
    if (facts.has_arguments && !facts.has_no_return && !(result = tk_mangled_type(m))) return 0;
    if (!tk_mangled_parameters(m, &list)) return 0;
    tk_node_id function = tk_mangled_text(m, TK_NODE_ENCODING, facts.quals, name, list);
    m->nodes[function].number = result;
    return function;
}

tk_node_id tk_mangled_encoding(struct tk_mangled *m) {
    tk_node_id arguments = m->arguments, encoding = 0;
    bool in_lambda = m->in_lambda, in_type = m->in_type;
    m->in_lambda = m->in_type = false;
    if (tk_mangled_enter(m)) {
        char c = tk_mangled_peek(m, 0);
        encoding = c == 'T' || c == 'G' ? parse_special(m) : parse_function_or_object(m);
    }
    m->level--;
    m->arguments = arguments;
    m->in_lambda = in_lambda;
    m->in_type = in_type;
    return encoding;
}

size_t tk_demangle(const char *mangled, size_t len, char *out, size_t size) {
    struct tk_mangled m;
    m.at = mangled;
    m.end = mangled + len;
    m.count = 1;
    m.sub_count = m.level = m.steps = 0;
    m.arguments = 0;
    m.in_lambda = m.in_conversion = m.in_type = false;
    m.nodes[0] = (struct tk_node){ .text = "" };
    if (!tk_mangled_skip(&m, "_Z")) return 0;
    tk_node_id root = tk_mangled_encoding(&m);
    if (!root || !ends_here(&m) || tk_mangled_peek(&m, 0) == 'E') return 0;
    return tk_mangled_print(&m, root, out, size);
}
