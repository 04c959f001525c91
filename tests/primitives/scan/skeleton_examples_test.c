// skeleton_examples_test.c: the skeletons with a user's operators against one loop each.
#include <stdlib.h>
#include <string.h>

#include "tests/ctest/ctest.h"
#include "tests/primitives/scan/skeleton_examples.h"
#include "tests/support/device.h"
#include "tests/support/gen.h"

// The operators once more, in C. to may be first or then.
typedef void combine(void *to, const void *first, const void *then);

static void argmax(void *to, const void *first, const void *then) {
    const skeleton_place a = *(const skeleton_place *)first, b = *(const skeleton_place *)then;
    *(skeleton_place *)to = b.value > a.value || (b.value == a.value && b.index < a.index) ? b : a;
}

static void affine(void *to, const void *first, const void *then) {
    const skeleton_map a = *(const skeleton_map *)first, b = *(const skeleton_map *)then;
    *(skeleton_map *)to = (skeleton_map){b.slope * a.slope, b.slope * a.offset + b.offset};
}

static void carry(void *to, const void *first, const void *then) {
    const uint8_t a = *(const uint8_t *)first, b = *(const uint8_t *)then;
    *(uint8_t *)to = b == SKELETON_PROPAGATE ? a : b;
}

static void matrix(void *to, const void *first, const void *then) {
    const skeleton_matrix a = *(const skeleton_matrix *)first, b = *(const skeleton_matrix *)then;
    skeleton_matrix *r = to;
    for (unsigned i = 0; i < 4; i++) {
        r->x[i] = a.x[i / 2 * 2] * b.x[i % 2] + a.x[i / 2 * 2 + 1] * b.x[2 + i % 2];
    }
}

static const struct {
    combine *op;
    size_t bytes;
    unsigned char identity[16];
} operators[] = {
    [SKELETON_ARGMAX] = {argmax, 8, {0, 0, 0, 0x80, 0xFF, 0xFF, 0xFF, 0xFF}},
    [SKELETON_AFFINE] = {affine, 8, {1}},
    [SKELETON_CARRY] = {carry, 1, {SKELETON_PROPAGATE}},
    [SKELETON_MATRIX] = {matrix, 16, {[0] = 1, [12] = 1}},
};

static void random_values(gen *g, skeleton_operator op, char *x, size_t n) {
    for (size_t i = 0; i < n * operators[op].bytes; i++) {
        x[i] = (char)gen_u64(g);
    }
    for (size_t i = 0; i < n; i++) {
        if (op == SKELETON_CARRY) {
            x[i] = (char)(gen_below(g, 8) == 0 ? gen_below(g, 3) : SKELETON_PROPAGATE);
        } else if (op == SKELETON_ARGMAX) {
            ((skeleton_place *)x)[i] =
                (skeleton_place){(int32_t)gen_below(g, 1000) - 500, (uint32_t)i};
        } else if (op == SKELETON_AFFINE) {
            ((skeleton_map *)x)[i].slope |= 1;  // a map that forgets nothing
        }
    }
}

// y = the scan of x, a new segment where i is a multiple of n, or where heads says so.
static void scan_serial(skeleton_operator op, bool exclusive, char *y, const char *x,
                        const uint8_t *heads, size_t n, size_t size) {
    const size_t bytes = operators[op].bytes;
    char so_far[16];
    for (size_t i = 0; i < size; i++) {
        if (i % n == 0 || (heads != NULL && heads[i] != 0)) {
            memcpy(so_far, operators[op].identity, bytes);
        }
        if (exclusive) {
            memcpy(y + i * bytes, so_far, bytes);
        }
        operators[op].op(so_far, so_far, x + i * bytes);
        if (!exclusive) {
            memcpy(y + i * bytes, so_far, bytes);
        }
    }
}

enum { LONGEST = 40000 };

typedef struct {
    char *in, *out, *heads, *workspace, *host, *want, *got;
    size_t room;  // of the workspace
} buffers;

static bool setup(buffers *b) {
    const size_t bytes = 16 * (LONGEST + 1);
    *b = (buffers){
        device_alloc(bytes), device_alloc(bytes), device_alloc(LONGEST), device_alloc(1 << 20),
        malloc(bytes),       malloc(bytes),       malloc(bytes),         1 << 20};
    return b->in != NULL && b->out != NULL && b->heads != NULL && b->workspace != NULL &&
           device_fill(b->workspace, 0, b->room);
}

static void teardown(buffers *b) {
    device_free(b->in);
    device_free(b->out);
    device_free(b->heads);
    device_free(b->workspace);
    free(b->host);
    free(b->want);
    free(b->got);
}

// Uploads size values, `shift` values after an aligned address; returns where they are.
static char *upload(buffers *b, skeleton_operator op, uint64_t seed, size_t size, size_t shift) {
    gen g = gen_seed(seed);
    char *in = b->in + shift * operators[op].bytes;
    random_values(&g, op, b->host, size);
    EXPECT_TRUE(device_upload(in, b->host, size * operators[op].bytes));
    return in;
}

static void expect_values(buffers *b, skeleton_operator op, const char *out, size_t size) {
    EXPECT_TRUE(device_download(b->got, out, size * operators[op].bytes));
    EXPECT_EQ(memcmp(b->got, b->want, size * operators[op].bytes), 0);
}

static const size_t lengths[][2] = {{1, 1},    {2, 1},     {33, 1},   {1000, 1}, {4097, 1},
                                    {8193, 1}, {40000, 1}, {1, 77},   {3, 100},  {64, 33},
                                    {129, 50}, {2049, 7},  {8192, 3}, {5000, 8}};
enum { LENGTHS = sizeof lengths / sizeof lengths[0] };

// Catches an operator whose order is turned, values of 16 or of 1 bytes that are mixed up in a
// shuffle, an identity that is not the user's, and an operator taken for one that commutes because
// it does not say.
TEST(Skeletons, Scans) {
    if (!device_ready()) {
        SKIP("no device");
    }
    buffers b;
    ASSERT_TRUE(setup(&b));
    for (unsigned k = 0; k < 4 * LENGTHS * 2; k++) {
        const skeleton_operator op = (skeleton_operator)(k % 4);
        const size_t n = lengths[k / 8][0], rows = lengths[k / 8][1];
        const bool exclusive = k / 4 % 2 != 0;
        SCOPED_TRACE("operator %d, %s, n = %zu, rows = %zu", (int)op,
                     exclusive ? "exclusive" : "inclusive", n, rows);
        const char *in = upload(&b, op, k, n * rows, k / 8 % 3 == 2);
        scan_serial(op, exclusive, b.want, b.host, NULL, n, n * rows);
        const size_t bytes = skeleton_scan_bytes(op, n, rows);
        ASSERT_TRUE(bytes <= b.room);
        // A schedule for 16 bytes leaves what it likes behind.
        EXPECT_TRUE(device_fill(b.workspace, 0, b.room));
        EXPECT_EQ(skeleton_scan(op, exclusive, b.out, in, n, rows, b.workspace, bytes, NULL),
                  RESULT_OK);
        expect_values(&b, op, b.out, n * rows);
        EXPECT_EQ(skeleton_scan(op, exclusive, b.out, in, n, rows, b.workspace, bytes - 1, NULL),
                  RESULT_REFUSED);
    }
    teardown(&b);
}

// Catches a head that is missed or taken for a neighbour's, what stands before a tile taken beyond
// a head, flags that are not aligned read as if they were, and an exclusive value of a head.
TEST(Skeletons, SegmentedScans) {
    if (!device_ready()) {
        SKIP("no device");
    }
    buffers b;
    ASSERT_TRUE(setup(&b));
    uint8_t *heads = malloc(LONGEST);
    for (unsigned k = 0; k < 3 * LENGTHS * 4; k++) {
        const skeleton_operator op = (skeleton_operator)(k % 3);
        const size_t n = lengths[k / 12][0] * lengths[k / 12][1], shift = k / 12 % 3 == 2;
        const bool exclusive = k / 3 % 2 != 0;
        const unsigned rare = k / 6 % 2 != 0 ? 3 : 3000;
        SCOPED_TRACE("operator %d, %s, n = %zu, a head in %u", (int)op,
                     exclusive ? "exclusive" : "inclusive", n, rare);
        gen g = gen_seed(k + 1000);
        for (size_t i = 0; i < n; i++) {
            heads[i] = gen_below(&g, rare) == 0 ? (uint8_t)(1 + gen_below(&g, 255)) : 0;
        }
        uint8_t *flags = (uint8_t *)b.heads + (shift > 0 && n < LONGEST ? 1 : 0);
        EXPECT_TRUE(device_upload(flags, heads, n));
        const char *in = upload(&b, op, k, n, shift);
        scan_serial(op, exclusive, b.want, b.host, heads, n, n);
        device_order(k % 5);
        const size_t bytes = skeleton_segmented_bytes(op, n);
        // In place every other time.
        char *out = k % 2 ? (char *)in : b.out;
        EXPECT_EQ(skeleton_segmented(op, exclusive, out, in, flags, n, b.workspace, bytes, NULL),
                  RESULT_OK);
        expect_values(&b, op, out, n);
        EXPECT_EQ(
            skeleton_segmented(op, exclusive, out, in, flags, n, b.workspace, bytes - 1, NULL),
            RESULT_REFUSED);
    }
    device_order(0);
    free(heads);
    teardown(&b);
}

// Catches partial products of 16 bytes where there is room for 8, and elements that are combined as
// if they were values.
TEST(Skeletons, Reductions) {
    if (!device_ready()) {
        SKIP("no device");
    }
    buffers b;
    ASSERT_TRUE(setup(&b));
    for (unsigned k = 0; k < 4 * LENGTHS; k++) {
        const skeleton_operator op = (skeleton_operator)(k % 4);
        const size_t n = lengths[k / 4][0], rows = lengths[k / 4][1], of = operators[op].bytes;
        SCOPED_TRACE("operator %d, n = %zu, rows = %zu", (int)op, n, rows);
        const char *in = upload(&b, op, k, n * rows, k / 4 % 3 == 2);
        scan_serial(op, false, b.want, b.host, NULL, n, n * rows);
        for (size_t r = 0; r < rows; r++) {
            memmove(b.want + r * of, b.want + ((r + 1) * n - 1) * of, of);
        }
        const size_t bytes = skeleton_reduce_bytes(op);
        EXPECT_EQ(skeleton_reduce(op, b.out, in, n, rows, b.workspace, bytes, NULL), RESULT_OK);
        expect_values(&b, op, b.out, rows);
        EXPECT_EQ(skeleton_reduce(op, b.out, in, n, rows, b.workspace, bytes - 1, NULL),
                  RESULT_REFUSED);
    }
    teardown(&b);
}

static int32_t larger(int32_t a, int32_t b) { return a > b ? a : b; }

// Catches Of left out beyond the groups of 16 bytes, and identities taken for elements.
TEST(Skeletons, MaximumSegmentSum) {
    if (!device_ready()) {
        SKIP("no device");
    }
    buffers b;
    ASSERT_TRUE(setup(&b));
    gen g = gen_seed(9);
    for (size_t k = 0; k < LENGTHS; k++) {
        const size_t n = lengths[k][0], rows = lengths[k][1];
        SCOPED_TRACE("n = %zu, rows = %zu", n, rows);
        int32_t *x = (int32_t *)b.host;
        for (size_t i = 0; i < n * rows; i++) {
            x[i] = (int32_t)gen_below(&g, 2001) - 1005;
        }
        int32_t *in = (int32_t *)b.in + k % 2;
        EXPECT_TRUE(device_upload(in, x, 4 * n * rows));
        EXPECT_EQ(skeleton_reduce(SKELETON_SEGMENT, b.out, in, n, rows, b.workspace,
                                  skeleton_reduce_bytes(SKELETON_SEGMENT), NULL),
                  RESULT_OK);
        EXPECT_TRUE(device_download(b.got, b.out, sizeof(example_segment) * rows));
        for (size_t r = 0; r < rows; r++) {
            int32_t best = 0, here = 0, total = 0, prefix = 0;
            for (size_t i = r * n; i < (r + 1) * n; i++) {
                here = larger(here + x[i], 0);
                best = larger(best, here);
                total += x[i];
                prefix = larger(prefix, total);
            }
            const example_segment want = {best, total, here, prefix};
            EXPECT_EQ(memcmp((example_segment *)b.got + r, &want, sizeof want), 0);
        }
    }
    teardown(&b);
}

// Catches a rank within a warp or a block that is off by one, a tile that writes over elements that
// another has not read yet, and a count without the last tile.
TEST(Skeletons, Compactions) {
    if (!device_ready()) {
        SKIP("no device");
    }
    buffers b;
    ASSERT_TRUE(setup(&b));
    for (unsigned k = 0; k < 8 * (LENGTHS + 1); k++) {
        const size_t n = k < 8 ? 0 : lengths[k / 8 - 1][0] * lengths[k / 8 - 1][1];
        const bool parcels = k % 2 != 0, in_place = k % 4 >= 2;
        const size_t words = parcels ? 3 : 1;
        SCOPED_TRACE("n = %zu%s%s", n, parcels ? ", parcels" : "", in_place ? ", in place" : "");
        gen g = gen_seed(k);
        uint32_t *x = (uint32_t *)b.host, *want = (uint32_t *)b.want;
        uint64_t kept = 0, count = 77;
        for (size_t i = 0; i < n; i++) {
            for (size_t w = 0; w < words; w++) {
                x[i * words + w] = (uint32_t)gen_u64(&g);
            }
            x[i * words] |= k % 8 >= 4 && gen_below(&g, 50) != 0;
            if (x[i * words] % 2 != 0) {
                memcpy(want + kept++ * words, x + i * words, 4 * words);
            }
        }
        EXPECT_TRUE(device_upload(b.in, x, 4 * words * n));
        device_order(k % 7);
        uint64_t *counter = (uint64_t *)b.heads;
        char *out = in_place ? b.in : b.out;
        const size_t bytes = skeleton_compact_bytes(parcels, n);
        EXPECT_EQ(skeleton_compact(parcels, out, counter, b.in, n, b.workspace, bytes, NULL),
                  RESULT_OK);
        EXPECT_TRUE(device_download(&count, counter, 8));
        EXPECT_EQ(count, kept);
        EXPECT_TRUE(kept == 0 || device_download(b.got, out, 4 * words * kept));
        EXPECT_EQ(memcmp(b.got, want, 4 * words * kept), 0);
        EXPECT_EQ(skeleton_compact(parcels, out, counter, b.in, n, b.workspace, bytes - 1, NULL),
                  RESULT_REFUSED);
    }
    device_order(0);
    teardown(&b);
}
