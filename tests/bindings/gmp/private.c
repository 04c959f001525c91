// private.c: a GMP that was loaded privately, as the wheels of gmpy2 and python-flint load
// theirs: longmul_gmp_attach has to find it. usage: private LIBRARY; exit status 0 for success.
#define _GNU_SOURCE  // RTLD_NOLOAD
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

// number: mpz_t, by its documented size.
typedef struct {
    int room, size;
    uint64_t *limbs;
} number;

static void *symbol(void *library, const char *name) {
    void *const found = dlsym(library, name);
    if (found == NULL) {
        fprintf(stderr, "private: %s\n", dlerror());
    }
    return found;
}

int main(int argc, char **argv) {
    void *const gmp = dlopen("libgmp.so.10", RTLD_NOW | RTLD_LOCAL);
    void *const library = argc == 2 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
    if (gmp == NULL || library == NULL) {
        fprintf(stderr, "private: %s\n", dlerror());
        return 1;
    }
    void (*init)(number *), (*power)(number *, unsigned long, unsigned long);
    void (*mul)(number *, const number *, const number *);
    void (*quotient)(number *, const number *, const number *);
    int (*cmp)(const number *, const number *), (*attach)(void);
    *(void **)&init = symbol(gmp, "__gmpz_init");
    *(void **)&power = symbol(gmp, "__gmpz_ui_pow_ui");
    *(void **)&mul = symbol(gmp, "__gmpz_mul");
    *(void **)&quotient = symbol(gmp, "__gmpz_tdiv_q");
    *(void **)&cmp = symbol(gmp, "__gmpz_cmp");
    *(void **)&attach = symbol(library, "longmul_gmp_attach");
    number a, b, p, q;
    init(&a), init(&b), init(&p), init(&q);
    power(&a, 3, 200000), power(&b, 7, 90000);
    mul(&p, &a, &b);
    const int attached = attach(), again = attach();
    printf("%d calls redirected, %d the second time\n", attached, again);
    if (attached < 10 || again != attached) {
        return 1;
    }
    mul(&q, &a, &b);
    const int same = cmp(&p, &q) == 0;
    quotient(&p, &q, &a);
    return !(same && cmp(&p, &b) == 0);
}
