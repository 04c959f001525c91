// cluster_test.c: blocks of clusters exchange words through shared memory, all with all.
#include <stdlib.h>

#include "tests/ctest/ctest.h"
#include "tests/primitives/cuda/cluster_kernels.h"
#include "tests/support/device.h"

enum {
    MOST_BLOCKS = 40,
    MOST_WORDS = 4 * MOST_BLOCKS * CLUSTER_MAX * CLUSTER_THREADS  // rounds, or parts of an item
};

// How many of got's words are not those that cluster_exchange promises.
static uint32_t wrong_words(const uint32_t *got, uint32_t rounds, uint32_t blocks, uint32_t cluster,
                            uint32_t seed) {
    uint32_t wrong = 0;
    for (uint32_t round = 0; round < rounds; round++) {
        for (uint32_t block = 0; block < blocks; block++) {
            const uint32_t rank = block % cluster, first = block - rank;
            for (uint32_t i = 0; i < cluster * CLUSTER_THREADS; i++) {
                const uint32_t from = first + i / CLUSTER_THREADS, thread = i % CLUSTER_THREADS;
                wrong += *got++ != seed + (round << 24) + (from << 12) + (rank << 8) + thread;
            }
        }
    }
    return wrong;
}

// Catches a rank that is another block's, an address in the wrong block or at the wrong offset, one
// cluster taken for another, a barrier that does not order shared memory across blocks (in the
// emulation: a missing half of a barrier, under a random order), and reuse before all have read.
TEST(Cluster, AllToAll) {
    if (!device_ready() || !cluster_launchable()) {
        SKIP("no device with clusters");
    }
    const size_t bytes = sizeof(uint32_t) * MOST_WORDS;
    uint32_t *got = malloc(bytes), *sent = device_alloc(bytes), *fetched = device_alloc(bytes);
    ASSERT_TRUE(got != NULL && sent != NULL && fetched != NULL);
    for (uint32_t run = 0; run < 32; run++) {
        const uint32_t cluster = 1u << run % 4, clusters = 1 + run / 4 % 5;
        const uint32_t blocks = cluster * clusters;
        SCOPED_TRACE("run %u: %u clusters of %u", run, clusters, cluster);
        device_order(run);
        ASSERT_TRUE(device_fill(sent, 0xA5, bytes) && device_fill(fetched, 0xA5, bytes));
        ASSERT_TRUE(cluster_exchange(sent, fetched, blocks, cluster, run % 3 > 0, 77 * run));
        ASSERT_TRUE(device_download(got, sent, bytes));
        EXPECT_EQ(wrong_words(got, CLUSTER_ROUNDS, blocks, cluster, 77 * run), 0);
        ASSERT_TRUE(device_download(got, fetched, bytes));
        EXPECT_EQ(wrong_words(got, CLUSTER_ROUNDS, blocks, cluster, 77 * run), 0);
    }
    device_order(0);
    device_free(sent);
    device_free(fetched);
    free(got);
}

// Catches an item that is sent to another rank or place, or in part; a wait that ends before all
// has come, in the emulation by an order in which a sender is late; and counts of other bytes or
// threads.
// Mutations: the ranks of the item and of the count, i of ClusterSend, counted before it is stored,
// ClusterMailWait or ClusterMailArrive left out, arriving before the own stores, half of the bytes.
TEST(Cluster, Mail) {
    if (!device_ready() || !cluster_launchable()) {
        SKIP("no device with clusters");
    }
    const size_t bytes = sizeof(uint32_t) * MOST_WORDS;
    uint32_t *got = malloc(bytes), *received = device_alloc(bytes);
    ASSERT_TRUE(got != NULL && received != NULL);
    for (uint32_t run = 0; run < 40; run++) {
        const uint32_t cluster = 1u << run % 4, clusters = 1 + run / 4 % 5,
                       parts = 2 + run / 20 * 2;
        const uint32_t blocks = cluster * clusters;
        SCOPED_TRACE("run %u: %u clusters of %u", run, clusters, cluster);
        device_order(run);
        ASSERT_TRUE(device_fill(received, 0xA5, bytes));
        ASSERT_TRUE(cluster_mail(received, parts, blocks, cluster, run % 3 > 0, 77 * run));
        ASSERT_TRUE(device_download(got, received, bytes));
        EXPECT_EQ(wrong_words(got, parts, blocks, cluster, 77 * run), 0);
    }
    device_order(0);
    device_free(received);
    free(got);
}

// Catches a grid that is cut in the middle of a cluster and runs nevertheless. On a device the
// error must not stay behind.
TEST(Cluster, WholeClustersOnly) {
    if (!device_ready() || !cluster_launchable()) {
        SKIP("no device with clusters");
    }
    uint32_t word = 0, *out = device_alloc(sizeof word);
    ASSERT_TRUE(out != NULL);
    EXPECT_FALSE(cluster_exchange(out, out, 7, 4, false, 0));
    EXPECT_FALSE(cluster_exchange(out, out, 4, 0, true, 0));
    EXPECT_TRUE(device_upload(out, &word, sizeof word));
    device_free(out);
}
