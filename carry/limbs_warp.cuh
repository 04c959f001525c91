// limbs_warp.cuh: what one warp does in radix 2^w. It brings the coefficients of its limbs to
// shared memory; each lane turns some into a block of limbs (limbs.cuh) and adds the spill of the
// lane below. Shared by both kernels of radix 2^w; independent of other warps. Includes
// device_job.cuh.
//
// Lane 0 repeats the work of the last lane of the warp before, so that no spill crosses warps: 1/32
// of the arithmetic in place of a barrier and an exchange. A carry passes through it unchanged,
// because its block is the lower neighbour's.
#ifndef CARRY_LIMBS_WARP_CUH_
#define CARRY_LIMBS_WARP_CUH_

#include "carry/device_job.cuh"
#include "carry/limbs.cuh"

template <unsigned kWords, unsigned kLimbsOfLane = (kWords <= 4 ? 4 : 8)>
struct LimbsWarp {
    static constexpr unsigned kLimbs = kLimbsOfLane;
    static constexpr unsigned kItems = (kWarp - 1) * kLimbs;  // of a warp
    using Limbs = CarryLimbs<kWords, kLimbs>;

    // In shared memory one word is left out after every 2^kPadShift coefficients, so that lanes
    // that read the coefficients of their limbs at the same time meet in few banks: with w = 64, or
    // 16 for coefficients of one word, a lane's are an odd number of words from its neighbour's.
    static constexpr unsigned kPadShift = kWords == 1 ? 4 : kLimbs == 4 ? 2 : 3;
    HOST_DEVICE static constexpr unsigned Padded(unsigned word) {
        return word + word / (kWords << kPadShift);
    }

    // Words of shared memory for a warp's coefficients.
    static uint64_t StageWords(unsigned w) {
        const unsigned coefficients = (kWarp * kLimbs * 64 + w - 1) / w + 1;
        return Padded(coefficients * kWords) + 1;
    }

    const CarryData &d;
    uint64_t row;
    int64_t first;       // the warp's first limb, lane 0's: below 0 at the bottom of a row
    uint64_t begin;      // the first coefficient that begins in the warp's limbs
    unsigned begin_bit;  // where it begins, counted from the warp's first limb that is not below 0

    // The warp of limbs from .. from + kItems - 1 of a row.
    DEVICE LimbsWarp(const CarryData &data, uint64_t tile_row, uint64_t from)
        : d(data), row(tile_row), first((int64_t)from - (int64_t)kLimbs) {
        const uint64_t bits = first <= 0 ? 0 : 64 * (uint64_t)first;
        if (d.w == 64) {
            begin = bits / 64;
            begin_bit = 0;
            return;
        }
        // ceil(bits / w), as bits < 2^47
        const unsigned shift = d.by_w.shift;
        uint64_t rest;
        begin = word_div_step(&rest, bits >> 1 >> (63 - shift), bits << shift, &d.by_w);
        const unsigned over = (unsigned)(rest >> shift);
        begin += over != 0 ? 1 : 0;
        begin_bit = over != 0 ? d.w - over : 0;
    }

    DEVICE int64_t FirstOfLane() const { return first + (int64_t)(Lane() * kLimbs); }

    // The number of coefficients, counted from begin, that begin below bit `bit` of the warp, bit
    // <= 2^14: ceil((bit - begin_bit) / w). What is divided is below 2^15, so multiplying by the
    // reciprocal gives less than 2^-17 < 1 / w too much, and the integral part is right.
    DEVICE unsigned Below(unsigned bit) const {
        const uint64_t up = bit - begin_bit + d.w - 1;
        return bit <= begin_bit ? 0 : (unsigned)(up * d.reciprocal >> 32);
    }

    // The warp's coefficients that there are.
    DEVICE unsigned Count() const {
        const unsigned count = Below(64 * kWarp * kLimbs - (first < 0 ? 64 * kLimbs : 0));
        return begin + count <= d.n ? count : begin < d.n ? (unsigned)(d.n - begin) : 0;
    }

    // Fetch begins to copy the coefficients to shared memory, and commits one group. CopyWait by
    // all lanes and __syncwarp() must come before Take.
    DEVICE void Fetch(uint64_t *stage) const {
        const unsigned words = Count() * kWords;
        const uint64_t from = (row * d.n + begin) * kWords;
        if (kWords == 1 && d.form == CARRY_S32) {
            for (unsigned j = Lane(); j < words; j += kWarp) {
                CopyAsync4((uint32_t *)stage + Padded(j), (const uint32_t *)d.c + from + j);
            }
        } else {
            for (unsigned j = Lane(); j < words; j += kWarp) {
                CopyAsync8(stage + Padded(j), (const uint64_t *)d.c + from + j);
            }
        }
        CopyCommit();
    }

    // Coefficient begin + i, of `count`. Only coefficients of one word have another form than
    // words.
    template <bool kStaged>
    DEVICE void Read(const uint64_t *stage, unsigned i, unsigned count,
                     uint64_t (&c)[kWords]) const {
#pragma unroll
        for (unsigned j = 0; j < kWords; j++) {
            c[j] = 0;
            if (i < count) {
                const uint64_t at = kStaged ? i * kWords + (i >> kPadShift) + j
                                            : (row * d.n + begin + i) * kWords + j;
                const uint64_t *from = kStaged ? stage : (const uint64_t *)d.c;
                c[j] = kWords == 1 ? d.Word(from, at) : from[at];
            }
        }
    }

    // The lane that repeats nothing, there being nothing below it: it takes Limbs::TakeNothing.
    DEVICE bool BelowRow() const { return first < 0 && Lane() == 0; }
    // The lane's first bit, counted as begin_bit is; not of that lane.
    DEVICE unsigned FirstBit() const { return 64 * kLimbs * (Lane() - (first < 0 ? 1 : 0)); }

    // TakeSpill adds the spill from below to the lane's limbs, all lanes having taken theirs, and
    // returns what they do to a carry.
    DEVICE carry_state TakeSpill(Limbs &b) const {
        uint64_t spill[kWords];
#pragma unroll
        for (unsigned j = 0; j < kWords; j++) {
            spill[j] = ShuffleUp(b.spill[j], 1);
        }
        return Lane() == 0 ? CARRY_PROPAGATE : b.AddSpill(spill);
    }

    // Take makes the lane's limbs of what read(i, c) gives for coefficient begin + i, with the
    // spill from below, and returns what they do to a carry.
    template <class Read>
    DEVICE carry_state Take(Read read, Limbs &b) const {
        const bool below_row = BelowRow();
        const unsigned bit = FirstBit();
        if (below_row) {
            b.TakeNothing(d.is_signed);
        } else if (d.w == 64) {
            b.TakeAligned(bit / 64, d.is_signed, read);
        } else {
            const unsigned i = Below(bit);
            b.Take(i, begin_bit + i * d.w - bit, d.w, d.is_signed, read);
        }
        return TakeSpill(b);
    }

    // The same from memory. kStaged: coefficients are in `stage`; otherwise they are read from
    // global memory.
    template <bool kStaged>
    DEVICE carry_state TakeWords(const uint64_t *stage, Limbs &b) const {
        const unsigned count = Count();
        return Take([&](unsigned i, uint64_t(&c)[kWords]) { Read<kStaged>(stage, i, count, c); },
                    b);
    }

    // AddCarry adds 1 to the lane's limbs where they have been stored.
    DEVICE void AddCarry() const {
        const uint64_t own = (uint64_t)FirstOfLane();
        for (unsigned o = 0; o < kLimbs && Lane() > 0 && own + o < d.out; o++) {
            uint64_t &limb = d.r[row * d.out + own + o];
            limb++;
            if (limb != 0) {
                return;
            }
        }
    }

    // Store writes the lane's limbs; lane 0 has none of its own.
    DEVICE void Store(const Limbs &b) const {
        const uint64_t own = (uint64_t)FirstOfLane();
        if (Lane() == 0) {
            return;
        }
        if (d.vectors && own + kLimbs <= d.out) {
#pragma unroll
            for (unsigned o = 0; o < kLimbs; o += 2) {
                *(Word128 *)(d.r + row * d.out + own + o) = {b.limb[o], b.limb[o + 1]};
            }
            return;
        }
#pragma unroll
        for (unsigned o = 0; o < kLimbs; o++) {
            d.Write(row, own + o, b.limb[o]);
        }
    }
};

#endif  // CARRY_LIMBS_WARP_CUH_
