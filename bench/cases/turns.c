// turns.c: see turns.h.
#include "bench/cases/turns.h"

#include <stdio.h>
#include <stdlib.h>

turns *turns_open(bench_state *s, uint64_t bits) {
    turns *const t = calloc(1, sizeof *t);  // a bigint of zero bytes is 0
    if (t == NULL) {
        snprintf(s->error, sizeof s->error, "no memory for operands");
        return NULL;
    }
    const uint64_t fit = TURNS_LIMBS / (bits / 64 + 1) + 1;
    t->count = fit < TURNS_MOST ? fit : TURNS_MOST;
    for (size_t i = 0; i < TURNS_MOST; i++) {
        mpz_inits(t->ga[i], t->gb[i], t->gm[i], t->gq[i], t->gr[i], NULL);
    }
    s->own = t;
    return t;
}

void turns_close(bench_state *s) {
    turns *const t = s->own;
    for (size_t i = 0; i < TURNS_MOST; i++) {
        bigint *const integers[] = {&t->a[i], &t->b[i], &t->m[i], &t->q[i], &t->r[i]};
        for (size_t k = 0; k < sizeof integers / sizeof integers[0]; k++) {
            bigint_clear(s->ctx, integers[k]);
        }
        mpz_clears(t->ga[i], t->gb[i], t->gm[i], t->gq[i], t->gr[i], NULL);
    }
    free(t);
    s->own = NULL;
}

bool turns_check(void *state) {
    bench_state *s = state;
    turns *const t = s->own;
    bool ok = true;
    for (size_t i = 0; ok && i < t->count && i < t->ours && i < t->theirs; i++) {
        ok = bench_same(s, &t->q[i], t->gq[i]) && bench_same(s, &t->r[i], t->gr[i]) &&
             bench_same(s, &t->m[i], t->gm[i]);
        if (ok && t->words[i] != t->gwords[i]) {
            snprintf(s->error, sizeof s->error, "WRONG: the answer is %llx, GMP's %llx",
                     (unsigned long long)t->words[i], (unsigned long long)t->gwords[i]);
            ok = false;
        }
    }
    return ok;
}
