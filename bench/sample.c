// sample.c: log-uniform sizes and the count of losses among them.
#include "bench/sample.h"

#include <inttypes.h>
#include <math.h>

#include "tests/support/gen.h"

uint64_t bench_sample_size(double lo, double hi, unsigned i, unsigned count) {
    gen g = gen_seed(i);
    const double u = ldexp((double)(gen_u64(&g) >> 11), -53);  // in [0, 1)
    return (uint64_t)exp2(lo + (hi - lo) * (i + u) / count);
}

void bench_losses_add(bench_losses *losses, uint64_t bits, const bench_result *result) {
    const double ratio = result->rival.median / result->ours.median;
    losses->slower += ratio < 1;
    losses->clearly += ratio < 1 - result->ours.spread - result->rival.spread;
    if (losses->sizes == 0 || ratio < losses->least) {
        losses->least = ratio;
        losses->least_at = bits;
    }
    losses->sizes++;
}

void bench_losses_print(FILE *f, const bench_losses *losses, const char *what, const char *rival) {
    if (losses->sizes == 0) {
        return;
    }
    fprintf(f,
            "%s, %u sizes: slower than %s at %u (%.1f %%), by more than the noise at %u; smallest "
            "ratio %.2f at %" PRIu64 " bits\n",
            what, losses->sizes, rival, losses->slower, 100.0 * losses->slower / losses->sizes,
            losses->clearly, losses->least, losses->least_at);
}
