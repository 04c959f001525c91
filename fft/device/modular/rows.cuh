// rows.cuh: the kernel of the rows: transforms rows of both operands, multiplies them, and
// transforms back, in place. Includes residues.cuh and tables.cuh.
#ifndef FFT_DEVICE_MODULAR_ROWS_CUH_
#define FFT_DEVICE_MODULAR_ROWS_CUH_

#include "fft/device/modular/residues.cuh"
#include "fft/device/modular/tables.cuh"

// Grid: x is tiles fastest, then primes; y items of a batch.
struct ModularRowsJob : ModularStep {
    double *x;
    const double *y;
    size_t x_stride, y_stride;  // from an item to the next
    fft_row_mode mode;
    fft_modular_sum sum;  // planes null: none
    unsigned tiles;       // of a prime, all parts
};

// Exchanges of long rows stay within warps: 1.5 % faster on an H200, where middle ones are 11 %
// slower.
HOST_DEVICE constexpr unsigned ModularRowsMode(unsigned s) {
    return s == 12 ? kRows | kWarpsApart : kRows;
}

template <unsigned kNodes, unsigned kS>
struct ModularRows : ModularTile<kNodes, kS, ModularRowsMode(kS)> {
    using Base = ModularTile<kNodes, kS, ModularRowsMode(kS)>;
    using Shape = typename Base::Shape;
    using Base::kItems, Base::kLast, Base::prime, Base::thread, Base::tile, Base::v;
    static constexpr unsigned kQ = Shape::kQ;
    template <unsigned kLayout>
    using ThreadSlots = typename Base::template ThreadSlots<kLayout>;
    template <unsigned kLayout>
    using RegisterSlots = typename Base::template RegisterSlots<kLayout>;
    template <class Slots>
    using Point = typename Base::Base::template Point<Slots>;
    template <class Slots>
    using Line = typename Base::Base::template Line<Slots>;

    // Where item r of the first layout is, from the tile's first line on; its point negated for
    // what the transposed flow has left.
    template <bool kNegated>
    DEVICE unsigned PointAt(unsigned r) const {
        const unsigned line =
            MoveBits<Line<ThreadSlots<0>>>(thread) + MoveBits<Line<RegisterSlots<0>>>(r);
        const unsigned point =
            MoveBits<Point<ThreadSlots<0>>>(thread) + MoveBits<Point<RegisterSlots<0>>>(r);
        return (line << kQ) + (kNegated ? (0u - point) % (1u << kQ) : point);
    }

    DEVICE void Load(const double *from) {
#pragma unroll
        for (unsigned r = 0; r < kItems; r++) {
            v[r] = from[PointAt<false>(r)];
        }
    }

    DEVICE void Store(double *to) const {
#pragma unroll
        for (unsigned r = 0; r < kItems; r++) {
            to[PointAt<true>(r)] = v[r];
        }
    }

    // A spectrum in memory: [register][thread] of the tile, reduced.
    DEVICE void StoreSpectrum(double *to) const {
#pragma unroll
        for (unsigned r = 0; r < kItems; r++) {
            to[r * Shape::kThreads + thread] = ModularReduce(v[r], prime.field);
        }
    }

    // The product with another spectrum, within p / 2 + 1, read by `at`.
    template <class At>
    DEVICE void Multiply(At at) {
#pragma unroll
        for (unsigned r = 0; r < kItems; r++) {
            v[r] = ModularMul(v[r], at(r), prime.field);
        }
    }

    // The product joins a sum in memory, a spectrum, and is reduced. planes: the tile's.
    DEVICE void Join(const fft_modular_sum &sum, const double *planes) {
        const bool minus = (*sum.a_sign != *sum.b_sign) != sum.subtract;
        const double sign = minus ? -1 : 1;
#pragma unroll
        for (unsigned r = 0; r < kItems; r++) {
            const double before = sum.adds ? planes[r * Shape::kThreads + thread] : 0;
            v[r] = ModularReduce(fma(sign, v[r], before), prime.field);
        }
    }
};

// Rows of one tile of 2^x lines, of one prime.
// Cost a point of the product: three transforms at 3.6 operations a level and a twiddle an
// exchange, 7 for the product; reads 16 bytes and writes 8. Of a sum: 8 more, and 3 operations.
template <unsigned kNodes, unsigned kS>
__global__ void __launch_bounds__(PassShape<kNodes, kS, kRows>::kThreads,
                                  (PassShape<kNodes, kS, kRows>::kThreads < 256 ? 640 : 768) /
                                      PassShape<kNodes, kS, kRows>::kThreads)
    ModularRowsKernel(const __grid_constant__ ModularRowsJob job) {
    using Rows = ModularRows<kNodes, kS>;
    using Shape = typename Rows::Shape;
    DYNAMIC_SHARED(double, shared);
    const unsigned plane_i = blockIdx.x / job.tiles, prime = job.first + plane_i;
    const double *tables = job.tables + (size_t)prime * job.places.total;
    Rows c = {{{shared, threadIdx.x, {}}, job.prime[prime], {}, 0}};
    for (unsigned i = 0; i + 1 < Shape::kNodesN; i++) {
        c.node_roots[i] = tables + job.places.rows[i];
    }
    const size_t at = job.Plane(plane_i) + ((size_t)(blockIdx.x % job.tiles) << kS);
    double *const x = job.x + blockIdx.y * job.x_stride + at;
    const double *const y = job.y + blockIdx.y * job.y_stride + at;
    WaitForKernelBefore();
    if (job.mode == FFT_ROW_MULTIPLY) {  // the other spectrum stays in the thread's own places
        c.tile = shared + ((size_t)1 << kS);
        c.Load(y);
        c.Forward();
#pragma unroll
        for (unsigned r = 0; r < Rows::kItems; r++) {
            c.v[r] = ModularReduce(c.v[r], c.prime.field);
        }
        c.template Put<Rows::kLast>();
        c.tile = shared;
    }
    c.Load(x);
    c.Forward();
    if (job.mode == FFT_ROW_TRANSFORM) {
        c.StoreSpectrum(x);
        return;
    }
    if (job.mode == FFT_ROW_MULTIPLY) {
        const double *own = shared + ((size_t)1 << kS);
        const unsigned from = c.template Own<Rows::kLast>();
        using Registers = typename Rows::template RegisterSlots<Rows::kLast>;
        c.Multiply([&](unsigned r) { return own[from ^ Rows::template Address<Registers>(r)]; });
    } else if (job.mode == FFT_ROW_PREPARED) {
        c.Multiply([&](unsigned r) { return y[r * Shape::kThreads + threadIdx.x]; });
    } else {
        c.Multiply([&](unsigned r) { return ModularReduce(c.v[r], c.prime.field); });
    }
    if (job.sum.planes != nullptr) {
        c.Join(job.sum, job.sum.planes + at);
        if (job.sum.stays) {
            c.StoreSpectrum(job.sum.planes + at);
            return;
        }
    }
    c.Back();
    LetKernelAfterBegin();
    c.Store(x);
}

#endif  // FFT_DEVICE_MODULAR_ROWS_CUH_
