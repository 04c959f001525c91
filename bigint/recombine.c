// recombine.c: see recombine.h. May include fft/fft.h, carry/carry.h and primitives/.
//
// Every range starts at a multiple of FFT_BLOCK = 512 coefficients, so its first bit, 512 w i, is
// the first of a limb, and begins with carry 0. What it carries out is below 2^(192 + 1 - w)
// (carry.h) and is added to the limbs after it when all ranges are done. A ripple ends after a limb
// or two unless the limbs are all ones.
#include "bigint/recombine.h"

#include <assert.h>
#include <string.h>

#include "carry/carry.h"
#include "primitives/limbs.h"
#include "primitives/word.h"

enum { RANGES_MAX = 64, RANGES_PER_THREAD = 4 };

typedef struct {
    const fft_convolution *c;
    uint64_t *rp;
    uint64_t rn, coefficients;
    uint64_t range;  // coefficients to a range, a multiple of FFT_BLOCK
    unsigned k;      // digits of base 10^k; 0: limbs
    carry_stream out[RANGES_MAX];
} recombination;

// write_limbs: the limbs of one block, as many as there is room for; beyond the number's end they
// are zero.
static uint64_t write_limbs(uint64_t *rp, uint64_t room, carry_stream *s, const uint64_t *c,
                            size_t n, unsigned w) {
    const uint64_t limbs = (s->filled + (uint64_t)n * w) / 64;
    if (limbs <= room) {
        return carry_pow2(rp, s, c, n, FFT_COEFFICIENT_WORDS, w);
    }
    uint64_t all[FFT_BLOCK + 1];
    carry_pow2(all, s, c, n, FFT_COEFFICIENT_WORDS, w);
    assert(limbs_normalize(all + room, limbs - room) == 0);
    memcpy(rp, all, room * sizeof *rp);
    return room;
}

static void limbs_range(void *arg, size_t index, unsigned worker) {
    (void)worker;
    recombination *const r = arg;
    const unsigned w = r->c->plan.digit_bits;
    const uint64_t begin = index * r->range;
    const bool last = r->coefficients - begin <= r->range;
    const uint64_t end = last ? r->coefficients : begin + r->range;
    uint64_t c[FFT_BLOCK * FFT_COEFFICIENT_WORDS];
    uint64_t at = begin / 64 * w;
    const uint64_t limit = last ? r->rn : end / 64 * w;
    carry_stream s = CARRY_STREAM_INIT;
    for (uint64_t i = begin; i < end; i += FFT_BLOCK) {
        const size_t n = end - i < FFT_BLOCK ? (size_t)(end - i) : FFT_BLOCK;
        fft_coefficients(c, r->c, i, n);
        at += write_limbs(r->rp + at, limit - at, &s, c, n, w);
    }
    if (last) {
        const int lost = carry_pow2_flush(r->rp + at, (size_t)(limit - at), &s);
        assert(lost == 0);
        (void)lost;
    }
    r->out[index] = s;
}

static void digits_range(void *arg, size_t index, unsigned worker) {
    (void)worker;
    recombination *const r = arg;
    const uint64_t begin = index * r->range;
    const uint64_t end = r->coefficients - begin <= r->range ? r->coefficients : begin + r->range;
    uint64_t c[FFT_BLOCK * FFT_COEFFICIENT_WORDS];
    carry_stream s = CARRY_STREAM_INIT;
    for (uint64_t i = begin; i < end; i += FFT_BLOCK) {
        const size_t n = end - i < FFT_BLOCK ? (size_t)(end - i) : FFT_BLOCK;
        fft_coefficients(c, r->c, i, n);
        carry_pow10(r->rp + i, &s, c, n, FFT_COEFFICIENT_WORDS, r->k);
    }
    r->out[index] = s;
}

// run: all ranges; returns their number.
static size_t run(recombination *r, team_task task) {
    const uint64_t blocks = word_ceil_div(r->coefficients, FFT_BLOCK);
    const unsigned threads = team_size(r->c->team);
    uint64_t wanted = threads == 1 ? 1 : (uint64_t)threads * RANGES_PER_THREAD;
    wanted = wanted < RANGES_MAX ? wanted : RANGES_MAX;
    r->range = word_ceil_div(blocks, wanted) * FFT_BLOCK;
    const size_t ranges = (size_t)word_ceil_div(r->coefficients, r->range);
    team_run(r->c->team, task, r, ranges);
    return ranges;
}

void recombine_limbs(uint64_t *rp, uint64_t rn, const fft_convolution *c, uint64_t coefficients) {
    recombination r = {.c = c, .rp = rp, .rn = rn, .coefficients = coefficients};
    const size_t ranges = run(&r, limbs_range);
    for (size_t i = 0; i + 1 < ranges; i++) {
        const uint64_t at = (i + 1) * r.range / 64 * c->plan.digit_bits;
        carry_join_pow2(rp + at, rn - at, &r.out[i]);
    }
}

void recombine_decimal(uint64_t *digits, const fft_convolution *c, uint64_t coefficients,
                       unsigned k) {
    recombination r = {.c = c, .rp = digits, .coefficients = coefficients, .k = k};
    const size_t ranges = run(&r, digits_range);
    for (size_t i = 0; i + 1 < ranges; i++) {
        const uint64_t at = (i + 1) * r.range;
        carry_join_pow10(digits + at, coefficients - at, &r.out[i], k);
    }
}
