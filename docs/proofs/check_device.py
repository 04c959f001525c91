#!/usr/bin/env python3
"""check_device.py: derives every numeric bound of modular_device.md and of the sources it is about.

Exact integers and fractions only; Python's standard library. Without arguments: repeats the kernels
on bounds for every prime (device_bounds.py), then compares the numbers in the sources' comments and
the tables in modular_device.md with what it derives, and fails with a sentence where one does not
hold, or could be smaller in the digits given. With --tables: prints the page's tables.
"""
import itertools
import math
import re
import struct
import sys
from fractions import Fraction

import check_constants as host
from check_constants import ROOT, USED, round_up
from device_bounds import (CHUNK, COEFFICIENT, DFT_IN, GARNER, LEAST_BITS, LG_COEFFICIENT, LG_COEFFICIENTS,
                           LG_POINTS_MAX, LOWEST, PIECES, PRIMES, RESIDUE, SUM, THREE_CHUNKS,
                           TWO_CHUNKS, Chain, Device, dft, dft_bounds, number_in, require, words_of)

PAGE = ROOT / 'docs' / 'proofs' / 'modular_device.md'


# --- exact identities ---

def check_roots(p, root):
    """Dft's matrix is w^(j k); omegas are distinct; the elimination of MakeJoin has no zero pivot."""
    w = pow(root, 2**28, p)               # of order 16
    for digits in range(1, 5):
        n = 2**digits
        for j in range(n):
            unit = [int(i == j) for i in range(n)]
            got = dft(unit, lambda v, k: v * pow(w, k, p) % p, lambda v: v,
                      lambda u, v: ((u + v) % p, (u - v) % p))
            require(got == [pow(w, 16 // n * j * k, p) for k in range(n)], 'Dft is the DFT')
    turns = [int(format(s, '03b')[::-1], 2) << 29 for s in range(PIECES)]
    omega = [pow(root, t, p) for t in turns]
    require(len(set(omega)) == PIECES and omega[:2] == [1, p - 1], 'omegas are distinct')
    for pieces in range(1, PIECES + 1):
        a = [[pow(o, b, p) for b in range(pieces)] for o in omega[:pieces]]
        for k in range(pieces):
            require(a[k][k] % p, 'pivots are not 0')
            for s in range(k + 1, pieces):
                times = a[s][k] * pow(a[k][k], -1, p)
                a[s] = [(x - times * y) % p for x, y in zip(a[s], a[k])]
    for halvings in range(LG_POINTS_MAX + 2):
        scale = p - (p - 1 >> halvings)
        require(scale * 2**halvings % p == 1, f'2^-{halvings}')


def check_pieces(primes):
    """Section 10, on pieces of 16 points, w = 1, -1, i, -i: the transposed twisted transform, and the
    join of 1, 2 and 4."""
    n = 16
    for p in primes:
        root = host.derive_root(p)
        power = [pow(root, 2**32 // (4 * n) * k, p) for k in range(4 * n)]   # of order 4 n
        c = [pow(3, 7 * i + 1, p) for i in range(4 * n)]
        for pieces in (1, 2, 4):
            y = []
            for turn in (0, 2, 1, 3)[:pieces]:       # of w, in quarters
                z = [power[(turn + 4 * k) % (4 * n)] for k in range(n)]
                require(all(pow(x, n, p) == power[turn * n] for x in z), 'z_k^n = w')
                spectrum = [sum(c[i] * pow(x, i, p) for i in range(pieces * n)) for x in z]
                back = [sum(s * pow(x, j, p) for s, x in zip(spectrum, z)) % p for j in range(n)]
                scale = pow(pieces * n * power[turn * n], -1, p)
                y.append([back[-i % n] * (scale if i else scale * power[turn * n]) % p
                          for i in range(n)])
            i_root = power[n]
            for i in range(n):
                v = [y[s][i] if s < pieces else 0 for s in range(4)]
                even, odd = v[2] + v[3], (v[2] - v[3]) * i_root
                joined = [v[0] + v[1] + even, v[0] - v[1] - odd, v[0] + v[1] - even, v[0] - v[1] + odd]
                require(all((joined[b] - c[b * n + i]) % p == 0 for b in range(pieces)),
                        'ModularJoin joins whole pieces')
    text = words_of('fft/modular_piece.cuh')
    require('constexpr unsigned kI = 3;' in text and
            'c[0] = sum + even; c[1] = difference - odd; c[2] = sum - even; c[3] = difference + odd;'
            in text, 'ModularJoin is what is checked')


def check_join_three(primes):
    """ModularJoinThree gives the blocks of coefficients of three pieces."""
    text = words_of('fft/modular_join.cuh') + words_of('fft/modular_tables.cu')
    require('pieces == 3 ? (s < 2 ? 2 : 1)' in text and 'return 2 * difference;' in text and
            'rest = y[2] - ModularTurn(difference, 2, prime);' in text and
            'return b == 0 ? sum + rest : sum - rest;' in text, 'ModularJoinThree is what is checked')
    for p in primes:
        i_root, half = pow(host.derive_root(p), 2**30, p), pow(2, -1, p)
        for c in ([1, 0, 0], [0, 1, 0], [0, 0, 1]):
            y = [sum(x * w**b for b, x in enumerate(c)) for w in (1, -1, i_root)]
            y = [y[0] * half * half, y[1] * half * half, y[2] * half]
            total, difference = y[0] + y[1], y[0] - y[1]
            rest = y[2] - difference * i_root
            joined = [total + rest, 2 * difference, total - rest]
            require(all((u - v) % p == 0 for u, v in zip(joined, c)), 'three pieces are joined')


def check_join_five(primes):
    """ModularJoinFive likewise, from halvings that the tables have."""
    text = words_of('fft/modular_join.cuh') + words_of('fft/modular_tables.cu')
    require('pieces == 5 ? (s < 4 ? 3 : 1)' in text and
            'one = odd - turned, two = even - sum, three = odd + turned;' in text and
            'double v = 2 * (b == 1 ? one : b == 2 ? two : three);' in text and
            'above = two + ModularTurn(three, 4, prime);' in text and
            'rest = y[4] - ModularTurn(one + ModularTurn(above, 4, prime), 4, prime);' in text and
            'v = b == 0 ? (even + sum) + rest : (even + sum) - rest;' in text,
            'ModularJoinFive is what is checked')
    for p in primes:
        w = pow(host.derive_root(p), 2**29, p)
        for block in range(5):
            y = [pow(o, block, p) * pow(2, -halvings, p)
                 for o, halvings in ((1, 3), (-1, 3), (w * w, 3), (-w * w, 3), (w, 1))]
            even, odd, total, turned = y[0] + y[1], y[0] - y[1], y[2] + y[3], (y[2] - y[3]) * w * w
            one, two, three = odd - turned, even - total, odd + turned
            rest = y[4] - (one + (two + three * w) * w) * w
            joined = [even + total + rest, 2 * one, 2 * two, 2 * three, even + total - rest]
            require([v % p for v in joined] == [int(b == block) for b in range(5)],
                    'five pieces are joined')


def check_digits():
    """The doubles of ModularResidue and ModularBalanced, and that their differences are exact."""
    text = words_of('fft/modular.cuh')
    high_form, low_form = (int(x, 16) for x in re.findall(
        r'DoubleOf\((0x\w+), \(uint32_t\)\(word >> 32\)\) - 0x1p84; .*? DoubleOf\((0x\w+),', text)[0])

    def double_of(high, low):
        return struct.unpack('<d', struct.pack('<II', low, high))[0]
    for half in (0, 1, 2**31 - 1, 2**31, 2**31 + 1, 2**32 - 1):
        require(double_of(high_form, half) - 2.0**84 == half * 2**32, 'the upper half')
        require(double_of(low_form, half) - 2.0**52 == half, 'the lower half')
        require(double_of(low_form, half) - (2.0**52 - 1) == half + 1, 'the lower half and a carry')
        signed = half - (half >> 31 << 32)
        require(double_of(high_form, half ^ 2**31) - (2.0**84 + 2.0**63) == signed * 2**32,
                'the upper half of a signed word')
    text = words_of('fft/modular_digits.cuh')
    for i, at in ((0, 0), (1, LOWEST), (2, LOWEST + CHUNK)):
        form = int(re.findall(r'DoubleOf\((0x\w+) \| \(uint32_t\)\(c\[%d\] >> 32\)' % i, text)[0], 16)
        require(f'(uint32_t)c[{i}]) - 0x1p{52 + at}' in text, f'what is taken off chunk {i}')
        for chunk in (0, 1, 2**31, 2**32 - 1, 2**32, 2**CHUNK - 1):
            require(double_of(form | chunk >> 32, chunk % 2**32) - 2.0**(52 + at) == chunk << at,
                    f'chunk {i}')
    require(f'f.inverse * 0x1p-{LOWEST}' in text and f'f.p * 0x1p{LOWEST}' in text,
            'the quotient is that by 2^38 p')


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
                in words_of('fft/modular_plan.c'), f'the kind of {k} primes')
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


def check_wrapped():
    """plan_high: the highest digits of both operands give what wraps around a cyclic product."""
    for points in range(2, 9):
        for a, b in itertools.product(range(2, points), repeat=2):
            if a + b - 1 <= points:
                continue
            x, y = [3**i + 1 for i in range(a)], [5**i + 2 for i in range(b)]
            whole = convolve(x, y)
            cyclic = [sum(whole[i::points]) for i in range(points)]
            for lower in (0, 1):          # how much lower than it must the high one begins
                first = [points - (b - 1) - lower, points - (a - 1) - lower]
                high = convolve(x[first[0]:], y[first[1]:])
                at = points - sum(first)
                top = high[at:at + len(whole) - points]
                require(top == whole[points:], 'the high convolution has what wraps around')
                require([c - t for c, t in zip(cyclic, top)] == whole[:len(top)], 'it is taken off')


def convolve(x, y):
    out = [0] * (len(x) + len(y) - 1)
    for i, u in enumerate(x):
        for j, v in enumerate(y):
            out[i + j] += u * v
    return out


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
                            words_of('fft/modular_crt.cuh'))[0]
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
    lines = ['| modular_crt.cuh | within |', '|---|---|']
    for name, v, p in zip(names, (v0, v1, of_v1, product, v2), (p0, p1, p2, p2, p2)):
        lines.append(f'| {name} | {round_up(Fraction(v, p), 4)} p{primes.index(p)} |')
    for i in range(3):
        down = Fraction(least[i] * 1000 >> 52, 1000)
        lines.append(f'| digit {i} | {round_up(down, 3)} 2^52 to '
                     f'{round_up(Fraction(most[i], 2**52), 3)} 2^52 |')
    return '\n'.join(lines), stated, apart, above


def garner(primes):
    """ModularGarner::Coefficient modulo four primes and more: digits, uniqueness, words; the table's row and the
    largest digit that is not reduced."""
    text = words_of(GARNER)
    require('kWords = (kPrimes * 50 + 63) / 64' in text and '51 * (kPrimes - j) + 63' in text and
            'shift[j] = 0x1p52 + 2 * fft_primes[j].p' in text and 'offset[j] = 2 * prime[j]' in text,
            'ModularGarner is what is checked')
    largest = 0
    for k in range(4, PRIMES + 1):
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


def check_carries():
    """Blocks of recombine_kernel.cuh, four limbs and a spill of three: all of limbs of 1 and 2 bits."""
    require('using Warp = LimbsWarp<kEach, 8>' in words_of('bigint/recombine_device.cu') and
            (50 * PRIMES + 63) // 64 < 8, 'of more primes eight limbs and a spill of five at most')
    require(number_in('bigint/recombine_device.cu', r'kWords = (\d+)') == 3 and
            'kWords <= 4 ? 4 : 8' in words_of('carry/carry_limbs_warp.cuh'), 'three words, four limbs')
    for base in (2, 4):
        size, fourth, ones = base**4, base**3, base - 1
        for v, spill, carry in itertools.product(range(size), range(fourth), range(2)):
            generates, u = divmod(v + spill, size)
            propagates = u == size - 1
            require((v + spill + carry) // size == (1 if generates else carry * propagates),
                    'blocks kill, propagate or generate')
            require(not generates or v // fourth == ones and u <= fourth - 2,
                    'a block that generates had its fourth limb all ones, and cannot overflow again')
            require(not propagates or u // fourth == ones, 'one that propagates has it')


# --- comments and tables ---

class Comments:
    """Claims about numbers in comments; in the end every number with a unit has had its claim."""
    FILES = ('fft/modular.h', 'fft/modular.cuh', 'fft/modular_columns.cuh', 'fft/modular_digits.cuh',
             'fft/modular_inverse.cuh', 'fft/modular_join.cuh', 'fft/modular_lines.cuh',
             'fft/modular_pair.cuh', 'fft/modular_rows.cuh',
             'fft/modular_crt.cuh', 'fft/modular_garner.cuh', 'fft/modular_piece.cuh', 'fft/modular_plan.c', 'fft/modular_device.cu',
             'fft/modular_outer.cu', 'fft/modular_tables.cu', 'fft/modular_tables.cuh')

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
    """whole: of whole pieces, what they leave, and joined; gathered: what the outer pass leaves."""
    c = Comments()
    _, v1, above, bits = crt_results
    p0, p1, p2 = primes[:USED]
    mul, known = (max(d.slopes()[i] for d in devices) for i in range(2))
    for d in devices:
        require(d.reduce(int(SUM * d.p)) <= d.half + 1, 'sums are reduced to within p / 2 + 1')
        require(d.reduce(2**64) <= d.half + 2**12, 'words are reduced to within p / 2 + 2^12')
    c.phrase('fft/modular.cuh', 'Within p / 2 + 1 for |a| <= 9.8 p, within p / 2 + 2^12 for a multiple')
    c.phrase('fft/modular.cuh', 'A word modulo p, within p / 2 + 2^32 + 2^12')
    c.number('fft/modular.cuh', r'\(1/2 \+ (\S+) \|a\| / p\) p', mul)
    c.number('fft/modular.cuh', r': 1/2 \+ (\S+) \|a\| / p,', known)
    c.number('fft/modular.cuh', r'(?:\|a\| <=|integers up to) (\S+) p', SUM)
    c.number('fft/modular.cuh', r'\|x\| <= (\S+) p in', DFT_IN)
    c.number('fft/modular.cuh', r'in, <= (\S+) p out', max(end for n in nodes for end, _ in n))
    c.number('fft/modular.cuh', r'a product each, within (\S+) p,', max(x for n in nodes for _, x in n))
    c.phrase('fft/modular_rows.cuh', 'within p / 2 + 1, read by')
    c.number('fft/modular.h', r'wrapped around to it, within (\S+) p', RESIDUE)
    c.number('fft/modular_digits.cuh', r'within (\S+) p but for pieces', DFT_IN)
    c.number('fft/modular_device.cu', r'of 2 x (\S+) p', RESIDUE)
    c.phrase('fft/modular_piece.cuh', 'with another spectrum, within p / 2 + 1,')
    c.number('fft/modular_piece.cuh', r'at Residues\(\)\[i\], within (\S+) p', whole[0])
    c.number('fft/modular_piece.cuh', r'\|y\| within (\S+) p', whole[0])
    c.number('fft/modular_piece.cuh', r'in the tables\. Within (\S+) p', whole[1])
    c.number('fft/modular_outer.cu', r'Items become elements, within (\S+) p', gathered)
    c.phrase('fft/modular.h', 'within 2^63 and the last one within 2^64')
    c.number('fft/modular_crt.cuh', r'\|r\| <= (\S+) p,', RESIDUE)
    c.phrase('fft/modular_crt.cuh', '|v0| <= p0 / 2 + 1')
    c.phrase('fft/modular_crt.cuh', '|v2| <= p2 / 2 + 1')
    c.number('fft/modular_crt.cuh', r'\|v1\| <= (\S+) p1', v1)
    c.number('fft/modular_crt.cuh', r'p0 p1 p2 / 2 \+ (\S+) p0 p1', above)
    c.phrase('fft/modular_crt.cuh', '(1 + 2^-21) 2^148')
    c.phrase('fft/modular_crt.cuh', f'above the half word before: below 2^{bits}')
    c.phrase('fft/modular_plan.c', 'within 2^63 but for the last, within 2^64')
    c.phrase('fft/modular_plan.c', '(count + 2) 2^126')
    c.phrase('fft/modular_plan.c', 'balanced within (1 + 2^-21) of that')
    for k in range(3, PRIMES + 1):
        stated = f'{half_product(primes, k)} 2^{LG_COEFFICIENTS[k]}'
        c.phrase('fft/modular_plan.c', stated)
        c.text['fft/modular_plan.c'] = c.text['fft/modular_plan.c'].replace(stated, '')
    c.number(GARNER, r'\|r_j\| <= (\S+) p_j', RESIDUE)
    c.number(GARNER, r'(?:Modulo p,|the others are) within (\S+) p', garner(primes)[1])
    c.phrase('fft/modular_digits.cuh', 'as a residue within p / 2 + 2^39')
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


def main():
    primes = host.derive_primes()
    devices = [Device(p) for p in primes]
    nodes = [dft_bounds(p) for p in primes]
    crt_results = crt(primes[:USED])
    page = tables(primes, devices, nodes, crt_results)
    if sys.argv[1:] == ['--tables']:
        print('\n\n'.join(page))
        return
    require(not sys.argv[1:], 'arguments are --tables or none')
    for p in primes[:USED]:
        check_roots(p, host.derive_root(p))
    check_digits()
    check_wrapped()
    check_join_three(primes[:USED])
    check_join_five(primes[:USED])
    check_carries()
    chains = [Chain(p).run() for p in primes]
    whole = [max(chain[name][1] for chain in chains) for name in ('scaled', 'four whole pieces joined')]
    gathered = max(chain['gathered'][1] for chain in chains)
    check_comments(primes, devices, nodes, crt_results, whole, gathered)
    check_pieces(primes[:USED])
    for table in page:
        require(table in PAGE.read_text(), f'the table in {PAGE.name}; it should be\n{table}')
    print('check_device.py: every bound of modular_device.md and of fft/modular* holds')


if __name__ == '__main__':
    main()
