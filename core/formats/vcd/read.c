// SPDX-License-Identifier: MIT
//
// Tokens to commands, times and value changes.
#include "vcd.h"

#include <string.h>

#include "../../base/utf8.h"
#include "../kit/ids.h"

// Returns true if an invalid token is the last one of the dump, without a blank after it: then it was cut.
static bool is_cut(const struct vcd *vcd, enum tk_diag_id id) {
    return vcd->ends_in_word &&
           (id == TK_DIAG_TIME_IMPOSSIBLE || id == TK_DIAG_TOKENS_UNKNOWN || id == TK_DIAG_SIGNAL_UNDEFINED);
}

void vcd_note(struct vcd *vcd, enum tk_diag_id id, uint64_t number) {
    if (is_cut(vcd, id)) id = TK_DIAG_ENTRY_CUT, number = vcd->at - vcd->offset;
    struct tk_source_pos place = {
        .input = vcd->host.input, .has_offset = true, .offset = vcd->offset, .frame = vcd->tokens
    };
    tk_diag_note(vcd->host.diag, id, &place, number);
}

// Counts a problem and shows it on the track of problems.
void vcd_problem(struct vcd *vcd, enum tk_diag_id id) {
    vcd_note(vcd, id, 1);
    if (is_cut(vcd, id)) id = TK_DIAG_ENTRY_CUT;
    struct tk_event *event = tk_batch_slot(vcd->batch);
    *event = (struct tk_event){ .kind = TK_EV_PROBLEM,
                                .problem.diag = id,
                                .timed = true,
                                .ticks = vcd->ns,
                                .input = (uint8_t)vcd->host.input,
                                .offset = vcd->offset,
                                .frame = vcd->tokens };
    tk_batch_add(vcd->batch);
}

void vcd_dump(struct vcd *vcd, enum vcd_record record, const struct vcd_field *fields, uint32_t count) {
    struct tk_value values[VCD_WORDS];
    if (!vcd->host.on_record_decoded) return;
    for (uint32_t i = 0; i < count; i++)
        values[i] = (struct tk_value){
            .name = fields[i].name, .type = TK_VALUE_TEXT, .text = fields[i].text, .text_len = (uint32_t)fields[i].len
        };
    struct tk_event event = { .kind = TK_EV_TRACK_DEFINED,
                              .input = (uint8_t)vcd->host.input,
                              .offset = vcd->offset,
                              .frame = vcd->tokens,
                              .values = values,
                              .value_count = (uint8_t)count };
    vcd->host.on_record_decoded(vcd->host.dump_ctx, &event, record);
}

static bool is(const uint8_t *token, size_t len, const char *word) {
    return len == strlen(word) && !memcmp(token, word, len);
}

static struct tk_span word(const struct vcd *vcd, uint32_t index) {
    return index < vcd->word_count ? (struct tk_span){ vcd->words[index], vcd->word_len[index] }
                                   : (struct tk_span){ "", 0 };
}

// ---- Definitions ---------------------------------------------------------------------------------

// Sets the unit of shown times. Times stay scaled as decided once, also if the dump changes its unit.
void vcd_show_unit(struct vcd *vcd) { vcd->shown = tk_unit_stretch(vcd->unit, vcd_time_multiplier(vcd)); }

static void set_timescale(struct vcd *vcd) {
    char text_room[TK_SHORT_ROOM];
    struct tk_text text = tk_short_in(text_room);
    for (uint32_t i = 0; i < vcd->word_count; i++) tk_text_put(&text, vcd->words[i], vcd->word_len[i]);
    struct tk_unit unit = tk_unit_parse(text.text, text.len);
    vcd_dump(vcd, VCD_TIMESCALE, (const struct vcd_field[]){ { "unit", text.text, text.len } }, 1);
    if (!unit.num || text.len > sizeof vcd->unit_text) {
        vcd_note(vcd, TK_DIAG_TOKENS_UNKNOWN, 1);
        return;
    }
    vcd->unit = unit;
    vcd_show_unit(vcd);
    vcd->time = vcd->typical_step = 0; // counts of different units cannot be compared
    vcd->unit_len = (uint8_t)text.len;
    memcpy(vcd->unit_text, text.text, text.len);
}

static void keep_comment(struct vcd *vcd) {
    for (uint32_t i = 0; i < vcd->word_count; i++) {
        uint32_t len = vcd->word_len[i], room = (uint32_t)sizeof vcd->about - vcd->about_len;
        if (len + 3 > room) return;
        if (vcd->about_len) memcpy(vcd->about + vcd->about_len, i ? " " : ", ", 2), vcd->about_len += i ? 1 : 2;
        memcpy(vcd->about + vcd->about_len, vcd->words[i], len);
        vcd->about_len += len;
    }
}

void vcd_define_root(struct vcd *vcd) {
    static const char *const shown_as[] = { "simulation", "simulation (1 ns shown is 1 ps)",
                                            "simulation (1 ns shown is 1 fs)" };
    struct tk_signal_def def = { .name = { shown_as[vcd->fine], (uint32_t)strlen(shown_as[vcd->fine]) },
                                 .description = { vcd->about, vcd->about_len },
                                 .tags = { "", 0 },
                                 .origin = { "", 0 } };
    if (vcd->scopes[0].group) tk_signals_change(&vcd->signals, vcd->scopes[0].group, &def);
    else vcd->scopes[0].group = tk_signals_add_group(&vcd->signals, &def);
}

// The tick length comes after the decision about the scale, so that what is before it has no time in seconds, however
// the dump arrives.
void vcd_begin_times(struct vcd *vcd) {
    struct tk_event *event = tk_batch_slot(vcd->batch);
    *event = (struct tk_event){ .kind = TK_EV_TICK_LENGTH,
                                .tick_length = { 1, TK_TICK_RECORDED },
                                .input = (uint8_t)vcd->host.input };
    tk_batch_add(vcd->batch);
    vcd->is_defined = true;
}

static struct tk_signal_def plain_def(struct vcd *vcd, uint32_t parent, struct tk_span name, struct tk_span origin) {
    struct tk_span none = { "", 0 };
    return (struct tk_signal_def){ .parent = parent,
                                   .number = vcd->var_count + 1,
                                   .rank = vcd->rank += 2,
                                   .name = name,
                                   .description = none,
                                   .tags = none,
                                   .origin = origin };
}

static void enter_scope(struct vcd *vcd) {
    struct tk_span name = word(vcd, 1);
    vcd_dump(vcd, VCD_SCOPE,
             (const struct vcd_field[]){ { "kind", word(vcd, 0).text, word(vcd, 0).len },
                                         { "name", name.text, name.len } },
             2);
    if (vcd->depth == VCD_SCOPES) {
        vcd->too_deep++;
        return;
    }
    struct vcd_scope *scope = &vcd->scopes[++vcd->depth];
    scope->group = 0;
    scope->name_len = (uint16_t)vcd_unescape_name(name, scope->name);
    scope->kind_len = (uint16_t)word(vcd, 0).len;
    memcpy(scope->kind, word(vcd, 0).text, scope->kind_len);
}

// Returns the group of a scope, which is created with the first signal in it. A dump may enter the same scope again.
static uint32_t group_of(struct vcd *vcd, uint32_t depth) {
    if (!vcd->scopes[0].group) vcd_define_root(vcd);
    for (uint32_t i = 1; i <= depth; i++) {
        struct vcd_scope *scope = &vcd->scopes[i];
        uint32_t parent = vcd->scopes[i - 1].group;
        if (scope->group) continue;
        struct tk_signal_def def = plain_def(vcd, parent, (struct tk_span){ scope->name, scope->name_len },
                                             (struct tk_span){ scope->kind, scope->kind_len });
        uint32_t known = tk_signals_find(&vcd->signals, parent, def.name);
        bool is_group = known && !tk_signals_get(&vcd->signals, known)->def.shape;
        uint32_t group = is_group ? known : tk_signals_add_group(&vcd->signals, &def);
        scope->group = group ? group : parent;
    }
    return vcd->scopes[depth].group;
}

static void leave_scope(struct vcd *vcd) {
    vcd_dump(vcd, VCD_UPSCOPE, NULL, 0);
    if (vcd->too_deep) vcd->too_deep--;
    else if (vcd->depth) vcd->depth--;
}

static enum vcd_kind kind_of(struct tk_span type, bool *is_signed) {
    static const struct {
        const char *name;
        uint8_t kind;
        bool is_signed;
    } kinds[] = {
        { "integer", VCD_INTEGER, true },  { "time", VCD_INTEGER, false },   { "real", VCD_REAL, false },
        { "realtime", VCD_REAL, false },   { "shortreal", VCD_REAL, false }, { "real_parameter", VCD_REAL, false },
        { "string", VCD_STRING, false },   { "event", VCD_EVENT, false },    { "int", VCD_INTEGER, true },
        { "shortint", VCD_INTEGER, true }, { "longint", VCD_INTEGER, true }, { "byte", VCD_INTEGER, true },
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (is((const uint8_t *)type.text, type.len, kinds[i].name))
            return *is_signed = kinds[i].is_signed, (enum vcd_kind)kinds[i].kind;
    return *is_signed = false, VCD_LOGIC;
}

static uint32_t number_in(struct tk_span text) {
    uint32_t number = 0;
    for (uint32_t i = 0; i < text.len && i < 6 && text.text[i] >= '0' && text.text[i] <= '9'; i++)
        number = number * 10 + (uint32_t)(text.text[i] - '0');
    return number;
}

// Reads a reference: "name", "name [7:0]", "name [7 : 0]". *out_is_bit: it names one bit of a vector.
static struct tk_span reference(const struct vcd *vcd, char room[VCD_NAME_LEN], bool *out_is_bit) {
    uint32_t bit, len = (uint32_t)vcd_unescape_name(word(vcd, 3), room);
    bool is_escaped = word(vcd, 3).len && word(vcd, 3).text[0] == '\\'; // in an escaped name, brackets are part of the
                                                                        // name
    for (uint32_t i = 4; i < vcd->word_count && len + vcd->word_len[i] <= VCD_NAME_LEN; i++) {
        memcpy(room + len, vcd->words[i], vcd->word_len[i]);
        len += vcd->word_len[i];
    }
    struct tk_span name = { room, len };
    *out_is_bit = (!is_escaped || vcd->word_count > 4) && vcd_bit_of(name, &bit);
    return name;
}

// Adds the path of a further name of a known signal.
static void add_alias(struct vcd *vcd, const struct vcd_var *var, struct tk_span name) {
    char path[TK_SIGNAL_PATH + 2 * VCD_WORD_LEN + 1];
    size_t len = 0;
    if (vcd->depth) {
        len = tk_signals_path(&vcd->signals, group_of(vcd, vcd->depth), path);
        path[len++] = '/';
    }
    memcpy(path + len, name.text, name.len);
    if (var->handle) tk_signals_alias(&vcd->signals, var->handle, (struct tk_span){ path, (uint32_t)len + name.len });
}

// Creates the signal of a variable. Bits of a vector that are declared one by one become one signal.
static uint32_t add_signal(struct vcd *vcd, const struct vcd_var *var, struct tk_span name, bool is_bit, uint64_t key) {
    static const uint8_t shapes[] = { [VCD_LOGIC] = TK_SHAPE_LOGIC,
                                      [VCD_INTEGER] = TK_SHAPE_INTEGER,
                                      [VCD_REAL] = TK_SHAPE_FLOAT,
                                      [VCD_STRING] = TK_SHAPE_TEXT,
                                      [VCD_EVENT] = TK_SHAPE_TEXT };
    uint32_t bit = 0;
    struct tk_span full = name;
    is_bit &= var->kind == VCD_LOGIC && var->width == 1;
    if (is_bit) name.len = vcd_bit_of(name, &bit);
    struct tk_signal_def def = plain_def(vcd, group_of(vcd, vcd->depth), name, word(vcd, 0));
    def.shape = shapes[var->kind];
    def.hint = var->kind == VCD_EVENT ? TK_HINT_POINTS : TK_HINT_NONE;
    def.width = var->kind == VCD_LOGIC ? var->width : 0;
    uint32_t id = tk_signals_add(&vcd->signals, &def, key << 20);
    if (id && is_bit) tk_signals_add_slice_of_vector(&vcd->signals, id, bit, bit);
    if (id && is_bit && !tk_signals_get(&vcd->signals, id)->vector) { // the bit stays a signal of its own
        def.name = full;
        tk_signals_change(&vcd->signals, id, &def);
    }
    return id;
}

// Adds a further name of a variable. If the option "signals" selects this name and no earlier one, the signal is shown.
static void add_name(struct vcd *vcd, struct vcd_var *var, struct tk_span name, bool is_bit, uint64_t key) {
    if (!vcd_is_chosen(vcd, name)) return;
    if (var->is_chosen) {
        add_alias(vcd, var, name);
        return;
    }
    vcd->chosen++;
    vcd->omitted--;
    var->is_chosen = true;
    var->handle = add_signal(vcd, var, name, is_bit, key);
}

static void add_var(struct vcd *vcd) {
    char room[VCD_NAME_LEN];
    bool is_bit;
    struct tk_span name = reference(vcd, room, &is_bit), code = word(vcd, 2), type = word(vcd, 0);
    struct vcd_var var = { .width = number_in(word(vcd, 1)) };
    vcd_dump(vcd, VCD_VAR,
             (const struct vcd_field[]){ { "type", type.text, type.len },
                                         { "size", word(vcd, 1).text, word(vcd, 1).len },
                                         { "code", code.text, code.len },
                                         { "name", name.text, name.len } },
             4);
    if (!name.len || !code.len) {
        vcd_note(vcd, TK_DIAG_TOKENS_UNKNOWN, 1);
        return;
    }
    uint64_t key = vcd_code((const uint8_t *)code.text, code.len);
    uint32_t known = tk_idmap_find(&vcd->by_code, key);
    if (known != TK_NONE) {
        add_name(vcd, &vcd->vars[known], name, is_bit, key);
        return;
    }
    var.kind = (uint8_t)kind_of(type, &var.is_signed);
    if (!var.width || var.width > TK_MAX_STATES - 1) var.width = var.width ? TK_MAX_STATES - 1 : 1;
    var.is_chosen = vcd_is_chosen(vcd, name);
    vcd->chosen += var.is_chosen;
    vcd->omitted += !var.is_chosen;
    if (var.is_chosen) var.handle = add_signal(vcd, &var, name, is_bit, key);
    if (tk_ids_add(&vcd->by_code, vcd->host.alloc, key, (void **)&vcd->vars, &vcd->var_capacity, vcd->var_count,
                   sizeof *vcd->vars))
        vcd->vars[vcd->var_count++] = var;
}

// ---- Commands ------------------------------------------------------------------------------------

enum vcd_command vcd_command_of(const uint8_t *token, size_t len) {
    static const struct {
        const char *name;
        uint8_t command;
    } commands[] = {
        { "$var", VCD_IN_VAR },
        { "$scope", VCD_IN_SCOPE },
        { "$upscope", VCD_IN_UPSCOPE },
        { "$timescale", VCD_IN_TIMESCALE },
        { "$enddefinitions", VCD_END_DEFINITIONS },
        { "$date", VCD_DATE },
        { "$version", VCD_VERSION },
        { "$comment", VCD_COMMENT },
        { "$dumpvars", VCD_DUMP },
        { "$dumpall", VCD_DUMP },
        { "$dumpon", VCD_DUMP_ON },
        { "$dumpoff", VCD_DUMP_OFF },
    };
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (is(token, len, commands[i].name)) return (enum vcd_command)commands[i].command;
    return VCD_UNKNOWN;
}

// Ends the definitions and begins the decision about the scale of times. It is made once, because further definitions
// may follow when signals are already drawn.
static void end_definitions(struct vcd *vcd) {
    if (vcd->is_defined) return;
    vcd->is_defined = true;
    if (tk_unit_is_fine(vcd->unit)) vcd->open = VCD_SCALE_OPEN;
    else vcd_begin_times(vcd);
}

static void end_command(struct vcd *vcd) {
    switch (vcd->command) {
    case VCD_DATE:
    case VCD_VERSION: keep_comment(vcd); break;
    case VCD_IN_TIMESCALE: set_timescale(vcd); break;
    case VCD_IN_SCOPE: enter_scope(vcd); break;
    case VCD_IN_UPSCOPE: leave_scope(vcd); break;
    case VCD_IN_VAR: add_var(vcd); break;
    case VCD_END_DEFINITIONS: end_definitions(vcd); break;
    default: break;
    }
    vcd->command = VCD_NONE;
}

// Begins a command. After the definitions an unknown command is damaged: waiting for its $end would lose the changes
// before that.
static void begin_command(struct vcd *vcd, const uint8_t *token, size_t len) {
    enum vcd_command command = vcd_command_of(token, len);
    if (command == VCD_UNKNOWN && vcd->is_defined) {
        vcd_note(vcd, TK_DIAG_TOKENS_UNKNOWN, 1);
        return;
    }
    vcd->command = (uint8_t)command;
    vcd->word_count = 0;
    if (command == VCD_DUMP_OFF) vcd_gap(vcd);
    if (command >= VCD_DUMP_ON) vcd->off = command == VCD_DUMP_OFF;
    if (command == VCD_IN_UPSCOPE || command == VCD_END_DEFINITIONS) end_command(vcd); // they have no words
}

static void keep_word(struct vcd *vcd, const uint8_t *token, size_t len) {
    if (vcd->word_count == VCD_WORDS) return;
    if (len > VCD_WORD_LEN) len = tk_text_cut((const char *)token, len, VCD_WORD_LEN);
    memcpy(vcd->words[vcd->word_count], token, len);
    vcd->word_len[vcd->word_count++] = (uint16_t)len;
}

// ---- Times and changes ---------------------------------------------------------------------------

static void dump_time(struct vcd *vcd, int64_t time) {
    if (!vcd->host.on_record_decoded) return;
    char room[TK_SHORT_ROOM];
    struct tk_text text = tk_short_in(room);
    tk_text_i64(&text, time);
    vcd_dump(vcd, VCD_TIME, (const struct vcd_field[]){ { "time", text.text, text.len } }, 1);
}

void vcd_accept_time(struct vcd *vcd, int64_t time) {
    int64_t ns = 0, step = time - vcd->time;
    if (!tk_unit_to_ns(vcd->shown, time, &ns)) {
        vcd_problem(vcd, TK_DIAG_TIME_OUT_OF_RANGE);
        return;
    }
    if ((uint64_t)ns < vcd->ns) { // possible if the dump has changed its unit
        vcd_problem(vcd, TK_DIAG_TIME_IMPOSSIBLE);
        return;
    }
    if (step > vcd->typical_step) vcd->typical_step += vcd->typical_step / 8 + 1;
    else vcd->typical_step -= vcd->typical_step / 8;
    if (!vcd->is_defined) vcd_begin_times(vcd); // $enddefinitions was lost
    if (vcd->time != time) tk_signals_flush(&vcd->signals);
    vcd->time = time;
    vcd->ns = (uint64_t)ns;
    dump_time(vcd, time);
}

static void set_time(struct vcd *vcd, const uint8_t *digits, size_t len) {
    int64_t time = 0;
    if (!vcd_parse_time(digits, len, &time)) {
        vcd_note(vcd, TK_DIAG_TOKENS_UNKNOWN, 1);
    } else if (time == VCD_TIME_BEYOND) {
        vcd_problem(vcd, TK_DIAG_TIME_OUT_OF_RANGE);
    } else if (time < vcd->time) {
        vcd_problem(vcd, TK_DIAG_TIME_IMPOSSIBLE);
    } else if (vcd_is_far(vcd, time)) {
        vcd->uncertain = time;
        vcd->open = VCD_TIME_OPEN;
    } else {
        vcd_accept_time(vcd, time);
    }
}

static bool keep_value(struct vcd *vcd, const uint8_t *token, size_t len) {
    tk_carry_cut(&vcd->value, 0);
    return vcd->awaits_code = tk_carry_add(&vcd->value, vcd->host.alloc, token, len);
}

static void value_token(struct vcd *vcd, const uint8_t *token, size_t len) {
    switch (token[0]) {
    case '#': set_time(vcd, token + 1, len - 1); break;
    case 'b':
    case 'B':
    case 'r':
    case 'R':
    case 's':
    case 'S': keep_value(vcd, token, len); break;
    case '0':
    case '1':
    case 'x':
    case 'X':
    case 'z':
    case 'Z':
    case 'u':
    case 'U':
    case 'w':
    case 'W':
    case 'l':
    case 'L':
    case 'h':
    case 'H':
    case '-':
        if (len > 1) {
            vcd_change(vcd, token, 1, token + 1, len - 1);
            break;
        }
        keep_value(vcd, token, len); // some programs put a blank between value and code
        break;
    default: vcd_note(vcd, TK_DIAG_TOKENS_UNKNOWN, 1); break;
    }
}

// ---- Sections without an end ---------------------------------------------------------------------

bool vcd_ends_line(uint8_t byte) { return byte == '\n' || byte == '\r'; }
static bool begins_line(const struct vcd *vcd) { return vcd_ends_line(vcd->byte_before); }
static bool is_line(const struct vcd *vcd) { return begins_line(vcd) && vcd_ends_line(vcd->byte_after); }

// Returns true if a token within a section begins another command. In a comment it must be at the start of a line, and
// among the definitions it must be a definition. In the other sections a definition counts anywhere.
static bool begins_command(const struct vcd *vcd, const uint8_t *token, size_t len) {
    enum vcd_command command = vcd_command_of(token, len);
    bool is_text = vcd->command == VCD_DATE || vcd->command == VCD_VERSION;
    if (command == VCD_UNKNOWN || (vcd->command == VCD_COMMENT && !vcd->is_defined && command > VCD_END_DEFINITIONS))
        return false;
    return begins_line(vcd) || (vcd->command != VCD_COMMENT && command >= VCD_DATE &&
                                command <= (is_text ? VCD_END_DEFINITIONS : VCD_DUMP_OFF));
}

// Returns true if a token within a section begins the value changes: after the definitions, a time alone on a line.
// Within $date and $version also the change of a bit alone on a line, or the value of a vector at the start of one.
static bool begins_changes(const struct vcd *vcd, const uint8_t *token, size_t len) {
    int64_t time;
    bool is_vector = token[0] == 'b' || token[0] == 'B';
    if (token[0] == '#')
        return ((vcd->is_defined && is_line(vcd)) || vcd->command == VCD_UNKNOWN) &&
               vcd_parse_time(token + 1, len - 1, &time);
    return vcd->is_defined && vcd->command <= VCD_VERSION && begins_line(vcd) && is_line(vcd) != is_vector &&
           vcd_is_change(vcd, token, len);
}

// Returns true if the current section lacks its $end, because another command or the value changes begin. The word at
// the position of a code is always a code.
static bool begins_another(const struct vcd *vcd, const uint8_t *token, size_t len) {
    enum { CODE = 2 };
    if (vcd->command < VCD_COMMENT || vcd->command > VCD_IN_VAR ||
        (vcd->command == VCD_IN_VAR && vcd->word_count == CODE))
        return false;
    return token[0] == '$' ? begins_command(vcd, token, len) : begins_changes(vcd, token, len);
}

void vcd_end_section(struct vcd *vcd) {
    if (vcd->command < VCD_COMMENT || vcd->command > VCD_IN_VAR) return;
    vcd_problem(vcd, TK_DIAG_END_LOST);
    end_command(vcd);
}

void vcd_token(struct vcd *vcd, const uint8_t *token, size_t len) {
    if (begins_another(vcd, token, len)) vcd_end_section(vcd);
    bool holds_values = vcd->command == VCD_NONE || vcd->command >= VCD_DUMP;
    vcd->tokens++;
    vcd->signals.at.offset = vcd->offset;
    if (vcd->awaits_code) { // any token is a code here
        vcd->awaits_code = false;
        vcd_change(vcd, tk_carry_bytes(&vcd->value), tk_carry_len(&vcd->value), token, len);
    } else if (holds_values && token[0] != '$') {
        value_token(vcd, token, len);
    } else if (is(token, len, "$end")) {
        end_command(vcd);
    } else if (holds_values) {
        begin_command(vcd, token, len);
    } else if (vcd->command > VCD_UNKNOWN) {
        keep_word(vcd, token, len);
    }
}
