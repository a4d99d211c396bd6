// SPDX-License-Identifier: MIT
//
// Writes the tree of a demangled name as c++filt does. A type is written in two parts, before and after the name that
// it would declare: `int (*` and `)()`.
#include <string.h>

#include "../base/decimal.h"
#include "demangle_tree.h"

enum { NO_ELEMENT = UINT32_MAX };

struct printer {
    const struct tk_mangled *m;
    char *out;
    size_t len, size;
    uint32_t steps, level;
    uint32_t element; // of parameter packs, in an expansion
    bool failed;
};

static const struct tk_node *node_of(const struct printer *p, tk_node_id id) { return &p->m->nodes[id]; }

static void put(struct printer *p, const char *text, size_t len) {
    if (len > p->size - p->len) len = p->size - p->len;
    memcpy(p->out + p->len, text, len);
    p->len += len;
}

static void put_text(struct printer *p, const char *text) { put(p, text, strlen(text)); }
static void put_own(struct printer *p, const struct tk_node *node) { put(p, node->text, node->len); }
static char last_of(const struct printer *p) { return p->len ? p->out[p->len - 1] : 0; }

static void put_number(struct printer *p, uint32_t number) {
    char digits[TK_DECIMAL_LEN];
    put(p, digits, tk_decimal(number, digits));
}

static void print(struct printer *p, tk_node_id id);
static void print_left(struct printer *p, tk_node_id id);
static void print_right(struct printer *p, tk_node_id id);

// ---- Lists and packs -----------------------------------------------------------------------------

static void print_list(struct printer *p, tk_node_id list) {
    bool is_first = true;
    for (; list && !p->failed && p->len < p->size; list = node_of(p, list)->b) {
        size_t before = p->len;
        if (!is_first) put_text(p, ", ");
        size_t from = p->len;
        print(p, node_of(p, list)->a);
        if (p->len == from) p->len = before; // an empty pack
        else is_first = false;
    }
}

static void print_in(struct printer *p, const char *open, tk_node_id list, const char *close) {
    put_text(p, open);
    print_list(p, list);
    put_text(p, close);
}

static tk_node_id element_of(const struct printer *p, const struct tk_node *pack) {
    tk_node_id link = pack->a;
    for (uint32_t left = p->element; link && left; left--) link = node_of(p, link)->b;
    return link ? node_of(p, link)->a : 0;
}

// Returns the first parameter pack below a node; 0 if there is none. The second child of a node continues the loop, so
// that a long list costs no depth.
static tk_node_id find_pack(struct printer *p, tk_node_id id) {
    tk_node_id found = 0;
    if (p->level >= TK_MANGLED_PRINTED) p->failed = true;
    p->level++;
    while (id && !found && !p->failed) {
        const struct tk_node *node = node_of(p, id);
        if (++p->steps > TK_MANGLED_STEPS / 2) p->failed = true;
        else if (node->kind == TK_NODE_ARGUMENT_PACK) break;
        else if (node->kind == TK_NODE_PARAMETER_PACK) found = id;
        else found = find_pack(p, node->a), id = node->b;
    }
    p->level--;
    return found;
}

static void print_expansion(struct printer *p, tk_node_id pattern) {
    uint32_t element = p->element;
    tk_node_id pack = find_pack(p, pattern);
    if (!pack) {
        print(p, pattern);
        put_text(p, "...");
        return;
    }
    p->element = 0;
    for (tk_node_id link = node_of(p, pack)->a; link && !p->failed; link = node_of(p, link)->b, p->element++) {
        if (p->element) put_text(p, ", ");
        print(p, pattern);
    }
    p->element = element;
}

static void print_pack(struct printer *p, const struct tk_node *pack) {
    if (p->element == NO_ELEMENT) print_list(p, pack->a);
    else print(p, element_of(p, pack));
}

// ---- Names ---------------------------------------------------------------------------------------

// Writes the last name of a class, without scope and template arguments.
static void print_last_name(struct printer *p, tk_node_id id) {
    const struct tk_node *node = node_of(p, id);
    static const char scope[] = "std::";
    for (unsigned left = TK_MANGLED_PRINTED; left; left--, node = node_of(p, id)) {
        if (node->kind == TK_NODE_NESTED) id = node_of(p, node->b)->kind == TK_NODE_UNNAMED ? node->a : node->b;
        else if (node->kind == TK_NODE_TEMPLATE || node->kind == TK_NODE_TAGGED) id = node->a;
        else break;
    }
    if (node->kind != TK_NODE_NAME || node->len < sizeof scope || memcmp(node->text, scope, sizeof scope - 1)) {
        print(p, id);
        return;
    }
    const char *name = node->text + sizeof scope - 1; // a predefined substitution
    size_t len = node->len - (sizeof scope - 1);
    const char *end = memchr(name, '<', len);
    put(p, name, end ? (size_t)(end - name) : len);
}

static void print_template(struct printer *p, const struct tk_node *node) {
    print(p, node->a);
    put_text(p, last_of(p) == '<' ? " <" : "<");
    print_list(p, node->b);
    put_text(p, last_of(p) == '>' ? " >" : ">");
}

static bool has_right(const struct printer *p, tk_node_id id);

// Writes a function with its parameters, and with its result where it is not a scope.
static void print_encoding(struct printer *p, const struct tk_node *node, bool is_scope) {
    tk_node_id result = is_scope ? 0 : node->number;
    if (result) print_left(p, result);
    if (result && !has_right(p, result)) put_text(p, " ");
    print(p, node->a);
    print_in(p, "(", node->b, ")");
    put_own(p, node);
    if (result) print_right(p, result);
}

static void print_nested(struct printer *p, const struct tk_node *node) {
    const struct tk_node *scope = node_of(p, node->a);
    if (scope->kind == TK_NODE_ENCODING) print_encoding(p, scope, true);
    else print(p, node->a);
    put_text(p, "::");
    print(p, node->b);
}

static bool print_name(struct printer *p, const struct tk_node *node) {
    switch (node->kind) {
    case TK_NODE_NAME: put_own(p, node); return true;
    case TK_NODE_NESTED: print_nested(p, node); return true;
    case TK_NODE_TEMPLATE: print_template(p, node); return true;
    case TK_NODE_TAGGED:
        print(p, node->a);
        put_text(p, "[abi:");
        put_own(p, node);
        put_text(p, "]");
        return true;
    case TK_NODE_DESTRUCTOR:
        put_text(p, "~");
        print_last_name(p, node->a);
        return true;
    case TK_NODE_CONSTRUCTOR: print_last_name(p, node->a); return true;
    case TK_NODE_CONVERSION:
        put_text(p, "operator ");
        print(p, node->a);
        return true;
    case TK_NODE_LITERAL_OPERATOR:
        put_text(p, "operator\"\" ");
        print(p, node->a);
        return true;
    case TK_NODE_LAMBDA:
        print_in(p, "{lambda(", node->a, ")#");
        put_number(p, node->number);
        put_text(p, "}");
        return true;
    case TK_NODE_UNNAMED:
        put_text(p, "{unnamed type#");
        put_number(p, node->number);
        put_text(p, "}");
        return true;
    case TK_NODE_DEFAULT_ARGUMENT:
        put_text(p, "{default arg#");
        put_number(p, node->number);
        put_text(p, "}");
        return true;
    case TK_NODE_BINDING: print_in(p, "[", node->a, "]"); return true;
    case TK_NODE_ENCODING: print_encoding(p, node, false); return true;
    case TK_NODE_SPECIAL:
        put_own(p, node);
        print(p, node->a);
        return true;
    case TK_NODE_CONSTRUCTION:
        put_text(p, "construction vtable for ");
        print(p, node->a);
        put_text(p, "-in-");
        print(p, node->b);
        return true;
    default: return false;
    }
}

// ---- Types ---------------------------------------------------------------------------------------

static bool is_reference(const struct tk_node *node) { return node->kind == TK_NODE_POINTER && node->text[0] == '&'; }

static tk_node_id argument_of(const struct printer *p, tk_node_id id) {
    for (unsigned left = TK_MANGLED_PRINTED; left; left--) {
        const struct tk_node *node = node_of(p, id);
        if (node->kind == TK_NODE_FORWARD) id = node->a;
        else if (node->kind == TK_NODE_PARAMETER_PACK && p->element != NO_ELEMENT) id = element_of(p, node);
        else return id;
    }
    return 0;
}

// Returns the node that a template parameter or the element of a pack is. References to references collapse.
static tk_node_id resolved(const struct printer *p, tk_node_id id) {
    for (unsigned left = TK_MANGLED_PRINTED; left; left--) {
        id = argument_of(p, id);
        const struct tk_node *node = node_of(p, id);
        if (!is_reference(node)) return id;
        tk_node_id to = argument_of(p, node->a);
        if (!is_reference(node_of(p, to)) || (node->len == 1 && node_of(p, to)->len == 2)) return id;
        id = to;
    }
    return 0;
}

// Returns what a pointer points to; a reference, to what a further one refers.
static tk_node_id target_of(const struct printer *p, const struct tk_node *pointer) {
    const struct tk_node *target = node_of(p, resolved(p, pointer->a));
    return is_reference(pointer) && is_reference(target) ? target->a : pointer->a;
}

// Returns TK_NODE_FUNCTION or TK_NODE_ARRAY if the type without qualifiers is one; pointers to it need brackets.
static enum tk_node_kind bracketed(const struct printer *p, tk_node_id id) {
    for (unsigned left = TK_MANGLED_PRINTED; left; left--) {
        const struct tk_node *node = node_of(p, id = resolved(p, id));
        if (node->kind == TK_NODE_FUNCTION || node->kind == TK_NODE_ARRAY) return (enum tk_node_kind)node->kind;
        if (node->kind != TK_NODE_QUALIFIED) return TK_NODE_NONE;
        id = node->a;
    }
    return TK_NODE_NONE;
}

static bool has_right(const struct printer *p, tk_node_id id) {
    for (unsigned left = TK_MANGLED_PRINTED; left; left--) {
        const struct tk_node *node = node_of(p, id = resolved(p, id));
        if (node->kind == TK_NODE_FUNCTION || node->kind == TK_NODE_ARRAY) return true;
        if (node->kind == TK_NODE_QUALIFIED || node->kind == TK_NODE_POINTER) id = node->a;
        else if (node->kind == TK_NODE_MEMBER_POINTER) id = node->b;
        else return false;
    }
    return false;
}

// Writes the type that a pointer points to, up to the pointer.
static void print_target(struct printer *p, tk_node_id target) {
    enum tk_node_kind kind = bracketed(p, target);
    print_left(p, target);
    if (kind) put_text(p, kind == TK_NODE_ARRAY ? " (" : "(");
}

static void print_after_pointer(struct printer *p, tk_node_id target) {
    if (bracketed(p, target)) put_text(p, ")");
    print_right(p, target);
}

static void print_type_left(struct printer *p, tk_node_id id) {
    const struct tk_node *node = node_of(p, id);
    bool is_function = bracketed(p, node->a) == TK_NODE_FUNCTION;
    switch (node->kind) {
    case TK_NODE_QUALIFIED:
        print_left(p, node->a);
        if (!is_function) put_own(p, node);
        return;
    case TK_NODE_POINTER:
        print_target(p, target_of(p, node));
        put_own(p, node);
        return;
    case TK_NODE_MEMBER_POINTER:
        print_target(p, node->b);
        if (!bracketed(p, node->b)) put_text(p, " ");
        print(p, node->a);
        put_text(p, "::*");
        return;
    case TK_NODE_ARRAY: print_left(p, node->b); return;
    default: // TK_NODE_FUNCTION
        print_left(p, node->a);
        if (!has_right(p, node->a)) put_text(p, " ");
    }
}

static void print_type_right(struct printer *p, tk_node_id id) {
    const struct tk_node *node = node_of(p, id);
    bool is_function = bracketed(p, node->a) == TK_NODE_FUNCTION;
    switch (node->kind) {
    case TK_NODE_QUALIFIED:
        print_right(p, node->a);
        if (is_function) put_own(p, node);
        return;
    case TK_NODE_POINTER: print_after_pointer(p, target_of(p, node)); return;
    case TK_NODE_MEMBER_POINTER: print_after_pointer(p, node->b); return;
    case TK_NODE_ARRAY:
        put_text(p, last_of(p) == ']' ? "[" : " [");
        print(p, node->a);
        put_text(p, "]");
        print_right(p, node->b);
        return;
    default: // TK_NODE_FUNCTION
        print_in(p, "(", node->b, ")");
        put_own(p, node);
        print_right(p, node->a);
    }
}

static bool is_compound(uint8_t kind) {
    return kind == TK_NODE_QUALIFIED || kind == TK_NODE_POINTER || kind == TK_NODE_MEMBER_POINTER ||
           kind == TK_NODE_ARRAY || kind == TK_NODE_FUNCTION;
}

// ---- Expressions ---------------------------------------------------------------------------------

static void print_operand(struct printer *p, tk_node_id id) {
    uint8_t kind = node_of(p, id)->kind;
    bool is_simple =
        kind == TK_NODE_NAME || kind == TK_NODE_NESTED || kind == TK_NODE_BRACED || kind == TK_NODE_FUNCTION_PARAMETER;
    if (!is_simple) put_text(p, "(");
    print(p, id);
    if (!is_simple) put_text(p, ")");
}

static bool is_text(const struct tk_node *node, const char *text) {
    return node->len == strlen(text) && !memcmp(node->text, text, node->len);
}

static void print_binary(struct printer *p, const struct tk_node *node) {
    bool is_greater = is_text(node, ">"); // else it would end the template arguments
    if (is_text(node, " ")) {             // a type and the qualifier of a vendor
        print(p, node->a);
        put_text(p, " ");
        print(p, node->b);
        return;
    }
    if (is_greater) put_text(p, "(");
    print_operand(p, node->a);
    put_own(p, node);
    print_operand(p, node->b);
    if (is_greater) put_text(p, ")");
}

static void put_integer(struct printer *p, const struct tk_node *node) {
    bool is_negative = node->len && node->text[0] == 'n';
    if (is_negative) put_text(p, "-");
    put(p, node->text + is_negative, node->len - is_negative);
}

static void print_literal(struct printer *p, const struct tk_node *node) {
    const struct tk_node *type = node_of(p, node->a);
    bool is_real = type->kind == TK_NODE_NAME &&
                   (is_text(type, "float") || is_text(type, "double") || is_text(type, "long double"));
    put_text(p, "(");
    print(p, node->a);
    put_text(p, ")");
    if (is_real) put_text(p, "[");
    put_integer(p, node);
    if (is_real) put_text(p, "]");
}

static void print_number(struct printer *p, const struct tk_node *node) {
    static const char *const suffixes[][2] = {
        { "j", "u" }, { "l", "l" }, { "m", "ul" }, { "x", "ll" }, { "y", "ull" }
    };
    if (node->number == 'b') {
        if (is_text(node, "0") || is_text(node, "1")) put_text(p, node->text[0] == '1' ? "true" : "false");
        else print_literal(p, node);
        return;
    }
    put_integer(p, node);
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
        if (node->number == suffixes[i][0][0]) put_text(p, suffixes[i][1]);
}

static void print_choice(struct printer *p, const struct tk_node *node) {
    print_operand(p, node->a);
    put_text(p, "?");
    print_operand(p, node_of(p, node->b)->a);
    put_text(p, " : ");
    print_operand(p, node_of(p, node_of(p, node->b)->b)->a);
}

static void print_fold(struct printer *p, const struct tk_node *node) {
    put_text(p, "(");
    if (node->kind == TK_NODE_FOLD_LEFT) put_text(p, "...");
    else print_operand(p, node->a);
    put_own(p, node);
    if (node->kind == TK_NODE_FOLD_LEFT) print_operand(p, node->a);
    else put_text(p, "...");
    if (node->kind == TK_NODE_FOLD) {
        put_own(p, node);
        print_operand(p, node->b);
    }
    put_text(p, ")");
}

static bool print_expression(struct printer *p, const struct tk_node *node) {
    switch (node->kind) {
    case TK_NODE_LITERAL: print_literal(p, node); return true;
    case TK_NODE_NUMBER: print_number(p, node); return true;
    case TK_NODE_POSTFIX:
        print_operand(p, node->a);
        put_own(p, node);
        return true;
    case TK_NODE_BINARY: print_binary(p, node); return true;
    case TK_NODE_CHOICE: print_choice(p, node); return true;
    case TK_NODE_INDEX:
        print_operand(p, node->a);
        put_text(p, "[");
        print(p, node->b);
        put_text(p, "]");
        return true;
    case TK_NODE_CALL:
        print_operand(p, node->a);
        print_in(p, "(", node->b, ")");
        return true;
    case TK_NODE_CAST:
        put_own(p, node);
        put_text(p, "<");
        print(p, node->a);
        put_text(p, ">(");
        print(p, node->b);
        put_text(p, ")");
        return true;
    case TK_NODE_CONVERT:
        put_text(p, "(");
        print(p, node->a);
        print_in(p, ")(", node->b, ")");
        return true;
    case TK_NODE_BRACED:
        if (node->a) print(p, node->a);
        print_in(p, "{", node->b, "}");
        return true;
    case TK_NODE_WRAPPED:
        put_own(p, node);
        put_text(p, "(");
        print(p, node->a);
        put_text(p, ")");
        return true;
    case TK_NODE_FOLD_LEFT:
    case TK_NODE_FOLD_RIGHT:
    case TK_NODE_FOLD: print_fold(p, node); return true;
    case TK_NODE_FUNCTION_PARAMETER:
        put_text(p, "{parm#");
        put_number(p, node->number);
        put_text(p, "}");
        return true;
    default: return false;
    }
}

// ---- Any node ------------------------------------------------------------------------------------

static void print_other(struct printer *p, const struct tk_node *node) {
    const struct tk_node *operand;
    switch (node->kind) {
    case TK_NODE_PREFIX: // an operator and its operand, or a word and a name
        put_own(p, node);
        operand = node_of(p, node->a);
        if (is_text(node, "&") && operand->kind == TK_NODE_ENCODING && !operand->len &&
            node_of(p, operand->a)->kind == TK_NODE_NESTED)
            print(p, operand->a); // the address of a member function
        else if (node->len >= 8 || is_text(node, "~") || is_text(node, "::")) print(p, node->a);
        else print_operand(p, node->a);
        return;
    case TK_NODE_ARGUMENT_PACK: print_list(p, node->a); return;
    case TK_NODE_PARAMETER_PACK: print_pack(p, node); return;
    case TK_NODE_EXPANSION: print_expansion(p, node->a); return;
    case TK_NODE_AUTO:
        put_text(p, "auto:");
        put_number(p, node->number);
        return;
    case TK_NODE_VECTOR:
        print(p, node->b);
        put_text(p, " __vector(");
        print(p, node->a);
        put_text(p, ")");
        return;
    case TK_NODE_DECLTYPE:
        put_text(p, "decltype (");
        print(p, node->a);
        put_text(p, ")");
        return;
    default: p->failed = true;
    }
}

static void print_left(struct printer *p, tk_node_id id) {
    id = resolved(p, id);
    const struct tk_node *node = node_of(p, id);
    if (p->failed || p->len == p->size) return;
    if (++p->steps > TK_MANGLED_STEPS / 2 || p->level >= TK_MANGLED_PRINTED) {
        p->failed = true;
        return;
    }
    p->level++;
    if (is_compound(node->kind)) print_type_left(p, id);
    else if (!print_name(p, node) && !print_expression(p, node)) print_other(p, node);
    p->level--;
}

static void print_right(struct printer *p, tk_node_id id) {
    id = resolved(p, id);
    if (p->failed || p->len == p->size || !is_compound(node_of(p, id)->kind)) return;
    if (++p->steps > TK_MANGLED_STEPS / 2 || p->level >= TK_MANGLED_PRINTED) {
        p->failed = true;
        return;
    }
    p->level++;
    print_type_right(p, id);
    p->level--;
}

static void print(struct printer *p, tk_node_id id) {
    print_left(p, id);
    print_right(p, id);
}

size_t tk_mangled_print(const struct tk_mangled *m, tk_node_id root, char *out, size_t size) {
    struct printer p = { .m = m, .out = out, .size = size - 1, .element = NO_ELEMENT };
    const struct tk_node *node = &m->nodes[root];
    print(&p, node->kind == TK_NODE_ENCODING ? node->a : root);
    out[p.len] = 0;
    return p.failed ? 0 : p.len;
}
