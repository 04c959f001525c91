// schemes.h: public-key schemes as powers and the steps after them, on any engine, and items
// whose answers GMP found in another way. May include engine.h.
#ifndef APPS_CRYPTO_SCHEMES_H_
#define APPS_CRYPTO_SCHEMES_H_

#include "apps/crypto/engine.h"

enum { CRYPTO_POWERS_MAX = 2, CRYPTO_SIZES_MAX = 6 };

// A number in limbs, n >= 1.
typedef struct {
    uint64_t *p;
    size_t n;
} crypto_number;

// crypto_power: register result = base^exponent mod modulus, the latter three inputs.
typedef struct {
    unsigned result, base, exponent, modulus;
    bool secret;  // the exponent is
} crypto_power;

typedef struct crypto_items crypto_items;

// crypto_scheme: registers 0 .. inputs - 1 are given and the powers follow. Then `finish` (NULL:
// nothing) computes register `answer`.
typedef struct {
    const char *name;
    unsigned bits[CRYPTO_SIZES_MAX];  // sizes to measure, 0 behind the last
    unsigned inputs, powers;
    crypto_power power[CRYPTO_POWERS_MAX];
    unsigned answer;
    bool (*finish)(const crypto_engine *e, void *self, const crypto_number *inputs);
    void (*make)(crypto_items *items);  // draws inputs and answers
    unsigned candidate;  // the register that is tested for primality, by BPSW; 0: nothing is
    unsigned items;      // in a measurement: the size of a batch of candidates
} crypto_scheme;

// crypto_items: `count` items of a scheme at one size: inputs[i * scheme->inputs + k], answers[i].
struct crypto_items {
    const crypto_scheme *scheme;
    unsigned bits, count;
    crypto_number *inputs, *answers;
};

extern const crypto_scheme crypto_schemes[];
extern const unsigned crypto_schemes_count;

// crypto_items_make draws a key and items, the same for the same size; crypto_items_free frees
// them.
crypto_items crypto_items_make(const crypto_scheme *scheme, unsigned bits, unsigned count);
void crypto_items_free(crypto_items *items);

// crypto_load sets an item's inputs. crypto_finish does the steps after the powers and compares the
// answer. crypto_run does all of it, or the engine's own primality test. crypto_run_all runs the
// engine's own test on all items with one call. All return false if the engine failed or is wrong.
bool crypto_load(const crypto_engine *e, void *self, const crypto_items *items, unsigned i);
bool crypto_finish(const crypto_engine *e, void *self, const crypto_items *items, unsigned i);
bool crypto_run(const crypto_engine *e, void *self, const crypto_items *items, unsigned i);
bool crypto_run_all(const crypto_engine *e, void *self, const crypto_items *items);

// crypto_known_answers runs the examples that standards and the literature have published. Returns
// NULL, or what is wrong.
const char *crypto_known_answers(const crypto_engine *e);

#endif  // APPS_CRYPTO_SCHEMES_H_
