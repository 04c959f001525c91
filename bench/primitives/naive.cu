// naive.cu: see naive.h.
#include "bench/primitives/naive.h"

#include "primitives/cuda/launch.cuh"
#include "primitives/scan/matrix.cuh"
#include "primitives/scan/monoid.cuh"

namespace {

using M = Sum<uint32_t>;

constexpr unsigned kThreads = 256;

// --- naive-hillis-steele -------------------------------------------------------------------------
__global__ void LevelKernel(uint32_t *out, const uint32_t *in, uint64_t n, uint64_t by) {
    const uint64_t i = (uint64_t)blockIdx.x * kThreads + threadIdx.x;
    if (i < n) {
        out[i] = i >= by ? in[i - by] + in[i] : in[i];
    }
}

size_t HillisSteeleBytes(uint64_t n) { return n * sizeof(uint32_t); }

bool HillisSteele(void *self, cuda_stream stream) {
    const naive_job &j = *(const naive_job *)self;
    if (j.workspace_bytes < HillisSteeleBytes(j.n)) {
        return false;
    }
    unsigned levels = 1;  // one at least, which copies a single element
    while (UINT64_C(1) << levels < j.n) {
        levels++;
    }
    // Alternately into out and the workspace, so that the last level writes to out.
    uint32_t *const to[2] = {j.out, (uint32_t *)j.workspace};
    const uint32_t *from = j.in;
    cudaError_t e = cudaSuccess;
    for (unsigned level = 0; e == cudaSuccess && level < levels; level++) {
        uint32_t *next = to[(levels - 1 - level) % 2];
        e = Launch(LevelKernel, (unsigned)((j.n + kThreads - 1) / kThreads), kThreads, 0, stream,
                   next, from, j.n, UINT64_C(1) << level);
        from = next;
    }
    return e == cudaSuccess;
}

// --- naive-uncoalesced ---------------------------------------------------------------------------
constexpr unsigned kAlpha = kMatrixAlpha<uint32_t>;
constexpr unsigned kTile = kAlpha * kWarp;
constexpr unsigned kShares = 1024;

// Each warp goes through its share; in the second pass it writes.
__global__ void ColumnsKernel(uint32_t *out, const uint32_t *in, uint64_t n, uint64_t share,
                              uint32_t *totals, bool write) {
    const unsigned w = (blockIdx.x * kThreads + threadIdx.x) / kWarp;
    const uint64_t end = (w + 1) * share < n ? (w + 1) * share : n;
    uint32_t carry = write && w > 0 ? totals[w - 1] : 0;
    for (uint64_t tile = w * share; tile < end; tile += kTile) {
        const uint64_t first = tile + Lane() * kAlpha;
        uint32_t column = 0;
        for (uint64_t i = first; i < first + kAlpha && i < end; i++) {
            column += in[i];
        }
        const uint32_t inclusive = WarpScan<M>(column);
        uint32_t sum = carry + inclusive - column;
        for (uint64_t i = first; write && i < first + kAlpha && i < end; i++) {
            sum += in[i];
            out[i] = sum;
        }
        carry += Broadcast(inclusive, kWarp - 1);
    }
    if (!write && Lane() == 0) {
        totals[w] = carry;
    }
}

// One block, in shared memory, a barrier on either side of each level.
__global__ void TotalsKernel(uint32_t *totals) {
    struct Shared {
        uint32_t x[kShares];
    };
    SHARED(Shared, s);
    s.x[threadIdx.x] = totals[threadIdx.x];
    __syncthreads();
    for (unsigned by = 1; by < kShares; by *= 2) {
        const uint32_t left = threadIdx.x >= by ? s.x[threadIdx.x - by] : 0;
        __syncthreads();
        s.x[threadIdx.x] += left;
        __syncthreads();
    }
    totals[threadIdx.x] = s.x[threadIdx.x];
}

size_t UncoalescedBytes(uint64_t) { return kShares * sizeof(uint32_t); }

bool Uncoalesced(void *self, cuda_stream stream) {
    const naive_job &j = *(const naive_job *)self;
    if (j.workspace_bytes < UncoalescedBytes(j.n)) {
        return false;
    }
    const uint64_t share = (j.n + kShares * kTile - 1) / (kShares * kTile) * kTile;
    uint32_t *totals = (uint32_t *)j.workspace;
    constexpr unsigned kBlocks = kShares * kWarp / kThreads;
    const auto columns = [&](bool write) {
        return Launch(ColumnsKernel, kBlocks, kThreads, 0, stream, j.out, j.in, j.n, share, totals,
                      write) == cudaSuccess;
    };
    return columns(false) && Launch(TotalsKernel, 1, kShares, 0, stream, totals) == cudaSuccess &&
           columns(true);
}

// --- naive-bank-conflicts ------------------------------------------------------------------------
using Conflicting = ScanMatrixOf<M, 16>;

size_t ConflictingBytes(uint64_t n) { return Conflicting::WorkspaceBytes(n, 1); }

bool Conflicts(void *self, cuda_stream stream) {
    const naive_job &j = *(const naive_job *)self;
    if (j.workspace_bytes < ConflictingBytes(j.n)) {
        return false;
    }
    const bool vectors = (uintptr_t)j.in % 16 == 0 && (uintptr_t)j.out % 16 == 0;
    const ScanData<M> d = {j.in, j.out, j.n, j.n, false, vectors};
    return Conflicting::Run(d, j.workspace, stream) == cudaSuccess;
}

}  // namespace

extern "C" const naive_scan naive_scans[NAIVE_SCANS] = {
    {"naive-hillis-steele", HillisSteeleBytes, HillisSteele},
    {"naive-uncoalesced", UncoalescedBytes, Uncoalesced},
    {"naive-bank-conflicts", ConflictingBytes, Conflicts}};
