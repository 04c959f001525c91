// primes.c: the prime set, written by docs/proofs/check_constants.py, which proves what is said of
// it.
//
// The eight largest primes below 2^49.7 with 2^32 * 27 * 5 dividing p - 1. The first three multiply
// to more than 2^149. Three such primes exist only if two with a reciprocal no better than 2^-53.5
// are among them; products therefore allow for that error (field.h) instead of asking for a better
// one.
#include "fft/modular/primes.h"

const fft_prime fft_primes[FFT_PRIMES] = {
    {901621009612801, 317050363927341}, {896982444933121, 14258006514206},
    {891184239083521, 684884085667348}, {887125494988801, 712578398167712},
    {886545674403841, 756248109116300}, {882486930309121, 321077231968461},
    {881907109724161, 175923541585704}, {870310698024961, 293485107242041},
};

const fft_crt_inverses fft_crt_inverse = {
    .i01 = 336368416849727,
    .i12 = 623828967358311,
    .i012 = 648584085123909,
};
