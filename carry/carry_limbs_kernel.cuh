// carry_limbs_kernel.cuh: the kernel of radix 2^w. A block draws a tile; each warp brings the
// coefficients of its limbs to shared memory, each thread makes a block of limbs of them
// (carry_limbs.cuh), takes the spill of the lane below, and the carries of one ripple
// (carry_ripple.cuh). Instantiated in carry_device.cu.
//
// Lane 0 repeats the work of the last lane of the warp before, so that no spill crosses warps: 1/32
// of the arithmetic in place of a barrier and an exchange. A carry passes through it unchanged,
// because its block is the lower neighbour's.
#ifndef CARRY_CARRY_LIMBS_KERNEL_CUH_
#define CARRY_CARRY_LIMBS_KERNEL_CUH_

#include "carry/carry_data.cuh"
#include "carry/carry_limbs.cuh"

template <unsigned kWords>
struct LimbsTile {
    static constexpr unsigned kLimbs = kWords <= 4 ? 4 : 8;  // of a thread
    static constexpr unsigned kWarps = 8;
    static constexpr unsigned kEach = (kWarp - 1) * kLimbs;  // of a warp
    static constexpr unsigned kItems = kWarps * kEach;
    // More coefficients than this are read from global memory when they are needed.
    static constexpr unsigned kMaxStage = 1024;

    using Limbs = CarryLimbs<kWords, kLimbs>;
    using Ripple = CarryRipple<kWarps>;

    struct Shared {
        typename Ripple::Shared ripple;
        Place at;
    };

    // One word in 17 is left out, so that threads that read neighbouring coefficients at the same
    // time seldom meet in a bank.
    HOST_DEVICE static unsigned Padded(unsigned j) { return j + j / 16; }

    // Shared words for a warp's coefficients, 0 if it goes without.
    static unsigned Stage(unsigned w) {
        const unsigned coefficients = (kWarp * kLimbs * 64 + w - 1) / w + 1;
        const unsigned words = Padded(coefficients * kWords) + 1;
        return words <= kMaxStage ? words : 0;
    }

    // The coefficients [begin, end) that begin in limbs [first, first + 32 kLimbs), first possibly
    // below 0.
    uint64_t begin, end, row_words;
    const CarryData &d;
    uint64_t *stage;

    DEVICE LimbsTile(const CarryData &data, uint64_t row, int64_t first, uint64_t *shared)
        : d(data), stage(shared) {
        begin = first <= 0 ? 0 : word_ceil_div(64 * (uint64_t)first, d.w);
        end = word_ceil_div(64 * (uint64_t)(first + (int64_t)(kWarp * kLimbs)), d.w);
        end = end < d.n ? end : d.n;
        row_words = row * d.n * kWords;
    }

    // Fetch brings them to shared memory; called by the full warp.
    DEVICE void Fetch() const {
        const unsigned words = begin < end ? (unsigned)(end - begin) * kWords : 0;
        const uint64_t from = row_words + begin * kWords;
        if (d.form <= CARRY_S64) {
            for (unsigned j = Lane(); j < words; j += kWarp) {
                CopyAsync8(stage + Padded(j), (const uint64_t *)d.c + from + j);
            }
        } else {
            for (unsigned j = Lane(); j < words; j += kWarp) {
                stage[Padded(j)] = d.Word(from, j);
            }
        }
        CopyCommit();
        CopyWait<0>();
        __syncwarp();
    }

    // Coefficient i, of those in the tile.
    DEVICE void Read(uint64_t i, uint64_t (&c)[kWords]) const {
        const unsigned at = (unsigned)(i - begin) * kWords;
#pragma unroll
        for (unsigned j = 0; j < kWords; j++) {
            c[j] = i >= d.n       ? 0
                   : d.stage != 0 ? stage[Padded(at + j)]
                                  : d.Word(row_words, i * kWords + j);
        }
    }

    DEVICE void Store(uint64_t row, uint64_t first, const Limbs &b) const {
        if (d.vectors && first + kLimbs <= d.out) {
#pragma unroll
            for (unsigned o = 0; o < kLimbs; o += 2) {
                *(Word128 *)(d.r + row * d.out + first + o) = {b.limb[o], b.limb[o + 1]};
            }
            return;
        }
#pragma unroll
        for (unsigned o = 0; o < kLimbs; o++) {
            d.Write(row, first + o, b.limb[o]);
        }
    }
};

template <unsigned kWords>
__global__ void __launch_bounds__(LimbsTile<kWords>::kWarps *kWarp, kWords <= 4 ? 4 : 3)
    CarryLimbsKernel(const CarryData d, const LookBack<CarryStates> look_back) {
    using Tile = LimbsTile<kWords>;
    SHARED(typename Tile::Shared, s);
    DYNAMIC_SHARED(uint64_t, stages);
    if (threadIdx.x == 0) {
        s.at = look_back.counter->Draw(gridDim.x);
    }
    __syncthreads();
    const Place at = s.at;
    const unsigned warp = threadIdx.x / kWarp;
    const uint64_t row = d.Row(at.tile);
    const uint32_t number = d.Number(at.tile);
    const int64_t first_of_warp =
        ((int64_t)number * Tile::kWarps + warp) * Tile::kEach - (int64_t)Tile::kLimbs;
    const int64_t first = first_of_warp + (int64_t)(Lane() * Tile::kLimbs);
    const Tile tile(d, row, first_of_warp, stages + warp * d.stage);
    if (d.stage != 0) {
        tile.Fetch();
    }
    typename Tile::Limbs b;
    if (first >= 0) {
        b.Take((uint64_t)first, d.w, d.is_signed,
               [&](uint64_t i, uint64_t(&c)[kWords]) { tile.Read(i, c); });
    }
    uint64_t below[kWords];
#pragma unroll
    for (unsigned j = 0; j < kWords; j++) {
        const uint64_t spill = first >= 0 ? b.spill[j] : Tile::Limbs::BottomSpill(j, d.is_signed);
        below[j] = ShuffleUp(spill, 1);
    }
    const carry_state mine = Lane() == 0 ? CARRY_PROPAGATE : b.AddSpill(below);
    typename Tile::Ripple ripple;
    const carry_state state = ripple.Tile(mine, s.ripple);
    const unsigned into = Tile::Ripple::Before(look_back, at, state, number == 0);
    const unsigned carry = ripple.Into(into, s.ripple);
    if (Lane() > 0) {
        b.AddCarry(carry);
        tile.Store(row, (uint64_t)first, b);
    }
}

#endif  // CARRY_CARRY_LIMBS_KERNEL_CUH_
