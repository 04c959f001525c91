// scan_group_test.c: scans over a group of members, on one device or several, against a serial
// loop.
#include <stdlib.h>
#include <string.h>

#include "primitives/cuda/group.h"
#include "primitives/scan/group.h"
#include "tests/ctest/ctest.h"
#include "tests/primitives/scan/monoid_fixture.h"
#include "tests/support/device.h"
#include "tests/support/gen.h"

enum { MOST = 8 };

// A group with the memory of one job on each member.
typedef struct {
    cuda_group g;
    const scan_job *job;
    unsigned networks;
    void *in[MOST], *out[MOST], *workspace[MOST];
} fixture;

static scan_share share_of(const fixture *f, unsigned m) {
    return scan_group_share(f->job, f->g.members, f->networks, m);
}

static size_t bytes_of(const fixture *f, unsigned m) {
    const scan_share s = share_of(f, m);
    return (size_t)(s.n * s.rows) * monoid_bytes(f->job->op);
}

// Members on devices 0 .. devices - 1 in turn.
static void setup(fixture *f, const scan_job *job, unsigned members, unsigned networks,
                  unsigned devices) {
    int places[MOST] = {0};
    for (unsigned m = 0; m < members; m++) {
        places[m] = (int)(m % devices);
    }
    *f = (fixture){.job = job, .networks = networks};
    ASSERT_EQ(cuda_group_open(&f->g, places, members), RESULT_OK);
    for (unsigned m = 0; m < members; m++) {
        const size_t bytes = bytes_of(f, m) + 1;
        const size_t workspace = scan_group_workspace_bytes(job, members, networks, m);
        const cuda_stream stream = f->g.member[m].stream;
        ASSERT_TRUE(workspace > 0);
        ASSERT_EQ(cuda_group_enter(&f->g, m), RESULT_OK);
        EXPECT_EQ(cuda_allocate(&f->in[m], bytes, stream), RESULT_OK);
        EXPECT_EQ(cuda_allocate(&f->out[m], bytes, stream), RESULT_OK);
        EXPECT_EQ(cuda_allocate(&f->workspace[m], workspace, stream), RESULT_OK);
        EXPECT_EQ(cuda_set(f->workspace[m], 0, workspace, stream), RESULT_OK);
        cuda_group_leave(&f->g);
    }
}

static void teardown(fixture *f) {
    for (unsigned m = 0; m < f->g.members; m++) {
        EXPECT_EQ(cuda_group_enter(&f->g, m), RESULT_OK);
        cuda_release(f->in[m], f->g.member[m].stream);
        cuda_release(f->out[m], f->g.member[m].stream);
        cuda_release(f->workspace[m], f->g.member[m].stream);
        cuda_group_leave(&f->g);
    }
    cuda_group_close(&f->g);
}

// The members' shares to or from the whole on the host; packed: room for the share.
static void move(fixture *f, bool from_member, char *whole, char *packed) {
    const size_t size = monoid_bytes(f->job->op);
    for (unsigned m = 0; m < f->g.members; m++) {
        const scan_share s = share_of(f, m);
        const size_t row = (size_t)s.n * size, bytes = bytes_of(f, m);
        const cuda_stream stream = f->g.member[m].stream;
        EXPECT_EQ(cuda_group_enter(&f->g, m), RESULT_OK);
        if (from_member) {
            EXPECT_EQ(cuda_copy(packed, f->out[m], bytes, stream), RESULT_OK);
            EXPECT_EQ(cuda_stream_wait(stream), RESULT_OK);
        }
        for (uint64_t r = 0; r < s.rows; r++) {
            char *const at = whole + (size_t)((s.first_row + r) * f->job->n + s.first) * size;
            memcpy(from_member ? at : packed + r * row, from_member ? packed + r * row : at, row);
        }
        if (!from_member) {
            EXPECT_EQ(cuda_copy(f->in[m], packed, bytes, stream), RESULT_OK);
            EXPECT_EQ(cuda_stream_wait(stream), RESULT_OK);
        }
        cuda_group_leave(&f->g);
    }
}

// One job, `times` calls on different operands without a wait between scan and next upload.
static void check(const scan_job *job, unsigned members, unsigned networks, unsigned devices,
                  uint64_t seed) {
    SCOPED_TRACE("%s %s n = %zu, rows = %zu, %u members, %u networks, %u devices, seed %zu",
                 monoid_name(job->op), job->exclusive ? "exclusive" : "inclusive", (size_t)job->n,
                 (size_t)job->rows, members, networks, devices, (size_t)seed);
    const size_t size = (size_t)(job->n * job->rows), bytes = size * monoid_bytes(job->op) + 8;
    char *x = malloc(bytes), *want = malloc(bytes), *got = malloc(bytes), *packed = malloc(bytes);
    gen g = gen_seed(seed);
    fixture f;
    setup(&f, job, members, networks, devices);
    monoid_random(&g, job->op, x, size);
    monoid_scan_serial(job->op, job->exclusive, want, x, (size_t)job->n, (size_t)job->rows);
    move(&f, false, x, packed);
    EXPECT_EQ(scan_group(job, &f.g, networks, f.out, (const void *const *)f.in, f.workspace),
              RESULT_OK);
    move(&f, true, got, packed);
    EXPECT_EQ(monoid_first_difference(job->op, got, want, size), size);
    teardown(&f);
    free(x);
    free(want);
    free(got);
    free(packed);
}

// Lengths that members do not divide, fewer elements or rows than members, portions of several
// chunks. Catches totals of members taken in another order or one too few, an identity that a
// member without elements does not send, portions that overlap, a row that takes what stands before
// another's, and a copy that does not follow the totals.
TEST(ScanGroup, EveryGroupEveryOperator) {
    static const uint64_t shapes[][2] = {{1, 1},  {3, 2},    {5, 9},     {100, 1},   {777, 5},
                                         {16, 8}, {4099, 3}, {60001, 1}, {33000, 2}, {9000, 7}};
    if (!device_ready() || !device_several(1)) {
        SKIP("no device");
    }
    unsigned number = 0;
    for (unsigned members = 1; members <= MOST; members++) {
        for (unsigned networks = 1; networks <= members; networks++) {
            for (size_t i = 0; members % networks == 0 && i < sizeof shapes / sizeof *shapes; i++) {
                number++;
                device_order(number % 3 == 0 ? number : 0);
                const scan_job job = {.op = (monoid)(number % MONOID_KINDS),
                                      .exclusive = number / MONOID_KINDS % 2 != 0,
                                      .n = shapes[i][0],
                                      .rows = shapes[i][1]};
                check(&job, members, networks, 1, number);
            }
        }
    }
    device_order(0);
}

// Members on devices of their own, or several on each. Catches memory of another device that a
// kernel touches, and copies that name the wrong device.
TEST(ScanGroup, SeveralDevices) {
    if (!device_ready() || !device_several(2)) {
        SKIP("no second device");
    }
    for (unsigned devices = 2; devices <= MOST && device_several((int)devices); devices *= 2) {
        for (unsigned members = devices; members <= MOST; members *= 2) {
            for (unsigned networks = 1; networks <= members; networks *= 2) {
                const scan_job one = {.op = MONOID_AFFINE_U32, .n = 40007, .rows = 1};
                const scan_job many = {.op = MONOID_MAP3, .exclusive = true, .n = 1003, .rows = 13};
                device_order(devices + members + networks);
                check(&one, members, networks, devices, members);
                check(&many, members, networks, devices, networks);
            }
        }
    }
    device_order(0);
    EXPECT_TRUE(device_several(1));
}

// Rows of more chunks than the threads of a block, which need a device's many multiprocessors.
TEST(ScanGroup, LongRows) {
    if (!device_ready() || device_emulated()) {
        SKIP("no device");
    }
    for (unsigned members = 1; members <= 4; members++) {
        const scan_job job = {.op = MONOID_AFFINE_U32, .n = 9000001, .rows = 1};
        check(&job, members, 1, 1, members);
    }
}

// Two scans of the same memory, one right after the other, of operands that differ from member to
// member. Catches totals that are written again before all have fetched them.
TEST(ScanGroup, CallsFollowOneAnother) {
    enum { MEMBERS = 4 };
    if (!device_ready() || !device_several(1)) {
        SKIP("no device");
    }
    const scan_job job = {.op = MONOID_SUM_U32, .n = 4000 * MEMBERS, .rows = 1};
    for (uint64_t seed = 0; seed < 32; seed++) {
        device_order(seed);
        fixture f;
        setup(&f, &job, MEMBERS, 1, 1);
        uint32_t last[2] = {0};
        for (unsigned call = 0; call < 2; call++) {  // words of call + 1
            for (unsigned m = 0; m < MEMBERS; m++) {
                EXPECT_EQ(cuda_set(f.in[m], (int)call + 1, bytes_of(&f, m), f.g.member[m].stream),
                          RESULT_OK);
            }
            EXPECT_EQ(scan_group(&job, &f.g, 1, f.out, (const void *const *)f.in, f.workspace),
                      RESULT_OK);
            EXPECT_EQ(cuda_copy(&last[call], (uint32_t *)f.out[MEMBERS - 1] + 3999, 4,
                                f.g.member[MEMBERS - 1].stream),
                      RESULT_OK);
        }
        EXPECT_EQ(cuda_group_wait(&f.g), RESULT_OK);
        EXPECT_EQ(last[0], (uint32_t)(job.n * 0x01010101));
        EXPECT_EQ(last[1], (uint32_t)(job.n * 0x02020202));
        teardown(&f);
    }
    device_order(0);
}

// Catches networks that do not divide the members, and jobs that no device takes.
TEST(ScanGroup, RefusesWhatItCannotDo) {
    if (!device_ready()) {
        SKIP("no device");
    }
    scan_job job = {.op = MONOID_SUM_U32, .n = 100, .rows = 1};
    EXPECT_EQ(scan_group_workspace_bytes(&job, 4, 3, 0), 0);
    EXPECT_EQ(scan_group_workspace_bytes(&job, 4, 0, 0), 0);
    EXPECT_TRUE(scan_group_workspace_bytes(&job, 4, 2, 0) > 0);
    job.op = MONOID_KINDS;
    EXPECT_EQ(scan_group_workspace_bytes(&job, 4, 2, 0), 0);
    cuda_group g;
    const int place = 0;
    EXPECT_EQ(cuda_group_open(&g, &place, 0), RESULT_REFUSED);
    cuda_group_close(&g);
    EXPECT_EQ(cuda_group_open(&g, &place, CUDA_GROUP_MOST + 1), RESULT_REFUSED);
    cuda_group_close(&g);
    EXPECT_EQ(cuda_group_open(&g, &place, 1), RESULT_OK);
    EXPECT_EQ(scan_group(&job, &g, 1, NULL, NULL, NULL), RESULT_REFUSED);
    cuda_group_close(&g);
}
