// team.h: a fixed team of POSIX threads that runs one indexed job at a time. Independent of the
// jobs.
//
// Why POSIX threads and not OpenMP: a team belongs to one context and ends with it, contexts share
// nothing, the host program's OpenMP settings and fork handlers stay untouched, and the thread
// sanitizer understands every synchronisation.
//
// A forked child has none of the workers. There team_run is a plain loop on the calling thread,
// team_rouse does nothing, team_stop only gives the memory back, and team_size stays as it was. A
// team that was running a job at the fork must not be used in the child.
#ifndef PRIMITIVES_WORDS_TEAM_H_
#define PRIMITIVES_WORDS_TEAM_H_

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct team team;
// A job: task(arg, index, worker) for every index below the count, worker < team_size.
typedef void (*team_task)(void *arg, size_t index, unsigned worker);

// Bytes of the caller's memory (64-byte aligned) that a team of n threads lives in.
size_t team_bytes(unsigned threads);
// team_start makes a team of `threads` threads, the caller's own included (threads - 1 are
// started), in memory. Returns NULL if a thread cannot be started; none is left running then.
team *team_start(void *memory, unsigned threads);
// team_stop ends the threads. NULL is allowed. The memory is the caller's again.
void team_stop(team *t);
// The number of threads; 1 for NULL.
unsigned team_size(const team *t);
// team_rouse wakes the workers for jobs that come soon: for a millisecond they look for them and do
// not sleep. Where the process may use fewer processors than there are threads, for t == NULL and a
// team of one it does nothing. Cost: a lock; does not wait.
void team_rouse(team *t);
// team_run executes task(arg, i, worker) for i = 0 .. count - 1, count <= 2^31, each once, in any
// order and in parallel, and returns when all have ended, also where a worker never came:
// everything written by the tasks is visible to the caller then. t == NULL, a team of one, or
// count == 1: a plain loop on the calling thread, which is worker 0. Not re-entrant.
void team_run(team *t, team_task task, void *arg, size_t count);

#ifdef __cplusplus
}
#endif

#endif  // PRIMITIVES_WORDS_TEAM_H_
