// pair.c: see pair.h.
#include "bigint/gcd/pair.h"

#include <assert.h>
#include <string.h>

#include "bigint/core/arena.h"
#include "bigint/divide/divrem.h"
#include "bigint/multiply/mul.h"
#include "bigint/multiply/wrap.h"

bool gcd_pair_take(const gcd_run *run, gcd_pair *x, uint64_t limbs) {
    x->p[0] = arena_take_limbs(run->ctx, run->who, limbs);
    x->p[1] = x->p[0] == NULL ? NULL : arena_take_limbs(run->ctx, run->who, limbs);
    x->n = 0;
    return x->p[1] != NULL;
}

void gcd_pair_trim(gcd_pair *x) {
    while (x->n > 0 && (x->p[0][x->n - 1] | x->p[1][x->n - 1]) == 0) {
        x->n--;
    }
}

unsigned gcd_pair_larger(const gcd_pair *x) { return limbs_cmp(x->p[0], x->p[1], x->n) < 0; }

bool gcd_matrix_take(const gcd_run *run, gcd_matrix *m, uint64_t limbs) {
    for (unsigned i = 0; i < 2; i++) {
        if (!gcd_pair_take(run, &m->row[i], limbs)) {
            return false;
        }
        m->row[i].n = 1;
        m->row[i].p[i][0] = 1;
        m->row[i].p[1 - i][0] = 0;
    }
    return true;
}

// With determinant 1 the entries of the diagonal are at least 1, and no step makes entries smaller.
bool gcd_matrix_is_unit(const gcd_matrix *m) {
    return m->row[0].n == 1 && m->row[1].n == 1 && m->row[0].p[1][0] == 0 && m->row[1].p[0][0] == 0;
}

// product: {rp, n} = {ap, an} {bp, bn}, n >= an + bn, with zeros above.
static bigint_status product(const gcd_run *run, uint64_t *rp, uint64_t n, const uint64_t *ap,
                             uint64_t an, const uint64_t *bp, uint64_t bn) {
    assert(n >= an + bn);
    memset(rp + an + bn, 0, (n - an - bn) * sizeof *rp);
    return bigint_mul_limbs(run->ctx, rp, ap, an, bp, bn);
}

// column: {rp, row n + matrix n + 1} = row times column j of the matrix. t: as much workspace.
static bigint_status column(const gcd_run *run, uint64_t *rp, uint64_t *t, const gcd_pair *row,
                            const gcd_matrix *m, unsigned j) {
    const uint64_t n0 = m->row[0].n, n1 = m->row[1].n, n = row->n + (n0 > n1 ? n0 : n1) + 1;
    bigint_status status = product(run, rp, n, row->p[0], row->n, m->row[0].p[j], n0);
    if (status == BIGINT_OK) {
        status = product(run, t, n, row->p[1], row->n, m->row[1].p[j], n1);
    }
    if (status == BIGINT_OK) {
        limbs_add_n(rp, rp, t, n);
    }
    return status;
}

static uint64_t matrix_limbs(const gcd_matrix *m) {
    return m->row[0].n > m->row[1].n ? m->row[0].n : m->row[1].n;
}

// prepare_two: the planes of {p[i], n[i]}.
static bigint_status prepare_two(const gcd_run *run, const mul_wrap_ring *s, const void *plane[2],
                                 const uint64_t *const p[2], const uint64_t n[2]) {
    bigint_status status = BIGINT_OK;
    for (unsigned i = 0; i < 2 && status == BIGINT_OK; i++) {
        status = mul_wrap_ring_prepare(run->ctx, run->who, s, &plane[i], p[i], n[i]);
    }
    return status;
}

static bigint_status prepare_pair(const gcd_run *run, const mul_wrap_ring *s, const void *plane[2],
                                  const gcd_pair *x, uint64_t n) {
    return prepare_two(run, s, plane, (const uint64_t *const[]){x->p[0], x->p[1]},
                       (const uint64_t[]){n, n});
}

// column_by_planes: column j of each of `count` rows times M, whose planes are `rows`: into
// row[i].p[j], of n[i] limbs. {t}: the room of mul_wrap_ring_sum.
static bigint_status column_by_planes(const gcd_run *run, const mul_wrap_ring *s, gcd_pair *row,
                                      unsigned count, const gcd_matrix *m, unsigned j,
                                      const void *rows[2][2], uint64_t *n, uint64_t *t) {
    const arena_mark mark = arena_get_mark(run->ctx);
    const void *entry[2];
    bigint_status status =
        prepare_two(run, s, entry, (const uint64_t *const[]){m->row[0].p[j], m->row[1].p[j]},
                    (const uint64_t[]){m->row[0].n, m->row[1].n});
    for (unsigned i = 0; i < count && status == BIGINT_OK; i++) {
        const void *const factors[] = {rows[i][0], entry[0], rows[i][1], entry[1]};
        status = mul_wrap_ring_sum(run->ctx, run->who, s, t, factors, false);
        if (status == BIGINT_OK) {
            n[i] = limbs_normalize(t, mul_wrap_ring_limbs(s));
            memcpy(row[i].p[j], t, n[i] * sizeof *t);
        }
    }
    arena_release(run->ctx, mark);
    return status;
}

// rows_by_planes: each of `count` <= 2 rows times M, each entry transformed once.
static bigint_status rows_by_planes(const gcd_run *run, const mul_wrap_ring *s, gcd_pair *row,
                                    unsigned count, const gcd_matrix *m) {
    const void *rows[2][2];
    uint64_t n[2][2];
    uint64_t *const t = arena_take_limbs(run->ctx, run->who, mul_wrap_ring_limbs(s) + 2);
    bigint_status status = t == NULL ? BIGINT_ENOMEM : BIGINT_OK;
    for (unsigned i = 0; i < count && status == BIGINT_OK; i++) {
        status = prepare_pair(run, s, rows[i], &row[i], row[i].n);
    }
    for (unsigned j = 0; j < 2 && status == BIGINT_OK; j++) {
        status = column_by_planes(run, s, row, count, m, j, rows, n[j], t);
    }
    for (unsigned i = 0; i < count && status == BIGINT_OK; i++) {
        row[i].n = n[0][i] > n[1][i] ? n[0][i] : n[1][i];
        for (unsigned j = 0; j < 2; j++) {
            memset(row[i].p[j] + n[j][i], 0, (row[i].n - n[j][i]) * sizeof *t);
        }
    }
    return status;
}

// row_by_products: row = row M, four products.
static bigint_status row_by_products(const gcd_run *run, gcd_pair *row, const gcd_matrix *m) {
    const uint64_t n = row->n + matrix_limbs(m) + 1;
    const arena_mark mark = arena_get_mark(run->ctx);
    gcd_pair sum;
    uint64_t *const t = arena_take_limbs(run->ctx, run->who, n);
    bigint_status status = t == NULL || !gcd_pair_take(run, &sum, n) ? BIGINT_ENOMEM : BIGINT_OK;
    for (unsigned j = 0; j < 2 && status == BIGINT_OK; j++) {
        status = column(run, sum.p[j], t, row, m, j);
    }
    if (status == BIGINT_OK) {
        sum.n = n;
        gcd_pair_trim(&sum);
        row->n = sum.n;
        memcpy(row->p[0], sum.p[0], row->n * sizeof *t);
        memcpy(row->p[1], sum.p[1], row->n * sizeof *t);
    }
    arena_release(run->ctx, mark);
    return status;
}

// rows_multiply: each of `count` <= 2 rows times M. A sum is below 2 B^(row->n + mn), so it is its
// own residue modulo B^n + 1.
static bigint_status rows_multiply(const gcd_run *run, gcd_pair *row, unsigned count,
                                   const gcd_matrix *m) {
    const arena_mark mark = arena_get_mark(run->ctx);
    const uint64_t longest = row[0].n > row[count - 1].n ? row[0].n : row[count - 1].n;
    const uint64_t mn = matrix_limbs(m);
    mul_wrap_ring s;
    bigint_status status =
        mul_wrap_ring_begin(run->ctx, run->who, &s, longest, mn, longest + mn + 1, 2 * count + 2);
    if (status == BIGINT_OK && s.pays) {
        status = rows_by_planes(run, &s, row, count, m);
    }
    for (unsigned i = 0; i < count && status == BIGINT_OK && !s.pays; i++) {
        status = row_by_products(run, &row[i], m);
    }
    arena_release(run->ctx, mark);
    return status;
}

bigint_status gcd_row_multiply(const gcd_run *run, gcd_pair *row, const gcd_matrix *m) {
    return rows_multiply(run, row, 1, m);
}

bigint_status gcd_matrix_multiply(const gcd_run *run, gcd_matrix *left, const gcd_matrix *right) {
    return rows_multiply(run, left->row, 2, right);
}

// reduce_one: number i of M^-1 x, without its limbs from low on, comes to those: {vp, low + mn} =
// d x_i - c x_(1 - i) for the entries d = m_(1-i)(1-i), c = m_i(1-i), and then the carry.
static bigint_status reduce_one(const gcd_run *run, const gcd_pair *x, unsigned i, uint64_t low,
                                const gcd_matrix *m, uint64_t *vp, uint64_t *t, bool *negative) {
    const gcd_pair *const mine = &m->row[i], *const other = &m->row[1 - i];
    const uint64_t n = low + (mine->n > other->n ? mine->n : other->n);
    bigint_status status = product(run, vp, n, x->p[i], low, other->p[1 - i], other->n);
    if (status == BIGINT_OK) {
        status = product(run, t, n, x->p[1 - i], low, mine->p[1 - i], mine->n);
    }
    *negative = status == BIGINT_OK && limbs_sub_n(vp, vp, t, n) != 0;
    return status;
}

// reduce_by_planes: the same for both numbers. |d x_i - c x_(1 - i)| < B^n, n = low + mn, so its
// residue modulo B^m + 1, m > n, tells its sign: negative numbers are above B^m / 2.
static bigint_status reduce_by_planes(const gcd_run *run, const mul_wrap_ring *s, const gcd_pair *x,
                                      uint64_t low, const gcd_matrix *matrix, const gcd_pair *v,
                                      bool negative[2]) {
    const uint64_t m = mul_wrap_ring_limbs(s), n = low + matrix_limbs(matrix);
    const void *number[2], *entry[2];
    uint64_t *const t = arena_take_limbs(run->ctx, run->who, m + 2);
    bigint_status status = t == NULL ? BIGINT_ENOMEM : prepare_pair(run, s, number, x, low);
    for (unsigned i = 0; i < 2 && status == BIGINT_OK; i++) {
        const gcd_pair *const mine = &matrix->row[i], *const other = &matrix->row[1 - i];
        const arena_mark mark = arena_get_mark(run->ctx);
        status =
            prepare_two(run, s, entry, (const uint64_t *const[]){other->p[1 - i], mine->p[1 - i]},
                        (const uint64_t[]){other->n, mine->n});
        const void *const factors[] = {number[i], entry[0], number[1 - i], entry[1]};
        if (status == BIGINT_OK) {
            status = mul_wrap_ring_sum(run->ctx, run->who, s, t, factors, true);
        }
        if (status == BIGINT_OK) {
            negative[i] = (t[m] | t[m - 1] >> 63) != 0;
            if (negative[i]) {  // less B^m + 1
                limbs_sub_1(t, t, m, 1);
            }
            memcpy(v->p[i], t, n * sizeof *t);
        }
        arena_release(run->ctx, mark);
    }
    return status;
}

// reduce_by_products: the same, four products.
static bigint_status reduce_by_products(const gcd_run *run, const gcd_pair *x, uint64_t low,
                                        const gcd_matrix *m, const gcd_pair *v, bool negative[2]) {
    uint64_t *const t = arena_take_limbs(run->ctx, run->who, low + matrix_limbs(m));
    bigint_status status = t == NULL ? BIGINT_ENOMEM : BIGINT_OK;
    for (unsigned i = 0; i < 2 && status == BIGINT_OK; i++) {
        status = reduce_one(run, x, i, low, m, v->p[i], t, &negative[i]);
    }
    return status;
}

bigint_status gcd_reduce_low(const gcd_run *run, gcd_pair *x, uint64_t low, const gcd_matrix *m) {
    if (low == 0 || gcd_matrix_is_unit(m)) {
        gcd_pair_trim(x);
        return BIGINT_OK;
    }
    const uint64_t mn = matrix_limbs(m), high = x->n - low;
    const arena_mark mark = arena_get_mark(run->ctx);
    gcd_pair v;
    mul_wrap_ring s;
    bool negative[2];
    bigint_status status = mul_wrap_ring_begin(run->ctx, run->who, &s, low, mn, low + mn + 1, 4);
    if (status == BIGINT_OK && !gcd_pair_take(run, &v, low + mn)) {
        status = BIGINT_ENOMEM;
    }
    if (status == BIGINT_OK) {
        status = s.pays ? reduce_by_planes(run, &s, x, low, m, &v, negative)
                        : reduce_by_products(run, x, low, m, &v, negative);
    }
    for (unsigned i = 0; i < 2 && status == BIGINT_OK; i++) {
        memcpy(x->p[i], v.p[i], low * sizeof *v.p[i]);
        uint64_t *const top = x->p[i] + low;
        uint64_t carry = limbs_add(top, top, high, v.p[i] + low, mn);
        carry -= negative[i] ? limbs_sub_1(top + mn, top + mn, high - mn, 1) : 0;
        if (carry != 0) {
            status = context_impossible(run->ctx, run->who, "a number that grows");
        }
    }
    gcd_pair_trim(x);
    arena_release(run->ctx, mark);
    return status;
}

bigint_status gcd_divide(const gcd_run *run, gcd_pair *x, uint64_t least, gcd_quotient *quotient) {
    const unsigned i = gcd_pair_larger(x);
    uint64_t *const ap = x->p[i];
    const uint64_t *const dp = x->p[1 - i];
    const uint64_t an = limbs_normalize(ap, x->n), dn = limbs_normalize(dp, x->n);
    *quotient = (gcd_quotient){.larger = i};
    assert(dn > 0 || least > 0);
    if (dn < least + (least > 0)) {
        return BIGINT_OK;  // the smaller number is below B^least already
    }
    uint64_t *const q = arena_take_limbs(run->ctx, run->who, an - dn + 1);
    if (q == NULL) {
        return BIGINT_ENOMEM;
    }
    const bigint_status status = bigint_divrem_limbs(run->ctx, q, ap, ap, an, dp, dn);
    if (status != BIGINT_OK) {
        return status;
    }
    memset(ap + dn, 0, (an - dn) * sizeof *ap);
    if (least > 0 && limbs_normalize(ap, dn) <= least) {
        // One divisor comes back; it is at least B^least. The sum is at most the dividend.
        const uint64_t carry = limbs_add_n(ap, ap, dp, dn);
        if (carry != 0) {
            ap[dn] = carry;
        }
        limbs_sub_1(q, q, an - dn + 1, 1);
    }
    quotient->q = q;
    quotient->n = limbs_normalize(q, an - dn + 1);
    if (run->symbol != NULL) {
        gcd_symbol_step_at(run->symbol, i, q[0]);
    }
    gcd_pair_trim(x);
    return BIGINT_OK;
}

bigint_status gcd_row_add(const gcd_run *run, gcd_pair *row, const gcd_quotient *quotient) {
    const unsigned i = quotient->larger;
    const uint64_t qn = quotient->n, n = row->n + qn + 1;
    const arena_mark mark = arena_get_mark(run->ctx);
    uint64_t *const t = arena_take_limbs(run->ctx, run->who, n);
    bigint_status status =
        t == NULL ? BIGINT_ENOMEM : product(run, t, n, row->p[i], row->n, quotient->q, qn);
    if (status == BIGINT_OK) {
        limbs_add(t, t, n, row->p[1 - i], row->n);
        const uint64_t sum = limbs_normalize(t, n), longer = sum > row->n ? sum : row->n;
        memset(row->p[i] + row->n, 0, (longer - row->n) * sizeof *t);
        memcpy(row->p[1 - i], t, longer * sizeof *t);
        row->n = longer;
    }
    arena_release(run->ctx, mark);
    return status;
}
