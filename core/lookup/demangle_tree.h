// SPDX-License-Identifier: MIT
//
// The tree of a demangled name (Itanium C++ ABI): demangle.c, demangle_types.c and demangle_expressions.c parse the
// symbol, demangle_print.c writes the text. Nodes refer to earlier nodes by index, and to bytes of the symbol, so that
// a tree needs no allocation. Hostile symbols are bounded by the numbers of nodes, levels and steps.
#ifndef TK_LOOKUP_DEMANGLE_TREE_H
#define TK_LOOKUP_DEMANGLE_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    TK_MANGLED_NODES = 1536,  // nodes of a tree
    TK_MANGLED_SUBS = 384,    // substitutions of a symbol
    TK_MANGLED_LEVELS = 96,   // levels of nested names, types and expressions while parsing
    TK_MANGLED_PRINTED = 192, // levels of nodes while printing
    TK_MANGLED_STEPS = 4096 // parsed names, types and expressions, with failed attempts; and half of it: printed nodes,
                            // because a substitution prints its nodes each time
};

enum tk_node_kind {
    TK_NODE_NONE,
    // Names. `text` is a part of the name.
    TK_NODE_NAME,             // text
    TK_NODE_NESTED,           // a::b
    TK_NODE_TEMPLATE,         // a<list b>
    TK_NODE_TAGGED,           // a[abi:text]
    TK_NODE_CONSTRUCTOR,      // last name of a
    TK_NODE_DESTRUCTOR,       // ~ and last name of a
    TK_NODE_CONVERSION,       // operator a
    TK_NODE_LITERAL_OPERATOR, // operator"" text
    TK_NODE_LAMBDA,           // {lambda(list a)#number}
    TK_NODE_UNNAMED,          // {unnamed type#number}
    TK_NODE_DEFAULT_ARGUMENT, // {default arg#number}
    TK_NODE_BINDING,          // [list a]
    TK_NODE_ENCODING,         // function a(list b) text; text: qualifiers, number: type of the result or 0
    TK_NODE_SPECIAL,          // text a, as in `vtable for A`
    TK_NODE_CONSTRUCTION,     // construction vtable for a-in-b
    // Lists: a: first, b: list of the others.
    TK_NODE_LIST,
    TK_NODE_ARGUMENT_PACK,  // list a
    TK_NODE_PARAMETER_PACK, // list a: an expansion prints one element at a time
    TK_NODE_FORWARD,        // template parameter `number`; a: its argument, once it is known
    TK_NODE_AUTO,           // auto:number
    TK_NODE_EXPANSION,      // a...
    // Types.
    TK_NODE_QUALIFIED,      // a text
    TK_NODE_POINTER,        // a text: *, &, &&
    TK_NODE_MEMBER_POINTER, // b a::*
    TK_NODE_ARRAY,          // b [a]
    TK_NODE_FUNCTION,       // a (list b) text
    TK_NODE_VECTOR,         // b __vector(a)
    TK_NODE_DECLTYPE,       // decltype (a)
    // Expressions.
    TK_NODE_LITERAL,           // (a)text
    TK_NODE_NUMBER,            // text and suffix of a type, number: its code
    TK_NODE_PREFIX,            // text a
    TK_NODE_POSTFIX,           // a text
    TK_NODE_BINARY,            // a text b
    TK_NODE_CHOICE,            // a ? list b
    TK_NODE_INDEX,             // a[b]
    TK_NODE_CALL,              // a(list b)
    TK_NODE_CAST,              // text<a>(b)
    TK_NODE_CONVERT,           // (a)(list b)
    TK_NODE_BRACED,            // a{list b}
    TK_NODE_WRAPPED,           // text (a)
    TK_NODE_FOLD_LEFT,         // (...text a)
    TK_NODE_FOLD_RIGHT,        // (a text...)
    TK_NODE_FOLD,              // (a text...text b)
    TK_NODE_FUNCTION_PARAMETER // {parm#number}
};

typedef uint16_t tk_node_id; // index of a node; 0: none

struct tk_node {
    const char *text; // of the symbol, or static
    uint16_t len;
    uint16_t number;
    tk_node_id a, b;
    uint8_t kind;
};

struct tk_mangled {
    const char *at, *end; // the bytes to parse
    uint32_t count;       // of nodes; nodes[0] is TK_NODE_NONE
    uint32_t sub_count;
    uint32_t level, steps;
    tk_node_id arguments; // list of the template arguments of the function whose types are parsed
    bool in_lambda;       // template parameters are those of a generic lambda
    bool in_conversion;   // template arguments after a template parameter are those of the conversion
    bool in_type;         // a name is that of a type: its template arguments are not those of the function
    struct tk_node nodes[TK_MANGLED_NODES];
    tk_node_id subs[TK_MANGLED_SUBS];
};

// A position to which a parser returns if its attempt fails.
struct tk_mangled_mark {
    const char *at;
    uint32_t count, sub_count;
};

static inline struct tk_mangled_mark tk_mangled_mark(const struct tk_mangled *m) {
    return (struct tk_mangled_mark){ m->at, m->count, m->sub_count };
}

static inline void tk_mangled_reset(struct tk_mangled *m, struct tk_mangled_mark mark) {
    m->at = mark.at;
    m->count = mark.count;
    m->sub_count = mark.sub_count;
}

// Properties of a parsed function name.
struct tk_name_facts {
    bool has_arguments; // ends with template arguments
    bool has_no_return; // constructor, destructor or conversion
    const char *quals;  // qualifiers of a member function; NULL: none
};

// Every parser returns 0 if the bytes do not match, or a limit is reached.

// demangle.c
tk_node_id tk_mangled_add(struct tk_mangled *m, struct tk_node node);
tk_node_id tk_mangled_text(struct tk_mangled *m, enum tk_node_kind kind, const char *text, tk_node_id a, tk_node_id b);
bool tk_mangled_add_sub(struct tk_mangled *m, tk_node_id id);
// Appends an element to a list that begins at *list (0: empty) and ends at *last. Returns false if it is 0.
bool tk_mangled_append(struct tk_mangled *m, tk_node_id *list, tk_node_id *last, tk_node_id element);
bool tk_mangled_skip(struct tk_mangled *m, const char *word);
char tk_mangled_peek(const struct tk_mangled *m, size_t ahead);
// Reads a decimal number; or one of this base that ends with `_`, where no digits mean 0, `0_` means 1 and so on. Both
// return false if there is none, or if it is above 65533.
bool tk_mangled_number(struct tk_mangled *m, uint32_t *out);
bool tk_mangled_sequence(struct tk_mangled *m, unsigned base, uint32_t *out);
tk_node_id tk_mangled_encoding(struct tk_mangled *m);
tk_node_id tk_mangled_name(struct tk_mangled *m, struct tk_name_facts *facts);
tk_node_id tk_mangled_unqualified(struct tk_mangled *m);
tk_node_id tk_mangled_source_name(struct tk_mangled *m);
tk_node_id tk_mangled_substitution(struct tk_mangled *m);
// Parses template arguments. Outside a type they are those of the function whose types follow.
tk_node_id tk_mangled_with_arguments(struct tk_mangled *m, tk_node_id name);

// demangle_types.c
tk_node_id tk_mangled_type(struct tk_mangled *m);
tk_node_id tk_mangled_template_parameter(struct tk_mangled *m);
// Parses types up to `E`, the end or a suffix; a single `void` is no type. Returns false if they do not match.
bool tk_mangled_parameters(struct tk_mangled *m, tk_node_id *out_list);
tk_node_id tk_mangled_decltype(struct tk_mangled *m);
const char *tk_mangled_qualifiers(struct tk_mangled *m);
const char *tk_mangled_member_qualifiers(struct tk_mangled *m); // and `&` or `&&`

// demangle_expressions.c
struct tk_operator {
    char code[3], kind; // kind: 1 or 2 operands; 0: only a name
    const char *text;
};
const struct tk_operator *tk_mangled_operator(const struct tk_mangled *m);
tk_node_id tk_mangled_expression(struct tk_mangled *m);
tk_node_id tk_mangled_literal(struct tk_mangled *m);

// demangle_print.c
size_t tk_mangled_print(const struct tk_mangled *m, tk_node_id root, char *out, size_t size);

// Counts a level of recursion and a step; false: there are too many. Leave with m->level--.
static inline bool tk_mangled_enter(struct tk_mangled *m) {
    return m->level++ < TK_MANGLED_LEVELS && m->steps++ < TK_MANGLED_STEPS;
}

#endif
