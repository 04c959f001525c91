// product_certified.c: see product_certified.h.
#include "bench/mul/product_certified.h"

#include <stdio.h>

#include "bench/mul/product_ours.h"
#include "tests/support/device.h"

enum { SIDES = 4 };  // certified, and its rivals
static const char *const rivals[SIDES] = {"", "exact", "exact-checked", "exact-default"};

static void record(const device_run *run, const product_ours *certified, const device_times *times,
                   unsigned rival) {
    char plan[300] = "", more[400];
    if (bigint_explain(certified->ctx, plan, sizeof plan, NULL, certified->n, certified->n) !=
        BIGINT_OK) {
        product_stop(bigint_ctx_error(certified->ctx), 64 * certified->n);
    }
    snprintf(more, sizeof more, ",\"plan\":\"%s\",\"bits\":%llu,\"graph\":false", plan,
             (unsigned long long)(64 * certified->n));
    const device_times row[] = {times[0], times[rival], times[SIDES]};
    const char *const op = certified->square ? "sqr" : "mul";
    const device_line line = {.topic = "certified",
                              .op = op,
                              .variant = "certified",
                              .engine = certified->engine,
                              .n = certified->n,
                              .rows = 1,
                              .bytes = 32.0 * (double)certified->n,
                              .times = row,
                              .rival = rivals[rival],
                              .kase = op,
                              .more = more,
                              .note = plan};
    device_record(run, &line);
}

static void measure(const device_run *run, product_ours side[SIDES], cuda_stream stream) {
    const uint64_t n = side[0].n;
    device_copying copy = {device_alloc(16 * n), device_alloc(16 * n), 16 * n};
    device_side sides[SIDES + 1];
    for (unsigned s = 0; s < SIDES; s++) {
        sides[s] = (device_side){product_ours_enqueue, &side[s], true};
    }
    sides[SIDES] = (device_side){device_copy_enqueue, &copy, true};
    device_times times[SIDES + 1];
    const unsigned calls = n > UINT64_C(1) << 19 ? 2 : 20;
    if (!device_time(stream, sides, SIDES + 1, calls, run->quick ? 5 : 11, times) ||
        !device_energy(stream, sides, SIDES, calls, run->energy, times)) {
        product_stop("a contender failed", 64 * n);
    }
    for (unsigned s = 0; s < SIDES; s++) {
        product_ours_check(&side[s], NULL);
    }
    for (unsigned s = 1; s < SIDES; s++) {
        record(run, &side[0], times, s);
    }
    for (unsigned s = 0; s < SIDES; s++) {
        product_ours_close(&side[s]);
    }
    device_free(copy.to), device_free((void *)copy.from);
}

void product_certified(const device_run *run, const uint64_t *limbs[2], uint64_t n,
                       const char *engine, cuda_stream stream) {
    if (!product_ours_serves(engine, n)) {
        return;
    }
    for (int square = 0; square < 2; square++) {
        const product_ours exact = {
            .engine = engine, .limbs = {limbs[0], limbs[1]}, .n = n, .square = square != 0};
        product_ours side[SIDES] = {exact, exact, exact, exact};
        side[0].certified = true;
        side[2].checks = true;
        side[3].engine = NULL;
        measure(run, side, stream);
    }
}
