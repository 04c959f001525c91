// product_rows_sum.cu: product_rows_sum.h. A difference is a + ~b and a carry at the bottom if a >=
// b; else the complement of a + ~b, which is b - a. The first launch finds what each stretch of
// limbs does to a carry, the second one the carries. Includes the rooms' device headers.
#include "bigint/device/kernels/product_rows_sum.h"

#include "bigint/device/kernels/product_rows.cuh"
#include "carry/ripple.cuh"
#include "primitives/cuda/launch.cuh"
#include "primitives/words/word.h"

namespace {

constexpr unsigned kWarps = 8, kThreads = kWarps * kWarp, kLimbs = 4;  // limbs of a thread
constexpr unsigned kStretch = kThreads * kLimbs;

using Ripple = CarryRipple<kWarps>;

// What a stretch does: its carry_state, and whether the numbers cancel there, so far as it shows.
constexpr uint32_t kState = 3, kNothing = 4;

struct SumJob {
    product_rows rows;
    product_rows_signs signs;
    uint32_t *states;  // of all stretches of the first item, then of the second
    unsigned stretches;
};

// Sum: one stretch of one item.
struct Sum {
    product_item item;
    const uint32_t *states;  // the item's
    unsigned stretches, mine;
    bool a_negative, subtract;
    uint64_t limb[kLimbs];
    carry_state state;
    bool nothing;

    DEVICE explicit Sum(const SumJob &job) {
        const unsigned i = blockIdx.x / job.stretches;
        item = ProductItem(job.rows, i);
        states = job.states + (uint64_t)i * job.stretches;
        stretches = job.stretches;
        mine = blockIdx.x % job.stretches;
        a_negative = job.signs.a != nullptr && job.signs.a[i] != 0;
        subtract = a_negative != (job.signs.b != nullptr && job.signs.b[i] != 0);
        Add();
    }
    DEVICE uint64_t First() const { return (uint64_t)mine * kStretch + threadIdx.x * kLimbs; }

    // Add: the thread's limbs as if no carry entered, and what they do to one.
    DEVICE void Add() {
        unsigned carry = 0;
        bool ones = true, zeros = true;
        for (unsigned k = 0; k < kLimbs; k++) {
            const uint64_t at = First() + k;
            const uint64_t a = at < item.an ? item.a[at] : 0, b = at < item.bn ? item.b[at] : 0;
            const uint64_t with = subtract ? ~b : b, sum = a + with;
            limb[k] = sum + carry;
            carry = (sum < a || limb[k] < carry) ? 1 : 0;
            ones = ones && limb[k] == ~UINT64_C(0);
            zeros = zeros && a == 0 && b == 0;
        }
        state = carry != 0 ? CARRY_GENERATE : ones ? CARRY_PROPAGATE : CARRY_KILL;
        nothing = subtract ? ones : zeros;
    }
    // Into: the carry into stretch s, where carry_in enters the item.
    DEVICE unsigned Into(unsigned s, unsigned carry_in) const {
        carry_state below = CARRY_PROPAGATE;
        while (s > 0 && below == CARRY_PROPAGATE) {
            below = (carry_state)(states[--s] & kState);
        }
        return carry_apply(below, carry_in);
    }
    // Cancels: whether the sum is 0.
    DEVICE bool Cancels() const {
        unsigned s = stretches;
        while (s > 0 && (states[s - 1] & kNothing) != 0) {
            s--;
        }
        return s == 0;
    }
};

__global__ void __launch_bounds__(kThreads) StatesKernel(const __grid_constant__ SumJob job) {
    SHARED(typename Ripple::Shared, shared);
    WaitForKernelBefore();
    const Sum sum(job);
    Ripple ripple = {};
    const bool nothing = __syncthreads_and(sum.nothing) != 0;
    const carry_state all = ripple.Tile(sum.state, shared);
    if (threadIdx.x == 0) {
        job.states[blockIdx.x] = (uint32_t)all | (nothing ? kNothing : 0);
    }
}

__global__ void __launch_bounds__(kThreads) SumKernel(const __grid_constant__ SumJob job) {
    SHARED(typename Ripple::Shared, shared);
    WaitForKernelBefore();
    Sum sum(job);
    Ripple ripple = {};
    ripple.Tile(sum.state, shared);
    const bool larger = sum.subtract && sum.Into(sum.stretches, 1) != 0;
    const bool turned = sum.subtract && !larger;
    unsigned carry = ripple.Into(sum.Into(sum.mine, larger ? 1 : 0), shared);
    for (unsigned k = 0; k < kLimbs; k++) {
        const uint64_t limb = sum.limb[k] + carry, at = sum.First() + k;
        carry = limb < carry ? 1 : 0;
        if (at < sum.item.rn) {
            sum.item.r[at] = turned ? ~limb : limb;
        }
    }
    if (job.signs.r != nullptr && sum.mine == 0 && threadIdx.x == 0) {
        const bool negative = sum.a_negative != turned && !sum.Cancels();
        job.signs.r[blockIdx.x / job.stretches] = negative ? 1 : 0;
    }
}

}  // namespace

uint64_t product_rows_sum_bytes(uint64_t count, uint64_t rn) {
    return count * word_ceil_div(rn, (uint64_t)kStretch) * sizeof(uint32_t);
}

result product_rows_sum(const product_rows *rows, const product_rows_signs *signs, uint64_t longest,
                        void *workspace, cuda_stream stream) {
    const uint64_t stretches = word_ceil_div(longest, (uint64_t)kStretch);
    if (rows->count == 0 || stretches == 0) {
        return RESULT_OK;
    }
    if (stretches > kMaxGridX / rows->count) {
        return RESULT_REFUSED;
    }
    const SumJob job = {*rows, *signs, (uint32_t *)workspace, (unsigned)stretches};
    const unsigned blocks = (unsigned)(stretches * rows->count);
    cudaError_t e = LaunchEarly(StatesKernel, blocks, kThreads, 0, stream, job);
    e = e == cudaSuccess ? LaunchEarly(SumKernel, blocks, kThreads, 0, stream, job) : e;
    return e == cudaSuccess ? RESULT_OK : RESULT_DEVICE_ERROR;
}
