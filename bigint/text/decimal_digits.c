// decimal_digits.c: eight characters at a time inside one word (SWAR): bytes are combined, or
// split, in pairs, pairs in fours, fours in eights.
#include "bigint/text/decimal_digits.h"

#include <assert.h>
#include <string.h>

#define BYTES(b) (UINT64_C(0x0101010101010101) * (b))
#define TEN_8 UINT64_C(100000000)

// The first character is the lowest byte, on any machine; compiled to one load
// or store once unrolled.
static uint64_t load_8(const char *s) {
    uint64_t x = 0;
#pragma GCC unroll 8
    for (unsigned i = 0; i < 8; i++) {
        x |= (uint64_t)(unsigned char)s[i] << (8 * i);
    }
    return x;
}

static void store_8(char *s, uint64_t x) {
#pragma GCC unroll 8
    for (unsigned i = 0; i < 8; i++) {
        s[i] = (char)(unsigned char)(x >> (8 * i));
    }
}

// are_digits: whether all eight bytes are '0' .. '9': the high nibble is 3, and still is after
// adding 6.
static int are_digits(uint64_t x) {
    const uint64_t high = BYTES(0xf0), threes = BYTES(0x30);
    return (x & high) == threes &&
           ((x + BYTES(6)) & high) == threes;  // no byte carries: x + 6 <= 0x3f + 6
}

// parse_8: the number below 10^8 of eight digits. Each step multiplies the more significant half of
// each group (the lower bits) by its weight and adds the other half; no group overflows its 16, 32
// or 64 bits.
static uint64_t parse_8(uint64_t x) {
    x -= BYTES(0x30);
    x = (x * 10 + (x >> 8)) & UINT64_C(0x00ff00ff00ff00ff);    // 4 numbers below 100
    x = (x * 100 + (x >> 16)) & UINT64_C(0x0000ffff0000ffff);  // 2 numbers below 10^4
    return (x * 10000 + (x >> 32)) & UINT64_C(0x00000000ffffffff);
}

// print_8: the characters of x < 10^8. The quotients by 100 and 10 are products with rounded-up
// reciprocals: 10486 / 2^20 is exact for every x < 10^4, 103 / 2^10 for every x < 100.
static uint64_t print_8(uint64_t x) {
    x = x / 10000 | (x % 10000) << 32;
    const uint64_t hundreds = (x * 10486 >> 20) & UINT64_C(0x0000007f0000007f);
    x = hundreds | (x - hundreds * 100) << 16;
    const uint64_t tens = (x * 103 >> 10) & UINT64_C(0x000f000f000f000f);
    return (tens | (x - tens * 10) << 8) + BYTES(0x30);
}

// read_word: the number of s[0 .. n), n <= 19, all characters digits.
// Returns n, or the position of the first character that is not a digit.
static size_t read_word(uint64_t *word, const char *s, size_t n) {
    uint64_t value = 0;
    size_t i = 0;
    for (; n - i >= 8 && are_digits(load_8(s + i)); i += 8) {
        value = value * TEN_8 + parse_8(load_8(s + i));
    }
    for (; i < n; i++) {
        const unsigned digit = (unsigned)(unsigned char)s[i] - '0';
        if (digit > 9) {
            return i;
        }
        value = value * 10 + digit;
    }
    *word = value;
    return n;
}

size_t decimal_digits_read(uint64_t *words, const char *s, size_t n, unsigned k) {
    assert(k >= 1 && k <= DECIMAL_WORD_DIGITS);
    size_t first = n % k == 0 ? k : n % k,
           at = 0;  // the most significant word may have fewer digits
    for (size_t i = n / k + (n % k != 0); i > 0; i--) {
        const size_t good = read_word(&words[i - 1], s + at, first);
        at += good;
        if (good != first) {
            return at;
        }
        first = k;
    }
    return n;
}

size_t decimal_digits_valid(const char *s, size_t n) {
    size_t i = 0;
    while (n - i >= 8 && are_digits(load_8(s + i))) {
        i += 8;
    }
    while (i < n && s[i] >= '0' && s[i] <= '9') {
        i++;
    }
    return i;
}

unsigned decimal_digits_count(uint64_t word, unsigned bits) {
    static const uint64_t power[DECIMAL_WORD_DIGITS + 1] = {1,
                                                            10,
                                                            100,
                                                            1000,
                                                            10000,
                                                            100000,
                                                            1000000,
                                                            10000000,
                                                            100000000,
                                                            1000000000,
                                                            10000000000,
                                                            100000000000,
                                                            1000000000000,
                                                            10000000000000,
                                                            100000000000000,
                                                            1000000000000000,
                                                            10000000000000000,
                                                            100000000000000000,
                                                            1000000000000000000,
                                                            DECIMAL_WORD_RADIX};
    // floor(bits log10(2)): the digits of the longest number of that many bits, less one.
    const unsigned most = bits * 1233 >> 12;
    return most + 1 - (word < power[most]);
}

// write_word: the last n digits of a word at s. From a register: a copy of what was just stored in
// parts would wait for the cache.
static void write_word(char *s, size_t n, uint64_t word) {
    for (; n >= 8; n -= 8) {
        store_8(s + n - 8, print_8(word % TEN_8));
        word /= TEN_8;
    }
    uint64_t digits = print_8(word % TEN_8);
    for (; n > 0; n--) {
        s[n - 1] = (char)(unsigned char)(digits >> 56);
        digits <<= 8;
    }
}

void decimal_digits_write(char *s, size_t n, const uint64_t *words, unsigned k) {
    assert(k >= 1 && k <= DECIMAL_WORD_DIGITS);
    size_t left = n;
    for (; left >= k; left -= k) {
        write_word(s + left - k, k, *words++);
    }
    if (left > 0) {
        write_word(s, left, *words);
    }
}
