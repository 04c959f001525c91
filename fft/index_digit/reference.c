// reference.c: the executor of reference.h. Includes that header.
#include "fft/index_digit/reference.h"

#include <assert.h>
#include <float.h>
#include <math.h>

_Static_assert(LDBL_MANT_DIG >= 64, "the error bound takes long double to have 64 bits");

typedef struct {
    long double re, im;
} wide;

// wide_root: exp(2 pi i k / 2^lg). The angle is reduced to at most an eighth of the turn in
// integers, so sine and cosine are taken in [0, pi/4] alone.
static wide wide_root(uint64_t k, unsigned lg) {
    if (lg < 3) {
        k <<= 3 - lg;
        lg = 3;
    }
    k &= ((uint64_t)1 << lg) - 1;
    const uint64_t eighth = (uint64_t)1 << (lg - 3);
    const unsigned octant = (unsigned)(k >> (lg - 3));
    const uint64_t rest = k & (eighth - 1);
    const uint64_t f = octant & 1 ? eighth - rest : rest;
    const long double angle =
        ldexpl(6.283185307179586476925286766559005768L * (long double)f, -(int)lg);
    const long double c = cosl(angle), s = sinl(angle);
    const bool swap = ((octant + 1) & 2) != 0;  // octants 1, 2, 5, 6: nearer to the imaginary axis
    wide w = {swap ? s : c, swap ? c : s};
    if (octant >= 2 && octant < 6) {
        w.re = -w.re;
    }
    if (octant >= 4) {
        w.im = -w.im;
    }
    return w;
}

fft_id_complex fft_id_root(uint64_t k, unsigned lg) {
    const wide w = wide_root(k, lg);
    return (fft_id_complex){(double)w.re + 0.0, (double)w.im + 0.0};
}

static wide times(wide a, wide b) {
    return (wide){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

// executor: a block at work. index[resource]: the numbers of register, thread and block that the
// mapping's bits are taken from.
typedef struct {
    const fft_id_plan *plan;
    unsigned n, p, s;
    fft_id_mapping map;
    uint64_t index[3];
    fft_id_complex *registers;  // of thread t: from t 2^p
    fft_id_complex *shared;     // 2^s items
} executor;

static uint64_t digit(const executor *e, unsigned slot) {
    return e->index[e->map.resource[slot]] >> e->map.bit[slot] & 1;
}

// address: where the item of this register, thread and block lies in global memory, by a layout.
static uint64_t address(const executor *e, const fft_id_word *word) {
    uint64_t at = 0;
    for (unsigned i = 1; i <= e->n; i++) {
        at |= digit(e, word->slot[i]) << (i - 1);
    }
    return at;
}

// shared_address: the same with the digits that number the block left out.
static uint64_t shared_address(const executor *e, const fft_id_word *word) {
    uint64_t at = 0;
    unsigned bit = 0;
    for (unsigned i = 1; i <= e->n; i++) {
        if (e->map.resource[word->slot[i]] != FFT_ID_IN_BLOCK) {
            at |= digit(e, word->slot[i]) << bit++;
        }
    }
    return at;
}

typedef enum { FROM_GLOBAL, TO_GLOBAL, FROM_SHARED, TO_SHARED } transfer;

// move: every thread of the block moves all its registers.
static void move(executor *e, transfer how, const fft_id_word *word, const fft_id_complex *from,
                 fft_id_complex *to) {
    for (uint64_t item = 0; item < (uint64_t)1 << e->s; item++) {
        e->index[FFT_ID_IN_THREAD] = item >> e->p;
        e->index[FFT_ID_IN_REGISTER] = item & (((uint64_t)1 << e->p) - 1);
        switch (how) {
            case FROM_GLOBAL:
                e->registers[item] = from[address(e, word)];
                break;
            case TO_GLOBAL:
                to[address(e, word)] = e->registers[item];
                break;
            case FROM_SHARED:
                e->registers[item] = e->shared[shared_address(e, word)];
                break;
            case TO_SHARED:
                e->shared[shared_address(e, word)] = e->registers[item];
                break;
        }
    }
}

// turn: exp(-+ 2 pi i k / 2^lg), minus for a forward transform.
static wide turn(const executor *e, uint64_t k, unsigned lg) {
    wide w = wide_root(k, lg);
    if (e->plan->problem.direction == FFT_ID_FORWARD) {
        w.im = -w.im;
    }
    return w;
}

// twiddle_exponent: K or T of fft_id_twiddle, for the item at e->index.
static uint64_t twiddle_exponent(const executor *e, const fft_id_stage *stage) {
    uint64_t value = 0;
    if (stage->twiddle == FFT_ID_BEFORE) {
        for (unsigned j = stage->top + 1u; j <= e->n; j++) {
            value |= digit(e, j) << (fft_id_output_digit(e->plan, j) - 1);
        }
    } else if (stage->twiddle == FFT_ID_AFTER) {
        for (unsigned j = 1; j + stage->digits <= stage->top; j++) {
            value |= digit(e, j) << (j - 1);
        }
    }
    return value;
}

// node: one node of a stage on the registers from `base`, whose digit field is 0, `stride` apart.
static void node(const executor *e, const fft_id_stage *stage, fft_id_complex *base,
                 unsigned stride) {
    const unsigned q = stage->digits, radix = stage->radix;
    const uint64_t exponent = twiddle_exponent(e, stage);
    const bool is_before = stage->twiddle == FFT_ID_BEFORE;
    wide in[1 << FFT_ID_P_MAX], factor[1 << FFT_ID_P_MAX], roots[1 << FFT_ID_P_MAX];
    for (unsigned j = 0; j < radix; j++) {
        // the denominators 2^(c+q) = 2^(n - top + q) and 2^top of fft_id_twiddle
        factor[j] = turn(e, j * exponent, is_before ? e->n - stage->top + q : stage->top);
        roots[j] = turn(e, j, q);
        in[j] = (wide){base[j * stride].re, base[j * stride].im};
        in[j] = is_before ? times(in[j], factor[j]) : in[j];
    }
    for (unsigned k = 0; k < radix; k++) {
        wide sum = {0, 0};
        for (unsigned j = 0; j < radix; j++) {
            const wide term = times(in[j], roots[j * k % radix]);
            sum = (wide){sum.re + term.re, sum.im + term.im};
        }
        sum = is_before ? sum : times(sum, factor[k]);
        base[k * stride] = (fft_id_complex){(double)sum.re, (double)sum.im};
    }
}

// compute: all nodes of a stage in the block.
static void compute(executor *e, const fft_id_stage *stage) {
    const unsigned low = e->map.bit[stage->top - stage->digits + 1];
    for (unsigned d = 0; d < stage->digits; d++) {  // the field lies in registers, in its order
        assert(e->map.resource[stage->top - d] == FFT_ID_IN_REGISTER);
        assert(e->map.bit[stage->top - d] == low + stage->digits - 1 - d);
    }
    const uint64_t field = (uint64_t)(stage->radix - 1) << low;
    for (uint64_t item = 0; item < (uint64_t)1 << e->s; item++) {
        e->index[FFT_ID_IN_THREAD] = item >> e->p;
        e->index[FFT_ID_IN_REGISTER] = item & (((uint64_t)1 << e->p) - 1);
        if (!(item & field)) {
            node(e, stage, e->registers + item, 1u << low);
        }
    }
}

// run_block: stages first .. end - 1 in the block e->index[FFT_ID_IN_BLOCK].
static void run_block(executor *e, unsigned first, unsigned end, const fft_id_complex *from,
                      fft_id_complex *to) {
    for (unsigned m = first; m < end; m++) {
        const fft_id_stage *stage = &e->plan->stage[m];
        const fft_id_word word = fft_id_word_before(e->plan, m);
        if (stage->where == FFT_ID_SHARED) {
            move(e, TO_SHARED, &word, NULL, NULL);
        }
        e->map = fft_id_stage_mapping(e->plan, m);
        if (stage->where == FFT_ID_SHARED) {
            move(e, FROM_SHARED, &word, NULL, NULL);
        } else if (stage->where == FFT_ID_GLOBAL) {
            move(e, FROM_GLOBAL, &word, from, NULL);
        }
        compute(e, stage);
    }
    const fft_id_word word = fft_id_word_before(e->plan, end);
    move(e, TO_GLOBAL, &word, NULL, to);
}

uint64_t fft_id_reference_items(const fft_id_plan *plan) {
    return ((uint64_t)1 << fft_id_digits(&plan->problem)) + ((uint64_t)2 << plan->tuple.s);
}

const char *fft_id_reference(const fft_id_plan *plan, const fft_id_complex *x, fft_id_complex *y,
                             fft_id_complex *workspace) {
    const char *why = fft_id_refusal(plan);
    if (why) {
        return why;
    }
    if (fft_id_mixed(&plan->problem)) {
        return "the reference takes lengths 2^a only";
    }
    if (plan->problem.element > FFT_ID_COMPLEX_F32) {
        return "the reference takes complex elements only";
    }
    const unsigned n = fft_id_digits(&plan->problem), s = plan->tuple.s;
    const uint64_t length = (uint64_t)1 << n;
    executor e = {.plan = plan, .n = n, .p = plan->tuple.p, .s = s};
    e.registers = workspace + length;
    e.shared = e.registers + ((uint64_t)1 << s);
    const bool in_place = plan->problem.order == FFT_ID_REVERSED;
    for (uint64_t problem = 0; problem < plan->problem.batch; problem++) {
        const fft_id_complex *from = x + problem * length;
        fft_id_complex *result = y + problem * length;
        unsigned left = fft_id_passes(plan);
        for (unsigned first = 0; first < plan->stages_n; left--) {
            const unsigned end = fft_id_pass_end(plan, first);
            // natural order alternates between two memories so that the last pass meets y
            fft_id_complex *to = in_place || left % 2 ? result : workspace;
            for (uint64_t block = 0; block < length >> s; block++) {
                e.index[FFT_ID_IN_BLOCK] = block;
                run_block(&e, first, end, from, to);
            }
            from = to;
            first = end;
        }
    }
    return NULL;
}
