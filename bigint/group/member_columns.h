// member_columns.h: a product on a group by one modular transform dealt out, columns first: the
// middle steps, from strips of the operands to pieces of the product. Internal to bigint/.
//
// For each prime of the member: columns of both operands -> exchange -> rows, products, inverse
// rows -> exchange -> inverse columns. Then remaindering and carries within each row of a strip,
// after one more exchange if primes are dealt out.
#ifndef BIGINT_GROUP_MEMBER_COLUMNS_H_
#define BIGINT_GROUP_MEMBER_COLUMNS_H_

#include "bigint/group/exchange/member.h"
#include "bigint/group/member_plan.h"

// member_phase: what a member does in a product, the exchanges aside.
typedef enum {
    PHASE_STRIPS,   // operands from blocks to strips
    PHASE_COLUMNS,  // digits, residues, column transforms
    PHASE_ROWS,     // rows, products, inverse rows; local products of the other ways
    PHASE_INVERSE,  // inverse columns
    PHASE_PIECES,   // remaindering and carries of the own rows
    PHASE_BLOCKS,   // the pieces' sum, carries between members
    MEMBER_PHASES,
} member_phase;
const char *member_phase_name(member_phase phase);

// member_clock: seconds of each phase; the exchanges' are in the endpoint.
typedef struct {
    double seconds[MEMBER_PHASES];
    double last;  // when the last phase ended, less the time in exchanges
} member_clock;
void member_clock_start(member_clock *clock, const exchange *x);
void member_clock_stop(member_clock *clock, const exchange *x, member_phase phase);

// member_convolution: what a member works with; planes and buffers are the caller's.
typedef struct {
    const member *member;
    const member_plan *plan;
    const uint64_t *a, *b;  // strips of the operands; b NULL: a square
    uint64_t a_rows, b_rows;
    double *planes[FFT_PRIMES_USED];  // the member's columns, one for each of its primes
    double *rows[2];                  // its rows, of both operands
    double *joined[FFT_PRIMES_USED];  // its final units, all primes
    double *buffers;                  // of the team
    exchange_block *blocks;           // 2 * members
    member_clock *clock;
} member_convolution;

// member_lay_planes, member_lay_rows point a convolution's planes and buffers, and its rows, into
// memory aligned to 64 bytes, and return how many bytes they are, a multiple of 64; NULL: only
// that.
uint64_t member_lay_planes(member_convolution *c, unsigned char *memory);
uint64_t member_lay_rows(member_convolution *c, unsigned char *memory);

// member_convolve: planes of the product's coefficients. Collective; the tables are ready. Errors:
// EPEER. member_carries: the member's pieces, from those; strips and rows are not read any more.
bigint_status member_convolve(const member_convolution *c);
void member_carries(const member_convolution *c, uint64_t *pieces);

#endif  // BIGINT_GROUP_MEMBER_COLUMNS_H_
