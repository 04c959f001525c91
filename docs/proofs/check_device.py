#!/usr/bin/env python3
"""check_device.py: derives every numeric bound of modular_device.md and of the sources it is about.

Exact integers and fractions only; Python's standard library. Without arguments: repeats the kernels
on bounds for every prime (device_bounds.py, device_remaindering.py) and what they compute in exact
integers (device_identities.py), then compares the numbers in the sources' comments and the tables
in modular_device.md with what it derives, and fails with a sentence where one does not hold, or
could be smaller in the digits given. With --tables: prints the page's tables.
"""
import itertools
import math
import re
import sys
from fractions import Fraction

from claims import ROOT, number_in, require, round_up, words_of
from device_bounds import (COEFFICIENT, DFT_IN, GARNER, LEAST_BITS, LG_COEFFICIENT, LG_COEFFICIENTS,
                           LG_POINTS_MAX, PIECES, PRIMES, RESIDUE, SUM, THREE_CHUNKS, TWO_CHUNKS,
                           Chain, Device, dft_bounds)
from device_identities import (check_carries, check_digits, check_join_five, check_join_three,
                               check_pieces, check_roots, check_wrapped)
from device_remaindering import crt, garner
from primes import USED, check_second_primes, derive_primes, derive_root

PAGE = ROOT / 'docs' / 'proofs' / 'modular_device.md'


# --- plans ---

def check_plan():
    """plan_digits: every plan's coefficients are within COEFFICIENT. Rows of the table."""
    rows = {}
    for bits in range(64, LEAST_BITS[3] - 1, -1):
        for c in range(LG_POINTS_MAX + 2):     # digits are fewer than 2 limbs
            balanced = bits == 64 and 2 * bits + c > LG_COEFFICIENT
            if 2 * (bits - balanced) + c > LG_COEFFICIENT:
                continue
            bound = (2**c + 2) * 2**126 if balanced else 2**c * (2**bits - 1)**2
            require(bound <= COEFFICIENT, f'{bits} bits, 2^{c} digits')
            name = '64 bits, balanced' if balanced else f'{bits} bits'
            rows[name] = (c, bound)
    require(max(b for _, b in rows.values()) == COEFFICIENT, 'COEFFICIENT is reached')
    lines = ['| digits | up to | coefficients within |', '|---|---|---|']
    for name, (c, bound) in itertools.islice(rows.items(), 5):
        lines.append(f'| {name} | 2^{c} | {round_up(Fraction(bound, 2**LG_COEFFICIENT), 7)} '
                     f'2^{LG_COEFFICIENT} |')
    return '\n'.join(lines)


def check_long_plan(primes):
    """plan_digits modulo four primes and more: rows of the table."""
    lines = ['| primes | half their product above | coefficients within | bits of 2^20, 2^23, 2^25 digits |',
             '|---|---|---|---|']
    for k in range(4, PRIMES + 1):
        lg, most = LG_COEFFICIENTS[k], {4: TWO_CHUNKS, 5: THREE_CHUNKS, 6: 128}[k]
        require(f'{{{k}, ' + {4: 'FFT_MODULAR_TWO_CHUNKS', 5: 'FFT_MODULAR_THREE_CHUNKS', 6: '128'}[k]
                in words_of('fft/device/modular/plan.c'), f'the kind of {k} primes')
        widths = []
        for c in (20, 23, 25):
            bits = min((lg - c) // 2, most)
            require(bits >= LEAST_BITS[k], f'2^{c} digits modulo {k} primes')
            require(2**c * (2**bits - 1)**2 <= 2**lg, f'{bits} bits, 2^{c} digits')
            widths.append(str(bits))
        lines.append(f'| {k} | {half_product(primes, k)} 2^{lg} | 2^{lg} | {", ".join(widths)} |')
        require((lg - 32) // 2 >= LEAST_BITS[k] or k == 6 and lg - 32 >= 256, 'any count has digits')
    return '\n'.join(lines)


def half_product(primes, k):
    """Of the first k primes, in units of 2^lg_coefficient, rounded down to three places."""
    thousandths = math.prod(primes[:k]) * 1000 >> (LG_COEFFICIENTS[k] + 1)
    return f'{thousandths // 1000}.{thousandths % 1000:03}'


def check_decimal():
    """Digits in base 10^k: word_plan.c, decimal_parts.cuh, characters.cuh, text_pack of conversion.cu."""
    header = words_of('bigint/device/kernels/recombine_decimal.h')
    pack = words_of('bigint/device/text/conversion.cu') + words_of('bigint/device/kernels/characters.cuh')
    proof = (PAGE.parent / 'carry.md').read_text()
    bases = [tuple(map(int, base)) for base in re.findall(r'{(\d+), (\d+), (\d+)}', header)]
    require(len(bases) == 3, 'three bases')
    for primes, k, bits in bases:
        radix, lg = 10**k, LG_COEFFICIENTS.get(primes, LG_COEFFICIENT)
        length, digits = radix.bit_length(), (radix - 1 >> bits - 64) + 1
        words = (length + 63) // 64
        require(f'2^{lg}' in header and 3 * (radix - 1) < 2**128, f'{k} digits: sums of three')
        require(length <= bits and digits < 2**64 and radix - 1 <= digits << (bits - 64), f'{k} digits')
        require(bits == (128 if primes == 6 else length), 'the bits that columns read')
        pairs = 2**(lg + 64 - 2 * bits) // ((digits**2 >> 64) + 1)
        require(pairs * (radix - 1)**2 <= 2**lg, f'{pairs} digits of {k}')
        require(pairs > 2**31 or str(pairs) in PAGE.read_text(), f'{pairs} digits of {k} on the page')
        rest = (2**lg // radix**2).bit_length()
        require(f'2^{rest}' in proof and 2**lg // radix**2 < 2**44, f'{k} digits: the digit f')
        low = radix + 2**52 + (primes - 1) * 2**52 * radix
        shift = length - 8
        require(low < radix << 55 and 2**lg // radix < min(radix << 55, 2**(64 * (words + 1))), 'dividends')
        require((radix << 55) >> shift <= 2**63 and 2**56 <= 2**(64 + shift) // radix < 2**57, 'top and reciprocal')
        require(Fraction(2**shift, radix) < Fraction(1, 2**7) and 2 * radix < 2**128, 'the estimate')
        require(all(math.prod(derive_primes()[:j]) < 2**(50 * j) for j in range(1, primes)), 'words of constants')
        check_characters(k)
    kernel = words_of('bigint/device/kernels/characters.cuh')
    require('x * 103 >> 10' in kernel and all(x * 103 >> 10 == x // 10 for x in range(100)), 'tens')
    require('x * 5243 >> 19' in kernel and all(x * 5243 >> 19 == x // 100 for x in range(10**4)), 'hundreds')
    require(103 * 99 < 2**16, 'two pairs in one word')
    require('UINT64_C(1000000) << 32 | 100' in pack and 'UINT64_C(10000) << 32 | 1' in pack,
            'the products of text_pack')
    for x in ('00000000', '99999999', '12345678', '90000009', '09999990'):
        y = int.from_bytes(bytes(int(c) for c in x), 'little')
        y = (y * 10 + (y >> 8)) % 2**64
        even, odd = y & 0xff000000ff, y >> 16 & 0xff000000ff
        number = (even * (10**6 << 32 | 100) + odd * (10**4 << 32 | 1)) % 2**64 >> 32
        require(number == int(x), f'the number of {x}')


def check_characters(k):
    """DecimalText of characters.cuh for numbers of k digits: its margin, and what it makes of numbers."""
    radix = 10**k
    length, first = radix.bit_length(), k % 4
    halves, all_halves = -(-length // 32), fraction_halves(k)
    margin = 2**(32 * all_halves - 2) // radix
    lost, left, n = Fraction(2 * (halves + 2)), k - first, all_halves
    while left > 0:
        needed = fraction_halves(left)
        lost += Fraction(2**(32 * (all_halves - needed)), 10**(k - left)) if needed < n else 0
        left, n = left - 4, needed
    require(lost < 2 * margin and 2 * margin * radix < 2**(32 * all_halves) and margin < 2**32, f'{k} digits: the margin')
    numbers = [10**j + d for j in range(k) for d in (-1, 0, 1)] + [radix - 1, radix - 2]
    for x in numbers + [radix * j // 997 for j in range(997)]:
        if x < radix:
            require(characters(x, k, halves, all_halves, margin) == f'{x:0{k}}', f'the characters of {x}')


def fraction_halves(n):
    """HalvesOf."""
    halves = ((10**n).bit_length() + 2 + 31) // 32
    require(2**(32 * halves) >= 4 * 10**n, f'half words of a fraction with {n} digits')
    return halves


def characters(x, k, halves, all_halves, margin):
    """DecimalText::Put, half words as the kernel has them."""
    radix = 10**k
    length = radix.bit_length()
    reciprocal, x = 2**(32 * all_halves + length - 1) // radix, x << (32 * halves - length)
    product = sum(((x >> 32 * i) % 2**32) * ((reciprocal >> 32 * j) % 2**32) * 2**(32 * (i + j))
                  for i in range(halves) for j in range(all_halves) if i + j >= halves - 1)
    fraction, n, text = (product >> 32 * halves) + margin, all_halves, ''
    for digits, left in [(k % 4, k)] + [(4, left) for left in range(k - k % 4, 0, -4)]:
        needed = fraction_halves(left)
        fraction = (fraction >> 32 * (n - needed)) * 10**digits * (2 if left == k else 1)
        text += f'{fraction >> 32 * needed:0{digits}}'
        fraction, n = fraction % 2**(32 * needed), needed
    return text


# --- comments and tables ---

class Comments:
    """Claims about numbers in comments; in the end every number with a unit has had its claim."""
    FILES = ('fft/device/modular/convolution.h', 'fft/device/modular/residues.cuh', 'fft/device/modular/columns.cuh', 'fft/device/modular/digits.cuh',
             'fft/device/modular/inverse.cuh', 'fft/device/modular/join.cuh', 'fft/device/modular/lines.cuh',
             'fft/device/modular/pair.cuh', 'fft/device/modular/rows.cuh',
             'fft/device/modular/crt.cuh', 'fft/device/modular/garner.cuh', 'fft/device/modular/piece.cuh', 'fft/device/modular/plan.c', 'fft/device/modular/steps.cu',
             'fft/device/modular/outer_kernels.cu', 'fft/device/modular/outer.cuh',
             'fft/device/modular/inner_kernels.cu', 'fft/device/modular/share.h', 'fft/device/modular/tables.cu', 'fft/device/modular/tables.cuh')

    def __init__(self):
        self.text = {path: words_of(path) for path in self.FILES}

    def number(self, path, pattern, bound):
        """The pattern's groups are the bound, rounded up to as many places."""
        found = list(re.finditer(pattern, self.text[path]))
        require(found, f'{path} states {pattern}')
        for match in reversed(found):
            stated = match.group(1)
            places = len(stated.partition('.')[2])
            require(stated == round_up(Fraction(bound), places),
                    f'{path} states {stated}; it should be {round_up(Fraction(bound), max(places, 1))}')
            start, end = match.span(1)
            self.text[path] = self.text[path][:start] + self.text[path][end:]

    def phrase(self, path, phrase):
        require(phrase in self.text[path], f'{path} states: {phrase}')

    def finish(self):
        for path, text in self.text.items():
            text = text.replace('adding 1.5 2^52', '')      # what the host does
            left = re.findall(r'(\d+\.\d+) (?:p\d?|2\^\d+)\b', text)
            require(not left, f'{path} states {left}, proved nowhere')


def check_comments(primes, devices, nodes, crt_results, whole, gathered):
    """whole: of whole pieces, what they leave, joined, and of x^N + 1; gathered: what the outer pass leaves."""
    c = Comments()
    _, v1, above, bits = crt_results
    p0, p1, p2 = primes[:USED]
    mul, known = (max(d.slopes()[i] for d in devices) for i in range(2))
    for d in devices:
        require(d.reduce(int(SUM * d.p)) <= d.half + 1, 'sums are reduced to within p / 2 + 1')
        require(d.reduce(2**64) <= d.half + 2**12, 'words are reduced to within p / 2 + 2^12')
    c.phrase('fft/device/modular/residues.cuh', 'Within p / 2 + 1 for |a| <= 9.8 p, within p / 2 + 2^12 for a multiple')
    c.phrase('fft/device/modular/residues.cuh', 'A word modulo p, within p / 2 + 2^32 + 2^12')
    c.number('fft/device/modular/residues.cuh', r'\(1/2 \+ (\S+) \|a\| / p\) p', mul)
    c.number('fft/device/modular/residues.cuh', r': 1/2 \+ (\S+) \|a\| / p,', known)
    c.number('fft/device/modular/residues.cuh', r'(?:\|a\| <=|integers up to) (\S+) p', SUM)
    c.number('fft/device/modular/residues.cuh', r'\|x\| <= (\S+) p in', DFT_IN)
    c.number('fft/device/modular/residues.cuh', r'in, <= (\S+) p out', max(end for n in nodes for end, _ in n))
    c.number('fft/device/modular/residues.cuh', r'a product each, within (\S+) p,', max(x for n in nodes for _, x in n))
    c.phrase('fft/device/modular/rows.cuh', 'within p / 2 + 1, read by')
    c.number('fft/device/modular/convolution.h', r'wrapped around to it, within (\S+) p', RESIDUE)
    c.number('fft/device/modular/share.h', r'residues of its coefficients, within (\S+) p', RESIDUE)
    c.number('fft/device/modular/digits.cuh', r'within (\S+) p but for pieces', DFT_IN)
    c.number('fft/device/modular/steps.cu', r'of 2 x (\S+) p', RESIDUE)
    c.phrase('fft/device/modular/piece.cuh', 'with another spectrum, within p / 2 + 1,')
    c.number('fft/device/modular/piece.cuh', r'at Residues\(\)\[i\], within (\S+) p', whole[0])
    c.number('fft/device/modular/piece.cuh', r'\|y\| within (\S+) p', whole[0])
    c.number('fft/device/modular/piece.cuh', r'in the tables\. Within (\S+) p', whole[1])
    c.number('fft/device/modular/piece.cuh', r'v\^\(pieces - b\)\. Within (\S+) p', whole[2])
    c.number('fft/device/modular/outer.cuh', r'Items become elements, within (\S+) p', gathered)
    c.phrase('fft/device/modular/convolution.h', 'within 2^63 and the last one within 2^64')
    c.number('fft/device/modular/crt.cuh', r'\|r\| <= (\S+) p,', RESIDUE)
    c.phrase('fft/device/modular/crt.cuh', '|v0| <= p0 / 2 + 1')
    c.phrase('fft/device/modular/crt.cuh', '|v2| <= p2 / 2 + 1')
    c.number('fft/device/modular/crt.cuh', r'\|v1\| <= (\S+) p1', v1)
    c.number('fft/device/modular/crt.cuh', r'p0 p1 p2 / 2 \+ (\S+) p0 p1', above)
    c.phrase('fft/device/modular/crt.cuh', '(1 + 2^-21) 2^148')
    c.phrase('fft/device/modular/crt.cuh', f'above the half word before: below 2^{bits}')
    c.phrase('fft/device/modular/plan.c', 'within 2^63, the last one within 2^64')
    c.phrase('fft/device/modular/plan.c', '(count + 2) 2^126')
    c.phrase('fft/device/modular/plan.c', 'balanced within (1 + 2^-21) of that')
    for k in range(3, PRIMES + 1):
        stated = f'{half_product(primes, k)} 2^{LG_COEFFICIENTS[k]}'
        c.phrase('fft/device/modular/plan.c', stated)
        c.text['fft/device/modular/plan.c'] = c.text['fft/device/modular/plan.c'].replace(stated, '')
    c.number(GARNER, r'\|r_j\| <= (\S+) p_j', RESIDUE)
    c.number(GARNER, r'(?:Modulo p,|the others are) within (\S+) p', garner(primes)[1])
    c.phrase('fft/device/modular/digits.cuh', 'as a residue within p / 2 + 2^39')
    c.finish()


def tables(primes, devices, nodes, crt_results):
    lines = ['| p | 2^53 / p | ModularMul | ModularMulKnown | 9.8 p reduced |', '|---|---|---|---|---|']
    for d in devices:
        mul, known = (round_up(s, 4) for s in d.slopes())
        lines.append(f'| {d.p} | {float(Fraction(2**53, d.p)):.4f} | 1/2 + {mul} a | 1/2 + {known} a | '
                     f'(p - 1) / 2 + {d.reduce(int(SUM * d.p)) - d.half} |')
    out = ['\n'.join(lines)]
    lines = ['| Dft | ends within | largest product |', '|---|---|---|']
    for i in range(4):
        end, product = (round_up(max(n[i][j] for n in nodes), 3) for j in range(2))
        lines.append(f'| {2**(i + 1)} points | {end} p | ' + (f'{product} p |' if i else '– |'))
    out.append('\n'.join(lines))
    chains = [Chain(p).run() for p in primes]
    begins = max(row[0] for chain in chains for name, row in chain.items()
                 if name.endswith(('first node', 'later nodes')))
    joined = max(chain[f'{PIECES} pieces joined'][1] for chain in chains)
    for stated, bound in ((DFT_IN, begins), (RESIDUE, joined)):
        require(stated == Fraction(round_up(bound, 2)), f'{float(stated)} p is as tight as it can be')
    lines = ['| step | begins within | ends within | largest sum |', '|---|---|---|---|']
    for name in chains[0]:
        cells = [[chain[name][i] for chain in chains] for i in range(3)]
        lines.append(f'| {name} | ' + ' | '.join(
            '–' if None in cell else round_up(max(cell), 3) + ' p' for cell in cells) + ' |')
    out.append('\n'.join(lines))
    return out + [check_plan(), check_long_plan(primes), crt_results[0], garner(primes)[0]]


def check_second():
    """Products with an inner pass: far_plan.c, second_primes.h, and the kernels modulo the second primes."""
    primes, lg = check_second_primes()
    text = words_of('fft/device/modular/far_plan.c')
    bits = number_in('fft/device/modular/far_plan.c', r'FAR_BITS = (\d+)')
    product = number_in('fft/device/modular/far_plan.c', r'LG_FAR_DIGITS = (\d+) - 2 \* FAR_BITS')
    require('static_assert(3 + 2 * FFT_MODULAR_LG_OUTER + 9 + FFT_MODULAR_LG_LONG <= FFT_SECOND_LG_ROOT' in text,
            'far_plan.c asserts the order of roots')
    require(3 + 2 * 7 + 9 + 12 <= lg, 'turns of points of parts of parts')
    require(len(primes) == 6 and bits == 128, 'garner.cuh and recombine_device take such digits')
    require(LG_COEFFICIENTS[6] == product, 'far_plan.c has the bound of coefficients modulo six primes')
    require(2**(product - 2 * bits) * (2**bits - 1)**2 <= 2**product < math.prod(primes) // 2, 'far digits are exact')
    thousandths = math.prod(primes) * 1000 >> (product + 1)
    require(f'above {thousandths / 1000} 2^{product}' in words_of('fft/device/modular/second_primes.h'),
            f'half the product of the second primes is above {thousandths / 1000} 2^{product}')
    for p in primes:
        check_roots(p, derive_root(p))
        for halvings in range(lg + 1):
            require((p - (p - 1 >> halvings)) * 2**halvings % p == 1, f'2^-{halvings} modulo {p}')
        Chain(p).far(lg)
    garner(primes, 6)


def main():
    primes = derive_primes()
    devices = [Device(p) for p in primes]
    nodes = [dft_bounds(p) for p in primes]
    crt_results = crt(primes[:USED])
    page = tables(primes, devices, nodes, crt_results)
    if sys.argv[1:] == ['--tables']:
        print('\n\n'.join(page))
        return
    require(not sys.argv[1:], 'arguments are --tables or none')
    for p in primes[:USED]:
        check_roots(p, derive_root(p))
    check_digits()
    check_wrapped()
    check_join_three(primes[:USED])
    check_join_five(primes[:USED])
    check_carries()
    check_decimal()
    chains = [Chain(p).run() for p in primes]
    whole = [max(chain[name][1] for chain in chains) for name in ('scaled', 'four whole pieces joined', 'whole pieces of x^N + 1')]
    gathered = max(chain['gathered'][1] for chain in chains)
    check_comments(primes, devices, nodes, crt_results, whole, gathered)
    check_pieces(primes[:USED])
    check_second()
    for table in page:
        require(table in PAGE.read_text(), f'the table in {PAGE.name}; it should be\n{table}')
    print('check_device.py: every bound of modular_device.md and of fft/device/modular holds')


if __name__ == '__main__':
    main()
