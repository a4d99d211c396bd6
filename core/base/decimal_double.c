// SPDX-License-Identifier: MIT
//
// Apart from decimal.c, so that a program without doubles carries none of it.
#include "decimal.h"

#include <string.h>

// A large whole number: limbs of nine decimal digits, the lowest first.
struct big {
    uint32_t limbs[88]; // 5^1074 * 2^53, the largest there is, has 767 digits
    unsigned len;
};

static void multiply(struct big *big, uint32_t factor) {
    uint64_t carry = 0;
    for (unsigned i = 0; i < big->len || carry; i++) {
        if (i == big->len) big->limbs[big->len++] = 0;
        carry += (uint64_t)big->limbs[i] * factor;
        big->limbs[i] = (uint32_t)(carry % 1000000000);
        carry /= 1000000000;
    }
}

enum { DIGITS = 17, LIMB_DIGITS = 9 };

static const uint32_t powers_of_ten[LIMB_DIGITS + 1] = { 1,      10,      100,      1000,      10000,
                                                         100000, 1000000, 10000000, 100000000, 1000000000 };

// The first seventeen digits, rounded by the one behind them; *exponent grows by the digits behind the first.
static uint64_t leading_digits(const struct big *big, int *exponent) {
    unsigned left = big->len, count = 1;
    while (!big->limbs[left - 1]) left--;
    uint64_t digits = big->limbs[--left];
    while (digits >= powers_of_ten[count]) count++;
    *exponent += (int)(count + LIMB_DIGITS * left) - 1;
    while (count <= DIGITS) {
        unsigned more = DIGITS + 1 - count < LIMB_DIGITS ? DIGITS + 1 - count : LIMB_DIGITS;
        uint32_t limb = left ? big->limbs[--left] : 0;
        digits = digits * powers_of_ten[more] + limb / powers_of_ten[LIMB_DIGITS - more];
        count += more;
    }
    digits = digits / 10 + (digits % 10 >= 5);
    if (digits < 100000000000000000u) return digits;
    ++*exponent;
    return digits / 10;
}

// Without the zeros behind its last one, of which each would be multiplied by five.
static uint64_t shorten(uint64_t mantissa, int *power) {
    for (int bits = 32; bits; bits /= 2) {
        if (*power > -bits || mantissa & (((uint64_t)1 << bits) - 1)) continue;
        mantissa >>= bits;
        *power += bits;
    }
    return mantissa;
}

// |number| as digits and a power of ten, exactly: m * 2^-k is m * 5^k * 10^-k.
static uint64_t to_decimal(double number, int *exponent) {
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    int power = (int)(bits >> 52 & 0x7FF);
    uint64_t mantissa = (bits & 0xFFFFFFFFFFFFF) | (uint64_t)(power > 0) << 52;
    if (!mantissa) return 0;
    power = (power ? power : 1) - 1075;
    mantissa = shorten(mantissa, &power);
    struct big big = { { (uint32_t)(mantissa % 1000000000), (uint32_t)(mantissa / 1000000000) }, 2 };
    *exponent = power < 0 ? power : 0;
    uint32_t rest = 1;
    for (; power >= 24; power -= 24) multiply(&big, 1 << 24);
    for (; power > 0; power--) rest *= 2;
    for (; power <= -12; power += 12) multiply(&big, 244140625); // 5^12
    for (; power < 0; power++) rest *= 5;
    multiply(&big, rest);
    return leading_digits(&big, exponent);
}

size_t tk_decimal_double(double value, char out_text[TK_DOUBLE_LEN]) {
    int exponent = 0;
    char digits[TK_DECIMAL_LEN], power[TK_DECIMAL_LEN], *at = out_text;
    tk_digits(to_decimal(value, &exponent), 10, 17, digits);
    size_t len = tk_decimal((uint64_t)(exponent < 0 ? -exponent : exponent), power);
    if (value < 0) *at++ = '-';
    *at++ = digits[0];
    *at++ = '.';
    memcpy(at, digits + 1, 16);
    at += 16;
    *at++ = 'e';
    if (exponent < 0) *at++ = '-';
    memcpy(at, power, len + 1);
    return (size_t)(at - out_text) + len;
}
