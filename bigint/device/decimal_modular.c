// decimal_modular.c: see decimal_modular.h. Proof: docs/proofs/modular_device.md, section 14.
#include "bigint/device/decimal_modular.h"

#include <assert.h>

#include "bigint/core/arena.h"
#include "bigint/core/device_queue.h"
#include "bigint/device/piece.h"
#include "bigint/device/text/conversion.h"
#include "carry/add.h"
#include "primitives/words/word.h"

enum { LINE_WORDS = 32 };

static uint64_t digits_of(uint64_t characters, const recombine_decimal_base *base) {
    return word_ceil_div(characters, base->digits);
}

// words_of: words of a factor's digits. No overflow: digits are below 2^31 in number.
static uint64_t words_of(uint64_t characters, const recombine_decimal_base *base) {
    return word_ceil_div(digits_of(characters, base) * base->bits, 64);
}

// room_of: words of a factor's place, whole lines.
static uint64_t room_of(uint64_t characters, const recombine_decimal_base *base) {
    return word_ceil_div(words_of(characters, base), LINE_WORDS) * LINE_WORDS;
}

// words_in: the digits of a base, the largest of which is rounded up to 64 bits.
static fft_modular_words words_in(const recombine_decimal_base *base) {
    word_pair radix = 1;
    for (unsigned i = 0; i < base->digits; i++) {
        radix *= 10;
    }
    return (fft_modular_words){.primes = base->primes,
                               .bits = base->bits,
                               .most = (uint64_t)((radix - 1) >> (base->bits - 64)) + 1};
}

bool decimal_modular_plan(const bigint_ctx *ctx, decimal_modular *d, uint64_t an, uint64_t bn,
                          bool square) {
    assert(an >= 1 && bn >= 1 && (!square || an == bn));
    *d = (decimal_modular){.an = an, .bn = bn};
    const unsigned forced = ctx->queue.forced.primes;
    uint64_t best = UINT64_MAX;
    for (unsigned i = 0; i < RECOMBINE_DECIMAL_BASES; i++) {
        const recombine_decimal_base *const base = &recombine_decimal_bases[i];
        const fft_modular_words words = words_in(base);
        device_plan plan;
        const uint64_t cost = forced == 0 || forced == base->primes
                                  ? device_plan_words(ctx, &plan, digits_of(an, base),
                                                      digits_of(bn, base), &words, square)
                                  : UINT64_MAX;
        if (cost < best) {
            best = cost;
            d->plan = plan;
            d->base = *base;
        }
    }
    const uint64_t words = CARRY_ADD_FRONT_BYTES + recombine_device_decimal_bytes(an + bn);
    d->plan.words_bytes = d->plan.words_bytes > words ? d->plan.words_bytes : words;
    return best != UINT64_MAX;
}

// factors_bytes: of a line and the factors' words.
static uint64_t factors_bytes(const decimal_modular *d) {
    const uint64_t a = room_of(d->an, &d->base), b = room_of(d->bn, &d->base);
    return (LINE_WORDS + a + (d->plan.square ? 0 : b)) * sizeof(uint64_t);
}

void decimal_modular_need(work_need *w, const decimal_modular *d) {
    device_plan_need(w, &d->plan);
    need_take(&w->device, d->plan.workspace_bytes);
    need_take(&w->device, factors_bytes(d));
}

bigint_status decimal_modular_open(bigint_ctx *ctx, const char *who, decimal_modular *d) {
    const uint64_t room = room_of(d->an, &d->base);
    bigint_status status = device_begin(&d->work, ctx, who, &d->plan);
    if (status != BIGINT_OK) {
        return status;
    }
    uint64_t *const memory = arena_take_in(ctx, &ctx->queue.memory, who, factors_bytes(d));
    if (memory == NULL) {
        device_end(&d->work);
        return ctx->failed != BIGINT_OK ? ctx->failed : BIGINT_ENOMEM;
    }
    d->bad = memory;
    d->words[0] = memory + LINE_WORDS;
    d->words[1] = d->plan.square ? d->words[0] : d->words[0] + room;
    return BIGINT_OK;
}

void decimal_modular_close(decimal_modular *d) { device_end(&d->work); }

result decimal_modular_pack(const decimal_modular *d, const char *a, const char *b) {
    const cuda_stream stream = d->work.ctx->queue.stream;
    const unsigned k = d->base.digits;
    const uint64_t an = words_of(d->an, &d->base), bn = words_of(d->bn, &d->base);
    result done = cuda_set(d->bad, 0xff, 2 * sizeof *d->bad, stream);
    done = done == RESULT_OK ? text_pack(d->words[0], an, k, a, d->an, &d->bad[0], stream) : done;
    return done == RESULT_OK && !d->plan.square
               ? text_pack(d->words[1], bn, k, b, d->bn, &d->bad[1], stream)
               : done;
}

result decimal_modular_convolve(const decimal_modular *d) {
    const fft_modular_operand a = {d->words[0], words_of(d->an, &d->base)},
                              b = {d->words[1], words_of(d->bn, &d->base)};
    const device_convolving plain = {0};
    return device_convolve(&d->work, a, b, &plain, d->work.ctx->queue.stream);
}

result decimal_modular_write(const decimal_modular *d, char *text) {
    const device_queue *const q = &d->work.ctx->queue;
    const recombine_residues residues = device_residues(&d->work);
    // After the words of comparisons and sums.
    return recombine_device_decimal(text, d->an + d->bn, &residues,
                                    (unsigned char *)q->words + CARRY_ADD_FRONT_BYTES,
                                    q->words_bytes - CARRY_ADD_FRONT_BYTES, q->stream);
}

result decimal_modular_run(const decimal_modular *d, char *text, const char *a, const char *b) {
    result done = decimal_modular_pack(d, a, b);
    done = done == RESULT_OK ? decimal_modular_convolve(d) : done;
    return done == RESULT_OK ? decimal_modular_write(d, text) : done;
}
