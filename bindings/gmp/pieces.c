// pieces.c: see pieces.h.
#include "bindings/gmp/pieces.h"

#include <stdbool.h>
#include <string.h>

// Products of pieces are computed on the stack and then added. GMP keeps numbers of as many bytes
// on it.
enum { STACK_LIMBS = 4096 };

// add_piece: adds the product of {ap, an} and {bp, bn} to {rp, rn}, the rest of the result, which
// has room for the carry.
static bool add_piece(bigint_ctx *ctx, uint64_t *rp, uint64_t rn, const uint64_t *ap, uint64_t an,
                      const uint64_t *bp, uint64_t bn) {
    uint64_t t[STACK_LIMBS];
    if (bigint_limbs_mul(ctx, t, ap, an, bp, bn) != BIGINT_OK) {
        return false;
    }
    limbs_add(rp, rp, rn, t, an + bn);
    return true;
}

// by_pieces: the product, from pieces of up to `piece` limbs; false if there is no memory for them.
static bool by_pieces(bigint_ctx *ctx, uint64_t *rp, const uint64_t *ap, uint64_t an,
                      const uint64_t *bp, uint64_t bn, uint64_t piece) {
    memset(rp, 0, (an + bn) * sizeof *rp);
    for (uint64_t i = 0; i < an; i += piece) {
        const uint64_t length = an - i < piece ? an - i : piece;
        for (uint64_t j = 0; j < bn; j += piece) {
            const uint64_t other = bn - j < piece ? bn - j : piece;
            if (!add_piece(ctx, rp + i + j, an + bn - i - j, ap + i, length, bp + j, other)) {
                return false;
            }
        }
    }
    return true;
}

void pieces_mul(bigint_ctx *ctx, const limbs_ops *ops, uint64_t *rp, const uint64_t *ap,
                uint64_t an, const uint64_t *bp, uint64_t bn) {
    for (uint64_t piece = STACK_LIMBS / 2; ctx != NULL && piece >= 256; piece /= 2) {
        if (by_pieces(ctx, rp, ap, an, bp, bn, piece)) {
            return;
        }
    }
    ops->mul(rp, ap, an, bp, bn);
}
