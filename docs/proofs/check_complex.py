#!/usr/bin/env python3
"""check_complex.py: derives the digit widths of complex_fft.md from the bound of its section 5.

Exact fractions only; Python's standard library. Unlike fft/complex_bound.c it multiplies the layers'
factors out and compares squares, so the C code, which bounds both, can only be narrower; that the two
agree is what tests/fft/complex_bound_test.c finds with the stored vector. Without arguments: compares
the table in complex_fft.md, tests/fft/complex_widths.txt and the constants in fft/complex_bound.h with
what it derives, and fails with a sentence where they differ. With --vector, --table: prints them.
"""
import pathlib
import re
import sys
from fractions import Fraction

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / 'docs' / 'proofs' / 'complex_fft.md'
VECTOR = ROOT / 'tests' / 'fft' / 'complex_widths.txt'
HEADER = ROOT / 'fft' / 'complex_bound.h'

MARGIN = Fraction(1, 2) - Fraction(1, 2**10)
WIDTH_MAX = 26


def require(holds, what):
    if not holds:
        sys.exit('check_complex.py: does not hold: ' + what)


def constants():
    """The header's errors in u / 64, each checked against the square root that it stands for."""
    text = HEADER.read_text()

    def named(name):
        return Fraction(int(re.search(rf'FFT_BOUND_{name} = (\d+)', text).group(1)), 64)
    fused, plain = named('PRODUCT_FUSED'), named('PRODUCT_PLAIN')
    rounded, ulp = named('TWIDDLE_ROUNDED'), named('TWIDDLE_ULP')
    require(fused == 2, 'a fused product is two roundings')
    require(plain**2 >= 5, 'sqrt(5) u')
    require(2 * rounded**2 >= 1, 'u / sqrt(2)')
    require(ulp**2 >= 2, 'sqrt(2) u')
    return {'fused': fused, 'plain': plain, 'rounded': rounded, 'ulp': ulp}


def growth(shape, u, names):
    """f^3 (1 + pointwise) - 1 of section 5."""
    method, _, _, _, k, p, product, twiddle = shape
    by_product = (1 + u)**2 if product == 'fused' else 1 + names['plain'] * u
    by_root = by_product * (1 + names[twiddle] * u)
    f = (1 + u)**k * by_root**(p + (method == 'right-angle'))
    return f**3 * by_product - 1


def width(shape, balanced, names):
    method, significand, na, nb = shape[:4]
    u = Fraction(1, 2**significand)
    error = growth(shape, u, names)
    norms = Fraction(na + nb, 2)**2 if method == 'packed' else Fraction(na * nb)
    best = 0
    for w in range(1, WIDTH_MAX + 1):
        largest = 2**(w - 1) if balanced else 2**w - 1
        if norms * largest**4 * error**2 <= MARGIN**2:
            best = w
    return best


def shapes():
    """(method, significand, digits of a, of b, additions, products, product, twiddle)."""
    for significand in (53, 24):
        for lg in range(0, 33 if significand == 53 else 20):
            half = (lg + 1) // 2
            for method in ('right-angle', 'packed'):
                digits = 2**lg if method == 'right-angle' else max(2**lg // 2, 1)
                yield method, significand, digits, digits, lg, max(lg - 1, 0), 'fused', 'rounded'
                yield method, significand, digits, digits, lg, half, 'plain', 'ulp'
                yield method, significand, 2 * digits - 1, 1, lg, half, 'fused', 'ulp'
                yield method, significand, digits + digits // 2, (digits + 1) // 2, lg, lg, 'plain', 'rounded'


def vector(names):
    lines = ['# method, significand, digits of a, of b, additions, products, product, twiddle, '
             'width, balanced width']
    for shape in shapes():
        widths = [width(shape, balanced, names) for balanced in (False, True)]
        lines.append(' '.join(str(x) for x in (*shape, *widths)))
    return '\n'.join(lines) + '\n'


def table(names):
    lines = ['| lg L | double, any radices | balanced | double, 16 and 8 | balanced | float, 16 and 8 '
             '| balanced | longest operand, bits, double |', '|---|---|---|---|---|---|---|---|']
    for lg in (4, 6, 8, 10, 11, 12, 13, 14, 15, 16, 17, 18, 20, 22, 24, 28, 32):
        k, cells = lg - 1, []
        for significand, p in ((53, k - 1), (53, k // 2), (24, k // 2)):
            shape = ('right-angle', significand, 2**k, 2**k, k, p, 'fused', 'rounded')
            cells += [width(shape, balanced, names) for balanced in (False, True)]
        longest = f'{cells[3]} 2^{k} = {cells[3] * 2**k}'
        lines.append(f'| {lg} | ' + ' | '.join(str(w) if w else '–' for w in cells) + f' | {longest} |')
    return '\n'.join(lines)


def main():
    names = constants()
    if sys.argv[1:] == ['--vector']:
        print(vector(names), end='')
        return
    if sys.argv[1:] == ['--table']:
        print(table(names))
        return
    require(not sys.argv[1:], 'arguments are --vector, --table or none')
    require(table(names) in PAGE.read_text(),
            f'the table in {PAGE.name}; it should be\n{table(names)}')
    require(VECTOR.read_text() == vector(names), f'{VECTOR.name} is what --vector prints')
    print('check_complex.py: every width of complex_fft.md and of complex_widths.txt holds')


if __name__ == '__main__':
    main()
