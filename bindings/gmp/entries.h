// entries.h: the functions that answer in GMP's place.
#ifndef BINDINGS_GMP_ENTRIES_H_
#define BINDINGS_GMP_ENTRIES_H_

#include "bindings/gmp/functions.h"

// Their names: GMP's own in the library that is preloaded, others in the one that programs link
// beside GMP (longmul_mpn.h).
#if defined(LONGMUL_MPN_BESIDE)
#define ENTRY(name) longmul_mpn_##name
#else
#define ENTRY(name) __gmpn_##name
#endif

// entry_address: our function in place of that one.
void *entry_address(mpn_function function);

#endif  // BINDINGS_GMP_ENTRIES_H_
