// small.h: quotients below the transform's range: schoolbook and recursive division on limbs.
// Internal to bigint/. Takes workspace from its caller and cannot fail.
#ifndef BIGINT_DIVIDE_SMALL_H_
#define BIGINT_DIVIDE_SMALL_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "primitives/limbs/limbs.h"
#include "primitives/words/word.h"

// div_small_algorithm: the choice of algorithm. BEST chooses by the thresholds; SCHOOLBOOK never
// recurses; RECURSIVE halves quotients down to one limb.
typedef enum { DIV_SMALL_BEST, DIV_SMALL_SCHOOLBOOK, DIV_SMALL_RECURSIVE } div_small_algorithm;

// div_small_workspace_limbs: limbs of workspace for div_small of these sizes, any algorithm.
// div_small_by_rows: whether BEST divides by rows only, which takes none.
size_t div_small_workspace_limbs(size_t qn, size_t dn);
bool div_small_by_rows(const limbs_ops *ops, size_t dn);

// div_small: {qp, qn} = floor(A / D), {ap, dn} = A mod D and {ap + dn, qn} is scratch after it,
// where A = {ap, qn + dn} and D = {dp, dn}.
// Requires: dn >= 2; D's top bit set; {ap + qn, dn} < D, so that the quotient has qn limbs; nothing
//           overlaps.
// Cost:     schoolbook qn dn; recursive O(M(dn) log dn) per dn limbs of quotient.
// Source:   [Knuth97] 4.3.1 D with the reciprocal of [MollerGranlund11]; [BurnikelZiegler98] in the
//           form of [BrentZimmermann10] algorithms 1.8 and 1.9. Proof: docs/proofs/division.md.
void div_small(const limbs_ops *ops, div_small_algorithm algorithm, uint64_t *qp, uint64_t *ap,
               size_t qn, const uint64_t *dp, size_t dn, uint64_t *ws);

// div_small_unshifted: the same by rows for any D > 0 of dn >= 3 limbs, dp[dn - 1] != 0. It shifts
// only the words that quotients are estimated from. {ap + dn, qn} is scratch after it.
// div_small_unshifted_pays: whether that is faster than shifting A, D and the remainder.
// Cost: qn (dn + 2).
void div_small_unshifted(const limbs_ops *ops, uint64_t *qp, uint64_t *ap, size_t qn,
                         const uint64_t *dp, size_t dn);
bool div_small_unshifted_pays(const limbs_ops *ops, size_t qn, size_t dn);

// div_small_quotient: {qp, qn} as div_small by rows, without the remainder: rows are cut where they
// cannot reach the quotient. False, with {qp, qn} undefined, if what is left does not decide: in
// about qn of B cases, and where an estimate would be B. {ap, qn + dn} is scratch after it. Limb 0
// of D, and A's below dn - 2, are not read if dn >= qn + 2. Requires dn >= 3, else as div_small.
// div_small_quotient_pays: whether that is faster than a quotient with its remainder.
// Cost: qn^2 / 2 for qn <= dn.
bool div_small_quotient(const limbs_ops *ops, uint64_t *qp, uint64_t *ap, size_t qn,
                        const uint64_t *dp, size_t dn);
bool div_small_quotient_pays(const limbs_ops *ops, size_t qn, size_t dn);

// div_small_2: {qp, n - 1} = floor(A / D), returns A mod D, for A = {ap, n} and D = d1 B + d0.
// Requires: n >= 2, d1 != 0. qp may equal ap.
// Cost:     n - 1 divisions of three limbs by two, each waiting for the one before.
word_pair div_small_2(uint64_t *qp, const uint64_t *ap, size_t n, uint64_t d1, uint64_t d0);

// div_correct: the last step of every division by a truncated divisor. A quotient estimate {qp, qn}
// is at most `excess` units too large; *top B^n + {ap, n} = A - Q D in two's complement (top is 0
// or -1, -2, ...). Brings the remainder to [0, D) and the quotient to the exact one. Cost: O(n) per
// unit of excess.
void div_correct(uint64_t *qp, size_t qn, uint64_t *ap, const uint64_t *dp, size_t n, int64_t top,
                 unsigned excess);

#endif  // BIGINT_DIVIDE_SMALL_H_
