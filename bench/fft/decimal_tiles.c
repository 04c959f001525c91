// decimal_tiles.c: see decimal_tiles.h. The kernels are the library's, with atomics.
#include "bench/fft/decimal_tiles.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/program.h"
#include "bigint/device/decimal/tiled.h"
#include "tests/support/device.h"

// Products of digits of a call, as a logarithm: a millisecond or two.
enum { LG_WORK_MOST = 39, SAMPLES = 7 };

// upload: digits of one side's operands, one byte each.
static uint8_t *upload(const decimal_operands *o, int side, uint64_t batch) {
    uint8_t *const host = program_memory(o->n, batch, "digits");
    uint8_t *const there = decimal_room(o->n * batch);
    for (uint64_t p = 0; p < batch; p++) {
        const int which = p > 0 && p + 1 == batch ? 2 : 0;
        memcpy(host + p * o->n, o->digit[which + side], o->n);
    }
    if (!device_upload(there, host, o->n * batch)) {
        decimal_stop("no upload", o->n);
    }
    free(host);
    return there;
}

static bool enqueue(void *job, cuda_stream stream) {
    return decimal_tiled(job, stream) == RESULT_OK;
}

// check: the first and the last product, as the timed calls left them.
static void check(const decimal_operands *o, const decimal_tiled_job *job) {
    const size_t coefficients = 2 * o->n;
    int32_t *const found = program_memory(coefficients, sizeof *found, "coefficients");
    for (int which = 0; which < (job->rows > 1 ? 2 : 1); which++) {
        const int32_t *const at = job->c + (which ? (job->rows - 1) * coefficients : 0);
        if (!device_download(found, at, coefficients * sizeof *found)) {
            decimal_stop("no download", o->n);
        }
        for (size_t i = 0; i < coefficients; i++) {
            if ((double)found[i] != o->exact[which][i]) {
                decimal_stop("a tiled product is wrong", o->n);
            }
        }
    }
    free(found);
}

static void record(const device_run *run, const decimal_tiled_job *job, const device_times *times) {
    const double mdata = 2e3 * (double)(job->an * job->rows) / times->median_ns;
    char more[80], note[80];
    snprintf(more, sizeof more, ",\"tile\":%u,\"mdata_s\":%.1f,\"error\":0,\"wrong\":0",
             1u << job->lg_tile, mdata);
    snprintf(note, sizeof note, "%.0f MData/s, tiles of %u digits", mdata, 1u << job->lg_tile);
    const device_line line = {.topic = "decimal",
                              .op = job->rows > 1 ? "tiled-batch" : "tiled",
                              .variant = "tuned",
                              .engine = "tiled",
                              .n = job->an,
                              .rows = job->rows,
                              .bytes = 10.0 * (double)(job->an * job->rows),
                              .times = times,
                              .kase = "mul",
                              .more = more,
                              .note = note,
                              .chosen = true};
    device_record(run, &line);
}

void decimal_tiles(const device_run *run, const decimal_operands *o, uint64_t batch) {
    if (o->n * o->n * batch > UINT64_C(1) << LG_WORK_MOST) {
        return;
    }
    uint8_t *const a = upload(o, 0, batch), *const b = upload(o, 1, batch);
    decimal_tiled_job job =
                          {.a = a, .b = b, .an = o->n, .bn = o->n, .rows = batch, .atomics = true},
                      best = job;
    const size_t bytes = 2 * o->n * batch * sizeof *job.c;
    job.c = decimal_room(bytes);
    device_copying copy = {decimal_room(bytes), job.c, 5 * o->n * batch};
    device_times times[2], least[2];
    for (unsigned lg = DECIMAL_TILED_LG_LEAST;
         lg <= DECIMAL_TILED_LG_MOST && o->n >> lg << lg == o->n; lg++) {
        job.lg_tile = lg;
        const device_side sides[] = {{enqueue, &job, false}, {device_copy_enqueue, &copy, false}};
        if (!device_fill(job.c, 0xA5, bytes) ||
            !device_time(NULL, sides, 2, 4, run->quick ? 3 : SAMPLES, times)) {
            decimal_stop("a contender failed", o->n);
        }
        check(o, &job);
        if (lg == DECIMAL_TILED_LG_LEAST || times[0].median_ns < least[0].median_ns) {
            memcpy(least, times, sizeof least);
            best = job;
        }
    }
    record(run, &best, least);
    device_free(a), device_free(b), device_free(job.c), device_free(copy.to);
}
