// residue.cu: residue.h. Includes residue.cuh and launch.cuh.
//
// All threads of a launch share a number's limbs (residue.cuh); neighbours are joined within
// warps, blocks, and by exact sums of half words in memory.
#include "primitives/residues/residue.h"

#include "primitives/cuda/launch.cuh"
#include "primitives/residues/residue.cuh"

namespace {

constexpr unsigned kLgThreads = 8;
constexpr unsigned kThreads = 1u << kLgThreads;
constexpr unsigned kLgWarps = kLgThreads - 5;
constexpr uint64_t kTile = kThreads * kResidueEach;
// Blocks on each multiprocessor, as many as its registers hold, and in all.
constexpr unsigned kBlocksEach = 6;
constexpr unsigned kMaxBlocks = (1u << (LIMBS_RESIDUE_POWERS - kLgThreads)) - 1;

// Sums of half words, one for each block. Zero between launches.
struct Sums {
    unsigned long long low, high;
    uint32_t finished;  // blocks
    uint32_t unused[3];
};
static_assert(2 * sizeof(Sums) == LIMBS_RESIDUE_WORKSPACE_BYTES, "as residue.h says");

struct Job {
    limbs_residue_number number[2];  // blockIdx.y: which
    limbs_modulus f;
    ResidueWeights weights;
    Sums *sums;
    uint64_t *out;  // residues go here, that of one number twice; or, where NULL, it is judged:
    const uint64_t *factors;
    uint64_t count, an, bn;
    limbs_residue_report *report;
};

// The residues of groups of lanes, joined: `levels` of them from 2^first on.
DEVICE uint64_t Join(const Job &job, uint64_t v, unsigned first, unsigned levels) {
    const ResidueField field = {job.f.m, job.f.inverse};
    return ResidueJoin(field, job.f.one, job.f.power + first, v, levels);
}

// Signed: the residue of number i, whose limbs' is x < m.
DEVICE uint64_t Signed(const Job &job, unsigned i, uint64_t x) {
    const limbs_residue_number &a = job.number[i];
    const bool negative = (a.sign != nullptr && *a.sign != 0) != a.minus;
    return negative && x != 0 ? job.f.m - x : x;
}

// Judge: whether the residue is that of the factors' products; both are compared divided by B. All
// are below m < 2^61, so products are below m B and no sum of two of these leaves its word.
DEVICE void Judge(const Job &job, uint64_t residue) {
    const ResidueField field = {job.f.m, job.f.inverse};
    uint64_t sum = 0;
    for (uint64_t i = 0; i < job.count; i++) {
        sum += field.Multiply(job.factors[2 * i], job.factors[2 * i + 1]);
        sum -= sum >= job.f.m ? job.f.m : 0;
    }
    if (sum != field.Reduce(residue)) {
        limbs_residue_report *r = job.report;
        if (r->wrong == 0) {
            r->an = job.an;
            r->bn = job.bn;
        }
        r->wrong++;
    }
}

__global__ void __launch_bounds__(kThreads, kBlocksEach)
    ResidueKernel(const __grid_constant__ Job job) {
    struct Shared {
        uint64_t value[1u << kLgWarps];
    };
    SHARED(Shared, s);
    const ResidueField field = {job.f.m, job.f.inverse};
    const uint64_t all = (uint64_t)gridDim.x * kThreads;
    WaitForKernelBefore();
    const limbs_residue_number a = job.number[blockIdx.y];
    uint64_t v = ResidueStrided(field, job.weights, a.p, a.n,
                                (uint64_t)blockIdx.x * kThreads + threadIdx.x, all);
    v = Join(job, v, 0, 5);
    if (Lane() == 0) {
        s.value[threadIdx.x / kWarp] = v;
    }
    __syncthreads();
    if (threadIdx.x >= kWarp) {
        return;
    }
    v = Join(job, s.value[Lane() % (1u << kLgWarps)], 5, kLgWarps);
    if (threadIdx.x > 0) {
        return;
    }
    for (unsigned i = 0, b = blockIdx.x; b != 0; i++, b >>= 1) {
        if ((b & 1) != 0) {
            v = field.Multiply(v, job.f.power[kLgThreads + i]);
        }
    }
    Sums *sums = job.sums + blockIdx.y;
    atomicAdd(&sums->low, (unsigned long long)(uint32_t)v);
    atomicAdd(&sums->high, (unsigned long long)(v >> 32));
    // Releases the block's sums; the last one acquires all.
    if (AddAcquireRelease(&sums->finished, 1) == gridDim.x - 1) {
        const uint64_t low = LoadRelaxed((const uint64_t *)&sums->low);
        const uint64_t high = LoadRelaxed((const uint64_t *)&sums->high);
        // The sums are below 2^32 blocks, and forms below m.
        static_assert(kMaxBlocks < UINT64_C(1) << 31, "so that this is below m B");
        const uint64_t residue =
            field.Reduce((word_pair)low * job.f.one + (word_pair)high * job.f.half);
        *sums = {};
        if (job.out == nullptr) {
            Judge(job, Signed(job, 0, residue));
            return;
        }
        for (unsigned i = blockIdx.y; i < 2; i += gridDim.y) {
            job.out[i] = Signed(job, i, residue);
        }
    }
}

// Run launches the job for numbers[0..count).
result Run(Job &job, unsigned count, cudaStream_t stream) {
    int multiprocessors = 0;
    if (DeviceAttribute(cudaDevAttrMultiProcessorCount, &multiprocessors) != cudaSuccess) {
        return RESULT_DEVICE_ERROR;
    }
    const uint64_t n = max(job.number[0].n, job.number[1].n);
    const uint64_t most = min(kBlocksEach * (unsigned)multiprocessors, kMaxBlocks);
    const unsigned blocks = (unsigned)max(min(word_ceil_div(n, kTile), most), UINT64_C(1));
    const ResidueField field = {job.f.m, job.f.inverse};
    uint64_t threads = job.f.one;  // the form of B^T
    for (unsigned i = 0; blocks >> i != 0; i++) {
        if ((blocks >> i & 1) != 0) {
            threads = field.Multiply(threads, job.f.power[kLgThreads + i]);
        }
    }
    job.weights = ResidueWeightsOf(job.f, threads);
    const cudaError_t e = LaunchEarly(ResidueKernel, dim3(blocks, count), kThreads, 0, stream, job);
    return e == cudaSuccess ? RESULT_OK : RESULT_DEVICE_ERROR;
}

}  // namespace

result limbs_residue_factors(uint64_t *out, limbs_residue_number a, limbs_residue_number b,
                             const limbs_modulus *m, void *workspace, cuda_stream stream) {
    Job job = {};
    job.number[0] = a;
    job.number[1] = b;
    job.f = *m;
    job.sums = (Sums *)workspace;
    job.out = out;
    return Run(job, a.p == b.p && a.n == b.n ? 1 : 2, stream);
}

result limbs_residue_product(limbs_residue_report *report, limbs_residue_number r,
                             const uint64_t *factors, uint64_t count, uint64_t an, uint64_t bn,
                             const limbs_modulus *m, void *workspace, cuda_stream stream) {
    Job job = {};
    job.number[0] = r;
    job.f = *m;
    job.sums = (Sums *)workspace;
    job.factors = factors;
    job.count = count;
    job.an = an;
    job.bn = bn;
    job.report = report;
    return Run(job, 1, stream);
}
