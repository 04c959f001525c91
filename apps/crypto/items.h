// items.h: how the items of each scheme are made. Internal to cryptobench; may include
// schemes.h and gmp.h.
#ifndef APPS_CRYPTO_ITEMS_H_
#define APPS_CRYPTO_ITEMS_H_

#include <gmp.h>

#include "apps/crypto/schemes.h"

void crypto_make_rsa_sign(crypto_items *items);
void crypto_make_rsa_verify(crypto_items *items);
void crypto_make_dh(crypto_items *items);
void crypto_make_paillier_encrypt(crypto_items *items);
void crypto_make_paillier_add(crypto_items *items);
void crypto_make_paillier_decrypt(crypto_items *items);
void crypto_make_candidates(crypto_items *items);
// crypto_items_room: items without inputs and answers, for these to be put in.
crypto_items crypto_items_room(const crypto_scheme *scheme, unsigned bits, unsigned count);
// crypto_number_of: limbs of z >= 0.
crypto_number crypto_number_of(const mpz_t z);
// crypto_put_candidate: item i asks whether n, odd, n > 3, is prime.
void crypto_put_candidate(crypto_items *items, unsigned i, const mpz_t n);

#endif  // APPS_CRYPTO_ITEMS_H_
