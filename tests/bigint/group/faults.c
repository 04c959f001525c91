// faults.c: see faults.h.
#define _DEFAULT_SOURCE  // usleep, clock_gettime
#include "tests/bigint/group/faults.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "bigint/group/member_product.h"
#include "tests/ctest/ctest.h"
#include "tests/support/gen.h"
#include "tests/support/oracle.h"

enum { AN = 700, BN = 650, RN = AN + BN, UNTOUCHED = 0x5a, HANG_US = 1200 * 1000 };

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double fault_timeout_s(fault_kind kind) { return kind == FAULT_HANG ? 0.5 : 20; }

bigint_ctx_options fault_options(fault *f, unsigned who) {
    f->logs[who] = (allocator_log){0};
    return (bigint_ctx_options){.allocator = fixture_allocator(&f->logs[who]),
                                .checks = f->kind == FAULT_CORRUPT};
}

// --- A transport that fails ---

// One for each member; a member touches its own alone.
static struct {
    const exchange_ops *real;
    fault *fault;
    uint64_t calls;
} seats[FAULT_MEMBERS];

// strikes: whether the fault is here.
static bool strikes(exchange *x) {
    fault *const f = seats[x->member].fault;
    const bool here = f->kind != FAULT_ALLOCATION && x->member == f->member &&
                      ++seats[x->member].calls == f->site;
    if (here && f->kind != FAULT_CORRUPT) {
        f->reached = true;
    }
    if (here && f->kind == FAULT_GIVE_UP) {
        exchange_give_up(x, BIGINT_EDEVICE, "struck by the test");
    } else if (here && f->kind == FAULT_HANG) {
        usleep(HANG_US);
    }
    return here;
}

static bigint_status failing_all_to_all(exchange *x, const exchange_block *send,
                                        const exchange_block *receive, bool lasting) {
    const bool here = strikes(x);
    if (x->lost) {
        return BIGINT_EPEER;
    }
    const bigint_status status = seats[x->member].real->all_to_all(x, send, receive, lasting);
    for (unsigned i = 0; i < x->members && here; i++) {
        if (seats[x->member].fault->kind == FAULT_CORRUPT &&
            exchange_block_bytes(&receive[i]) > 0) {
            *(unsigned char *)receive[i].p ^= 1;
            seats[x->member].fault->reached = true;
            break;
        }
    }
    return status;
}

static bigint_status failing_all_gather(exchange *x, void *all, const void *own, size_t bytes) {
    if (seats[x->member].fault->kind != FAULT_CORRUPT) {
        strikes(x);
    }
    return x->lost ? BIGINT_EPEER : seats[x->member].real->all_gather(x, all, own, bytes);
}

static void failing_give_up(exchange *x) { seats[x->member].real->give_up(x); }

static const exchange_ops failing = {"failing", failing_all_to_all, failing_all_gather,
                                     failing_give_up};

// --- The product ---

// expect_product: the member's block of a b.
static void expect_product(const exchange *x, const uint64_t *rp, const uint64_t *ap,
                           const uint64_t *bp) {
    mpz_t a, b;
    uint64_t all[RN];
    mpz_inits(a, b, NULL);
    oracle_load(a, ap, AN), oracle_load(b, bp, BN);
    mpz_mul(a, a, b);
    oracle_store(all, RN, a);
    const block_range r = block_bounds(RN, x->members, x->member);
    EXPECT_LIMBS_EQ(rp, all + r.first, r.count);
    mpz_clears(a, b, NULL);
}

void fault_product(member *m, void *arg) {
    fault *const f = arg;
    exchange *const x = m->exchange;
    uint64_t a[AN], b[BN], r[RN], before[RN];
    gen g = gen_seed(f->site);
    gen_limbs(&g, GEN_UNIFORM, a, AN);
    gen_limbs(&g, GEN_RUNS, b, BN);
    memset(r, UNTOUCHED, sizeof r), memset(before, UNTOUCHED, sizeof before);
    member_plan plan;
    EXPECT_EQ(member_plan_make(m->ctx, "test", &plan, x->members, AN, BN, false, MEMBER_COLUMNS),
              BIGINT_OK);
    const member_job job = {.rp = r,
                            .ap = a + block_bounds(AN, x->members, x->member).first,
                            .bp = b + block_bounds(BN, x->members, x->member).first,
                            .an = AN,
                            .bn = BN,
                            .plan = &plan};
    allocator_log *const log = &f->logs[x->member];
    seats[x->member].real = x->ops;
    seats[x->member].fault = f;
    seats[x->member].calls = 0;
    if (f->kind == FAULT_ALLOCATION && x->member == f->member) {
        log->fail_at = log->calls + f->site;
    }
    x->ops = &failing;
    const double begin = now();
    f->status[x->member] = member_multiply(m, &job);
    f->seconds[x->member] = now() - begin;
    x->ops = seats[x->member].real;
    if (f->kind == FAULT_ALLOCATION && x->member == f->member) {
        f->reached = log->calls >= log->fail_at;
    }
    if (f->status[x->member] == BIGINT_OK) {
        expect_product(x, r, a, b);
    } else if (f->kind == FAULT_ALLOCATION) {
        char name[32];
        snprintf(name, sizeof name, "member %u of", f->member);
        EXPECT_TEXT(m->ctx, name);
        EXPECT_LIMBS_EQ(r, before, RN);
        log->fail_at = 0;
        EXPECT_EQ(member_multiply(m, &job), BIGINT_OK);
        expect_product(x, r, a, b);
    }
}

void fault_expect(const fault *f, unsigned members) {
    static const bigint_status statuses[] = {[FAULT_ALLOCATION] = BIGINT_ENOMEM,
                                             [FAULT_GIVE_UP] = BIGINT_EPEER,
                                             [FAULT_HANG] = BIGINT_EPEER,
                                             [FAULT_CORRUPT] = BIGINT_ECHECK};
    SCOPED_TRACE("fault %d of member %u of %u at site %llu", f->kind, f->member, members,
                 (unsigned long long)f->site);
    // The arena tidies up after the product; it needs no memory for that.
    const bool spared =
        f->kind == FAULT_ALLOCATION && f->site > 1 && f->status[f->member] == BIGINT_OK;
    for (unsigned i = 0; i < members; i++) {
        EXPECT_EQ(f->status[i], f->reached && !spared ? statuses[f->kind] : BIGINT_OK);
        EXPECT_TRUE(f->seconds[i] < 5);
    }
}
