// group.h: the members of a group in one process: each a device and a stream of its own there.
// Several members may share a device. One host thread enqueues for all of them; work of one member
// that needs another's follows its mark. Plain C, over runtime.h; thread safe for different groups.
#ifndef PRIMITIVES_CUDA_GROUP_H_
#define PRIMITIVES_CUDA_GROUP_H_

#include "primitives/cuda/runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { CUDA_GROUP_MOST = 64 };

typedef struct {
    int device;
    cuda_stream stream;
    cuda_event mark;
} cuda_member;

typedef struct {
    unsigned members;
    cuda_member member[CUDA_GROUP_MOST];
    int caller;  // the device that was current before cuda_group_enter
} cuda_group;

// cuda_group_open makes streams on these devices, repeats allowed, and lets devices touch each
// other's memory where they can. RESULT_REFUSED: no members, or more than CUDA_GROUP_MOST. A group
// that was not opened is closed like any other.
result cuda_group_open(cuda_group *g, const int *devices, unsigned members);
void cuda_group_close(cuda_group *g);
// cuda_group_wait waits for the work of all members, and returns the first error.
result cuda_group_wait(cuda_group *g);

// cuda_group_enter makes a member's device current; cuda_group_leave makes the one current that was
// before.
result cuda_group_enter(cuda_group *g, unsigned member);
void cuda_group_leave(cuda_group *g);

// cuda_group_mark marks the present end of a member's stream; a mark stands until the next one.
// cuda_group_follow: later work of `member` comes after what the other's present mark marks.
result cuda_group_mark(cuda_group *g, unsigned member);
result cuda_group_follow(cuda_group *g, unsigned member, unsigned other);
// cuda_group_fetch enqueues on a member's stream the copy of memory of another member's device.
result cuda_group_fetch(cuda_group *g, unsigned member, void *to, unsigned other, const void *from,
                        uint64_t bytes);

#ifdef __cplusplus
}
#endif

#endif  // PRIMITIVES_CUDA_GROUP_H_
