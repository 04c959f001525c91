// execute.c: the steps of complex, real and product transforms in order, over a team of
// threads. May include ops.h.
#include <assert.h>
#include <stddef.h>

#include "fft/complex/ops.h"

const fft_complex_ops *fft_complex_variant(cpu_simd simd, fft_float type) {
    static const fft_complex_ops *const all[CPU_SIMDS][FFT_FLOATS] = {
        [CPU_PORTABLE] = {&fft_complex_ops_portable_f64, &fft_complex_ops_portable_f32},
        [CPU_AVX2] = {&fft_complex_ops_avx2_f64, &fft_complex_ops_avx2_f32},
        [CPU_AVX512] = {&fft_complex_ops_avx512_f64, &fft_complex_ops_avx512_f32},
    };
    return all[simd][type];
}

void fft_complex_tables(const fft_complex_ops *ops, const fft_complex_plan *plan, void *tables) {
    assert(ops->type == plan->problem.type);
    ops->tables(plan, tables);
}

void fft_real_tables(const fft_complex_ops *ops, const fft_real_plan *plan, void *tables) {
    assert(ops->type == plan->half.problem.type);
    ops->real_tables(plan, tables);
}

// step: what the tasks of one team_run share. A task does `each` items.
typedef struct {
    const fft_complex_ops *ops;
    fft_complex_job job;
    char *buffers;
    uint64_t items, each;
    bool inverse;
    const char *in;  // of the batch
    char *out;
    uint64_t in_bytes, out_bytes;  // from one transform to the next
} step;

static void *step_buffer(const step *s, unsigned worker) {
    return s->buffers + worker * fft_complex_buffer_bytes(s->job.plan);
}

static void columns_task(void *arg, size_t strip, unsigned worker) {
    const step *const s = arg;
    (s->inverse ? s->ops->columns_inverse : s->ops->columns_forward)(&s->job, strip,
                                                                     step_buffer(s, worker));
}

static void rows_forward_task(void *arg, size_t row, unsigned worker) {
    const step *const s = arg;
    s->ops->rows_forward(&s->job, row, step_buffer(s, worker));
}

static void rows_inverse_task(void *arg, size_t row, unsigned worker) {
    const step *const s = arg;
    (void)worker;
    s->ops->rows_inverse(&s->job, row);
}

static void rows_prepare_task(void *arg, size_t row, unsigned worker) {
    const step *const s = arg;
    (void)worker;
    s->ops->rows_prepare(&s->job, row);
}

static void rows_product_task(void *arg, size_t row, unsigned worker) {
    const step *const s = arg;
    (void)worker;
    s->ops->rows_product(&s->job, row);
}

static void rows_sum_task(void *arg, size_t row, unsigned worker) {
    const step *const s = arg;
    (void)worker;
    s->ops->rows_sum(&s->job, row);
}

// transform_one: one transform of step's views over a team.
static void transform_one(step *s, team *t) {
    const fft_complex_plan *const p = s->job.plan;
    const uint64_t strips = fft_complex_strips(p);
    if (s->inverse) {
        team_run(t, rows_inverse_task, s, p->rows);
        team_run(t, columns_task, s, strips);
    } else {
        team_run(t, columns_task, s, strips);
        team_run(t, rows_forward_task, s, p->rows);
    }
}

// Points that no cache of one core holds are written past the caches, which saves reading them
// first: a third of the traffic. A plane is read again soon, so it must be larger for that.
enum { STREAM_OUT_BYTES = 4 << 20, STREAM_PLANE_BYTES = 32 << 20 };

static void set_item(step *s, uint64_t item) {
    const fft_complex_plan *const p = s->job.plan;
    const uint64_t bytes = fft_complex_plane_bytes(p);
    s->job.in.points = (void *)(uintptr_t)(s->in + item * s->in_bytes);  // only read
    s->job.out.points = s->out + item * s->out_bytes;
    s->job.stream_out = bytes >= STREAM_OUT_BYTES && p->lanes == FFT_COMPLEX_LANES &&
                        (uintptr_t)s->job.out.points % 64 == 0;
    s->job.stream_plane = bytes >= STREAM_PLANE_BYTES;
}

// A task of whole transforms, each in that worker's own plane.
static void batch_task(void *arg, size_t index, unsigned worker) {
    step s = *(const step *)arg;
    const uint64_t first = index * s.each;
    const uint64_t n = s.items - first < s.each ? s.items - first : s.each;
    s.job.plane = (char *)s.job.plane + worker * fft_complex_plane_bytes(s.job.plan);
    for (uint64_t i = first; i < first + n; i++) {
        set_item(&s, i);
        transform_one(&s, NULL);
    }
}

// A task of transforms has at least 2^13 points, so that taking it costs nothing beside it.
enum { TASK_POINTS = 1 << 13 };

static void transform_batch(const fft_complex_run *run, step *s) {
    const fft_complex_plan *const p = run->plan;
    s->ops = run->ops;
    s->job.plan = p;
    s->job.tables = run->tables;
    s->job.plane = run->workspace;
    s->items = p->problem.batch;
    assert(s->ops->type == p->problem.type && !p->problem.right_angle);
    if (p->rows == 1) {
        s->each = p->problem.length < TASK_POINTS ? TASK_POINTS / p->problem.length : 1;
        team_run(run->team, batch_task, s, (s->items + s->each - 1) / s->each);
        return;
    }
    s->buffers = (char *)run->workspace + fft_complex_plane_bytes(p);
    for (uint64_t i = 0; i < s->items; i++) {
        set_item(s, i);
        transform_one(s, run->team);
    }
}

// Natural transforms back are forward ones of (imaginary, real) pairs.
static void transform(const fft_complex_run *run, fft_direction direction, const void *in,
                      uint64_t in_floats, void *out, uint64_t out_floats) {
    const fft_complex_problem *const problem = &run->plan->problem;
    const uint64_t bytes = fft_float_bytes(problem->type);
    const bool back = direction == FFT_INVERSE, natural = problem->order == FFT_NATURAL;
    const fft_complex_form form = back && natural ? FFT_EXCHANGED : FFT_PAIRS;
    step s = {.in = in,
              .out = out,
              .in_bytes = in_floats * bytes,
              .out_bytes = out_floats * bytes,
              .inverse = back && !natural,
              .job = {.in = {.form = form}, .out = {.form = form}}};
    transform_batch(run, &s);
}

void fft_complex_execute(const fft_complex_run *run, fft_direction direction, const void *in,
                         void *out) {
    const uint64_t floats = 2 * run->plan->problem.distance;
    transform(run, direction, in, floats, out, floats);
}

// Real transforms -----------------------------------------------------------------------------

typedef struct {
    const fft_real_run *run;
    const void *table;
    const char *in;
    char *out;
    bool join;
    uint64_t each, parts;  // a transform's k in parts
} real_step;

static void real_task(void *arg, size_t index, unsigned worker) {
    const real_step *const s = arg;
    const fft_real_plan *const p = s->run->plan;
    const uint64_t bytes = fft_float_bytes(p->half.problem.type), item = index / s->parts;
    const uint64_t first = index % s->parts * s->each, all = p->length / 4;
    const uint64_t n = all - first < s->each ? all - first : s->each;
    char *const out =
        s->out + item * bytes * (s->join ? p->real_distance : 2 * p->complex_distance);
    (void)worker;
    if (s->join) {
        const char *const in = s->in + item * bytes * 2 * p->complex_distance;
        s->run->ops->real_join(p, s->table, in, out, first, n);
    } else {
        s->run->ops->real_split(p, s->table, out, first, n);
    }
}

static void real_level(const fft_real_run *run, const void *in, void *out, bool join) {
    const uint64_t all = run->plan->length / 4;
    const uint64_t tables = fft_complex_table_bytes(&run->plan->half);
    real_step s = {.run = run,
                   .table = (const char *)run->tables + tables,
                   .in = in,
                   .out = out,
                   .join = join,
                   .each = TASK_POINTS / 2};
    s.parts = all / s.each + 1;  // one at least: k = 0 is always there
    team_run(run->team, real_task, &s, s.parts * run->plan->batch);
}

void fft_real_forward(const fft_real_run *run, const void *in, void *out) {
    const fft_complex_run half = {run->ops, &run->plan->half, run->tables, run->workspace,
                                  run->team};
    transform(&half, FFT_FORWARD, in, run->plan->real_distance, out,
              2 * run->plan->complex_distance);
    real_level(run, NULL, out, false);
}

void fft_real_inverse(const fft_real_run *run, const void *in, void *out) {
    const fft_complex_run half = {run->ops, &run->plan->half, run->tables, run->workspace,
                                  run->team};
    const uint64_t distance = run->plan->real_distance;
    real_level(run, in, out, true);
    transform(&half, FFT_INVERSE, out, distance, out, distance);
}

// Products ------------------------------------------------------------------------------------

// operands: the steps that take values into the cells of planes, of one operand or of both.
typedef struct {
    step of[2];
    uint64_t strips;  // of each
} operands;

static void operands_task(void *arg, size_t index, unsigned worker) {
    operands *const o = arg;
    columns_task(&o->of[index / o->strips], index % o->strips, worker);
}

static step product_step(const fft_complex_run *run) {
    assert(run->ops->type == run->plan->problem.type && run->plan->problem.right_angle);
    return (step){
        .ops = run->ops,
        .job = {.plan = run->plan, .tables = run->tables},
        .buffers = (char *)run->workspace +
                   fft_complex_planes(run->plan) * fft_complex_plane_bytes(run->plan),
    };
}

// operand_step: x into the cells of a plane.
static step operand_step(const fft_complex_run *run, const fft_integers *x, void *plane) {
    step s = product_step(run);
    s.job.in = (fft_complex_view){
        .points = (void *)(uintptr_t)x->values,  // only read
        .form = x->count > run->plan->problem.length ? FFT_INTEGERS : FFT_INTEGERS_REAL,
        .half = run->plan->problem.length,
        .read = x->read,
        .from = x->from};
    assert(x->read == NULL || fft_product_reads(run->plan));
    s.job.plane = plane;
    s.job.stream_plane = fft_complex_plane_bytes(run->plan) >= STREAM_PLANE_BYTES;
    return s;
}

// product_columns: x into one plane, and y, unless it is NULL, into another.
static void product_columns(const fft_complex_run *run, const fft_integers *x, void *plane,
                            const fft_integers *y, void *other) {
    operands o = {.of = {operand_step(run, x, plane)}, .strips = fft_complex_strips(run->plan)};
    if (y != NULL) {
        o.of[1] = operand_step(run, y, other);
    }
    // x may lie where y's plane is to be; then one thread takes x before y.
    team *const workers = fft_complex_planes(run->plan) == 1 ? NULL : run->team;
    team_run(workers, operands_task, &o, (y != NULL ? 2 : 1) * o.strips);
}

// product_values: inverse columns of the plane in the workspace, into z.
static void product_values(const fft_complex_run *run, step *s, void *z) {
    const fft_product_places places = fft_product_places_of(run->plan);
    s->job.out = (fft_complex_view){
        .points = z, .form = FFT_VALUES, .half = places.all / 2, .apart = places.apart};
    s->inverse = true;
    team_run(run->team, columns_task, s, fft_complex_strips(run->plan));
}

// product_finish: rows and inverse columns of the plane in the workspace, into z.
static void product_finish(const fft_complex_run *run, void *other, bool prepared, void *z) {
    step s = product_step(run);
    s.job.plane = run->workspace;
    s.job.other = other;
    s.job.prepared = prepared;
    team_run(run->team, rows_product_task, &s, run->plan->rows);
    product_values(run, &s, z);
}

void fft_product_prepare(const fft_complex_run *run, const fft_integers *x, void *plane) {
    product_columns(run, x, plane, NULL, NULL);
    step s = product_step(run);
    s.job.plane = plane;
    team_run(run->team, rows_prepare_task, &s, run->plan->rows);
}

void fft_product_prepared(const fft_complex_run *run, const fft_integers *x, const void *plane,
                          void *z) {
    product_columns(run, x, run->workspace, NULL, NULL);
    product_finish(run, (void *)(uintptr_t)plane, true, z);  // only read
}

void fft_product_convolve(const fft_complex_run *run, const fft_integers *x, const fft_integers *y,
                          void *z) {
    void *const other = fft_complex_planes(run->plan) == 1
                            ? z
                            : (char *)run->workspace + fft_complex_plane_bytes(run->plan);
    product_columns(run, x, run->workspace, y, other);
    product_finish(run, y == NULL ? NULL : other, false, z);
}

void fft_product_sum(const fft_complex_run *run, const void *const planes[4], bool minus, void *z) {
    step s = product_step(run);
    s.job.plane = run->workspace;
    s.job.sum = planes;
    s.job.minus = minus;
    team_run(run->team, rows_sum_task, &s, run->plan->rows);
    product_values(run, &s, z);
}
