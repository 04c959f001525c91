// gallery.h: what the programs of the gallery share. usage: PROGRAM SIZE [ROUNDS]
//
// A program defines prepare, compute and print; gallery.c has main, which calls prepare once,
// compute ROUNDS times, and print. It writes the least time of compute to standard error.
#ifndef APPS_GALLERY_GALLERY_H_
#define APPS_GALLERY_GALLERY_H_

#include <stdint.h>

void prepare(uint64_t size);
void compute(void);
void print(void);

// random_words: p[0 .. n) from the same sequence in every program, seed above 0.
static inline void random_words(uint64_t *p, uint64_t n, uint64_t seed) {
    for (uint64_t i = 0; i < n; i++) {  // xorshift64*
        seed ^= seed >> 12;
        seed ^= seed << 25;
        seed ^= seed >> 27;
        p[i] = seed * 0x2545f4914f6cdd1du;
    }
}

#endif  // APPS_GALLERY_GALLERY_H_
