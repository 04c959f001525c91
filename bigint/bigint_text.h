// bigint_text.h: integers as text. Include bigint.h: it has the rules and includes this header.
// Buffers are as in bigint_value.h.
#ifndef BIGINT_BIGINT_TEXT_H_
#define BIGINT_BIGINT_TEXT_H_

#include "bigint/bigint.h"

#ifdef __cplusplus
extern "C" {
#endif

// bigint_set_decimal, bigint_set_hex read s[0 .. length): an optional '+' or '-', then one or more
// digits and nothing else (hex: either case, with an optional "0x" or "0X" after the sign). No
// spaces, no final NUL. On EINVAL *bad_at (bad_at may be NULL) is the position of the first
// character that does not fit, or length if the text ends too early.
// Cost: decimal O(M(n) log n). On a device long decimal texts are converted there, base 10 of
// bigint_set_text and bigint_get_text included: the characters travel, in pinned pieces, and the
// host computes nothing. Reading waits until the device has looked at all characters, and enqueues
// the rest; writing waits. Short texts and other bases are converted by the host: the number is
// copied, and the call waits.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_set_decimal(bigint_ctx *ctx, bigint *r,
                                                              const char *s, size_t length,
                                                              size_t *bad_at);
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_set_hex(bigint_ctx *ctx, bigint *r, const char *s,
                                                          size_t length, size_t *bad_at);
// bigint_get_decimal, bigint_get_hex write '-' if a < 0, the digits without leading zeros (lower
// case, no "0x"), and a final NUL. *need counts the characters written, including the NUL. After a
// call that returned ERANGE, *need is large enough for the next one: exact for hex, at most one too
// many for decimal.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_get_decimal(bigint_ctx *ctx, char *buf,
                                                              size_t cap, size_t *need,
                                                              const bigint *a);
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_get_hex(bigint_ctx *ctx, char *buf, size_t cap,
                                                          size_t *need, const bigint *a);

// bigint_set_text, bigint_get_text: the same in bases 2 to 62. Letters are digits above 9: of
// either case in bases up to 36; above, upper case for 10 to 35, lower case from 36 on.
// bigint_set_text: base 0 takes the base from the text after the sign: 16 for "0x" or "0X", 2 for
// "0b" or "0B", 8 for another "0" with a digit behind it, else 10. Other bases know no prefix.
// bigint_get_text: lower case in bases up to 36, upper case for bases -2 to -36. *need is exact for
// powers of two.
// Errors: EINVAL for another base. Cost: O(n) for powers of two, else O(M(n) log n).
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_set_text(bigint_ctx *ctx, bigint *r,
                                                           const char *s, size_t length, int base,
                                                           size_t *bad_at);
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_get_text(bigint_ctx *ctx, char *buf, size_t cap,
                                                           size_t *need, const bigint *a, int base);
// bigint_digits_bound: *digits = the digits of |a| in a base of bigint_get_text, or one more; exact
// for powers of two, and 1 for 0. No conversion; cost: constant.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_digits_bound(bigint_ctx *ctx, uint64_t *digits,
                                                               const bigint *a, int base);

// bigint_mul_decimal multiplies two decimal texts (as bigint_set_decimal reads them) and writes the
// product as bigint_get_decimal would. It works in a decimal radix, without radix conversion. buf
// must not overlap the texts. *bad_at counts from the start of a; positions in b are offset by
// a_length. *need is as for bigint_get_decimal. Cost: about one product of the same number of
// digits. On a device the texts, which are in host memory, travel there and back, and the call
// waits for the stream. Its engines there are modular-fft, which is the default from 2^11 digits of
// both factors on, real-fft, the default below, and all others; tiled takes factors of up to 2^20
// digits. An engine without an exact plan for such lengths: ERANGE; modular-fft has one unless both
// factors have more than 6.4 10^9 digits.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_mul_decimal(bigint_ctx *ctx, char *buf,
                                                              size_t cap, size_t *need,
                                                              const char *a, size_t a_length,
                                                              const char *b, size_t b_length,
                                                              size_t *bad_at);

#ifdef __cplusplus
}
#endif

#endif  // BIGINT_BIGINT_TEXT_H_
