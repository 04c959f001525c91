"""primes: derives the prime set of fft/modular/primes.c, its roots and its inverses, and the second primes of
fft/device/modular; for check_*.py."""
import itertools
import re
from fractions import Fraction

from claims import ROOT, number_in, require, words_of

PRIMES, USED = 8, 3
ROOT_LG = 32                      # the order of the roots is 2^32
STEP = 2**ROOT_LG * 27 * 5        # divides p - 1
PRODUCT_LG = 149                  # the three largest multiply to more than 2^149


def is_prime(n):
    """Miller-Rabin; the first 12 primes as bases decide all n < 3.18e23 [SorensonWebster15]."""
    bases = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)
    require(n < 318665857834031151167461, 'Miller-Rabin is deterministic here')
    if any(n % q == 0 for q in bases):
        return n in bases
    d, s = n - 1, 0
    while d % 2 == 0:
        d, s = d // 2, s + 1
    for a in bases:
        x = pow(a, d, n)
        if x in (1, n - 1):
            continue
        if not any((x := x * x % n) == n - 1 for _ in range(s - 1)):
            return False
    return True


def primes_below(step):
    """The primes p = 1 mod step below 2^49.7, that is p^10 < 2^497, largest first."""
    for k in range(2**50 // step, 0, -1):
        p = k * step + 1
        if p**10 < 2**497 and is_prime(p):
            yield p


def derive_primes():
    return list(itertools.islice(primes_below(STEP), PRIMES))


def derive_root(p, lg=ROOT_LG):
    """g^((p - 1) / 2^lg) for the least quadratic non-residue g: of order 2^lg exactly."""
    g = next(g for g in range(2, p) if pow(g, (p - 1) // 2, p) == p - 1)
    root = pow(g, (p - 1) >> lg, p)
    require(pow(root, 2**(lg - 1), p) == p - 1, f'order of the root modulo {p}')
    return root


def check_second_primes():
    """second_primes.c: the largest with 2^40 dividing p - 1, how many there are, their roots."""
    header = 'fft/device/modular/second_primes.h'
    count, lg = (number_in(header, name + r' = (\d+)') for name in ('FFT_SECOND_PRIMES', 'FFT_SECOND_LG_ROOT'))
    text = words_of('fft/device/modular/second_primes.c')
    every = list(primes_below(2**lg))
    require(f'with 2^{lg} dividing p - 1, of {len(every)} that there are' in text, 'how many second primes there are')
    pairs = [(int(a), int(b)) for a, b in re.findall(r'\{(\d+), (\d+)\}', text)]
    require(pairs == [(p, derive_root(p, lg)) for p in every[:count]], 'second primes and roots')
    return every[:count], lg


def derive_inverses(p):
    return {'i01': pow(p[0], -1, p[1]), 'i12': pow(p[1], -1, p[2]),
            'i012': pow(p[0] * p[1], -1, p[2])}


def reciprocal_error(p):
    """|p RN(1/p) - 1|. Python's division of doubles rounds to nearest, as C's does."""
    return abs(Fraction(1.0 / p) * p - 1)


def check_primes(primes):
    product = primes[0] * primes[1] * primes[2]
    require(product > 2**PRODUCT_LG, 'p0 p1 p2 > 2^149')
    rough = {p for p in primes if reciprocal_error(p) > Fraction(1, 2**53) * Fraction(70, 99)}
    for three in itertools.combinations(primes, 3):  # 70/99 < 2^-1/2
        if three[0] * three[1] * three[2] > 2**PRODUCT_LG:
            require(len(rough.intersection(three)) >= 2,
                    'triples above 2^149 hold two primes with reciprocal errors above 2^-53.5')


def check_primes_file(primes, roots, inverses):
    text = (ROOT / 'fft' / 'modular' / 'primes.c').read_text()
    pairs = [(int(a), int(b)) for a, b in re.findall(r'\{(\d+), (\d+)\}', text)]
    require(pairs == list(zip(primes, roots)), 'primes and roots of fft/modular/primes.c')
    named = {a: int(b) for a, b in re.findall(r'\.(i\d+) = (\d+)', text)}
    require(named == inverses, 'inverses of fft/modular/primes.c')


def print_primes_file(primes, roots, inverses):
    print('const fft_prime fft_primes[FFT_PRIMES] = {')
    for p, r in zip(primes, roots):
        print(f'    {{{p}, {r}}},')
    print('};\n\nconst fft_crt_inverses fft_crt_inverse = {')
    for name, value in inverses.items():
        print(f'    .{name} = {value},')
    print('};')
