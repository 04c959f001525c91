// powm_secret.c: computes powers whose exponents a memory checker takes for undefined: it reports
// every branch and every address that depends on them. Run by powm_secret_test.sh.
//
//   powm_secret VARIANT sec|control LIMBS
//
// control computes the power by bigint_powm's windows instead, which must be reported. Exit status
// 77: built without the checker's header; 78: the variant does not exist here.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bigint/core/context.h"
#include "bigint/modular/powm_sec.h"
#include "tests/support/gen.h"

#if defined(__has_include)
#if __has_include(<valgrind/memcheck.h>)
#include <valgrind/memcheck.h>
#endif
#endif

#if defined(VALGRIND_MAKE_MEM_UNDEFINED)

enum { LIMBS_MAX = 64, EXPONENT_LIMBS = 2 };

static int control(bigint_ctx *ctx, uint64_t *ep, const uint64_t *bp, const uint64_t *mp,
                   uint64_t n) {
    bigint b = BIGINT_INIT, e = BIGINT_INIT, m = BIGINT_INIT;
    if (bigint_set_limbs(ctx, &b, bp, n, 1) || bigint_set_limbs(ctx, &m, mp, n, 1) ||
        bigint_set_limbs(ctx, &e, ep, EXPONENT_LIMBS, 1)) {
        return 1;
    }
    VALGRIND_MAKE_MEM_UNDEFINED(e.d_, EXPONENT_LIMBS * sizeof *e.d_);
    return bigint_powm(ctx, &b, &b, &e, &m) != BIGINT_OK;
}

int main(int argc, char **argv) {
    if (argc != 4) {
        return 2;
    }
    const uint64_t n = strtoull(argv[3], NULL, 10);
    bigint_ctx *ctx = NULL;
    if (bigint_ctx_create(&ctx, NULL, &(bigint_ctx_options){.variant = argv[1]}) != BIGINT_OK) {
        return 78;
    }
    uint64_t b[LIMBS_MAX], m[LIMBS_MAX], r[LIMBS_MAX], e[EXPONENT_LIMBS];
    gen g = gen_seed(n);
    gen_limbs(&g, GEN_UNIFORM, b, n), gen_limbs(&g, GEN_UNIFORM, m, n);
    gen_limbs(&g, GEN_UNIFORM, e, EXPONENT_LIMBS);
    m[0] |= 1;
    if (strcmp(argv[2], "control") == 0) {
        return control(ctx, e, b, m, n);
    }
    VALGRIND_MAKE_MEM_UNDEFINED(e, sizeof e);
    const bigint_status status = powm_sec_limbs(ctx, r, b, n, false, e, EXPONENT_LIMBS, m, n);
    VALGRIND_MAKE_MEM_DEFINED(&status, sizeof status);
    // The result must depend on the secret: where the checker works, some of its bits are
    // undefined.
    uint64_t undefined = 0;
    (void)VALGRIND_GET_VBITS(r, &undefined, sizeof *r);
    if (RUNNING_ON_VALGRIND && undefined == 0) {
        return 1;
    }
    bigint_ctx_destroy(ctx);
    return status != BIGINT_OK;
}

#else

int main(void) { return 77; }

#endif
