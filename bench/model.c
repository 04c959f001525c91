// model.c: reads bigint_explain's line and counts the least work of a row.
#include "bench/model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The number after the last `stop` before word, or 0 without the word.
static double number_before(const char *line, const char *word, char stop) {
    const char *at = strstr(line, word);
    if (!at) {
        return 0;
    }
    while (at > line && at[-1] != stop) {
        at--;
    }
    return strtod(at, NULL);
}

bench_plan bench_plan_get(bigint_ctx *ctx, uint64_t an, uint64_t bn) {
    bench_plan plan = {.engine = "unknown", .variant = "unknown"};
    size_t need;
    if (bigint_explain(ctx, plan.line, sizeof plan.line, &need, (an + 63) / 64, (bn + 63) / 64) !=
        BIGINT_OK) {
        plan.line[0] = '\0';
        return plan;
    }
    sscanf(plan.line, "%*s %23s %23[^ ,]", plan.engine, plan.variant);
    plan.primes = number_before(plan.line, " prime", ' ');
    plan.points = number_before(plan.line, " points", ',');
    plan.pieces = number_before(plan.line, " piece", ' ');
    return plan;
}

// FP64 operations of the transforms. A product takes three: both operands forward and one back. A
// square takes two. A longer operand in pieces takes two for each piece, and one for the shorter
// operand. Modulo each prime a transform has log2(points) passes of points / 2 butterflies of 8
// operations. A transform in floating point has 3 operations for each point and level
// (fft/complex/complex.h). Engine complex-fft puts both operands into one transform, so a product
// takes two.
static double transform_operations(const bench_plan *plan, bool square) {
    const bool two = square || strcmp(plan->engine, "complex-fft") == 0;
    const double transforms = two ? 2 : 2 * fmax(plan->pieces, 1) + 1;
    const double level = plan->primes == 0 ? 3 * plan->points : plan->primes * plan->points / 2 * 8;
    return transforms * level * log2(plan->points);
}

bench_share bench_share_of(const bench_case *c, const bench_row *row, const bench_plan *plan,
                           const bench_roof *roof, unsigned threads, double ns) {
    double seconds = ns * 1e-9;
    bool square = c->work == WORK_SQUARE;
    if (c->work == WORK_NONE) {
        return (bench_share){NULL, 0, c->work_note};
    }
    if (c->work == WORK_BYTES) {
        double bytes = c->bytes(row);
        bool small = bytes <= roof->l2_bytes / 2;
        double rate = small ? roof->copy_l2 : roof->copy;
        return (bench_share){small ? "copy_l2" : "copy", bytes / rate / seconds, ""};
    }
    if (c->work == WORK_OPERATIONS) {
        return (bench_share){"fma", c->operations(row) / (roof->fma * threads) / seconds, ""};
    }
    if (plan->points > 1 && strstr(plan->line, " in float") == NULL) {
        double work = transform_operations(plan, square);
        return (bench_share){"fma", work / (roof->fma * threads) / seconds, ""};
    }
    if (strcmp(plan->engine, "schoolbook") == 0) {
        bool ifma = strcmp(plan->variant, "ifma") == 0;
        double digit = ifma ? 52 : 64, rate = ifma ? roof->ifma : roof->mul;
        double an = ceil((double)row->an / digit), bn = ceil((double)row->bn / digit);
        double work = (square ? an * (an + 1) / 2 : an * bn) * (ifma ? 2 : 1);  // two halves
        return (bench_share){ifma ? "ifma" : "mul", work / rate / seconds, ""};
    }
    return (bench_share){NULL, 0, "no count of operations is stated for this plan"};
}
