// decimal_modular.c: see decimal_modular.h. Proof: docs/proofs/modular_device.md, section 14.
#include "bigint/device/decimal_modular.h"

#include <assert.h>

#include "bigint/core/arena.h"
#include "bigint/core/device_queue.h"
#include "bigint/device/kernels/recombine_decimal.h"
#include "bigint/device/piece.h"
#include "bigint/device/text/conversion.h"
#include "carry/add.h"
#include "primitives/words/word.h"

enum { DIGITS = RECOMBINE_DECIMAL_DIGITS, LINE_WORDS = 32 };

static uint64_t words_of(uint64_t digits) { return word_ceil_div(digits, DIGITS); }

// room_of: words of a factor's place, whole lines.
static uint64_t room_of(uint64_t digits) {
    return word_ceil_div(words_of(digits), LINE_WORDS) * LINE_WORDS;
}

bool decimal_modular_plan(const bigint_ctx *ctx, decimal_modular *d, uint64_t an, uint64_t bn,
                          bool square) {
    assert(an >= 1 && bn >= 1 && (!square || an == bn));
    *d = (decimal_modular){.an = an, .bn = bn};
    if (!device_plan_words(ctx, &d->plan, words_of(an), words_of(bn), RECOMBINE_DECIMAL_RADIX - 1,
                           square)) {
        return false;
    }
    const uint64_t words = CARRY_ADD_FRONT_BYTES + recombine_device_decimal_bytes(an + bn);
    d->plan.words_bytes = d->plan.words_bytes > words ? d->plan.words_bytes : words;
    return true;
}

// factors_bytes: of a line and the factors' words.
static uint64_t factors_bytes(const decimal_modular *d) {
    return (LINE_WORDS + room_of(d->an) + (d->plan.square ? 0 : room_of(d->bn))) * sizeof(uint64_t);
}

void decimal_modular_need(work_need *w, const decimal_modular *d) {
    device_plan_need(w, &d->plan);
    need_take(&w->device, d->plan.workspace_bytes);
    need_take(&w->device, factors_bytes(d));
}

bigint_status decimal_modular_open(bigint_ctx *ctx, const char *who, decimal_modular *d) {
    const uint64_t room = room_of(d->an);
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

result decimal_modular_run(const decimal_modular *d, char *text, const char *a, const char *b) {
    const device_queue *const q = &d->work.ctx->queue;
    const uint64_t an = words_of(d->an), bn = words_of(d->bn);
    result done = cuda_set(d->bad, 0xff, 2 * sizeof *d->bad, q->stream);
    done = done == RESULT_OK ? text_pack(d->words[0], an, DIGITS, a, d->an, &d->bad[0], q->stream)
                             : done;
    if (done == RESULT_OK && !d->plan.square) {
        done = text_pack(d->words[1], bn, DIGITS, b, d->bn, &d->bad[1], q->stream);
    }
    const fft_modular_operand x = {d->words[0], an}, y = {d->words[1], bn};
    const device_convolving plain = {0};
    done = done == RESULT_OK ? device_convolve(&d->work, x, y, &plain, q->stream) : done;
    const recombine_residues residues = device_residues(&d->work);
    // After the words of comparisons and sums.
    return done == RESULT_OK
               ? recombine_device_decimal(text, d->an + d->bn, &residues,
                                          (unsigned char *)q->words + CARRY_ADD_FRONT_BYTES,
                                          q->words_bytes - CARRY_ADD_FRONT_BYTES, q->stream)
               : done;
}
