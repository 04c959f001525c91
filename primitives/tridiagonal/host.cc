// host.cc: tridiagonal.h in host memory: threads take systems, each from its first row
// to its last and back. Uses no part of the C++ library that has to be linked.
#include <cmath>

#include "primitives/tridiagonal/scale.h"
#include "primitives/tridiagonal/tridiagonal.h"
#include "primitives/words/twofold.h"

namespace {

constexpr unsigned kSharesEach = 4;  // of systems for each thread, so that all end together

template <class T>
struct HostSystems {
    tridiagonal_job job;
    const T *a, *b, *c, *d;
    T *x;
    uint32_t *status;
    char *memory;  // kept bytes for each thread
    size_t kept;
    tridiagonal_variant variant;
    size_t shares;
    uint32_t singular;
};

template <class T>
struct HostRow {
    T u, v, w, d;  // u x(i) + v x(i+1) + w x(i+2) = d
};

// Gaussian elimination without interchanges: 8 operations and 2 divisions a row. x may be d.
template <class T>
void Thomas(const HostSystems<T> &s, uint64_t base, T *factor) {
    const uint64_t n = s.job.n, stride = s.job.row_stride;
    T u = 0, y = 0;
    for (uint64_t i = 0; i < n; i++) {
        const uint64_t at = base + i * stride;
        const T a = i > 0 ? s.a[at] : 0, c = i + 1 < n ? s.c[at] : 0;
        const T pivot = s.b[at] - a * u;
        y = (s.d[at] - a * y) / pivot;
        u = c / pivot;
        s.x[at] = y;
        factor[i] = u;
    }
    T x = 0;
    for (uint64_t i = n; i-- > 0;) {
        const uint64_t at = base + i * stride;
        s.x[at] = x = s.x[at] - factor[i] * x;
    }
}

// Row i as numbers of type T.
template <class T>
HostRow<T> ScaledRow(const HostSystems<Stored<T>> &s, uint64_t base, uint64_t i) {
    if (i == s.job.n) {
        return {0, 0, 0, 0};
    }
    const uint64_t at = base + i * s.job.row_stride;
    const T a = i > 0 ? s.a[at] : 0, b = s.b[at], c = i + 1 < s.job.n ? s.c[at] : 0, d = s.d[at];
    const auto scale = RowScale(std::fmax(std::fmax(fabs(a), fabs(b)), fabs(c)));
    return {TimesPower(a, scale), TimesPower(b, scale), TimesPower(c, scale), TimesPower(d, scale)};
}

// c - a b. Not fused where the processor may have to do without.
template <class T>
T Less(T c, T a, T b) {
    return c - a * b;
}

template <class T>
Twofold<T> Less(Twofold<T> c, Twofold<T> a, Twofold<T> b) {
    return fma(-a, b, c);
}

// Gaussian elimination with partial pivoting among scaled rows: of two rows that know x(i) the one
// with the larger coefficient is kept. About 20 operations of T and a division a row. x may be d.
template <class T>
void Pivot(const HostSystems<Stored<T>> &s, uint64_t base, T *kept) {
    const uint64_t n = s.job.n;
    HostRow<T> row = ScaledRow<T>(s, base, 0);
    row = {row.v, row.w, 0, row.d};
    for (uint64_t i = 0; i < n; i++) {
        const HostRow<T> next = ScaledRow<T>(s, base, i + 1);
        const bool swap = fabs(next.u) > fabs(row.u);
        const HostRow<T> p = swap ? next : row, q = swap ? row : next;
        const T inverse = 1 / p.u;
        const T v = p.v * inverse, w = p.w * inverse, d = p.d * inverse;
        kept[3 * i] = v;
        kept[3 * i + 1] = w;
        kept[3 * i + 2] = d;
        row = {Less(q.v, q.u, v), Less(q.w, q.u, w), 0, Less(q.d, q.u, d)};
    }
    T next = 0, after = 0;
    for (uint64_t i = n; i-- > 0;) {
        const T x = Less(Less(kept[3 * i + 2], kept[3 * i], next), kept[3 * i + 1], after);
        s.x[base + i * s.job.row_stride] = Rounded(x);
        after = next;
        next = x;
    }
}

template <class T>
bool Finite(const HostSystems<T> &s, uint64_t base) {
    bool finite = true;
    for (uint64_t i = 0; i < s.job.n; i++) {
        finite = finite && std::isfinite(s.x[base + i * s.job.row_stride]);
    }
    return finite;
}

template <class T>
void SolveSystem(const HostSystems<T> &s, uint64_t base, char *memory) {
    switch (s.variant) {
        case TRIDIAGONAL_THOMAS:
            Thomas(s, base, (T *)memory);
            break;
        case TRIDIAGONAL_PARTITION_PIVOT:
            Pivot(s, base, (Twofold<T> *)memory);
            break;
        default:
            Pivot(s, base, (T *)memory);
            break;
    }
}

template <class T>
void SolveShare(void *systems, size_t share, unsigned worker) {
    HostSystems<T> &s = *static_cast<HostSystems<T> *>(systems);
    char *const memory = s.memory + worker * s.kept;
    const uint64_t batch = s.job.batch, each = (batch - 1) / s.shares + 1;
    for (uint64_t k = share * each; k < batch && k < (share + 1) * each; k++) {
        const uint64_t base = k * s.job.system_stride;
        SolveSystem(s, base, memory);
        const uint32_t status = Finite(s, base) ? 0 : 1;
        if (s.status != nullptr) {
            s.status[k] = status;
        }
        if (status != 0) {
            __atomic_store_n(&s.singular, 1, __ATOMIC_RELAXED);
        }
    }
}

// Bytes that a thread keeps of a system, by a variant that the host has.
size_t KeptBytes(const tridiagonal_job *job, tridiagonal_variant variant) {
    const size_t n = (size_t)job->n, width = job->type == TRIDIAGONAL_F32 ? 4 : 8;
    switch (variant) {
        case TRIDIAGONAL_PARTITION_PLAIN:
            return 3 * n * width;
        case TRIDIAGONAL_PARTITION_PIVOT:
            return 3 * n * 2 * width;
        default:
            return n * width;
    }
}

template <class T>
result Solve(const tridiagonal_job *job, tridiagonal_variant variant, const void *a, const void *b,
             const void *c, const void *d, void *x, uint32_t *status, void *workspace, team *t) {
    const uint64_t shares = (uint64_t)kSharesEach * team_size(t);
    HostSystems<T> s = {*job,
                        (const T *)a,
                        (const T *)b,
                        (const T *)c,
                        (const T *)d,
                        (T *)x,
                        status,
                        (char *)workspace,
                        KeptBytes(job, variant),
                        variant,
                        (size_t)(shares < job->batch ? shares : job->batch),
                        0};
    if (s.shares > 0) {
        team_run(t, SolveShare<T>, &s, s.shares);
    }
    return s.singular != 0 ? RESULT_SINGULAR : RESULT_OK;
}

}  // namespace

size_t tridiagonal_host_workspace_bytes(const tridiagonal_job *job, tridiagonal_variant variant,
                                        unsigned threads) {
    tridiagonal_plan plan;
    const bool known = variant == TRIDIAGONAL_PARTITION_PIVOT || variant == TRIDIAGONAL_THOMAS ||
                       variant == TRIDIAGONAL_PARTITION_PLAIN;
    if (!known || !tridiagonal_make_plan(&plan, job, variant)) {
        return 0;
    }
    return KeptBytes(job, variant) * threads + 1;  // never 0
}

result tridiagonal_host(const tridiagonal_job *job, tridiagonal_variant variant, const void *a,
                        const void *b, const void *c, const void *d, void *x, uint32_t *status,
                        void *workspace, size_t bytes, team *team) {
    const size_t needed = tridiagonal_host_workspace_bytes(job, variant, team_size(team));
    if (needed == 0 || bytes < needed) {
        return RESULT_REFUSED;
    }
    return job->type == TRIDIAGONAL_F32
               ? Solve<float>(job, variant, a, b, c, d, x, status, workspace, team)
               : Solve<double>(job, variant, a, b, c, d, x, status, workspace, team);
}
