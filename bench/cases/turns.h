// turns.h: several sets of operands for one row, taken in turn. With few limbs the values decide
// branches, and a processor would learn the branches of a single set.
#ifndef BENCH_CASES_TURNS_H_
#define BENCH_CASES_TURNS_H_

#include "bench/cases/cases.h"

// turns: 512 sets, or as many as fit into the processor's caches. w are operands that are words,
// words the answers that are.
enum { TURNS_MOST = 512, TURNS_LIMBS = 2048 };
typedef struct {
    size_t count;
    uint64_t ours, theirs;  // calls so far: call i takes set i mod count
    bigint a[TURNS_MOST], b[TURNS_MOST], m[TURNS_MOST], q[TURNS_MOST], r[TURNS_MOST];
    mpz_t ga[TURNS_MOST], gb[TURNS_MOST], gm[TURNS_MOST], gq[TURNS_MOST], gr[TURNS_MOST];
    bigint_div_prep *divisor;  // b[0], prepared; NULL: no such case
    uint64_t w[TURNS_MOST], words[TURNS_MOST], gwords[TURNS_MOST];
} turns;

// turns_open makes sets for operands of `bits` bits, all 0, which is s->own from then on. NULL
// without memory. turns_close frees it.
turns *turns_open(bench_state *s, uint64_t bits);
void turns_close(bench_state *s);
// turns_check compares all results that both sides have so far: q, r, m and words.
bool turns_check(void *state);

#endif  // BENCH_CASES_TURNS_H_
