// brent_kung.cuh: Brent and Kung's circuit over tiles, and over the lanes of their warps: a tree
// up, in which at level l every 2^(l+1)-th tile takes the value of the tile 2^l before it, and a
// tree down, in which every other tile takes what the tree up and down left at the end of the
// stretch before its own. The circuit with the fewest operations. A tile's way down is one level,
// its last, whose source is a tile with more levels up.
//
// A tile publishes its value after its levels up, and its last value if it had any.
//
// AGPU counts (n elements, b words a transfer, p cores, T tiles): time O(n / p + log T), of which
// the circuit takes 2 log T - 2 levels one after another; 2 T - 2 - log T operations between tiles;
// I/O 2 n / b + 3 T / 2 words of status written and 2 T read; one launch; shared words: one a warp.
// Fan-out up to log T. Twice the depth of the other circuits: it loses to them, because tiles wait
// for each other longer, while the operations that it saves are few beside the elements'.
#ifndef PRIMITIVES_SCAN_BRENT_KUNG_CUH_
#define PRIMITIVES_SCAN_BRENT_KUNG_CUH_

#include "primitives/scan/circuit.cuh"

struct BrentKungCircuit {
    static unsigned Levels(unsigned log) { return log > 0 ? log + 1 : 0; }
    static uint64_t Words(uint64_t tiles, unsigned) { return 2 * tiles; }

    // The length of the stretch that the tile stands for after its levels up.
    DEVICE static uint32_t Stretch(uint32_t tile) { return (tile + 1) & ~tile; }

    DEVICE static int64_t Source(uint32_t tile, unsigned level, unsigned levels) {
        if (level + 1 == levels) {
            return (int64_t)tile - Stretch(tile);
        }
        return Stretch(tile) >> level > 1 ? (int64_t)tile - ((int64_t)1 << level) : tile;
    }
    DEVICE static unsigned At(unsigned level, unsigned levels) {
        return level + 1 == levels ? levels : level;
    }
    DEVICE static bool Publishes(uint32_t tile, unsigned level, unsigned levels) {
        return level == levels ? Stretch(tile) > 1
                               : level + 1 < levels && Stretch(tile) == 1u << level;
    }
    DEVICE static uint32_t Word(uint32_t tile, unsigned level, unsigned levels) {
        return 2 * tile + (level == levels ? 1 : 0);
    }
};

// BrentKung<M> is M, but its warps scan by this circuit: 9 steps, 57 operations.
template <class M>
struct BrentKung : M {};

template <class M>
struct WarpCircuit<BrentKung<M>> {
    using Value = typename M::Value;

    // The lanes whose number, counted from 1, is an odd multiple of `by`, or an even one.
    DEVICE static Value Step(Value v, unsigned start, unsigned by, bool odd) {
        const Value lower = ShuffleUp(v, by);
        const unsigned stretches = (Lane() + 1) / by;
        const bool takes = (Lane() + 1) % by == 0 && (stretches % 2 == 1) == odd;
        return takes && Lane() >= start + by ? M::Combine(lower, v) : v;
    }

    DEVICE static Value Scan(Value v, unsigned start) {
#pragma unroll
        for (unsigned by = 1; by < kWarp; by *= 2) {
            v = Step(v, start, by, false);
        }
#pragma unroll
        for (unsigned by = kWarp / 4; by > 0; by /= 2) {
            v = Step(v, start, by, true);
        }
        return v;
    }
};

template <class M>
using ScanBrentKung = ScanCircuit<BrentKung<M>, BrentKungCircuit>;

#endif  // PRIMITIVES_SCAN_BRENT_KUNG_CUH_
