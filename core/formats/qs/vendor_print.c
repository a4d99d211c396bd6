// SPDX-License-Identifier: MIT
//
// Prints records as the console program of QP does, one line each. It uses only names that the stream has already
// contained.
#include "vendor_print.h"

#include <string.h>

#include "../../base/decimal.h"
#include "../../base/idmap.h"
#include "../../base/out.h"
#include "../../base/strtab.h"
#include "decode.h"

enum {
#define QS_RECORD(number, name, fields, event, ...) QS_##name = number,
#define QS_OLD(number, before, name, fields, event, ...)
#include "records.def"
#undef QS_RECORD
#undef QS_OLD
};

enum names { OBJECTS, FUNCTIONS, USERS, SIGNALS, ANY_SIGNALS, ENUMS, NAMES };

struct vendor_printer {
    struct tk_strtab strings;
    struct tk_idmap names[NAMES];   // maps to a string
    uint16_t version;               // of QP; 0: unknown
    uint8_t time, object, function; // bytes; 0: unknown
};

struct printer {
    struct vendor_printer *state;
    struct tk_alloc *alloc;
    const struct tk_event *event;
    struct tk_out *out;
};

// The printed form of a record: a word, and its fields as {TYPE NAME}. TYPE: o object, f function, s signal, d number,
// c number of ten digits, k signal of a dictionary, p pointer, t date or time, z text, m command.
struct record_format {
    const char *word, *fields;
};
static const struct record_format record_formats[QS_RECORDS] = {
    [QS_QEP_STATE_ENTRY] = { "St-Entry", "Obj={o obj},State={f state}" },
    [QS_QEP_STATE_EXIT] = { "St-Exit", "Obj={o obj},State={f state}" },
    [QS_QEP_STATE_INIT] = { "St-Init", "Obj={o obj},State={f source}->{f target}" },
    [QS_QEP_INIT_TRAN] = { "Init===>", "Obj={o obj},State={f target}" },
    [QS_QEP_INTERN_TRAN] = { "=>Intern", "Obj={o obj},Sig={s sig},State={f state}" },
    [QS_QEP_TRAN] = { "===>Tran", "Obj={o obj},Sig={s sig},State={f source}->{f target}" },
    [QS_QEP_IGNORED] = { "=>Ignore", "Obj={o obj},Sig={s sig},State={f state}" },
    [QS_QEP_DISPATCH] = { "Disp===>", "Obj={o obj},Sig={s sig},State={f state}" },
    [QS_QEP_UNHANDLED] = { "St-Unhnd", "Obj={o obj},Sig={s sig},State={f state}" },
    [QS_QF_ACTIVE_DEFER] = { "AO-Defer", "Obj={o obj},Que={o que},Evt<Sig={s sig},Pool={d pool},Ref={d ref}>" },
    [QS_QF_ACTIVE_RECALL] = { "AO-RCall", "Obj={o obj},Que={o que},Evt<Sig={s sig},Pool={d pool},Ref={d ref}>" },
    [QS_QF_ACTIVE_SUBSCRIBE] = { "AO-Subsc", "Obj={o obj},Sig={s sig}" },
    [QS_QF_ACTIVE_UNSUBSCRIBE] = { "AO-Unsub", "Obj={o obj},Sig={s sig}" },
    [QS_QF_ACTIVE_POST] = { "AO-Post", "Sdr={o sender},Obj={o obj},Evt<Sig={s sig},Pool={d pool},Ref={d "
                                       "ref}>,Que<Free={d free},Min={d min}>" },
    [QS_QF_ACTIVE_POST_LIFO] = { "AO-LIFO", "Obj={o obj},Evt<Sig={s sig},Pool={d pool},Ref={d ref}>,Que<Free={d "
                                            "free},Min={d min}>" },
    [QS_QF_ACTIVE_GET] = { "AO-Get", "Obj={o obj},Evt<Sig={s sig},Pool={d pool},Ref={d ref}>,Que<Free={d free}>" },
    [QS_QF_ACTIVE_GET_LAST] = { "AO-GetL", "Obj={o obj},Evt<Sig={s sig},Pool={d pool},Ref={d ref}>" },
    [QS_QF_ACTIVE_RECALL_ATTEMPT] = { "AO-RCllA", "Obj={o obj},Que={o que}" },
    [QS_QF_EQUEUE_POST] = { "EQ-Post",
                            "Obj={o obj},Evt<Sig={s sig},Pool={d pool},Ref={d ref}>,Que<Free={d free},Min={d min}>" },
    [QS_QF_EQUEUE_POST_LIFO] = { "EQ-LIFO", "Obj={o obj},Evt<Sig={s sig},Pool={d pool},Ref={d ref}>,Que<Free={d "
                                            "free},Min={d min}>" },
    [QS_QF_EQUEUE_GET] = { "EQ-Get", "Obj={o obj},Evt<Sig={s sig},Pool={d pool},Ref={d ref}>,Que<Free={d free}>" },
    [QS_QF_EQUEUE_GET_LAST] = { "EQ-GetL", "Obj={o obj},Evt<Sig={s sig},Pool={d pool},Ref={d ref}>" },
    [QS_QF_NEW_ATTEMPT] = { "QF-NewA", "Sig={s sig},Size={d size}" },
    [QS_QF_MPOOL_GET] = { "MP-Get", "Obj={o obj},Free={d free},Min={d min}" },
    [QS_QF_MPOOL_PUT] = { "MP-Put", "Obj={o obj},Free={d free}" },
    [QS_QF_PUBLISH] = { "QF-Pub", "Sdr={o sender},Evt<Sig={s sig},Pool={d pool},Ref={d ref}>" },
    [QS_QF_NEW_REF] = { "QF-NewRf", "Evt<Sig={s sig},Pool={d pool},Ref={d ref}>" },
    [QS_QF_NEW] = { "QF-New", "Sig={s sig},Size={d size}" },
    [QS_QF_GC_ATTEMPT] = { "QF-gcA", "Evt<Sig={s sig},Pool={d pool},Ref={d ref}>" },
    [QS_QF_GC] = { "QF-gc", "Evt<Sig={s sig},Pool={d pool},Ref={d ref}>" },
    [QS_QF_TICK] = { "Tick<{d rate}>", "Ctr={c ctr}" },
    [QS_QF_TIMEEVT_ARM] = { "TE{d rate}-Arm", "Obj={o obj},AO={o ao},Tim={d ticks},Int={d interval}" },
    [QS_QF_TIMEEVT_AUTO_DISARM] = { "TE{d rate}-ADis", "Obj={o obj},AO={o ao}" },
    [QS_QF_TIMEEVT_DISARM_ATTEMPT] = { "TE{d rate}-DisA", "Obj={o obj},AO={o ao}" },
    [QS_QF_TIMEEVT_DISARM] = { "TE{d rate}-Dis", "Obj={o obj},AO={o ao},Tim={d ticks},Int={d interval}" },
    [QS_QF_TIMEEVT_REARM] = { "TE{d was}-Rarm",
                              "Obj={o obj},AO={o ao},Tim={d ticks},Int={d interval},Was={d rate}" }, // that program
                                                                                                     // prints these two
                                                                                                     // in exchanged
                                                                                                     // order
    [QS_QF_TIMEEVT_POST] = { "TE{d rate}-Post", "Obj={o obj},Sig={s sig},AO={o ao}" },
    [QS_QF_DELETE_REF] = { "QF-DelRf", "Evt<Sig={s sig},Pool={d pool},Ref={d ref}>" },
    [QS_QF_CRIT_ENTRY] = { "QF-CritE", "Nest={d nest}" },
    [QS_QF_CRIT_EXIT] = { "QF-CritX", "Nest={d nest}" },
    [QS_QF_ISR_ENTRY] = { "QF-IsrE", "Nest={d nest},Pri={d prio}" },
    [QS_QF_ISR_EXIT] = { "QF-IsrX", "Nest={d nest},Pri={d prio}" },
    [QS_QF_ACTIVE_POST_ATTEMPT] = { "AO-PostA", "Sdr={o sender},Obj={o obj},Evt<Sig={s sig},Pool={d pool},Ref={d "
                                                "ref}>,Que<Free={d free},Mar={d margin}>" },
    [QS_QF_EQUEUE_POST_ATTEMPT] = { "EQ-PostA", "Obj={o obj},Evt<Sig={s sig},Pool={d pool},Ref={d ref}>,Que<Free={d "
                                                "free},Mar={d margin}>" },
    [QS_QF_MPOOL_GET_ATTEMPT] = { "MP-GetA", "Obj={o obj},Free={d free},Mar={d margin}" },
    [QS_SCHED_PREEMPT] = { "Sch-Pre", "Pri={d prev}->{d next}" },
    [QS_SCHED_RESTORE] = { "Sch-Rest", "Pri={d prev}->{d next}" },
    [QS_SCHED_LOCK] = { "Sch-Lock", "Ceil={d prev}->{d new}" },
    [QS_SCHED_UNLOCK] = { "Sch-Unlk", "Ceil={d prev}->{d new}" },
    [QS_SCHED_NEXT] = { "Sch-Next", "Pri={d prev}->{d next}" },
    [QS_SCHED_IDLE] = { "Sch-Idle", "Pri={d prev}->0" },
    [QS_ENUM_DICT] = { "Enum-Dic", "{d value},Group={d group}->{z name}" },
    [QS_QEP_TRAN_HIST] = { "St-Hist", "Obj={o obj},State={f source}->{f target}" },
    [QS_QEP_TRAN_EP] = { "St-EP", "Obj={o obj},State={f source}->{f target}" },
    [QS_QEP_TRAN_XP] = { "St-XP", "Obj={o obj},State={f source}->{f target}" },
    [QS_TEST_PAUSED] = { "TstPause", "" },
    [QS_TEST_PROBE_GET] = { "TstProbe", "Fun={f fun},Data={d data}" },
    [QS_SIG_DICT] = { "Sig-Dict", "{k sig},Obj={p obj}->{z name}" },
    [QS_OBJ_DICT] = { "Obj-Dict", "{p obj}->{z name}" },
    [QS_FUN_DICT] = { "Fun-Dict", "{p fun}->{z name}" },
    [QS_USR_DICT] = { "Usr-Dict", "{k rec}->{z name}" },
    [QS_TARGET_INFO] = { "Trg-Info", "QP-Ver={d ver},Build={t build_date}_{t build_time}" },
    [QS_TARGET_DONE] = { "Trg-Done", "Rec={m cmd}" },
    [QS_RX_STATUS] = { "Trg-Ack", "Rec={m code}" },
    [QS_QUERY_DATA] = { "Query", "Kind={d kind}" },
    [QS_PEEK_DATA] = { "Trg-Peek", "Offs={d offs},Size={d size},Num={d num},Data<{z data}>" },
    [QS_ASSERT_FAIL] = { "=ASSERT=", "Mod={z module},Loc={d loc}" },
    [QS_QF_RUN] = { "QF_RUN", "" },
    [QS_SEM_TAKE] = { "Sem-Take", "Obj={o obj},Thr={d prio},Cnt={d count}" },
    [QS_SEM_BLOCK] = { "Sem-Blk", "Obj={o obj},Thr={d prio},Cnt={d count}" },
    [QS_SEM_SIGNAL] = { "Sem-Sgnl", "Obj={o obj},Thr={d prio},Cnt={d count}" },
    [QS_SEM_BLOCK_ATTEMPT] = { "Sem-BlkA", "Obj={o obj},Thr={d prio},Cnt={d count}" },
    [QS_MTX_LOCK] = { "Mtx-Lock", "Obj={o obj},Hldr={d holder},Nest={d nest}" },
    [QS_MTX_BLOCK] = { "Mtx-Blk", "Obj={o obj},Hldr={d holder},Thr={d prio}" },
    [QS_MTX_UNLOCK] = { "Mtx-Unlk", "Obj={o obj},Hldr={d holder},Nest={d nest}" },
    [QS_MTX_LOCK_ATTEMPT] = { "Mtx-LckA", "Obj={o obj},Hldr={d holder},Nest={d nest}" },
    [QS_MTX_BLOCK_ATTEMPT] = { "Mtx-BlkA", "Obj={o obj},Hldr={d holder},Thr={d prio}" },
    [QS_MTX_UNLOCK_ATTEMPT] = { "Mtx-UlkA", "Obj={o obj},Hldr={d holder},Nest={d nest}" },
    [QS_QF_ACTIVE_DEFER_ATTEMPT] = { "DefrA", "Obj={o obj},Que={o que},Evt<Sig={s sig},Pool={d pool},Ref={d ref}>" },
    [QS_OLD_ACTIVE_ADD] = { "AO-Add", "Obj={o obj},Pri={d prio}" },
    [QS_OLD_ACTIVE_REMOVE] = { "AO-Rmv", "Obj={o obj},Pri={d prio}" },
    [QS_OLD_EQUEUE_INIT] = { "EQ-Init", "Obj={o obj},Len={d length}" },
    [QS_OLD_MPOOL_INIT] = { "MP-Init", "Obj={o obj},Blcks={d blocks}" },
    [QS_OLD_TIMEEVT_CTR] = { "TE{d rate}-Ctr", "Obj={o obj},AO={o ao},Tim={d ticks},Int={d interval}" },
    [QS_OLD_MUTEX_LOCK] = { "Mtx-Lock", "Pri={d prio},Ceil={d ceiling}" },
    [QS_OLD_MUTEX_UNLOCK] = { "Mtx-Unlk", "Pri={d prio},Ceil={d ceiling}" },
    [QS_OLD_SCHED_RESUME] = { "Sch-Rsme", "Prio={d prev}->{d prio}" },
};

// Answers to queries, by their kind and by a field that only answers of this version have.
static const struct {
    unsigned kind;
    const char *field;
    struct record_format record_format;
} answers[] = {
    { 0, "state", { "Query-SM", "Obj={o obj},State={f state}" } },
    { 1, "prio", { "Query-AO", "Pri={d prio},Que<Use={d use},Free={d free},Min={d min}>" } },
    { 1, "state", { "Query-AO", "Obj={o obj},State={f state}" } },
    { 1, "free", { "Query-AO", "Obj={o obj},Que<Free={d free},Min={d min}>" } },
    { 2, "use", { "Query-MP", "Obj={o obj},Use={d use},Free={d free},Min={d min},Size={d size}" } },
    { 2, "free", { "Query-MP", "Obj={o obj},Free={d free},Min={d min}" } },
    { 3, "use", { "Query-EQ", "Obj={o obj},Que<Use={d use},Free={d free},Min={d min}>" } },
    { 3, "free", { "Query-EQ", "Obj={o obj},Que<Free={d free},Min={d min}>" } },
    { 4, "ticks", { "Query-TE", "Obj={o obj},AO={o ao},Tim={d ticks},Int={d interval},Sig={s sig},Flags={d flags}" } },
    { 5, "obj", { "Query-AP", "Obj={o obj}" } },
    { 5, "kind", { "Query-AP", "" } },
    { 7, "id", { "Query-EP", "Pool={d id},Use={d use},Free={d free},Min={d min},Size={d size}" } },
};

static const char *const commands[] = {
    "INFO",      "COMMAND",    "RESET",         "TICK",       "PEEK",       "POKE",
    "FILL",      "TEST_SETUP", "TEST_TEARDOWN", "TEST_PROBE", "GLB_FILTER", "LOC_FILTER",
    "AO_FILTER", "CURR_OBJ",   "TEST_CONTINUE", "QUERY_CURR", "EVENT",
};

static bool is_of_machine(unsigned record) {
    return (record >= QS_QEP_STATE_ENTRY && record <= QS_QEP_STATE_INIT) || record == QS_QEP_UNHANDLED ||
           (record >= QS_QEP_TRAN_HIST && record <= QS_QEP_TRAN_XP);
}

// ---- Fields ------------------------------------------------------------------------------------

static const struct tk_value *field(const struct printer *p, const char *name, size_t len) {
    for (unsigned i = 0; i < p->event->value_count; i++)
        if (strlen(p->event->values[i].name) == len && !memcmp(p->event->values[i].name, name, len))
            return &p->event->values[i];
    return NULL;
}

static uint64_t number(const struct printer *p, const char *name) {
    const struct tk_value *value = field(p, name, strlen(name));
    return value ? value->number.u : 0;
}

static void put_digits(struct printer *p, uint64_t value, unsigned base, unsigned least) {
    char digits[TK_DECIMAL_LEN];
    tk_out_bytes(p->out, digits,
                 base == 16 ? tk_capital_hex(value, least, digits) : tk_digits(value, base, least, digits));
}

static void put_pointer(struct printer *p, uint64_t value, uint8_t bytes) {
    unsigned digits = bytes ? 2u * bytes : value > UINT32_MAX ? 16 : 8;
    tk_out_text(p->out, "0x");
    put_digits(p, value, 16, digits);
}

static uint32_t name_of(const struct printer *p, enum names list, uint64_t key) {
    uint32_t name = tk_idmap_find(&p->state->names[list], key);
    return name == TK_NONE ? 0 : name;
}

static void put_name(struct printer *p, uint32_t name) {
    size_t len;
    const char *text = tk_strtab_text(&p->state->strings, name, &len);
    tk_out_bytes(p->out, text, len);
}

static void put_named(struct printer *p, enum names list, uint64_t key, uint8_t bytes) {
    uint32_t name = name_of(p, list, key);
    if (name) put_name(p, name);
    else put_pointer(p, key, bytes);
}

static uint64_t signal_key(uint64_t signal, uint64_t object) { return object * 0x9E3779B97F4A7C15u ^ signal; }

// Prints a signal. Returns false if it has no name; the printed placeholder then includes the object.
static bool put_signal(struct printer *p, uint64_t signal, uint64_t object) {
    uint32_t name = name_of(p, SIGNALS, signal_key(signal, object));
    if (!name) name = name_of(p, SIGNALS, signal_key(signal, 0));
    if (!name && !object) name = name_of(p, ANY_SIGNALS, signal);
    if (name) {
        put_name(p, name);
        return true;
    }
    put_digits(p, signal, 10, 8);
    tk_out_text(p->out, ",Obj=");
    put_pointer(p, object, p->state->object);
    return false;
}

static void put_command(struct printer *p, uint64_t command) {
    command &= 0x7F; // the top bit marks a refused command
    if (command < sizeof commands / sizeof *commands) tk_out_text(p->out, commands[command]);
    else put_digits(p, command, 10, 1);
}

static void put_text(struct printer *p, const struct tk_value *value) {
    bool old = p->state->version && p->state->version < 690; // older versions print other brackets around array
                                                             // elements
    for (uint32_t i = 0; i < value->text_len; i++) {
        char c = value->text[i];
        tk_out_char(p->out, old && c == '[' ? '<' : old && c == ']' ? '>' : c < 0x20 && c >= 0 ? '?' : c);
    }
}

static void put_field(struct printer *p, char type, const struct tk_value *value) {
    switch (type) {
    case 'o': put_named(p, OBJECTS, value->number.u, p->state->object); break;
    case 'f': put_named(p, FUNCTIONS, value->number.u, p->state->function); break;
    case 's': put_signal(p, value->number.u, number(p, field(p, "ao", 2) ? "ao" : "obj")); break;
    case 'm': put_command(p, value->number.u); break;
    case 'c': put_digits(p, value->number.u, 10, 10); break;
    case 'k': put_digits(p, value->number.u, 10, 8); break;
    case 't': put_digits(p, value->number.u, 10, 6); break;
    case 'p':
        put_pointer(p, value->number.u, strcmp(value->name, "fun") ? p->state->object : p->state->function);
        break;
    case 'z': put_text(p, value); break;
    default: put_digits(p, value->number.u, 10, 1); break;
    }
}

// Prints the form up to the first field and returns the letters that need no lookup.
static size_t put_form(struct printer *p, const char *record_format) {
    size_t len = 0;
    for (; *record_format; record_format++, len++) {
        if (*record_format != '{') {
            tk_out_char(p->out, *record_format);
            continue;
        }
        const char *end = strchr(record_format, '}');
        const struct tk_value *value = field(p, record_format + 3, (size_t)(end - record_format - 3));
        if (value) put_field(p, record_format[1], value);
        record_format = end;
    }
    return len;
}

// ---- Lines -------------------------------------------------------------------------------------

static void put_time(struct printer *p, unsigned record) {
    uint8_t time = p->state->time ? p->state->time : 4;
    const struct tk_value *counts = field(p, "counts", 6);
    bool signs = record == QS_TARGET_INFO && p->state->version >= 690 && p->state->version < 720 &&
                 number(p, "reset"); // like its release 6.9.3, which knows SCHED_RESUME
    if (counts) put_digits(p, counts->number.u, 10, time == 4 ? 10 : time == 2 ? 5 : 3);
    else tk_out_text(p->out, is_of_machine(record) ? "===RTC===>" : signs ? "##########" : "          ");
    tk_out_char(p->out, ' ');
}

// ---- Values of the application -----------------------------------------------------------------

enum { IN_HEX = 15, REAL_DIGITS = TK_DOUBLE_DIGITS };

static bool is(const struct tk_value *value, const char *name) { return value && !strcmp(value->name, name); }

static void put_blanks(struct printer *p, size_t used, unsigned width) {
    for (; used < width; used++) tk_out_char(p->out, ' ');
}

static void put_whole(struct printer *p, uint64_t size, bool negative, unsigned width) {
    char digits[TK_DECIMAL_LEN];
    size_t len = tk_decimal(size, digits);
    put_blanks(p, len + negative, width);
    if (negative) tk_out_char(p->out, '-');
    tk_out_bytes(p->out, digits, len);
}

// Prints a hexadecimal number; one of 8 bytes is padded with blanks.
static void put_hex(struct printer *p, uint64_t number, unsigned digits, bool is_wide) {
    char text[TK_DECIMAL_LEN];
    tk_out_text(p->out, "0x");
    if (is_wide) put_blanks(p, tk_digits(number, 16, 1, text), digits);
    put_digits(p, number, 16, is_wide ? 1 : digits);
}

// Prints like C's "%.*e", which rounds halves to even.
static void put_real(struct printer *p, double real, unsigned places) {
    char text[TK_DECIMAL_LEN];
    uint64_t unit = 1, digits = 0;
    if (real - real != 0) {
        tk_out_text(p->out, real != real ? "nan" : real < 0 ? "-inf" : "inf");
        return;
    }
    struct tk_double_digits exact = tk_double_digits(real, REAL_DIGITS);
    for (unsigned i = 0; i < REAL_DIGITS; i++)
        digits = digits * 10 + (i < exact.count ? (unsigned)(exact.digits[i] - '0') : 0);
    for (unsigned i = places + 1; i < REAL_DIGITS; i++) unit *= 10;
    uint64_t shown = digits / unit, rest = digits % unit;
    shown += rest > unit / 2 || (unit > 1 && rest == unit / 2 && shown & 1);
    int power = exact.exponent + (tk_digits(shown, 10, places + 1, text) > places + 1); // rounding may turn 9.99
                                                                                        // into 10.0
    if (real < 0) tk_out_char(p->out, '-');
    tk_out_char(p->out, text[0]);
    if (places) tk_out_char(p->out, '.');
    tk_out_bytes(p->out, text + 1, places);
    tk_out_text(p->out, power < 0 ? "e-" : "e+");
    put_digits(p, (uint64_t)(power < 0 ? -power : power), 10, 2);
}

static void put_unsigned(struct printer *p, const struct tk_value *value, unsigned width) {
    static const struct {
        const char *name;
        unsigned digits;
    } types[] = { { "u8", 2 }, { "u16", 4 }, { "u32", 8 }, { "u64", 16 } };
    unsigned digits = is(value, "hex") ? width + !width : 0;
    for (size_t i = 0; i < sizeof types / sizeof *types && width == IN_HEX; i++)
        if (is(value, types[i].name)) digits = types[i].digits;
    if (digits) put_hex(p, value->number.u, digits, is(value, "u64"));
    else put_whole(p, value->number.u, false, width);
}

// of: the object of a signal or the group of an enumeration; NULL: none.
static void put_user_value(struct printer *p, const struct tk_value *value, const struct tk_value *of, unsigned width) {
    uint64_t number = value->number.u;
    tk_out_char(p->out, ' ');
    if (is(value, "obj")) {
        put_named(p, OBJECTS, number, p->state->object);
    } else if (is(value, "fun")) {
        put_named(p, FUNCTIONS, number, p->state->function);
    } else if (is(value, "sig") && of) {
        if (!put_signal(p, number, of->number.u) || !of->number.u) return;
        tk_out_text(p->out, ",Obj=");
        put_named(p, OBJECTS, of->number.u, p->state->object);
    } else if (is(value, "enum") && of) {
        uint32_t name = name_of(p, ENUMS, of->number.u << 8 | number);
        if (name) put_name(p, name);
        else put_whole(p, number, false, 1);
    } else if (value->type == TK_VALUE_TEXT) {
        put_text(p, value);
    } else if (value->type == TK_VALUE_INT) {
        put_whole(p, value->number.i < 0 ? 0 - number : number, value->number.i < 0, width);
    } else if (value->type == TK_VALUE_DOUBLE) {
        put_real(p, value->number.d, width);
    } else {
        put_unsigned(p, value, width);
    }
}

static void put_user(struct printer *p) {
    enum { WIDTHS = 3 }; // after seq, number and counts
    uint32_t name = name_of(p, USERS, number(p, "number"));
    if (name) put_name(p, name);
    else tk_out_text(p->out, "USER+"), put_digits(p, number(p, "number"), 10, 3);
    const struct tk_value *values = p->event->values, *widths = &values[WIDTHS];
    for (unsigned i = WIDTHS + 1, element = 0; i < p->event->value_count; i++, element++) {
        bool has_other = i + 1u < p->event->value_count && is(&values[i + 1], "of");
        put_user_value(p, &values[i], has_other ? &values[i + 1] : NULL, (uint8_t)widths->text[element]);
        i += has_other;
    }
}

// ---- What the stream tells of itself -----------------------------------------------------------

static void forget(struct vendor_printer *state, struct tk_alloc *alloc) {
    for (unsigned i = 0; i < NAMES; i++) {
        tk_idmap_deinit(&state->names[i], alloc);
        state->names[i] = (struct tk_idmap){ 0 };
    }
}

static void import_target(struct printer *p) {
    if (number(p, "reset")) forget(p->state, p->alloc);
    p->state->version = (uint16_t)number(p, "ver");
    p->state->time = (uint8_t)number(p, "T");
    p->state->object = (uint8_t)number(p, "O");
    p->state->function = (uint8_t)number(p, "F");
}

static void import_name(struct printer *p, enum names list, uint64_t key) {
    char room[256];
    const struct tk_value *name = field(p, "name", 4);
    size_t len = name && name->text_len < sizeof room ? name->text_len : 0;
    bool old = p->state->version && p->state->version < 690;
    for (size_t i = 0; i < len; i++)
        room[i] = old && name->text[i] == '[' ? '<' : old && name->text[i] == ']' ? '>' : name->text[i];
    uint32_t string = len ? tk_strtab_intern(&p->state->strings, p->alloc, room, len) : 0;
    if (string) tk_idmap_set(&p->state->names[list], p->alloc, key, string);
}

static void import_definitions(struct printer *p, unsigned record) {
    switch (record) {
    case QS_TARGET_INFO: import_target(p); break;
    case QS_OBJ_DICT: import_name(p, OBJECTS, number(p, "obj")); break;
    case QS_FUN_DICT: import_name(p, FUNCTIONS, number(p, "fun")); break;
    case QS_USR_DICT: import_name(p, USERS, number(p, "rec")); break;
    case QS_SIG_DICT:
        import_name(p, SIGNALS, signal_key(number(p, "sig"), number(p, "obj")));
        import_name(p, ANY_SIGNALS, number(p, "sig"));
        break;
    case QS_ENUM_DICT: import_name(p, ENUMS, (number(p, "group") & 7) << 8 | number(p, "value")); break;
    default: break;
    }
}

static struct record_format record_format_of(const struct printer *p, unsigned record) {
    struct record_format record_format = record_formats[record];
    if (record == QS_TARGET_INFO && number(p, "reset")) record_format.word = "Trg-RST";
    if (record == QS_RX_STATUS && number(p, "code") > 127) record_format.word = "Trg-ERR";
    for (size_t i = 0; record == QS_QUERY_DATA && i < sizeof answers / sizeof *answers; i++)
        if (answers[i].kind == number(p, "kind") && field(p, answers[i].field, strlen(answers[i].field)))
            return answers[i].record_format;
    return record_format;
}

static void print(void *state, struct tk_alloc *alloc, const struct tk_event *event, unsigned record,
                  struct tk_out *out) {
    struct printer p = { state, alloc, event, out };
    enum { WORD = 8 };
    if (record == QS_EMPTY) return;
    import_definitions(&p, record);
    put_time(&p, record);
    if (record >= QS_RECORDS || !record_formats[record].word) {
        put_user(&p);
    } else {
        struct record_format record_format = record_format_of(&p, record);
        size_t len = put_form(&p, record_format.word);
        for (; *record_format.fields && len <= WORD; len++) tk_out_char(out, ' ');
        put_form(&p, record_format.fields);
    }
    tk_out_char(out, '\n');
}

const struct tk_vendor_printer qs_original = { sizeof(struct vendor_printer), print };

static const char *record_name(unsigned record) {
    static const char *const names[QS_RECORDS + 1] = {
#define QS_RECORD(number, name, fields, event, ...) [number] = #name,
#define QS_OLD(number, before, name, fields, event, ...) [QS_OLD_##name] = #name,
#include "records.def"
#undef QS_RECORD
#undef QS_OLD
        [QS_RECORDS] = "USER"
    };
    return names[record];
}

const struct tk_record_names tk_names_qs = { .name = record_name, .original = &qs_original };
