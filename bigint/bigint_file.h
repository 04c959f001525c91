// bigint_file.h: integers in files. Programs include it after or instead of bigint.h, which has the
// rules but does not include this header, because it needs <stdio.h>.
//
// The calls read and write where the file is, and leave it behind the last byte that they used.
// Errors: EINVAL where reading or writing fails or the file ends too early; the file's position is
// then anywhere, and the text tells errno's reason. Integers may live on any place.
#ifndef BIGINT_BIGINT_FILE_H_
#define BIGINT_BIGINT_FILE_H_

#include <stdio.h>

#include "bigint/bigint.h"

#ifdef __cplusplus
extern "C" {
#endif

// bigint_write_raw, bigint_read_raw: GMP's format of mpz_out_raw and mpz_inp_raw: four bytes that
// count the others, most significant first, negative for negative numbers, then the magnitude, most
// significant byte first. *bytes counts all of them; bytes may be NULL. bigint_read_raw accepts
// zero bytes at the top. Errors: ERANGE for magnitudes of 2^31 bytes or more. Memory: the bytes
// once.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_write_raw(bigint_ctx *ctx, FILE *file,
                                                            size_t *bytes, const bigint *a);
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_read_raw(bigint_ctx *ctx, bigint *r, FILE *file,
                                                           size_t *bytes);

// bigint_write_text writes what bigint_get_text returns, without the NUL. bigint_read_text skips
// white space and reads a text of bigint_set_text up to the first character that is no part of it,
// which stays in the file. *characters counts all that were used; characters may be NULL. Memory:
// the text once.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_write_text(bigint_ctx *ctx, FILE *file,
                                                             size_t *characters, const bigint *a,
                                                             int base);
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_read_text(bigint_ctx *ctx, bigint *r, FILE *file,
                                                            int base, size_t *characters);

#ifdef __cplusplus
}
#endif

#endif  // BIGINT_BIGINT_FILE_H_
