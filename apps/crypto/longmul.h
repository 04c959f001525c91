// longmul.h: what the library answers, for cryptobench. May include bigint.h.
#ifndef APPS_CRYPTO_LONGMUL_H_
#define APPS_CRYPTO_LONGMUL_H_

#include <stdbool.h>

#include "bigint/bigint.h"

// crypto_done: whether a call of the library succeeded. Missing memory is no wrong answer: it ends
// the program.
bool crypto_done(const bigint_ctx *ctx, bigint_status status);

#endif  // APPS_CRYPTO_LONGMUL_H_
