// pass_mixed.cuh: the kernel of one pass whose nodes are known at run time. A block keeps a tile of
// lines in shared memory, and each thread computes one DFT at a time in registers. Includes DFTs
// and roots.
#ifndef FFT_DEVICE_COMPLEX_PASS_MIXED_CUH_
#define FFT_DEVICE_COMPLEX_PASS_MIXED_CUH_

#include "fft/complex/root_any.h"
#include "fft/device/complex/dft_mixed.cuh"
#include "fft/device/complex/pass_mixed.h"

DEVICE unsigned Divide(unsigned i, MixedDivisor by) {
    return (unsigned)(((uint64_t)(i + 1) * by.m) >> 32);
}

// exp(-2 pi i e / order).
template <class Real>
DEVICE Complex<Real> RootOfAny(uint64_t e, uint64_t order, double inverse) {
    const fft_root_f64 w = fft_root_any(e, order, inverse);
    return {(Real)w.re, (Real)-w.im};
}

// An item of a side, with its real part there.
template <class Real>
DEVICE Complex<Real> LoadItem(const Real *at, const MixedSide &side) {
    if (side.whole) {
        return *(const Complex<Real> *)at;
    }
    return {at[0], at[side.gap]};
}
template <class Real>
DEVICE void StoreItem(Real *at, const MixedSide &side, Complex<Real> item) {
    if (side.whole) {
        *(Complex<Real> *)at = item;
    } else {
        at[0] = item.re, at[side.gap] = item.im;
    }
}

// Where a line's points and its frequencies begin in memory, and its point left.
struct MixedLine {
    uint64_t from, to, left;
};

// A thread's part of a pass. Threads are numbered along lines, so a thread's DFTs are all of one
// line, but where no columns are loaded or stored: there along points.
template <class Real>
struct MixedPass {
    using Item = Complex<Real>;

    const MixedJob &job;
    Item *tile, *steps;  // shared: the tile; [k][line] of the last node's part of twiddles
    uint64_t first;      // line of the tile
    MixedLine own;       // the thread's, where threads are numbered along lines

    // Lines that are not there are loaded as the last one, and not stored.
    DEVICE MixedLine FindLine(unsigned w) const {
        const uint64_t there = first + w, l = there < job.lines ? there : job.lines - 1;
        if (job.others == 1) {
            return {l * job.from.distance, l * job.to.distance, 0};
        }
        uint64_t low, left;
        const uint64_t high = fft_divide(l, job.around, job.inverse_around, &low);
        const uint64_t b = job.inner ? low : high, r = job.inner ? high : low;
        const uint64_t k = fft_divide(r, job.after, job.inverse_after, &left);
        return {b * job.from.distance + (k * job.order + left) * job.from.stride,
                b * job.to.distance + r * job.to.stride, left};
    }

    // Root k T of order L after is one of the DFT's first frequency times one of the others'.
    DEVICE void PrepareTwiddles() const {
        const MixedNode &last = job.node[job.nodes_n - 1];
        for (unsigned i = threadIdx.x; i < last.radix << job.lg_lines; i += blockDim.x) {
            // of the thread's own line: a block's threads are a multiple of its lines
            const uint64_t k = (uint64_t)(i >> job.lg_lines) * last.groups.d;
            steps[i] = RootOfAny<Real>(k * own.left, job.order, job.inverse_order);
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

    // The points of the line w from `base` on into the first node's registers.
    template <unsigned kRadix>
    DEVICE void Load(const MixedNode &node, unsigned w, unsigned base, Item *v) const {
        const uint64_t line = job.columns_in ? own.from : FindLine(w).from;
        const uint64_t step = job.after * job.from.stride;
        const Real *at = (const Real *)job.in + (line + base * step);
#pragma unroll
        for (unsigned k = 0; k < kRadix; k++, at += node.points.d * step) {
            v[k] = LoadItem(at, job.from);
        }
        if (job.swap_in) {
            SwapAll<kRadix>(v);
        }
    }

    // The frequencies of the line w from g on out of the last node's registers.
    template <unsigned kRadix>
    DEVICE void Store(const MixedNode &node, unsigned w, unsigned g, const Item *v) const {
        const uint64_t line = job.columns_out ? own.to : FindLine(w).to;
        const uint64_t step = job.others * job.to.stride;
        Real *at = (Real *)job.out + (line + g * step);
#pragma unroll
        for (unsigned k = 0; k < kRadix; k++, at += node.groups.d * step) {
            StoreItem(at, job.to, v[k]);
        }
    }

    // The DFT number g of the line w.
    template <unsigned kRadix>
    DEVICE void One(const MixedNode &node, unsigned w, unsigned g, bool is_first, bool is_last) {
        unsigned t = 0, base;
        if (is_last) {
            base = job.place[g] * kRadix;
        } else {
            const unsigned above = Divide(g, node.points);
            t = g - above * node.points.d;
            base = above * node.points.d * kRadix + t;
        }
        Item root = {};  // computed while registers are free
        if (is_last && job.twiddles) {
            root = RootOfAny<Real>(g * own.left, job.order, job.inverse_order);
        }
        Item v[kRadix];
        if (is_first) {
            Load<kRadix>(node, w, base, v);
        } else {
#pragma unroll
            for (unsigned k = 0; k < kRadix; k++) {
                v[k] = tile[Address(base + k * node.points.d, w)];
            }
        }
        MixedDft<kRadix>(v);
        if (!is_last) {
            const Item *roots = (const Item *)node.roots + t;
#pragma unroll
            for (unsigned k0 = 0; k0 < kRadix; k0 += 4) {  // as many roots in registers
#pragma unroll
                for (unsigned k = k0 > 0 ? k0 : 1; k < k0 + 4 && k < kRadix; k++) {
                    v[k] = v[k] * roots[k * node.points.d];
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
            for (unsigned k0 = 0; k0 < kRadix; k0 += 4) {  // as many roots in registers
#pragma unroll
                for (unsigned k = k0; k < k0 + 4 && k < kRadix; k++) {
                    v[k] = v[k] * (root * steps[(k << job.lg_lines) + w]);
                }
            }
        }
        if (job.swap_out) {
            SwapAll<kRadix>(v);
        }
        if (first + w < job.lines) {
            Store<kRadix>(node, w, g, v);
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
            own = FindLine(threadIdx.x & ((1u << job.lg_lines) - 1));
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
        job, tile, tile + job.tile_items, (uint64_t)blockIdx.x << job.lg_lines, {}};
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

#endif  // FFT_DEVICE_COMPLEX_PASS_MIXED_CUH_
