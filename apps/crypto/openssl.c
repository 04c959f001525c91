// openssl.c: cryptobench's registers on OpenSSL's libcrypto, or nothing if its header is
// missing. May include OpenSSL's headers and program.h.
#include "apps/crypto/engine.h"

#if defined(HAVE_OPENSSL)

#include <err.h>
#include <openssl/bn.h>
#include <openssl/crypto.h>
#include <stdlib.h>

#include "apps/program.h"

// A modulus keeps its Montgomery form until its register is set again, as a key would.
typedef struct {
    BIGNUM *x[CRYPTO_REGISTERS], *spare;
    BN_MONT_CTX *form[CRYPTO_REGISTERS];
    BN_CTX *ctx;
} registers;

static void forget(registers *s, unsigned r) {
    BN_MONT_CTX_free(s->form[r]);
    s->form[r] = NULL;
}

static void end(void *self) {
    registers *s = self;
    for (unsigned i = 0; i < CRYPTO_REGISTERS; i++) {
        forget(s, i);
        BN_free(s->x[i]);
    }
    BN_free(s->spare);
    BN_CTX_free(s->ctx);
    free(s);
}

static void *begin(void) {
    registers *s = program_memory(1, sizeof *s, "registers");
    s->ctx = BN_CTX_new();
    s->spare = BN_new();
    bool there = s->ctx != NULL && s->spare != NULL;
    for (unsigned i = 0; i < CRYPTO_REGISTERS; i++) {
        s->x[i] = BN_new();
        there = there && s->x[i] != NULL;
    }
    if (!there) {
        end(s);
        return NULL;
    }
    return s;
}

static bool set(void *self, unsigned r, const uint64_t *p, size_t n) {
    registers *s = self;
    forget(s, r);
    return BN_lebin2bn((const unsigned char *)p, (int)(n * sizeof *p), s->x[r]) != NULL;
}

static bool equals(void *self, unsigned r, const uint64_t *p, size_t n) {
    registers *s = self;
    return BN_lebin2bn((const unsigned char *)p, (int)(n * sizeof *p), s->spare) != NULL &&
           BN_cmp(s->spare, s->x[r]) == 0;
}

static bool powm(void *self, unsigned r, unsigned base, unsigned e, unsigned m, bool secret) {
    registers *s = self;
    if (s->form[m] == NULL) {
        s->form[m] = BN_MONT_CTX_new();
        if (s->form[m] == NULL || !BN_MONT_CTX_set(s->form[m], s->x[m], s->ctx)) {
            return false;
        }
    }
    return BN_nnmod(s->spare, s->x[base], s->x[m], s->ctx) &&
           (secret
                ? BN_mod_exp_mont_consttime(s->x[r], s->spare, s->x[e], s->x[m], s->ctx, s->form[m])
                : BN_mod_exp_mont(s->x[r], s->spare, s->x[e], s->x[m], s->ctx, s->form[m]));
}

static bool mul(void *self, unsigned r, unsigned a, unsigned b) {
    registers *s = self;
    return BN_mul(s->x[r], s->x[a], s->x[b], s->ctx);
}

static bool add(void *self, unsigned r, unsigned a, unsigned b) {
    registers *s = self;
    return BN_add(s->x[r], s->x[a], s->x[b]);
}

static bool sub(void *self, unsigned r, unsigned a, unsigned b) {
    registers *s = self;
    return BN_sub(s->x[r], s->x[a], s->x[b]);
}

static bool divide(void *self, unsigned q, unsigned r, unsigned a, unsigned d) {
    registers *s = self;
    return q == CRYPTO_NONE
               ? BN_nnmod(s->x[r], s->x[a], s->x[d], s->ctx)
               : BN_div(s->x[q], r == CRYPTO_NONE ? NULL : s->x[r], s->x[a], s->x[d], s->ctx);
}

static const crypto_engine engine = {"openssl", begin, end, set,    equals, powm,
                                     mul,       add,   sub, divide, NULL,   NULL};

// In libcrypto 3.0 this means trial division and 64 random bases, without a Lucas test.
static bool prime(void *self, unsigned r, unsigned n) {
    registers *s = self;
    const int answer = BN_check_prime(s->x[n], s->ctx, NULL);
    return answer >= 0 && BN_set_word(s->x[r], (BN_ULONG)answer);
}

static const crypto_engine engine_prime = {
    "openssl-prime", begin, end, set, equals, powm, mul, add, sub, divide, prime, NULL};

// --- Memory --------------------------------------------------------------------------------------

static void *allocate(size_t bytes, const char *file, int line) {
    void *const p = malloc(bytes);
    if (p == NULL && bytes > 0) {
        program_no_memory("%zu bytes for OpenSSL (%s:%d)", bytes, file, line);
    }
    return p;
}

static void release(void *p, const char *file, int line) {
    (void)file, (void)line;
    free(p);
}

static void *reallocate(void *old, size_t bytes, const char *file, int line) {
    if (bytes == 0) {
        release(old, file, line);
        return NULL;
    }
    void *const p = realloc(old, bytes);
    if (p == NULL) {
        program_no_memory("%zu bytes for OpenSSL (%s:%d)", bytes, file, line);
    }
    return p;
}

// Without a handler at exit, since a thread may end the program while others are at work here.
void crypto_openssl_begin(void) {
    if (!CRYPTO_set_mem_functions(allocate, reallocate, release) ||
        !OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT, NULL)) {
        errx(EXIT_WRONG, "OpenSSL does not start");
    }
}

const char *crypto_openssl_version(void) { return OpenSSL_version(OPENSSL_VERSION); }

const crypto_engine *crypto_openssl(void) { return &engine; }
const crypto_engine *crypto_openssl_prime(void) { return &engine_prime; }

#else

void crypto_openssl_begin(void) {}
const char *crypto_openssl_version(void) { return "no OpenSSL"; }

const crypto_engine *crypto_openssl(void) { return NULL; }
const crypto_engine *crypto_openssl_prime(void) { return NULL; }

#endif
