// recombine_device.cu: recombine_device.h for residues: coefficients computed from them as carry/'s
// warps ask for them, or for a warp at once. Includes the rooms' device headers.
#include "bigint/device/kernels/recombine_device.h"

#include <assert.h>

#include <algorithm>

#include "bigint/device/kernels/recombine_kernel.cuh"
#include "bigint/device/kernels/recombine_rows.h"
#include "fft/device/modular/crt.cuh"
#include "fft/device/modular/garner.cuh"
#include "fft/device/modular/second_primes.h"

namespace {

constexpr unsigned kWords = 3, kPrimes = FFT_PRIMES_USED;

// ResidueSource: coefficients by remaindering, of a product `stride` doubles after the one before.
// kAligned: coefficient i weighs 2^(64 i), so a lane's limbs take whole vectors from each plane.
// kPlus: `more` is added; its power is below residues.count, or there is none.
template <bool kAligned, bool kPlus = false>
struct ResidueSource {
    using Warp = LimbsWarp<kWords>;
    // Of a multiprocessor; what is added takes registers.
    static constexpr unsigned kBlocks = kPlus ? 3 : 4, kMostBlocks = kBlocks + (kAligned && !kPlus);
    static constexpr bool kBatches = kAligned && !kPlus;

    recombine_residues residues;
    uint64_t stride;
    ModularCrt crt;
    recombine_more more;

    HOST_DEVICE static unsigned StageWords() { return 0; }

    DEVICE carry_state Take(const Warp &warp, unsigned product, uint64_t *, Warp::Limbs &b) const {
        const double *const own = residues.x + product * stride;
        if (warp.BelowRow()) {
            b.TakeNothing(true);
        } else if constexpr (kPlus) {
            TakeVectors(warp, own, b, Plus(more, residues.count));
        } else if constexpr (kAligned) {
            TakeVectors(warp, own, b, Nothing());
        } else {
            const unsigned bit = warp.FirstBit(), i = warp.Below(bit), w = warp.d.w;
            const double *x = own + warp.begin;
            const unsigned count = warp.Count();
            b.TakeClose(
                i, warp.begin_bit + i * w - bit, w, true, [&](unsigned k, uint64_t(&c)[kWords]) {
                    if (k < count) {
                        crt.Coefficient(x[k], x[k + residues.plane], x[k + 2 * residues.plane], c);
                    }
                });
        }
        return warp.TakeSpill(b);
    }

    // A lane's coefficients, each changed by change.Apply; planes have whole vectors of them.
    // change.Read(i) reads what that needs for coefficients from number i on, all at once.
    template <class Change>
    DEVICE void TakeVectors(const Warp &warp, const double *own, Warp::Limbs &b,
                            Change change) const {
        constexpr unsigned kEach = Warp::kLimbs;
        const unsigned first = warp.FirstBit() / 64;
        const uint64_t at = warp.begin + first;
        double r[FFT_PRIMES_USED][kEach] = {};
        if (at < residues.count) {
#pragma unroll
            for (unsigned p = 0; p < FFT_PRIMES_USED; p++) {
#pragma unroll
                for (unsigned i = 0; i < kEach; i += 2) {
                    const Pair two = *(const Pair *)(own + p * residues.plane + at + i);
                    r[p][i] = two.low, r[p][i + 1] = two.high;
                }
            }
        }
        change.Read(at);
        b.TakeAligned(first, true, [&](unsigned i, uint64_t(&c)[kWords]) {
            crt.Coefficient(r[0][i - first], r[1][i - first], r[2][i - first], c);
            change.Apply(i - first, c);
        });
    }

    struct Nothing {
        DEVICE void Read(uint64_t) {}
        DEVICE void Apply(unsigned, uint64_t (&)[kWords]) const {}
    };

    // Plus: limbs of what is added, and the power, as sums of two words.
    struct Plus {
        const recombine_more &more;
        uint64_t count, low[Warp::kLimbs], high[Warp::kLimbs];

        DEVICE Plus(const recombine_more &of, uint64_t coefficients)
            : more(of), count(coefficients) {}
        DEVICE void Read(uint64_t at) {
#pragma unroll
            for (unsigned k = 0; k < Warp::kLimbs; k++) {
                low[k] = at + k == more.one_at ? 1 : 0;
                high[k] = 0;
            }
            for (uint64_t j = at; at < count && j < more.n; j += count) {
#pragma unroll
                for (unsigned k = 0; k < Warp::kLimbs; k++) {
                    const uint64_t limb = at + k < count && j + k < more.n ? more.p[j + k] : 0;
                    low[k] += limb;
                    high[k] += low[k] < limb ? 1 : 0;
                }
            }
        }
        DEVICE void Apply(unsigned k, uint64_t (&c)[kWords]) const {
            const uint64_t sum[kWords] = {low[k], high[k]};
            AddWords<kWords>(c, sum, 0);
        }
    };

    struct alignas(16) Pair {
        double low, high;
    };
};

// TermSource: the same of up to RECOMBINE_TERMS products, with a term for each.
struct TermSource : ResidueSource<true> {
    static constexpr unsigned kBlocks = 2, kMostBlocks = kBlocks;

    recombine_term term[RECOMBINE_TERMS];

    DEVICE carry_state Take(const Warp &warp, unsigned product, uint64_t *, Warp::Limbs &b) const {
        if (warp.BelowRow()) {
            b.TakeNothing(true);
        } else {
            TakeVectors(warp, residues.x + product * stride, b, Term(term[product]));
        }
        return warp.TakeSpill(b);
    }

    // Term: what coefficients become.
    struct Term {
        const recombine_term &t;
        uint64_t from, limb[Warp::kLimbs];

        DEVICE explicit Term(const recombine_term &of) : t(of) {}
        DEVICE void Read(uint64_t at) {
            from = at;
#pragma unroll
            for (unsigned k = 0; k < Warp::kLimbs; k++) {
                limb[k] = at + k - t.at < t.n ? t.p[at + k - t.at] : 0;
            }
        }
        DEVICE void Apply(unsigned k, uint64_t (&c)[kWords]) const {
            uint64_t own[kWords] = {};
            own[0] = word_mul(&own[1], limb[k], t.times);
            AddSigned(c, own, t.less);
            uint64_t sum[kWords] = {from + k == t.one_at ? UINT64_C(1) : 0};
            AddSigned(sum, c, t.negative);
#pragma unroll
            for (unsigned j = 0; j < kWords; j++) {
                c[j] = sum[j];
            }
        }
    };
    DEVICE static void AddSigned(uint64_t (&c)[kWords], const uint64_t (&by)[kWords], bool less) {
        const uint64_t mask = less ? ~UINT64_C(0) : 0;
        uint64_t own[kWords];
#pragma unroll
        for (unsigned j = 0; j < kWords; j++) {
            own[j] = by[j] ^ mask;
        }
        AddWords<kWords>(c, own, less ? 1 : 0);
    }
};

// GarnerSource: coefficients of more than three primes, of one product. A lane's limbs begin with
// none or several of them, at places of its own unless they are two limbs apart (kTwoLimbs), so a
// warp computes all of its coefficients first, one a lane at a time, and then makes limbs of them.
// kPlus: `more` is added; its power is below 2 residues.count, or there is none.
template <unsigned kPrimes, bool kTwoLimbs, bool kPlus = false>
struct GarnerSource {
    static_assert(kTwoLimbs || !kPlus, "what is added has a limb for each half of a coefficient");
    static constexpr unsigned kEach = ModularGarner<kPrimes>::kWords;
    using Warp = LimbsWarp<kEach, 8>;
    static constexpr unsigned kBlocks = 4, kMostBlocks = 4;
    static constexpr bool kBatches = false;

    recombine_residues residues;
    ModularGarner<kPrimes> garner;
    unsigned stage_words;  // of as many coefficients as may begin in 32 lanes' limbs
    recombine_more more;

    explicit GarnerSource(const recombine_residues &of, const recombine_more &plus = {})
        : residues(of),
          garner(MakeModularGarner<kPrimes>(of.second ? fft_second_primes : fft_primes)),
          stage_words(Place(64 * kWarp * Warp::kLimbs / of.bits + 1)),
          more(plus) {}

    HOST_DEVICE unsigned StageWords() const { return stage_words; }

    // Where coefficient i stands: half a warp's that follow each other, and, five words long, every
    // fourth one of a warp's, are in different banks.
    HOST_DEVICE static unsigned Place(unsigned i) { return i * kEach + i / (kEach % 2 ? 16 : 4); }

    DEVICE void Compute(const Warp &warp, unsigned count, uint64_t *stage) const {
        const double *const x = residues.x + warp.begin;
#pragma unroll 1
        for (unsigned i = Lane(); i < count; i += kWarp) {
            double r[kPrimes];
            uint64_t c[kEach];
#pragma unroll
            for (unsigned p = 0; p < kPrimes; p++) {
                r[p] = x[i + p * residues.plane];
            }
            uint64_t sum[kEach] = {};
            if constexpr (kPlus) {
                Add(warp.begin + i, sum);
            }
            garner.Coefficient(r, c);
            if constexpr (kPlus) {
                AddWords<kEach>(c, sum, 0);
            }
#pragma unroll
            for (unsigned j = 0; j < kEach; j++) {
                stage[Place(i) + j] = c[j];
            }
        }
    }

    // Add: what is added to coefficient i, three words.
    DEVICE void Add(uint64_t i, uint64_t (&sum)[kEach]) const {
        const bool one = i == more.one_at / 2;
        sum[0] = one && more.one_at % 2 == 0 ? 1 : 0;
        sum[1] = one && more.one_at % 2 == 1 ? 1 : 0;
        for (uint64_t j = 2 * i; j < more.n; j += 2 * residues.count) {
            const uint64_t limbs[kEach] = {more.p[j], j + 1 < more.n ? more.p[j + 1] : 0};
            AddWords<kEach>(sum, limbs, 0);
        }
    }

    DEVICE carry_state Take(const Warp &warp, unsigned, uint64_t *stage,
                            typename Warp::Limbs &b) const {
        const unsigned count = warp.Count(), w = warp.d.w;
        __syncwarp();  // all lanes have what they wanted of the stretch before
        Compute(warp, count, stage);
        __syncwarp();
        const auto read = [&](unsigned i, uint64_t(&c)[kEach]) {
#pragma unroll
            for (unsigned j = 0; j < kEach; j++) {
                c[j] = i < count ? stage[Place(i) + j] : 0;
            }
        };
        if (warp.BelowRow()) {
            b.TakeNothing(true);
        } else if constexpr (kTwoLimbs) {
            b.template TakeAligned<2>(warp.FirstBit() / 128, true, read);
        } else {
            const unsigned bit = warp.FirstBit(), i = warp.Below(bit);
            b.Take(i, warp.begin_bit + i * w - bit, w, true, read);
        }
        return warp.TakeSpill(b);
    }
};

__global__ void SignKernel(recombine_signs signs) {
    WaitForKernelBefore();
    *signs.r = *signs.a ^ *signs.b;
}

// Recombine: recombine_device, or a batch whose residues are `stride` doubles apart.
result Recombine(const product_rows &rows, uint64_t rn, const recombine_signs &signs,
                 const recombine_residues &residues, uint64_t stride, void *workspace, size_t bytes,
                 cuda_stream stream) {
    const unsigned primes = residues.primes, bits = residues.bits;
    const unsigned least = primes == 3  ? LimbsWarp<kWords>::Limbs::kLeastClose
                           : primes < 6 ? 65
                                        : 128;
    if (bits < least || bits > (primes == 3 ? 64 : 128) ||
        (residues.second && primes != FFT_SECOND_PRIMES)) {
        return RESULT_REFUSED;
    }
    const auto run = [&](const auto &source) {
        return LaunchRecombine(source, rows, rn, residues.count, bits, residues.stretches, signs,
                               workspace, bytes, stream);
    };
    switch (primes) {
        case 3:
            return bits == 64 ? run(ResidueSource<true>{residues, stride, MakeModularCrt(), {}})
                              : run(ResidueSource<false>{residues, stride, MakeModularCrt(), {}});
        case 4:
            return run(GarnerSource<4, false>(residues));
        case 5:
            return run(GarnerSource<5, false>(residues));
        case 6:
            return run(GarnerSource<6, true>(residues));
        default:
            return RESULT_REFUSED;
    }
}

}  // namespace

// Stretches of more primes are longer.
size_t recombine_rows_bytes(uint64_t rn, uint64_t count) {
    return RecombineBytes(rn, ResidueSource<true>::Warp::kItems, count);
}
size_t recombine_device_bytes(uint64_t rn) { return recombine_rows_bytes(rn, 1); }

result recombine_device(uint64_t *rp, uint64_t rn, const recombine_signs *signs,
                        const recombine_residues *residues, void *workspace, size_t bytes,
                        cuda_stream stream) {
    return Recombine(product_rows_of({rp, nullptr, nullptr, rn, 0, 0}), rn, *signs, *residues, 0,
                     workspace, bytes, stream);
}

result recombine_device_plus(uint64_t *rp, uint64_t rn, const recombine_more *more,
                             const recombine_residues *residues, void *workspace, size_t bytes,
                             cuda_stream stream) {
    const uint64_t count = residues->count, limbs = residues->bits / 64 * count;
    const bool words = residues->primes == kPrimes && residues->bits == 64,
               pairs = residues->primes == 6 && residues->bits == 128;
    if (!(words || pairs) || residues->second || count == 0) {
        return RESULT_REFUSED;
    }
    assert(more->n >> 16 < limbs);  // so that what is added to a coefficient fits its words
    recombine_more own = *more;
    own.one_at = own.one_at == UINT64_MAX ? UINT64_MAX : own.one_at % limbs;
    const auto run = [&](const auto &source) {
        return LaunchRecombine(source, product_rows_of({rp, nullptr, nullptr, rn, 0, 0}), rn, count,
                               residues->bits, residues->stretches, {}, workspace, bytes, stream);
    };
    return words ? run(ResidueSource<true, true>{*residues, 0, MakeModularCrt(), own})
                 : run(GarnerSource<6, true, true>(*residues, own));
}

result recombine_rows(const product_rows *rows, uint64_t rn, const recombine_residues *residues,
                      uint64_t stride, void *workspace, size_t bytes, cuda_stream stream) {
    return Recombine(*rows, rn, {}, *residues, stride, workspace, bytes, stream);
}

result recombine_rows_terms(const product_rows *rows, uint64_t rn, const recombine_term *terms,
                            const recombine_residues *residues, uint64_t stride, void *workspace,
                            size_t bytes, cuda_stream stream) {
    if (residues->primes != kPrimes || residues->bits != 64 || rows->items != nullptr ||
        rows->count > RECOMBINE_TERMS) {
        return RESULT_REFUSED;
    }
    TermSource source = {{*residues, stride, MakeModularCrt(), {}}, {}};
    std::copy_n(terms, rows->count, source.term);
    return LaunchRecombine(source, *rows, rn, residues->count, 64, residues->stretches, {},
                           workspace, bytes, stream);
}

result recombine_device_sign(const recombine_signs *signs, cuda_stream stream) {
    return LaunchEarly(SignKernel, 1, 1, 0, stream, *signs) == cudaSuccess ? RESULT_OK
                                                                           : RESULT_DEVICE_ERROR;
}
