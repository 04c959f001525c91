// product_rows_check.cu: product_rows_check.h. Includes product_rows.cuh and primitives/.
//
// A warp computes residues of both factors and of the result, a limb in each lane at a time, joins
// its lanes, and compares. Blocks take the products in turn; the last block to end writes the
// report.
#include "bigint/device/kernels/product_rows_check.h"

#include "bigint/device/kernels/product_rows.cuh"
#include "primitives/cuda/launch.cuh"
#include "primitives/residues/residue.cuh"

namespace {

constexpr unsigned kWarps = 8;
constexpr unsigned kLgLanes = 5;
// Blocks on each multiprocessor, as many as its registers hold.
constexpr unsigned kBlocksEach = 4;

// Findings: zero between launches. first: the complement of the least number of a wrong product.
struct Findings {
    unsigned long long wrong, first;
    uint32_t finished;  // blocks
};
static_assert(sizeof(Findings) <= LIMBS_RESIDUE_WORKSPACE_BYTES, "as residue.h says");

struct Job {
    product_rows rows;
    ResidueField field;
    uint64_t one, power[kLgLanes];  // forms of 1 and of B^(2^i)
    ResidueWeights weights;
    Findings *findings;
    limbs_residue_report *report;
};

// Residue: {p, n} mod m, below 2 m, by all lanes of a warp.
DEVICE uint64_t Residue(const Job &job, const uint64_t *p, uint64_t n) {
    const uint64_t v = ResidueStrided(job.field, job.weights, p, n, Lane(), kWarp);
    return ResidueJoin(job.field, job.one, job.power, v, kLgLanes);
}

// Tell: reports the findings of all blocks; the last block calls it.
DEVICE void Tell(const Job &job) {
    const uint64_t wrong = LoadRelaxed((const uint64_t *)&job.findings->wrong);
    const uint64_t first = ~LoadRelaxed((const uint64_t *)&job.findings->first);
    *job.findings = {};
    if (wrong == 0) {
        return;
    }
    limbs_residue_report *r = job.report;
    if (r->wrong == 0) {
        const product_item item = ProductItem(job.rows, first);
        r->an = max(item.an, item.bn);
        r->bn = min(item.an, item.bn);
    }
    r->wrong += wrong;
}

__global__ void __launch_bounds__(kWarps *kWarp, kBlocksEach)
    ProductRowsCheckKernel(const __grid_constant__ Job job) {
    WaitForKernelBefore();
    const uint64_t step = (uint64_t)gridDim.x * kWarps;
    for (uint64_t i = (uint64_t)blockIdx.x * kWarps + threadIdx.x / kWarp; i < job.rows.count;
         i += step) {
        const product_item item = ProductItem(job.rows, i);
        const uint64_t a = Residue(job, item.a, item.an), b = Residue(job, item.b, item.bn);
        const uint64_t r = Residue(job, item.r, item.rn);
        // Both divided by B. All are below 2 m, as joined (check.md), so that a b is below m B.
        if (job.field.Multiply(a, b) != job.field.Reduce(r) && Lane() == 0) {
            atomicAdd(&job.findings->wrong, 1ull);
            atomicMax(&job.findings->first, (unsigned long long)~i);
        }
    }
    __syncthreads();
    // Releases this block's findings; the last block acquires all.
    if (threadIdx.x == 0 && AddAcquireRelease(&job.findings->finished, 1) == gridDim.x - 1) {
        Tell(job);
    }
}

}  // namespace

result product_rows_check(limbs_residue_report *report, const product_rows *rows,
                          const limbs_modulus *m, void *workspace, cuda_stream stream) {
    int multiprocessors = 0;
    if (DeviceAttribute(cudaDevAttrMultiProcessorCount, &multiprocessors) != cudaSuccess) {
        return RESULT_DEVICE_ERROR;
    }
    Job job = {};
    job.rows = *rows;
    job.field = {m->m, m->inverse};
    job.one = m->one;
    for (unsigned i = 0; i < kLgLanes; i++) {
        job.power[i] = m->power[i];
    }
    job.weights = ResidueWeightsOf(*m, m->power[kLgLanes]);
    job.findings = (Findings *)workspace;
    job.report = report;
    const uint64_t most = kBlocksEach * (uint64_t)multiprocessors;
    const unsigned blocks = (unsigned)min(word_ceil_div(rows->count, kWarps), most);
    const cudaError_t e =
        blocks == 0 ? cudaSuccess
                    : LaunchEarly(ProductRowsCheckKernel, blocks, kWarps * kWarp, 0, stream, job);
    return e == cudaSuccess ? RESULT_OK : RESULT_DEVICE_ERROR;
}
