// join.cuh: joins what three or five pieces have at one place to blocks of coefficients. Includes
// residues.cuh.
#ifndef FFT_DEVICE_MODULAR_JOIN_CUH_
#define FFT_DEVICE_MODULAR_JOIN_CUH_

#include "fft/device/modular/residues.cuh"

// An element of a piece times w_s.
DEVICE double ModularTurn(double x, unsigned s, const fft_modular_prime &prime) {
    return ModularMulKnown(x, prime.omega[s], prime.omega_quotient[s], prime.field);
}

// ModularJoinThree: block b of coefficients from pieces modulo x^n - 1, x^n + 1 and x^n - i, the
// first two times 1/4 and the last one times 1/2. Their difference is half of block 1, their sum
// half of that of blocks 0 and 2, and what the third piece has beyond i times block 1 half of the
// difference of those.
DEVICE double ModularJoinThree(const double *y, unsigned b, const fft_modular_prime &prime) {
    const double sum = y[0] + y[1], difference = y[0] - y[1];
    if (b == 1) {
        return 2 * difference;
    }
    const double rest = y[2] - ModularTurn(difference, 2, prime);
    return b == 0 ? sum + rest : sum - rest;
}

// ModularJoinFive: the same from pieces modulo x^n - w, w = 1, -1, i, -i, times 1/8, and w of order
// 8 with w^2 = i, times 1/2; reduced. The first four are a cyclic product, halves of blocks 1, 2, 3
// and of the sum of blocks 0 and 4; what the last one has beyond the former three is half of the
// difference of blocks 0 and 4.
DEVICE double ModularJoinFive(const double *y, unsigned b, const fft_modular_prime &prime) {
    const double even = y[0] + y[1], odd = y[0] - y[1];
    const double sum = y[2] + y[3], turned = ModularTurn(y[2] - y[3], 2, prime);
    const double one = odd - turned, two = even - sum, three = odd + turned;
    double v = 2 * (b == 1 ? one : b == 2 ? two : three);
    if (b % 4 == 0) {
        const double above = two + ModularTurn(three, 4, prime);
        const double rest = y[4] - ModularTurn(one + ModularTurn(above, 4, prime), 4, prime);
        v = b == 0 ? (even + sum) + rest : (even + sum) - rest;
    }
    return ModularReduce(v, prime.field);
}

template <unsigned kPieces>
DEVICE double ModularJoinFew(const double (&y)[kPieces], unsigned b,
                             const fft_modular_prime &prime) {
    static_assert(kPieces == 3 || kPieces == 5, "other numbers are joined by the inverse matrix");
    if constexpr (kPieces == 3) {
        return ModularJoinThree(y, b, prime);
    } else {
        return ModularJoinFive(y, b, prime);
    }
}

#endif  // FFT_DEVICE_MODULAR_JOIN_CUH_
