// tridiagonal.h: tridiagonal systems of linear equations, one or many at once, on a device or on
// the host. Plain C; the device side is in the .cu files, the host side in host.cc.
//
// A system of n rows is a(i) x(i-1) + b(i) x(i) + c(i) x(i+1) = d(i), 0 <= i < n; a(0) and c(n-1)
// are not read. a, b, c, d and x are five arrays laid out alike: row i of system s stands at
// element s system_stride + i row_stride. "Strided": row_stride 1, system_stride >= n;
// "interleaved": system_stride 1, row_stride >= batch.
#ifndef PRIMITIVES_TRIDIAGONAL_TRIDIAGONAL_H_
#define PRIMITIVES_TRIDIAGONAL_TRIDIAGONAL_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "primitives/words/result.h"
#include "primitives/words/team.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum { TRIDIAGONAL_F32, TRIDIAGONAL_F64, TRIDIAGONAL_TYPES } tridiagonal_type;

// The algorithms. Pivots: whether rows are interchanged. Algorithms without pivots are for matrices
// that need no interchanges: diagonally dominant, positive definite. Words: elements of device
// memory read and written for each row.
//
//   variant                        n at most        on     pivots  launches  words  in the papers
//   TRIDIAGONAL_PARTITION_PIVOT    2^34             both   yes     1, 2, 4   5, 9   -
//   TRIDIAGONAL_PARTITION_PLAIN    2^34             both   yes     1, 2, 4   5, 9   -
//   TRIDIAGONAL_THOMAS             2^34             both   no      1         9      Thomas
//   TRIDIAGONAL_CYCLIC             2^12 (2^11 f64)  device no      1         5      BPLG-CR-TS-SH
//   TRIDIAGONAL_PARALLEL_CYCLIC    2^10             device no      1         5      BPLG-PCR-TS
//   TRIDIAGONAL_RR_KOGGE_STONE     2^10 (2^9 f64)   device no (*)  1         5      RR-KS
//   TRIDIAGONAL_RR_LADNER          2^10 (2^9 f64)   device no (*)  1         5      RR-LF
//   TRIDIAGONAL_WANG_MOU           2^19             device no      1 or 2    5, 13  MS-ID-TS
//   TRIDIAGONAL_TREE               2^21             device no      3         11     TPR-fastest
//   TRIDIAGONAL_TREE_STABLE        2^21             device no      3         11     TPR-stable
//
// partition-pivot is the safe choice: Gaussian elimination with scaled partial pivoting under
// another order of columns (docs/proofs/tridiagonal.md), computed with numbers of twice the digits,
// double for float and pairs of doubles for double, each unknown being rounded once. Its errors are
// half a unit in the last place, and about 2^-53 (float) or 2^-102 (double) times the condition
// number and the largest unknown (section 5 there has the bound): up to condition numbers of about
// 2^26 and 2^48 no method whose results are of the type can be more accurate. partition-pivot-plain
// does the same with numbers of the type, in 0.3 (double) to 0.9 of the time. Like every method
// with pivots it guarantees a small residual. Its error, up to the condition number times that, is
// sometimes a little larger and sometimes a little smaller than another method's. It is several
// times larger if all rows are alike, for example -1 2 -1, because all threads then make the same
// roundings.
// On the host both go from the first row to the last, as LAPACK's gtsv does (without scaling rows).
// Four launches keep joints, 22 words for each rows_each rows by the plain form and 44 by the
// other, which spare the last one most of its work.
// tree-partitioning has slices of 128 rows, and longer ones above 2^18; tree-partitioning-stable of
// 2048, of doubles 1024: fewer rows are joined by the tree, whose rows are less dominant.
// (*) Redundant reduction is a shooting method: its last step divides by a coefficient that falls
// exponentially with n where a matrix is diagonally dominant. Single precision is lost at 8 to 30
// rows of strongly dominant matrices, double at 30 to 300. For experiments only.
typedef enum {
    TRIDIAGONAL_PARTITION_PIVOT,
    TRIDIAGONAL_THOMAS,
    TRIDIAGONAL_CYCLIC,
    TRIDIAGONAL_PARALLEL_CYCLIC,
    TRIDIAGONAL_RR_KOGGE_STONE,
    TRIDIAGONAL_RR_LADNER,
    TRIDIAGONAL_WANG_MOU,
    TRIDIAGONAL_TREE,
    TRIDIAGONAL_PARTITION_PLAIN,
    TRIDIAGONAL_TREE_STABLE,
    TRIDIAGONAL_VARIANTS,
} tridiagonal_variant;

// tridiagonal_variant_name returns the name in records and options: "partition-pivot", "thomas",
// "cyclic-reduction", "parallel-cyclic-reduction", "redundant-kogge-stone",
// "redundant-ladner-fischer", "wang-mou", "tree-partitioning", "partition-pivot-plain",
// "tree-partitioning-stable".
const char *tridiagonal_variant_name(tridiagonal_variant v);

typedef struct {
    tridiagonal_type type;
    uint64_t n, batch;                   // rows of a system, and systems; either may be 0
    uint64_t row_stride, system_stride;  // elements
} tridiagonal_job;

// How both forms of partition join the tiles of a system.
typedef enum {
    TRIDIAGONAL_APART,    // in two launches; the second repeats the first's work
    TRIDIAGONAL_CLUSTER,  // 2, 4 or 8 of them are one cluster; from compute capability 9.0 on
    TRIDIAGONAL_GRID,     // up to 128, of one system alone, are a cooperative launch
    TRIDIAGONAL_KEPT,     // in four launches, the first leaving all joints; row_stride 1
} tridiagonal_together;

// How a job is done on a device. Plain data: a caller may change any field, and tridiagonal_valid
// says whether the result can be run.
typedef struct {
    tridiagonal_job job;
    tridiagonal_variant variant;
    unsigned rows_each;  // rows of a thread: of partition 8, or 16 for the plain form of floats; 32
                         // if joints are kept, 16 of pairs of doubles
    unsigned lanes;      // threads for a system, or for a tile of one: a power of two; blocks have
                         // at most 1024, of partition 512, or 256 for pairs of doubles
    unsigned systems;    // systems that a block takes at once: a power of two
    uint64_t tiles;      // blocks, one after another, that a system is cut into; 1: it is not
    tridiagonal_together together;
} tridiagonal_plan;

// tridiagonal_make_plan fills in the plan that is expected to be fastest. Returns false and fills
// in nothing if the variant does not take the job: unknown names, a type or sizes outside the table
// above, n batch above 2^34, strides of 0.
bool tridiagonal_make_plan(tridiagonal_plan *plan, const tridiagonal_job *job,
                           tridiagonal_variant variant);
// tridiagonal_valid says whether tridiagonal_device can run the plan.
bool tridiagonal_valid(const tridiagonal_plan *plan);
// tridiagonal_plan_text writes the plan as one line, cut to cap characters with the NUL, and
// returns how many characters it has.
size_t tridiagonal_plan_text(const tridiagonal_plan *plan, char *text, size_t cap);

// tridiagonal_workspace_bytes returns what tridiagonal_device needs for the plan, at least 64 KiB;
// 0 if the plan is not valid. Beyond that, of an array of n batch elements: partition-pivot-plain
// in two launches less than a hundredth, in four less than half of one, partition-pivot less than
// a fiftieth and three halves; thomas one;
// wang-mou in two launches 4, n rounded up to a power of two; tree-partitioning 2 and a twentieth.
size_t tridiagonal_workspace_bytes(const tridiagonal_plan *plan);

// tridiagonal_device enqueues x = the solutions of all systems. Arrays in device memory, aligned to
// their elements; x may be d and does not overlap otherwise. Elements between the systems are left
// alone. status: batch words in device memory, or NULL; status[s] becomes 0, or 1 where system s is
// singular, overflowed, or has an element that is not finite: then its solution must not be used. A
// matrix that is singular up to rounding may pass, as it does in LAPACK. workspace: 256-byte
// aligned device memory, used by one stream at a time; zero before its first use and after any
// other use; not between solves, even with different plans. Does not wait, allocates nothing;
// RESULT_REFUSED (plan not valid, workspace too small) changes nothing. The same input and plan
// give the same bits. Cost: the table above, and the comments of the kernels.
result tridiagonal_device(const tridiagonal_plan *plan, const void *a, const void *b, const void *c,
                          const void *d, void *x, uint32_t *status, void *workspace, size_t bytes,
                          cuda_stream stream);

// tridiagonal_host_workspace_bytes returns what tridiagonal_host needs: 3 n elements for each
// thread of a team, 6 n for partition-pivot, n for thomas; 0 if it does not take the job.
size_t tridiagonal_host_workspace_bytes(const tridiagonal_job *job, tridiagonal_variant variant,
                                        unsigned threads);

// tridiagonal_host does the same in host memory: thomas, or either form of partition-pivot, as one
// span from the first row to the last. A thread of the team (NULL: the calling thread) takes one
// system after another. status may be NULL; RESULT_SINGULAR if any system's status is 1. workspace:
// aligned to 8 bytes.
result tridiagonal_host(const tridiagonal_job *job, tridiagonal_variant variant, const void *a,
                        const void *b, const void *c, const void *d, void *x, uint32_t *status,
                        void *workspace, size_t bytes, team *team);

#ifdef __cplusplus
}
#endif

#endif  // PRIMITIVES_TRIDIAGONAL_TRIDIAGONAL_H_
