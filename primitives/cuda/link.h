// link.h: how processes that share a group (group.h) exchange data: a table that a library for MPI
// fills. Plain C.
//
// Each process has one member or several, neighbours in the order of members, which is that of
// processes. The calls of the table are collective: all processes make the same ones in the same
// order. None waits for ever if the link has a time limit.
#ifndef PRIMITIVES_CUDA_LINK_H_
#define PRIMITIVES_CUDA_LINK_H_

#include <stdbool.h>
#include <stdint.h>

#include "primitives/words/result.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { CUDA_GROUP_MOST = 64, CUDA_LINK_TEXT = 300 };

// cuda_range: bytes [begin, end) of a buffer; empty if they are equal.
typedef struct {
    uint64_t begin, end;
} cuda_range;

typedef struct cuda_link cuda_link;
struct cuda_link {
    unsigned processes, process;          // process < processes <= CUDA_GROUP_MOST
    unsigned first[CUDA_GROUP_MOST + 1];  // process p has members first[p] .. first[p + 1]
    // agree returns the first failure of all processes, RESULT_REFUSED if they come with different
    // keys. why: the cause of an own failure.
    result (*agree)(cuda_link *link, result own, uint64_t key, const char *why);
    // swap sends range send[p] of host memory to process p and puts what it sends into receive[p].
    // Ranges agree in length, those received overlap no other; own ones are empty.
    result (*swap)(cuda_link *link, void *host, const cuda_range *send, const cuda_range *receive);
    // close frees the link; collective unless it is lost. Host memory of a call that lost it may
    // still be written to.
    void (*close)(cuda_link *link);
    // A process did not come in time, or is gone: no call succeeds any more.
    bool lost;
    char why[CUDA_LINK_TEXT];  // the last call failed: the process and the cause
};

#ifdef __cplusplus
}
#endif

#endif  // PRIMITIVES_CUDA_LINK_H_
