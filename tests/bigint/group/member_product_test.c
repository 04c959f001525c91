// member_product_test.c: products of numbers in blocks, by 1 to 8 threads of one process, against
// GMP: every way, every grid of members, digits of many widths.
#include "bigint/group/member_product.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/bigint/group/members.h"
#include "tests/ctest/ctest.h"
#include "tests/support/gen.h"
#include "tests/support/oracle.h"

typedef enum { ALIAS_NONE, ALIAS_A, ALIAS_B, ALIASES } aliasing;

// work: one product; every member reads and writes its own blocks of these numbers.
typedef struct {
    const uint64_t *ap, *bp;
    uint64_t *rp;
    uint64_t an, bn;
    bool square;
    member_way way;
    unsigned digit_bits;  // narrower digits than the plan would take; 0: the plan's
    aliasing alias;
    uint64_t sent[MEMBERS_MAX];  // counted
} work;

// copy_block: a member's block of p, with room for as many limbs as r's.
static uint64_t *copy_block(const uint64_t *p, uint64_t n, uint64_t room, const exchange *x) {
    const block_range block = block_bounds(n, x->members, x->member);
    const uint64_t limbs = block.count > room ? block.count : room;
    uint64_t *const copy = malloc(limbs > 0 ? limbs * sizeof *copy : 1);
    if (block.count > 0) {
        memcpy(copy, p + block.first, block.count * sizeof *copy);
    }
    return copy;
}

// make_plan: digits of w bits are exact if the plan's wider ones are; there are more of them.
static bool make_plan(const work *w, bigint_ctx *ctx, unsigned members, member_plan *plan) {
    const uint64_t an = w->an > w->bn ? w->an : w->bn, bn = w->an + w->bn - an;
    if (member_plan_make(ctx, "test", plan, members, an, bn, w->square, w->way) != BIGINT_OK) {
        return false;
    }
    if (w->digit_bits > 0 && plan->way == MEMBER_COLUMNS) {
        const uint64_t a = (an * 64 + w->digit_bits - 1) / w->digit_bits;
        const uint64_t b = (bn * 64 + w->digit_bits - 1) / w->digit_bits;
        member_plan longer;
        if (member_plan_make(ctx, "test", &longer, members, a, b, false, MEMBER_COLUMNS) !=
            BIGINT_OK) {
            return false;
        }
        plan->fft = longer.fft;
        plan->fft.digit_bits = w->digit_bits;
    }
    return true;
}

static void multiply(member *m, void *arg) {
    work *const w = arg;
    const exchange *const x = m->exchange;
    const block_range r = block_bounds(w->an + w->bn, x->members, x->member);
    uint64_t *const a = copy_block(w->ap, w->an, r.count, x);
    uint64_t *const b = copy_block(w->bp, w->bn, r.count, x);
    uint64_t *const own = malloc(r.count > 0 ? r.count * sizeof *own : 1);
    uint64_t *const rp = w->alias == ALIAS_A ? a : w->alias == ALIAS_B ? b : own;
    member_plan plan;
    EXPECT_TRUE(make_plan(w, m->ctx, x->members, &plan));
    const member_job job = {.rp = rp,
                            .ap = a,
                            .bp = w->square ? a : b,
                            .an = w->an,
                            .bn = w->bn,
                            .square = w->square,
                            .plan = &plan};
    EXPECT_EQ(member_multiply(m, &job), BIGINT_OK);
    if (r.count > 0) {
        memcpy(w->rp + r.first, rp, r.count * sizeof *rp);
    }
    w->sent[x->member] = x->sent_bytes;
    const uint64_t vote_bytes = 16;
    EXPECT_EQ(x->sent_bytes, member_sent_bytes(&plan, x->member) + (x->members - 1) * vote_bytes);
    free(a), free(b), free(own);
}

static const char *const alias_names[ALIASES] = {"none", "a", "b"};

static void try_product(work *w, const members_setting *setting) {
    SCOPED_TRACE("%llu by %llu limbs, %u members, way %s, digits of %u bits, alias %s%s",
                 (unsigned long long)w->an, (unsigned long long)w->bn, setting->members,
                 member_way_name(w->way), w->digit_bits, alias_names[w->alias],
                 w->square ? ", square" : "");
    w->rp = malloc((w->an + w->bn + 1) * sizeof *w->rp);
    members_run(setting, multiply, w);
    EXPECT_PRODUCT(w->rp, w->ap, w->an, w->square ? w->ap : w->bp, w->bn);
    free(w->rp);
}

static const unsigned group_sizes[] = {1, 2, 3, 4, 6, 8};
enum { GROUP_SIZES = sizeof group_sizes / sizeof group_sizes[0] };
static const member_way ways[] = {MEMBER_AUTO, MEMBER_WHOLE, MEMBER_SHORT, MEMBER_COLUMNS};
enum { WAYS = sizeof ways / sizeof ways[0] };

static const uint64_t lengths[] = {0, 1, 15, 16, 17, 64, 127, 129, 300, 1025};
enum { LENGTHS = sizeof lengths / sizeof lengths[0], LONGEST = 6000 };

// Mutations: an overhang dropped; the scan over members dropped; the rows of a member shifted in
// the twiddle tables; a block's last part left out; an operand read after the result was written.
TEST(MemberProduct, Edges) {
    uint64_t a[1025], b[1025];
    gen g = gen_seed(1);
    for (unsigned i = 0; i < LENGTHS; i++) {
        for (unsigned j = 0; j < LENGTHS; j++) {
            for (unsigned k = 0; k < WAYS; k++) {
                const gen_shape shape = (gen_shape)gen_below(&g, GEN_SHAPES);
                if (lengths[i] > 0) gen_limbs(&g, GEN_ONES, a, lengths[i]);
                if (lengths[j] > 0) gen_limbs(&g, shape, b, lengths[j]);
                work w = {.ap = a,
                          .bp = b,
                          .an = lengths[i],
                          .bn = lengths[j],
                          .way = ways[k],
                          .alias = (aliasing)gen_below(&g, ALIASES)};
                const unsigned members = group_sizes[gen_below(&g, GROUP_SIZES)];
                try_product(&w, &(members_setting){.members = members, .timeout_s = 60});
            }
        }
    }
}

// Mutation: a carry is lost that enters a member from below and leaves it. Products of all ones
// and of powers of 2, less or more 1, have such carries.
TEST(MemberProduct, Shapes) {
    static uint64_t a[LONGEST], b[LONGEST];
    gen g = gen_seed(2);
    for (unsigned s = 0; s < GEN_SHAPES; s++) {
        for (unsigned t = 0; t < GEN_SHAPES; t++) {
            const unsigned members = group_sizes[(s + t) % GROUP_SIZES];
            const size_t an = gen_size(&g, 200, LONGEST), bn = gen_size(&g, 200, LONGEST);
            gen_limbs(&g, (gen_shape)s, a, an);
            gen_limbs(&g, (gen_shape)t, b, bn);
            work w = {.ap = a, .bp = b, .an = an, .bn = bn, .way = MEMBER_COLUMNS};
            try_product(&w, &(members_setting){.members = members, .timeout_s = 60});
        }
    }
}

// Mutations: strips that are whole limbs for digits of 64 bits only; overhangs of one limb.
TEST(MemberProduct, DigitWidths) {
    static uint64_t a[LONGEST], b[LONGEST];
    gen g = gen_seed(3);
    for (unsigned bits = 32; bits <= 64; bits++) {
        const unsigned members = group_sizes[bits % GROUP_SIZES];
        const size_t an = gen_size(&g, 300, 3000), bn = gen_size(&g, 300, 3000);
        gen_limbs(&g, bits % 2 == 0 ? GEN_ONES : GEN_RUNS, a, an);
        gen_limbs(&g, bits % 3 == 0 ? GEN_UNIFORM : GEN_ONES, b, bn);
        work w = {.ap = a, .bp = b, .an = an, .bn = bn, .way = MEMBER_COLUMNS, .digit_bits = bits};
        try_product(&w, &(members_setting){.members = members, .timeout_s = 60});
    }
}

// Mutation: the plane of a square's other operand is read.
TEST(MemberProduct, Squares) {
    static uint64_t a[LONGEST];
    gen g = gen_seed(4);
    for (unsigned i = 0; i < GROUP_SIZES; i++) {
        for (unsigned k = 0; k < WAYS; k++) {
            const size_t n = gen_size(&g, 16, LONGEST);
            gen_limbs(&g, k % 2 == 0 ? GEN_RUNS : GEN_ONES, a, n);
            work w = {.ap = a,
                      .bp = a,
                      .an = n,
                      .bn = n,
                      .square = true,
                      .way = ways[k],
                      .alias = ALIAS_A};
            try_product(&w, &(members_setting){.members = group_sizes[i], .timeout_s = 60});
        }
    }
}

// Contexts with threads, which share a member's columns and rows.
TEST(MemberProduct, Teams) {
    static uint64_t a[LONGEST], b[LONGEST];
    gen g = gen_seed(5);
    const bigint_ctx_options two = {.threads = 2}, three = {.threads = 3};
    const bigint_ctx_options *const options[] = {&two, &three, &two, NULL};
    for (unsigned round = 0; round < 8; round++) {
        const size_t an = gen_size(&g, 2000, LONGEST), bn = gen_size(&g, 2000, LONGEST);
        gen_limbs(&g, GEN_UNIFORM, a, an);
        gen_limbs(&g, GEN_RUNS, b, bn);
        work w = {.ap = a, .bp = b, .an = an, .bn = bn, .way = MEMBER_COLUMNS};
        try_product(
            &w, &(members_setting){.members = 1 + round % 4, .timeout_s = 60, .options = options});
    }
}

// A transform of several thousand rows, and one whose digits the plan itself makes narrower.
TEST(MemberProduct, Long) {
    const size_t an = (1 << 17) + 4321, bn = (1 << 17) - 77;
    uint64_t *const a = malloc(an * sizeof *a), *const b = malloc(bn * sizeof *b);
    gen g = gen_seed(6);
    for (unsigned i = 1; i < GROUP_SIZES; i++) {
        gen_limbs(&g, i % 2 == 0 ? GEN_ONES : GEN_UNIFORM, a, an);
        gen_limbs(&g, i % 2 == 0 ? GEN_ONES : GEN_RUNS, b, bn);
        work w = {.ap = a, .bp = b, .an = an, .bn = bn};
        try_product(&w, &(members_setting){.members = group_sizes[i], .timeout_s = 60});
    }
    free(a), free(b);
}
