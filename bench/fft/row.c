// row.c: see row.h.
#include "bench/fft/row.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/support/device.h"

enum { SEED = 1, POINTS = 1 << 18, INPUTS = 1024 };

bool fft_row_run(void *self, cuda_stream stream) {
    const fft_row_job *o = self;
    return fft_device_transform(o->plan, o->in, o->out, o->workspace, o->tables, stream) ==
           RESULT_OK;
}

fft_row_job fft_row_job_of(fft_bench *b, const fft_row *r, const fft_id_plan *plan) {
    void *const tables = fft_row_grown(&b->tables, fft_device_table_bytes(plan));
    void *const workspace = fft_row_grown(&b->workspace, fft_device_workspace_bytes(plan));
    if (tables == NULL || workspace == NULL || fft_device_tables(plan, tables, NULL) != RESULT_OK) {
        fft_row_wrong(r, "no memory on the device for workspaces");
    }
    return (fft_row_job){plan, r->in.items, tables, r->out.items, workspace};
}

naive_fft_job fft_row_naive_of(fft_bench *b, const fft_row *r) {
    naive_fft_job j = {.in = r->in.items,
                       .out = r->out.items,
                       .batch = r->problem.batch,
                       .lg = r->in.lg,
                       .single = r->in.single};
    j.workspace_bytes = naive_fft_bytes(&j);
    j.workspace = fft_row_grown(&b->workspace, j.workspace_bytes);
    void *const roots = fft_row_grown(&b->tables, naive_fft_root_bytes(&j));
    if (j.workspace == NULL || roots == NULL || !naive_fft_roots(&j, roots, NULL)) {
        fft_row_wrong(r, "no memory on the device for workspaces");
    }
    j.roots = roots;
    return j;
}

void fft_row_wrong(const fft_row *r, const char *what) {
    fprintf(stderr, "fft_bench: %s of %" PRIu64 " x %" PRIu64 ": %s\n", r->k->name, r->n,
            r->problem.batch, what);
    exit(1);
}

void *fft_row_grown(fft_room *r, size_t bytes) {
    if (r->bytes < bytes || r->at == NULL) {
        device_free(r->at);
        r->at = device_alloc(bytes);
        r->bytes = r->at != NULL ? bytes : 0;
    }
    return r->at;
}

fft_row fft_row_of(fft_bench *b, const fft_kind *k, const fft_id_problem *problem) {
    const bool rev = problem->order == FFT_ID_REVERSED, mixed = fft_id_mixed(problem);
    const bool single = fft_id_item_bytes(problem) == 2 * sizeof(float);
    const unsigned lg = mixed ? 0 : problem->exponent[0];
    fft_row r = {.k = k, .problem = *problem};
    r.n = mixed ? fft_id_length(problem) : UINT64_C(1) << lg;
    r.levels = log2((double)r.n);
    r.points = r.n * problem->batch;
    const uint64_t batch = r.points >> lg;
    r.in = (fft_truth_array){NULL, k->in, single, rev && k->direction == FFT_ID_INVERSE, lg, batch};
    r.out =
        (fft_truth_array){NULL, k->out, single, rev && k->direction == FFT_ID_FORWARD, lg, batch};
    const size_t in = fft_truth_array_bytes(&r.in), out = fft_truth_array_bytes(&r.out);
    const size_t most = in > out ? in : out;  // the copy moves the mean of both
    r.bytes = (double)in + (double)out;
    r.in.items = fft_row_grown(&b->in, most);
    r.out.items = fft_row_grown(&b->out, out);
    r.rival_in = r.in;
    r.rival_out = r.out;
    r.rival_in.reversed = r.rival_out.reversed = false;
    r.rival_in.items = fft_row_grown(&b->rival_in, most);
    r.rival_out.items = fft_row_grown(&b->rival_out, out);
    b->exact.items = fft_row_grown(&b->truth, fft_truth_bytes(lg, batch));
    if (r.in.items == NULL || r.out.items == NULL || r.rival_in.items == NULL ||
        r.rival_out.items == NULL || b->exact.items == NULL) {
        fft_row_wrong(&r, "no memory on the device");
    }
    if (!fft_truth_random(&r.in, SEED) ||
        !(mixed || fft_truth_make(&b->exact, &r.in, k->direction == FFT_ID_INVERSE))) {
        fft_row_wrong(&r, "the exact transform failed");
    }
    return r;
}

// At most what radix 2 is proved to have with the worst of roundings:
// (1 + sqrt(5) + 1/2) u for each level, in the 2-norm [BrentPercivalZimmermann07].
double fft_row_check(const fft_bench *b, const fft_row *r, const fft_truth_array *y,
                     const char *whose) {
    const double unit = y->single ? 0x1p-24 : 0x1p-53;
    const double error = fft_truth_error(&b->exact, y);
    if (!(error >= 0 && error <= 4 * unit * (r->levels + 1))) {
        fprintf(stderr, "fft_bench: %s has an error of %g\n", whose, error);
        fft_row_wrong(r, "wrong or failed");
    }
    return error;
}

// rival_again: a call from fresh input, because timed calls from complex to real destroy theirs.
// Its result becomes the truth if there is no other.
static void rival_again(const fft_bench *b, const fft_row *r, uint32_t seed, cufft_job *job) {
    if (!fft_truth_random(&r->rival_in, seed) || !cufft_enqueue(job, NULL) ||
        (fft_id_mixed(&r->problem) && !fft_truth_make(&b->exact, &r->rival_out, false))) {
        fft_row_wrong(r, "the rival failed");
    }
}

void fft_row_errors(const fft_bench *b, const fft_row *r, const device_side *ours, cufft_job *job,
                    double error[2]) {
    const bool one = fft_id_mixed(&r->problem) || r->points >= POINTS;
    const uint64_t most = one ? 1 : POINTS / r->points;
    const unsigned inputs = most < INPUTS ? (unsigned)most : INPUTS;
    double squares[2] = {0, 0};
    for (unsigned i = 0; i < inputs; i++) {
        const bool inverse = r->k->direction == FFT_ID_INVERSE;
        if (i > 0 &&
            (!fft_truth_random(&r->in, SEED + i) || !fft_truth_make(&b->exact, &r->in, inverse) ||
             !ours->enqueue(ours->self, NULL))) {
            fft_row_wrong(r, "another input failed");
        }
        if (job != NULL) {
            rival_again(b, r, SEED + i, job);
            const double e = fft_row_check(b, r, &r->rival_out, "the rival");
            squares[1] += e * e;
        }
        const double e = fft_row_check(b, r, &r->out, "our result");
        squares[0] += e * e;
    }
    error[0] = sqrt(squares[0] / inputs), error[1] = sqrt(squares[1] / inputs);
}
