// adx.h: the mulx/adx table of limbs.h, for mul.c, ifma.c and tests. May include
// limbs.h.
#ifndef PRIMITIVES_LIMBS_ADX_H_
#define PRIMITIVES_LIMBS_ADX_H_

#include "primitives/limbs/limbs.h"

// The table, or NULL in a build for other processors than x86-64. Calling its functions requires
// cpu_features.adx.
const limbs_ops *limbs_ops_adx(void);

// Its functions, for ifma.c; they exist on x86-64 alone.
uint64_t limbs_adx_mul_1(uint64_t *rp, const uint64_t *ap, size_t n, uint64_t b);
uint64_t limbs_adx_addmul_1(uint64_t *rp, const uint64_t *ap, size_t n, uint64_t b);
uint64_t limbs_adx_submul_1(uint64_t *rp, const uint64_t *ap, size_t n, uint64_t b);
void limbs_adx_mul(uint64_t *rp, const uint64_t *ap, size_t an, const uint64_t *bp, size_t bn);
void limbs_adx_sqr(uint64_t *rp, const uint64_t *ap, size_t n);
uint64_t limbs_adx_redc(uint64_t *rp, uint64_t *tp, const uint64_t *mp, size_t n, uint64_t inverse);
void limbs_adx_mul_redc(uint64_t *rp, const uint64_t *ap, const uint64_t *bp, const uint64_t *mp,
                        size_t n, uint64_t inverse);

// limbs_ops.mul_few and sqr_few.
extern const limbs_mul_few limbs_adx_mul_few[];
extern const limbs_sqr_few limbs_adx_sqr_few[];

// limbs_adx_mul_rows: as mul, all of it by rows of an limbs, for limbs_adx_mul.
void limbs_adx_mul_rows(uint64_t *rp, const uint64_t *ap, size_t an, const uint64_t *bp, size_t bn);

#endif  // PRIMITIVES_LIMBS_ADX_H_
