// radix.c: bases of text, their digits, characters and words. Proofs: docs/proofs/text.md.
#include "bigint/text/radix.h"

#include <assert.h>

#include "bigint/text/decimal_digits.h"
#include "primitives/words/word.h"
#include "primitives/words/word_div.h"

// The last base in which letters of either case are the same digit.
enum { BOTH_CASES_MOST = 36 };

static const char lower[] = "0123456789abcdefghijklmnopqrstuvwxyz";
static const char upper[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

// At index base: base^digits, 2^64 log_base(2) rounded up, digits; 0 for powers of two.
static const struct {
    uint64_t word, log;
    unsigned digits;
} bases[TEXT_BASE_MOST + 1] = {
    {0, 0, 0},
    {0, 0, 0},
    {0, 0, 0},
    {0xa8b8b452291fe821, 0xa1849cc1a9a9e94f, 40},
    {0, 0, 0},
    {0x6765c793fa10079d, 0x6e40d1a4143dcb95, 27},
    {0x41c21cb8e1000000, 0x6308c91b702a7cf5, 24},
    {0x3642798750226111, 0x5b3064eb3aa6d389, 22},
    {0, 0, 0},
    {0xa8b8b452291fe821, 0x50c24e60d4d4f4a8, 20},
    {0x8ac7230489e80000, 0x4d104d427de7fbcd, 19},
    {0x4d28cb56c33fa539, 0x4a00270775914e89, 18},
    {0x1eca170c00000000, 0x4768ce0d05818e13, 17},
    {0x780c7372621bd74d, 0x452e53e365907bdb, 17},
    {0x1e39a5057d810000, 0x433cfffb4b5aae56, 16},
    {0x5b27ac993df97701, 0x41867711b4f85356, 16},
    {0, 0, 0},
    {0x27b95e997e21d9f1, 0x3ea16afd58b10967, 15},
    {0x5da0e1e53c5c8000, 0x3d64598d154dc4df, 15},
    {0xd2ae3299c1c4aedb, 0x3c43c23018bb5564, 15},
    {0x16bcc41e90000000, 0x3b3b9a42873069c8, 14},
    {0x2d04b7fdd9c0ef49, 0x3a4898f06cf41aca, 14},
    {0x5658597bcaa24000, 0x39680b13582e7c19, 14},
    {0xa0e2073737609371, 0x3897b2b751ae561b, 14},
    {0x0c29e98000000000, 0x37d5aed131f19c99, 13},
    {0x14adf4b7320334b9, 0x372068d20a1ee5cb, 13},
    {0x226ed36478bfa000, 0x3676867e5d60de2a, 13},
    {0x383d9170b85ff80b, 0x35d6deeb388df870, 13},
    {0x5a3c23e39c000000, 0x354071d61c77fa2f, 13},
    {0x8e65137388122bcd, 0x34b260c5671b18ad, 13},
    {0xdd41bb36d259e000, 0x342be986572b45cd, 13},
    {0x0aee5720ee830681, 0x33ac61b998fbbdf3, 12},
    {0, 0, 0},
    {0x172588ad4f5f0981, 0x32bfd90114c12862, 12},
    {0x211e44f7d02c1000, 0x3251dcf6169e45f3, 12},
    {0x2ee56725f06e5c71, 0x31e8d59f180dc631, 12},
    {0x41c21cb8e1000000, 0x3184648db8153e7b, 12},
    {0x5b5b57f8a98a5dd1, 0x312434e89c35dace, 12},
    {0x7dcff8986ea31000, 0x30c7fa349460a542, 12},
    {0xabd4211662a6b2a1, 0x306f6f4c8432bc6e, 12},
    {0xe8d4a51000000000, 0x301a557ffbfdd253, 12},
    {0x07a32956ad081b79, 0x2fc873d1fda55f3c, 11},
    {0x09f49aaff0e86800, 0x2f799652a4e6dc4a, 11},
    {0x0ce583bb812d37b3, 0x2f2d8d8f64460aae, 11},
    {0x109b79a654c00000, 0x2ee42e164e8f53a5, 11},
    {0x1543beff214c8b95, 0x2e9d500984041dbe, 11},
    {0x1b149a79459a3800, 0x2e58cec05a6a8145, 11},
    {0x224edfb5434a830f, 0x2e1688743ef9104d, 11},
    {0x2b3fb00000000000, 0x2dd65df7a5835990, 11},
    {0x3642798750226111, 0x2d9832759d5369c5, 11},
    {0x43c33c1937564800, 0x2d5beb38dcd1394d, 11},
    {0x54411b2441c3cd8b, 0x2d216f7943e2ba6b, 11},
    {0x6851455acd400000, 0x2ce8a82efbb3ff2d, 11},
    {0x80a23b117c8feb6d, 0x2cb17fea7ad7e333, 11},
    {0x9dff7d32d5dc1800, 0x2c7be2b0cfa1ba51, 11},
    {0xc155af6faeffe6a7, 0x2c47bddba92d7464, 11},
    {0xebb7392e00000000, 0x2c14fffcaa8b131f, 11},
    {0x050633659656d971, 0x2be398c3a38be054, 10},
    {0x05fa8624c7fba400, 0x2bb378e758451069, 10},
    {0x0717d9faa73c5679, 0x2b8492108be5e5f8, 10},
    {0x086430aac6100000, 0x2b56d6c70d55481c, 10},
    {0x09e64d9944b57f29, 0x2b2a3a608c72ddd6, 10},
    {0x0ba5ca5392cb0400, 0x2afeb0f1060c7e42, 10},
};

const text_radix text_decimal = {.base = 10,
                                 .digits = DECIMAL_WORD_DIGITS,
                                 .twos = DECIMAL_WORD_DIGITS,
                                 .word = DECIMAL_WORD_RADIX,
                                 .odd = DECIMAL_WORD_RADIX >> DECIMAL_WORD_DIGITS,
                                 .log = 0x4d104d427de7fbcd,
                                 .alphabet = lower};

text_radix text_radix_of(int base) {
    const unsigned b = base < 0 ? 0 - (unsigned)base : (unsigned)base;
    assert(b >= TEXT_BASE_LEAST && b <= TEXT_BASE_MOST && (base > 0 || b <= BOTH_CASES_MOST));
    const unsigned digits = bases[b].digits, twos = digits * word_ctz(b);
    return (text_radix){.base = b,
                        .digits = digits,
                        .twos = twos,
                        .shift = digits == 0 ? word_ctz(b) : 0,
                        .word = bases[b].word,
                        .odd = bases[b].word >> twos,
                        .log = bases[b].log,
                        .alphabet = base < 0 || b > BOTH_CASES_MOST ? upper : lower};
}

// --- Characters ----------------------------------------------------------------------------------

enum { CHARACTERS = 128, NO_DIGIT = 99 };

// The digits 0 .. 9 A .. Z a .. z.
static const unsigned char values[CHARACTERS] = {
    99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99,
    99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99,
    99, 99, 99, 99, 0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  99, 99, 99, 99, 99, 99, 99, 10,
    11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32,
    33, 34, 35, 99, 99, 99, 99, 99, 99, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48,
    49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 99, 99, 99, 99, 99};

// digit: of a character; fold: what lower-case letters lose.
static unsigned digit(char c, unsigned fold) {
    const unsigned char at = (unsigned char)c;
    const unsigned value = at < CHARACTERS ? values[at] : NO_DIGIT;
    return value - (value >= BOTH_CASES_MOST) * fold;  // no branch: letters and digits mix
}

static unsigned fold_of(const text_radix *radix) {
    enum { LETTERS = 26 };
    return radix->base <= BOTH_CASES_MOST ? LETTERS : 0;  // NO_DIGIT - 26 is no digit either
}

bool text_is_digit(const text_radix *radix, char c) {
    return digit(c, fold_of(radix)) < radix->base;
}

// --- Lengths -------------------------------------------------------------------------------------

uint64_t text_digits_bound(const text_radix *radix, uint64_t bits) {
    assert(bits >= 1 && bits >> 62 == 0);
    return radix->shift != 0 ? word_ceil_div(bits, radix->shift)
                             : (uint64_t)((word_pair)bits * radix->log >> 64) + 1;
}

// power: base^e, e <= digits.
static uint64_t power(const text_radix *radix, unsigned e) {
    uint64_t result = 1, square = radix->base;
    for (; e > 0; e >>= 1) {
        result *= (e & 1) != 0 ? square : 1;
        square *= square;  // wraps after the last one used
    }
    return result;
}

unsigned text_digits_of(const text_radix *radix, uint64_t word) {
    // The bound is the number of digits of the longest number with this many bits.
    const unsigned bits = 64 - word_clz(word);
    if (radix == &text_decimal) {
        return decimal_digits_count(word, bits);
    }
    const unsigned bound = (unsigned)text_digits_bound(radix, bits);
    return bound - (word < power(radix, bound - 1));
}

uint64_t text_words(const text_radix *radix, uint64_t n) {
    if (radix->shift != 0) {  // without an overflow of n shift
        return n / 64 * radix->shift + word_ceil_div(n % 64 * radix->shift, 64);
    }
    return radix == &text_decimal ? word_ceil_div(n, DECIMAL_WORD_DIGITS)  // by a constant
                                  : word_ceil_div(n, radix->digits);
}

// --- Limbs of powers of two ----------------------------------------------------------------------

// first_bad: the position of the first character that is not a digit; there is one.
static size_t first_bad(const text_radix *radix, const char *s) {
    size_t i = 0;
    while (text_is_digit(radix, s[i])) {
        i++;
    }
    return i;
}

static size_t read_bits(const text_radix *radix, uint64_t *limbs, const char *s, size_t n) {
    const unsigned shift = radix->shift, fold = fold_of(radix);
    uint64_t limb = 0, all = 0;  // the bits of all characters
    unsigned have = 0;           // bits in limb
    for (size_t i = n; i > 0; i--) {
        const uint64_t value = digit(s[i - 1], fold);
        all |= value;
        limb |= value << have;
        have += shift;
        if (have >= 64) {
            *limbs++ = limb;
            have -= 64;
            limb = value >> (shift - have);
        }
    }
    if (have > 0) {
        *limbs = limb;
    }
    return all >> shift == 0 ? n : first_bad(radix, s);
}

static void write_bits(const text_radix *radix, char *s, size_t n, const uint64_t *limbs) {
    const unsigned shift = radix->shift, mask = radix->base - 1;
    uint64_t limb = 0;
    unsigned have = 0;  // bits of limb not written yet
    for (size_t i = n; i > 0; i--) {
        uint64_t value = limb;
        if (have >= shift) {
            limb >>= shift;
            have -= shift;
        } else {
            const uint64_t next = *limbs++;
            value |= next << have;
            limb = next >> (shift - have);
            have += 64 - shift;
        }
        s[i - 1] = radix->alphabet[value & mask];
    }
}

// --- Words of other bases ------------------------------------------------------------------------

// read_word: the number of s[0 .. n), n <= digits. Returns n, or the position of the first
// character that is not a digit. Two at a time: half as many products wait for one another.
static size_t read_word(const text_radix *radix, uint64_t *word, const char *s, size_t n) {
    const unsigned fold = fold_of(radix), base = radix->base;
    uint64_t value = 0;
    size_t i = 0;
    for (; n - i >= 2; i += 2) {
        const unsigned high = digit(s[i], fold), low = digit(s[i + 1], fold);
        if (high >= base || low >= base) {
            return i + (high < base);
        }
        value = value * (base * base) + (high * base + low);
    }
    if (i < n) {
        const unsigned last = digit(s[i], fold);
        if (last >= base) {
            return i;
        }
        value = value * base + last;
    }
    *word = value;
    return n;
}

size_t text_digits_read(const text_radix *radix, uint64_t *words, const char *s, size_t n) {
    const size_t k = radix->digits;
    if (radix->shift != 0) {
        return read_bits(radix, words, s, n);
    }
    if (radix->base == text_decimal.base) {
        return decimal_digits_read(words, s, n, DECIMAL_WORD_DIGITS);
    }
    size_t first = n % k == 0 ? k : n % k, at = 0;
    for (size_t i = word_ceil_div(n, k); i > 0; i--) {
        const size_t good = read_word(radix, &words[i - 1], s + at, first);
        at += good;
        if (good != first) {
            return at;
        }
        first = k;
    }
    return n;
}

// write_word: the last n digits of a word at s, from its fraction of base^digits, rounded up to the
// next multiple of 2^-64: each product with the base yields a digit.
static void write_word(const text_radix *radix, const word_divisor *d, char *s, size_t n,
                       uint64_t word) {
    uint64_t rest, fraction = word_div_step(&rest, word << d->shift, 0, d) + 1;
    for (size_t skip = radix->digits - n; skip > 0; skip--) {
        fraction *= radix->base;
    }
    for (size_t i = 0; i < n; i++) {
        const word_pair product = (word_pair)fraction * radix->base;
        s[i] = radix->alphabet[(size_t)(product >> 64)];
        fraction = (uint64_t)product;
    }
}

void text_digits_write(const text_radix *radix, char *s, size_t n, const uint64_t *words) {
    const size_t k = radix->digits;
    if (radix->shift != 0) {
        write_bits(radix, s, n, words);
        return;
    }
    if (radix->base == text_decimal.base) {
        decimal_digits_write(s, n, words, DECIMAL_WORD_DIGITS);
        return;
    }
    const word_divisor d = word_divisor_of(radix->word);
    size_t left = n;
    for (; left >= k; left -= k) {
        write_word(radix, &d, s + left - k, k, *words++);
    }
    if (left > 0) {
        write_word(radix, &d, s, left, *words);
    }
}
