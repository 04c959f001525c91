// group.h: several devices, or several members on one, as one group in one process: scans of rows
// that are dealt out to members or split over them. One thread enqueues for all members.
//
// A group of members is cut into `networks` networks of as many members each: whole rows are dealt
// out to networks, every row of a network is split over its members. networks = members: each row
// on one member; networks = 1: each row over all of them.
#ifndef LONGMUL_GROUP_H_
#define LONGMUL_GROUP_H_

#include <stddef.h>
#include <stdint.h>

#include "longmul/scan.h"
#include "longmul/status.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { LONGMUL_MEMBERS_MAX = 64, LONGMUL_GROUP_WORDS = 200 };
typedef struct {
    uint64_t words[LONGMUL_GROUP_WORDS];
} longmul_group;

// longmul_group_open makes a stream for each member, on these devices, repeats allowed, and lets
// devices reach each other's memory where they can. Close the group even if that fails.
// longmul_group_wait waits for all members' work.
LONGMUL_API longmul_status longmul_group_open(longmul_group *group, const int *devices,
                                              unsigned members);
LONGMUL_API void longmul_group_close(longmul_group *group);
LONGMUL_API longmul_status longmul_group_wait(longmul_group *group);
LONGMUL_API longmul_stream longmul_group_stream(const longmul_group *group, unsigned member);

// longmul_share: what a member has: elements first .. first + n of rows first_row .. first_row +
// rows, its parts of rows one after the other. Empty where arguments are refused.
typedef struct {
    uint64_t first_row, rows, first, n;
} longmul_share;
LONGMUL_API longmul_share longmul_scan_group_share(longmul_operator op, uint64_t n, uint64_t rows,
                                                   unsigned members, unsigned networks,
                                                   unsigned member);
LONGMUL_API size_t longmul_scan_group_workspace_bytes(longmul_operator op, uint64_t n,
                                                      uint64_t rows, unsigned members,
                                                      unsigned networks, unsigned member);

// longmul_scan_group enqueues longmul_scan of all rows: member m's share in[m] to out[m], with
// workspace[m], in memory of its device. Rows that are split are read twice and written once, and a
// member fetches one element a row from each member before it in its network.
LONGMUL_API longmul_status longmul_scan_group(longmul_group *group, unsigned networks,
                                              longmul_operator op, int exclusive, void *const *out,
                                              const void *const *in, uint64_t n, uint64_t rows,
                                              void *const *workspace);

#ifdef __cplusplus
}
#endif

#endif  // LONGMUL_GROUP_H_
