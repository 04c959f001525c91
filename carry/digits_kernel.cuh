// digits_kernel.cuh: the kernel of radix R = 10^w. A block draws a tile. Each thread divides its
// way up through `each` consecutive positions, which turns their coefficients into digits and a
// spill for the thread above. It then adds the spill from below, and the carries of one ripple
// (ripple.cuh). Digits stay in shared memory until the end. Instantiated in device.cu.
//
// Thread 0 repeats the work of the previous tile's last thread; a carry passes through it.
//
// Bounds, with m = kWords, X = R^each, B = 2^(64 m - 1), b = R^bias_at >= B, each > bias_at.
//   unsigned   a running sum stays below 2^(64 m) (1 + 1 / (R - 1)), so m + 1 words hold it; the
//              spill is at most 2^(64 m) / (R - 1) <= X.
//   signed     |V| <= B (X - 1) / (R - 1) for a thread's coefficients. Every thread takes b (X - 1)
//              more: b less at its bottom, which is 1 less at position bias_at, and b more in what
//              it spills (limbs.cuh has the sum). So V - b + b X >= 0, spills are at most
//              b + B <= 2 b <= X and not negative.
//   carry      digits < X and spill <= X: their sum carries out 0 or 1, and if 1, digits of at most
//              X - 1 are left; they are all R - 1 only if the spill is X, which 2 b < X excludes.
#ifndef CARRY_DIGITS_KERNEL_CUH_
#define CARRY_DIGITS_KERNEL_CUH_

#include "carry/device_job.cuh"

constexpr unsigned kDigitWarps = 4;
constexpr unsigned kDigitThreads = kDigitWarps * kWarp;

// A running sum: kWords + 1 words in two's complement.
template <unsigned kWords>
struct CarrySum {
    uint64_t word[kWords + 1];

    DEVICE void Clear() {
#pragma unroll
        for (unsigned j = 0; j <= kWords; j++) {
            word[j] = 0;
        }
    }

    DEVICE bool IsZero() const {
        uint64_t any = 0;
#pragma unroll
        for (unsigned j = 0; j <= kWords; j++) {
            any |= word[j];
        }
        return any == 0;
    }

    // Adds v, whose words above kWords - 1 are all `above`.
    DEVICE void Add(const uint64_t (&v)[kWords], uint64_t above) {
        uint64_t carry = 0;
#pragma unroll
        for (unsigned j = 0; j < kWords; j++) {
            word[j] = word_add(word[j], v[j], &carry);
        }
        word[kWords] += above + carry;
    }

    // Adds a word and `above` in the words above it.
    DEVICE void AddWord(uint64_t v, uint64_t above) {
        uint64_t carry = 0;
        word[0] = word_add(word[0], v, &carry);
#pragma unroll
        for (unsigned j = 1; j <= kWords; j++) {
            word[j] = word_add(word[j], above, &carry);
        }
    }

    // Divides by the radix, rounding down, and returns the remainder. Signed: |sum| < R 2^(64
    // kWords), which is added before, its quotient taken off afterwards.
    DEVICE uint64_t Divide(const CarryData &d, bool is_signed) {
        word[kWords] += is_signed ? d.radix : 0;
        uint64_t rest = word_shift_in(0, word[kWords], d.divisor.shift);
#pragma unroll
        for (unsigned j = kWords + 1; j-- > 0;) {
            const uint64_t low = j > 0 ? word[j > 0 ? j - 1 : 0] : 0;
            const uint64_t u = word_shift_in(word[j], low, d.divisor.shift);
            word[j] = word_div_step(&rest, rest, u, &d.divisor);
        }
        word[kWords] -= is_signed ? 1 : 0;
        return rest >> d.divisor.shift;
    }
};

template <unsigned kWords>
struct DigitsThread {
    const CarryData &d;
    uint64_t *digit;  // [each], in shared memory

    // Take sets the digits from the coefficients at first .. first + each - 1 of a row, and returns
    // the spill.
    DEVICE CarrySum<kWords> Take(uint64_t row, int64_t first) const {
        CarrySum<kWords> s;
        s.Clear();
        for (unsigned i = 0; i < d.each && first >= 0; i++) {
            const uint64_t at = (uint64_t)first + i;
            if (at < d.n) {
                uint64_t c[kWords];
#pragma unroll
                for (unsigned j = 0; j < kWords; j++) {
                    c[j] = d.Word(d.c, (row * d.n + at) * kWords + j);
                }
                s.Add(c, d.is_signed ? (uint64_t)((int64_t)c[kWords - 1] >> 63) : 0);
            }
            if (d.is_signed && i == d.bias_at) {
                s.AddWord(~UINT64_C(0), ~UINT64_C(0));  // - 1
            }
            digit[i] = s.Divide(d, d.is_signed);
        }
        if (d.is_signed) {
            uint64_t bias[kWords];
#pragma unroll
            for (unsigned j = 0; j < kWords; j++) {
                bias[j] = d.bias[j];
            }
            s.Add(bias, d.bias[kWords]);
        }
        return s;
    }

    // AddSpill adds what the thread below spilled, and returns what the digits do to a carry.
    DEVICE carry_state AddSpill(CarrySum<kWords> s) const {
        bool nines = true;
        for (unsigned i = 0; i < d.each; i++) {
            if (!s.IsZero()) {
                s.AddWord(digit[i], 0);
                digit[i] = s.Divide(d, false);
            }
            nines = nines && digit[i] == d.radix - 1;
        }
        return !s.IsZero() ? CARRY_GENERATE : nines ? CARRY_PROPAGATE : CARRY_KILL;
    }

    DEVICE void AddCarry(unsigned carry) const {
        for (unsigned i = 0; i < d.each && carry != 0; i++) {
            carry = digit[i] == d.radix - 1;
            digit[i] = carry != 0 ? 0 : digit[i] + 1;
        }
    }
};

template <unsigned kWords>
__global__ void __launch_bounds__(kDigitThreads)
    CarryDigitsKernel(const CarryData d, const LookBack<CarryStates> look_back) {
    using Ripple = CarryRipple<kDigitWarps>;
    struct Shared {
        typename Ripple::Shared ripple;
        CarrySum<kWords> spill[kDigitThreads];
        Place at;
    };
    SHARED(Shared, s);
    DYNAMIC_SHARED(uint64_t, digits);
    const unsigned t = threadIdx.x;
    WaitForKernelBefore();
    if (t == 0) {
        s.at = look_back.counter->Draw(gridDim.x);
    }
    __syncthreads();
    const Place at = s.at;
    const uint64_t row = d.Row(at.tile);
    const uint32_t number = d.Number(at.tile);
    const DigitsThread<kWords> thread = {d, digits + t * d.each};
    const int64_t first =
        ((int64_t)number * (kDigitThreads - 1) + (int64_t)t - 1) * (int64_t)d.each;
    s.spill[t] = thread.Take(row, first);
    __syncthreads();
    const carry_state mine = t == 0 ? CARRY_PROPAGATE : thread.AddSpill(s.spill[t - 1]);
    Ripple ripple;
    const carry_state state = ripple.Tile(mine, s.ripple);
    const unsigned into = Ripple::Before(look_back, at, state, number == 0);
    const unsigned carry = ripple.Into(into, s.ripple);
    if (t > 0) {
        thread.AddCarry(carry);
    }
    __syncthreads();
    const uint64_t tile_first = (uint64_t)number * (kDigitThreads - 1) * d.each;
    for (unsigned i = t; i < (kDigitThreads - 1) * d.each; i += kDigitThreads) {
        d.Write(row, tile_first + i, digits[d.each + i]);
    }
}

#endif  // CARRY_DIGITS_KERNEL_CUH_
