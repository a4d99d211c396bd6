// SPDX-License-Identifier: MIT
//
// Reads doubles from decimal text (nearest, ties to even) and writes them (fewest digits that are read back, or rounded
// to a number of digits). Uses double or 128-bit arithmetic when that is exact. Otherwise uses big integers of bounded
// length: the quotient of Clinger's algorithm M for reading, the free-format algorithm of Burger and Dybvig for
// writing.
#include "decimal.h"

#include <stdbool.h>
#include <string.h>

static const double powers_of_ten[] = { 1,    1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                        1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };

enum {
    EXACT_POWER = 22,       // largest power of ten that a double represents exactly
    WORD_DIGITS = 19,       // every number with this many digits fits into 64 bits
    WORD_POWER_OF_FIVE = 27 // largest power of five that fits into 64 bits
};
#define WHOLE_LIMIT ((uint64_t)1 << 53) // all integers up to here are exact doubles

static unsigned leading_zeros(uint64_t value) {
    unsigned zeros = 0;
    for (unsigned step = 32; step; step /= 2)
        if (!(value >> (64 - step))) zeros += step, value <<= step;
    return zeros;
}

// ---- Big integers: limbs of 32 bits, the lowest first --------------------------------------------

enum { MOST_DIGITS = 768 }; // the midpoint of two doubles has at most 767 significant digits
enum { LIMBS = 88 };        // 10^769 and 5^1092, shifted by 65 bits, have less than 2650 bits

struct big {
    uint32_t limbs[LIMBS];
    unsigned len; // number of limbs, without leading zeros
};

static void big_set(struct big *big, uint64_t value) {
    big->limbs[0] = (uint32_t)value;
    big->limbs[1] = (uint32_t)(value >> 32);
    big->len = big->limbs[1] ? 2 : big->limbs[0] != 0;
}

static void big_multiply_add(struct big *big, uint32_t factor, uint32_t carry) {
    uint64_t sum = carry;
    for (unsigned i = 0; i < big->len; i++) {
        sum += (uint64_t)big->limbs[i] * factor;
        big->limbs[i] = (uint32_t)sum;
        sum >>= 32;
    }
    if (sum) big->limbs[big->len++] = (uint32_t)sum;
}

static void big_multiply_power_of_five(struct big *big, unsigned power) {
    uint32_t rest = 1;
    for (; power >= 13; power -= 13) big_multiply_add(big, 1220703125, 0); // 5^13
    for (; power; power--) rest *= 5;
    big_multiply_add(big, rest, 0);
}

static void big_shift_left(struct big *big, unsigned bits) {
    unsigned limbs = bits / 32, shift = bits % 32;
    if (!big->len) return;
    if (shift) big_multiply_add(big, (uint32_t)1 << shift, 0);
    memmove(big->limbs + limbs, big->limbs, big->len * sizeof *big->limbs);
    memset(big->limbs, 0, limbs * sizeof *big->limbs);
    big->len += limbs;
}

static int big_compare(const struct big *a, const struct big *b) {
    if (a->len != b->len) return a->len < b->len ? -1 : 1;
    for (unsigned i = a->len; i--;)
        if (a->limbs[i] != b->limbs[i]) return a->limbs[i] < b->limbs[i] ? -1 : 1;
    return 0;
}

// Subtracts b from a. a >= b.
static void big_subtract(struct big *a, const struct big *b) {
    uint64_t borrow = 0;
    for (unsigned i = 0; i < a->len; i++) {
        uint64_t difference = (uint64_t)a->limbs[i] - (i < b->len ? b->limbs[i] : 0) - borrow;
        a->limbs[i] = (uint32_t)difference;
        borrow = difference >> 63;
    }
    while (a->len && !a->limbs[a->len - 1]) a->len--;
}

// Compares a + b with c: returns -1, 0 or 1.
static int big_compare_sum(const struct big *a, const struct big *b, const struct big *c) {
    struct big sum = *a;
    uint64_t carry = 0;
    for (unsigned i = 0; i < b->len || carry; i++) {
        if (i == sum.len) sum.limbs[sum.len++] = 0;
        carry += (uint64_t)sum.limbs[i] + (i < b->len ? b->limbs[i] : 0);
        sum.limbs[i] = (uint32_t)carry;
        carry >>= 32;
    }
    return big_compare(&sum, c);
}

static int big_bits(const struct big *big) {
    return big->len ? (int)(32 * big->len + 32 - leading_zeros(big->limbs[big->len - 1])) : 0;
}

// ---- Reading -----------------------------------------------------------------------------------

// Returns the double nearest to number * 2^exponent. number > 0. more: the exact value is slightly larger, and the
// number has 55 bits or more.
static double to_double(uint64_t number, int exponent, bool more) {
    enum { DROPPED = 11, SMALLEST = -1022, LARGEST = 1023 };
    unsigned zeros = leading_zeros(number), dropped = DROPPED;
    number <<= zeros;
    exponent += 63 - (int)zeros; // now the exponent of the first bit
    if (exponent > LARGEST) exponent = LARGEST + 1, number = (uint64_t)1 << 63, more = false;
    if (exponent < SMALLEST - 64) return 0;
    if (exponent < SMALLEST) dropped += (unsigned)(SMALLEST - exponent); // a denormal has fewer bits
    if (dropped > 64) return 0;
    uint64_t mantissa = dropped < 64 ? number >> dropped : 0, rest = number << (64 - dropped), half = (uint64_t)1 << 63;
    mantissa += rest > half || (rest == half && (more || (mantissa & 1)));
    // The leading bit of the mantissa adds one to the exponent, and so does one that it overflows into.
    uint64_t bits = exponent < SMALLEST ? mantissa : ((uint64_t)(exponent - SMALLEST) << 52) + mantissa;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint64_t multiply_words(uint64_t a, uint64_t b, uint64_t *out_high) {
    uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
    uint64_t low = a0 * b0, middle = a1 * b0 + (low >> 32), other = a0 * b1 + (uint32_t)middle;
    *out_high = a1 * b1 + (middle >> 32) + (other >> 32);
    return other << 32 | (uint32_t)low;
}

// Returns (high * 2^64 + low) / divisor, computed with two digits of 32 bits (Knuth, algorithm D). Requires high <
// divisor and the top bit of the divisor.
static uint64_t divide_words(uint64_t high, uint64_t low, uint64_t divisor, bool *out_rest) {
    uint64_t d1 = divisor >> 32, d0 = (uint32_t)divisor, quotient = 0;
    for (int shift = 32; shift >= 0; shift -= 32) {
        uint64_t next = low >> shift & UINT32_MAX, digit = high / d1, rest = high % d1;
        while (digit >> 32 || digit * d0 > (rest << 32 | next)) {
            digit--;
            rest += d1;
            if (rest >> 32) break;
        }
        high = (high << 32 | next) - digit * divisor; // the overflow modulo 2^64 cancels out
        quotient = quotient << 32 | digit;
    }
    *out_rest = high != 0;
    return quotient;
}

// Returns the double nearest to number * 10^exponent, computed exactly with 128 bits. exponent: -27 .. 27; number > 0.
static double scale_word(uint64_t number, int exponent) {
    uint64_t power = 1, high, low;
    bool more;
    for (int i = exponent < 0 ? -exponent : exponent; i; i--) power *= 5;
    if (exponent >= 0) {
        low = multiply_words(number, power, &high);
        if (!high) return to_double(low, exponent, false);
        unsigned zeros = leading_zeros(high);
        if (zeros) high = high << zeros | low >> (64 - zeros), low <<= zeros;
        return to_double(high, exponent + 64 - (int)zeros, low != 0);
    }
    unsigned zeros = leading_zeros(number), power_zeros = leading_zeros(power);
    number <<= zeros;
    uint64_t quotient = divide_words(number >> 1, number << 63, power << power_zeros, &more);
    return to_double(quotient, exponent + (int)power_zeros - (int)zeros - 63, more);
}

// A number in decimal text.
struct written {
    const char *first, *end; // its digits, including the point
    uint64_t number;         // value of the first WORD_DIGITS digits
    int64_t exponent;        // power of ten for `number`
    bool has_more;           // further digits follow, and not all of them are zero
};

// Returns the nearest double of any number, from the first 64 bits of the quotient of two big integers.
static double scale_digits(const struct written *written) {
    struct big numerator = { .len = 0 }, denominator;
    unsigned count = 0;
    bool more = false;
    for (const char *at = written->first; at < written->end; at++) {
        if (*at == '.' || (!count && *at == '0')) continue;
        if (count < MOST_DIGITS) big_multiply_add(&numerator, 10, (uint32_t)(*at - '0')), count++;
        else more |= *at != '0';
    }
    int64_t exponent = written->exponent;
    if (count > WORD_DIGITS) exponent -= count - WORD_DIGITS;
    if (more) big_multiply_add(&numerator, 10, 1), count++, exponent--; // one more digit is enough to break ties
    if ((int64_t)count + exponent > 310) return to_double(1, 1024, false);
    if ((int64_t)count + exponent < -323) return 0;
    big_set(&denominator, 1);
    if (exponent >= 0) big_multiply_power_of_five(&numerator, (unsigned)exponent);
    else big_multiply_power_of_five(&denominator, (unsigned)-exponent);
    int longer = big_bits(&numerator) - big_bits(&denominator);
    if (longer > 0) big_shift_left(&denominator, (unsigned)longer);
    else big_shift_left(&numerator, (unsigned)-longer);
    uint64_t quotient = 0;
    for (int i = 0; i < 64; i++) {
        quotient <<= 1;
        if (big_compare(&numerator, &denominator) >= 0) big_subtract(&numerator, &denominator), quotient |= 1;
        big_shift_left(&numerator, 1);
    }
    return to_double(quotient, (int)exponent + longer - 63, numerator.len != 0);
}

static double value_of(const struct written *written) {
    uint64_t number = written->number;
    int64_t exponent = written->exponent;
    if (!number) return 0;
    if (!written->has_more && number <= WHOLE_LIMIT && exponent >= -EXACT_POWER && exponent <= EXACT_POWER)
        return exponent < 0 ? (double)number / powers_of_ten[-exponent] : (double)number * powers_of_ten[exponent];
    if (exponent >= -WORD_POWER_OF_FIVE && exponent <= WORD_POWER_OF_FIVE) {
        double value = scale_word(number, (int)exponent);
        if (!written->has_more || value == scale_word(number + 1, (int)exponent)) return value;
    }
    return scale_digits(written);
}

// Reads the digits of a power of ten. Stops adding digits at 2^50, far beyond the range of doubles.
static const char *read_exponent(const char *at, const char *end, int64_t *exponent) {
    int64_t power = 0;
    bool is_negative = at < end && *at == '-';
    if (at < end && (*at == '-' || *at == '+')) at++;
    if (at == end || *at < '0' || *at > '9') return NULL;
    for (; at < end && *at >= '0' && *at <= '9'; at++)
        if (power < (int64_t)1 << 50) power = power * 10 + (*at - '0');
    *exponent += is_negative ? -power : power;
    return at;
}

const char *tk_double_read(const char *at, const char *end, double *out_value) {
    bool is_negative = at < end && *at == '-', has_point = false, has_more = false;
    const uint64_t full = 1000000000000000000; // from here on another digit does not fit
    uint64_t number = 0;
    int64_t exponent = 0;
    if (at < end && (*at == '-' || *at == '+')) at++;
    const char *first = at;
    for (; at < end; at++) {
        unsigned digit = (unsigned)(unsigned char)*at - '0';
        if (digit > 9) {
            if (*at != '.' || has_point) break;
            has_point = true;
        } else if (number < full) {
            number = number * 10 + digit;
            exponent -= has_point;
        } else {
            has_more |= digit > 0;
            exponent += !has_point;
        }
    }
    struct written written = { first, at, number, exponent, has_more };
    if (at - first == has_point) return NULL;
    if (at < end && (*at == 'e' || *at == 'E')) {
        const char *after_exponent = read_exponent(at + 1, end, &written.exponent);
        if (after_exponent) at = after_exponent;
    }
    double value = value_of(&written);
    *out_value = is_negative ? -value : value;
    return at;
}

// ---- Writing -----------------------------------------------------------------------------------

static void set_digits(struct tk_double_digits *out, uint64_t number, int exponent_of_last) {
    char digits[TK_DECIMAL_LEN];
    out->count = (unsigned)tk_decimal(number, digits);
    out->exponent = exponent_of_last + (int)out->count - 1;
    while (out->count > 1 && digits[out->count - 1] == '0') out->count--;
    memcpy(out->digits, digits, out->count);
}

// Returns the largest n with 10^n <= 2^power: power * log10(2), rounded down.
static int tens_of(int power) {
    int64_t scaled = (int64_t)power * 1292913986;
    return (int)(scaled >= 0 ? scaled >> 32 : -((-scaled - 1) >> 32) - 1);
}

// Finds the digits with double arithmetic; returns false if the result is not certain. Different numbers of up to 15
// digits are different doubles, so digits that are read back are the shortest. Rounding is certain unless the product
// is near a half.
static bool find_digits_quickly(double value, int power, unsigned most, struct tk_double_digits *out) {
    enum { SAFE_DIGITS = 15 };
    unsigned count = most ? most : SAFE_DIGITS;
    if (!most && value < (double)WHOLE_LIMIT && value == (double)(uint64_t)value)
        return set_digits(out, (uint64_t)value, 0), true;
    if (count > SAFE_DIGITS) return false;
    for (int exponent = tens_of(power), last = exponent + 1; exponent <= last; exponent++) {
        int shift = (int)count - 1 - exponent;
        if (shift < -EXACT_POWER || shift > EXACT_POWER) return false;
        double scaled = shift < 0 ? value / powers_of_ten[-shift] : value * powers_of_ten[shift];
        if (scaled >= powers_of_ten[count] && exponent < last) continue; // the number has one digit more
        uint64_t number = (uint64_t)(scaled + 0.5);
        double from_half = scaled - (double)(uint64_t)scaled - 0.5;
        if (most && from_half < 0.125 && from_half > -0.125) return false;
        if (!most &&
            value != (shift < 0 ? (double)number * powers_of_ten[-shift] : (double)number / powers_of_ten[shift]))
            return false;
        return set_digits(out, number, -shift), true;
    }
    return false;
}

// value = rest / unit * 10^exponent, with rest < 10 * unit. above / unit and below / unit: half the distance to the
// next larger and smaller double, in the same power of ten.
struct ratio {
    struct big rest, unit, above, below;
    int exponent;
    bool is_even; // the mantissa is even: midpoints to the neighbouring doubles are read back as this value
};

static void set_ratio(struct ratio *ratio, uint64_t mantissa, int power, bool is_closer_below, int exponent) {
    unsigned up = power > 0 ? (unsigned)power : 0, down = power < 0 ? (unsigned)-power : 0,
             tens = (unsigned)(exponent < 0 ? -exponent : exponent);
    struct big *const above_line[] = { &ratio->rest, &ratio->above, &ratio->below };
    big_set(&ratio->rest, mantissa);
    big_set(&ratio->unit, 1);
    big_set(&ratio->above, 1);
    big_set(&ratio->below, 1);
    big_shift_left(&ratio->rest, 1u + is_closer_below);
    big_shift_left(&ratio->above, is_closer_below);
    big_shift_left(&ratio->unit, 1u + is_closer_below + down + (exponent > 0 ? tens : 0));
    if (exponent > 0) big_multiply_power_of_five(&ratio->unit, tens);
    for (unsigned i = 0; i < 3; i++) {
        big_shift_left(above_line[i], up + (exponent < 0 ? tens : 0));
        if (exponent < 0) big_multiply_power_of_five(above_line[i], tens);
    }
    ratio->exponent = exponent;
}

// Returns true if the digits found so far are already read back as the value.
static bool reaches_down(const struct ratio *ratio) {
    return big_compare(&ratio->rest, &ratio->below) < ratio->is_even;
}
static bool reaches_up(const struct ratio *ratio) {
    return big_compare_sum(&ratio->rest, &ratio->above, &ratio->unit) > -ratio->is_even;
}
static int compare_with_half(const struct ratio *ratio) {
    return big_compare_sum(&ratio->rest, &ratio->rest, &ratio->unit);
}

static void round_up(struct tk_double_digits *out) {
    while (out->count && out->digits[out->count - 1] == '9') out->count--;
    if (out->count) {
        out->digits[out->count - 1]++;
        return;
    }
    out->digits[out->count++] = '1';
    out->exponent++;
}

static void find_digits(struct ratio *ratio, unsigned most, struct tk_double_digits *out) {
    out->exponent = ratio->exponent;
    for (out->count = 0;;) {
        char digit = '0';
        for (; big_compare(&ratio->rest, &ratio->unit) >= 0; digit++) big_subtract(&ratio->rest, &ratio->unit);
        out->digits[out->count++] = digit;
        bool down = !most && reaches_down(ratio), up = !most && reaches_up(ratio);
        if (down || up || out->count == most) {
            if (down != up ? up : compare_with_half(ratio) > (most ? -1 : -(digit & 1))) round_up(out);
            break;
        }
        big_multiply_add(&ratio->rest, 10, 0);
        if (most) continue;
        big_multiply_add(&ratio->above, 10, 0);
        big_multiply_add(&ratio->below, 10, 0);
    }
    while (out->count > 1 && out->digits[out->count - 1] == '0') out->count--;
}

struct tk_double_digits tk_double_digits(double value, unsigned most) {
    enum { LEAST_POWER = -1074, BITS = 52 };
    struct tk_double_digits out = { .digits = "0", .count = 1 };
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    int biased = (int)(bits >> BITS & 0x7FF);
    uint64_t mantissa = bits & (((uint64_t)1 << BITS) - 1);
    bool is_even = !(mantissa & 1), is_closer_below = biased > 1 && !mantissa;
    mantissa |= (uint64_t)(biased > 0) << BITS;
    if (!mantissa) return out;
    int power = LEAST_POWER + (biased ? biased - 1 : 0), first = power + 63 - (int)leading_zeros(mantissa);
    if (find_digits_quickly(value < 0 ? -value : value, first, most, &out)) return out;
    struct ratio ratio;
    set_ratio(&ratio, mantissa, power, is_closer_below, tens_of(first));
    ratio.is_even = is_even;
    struct big ten_units = ratio.unit;
    big_multiply_add(&ten_units, 10, 0);
    bool is_longer = most ? big_compare(&ratio.rest, &ten_units) >= 0
                          : big_compare_sum(&ratio.rest, &ratio.above, &ten_units) > -is_even;
    if (is_longer) ratio.unit = ten_units, ratio.exponent++;
    find_digits(&ratio, most, &out);
    return out;
}

static char *put_zeros(char *at, int count) {
    for (; count > 0; count--) *at++ = '0';
    return at;
}

static char *put_digits(char *at, const char *digits, unsigned count) {
    memcpy(at, digits, count);
    return at + count;
}

size_t tk_double_text(double value, char out_text[TK_DOUBLE_LEN]) {
    enum { LEAST_PLAIN = -6, MOST_PLAIN = 20 };
    return tk_double_rounded(value, 0, LEAST_PLAIN, MOST_PLAIN, out_text);
}

size_t tk_double_rounded(double value, unsigned most, int least_plain, int most_plain, char out_text[TK_DOUBLE_LEN]) {
    char *at = out_text;
    if (value - value != 0) {
        const char *word = value != value ? "NaN" : value < 0 ? "-Infinity" : "Infinity";
        memcpy(out_text, word, strlen(word) + 1);
        return strlen(word);
    }
    struct tk_double_digits digits = tk_double_digits(value, most);
    int exponent = digits.exponent, count = (int)digits.count;
    bool is_plain = exponent >= least_plain && exponent <= most_plain;
    unsigned whole = !is_plain ? 1 : exponent < 0 ? 0 : exponent < count ? (unsigned)exponent + 1 : digits.count;
    if (value < 0) *at++ = '-';
    at = put_digits(at, digits.digits, whole);
    if (is_plain && exponent >= count) at = put_zeros(at, exponent + 1 - count);
    if (!whole) *at++ = '0';
    if (whole < digits.count) *at++ = '.';
    if (!whole) at = put_zeros(at, -exponent - 1);
    at = put_digits(at, digits.digits + whole, digits.count - whole);
    if (!is_plain) {
        *at++ = 'e';
        *at++ = exponent < 0 ? '-' : '+';
        at += tk_decimal((uint64_t)(exponent < 0 ? -exponent : exponent), at);
    }
    *at = 0;
    return (size_t)(at - out_text);
}
