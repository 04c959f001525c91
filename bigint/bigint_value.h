// bigint_value.h: the values of integers: set, get, compare, move between places. Include bigint.h:
// it has the rules and includes this header.
//
// Buffers are host memory. bigint_set_* have read the buffer when they return; they wait for the
// stream only while transfers of more than 3 MiB of limbs are under way. On a device context
// bigint_get_*, bigint_bits, bigint_sign, bigint_cmp and bigint_cmp_abs wait for the stream.
// If cap is too small, bigint_get_* write only *need and return ERANGE. To ask for the size, pass
// buf NULL with cap 0. need may be NULL. Cost: O(n), except for text.
#ifndef BIGINT_BIGINT_VALUE_H_
#define BIGINT_BIGINT_VALUE_H_

#include "bigint/bigint.h"

#ifdef __cplusplus
extern "C" {
#endif

// bigint_clear frees the limbs of x and makes it 0. ctx may be any context on x's place with the
// same allocator as the one that filled x. The same holds for every call that changes x. On a
// context of another place x keeps its value, and bigint_ctx_error says so.
BIGINT_API void bigint_clear(bigint_ctx *ctx, bigint *x);
// bigint_swap exchanges two integers. Cost: constant.
BIGINT_API void bigint_swap(bigint *x, bigint *y);

// bigint_set: r = a. bigint_set_u64, bigint_set_i64: r = value.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_set(bigint_ctx *ctx, bigint *r, const bigint *a);
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_set_u64(bigint_ctx *ctx, bigint *r,
                                                          uint64_t value);
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_set_i64(bigint_ctx *ctx, bigint *r,
                                                          int64_t value);

// bigint_set_limbs: r = sum p[i] 2^(64 i), i < n, negated if sign < 0. Top limbs may be zero.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_set_limbs(bigint_ctx *ctx, bigint *r,
                                                            const bigint_limb *p, uint64_t n,
                                                            int sign);
// bigint_get_limbs: the magnitude of a in p[0 .. *need), top limb not zero (*need = 0 for a = 0);
// *sign is -1, 0 or 1. sign may be NULL.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_get_limbs(bigint_ctx *ctx, bigint_limb *p,
                                                            uint64_t cap, uint64_t *need, int *sign,
                                                            const bigint *a);

typedef enum {
    BIGINT_LITTLE_ENDIAN = -1,
    BIGINT_NATIVE_ENDIAN = 0,  // as the host's processor; in bigint_words.endian only
    BIGINT_BIG_ENDIAN = 1
} bigint_byte_order;
// bigint_set_bytes reads p[0 .. n) as a magnitude in the given order; sign < 0 negates. Top bytes
// may be zero. n = 0 gives 0.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_set_bytes(bigint_ctx *ctx, bigint *r,
                                                            const uint8_t *p, size_t n,
                                                            bigint_byte_order order, int sign);
// bigint_get_bytes writes the magnitude in exactly *need bytes, with no zero byte at the top; 0
// needs no bytes.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_get_bytes(bigint_ctx *ctx, uint8_t *p, size_t cap,
                                                            size_t *need, bigint_byte_order order,
                                                            const bigint *a);

// bigint_words: how a magnitude lies in memory as an array of words, at any address. Words have any
// number of bytes; the top `nails` bits of each are not part of the number.
typedef struct {
    size_t bytes, nails;
    bigint_byte_order order;   // of the words: BIGINT_BIG_ENDIAN for the most significant one first
    bigint_byte_order endian;  // of the bytes in a word
} bigint_words;
// bigint_set_words reads `count` words at p; sign < 0 negates. Nails are ignored. bigint_get_words
// writes the magnitude in *need words, as few as hold it, and none for 0, with nails 0. cap counts
// words. Errors: EINVAL for words without bits and for other orders. Cost: O(n), one copy where the
// words follow one another in the order of their bytes without nails.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_set_words(bigint_ctx *ctx, bigint *r,
                                                            const void *p, size_t count,
                                                            const bigint_words *words, int sign);
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_get_words(bigint_ctx *ctx, void *p, size_t cap,
                                                            size_t *need, const bigint_words *words,
                                                            const bigint *a);

// bigint_reserve_bits makes room for a number of `bits` bits in x, whose value stays: a result of
// that length is then stored without an allocation; on a group it does nothing. bigint_shrink frees
// the room that x's value does not need. On a device and a group it waits, copies x through host
// memory, and makes the announced length exact.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_reserve_bits(bigint_ctx *ctx, bigint *x,
                                                               uint64_t bits);
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_shrink(bigint_ctx *ctx, bigint *x);

// bigint_limbs_bound returns the announced length of a in limbs; on the host it is exact. Never
// waits. On a device every sum or difference announces one limb more than its longer operand, and a
// shift announces the most it may need, even if the value is shorter. bigint_bits returns the true
// length. bigint_move to the host and back resets the announced length.
BIGINT_API uint64_t bigint_limbs_bound(const bigint *a);
// bigint_bits: *bits is the length of |a| in bits, 0 for 0.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_bits(bigint_ctx *ctx, uint64_t *bits,
                                                       const bigint *a);
// bigint_sign: *sign is -1, 0 or 1.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_sign(bigint_ctx *ctx, int *sign, const bigint *a);
// bigint_cmp: *order is -1, 0 or 1 for a < b, a = b, a > b. bigint_cmp_abs compares magnitudes.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_cmp(bigint_ctx *ctx, int *order, const bigint *a,
                                                      const bigint *b);
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_cmp_abs(bigint_ctx *ctx, int *order,
                                                          const bigint *a, const bigint *b);
// bigint_move moves x to another place. The context must be on one of the two places (EPLACE). From
// a device it waits for the stream. To a device it does not wait, but has read the limbs when it
// returns. Before other contexts of that device use x, call bigint_sync on this one if it is a
// context of the device. Before you move limbs that another context is working on, call bigint_sync
// on that context. Errors: ENOBACKEND if the other place has no backend.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_move(bigint_ctx *ctx, bigint *x, int place);

#ifdef __cplusplus
}
#endif

#endif  // BIGINT_BIGINT_VALUE_H_
