// arith_side.h: one side of arith_bench: a context with operands, its calls, and their checks.
// Includes bigint.h and the device's divisor.h.
#ifndef BENCH_MUL_ARITH_SIDE_H_
#define BENCH_MUL_ARITH_SIDE_H_

#include <stdbool.h>
#include <stdint.h>

#include "bigint/bigint.h"
#include "bigint/device/divide/divisor.h"

// RECIPROCAL: of n bits by Newton's iteration. PREPARED: quotient and remainder by a divisor whose
// reciprocal is kept. Both on a device alone.
typedef enum {
    DIVREM,
    QUOTIENT,
    REMAINDER,
    RECIPROCAL,
    PREPARED,
    SQRT,
    SQRTREM,
    MINUS1,
    PLUS1,
    CUBE_ROOT,
    CUBE_BOTH,
    FIFTH_BOTH,
    RSQRT,
    POWM,
    POWM_EVEN,
    OPS
} arith_op;
// arith_ops: their cases and names.
extern const struct arith_op_name { const char *kase, *name; } arith_ops[OPS];

// ARITH_STEPS: products modulo a number that a power with the exponent 2^64 - 1 takes by windows of
// 4 bits, for which a table has room below 2^30 bits: 8 for the table, 60 squares, and 15 products.
enum { ARITH_STEPS = 8 + 60 + 15 };

// arith_side: one context with its operands and results: x of 2 n bits, y and z of n bits; an odd
// and an even modulus for powers, which differ from z in its lowest limb alone.
typedef struct {
    bigint_device *device;
    bigint_ctx *ctx;
    bigint x, y, z, q, r, product, exponent, odd, even;
    uint64_t bits;
    arith_op op;
    device_divisor divisor;  // of PREPARED
    bool prepared;
} arith_side;

// arith_stop ends the program; arith_must does where a call failed.
void arith_stop(const char *what, const char *why);
void arith_must(const arith_side *s, bigint_status status);
// arith_open: operands of 64 n bits, the same on every side, on device 0 or on the host.
void arith_open(arith_side *s, bool on_device, bigint_stream stream, uint64_t n);
void arith_close(arith_side *s);
// arith_on_host: whether the host has the operation.
static inline bool arith_on_host(arith_op o) { return o != RECIPROCAL && o != PREPARED; }
// arith_call: the side's operation.
bigint_status arith_call(arith_side *s);
// arith_limbs: *n limbs of x, in memory of its own.
uint64_t *arith_limbs(const arith_side *s, const bigint *x, uint64_t *n);
// arith_degree: of a root; arith_places: e of 2^e / sqrt(y), which makes that n bits long.
uint64_t arith_degree(arith_op o);
uint64_t arith_places(const arith_side *s);
// arith_right: whether the results are right, by their identity modulo p, below 2^61, and their
// range. A result alone is compared with the one that both have, a power with one by products and
// quotients, the last of which have to be right.
bool arith_right(arith_side *s, uint64_t p);

#endif  // BENCH_MUL_ARITH_SIDE_H_
