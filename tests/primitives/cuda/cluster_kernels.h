// cluster_kernels.h: blocks of a cluster exchange words through each other's shared memory: each
// has a word for each thread of each other, sent into dynamic and fetched from static shared
// memory. Plain C.
#ifndef TESTS_PRIMITIVES_CUDA_CLUSTER_KERNELS_H_
#define TESTS_PRIMITIVES_CUDA_CLUSTER_KERNELS_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { CLUSTER_MAX = 8, CLUSTER_THREADS = 64, CLUSTER_ROUNDS = 3 };

// cluster_launchable says whether the present device has clusters.
bool cluster_launchable(void);

// cluster_exchange launches `blocks` blocks of CLUSTER_THREADS threads in clusters of `cluster`
// (1 .. CLUSTER_MAX), early or not. Block b, of rank r, lets thread t of rank q know the word
//   seed + 2^24 round + 2^12 b + 2^8 q + t    (modulo 2^32; b < 4096)
// in each round, in both ways. What the blocks were told: sent and fetched, each of
// CLUSTER_ROUNDS x blocks x cluster x CLUSTER_THREADS words, indexed by round, block, the rank from
// which the word came, and thread. False if the launch failed.
bool cluster_exchange(uint32_t *sent, uint32_t *fetched, uint32_t blocks, uint32_t cluster,
                      bool early, uint32_t seed);

// cluster_mail: the same by ClusterSend, each word a part of an item of `parts` words, 2 or 4: part
// p of what is sent is what round p would be. got: parts x blocks x cluster x CLUSTER_THREADS
// words.
bool cluster_mail(uint32_t *got, uint32_t parts, uint32_t blocks, uint32_t cluster, bool early,
                  uint32_t seed);

#ifdef __cplusplus
}
#endif

#endif  // TESTS_PRIMITIVES_CUDA_CLUSTER_KERNELS_H_
