// han_carlson.cuh: Han and Carlson's circuit over tiles, and over the lanes of their warps: one
// level of Brent and Kung's tree joins each odd tile with the even one before it, Kogge and Stone's
// circuit runs over the odd tiles, and in the last level each even tile takes the odd one before
// it. One level more than Kogge and Stone's, with half of its operations and words.
//
// AGPU counts (n elements, b words a transfer, p cores, T tiles): time O(n / p + log T), of which
// the circuit takes log T + 1 levels one after another; (T / 2) log T operations between tiles; I/O
// 2 n / b + T (log T + 1) words of status; one launch; shared words: one a warp. Fan-out 1.
#ifndef PRIMITIVES_SCAN_HAN_CARLSON_CUH_
#define PRIMITIVES_SCAN_HAN_CARLSON_CUH_

#include "primitives/scan/circuit.cuh"

struct HanCarlsonCircuit {
    static unsigned Levels(unsigned log) { return log > 0 ? log + 1 : 0; }
    // Of each pair: the even tile's first value, the odd one's of levels 1 .. log - 1, and its
    // last.
    static uint64_t Words(uint64_t tiles, unsigned levels) { return (tiles + 1) / 2 * levels; }

    DEVICE static int64_t Source(uint32_t tile, unsigned level, unsigned levels) {
        const bool odd = tile % 2 != 0;
        if (level + 1 == levels) {
            return odd ? tile : (int64_t)tile - 1;
        }
        return odd ? (int64_t)tile - ((int64_t)1 << level) : tile;
    }
    DEVICE static unsigned At(unsigned level, unsigned levels) {
        return level + 1 == levels ? levels : level;
    }
    DEVICE static bool Publishes(uint32_t tile, unsigned level, unsigned levels) {
        if (tile % 2 == 0) {
            return level == 0 && levels > 0;
        }
        return level > 0 && level + 1 != levels;
    }
    DEVICE static uint32_t Word(uint32_t tile, unsigned level, unsigned levels) {
        return tile / 2 * levels + (level == levels ? levels - 1 : level);
    }
};

// HanCarlson<M> is M, but its warps scan by this circuit: 6 steps, half of the lanes active.
template <class M>
struct HanCarlson : M {};

template <class M>
struct WarpCircuit<HanCarlson<M>> {
    using Value = typename M::Value;

    DEVICE static Value Step(Value v, unsigned start, unsigned by, bool takes) {
        const Value lower = ShuffleUp(v, by);
        return takes && Lane() >= start + by ? M::Combine(lower, v) : v;
    }

    DEVICE static Value Scan(Value v, unsigned start) {
        const bool odd = Lane() % 2 != 0;
#pragma unroll
        for (unsigned by = 1; by < kWarp; by *= 2) {
            v = Step(v, start, by, odd);
        }
        return Step(v, start, 1, !odd);
    }
};

template <class M>
using ScanHanCarlson = ScanCircuit<HanCarlson<M>, HanCarlsonCircuit>;

#endif  // PRIMITIVES_SCAN_HAN_CARLSON_CUH_
