// model.h: the library's plan for a product, and the share of the machine's peak rate that a
// measured time reaches. The counts are explained in schema.md.
#ifndef BENCH_MODEL_H_
#define BENCH_MODEL_H_

#include <stdint.h>

#include "bench/cases/cases.h"
#include "bench/roof/roof.h"

// bench_plan: the words of bigint_explain's line. primes, points and pieces are 0 where it
// names none.
typedef struct {
    char line[256];
    char engine[24], variant[24];
    double primes, points, pieces;
} bench_plan;

// bench_plan_get asks for the plan of a product of an by bn bits. Without a plan the words are
// "unknown".
bench_plan bench_plan_get(bigint_ctx *ctx, uint64_t an, uint64_t bn);

// bench_share: roof names the rate ("fma", "mul", "ifma", "copy", "copy_l2"); NULL with a note
// where no share is stated.
typedef struct {
    const char *roof;
    double share;
    const char *note;
} bench_share;

bench_share bench_share_of(const bench_case *c, const bench_row *row, const bench_plan *plan,
                           const bench_roof *roof, unsigned threads, double ns);

#endif  // BENCH_MODEL_H_
