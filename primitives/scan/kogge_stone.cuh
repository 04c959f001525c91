// kogge_stone.cuh: Kogge and Stone's circuit over tiles: at level l a tile takes the value of the
// tile 2^l before it, so every tile works at every level and every value is read once. The papers'
// scan of that name (BPLG-KS-SC) is this circuit over the lanes and warps of one block, as within a
// tile. Here the circuit extends over the device, without a launch for each level.
//
// AGPU counts (n elements, b words a transfer, p cores, T tiles): time O(n / p + log T), of which
// the circuit takes log T levels one after another; T log T operations between tiles; I/O 2 n / b +
// 2 T log T words of status; one launch; shared words: one a warp. Fan-out 1.
#ifndef PRIMITIVES_SCAN_KOGGE_STONE_CUH_
#define PRIMITIVES_SCAN_KOGGE_STONE_CUH_

#include "primitives/scan/circuit.cuh"

struct KoggeStoneCircuit {
    static unsigned Levels(unsigned log) { return log; }
    static uint64_t Words(uint64_t tiles, unsigned levels) { return tiles * levels; }
    DEVICE static int64_t Source(uint32_t tile, unsigned level, unsigned) {
        return (int64_t)tile - ((int64_t)1 << level);
    }
    DEVICE static unsigned At(unsigned level, unsigned) { return level; }
    DEVICE static bool Publishes(uint32_t, unsigned level, unsigned levels) {
        return level < levels;
    }
    DEVICE static uint32_t Word(uint32_t tile, unsigned level, unsigned levels) {
        return tile * levels + level;
    }
};

template <class M>
using ScanKoggeStone = ScanCircuit<M, KoggeStoneCircuit>;

#endif  // PRIMITIVES_SCAN_KOGGE_STONE_CUH_
