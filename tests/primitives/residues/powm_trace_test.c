// powm_trace_test.c: powers with secret exponents leave the same trace under the kernel emulation,
// whatever the exponents are: the same basic blocks in the same order, reading and writing at the
// same addresses.
#include <stdlib.h>
#include <string.h>

#include "primitives/residues/powm_device.h"
#include "tests/ctest/ctest.h"
#include "tests/primitives/cuda/kernel_trace.h"
#include "tests/support/device.h"
#include "tests/support/gen.h"

enum { COUNT = 3, EXPONENT = 1, SHAPES = 4, TILES = 3 };

// At least the shared memory of a block with TILES tiles.
enum { TILED_BYTES = 4096 * TILES };

// numbers: in device memory, which is the host's.
typedef struct {
    uint64_t *base, *exponent, *modulus, *r;
    void *workspace;
    uint64_t n, count;
    powm_device_plan plan;
} numbers;

static numbers_device strided(uint64_t *p, uint64_t n) {
    return (numbers_device){.p = p, .n = n, .stride = n};
}

// each: digits a lane; 0: the least tiles.
static numbers numbers_open(uint64_t n, unsigned each, bool even) {
    numbers s = {.n = n, .count = each == 0 ? 1 : COUNT};
    uint64_t *const all[] = {device_alloc(8 * s.count * n), device_alloc(8 * s.count * EXPONENT),
                             device_alloc(8 * s.count * n), device_alloc(8 * s.count * n)};
    s.base = all[0], s.exponent = all[1], s.modulus = all[2], s.r = all[3];
    gen g = gen_seed(n);
    gen_limbs(&g, GEN_UNIFORM, s.base, s.count * n),
        gen_limbs(&g, GEN_UNIFORM, s.modulus, s.count * n);
    for (uint64_t i = 0; i < s.count; i++) {
        s.modulus[i * n] = (s.modulus[i * n] | 1) - even;
    }
    const uint64_t bits = 64 * n;
    EXPECT_EQ(
        (int)(each == 0 ? powm_device_plan_tiles(&s.plan, TILES, s.count, bits, EXPONENT, 1, 0)
                        : powm_device_plan_each(&s.plan, each, s.count, bits, EXPONENT, 1, 0)),
        (int)RESULT_OK);
    s.workspace = device_alloc(s.plan.workspace_bytes);
    return s;
}

static void numbers_close(numbers *s) {
    device_free(s->base), device_free(s->exponent), device_free(s->modulus), device_free(s->r);
    device_free(s->workspace);
}

// trace_of: a batch with exponents of that shape: 0, 1, all ones, random ones.
static kernel_trace trace_of(const numbers *s, unsigned shape, bool secret) {
    gen g = gen_seed(shape);
    gen_limbs(&g, GEN_UNIFORM, s->exponent, s->count * EXPONENT);
    for (uint64_t i = 0; i < s->count * EXPONENT && shape < 3; i++) {
        s->exponent[i] = shape == 2 ? UINT64_MAX : shape;
    }
    const powm_device_batch batch = {.count = s->count,
                                     .r = strided(s->r, s->n),
                                     .base = strided(s->base, s->n),
                                     .exponent = strided(s->exponent, EXPONENT),
                                     .modulus = strided(s->modulus, s->n),
                                     .secret = secret};
    const uint64_t digits = s->plan.each * s->plan.lanes;
    const uint64_t groups = s->plan.tiles > 0 ? 0 : 32 / s->plan.lanes * 4;
    const void *const all[] = {s->base, s->modulus, s->r};
    kernel_trace_begin(s->plan.tiles > 0 ? TILED_BYTES : groups * (digits | 1) * sizeof(double));
    for (int k = 0; k < 3; k++) {
        kernel_trace_memory(all[k], 8 * s->count * s->n);
    }
    kernel_trace_memory(s->exponent, 8 * s->count * EXPONENT);
    kernel_trace_memory(s->workspace, s->plan.workspace_bytes);
    EXPECT_EQ((int)powm_device(&s->plan, &batch, s->workspace, NULL), (int)RESULT_OK);
    uint64_t one;
    EXPECT_TRUE(device_download(&one, s->r, sizeof one));  // waits
    return kernel_trace_end();
}

static void expect_equal_traces(uint64_t n, unsigned each, bool even) {
    numbers s = numbers_open(n, each, even);
    SCOPED_TRACE("%d limbs, %d digits a lane, %s moduli", (int)n, (int)each, even ? "even" : "odd");
    const kernel_trace first = trace_of(&s, 0, true);
    EXPECT_TRUE(first.blocks > 10000 && first.accesses > 10000);
    for (unsigned shape = 1; shape < SHAPES; shape++) {
        const kernel_trace t = trace_of(&s, shape, true);
        EXPECT_EQ(t.blocks, first.blocks);
        EXPECT_EQ(t.accesses, first.accesses);
        EXPECT_EQ(t.hash, first.hash);
    }
    // The control: windows as they are for exponents that are no secret.
    EXPECT_TRUE(trace_of(&s, 1, false).hash != trace_of(&s, 3, false).hash);
    numbers_close(&s);
}

// Mutations: a window of zeros left out, an exponent's own length, one power of the table read
// instead of all, a result that is reduced by a branch.
TEST(PowmTrace, SecretExponents) {
    device_order(0);
    for (int even = 0; even < 2; even++) {
        expect_equal_traces(1, POWM_DEVICE_EACH_FEW, even != 0);
        expect_equal_traces(6, POWM_DEVICE_EACH_FEW, even != 0);
    }
    expect_equal_traces(17, POWM_DEVICE_EACH_SOME, false);
    expect_equal_traces(17, POWM_DEVICE_EACH, false);
    for (int even = 0; even < 2; even++) {
        expect_equal_traces(16 * TILES, 0, even != 0);
    }
}
