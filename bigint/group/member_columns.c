// member_columns.c: see member_columns.h.
#define _POSIX_C_SOURCE 200809L  // clock_gettime
#include "bigint/group/member_columns.h"

#include <assert.h>
#include <time.h>

#include "bigint/multiply/recombine.h"
#include "primitives/words/word.h"

// --- Clock ---

static const char *const phase_names[MEMBER_PHASES] = {"strips",  "columns", "rows",
                                                       "inverse", "pieces",  "blocks"};

const char *member_phase_name(member_phase phase) { return phase_names[phase]; }

// working: seconds until now, the time in exchanges left out.
static double working(const exchange *x) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec - x->seconds;
}

void member_clock_start(member_clock *clock, const exchange *x) {
    *clock = (member_clock){.last = working(x)};
}

void member_clock_stop(member_clock *clock, const exchange *x, member_phase phase) {
    const double t = working(x);
    clock->seconds[phase] += t - clock->last;
    clock->last = t;
}

// --- Memory ---

static unsigned self(const member_convolution *c) { return c->member->exchange->member; }

// turns: whether columns and rows are dealt out; else a plane has both.
static bool turns(const member_convolution *c) { return c->plan->column_groups > 1; }

static uint64_t columns_stride(const member_convolution *c) {
    return fft_row_stride(FFT_UNIT * member_columns(c->plan, self(c)).count);
}

static uint64_t joined_stride(const member_convolution *c) {
    return fft_row_stride(FFT_UNIT * member_final_units(c->plan, self(c)).count);
}

static double *take(unsigned char *memory, uint64_t *used, uint64_t doubles) {
    double *const p = memory == NULL ? NULL : (double *)(memory + *used);
    *used += word_ceil_div(doubles * sizeof *p, 64) * 64;
    return p;
}

uint64_t member_lay_rows(member_convolution *c, unsigned char *memory) {
    const uint64_t rows = member_rows(c->plan, self(c)).count * c->plan->fft.row_stride;
    uint64_t used = 0;
    // a's rows are its columns where these are not dealt out
    c->rows[0] = take(memory, &used, turns(c) ? rows : 0);
    c->rows[1] = take(memory, &used, c->plan->square ? 0 : rows);
    return used;
}

uint64_t member_lay_planes(member_convolution *c, unsigned char *memory) {
    const fft_plan *const fft = &c->plan->fft;
    const bool joins = c->plan->prime_groups > 1;
    uint64_t used = 0;
    for (uint64_t p = 0; p < member_primes(c->plan, self(c)).count; p++) {
        c->planes[p] = take(memory, &used, fft->rows * columns_stride(c));
    }
    for (unsigned p = 0; p < FFT_PRIMES_USED; p++) {
        c->joined[p] = joins ? take(memory, &used, fft->rows * joined_stride(c)) : c->planes[p];
    }
    const uint64_t buffers = team_size(c->member->ctx->team) * fft_plan_buffer_bytes(fft);
    c->buffers = take(memory, &used, buffers / sizeof(double));
    return used;
}

// --- Steps, each over the member's team ---

typedef struct {
    const member_convolution *c;
    const fft_tables *tables;
    double *plane;
    const uint64_t *strip;  // of the operand; NULL: inverse
    uint64_t strip_rows;
    fft_row_step rows;
} step;

static step make_step(const member_convolution *c, uint64_t p, double *plane) {
    const uint64_t prime = member_primes(c->plan, self(c)).first + p;
    return (step){.c = c, .tables = c->member->ctx->tables[prime], .plane = plane};
}

// A task: the columns of one strip of the plan, forward or back.
static void step_columns(void *arg, size_t index, unsigned worker) {
    const step *const s = arg;
    const fft_ops *const ops = s->c->member->ctx->fft;
    const fft_plan *const fft = &s->c->plan->fft;
    const size_t in_unit = FFT_UNIT >> fft->lg_strip, unit = index / in_unit;
    const fft_plan plan = fft_plan_unit(fft, columns_stride(s->c));
    double *const plane = s->plane + unit * FFT_UNIT;
    double *const buffer = s->c->buffers + worker * (fft_plan_buffer_bytes(fft) / sizeof(double));
    if (s->strip == NULL) {
        ops->columns_inverse(&plan, s->tables, plane, index % in_unit, buffer);
    } else {
        const uint64_t *const words = s->strip + unit * s->strip_rows * fft->digit_bits;
        const fft_digits digits = fft_unit_digits(fft, words, s->strip_rows);
        ops->columns_forward(&plan, s->tables, plane, &digits, index % in_unit, buffer);
    }
}

static void run_columns(step *s) {
    const member_convolution *const c = s->c;
    const uint64_t units = member_columns(c->plan, self(c)).count;
    team_run(c->member->ctx->team, step_columns, s, units * (FFT_UNIT >> c->plan->fft.lg_strip));
}

// A task: one of the member's rows.
static void step_row(void *arg, size_t index, unsigned worker) {
    const step *const s = arg;
    const fft_plan *const fft = &s->c->plan->fft;
    const fft_plan plan = fft_plan_row(fft, member_rows(s->c->plan, self(s->c)).first + index);
    fft_row_step row = s->rows;
    (void)worker;
    row.x += index * fft->row_stride;
    row.y = row.y == NULL ? NULL : row.y + index * fft->row_stride;
    s->c->member->ctx->fft->rows(&plan, s->tables, &row, 0, 1);
}

// --- Exchanges ---

// turn: a plane's columns become the members' rows, or back: within the prime group, whose members
// have the other primes of no use.
static bigint_status turn(const member_convolution *c, double *plane, double *rows, bool back) {
    const member_plan *const plan = c->plan;
    const uint64_t stride = columns_stride(c) * sizeof(double);
    const uint64_t row_stride = plan->fft.row_stride * sizeof(double);
    const block_range own_rows = member_rows(plan, self(c));
    const uint64_t own_bytes = FFT_UNIT * member_columns(plan, self(c)).count * sizeof(double);
    exchange_block *const of_columns = c->blocks + (back ? plan->members : 0);
    exchange_block *const of_rows = c->blocks + (back ? 0 : plan->members);
    for (unsigned i = 0; i < plan->members; i++) {
        of_columns[i] = of_rows[i] = (exchange_block){0};
        if (member_group_first(plan, i) == member_group_first(plan, self(c))) {
            const block_range r = member_rows(plan, i), u = member_columns(plan, i);
            of_columns[i] =
                (exchange_block){plane + r.first * columns_stride(c), r.count, own_bytes, stride};
            of_rows[i] = (exchange_block){rows + u.first * FFT_UNIT, own_rows.count,
                                          u.count * FFT_UNIT * sizeof(double), row_stride};
        }
    }
    return exchange_all_to_all(c->member->exchange, c->blocks, c->blocks + plan->members);
}

// join_primes: of the member's final units the planes of all primes, from the members that have the
// same columns.
static bigint_status join_primes(const member_convolution *c) {
    const member_plan *const plan = c->plan;
    const unsigned own = self(c);
    const uint64_t first = member_columns(plan, own).first, rows = plan->fft.rows;
    const uint64_t stride = columns_stride(c) * sizeof(double);
    const uint64_t joined = joined_stride(c) * sizeof(double);
    const uint64_t bytes = FFT_UNIT * member_final_units(plan, own).count * sizeof(double);
    exchange_block *const send = c->blocks, *const receive = send + plan->members;
    for (uint64_t p = 0; p < member_primes(plan, own).count; p++) {
        for (unsigned i = 0; i < plan->members; i++) {
            send[i] = receive[i] = (exchange_block){0};
            if (i % plan->column_groups == own % plan->column_groups) {
                const block_range units = member_final_units(plan, i);
                send[i] = (exchange_block){c->planes[p] + FFT_UNIT * (units.first - first), rows,
                                           FFT_UNIT * units.count * sizeof(double), stride};
                receive[i] = (exchange_block){c->joined[member_primes(plan, i).first + p], rows,
                                              bytes, joined};
            }
        }
        if (exchange_all_to_all(c->member->exchange, send, receive) != BIGINT_OK) {
            return BIGINT_EPEER;
        }
    }
    return BIGINT_OK;
}

// --- Convolution ---

// forward: columns of one operand by the member's prime p, and its rows in *rows.
static bigint_status forward(const member_convolution *c, uint64_t p, bool of_b, double **rows) {
    double *const plane = of_b && !turns(c) ? c->rows[1] : c->planes[p];
    step s = make_step(c, p, plane);
    s.strip = of_b ? c->b : c->a;
    s.strip_rows = of_b ? c->b_rows : c->a_rows;
    run_columns(&s);
    member_clock_stop(c->clock, c->member->exchange, PHASE_COLUMNS);
    *rows = turns(c) ? c->rows[of_b] : plane;
    return turns(c) ? turn(c, plane, *rows, false) : BIGINT_OK;
}

static bigint_status convolve_prime(const member_convolution *c, uint64_t p) {
    const exchange *const x = c->member->exchange;
    step s = make_step(c, p, c->planes[p]);
    s.rows.mode = c->b == NULL ? FFT_ROW_SQUARE : FFT_ROW_MULTIPLY;
    bigint_status status = forward(c, p, false, &s.rows.x);
    if (status == BIGINT_OK && c->b != NULL) {
        status = forward(c, p, true, &s.rows.y);
    }
    if (status != BIGINT_OK) {
        return status;
    }
    team_run(c->member->ctx->team, step_row, &s, member_rows(c->plan, self(c)).count);
    member_clock_stop(c->clock, x, PHASE_ROWS);
    if (turns(c) && turn(c, c->planes[p], s.rows.x, true) != BIGINT_OK) {
        return BIGINT_EPEER;
    }
    run_columns(&s);
    member_clock_stop(c->clock, x, PHASE_INVERSE);
    return BIGINT_OK;
}

bigint_status member_convolve(const member_convolution *c) {
    bigint_status status = BIGINT_OK;
    for (uint64_t p = 0; p < member_primes(c->plan, self(c)).count && status == BIGINT_OK; p++) {
        status = convolve_prime(c, p);
    }
    return status == BIGINT_OK && c->plan->prime_groups > 1 ? join_primes(c) : status;
}

// --- Carries ---

typedef struct {
    const member_convolution *c;
    uint64_t *pieces;
} carrying;

typedef struct {
    const member_convolution *c;
    uint64_t offset;  // of the row, in the joined planes
} piece_row;

static void read_row(uint64_t *out, const void *from, uint64_t first, size_t n) {
    const piece_row *const row = from;
    const member_convolution *const c = row->c;
    const double *planes[FFT_PRIMES_USED];
    for (unsigned p = 0; p < FFT_PRIMES_USED; p++) {
        planes[p] = c->joined[p] + row->offset;
    }
    c->member->ctx->fft->coefficients(out, &c->plan->fft, planes, first, n);
}
_Static_assert((int)RECOMBINE_BLOCK <= (int)FFT_BLOCK, "what read_row may write at once");

// A task: one row of the member's final units: its main limbs, and what they carry out, below
// 2^(150 - digit_bits) (docs/proofs/group.md).
static void step_carries(void *arg, size_t index, unsigned worker) {
    const carrying *const k = arg;
    const member_piece piece = member_piece_at(k->c->plan, self(k->c), index);
    const piece_row row = {k->c, index * joined_stride(k->c)};
    const recombine_source source = {
        .read = read_row,
        .from = &row,
        .count = FFT_UNIT * member_final_units(k->c->plan, self(k->c)).count,
        .words = FFT_COEFFICIENT_WORDS};
    const uint64_t limbs = piece.main + piece.over;
    (void)worker;
    recombine_limbs(k->pieces + index * limbs, limbs, &source, k->c->plan->fft.digit_bits);
}

void member_carries(const member_convolution *c, uint64_t *pieces) {
    carrying k = {c, pieces};
    team_run(c->member->ctx->team, step_carries, &k, member_pieces(c->plan, self(c)));
    member_clock_stop(c->clock, c->member->exchange, PHASE_PIECES);
}
