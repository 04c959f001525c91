// members.c: see members.h.
#include "bench/device/members.h"

result members_between(cuda_group *g, cuda_event begun, cuda_stream stream,
                       result (*enqueue)(void *self), void *self) {
    result done = cuda_event_record(begun, stream);
    for (unsigned m = 0; m < g->members && done == RESULT_OK; m++) {
        done = cuda_stream_follow(g->member[m].stream, begun);
    }
    done = done == RESULT_OK ? enqueue(self) : done;
    for (unsigned m = 0; m < g->members && done == RESULT_OK; m++) {
        done = cuda_group_mark(g, m);
        done = done == RESULT_OK ? cuda_stream_follow(stream, g->member[m].mark) : done;
    }
    return done;
}
