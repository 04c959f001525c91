// crew.h: threads that run one program at the same time and may wait for each other in it. (The
// tasks of a team, primitives/words/team.h, may run one after the other.) Internal to bigint/.
//
// A forked child has none of the threads: crew_run must not be called there, and crew_stop only
// gives the memory back.
#ifndef BIGINT_GROUP_EXCHANGE_CREW_H_
#define BIGINT_GROUP_EXCHANGE_CREW_H_

#include <stddef.h>

typedef struct crew crew;
typedef void (*crew_part)(void *arg, unsigned index);

// Bytes of the caller's memory (64-byte aligned) that a crew of n threads lives in.
size_t crew_bytes(unsigned threads);
// crew_start makes a crew of `threads` threads, the caller's own included, in memory. NULL if the
// system does not start one of them; none is left running then.
crew *crew_start(void *memory, unsigned threads);
// crew_run executes part(arg, index) for all index < threads at the same time, part 0 on the
// calling thread, and returns when all have ended. Not re-entrant.
void crew_run(crew *c, crew_part part, void *arg);
// crew_stop ends the threads. NULL is allowed. The memory is the caller's again.
void crew_stop(crew *c);

#endif  // BIGINT_GROUP_EXCHANGE_CREW_H_
