"""roots: derives the polynomials of fft/complex/root.h and its error; a part of check_constants.py.

Exact integers and fractions only. series_rounding repeats fft_root_series operation by operation on
bounds; roots.md explains its steps.
"""
import math
import re
from fractions import Fraction

from claims import UNIT, require

STATED = Fraction('0.52')       # what root.h says of each part, in units in the last place
TERMS = 7                       # coefficients of g, c_1 ... c_7
MATCH = Fraction(53, 64)
SLACK = Fraction(1, 2**40)      # what section 4 adds to each error, and more
PIECES = 64                     # of [0, 1], on which bounds are taken


def double(x):
    """The double nearest to a fraction; Python rounds true division of integers correctly."""
    return Fraction(x.numerator / x.denominator)


def dyadic(x):
    """x within 2^-300, so that numbers stay short."""
    return Fraction(round(x * 2**300), 2**300)


def eighth_turn():
    """pi / 4 within 2^-290, by Machin's formula."""
    def arctan_inverse(n):
        return sum(Fraction((-1)**k, (2 * k + 1) * n**(2 * k + 1)) for k in range(70))
    return dyadic(4 * arctan_inverse(5) - arctan_inverse(239))


def series(sine, a, terms=20):
    """Coefficients of sin(a v) / v or cos(a v) in w = v^2; what follows is below 2^-160."""
    odd = 1 if sine else 0
    return [dyadic((-1)**k * a**(2 * k + odd) / math.factorial(2 * k + odd)) for k in range(terms)]


def value(coefficients, w):
    total = Fraction(0)
    for c in reversed(coefficients):
        total = c + w * total
    return total


def interpolate(taylor):
    """The polynomial of TERMS coefficients that meets (series - c_0) / w at Chebyshev's nodes."""
    nodes = [Fraction(round((1 - math.cos((2 * i + 1) * math.pi / (2 * TERMS))) * 2**29), 2**30)
             for i in range(TERMS)]
    table = [value(taylor[1:], w) for w in nodes]
    for order in range(1, TERMS):               # divided differences
        for i in reversed(range(order, TERMS)):
            table[i] = (table[i] - table[i - 1]) / (nodes[i] - nodes[i - order])
    result = [Fraction(0)] * TERMS
    for i in reversed(range(TERMS)):            # result = table[i] + (w - node) result
        shifted = [Fraction(0)] + result[:-1]
        result = [s - nodes[i] * r for s, r in zip(shifted, result)]
        result[0] += table[i]
    return result


def constants(sine, a):
    """The ten constants of fft_root_series: c_0 and c_1 as head and tail, c_2 ... c_7.

    c_1 makes up for the roundings of the others at MATCH: (1 - MATCH) is about MATCH^2 / 4.
    """
    taylor = series(sine, a)
    split = lambda x: [double(x), double(x - double(x))]
    rest = [double(x) for x in interpolate(taylor)[1:]]
    return split(taylor[0]) + split(value(taylor[1:], MATCH) - MATCH * value(rest, MATCH)) + rest


def bernstein_bound(coefficients, low, high):
    """max |sum c_k w^k| on [low, high] is at most the largest coefficient in Bernstein's basis."""
    n = len(coefficients) - 1
    moved = [sum(coefficients[k] * math.comb(k, j) * low**(k - j) for k in range(j, n + 1))
             * (high - low)**j for j in range(n + 1)]
    return max(abs(sum(Fraction(math.comb(i, j), math.comb(n, j)) * moved[j] for j in range(i + 1)))
               for i in range(n + 1))


def half_ulp(x):
    """The largest rounding error of a result that is |x| at most."""
    exponent = math.frexp(x.numerator / x.denominator)[1] - 1
    while Fraction(2)**exponent < x:
        exponent += 1
    return Fraction(2)**(exponent - 54)


def series_distance(c, taylor, low, high):
    """|the polynomial that the constants are - the series| for w in [low, high]."""
    exact = [c[0] + c[1], c[2] + c[3]] + c[4:]
    exact += [Fraction(0)] * (len(taylor) - len(exact))
    return bernstein_bound([x - y for x, y in zip(exact, taylor)], low, high)


def series_rounding(c, low, high):
    """|fft_root_series - the polynomial| before the last rounding, for w in [low, high]."""
    tail = half_ulp(high)                       # |w.low|
    wide = high + tail                          # w.high
    q, error = abs(c[9]), Fraction(0)
    for k in range(8, 3, -1):                   # q = fma(w.high, q, c[k]), against exact w
        error = wide * error + tail * q
        q = abs(c[k]) + wide * q
        error += half_ulp(bernstein_bound(c[k:], low, wide) + error)
    g = abs(c[2])                               # |g.high|: q has the other sign
    error = wide * error + tail * q             # of g's w q
    g_low = half_ulp(g) + abs(c[3])
    error += UNIT * half_ulp(g) + UNIT * g_low  # g.low's fma and sum
    error = wide * error + tail * g_low         # of h's w g; w.low g.low is left out
    h_low = half_ulp(abs(c[0])) + abs(c[1]) + tail * g + wide * g_low
    return error + UNIT * half_ulp(abs(c[0])) + 3 * UNIT * h_low


def root_errors(sine, cosine, a):
    """For sine and cosine, in ulp: the polynomial's largest error, and all errors together."""
    distance, total = [Fraction(0)] * 2, [Fraction(0)] * 2
    for i in range(PIECES):
        low, high = Fraction(i, PIECES), Fraction(i + 1, PIECES)
        for part, c in enumerate((sine, cosine)):
            taylor = series(part == 0, a)
            # sin(a v) / v falls, and an ulp of v times it is at least UNIT times that; cos(a v) lies
            # in [1/2, 1), whose ulp is UNIT
            ulp = UNIT * (value(taylor, high) if part == 0 else 1)
            d = series_distance(c, taylor, low, high) / ulp
            distance[part] = max(distance[part], d)
            total[part] = max(total[part], d + series_rounding(c, low, high) / ulp)
    return distance, [Fraction(1, 2) + t + SLACK for t in total]


def read_constants(text):
    found = []
    for name in ('sine', 'cosine'):
        body = re.search(r'double %s\[10\] = \{(.*?)\}' % name, text, re.S).group(1)
        found.append([Fraction(float.fromhex(x)) for x in re.findall(r'-?0x[0-9a-fp.+-]+|0\b', body)])
    return found


def check(header):
    """Derives, compares with the header's constants, and returns root_errors."""
    a = eighth_turn()
    derived = [constants(True, a), constants(False, a)]
    require(read_constants(header) == derived, 'the polynomials of fft/complex/root.h')
    distance, total = root_errors(*derived, a)
    require(max(total) <= STATED, f'roots are within {float(STATED)} ulp')
    require(f'{float(STATED)} ulp' in header, f'fft/complex/root.h states {float(STATED)} ulp')
    return distance, total


def print_constants():
    a = eighth_turn()
    for name, sine in (('sine', True), ('cosine', False)):
        print(f'const double {name}[10] = {{' + ', '.join(float(x).hex() for x in constants(sine, a)) + '};')
