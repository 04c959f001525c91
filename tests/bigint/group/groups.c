// groups.c: see groups.h.
#define _POSIX_C_SOURCE 200809L  // nanosleep
#include "tests/bigint/group/groups.h"

#include <gmp.h>
#include <time.h>

#include "bigint/bigint_gmp.h"
#include "tests/ctest/ctest.h"

// The place of all members is chosen in the BUILD file.
#if !defined(FIXTURE_MEMBER)
#define FIXTURE_MEMBER BIGINT_HOST
#endif

bigint_ctx *group_of(unsigned members, const bigint_ctx_options *options) {
    int places[GROUPS_MEMBERS];
    for (unsigned i = 0; i < members; i++) {
        places[i] = FIXTURE_MEMBER;
    }
    bigint_device *device;
    bigint_ctx *ctx = NULL;
    EXPECT_EQ(bigint_device_open_group(&device, places, members, NULL), BIGINT_OK);
    EXPECT_EQ(bigint_ctx_create(&ctx, device, options), BIGINT_OK);
    bigint_device_close(device);
    return ctx;
}

bool groups_on_device(void) { return FIXTURE_MEMBER >= 0; }

bool group_has(bigint_ctx *ctx, const bigint *x, const mpz_t z) {
    mpz_t got;
    mpz_init(got);
    const bool same = bigint_get_mpz(ctx, got, x) == BIGINT_OK && mpz_cmp(got, z) == 0;
    mpz_clear(got);
    return same;
}

bool group_has_word(bigint_ctx *ctx, const bigint *x, uint64_t value) {
    uint64_t limb = 0, need;
    return bigint_get_limbs(ctx, &limb, 1, &need, NULL, x) == BIGINT_OK && limb == value;
}

static void wait(jitter *j) {
    const uint64_t x =
        __atomic_add_fetch(&j->state, UINT64_C(0x9e3779b97f4a7c15), __ATOMIC_RELAXED);
    const uint64_t hash = (x ^ x >> 31) * UINT64_C(0xbf58476d1ce4e5b9);
    uint64_t call = __atomic_load_n(&j->log.calls, __ATOMIC_RELAXED) + 1;
    const bool hangs = __atomic_compare_exchange_n(&j->hang_at, &call, 0, false, __ATOMIC_RELAXED,
                                                   __ATOMIC_RELAXED);  // one thread alone
    const struct timespec t = {.tv_sec = hangs ? 2 : 0, .tv_nsec = (long)((hash >> 40) % 300000)};
    nanosleep(&t, NULL);
}

static void *jitter_allocate(void *user, size_t bytes) {
    jitter *const j = user;
    wait(j);
    const bigint_allocator a = fixture_allocator(&j->log);
    return a.allocate(a.user, bytes);
}

static void jitter_release(void *user, void *p, size_t bytes) {
    jitter *const j = user;
    const bigint_allocator a = fixture_allocator(&j->log);
    a.release(a.user, p, bytes);
}

bigint_allocator groups_jitter(jitter *j) {
    return (bigint_allocator){jitter_allocate, jitter_release, j};
}
