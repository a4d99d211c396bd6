// SPDX-License-Identifier: MIT
#include "json.h"

#include "../base/text.h"

void tk_json_init(struct tk_json *json) {
    memset(json, 0, sizeof *json);
    json->column = 1;
    json->entry_core = -1;
}

// ---- Finished strings, numbers and entries -----------------------------------------------------

static bool text_is(const struct tk_json *json, const char *word) {
    return json->text_len == strlen(word) && !memcmp(json->text, word, json->text_len);
}

static enum tk_json_key find_key(const struct tk_json *json) {
    static const struct {
        const char *name;
        uint8_t depth, key;
    } keys[] = { { "title", 1, TK_KEY_TITLE },
                 { "trace_mode", 1, TK_KEY_MODE },
                 { "data", 1, TK_KEY_DATA },
                 { "core_id", 3, TK_KEY_CORE },
                 { "hex", 3, TK_KEY_HEX } };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (keys[i].depth == json->depth && text_is(json, keys[i].name)) return (enum tk_json_key)keys[i].key;
    }
    return TK_KEY_OTHER;
}

static enum tk_json_key current_key(const struct tk_json *json) {
    if (!json->value || json->depth < 1 || json->depth > 3) return TK_KEY_OTHER;
    if (json->depth == 3 && json->key[1] != TK_KEY_DATA) return TK_KEY_OTHER;
    return (enum tk_json_key)json->key[json->depth];
}

static void remember_core(struct tk_json *json, uint32_t block, int32_t core) {
    if (block < TK_MAX_INPUTS) json->cores[block] = core;
}

static void take_core(struct tk_json *json, struct tk_text_output *decoded) {
    json->entry_core = json->number < INT32_MAX ? (int32_t)json->number : -1;
    if (!decoded || !json->entry_begun) return;
    remember_core(json, json->entry_block, json->entry_core);
    tk_text_output_announce(decoded, json->entry_block, json->entry_core);
}

// Removes a cut character from the end of a title that was longer than TK_TITLE_LEN.
static void drop_cut_character(struct tk_json *json) {
    while (json->text_len && ((uint8_t)json->text[json->text_len - 1] & 0xC0) == 0x80) json->text_len--;
    if (json->text_len && (uint8_t)json->text[json->text_len - 1] >= 0xC0) json->text_len--;
}

static void take_title(struct tk_json *json, struct tk_text_output *decoded) {
    json->seen_title = true;
    if (!decoded) return;
    if (json->text_len == TK_TITLE_LEN) drop_cut_character(json);
    memcpy(decoded->title, json->text, json->text_len);
    decoded->title_len = json->text_len;
    for (uint32_t i = 0; i < decoded->result.blocks && i < TK_MAX_INPUTS; i++)
        tk_text_output_announce(decoded, i, json->cores[i]);
}

static void take_mode(struct tk_json *json, struct tk_text_output *decoded) {
    json->seen_mode = true;
    if (!decoded) return;
    struct tk_text mode = tk_text_in(decoded->result.mode, sizeof decoded->result.mode);
    tk_text_add(&mode, text_is(json, "freertos") ? "free-rtos" : "bare-metal");
}

static void begin_hex(struct tk_json *json, struct tk_text_output *decoded) {
    json->in_hex = json->seen_hex = true;
    if (!decoded) return;
    static const struct tk_hex_digits_style style = { TK_PAIRS_ACROSS_LINES, false, 0 };
    tk_hex_digits_init(&json->plain, &style);
    tk_text_output_begin(decoded, json->entry_core);
    tk_text_output_mark(decoded, 0, decoded->line);
    json->entry_begun = true;
    json->entry_block = decoded->block;
    remember_core(json, json->entry_block, json->entry_core);
}

static void end_hex(struct tk_json *json, struct tk_text_output *decoded) {
    json->in_hex = false;
    if (!decoded) return;
    tk_hex_digits_end(&json->plain, decoded);
    tk_text_output_end(decoded);
}

static void end_string(struct tk_json *json, struct tk_text_output *decoded) {
    json->state = TK_JSON_OUTSIDE;
    enum tk_json_key key = current_key(json);
    if (json->in_hex) end_hex(json, decoded);
    else if (key == TK_KEY_TITLE) take_title(json, decoded);
    else if (key == TK_KEY_MODE) take_mode(json, decoded);
    else if (key == TK_KEY_CORE && json->number != UINT64_MAX) take_core(json, decoded);
}

static void end_number(struct tk_json *json, struct tk_text_output *decoded) {
    json->in_number = false;
    take_core(json, decoded);
}

// ---- Strings -----------------------------------------------------------------------------------

// Takes a character of a string: an ASCII character or a byte of UTF-8.
static void put_char(struct tk_json *json, struct tk_text_output *decoded, uint8_t c) {
    if (json->in_hex) {
        if (decoded) tk_hex_digits_feed(&json->plain, decoded, &c, 1, json->column);
        return;
    }
    if (current_key(json) == TK_KEY_CORE) {
        bool digit = tk_char_class[c] < 10 && json->number < INT32_MAX;
        json->number = digit ? json->number * 10 + tk_char_class[c] : UINT64_MAX; // a quoted core number is accepted,
                                                                                  // words are not
    }
    if (json->text_len < TK_TITLE_LEN) json->text[json->text_len++] = (char)c;
}

static void put_code_point(struct tk_json *json, struct tk_text_output *decoded, uint32_t code) {
    if (!code || (code >= 0xD800 && code < 0xE000)) code = 0xFFFD;
    if (code < 0x80) {
        put_char(json, decoded, (uint8_t)code);
        return;
    }
    int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    if (json->text_len + (size_t)more >= TK_TITLE_LEN) return;
    static const uint8_t heads[4] = { 0, 0xC0, 0xE0, 0xF0 };
    put_char(json, decoded, (uint8_t)(heads[more] | code >> 6 * more));
    while (more--) put_char(json, decoded, (uint8_t)(0x80 | (code >> 6 * more & 0x3F)));
}

static void end_unicode(struct tk_json *json, struct tk_text_output *decoded) {
    uint32_t code = json->unicode, high = json->high;
    json->state = TK_JSON_STRING;
    json->high = 0;
    if (code >= 0xD800 && code < 0xDC00) json->high = code;
    else if (high && code >= 0xDC00 && code < 0xE000)
        put_code_point(json, decoded, 0x10000 + ((high - 0xD800) << 10) + (code - 0xDC00));
    else put_code_point(json, decoded, code);
}

static void take_unicode(struct tk_json *json, struct tk_text_output *decoded, uint8_t c) {
    uint8_t digit = tk_char_class[c];
    if (digit >= TK_CH_SPACE) {
        json->state = TK_JSON_STRING; // not an escape
        return;
    }
    json->unicode = json->unicode << 4 | digit;
    if (++json->unicode_digits == 4) end_unicode(json, decoded);
}

static void take_escape(struct tk_json *json, struct tk_text_output *decoded, uint8_t c) {
    static const char names[] = "btnfr", values[] = "\b\t\n\f\r";
    const char *name = c ? strchr(names, c) : NULL;
    json->state = c == 'u' ? TK_JSON_UNICODE : TK_JSON_STRING;
    json->unicode = json->unicode_digits = 0;
    if (c != 'u') put_char(json, decoded, name ? (uint8_t)values[name - names] : c);
}

static void begin_string(struct tk_json *json, struct tk_text_output *decoded) {
    json->state = TK_JSON_STRING;
    json->text_len = 0;
    json->high = 0;
    json->number = current_key(json) == TK_KEY_CORE ? 0 : UINT64_MAX;
    if (current_key(json) == TK_KEY_HEX) begin_hex(json, decoded);
}

static void take_string(struct tk_json *json, struct tk_text_output *decoded, uint8_t c) {
    if (c == '"') end_string(json, decoded);
    else if (c == '\\') json->state = TK_JSON_ESCAPE;
    else put_char(json, decoded, c);
}

// ---- Everything else ---------------------------------------------------------------------------

static void open_container(struct tk_json *json) {
    if (json->depth < UINT32_MAX) json->depth++;
    if (json->depth <= 3) json->key[json->depth] = TK_KEY_OTHER;
    if (json->depth == 3) {
        json->entry_begun = false;
        json->entry_core = -1;
    }
    json->value = false;
}

static void close_container(struct tk_json *json) {
    if (json->depth) json->depth--;
    json->value = false;
}

static void take_outside(struct tk_json *json, struct tk_text_output *decoded, uint8_t c) {
    bool digit = tk_char_class[c] < 10;
    if (json->in_number && !digit) end_number(json, decoded);
    if (c == '"') begin_string(json, decoded);
    else if (c == '{' || c == '[') open_container(json);
    else if (c == '}' || c == ']') close_container(json);
    else if (c == ',') json->value = false;
    else if (c == ':' && json->depth && json->depth <= 3) json->key[json->depth] = (uint8_t)find_key(json);
    if (c == ':') json->value = true;
    if (c == '-' || c == '.') json->value = false; // not a core number
    if (!digit || current_key(json) != TK_KEY_CORE) return;
    if (!json->in_number) json->number = 0;
    json->in_number = true;
    if (json->number < INT32_MAX) json->number = json->number * 10 + tk_char_class[c];
}

static void take(struct tk_json *json, struct tk_text_output *decoded, uint8_t c) {
    switch (json->state) {
    case TK_JSON_OUTSIDE: take_outside(json, decoded, c); break;
    case TK_JSON_STRING: take_string(json, decoded, c); break;
    case TK_JSON_ESCAPE: take_escape(json, decoded, c); break;
    case TK_JSON_UNICODE: take_unicode(json, decoded, c); break;
    }
    json->column++;
    if (c != '\n') return;
    json->column = 1;
    if (!decoded) return;
    decoded->line++;
    if (json->in_hex) tk_text_output_mark(decoded, tk_text_output_offset(decoded), decoded->line);
}

// Returns the length of the plain characters that begin here, in a hex string.
static size_t hex_run(const uint8_t *text, size_t len) {
    size_t run = 0;
    if (len > TK_PIECE_LEN) len = TK_PIECE_LEN;
    while (run < len && text[run] != '"' && text[run] != '\\' && text[run] != '\n') run++;
    return run;
}

void tk_json_feed(struct tk_json *json, struct tk_text_output *decoded, const uint8_t *text, size_t len) {
    for (size_t at = 0; at < len;) {
        size_t run = json->in_hex && json->state == TK_JSON_STRING ? hex_run(text + at, len - at) : 0;
        if (run) {
            if (decoded) tk_hex_digits_feed(&json->plain, decoded, text + at, run, json->column);
            json->column += run;
            at += run;
        } else {
            take(json, decoded, text[at++]);
        }
    }
}

void tk_json_end(struct tk_json *json, struct tk_text_output *decoded) {
    struct tk_text sentence;
    if (json->in_number) end_number(json, decoded);
    if (!json->in_hex) return;
    end_hex(json, decoded);
    if (!tk_text_output_note(decoded, decoded->line, &sentence)) return;
    decoded->result.bad_column = json->column;
    tk_text_add(&sentence, "the text ends inside a hex string (line ");
    tk_text_u64(&sentence, decoded->line);
    tk_text_add(&sentence, ")");
}
