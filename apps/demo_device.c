// demo_device.c: one product on the host and on a device, alternating. May include demo.h.
#include "apps/demo.h"

// The times of r = a b on p. The limbs must equal z's. The operands are on the host afterwards.
static place_times product_on(const demo *d, const place *p, bigint *r, bigint *a, bigint *b,
                              const mpz_t z) {
    place_times t;
    place_must(p->ctx, place_mul(p, r, a, b, &t));
    place_must(p->ctx, bigint_move(p->ctx, a, BIGINT_HOST));
    place_must(p->ctx, bigint_move(p->ctx, b, BIGINT_HOST));
    demo_must_agree(demo_same(d, r, z));
    return t;
}

void demo_device(demo *d, bigint *a, bigint *b, const mpz_t z) {
    if (d->device.ctx == NULL) {
        return;
    }
    demo_progress("multiplying three times on the host and on the device");
    const place host = {BIGINT_HOST, d->many};
    bigint r = BIGINT_INIT, from_device = BIGINT_INIT;
    double many[ROUNDS], alone[ROUNDS], end_to_end[ROUNDS];
    demo_plan("device", d->device.ctx, bigint_limbs_bound(a), bigint_limbs_bound(b));
    for (int i = 0; i < ROUNDS; i++) {
        many[i] = product_on(d, &host, &r, a, b, z).product;
        const place_times t = product_on(d, &d->device, &from_device, a, b, z);
        alone[i] = t.product;
        end_to_end[i] = t.end_to_end;
        bigint_clear(d->many, &from_device);  // what the host holds is no result's on a device
    }
    const demo_device_row row = {bigint_limbs_bound(a), bigint_limbs_bound(b), demo_middle(alone),
                                 demo_middle(end_to_end), demo_middle(many)};
    d->device_rows[d->device_rows_count++] = row;
    char threads[32], count[32];
    demo_line("", "%.3f ms alone, %.3f ms end to end; %.3f ms by %s of the host", 1e3 * row.alone,
              1e3 * row.end_to_end, 1e3 * row.many, demo_threads(d, threads));
    demo_line("", "(one product, median of three; its first time there makes tables too)");
    demo_line("checked", "equal to GMP: all %s limbs, each time", demo_count(count, mpz_size(z)));
    bigint_clear(d->many, &r);
    bigint_ctx_trim(d->device.ctx);
}
