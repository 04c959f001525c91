// second_primes.c: see second_primes.h; derived by docs/proofs/primes.py, which compares.
//
// The six largest primes below 2^49.7 with 2^40 dividing p - 1, of 56 that there are. Their roots
// are those of the least quadratic non-residues.
#include "fft/device/modular/second_primes.h"

const fft_prime fft_second_primes[FFT_SECOND_PRIMES] = {
    {910395627798529, 628933820577364}, {898300999892993, 562507628013825},
    {868614185943041, 42457418287767},  {864216139431937, 618031249175373},
    {841126395248641, 508961071516401}, {838927371993089, 801436922162518},
};
