// ladner_fischer.cuh: Ladner and Fischer's circuit of least depth (Sklansky's) over tiles, and
// over the lanes of their warps: at level l the tiles of the right half of each group of 2^(l+1)
// take the value of the last tile of the left half. The papers' scan of that name (BPLG-LF-SC) is
// this circuit over the lanes and warps of one block; here it goes on over the device, without a
// launch for each level.
//
// A tile is the last of a left half at one level only, as many as its number ends in ones: it
// publishes one word.
//
// AGPU counts (n elements, b words a transfer, p cores, T tiles): time O(n / p + log T), of which
// the circuit takes log T levels one after another; (T / 2) log T operations between tiles; I/O
// 2 n / b + T words of status written and (T / 2) log T read; one launch; shared words: one a warp.
// Fan-out up to T / 2.
#ifndef PRIMITIVES_SCAN_LADNER_FISCHER_CUH_
#define PRIMITIVES_SCAN_LADNER_FISCHER_CUH_

#include "primitives/scan/circuit.cuh"

struct LadnerFischerCircuit {
    static unsigned Levels(unsigned log) { return log; }
    static uint64_t Words(uint64_t tiles, unsigned) { return tiles; }
    DEVICE static int64_t Source(uint32_t tile, unsigned level, unsigned) {
        const uint32_t half = 1u << level;
        return (tile & half) == 0 ? tile : (tile & ~(2 * half - 1)) + half - 1;
    }
    DEVICE static unsigned At(unsigned level, unsigned) { return level; }
    DEVICE static bool Publishes(uint32_t tile, unsigned level, unsigned levels) {
        return level < levels && (tile & ((2u << level) - 1)) == (1u << level) - 1;
    }
    DEVICE static uint32_t Word(uint32_t tile, unsigned, unsigned) { return tile; }
};

template <class M>
using ScanLadnerFischer = ScanCircuit<LadnerFischer<M>, LadnerFischerCircuit>;

#endif  // PRIMITIVES_SCAN_LADNER_FISCHER_CUH_
