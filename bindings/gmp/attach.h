// attach.h: redirects libraries that are loaded already, for programs that were started without
// LD_PRELOAD and for GMPs that were loaded privately.
#ifndef BINDINGS_GMP_ATTACH_H_
#define BINDINGS_GMP_ATTACH_H_

#include <stdbool.h>

// longmul_gmp_attach makes every library of the process that calls one of the functions by its
// symbol call ours. Returns how many calls it redirected: slots of global offset tables. May be
// called again after further libraries were loaded. Not while another thread loads or unloads one.
// A GMP whose calls to itself do not go through symbols (-Bsymbolic) keeps them.
__attribute__((visibility("default"))) int longmul_gmp_attach(void);

// attach_reaches: whether the library that is loaded at this address calls our functions.
bool attach_reaches(const void *base);

// attach_patch overwrites the first instructions of the found GMP's own mul, mul_n and sqr with a
// jump to ours, which never need the originals; returns how many it overwrote. For a GMP of which
// longmul_gmp_attach redirects too little. Only before other threads use GMP.
int attach_patch(void);

#endif  // BINDINGS_GMP_ATTACH_H_
