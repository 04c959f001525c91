// inverse.cuh: the kernel of the inverse columns, which joins the pieces to residues of
// coefficients. Includes columns.cuh.
#ifndef FFT_DEVICE_MODULAR_INVERSE_CUH_
#define FFT_DEVICE_MODULAR_INVERSE_CUH_

#include "fft/device/modular/columns.cuh"

// How the inverse joins pieces: all are in one thread block, or they are joined later, which is
// faster than in a cluster. Two pieces are pair.cuh's.
enum ModularJoin : unsigned { kJoinInBlock, kJoinLater };
template <unsigned kNodes, unsigned kS, unsigned kSpread>
using ModularBackShape = PassShape<kNodes, kS, ModularColumnsMode(kS, true, kSpread)>;

// Inverse columns of one tile and prime, of all pieces, and the join, in place. Shape::kThreads
// threads do a piece, and a block of coefficients in the end; shared memory holds a tile for each.
// Unless pieces are in one thread block each part has one, or a cluster of them. Grid: x blocks of
// a tile, then tiles, then items of a batch, y parts, z primes.
// Cost a point: 3.6 operations on doubles a level, 10 for both twiddles, 1 for two pieces, 6 for
// three, 16 for five, 5 for each of other numbers; reads and writes 8 bytes.
template <unsigned kNodes, unsigned kS, unsigned kLgColumns, unsigned kJoin, unsigned kSpread>
__global__ void __launch_bounds__(1024, 1)
    ModularInverseKernel(const __grid_constant__ ModularColumnsJob job) {
    constexpr unsigned kMode = ModularColumnsMode(kS, kJoin == kJoinLater, kSpread);
    using Columns = ModularColumns<kNodes, kS, kLgColumns, kMode, kBack>;
    using Shape = typename Columns::Shape;
    DYNAMIC_SHARED(double, shared);
    static_assert(kJoin == kJoinLater || kSpread == 0, "others do not read what the join puts");
    const unsigned plane_i = blockIdx.z, prime = job.first + plane_i;
    const unsigned group = kJoin == kJoinInBlock ? threadIdx.x / Shape::kThreads : 0;
    const unsigned lg = Columns::kQ + kLgColumns;
    const unsigned part = kJoin == kJoinInBlock ? group : blockIdx.y;
    constexpr unsigned kTiles = 1u << (kLgColumns - Shape::kX);
    const unsigned of_items = blockIdx.x >> kSpread;
    const unsigned tile = of_items % kTiles, item = of_items / kTiles;
    const double *tables = job.tables + (size_t)prime * job.places.total;
    const unsigned thread = Columns::ThreadOf(threadIdx.x % Shape::kThreads);
    Columns c = {{{{shared + ((size_t)group << Shape::kLocal), thread, {}},
                   job.prime[prime],
                   {},
                   1 + group}},
                 job,
                 tables,
                 part,
                 tile << Shape::kX};
    for (unsigned i = 0; i + 1 < Columns::Shape::kNodesN; i++) {
        c.node_roots[i] = tables + job.places.columns[i];
    }
    WaitForKernelBefore();
    double *const plane = job.PlaneOf(0, item, plane_i);
    // Before the plane: loads are answered in their order, and these are in a cache.
    const typename Columns::OwnFactors own = c.LoadOwn();
    c.Read(plane);
    c.TwiddleBack(own);
    c.Back();
    if (job.places.split || part >= job.places.twisted_from) {  // as in columns
        c.template Twist<true>();
    } else {
        c.Reduce();
    }
    if constexpr (kJoin == kJoinInBlock) {
        if (job.parts > 1) {
            c.template Put<0>();
            __syncthreads();
            if (job.parts == 3) {
                c.template JoinFew<3>(shared);
            } else if (job.parts == 5) {
                c.template JoinFew<5>(shared);
            } else {
                c.JoinAll(shared);
            }
        }
    }
    LetKernelAfterBegin();
    c.WriteCoefficients(plane + ((size_t)part << lg));
    c.Leave();
}

#endif  // FFT_DEVICE_MODULAR_INVERSE_CUH_
