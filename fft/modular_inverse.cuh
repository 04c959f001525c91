// modular_inverse.cuh: the kernel of the inverse columns, which joins the pieces to residues of
// coefficients. Includes modular_columns.cuh and cluster.cuh.
#ifndef FFT_MODULAR_INVERSE_CUH_
#define FFT_MODULAR_INVERSE_CUH_

#include "fft/modular_columns.cuh"
#include "primitives/cluster.cuh"

// How the inverse joins pieces: all are in one thread block, two have one each in a cluster, or
// they are joined later, which is faster for more than two: a block would read all others' shared
// memory.
enum ModularJoin : unsigned { kJoinInBlock, kJoinInCluster, kJoinLater };

// Inverse columns of one tile and prime, of all pieces, and the join, in place. Shape::kThreads
// threads do a piece, and a block of coefficients in the end; shared memory holds a tile for each.
// Unless pieces are in one thread block each part has one. Grid: x tiles, y parts, of a cluster the
// other way round; z primes.
// Cost a point: 3.6 operations on doubles a level, 10 for both twiddles, 1 for two pieces, 6 for
// three, 16 for five, 5 for each of other numbers; reads and writes 8 bytes.
template <unsigned kNodes, unsigned kS, unsigned kLgColumns, unsigned kJoin>
__global__ void __launch_bounds__(1024, 1)
    ModularInverseKernel(const __grid_constant__ ModularColumnsJob job) {
    constexpr unsigned kMode = ModularColumnsMode(kS, kJoin == kJoinLater);
    using Columns = ModularColumns<kNodes, kS, kLgColumns, kMode, kBack>;
    using Shape = typename Columns::Shape;
    DYNAMIC_SHARED(double, shared);
    constexpr bool kInCluster = kJoin == kJoinInCluster;
    const unsigned plane_i = blockIdx.z, prime = job.first + plane_i;
    const unsigned group = kJoin == kJoinInBlock ? threadIdx.x / Shape::kThreads : 0;
    const unsigned lg = Columns::kQ + kLgColumns;
    const unsigned part = kInCluster ? blockIdx.x : kJoin == kJoinInBlock ? group : blockIdx.y;
    const unsigned tile = kInCluster ? blockIdx.y : blockIdx.x;
    const double *tables = job.tables + (size_t)prime * job.places.total;
    Columns c = {{{{shared + ((size_t)group << kS), threadIdx.x % Shape::kThreads, {}},
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
    double *const plane = job.operand[0].plane + job.Plane(plane_i);
    // Before the plane: loads are answered in their order, and these are in a cache.
    const typename Columns::OwnFactors own = c.LoadOwn();
    c.Read(plane);
    c.TwiddleBack(own);
    c.Back();
    if (part > 0) {
        c.template Twist<true>();
    } else {
        c.Reduce();
    }
    if constexpr (kJoin == kJoinInBlock) {
        if (job.parts > 1) {
            c.template Put<0>();
            __syncthreads();
            if (job.parts == 2) {
                c.JoinTwo(shared + ((1 - part) << kS));
            } else if (job.parts == 3) {
                c.template JoinFew<3>(shared);
            } else if (job.parts == 5) {
                c.template JoinFew<5>(shared);
            } else {
                c.JoinAll(shared);
            }
        }
    } else if constexpr (kJoin == kJoinInCluster) {
        c.template Put<0>();
        ClusterArrive();
        ClusterWait();
        c.JoinTwo(ClusterShared(shared, 1 - part));
        ClusterArrive();
    }
    LetKernelAfterBegin();
    c.WriteCoefficients(plane + ((size_t)part << lg));
    if constexpr (kJoin == kJoinInCluster) {
        ClusterWait();  // nobody reads this block's tile any more
    }
}

#endif  // FFT_MODULAR_INVERSE_CUH_
