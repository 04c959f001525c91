// ranks.h: this process as a rank of an MPI job, with members of a group of all ranks, and a group
// of as many members in this process alone, whose results are what ranks are compared with.
#ifndef TESTS_LONGMUL_MPI_RANKS_H_
#define TESTS_LONGMUL_MPI_RANKS_H_

#include <stdbool.h>

#include "longmul/group.h"

enum { RANKS_MOST = 4, HERE_MOST = 2, MEMBERS_MOST = 8 };

// How many members ranks have: even ones, and odd ones.
typedef struct {
    unsigned even, odd;
} ranks_members;

// ranks_start starts MPI at the first call, which ends with the program; the number of ranks.
unsigned ranks_start(void);
unsigned ranks_own(void);
// ranks_open opens the group of all ranks; its status.
longmul_status ranks_open(longmul_group *g, ranks_members each, double timeout_s);
// ranks_alone opens a group of so many members in this process. Ends the job if it cannot.
void ranks_alone(longmul_group *g, unsigned members);
// ranks_all_equal: whether all ranks come with the same number. Collective.
bool ranks_all_equal(int number);
// ranks_any: whether one of them comes with true. Collective.
bool ranks_any(bool own);

#endif  // TESTS_LONGMUL_MPI_RANKS_H_
