"""device_identities: what the kernels of fft/device/modular/*.cuh compute, checked in exact integers; for
check_device.py.

Roots, pieces and their joins modulo each prime; digits as doubles; products that wrap around;
carries. Where a check repeats lines of a kernel, it reads them in the source first.
"""
import itertools
import re
import struct

from claims import number_in, require, words_of
from device_bounds import CHUNK, LG_POINTS_MAX, LOWEST, PIECES, PRIMES, dft
from primes import derive_root


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
    join of 1, 2 and 4; and of as many times v, v^pieces = -1, which are x^N + 1."""
    n = 16
    for p in primes:
        root = derive_root(p)
        power = [pow(root, 2**32 // (8 * n) * k, p) for k in range(8 * n)]   # of order 8 n
        c = [pow(3, 7 * i + 1, p) for i in range(4 * n)]
        for pieces, turned in itertools.product((1, 2, 4), (False, True)):
            y, v = [], 4 // pieces if turned else 0      # the turn of v, in eighths
            for turn in (0, 4, 2, 6)[:pieces]:           # of w / v
                turn += v
                z = [power[(turn + 8 * k) % (8 * n)] for k in range(n)]
                require(all(pow(x, n, p) == power[turn * n % (8 * n)] for x in z), 'z_k^n = w')
                spectrum = [sum(c[i] * pow(x, i, p) for i in range(pieces * n)) for x in z]
                back = [sum(s * pow(x, j, p) for s, x in zip(spectrum, z)) % p for j in range(n)]
                w = power[turn * n % (8 * n)]
                scale = pow(pieces * n * w, -1, p)
                y.append([back[-i % n] * (scale if i else scale * w) % p for i in range(n)])
            i_root, sixteenth = power[2 * n], power[n // 2]
            for i in range(n):
                u = [y[s][i] if s < pieces else 0 for s in range(4)]
                even, odd = u[2] + u[3], (u[2] - u[3]) * i_root
                joined = [u[0] + u[1] + even, u[0] - u[1] - odd, u[0] + u[1] - even, u[0] - u[1] + odd]
                if turned:                                # ModularUnturn
                    joined[1:pieces] = [-joined[b] * pow(sixteenth, (pieces - b) * (8 // pieces), p)
                                        for b in range(1, pieces)]
                require(all((joined[b] - c[b * n + i]) % p == 0 for b in range(pieces)),
                        'ModularJoin joins whole pieces')
    text = words_of('fft/device/modular/piece.cuh')
    require('constexpr unsigned kI = 3;' in text and
            'c[0] = sum + even; c[1] = difference - odd; c[2] = sum - even; c[3] = difference + odd;'
            in text, 'ModularJoin is what is checked')
    require('power = (pieces - b) * (8 / pieces);' in text and
            'c[b] = -ModularMulKnown(c[b], f.root[power - 1], f.quotient[power - 1], f.field);'
            in text, 'ModularUnturn is what is checked')


def check_join_three(primes):
    """ModularJoinThree gives the blocks of coefficients of three pieces."""
    text = words_of('fft/device/modular/join.cuh') + words_of('fft/device/modular/tables.cu')
    require('pieces == 3 ? (s < 2 ? 2 : 1)' in text and 'return 2 * difference;' in text and
            'rest = y[2] - ModularTurn(difference, 2, prime);' in text and
            'return b == 0 ? sum + rest : sum - rest;' in text, 'ModularJoinThree is what is checked')
    for p in primes:
        i_root, half = pow(derive_root(p), 2**30, p), pow(2, -1, p)
        for c in ([1, 0, 0], [0, 1, 0], [0, 0, 1]):
            y = [sum(x * w**b for b, x in enumerate(c)) for w in (1, -1, i_root)]
            y = [y[0] * half * half, y[1] * half * half, y[2] * half]
            total, difference = y[0] + y[1], y[0] - y[1]
            rest = y[2] - difference * i_root
            joined = [total + rest, 2 * difference, total - rest]
            require(all((u - v) % p == 0 for u, v in zip(joined, c)), 'three pieces are joined')


def check_join_five(primes):
    """ModularJoinFive likewise, from halvings that the tables have."""
    text = words_of('fft/device/modular/join.cuh') + words_of('fft/device/modular/tables.cu')
    require('pieces == 5 ? (s < 4 ? 3 : 1)' in text and
            'one = odd - turned, two = even - sum, three = odd + turned;' in text and
            'double v = 2 * (b == 1 ? one : b == 2 ? two : three);' in text and
            'above = two + ModularTurn(three, 4, prime);' in text and
            'rest = y[4] - ModularTurn(one + ModularTurn(above, 4, prime), 4, prime);' in text and
            'v = b == 0 ? (even + sum) + rest : (even + sum) - rest;' in text,
            'ModularJoinFive is what is checked')
    for p in primes:
        w = pow(derive_root(p), 2**29, p)
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
    text = words_of('fft/device/modular/residues.cuh')
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
    text = words_of('fft/device/modular/digits.cuh')
    for i, at in ((0, 0), (1, LOWEST), (2, LOWEST + CHUNK)):
        form = int(re.findall(r'DoubleOf\((0x\w+) \| \(uint32_t\)\(c\[%d\] >> 32\)' % i, text)[0], 16)
        require(f'(uint32_t)c[{i}]) - 0x1p{52 + at}' in text, f'what is taken off chunk {i}')
        for chunk in (0, 1, 2**31, 2**32 - 1, 2**32, 2**CHUNK - 1):
            require(double_of(form | chunk >> 32, chunk % 2**32) - 2.0**(52 + at) == chunk << at,
                    f'chunk {i}')
    require(f'f.inverse * 0x1p-{LOWEST}' in text and f'f.p * 0x1p{LOWEST}' in text,
            'the quotient is that by 2^38 p')


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


def check_carries():
    """Blocks of recombine_kernel.cuh, four limbs and a spill of three: all of limbs of 1 and 2 bits."""
    require('using Warp = LimbsWarp<kEach, 8>' in words_of('bigint/device/kernels/recombine_device.cu') and
            (50 * PRIMES + 63) // 64 < 8, 'of more primes eight limbs and a spill of five at most')
    require(number_in('bigint/device/kernels/recombine_device.cu', r'kWords = (\d+)') == 3 and
            'kWords <= 4 ? 4 : 8' in words_of('carry/limbs_warp.cuh'), 'three words, four limbs')
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
