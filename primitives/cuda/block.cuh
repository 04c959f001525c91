// block.cuh: what the warps of a block do together, through shared memory. Called by all threads of
// a block of kWarps full warps. Valid on: any device, the emulation; up to 32 warps.
//
//   function     result                                                     barriers  shared values
//   BlockReduce  the warps' values in order, in every thread of warp 0      1         kWarps
//   ScanTotals   run by one warp: exclusive scan of totals, within rows     0         none
#ifndef PRIMITIVES_CUDA_BLOCK_CUH_
#define PRIMITIVES_CUDA_BLOCK_CUH_

#include "primitives/cuda/warp.cuh"

// BlockReduce combines one value of each warp (its lanes agree) in the warps' order. The result is
// defined in warp 0. A barrier must separate two calls that use the same shared array.
template <class M, unsigned kWarps>
DEVICE typename M::Value BlockReduce(typename M::Value v, typename M::Value (&shared)[kWarps]) {
    if (Lane() == 0) {
        shared[threadIdx.x / kWarp] = v;
    }
    __syncthreads();
    const unsigned lane = Lane();
    return WarpReduce<M>(threadIdx.x < kWarps ? shared[lane % kWarps] : M::Identity());
}

// Consecutive stretches of a sequence in which rows begin here and there ("heads"). A stretch's
// total is the product since its last head, or of all of it if it has none.
template <class M>
struct Totals {
    typename M::Value
        before;  // the calling lane's: the product of the stretches before it, likewise
    bool open;   // no stretch before it has a head: what stands before all of them counts
    typename M::Value all;  // of all stretches, likewise
    bool any_head;
};

// ScanTotals scans kCount <= 32 stretches, one in each of the first lanes; the others' v is
// ignored. Called by one full warp. kSegmented = false promises that there is no head.
template <class M, unsigned kCount, bool kSegmented>
DEVICE Totals<M> ScanTotals(typename M::Value v, bool head) {
    const unsigned below = (1u << Lane()) - 1;
    unsigned heads = 0;
    unsigned start = 0;
    if (kSegmented) {
        heads = __ballot_sync(kAllLanes, head) & kAllLanes >> (kWarp - kCount);
        const unsigned up_to_here = heads & (below | 1u << Lane());
        start = up_to_here != 0 ? kWarp - 1 - (unsigned)__clz((int)up_to_here) : 0;
    }
    const typename M::Value inclusive = WarpScanFrom<M>(v, start);
    Totals<M> t;
    t.before = ShuffleUp(inclusive, 1);
    if (Lane() == 0) {
        t.before = M::Identity();
    }
    t.open = (heads & below) == 0;
    t.all = Broadcast(inclusive, kCount - 1);
    t.any_head = heads != 0;
    return t;
}

#endif  // PRIMITIVES_CUDA_BLOCK_CUH_
