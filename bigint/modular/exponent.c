// exponent.c: see exponent.h. Proof: docs/proofs/powm.md, section 6.
#include "bigint/modular/exponent.h"

#include "primitives/limbs/limbs.h"
#include "primitives/words/word.h"

enum { BITS_MOST = 16 };
static const uint64_t TABLE_BYTES_MOST = UINT64_C(1) << 30;

unsigned exponent_window_bits(uint64_t exponent_bits, uint64_t most) {
    unsigned w = 1;
    while (w < BITS_MOST && (uint64_t)1 << w <= most &&
           exponent_bits >= (uint64_t)w * (w + 1) << (w - 1)) {
        w++;
    }
    return w;
}

uint64_t exponent_powers_most(uint64_t cap, uint64_t bytes) {
    const uint64_t share = cap != 0 && cap / 4 < TABLE_BYTES_MOST ? cap / 4 : TABLE_BYTES_MOST;
    return bytes < share ? share / bytes : 1;
}

exponent_window exponent_window_next(natural e, uint64_t left, unsigned w) {
    const unsigned seen = left < 63 ? (unsigned)left : 63;
    const uint64_t bits = limbs_bits(e.p, e.n, left - seen, seen) << (64 - seen);
    if (bits == 0) {
        return (exponent_window){seen, 0, 0};
    }
    const unsigned zeros = word_clz(bits);
    if (zeros + w > seen && seen < left) {  // the window's end is not seen; w <= 16, so zeros > 0
        return (exponent_window){zeros, 0, 0};
    }
    const uint64_t top = bits << zeros >> (64 - w);
    const unsigned unused = word_ctz(top);
    return (exponent_window){zeros, w - unused, top >> unused >> 1};
}

uint64_t exponent_powers(natural e, uint64_t bits, unsigned w) {
    if (bits > 64) {
        return (uint64_t)1 << (w - 1);
    }
    uint64_t count = 1;
    while (bits > 0) {
        const exponent_window next = exponent_window_next(e, bits, w);
        count = next.index < count ? count : next.index + 1;
        bits -= next.zeros + next.length;
    }
    return count;
}
