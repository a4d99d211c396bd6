// SPDX-License-Identifier: MIT
#include "tsdl.h"

#include <string.h>

#include "../../base/bytes.h"
#include "../../base/text.h"
#include "../../base/utf8.h"

enum {
    MAX_DIMENSIONS = 8,
    MAX_WORDS = 256, // bytes of a name, which may consist of several words
    PACKET_HEADER = 37
};

enum token {
    END,
    WORD,   // a name with its dots: packet.header
    NUMBER, // its value is in `number`
    TEXT,   // in quotes
    ASSIGN, // :=
    DOTS,   // ...
    SIGN,   // any other character
    BAD     // a character or a text that cannot be
};

struct lexer {
    const char *at, *end;
    uint32_t line;
    enum token token; // the current one
    const char *text; // of the token
    size_t len;
    bool starts_line; // the token is the first one of its line
    char sign;
    bool is_negative;
    uint64_t number;
};

enum space { ALIASES, STRUCTS, ENUMS, VARIANTS, SPACES };

struct parser {
    struct lexer lexer;
    struct ctf_schema *schema;
    struct tk_idmap names[SPACES]; // from a string to a type
    struct tsdl_problem *problem;
    bool has_failed;
    uint32_t failed_line;
    char failed_words[TSDL_ERROR];
};

// ---- Tokens --------------------------------------------------------------------------------------

static bool is_letter(char c) { return c == '_' || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z'); }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Skips white space and comments.
static void skip_blanks(struct lexer *l) {
    while (l->at < l->end) {
        char c = *l->at, next = l->at + 1 < l->end ? l->at[1] : 0;
        if (c == '\n') {
            l->line++;
            l->starts_line = true;
            l->at++;
        } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
            l->at++;
        } else if (c == '/' && next == '/') {
            while (l->at < l->end && *l->at != '\n') l->at++;
        } else if (c == '/' && next == '*') {
            l->at += 2;
            while (l->at < l->end && !(l->at[0] == '*' && l->at + 1 < l->end && l->at[1] == '/'))
                l->line += *l->at++ == '\n';
            l->at += l->end - l->at < 2 ? l->end - l->at : 2;
        } else {
            return;
        }
    }
}

static void read_number(struct lexer *l) {
    uint64_t value = 0;
    unsigned base = 10;
    bool is_bad = false;
    if (*l->at == '-') l->is_negative = true, l->at++;
    if (l->at + 1 < l->end && *l->at == '0') {
        bool is_hex = (l->at[1] | 0x20) == 'x';
        base = is_hex ? 16 : 8;
        l->at += is_hex ? 2 : 0;
    }
    const char *digits = l->at;
    for (; l->at < l->end; l->at++) {
        char c = *l->at;
        unsigned digit = is_digit(c)                              ? (unsigned)(c - '0')
                         : (c | 0x20) >= 'a' && (c | 0x20) <= 'f' ? (unsigned)((c | 0x20) - 'a') + 10
                                                                  : 16;
        if (digit >= base) break;
        if (value > (UINT64_MAX - digit) / base) is_bad = true;
        value = value * base + digit;
    }
    is_bad = is_bad || l->at == digits;
    while (l->at < l->end && ((*l->at | 0x20) == 'u' || (*l->at | 0x20) == 'l')) l->at++;
    if (l->at < l->end && (is_letter(*l->at) || is_digit(*l->at))) is_bad = true;
    l->number = l->is_negative ? 0 - value : value;
    l->token = is_bad ? BAD : NUMBER;
}

static void read_word(struct lexer *l) {
    while (l->at < l->end) {
        bool is_dot = *l->at == '.' && l->at + 1 < l->end && is_letter(l->at[1]);
        if (!is_dot && !is_letter(*l->at) && !is_digit(*l->at)) break;
        l->at++;
    }
    l->token = WORD;
}

static void read_text(struct lexer *l) {
    l->text = ++l->at;
    while (l->at < l->end && *l->at != '"' && *l->at != '\n') l->at += *l->at == '\\' && l->at + 1 < l->end ? 2 : 1;
    if (l->at > l->end) l->at = l->end;
    l->len = (size_t)(l->at - l->text);
    bool is_closed = l->at < l->end && *l->at == '"';
    l->token = is_closed ? TEXT : BAD;
    l->at += is_closed;
}

static void advance(struct lexer *l) {
    l->starts_line = l->token == END && l->line == 1 && !l->text;
    skip_blanks(l);
    l->text = l->at;
    l->is_negative = false;
    l->sign = 0;
    if (l->at == l->end) {
        l->token = END;
        l->len = 0;
        return;
    }
    char c = *l->at;
    size_t left = (size_t)(l->end - l->at);
    if (is_letter(c)) {
        read_word(l);
    } else if (is_digit(c) || (c == '-' && left > 1 && is_digit(l->at[1]))) {
        read_number(l);
    } else if (c == '"') {
        read_text(l);
        return;
    } else if (c == ':' && left > 1 && l->at[1] == '=') {
        l->token = ASSIGN;
        l->at += 2;
    } else if (c == '.' && left > 2 && l->at[1] == '.' && l->at[2] == '.') {
        l->token = DOTS;
        l->at += 3;
    } else {
        l->token = strchr("{}[]()<>;=,:*", c) && c ? SIGN : BAD;
        l->sign = c;
        l->at++;
    }
    l->len = (size_t)(l->at - l->text);
}

static bool is_word(const struct lexer *l, const char *word) {
    return l->token == WORD && l->len == strlen(word) && !memcmp(l->text, word, l->len);
}

static bool is_sign(const struct lexer *l, char sign) { return l->token == SIGN && l->sign == sign; }

// ---- Errors --------------------------------------------------------------------------------------

static bool fail(struct parser *p, const char *words) {
    if (p->has_failed) return false;
    p->has_failed = true;
    p->failed_line = p->lexer.line;
    struct tk_text text = tk_text_in(p->failed_words, sizeof p->failed_words);
    tk_text_add(&text, words);
    return false;
}

// "unknown type `foo'"
static bool fail_at(struct parser *p, const char *words, const char *at, size_t len) {
    char room[TSDL_ERROR];
    struct tk_text text = tk_text_in(room, sizeof room);
    tk_text_add(&text, words);
    tk_text_add(&text, " `");
    for (size_t i = 0; i < len && i < 40; i++) tk_text_char(&text, at[i] >= ' ' && at[i] <= '~' ? at[i] : '?');
    tk_text_add(&text, "'");
    return fail(p, room);
}

static bool fail_here(struct parser *p, const char *words) {
    if (p->lexer.token == END) return fail(p, "the text ends here");
    return fail_at(p, words, p->lexer.text, p->lexer.len);
}

static bool expect(struct parser *p, char sign) {
    static const char words[][12] = { "expected {", "expected }", "expected ;", "expected ]", "expected =",
                                      "expected >", "expected (", "expected )", "expected :" };
    static const char signs[] = "{};]=>():";
    if (!is_sign(&p->lexer, sign)) return fail_here(p, words[strchr(signs, sign) - signs]);
    advance(&p->lexer);
    return true;
}

// ---- Values of attributes ------------------------------------------------------------------------

// Reads "= number".
static bool read_attribute_number(struct parser *p, uint64_t *out_number) {
    if (!expect(p, '=')) return false;
    if (p->lexer.token != NUMBER) return fail_here(p, "expected a number, not");
    *out_number = p->lexer.number;
    advance(&p->lexer);
    return true;
}

// Reads "= word", "= 1" or "= "text"". The text is borrowed.
static bool read_attribute_words(struct parser *p, const char **out_text, size_t *out_len) {
    if (!expect(p, '=')) return false;
    if (p->lexer.token != WORD && p->lexer.token != NUMBER && p->lexer.token != TEXT)
        return fail_here(p, "expected a value, not");
    *out_text = p->lexer.text;
    *out_len = p->lexer.len;
    advance(&p->lexer);
    return true;
}

static bool is(const char *text, size_t len, const char *word) {
    return len == strlen(word) && !memcmp(text, word, len);
}

static bool read_order(struct parser *p, uint8_t *out_order) {
    const char *text = "";
    size_t len = 0;
    if (!read_attribute_words(p, &text, &len)) return false;
    if (is(text, len, "le")) *out_order = CTF_LITTLE;
    else if (is(text, len, "be") || is(text, len, "network")) *out_order = CTF_BIG;
    else if (is(text, len, "native")) *out_order = CTF_NATIVE;
    else return fail_at(p, "unknown byte order", text, len);
    return true;
}

static bool read_align(struct parser *p, uint64_t number, uint16_t *out_align) {
    if (!number || number > CTF_MAX_ALIGN || number & (number - 1))
        return fail(p, "an alignment must be a power of two, up to 4096");
    *out_align = (uint16_t)number;
    return true;
}

// Skips the rest of a statement, with the blocks in it.
static bool skip_statement(struct parser *p) {
    struct lexer *l = &p->lexer;
    unsigned depth = 0;
    for (; l->token != END; advance(l)) {
        if (is_sign(l, '{')) depth++;
        if (is_sign(l, '}') && !depth--) return true;
        if (is_sign(l, ';') && !depth) {
            advance(l);
            return true;
        }
    }
    return fail_here(p, "");
}

// ---- Types ---------------------------------------------------------------------------------------

static uint32_t read_type(struct parser *p, unsigned depth, bool has_declarator);

static bool read_integer(struct parser *p, struct ctf_type *type) {
    struct lexer *l = &p->lexer;
    uint64_t size = 0, align = 0;
    const char *text = "";
    size_t len = 0;
    *type = (struct ctf_type){ .kind = CTF_INTEGER, .depth = 1 };
    advance(l);
    if (!expect(p, '{')) return false;
    while (!is_sign(l, '}')) {
        struct lexer name = *l;
        if (l->token != WORD) return fail_here(p, "expected an attribute, not");
        advance(l);
        if (is_word(&name, "size")) {
            if (!read_attribute_number(p, &size)) return false;
            if (!size || size > 64) return fail(p, "an integer has 1 to 64 bits");
        } else if (is_word(&name, "align")) {
            if (!read_attribute_number(p, &align) || !read_align(p, align, &type->align)) return false;
        } else if (is_word(&name, "signed")) {
            if (!read_attribute_words(p, &text, &len)) return false;
            type->is_signed = is(text, len, "true") || is(text, len, "1") || is(text, len, "TRUE");
        } else if (is_word(&name, "byte_order")) {
            if (!read_order(p, &type->order)) return false;
        } else if (is_word(&name, "base")) {
            if (!read_attribute_words(p, &text, &len)) return false;
            type->is_hex = is(text, len, "16") || is(text, len, "x") || is(text, len, "X") || is(text, len, "hex") ||
                           is(text, len, "hexadecimal") || is(text, len, "p");
        } else if (is_word(&name, "encoding")) {
            if (!read_attribute_words(p, &text, &len)) return false;
            type->is_text = !is(text, len, "none");
        } else if (is_word(&name, "map")) {
            if (!read_attribute_words(p, &text, &len)) return false;
            type->is_time = len > 6 && !memcmp(text, "clock.", 6);
        } else {
            return fail_at(p, "unknown attribute of an integer", name.text, name.len);
        }
        if (!expect(p, ';')) return false;
    }
    advance(l);
    if (!size) return fail(p, "an integer without a size");
    type->size = (uint16_t)size;
    if (!align) type->align = size % 8 ? 1 : 8;
    return true;
}

static bool read_float(struct parser *p, struct ctf_type *type) {
    struct lexer *l = &p->lexer;
    uint64_t exponent = 0, mantissa = 0, align = 0;
    *type = (struct ctf_type){ .kind = CTF_FLOAT, .depth = 1 };
    advance(l);
    if (!expect(p, '{')) return false;
    while (!is_sign(l, '}')) {
        struct lexer name = *l;
        if (l->token != WORD) return fail_here(p, "expected an attribute, not");
        advance(l);
        if (is_word(&name, "exp_dig")) {
            if (!read_attribute_number(p, &exponent)) return false;
        } else if (is_word(&name, "mant_dig")) {
            if (!read_attribute_number(p, &mantissa)) return false;
        } else if (is_word(&name, "align")) {
            if (!read_attribute_number(p, &align) || !read_align(p, align, &type->align)) return false;
        } else if (is_word(&name, "byte_order")) {
            if (!read_order(p, &type->order)) return false;
        } else {
            return fail_at(p, "unknown attribute of a floating point number", name.text, name.len);
        }
        if (!expect(p, ';')) return false;
    }
    advance(l);
    bool is_single = exponent == 8 && mantissa == 24, is_double = exponent == 11 && mantissa == 53;
    if (!is_single && !is_double) return fail(p, "floating point numbers have 32 or 64 bits (8 + 24, 11 + 53)");
    type->size = is_single ? 32 : 64;
    if (!align) type->align = 8;
    return true;
}

static bool read_string(struct parser *p, struct ctf_type *type) {
    *type = (struct ctf_type){ .kind = CTF_STRING, .align = 8, .depth = 1 };
    advance(&p->lexer);
    if (!is_sign(&p->lexer, '{')) return true;
    advance(&p->lexer);
    while (!is_sign(&p->lexer, '}') && !p->has_failed) skip_statement(p);
    return expect(p, '}');
}

// Names of events and labels are shown, so they must be valid UTF-8.
static uint32_t intern(struct parser *p, const char *text, size_t len) {
    uint8_t room[MAX_WORDS * TK_UTF8_GROWTH];
    size_t bad;
    if (len > MAX_WORDS) len = MAX_WORDS;
    len = tk_utf8_clean((const uint8_t *)text, len, room, &bad);
    uint32_t string = ctf_schema_text(p->schema, (const char *)room, len);
    if (!string) fail(p, "too many names");
    return string;
}

// The last part of a dotted path, without an underscore at its start.
static uint32_t intern_name(struct parser *p, const char *text, size_t len) {
    for (size_t i = len; i > 0; i--) {
        if (text[i - 1] != '.') continue;
        text += i, len -= i;
        break;
    }
    if (len > 1 && *text == '_') text++, len--;
    return intern(p, text, len);
}

static uint32_t add_type(struct parser *p, const struct ctf_type *type) {
    if (type->depth > CTF_MAX_DEPTH) return fail(p, "types are nested too deeply"), CTF_NO_TYPE;
    uint32_t added = ctf_schema_type(p->schema, type);
    if (!added) fail(p, "too many types");
    return added;
}

static uint32_t find_name(const struct parser *p, enum space space, uint32_t name) {
    uint32_t type = tk_idmap_find(&p->names[space], name);
    return type == TK_NONE ? CTF_NO_TYPE : type;
}

static bool set_name(struct parser *p, enum space space, uint32_t name, uint32_t type) {
    return tk_idmap_set(&p->names[space], p->schema->alloc, name, type) || fail(p, "out of memory");
}

// Reads "[3][length]..." after a name. Returns the type of the field, an array of arrays of `type`.
static uint32_t read_dimensions(struct parser *p, uint32_t type) {
    struct lexer *l = &p->lexer;
    struct ctf_type dimensions[MAX_DIMENSIONS];
    unsigned count = 0;
    while (is_sign(l, '[')) {
        advance(l);
        if (count == MAX_DIMENSIONS) return fail(p, "too many dimensions"), CTF_NO_TYPE;
        struct ctf_type *one = &dimensions[count++];
        *one = (struct ctf_type){ .kind = CTF_ARRAY };
        if (l->token == NUMBER) {
            if (l->is_negative || l->number > CTF_MAX_LENGTH)
                return fail(p, "an array has 65536 elements at most"), CTF_NO_TYPE;
            one->length = (uint32_t)l->number;
        } else if (l->token == WORD) {
            one->kind = CTF_SEQUENCE;
            if (!(one->name = intern_name(p, l->text, l->len))) return CTF_NO_TYPE;
        } else {
            return fail_here(p, "expected a length, not"), CTF_NO_TYPE;
        }
        advance(l);
        if (!expect(p, ']')) return CTF_NO_TYPE;
    }
    while (count && type) {
        struct ctf_type *one = &dimensions[--count];
        const struct ctf_type *element = ctf_type_at(p->schema, type);
        one->element = type;
        one->align = element->align;
        one->depth = (uint8_t)(element->depth + 1);
        one->is_text = element->kind == CTF_INTEGER && element->size == 8 && element->align <= 8 && element->is_text &&
                       !element->is_enum;
        type = add_type(p, one);
    }
    return type;
}

// Fields that the schema does not contain yet: those of the types in them are added first.
struct field_list {
    struct ctf_field *fields;
    uint32_t count, capacity;
};

static bool read_typedef(struct parser *p, unsigned depth);
static bool read_typealias(struct parser *p, unsigned depth);

// Reads the fields of a struct or the options of a variant, up to the brace.
static bool read_fields(struct parser *p, unsigned depth, struct field_list *list) {
    struct lexer *l = &p->lexer;
    while (!is_sign(l, '}') && !p->has_failed) {
        if (is_word(l, "typealias")) {
            if (!read_typealias(p, depth)) return false;
            continue;
        }
        if (is_word(l, "typedef")) {
            if (!read_typedef(p, depth)) return false;
            continue;
        }
        uint32_t type = read_type(p, depth + 1, true);
        if (!type) return false;
        if (is_sign(l, ';')) { // only a named type is defined
            advance(l);
            continue;
        }
        if (l->token != WORD) return fail_here(p, "expected the name of a field, not");
        struct ctf_field field = { .name = intern_name(p, l->text, l->len) };
        advance(l);
        field.type = field.name ? read_dimensions(p, type) : CTF_NO_TYPE;
        if (!field.type || !expect(p, ';')) return false;
        void *fields = list->fields;
        bool has_room = list->count < CTF_MAX_FIELDS && tk_alloc_grow(p->schema->alloc, &fields, &list->capacity,
                                                                      list->count + 1, sizeof *list->fields);
        list->fields = fields;
        if (!has_room) return fail(p, "too many fields");
        list->fields[list->count++] = field;
    }
    return !p->has_failed;
}

// Reads "{ fields }" and moves them to the schema. Returns the number of fields in *out_count.
static bool read_body(struct parser *p, unsigned depth, uint32_t *out_count) {
    struct field_list list = { 0 };
    advance(&p->lexer);
    bool ok = read_fields(p, depth, &list) && expect(p, '}');
    for (uint32_t i = 0; i < list.count && ok; i++)
        ok = ctf_schema_field(p->schema, list.fields[i].name, list.fields[i].type) || fail(p, "too many fields");
    tk_alloc_free(p->schema->alloc, list.fields, list.capacity * sizeof *list.fields);
    *out_count = list.count;
    return ok;
}

// Reads the name after struct, enum or variant. 0: none.
static bool read_type_name(struct parser *p, uint32_t *out_name) {
    *out_name = 0;
    if (p->lexer.token != WORD) return true;
    if (!(*out_name = intern(p, p->lexer.text, p->lexer.len))) return false;
    advance(&p->lexer);
    return true;
}

static uint32_t find_or_fail(struct parser *p, enum space space, uint32_t name, const char *words) {
    uint32_t type = name ? find_name(p, space, name) : CTF_NO_TYPE;
    size_t len;
    const char *text = ctf_text(p->schema, name, &len);
    if (!type) fail_at(p, words, text, len);
    return type;
}

static uint32_t read_struct(struct parser *p, unsigned depth) {
    struct lexer *l = &p->lexer;
    uint32_t name, count, align = 1;
    advance(l);
    if (!read_type_name(p, &name)) return CTF_NO_TYPE;
    if (!is_sign(l, '{')) return find_or_fail(p, STRUCTS, name, "unknown struct");
    if (!read_body(p, depth, &count)) return CTF_NO_TYPE;
    if (is_word(l, "align")) {
        uint16_t bits;
        advance(l);
        if (!expect(p, '(')) return CTF_NO_TYPE;
        if (l->token != NUMBER) return fail_here(p, "expected a number, not"), CTF_NO_TYPE;
        if (!read_align(p, l->number, &bits)) return CTF_NO_TYPE;
        align = bits;
        advance(l);
        if (!expect(p, ')')) return CTF_NO_TYPE;
    }
    uint32_t type = ctf_schema_struct(p->schema, count, align);
    if (!type) return fail(p, "too many types"), CTF_NO_TYPE;
    if (ctf_type_at(p->schema, type)->depth > CTF_MAX_DEPTH) return fail(p, "types are nested too deeply"), CTF_NO_TYPE;
    return !name || set_name(p, STRUCTS, name, type) ? type : CTF_NO_TYPE;
}

// Reads "<tag>".
static bool read_tag(struct parser *p, uint32_t *out_tag) {
    if (!is_sign(&p->lexer, '<')) return true;
    advance(&p->lexer);
    if (p->lexer.token != WORD) return fail_here(p, "expected the name of a tag, not");
    if (!(*out_tag = intern_name(p, p->lexer.text, p->lexer.len))) return false;
    advance(&p->lexer);
    return expect(p, '>');
}

static uint32_t read_variant(struct parser *p, unsigned depth) {
    struct lexer *l = &p->lexer;
    uint32_t name, tag = 0, count;
    advance(l);
    if (!read_type_name(p, &name) || !read_tag(p, &tag)) return CTF_NO_TYPE;
    struct ctf_type type;
    if (is_sign(l, '{')) {
        if (!read_body(p, depth, &count)) return CTF_NO_TYPE;
        type = (struct ctf_type){
            .kind = CTF_VARIANT, .align = 1, .first = p->schema->field_count - count, .count = count
        };
        for (uint32_t i = 0; i < count; i++) {
            uint8_t inner = ctf_type_at(p->schema, p->schema->fields[type.first + i].type)->depth;
            if (inner > type.depth) type.depth = inner;
        }
        type.depth++;
        type.name = tag;
        uint32_t added = add_type(p, &type);
        return added && (!name || set_name(p, VARIANTS, name, added)) ? added : CTF_NO_TYPE;
    }
    uint32_t known = find_or_fail(p, VARIANTS, name, "unknown variant");
    if (!known || !tag) return known;
    type = *ctf_type_at(p->schema, known);
    type.name = tag;
    return add_type(p, &type);
}

static bool read_labels(struct parser *p, uint32_t *out_first, uint32_t *out_count) {
    struct lexer *l = &p->lexer;
    uint64_t next = 0;
    *out_first = p->schema->label_count;
    advance(l);
    while (!is_sign(l, '}')) {
        if (l->token != WORD && l->token != TEXT) return fail_here(p, "expected a label, not");
        struct ctf_label label = { .name =
                                       l->token == WORD ? intern_name(p, l->text, l->len) : intern(p, l->text, l->len),
                                   .from = next };
        if (!label.name) return false;
        advance(l);
        if (is_sign(l, '=')) {
            advance(l);
            if (l->token != NUMBER) return fail_here(p, "expected a number, not");
            label.from = l->number;
            advance(l);
        }
        label.to = label.from;
        if (l->token == DOTS) {
            advance(l);
            if (l->token != NUMBER) return fail_here(p, "expected a number, not");
            label.to = l->number;
            advance(l);
        }
        next = label.to + 1;
        if (!ctf_schema_label(p->schema, &label)) return fail(p, "too many labels");
        if (!is_sign(l, ',')) break;
        advance(l);
    }
    *out_count = p->schema->label_count - *out_first;
    return expect(p, '}');
}

static uint32_t read_enum(struct parser *p, unsigned depth) {
    struct lexer *l = &p->lexer;
    uint32_t name, container = CTF_NO_TYPE;
    advance(l);
    if (!read_type_name(p, &name)) return CTF_NO_TYPE;
    if (!is_sign(l, ':') && !is_sign(l, '{')) return find_or_fail(p, ENUMS, name, "unknown enumeration");
    if (is_sign(l, ':')) {
        advance(l);
        if (!(container = read_type(p, depth + 1, false))) return CTF_NO_TYPE;
    } else {
        container = find_or_fail(p, ALIASES, intern(p, "int", 3), "an enumeration without a type needs");
        if (!container) return CTF_NO_TYPE;
    }
    struct ctf_type type = *ctf_type_at(p->schema, container);
    if (type.kind != CTF_INTEGER) return fail(p, "the type of an enumeration is an integer"), CTF_NO_TYPE;
    if (!is_sign(l, '{')) return fail_here(p, "expected {"), CTF_NO_TYPE;
    if (!read_labels(p, &type.first, &type.count)) return CTF_NO_TYPE;
    type.is_enum = true;
    uint32_t added = add_type(p, &type);
    return added && (!name || set_name(p, ENUMS, name, added)) ? added : CTF_NO_TYPE;
}

// Reads a name of one or more words, such as "unsigned int". has_declarator: the last word is not part of it.
static uint32_t read_alias(struct parser *p, bool has_declarator) {
    struct lexer *l = &p->lexer;
    char room[MAX_WORDS];
    struct tk_text words = tk_text_in(room, sizeof room);
    uint32_t count = 0;
    while (l->token == WORD) {
        struct lexer next = *l;
        advance(&next);
        if (has_declarator && count && next.token != WORD) break;
        if (count++) tk_text_char(&words, ' ');
        tk_text_put(&words, l->text, l->len);
        *l = next;
    }
    if (!count) return fail_here(p, "expected a type, not"), CTF_NO_TYPE;
    uint32_t name = intern(p, words.text, words.len), type = name ? find_name(p, ALIASES, name) : CTF_NO_TYPE;
    if (!type) fail_at(p, "unknown type", words.text, words.len);
    return type;
}

static uint32_t read_type(struct parser *p, unsigned depth, bool has_declarator) {
    struct lexer *l = &p->lexer;
    struct ctf_type type;
    if (depth > CTF_MAX_DEPTH) return fail(p, "types are nested too deeply"), CTF_NO_TYPE;
    if (is_word(l, "integer")) return read_integer(p, &type) ? add_type(p, &type) : CTF_NO_TYPE;
    if (is_word(l, "floating_point")) return read_float(p, &type) ? add_type(p, &type) : CTF_NO_TYPE;
    if (is_word(l, "string")) return read_string(p, &type) ? add_type(p, &type) : CTF_NO_TYPE;
    if (is_word(l, "struct")) return read_struct(p, depth);
    if (is_word(l, "variant")) return read_variant(p, depth);
    if (is_word(l, "enum")) return read_enum(p, depth);
    if (is_word(l, "const")) {
        advance(l);
        return read_type(p, depth + 1, has_declarator);
    }
    return read_alias(p, has_declarator);
}

// "typealias integer {...} := name;"
static bool read_typealias(struct parser *p, unsigned depth) {
    struct lexer *l = &p->lexer;
    char room[MAX_WORDS];
    struct tk_text words = tk_text_in(room, sizeof room);
    advance(l);
    uint32_t type = read_type(p, depth + 1, false);
    if (!type) return false;
    if (l->token != ASSIGN) return fail_here(p, "expected :=, not");
    advance(l);
    while (l->token == WORD || is_sign(l, '*')) {
        if (words.len) tk_text_char(&words, ' ');
        tk_text_put(&words, l->text, l->len);
        advance(l);
    }
    if (!words.len) return fail_here(p, "expected a name, not");
    uint32_t name = intern(p, words.text, words.len);
    return name && set_name(p, ALIASES, name, type) && expect(p, ';');
}

// "typedef type name[3];"
static bool read_typedef(struct parser *p, unsigned depth) {
    struct lexer *l = &p->lexer;
    advance(l);
    uint32_t type = read_type(p, depth + 1, true);
    if (!type) return false;
    if (l->token != WORD) return fail_here(p, "expected a name, not");
    uint32_t name = intern(p, l->text, l->len);
    advance(l);
    type = name ? read_dimensions(p, type) : CTF_NO_TYPE;
    return type && set_name(p, ALIASES, name, type) && expect(p, ';');
}

// ---- Blocks --------------------------------------------------------------------------------------

// Reads ":= type ;".
static bool read_assigned_type(struct parser *p, uint32_t *out_type) {
    if (p->lexer.token != ASSIGN) return fail_here(p, "expected :=, not");
    advance(&p->lexer);
    return (*out_type = read_type(p, 0, false)) && expect(p, ';');
}

// Reads the statements of a block: `statement` reads one whose name is the current word, and returns false if it is not
// its own.
static bool read_block(struct parser *p, bool (*statement)(struct parser *p, void *ctx, bool *out_ok), void *ctx) {
    struct lexer *l = &p->lexer;
    advance(l);
    if (!expect(p, '{')) return false;
    while (!is_sign(l, '}')) {
        bool ok = true;
        if (is_word(l, "typealias")) ok = read_typealias(p, 0);
        else if (is_word(l, "typedef")) ok = read_typedef(p, 0);
        else if (l->token == WORD && statement(p, ctx, &ok)) {
            if (ok) continue;
        } else if (is_word(l, "struct") || is_word(l, "enum") || is_word(l, "variant")) {
            ok = read_type(p, 0, true) && expect(p, ';');
        } else {
            return fail_here(p, "unknown statement");
        }
        if (!ok) return false;
    }
    advance(l);
    if (is_sign(l, ';')) advance(l);
    return true;
}

static bool trace_statement(struct parser *p, void *ctx, bool *out_ok) {
    struct lexer name = p->lexer;
    uint8_t order;
    (void)ctx;
    if (is_word(&name, "byte_order")) {
        advance(&p->lexer);
        if ((*out_ok = read_order(p, &order) && expect(p, ';'))) p->schema->is_big = order == CTF_BIG;
    } else if (is_word(&name, "packet.header") || is_word(&name, "trace.packet.header")) {
        advance(&p->lexer);
        *out_ok = read_assigned_type(p, &p->schema->packet_header);
    } else if (is_word(&name, "major")) {
        uint64_t major;
        advance(&p->lexer);
        *out_ok = read_attribute_number(p, &major) && (major == 1 || fail(p, "the major version of CTF is not 1")) &&
                  expect(p, ';');
    } else if (is_word(&name, "minor") || is_word(&name, "uuid")) {
        *out_ok = skip_statement(p);
    } else {
        return false;
    }
    return true;
}

static bool stream_statement(struct parser *p, void *ctx, bool *out_ok) {
    struct ctf_stream_class *stream = ctx;
    struct lexer name = p->lexer;
    uint32_t *type =
        is_word(&name, "event.header") || is_word(&name, "stream.event.header")       ? &stream->event_header
        : is_word(&name, "event.context") || is_word(&name, "stream.event.context")   ? &stream->event_context
        : is_word(&name, "packet.context") || is_word(&name, "stream.packet.context") ? &stream->packet_context
                                                                                      : NULL;
    if (!type && !is_word(&name, "id")) return false;
    advance(&p->lexer);
    *out_ok = type ? read_assigned_type(p, type) : read_attribute_number(p, &stream->id) && expect(p, ';');
    return true;
}

static bool event_statement(struct parser *p, void *ctx, bool *out_ok) {
    struct ctf_class *class = ctx;
    struct lexer name = p->lexer;
    const char *text = "";
    size_t len = 0;
    advance(&p->lexer);
    if (is_word(&name, "name")) {
        *out_ok = read_attribute_words(p, &text, &len) && (class->name = intern(p, text, len)) && expect(p, ';');
    } else if (is_word(&name, "id")) {
        *out_ok = read_attribute_number(p, &class->id) && expect(p, ';');
    } else if (is_word(&name, "stream_id")) {
        *out_ok = read_attribute_number(p, &class->stream) && expect(p, ';');
    } else if (is_word(&name, "fields") || is_word(&name, "event.fields")) {
        *out_ok = read_assigned_type(p, &class->fields);
    } else if (is_word(&name, "context") || is_word(&name, "event.context")) {
        *out_ok = read_assigned_type(p, &class->context);
    } else if (is_sign(&p->lexer, '=')) { // loglevel, model.emf.uri ...
        *out_ok = skip_statement(p);
    } else {
        p->lexer = name;
        return false;
    }
    return true;
}

static bool clock_statement(struct parser *p, void *ctx, bool *out_ok) {
    struct ctf_schema *clock = ctx;
    struct lexer name = p->lexer;
    uint64_t number;
    const char *text = "";
    size_t len = 0;
    advance(&p->lexer);
    if (is_word(&name, "freq")) {
        *out_ok = read_attribute_number(p, &clock->hz) && expect(p, ';');
        if (*out_ok && !clock->hz) *out_ok = fail(p, "the frequency of a clock is 0");
    } else if (is_word(&name, "offset")) {
        *out_ok = read_attribute_number(p, &clock->offset) && expect(p, ';');
    } else if (is_word(&name, "offset_s")) {
        if ((*out_ok = read_attribute_number(p, &number) && expect(p, ';'))) clock->offset_s = (int64_t)number;
    } else if (is_word(&name, "name")) {
        *out_ok = read_attribute_words(p, &text, &len) && expect(p, ';');
    } else if (is_sign(&p->lexer, '=')) {
        *out_ok = skip_statement(p);
    } else {
        p->lexer = name;
        return false;
    }
    return true;
}

static bool read_stream(struct parser *p) {
    struct ctf_stream_class stream = { 0 };
    if (!read_block(p, stream_statement, &stream)) return false;
    struct ctf_stream_class *added = ctf_find_stream(p->schema, stream.id);
    if (!added) added = ctf_schema_stream(p->schema);
    if (!added) return fail(p, "too many streams");
    *added = stream;
    return true;
}

static bool read_event(struct parser *p) {
    struct ctf_class class = { 0 };
    if (!read_block(p, event_statement, &class)) return false;
    struct ctf_class *added = ctf_schema_class(p->schema);
    if (!added) return fail(p, "too many events");
    *added = class;
    return true;
}

// The first clock is that of all times.
static bool read_clock(struct parser *p) {
    struct ctf_schema clock = { .hz = 1000000000u };
    if (!read_block(p, clock_statement, &clock)) return false;
    if (p->schema->has_clock) return true;
    p->schema->has_clock = true;
    p->schema->hz = clock.hz;
    p->schema->offset = clock.offset;
    p->schema->offset_s = clock.offset_s;
    return true;
}

static bool read_declaration(struct parser *p) {
    struct lexer *l = &p->lexer;
    if (is_sign(l, ';')) return advance(l), true;
    if (is_word(l, "typealias")) return read_typealias(p, 0);
    if (is_word(l, "typedef")) return read_typedef(p, 0);
    if (is_word(l, "trace")) return read_block(p, trace_statement, NULL);
    if (is_word(l, "stream")) return read_stream(p);
    if (is_word(l, "event")) return read_event(p);
    if (is_word(l, "clock")) return read_clock(p);
    if (is_word(l, "env") || is_word(l, "callsite")) return skip_statement(p);
    if (is_word(l, "struct") || is_word(l, "enum") || is_word(l, "variant"))
        return read_type(p, 0, true) && expect(p, ';');
    return fail_here(p, "unknown declaration");
}

// ---- The whole text ------------------------------------------------------------------------------

static void note(struct parser *p) {
    struct tsdl_problem *problem = p->problem;
    if (!problem->line) {
        problem->line = p->failed_line;
        memcpy(problem->words, p->failed_words, sizeof problem->words);
    }
}

static bool is_start_of_block(const struct lexer *l) {
    static const char *const words[] = { "event", "stream", "trace", "clock", "env", "callsite", "typealias" };
    if (!l->starts_line) return false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (is_word(l, words[i])) {
            struct lexer next = *l;
            advance(&next);
            return is_sign(&next, '{') || i == sizeof words / sizeof *words - 1;
        }
    return false;
}

// Leaves out an event that cannot be read: up to the next block, because its braces may be missing. Returns false if
// the error is that of memory.
static bool leave_out(struct parser *p, const struct lexer *event) {
    struct lexer *l = &p->lexer;
    if (p->schema->alloc->failed) return false;
    note(p);
    p->problem->left_out++;
    p->has_failed = false;
    bool is_at_event = l->text == event->text;
    if (is_at_event) advance(l);
    while (l->token != END && !is_start_of_block(l)) advance(l);
    return true;
}

bool tsdl_read(const char *text, size_t len, struct ctf_schema *schema, struct tsdl_problem *out_problem) {
    struct parser p = { .lexer = { .at = text, .end = text + len, .line = 1 }, .schema = schema };
    *out_problem = (struct tsdl_problem){ 0 };
    p.problem = out_problem;
    advance(&p.lexer);
    while (p.lexer.token != END && !p.has_failed) {
        struct lexer start = p.lexer;
        if (!read_declaration(&p) && is_word(&start, "event") && !leave_out(&p, &start)) break;
    }
    for (unsigned i = 0; i < SPACES; i++) tk_idmap_deinit(&p.names[i], schema->alloc);
    if (!p.has_failed && !schema->class_count) fail(&p, "no event is described");
    if (p.has_failed) {
        p.problem->line = p.failed_line;
        memcpy(p.problem->words, p.failed_words, sizeof p.problem->words);
        return false;
    }
    return ctf_schema_finish(schema);
}

// ---- Recognising ---------------------------------------------------------------------------------

static bool is_packet(const uint8_t *at, size_t len, bool *out_is_big) {
    static const uint8_t little[] = { 0x57, 0x1D, 0xD1, 0x75 }, big[] = { 0x75, 0xD1, 0x1D, 0x57 };
    if (len < PACKET_HEADER) return false;
    *out_is_big = !memcmp(at, big, sizeof big);
    return *out_is_big || !memcmp(at, little, sizeof little);
}

bool tsdl_is(const uint8_t *text, size_t len) {
    static const char magic[] = "/* CTF 1.8";
    bool is_big;
    if (is_packet(text, len, &is_big)) return true;
    const char *at = (const char *)text, *end = at + len;
    while (at < end) { // other comments may come before
        while (at < end && (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\n')) at++;
        if ((size_t)(end - at) < sizeof magic) return false;
        if (!memcmp(at, magic, sizeof magic - 1)) return true;
        if (at[0] != '/' || (at[1] != '*' && at[1] != '/')) return false;
        bool is_line = at[1] == '/';
        for (at += 2; at < end && !(is_line ? *at == '\n' : at[0] == '*' && at + 1 < end && at[1] == '/'); at++) {}
        at += end - at < 2 ? end - at : is_line ? 1 : 2;
    }
    return false;
}

static uint32_t load(const uint8_t *at, bool is_big) {
    return is_big ? (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3] : tk_load32(at);
}

size_t tsdl_unpack(uint8_t *text, size_t len) {
    size_t from = 0, to = 0;
    bool is_big;
    if (!is_packet(text, len, &is_big)) return len;
    while (is_packet(text + from, len - from, &is_big)) {
        uint32_t content = load(text + from + 24, is_big) / 8, packet = load(text + from + 28, is_big) / 8;
        if (packet > len - from) packet = (uint32_t)(len - from);
        if (content > packet) content = packet;
        if (content < PACKET_HEADER || packet < PACKET_HEADER) break;
        memmove(text + to, text + from + PACKET_HEADER, content - PACKET_HEADER);
        to += content - PACKET_HEADER;
        from += packet;
    }
    return to;
}
