// crypto_items.h: how the items of each scheme are made. Internal to cryptobench; may include
// crypto_schemes.h.
#ifndef APPS_CRYPTO_ITEMS_H_
#define APPS_CRYPTO_ITEMS_H_

#include "apps/crypto_schemes.h"

void crypto_make_rsa_sign(crypto_items *items);
void crypto_make_rsa_verify(crypto_items *items);
void crypto_make_dh(crypto_items *items);
void crypto_make_paillier_encrypt(crypto_items *items);
void crypto_make_paillier_add(crypto_items *items);
void crypto_make_paillier_decrypt(crypto_items *items);
void crypto_make_candidates(crypto_items *items);

#endif  // APPS_CRYPTO_ITEMS_H_
