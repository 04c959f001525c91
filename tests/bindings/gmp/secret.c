// secret.c: products of undefined operands; see secret_test.sh. usage: secret products|control
#include <string.h>

#include "bindings/gmp/longmul_mpn.h"
#include "tests/support/gen.h"

#if defined(__has_include)
#if __has_include(<valgrind/memcheck.h>)
#include <valgrind/memcheck.h>
#endif
#endif

#if defined(VALGRIND_MAKE_MEM_UNDEFINED)

enum { MOST = 128 };

int main(int argc, char **argv) {
    mp_limb_t a[MOST], b[MOST], r[2 * MOST];
    gen g = gen_seed(7);
    if (argc == 2 && strcmp(argv[1], "control") == 0) {
        gen_limbs(&g, GEN_UNIFORM, a, 2);
        VALGRIND_MAKE_MEM_UNDEFINED(a, sizeof a);
        return mpn_cmp(a, a + 1, 1) == 0;
    }
    for (size_t n = 1; n <= MOST; n++) {
        gen_limbs(&g, GEN_RUNS, a, n), gen_limbs(&g, GEN_ONES, b, n);
        VALGRIND_MAKE_MEM_UNDEFINED(a, sizeof a);
        VALGRIND_MAKE_MEM_UNDEFINED(b, sizeof b);
        longmul_mpn_mul_n(r, a, b, (mp_size_t)n);
        longmul_mpn_sqr(r, a, (mp_size_t)n);
        (void)longmul_mpn_mul(r, a, (mp_size_t)n, b, (mp_size_t)(n + 1) / 2);
    }
    return 0;
}

#else

int main(void) { return 77; }

#endif
