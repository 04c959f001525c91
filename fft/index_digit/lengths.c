// lengths.c: lengths with factors 3, 5 and 7: their exponents, and the construction of
// plans for them. Includes lengths.h only.
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

// reaches: d^parts >= n.
static bool reaches(uint64_t d, unsigned parts, uint64_t n) {
    uint64_t left = n;
    for (; parts > 0 && left > 1; parts--) {
        left = (left + d - 1) / d;
    }
    return left <= 1;
}

// split: n as a product of so many factors, the largest as small as can be and first, then the next
// one. None above `limit`. False if there is none. Cost: `limit` divisions for each choice made.
static bool split(uint64_t n, unsigned parts, uint64_t limit, uint64_t *part) {
    if (parts == 1) {
        part[0] = n;
        return n > 1 && n <= limit;
    }
    for (uint64_t d = 2; d <= limit && d < n; d++) {
        if (n % d == 0 && reaches(d, parts, n) && split(n / d, parts - 1, d, part + 1)) {
            part[0] = d;
            return true;
        }
    }
    return false;
}

// fewest: the same in as few factors as the limit allows; 0 if a prime factor is above it.
static unsigned fewest(uint64_t n, uint64_t limit, uint64_t part[FFT_ID_STAGES_MAX]) {
    for (unsigned parts = 1; parts <= FFT_ID_STAGES_MAX; parts++) {
        if (reaches(limit, parts, n) && split(n, parts, limit, part)) {
            return parts;
        }
    }
    return 0;
}

const char *fft_id_mixed_make(fft_id_plan *plan, fft_id_twiddle rule) {
    const fft_id_tuple tuple = plan->tuple;
    uint64_t line[FFT_ID_STAGES_MAX], radix[FFT_ID_STAGES_MAX];
    const unsigned passes =
        fewest(fft_id_length(&plan->problem), ((uint64_t)1 << tuple.s) >> tuple.x, line);
    for (unsigned pass = 0; pass < passes; pass++) {
        const unsigned nodes = fewest(line[pass], (uint64_t)1 << tuple.p, radix);
        if (nodes == 0) {
            return "a prime factor of the length is above 2^p";
        }
        for (unsigned node = nodes; node-- > 0;) {  // the last node's roots serve most items
            fft_id_append(plan, (unsigned)radix[node],
                          node + 1 < nodes ? FFT_ID_SHARED : FFT_ID_GLOBAL, rule);
        }
    }
    return passes ? NULL : "a prime factor of the length is above 2^(s - x)";
}
