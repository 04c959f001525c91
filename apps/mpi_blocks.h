// mpi_blocks.h: numbers in blocks on the ranks of an MPI job: read, gathered, verified, written.
// May include mpi_ranks.h, operand_io.h and bigint.h. Calls are collective and end the program as
// mpi_ranks.h says.
#ifndef APPS_MPI_BLOCKS_H_
#define APPS_MPI_BLOCKS_H_

#include "apps/bigmul_options.h"
#include "apps/mpi_ranks.h"
#include "apps/operand_io.h"

// mpi_number: of `limbs` limbs all together, whose block this rank has.
typedef struct {
    uint64_t *block;
    uint64_t limbs;
    bool negative;
} mpi_number;

// mpi_range: limbs, or bytes, first .. first + count - 1.
typedef struct {
    uint64_t first, count;
} mpi_range;

// mpi_block: the limbs that a rank has of a number.
mpi_range mpi_block(mpi_ranks *ranks, const mpi_number *n, unsigned rank);

// mpi_read_raw: the number in a file named as @FILE; each rank reads its own bytes. mpi_deal_text:
// a number in another format, which rank 0 converts.
void mpi_read_raw(mpi_ranks *ranks, mpi_number *n, const char *word);
void mpi_deal_text(mpi_ranks *ranks, mpi_number *n, const number_text *t, number_format format);

// mpi_write_raw writes bytes to a file, which appears complete or not at all; each rank writes its
// own. mpi_write_gathered: in any format and to any output, by rank 0.
void mpi_write_raw(mpi_ranks *ranks, const mpi_number *n, const char *path);
void mpi_write_gathered(mpi_ranks *ranks, const mpi_number *n, number_format format,
                        const char *path);

// mpi_verify: rank 0 gathers all numbers and compares |r| with GMP's product; b NULL: a square.
void mpi_verify(mpi_ranks *ranks, const mpi_number *a, const mpi_number *b, const mpi_number *r);

#endif  // APPS_MPI_BLOCKS_H_
