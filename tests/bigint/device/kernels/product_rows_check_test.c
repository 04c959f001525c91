// product_rows_check_test.c: the check of many products at once, on a device or emulated, against
// GMP's products of which some are made wrong.

#include <gmp.h>
#include <string.h>

#include "bigint/device/kernels/product_rows.h"
#include "bigint/device/kernels/product_rows_check.h"
#include "tests/ctest/ctest.h"
#include "tests/support/device.h"
#include "tests/support/gen.h"

// Products: more than the emulation's blocks have warps. Limbs of the longest factors.
enum { COUNT = 150, LONGEST = 500, WORDS = COUNT * LONGEST };

typedef struct {
    uint64_t *a, *b, *r;  // on the device, factors LONGEST limbs apart, results twice that
    product_item *items;
    void *workspace;
    limbs_residue_report *report;
    limbs_modulus m;
    uint64_t an[COUNT], bn[COUNT];
} buffers;

static uint64_t a[WORDS], b[WORDS], r[2 * WORDS];

// make: the products, {an, bn} limbs or, where that is 0, of any lengths, 0 among them.
static bool make(buffers *s, gen *g, uint64_t an, uint64_t bn) {
    memset(r, 0, sizeof r);
    for (size_t i = 0; i < COUNT; i++) {
        s->an[i] = an > 0 ? an : gen_below(g, LONGEST + 1);
        s->bn[i] = bn > 0 ? bn : gen_below(g, i % 3 == 0 ? 40 : LONGEST + 1);
        uint64_t *const p[] = {a + i * LONGEST, b + i * LONGEST};
        gen_limbs(g, GEN_UNIFORM, p[0], LONGEST);
        gen_limbs(g, (gen_shape)gen_below(g, GEN_SHAPES), p[1], LONGEST);
        const bool first = s->an[i] >= s->bn[i];
        if (s->an[i] > 0 && s->bn[i] > 0) {
            mpn_mul(r + 2 * i * LONGEST, p[!first], (mp_size_t)(first ? s->an[i] : s->bn[i]),
                    p[first], (mp_size_t)(first ? s->bn[i] : s->an[i]));
        }
    }
    return device_upload(s->a, a, sizeof a) && device_upload(s->b, b, sizeof b);
}

static product_item item(const buffers *s, size_t i) {
    return (product_item){s->r + 2 * i * LONGEST,
                          s->a + i * LONGEST,
                          s->b + i * LONGEST,
                          2 * LONGEST,
                          s->an[i],
                          s->bn[i]};
}

// check: what the report says of all products, so far.
static limbs_residue_report check(const buffers *s, bool listed) {
    limbs_residue_report report = {0};
    product_item items[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        items[i] = item(s, i);
    }
    product_rows rows = {items[0], 2 * LONGEST, LONGEST, LONGEST, NULL, COUNT, 0};
    rows.items = listed ? s->items : NULL;
    EXPECT_TRUE(device_upload(s->r, r, sizeof r) && device_upload(s->items, items, sizeof items));
    EXPECT_EQ(product_rows_check(s->report, &rows, &s->m, s->workspace, NULL), RESULT_OK);
    EXPECT_TRUE(device_download(&report, s->report, sizeof report));
    return report;
}

// Mutations: a lane, a chunk of limbs or all products behind the first round of the blocks left
// out; a weight of another power; a verdict that is always yes; wrong products that are not
// counted, or of which another than the first tells its lengths; findings that are left for the
// next launch.
TEST(ProductRowsCheck, WrongProductsAreSeen) {
    if (!device_ready()) {
        SKIP("no device");
    }
    buffers s = {device_alloc(sizeof a),
                 device_alloc(sizeof b),
                 device_alloc(sizeof r),
                 device_alloc(COUNT * sizeof(product_item)),
                 device_alloc(LIMBS_RESIDUE_WORKSPACE_BYTES),
                 device_alloc(sizeof(limbs_residue_report)),
                 limbs_modulus_of((UINT64_C(1) << 61) - 1),
                 {0},
                 {0}};
    ASSERT_TRUE(s.report != NULL && device_fill(s.workspace, 0, LIMBS_RESIDUE_WORKSPACE_BYTES));
    gen g = gen_seed(94);
    for (int listed = 0; listed < 2; listed++) {
        device_order((uint64_t)listed);
        ASSERT_TRUE(device_fill(s.report, 0, sizeof *s.report));
        ASSERT_TRUE(make(&s, &g, listed ? 0 : 321, listed ? 0 : 70));
        EXPECT_EQ(check(&s, listed).wrong, 0u);
        uint64_t wrong = 0;
        limbs_residue_report report = {0};
        for (size_t round = 0; round < 12; round++) {
            SCOPED_TRACE("listed %d, round %zu", listed, round);
            // Some products, one limb each: anywhere in the result, zeros above it included.
            uint64_t *flipped[3], bit[3], least = COUNT;
            for (size_t k = 0; k < 3; k++) {
                const uint64_t i = (7 * round + 59 * k + 20) % COUNT;
                least = i < least ? i : least;
                flipped[k] = r + 2 * i * LONGEST + gen_below(&g, 2 * LONGEST);
                bit[k] = UINT64_C(1) << gen_below(&g, 64);
                *flipped[k] ^= bit[k];
            }
            report = check(&s, listed);
            EXPECT_EQ(report.wrong, wrong += 3);
            if (round == 0) {
                const uint64_t an = s.an[least], bn = s.bn[least];
                EXPECT_TRUE(report.an == (an > bn ? an : bn) && report.bn == (an > bn ? bn : an));
            }
            for (size_t k = 0; k < 3; k++) {
                *flipped[k] ^= bit[k];
            }
        }
        EXPECT_EQ(check(&s, listed).wrong, wrong);
    }
    device_order(0);
    void *const all[] = {s.a, s.b, s.r, s.items, s.workspace, s.report};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        device_free(all[i]);
    }
}
