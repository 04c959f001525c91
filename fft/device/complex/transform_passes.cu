// transform_passes.cu: from plans to launches of pass kernels. Includes pass_kernels.h, not the
// kernels themselves.
#include "fft/device/complex/transform.h"

#include "fft/complex/root.h"
#include "fft/device/complex/half_spectrum.cuh"
#include "fft/device/complex/pass_kernels.h"
#include "fft/device/complex/transform_kinds.h"
#include "primitives/cuda/launch.cuh"

namespace {

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

// Calls visit(pass) for each pass until it returns false.
template <class Visit>
void EachPass(const fft_id_plan *plan, Visit visit) {
    for (unsigned first = 0; first < plan->stages_n;) {
        const PassOf p = PassAt(plan, first);
        if (!visit(p)) {
            return;
        }
        first = p.end;
    }
}

// What the pass does beside its digits: of a transform of reals the last one, of its inverse the
// first one.
unsigned RealModeOf(const fft_id_plan *plan, const PassOf &p) {
    if (!fft_id_pairs(&plan->problem)) {
        return kRows;
    }
    const bool forward = plan->problem.direction == FFT_ID_FORWARD;
    return (forward && p.is_last ? kRealOut : 0u) | (!forward && p.is_first ? kRealIn : 0u);
}

// In reversed order every pass stores each item where it was loaded.
unsigned OrderModeOf(const fft_id_problem *problem) {
    if (problem->order == FFT_ID_NATURAL) {
        return kRows;
    }
    return problem->direction == FFT_ID_FORWARD ? kReversedOut : kReversedIn;
}

// The list that has the kernels of a mode.
template <class Real>
PassEntries EntriesOf(unsigned mode) {
    const bool columns = (mode & (kColumnsIn | kColumnsOut)) != 0;
    if ((mode & (kReversedOut | kReversedIn)) != 0) {
        return columns                      ? ReversedColumnPasses<Real>()
               : (mode & kReversedOut) != 0 ? ReversedToPasses<Real>()
                                            : ReversedFromPasses<Real>();
    }
    if ((mode & (kRealOut | kRealIn)) != 0) {
        return columns                  ? RealColumnPasses<Real>()
               : (mode & kRealOut) != 0 ? RealToPasses<Real>()
                                        : RealFromPasses<Real>();
    }
    return !columns                   ? RowPasses<Real>()
           : (mode & kColumnsIn) != 0 ? FirstPasses<Real>()
                                      : LastPasses<Real>();
}

// Whether a side's problems are closer than their items.
bool Interleaved(const fft_strided_plan *plan, bool output) {
    const fft_strided_layout side = output ? plan->out : plan->in;
    return plan->plan.problem.batch > 1 && side.distance < side.stride;
}

// Where the only pass, which is over whole problems, finds and leaves their lines: rows if the
// items of one problem are side by side, columns if items of neighbouring problems are.
unsigned OnlyModeOf(const fft_strided_plan *plan) {
    return (Interleaved(plan, false) ? kColumnsIn : 0u) |
           (Interleaved(plan, true) ? kColumnsOut : 0u);
}

// The same of any pass. In reversed order one of several has the lowest digits of memory, the last
// to that order, the first from it: rows.
unsigned ColumnsOf(const fft_strided_plan *plan, const PassOf &p) {
    if (p.is_first && p.is_last) {
        return OnlyModeOf(plan);
    }
    const unsigned order = OrderModeOf(&plan->plan.problem);
    if (order == kRows) {
        return p.is_last ? kColumnsOut : kColumnsIn | kColumnsOut;
    }
    return (order == kReversedOut ? p.is_last : p.is_first) ? kRows : kColumnsIn | kColumnsOut;
}

// The transforms of a pass.
uint64_t Lines(const fft_id_plan *plan, const PassOf &p) {
    return plan->problem.batch << (fft_id_digits(&plan->problem) - p.digits);
}

// The kernel of a pass, or none. A pass over whole problems by rows has several in a block: s of
// its tile is not the plan's, which is for one problem; by columns the plan's x says how many. Rows
// have two tiles for some nodes, the small one first: it serves where it holds all problems, so
// that no block works on what is not there, and, in reversed order where lines are like problems,
// where the plan's s has no room for the large one.
const PassEntry *Find(const fft_strided_plan *strided, const PassOf &p) {
    const fft_id_plan *plan = &strided->plan;
    const bool only = p.is_first && p.is_last;
    const unsigned columns = ColumnsOf(strided, p);
    const unsigned mode = columns | RealModeOf(plan, p) | OrderModeOf(&plan->problem);
    constexpr unsigned kAll =
        kColumnsIn | kColumnsOut | kRealIn | kRealOut | kReversedIn | kReversedOut;
    if (plan->problem.element == FFT_ID_MODULAR) {
        return nullptr;
    }
    const PassEntries all =
        OfDoubles(&plan->problem) ? EntriesOf<double>(mode) : EntriesOf<float>(mode);
    const PassEntry *found = nullptr;
    for (size_t i = 0; i < all.n; i++) {
        const PassEntry *e = &all.entry[i];
        const bool wide = columns == kRows ? only || found == nullptr || e->s <= plan->tuple.s
                          : only           ? e->lg_lines == plan->tuple.x
                                           : e->s == plan->tuple.s;
        const bool enough = found != nullptr && Lines(plan, p) <= (uint64_t)1 << found->lg_lines;
        if ((e->mode & kAll) == mode && e->nodes == p.nodes && wide && !enough) {
            found = e;
        }
    }
    return found;
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

// Item k t of the roots of order 2^(digits + left), at [k][t].
template <class Real>
__global__ void __launch_bounds__(256) NodeRootsKernel(Real *to, unsigned digits, unsigned left) {
    WaitForKernelBefore();
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >> (digits + left) == 0) {
        const uint64_t k = i >> left, t = i & ((1u << left) - 1);
        const fft_root_f64 w = fft_root(k * t, digits + left);
        to[2 * i] = (Real)w.re, to[2 * i + 1] = -(Real)w.im;
    }
}

template <class Real>
cudaError_t FillRoots(void *to, unsigned digits, unsigned left, cudaStream_t stream) {
    const unsigned n = 1u << (digits + left);
    return Launch(NodeRootsKernel<Real>, (n + 255) / 256, 256, 0, stream, (Real *)to, digits, left);
}

// Item k of a pass's wide roots.
__global__ void __launch_bounds__(256) WideRootsKernel(WideRoot<double> *to, unsigned n) {
    WaitForKernelBefore();
    const unsigned k = blockIdx.x * blockDim.x + threadIdx.x, order = 4 * n;
    if (k < n) {
        const fft_root_sums w = fft_root_wide(k, 31 - __clz((int)order));
        to[k] = {HalfSpectrumRoot<true>(Complex<double>{w.re.high, -w.im.high}),
                 HalfSpectrumRoot<true>(Complex<double>{w.re.low, -w.im.low})};
    }
}

// How many wide roots the first pass has; their table comes after those of nodes.
unsigned WideRoots(const fft_strided_plan *plan) {
    return Find(plan, PassAt(&plan->plan, 0))->wide_roots;
}

// Calls visit(stage, digits left before its node) for each table of a node.
template <class Visit>
void EachTable(const fft_id_plan *plan, Visit visit) {
    EachPass(plan, [&](const PassOf &p) {
        unsigned left = p.digits;
        for (unsigned i = p.first; i + 1 < p.end; i++) {
            visit(i, left);
            left -= plan->stage[i].digits;
        }
        return true;
    });
}

const char *PassRefusal(const fft_strided_plan *strided, const PassOf &p) {
    const fft_id_plan *plan = &strided->plan;
    const PassEntry *entry = Find(strided, p);
    if (entry == nullptr) {
        return "no kernel was built for the nodes and the tile of a pass";
    }
    if (Blocks(plan, p, entry) > kMaxGridX) {
        return "a launch cannot have that many blocks";
    }
    if (p.is_first && p.is_last && OnlyModeOf(strided) != 0 &&
        Lines(plan, p) % ((uint64_t)1 << entry->lg_lines) != 0) {
        return "a tile of neighbouring problems is whole";
    }
    for (unsigned i = p.first; i + 1 < p.end; i++) {
        if (plan->stage[i].twiddle != FFT_ID_AFTER || plan->stage[i + 1].where != FFT_ID_SHARED) {
            return "kernels multiply by twiddles after nodes, and exchange between nodes";
        }
    }
    return nullptr;
}

bool IsReals(const fft_id_problem *problem, bool output) {
    return fft_id_pairs(problem) && output == (problem->direction == FFT_ID_INVERSE);
}

// Whether passes can address a side: items of one problem side by side, or items of neighbouring
// problems; of reals whole pairs. In reversed order with several passes problems must follow each
// other without gaps, because a pass has rows for problems.
bool Addressed(const fft_strided_plan *plan, bool output) {
    const fft_id_problem *problem = &plan->plan.problem;
    const fft_strided_layout side = output ? plan->out : plan->in;
    return Interleaved(plan, output)
               ? !fft_id_pairs(problem) && fft_id_passes(&plan->plan) == 1
               : side.stride == 1 &&
                     (problem->batch == 1 || !IsReals(problem, output) || side.distance % 2 == 0) &&
                     (problem->order == FFT_ID_NATURAL || fft_id_passes(&plan->plan) == 1 ||
                      fft_strided_is_dense(problem, side, output));
}

// In items.
PassSide SideOf(const fft_strided_plan *plan, bool output) {
    const fft_strided_layout side = output ? plan->out : plan->in;
    return {side.stride, IsReals(&plan->plan.problem, output) ? side.distance / 2 : side.distance};
}

// The digits of a pass, and of both sides, which come as distances between elements, the steps.
void SetPlaces(const fft_strided_plan *strided, const PassOf &p, PassJob *job) {
    const fft_id_problem *problem = &strided->plan.problem;
    const unsigned n = fft_id_digits(problem), order = OrderModeOf(problem);
    const unsigned left = p.top - p.digits, consumed = n - p.top;
    if (order != kRows && ColumnsOf(strided, p) == kRows && !(p.is_first && p.is_last)) {
        job->n = (uint8_t)p.digits;  // as many problems as there are lines
        job->from = job->to = {1, (uint64_t)1 << p.digits};
        return;
    }
    job->n = (uint8_t)n;
    job->after = (uint8_t)(order == kReversedIn ? consumed : left);
    job->before = (uint8_t)(order == kReversedIn ? left : consumed);
    job->from.step <<= job->after;
    job->to.step <<= order == kRows ? n - p.digits : job->after;
}

// Lets the present device run a kernel.
cudaError_t MakeReady(const PassEntry *entry) {
    const cudaError_t e = AllowShared(entry->kernel, entry->shared_bytes);
    return e == cudaSuccess ? AllowCluster(entry->kernel, entry->cluster) : e;
}

}  // namespace

const char *PassesRefusal(const fft_strided_plan *plan) {
    if (!Addressed(plan, false) || !Addressed(plan, true)) {
        return "no kernels for this layout";
    }
    const char *why = nullptr;
    EachPass(&plan->plan, [&](const PassOf &p) {
        why = PassRefusal(plan, p);
        return why == nullptr;
    });
    return why;
}

const char *fft_device_refusal(const fft_id_plan *plan) {
    const char *why = fft_id_refusal(plan);
    const fft_strided_plan dense = Dense(plan);
    return why != nullptr                 ? why
           : fft_id_mixed(&plan->problem) ? MixedRefusal(&dense)
                                          : PassesRefusal(&dense);
}

size_t PassesTableBytes(const fft_strided_plan *strided) {
    const fft_id_plan *plan = &strided->plan;
    size_t items = 0;
    EachTable(plan, [&](unsigned, unsigned left) { items += (size_t)1 << left; });
    return items * fft_id_item_bytes(&plan->problem) +
           WideRoots(strided) * sizeof(WideRoot<double>);
}

size_t fft_device_table_bytes(const fft_id_plan *plan) {
    const fft_strided_plan dense = Dense(plan);
    return fft_device_refusal(plan) != nullptr ? 0
           : fft_id_mixed(&plan->problem)      ? MixedTableBytes(&dense)
                                               : PassesTableBytes(&dense);
}

size_t fft_device_workspace_bytes(const fft_id_plan *plan) {
    return fft_device_refusal(plan) != nullptr || !NeedsWorkspace(plan)
               ? 0
               : fft_id_item_bytes(&plan->problem) * plan->problem.batch *
                     fft_id_length(&plan->problem);
}

result PassesTables(const fft_strided_plan *strided, void *tables, cuda_stream stream) {
    const fft_id_plan *plan = &strided->plan;
    char *at = (char *)tables;
    cudaError_t e = cudaSuccess;
    EachTable(plan, [&](unsigned stage, unsigned left) {
        const unsigned digits = plan->stage[stage].digits;
        if (e == cudaSuccess) {
            e = OfDoubles(&plan->problem) ? FillRoots<double>(at, digits, left - digits, stream)
                                          : FillRoots<float>(at, digits, left - digits, stream);
        }
        at += fft_id_item_bytes(&plan->problem) << left;
    });
    if (const unsigned n = WideRoots(strided); n > 0 && e == cudaSuccess) {
        e = Launch(WideRootsKernel, (n + 255) / 256, 256, 0, stream, (WideRoot<double> *)at, n);
    }
    EachPass(plan, [&](const PassOf &p) {
        if (e == cudaSuccess) {
            e = MakeReady(Find(strided, p));
        }
        return e == cudaSuccess;
    });
    return e == cudaSuccess ? RESULT_OK : RESULT_DEVICE_ERROR;
}

result fft_device_tables(const fft_id_plan *plan, void *tables, cuda_stream stream) {
    const fft_strided_plan dense = Dense(plan);
    return fft_device_refusal(plan) != nullptr ? RESULT_REFUSED
           : fft_id_mixed(&plan->problem)      ? MixedTables(&dense, tables, stream)
                                               : PassesTables(&dense, tables, stream);
}

result PassesTransform(const fft_strided_plan *strided, const void *in, void *out, void *workspace,
                       const void *tables, cuda_stream stream) {
    const fft_id_plan *plan = &strided->plan;
    const bool inverse = plan->problem.direction == FFT_ID_INVERSE;
    const char *roots = (const char *)tables;
    unsigned passes_left = fft_id_passes(plan);
    const void *from = in;
    PassSide side = SideOf(strided, false);
    // Between passes items stand where lines of memory begin, not as far apart as frequencies of
    // reals, but where that would write between the output's elements.
    const bool out_dense = fft_strided_is_dense(&plan->problem, strided->out, true);
    cudaError_t e = cudaSuccess;
    EachPass(plan, [&](const PassOf &p) {
        const PassEntry *entry = Find(strided, p);
        PassJob job = {};
        job.in = from;
        job.out = NeedsWorkspace(plan) ? PassOutput(passes_left--, out, workspace) : out;
        job.from = side;
        const bool dense = !p.is_last && (job.out != out || out_dense);
        job.to = dense ? PassSide{1, fft_id_length(&plan->problem)} : SideOf(strided, true);
        side = job.to;
        SetPlaces(strided, p, &job);
        for (unsigned i = p.first, left = p.digits; i + 1 < p.end; i++) {
            job.node_roots[i - p.first] = roots;
            roots += fft_id_item_bytes(&plan->problem) << left;
            left -= plan->stage[i].digits;
        }
        job.wide_roots = roots;
        from = job.out;
        job.lines = Lines(plan, p);
        job.swap_in = inverse && p.is_first;
        job.swap_out = inverse && p.is_last;
        e = LaunchPass(entry, (unsigned)Blocks(plan, p, entry), stream, job);
        return e == cudaSuccess;
    });
    return e == cudaSuccess ? RESULT_OK : RESULT_DEVICE_ERROR;
}

result fft_device_transform(const fft_id_plan *plan, const void *in, void *out, void *workspace,
                            const void *tables, cuda_stream stream) {
    if (fft_device_refusal(plan) != nullptr ||
        (in == out && fft_id_pairs(&plan->problem) && plan->problem.batch > 1)) {
        return RESULT_REFUSED;
    }
    const fft_strided_plan dense = Dense(plan);
    return fft_id_mixed(&plan->problem)
               ? MixedTransform(&dense, in, out, workspace, tables, stream)
               : PassesTransform(&dense, in, out, workspace, tables, stream);
}
