// batch.c: see batch.h. May include program.h.
#include "apps/crypto/batch.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "apps/crypto/longmul.h"
#include "apps/machine.h"
#include "apps/program.h"

// operand: one input of all items, or room for results, in the memory of the context's place. An
// input that all items share is stored once.
typedef struct {
    bigint memory;    // on a device
    uint64_t *limbs;  // on the host
    bigint_span span;
} operand;

// settle: makes the span begin at `words` limbs and takes them. The last limb is not 0, so no limb
// counts as a leading zero.
static bool settle(const crypto_place *at, operand *x, uint64_t *limbs, size_t words) {
    if (!at->on_device) {
        x->limbs = x->span.p = limbs;
        return true;
    }
    const bool ok = crypto_done(at->ctx, bigint_set_limbs(at->ctx, &x->memory, limbs, words, 1));
    free(limbs);
    x->span.p = bigint_device_limbs(&x->memory);
    return ok;
}

static void operand_close(bigint_ctx *ctx, operand *x) {
    bigint_clear(ctx, &x->memory);
    free(x->limbs);
}

static bool same(const crypto_number *a, const crypto_number *b) {
    return a->n == b->n && memcmp(a->p, b->p, a->n * sizeof *a->p) == 0;
}

static bool upload(const crypto_place *at, operand *x, const crypto_items *items, unsigned k) {
    const crypto_number *const in = items->inputs + k;
    const unsigned step = items->scheme->inputs;
    bool shared = true;
    size_t n = 0;
    for (unsigned i = 0; i < items->count; i++) {
        shared = shared && same(&in[i * step], &in[0]);
        n = in[i * step].n > n ? in[i * step].n : n;
    }
    const size_t numbers = shared ? 1 : at->batch;
    uint64_t *const limbs = program_memory(numbers * n + 1, sizeof *limbs, "a batch's inputs");
    for (size_t i = 0; i < numbers; i++) {
        const crypto_number *const from = &in[i % items->count * step];
        memcpy(limbs + i * n, from->p, from->n * sizeof *limbs);
    }
    limbs[numbers * n] = 1;
    x->span = (bigint_span){.n = n, .stride = shared ? 0 : n, .count = at->batch};
    return settle(at, x, limbs, numbers * n + 1);
}

// room: for results of n limbs each.
static bool room(const crypto_place *at, operand *x, size_t n) {
    const size_t all = n * at->batch + 1;
    uint64_t *const limbs = program_memory(all, sizeof *limbs, "a batch's results");
    memset(limbs, 0xff, all * sizeof *limbs);
    x->span = (bigint_span){.n = n, .stride = n, .count = at->batch};
    return settle(at, x, limbs, all);
}

// power: one power of the scheme: its operands and results in the context's place, and a device's
// results copied to the host.
typedef struct {
    operand base, exponent, modulus, result;
    uint64_t *limbs;
    size_t n;
} power;

static bool power_open(const crypto_place *at, power *p, const crypto_power *of,
                       const crypto_items *items) {
    if (!upload(at, &p->base, items, of->base) || !upload(at, &p->exponent, items, of->exponent) ||
        !upload(at, &p->modulus, items, of->modulus)) {
        return false;
    }
    p->n = p->modulus.span.n;
    p->limbs = at->on_device ? program_memory(p->n * at->batch + 1, sizeof *p->limbs,
                                              "a batch's results on the host")
                             : NULL;
    return room(at, &p->result, p->n);
}

static bool power_enqueue(bigint_ctx *ctx, const power *p) {
    return crypto_done(ctx, bigint_powm_batch(ctx, &p->result.span, &p->base.span,
                                              &p->exponent.span, &p->modulus.span));
}

static bool power_fetch(bigint_ctx *ctx, power *p, unsigned batch) {
    return p->limbs == NULL || crypto_done(ctx, bigint_get_limbs(ctx, p->limbs, p->n * batch + 1,
                                                                 NULL, NULL, &p->result.memory));
}

static void power_close(bigint_ctx *ctx, power *p) {
    operand_close(ctx, &p->base), operand_close(ctx, &p->exponent);
    operand_close(ctx, &p->modulus), operand_close(ctx, &p->result);
    free(p->limbs);
}

// share: what one thread finishes.
typedef struct {
    const crypto_items *items;
    const power *powers;
    pthread_t thread;
    unsigned from, to;
    bool right;
} share;

static void *finish(void *arg) {
    share *const s = arg;
    const crypto_scheme *const scheme = s->items->scheme;
    const crypto_engine *const e = &crypto_longmul;
    void *const self = e->open();
    s->right = self != NULL;
    for (unsigned i = s->from; i < s->to && s->right; i++) {
        s->right = crypto_load(e, self, s->items, i % s->items->count);
        for (unsigned k = 0; k < scheme->powers && s->right; k++) {
            const power *const p = &s->powers[k];
            const uint64_t *const results = p->limbs != NULL ? p->limbs : p->result.limbs;
            s->right = e->set(self, scheme->power[k].result, results + i * p->n, p->n);
        }
        s->right = s->right && crypto_finish(e, self, s->items, i % s->items->count);
    }
    if (self != NULL) {
        e->close(self);
    }
    return NULL;
}

static bool finish_all(const crypto_items *items, const power *powers, unsigned batch,
                       unsigned threads) {
    share *const shares = program_memory(threads, sizeof *shares, "threads");
    for (unsigned t = 0; t < threads; t++) {
        shares[t] = (share){.items = items,
                            .powers = powers,
                            .from = (unsigned)((uint64_t)batch * t / threads),
                            .to = (unsigned)((uint64_t)batch * (t + 1) / threads)};
        program_thread(&shares[t].thread, finish, &shares[t]);
    }
    bool right = true;
    for (unsigned t = 0; t < threads; t++) {
        pthread_join(shares[t].thread, NULL);
        right = right && shares[t].right;
    }
    free(shares);
    return right;
}

// run_candidates: the library's test of all candidates by one call.
static const char *run_candidates(const crypto_place *at, const crypto_items *items,
                                  crypto_batch_times *times) {
    bigint_ctx *const ctx = at->ctx;
    operand x = {0};
    unsigned char *const prime = program_memory(at->batch, 1, "a batch's results");
    bool ok = upload(at, &x, items, items->scheme->candidate), right = ok;
    for (int round = 0; round < 2 && ok; round++) {  // the first makes room
        const double begin = seconds_now();
        ok = crypto_done(ctx, bigint_probable_prime_batch(ctx, prime, &x.span));
        times->powers = 0;
        times->end_to_end = seconds_now() - begin;
        for (unsigned i = 0; i < at->batch && ok; i++) {
            right = right && prime[i] == items->answers[i % items->count].p[0];
        }
    }
    operand_close(ctx, &x);
    free(prime);
    return !ok ? bigint_ctx_error(ctx) : right ? NULL : "an answer is wrong";
}

const char *crypto_batch_run(const crypto_place *place, const crypto_items *items, unsigned threads,
                             crypto_batch_times *times) {
    if (items->scheme->candidate != 0) {
        return run_candidates(place, items, times);
    }
    bigint_ctx *const ctx = place->ctx;
    const unsigned count = items->scheme->powers;
    power powers[CRYPTO_POWERS_MAX] = {0};
    bool ok = true, right = true;
    for (int round = 0; round < 2 && ok; round++) {  // the first makes room
        const double begin = seconds_now();
        for (unsigned k = 0; k < count && ok; k++) {
            if (round > 0) {
                power_close(ctx, &powers[k]);
            }
            powers[k] = (power){0};
            ok = power_open(place, &powers[k], &items->scheme->power[k], items);
        }
        ok = ok && crypto_done(ctx, bigint_sync(ctx));
        const double there = seconds_now();
        for (unsigned k = 0; k < count && ok; k++) {
            ok = power_enqueue(ctx, &powers[k]);
        }
        ok = ok && crypto_done(ctx, bigint_sync(ctx));
        times->powers = seconds_now() - there;
        for (unsigned k = 0; k < count && ok; k++) {
            ok = power_fetch(ctx, &powers[k], place->batch);
        }
        right = ok && finish_all(items, powers, place->batch, threads);
        times->end_to_end = seconds_now() - begin;
    }
    for (unsigned k = 0; k < count; k++) {
        power_close(ctx, &powers[k]);
    }
    return !ok ? bigint_ctx_error(ctx) : right ? NULL : "an answer is wrong";
}
