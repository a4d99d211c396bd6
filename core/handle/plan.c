// SPDX-License-Identifier: MIT
//
// Determines the role of each input and groups the recordings: tk_plan, tk_plan_serves, tk_plan_conflict and
// tk_core_from_name.
#include <string.h>

#include "base/text.h"
#include "tonkopf.h"

typedef struct tk_plan_input input;

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c; }
static bool is_letter(char c) { return lower(c) >= 'a' && lower(c) <= 'z'; }

static bool starts_with(const char *text, const char *word) {
    for (; *word; text++, word++)
        if (lower(*text) != *word) return false;
    return true;
}

// Returns the core number at `text`, or -1 if the text after the digits shows that it is not one ("core-1M" is a size).
static int32_t core_number(const char *text, bool to_the_end) {
    int32_t number = 0;
    size_t digits = 0;
    for (; is_digit(text[digits]) && digits < 3; digits++) number = number * 10 + (text[digits] - '0');
    if (!digits || is_digit(text[digits]) || is_letter(text[digits]) || number >= TK_MAX_CORES) return -1;
    if (to_the_end && text[digits]) return -1;
    return number;
}

int32_t tk_core_from_name(const char *name, size_t *out_stem_len) {
    int32_t core = -1;
    *out_stem_len = strlen(name);
    const char *at_sign = strrchr(name, '@');
    if (at_sign && (core = core_number(at_sign + 1, true)) >= 0) {
        *out_stem_len = (size_t)(at_sign - name);
        return core;
    }
    for (const char *at = name; *at; at++) {
        bool letter_before = at > name && is_letter(at[-1]);
        size_t word = starts_with(at, "core") ? 4 : starts_with(at, "cpu") ? 3 : 0;
        if (!word || letter_before) continue;
        const char *digits = at + word + (at[word] == '-' || at[word] == '_' || at[word] == ' ' || at[word] == '.');
        int32_t found = core_number(digits, false);
        if (found < 0) continue;
        core = found;
        *out_stem_len = (size_t)(at - name);
    }
    return core;
}

// ---- Reasons for users -------------------------------------------------------------------------

// Sets the reason of an input; the caller may append to it.
static struct tk_text explain(input *in, const char *text) {
    struct tk_text reason = tk_text_in(in->out_reason, sizeof in->out_reason);
    tk_text_add(&reason, text);
    return reason;
}

static const char alone[] = "a recording of its own", by_hand[] = "put together by hand",
                  uncertain[] = ", although their tasks are not those of one run";

// Returns NULL if this build does not contain the format.
static const struct tk_format_info *info_of(const char *format) {
    for (size_t i = 0; i < tk_format_count(); i++)
        if (!strcmp(tk_format_at(i)->name, format)) return tk_format_at(i);
    return NULL;
}

static const char *title_of(const char *format) {
    const struct tk_format_info *info = info_of(format);
    return info ? info->title : format;
}

static bool joins_cores(const char *format) {
    const struct tk_format_info *info = info_of(format);
    return info && info->joins_cores;
}

static bool same_format(const char *a, const char *b) { return a && b && !strcmp(a, b); }

// ---- Roles -------------------------------------------------------------------------------------

static bool has_times(const input *in) { return !in->probe->format && in->probe->content == TK_CONTENT_TIMES; }

static bool has_symbols(const input *in) { return !in->probe->format && in->probe->content == TK_CONTENT_SYMBOLS; }

static bool has_names_only(const input *in) { return in->probe->format && !in->probe->has_events; }

static int find(const struct tk_probe *probe, uint32_t id) {
    for (uint32_t i = 0; i < probe->task_count; i++)
        if (probe->tasks[i].id == id) return (int)i;
    return -1;
}

// Returns true if both inputs are proven to be of the same firmware: the target recorded the same identity of its
// build, or, without identities, some tasks have equal ids and names, and none contradicts.
static bool is_same_firmware(const input *a, const input *b) {
    const struct tk_probe *x = a->probe, *y = b->probe;
    bool has_proof = false;
    if (!same_format(x->format, y->format) || (x->tick_ns && y->tick_ns && x->tick_ns != y->tick_ns)) return false;
    if (x->has_build && y->has_build) return x->build == y->build;
    for (uint32_t i = 0; i < x->task_count; i++) {
        int j = x->tasks[i].named ? find(y, x->tasks[i].id) : -1;
        if (j < 0 || !y->tasks[j].named) continue;
        if (x->tasks[i].name_hash != y->tasks[j].name_hash) return false;
        has_proof = true;
    }
    return has_proof;
}

static bool is_recording_for_sure(const input *in) {
    bool as_found = in->probe->format ? in->probe->has_events : in->format != NULL;
    return in->role == TK_ROLE_RECORDING || (in->role == TK_PLAN_AUTO && as_found);
}

static bool names_another(const input *inputs, size_t count, const input *in) {
    for (size_t i = 0; has_names_only(in) && i < count; i++)
        if (&inputs[i] != in && is_recording_for_sure(&inputs[i]) &&
            (in->probe->is_names_file || is_same_firmware(in, &inputs[i])))
            return true;
    return false;
}

static bool is_unknown(const input *in) {
    return !in->probe->format && in->probe->content == TK_CONTENT_UNKNOWN && in->role == TK_PLAN_AUTO && !in->format;
}

// Returns the format of the description in the same container that tells how recordings without a signature are read;
// NULL: there is none, or it has recordings of its own.
static const char *described_format(const input *inputs, size_t count, const input *in) {
    const char *format = NULL;
    for (size_t i = 0; i < count && is_unknown(in); i++)
        if (inputs[i].container == in->container && inputs[i].probe->describes_others) format = inputs[i].probe->format;
    for (size_t i = 0; i < count && format; i++)
        if (inputs[i].container == in->container && inputs[i].probe->has_events &&
            same_format(inputs[i].probe->format, format))
            return NULL;
    return format;
}

static bool has_described(const input *inputs, size_t count, const input *in) {
    for (size_t i = 0; i < count; i++)
        if (same_format(described_format(inputs, count, &inputs[i]), in->probe->format)) return true;
    return false;
}

// A file of names is a side input of recordings. A capture with names and no events is a side input of a recording that
// is proven to be of the same firmware; otherwise the user decides.
static tk_role choose_role(const input *inputs, size_t count, const input *in) {
    if (has_symbols(in) && (in->role == TK_PLAN_AUTO || in->role == TK_ROLE_NAMES)) return TK_ROLE_SYMBOLS;
    if (has_times(in) && (in->role == TK_PLAN_AUTO || in->role == TK_ROLE_NAMES)) return TK_ROLE_TIMES;
    if (in->role != TK_PLAN_AUTO) return (tk_role)in->role;
    if (names_another(inputs, count, in)) return TK_ROLE_NAMES;
    if (in->probe->describes_others && has_described(inputs, count, in)) return TK_ROLE_NAMES;
    return in->probe->format || in->format || described_format(inputs, count, in) ? TK_ROLE_RECORDING : TK_ROLE_NONE;
}

static void explain_unrecognised(input *in) {
    struct tk_text reason = explain(in, "it was not recognised");
    if (!in->probe->reason[0]) return;
    tk_text_add(&reason, ": ");
    tk_text_add(&reason, in->probe->reason);
}

// Returns the core of an input, or -1. In a format that does not join cores, numbers in file names are not core
// numbers; a part of a trace numbers its cores itself.
static int32_t core_of(const input *in) {
    size_t stem;
    if (!in->out_format || !joins_cores(in->out_format)) return -1;
    if (in->core >= 0 || in->probe->is_part) return in->core;
    return in->found_core >= 0 ? in->found_core : tk_core_from_name(in->name, &stem);
}

static void assign_roles(input *inputs, size_t count) {
    for (size_t i = 0; i < count; i++) {
        input *in = &inputs[i];
        in->out_role = choose_role(inputs, count, in);
        bool forced = in->format && (in->out_role == TK_ROLE_RECORDING || !in->probe->format);
        in->out_format = forced ? in->format : in->probe->format;
        if (!in->out_format && in->out_role == TK_ROLE_RECORDING) in->out_format = described_format(inputs, count, in);
        in->out_group = in->out_role == TK_ROLE_RECORDING && in->out_format ? (uint32_t)i : TK_NO_GROUP;
        in->out_core = core_of(in);
        in->out_core_guessed = in->out_beside = false;
        if (in->out_role == TK_ROLE_RECORDING && !in->out_format) in->out_role = TK_ROLE_NONE;
        if (!in->out_format && in->out_role != TK_ROLE_SYMBOLS && in->out_role != TK_ROLE_TIMES)
            explain_unrecognised(in);
        else explain(in, in->out_role == TK_ROLE_RECORDING ? alone : "set aside");
    }
}

// ---- Evidence ----------------------------------------------------------------------------------

static bool overlap(const struct tk_probe *a, const struct tk_probe *b) {
    return a->first_ticks <= b->last_ticks && b->first_ticks <= a->last_ticks;
}

// Returns true if the files cannot be of one run: both create or name the same task, or both have an idle task of the
// same core.
static bool contradict(const struct tk_probe *a, const struct tk_probe *b) {
    if (a->idle_core_mask & b->idle_core_mask) return true;
    if (a->tick_ns && b->tick_ns && a->tick_ns != b->tick_ns) return true;
    for (uint32_t i = 0; i < a->task_count; i++) {
        int j = find(b, a->tasks[i].id);
        if (j < 0) continue;
        if (a->tasks[i].created && b->tasks[j].created) return true;
        if (a->tasks[i].named && b->tasks[j].named) return true; // a task is named only where it was created
    }
    return false;
}

// Returns true if a task runs in one file and is named only in the other.
static bool one_names_tasks_of_other(const struct tk_probe *a, const struct tk_probe *b) {
    for (uint32_t i = 0; i < a->task_count; i++) {
        int j = find(b, a->tasks[i].id);
        if (j >= 0 && a->tasks[i].runs && !a->tasks[i].named && b->tasks[j].named) return true;
    }
    return false;
}

static bool has_one_core(const struct tk_probe *probe) { return !(probe->cores_mask & (probe->cores_mask - 1)); }

static bool given_cores_join(const input *a, const input *b) { return a->core >= 0 && b->core >= 0; }

static bool containers_join(const input *a, const input *b) {
    return a->container && a->container == b->container && a->found_core >= 0 && b->found_core >= 0;
}

static bool names_join(const input *a, const input *b) {
    size_t a_len, b_len;
    int32_t a_core = tk_core_from_name(a->name, &a_len), b_core = tk_core_from_name(b->name, &b_len);
    return a->container == b->container && a_core >= 0 && b_core >= 0 && a_core != b_core && a_len == b_len &&
           !memcmp(a->name, b->name, a_len);
}

// Finds the last number in a name. Returns false if there is none.
static bool last_number(const char *name, size_t *out_begin, size_t *out_end) {
    size_t at = strlen(name);
    while (at && !is_digit(name[at - 1])) at--;
    for (*out_end = at; at && is_digit(name[at - 1]);) at--;
    *out_begin = at;
    return at < *out_end;
}

static int32_t core_of_number(const char *name) {
    size_t begin, end;
    return last_number(name, &begin, &end) ? core_number(name + begin, false) : -1;
}

// Returns true if one of the files contains the header for both, and their names differ only in a number.
static bool numbers_join(const input *a, const input *b) {
    size_t begin, end, b_begin, b_end;
    if (a->container != b->container || !a->probe->file_per_core || !b->probe->file_per_core ||
        a->probe->header == b->probe->header)
        return false;
    if (!last_number(a->name, &begin, &end) || !last_number(b->name, &b_begin, &b_end) || begin != b_begin ||
        memcmp(a->name, b->name, begin))
        return false;
    return !strcmp(a->name + end, b->name + b_end) && core_of_number(a->name) >= 0 && core_of_number(b->name) >= 0;
}

// Returns the core that the stream of an input numbers, or -1 if there are none or several.
static int32_t numbered_core(const struct tk_probe *probe) {
    int32_t core = 0;
    if (!probe->cores_mask || !has_one_core(probe)) return -1;
    while (!(probe->cores_mask >> core & 1)) core++;
    return core;
}

// Returns true if the streams contain different cores at the same time, and their names differ only in a number.
static bool numbered_cores_join(const input *a, const input *b) {
    size_t begin, end, b_begin, b_end;
    int32_t core = numbered_core(a->probe), b_core = numbered_core(b->probe);
    if (a->container != b->container || core < 0 || b_core < 0 || core == b_core) return false;
    if (!last_number(a->name, &begin, &end) || !last_number(b->name, &b_begin, &b_end) || begin != b_begin ||
        memcmp(a->name, b->name, begin) || strcmp(a->name + end, b->name + b_end))
        return false;
    return overlap(a->probe, b->probe);
}

// A trace is all files with packets in one place.
static bool parts_join(const input *a, const input *b) {
    return a->container == b->container && a->probe->is_part && b->probe->is_part;
}

static bool tasks_join(const input *a, const input *b) {
    return overlap(a->probe, b->probe) && !contradict(a->probe, b->probe) &&
           (one_names_tasks_of_other(a->probe, b->probe) || one_names_tasks_of_other(b->probe, a->probe));
}

// Evidence that recordings are cores of one target, strongest first: the user's choice and names count more than tasks,
// which may match by chance.
static const struct evidence {
    bool (*join)(const input *a, const input *b);
    const char *reason;
    bool all_agree;   // all recordings of the two groups must agree, not just two of them
    bool is_of_parts; // only if a description is beside them
} evidences[] = {
    { given_cores_join, "the cores were given", false, false },
    { parts_join, "the files are parts of the trace that the description beside them describes", false, true },
    { containers_join, "the file that contains them names the cores", false, false },
    { names_join, "the file names contain the core numbers", false, false },
    { numbers_join, "each core has its own file, and the file names are numbered", false, false },
    { numbered_cores_join, "the streams contain different cores at the same time, and the file names are numbered",
      false, false },
    { tasks_join, "tasks of one file are named in the other and their times overlap", true, false },
};
enum { EVIDENCES = sizeof evidences / sizeof *evidences };

// ---- Groups ------------------------------------------------------------------------------------
// While groups are formed, the number of a group is the index of one of its members.

static uint32_t cores_of(const input *inputs, size_t count, uint32_t group, uint32_t *out_members) {
    uint32_t cores = 0;
    *out_members = 0;
    for (size_t i = 0; i < count; i++) {
        if (inputs[i].out_group != group || inputs[i].out_beside) continue;
        ++*out_members;
        if (inputs[i].out_core >= 0) cores |= 1u << inputs[i].out_core;
    }
    return cores;
}

static bool groups_contradict(const input *inputs, size_t count, uint32_t a, uint32_t b) {
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; inputs[i].out_group == a && j < count; j++)
            if (inputs[j].out_group == b && contradict(inputs[i].probe, inputs[j].probe)) return true;
    return false;
}

// Returns true if the groups together have exactly one header, if the format needs one: two headers belong to two
// targets.
static bool headers_fit(const input *inputs, size_t count, uint32_t a, uint32_t b) {
    unsigned counts[TK_HEADER_MISSING + 1] = { 0 };
    for (size_t i = 0; i < count; i++)
        if (inputs[i].out_group == a || inputs[i].out_group == b) counts[inputs[i].probe->header]++;
    return counts[TK_HEADER_PRESENT] <= 1 && (counts[TK_HEADER_PRESENT] || !counts[TK_HEADER_MISSING]);
}

static bool groups_fit(const input *inputs, size_t count, uint32_t a, uint32_t b, bool all_agree) {
    uint32_t a_members, b_members;
    if (!headers_fit(inputs, count, a, b)) return false;
    if (cores_of(inputs, count, a, &a_members) & cores_of(inputs, count, b, &b_members)) return false;
    return a_members + b_members <= TK_MAX_CORES && !(all_agree && groups_contradict(inputs, count, a, b));
}

static void merge(input *inputs, size_t count, input *a, input *b, const char *reason) {
    uint32_t from = b->out_group, into = a->out_group;
    bool is_uncertain = groups_contradict(inputs, count, from, into);
    for (size_t i = 0; i < count; i++)
        if (inputs[i].out_group == from) inputs[i].out_group = into;
    struct tk_text of_a = explain(a, reason), of_b = explain(b, reason);
    if (is_uncertain) tk_text_add(&of_a, uncertain), tk_text_add(&of_b, uncertain);
}

static bool may_join(const input *a, const input *b) {
    return a->out_group != TK_NO_GROUP && b->out_group != TK_NO_GROUP && a->out_group != b->out_group &&
           same_format(a->out_format, b->out_format) && a->with < 0 && b->with < 0 && has_one_core(a->probe) &&
           has_one_core(b->probe);
}

// Orders recordings by name, then by time; by index only if both are equal.
static bool precedes(const input *inputs, uint32_t a, uint32_t b) {
    const struct tk_probe *x = inputs[a].probe, *y = inputs[b].probe;
    int names = strcmp(inputs[a].name, inputs[b].name);
    if (names) return names < 0;
    if (x->first_ticks != y->first_ticks) return x->first_ticks < y->first_ticks;
    return x->last_ticks != y->last_ticks ? x->last_ticks < y->last_ticks : a < b;
}

// Sets out_order[k] to the index of the k-th input.
static void sort(input *inputs, size_t count) {
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = i;
        for (; at > 0 && precedes(inputs, i, inputs[at - 1].out_order); at--)
            inputs[at].out_order = inputs[at - 1].out_order;
        inputs[at].out_order = i;
    }
}

// Returns false for a recording that was joined for a stronger reason: it accepts no weaker evidence.
static bool is_free(const input *in, const struct evidence *evidence) {
    return !strcmp(in->out_reason, alone) || !strncmp(in->out_reason, evidence->reason, strlen(evidence->reason));
}

static void name_cores(input *in) {
    if (in->out_core < 0) in->out_core = core_of_number(in->name);
}

// Returns why two recordings cannot be cores of one target, despite the evidence; NULL: they can.
static const char *reason_apart(const input *a, const input *b) {
    if (!joins_cores(a->out_format)) return "a recording of its own: files of this format have no common clock";
    bool two_headers = a->probe->header == TK_HEADER_PRESENT && b->probe->header == TK_HEADER_PRESENT;
    return two_headers ? "a recording of its own: each of the files has a header, and a target has one" : NULL;
}

// Replaces the reason of a recording that was not joined.
static void make_own_trace(input *in, const char *reason) {
    if (!strcmp(in->out_reason, alone)) explain(in, reason);
}

static bool has_description(const input *inputs, size_t count, const input *part) {
    for (size_t i = 0; i < count; i++)
        if (inputs[i].container == part->container && inputs[i].probe->describes_others &&
            same_format(inputs[i].probe->format, part->out_format))
            return true;
    return false;
}

static void join_by(const struct evidence *evidence, input *inputs, size_t count) {
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < i; j++) {
            input *a = &inputs[inputs[j].out_order], *b = &inputs[inputs[i].out_order];
            if (!may_join(a, b) || !evidence->join(a, b)) continue;
            if (evidence->is_of_parts && !has_description(inputs, count, a)) continue;
            const char *apart = reason_apart(a, b);
            if (apart) make_own_trace(a, apart), make_own_trace(b, apart);
            if (!is_free(a, evidence) || !is_free(b, evidence) ||
                !groups_fit(inputs, count, a->out_group, b->out_group, evidence->all_agree))
                continue;
            merge(inputs, count, a, b, evidence->reason);
            if (evidence->join == numbers_join) name_cores(a), name_cores(b);
            if (evidence->join == numbered_cores_join)
                a->out_core = numbered_core(a->probe), b->out_core = numbered_core(b->probe);
        }
    }
}

// Returns the index of the recording that the user assigned to this input; count: none.
static size_t partner_of(const input *inputs, size_t count, size_t at) {
    int32_t with = inputs[at].with;
    bool is_other = with >= 0 && (size_t)with < count && (size_t)with != at;
    return is_other && inputs[with].out_group != TK_NO_GROUP ? (size_t)with : count;
}

// Joins an input with the recording that the user assigned. Returns NULL, or the reason why that is impossible.
static const char *join_partner(input *inputs, size_t count, input *in, input *partner) {
    int32_t core = in->out_core;
    const char *apart = tk_plan_conflict(in, partner);
    if (apart) return apart;
    bool fits = groups_fit(inputs, count, partner->out_group, in->out_group, false);
    if (!fits && in->core < 0) {
        in->out_core = -1; // any free core
        fits = groups_fit(inputs, count, partner->out_group, in->out_group, false);
    }
    if (fits) {
        merge(inputs, count, partner, in, by_hand);
        return NULL;
    }
    in->out_core = core;
    if (!headers_fit(inputs, count, partner->out_group, in->out_group))
        return "a recording of its own: the files lack the header, or have two";
    return "a recording of its own: the chosen recording has this core already";
}

static void join_by_override(input *inputs, size_t count) {
    for (size_t i = 0; i < count; i++) {
        size_t partner = partner_of(inputs, count, i);
        if (partner == count || inputs[i].out_group == TK_NO_GROUP || inputs[partner].out_group == inputs[i].out_group)
            continue;
        const char *apart = join_partner(inputs, count, &inputs[i], &inputs[partner]);
        if (apart) explain(&inputs[i], apart);
    }
}

// Puts packets into the trace of the recording that they carry.
static void put_beside(input *inputs, size_t count) {
    for (size_t i = 0; i < count; i++) {
        input *in = &inputs[i];
        if (!in->carries || in->with >= 0 || in->out_group == TK_NO_GROUP) continue;
        const input *recording = &inputs[in->carries - 1];
        if (recording->out_group == TK_NO_GROUP || recording->with >= 0) continue;
        in->out_group = recording->out_group;
        in->out_core = -1;
        in->out_beside = true;
        explain(in, "shown in the trace of the recording that one of its ports carries");
    }
}

static void mark_guessed(input *in) {
    in->out_core_guessed = true;
    size_t len = strlen(in->out_reason);
    struct tk_text reason = tk_text_in(in->out_reason + len, sizeof in->out_reason - len);
    tk_text_add(&reason, "; its core is guessed from the order of the files");
}

static void number_cores(input *inputs, size_t count, uint32_t group) {
    uint32_t members, used = cores_of(inputs, count, group, &members);
    for (size_t i = 0; members > 1 && i < count; i++) {
        if (inputs[i].out_group != group || inputs[i].out_core >= 0 || inputs[i].probe->is_part) continue;
        if (inputs[i].out_beside) continue;
        int32_t core = 0;
        while (core < TK_MAX_CORES - 1 && used >> core & 1) core++;
        inputs[i].out_core = core;
        mark_guessed(&inputs[i]);
        used |= 1u << core;
    }
}

// Numbers the groups in the order of the inputs. Uses out_order for the new numbers until all are assigned.
static void number_groups(input *inputs, size_t count) {
    uint32_t groups = 0;
    for (size_t i = 0; i < count; i++) {
        size_t first = 0;
        if (inputs[i].out_group == TK_NO_GROUP) continue;
        while (inputs[first].out_group != inputs[i].out_group) first++;
        inputs[i].out_order = first == i ? groups++ : inputs[first].out_order;
        if (first == i) number_cores(inputs, count, inputs[i].out_group);
    }
    for (size_t i = 0; i < count; i++)
        if (inputs[i].out_group != TK_NO_GROUP) inputs[i].out_group = inputs[i].out_order;
}

// ---- Side inputs -------------------------------------------------------------------------------

static bool takes(const char *format, tk_role role) {
    const struct tk_format_info *info = info_of(format);
    return info && (role == TK_ROLE_TIMES ? info->takes_times : info->takes_symbols);
}

// Names belong to recordings of the same format, symbols and receive times to those of any format that takes them.
static bool may_be_used_by(const input *side, const input *recording) {
    if (side->out_role == TK_ROLE_NAMES) return same_format(side->out_format, recording->out_format);
    return (side->out_role == TK_ROLE_SYMBOLS || side->out_role == TK_ROLE_TIMES) &&
           takes(recording->out_format, side->out_role);
}

// Returns the member of a group that a side input may serve; NULL: none.
static const input *served_member(const input *inputs, size_t count, size_t side, uint32_t group) {
    for (size_t i = 0; i < count; i++)
        if (inputs[i].out_group == group && may_be_used_by(&inputs[side], &inputs[i])) return &inputs[i];
    return NULL;
}

// Returns true if the container of a side input has a recording that it may belong to. group: of the recording;
// TK_NO_GROUP: any.
static bool has_recording(const input *inputs, size_t count, const input *side, uint32_t group) {
    for (size_t i = 0; i < count; i++) {
        const input *in = &inputs[i];
        if (in->container != side->container || in->out_group == TK_NO_GROUP || !may_be_used_by(side, in)) continue;
        if (group == TK_NO_GROUP || in->out_group == group) return true;
    }
    return false;
}

// Returns true if the names match: "run.times" and "run.bin.times" belong to "run.bin".
static bool is_namesake(const input *times, const input *recording) {
    const char *end = strrchr(times->name, '.'), *other_end = strrchr(recording->name, '.');
    size_t len = end ? (size_t)(end - times->name) : strlen(times->name), other = strlen(recording->name),
           stem = other_end ? (size_t)(other_end - recording->name) : other;
    return (len == other || len == stem) && !memcmp(times->name, recording->name, len);
}

static bool has_namesake(const input *inputs, size_t count, const input *times) {
    for (size_t i = 0; i < count; i++)
        if (inputs[i].out_group != TK_NO_GROUP && may_be_used_by(times, &inputs[i]) && is_namesake(times, &inputs[i]))
            return true;
    return false;
}

// A side input in a container with matching recordings belongs to those only.
bool tk_plan_serves(const struct tk_plan_input *inputs, size_t count, size_t side, uint32_t group) {
    const input *in = &inputs[side], *member = group == TK_NO_GROUP ? NULL : served_member(inputs, count, side, group);
    if (!member) return false;
    size_t partner = partner_of(inputs, count, side);
    if (partner < count) return inputs[partner].out_group == group;
    if (in->out_role == TK_ROLE_TIMES && has_namesake(inputs, count, in)) return is_namesake(in, member);
    if (!in->container || !has_recording(inputs, count, in, TK_NO_GROUP)) return true;
    return has_recording(inputs, count, in, group);
}

const char *tk_plan_conflict(const struct tk_plan_input *in, const struct tk_plan_input *recording) {
    if (in->out_role != TK_ROLE_RECORDING) return may_be_used_by(in, recording) ? NULL : "this recording cannot use it";
    if (!same_format(in->out_format, recording->out_format))
        return "a recording of its own: the chosen recording has another format";
    return reason_apart(in, recording);
}

static bool is_used_by_any(const input *inputs, size_t count, size_t side) {
    for (size_t i = 0; i < count; i++)
        if (inputs[i].out_group != TK_NO_GROUP && tk_plan_serves(inputs, count, side, inputs[i].out_group)) return true;
    return false;
}

static void report_side_unused(input *inputs, size_t count, size_t side) {
    input *in = &inputs[side];
    bool has_recordings = false, has_partner = partner_of(inputs, count, side) < count;
    for (size_t i = 0; i < count; i++) has_recordings |= inputs[i].out_group != TK_NO_GROUP;
    if (!in->out_format && in->out_role != TK_ROLE_SYMBOLS && in->out_role != TK_ROLE_TIMES) return;
    if (in->out_role != TK_ROLE_NAMES || !has_recordings) {
        explain(in, has_recordings ? "no recording can use it" : "there is no recording that could use it");
        return;
    }
    struct tk_text reason = explain(in, "it is ");
    tk_text_add(&reason, title_of(in->out_format));
    tk_text_add(&reason, has_partner ? ", and the chosen recording is not" : ", and no recording is");
}

static void assign_side_inputs(input *inputs, size_t count) {
    uint32_t sides = 0;
    for (size_t i = 0; i < count; i++) {
        input *in = &inputs[i];
        if (in->out_role == TK_ROLE_RECORDING || in->out_role == TK_ROLE_NONE) continue;
        if (!is_used_by_any(inputs, count, i)) {
            report_side_unused(inputs, count, i);
            in->out_role = TK_ROLE_NONE;
        } else if (sides++ >= TK_MAX_SIDE_INPUTS) {
            explain(in, "there are too many side inputs");
            in->out_role = TK_ROLE_NONE;
        } else {
            explain(in, in->out_role == TK_ROLE_TIMES     ? "read for the receive times"
                        : in->out_role == TK_ROLE_SYMBOLS ? "read for the names of addresses"
                                                          : "read for its names only");
        }
    }
}

// Explains why a recording that contains only names is not a side input of another one.
static void explain_names_only(input *inputs, size_t count) {
    for (size_t i = 0; count > 1 && i < count; i++)
        if (has_names_only(&inputs[i]) && inputs[i].out_role == TK_ROLE_RECORDING &&
            !strcmp(inputs[i].out_reason, alone))
            explain(&inputs[i],
                    "a recording of its own that ends before its first event: nothing proves that its names are "
                    "those of another one");
}

static void put_in_order(input *inputs, size_t count) {
    uint32_t order = 0;
    for (size_t i = 0; i < count; i++)
        if (inputs[i].out_role != TK_ROLE_RECORDING && inputs[i].out_role != TK_ROLE_NONE)
            inputs[i].out_order = order++;
    for (size_t i = 0; i < count; i++)
        if (inputs[i].out_role == TK_ROLE_RECORDING) inputs[i].out_order = order++;
    for (size_t i = 0; i < count; i++)
        if (inputs[i].out_role == TK_ROLE_NONE) inputs[i].out_order = order++;
}

void tk_plan(struct tk_plan_input *inputs, size_t count) {
    assign_roles(inputs, count);
    sort(inputs, count);
    for (size_t i = 0; i < EVIDENCES; i++) join_by(&evidences[i], inputs, count);
    join_by_override(inputs, count);
    put_beside(inputs, count);
    number_groups(inputs, count);
    assign_side_inputs(inputs, count);
    explain_names_only(inputs, count);
    put_in_order(inputs, count);
}
