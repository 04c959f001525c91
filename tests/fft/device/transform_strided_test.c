// transform_strided_test.c: transforms on a device, or under the kernel emulation, of batches in
// any layout, against sums in long double over the same numbers one after the other.
#include "fft/device/complex/transform_strided.h"

#include <stdlib.h>
#include <string.h>

#include "tests/ctest/ctest.h"
#include "tests/fft/device/transform_exact.h"
#include "tests/fft/device/transform_fixture.h"
#include "tests/support/device.h"

static const double gap = -7.25;  // what stands between elements, and must stay there

typedef fft_strided_layout layout;

// numbers_of: that an element has: of reals one, on the side where they are reals.
static size_t numbers_of(const fft_id_problem *p, bool output) {
    return fft_id_pairs(p) && output == (p->direction == FFT_ID_INVERSE) ? 1 : 2;
}

// extent: numbers from the first element to the end of the last one.
static size_t extent(const fft_strided_plan *plan, bool output) {
    const fft_id_problem *const p = &plan->plan.problem;
    const layout l = output ? plan->out : plan->in;
    return numbers_of(p, output) *
           (1 + (p->batch - 1) * l.distance + (fft_strided_elements(p, output) - 1) * l.stride);
}

// scatter, gather: numbers one after the other to and from a side's places. Gathered ones are
// replaced by the gap.
static void move(const fft_strided_plan *plan, bool output, double *dense, double *places) {
    const fft_id_problem *const p = &plan->plan.problem;
    const layout l = output ? plan->out : plan->in;
    const size_t each = numbers_of(p, output);
    for (size_t b = 0; b < p->batch; b++) {
        for (size_t j = 0; j < fft_strided_elements(p, output); j++, dense += each) {
            double *const at = places + (b * l.distance + j * l.stride) * each;
            for (size_t i = 0; i < each; i++) {
                if (output) {
                    dense[i] = at[i], at[i] = gap;
                } else {
                    at[i] = dense[i];
                }
            }
        }
    }
}

static double *gaps(size_t n) {
    double *const x = malloc(n * sizeof *x);
    for (size_t i = 0; i < n; i++) {
        x[i] = gap;
    }
    return x;
}

// run: y = what the device makes of x, both dense. Expects that nothing between elements changes,
// and no element of the input unless it is the output.
static void run(const fft_strided_plan *plan, double *x, double *y, bool in_place) {
    const fft_id_plan *const p = &plan->plan;
    const size_t bytes = fft_id_item_bytes(&p->problem) / 2;
    const size_t in = extent(plan, false), out = extent(plan, true);
    const size_t most = in > out ? in : out;
    double *from = gaps(most), *to = gaps(most), *kept = gaps(most);
    move(plan, false, x, from);
    void *const device_in = device_alloc(most * bytes);
    void *const device_out = in_place ? device_in : device_alloc(most * bytes);
    void *const workspace = device_alloc(fft_strided_workspace_bytes(plan) + 1);
    void *const tables = device_alloc(fft_strided_table_bytes(plan) + 1);
    transform_upload(p, device_out, to, most);
    transform_upload(p, device_in, from, most);
    EXPECT_EQ(fft_strided_tables(plan, tables, NULL), RESULT_OK);
    EXPECT_EQ(fft_strided_transform(plan, device_in, device_out, workspace, tables, NULL),
              RESULT_OK);
    transform_download(p, to, device_out, most);
    transform_download(p, kept, device_in, most);
    move(plan, true, y, to);
    size_t changed = 0;  // in place the input's elements may be anything
    for (size_t i = 0; i < most; i++) {
        changed += to[i] != gap && (!in_place || from[i] == gap);
        changed += !in_place && kept[i] != from[i];
    }
    EXPECT_EQ(changed, 0);
    device_free(device_in), device_free(workspace), device_free(tables);
    if (!in_place) {
        device_free(device_out);
    }
    free(from), free(to), free(kept);
}

// repeat: a problem's input once more for each of the batch where all have the same places.
static void repeat(const fft_strided_plan *plan, double *x) {
    const size_t each = transform_numbers(&plan->plan, false) / plan->plan.problem.batch;
    for (size_t b = 1; plan->in.distance == 0 && b < plan->plan.problem.batch; b++) {
        memcpy(x + b * each, x, each * sizeof *x);
    }
}

static void check(const fft_strided_plan *plan, uint64_t seed) {
    char spec[FFT_ID_SPEC_BYTES];
    fft_id_print(&plan->plan, spec, sizeof spec);
    SCOPED_TRACE("%s, %u %u to %u %u", spec, (unsigned)plan->in.stride, (unsigned)plan->in.distance,
                 (unsigned)plan->out.stride, (unsigned)plan->out.distance);
    const char *const why = fft_strided_refusal(plan);
    if (why != NULL) {
        FAIL("refused: %s", why);
    }
    const size_t n = transform_numbers(&plan->plan, true);
    double *const x = transform_input(&plan->plan, seed);
    double *const y = malloc(n * sizeof *y), *const want = malloc(n * sizeof *want);
    repeat(plan, x);
    transform_exact(&plan->plan, x, want);
    for (int in_place = 0; in_place <= fft_strided_in_place(plan); in_place++) {
        run(plan, x, y, in_place);
        EXPECT_TRUE(transform_distance(y, want, n) <= transform_tolerance(&plan->plan));
    }
    free(x), free(y), free(want);
}

// problem_of: one of the eight kinds.
static fft_id_problem problem_of(uint64_t n, uint64_t batch, unsigned kind) {
    static const fft_id_element elements[] = {FFT_ID_COMPLEX_F64, FFT_ID_REAL_F32, FFT_ID_REAL_F64,
                                              FFT_ID_COMPLEX_F32};
    fft_id_problem p = {.element = elements[kind % 4],
                        .direction = kind & 4 ? FFT_ID_INVERSE : FFT_ID_FORWARD,
                        .batch = batch};
    EXPECT_TRUE(fft_id_set_length(&p, n) == NULL);
    return p;
}

enum { LAYOUTS = 8 };

// layouts_of: one after the other; apart; every third place; interleaved, densely and not; from one
// after the other to interleaved, and back; all of one input.
static void layouts_of(const fft_id_problem *p, unsigned which, layout *in, layout *out) {
    const uint64_t from = fft_strided_elements(p, false), to = fft_strided_elements(p, true);
    const layout dense_in = {1, from}, dense_out = {1, to};
    const layout interleaved = {p->batch, 1}, loose = {2 * p->batch + 1, 2};
    const layout ins[LAYOUTS] = {dense_in, {1, from + 3}, {3, 3 * from + 1}, interleaved,
                                 loose,    dense_in,      interleaved,       {1, 0}};
    const layout outs[LAYOUTS] = {dense_out, {1, to + 5}, {3, 3 * to + 2}, interleaved,
                                  loose,     interleaved, dense_out,       {2, 2 * to}};
    *in = ins[which], *out = outs[which];
}

// Catches: a stride or a distance of the other side, or not taken; parts of reals that are not side
// by side; lines of another problem where they are interleaved, past a tile's end and past the
// batch's.
TEST(TransformStrided, ChosenPlans) {
    if (!device_ready()) {
        SKIP("no device");
    }
    device_order(device_emulated() ? 11 : 0);
    static const uint64_t lengths[] = {4, 6, 8, 10, 32, 90, 256, 840, 2048, 6000, 16384};
    static const uint64_t batches[] = {1, 3, 17, 70};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        for (unsigned which = 0; which < LAYOUTS; which++) {
            for (unsigned kind = 0; kind < 8; kind++) {
                const bool some = lengths[i] < 100 || (i + which + kind) % 4 == 0;
                const uint64_t batch = batches[(i + which + kind / 2) % (lengths[i] < 300 ? 4 : 2)];
                const fft_id_problem p = problem_of(lengths[i], batch, kind);
                fft_strided_plan plan;
                layout in, out;
                layouts_of(&p, which, &in, &out);
                if (some) {
                    const char *const why = fft_strided_make(&plan, &p, in, out);
                    ASSERT_TRUE(why == NULL);
                    check(&plan, i + which);
                }
            }
        }
    }
    device_order(0);
}

// Powers of two whose items, or whose problems' items, are side by side, in batches of whole tiles
// and not: kernels whose nodes are constants. Catches a step or a distance of the other side, of a
// pass in between or of pairs that is not halved, and a tile that is not whole.
TEST(TransformStrided, PowersOfTwo) {
    if (!device_ready()) {
        SKIP("no device");
    }
    device_order(device_emulated() ? 3 : 0);
    for (unsigned n = 2; n <= 11; n++) {
        for (unsigned kind = 0; kind < 8; kind++) {
            const fft_id_problem p = problem_of((uint64_t)1 << n,
                                                n < 9    ? 64 + kind % 2
                                                : n < 11 ? 8
                                                         : 4 + kind / 4,
                                                kind);
            const uint64_t from = fft_strided_elements(&p, false);
            const uint64_t to = fft_strided_elements(&p, true);
            const layout side = {p.batch, 1}, loose = {2 * p.batch + 3, 2}, dense = {1, from};
            const layout ins[] = {{1, from + 6}, side, loose, dense};
            const layout outs[] = {{1, to + 3 + to % 2}, side, loose, side};
            for (unsigned i = 0; i < 4; i++) {
                fft_strided_plan plan;
                if (n < 9 || (n + kind + i) % 4 == 0) {
                    ASSERT_TRUE(fft_strided_make(&plan, &p, ins[i], outs[i]) == NULL);
                    check(&plan, n + i);
                }
            }
        }
    }
    const fft_id_problem p = problem_of(1 << 15, 2, 0), reals = problem_of(1 << 16, 2, 6);
    fft_strided_plan plan;
    ASSERT_TRUE(fft_strided_make(&plan, &p, (layout){1, 33000}, (layout){1, 34000}) == NULL);
    check(&plan, 1);
    ASSERT_TRUE(fft_strided_make(&plan, &reals, (layout){1, 33000}, (layout){1, 70000}) == NULL);
    check(&plan, 2);
    device_order(0);
}

// Tiles so small that short lengths take two passes to four. Catches what ChosenPlans does between
// passes, and roots of another line.
TEST(TransformStrided, SeveralPasses) {
    if (!device_ready()) {
        SKIP("no device");
    }
    static const fft_id_tuple tuples[] = {{3, 3, 0}, {3, 5, 2}, {4, 7, 3}};
    static const uint64_t lengths[] = {256, 270, 420, 600, 1024};
    unsigned passes[5] = {0};
    for (unsigned i = 0; i < 15; i++) {
        for (unsigned which = 1; which < LAYOUTS; which++) {
            for (unsigned kind = (i + which) % 4; kind < 8; kind += 4) {
                const fft_id_problem p = problem_of(lengths[i / 3], 1 + 4 * (which % 3), kind);
                fft_strided_plan plan;
                layouts_of(&p, which, &plan.in, &plan.out);
                ASSERT_TRUE(fft_id_make(&plan.plan, &p, tuples[i % 3], FFT_ID_AFTER) == NULL);
                const bool dense = fft_strided_is_dense(&p, plan.in, false) &&
                                   fft_strided_is_dense(&p, plan.out, true);
                if (!dense) {
                    passes[fft_id_passes(&plan.plan) < 4 ? fft_id_passes(&plan.plan) : 4]++;
                    check(&plan, i);
                }
            }
        }
    }
    EXPECT_TRUE(passes[2] > 0 && passes[3] > 0 && passes[4] > 0);
}

// Between three passes items stand in the output, or in the workspace, densely. Catches one that
// is stored as in the workspace where the output has gaps.
TEST(TransformStrided, GapsBetweenPasses) {
    if (!device_ready()) {
        SKIP("no device");
    }
    for (unsigned kind = 3; kind < 8; kind += 4) {  // complex floats, whose kernels these are
        const fft_id_problem p = problem_of(1 << 15, 2, kind);
        fft_strided_plan plan = {.in = {1, 33000}, .out = {1, 34000}};
        ASSERT_TRUE(fft_id_make(&plan.plan, &p, (fft_id_tuple){3, 12, 7}, FFT_ID_AFTER) == NULL);
        EXPECT_EQ(fft_id_passes(&plan.plan), 3);
        check(&plan, kind);
        plan.in = plan.out;  // in place too
        check(&plan, kind);
    }
}

// In reversed order, in one pass. Catches a problem that begins at the distance of the other side,
// and places within a line that are counted by the wrong index.
TEST(TransformStrided, ReversedOrder) {
    if (!device_ready()) {
        SKIP("no device");
    }
    unsigned interleaved = 0;
    for (unsigned n = 3; n <= 10; n++) {
        for (unsigned kind = 0; kind < 8; kind += kind % 4 == 0 ? 3 : 1) {  // complex items
            fft_id_problem p = problem_of((uint64_t)1 << n, 32 + kind % 2, kind);
            p.order = FFT_ID_REVERSED;
            const uint64_t items = (uint64_t)1 << n;
            fft_strided_plan plan;
            ASSERT_TRUE(fft_strided_make(&plan, &p, (layout){1, items + 6},
                                         (layout){1, items + 3}) == NULL);
            check(&plan, n);
            if (fft_strided_make(&plan, &p, (layout){p.batch, 1}, (layout){p.batch, 1}) == NULL) {
                EXPECT_EQ(p.batch, 32);  // whole tiles
                check(&plan, n);
                interleaved++;
            }
        }
    }
    EXPECT_TRUE(interleaved > 4);
}

// In place: complex items, densely and not, and reals whose problems begin where their frequencies
// do. Catches a pass that writes places before another block has read them.
TEST(TransformStrided, InPlace) {
    if (!device_ready()) {
        SKIP("no device");
    }
    device_order(device_emulated() ? 5 : 0);
    static const uint64_t lengths[] = {6, 64, 120, 5000};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        for (unsigned kind = 0; kind < 8; kind++) {
            const fft_id_problem p = problem_of(lengths[i], lengths[i] < 1000 ? 7 : 2, kind);
            const uint64_t n = lengths[i];
            const bool reals = fft_id_pairs(&p), back = p.direction == FFT_ID_INVERSE;
            const layout half = {1, n / 2 + 2}, whole = {1, 2 * half.distance};
            const layout items = kind & 1 ? (layout){p.batch, 1} : (layout){2, 2 * n};
            fft_strided_plan plan;
            ASSERT_TRUE(fft_strided_make(&plan, &p,
                                         !reals ? items
                                         : back ? half
                                                : whole,
                                         !reals ? items
                                         : back ? whole
                                                : half) == NULL);
            EXPECT_TRUE(fft_strided_in_place(&plan));
            check(&plan, i);
        }
    }
    device_order(0);
}

// Layouts that are none are refused, their neighbours are not. Catches a bound off by one, the two
// sides taken for each other, and a common divisor that is left out.
TEST(TransformStrided, Refusals) {
    const fft_id_problem p = problem_of(16, 6, 0), reals = problem_of(16, 6, 2);
    static const struct {
        layout out;
        bool served;
    } layouts[] = {
        {{1, 16}, true},
        {{1, 15}, false},
        {{6, 1}, true},
        {{5, 1}, false},
        {{0, 1}, false},
        {{1, 0}, false},
        {{0, 0}, false},
        {{12, 2}, true},
        {{6, 2}, false},
        {{7, 2}, true},
        {{10, 2}, false},
        {{4, 63}, true},
        {{4, 62}, true},
        {{4, 60}, false},
        {{4, 64}, true},
        {{3, 45}, false},
        {{1, (uint64_t)1 << 44}, true},
        {{(uint64_t)1 << 60, 1}, false},
    };
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++) {
        SCOPED_TRACE("layout %u", (unsigned)i);
        fft_strided_plan plan = {.in = {1, 16}, .out = layouts[i].out};
        EXPECT_TRUE(fft_id_make(&plan.plan, &p, (fft_id_tuple){4, 4, 0}, FFT_ID_AFTER) == NULL);
        EXPECT_EQ(fft_strided_layout_refusal(&plan) == NULL, layouts[i].served);
        plan = (fft_strided_plan){plan.plan, layouts[i].out, {1, 16}};
        const bool near = layouts[i].out.stride >> 48 == 0;
        EXPECT_EQ(fft_strided_layout_refusal(&plan) == NULL, near);
    }
    if (device_ready()) {
        fft_strided_plan plan;
        char nothing[1];
        ASSERT_TRUE(fft_strided_make(&plan, &p, (layout){6, 1}, (layout){1, 16}) == NULL);
        EXPECT_EQ(fft_strided_transform(&plan, nothing, nothing, NULL, NULL, NULL), RESULT_REFUSED);
        ASSERT_TRUE(fft_strided_make(&plan, &reals, (layout){1, 16}, (layout){1, 9}) == NULL);
        EXPECT_TRUE(!fft_strided_in_place(&plan));
        EXPECT_TRUE(fft_strided_make(&plan, &reals, (layout){1, 16}, (layout){1, 8}) != NULL);
        fft_id_problem odd = reals;
        EXPECT_TRUE(fft_id_set_length(&odd, 15) == NULL);
        EXPECT_TRUE(strstr(fft_strided_make(&plan, &odd, (layout){1, 15}, (layout){1, 8}),
                           "odd length") != NULL);
    }
}
