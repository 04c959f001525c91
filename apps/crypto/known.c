// known.c: answers that have been published, for cryptobench. May include items.h and
// gmp.h.
//
// RSA: RFC 7515, appendix A.2: the primes of the key and the signature of the example; the padded
// message is RFC 8017's, around the SHA-256 of the text signed there. Diffie-Hellman: RFC 5114,
// appendix A.3. Primality: strong pseudoprimes to base 2 (OEIS A001262), Lucas pseudoprimes of
// Selfridge's parameters (OEIS A217120), Mersenne's prime 2^521 - 1. We found no published answers
// for Paillier's scheme, so its items are checked against its definition alone.
#include <gmp.h>
#include <stdlib.h>
#include <string.h>

#include "apps/crypto/items.h"

static const char rfc7515_p[] =
    "e01cc410eb48a6655d54464d0aa4bb6da0b872b774a6a9d11ffe480778f0ddb7311a7e902ef9c4b5f75476262b"
    "a8176cb35979f014372a1a2829e4136bd001d07c3f3f2e4f25d4c934f63c7109fba2e67628a0dc9a73c6058e6d"
    "ef22dcd50950e711ddc16d5586f2a7fa75ea8494c18083e0b65742f8a0d5e73fb2d970f01947";
static const char rfc7515_q[] =
    "b903c47e0995b632f4532cb1f3c199145d5f3ae9c7dfeedc7a92a6b47e29c61b42a07aa95a64fc600999c5a7b0"
    "1e01c08cb62ca756527bbcc56078fb0baba5ed38de2d07990ff6300faeadeb6c039a97bf1e507e4e7040fa78db"
    "8257c8b112ed5e59c3cd092fe5d4e5b51275d41281072a5e785ebaf3dae3709203133f5159d7";
static const char rfc7515_signature[] =
    "702e218943e88fd11eb5d82dbf7845f34106ae1b81fff7731116add1717d83656d420afd3c96eedd73a2663e51"
    "66687b000b87226e0187ed1073f945e582adfcef16d85a798ee8c66ddb3db8975b17d09402beedd5d9d9700710"
    "8db28160d5f8040ca7445762b81fbe7ff9d92e0ae76f24f25b33bbe6f44ae61eb1040acb20044d3ef9128ed401"
    "30795bd4bd3b41eecad066ab651981fde48df77f372dc38b9fafdd3befb18b5da3cc3c2eb02f9e3a41d612caad"
    "15911273a05f23b9e838faaf849d698429ef5a1e88798236c3d40e604522a544c8f27a7a2db80663d16cf7caea"
    "56de405cb2215a45b2c25566b55ac1a748a070dfc8a32a469543d019eefb47";
// What ends the padded message: 00, the identifier of SHA-256 and the digest.
static const char rfc7515_digest[] =
    "003031300d060960864801650304020105000420"
    "c88a34847b4ffb12a9326e540f144b3dcc4d5515f18701e7d6e0ee7866c9c705";
enum { DIGEST_BYTES = 52 };

// The group of 2048 bits with a subgroup of 256 bits: prime, one side's secret, what the other side
// sent, the secret that they share.
static const char rfc5114_p[] =
    "87a8e61db4b6663cffbbd19c651959998ceef608660dd0f25d2ceed4435e3b00e00df8f1d61957d4faf7df4561"
    "b2aa3016c3d91134096faa3bf4296d830e9a7c209e0c6497517abd5a8a9d306bcf67ed91f9e6725b4758c022e0"
    "b1ef4275bf7b6c5bfc11d45f9088b941f54eb1e59bb8bc39a0bf12307f5c4fdb70c581b23f76b63acae1caa6b7"
    "902d52526735488a0ef13c6d9a51bfa4ab3ad8347796524d8ef6a167b5a41825d967e144e5140564251ccacb83"
    "e6b486f6b3ca3f7971506026c0b857f689962856ded4010abd0be621c3a3960a54e710c375f26375d7014103a4"
    "b54330c198af126116d2276e11715f693877fad7ef09cadb094ae91e1a1597";
static const char rfc5114_secret[] =
    "0881382cdb87660c6dc13e614938d5b9c8b2f248581cc5e31b35454397fce50e";
static const char rfc5114_sent[] =
    "575f0351bd2b1b817448bdf87a6c362c1e289d3903a30b9832c5741fa250363e7acbc7f77f3dacbc1f131add8e"
    "03367eff8fbbb3e1c5784424809b25afe4d2262a1a6fd2fab64105ca30a674e07f7809852088632fc049233791"
    "ad4edd083a978b883ee618bc5e0dd047415f2d95e683cf14826b5fbe10d3ce41c6c120c78ab20008c698bf7f0b"
    "cab9d7f407bed0f43afb2970f57f8d12043963e66ddd320d599ad9936c8f44137c08b180ec5e985cebe186f3d5"
    "49677e80607331ee17af3380a725b0782317d7dd43f59d7af9568a9bb63a84d365f92244ed120988219302f429"
    "24c7ca90b89d24f71b0ab697823d7deb1aff5b0e8e4a45d49f7f53757e1913";
static const char rfc5114_shared[] =
    "86c70bf8d0bb81bb01078a17219cb7d27203db2a19c877f1d1f19fd7d77ef22546a68f005ad52dc84553b78fc6"
    "0330be51ea7c0672cac1515e4b35c047b9a551b88f39dc26da14a09ef74774d47c762dd177f9ed5bc2f11e52c8"
    "79bd95098504cd9eecd8a8f9b3efbd1f008ac5853097d9d1837f2b18f77cd7be01af80a7c7b5ea3ca54cc02d0c"
    "116fee3f95bb87399385875d7e86747e676e728938acbff7098e05be4dcfb24052b83aeffb14783f029adbde7f"
    "53fae92084224090e007cee94d4bf2bace9ffd4b57d2af7c724d0caa19bf0501f6f17b4aa10f425e3ea76080b4"
    "b9d6b3cefea115b2ceb8789bb8a3b0ea87febe63b6c8f846ec6db0c26c5d7c";

// from_text: limbs of a hexadecimal number.
static crypto_number from_text(const char *text) {
    mpz_t z;
    mpz_init_set_str(z, text, 16);
    const crypto_number x = crypto_number_of(z);
    mpz_clear(z);
    return x;
}

// padded: 00 01 ff ... ff 00 and the digest, 256 bytes.
static crypto_number padded(void) {
    char text[2 * 256 + 1] = "0001";
    memset(text + 4, 'f', sizeof text - 1 - 4 - 2 * DIGEST_BYTES);
    strcpy(text + sizeof text - 1 - 2 * DIGEST_BYTES, rfc7515_digest);
    return from_text(text);
}

static const crypto_scheme *scheme_named(const char *name) {
    const crypto_scheme *s = crypto_schemes;
    while (strcmp(s->name, name) != 0) {
        s++;
    }
    return s;
}

static bool run_first(const crypto_engine *e, void *self, const crypto_items *items) {
    return crypto_run(e, self, items, 0);
}

// run_one: one item, which is freed.
static bool run_one(const crypto_engine *e, crypto_items *items) {
    void *self = e->open();
    const bool right = self != NULL && crypto_load(e, self, items, 0) &&
                       (e->primes != NULL ? crypto_run_all : run_first)(e, self, items);
    if (self != NULL) {
        e->close(self);
    }
    crypto_items_free(items);
    return right;
}

static crypto_items one_item(const char *scheme) {
    return crypto_items_room(scheme_named(scheme), 0, 1);
}

// The key's other parts follow from its primes and e = 65537.
static bool rsa_signs(const crypto_engine *e) {
    crypto_items items = one_item("rsa-sign");
    mpz_t p, q, d, less;
    mpz_inits(d, less, NULL);
    mpz_init_set_str(p, rfc7515_p, 16), mpz_init_set_str(q, rfc7515_q, 16);
    items.inputs[0] = padded();
    items.inputs[1] = crypto_number_of(p), items.inputs[2] = crypto_number_of(q);
    mpz_t *const primes[] = {&p, &q};
    for (unsigned k = 0; k < 2; k++) {
        mpz_sub_ui(less, *primes[k], 1), mpz_set_ui(d, 65537), mpz_invert(d, d, less);
        items.inputs[3 + k] = crypto_number_of(d);
    }
    mpz_invert(d, q, p);
    items.inputs[5] = crypto_number_of(d);
    items.answers[0] = from_text(rfc7515_signature);
    mpz_clears(p, q, d, less, NULL);
    return run_one(e, &items);
}

static bool rsa_verifies(const crypto_engine *e) {
    crypto_items items = one_item("rsa-verify");
    mpz_t p, q;
    mpz_init_set_str(p, rfc7515_p, 16), mpz_init_set_str(q, rfc7515_q, 16);
    mpz_mul(p, p, q);
    items.inputs[0] = from_text(rfc7515_signature);
    items.inputs[1] = from_text("10001"), items.inputs[2] = crypto_number_of(p);
    items.answers[0] = padded();
    mpz_clears(p, q, NULL);
    return run_one(e, &items);
}

static bool dh_agrees(const crypto_engine *e) {
    crypto_items items = one_item("dh");
    items.inputs[0] = from_text(rfc5114_sent);
    items.inputs[1] = from_text(rfc5114_secret), items.inputs[2] = from_text(rfc5114_p);
    items.answers[0] = from_text(rfc5114_shared);
    return run_one(e, &items);
}

// answers: whether the test says about n what is known.
static bool answers(const crypto_engine *e, const char *test, const mpz_t n, bool prime) {
    crypto_items items = one_item(test);
    crypto_put_candidate(&items, 0, n);
    items.answers[0].p[0] = prime;
    return run_one(e, &items);
}

// primality: base 2 alone accepts its pseudoprimes as primes. An engine's own test does not.
static const char *primality(const crypto_engine *e) {
    const char *const test = e->prime == NULL ? "miller-rabin" : "bpsw";
    static const unsigned strong[] = {2047,  3277,  4033,    4681,    8321,
                                      15841, 29341, 1373653, 25326001};
    static const unsigned lucas[] = {323, 377, 1159, 1829, 3827, 5459, 5777, 9071, 9179, 10877};
    const char *wrong = NULL;
    mpz_t n;
    mpz_init(n);
    for (size_t i = 0; i < sizeof strong / sizeof *strong; i++) {
        mpz_set_ui(n, strong[i]);
        if (!answers(e, test, n, e->prime == NULL)) {
            wrong = "a strong pseudoprime to base 2";
        }
    }
    for (size_t i = 0; i < sizeof lucas / sizeof *lucas; i++) {
        mpz_set_ui(n, lucas[i]);
        if (!answers(e, test, n, false)) {
            wrong = "a Lucas pseudoprime";
        }
    }
    mpz_set_ui(n, 1), mpz_mul_2exp(n, n, 521), mpz_sub_ui(n, n, 1);
    if (!answers(e, test, n, true)) {
        wrong = "the prime 2^521 - 1";
    }
    mpz_clear(n);
    return wrong;
}

const char *crypto_known_answers(const crypto_engine *e) {
    if (e->prime != NULL) {
        return primality(e);
    }
    if (!rsa_signs(e)) {
        return "the signature of RFC 7515, A.2";
    }
    if (!rsa_verifies(e)) {
        return "the verification of RFC 7515, A.2";
    }
    if (!dh_agrees(e)) {
        return "the shared secret of RFC 5114, A.3";
    }
    return primality(e);
}
