// pass_mixed.cuh: the kernel of one pass whose nodes are known when it runs: a block takes a tile
// of lines through them in shared memory, each thread one DFT at a time in registers. Includes DFTs
// and roots.
#ifndef FFT_PASS_MIXED_CUH_
#define FFT_PASS_MIXED_CUH_

#include "fft/dft_mixed.cuh"
#include "fft/pass_mixed.h"
#include "fft/root_any.h"

DEVICE unsigned Divide(unsigned i, MixedDivisor by) {
    return (unsigned)(((uint64_t)(i + 1) * by.m) >> 32);
}

// exp(-2 pi i e / order).
template <class Real>
DEVICE Complex<Real> RootOfAny(uint64_t e, uint64_t order, double inverse) {
    const fft_root_f64 w = fft_root_any(e, order, inverse);
    return {(Real)w.re, (Real)-w.im};
}

// A thread's part of a pass. Threads are numbered along lines, so a thread's DFTs are all of one
// line, but where rows are loaded or stored: there along points.
template <class Real>
struct MixedPass {
    using Item = Complex<Real>;

    const MixedJob &job;
    Item *tile, *steps;  // shared: the tile; [k][line] of the last node's part of twiddles
    uint64_t first;      // line of the tile
    // Of the thread's own line, where threads are numbered along lines: where its points and its
    // frequencies begin in memory, and the point left.
    uint64_t from, to, left;

    DEVICE void FindLine() {
        const uint64_t own = first + (threadIdx.x & ((1u << job.lg_lines) - 1));
        const uint64_t l = own < job.lines ? own : job.lines - 1;
        uint64_t rest;
        from = fft_divide(l, job.after, job.inverse_after, &left) * job.order + left;
        to = fft_divide(l, job.others, job.inverse_others, &rest) * job.others * job.points + rest;
    }

    // Root k T of order L after is one of the DFT's first frequency times one of the others'.
    DEVICE void PrepareTwiddles() const {
        const MixedNode &last = job.node[job.nodes_n - 1];
        for (unsigned i = threadIdx.x; i < last.radix << job.lg_lines; i += blockDim.x) {
            // of the thread's own line: a block's threads are a multiple of its lines
            const uint64_t k = (uint64_t)(i >> job.lg_lines) * last.groups.d;
            steps[i] = RootOfAny<Real>(k * left, job.order, job.inverse_order);
        }
    }

    // Lanes that are served together, 8 or 16 by the size of an item, differ by a stride of lines,
    // points or places; what is above their bank's bits goes into them too, so that no stride of
    // 2^k, k <= 10, brings more than two of them to a bank.
    DEVICE unsigned Address(unsigned point, unsigned line) const {
        constexpr unsigned kBits = kMixedBankBits<sizeof(Item)>;
        const unsigned at = (point << job.lg_lines) + line;
        return at ^ ((at >> kBits ^ at >> 2 * kBits ^ at >> 3 * kBits) & ((1u << kBits) - 1));
    }

    template <unsigned kRadix>
    DEVICE static void SwapAll(Item *v) {
#pragma unroll
        for (unsigned k = 0; k < kRadix; k++) {
            v[k] = Swapped(v[k]);
        }
    }

    // The DFT number g of the line w.
    template <unsigned kRadix>
    DEVICE void One(const MixedNode &node, unsigned w, unsigned g, bool is_first, bool is_last) {
        // Lines that are not there are loaded as the last one, and not stored.
        const bool there = first + w < job.lines;
        const uint64_t line = there ? first + w : job.lines - 1;
        unsigned t = 0, base;
        if (is_last) {
            base = job.place[g] * kRadix;
        } else {
            const unsigned above = Divide(g, node.points);
            t = g - above * node.points.d;
            base = above * node.points.d * kRadix + t;
        }
        Item own = {};  // computed while registers are free
        if (is_last && job.twiddles) {
            own = RootOfAny<Real>(g * left, job.order, job.inverse_order);
        }
        Item v[kRadix];
        if (is_first) {
            const Item *at = (const Item *)job.in +
                             (job.columns_in ? from + base * job.after : line * job.points + base);
            const size_t step = (size_t)node.points.d * (job.columns_in ? job.after : 1);
#pragma unroll
            for (unsigned k = 0; k < kRadix; k++, at += step) {
                v[k] = *at;
            }
            if (job.swap_in) {
                SwapAll<kRadix>(v);
            }
        } else {
#pragma unroll
            for (unsigned k = 0; k < kRadix; k++) {
                v[k] = tile[Address(base + k * node.points.d, w)];
            }
        }
        MixedDft<kRadix>(v);
        if (!is_last) {
            const Item *root = (const Item *)node.roots + t;
#pragma unroll
            for (unsigned k0 = 0; k0 < kRadix; k0 += 4) {  // as many roots in registers
#pragma unroll
                for (unsigned k = k0 > 0 ? k0 : 1; k < k0 + 4 && k < kRadix; k++) {
                    v[k] = v[k] * root[k * node.points.d];
                }
#pragma unroll
                for (unsigned k = k0; k < k0 + 4 && k < kRadix; k++) {
                    tile[Address(base + k * node.points.d, w)] = v[k];
                }
            }
            return;
        }
        if (job.twiddles) {
#pragma unroll
            for (unsigned k = 0; k < kRadix; k++) {
                v[k] = v[k] * (own * steps[(k << job.lg_lines) + w]);
            }
        }
        if (job.swap_out) {
            SwapAll<kRadix>(v);
        }
        if (there) {
            Item *at =
                (Item *)job.out + (job.columns_out ? to + g * job.others : line * job.points + g);
            const size_t step = (size_t)node.groups.d * (job.columns_out ? job.others : 1);
#pragma unroll
            for (unsigned k = 0; k < kRadix; k++, at += step) {
                *at = v[k];
            }
        }
    }

    template <unsigned kRadix>
    DEVICE void Node(unsigned n) {
        const MixedNode &node = job.node[n];
        const bool is_first = n == 0, is_last = n + 1 == job.nodes_n;
        const bool own_line = (is_first && job.columns_in) || (is_last && job.columns_out);
        const bool by_points = (is_first || is_last) && !own_line;
        const unsigned all = node.groups.d << job.lg_lines;
        for (unsigned i = threadIdx.x; i < all; i += blockDim.x) {
            unsigned w = i & ((1u << job.lg_lines) - 1), g = i >> job.lg_lines;
            if (by_points) {
                w = Divide(i, node.groups);
                g = i - w * node.groups.d;
            }
            One<kRadix>(node, w, g, is_first, is_last);
        }
    }

    template <unsigned kMost>
    DEVICE void Run() {
        if (job.columns_in || job.columns_out) {
            FindLine();
        }
        if (job.twiddles) {
            PrepareTwiddles();
        }
        WaitForKernelBefore();
        for (unsigned n = 0; n < job.nodes_n; n++) {
            if (n > 0 || (job.twiddles && job.nodes_n == 1)) {
                __syncthreads();
            }
            Switch<kMost>(n);
        }
    }

    // The node of its number of points, at most kRadix.
    template <unsigned kRadix>
    DEVICE void Switch(unsigned n) {
        if constexpr (kRadix == 11 || kRadix == 13) {
            Switch<kRadix - 1>(n);
        } else if constexpr (kRadix >= 2) {
            if (job.node[n].radix == kRadix) {
                Node<kRadix>(n);
            } else {
                Switch<kRadix - 1>(n);
            }
        }
    }
};

template <class Real, unsigned kMost>
__global__ void __launch_bounds__(MixedThreads(kMost)) MixedPassKernel(const MixedJob job) {
    DYNAMIC_SHARED(Complex<Real>, tile);
    MixedPass<Real> pass = {
        job, tile, tile + job.tile_items, (uint64_t)blockIdx.x << job.lg_lines, 0, 0, 0};
    pass.template Run<kMost>();
}

// The roots of a pass's nodes, and the places of its last node's DFTs: digits of the frequency, the
// first node's lowest, are those of the place, the first node's highest.
template <class Real>
__global__ void __launch_bounds__(256) MixedTablesKernel(const MixedJob job) {
    WaitForKernelBefore();
    const unsigned last = job.nodes_n - 1, all = gridDim.x * blockDim.x;
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < job.points; i += all) {
        for (unsigned n = 0; n < last; n++) {
            const unsigned points = job.node[n].points.d, order = job.node[n].radix * points;
            if (i < order) {
                const unsigned k = i / points, t = i % points;
                ((Complex<Real> *)job.node[n].roots)[i] =
                    RootOfAny<Real>((uint64_t)k * t, order, 1.0 / order);
            }
        }
        if (i < job.node[last].groups.d) {
            unsigned place = 0, rest = i;
            for (unsigned n = 0; n < last; n++) {
                place = place * job.node[n].radix + rest % job.node[n].radix;
                rest /= job.node[n].radix;
            }
            job.place[i] = (uint16_t)place;
        }
    }
}

#endif  // FFT_PASS_MIXED_CUH_
