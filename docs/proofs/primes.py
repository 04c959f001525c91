"""primes: derives the prime set of fft/modular/primes.c, its roots and its inverses; for check_*.py."""
import itertools
import re
from fractions import Fraction

from claims import ROOT, require

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


def derive_primes():
    """The largest primes p = 1 mod STEP below 2^49.7, that is p^10 < 2^497."""
    k = 2**50 // STEP
    found = []
    while len(found) < PRIMES:
        p = k * STEP + 1
        if p**10 < 2**497 and is_prime(p):
            found.append(p)
        k -= 1
    return found


def derive_root(p):
    """g^((p - 1) / 2^32) for the least quadratic non-residue g: of order 2^32 exactly."""
    g = next(g for g in range(2, p) if pow(g, (p - 1) // 2, p) == p - 1)
    root = pow(g, (p - 1) >> ROOT_LG, p)
    require(pow(root, 2**(ROOT_LG - 1), p) == p - 1, f'order of the root modulo {p}')
    return root


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
