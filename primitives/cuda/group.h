// group.h: the members of a group: each a device and a stream of its own there. Several members may
// share a device. One host thread of a process enqueues for all its members; work of one that needs
// another's follows its mark. Members may also be spread over processes, which a link joins
// (link.h). Plain C, over runtime.h; thread safe for different groups.
#ifndef PRIMITIVES_CUDA_GROUP_H_
#define PRIMITIVES_CUDA_GROUP_H_

#include "primitives/cuda/link.h"
#include "primitives/cuda/runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    int device;
    cuda_stream stream;
    cuda_event mark;
} cuda_member;

typedef struct {
    unsigned members;      // of the group
    unsigned first, here;  // this process has members first .. first + here: all, without a link
    cuda_member member[CUDA_GROUP_MOST];  // of this process's, by their numbers
    int caller;                           // the device that was current before cuda_group_enter
    cuda_link *link;                      // NULL: one process
    char *stage;                          // with a link: pinned memory for exchanges
} cuda_group;

// cuda_group_open makes streams on these devices, repeats allowed, and lets devices touch each
// other's memory where they can. RESULT_REFUSED: no members, or more than CUDA_GROUP_MOST. A group
// that was not opened is closed like any other.
result cuda_group_open(cuda_group *g, const int *devices, unsigned members);
// cuda_group_join opens this process's members of a group over processes, on devices[0 .. here) of
// its machine. The group owns the link from then on, also if it fails. Collective, as
// cuda_group_wait and cuda_group_close are then; all processes get the same result.
result cuda_group_join(cuda_group *g, const int *devices, cuda_link *link);
void cuda_group_close(cuda_group *g);
// cuda_group_wait waits for the work of all members, and returns the first error.
result cuda_group_wait(cuda_group *g);

// cuda_group_enter makes a member's device current; cuda_group_leave makes the one current that was
// before.
result cuda_group_enter(cuda_group *g, unsigned member);
void cuda_group_leave(cuda_group *g);
// cuda_group_each does a step of every member here, its device current, up to the first failure.
result cuda_group_each(cuda_group *g, result (*step)(const void *call, unsigned member),
                       const void *call);

// cuda_group_mark marks the present end of a member's stream; a mark stands until the next one.
// cuda_group_follow: later work of `member` comes after what the other's present mark marks.
result cuda_group_mark(cuda_group *g, unsigned member);
result cuda_group_follow(cuda_group *g, unsigned member, unsigned other);

// cuda_group_agree returns the first failure of all processes; RESULT_REFUSED if their keys differ.
// Without a link it returns `own`.
result cuda_group_agree(cuda_group *g, result own, uint64_t key);
// cuda_key makes a key of numbers, one after the other, from 0.
uint64_t cuda_key(uint64_t key, uint64_t number);

// cuda_slots: what members exchange within networks of `each` neighbours. Member k of a network has
// `bytes` bytes for others at slot k of its area, as many as every member of the network, and wants
// the slots of its first `taken` members, each to its place in its own area. All processes describe
// all members alike; areas are of members here.
typedef struct {
    unsigned each;
    struct {
        char *area;
        uint64_t bytes;
        unsigned taken;
    } member[CUDA_GROUP_MOST];
} cuda_slots;

// cuda_group_gather enqueues the exchange: behind the members' work so far, and before what they
// are given next. done: how that work's launch went here. Returns the first failure of this
// process, which goes through the exchange all the same if it has a link; slots are then undefined,
// also in others, so the processes agree at the end of what they do. Where a network has members of
// several processes, the slots go by the host: this waits for the members here. Otherwise members
// copy from each other, and the host does not wait.
result cuda_group_gather(cuda_group *g, const cuda_slots *x, result done);
// cuda_group_settle: members' later work may write to their slots. After the exchange, before any
// other mark.
result cuda_group_settle(cuda_group *g, const cuda_slots *x);

#ifdef __cplusplus
}
#endif

#endif  // PRIMITIVES_CUDA_GROUP_H_
