// root_rows.c: see root_rows.h. B = 2^64; bounds: docs/proofs/root.md, 6.
#include "bigint/divide/root_rows.h"

#include <assert.h>
#include <math.h>

#include "bigint/divide/estimate.h"
#include "primitives/words/word_div.h"

// root_of_pair: floor(m^(1/2)) for m >= B^2 / 4, and m minus its square in *rest. It takes a root
// in doubles, which errs by less than 2^12, subtracts that much, and makes a step of Newton's
// iteration. The integer is then right unless the root is within 2^-36 of one. It converts signed
// words, because without AVX-512 the conversion of an unsigned word branches.
static uint64_t root_of_pair(word_pair *rest, word_pair m) {
    const double half = sqrt((double)(int64_t)(m >> 66)) * 0x1p32, inverse = 0x1p14 / half;
    uint64_t root = 2 * (uint64_t)(int64_t)(half - 0x1p11);
    const word_pair off = m - (word_pair)root * root;                          // below 2^78
    const uint64_t step = (uint64_t)((double)(int64_t)(off >> 16) * inverse);  // below 2^14
    root = root <= UINT64_MAX - step ? root + step : UINT64_MAX;
    __int128 left = (__int128)(m - (word_pair)root * root);
    for (; left < 0; root--) {
        left += 2 * (__int128)root - 1;
    }
    for (; left > 2 * (__int128)root; root++) {
        left -= 2 * (__int128)root + 1;
    }
    *rest = (word_pair)left;
    return root;
}

uint64_t root_rows_pair(word_pair *rest, word_pair a) {
    const uint64_t high = (uint64_t)(a >> 64);
    uint64_t root;
    if (high == 0) {  // rounded once, one too large at most: at 2^32 and where a + 1 is a square
        root = (uint64_t)sqrt((double)(uint64_t)a);
        root -= (word_pair)root * root > a;
    } else {
        const unsigned zeros = word_clz(high) / 2 * 2;
        root = root_of_pair(rest, a << zeros) >> zeros / 2;
    }
    *rest = a - (word_pair)root * root;
    return root;
}

// root_of_two: {sp, 2} = s = floor(m^(1/2)) and *top B^2 + {mp, 2} = m - s^2 for m = {mp, 4} >= B^4
// / 4, by halves.
static void root_of_two(uint64_t *sp, uint64_t *top, uint64_t *mp) {
    word_pair rest;
    const uint64_t high = root_of_pair(&rest, (word_pair)mp[3] << 64 | mp[2]);
    const word_divisor divisor = word_divisor_of(high);
    uint64_t over = rest >= high;  // as likely as not, so no branch
    rest -= high & (0 - over);
    if (rest >= high) {  // then it is 2 high
        over++;
        rest -= high;
    }
    uint64_t left, low = word_div_step(&left, (uint64_t)rest, mp[1], &divisor);
    word_pair u = left;
    u += high & (0 - (low & 1));
    low = low >> 1 | over << 63;
    if (over == 2) {
        assert(low == 0);
        low = UINT64_MAX;
        u += 2 * (word_pair)high;
    }
    const word_pair square = (word_pair)low * low, s = (word_pair)high << 64 | low;
    word_pair r = u << 64 | mp[0];
    int64_t carry = (int64_t)(uint64_t)(u >> 64) - (r < square);
    r -= square;
    if (carry < 0) {
        r += s;
        carry += r < s;
        r += s - 1;
        carry += r < s - 1;
        low--;  // of a root that is 1 too large, so not 0: q^2 > 0
    }
    assert(carry == 0 || carry == 1);
    sp[0] = low, sp[1] = high;
    mp[0] = (uint64_t)r, mp[1] = (uint64_t)(r >> 64);
    *top = (uint64_t)carry;
}

// row: the next limb q of the root of m, above which i limbs s are known, and the next remainder.
// twice = {q's place, 2 s less its top limb, which is 1}; r = {a0, a1, m less s^2 for the limbs
// above}, carry above it, at most 2 s. Returns q and what the new remainder has above {r, i + 1}.
static uint64_t row(const limbs_ops *ops, uint64_t *twice, uint64_t *r, uint64_t i, uint64_t q,
                    uint64_t *carry) {
    twice[0] = q;
    const uint64_t borrow = ops->submul_1(r, twice, i + 1, q);
    __int128 top = (__int128)((word_pair)*carry << 64 | r[i + 1]) - borrow - q;
    for (; top < 0; q--) {  // (2 s B + q) q is too large: it becomes (2 s B + q - 1) (q - 1)
        const uint64_t over = (q - 1) >> 63;
        twice[0] = q + q - 1;
        twice[1] += over;
        top += 1 + (__int128)limbs_add_n(r, r, twice, i + 1);
        twice[1] -= over;
    }
    assert(top == 0 || top == 1);
    twice[0] = q << 1;
    twice[1] += q >> 63;  // it was even
    *carry = (uint64_t)top;
    return q;
}

void root_rows(const limbs_ops *ops, uint64_t *sp, uint64_t *top, uint64_t *mp, uint64_t n,
               bool remains) {
    assert(n >= 1 && n <= ROOT_ROWS_MOST);
    if (n == 1) {
        word_pair rest;
        sp[0] = root_of_pair(&rest, (word_pair)mp[1] << 64 | mp[0]);
        mp[0] = (uint64_t)rest;
        *top = (uint64_t)(rest >> 64);
        return;
    }
    root_of_two(sp + n - 2, top, mp + 2 * n - 4);
    if (n == 2) {
        return;
    }
    const uint64_t d1 = sp[n - 1], d0 = sp[n - 2], v = reciprocal_3by2(d1, d0);
    uint64_t twice[ROOT_ROWS_MOST];  // of the root so far, less the top limb, which is 1
    twice[n - 1] = d1 << 1 | d0 >> 63;
    twice[n - 2] = d0 << 1;
    for (uint64_t i = 2; i < n; i++) {
        uint64_t *const r = mp + 2 * (n - i - 1), q = UINT64_MAX;  // where the estimate would be B
        const uint64_t u2 = *top << 63 | r[i + 1] >> 1, u1 = r[i + 1] << 63 | r[i] >> 1;
        if (__builtin_expect(u2 != d1 || u1 != d0, 1)) {
            word_pair rest;
            q = divide_3by2(&rest, u2, u1, r[i] << 63 | r[i - 1] >> 1, d1, d0, v);
            if (i + 1 == n && !remains && rest >> 64 >= 2) {
                sp[0] = q;
                return;
            }
        }
        sp[n - i - 1] = row(ops, twice + (n - i - 1), r, i, q, top);
    }
}
