// private.c: a GMP that was loaded privately, as the wheels of gmpy2 and python-flint load
// theirs: longmul_gmp_attach has to find it, and the library stays where it is closed. usage:
// private LIBRARY, or private --deep: with RTLD_DEEPBIND, as PHP loads its own, where only
// preloading helps. Exit status 0 for success.
#define _GNU_SOURCE  // RTLD_DEEPBIND
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

// gmp_functions: what this test calls of a GMP.
typedef struct {
    void (*init)(number *), (*power)(number *, unsigned long, unsigned long);
    void (*mul)(number *, const number *, const number *);
    void (*quotient)(number *, const number *, const number *);
    int (*cmp)(const number *, const number *);
} gmp_functions;

// right: a product and a quotient: whether they are what they were before.
static int right(const gmp_functions *gmp, const number *a, const number *b,
                 const number *product) {
    number p, q;
    gmp->init(&p), gmp->init(&q);
    gmp->mul(&p, a, b);
    gmp->quotient(&q, &p, a);
    return gmp->cmp(&p, product) == 0 && gmp->cmp(&q, b) == 0;
}

// attached: attaches the drop-in twice, and closes it.
static int attached(const char *path) {
    void *const library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    int (*attach)(void) = NULL;
    *(void **)&attach = library == NULL ? NULL : symbol(library, "longmul_gmp_attach");
    if (attach == NULL) {
        return 0;
    }
    const int first = attach(), again = attach();
    printf("%d calls redirected, %d the second time\n", first, again);
    dlclose(library);
    return first >= 10 && again == first;
}

int main(int argc, char **argv) {
    const int deep = argc == 2 && strcmp(argv[1], "--deep") == 0;
    void *const library =
        dlopen("libgmp.so.10", RTLD_NOW | RTLD_LOCAL | (deep ? RTLD_DEEPBIND : 0));
    if (library == NULL || argc != 2) {
        fprintf(stderr, "private: %s\n", dlerror());
        return 1;
    }
    gmp_functions gmp;
    *(void **)&gmp.init = symbol(library, "__gmpz_init");
    *(void **)&gmp.power = symbol(library, "__gmpz_ui_pow_ui");
    *(void **)&gmp.mul = symbol(library, "__gmpz_mul");
    *(void **)&gmp.quotient = symbol(library, "__gmpz_tdiv_q");
    *(void **)&gmp.cmp = symbol(library, "__gmpz_cmp");
    number a, b, p;
    gmp.init(&a), gmp.init(&b), gmp.init(&p);
    gmp.power(&a, 3, 200000), gmp.power(&b, 7, 90000);
    gmp.mul(&p, &a, &b);
    return !((deep || attached(argv[1])) && right(&gmp, &a, &b, &p));
}
