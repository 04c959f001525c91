// group.c: see group.h.
#include "primitives/cuda/group.h"

// open_member: the member's stream and mark.
static result open_member(cuda_group *g, unsigned member) {
    result done = cuda_group_enter(g, member);
    if (done != RESULT_OK) {
        return done;
    }
    cuda_member *const m = &g->member[member];
    done = cuda_stream_create(&m->stream);
    done = done == RESULT_OK ? cuda_event_create(&m->mark) : done;
    cuda_group_leave(g);
    return done;
}

result cuda_group_open(cuda_group *g, const int *devices, unsigned members) {
    *g = (cuda_group){0};
    if (members == 0 || members > CUDA_GROUP_MOST) {
        return RESULT_REFUSED;
    }
    result done = RESULT_OK;
    for (unsigned i = 0; i < members && done == RESULT_OK; i++) {
        g->member[i].device = devices[i];
        g->members = i + 1;
        done = open_member(g, i);
        for (unsigned j = 0; j < i && done == RESULT_OK; j++) {
            bool direct;
            done = cuda_reach(devices[i], devices[j], &direct);
            done = done == RESULT_OK ? cuda_reach(devices[j], devices[i], &direct) : done;
        }
    }
    return done;
}

void cuda_group_close(cuda_group *g) {
    for (unsigned i = 0; i < g->members; i++) {
        const cuda_member *const m = &g->member[i];
        if (cuda_group_enter(g, i) == RESULT_OK) {
            cuda_event_destroy(m->mark);
            if (m->stream != NULL) {
                cuda_stream_destroy(m->stream);
            }
            cuda_group_leave(g);
        }
    }
    *g = (cuda_group){0};
}

result cuda_group_wait(cuda_group *g) {
    result all = RESULT_OK;
    for (unsigned i = 0; i < g->members; i++) {
        const result done = cuda_stream_wait(g->member[i].stream);
        all = all == RESULT_OK ? done : all;
    }
    return all;
}

result cuda_group_enter(cuda_group *g, unsigned member) {
    return cuda_enter(g->member[member].device, &g->caller);
}

void cuda_group_leave(cuda_group *g) { cuda_leave(g->caller); }

result cuda_group_mark(cuda_group *g, unsigned member) {
    return cuda_event_record(g->member[member].mark, g->member[member].stream);
}

result cuda_group_follow(cuda_group *g, unsigned member, unsigned other) {
    return cuda_stream_follow(g->member[member].stream, g->member[other].mark);
}

result cuda_group_fetch(cuda_group *g, unsigned member, void *to, unsigned other, const void *from,
                        uint64_t bytes) {
    return cuda_copy_between(to, g->member[member].device, from, g->member[other].device, bytes,
                             g->member[member].stream);
}
