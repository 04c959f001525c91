// gallery.c: the main of every program of the gallery.
#include "apps/gallery/gallery.h"

#include <err.h>
#include <stdio.h>
#include <stdlib.h>

#include "apps/machine.h"

int main(int argc, char **argv) {
    const unsigned long long size = argc >= 2 ? strtoull(argv[1], NULL, 10) : 0;
    const int rounds = argc == 3 ? atoi(argv[2]) : 1;
    if (size == 0 || rounds < 1 || argc > 3) {
        errx(2, "usage: PROGRAM SIZE [ROUNDS]");
    }
    prepare(size);
    double least = 0;
    for (int i = 0; i < rounds; i++) {
        const double began = seconds_now();
        compute();
        const double seconds = seconds_now() - began;
        least = i == 0 || seconds < least ? seconds : least;
    }
    print();
    fprintf(stderr, "%.9f\n", least);
    return 0;
}
