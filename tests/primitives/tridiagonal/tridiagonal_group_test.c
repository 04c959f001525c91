// tridiagonal_group_test.c: tridiagonal systems over a group of members, on one device or several,
// against one thread of the host and by residuals in many digits.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "primitives/cuda/group.h"
#include "primitives/tridiagonal/group.h"
#include "tests/ctest/ctest.h"
#include "tests/primitives/tridiagonal/fixture.h"
#include "tests/support/device.h"
#include "tests/support/gen.h"

enum { MOST = 8, ARRAYS = 5 };

static const tridiagonal_variant partitions[] = {TRIDIAGONAL_PARTITION_PIVOT,
                                                 TRIDIAGONAL_PARTITION_PLAIN};

// A group with the memory of one job on each member, and its systems on the host.
typedef struct {
    cuda_group g;
    tridiagonal_systems job;
    unsigned networks;
    tridiagonal_member member[MOST];
    system_rows *systems;
    double *x;  // n of each system
    uint32_t
        *status;  // of each system on each member that has it; of all members one after another
    double *residual;  // likewise, two each
} fixture;

static size_t width(const fixture *f) { return f->job.type == TRIDIAGONAL_F32 ? 4 : 8; }

static double unit(const fixture *f) { return width(f) == 4 ? 0x1p-24 : 0x1p-53; }

static tridiagonal_share share_of(const fixture *f, unsigned m) {
    return tridiagonal_group_share(&f->job, f->g.members, f->networks, m);
}

static void *allocate(const fixture *f, unsigned m, size_t bytes, int byte) {
    void *p = NULL;
    EXPECT_EQ(cuda_allocate(&p, bytes + 1, f->g.member[m].stream), RESULT_OK);
    EXPECT_EQ(cuda_set(p, byte, bytes + 1, f->g.member[m].stream), RESULT_OK);
    return p;
}

// A member's array on its device: 0 a, 1 b, 2 c, 3 d, 4 x.
static void **array_of(fixture *f, unsigned m, unsigned array) {
    tridiagonal_arrays *const r = &f->member[m].rows;
    void **const arrays[ARRAYS] = {(void **)&r->a, (void **)&r->b, (void **)&r->c, (void **)&r->d,
                                   &r->x};
    return arrays[array];
}

// Members on devices 0 .. devices - 1 in turn; systems of one kind, or of all kinds in turn.
static void setup(fixture *f, const tridiagonal_systems *job, matrix_kind kind, unsigned members,
                  unsigned networks, unsigned devices, uint64_t seed) {
    int places[MOST] = {0};
    for (unsigned m = 0; m < members; m++) {
        places[m] = (int)(m % devices);
    }
    *f = (fixture){.job = *job, .networks = networks};
    ASSERT_EQ(cuda_group_open(&f->g, places, members), RESULT_OK);
    for (unsigned m = 0; m < members; m++) {
        const tridiagonal_share s = share_of(f, m);
        const size_t bytes = tridiagonal_group_workspace_bytes(job, members, networks, m);
        ASSERT_TRUE(bytes > 0);
        ASSERT_EQ(cuda_group_enter(&f->g, m), RESULT_OK);
        for (unsigned k = 0; k < ARRAYS; k++) {
            *array_of(f, m, k) = allocate(f, m, s.n * s.systems * width(f), 0xA5);
        }
        f->member[m].status = allocate(f, m, s.systems * sizeof(uint32_t), 0xA5);
        f->member[m].residual = allocate(f, m, 2 * s.systems * sizeof(double), 0xA5);
        f->member[m].workspace = allocate(f, m, bytes, 0);
        cuda_group_leave(&f->g);
    }
    f->systems = calloc(job->batch + 1, sizeof *f->systems);
    f->x = calloc(job->n * job->batch + 1, sizeof *f->x);
    f->status = calloc(members * job->batch + 1, sizeof *f->status);
    f->residual = calloc(2 * members * job->batch + 1, sizeof *f->residual);
    gen g = gen_seed(seed);
    for (size_t k = 0; k < job->batch && job->n > 0; k++) {
        ASSERT_TRUE(system_alloc(&f->systems[k], job->n));
        system_fill(&f->systems[k], kind, job->type, &g);
    }
}

static void teardown(fixture *f) {
    for (unsigned m = 0; m < f->g.members; m++) {
        EXPECT_EQ(cuda_group_enter(&f->g, m), RESULT_OK);
        for (unsigned k = 0; k < ARRAYS; k++) {
            cuda_release(*array_of(f, m, k), f->g.member[m].stream);
        }
        cuda_release(f->member[m].status, f->g.member[m].stream);
        cuda_release(f->member[m].residual, f->g.member[m].stream);
        cuda_release(f->member[m].workspace, f->g.member[m].stream);
        cuda_group_leave(&f->g);
    }
    for (size_t k = 0; k < f->job.batch && f->job.n > 0; k++) {
        system_free(&f->systems[k]);
    }
    cuda_group_close(&f->g);
    free(f->systems), free(f->x), free(f->status), free(f->residual);
}

static void put(const fixture *f, void *to, size_t at, double v) {
    if (width(f) == 4) {
        ((float *)to)[at] = (float)v;
    } else {
        ((double *)to)[at] = v;
    }
}

static double get(const fixture *f, const void *from, size_t at) {
    return width(f) == 4 ? (double)((const float *)from)[at] : ((const double *)from)[at];
}

// The systems to the members. What must not be read is NaN: a(0) and c(n-1) of whole systems.
static void upload(fixture *f) {
    const uint64_t n = f->job.n;
    for (unsigned m = 0; m < f->g.members; m++) {
        const tridiagonal_share s = share_of(f, m);
        char *const packed = malloc(s.n * s.systems * width(f) + 1);
        EXPECT_EQ(cuda_group_enter(&f->g, m), RESULT_OK);
        for (unsigned k = 0; k < 4; k++) {
            for (uint64_t i = 0; i < s.n * s.systems; i++) {
                const system_rows *const r = &f->systems[s.first_system + i / s.n];
                const uint64_t row = s.first + i % s.n;
                const bool outside = (k == 0 && row == 0) || (k == 2 && row + 1 == n);
                const double *const from[] = {r->a, r->b, r->c, r->d};
                put(f, packed, i, outside ? (double)NAN : from[k][row]);
            }
            EXPECT_EQ(cuda_copy(*array_of(f, m, k), packed, s.n * s.systems * width(f),
                                f->g.member[m].stream),
                      RESULT_OK);
            EXPECT_EQ(cuda_stream_wait(f->g.member[m].stream), RESULT_OK);
        }
        cuda_group_leave(&f->g);
        free(packed);
    }
}

static void download(fixture *f) {
    for (unsigned m = 0; m < f->g.members; m++) {
        const tridiagonal_share s = share_of(f, m);
        const cuda_stream stream = f->g.member[m].stream;
        const uint64_t place = m * f->job.batch;
        char *const packed = malloc(s.n * s.systems * width(f) + 1);
        EXPECT_EQ(cuda_group_enter(&f->g, m), RESULT_OK);
        EXPECT_EQ(cuda_copy(packed, f->member[m].rows.x, s.n * s.systems * width(f), stream),
                  RESULT_OK);
        EXPECT_EQ(cuda_copy(f->status + place, f->member[m].status, 4 * s.systems, stream),
                  RESULT_OK);
        EXPECT_EQ(cuda_copy(f->residual + 2 * place, f->member[m].residual, 16 * s.systems, stream),
                  RESULT_OK);
        EXPECT_EQ(cuda_stream_wait(stream), RESULT_OK);
        cuda_group_leave(&f->g);
        for (uint64_t i = 0; i < s.n * s.systems; i++) {
            f->x[(s.first_system + i / s.n) * f->job.n + s.first + i % s.n] = get(f, packed, i);
        }
        free(packed);
    }
}

static void run(fixture *f) {
    upload(f);
    EXPECT_EQ(tridiagonal_group(&f->job, &f->g, f->networks, f->member), RESULT_OK);
    download(f);
}

// The bound of docs/proofs/tridiagonal.md, section 3, for the rows of a thread and the tree.
static double bound(const fixture *f) {
    const double rows = 32 + 2 * (log2((double)f->job.n + 1) + 4);
    return (f->job.variant == TRIDIAGONAL_PARTITION_PIVOT ? 3.01 : 16 * rows) * unit(f);
}

// What every member tells of its systems: the status, the true residual and the largest unknown.
static void expect_reports(const fixture *f) {
    for (unsigned m = 0; m < f->g.members; m++) {
        const tridiagonal_share s = share_of(f, m);
        for (uint64_t k = 0; k < s.systems; k++) {
            const uint64_t system = s.first_system + k;
            const double *const x = f->x + system * f->job.n;
            const double *const told = f->residual + 2 * m * f->job.batch;
            double most = 0;
            for (uint64_t i = 0; i < f->job.n; i++) {
                most = fmax(most, fabs(x[i]));
            }
            const double true_one = f->job.n == 0 ? 0 : system_residual(&f->systems[system], x);
            EXPECT_EQ(f->status[m * f->job.batch + k], 0);
            EXPECT_TRUE(true_one <= bound(f));
            EXPECT_TRUE(told[s.systems + k] == most);
            EXPECT_TRUE(fabs(told[k] - true_one) <= 1e-3 * unit(f));
        }
    }
}

// By the host's elimination, from the first row to the last: two units, and 2^-20 of one of the
// largest unknown for what both round differently.
static void expect_host(const fixture *f) {
    const tridiagonal_job one = {f->job.type, f->job.n, 1, 1, f->job.n};
    const size_t n = f->job.n;
    const size_t bytes = tridiagonal_host_workspace_bytes(&one, TRIDIAGONAL_PARTITION_PIVOT, 1);
    char *const workspace = malloc(bytes + 8), *const rows = malloc(5 * n * width(f));
    for (size_t k = 0; k < f->job.batch; k++) {
        const system_rows *const s = &f->systems[k];
        const double *const from[] = {s->a, s->b, s->c, s->d};
        void *array[ARRAYS];
        double most = 0, worst = 0;
        for (unsigned i = 0; i < ARRAYS; i++) {
            array[i] = rows + i * n * width(f);
            for (size_t j = 0; j < n && i < 4; j++) {
                put(f, array[i], j, from[i][j]);
            }
        }
        EXPECT_EQ(tridiagonal_host(&one, TRIDIAGONAL_PARTITION_PIVOT, array[0], array[1], array[2],
                                   array[3], array[4], NULL, workspace, bytes, NULL),
                  RESULT_OK);
        for (size_t i = 0; i < n; i++) {
            most = fmax(most, fabs(get(f, array[4], i)));
        }
        for (size_t i = 0; i < n; i++) {
            const double want = get(f, array[4], i);
            const double near = unit(f) * (2 * fabs(want) + 0x1p-20 * most);
            worst = fmax(worst, fabs(f->x[k * n + i] - want) - near);
        }
        EXPECT_TRUE(worst <= 0);
    }
    free(workspace), free(rows);
}

static void check(const tridiagonal_systems *job, matrix_kind kind, unsigned members,
                  unsigned networks, unsigned devices, uint64_t seed) {
    SCOPED_TRACE("%s %s %s n = %zu, batch = %zu, %u members, %u networks, %u devices, seed %zu",
                 tridiagonal_variant_name(job->variant),
                 job->type == TRIDIAGONAL_F32 ? "f32" : "f64", matrix_name(kind), (size_t)job->n,
                 (size_t)job->batch, members, networks, devices, (size_t)seed);
    fixture f;
    setup(&f, job, kind, members, networks, devices, seed);
    run(&f);
    expect_reports(&f);
    if (kind == MATRIX_STRONG && job->variant == TRIDIAGONAL_PARTITION_PIVOT && job->n > 0) {
        expect_host(&f);
    }
    teardown(&f);
}

// Rows that members do not divide, fewer rows or systems than members, no rows, no systems, and
// portions of one tile and of several. Catches a(0) of a portion that is not read, c(n-1) of the
// last one that is, portions that overlap, spans taken in another order or of one member too few, a
// member without rows that is counted, and a status or residual of a member's own rows alone.
TEST(TridiagonalGroup, EveryGroup) {
    static const uint64_t shapes[][2] = {{1, 1},    {2, 3},    {100, 2}, {1023, 1},
                                         {1024, 2}, {1025, 3}, {700, 9}, {4097, 2},
                                         {8192, 1}, {9000, 1}, {0, 3},   {300, 0}};
    if (!device_ready() || !device_several(1)) {
        SKIP("no device");
    }
    unsigned number = 0;
    for (unsigned members = 1; members <= MOST; members++) {
        for (unsigned networks = 1; networks <= members; networks++) {
            for (size_t i = 0; members % networks == 0 && i < sizeof shapes / sizeof *shapes; i++) {
                number++;
                device_order(number % 3 == 0 ? number : 0);
                const tridiagonal_systems job = {(tridiagonal_type)(number % TRIDIAGONAL_TYPES),
                                                 partitions[number / 2 % 2], shapes[i][0],
                                                 shapes[i][1]};
                check(&job, number % 5 == 0 ? MATRIX_UNIFORM : MATRIX_STRONG, members, networks, 1,
                      number);
            }
        }
    }
    device_order(0);
}

// Catches pivots that are sought among a member's own rows alone.
TEST(TridiagonalGroup, EveryMatrix) {
    if (!device_ready() || !device_several(1)) {
        SKIP("no device");
    }
    for (unsigned k = 0; k < MATRIX_KINDS; k++) {
        for (unsigned number = 0; number < 2 * TRIDIAGONAL_TYPES; number++) {
            const tridiagonal_type type = (tridiagonal_type)(number % TRIDIAGONAL_TYPES);
            // Their unknowns leave the range of the type.
            if (k == MATRIX_CLEMENT ||
                (type == TRIDIAGONAL_F32 && (k == MATRIX_DIAGONAL_ZERO || k == MATRIX_UPPER))) {
                continue;
            }
            const tridiagonal_systems job = {type, partitions[number / 2], 2500, 1};
            check(&job, (matrix_kind)k, 3, 1, 1, 19 * k + number);
        }
    }
}

// Rows that exchange pairs of unknowns across the members' borders: a portion has rows that know
// unknowns of its neighbour alone, and is singular by itself. Catches members that solve for the
// inside of their portions first, and spans whose end rows take no part in pivoting.
TEST(TridiagonalGroup, PortionsSingularByThemselves) {
    if (!device_ready() || !device_several(1)) {
        SKIP("no device");
    }
    for (unsigned number = 0; number < 2 * TRIDIAGONAL_TYPES; number++) {
        const tridiagonal_systems job = {(tridiagonal_type)(number % TRIDIAGONAL_TYPES),
                                         partitions[number / 2], 4096, 1};
        fixture f;
        setup(&f, &job, MATRIX_UNIFORM, 4, 1, 1, number);
        system_rows *const s = &f.systems[0];
        for (size_t i = 0; i < job.n; i++) {  // 1 | 0 1 / 1 0 | 0 1 / 1 0 | .. | 1
            const bool alone = i == 0 || i + 1 == job.n;
            s->a[i] = !alone && i % 2 == 0;
            s->b[i] = alone;
            s->c[i] = !alone && i % 2 == 1;
        }
        run(&f);
        expect_reports(&f);
        EXPECT_TRUE(f.x[1024] == s->d[1023] && f.x[1023] == s->d[1024]);
        teardown(&f);
    }
}

// Catches a span of a portion whose tiles are of several groups, which are joined in memory.
TEST(TridiagonalGroup, LongPortions) {
    if (!device_ready() || !device_several(1) || getenv("LONGMUL_SMALL") != NULL) {
        SKIP("no device, or a sanitizer that asks for small sizes");
    }
    const tridiagonal_systems job = {TRIDIAGONAL_F64, TRIDIAGONAL_PARTITION_PIVOT, 2 * 512 * 257,
                                     1};
    check(&job, MATRIX_STRONG, 2, 1, 1, 5);
}

// Members on devices of their own, or several on each. Catches memory of another device that a
// kernel touches, and copies that name the wrong device.
TEST(TridiagonalGroup, SeveralDevices) {
    if (!device_ready() || !device_several(2)) {
        SKIP("no second device");
    }
    for (unsigned devices = 2; devices <= MOST && device_several((int)devices); devices *= 2) {
        for (unsigned members = devices; members <= MOST; members *= 2) {
            for (unsigned networks = 1; networks <= members; networks *= 2) {
                const tridiagonal_systems one = {TRIDIAGONAL_F32, TRIDIAGONAL_PARTITION_PIVOT, 5000,
                                                 1};
                const tridiagonal_systems many = {TRIDIAGONAL_F64, TRIDIAGONAL_PARTITION_PLAIN,
                                                  1500, 3};
                device_order(devices + members + networks);
                check(&one, MATRIX_STRONG, members, networks, devices, members);
                check(&many, MATRIX_STRONG, members, networks, devices, networks);
            }
        }
    }
    device_order(0);
    EXPECT_TRUE(device_several(1));
}

// Catches members that do not find the same unknowns at a border, or an order of the members'
// launches that changes bits.
TEST(TridiagonalGroup, TheSameBits) {
    if (!device_ready() || !device_several(1)) {
        SKIP("no device");
    }
    const tridiagonal_systems job = {TRIDIAGONAL_F64, TRIDIAGONAL_PARTITION_PLAIN, 5000, 2};
    fixture f;
    setup(&f, &job, MATRIX_LAPLACE, 5, 1, 1, 3);
    run(&f);
    double *const first = malloc(job.n * job.batch * sizeof *first);
    memcpy(first, f.x, job.n * job.batch * sizeof *first);
    for (uint64_t order = 1; order < 8; order++) {
        device_order(order);
        run(&f);
        EXPECT_EQ(memcmp(first, f.x, job.n * job.batch * sizeof *first), 0);
    }
    device_order(0);
    free(first);
    teardown(&f);
}

// Two calls one right after the other, the second in d's place and for the solution of the first,
// without statuses, whose exchange would keep spans in order. Catches spans that are written again
// before all members have fetched them.
TEST(TridiagonalGroup, CallsFollowOneAnother) {
    enum { MEMBERS = 4 };
    if (!device_ready() || !device_several(1)) {
        SKIP("no device");
    }
    const tridiagonal_systems job = {TRIDIAGONAL_F64, TRIDIAGONAL_PARTITION_PIVOT, 512 * MEMBERS,
                                     1};
    for (uint64_t seed = 0; seed < 16; seed++) {
        device_order(seed);
        fixture f;
        setup(&f, &job, MATRIX_STRONG, MEMBERS, 1, 1, seed);
        upload(&f);
        tridiagonal_member calls[2][MEMBERS];
        for (unsigned m = 0; m < MEMBERS; m++) {
            calls[0][m] = f.member[m];
            calls[0][m].status = NULL;
            calls[0][m].residual = NULL;
            calls[1][m] = calls[0][m];
            calls[1][m].rows.d = calls[1][m].rows.x;
        }
        EXPECT_EQ(tridiagonal_group(&job, &f.g, 1, calls[0]), RESULT_OK);
        EXPECT_EQ(tridiagonal_group(&job, &f.g, 1, calls[1]), RESULT_OK);
        download(&f);
        system_rows *const s = &f.systems[0];
        double *const again = malloc(job.n * sizeof *again);
        memcpy(again, f.x, job.n * sizeof *again);
        run(&f);
        memcpy(s->d, f.x, job.n * sizeof *s->d);
        EXPECT_TRUE(system_residual(s, again) <= bound(&f));
        teardown(&f);
        free(again);
    }
    device_order(0);
}

// A column of zeros, and an unknown beyond the range, in one member's rows of system 1. Catches a
// status that only that member tells, or tells of all systems.
TEST(TridiagonalGroup, StatusOfWholeSystems) {
    enum { MEMBERS = 3, BATCH = 3, ROW = 1500 };
    if (!device_ready() || !device_several(1)) {
        SKIP("no device");
    }
    for (unsigned zeros = 0; zeros < 2; zeros++) {
        const tridiagonal_systems job = {TRIDIAGONAL_F32, TRIDIAGONAL_PARTITION_PIVOT, 3000, BATCH};
        fixture f;
        setup(&f, &job, MATRIX_STRONG, MEMBERS, 1, 1, zeros);
        system_rows *const s = &f.systems[1];
        s->c[ROW - 1] = s->a[ROW + 1] = 0;
        s->b[ROW] = 0;
        if (!zeros) {
            s->a[ROW] = s->c[ROW] = 0;
            s->b[ROW] = 0x1p-100;
            s->d[ROW] = 0x1p100;
        }
        run(&f);
        for (unsigned m = 0; m < MEMBERS; m++) {
            for (unsigned k = 0; k < BATCH; k++) {
                EXPECT_EQ(f.status[m * BATCH + k], k == 1);
                EXPECT_EQ(isinf(f.residual[2 * m * BATCH + k]) != 0, k == 1);
            }
        }
        EXPECT_TRUE(zeros || isfinite(f.x[job.n]));  // of member 0's rows
        teardown(&f);
    }
}

// Catches networks that do not divide the members, variants without pivots of systems that are
// split, members that ask for different things, and residuals where d is overwritten.
TEST(TridiagonalGroup, RefusesWhatItCannotDo) {
    if (!device_ready() || !device_several(1)) {
        SKIP("no device");
    }
    tridiagonal_systems job = {TRIDIAGONAL_F32, TRIDIAGONAL_PARTITION_PIVOT, 3000, 4};
    EXPECT_EQ(tridiagonal_group_workspace_bytes(&job, 4, 3, 0), 0);
    EXPECT_EQ(tridiagonal_group_workspace_bytes(&job, 4, 0, 0), 0);
    EXPECT_TRUE(tridiagonal_group_workspace_bytes(&job, 4, 2, 0) > 0);
    job.variant = TRIDIAGONAL_THOMAS;
    EXPECT_EQ(tridiagonal_group_workspace_bytes(&job, 4, 2, 0), 0);
    EXPECT_TRUE(tridiagonal_group_workspace_bytes(&job, 4, 4, 0) > 0);
    job.n = (UINT64_C(1) << 40) + 1;
    EXPECT_EQ(tridiagonal_group_workspace_bytes(&job, 4, 4, 0), 0);
    job = (tridiagonal_systems){TRIDIAGONAL_TYPES, TRIDIAGONAL_PARTITION_PIVOT, 3000, 4};
    EXPECT_EQ(tridiagonal_group_workspace_bytes(&job, 4, 2, 0), 0);
    job.type = TRIDIAGONAL_F32;
    fixture f;
    setup(&f, &job, MATRIX_STRONG, 2, 1, 1, 1);
    tridiagonal_member wrong[2] = {f.member[0], f.member[1]};
    wrong[1].status = NULL;
    EXPECT_EQ(tridiagonal_group(&job, &f.g, 1, wrong), RESULT_REFUSED);
    wrong[1] = f.member[1];
    wrong[1].rows.x = (void *)(uintptr_t)wrong[1].rows.d;
    EXPECT_EQ(tridiagonal_group(&job, &f.g, 1, wrong), RESULT_REFUSED);
    EXPECT_EQ(tridiagonal_group(&job, &f.g, 3, f.member), RESULT_REFUSED);
    teardown(&f);
}

// Any variant on whole systems, 10 numbers for each other member's portions. Catches a variant
// that is replaced, and bytes that count the member's own span.
TEST(TridiagonalGroup, CountsWhatIsSent) {
    if (!device_ready() || !device_several(1)) {
        SKIP("no device");
    }
    const tridiagonal_systems dealt = {TRIDIAGONAL_F64, TRIDIAGONAL_THOMAS, 77, 10};
    check(&dealt, MATRIX_STRONG, 4, 4, 1, 1);
    EXPECT_EQ(tridiagonal_group_sent_bytes(&dealt, 4, 4, 0), 0);
    const tridiagonal_systems split = {TRIDIAGONAL_F64, TRIDIAGONAL_PARTITION_PIVOT, 8 * 512, 10};
    EXPECT_EQ(tridiagonal_group_sent_bytes(&split, 8, 1, 3), 7 * 10 * 160);
    EXPECT_EQ(tridiagonal_group_sent_bytes(&split, 8, 2, 3), 3 * 5 * 160);
    const tridiagonal_systems small = {TRIDIAGONAL_F32, TRIDIAGONAL_PARTITION_PLAIN, 1500, 1};
    EXPECT_EQ(tridiagonal_group_sent_bytes(&small, 8, 1, 1), 40);
    EXPECT_EQ(tridiagonal_group_sent_bytes(&small, 8, 1, 2), 0);
}
