// scan_device_test.c: scans on a device, or under the kernel emulation, against a serial loop.
#include <stdlib.h>
#include <string.h>

#include "primitives/scan/scan.h"
#include "tests/ctest/ctest.h"
#include "tests/primitives/scan/monoid_fixture.h"
#include "tests/support/device.h"
#include "tests/support/gen.h"

// Device memory of one test; `shift` elements after an aligned address.
typedef struct {
    char *in, *out, *workspace;
    size_t bytes, workspace_bytes;
} buffers;

static bool buffers_new(buffers *b, size_t bytes, size_t workspace_bytes) {
    b->in = device_alloc(bytes);
    b->out = device_alloc(bytes);
    b->workspace = device_alloc(workspace_bytes);
    b->bytes = bytes;
    b->workspace_bytes = workspace_bytes;
    return b->in != NULL && b->out != NULL && b->workspace != NULL &&
           device_fill(b->workspace, 0, workspace_bytes);
}

static void buffers_free(buffers *b) {
    device_free(b->in);
    device_free(b->out);
    device_free(b->workspace);
}

// How a job is run: operands `shift` elements off alignment, the result over the operand or not.
typedef struct {
    scan_job job;
    size_t shift;
    bool in_place;
    uint64_t seed;
} scan_case;

static void check(const buffers *b, const scan_case *c) {
    const scan_job *job = &c->job;
    const size_t size = (size_t)(job->n * job->rows), bytes = monoid_bytes(job->op);
    SCOPED_TRACE("%s %s %s n = %zu, rows = %zu, shift %zu%s", scan_variant_name(job->variant),
                 monoid_name(job->op), job->exclusive ? "exclusive" : "inclusive", (size_t)job->n,
                 (size_t)job->rows, c->shift, c->in_place ? ", in place" : "");
    // One element more on either side of the result, which must stay as it was.
    char *x = malloc((size + 2) * bytes), *want = malloc((size + 2) * bytes);
    char *got = malloc((size + 2) * bytes);
    gen g = gen_seed(c->seed);
    monoid_random(&g, job->op, x, size + 2);
    monoid_scan_serial(job->op, job->exclusive, want + bytes, x + bytes, (size_t)job->n,
                       (size_t)job->rows);
    memcpy(want, x, bytes);
    memcpy(want + (size + 1) * bytes, x + (size + 1) * bytes, bytes);
    // Element 1 of x stands at `shift` elements after an aligned address.
    const size_t offset = 256 + (c->shift - 1) * bytes;
    char *in = b->in + offset, *out = c->in_place ? in : b->out + offset;
    EXPECT_TRUE(device_upload(in, x, (size + 2) * bytes));
    EXPECT_TRUE(device_upload(out, x, (size + 2) * bytes));
    EXPECT_EQ(scan_device(job, out + bytes, in + bytes, b->workspace, b->workspace_bytes, NULL),
              RESULT_OK);
    EXPECT_TRUE(device_download(got, out, (size + 2) * bytes));
    EXPECT_EQ(monoid_first_difference(job->op, got, want, size + 2), size + 2);
    free(x);
    free(want);
    free(got);
}

enum { SIZE_MAX_HERE = 200100 };

// Buffers for jobs of any variant.
static bool setup(buffers *b) {
    size_t most = 0;
    for (unsigned v = 0; v < SCAN_VARIANTS; v++) {
        const scan_job largest = {
            .op = MONOID_SUM_U64, .variant = (scan_variant)v, .n = SIZE_MAX_HERE, .rows = 1};
        const size_t bytes = scan_workspace_bytes(&largest);
        most = bytes > most ? bytes : most;
    }
    // Twice: rows of little more than a tile have twice the totals.
    return buffers_new(b, 512 + 8 * SIZE_MAX_HERE, 2 * most);
}

// Sizes around every step of the layout: group, vector row, warp, tile of 4- and of 8-byte
// elements.
static const size_t sizes[] = {0,    1,    2,    3,    4,    5,    31,   32,    33,    63,
                               127,  128,  129,  255,  511,  512,  513,  1000,  2047,  2048,
                               2049, 4095, 4096, 4097, 8191, 8192, 8193, 16384, 32769, 50001};

// Catches a wrong order of operands in any Combine, a neutral element that is not, a guard off by
// one at the end, a prefix shifted by one lane, warp, vector row or tile, and a look-back that
// stops a window too early.
static void every_size(scan_variant v) {
    buffers b;
    ASSERT_TRUE(setup(&b));
    for (unsigned op = 0; op < MONOID_KINDS; op++) {
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
            for (unsigned how = 0; how < 4; how++) {
                if (how > 1 && i % 4 != 1) {
                    continue;
                }
                const scan_case c = {.job = {.op = (monoid)op,
                                             .variant = v,
                                             .exclusive = how % 2,
                                             .n = sizes[i],
                                             .rows = 1},
                                     .shift = how / 2,
                                     .in_place = how == 3,
                                     .seed = 100 * op + i};
                check(&b, &c);
            }
        }
    }
    buffers_free(&b);
}

TEST(ScanDevice, EverySizeEveryOperator) {
    if (!device_ready()) {
        SKIP("no device");
    }
    for (unsigned v = 0; v < SCAN_VARIANTS; v++) {
        every_size((scan_variant)v);
    }
}

// Catches a row that takes what stands before it, a head missed inside a group of 16 bytes, a phase
// computed from the wrong tile, a prefix published for a tile without a head, and rows of one
// element.
static void every_row_length(scan_variant v) {
    static const size_t lengths[] = {1,    2,    3,    4,     5,     6,    7,    8,    9,
                                     13,   15,   16,   17,    31,    32,   33,   64,   100,
                                     128,  129,  333,  512,   1000,  2048, 2050, 4096, 4100,
                                     8191, 8192, 8193, 12000, 20000, 33000};
    buffers b;
    ASSERT_TRUE(setup(&b));
    for (unsigned op = 0; op < MONOID_KINDS; op++) {
        for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
            for (unsigned exclusive = 0; exclusive < 2; exclusive++) {
                // A fifth of the jobs for the variants beside the default: time is short.
                if (v != SCAN_LOOK_BACK && (op + i + exclusive) % 5 != 0) {
                    continue;
                }
                const size_t rows = 36000 / lengths[i] + 1;
                const scan_case c = {.job = {.op = (monoid)op,
                                             .variant = v,
                                             .exclusive = exclusive,
                                             .n = lengths[i],
                                             .rows = rows},
                                     .shift = i % 3 == 2,
                                     .in_place = i % 4 == 3,
                                     .seed = 1000 + i};
                check(&b, &c);
            }
        }
    }
    buffers_free(&b);
}

TEST(ScanDevice, RowsOfEveryLength) {
    if (!device_ready()) {
        SKIP("no device");
    }
    for (unsigned v = 0; v < SCAN_VARIANTS; v++) {
        every_row_length((scan_variant)v);
    }
}

// Sizes that a device takes in waves, which the sizes above do under emulation: catches a slot of
// shared memory or of words that is written again too early, and a phase that goes wrong from wave
// to wave.
TEST(ScanDevice, ManyWaves) {
    if (!device_ready()) {
        SKIP("no device");
    }
    if (device_emulated()) {
        return;
    }
    static const scan_job shapes[] = {{.n = 4500001, .rows = 1},
                                      {.n = 1000003, .rows = 6},
                                      {.n = 33001, .rows = 190},
                                      {.n = 70000, .rows = 90}};
    const bool few = getenv("LONGMUL_SMALL") != NULL;
    buffers b;
    scan_job largest = {.op = MONOID_SUM_U64, .n = 7000000, .rows = 1};
    ASSERT_TRUE(buffers_new(&b, 8 * 7000000, scan_workspace_bytes(&largest)));
    for (unsigned op = 0; op < (few ? 1u : MONOID_KINDS); op++) {
        for (unsigned i = 0; i < 4; i++) {
            // Sums of floats are exact in short rows only.
            if (op == MONOID_SUM_F32 && shapes[i].n > 100000) {
                continue;
            }
            scan_case c = {
                .job = shapes[i], .shift = i % 2, .in_place = i == 2, .seed = 7 * op + i};
            c.job.op = (monoid)op;
            c.job.exclusive = (i + op) % 2 != 0;
            check(&b, &c);
        }
    }
    buffers_free(&b);
}

// Catches a missing barrier, a tile number taken from the block's index instead of the counter, and
// a predecessor's word read before it was published: all depend on who runs first.
TEST(ScanDevice, EveryOrderOfThreadsAndBlocks) {
    if (!device_ready()) {
        SKIP("no device");
    }
    for (unsigned v = 0; v < SCAN_VARIANTS; v++) {
        buffers b;
        ASSERT_TRUE(setup(&b));
        for (uint64_t seed = 1; seed <= (v == SCAN_LOOK_BACK ? 16 : 8); seed++) {
            device_order(seed);
            // First as many tiles as are more than the emulation's blocks at once.
            const bool many = seed <= 2;
            const bool rows = seed % 4 >= 2;
            const scan_case c = {.job = {.op = many || seed % 2 ? MONOID_AFFINE_U32 : MONOID_MAP3,
                                         .variant = (scan_variant)v,
                                         .n = rows   ? 6001
                                              : many ? 200000
                                                     : 60000,
                                         .rows = rows ? (many ? 33 : 9) : 1},
                                 .seed = seed};
            check(&b, &c);
        }
        device_order(0);
        buffers_free(&b);
    }
}

// Catches words of an earlier scan taken for this one's, and counters that are not reset: the same
// workspace serves different jobs in turn.
TEST(ScanDevice, WorkspaceIsReadyForTheNextJob) {
    if (!device_ready()) {
        SKIP("no device");
    }
    for (unsigned v = 0; v < SCAN_VARIANTS; v++) {
        buffers b;
        ASSERT_TRUE(setup(&b));
        for (uint64_t i = 0; i < 40; i++) {
            const scan_case c = {.job = {.op = (monoid)(i * 5 % MONOID_KINDS),
                                         .variant = (scan_variant)v,
                                         .n = i % 2 ? 50000 : 9000 + i,
                                         .rows = 1},
                                 .seed = i};
            check(&b, &c);
        }
        buffers_free(&b);
    }
}

// Catches words of one schedule taken for another's where both keep the same kind of words: the
// variants without floating-point freedom share a workspace in any order.
TEST(ScanDevice, VariantsThatShareAWorkspace) {
    if (!device_ready()) {
        SKIP("no device");
    }
    static const scan_variant shared[] = {SCAN_LOOK_BACK, SCAN_KOGGE_STONE, SCAN_LADNER_FISCHER,
                                          SCAN_BRENT_KUNG, SCAN_HAN_CARLSON};
    buffers b;
    ASSERT_TRUE(setup(&b));
    for (uint64_t i = 0; i < 24; i++) {
        device_order(i);
        const scan_case c = {.job = {.op = MONOID_AFFINE_U32,
                                     .variant = shared[i * i % 7 % 5],
                                     .n = i % 4 == 3 ? 9000 : 60000,
                                     .rows = 1},
                             .seed = i};
        check(&b, &c);
    }
    device_order(0);
    buffers_free(&b);
}

// Catches a workspace stated too small: what lies behind it must stay as it was.
TEST(ScanDevice, WorkspaceIsEnough) {
    if (!device_ready()) {
        SKIP("no device");
    }
    enum { GUARD = 64 };
    static const uint64_t shapes[][2] = {{1, 1},     {60000, 1}, {8193, 8}, {4097, 16},
                                         {2049, 30}, {513, 130}, {3, 20000}};
    for (unsigned v = 0; v < SCAN_VARIANTS; v++) {
        for (unsigned op = 0; op < MONOID_KINDS; op++) {
            for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
                const scan_job job = {.op = (monoid)op,
                                      .variant = (scan_variant)v,
                                      .n = shapes[i][0],
                                      .rows = shapes[i][1]};
                const size_t bytes = scan_workspace_bytes(&job);
                SCOPED_TRACE("%s %s n = %zu", scan_variant_name(job.variant), monoid_name(job.op),
                             (size_t)job.n);
                buffers b;
                ASSERT_TRUE(buffers_new(&b, 512 + 8 * SIZE_MAX_HERE, bytes + GUARD));
                ASSERT_TRUE(device_fill(b.workspace + bytes, 0x5A, GUARD));
                b.workspace_bytes = bytes;
                const scan_case c = {.job = job, .seed = i};
                check(&b, &c);
                unsigned char guard[GUARD];
                ASSERT_TRUE(device_download(guard, b.workspace + bytes, GUARD));
                for (size_t k = 0; k < GUARD; k++) {
                    EXPECT_EQ(guard[k], 0x5A);
                }
                buffers_free(&b);
            }
        }
    }
}

// Catches a counter that is not set for the next launch, whichever schedule it had: the first word
// of the workspace is epoch * 2^22 + numbers drawn (lookback.cuh).
TEST(ScanDevice, EveryLaunchBeginsANewEpoch) {
    if (!device_ready()) {
        SKIP("no device");
    }
    buffers b;
    ASSERT_TRUE(setup(&b));
    const size_t n[] = {60000, 9000, 90000, 100, 20000, 60000};
    const uint64_t launches[] = {1, 2, 3, 3, 4, 5};  // one tile draws nothing
    for (unsigned i = 0; i < 6; i++) {
        const scan_case c = {.job = {.op = MONOID_SUM_U32, .n = n[i], .rows = 1}, .seed = i};
        check(&b, &c);
        uint64_t counter;
        ASSERT_TRUE(device_download(&counter, b.workspace, sizeof counter));
        EXPECT_EQ(counter, launches[i] << 22);
    }
    buffers_free(&b);
}
