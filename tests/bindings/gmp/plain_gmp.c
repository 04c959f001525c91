// plain_gmp.c: see plain_gmp.h.
#define _GNU_SOURCE  // dlmopen, dladdr
#include "tests/bindings/gmp/plain_gmp.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// By the symbols, and not from the drop-in, whose own list is under test.
static const char *const symbols[MPN_FUNCTIONS] = {
    "__gmpn_mul",         "__gmpn_mul_n",   "__gmpn_sqr",   "__gmpn_mulmod_bnm1",
    "__gmpn_sqrmod_bnm1", "__gmpn_tdiv_qr", "__gmpn_div_q", "__gmpn_sqrtrem",
    "__gmpn_powm",        "__gmpn_get_str", "__gmpn_gcd",   "__gmpn_gcdext",
};

static mpn_table table_of(void *library) {
    mpn_table table;
    void *found[MPN_FUNCTIONS];
    for (int i = 0; i < MPN_FUNCTIONS; i++) {
        found[i] = dlsym(library, symbols[i]);
        if (found[i] == NULL) {
            fprintf(stderr, "plain_gmp: %s\n", dlerror());
            exit(1);
        }
    }
    memcpy(&table, found, sizeof table);
    return table;
}

void *plain_symbol(const char *name) {
    static void *library;
    if (library == NULL) {
        library = dlmopen(LM_ID_NEWLM, "libgmp.so.10", RTLD_NOW);
    }
    void *const symbol = library == NULL ? NULL : dlsym(library, name);
    if (symbol == NULL) {
        fprintf(stderr, "plain_gmp: %s\n", dlerror());
        exit(1);
    }
    return symbol;
}

const mpn_table *plain_gmp(void) {
    static mpn_table table;
    if (table.mul == NULL) {
        void *found[MPN_FUNCTIONS];
        for (int i = 0; i < MPN_FUNCTIONS; i++) {
            found[i] = plain_symbol(symbols[i]);
        }
        memcpy(&table, found, sizeof table);
    }
    return &table;
}

const mpn_table *loaded_gmp(void) {
    static mpn_table table;
    if (table.mul == NULL) {
        table = table_of(RTLD_DEFAULT);
    }
    return &table;
}

bool drop_in_loaded(void) {
    Dl_info where;
    return dladdr((void *)loaded_gmp()->mul, &where) != 0 &&
           strstr(where.dli_fname, "liblongmul_gmp") != NULL;
}
