"""device_remaindering: fft/device/modular/crt.cuh and garner.cuh on bounds; for check_device.py."""
import math
import re
from fractions import Fraction

from claims import require, round_up, words_of
from device_bounds import COEFFICIENT, GARNER, LG_COEFFICIENTS, PRIMES, RESIDUE, Device


def mixed_radix_step(primes):
    """MixedRadixStep: bits of a product of half words with what is above the half word before."""
    require(all(p % 2**32 == 1 for p in primes), 'primes are upper 2^32 + 1')
    upper, above = max(p >> 32 for p in primes), (2**52 - 1) >> 32
    for _ in range(2 * 5):                                  # of five words at most
        largest = above + (2**32 - 1) * upper
        above = largest >> 32
        require(largest < 2**51, 'a product and what is above the one before')
    return 51


def crt(primes):
    """ModularCrt::Coefficient: what its comments state, and the table."""
    p0, p1, p2 = primes
    f = [Device(p) for p in primes]
    r = [int(RESIDUE * p) for p in primes]
    v0 = f[0].reduce(r[0])
    v1 = f[1].mul(f[1].add(r[1], v0))
    of_v1 = f[2].mul(v1)
    product = f[2].mul(f[2].add(r[2], v0))
    v2 = f[2].reduce(f[2].add(product, of_v1))
    require(v0 <= f[0].half + 1 and v2 <= f[2].half + 1, 'v0, v2 are within p / 2 + 1')
    stated = Fraction(round_up(Fraction(v1, p1), 2))
    apart = (Fraction(p0, 2) + 1 + stated * p0 * p1 + p0 * p1) / (p0 * p1)
    computed = v0 + p0 * v1 + p0 * p1 * v2
    require(computed <= Fraction(p0 * p1 * p2, 2) + apart * p0 * p1, 'the sum of the digits')
    require(COEFFICIENT + Fraction(p0 * p1 * p2, 2) + apart * p0 * p1 < p0 * p1 * p2,
            'a coefficient is the only number so small that is congruent to it')
    other, own = re.findall(r'offset\[i\] = \(i == 1 \? (\d+) : (\d+)\) \* p\[i\]',
                            words_of('fft/device/modular/crt.cuh'))[0]
    offsets = [int(own) * p0, int(other) * p1, int(own) * p2]
    least = [o - v for o, v in zip(offsets, (v0, v1, v2))]
    most = [o + v for o, v in zip(offsets, (v0, v1, v2))]
    require(min(least) >= 0 and max(most) < 2**52, 'digits are in [0, 2^52)')
    less = offsets[0] + p0 * (offsets[1] + p1 * offsets[2])
    require(less == p0 + p0 * p1 * (p2 + 2), 'MixedRadixLess takes off what the offsets add')
    above = mixed_radix_step(primes)
    require(most[1] + p1 * most[2] < 2**128, 'the upper two digits have two words')
    require(most[0] + p0 * (most[1] + p1 * most[2]) < 2**191, 'all digits have three words')
    names = ('v0', 'v1', 'v1 / p1', '(r2 - v0) / (p0 p1)', 'v2')
    lines = ['| crt.cuh | within |', '|---|---|']
    for name, v, p in zip(names, (v0, v1, of_v1, product, v2), (p0, p1, p2, p2, p2)):
        lines.append(f'| {name} | {round_up(Fraction(v, p), 4)} p{primes.index(p)} |')
    for i in range(3):
        down = Fraction(least[i] * 1000 >> 52, 1000)
        lines.append(f'| digit {i} | {round_up(down, 3)} 2^52 to '
                     f'{round_up(Fraction(most[i], 2**52), 3)} 2^52 |')
    return '\n'.join(lines), stated, apart, above


def garner(primes, least=4):
    """ModularGarner::Coefficient modulo `least` primes and more: digits, uniqueness, words; the table's row and the
    largest digit that is not reduced."""
    text = words_of(GARNER)
    require('kWords = (kPrimes * 50 + 63) / 64' in text and '51 * (kPrimes - j) + 63' in text and
            'shift[j] = 0x1p52 + 2 * primes[j].p' in text and 'offset[j] = 2 * prime[j]' in text,
            'ModularGarner is what is checked')
    largest = 0
    for k in range(least, PRIMES + 1):
        digits = []
        for j, p in enumerate(primes[:k]):
            f = Device(p)
            v = int(RESIDUE * p)
            if j > 0:
                v = f.add(v, digits[0])
                v = f.mul(v) if j == 1 else f.sum([v] + digits[1:])
                largest = max(largest, Fraction(v, p))
            digits.append(f.reduce(v) if j in (0, k - 1) else v)
            require(digits[j] <= 2 * p and digits[j] + 2 * p < 2**52, 'digits and 2 p are in [0, 2^52)')
        require(digits[-1] <= f.half + 1, 'the last digit is reduced')
        product, weight, computed, added = math.prod(primes[:k]), 1, 0, 0
        for v, p in zip(digits, primes):
            computed += weight * v
            added += weight * 2 * p
            weight *= p
        coefficient = 2**LG_COEFFICIENTS[k]
        require(computed <= product // 2 + 2 * product // primes[k - 1], 'the sum of the digits')
        require(coefficient + computed < product,
                f'a coefficient is the only number so small that is congruent to it, {k} primes')
        mixed_radix_step(primes[:k])
        words = (50 * k + 63) // 64
        require(computed + added < 2**(64 * words) and coefficient < 2**(64 * words - 1),
                'the sum and the coefficient have their words')
        for j in range(k):                 # Horner's rule from the highest digit down to j
            inner = 0
            for i in range(k - 1, j - 1, -1):
                inner = inner * primes[i] + digits[i] + 2 * primes[i]
            require(inner < 2**(51 * (k - j)), 'what Horner\'s rule has so far')
    return f'| a digit of ModularGarner, not reduced | {round_up(largest, 3)} p |', largest
