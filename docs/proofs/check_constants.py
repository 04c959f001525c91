#!/usr/bin/env python3
"""check_constants.py: derives the constants of fft/ and every numeric bound that its headers state.

Exact integers and fractions only; Python's standard library. Without arguments: derives, compares
with fft/modular/primes.c (primes.py), fft/complex/root.h (roots.py), with the bounds in fft/*/*.h (host_bounds.py)
and with the tables in modular_fft.md, crt.md and roots.md, and fails with a sentence where
something does not hold. With --write: prints fft/modular/primes.c's and fft/complex/root.h's tables. With --tables:
prints the pages' tables.
"""
import re
import sys
from fractions import Fraction

import roots
from claims import ROOT, UNIT, require, round_up
from host_bounds import (CRT_DIGIT, CRT_RESIDUE, FACTOR, FORWARD, INVERSE, LANES, PRODUCT, REDUCED,
                         SLOPE, SUM, TWIDDLE_SLOPE, Field, crt_digits, forward_kernel,
                         inverse_kernel, leaf_forward, leaf_inverse, pointwise, split,
                         sum_of_products, table_entries, truncated_inverse)
from primes import (PRIMES, PRODUCT_LG, STEP, USED, check_primes, check_primes_file, derive_inverses,
                    derive_primes, derive_root, print_primes_file, reciprocal_error)

FFT = ROOT / 'fft'

SUM_BITS = 148                    # FFT_SUM_BITS: coefficients of sums are below 2^148
STATED = {FORWARD, *INVERSE, *PRODUCT, *FACTOR, LANES, SUM, REDUCED, CRT_RESIDUE, CRT_DIGIT}


# --- words ---

def check_words(p):
    """crt_coefficients: no carry leaves the words that hold the sums."""
    require(2**49 < min(p) and max(p) < 2**50, 'primes have 50 bits')
    t = (p[2] - 1) * p[1] + p[1] - 1    # nested: v1 + p1 v2
    low = (2**64 - 1) * p[0] + p[0] - 1
    require(t < 2**100 and t >> 64 < 2**36, 'v1 + p1 v2 fits two words, 36 bits of the upper')
    require(low < 2**114, 'v0 + p0 t0 fits two words')
    require((t >> 64) * p[0] + (low >> 64) < 2**86, 'the upper sum fits two words')
    require(p[0] * p[1] * p[2] < 2**150, 'coefficients fit three words')
    digit = 2**52                       # crt_words with 52-bit products
    c0, c1 = p[0] * p[1] % digit, p[0] * p[1] // digit
    require(max(*p, c1) <= digit, 'factors are below 2^52')
    a0 = p[0] - 1 + 2 * (digit - 1)     # a digit, two low halves
    a1 = (p[0] * (p[1] - 1) // digit + min(c0, digit - 1) * (p[2] - 1) // digit + digit - 1 +
          a0 // digit)
    a2 = c1 * (p[2] - 1) // digit + a1 // digit
    require(max(a0, a1) < 2**54 and a2 < 2**46, 'columns of crt_words')


def word_product(p, most, e=Fraction(1)):
    """residue_mul: x w - hi(x, q) p is below this for x <= most."""
    require(most < 2**52, 'factors have 52 bits')
    return (1 + e * most / 2**52) * p


def shifted(p, most, less):
    """residue_shifted: the least and the largest value, for x <= most, by each quotient."""
    ends = [(j << 50, min((j + 1 << 50) - 1, most)) for j in range((most >> 50) + 1)]
    steps = [(x - (j + less) * p) for j, pair in enumerate(ends) for x in pair]
    return min(steps), max(steps)


def check_residues(p):
    """modular_words.md: the ranges of residue_words.h, largest values included."""
    m, forward, inverse = 2**52, 3 * 2**50 - 1, 2 * p - 1
    lanes = 1 + Fraction(p, m)          # twiddle_lane: its q is less than exact by this

    require(4 * p < m and 3 * 2**50 <= 4 * p and p < 2**50, f'{p} is between 3/4 2^50 and 2^50')
    require(lanes < Fraction('1.2003'), 'lane twiddles err by less than 1.2003')
    require(word_product(p, forward, lanes) <= 2 * p, 'w v is below 2 p')
    low, high = shifted(p, forward, -1)
    require(low >= p and high + p <= forward, 'forward residues stay below 3 2^50')
    low, high = shifted(p, 2 * inverse, 0)
    require(low >= 0 and high <= inverse, 'sums of inverse residues are reduced below 2 p')
    require(word_product(p, 4 * p - 1, lanes) <= inverse, 'products of inverse residues are below 2 p')
    y = word_product(p, forward)
    require(forward * y / m + p < 4 * p, 'pointwise products are below 4 p')
    require((p - 1) // 2**50 == 0 and m - 1 + 2**50 < 2 * m, 'a lane quotient carries at most 1')


def check_residue_digits(p):
    """modular_words.md, section 4: crt_digits of words."""
    biased = [3 * q - 1 for q in p]     # an inverse residue and a number below p
    require(word_product(p[0], biased[0]) <= 2 * p[0], 'v0 is a product below 2 p')
    for i in (1, 2):
        terms = [word_product(p[i], biased[i])] + [word_product(p[i], q - 1) for q in p[:i]]
        require(sum(terms) < 4 * p[i], f'the sum of {i + 1} products can be reduced')


def check_plan(product):
    """plan.c: both of its conditions imply count max^2 < p0 p1 p2, for every count up to 2^31."""
    for bits in range(1, 65):
        for c in range(32):
            if 2 * bits + c <= PRODUCT_LG:
                require(2**c * (2**bits - 1)**2 < product, f'{bits}-bit digits, 2^{c} of them')
    for bits in range(32, 65):          # of sums: half of the 2^c products are those of one sign
        e = SUM_BITS - bits
        for c in range(1, PRODUCT_LG - 2 * bits + 1):
            largest, bias = 2**(c - 1) * (2**bits - 1)**2, 2**e * (2**bits - 1)
            require(largest <= bias, f'{bits}-bit digits, 2^{c - 1} of them, are within their bias')
            require(2 * bias < product, f'coefficients of {bits}-bit digits with their bias')
    for radix in (10, 10**18, 10**19, 2**63, 2**64 - 1):
        high = (radix**2 >> 64) + 1
        count = min(2**31, 2**(PRODUCT_LG - 64) // high)    # the largest that plan_fits_radix takes
        require(high < 2**64 and count * 2**64 <= 2**127, 'plan_fits_radix does not overflow')
        require(count * radix**2 <= 2**PRODUCT_LG < product, f'radix {radix}, {count} digits')


# --- all bounds of one prime ---

def steps(rounded):
    """Every step with its name, the bound that it starts from and the one that it must end within."""
    inverse, product = INVERSE[rounded], PRODUCT[rounded]
    for r in range(1, 5):
        yield f'forward, radix {2**r}', lambda f, b, r=r: forward_kernel(f, r, b), FORWARD, FORWARD
    widths = (2,) if rounded else (2, 3)
    for r in widths:
        yield f'leaf forward, {2**r} lanes', lambda f, b, r=r: leaf_forward(f, r, b), FORWARD, FORWARD
    yield 'pointwise product', pointwise, FORWARD, product
    yield 'sum of products', sum_of_products, FORWARD, product
    for r in widths:
        yield f'leaf inverse, {2**r} lanes', lambda f, b, r=r: leaf_inverse(f, r, b), product, inverse
    for r in range(1, 5):
        yield f'inverse, radix {2**r}', lambda f, b, r=r: inverse_kernel(f, r, b), inverse, inverse
    yield 'truncated inverse', truncated_inverse, inverse, inverse


def bounds(p, rounded):
    """For every step: the largest result, factor and sum, in units of p."""
    f = Field(p, rounded)
    factor = FACTOR[rounded]
    f.twiddle(int(factor * p))
    require(SUM * p <= 2**53, f'9.8 p <= 2^53 modulo {p}')
    require(f.quotient(f.half, UNIT, f.error) <= SLOPE[rounded], f'slope modulo {p}')
    require(f.quotient(f.half, UNIT) <= TWIDDLE_SLOPE[rounded], f'slope of twiddles modulo {p}')
    require(split(f) <= FORWARD * p, f'digits begin within {float(FORWARD)} p modulo {p}')
    table_entries(f)
    out = {}
    for name, step, start, end in steps(rounded):
        f.factor = f.sum = 0
        result = step(f, int(start * p))
        require(result <= end * p, f'{name} ends within {float(end)} p modulo {p}')
        require(f.factor <= factor * p and f.sum <= SUM * p, f'{name} modulo {p}')
        out[name] = [f.units(x) for x in (result, f.factor, f.sum)]
    return out


def bounds_table(primes, rounded):
    """The worst of all primes, rounded up."""
    every = [bounds(p, rounded) for p in primes]
    form = 'rounded twice' if rounded else 'fused'
    lines = [f'| {form} | ends within | largest factor | largest sum |', '|---|---|---|---|']
    for name in every[0]:
        worst = [round_up(max(b[name][i] for b in every), 3) + ' p' for i in range(3)]
        lines.append(f'| {name} | ' + ' | '.join(worst) + ' |')
    return '\n'.join(lines)


def prime_table(primes):
    lines = ['| p | (p - 1) / (2^32 27 5) | 1/p rounded errs by | 2^53 / p |', '|---|---|---|---|']
    for p in primes:
        error = reciprocal_error(p) * 2**53
        lines.append(f'| {p} | {(p - 1) // STEP} | {round_up(error, 4)} 2^-53 | '
                     f'{float(Fraction(2**53, p)):.4f} |')
    return '\n'.join(lines)


def crt_table(primes):
    names = ('residue times constant', 'digit times constant', 'sum of two', 'sum of three')
    forms = [crt_digits([Field(p, rounded) for p in primes[:USED]]) for rounded in (0, 1)]
    lines = ['| crt_digits | fused, within | rounded twice |', '|---|---|---|']
    return '\n'.join(lines + [f'| {n} | {round_up(a, 3)} p | {round_up(b, 3)} p |'
                              for n, a, b in zip(names, *forms)])


def roots_table():
    header = (FFT / 'complex' / 'root.h').read_text()
    rows = zip(('sine', 'cosine'), *roots.check(header))
    lines = ['| part | polynomial errs by | all errors |', '|---|---|---|']
    return '\n'.join(lines + [f'| {name} | {round_up(series, 4)} ulp | {round_up(total, 4)} ulp |'
                              for name, series, total in rows])


def check_comments():
    """Every bound 'x.y p' in a header of the host's is one of those proved here."""
    for path in sorted(FFT.glob('*/*.h')):
        for number in re.findall(r'(\d+\.\d+) p\b', path.read_text()):
            require(Fraction(number) in STATED, f'{path.name} states {number} p, proved nowhere')
    fused, rounded = (float(b) for b in INVERSE)
    asserted = (f'RESIDUE_FORWARD = {float(FORWARD)};',
                f'RESIDUE_INVERSE = VEC_ROUNDED_TWICE ? {rounded} : {fused};',
                'RESIDUE_FACTOR = VEC_ROUNDED_TWICE ? {1} : {0};'.format(*map(float, FACTOR)))
    doubles = (FFT / 'modular' / 'residue_doubles.h').read_text()
    for line in asserted:
        require(line in doubles, f'residue_doubles.h asserts {line}')
    for slope in SLOPE:
        require(str(float(slope)) in (FFT / 'modular' / 'field.h').read_text(), f'field.h states {float(slope)}')
    for slope in TWIDDLE_SLOPE:
        require(str(float(slope)) in doubles, f'residue_doubles.h states {float(slope)}')


def check_page(name, tables):
    text = (ROOT / 'docs' / 'proofs' / name).read_text()
    for table in tables:
        require(table in text, f'the table in docs/proofs/{name}; it should be\n{table}')


def main():
    primes = derive_primes()
    prime_roots = [derive_root(p) for p in primes]
    inverses = derive_inverses(primes)
    if sys.argv[1:] == ['--write']:
        print_primes_file(primes, prime_roots, inverses)
        roots.print_constants()
        return
    check_primes(primes)
    tables = {'modular_fft.md': [prime_table(primes), bounds_table(primes, 0), bounds_table(primes, 1)],
              'crt.md': [crt_table(primes)],
              'roots.md': [roots_table()]}
    if sys.argv[1:] == ['--tables']:
        print('\n\n'.join(t for page in tables.values() for t in page))
        return
    require(not sys.argv[1:], 'arguments are --write, --tables or none')
    check_primes_file(primes, prime_roots, inverses)
    check_words(primes[:USED])
    for p in primes:
        check_residues(p)
    check_residue_digits(primes[:USED])
    check_plan(primes[0] * primes[1] * primes[2])
    check_comments()
    for name, page in tables.items():
        check_page(name, page)
    print(f'check_constants.py: {PRIMES} primes, roots and every bound of fft/ hold')


if __name__ == '__main__':
    main()
