// sort_host_test.c: sorts in host memory, on teams of several sizes, against qsort.
#include <stdlib.h>
#include <string.h>

#include "primitives/sort/sort.h"
#include "primitives/words/team.h"
#include "tests/ctest/ctest.h"
#include "tests/primitives/sort/fixture.h"
#include "tests/support/gen.h"

static void check(const sort_job *job, sort_pattern pattern, bool in_place, team *t,
                  uint64_t seed) {
    SCOPED_TRACE("%s + %u, %s, n %zu, rows %zu%s, threads %u, seed %zu", sort_key_name(job->key),
                 job->value_bytes, sort_pattern_name(pattern), (size_t)job->n, (size_t)job->rows,
                 job->ragged ? ", ragged" : "", team_size(t), (size_t)seed);
    const size_t size = (size_t)(job->ragged ? job->n : job->n * job->rows);
    const size_t key_bytes = size * sort_key_bytes(job->key), value_bytes = size * job->value_bytes;
    gen g = gen_seed(seed);
    char *keys = malloc(key_bytes + 1), *in = malloc(key_bytes + 1), *out = malloc(key_bytes + 1);
    char *values = malloc(value_bytes + 1), *values_out = malloc(value_bytes + 1);
    uint64_t *offsets = malloc(8 * (job->rows + 1));
    sort_fill(&g, pattern, job->key, keys, size);
    sort_number(values, job->value_bytes, size);
    sort_cut(&g, offsets, (size_t)job->rows, size);
    memcpy(in, keys, key_bytes);
    const size_t bytes = sort_host_bytes(job);
    void *workspace = aligned_alloc(64, bytes / 64 * 64 + 64);
    const sort_arrays arrays = {in, in_place ? in : out, values, in_place ? values : values_out,
                                offsets};
    EXPECT_EQ(sort_host(job, &arrays, workspace, bytes, t), RESULT_OK);
    EXPECT_EQ(sort_first_wrong(job, true, keys, arrays.keys_out, arrays.values_out, offsets),
              SIZE_MAX);
    free(keys), free(in), free(out), free(values), free(values_out), free(offsets);
    free(workspace);
}

// Catches a wrong map of a kind of keys, an order that is not stable, shares that overlap, a merge
// cut in the wrong place among equal keys, and a run left over when shares are no power of two.
TEST(SortHost, EveryKindPatternAndTeam) {
    for (unsigned threads = 1; threads <= 5; threads++) {
        void *memory = aligned_alloc(64, (team_bytes(threads) + 63) / 64 * 64);
        team *t = team_start(memory, threads);
        ASSERT_TRUE(t != NULL);
        for (unsigned key = 0; key < SORT_KEYS; key++) {
            for (unsigned p = 0; p < SORT_PATTERNS; p++) {
                const sort_job job = {.key = (sort_key)key,
                                      .value_bytes = (key + p) % 3 * 4,
                                      .n = 50000 + p,
                                      .rows = 1};
                check(&job, (sort_pattern)p, p % 2 == 0, t, 10 * key + p);
            }
        }
        team_stop(t);
        free(memory);
    }
}

// Catches rows that mix, a row left out when they are shared, and empty segments.
TEST(SortHost, RowsAndSegments) {
    static const size_t lengths[] = {0, 1, 2, 15, 16, 17, 33, 100, 1000, 5000};
    void *memory = aligned_alloc(64, (team_bytes(3) + 63) / 64 * 64);
    team *t = team_start(memory, 3);
    ASSERT_TRUE(t != NULL);
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        for (unsigned value = 0; value <= 8; value += 4) {
            sort_job job = {
                .key = SORT_F32, .value_bytes = value, .n = lengths[i], .rows = 1 + 7 * i};
            check(&job, SORT_SPECIAL, false, i % 2 ? t : NULL, i);
            job.ragged = true;
            check(&job, SORT_RANDOM, true, i % 2 ? t : NULL, i);
        }
    }
    team_stop(t);
    free(memory);
}

// Catches memory taken on that is too little, and kinds that do not exist.
TEST(SortHost, RefusesWhatItCannotDo) {
    const sort_arrays none = {0};
    sort_job job = {.key = SORT_U32, .n = 10, .rows = 1};
    EXPECT_EQ(sort_host(&job, &none, NULL, sort_host_bytes(&job) - 1, NULL), RESULT_REFUSED);
    job.key = SORT_KEYS;
    EXPECT_EQ(sort_host(&job, &none, NULL, SIZE_MAX, NULL), RESULT_REFUSED);
    job = (sort_job){.key = SORT_F64, .value_bytes = 2, .n = 1, .rows = 1};
    EXPECT_EQ(sort_host(&job, &none, NULL, SIZE_MAX, NULL), RESULT_REFUSED);
}
