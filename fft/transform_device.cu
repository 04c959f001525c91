// transform_device.cu: from plans to launches of pass kernels. Includes pass_kernels.h, not the
// kernels themselves.
#include "fft/transform_device.h"

#include "fft/pass_kernels.h"
#include "fft/root.h"
#include "fft/transform_mixed.h"
#include "primitives/launch.cuh"

namespace {

constexpr uint64_t kMaxBlocks = ((uint64_t)1 << 31) - 1;

// PassOf: one pass of a plan: stages from first to end, its digits and nodes.
struct PassOf {
    unsigned first, end, top, digits, nodes;
    bool is_first, is_last;
};

PassOf PassAt(const fft_id_plan *plan, unsigned first) {
    PassOf p = {first, fft_id_pass_end(plan, first), plan->stage[first].top, 0, 0, first == 0,
                false};
    for (unsigned i = first; i < p.end; i++) {
        p.digits += plan->stage[i].digits;
        p.nodes = p.nodes << 4 | plan->stage[i].digits;
    }
    p.is_last = p.end == plan->stages_n;
    return p;
}

bool IsReal(const fft_id_plan *plan) {
    return plan->problem.element == FFT_ID_REAL_F64 || plan->problem.element == FFT_ID_REAL_F32;
}

// Of complex items, pairs of reals among them.
bool IsF64(const fft_id_plan *plan) {
    return plan->problem.element == FFT_ID_COMPLEX_F64 || plan->problem.element == FFT_ID_REAL_F64;
}

size_t ItemBytes(const fft_id_plan *plan) { return IsF64(plan) ? 16 : 8; }

// What the pass does beside its digits: of a transform of reals the last one, of its inverse the
// first one.
unsigned RealModeOf(const fft_id_plan *plan, const PassOf &p) {
    if (!IsReal(plan)) {
        return kRows;
    }
    const bool forward = plan->problem.direction == FFT_ID_FORWARD;
    return (forward && p.is_last ? kRealOut : 0u) | (!forward && p.is_first ? kRealIn : 0u);
}

PassEntries EntriesOf(const fft_id_plan *plan, bool real) {
    if (plan->problem.element == FFT_ID_MODULAR) {
        return {nullptr, 0};
    }
    return IsF64(plan) ? real ? RealPassEntriesF64() : PassEntriesF64()
           : real ? RealPassEntriesF32()
                       : PassEntriesF32();
}

// The kernel of a pass, or none. A pass over whole problems is by rows, and several go to a block:
// s of its tile is not the plan's, which knows one problem.
const PassEntry *Find(const fft_id_plan *plan, const PassOf &p) {
    const bool only = p.is_first && p.is_last;
    const unsigned real = RealModeOf(plan, p);
    const unsigned mode = real | (only ? 0 : p.is_last ? kColumnsOut : kColumnsIn | kColumnsOut);
    const PassEntries all = EntriesOf(plan, real != 0);
    for (size_t i = 0; i < all.n; i++) {
        const PassEntry *e = &all.entry[i];
        const unsigned meets = e->mode & (kColumnsIn | kColumnsOut | kRealIn | kRealOut);
        if (meets == mode && e->nodes == p.nodes && (only || e->s == plan->tuple.s)) {
            return e;
        }
    }
    return nullptr;
}

// The transforms of a pass, and the blocks that do them.
uint64_t Lines(const fft_id_plan *plan, const PassOf &p) {
    return plan->problem.batch << (fft_id_digits(&plan->problem) - p.digits);
}

uint64_t Blocks(const fft_id_plan *plan, const PassOf &p, const PassEntry *entry) {
    const uint64_t lines = (uint64_t)1 << entry->lg_lines;
    return (Lines(plan, p) + lines - 1) / lines * entry->cluster;
}

cudaError_t LaunchPass(const PassEntry *e, unsigned blocks, cudaStream_t stream,
                       const PassJob &job) {
    return e->cluster == 1
               ? LaunchEarly(e->kernel, blocks, e->threads, e->shared_bytes, stream, job)
               : LaunchClusterEarly(e->kernel, blocks, e->threads, e->cluster, e->shared_bytes,
                                    stream, job);
}

// Item k t of the roots of order 2^(digits + left), at [k][t]; one of f64 and f32 is null.
__global__ void __launch_bounds__(256)
    NodeRootsKernel(double *f64, float *f32, unsigned digits, unsigned left) {
    WaitForKernelBefore();
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >> (digits + left) == 0) {
        const uint64_t k = i >> left, t = i & ((1u << left) - 1);
        const fft_root_f64 w = fft_root(k * t, digits + left);
        if (f64 != nullptr) {
            f64[2 * i] = w.re, f64[2 * i + 1] = -w.im;
        } else {
            f32[2 * i] = (float)w.re, f32[2 * i + 1] = -(float)w.im;
        }
    }
}

cudaError_t FillRoots(void *to, bool f64, unsigned digits, unsigned left, cudaStream_t stream) {
    const unsigned n = 1u << (digits + left);
    return Launch(NodeRootsKernel, (n + 255) / 256, 256, 0, stream,
                  f64 ? (double *)to : (double *)nullptr, f64 ? (float *)nullptr : (float *)to,
                  digits, left);
}

// Calls visit(stage, digits left before its node) for each table.
template <class Visit>
void EachTable(const fft_id_plan *plan, Visit visit) {
    for (unsigned first = 0; first < plan->stages_n;) {
        const PassOf p = PassAt(plan, first);
        unsigned left = p.digits;
        for (unsigned i = p.first; i + 1 < p.end; i++) {
            visit(i, left);
            left -= plan->stage[i].digits;
        }
        first = p.end;
    }
}

const char *Refusal(const fft_id_plan *plan) {
    if (plan->problem.order != FFT_ID_NATURAL) {
        return "no kernels for this order";
    }
    for (unsigned first = 0; first < plan->stages_n;) {
        const PassOf p = PassAt(plan, first);
        const PassEntry *entry = Find(plan, p);
        if (entry == nullptr) {
            return "no kernel was built for the nodes and the tile of a pass";
        }
        if (Blocks(plan, p, entry) > kMaxBlocks) {
            return "a launch has not so many blocks";
        }
        for (unsigned i = p.first; i + 1 < p.end; i++) {
            if (plan->stage[i].twiddle != FFT_ID_AFTER ||
                plan->stage[i + 1].where != FFT_ID_SHARED) {
                return "kernels multiply by twiddles after nodes, and exchange between nodes";
            }
        }
        first = p.end;
    }
    return nullptr;
}

}  // namespace

const char *fft_device_refusal(const fft_id_plan *plan) {
    const char *why = fft_id_refusal(plan);
    return why != nullptr ? why : fft_id_mixed(&plan->problem) ? MixedRefusal(plan) : Refusal(plan);
}

size_t fft_device_table_bytes(const fft_id_plan *plan) {
    size_t items = 0;
    if (fft_device_refusal(plan) == nullptr) {
        if (fft_id_mixed(&plan->problem)) {
            return MixedTableBytes(plan);
        }
        EachTable(plan, [&](unsigned, unsigned left) { items += (size_t)1 << left; });
    }
    return items * ItemBytes(plan);
}

size_t fft_device_workspace_bytes(const fft_id_plan *plan) {
    return fft_device_refusal(plan) != nullptr || fft_id_passes(plan) == 1
               ? 0
               : ItemBytes(plan) * plan->problem.batch * fft_id_length(&plan->problem);
}

result fft_device_tables(const fft_id_plan *plan, void *tables, device_stream stream) {
    if (fft_device_refusal(plan) != nullptr) {
        return RESULT_REFUSED;
    }
    if (fft_id_mixed(&plan->problem)) {
        return MixedTables(plan, tables, stream);
    }
    char *at = (char *)tables;
    cudaError_t e = cudaSuccess;
    EachTable(plan, [&](unsigned stage, unsigned left) {
        if (e == cudaSuccess) {
            const unsigned digits = plan->stage[stage].digits;
            e = FillRoots(at, IsF64(plan), digits, left - digits, stream);
        }
        at += ItemBytes(plan) << left;
    });
    for (unsigned first = 0; first < plan->stages_n && e == cudaSuccess;) {
        const PassOf p = PassAt(plan, first);
        const PassEntry *entry = Find(plan, p);
        e = cudaFuncSetAttribute(entry->kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                 (int)entry->shared_bytes);
        if (e == cudaSuccess && entry->cluster > 8) {
            e = cudaFuncSetAttribute(entry->kernel, cudaFuncAttributeNonPortableClusterSizeAllowed,
                                     1);
        }
        first = p.end;
    }
    return e == cudaSuccess ? RESULT_OK : RESULT_DEVICE_ERROR;
}

result fft_device_transform(const fft_id_plan *plan, const void *in, void *out, void *workspace,
                            const void *tables, device_stream stream) {
    if (fft_device_refusal(plan) != nullptr ||
        (in == out && IsReal(plan) && plan->problem.batch > 1)) {
        return RESULT_REFUSED;
    }
    if (fft_id_mixed(&plan->problem)) {
        return MixedTransform(plan, in, out, workspace, tables, stream);
    }
    const unsigned n = fft_id_digits(&plan->problem), passes = fft_id_passes(plan);
    const bool inverse = plan->problem.direction == FFT_ID_INVERSE;
    const char *roots = (const char *)tables;
    const void *from = in;
    for (unsigned first = 0, pass = 0; first < plan->stages_n; pass++) {
        const PassOf p = PassAt(plan, first);
        const PassEntry *entry = Find(plan, p);
        PassJob job = {};
        job.in = from;
        // The first of an odd number of passes leaves items at their places, so it may be in place.
        job.out = (passes - pass) % 2 != 0 ? out : workspace;
        for (unsigned i = p.first, left = p.digits; i + 1 < p.end; i++) {
            job.node_roots[i - p.first] = roots;
            roots += ItemBytes(plan) << left;
            left -= plan->stage[i].digits;
        }
        job.n = (uint8_t)n;
        job.after = (uint8_t)(p.top - p.digits);
        job.before = (uint8_t)(n - p.top);
        job.lines = Lines(plan, p);
        job.swap_in = inverse && p.is_first;
        job.swap_out = inverse && p.is_last;
        if (LaunchPass(entry, (unsigned)Blocks(plan, p, entry), stream, job) != cudaSuccess) {
            return RESULT_DEVICE_ERROR;
        }
        from = job.out;
        first = p.end;
    }
    return RESULT_OK;
}
