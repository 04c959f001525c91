// product_rival.c: product_rival.h over cufft.h and pointwise.h.
#include "bench/mul/product_rival.h"

#include "bench/fft/pointwise.h"
#include "bench/mul/product_gmp.h"
#include "tests/support/device.h"

bool product_rival_enqueue(void *self, cuda_stream stream) {
    product_rival *c = self;
    return cufft_enqueue(&c->forward[0], stream) && cufft_enqueue(&c->forward[1], stream) &&
           pointwise_multiply(c->x, c->y, c->points / 2 + 1, false, stream) &&
           cufft_enqueue(&c->inverse, stream);
}

void product_rival_open(product_rival *c, const cufft *library, uint64_t bits) {
    c->points = 2;
    while (c->points < 2 * bits / 16) {
        c->points *= 2;
    }
    const size_t bytes = (c->points / 2 + 1) * 16;
    c->x = device_alloc(bytes), c->y = device_alloc(bytes);
    size_t most = 0;
    cufft_job *const jobs[] = {&c->forward[0], &c->forward[1], &c->inverse};
    for (int i = 0; i < 3; i++) {
        *jobs[i] = (cufft_job){.library = library, .type = i < 2 ? CUFFT_D2Z : CUFFT_Z2D};
        jobs[i]->inverse = i == 2;
        if (!cufft_plan(jobs[i], c->points, 1)) {
            product_stop("cuFFT has no plan", bits);
        }
        most = jobs[i]->workspace_bytes > most ? jobs[i]->workspace_bytes : most;
    }
    c->workspace = device_alloc(most > 0 ? most : 1);
    for (int i = 0; i < 3; i++) {
        jobs[i]->workspace = c->workspace;
        jobs[i]->in = jobs[i]->out = i == 1 ? c->y : c->x;
        if (c->workspace == NULL || !cufft_give_workspace(jobs[i])) {
            product_stop("no workspace for cuFFT", bits);
        }
    }
    device_fill(c->x, 0, bytes), device_fill(c->y, 0, bytes);
}

void product_rival_close(product_rival *c) {
    cufft_forget(&c->forward[0]), cufft_forget(&c->forward[1]), cufft_forget(&c->inverse);
    device_free(c->x), device_free(c->y), device_free(c->workspace);
}
