#!/usr/bin/env python3
"""check_complex.py: derives the digit widths of complex_fft.md from the bound of its section 5.

Exact fractions only; Python's standard library. Unlike fft/complex/bound.c it multiplies the layers'
factors out and compares squares, so the C code, which bounds both, can only be narrower; that the two
agree is what tests/fft/complex/complex_bound_test.c finds with the stored vector. Without arguments: compares
the table in complex_fft.md, tests/fft/complex/widths.txt and the constants in fft/complex/bound.h with
what it derives, and fails with a sentence where they differ. With --vector, --table: prints them.
"""
import re
import struct
import sys
from fractions import Fraction

from claims import ROOT, require
from roots import double, eighth_turn, series

PAGE = ROOT / 'docs' / 'proofs' / 'complex_fft.md'
VECTOR = ROOT / 'tests' / 'fft' / 'complex' / 'widths.txt'
HEADER = ROOT / 'fft' / 'complex' / 'bound.h'
TWIDDLE = ROOT / 'fft' / 'complex' / 'twiddle.h'
PASS_ROOT = ROOT / 'fft' / 'device' / 'complex' / 'pass_root.cuh'

MARGIN = Fraction(1, 2) - Fraction(1, 2**10)
WIDTH_MAX = 26


def float_root():
    """|w~ - w| in u of the root that pass_root.cuh computes in floats, with the coefficients it has there."""
    u = Fraction(1, 2**24)
    text = re.search(r'float v = .*? s = s \* v', PASS_ROOT.read_text(), re.S).group(0)
    terms = {name: [Fraction(float.fromhex(x) if '0x' in x else float(x.rstrip('f')))
                    for x in re.findall(rf'{name} = (?:Fma\({name}, w, )?(?:\(float\))?([-0-9a-fpx.+]+)', text)]
             for name in 'sc'}
    terms['c'].append(Fraction(1))
    require([len(terms[name]) for name in 'sc'] == [5, 6], 'the series of pass_root.cuh')
    errors = {}
    for name, series in terms.items():
        error = size = Fraction(0)
        for exact in series:          # w~ = v~^2 (1 + d), w <= 1; a sum is at most its first term
            rounded = Fraction(struct.unpack('<f', struct.pack('<f', float(exact)))[0])
            error = error * (1 + u) + size * u + abs(rounded - exact)
            size = abs(exact)
            error += u * (size + error)
        errors[name] = error
    rest = Fraction(2)                # what both series leave out, below 2^-29
    sine = errors['s'] + u * (Fraction(7072, 10000) + errors['s']) + rest / 2**30
    cosine = errors['c'] + rest / 2**30
    quarter, turn = Fraction(7854, 10000), Fraction(63, 10)
    angle = u * quarter + turn / 2**32
    require((Fraction('2.8') * u)**2 >= sine**2 + cosine**2, 'the norm of both errors')
    return Fraction('2.8') + angle / u


def twiddles():
    """The constants of twiddle.h, and that its cosine and tangent are within 0.501 ulp."""
    u = Fraction(1, 2**53)
    text = TWIDDLE.read_text()
    relative = Fraction(0)                     # of sine and cosine together
    for name in ('sine', 'cosine'):
        exact = series(name == 'sine', eighth_turn())
        have = [Fraction(float.fromhex(x)) for part in ('', '_rest') for x in re.findall(
            r'-?0x1[.0-9a-fp+-]*|\b[01]\b', re.search(rf' twiddle_{name}{part}\[\d\] = ({{.*?}});', text, re.S).group(1))]
        want = [part for c in exact[:3] for part in (double(c), double(c - double(c)))]
        want += [double(c) for c in exact[3:10]]
        require(have == want, f'the series of twiddle_{name}')
        error = abs(exact[9] - want[-1])
        for c, rounded in zip(exact[8:2:-1], want[-2:5:-1]):   # the sum after a step is at most c
            error += abs(c - rounded) + u * abs(c) + u / 2 * abs(exact[exact.index(c) + 1])
        error += 20 * u**2 + abs(exact[10])                    # three terms in two parts; the tail
        relative += error / sum(exact)                         # w = 1: the least value
    require(relative <= u / 1000, 'cosine and tangent within 0.501 ulp')


def constants():
    """The header's errors in u, each checked against what it stands for."""
    text = HEADER.read_text()

    def named(name):
        return Fraction(int(re.search(rf'FFT_BOUND_{name} = (\d+)', text).group(1)), 64)
    plain, rounded, ulp, tangent, computed, single = (named(n) for n in (
        'PRODUCT_PLAIN', 'ROOT_ROUNDED', 'ROOT_ULP', 'ROOT_TANGENT', 'ROOT_COMPUTED', 'ROOT_FLOAT'))
    require(named('ROUNDING') == 1 and named('PRODUCT_FUSED') == 2, 'a fused product is two roundings')
    require(plain**2 >= 5, 'sqrt(5) u')
    require(2 * rounded**2 >= 1, 'u / sqrt(2)')
    require(ulp**2 >= 2, 'sqrt(2) u')
    require(computed**2 >= 2 * Fraction('0.52')**2, '0.52 sqrt(2) u')
    require(single >= float_root(), 'the root in floats')
    relative = Fraction('1.002')      # 0.501 ulp, relative to the least number of a binade, in u
    u = Fraction(1, 2**24)
    require(tangent * u >= (1 + relative * u)**2 - 1, 'cosine and tangent')
    for radix in (3, 5, 7):
        steps = (radix // 2 + 3)**2
        odd = [Fraction(int(re.search(rf'FFT_BOUND_{radix}_{way} = (\d+) ', text).group(1)), 64)
               for way in ('FORWARD', 'INVERSE')]
        require(odd[0]**2 >= 2 * radix * steps and odd[1]**2 >= 2 * steps, f'DFT of {radix} points')
        ODD[radix] = odd
    return {'plain': plain, 'rounded': rounded, 'ulp': ulp, 'tangent': tangent,
            'computed': computed, 'single': single}


# A shape is (method, significand, digits of a, of b, forward, inverse, pointwise product), the last
# three as lists of (relative error in u, how often).

def transform(k, p, product, root):
    """k layers of sums and p of products by roots."""
    return [(Fraction(1), k), *[(e, p) for e in product], (root, p)]


FUSED = [Fraction(1), Fraction(1)]
ODD = {}                              # errors of a DFT of 3, 5, 7 points, in u; of constants()


def host(k, names, radix=None):
    """complex.h: k levels of radix 2 and maybe one odd radix, forward and inverse."""
    turn = [*[(e, 1) for e in FUSED], (names['rounded'], 1)] if radix else []
    odd = [[(e, 1), *turn] for e in ODD[radix]] if radix else [[], []]
    return ([(Fraction(1), 2 * k), (names['tangent'], k), *odd[0]],
            [(Fraction(1), 3 * k), (names['tangent'], k), *odd[1]])


# The nodes that fft_device_plan chooses for 2^n points of one problem, passes apart, by n.
DEVICE = {
    53: {3: '8', 8: '16 16', 10: '16 8 8', 12: '16 16 16', 14: '16 8 | 16 8', 17: '8 8 8 | 16 16',
         18: '8 8 8 | 8 8 8', 20: '16 8 8 | 16 8 8', 22: '16 16 8 | 16 16 8',
         24: '16 16 | 16 16 | 16 16', 28: '16 8 8 | 8 8 8 | 8 8 8'},
    24: {3: '8', 8: '16 16', 10: '16 8 8', 12: '16 16 16', 14: '16 8 | 16 8',
         20: '32 32 | 32 32'},
}


def device(nodes, significand, names, right_angle):
    """Transforms by pass_complex.cuh's nodes; of a right angle with a twist."""
    layers = []

    def product(root, times=1):
        layers.extend([*[(e, times) for e in FUSED], (root, times)])
    for i, one in enumerate(passes := nodes.split(' | ')):
        for j, radix in enumerate(radices := one.split()):
            digits = int(radix).bit_length() - 1
            layers.append((Fraction(1), digits))
            product(names['rounded'], (digits - 1) // 2)
            if j + 1 < len(radices):
                product(names['computed'], 2 if digits > 2 else 1)
            elif i + 1 < len(passes):   # the product of two roots, and the product by it
                product(names['computed'] if significand == 53 else names['single'], 2)
    if right_angle:
        product(names['computed'])
    return layers


def tree_root(i, d, names):
    """Layers that the root to the power 2^i is worth, of a node of 2^d points."""
    power = [(names['computed'], 1)]
    if i % 2 == 1:                      # the square of one that is given
        power = 2 * power + [(e, 1) for e in FUSED]
    return power + [(e, 1) for e in [*FUSED, names['rounded']] if i + 2 < d]


def tree(digits, names, across, given=False):
    """Forward, inverse and product by fft/device/complex/piece.cuh's nodes of 2^d points, d in digits,
    the last one without its last level, after one of 2^across that takes the halves of the digits
    by themselves, as the first level below it does; given: of both at once, by roots that are all
    given."""
    both = [], []

    def level(root):
        for layers, roundings in zip(both, (4, 3)):
            layers.extend([(Fraction(1), roundings), *root])
    for i in range(across):
        level([(names['computed'], 1)] if given else tree_root(i, across, names))
    for i, d in enumerate(digits):
        if i > 0:
            level([(names['computed'], 1)])
        for j in reversed(range(d - 1)):
            level(tree_root(j, d - 1, names))
            if i == 0 and j == d - 2 and not given:   # sqrt(2) < 3 / 2 times as much, and a sum
                both[0][:] = [(e * 3 / 2, times) for e, times in both[0]] + [(Fraction(1), 1)]
    return *both, [(Fraction(1), 6), *tree_root(0, digits[-1] - 1, names)]


def width(shape, balanced):
    method, significand, na, nb, forward, inverse, pointwise = shape
    u = Fraction(1, 2**significand)
    factor = Fraction(1)
    for e, times in [*forward, *forward, *inverse, *pointwise]:
        factor *= (1 + e * u)**times
    norms = Fraction(na + nb, 2)**2 if method == 'packed' else Fraction(na * nb)
    best = 0
    for w in range(1, WIDTH_MAX + 1):
        largest = 2**(w - 1) if balanced else 2**w - 1
        if norms * largest**4 * (factor - 1)**2 <= MARGIN**2:
            best = w
    return best


def shapes(names):
    fused, plain = [(e, 1) for e in FUSED], [(names['plain'], 1)]
    for significand in (53, 24):
        for lg in range(0, 33 if significand == 53 else 20):
            half, n = (lg + 1) // 2, 2**lg
            layers = transform(lg, half + 1, FUSED, names['ulp'])
            unfused = transform(lg, lg, [names['plain']], names['rounded'])
            yield 'right-angle', significand, n, n, *host(lg, names), fused
            yield 'packed', significand, (n + 1) // 2, (n + 1) // 2, *host(lg, names), fused
            yield 'right-angle', significand, 2 * n - 1, 1, layers, layers, fused
            for radix in (3, 5, 7) if lg < 30 else ():
                yield ('right-angle', significand, radix * n, radix * n, *host(lg, names, radix),
                       [*fused, (Fraction(1), 2)])
            yield 'packed', significand, n - n // 4, n // 4 + 1, unfused, unfused, plain
        for lg, nodes in DEVICE[significand].items():
            n = 2**lg
            layers = [device(nodes, significand, names, turn) for turn in (True, False)]
            yield 'right-angle', significand, n, n, layers[0], layers[0], fused
            yield 'packed', significand, n // 2, n // 2, layers[1], layers[1], fused


def vector(names):
    lines = ['# method, significand, digits of a, of b, errors in u / 64: forward, inverse, product; '
             'width, balanced width']
    for shape in shapes(names):
        sums = [sum(64 * e * times for e, times in part) for part in shape[4:]]
        widths = [width(shape, balanced) for balanced in (False, True)]
        lines.append(' '.join(str(x) for x in (*shape[:4], *sums, *widths)))
    return '\n'.join(lines) + '\n'


def table(names):
    fused = [(e, 1) for e in FUSED]
    lines = ['| lg L | double, complex.h | balanced | double, radix 16 | balanced | float, complex.h '
             '| balanced | longest operand, bits, double, complex.h |', '|---|---|---|---|---|---|---|---|']
    for lg in (4, 6, 8, 10, 11, 12, 13, 14, 15, 16, 17, 18, 20, 22, 24, 28, 32):
        k, cells = lg - 1, []
        radix16 = transform(k, k // 2 + 1, FUSED, names['rounded'])
        for significand, parts in ((53, host(k, names)), (53, (radix16, radix16)), (24, host(k, names))):
            shape = ('right-angle', significand, 2**k, 2**k, *parts, fused)
            cells += [width(shape, balanced) for balanced in (False, True)]
        longest = f'{cells[1]} 2^{k} = {cells[1] * 2**k}'
        lines.append(f'| {lg} | ' + ' | '.join(str(w) if w else '–' for w in cells) + f' | {longest} |')
    return '\n'.join(lines)


def device_table(names):
    fused = [(e, 1) for e in FUSED]
    lines = ['| lg N | nodes, double | right angle | packed | nodes, float | right angle | packed |',
             '|---|---|---|---|---|---|---|']
    for lg in DEVICE[53]:
        cells = []
        for significand in (53, 24):
            nodes = DEVICE[significand].get(lg)
            if not nodes:
                cells += ['', '', '']
                continue
            cells.append(nodes.replace('|', '/'))
            for method, n in (('right-angle', 2**lg), ('packed', 2**(lg - 1))):
                layers = device(nodes, significand, names, method == 'right-angle')
                shape = (method, significand, n, n, layers, layers, fused)
                widths = [width(shape, balanced) for balanced in (False, True)]
                cells.append(', '.join(str(w) if w else '–' for w in widths))
        lines.append(f'| {lg} | ' + ' | '.join(cells) + ' |')
    return '\n'.join(lines)


# Decimal products of two factors of 2^lg digits each (bigint/device/decimal): for the largest base
# 10^k that is proved and the next one, if there is one, the nodes that fft_device_plan chooses; of reals for half as
# many points, and a layer between both kinds of frequencies.
DECIMAL = {
    10: [(6, '8 8 8', None), (5, '16 16', '16 16'), (6, None, '16 16')],
    12: [(5, '16 16 8', '16 8 8'), (6, '16 16 8', '16 8 8')],
    16: [(4, '16 8 | 16 16', '16 8 | 16 8'), (5, '16 8 | 16 16', '16 8 | 16 8')],
    20: [(4, '8 8 8 | 16 8 8', '8 8 8 | 8 8 8'), (5, '8 8 8 | 16 8 8', '8 8 8 | 8 8 8')],
    23: [(3, '16 16 8 | 16 16 16', '16 16 | 16 8 | 16 8'), (4, '16 16 8 | 16 16 8', '16 8 | 16 8 | 16 8')],
}


def spectrum(names, roundings):
    """The layer of section 4.8: these roundings, and a root times two constants."""
    constant = [*[(e, 1) for e in FUSED], (names['rounded'], 1)]
    return [(Fraction(1), roundings), (names['computed'], 1), *constant, *constant]


def decimal_error(names, lg, k, nodes, real):
    """The bound of a coefficient, in double, of balanced digits; the top one counts as four."""
    layers = device(nodes, 53, names, True)
    forward, inverse = layers, layers
    if real:
        forward = [*layers, *spectrum(names, 4)]
        inverse = [*[(e * 3 / 2, times) for e, times in layers], *spectrum(names, 6)]
    factor = Fraction(1)
    for e, times in [*forward, *forward, *inverse, *[(e, 1) for e in FUSED]]:
        factor *= (1 + e / 2**53)**times
    digits = -(-2**lg // k) + 3
    return digits * Fraction(10**k, 2)**2 * (factor - 1)


def decimal_table(names):
    lines = ['| digits of a factor | complex | real |', '|---|---|---|']
    for lg, rows in DECIMAL.items():
        cells = []
        for real in (False, True):
            found = [(k, nodes, decimal_error(names, lg, k, nodes, real))
                     for k, *both in rows if (nodes := both[real])]
            proved = max(row for row in found if row[2] <= MARGIN)
            require(proved[0] in (6, max(found)[0] - 1), 'the next base is not proved')
            cells.append(f'10^{proved[0]}, {proved[1].replace("|", "/")}, {float(proved[2]):.4f}')
        lines.append(f'| 2^{lg} | ' + ' | '.join(cells) + ' |')
    return '\n'.join(lines)


def tree_table(names):
    lines = ['| lg N | nodes | double, unsigned | balanced |', '|---|---|---|---|']
    for lg in range(10, 15):
        shape = ('right-angle', 53, 2**lg + 3, 2**lg + 3, *tree([5, 5], names, lg - 10, lg > 13))
        widths = [width(shape, balanced) for balanced in (False, True)]
        require(widths[lg > 12] >= 16, 'digits of 16 bits in block_product.cu')
        wrapped = ('packed', 53, 2**lg + 3, 2**lg + 3, *tree([5, 5], names, lg - 10, True))
        require(lg < 13 or width(wrapped, True) >= 16, 'digits of 16 bits around a modulus')
        nodes = ' '.join(str(2**d) for d in [lg - 10] * (lg > 10) + [5, 5])
        lines.append(f'| {lg} | {nodes} | {widths[0]} | {widths[1]} |')
    return '\n'.join(lines)


def main():
    twiddles()
    names = constants()
    if sys.argv[1:] == ['--vector']:
        print(vector(names), end='')
        return
    if sys.argv[1:] == ['--table']:
        print(table(names), device_table(names), tree_table(names), decimal_table(names), sep='\n\n')
        return
    require(not sys.argv[1:], 'arguments are --vector, --table or none')
    for wanted in (table(names), device_table(names), tree_table(names), decimal_table(names)):
        require(wanted in PAGE.read_text(), f'the table in {PAGE.name}; it should be\n{wanted}')
    require(VECTOR.read_text() == vector(names), f'{VECTOR.name} is what --vector prints')
    print('check_complex.py: every width of complex_fft.md and of widths.txt holds')


if __name__ == '__main__':
    main()
