// SPDX-License-Identifier: MIT
#include "amount.h"

#include "../base/decimal.h"
#include "../base/time_units.h"

struct tk_amount_units tk_amount_units_of(const struct tk_column *column, const char *time_unit) {
    return (struct tk_amount_units){ column->kind, time_unit, column->unit };
}

static bool is_time(uint8_t kind) { return kind == TK_COLUMN_DURATION || kind == TK_COLUMN_TIME; }

static uint64_t power_of_ten(int exponent) {
    uint64_t power = 1;
    while (exponent-- > 0) power *= 10;
    return power;
}

// Returns the number of units of the report in one unit `name`; 0: not a unit of its times.
static uint64_t scale_of_time(const char *time_unit, struct tk_span name) {
    int own = tk_time_unit_power(time_unit, strlen(time_unit)), power = tk_time_unit_power(name.text, name.len);
    if (own >= 0) return power >= own ? power_of_ten(power - own) : 0;
    size_t singular = strlen(time_unit) - 1; // "ticks", "records"
    return tk_span_is(name, time_unit) || (name.len == singular && !memcmp(name.text, time_unit, singular));
}

// Returns the number of units of the figure in one unit `name`; 0: not a unit of the figure. *out_most: largest number
// of them; 0: no limit.
static uint64_t scale_of(const struct tk_amount_units *units, struct tk_span name, uint64_t *out_most) {
    *out_most = 0;
    if (is_time(units->kind)) return scale_of_time(units->time_unit, name);
    if (units->kind == TK_COLUMN_SHARE) {
        // A larger share is an error: the rule would always hold.
        bool is_percent = tk_span_is(name, "%");
        *out_most = is_percent ? 100 : 1;
        if (is_percent) return TK_SHARE_WHOLE / 100;
        return name.len ? 0 : TK_SHARE_WHOLE;
    }
    return !name.len || (units->own && tk_span_is(name, units->own));
}

void tk_amount_put_units(struct tk_text *words, const struct tk_amount_units *units) {
    int power, own = tk_time_unit_power(units->time_unit, strlen(units->time_unit));
    const char *name;
    bool has_any = false;
    if (units->kind == TK_COLUMN_SHARE) tk_text_add(words, "%");
    if (!is_time(units->kind)) return;
    if (own < 0) tk_text_add(words, units->time_unit);
    for (size_t i = 0; own >= 0 && (name = tk_time_unit_at(i, &power)); i++) {
        if (power < own) continue;
        tk_text_add(words, has_any ? ", " : "");
        tk_text_add(words, name);
        has_any = true;
    }
}

// Reads the digits of a number. Returns the position after it; NULL: no number, or the whole part exceeds 64 bits.
static const char *read_digits(const char *at, const char *end, uint64_t *out_whole, struct tk_span *out_fraction) {
    const char *first = at;
    *out_whole = 0;
    for (; at < end && *at >= '0' && *at <= '9'; at++) {
        uint64_t digit = (uint64_t)(*at - '0');
        if (*out_whole > (UINT64_MAX - digit) / 10) return NULL;
        *out_whole = *out_whole * 10 + digit;
    }
    if (at == first) return NULL;
    *out_fraction = (struct tk_span){ at, 0 };
    if (at < end && *at == '.') {
        out_fraction->text = ++at;
        for (; at < end && *at >= '0' && *at <= '9'; at++) out_fraction->len++;
        if (!out_fraction->len) return NULL;
    }
    return at;
}

// Sets whole.fraction * scale. Returns false if it exceeds 64 bits.
static bool scale_number(uint64_t whole, struct tk_span fraction, uint64_t scale, struct tk_amount *out) {
    uint64_t part = 0, place = scale;
    if (whole > UINT64_MAX / scale) return false;
    for (size_t i = 0; i < fraction.len; i++) {
        uint64_t digit = (uint64_t)(fraction.text[i] - '0');
        if (place % 10) out->has_more |= digit > 0;
        else part += digit * (place /= 10);
    }
    if (part > UINT64_MAX - whole * scale) return false;
    out->size = whole * scale + part;
    return true;
}

bool tk_amount_read(struct tk_span span, const struct tk_amount_units *units, struct tk_amount *out) {
    const char *end = span.text + span.len;
    uint64_t whole, most;
    struct tk_span fraction;
    *out = (struct tk_amount){ .negative = span.len && *span.text == '-' };
    const char *at = read_digits(span.text + out->negative, end, &whole, &fraction);
    if (!at) return false;
    uint64_t scale = scale_of(units, tk_span_trimmed(at, end), &most);
    if (!scale || !scale_number(whole, fraction, scale, out)) return false;
    tk_double_read(span.text, at, &out->floating);
    most *= scale;
    return !most || out->size < most || (out->size == most && !out->has_more);
}

bool tk_amount_read_millionths(struct tk_span span, uint64_t most, uint64_t *out) {
    uint64_t whole;
    struct tk_span fraction;
    struct tk_amount amount = { 0 };
    const char *end = span.text + span.len, *at = read_digits(span.text, end, &whole, &fraction);
    if (at != end || !scale_number(whole, fraction, TK_SHARE_WHOLE, &amount) || amount.has_more) return false;
    *out = amount.size;
    return amount.size <= most;
}

static double floating_of(const struct tk_amount *amount) {
    if (amount->is_floating) return amount->floating;
    return amount->negative ? -(double)amount->size : (double)amount->size;
}

struct tk_amount tk_amount_of_cell(const struct tk_cell *cell) {
    bool is_negative = cell->type == TK_CELL_INT && cell->i < 0;
    if (cell->type == TK_CELL_DOUBLE) return (struct tk_amount){ .is_floating = true, .floating = cell->d };
    return (struct tk_amount){ .negative = is_negative,
                               .size = is_negative ? 0 - cell->u : cell->u,
                               .floating = is_negative ? (double)cell->i : (double)cell->u };
}

struct tk_amount tk_amount_scaled(struct tk_amount amount, uint64_t factor) {
    amount.floating *= (double)factor / TK_SHARE_WHOLE;
    if (amount.is_floating) return amount;
    uint64_t whole = amount.size / TK_SHARE_WHOLE, rest = amount.size % TK_SHARE_WHOLE;
    if (factor && (whole > UINT64_MAX / factor || rest > UINT64_MAX / factor)) {
        amount.size = UINT64_MAX;
        return amount;
    }
    uint64_t more = rest * factor;
    amount.has_more = more % TK_SHARE_WHOLE != 0 || (amount.has_more && factor);
    whole *= factor;
    amount.size = more / TK_SHARE_WHOLE > UINT64_MAX - whole ? UINT64_MAX : whole + more / TK_SHARE_WHOLE;
    return amount;
}

struct tk_amount tk_amount_sum(struct tk_amount a, struct tk_amount b, bool subtract) {
    double floating = a.floating + (subtract ? -b.floating : b.floating);
    b.negative ^= subtract;
    if (a.is_floating) {
        a.floating = floating;
        return a;
    }
    if (a.negative == b.negative) {
        a.size = b.size > UINT64_MAX - a.size ? UINT64_MAX : a.size + b.size;
        a.has_more |= b.has_more;
    } else if (a.size >= b.size) {
        a.size -= b.size;
    } else { // a part of a that is below 1 leaves less of b
        b.size -= a.size + a.has_more;
        b.has_more = a.has_more;
        a = b;
    }
    if (!a.size && !a.has_more) a.negative = false;
    a.floating = floating;
    return a;
}

static int compare_doubles(double a, double b) { return a < b ? -1 : a > b; }

int tk_amount_compare(const struct tk_cell *cell, const struct tk_amount *amount) {
    struct tk_amount own = tk_amount_of_cell(cell);
    if (own.is_floating) return compare_doubles(own.floating, amount->floating);
    if (amount->is_floating) return compare_doubles(floating_of(&own), amount->floating);
    if (own.negative != amount->negative) {
        bool is_zero = !own.size && !amount->size && !amount->has_more;
        return is_zero ? 0 : own.negative ? -1 : 1;
    }
    int order = own.size < amount->size ? -1 : own.size > amount->size ? 1 : amount->has_more ? -1 : 0;
    return own.negative ? -order : order;
}
