// lengths.c: see lengths.h: lengths as products of 2, 3, 5 and 7, and the sizes of problems.
#include "fft/index_digit/lengths.h"

#include <string.h>

const uint8_t fft_id_primes[FFT_ID_PRIMES] = {2, 3, 5, 7};
static const uint64_t longest = (uint64_t)1 << FFT_ID_DIGITS_MAX;

bool fft_id_mixed(const fft_id_problem *problem) {
    return problem->exponent[1] || problem->exponent[2] || problem->exponent[3];
}

const char *fft_id_set_length(fft_id_problem *problem, uint64_t length) {
    memset(problem->exponent, 0, sizeof problem->exponent);
    if (length < 2 || length > longest) {
        return "the length must be 2 to 2^33";
    }
    for (unsigned i = 0; i < FFT_ID_PRIMES; i++) {
        for (; length % fft_id_primes[i] == 0; length /= fft_id_primes[i]) {
            problem->exponent[i]++;
        }
    }
    return length == 1 ? NULL : "the length has a prime factor above 7";
}

uint64_t fft_id_length(const fft_id_problem *problem) {
    uint64_t length = 1;
    for (unsigned i = 0; i < FFT_ID_PRIMES; i++) {
        for (unsigned e = 0; e < problem->exponent[i]; e++) {
            length *= fft_id_primes[i];
            if (length > longest) {
                return 0;
            }
        }
    }
    return fft_id_pairs(problem) ? length / 2 : length;
}

unsigned fft_id_radix_digits(unsigned radix) {
    unsigned digits = 0;
    for (unsigned i = 0; i < FFT_ID_PRIMES && radix > 0; i++) {
        for (; radix % fft_id_primes[i] == 0; radix /= fft_id_primes[i]) {
            digits++;
        }
    }
    return digits;
}

bool fft_id_pairs(const fft_id_problem *problem) {
    return problem->element == FFT_ID_REAL_F64 || problem->element == FFT_ID_REAL_F32;
}

size_t fft_id_item_bytes(const fft_id_problem *problem) {
    const bool f64 = problem->element == FFT_ID_COMPLEX_F64 || problem->element == FFT_ID_REAL_F64;
    return f64 ? 16 : 8;
}

unsigned fft_id_digits(const fft_id_problem *problem) {
    const uint8_t *e = problem->exponent;
    return (unsigned)e[0] + e[1] + e[2] + e[3] - (fft_id_pairs(problem) && e[0] > 0 ? 1u : 0u);
}
