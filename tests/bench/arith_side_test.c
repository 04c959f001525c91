// arith_side_test.c: the calls of arith_bench and their checks, on the host.
#include "bench/mul/arith_side.h"

#include "tests/ctest/ctest.h"

// The least prime above 2^60.
#define PRIME UINT64_C(1152921504606847009)

// Right results pass, and those with one bit changed do not. Mutations: an identity that leaves out
// a result; a range that is not looked at; the fold of a product by the other sign; a degree, or
// the other modulus.
TEST(ArithSide, KnowsRightFromWrong) {
    arith_side s;
    arith_open(&s, false, NULL, 50);
    for (unsigned o = 0; o < OPS; o++) {
        if (!arith_on_host((arith_op)o)) {
            continue;
        }
        SCOPED_TRACE("%s %s", arith_ops[o].kase, arith_ops[o].name);
        s.op = (arith_op)o;
        EXPECT_EQ(arith_call(&s), BIGINT_OK);
        EXPECT_TRUE(arith_right(&s, PRIME));
        bigint *const one = o == QUOTIENT || o == SQRT || o == CUBE_ROOT ? &s.q : &s.r;
        bigint by = BIGINT_INIT;
        EXPECT_EQ(arith_call(&s), BIGINT_OK);
        EXPECT_EQ(bigint_set_u64(s.ctx, &by, 1), BIGINT_OK);
        EXPECT_EQ(bigint_mul_2exp(s.ctx, &by, &by, 1000), BIGINT_OK);
        EXPECT_EQ(bigint_add(s.ctx, one, one, &by), BIGINT_OK);
        EXPECT_FALSE(arith_right(&s, PRIME));
        bigint_clear(s.ctx, &by);
    }
    arith_close(&s);
}
