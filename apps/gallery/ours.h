// ours.h: the context and the output of the programs that use the library.
#ifndef APPS_GALLERY_OURS_H_
#define APPS_GALLERY_OURS_H_

#include <err.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "apps/gallery/gallery.h"
#include "bigint/bigint.h"

static bigint_ctx *ctx;

static inline void must(bigint_status status) {
    if (status != BIGINT_OK) {
        errx(1, "%s", bigint_ctx_error(ctx));
    }
}

// open_context: on this many threads.
static inline void open_context(uint32_t threads) {
    must(bigint_ctx_create(&ctx, NULL, &(bigint_ctx_options){.threads = threads}));
}

// show prints the length in bits and the remainder modulo 2^61 - 1.
static inline void show(const bigint *a) {
    uint64_t bits = 0, remainder = 0;
    must(bigint_bits(ctx, &bits, a));
    must(bigint_fdiv_u64(ctx, NULL, &remainder, a, ((uint64_t)1 << 61) - 1));
    printf("%" PRIu64 " bits, %" PRIu64 " modulo 2^61 - 1\n", bits, remainder);
}

#endif  // APPS_GALLERY_OURS_H_
