// plain_gmp.h: a GMP that knows nothing of the drop-in.
#ifndef TESTS_BINDINGS_GMP_PLAIN_GMP_H_
#define TESTS_BINDINGS_GMP_PLAIN_GMP_H_

#include <gmp.h>
#include <stdbool.h>

#include "bindings/gmp/functions.h"

// plain_gmp: its functions. It is loaded into a namespace of its own, so that its calls to itself
// stay there too. Stops the program if that fails.
const mpn_table *plain_gmp(void);
// plain_symbol: any other function of it.
void *plain_symbol(const char *name);

// loaded_gmp: the functions that this program's calls lead to.
const mpn_table *loaded_gmp(void);
// drop_in_loaded: whether these are the drop-in's.
bool drop_in_loaded(void);

#endif  // TESTS_BINDINGS_GMP_PLAIN_GMP_H_
