// residue.cuh: arithmetic modulo a word-sized modulus for kernels that take residues of long
// numbers: residue.cu, and checks of many products. Includes residue.h and warp.cuh.
//
// Thread t of T takes limbs t, t + T, t + 2 T, ... from the top down, kResidueEach at a time: with
// c the part above, c B^(kResidueEach T) + sum x_k B^(k T) is a sum of kResidueEach + 1 products of
// a word and a form (residue.h), which stays below 2^128 and is reduced once. Thread t's value
// weighs B^t.
#ifndef PRIMITIVES_RESIDUES_RESIDUE_CUH_
#define PRIMITIVES_RESIDUES_RESIDUE_CUH_

#include "primitives/cuda/warp.cuh"
#include "primitives/residues/residue.h"
#include "primitives/words/word.h"

// Forms are below 2^61: eight products of a word with one of them are below 2^128.
constexpr unsigned kResidueEach = 7;

// ResidueField: arithmetic modulo m, of words that need not be reduced.
struct ResidueField {
    uint64_t m, inverse;

    // x / B. Any x; below m where x < m B. With q m = lo(x) mod B, x - q m is a multiple of B, and
    // (x - q m) / B is the difference of the high words, above -m: m is added where it is negative.
    HOST_DEVICE uint64_t Reduce(word_pair x) const {
        const uint64_t high = (uint64_t)(x >> 64), q = (uint64_t)x * inverse;
        const uint64_t less = (uint64_t)((word_pair)q * m >> 64);
        return high - less + (high < less ? m : 0);
    }
    HOST_DEVICE uint64_t Multiply(uint64_t word, uint64_t form) const {
        return Reduce((word_pair)word * form);
    }
};

// ResidueWeights: forms of B^(k T), k = 0 .. kResidueEach.
struct ResidueWeights {
    uint64_t form[kResidueEach + 1];
};
// ResidueWeightsOf: those for T threads, `all` being the form of B^T.
inline ResidueWeights ResidueWeightsOf(const limbs_modulus &f, uint64_t all) {
    const ResidueField field = {f.m, f.inverse};
    ResidueWeights w = {{f.one, all}};
    for (unsigned k = 2; k <= kResidueEach; k++) {
        w.form[k] = field.Multiply(w.form[k - 1], all);
    }
    return w;
}

// ResidueStrided: what thread t of T makes of {p, n}.
DEVICE uint64_t ResidueStrided(const ResidueField &field, const ResidueWeights &w,
                               const uint64_t *p, uint64_t n, uint64_t t, uint64_t all) {
    uint64_t c = 0;
    for (uint64_t chunk = word_ceil_div(n, kResidueEach * all); chunk-- > 0;) {
        const uint64_t first = chunk * kResidueEach * all + t;
        uint64_t x[kResidueEach];
#pragma unroll
        for (unsigned k = 0; k < kResidueEach; k++) {
            const uint64_t i = first + k * all;
            x[k] = i < n ? p[i] : 0;
        }
        word_pair sum = (word_pair)c * w.form[kResidueEach];
#pragma unroll
        for (unsigned k = 0; k < kResidueEach; k++) {
            sum += (word_pair)x[k] * w.form[k];
        }
        c = field.Reduce(sum);
    }
    return c;
}

// ResidueJoin: v + above B^(2^i) over groups of two lanes, four, ...: `levels` of them, power[0]
// being the form of the first one's. The result is in all lanes of a group.
DEVICE uint64_t ResidueJoin(const ResidueField &field, uint64_t one, const uint64_t *power,
                            uint64_t v, unsigned levels) {
    for (unsigned i = 0; i < levels; i++) {
        const uint64_t other = ShuffleXor(v, 1u << i);
        const bool upper = (Lane() >> i & 1) != 0;
        const uint64_t low = upper ? other : v, high = upper ? v : other;
        v = field.Reduce((word_pair)low * one + (word_pair)high * power[i]);
    }
    return v;
}

#endif  // PRIMITIVES_RESIDUES_RESIDUE_CUH_
