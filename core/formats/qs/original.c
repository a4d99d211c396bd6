// SPDX-License-Identifier: MIT
//
// Records as the console program of QP prints them, one line each. It names things as far as the stream has named them by then.
#include "original.h"

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

enum names { OBJECTS, FUNCTIONS, USERS, SIGNALS, ANY_SIGNALS, NAMES };

struct original {
    struct tk_strtab strings;
    struct tk_idmap names[NAMES]; // -> string
    uint16_t version;             // of QP; 0: not told
    uint8_t time, object, function; // bytes; 0: not told
};

struct printer {
    struct original *state;
    struct tk_alloc *alloc;
    const struct tk_event *event;
    struct tk_out *out;
};

// How a record looks: the word that stands for it, and its fields as {TYPE NAME}. TYPE: o object, f function, s signal, d number, c number of ten digits,
// k signal of a dictionary, p pointer, t date or time, z text.
static const struct { const char *word, *fields; } forms[QS_RECORDS] = {
    [QS_QEP_STATE_ENTRY] = { "St-Entry", "Obj={o obj},State={f state}" }, [QS_QEP_STATE_EXIT] = { "St-Exit", "Obj={o obj},State={f state}" },
    [QS_QEP_STATE_INIT] = { "St-Init", "Obj={o obj},State={f source}->{f target}" }, [QS_QEP_INIT_TRAN] = { "Init===>", "Obj={o obj},State={f target}" },
    [QS_QEP_INTERN_TRAN] = { "=>Intern", "Obj={o obj},Sig={s sig},State={f state}" }, [QS_QEP_TRAN] = { "===>Tran", "Obj={o obj},Sig={s sig},State={f source}->{f target}" },
    [QS_QEP_IGNORED] = { "=>Ignore", "Obj={o obj},Sig={s sig},State={f state}" }, [QS_QEP_DISPATCH] = { "Disp===>", "Obj={o obj},Sig={s sig},State={f state}" },
    [QS_QEP_UNHANDLED] = { "St-Unhnd", "Obj={o obj},Sig={s sig},State={f state}" },
    [QS_QF_ACTIVE_DEFER] = { "AO-Defer", "Obj={o obj},Que={o que},Evt<Sig={s sig},Pool={d pool},Ref={d ref}>" },
    [QS_QF_ACTIVE_RECALL] = { "AO-RCall", "Obj={o obj},Que={o que},Evt<Sig={s sig},Pool={d pool},Ref={d ref}>" },
    [QS_QF_ACTIVE_SUBSCRIBE] = { "AO-Subsc", "Obj={o obj},Sig={s sig}" }, [QS_QF_ACTIVE_UNSUBSCRIBE] = { "AO-Unsub", "Obj={o obj},Sig={s sig}" },
    [QS_QF_ACTIVE_POST] = { "AO-Post", "Sdr={o sender},Obj={o obj},Evt<Sig={s sig},Pool={d pool},Ref={d ref}>,Que<Free={d free},Min={d min}>" },
    [QS_QF_ACTIVE_POST_LIFO] = { "AO-LIFO", "Obj={o obj},Evt<Sig={s sig},Pool={d pool},Ref={d ref}>,Que<Free={d free},Min={d min}>" },
    [QS_QF_ACTIVE_GET] = { "AO-Get", "Obj={o obj},Evt<Sig={s sig},Pool={d pool},Ref={d ref}>,Que<Free={d free}>" },
    [QS_QF_ACTIVE_GET_LAST] = { "AO-GetL", "Obj={o obj},Evt<Sig={s sig},Pool={d pool},Ref={d ref}>" }, [QS_QF_ACTIVE_RECALL_ATTEMPT] = { "AO-RCllA", "Obj={o obj},Que={o que}" },
    [QS_QF_EQUEUE_POST] = { "EQ-Post", "Obj={o obj},Evt<Sig={s sig},Pool={d pool},Ref={d ref}>,Que<Free={d free},Min={d min}>" },
    [QS_QF_EQUEUE_POST_LIFO] = { "EQ-LIFO", "Obj={o obj},Evt<Sig={s sig},Pool={d pool},Ref={d ref}>,Que<Free={d free},Min={d min}>" },
    [QS_QF_EQUEUE_GET] = { "EQ-Get", "Obj={o obj},Evt<Sig={s sig},Pool={d pool},Ref={d ref}>,Que<Free={d free}>" },
    [QS_QF_EQUEUE_GET_LAST] = { "EQ-GetL", "Obj={o obj},Evt<Sig={s sig},Pool={d pool},Ref={d ref}>" }, [QS_QF_NEW_ATTEMPT] = { "QF-NewA", "Sig={s sig},Size={d size}" },
    [QS_QF_MPOOL_GET] = { "MP-Get", "Obj={o obj},Free={d free},Min={d min}" }, [QS_QF_MPOOL_PUT] = { "MP-Put", "Obj={o obj},Free={d free}" },
    [QS_QF_PUBLISH] = { "QF-Pub", "Sdr={o sender},Evt<Sig={s sig},Pool={d pool},Ref={d ref}>" }, [QS_QF_NEW_REF] = { "QF-NewRf", "Evt<Sig={s sig},Pool={d pool},Ref={d ref}>" },
    [QS_QF_NEW] = { "QF-New", "Sig={s sig},Size={d size}" }, [QS_QF_GC_ATTEMPT] = { "QF-gcA", "Evt<Sig={s sig},Pool={d pool},Ref={d ref}>" },
    [QS_QF_GC] = { "QF-gc", "Evt<Sig={s sig},Pool={d pool},Ref={d ref}>" }, [QS_QF_TICK] = { "Tick<{d rate}>", "Ctr={c ctr}" },
    [QS_QF_TIMEEVT_ARM] = { "TE{d rate}-Arm", "Obj={o obj},AO={o ao},Tim={d ticks},Int={d interval}" }, [QS_QF_TIMEEVT_AUTO_DISARM] = { "TE{d rate}-ADis", "Obj={o obj},AO={o ao}" },
    [QS_QF_TIMEEVT_DISARM_ATTEMPT] = { "TE{d rate}-DisA", "Obj={o obj},AO={o ao}" }, [QS_QF_TIMEEVT_DISARM] = { "TE{d rate}-Dis", "Obj={o obj},AO={o ao},Tim={d ticks},Int={d interval}" },
    [QS_QF_TIMEEVT_REARM] = { "TE{d was}-Rarm", "Obj={o obj},AO={o ao},Tim={d ticks},Int={d interval},Was={d rate}" }, // it takes one for the other
    [QS_QF_TIMEEVT_POST] = { "TE{d rate}-Post", "Obj={o obj},Sig={s sig},AO={o ao}" }, [QS_QF_DELETE_REF] = { "QF-DelRf", "Evt<Sig={s sig},Pool={d pool},Ref={d ref}>" },
    [QS_QF_CRIT_ENTRY] = { "QF-CritE", "Nest={d nest}" }, [QS_QF_CRIT_EXIT] = { "QF-CritX", "Nest={d nest}" },
    [QS_QF_ISR_ENTRY] = { "QF-IsrE", "Nest={d nest},Pri={d prio}" }, [QS_QF_ISR_EXIT] = { "QF-IsrX", "Nest={d nest},Pri={d prio}" },
    [QS_QF_ACTIVE_POST_ATTEMPT] = { "AO-PostA", "Sdr={o sender},Obj={o obj},Evt<Sig={s sig},Pool={d pool},Ref={d ref}>,Que<Free={d free},Mar={d margin}>" },
    [QS_QF_EQUEUE_POST_ATTEMPT] = { "EQ-PostA", "Obj={o obj},Evt<Sig={s sig},Pool={d pool},Ref={d ref}>,Que<Free={d free},Mar={d margin}>" },
    [QS_QF_MPOOL_GET_ATTEMPT] = { "MP-GetA", "Obj={o obj},Free={d free},Mar={d margin}" }, [QS_SCHED_PREEMPT] = { "Sch-Pre", "Pri={d prev}->{d next}" },
    [QS_SCHED_RESTORE] = { "Sch-Rest", "Pri={d prev}->{d next}" }, [QS_SCHED_LOCK] = { "Sch-Lock", "Ceil={d prev}->{d new}" }, [QS_SCHED_UNLOCK] = { "Sch-Unlk", "Ceil={d prev}->{d new}" },
    [QS_SCHED_NEXT] = { "Sch-Next", "Pri={d prev}->{d next}" }, [QS_SCHED_IDLE] = { "Sch-Idle", "Pri={d prev}->0" }, [QS_ENUM_DICT] = { "Enum-Dic", "{d value},Group={d group}->{z name}" },
    [QS_QEP_TRAN_HIST] = { "St-Hist", "Obj={o obj},State={f source}->{f target}" }, [QS_QEP_TRAN_EP] = { "St-EP", "Obj={o obj},State={f source}->{f target}" },
    [QS_QEP_TRAN_XP] = { "St-XP", "Obj={o obj},State={f source}->{f target}" }, [QS_TEST_PAUSED] = { "TstPause", "" }, [QS_TEST_PROBE_GET] = { "TstProbe", "Fun={f fun},Data={d data}" },
    [QS_SIG_DICT] = { "Sig-Dict", "{k sig},Obj={p obj}->{z name}" }, [QS_OBJ_DICT] = { "Obj-Dict", "{p obj}->{z name}" }, [QS_FUN_DICT] = { "Fun-Dict", "{p fun}->{z name}" },
    [QS_USR_DICT] = { "Usr-Dict", "{k rec}->{z name}" }, [QS_TARGET_INFO] = { "Trg-Info", "QP-Ver={d ver},Build={t build_date}_{t build_time}" }, [QS_TARGET_DONE] = { "Trg-Done", "Rec={d cmd}" },
    [QS_RX_STATUS] = { "Trg-Ack", "Rec={d code}" }, [QS_QUERY_DATA] = { "Query", "Kind={d kind}" }, [QS_PEEK_DATA] = { "Trg-Peek", "Offs={d offs},Size={d size},Num={d num}" },
    [QS_ASSERT_FAIL] = { "=ASSERT=", "Mod={z module},Loc={d loc}" }, [QS_QF_RUN] = { "QF_RUN", "" }, [QS_SEM_TAKE] = { "Sem-Take", "Obj={o obj},Thr={d prio},Cnt={d count}" },
    [QS_SEM_BLOCK] = { "Sem-Blk", "Obj={o obj},Thr={d prio},Cnt={d count}" }, [QS_SEM_SIGNAL] = { "Sem-Sgnl", "Obj={o obj},Thr={d prio},Cnt={d count}" },
    [QS_SEM_BLOCK_ATTEMPT] = { "Sem-BlkA", "Obj={o obj},Thr={d prio},Cnt={d count}" }, [QS_MTX_LOCK] = { "Mtx-Lock", "Obj={o obj},Hldr={d holder},Nest={d nest}" },
    [QS_MTX_BLOCK] = { "Mtx-Blk", "Obj={o obj},Hldr={d holder},Thr={d prio}" }, [QS_MTX_UNLOCK] = { "Mtx-Unlk", "Obj={o obj},Hldr={d holder},Nest={d nest}" },
    [QS_MTX_LOCK_ATTEMPT] = { "Mtx-LckA", "Obj={o obj},Hldr={d holder},Nest={d nest}" }, [QS_MTX_BLOCK_ATTEMPT] = { "Mtx-BlkA", "Obj={o obj},Hldr={d holder},Thr={d prio}" },
    [QS_MTX_UNLOCK_ATTEMPT] = { "Mtx-UlkA", "Obj={o obj},Hldr={d holder},Nest={d nest}" }, [QS_QF_ACTIVE_DEFER_ATTEMPT] = { "DefrA", "Obj={o obj},Que={o que},Evt<Sig={s sig},Pool={d pool},Ref={d ref}>" },
    [QS_OLD_ACTIVE_ADD] = { "AO-Add", "Obj={o obj},Pri={d prio}" }, [QS_OLD_ACTIVE_REMOVE] = { "AO-Rmv", "Obj={o obj},Pri={d prio}" }, [QS_OLD_EQUEUE_INIT] = { "EQ-Init", "Obj={o obj},Len={d length}" },
    [QS_OLD_MPOOL_INIT] = { "MP-Init", "Obj={o obj},Blcks={d blocks}" }, [QS_OLD_TIMEEVT_CTR] = { "TE{d rate}-Ctr", "Obj={o obj},AO={o ao},Tim={d ticks},Int={d interval}" },
    [QS_OLD_MUTEX_LOCK] = { "Mtx-Lock", "Pri={d prio},Ceil={d ceiling}" }, [QS_OLD_MUTEX_UNLOCK] = { "Mtx-Unlk", "Pri={d prio},Ceil={d ceiling}" },
    [QS_OLD_SCHED_RESUME] = { "Sch-Rsme", "Prio={d prev}->{d prio}" },
};

static bool is_of_machine(unsigned record) {
    return (record >= QS_QEP_STATE_ENTRY && record <= QS_QEP_STATE_INIT) || record == QS_QEP_UNHANDLED || (record >= QS_QEP_TRAN_HIST && record <= QS_QEP_TRAN_XP);
}

// ---- Fields ------------------------------------------------------------------------------------

static const struct tk_value *field(const struct printer *p, const char *name, size_t len) {
    for (unsigned i = 0; i < p->event->value_count; i++)
        if (strlen(p->event->values[i].name) == len && !memcmp(p->event->values[i].name, name, len)) return &p->event->values[i];
    return NULL;
}

static uint64_t number(const struct printer *p, const char *name) {
    const struct tk_value *value = field(p, name, strlen(name));
    return value ? value->number.u : 0;
}

static void put_digits(struct printer *p, uint64_t value, unsigned base, unsigned least) {
    char digits[TK_DECIMAL_LEN];
    size_t len = tk_digits(value, base, least, digits);
    for (size_t i = 0; i < len; i++) tk_out_char(p->out, digits[i] >= 'a' ? (char)(digits[i] - 'a' + 'A') : digits[i]);
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

static void put_signal(struct printer *p, uint64_t signal) {
    uint64_t object = number(p, field(p, "ao", 2) ? "ao" : "obj");
    uint32_t name = name_of(p, SIGNALS, signal_key(signal, object));
    if (!name) name = name_of(p, SIGNALS, signal_key(signal, 0));
    if (!name && !object) name = name_of(p, ANY_SIGNALS, signal);
    if (name) {
        put_name(p, name);
        return;
    }
    put_digits(p, signal, 10, 8);
    tk_out_text(p->out, ",Obj=");
    put_pointer(p, object, p->state->object);
}

static void put_text(struct printer *p, const struct tk_value *value) {
    bool old = p->state->version && p->state->version < 690; // array elements of these have other brackets
    for (uint32_t i = 0; i < value->text_len; i++) {
        char c = value->text[i];
        tk_out_char(p->out, old && c == '[' ? '<' : old && c == ']' ? '>' : c < 0x20 && c >= 0 ? '?' : c);
    }
}

static void put_field(struct printer *p, char type, const struct tk_value *value) {
    switch (type) {
    case 'o': put_named(p, OBJECTS, value->number.u, p->state->object); break;
    case 'f': put_named(p, FUNCTIONS, value->number.u, p->state->function); break;
    case 's': put_signal(p, value->number.u); break;
    case 'c': put_digits(p, value->number.u, 10, 10); break;
    case 'k': put_digits(p, value->number.u, 10, 8); break;
    case 't': put_digits(p, value->number.u, 10, 6); break;
    case 'p': put_pointer(p, value->number.u, strcmp(value->name, "fun") ? p->state->object : p->state->function); break;
    case 'z': put_text(p, value); break;
    default: put_digits(p, value->number.u, 10, 1); break;
    }
}

// Returns the letters of it, as far as they need no looking up.
static size_t put_form(struct printer *p, const char *form) {
    size_t len = 0;
    for (; *form; form++, len++) {
        if (*form != '{') {
            tk_out_char(p->out, *form);
            continue;
        }
        const char *end = strchr(form, '}');
        const struct tk_value *value = field(p, form + 3, (size_t)(end - form - 3));
        if (value) put_field(p, form[1], value);
        form = end;
    }
    return len;
}

// ---- Lines -------------------------------------------------------------------------------------

static void put_time(struct printer *p, unsigned record) {
    uint8_t time = p->state->time ? p->state->time : 4;
    const struct tk_value *counts = field(p, "counts", 6);
    bool signs = record == QS_TARGET_INFO && p->state->version >= 690 && p->state->version < 720 && number(p, "reset"); // as its release 6.9.3, which knows SCHED_RESUME
    if (counts) put_digits(p, counts->number.u, 10, time == 4 ? 10 : time == 2 ? 5 : 3);
    else tk_out_text(p->out, is_of_machine(record) ? "===RTC===>" : signs ? "##########" : "          ");
    tk_out_char(p->out, ' ');
}

static void put_user_value(struct printer *p, const struct tk_value *value) {
    tk_out_char(p->out, ' ');
    if (!strcmp(value->name, "obj")) put_named(p, OBJECTS, value->number.u, p->state->object);
    else if (!strcmp(value->name, "fun")) put_named(p, FUNCTIONS, value->number.u, p->state->function);
    else if (value->type == TK_VALUE_TEXT) put_text(p, value);
    else if (value->type == TK_VALUE_INT) tk_out_i64(p->out, value->number.i);
    else if (value->type == TK_VALUE_HEX) put_pointer(p, value->number.u, 4);
    else if (value->type == TK_VALUE_DOUBLE) tk_out_i64(p->out, (int64_t)value->number.d);
    else tk_out_u64(p->out, value->number.u);
}

static void put_user(struct printer *p) {
    enum { FIRST = 3 }; // behind seq, number and counts
    uint32_t name = name_of(p, USERS, number(p, "number"));
    if (name) put_name(p, name);
    else tk_out_text(p->out, "USER+"), put_digits(p, number(p, "number"), 10, 3);
    for (unsigned i = FIRST; i < p->event->value_count; i++) put_user_value(p, &p->event->values[i]);
}

// ---- What the stream tells of itself -----------------------------------------------------------

static void forget(struct original *state, struct tk_alloc *alloc) {
    for (unsigned i = 0; i < NAMES; i++) {
        tk_idmap_deinit(&state->names[i], alloc);
        state->names[i] = (struct tk_idmap){ 0 };
    }
}

static void learn_target(struct printer *p) {
    if (number(p, "reset")) forget(p->state, p->alloc);
    p->state->version = (uint16_t)number(p, "ver");
    p->state->time = (uint8_t)number(p, "T");
    p->state->object = (uint8_t)number(p, "O");
    p->state->function = (uint8_t)number(p, "F");
}

static void learn_name(struct printer *p, enum names list, uint64_t key) {
    char room[256];
    const struct tk_value *name = field(p, "name", 4);
    size_t len = name && name->text_len < sizeof room ? name->text_len : 0;
    bool old = p->state->version && p->state->version < 690;
    for (size_t i = 0; i < len; i++) room[i] = old && name->text[i] == '[' ? '<' : old && name->text[i] == ']' ? '>' : name->text[i];
    uint32_t string = len ? tk_strtab_intern(&p->state->strings, p->alloc, room, len) : 0;
    if (string) tk_idmap_set(&p->state->names[list], p->alloc, key, string);
}

static void learn(struct printer *p, unsigned record) {
    switch (record) {
    case QS_TARGET_INFO: learn_target(p); break;
    case QS_OBJ_DICT: learn_name(p, OBJECTS, number(p, "obj")); break;
    case QS_FUN_DICT: learn_name(p, FUNCTIONS, number(p, "fun")); break;
    case QS_USR_DICT: learn_name(p, USERS, number(p, "rec")); break;
    case QS_SIG_DICT:
        learn_name(p, SIGNALS, signal_key(number(p, "sig"), number(p, "obj")));
        learn_name(p, ANY_SIGNALS, number(p, "sig"));
        break;
    default: break;
    }
}

static void print(void *state, struct tk_alloc *alloc, const struct tk_event *event, unsigned record, struct tk_out *out) {
    struct printer p = { state, alloc, event, out };
    enum { WORD = 8 };
    if (record == QS_EMPTY) return;
    learn(&p, record);
    put_time(&p, record);
    if (record >= QS_RECORDS || !forms[record].word) {
        put_user(&p);
        tk_out_char(out, '\n');
        return;
    }
    bool reset = record == QS_TARGET_INFO && number(&p, "reset");
    size_t len = put_form(&p, reset ? "Trg-RST" : record == QS_RX_STATUS && number(&p, "code") > 127 ? "Trg-ERR" : forms[record].word);
    for (; *forms[record].fields && len <= WORD; len++) tk_out_char(out, ' ');
    put_form(&p, forms[record].fields);
    tk_out_char(out, '\n');
}

const struct tk_original qs_original = { sizeof(struct original), print };
