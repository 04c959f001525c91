// powers.cuh: powers by windows in any ring (ring.cuh), and how a number is loaded and stored.
// Moduli are in powers_modulo.cuh. Includes ring.cuh, number.cuh and powm_device.h. Valid on: any
// device, the emulation.
//
// kFull: M may be nearly R, so that a square of less than 2 M need not be below that. kAlone: a
// warp has one group. Rings for powers also have Product, r = a times the factor, and Square, r =
// r^(2^times).
#ifndef PRIMITIVES_RESIDUES_POWERS_CUH_
#define PRIMITIVES_RESIDUES_POWERS_CUH_

#include "primitives/residues/number.cuh"
#include "primitives/residues/powm_device.h"
#include "primitives/residues/ring.cuh"

namespace powm {

struct Job {
    powm_device_plan plan;
    powm_device_batch batch;
    void *tables;  // powm_device_entries powers for each group of the grid, in a ring's digits
};

// The powers of one group of lanes.
template <class AnyRing>
struct Powers {
    using Ring = AnyRing;
    using Digit = typename Ring::Digit;
    using Digits = typename Ring::Digits;
    static constexpr unsigned kEach = Ring::kEach;
    const Job &job;
    Ring ring;
    Digit *table;

    DEVICE Powers(const Job &of, LaneGroup group, typename Ring::Shared *own, uint64_t slot)
        : job(of),
          ring(group, own),
          table((Digit *)of.tables + slot * powm_device_entries(of.plan.window) * ring.digits) {}

    // Load: r = the digits of x from that bit on.
    DEVICE void Load(Digits &r, const Number &x, uint64_t bit) const {
#pragma unroll
        for (unsigned j = 0; j < kEach; j++) {
            r[j] = Ring::ToDigit(x.Digit<Ring::kBits>(bit + (uint64_t)Ring::kBits * ring.Place(j)));
        }
    }

    // Store: {x} = r in all its limbs, where `real`. The table's begin is where digits meet.
    DEVICE void Store(const Number &x, const Digits &r, bool real) const {
        PutEntry(0, r);
        __syncwarp();
        if (real && ring.group.owns) {
            PutLimbs<Ring::kBits>(x, ring.group.rank, ring.group.lanes, ring.digits, 0,
                                  [&](uint64_t i) { return Ring::Of(table[i]); });
        }
        __syncwarp();
    }

    // PutEntry: power `entry` of the table.
    DEVICE void PutEntry(unsigned entry, const Digits &r) const {
#pragma unroll
        for (unsigned j = 0; j < kEach; j++) {
            if (ring.group.owns) {
                table[entry * ring.digits + ring.Place(j)] = r[j];
            }
        }
    }

    // Of secret entries loads under way, and digits at once, as registers allow.
    static constexpr unsigned kLoads = 20, kAtOnce = kEach < 10 ? kEach : 10;

    // ReadEntry: of one of the table's powers the digits at `first`, first + step and so on. Where
    // nothing is secret all loads are under way before one is waited for; else all powers are read,
    // with masks.
    DEVICE void ReadEntry(Digits &r, unsigned entry, unsigned first, unsigned step) const {
        const Digit *const from = table + first;
        if (job.batch.secret) {
#pragma unroll
            for (unsigned k = 0; k < kEach; k += kAtOnce) {
                uint64_t digit[kAtOnce] = {};
#pragma unroll(kLoads / kAtOnce)
                for (unsigned i = 0; i < 1u << job.plan.window; i++) {
                    const uint64_t mask = 0 - (uint64_t)(i == entry);
#pragma unroll
                    for (unsigned j = k; j < min(k + kAtOnce, kEach); j++) {
                        digit[j - k] |= Ring::Of(from[i * ring.digits + j * step]) & mask;
                    }
                }
#pragma unroll
                for (unsigned j = k; j < min(k + kAtOnce, kEach); j++) {
                    r[j] = Ring::ToDigit(digit[j - k]);
                }
            }
            return;
        }
#pragma unroll
        for (unsigned j = 0; j < kEach; j++) {
            r[j] = from[entry * ring.digits + j * step];
        }
    }

    DEVICE void GetEntry(Digits &r, unsigned entry) const { ReadEntry(r, entry, ring.Place(0), 1); }

    // FactorFromTable: PutFactor of a power of the table, neighbouring lanes at neighbouring
    // places.
    DEVICE void FactorFromTable(unsigned entry) const {
        Digits r;
        __syncwarp();
        ReadEntry(r, entry, ring.group.rank, ring.group.lanes);
#pragma unroll
        for (unsigned j = 0; j < kEach; j++) {
            if (ring.group.owns) {
                ring.factor[ring.group.rank + j * ring.group.lanes] = r[j];
            }
        }
        __syncwarp();
    }

    // ExponentBits: of the longest exponent among the warp's groups; of secret ones the length that
    // is announced.
    DEVICE unsigned ExponentBits(const Number &e) const {
        uint64_t bits = job.batch.secret ? 64 * e.n : 0;
        for (uint64_t i = ring.group.rank; i < e.n && !job.batch.secret; i += ring.group.lanes) {
            if (e.p[i] != 0) {
                bits = 64 * i + BitLength(e.p[i]);
            }
        }
        return __reduce_max_sync(kAllLanes, (unsigned)bits);
    }

    // Power: r = r^e; the table begins with the ring's one. Groups of a warp go in step.
    DEVICE void Power(Digits &r, const Number &e) const {
        if (Ring::kAlone && !job.batch.secret) {
            SlidingPower(r, e);
        } else {
            FixedPower(r, e);
        }
    }

    // Window: bits [begin, begin + window) of the exponent.
    DEVICE unsigned Window(const Number &e, unsigned begin) const {
        return (unsigned)e.Digit<Ring::kBits>(begin) & ((1u << job.plan.window) - 1);
    }

    // FixedPower: Power by fixed windows. Entry i of the table is power i.
    DEVICE void FixedPower(Digits &r, const Number &e) const {
        const unsigned window = job.plan.window, bits = ExponentBits(e);
        PutEntry(1, r);
        for (unsigned i = 2; i < 1u << window; i++) {
            FactorFromTable(1);
            ring.Product(r, r);
            PutEntry(i, r);
        }
        unsigned left = bits == 0 ? 0 : (bits - 1) / window * window;
        __syncwarp();  // lanes that no group has read what the first group wrote
        GetEntry(r, Window(e, left));
        while (left > 0) {
            ring.Square(r, window);
            left -= window;
            const unsigned entry = Window(e, left);
            // If any group has a product.
            if (job.batch.secret || __any_sync(kAllLanes, entry != 0)) {
                FactorFromTable(entry);
                ring.Product(r, r);
            }
        }
    }

    // SlidingPower: Power by windows of at most window + 1 bits that begin and end with a one bit,
    // of a warp's only group. Entry i of the table is power 2 i - 1.
    DEVICE void SlidingPower(Digits &r, const Number &e) const {
        const unsigned last = 1u << job.plan.window;
        PutEntry(1, r);
        ring.PutFactor(r);
        ring.Product(r, r);
        PutEntry(last, r);  // the square, until that entry is made
        __syncwarp();
        GetEntry(r, 1);
        for (unsigned i = 2; i <= last; i++) {
            FactorFromTable(last);
            ring.Product(r, r);
            PutEntry(i, r);
        }
        unsigned left = ExponentBits(e), entry = 0;
        if (left > 0) {
            NextWindow(e, &left, &entry);
        }
        __syncwarp();
        GetEntry(r, entry);
        while (left > 0) {
            ring.Square(r, NextWindow(e, &left, &entry));
            if (entry != 0) {
                FactorFromTable(entry);
                ring.Product(r, r);
            }
        }
    }

    // NextWindow: of the lowest `left` > 0 bits the zeros on top and a window, 2 entry - 1. Returns
    // how many bits these are. In a long run of zeros it may take only zeros and no window: entry
    // is 0.
    DEVICE unsigned NextWindow(const Number &e, unsigned *left, unsigned *entry) const {
        constexpr unsigned kSeen = 32;
        const unsigned seen = min(*left, kSeen);
        const uint32_t top = (uint32_t)e.Digit<kSeen>(*left - seen) << (kSeen - seen);
        const unsigned zeros = (unsigned)__clz((int)top);
        unsigned bits = min(zeros, seen);
        *entry = 0;
        if (zeros == 0 || zeros + job.plan.window < kSeen) {  // else its end may not be seen
            const unsigned most = min(job.plan.window + 1, seen - zeros);
            const uint32_t window = top << zeros >> (kSeen - most);
            const unsigned unused = (unsigned)__ffs((int)window) - 1;
            bits += most - unused;
            *entry = ((window >> unused) + 1) / 2;
        }
        *left -= bits;
        return bits;
    }
};

}  // namespace powm

#endif  // PRIMITIVES_RESIDUES_POWERS_CUH_
