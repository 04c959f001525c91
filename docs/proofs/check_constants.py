#!/usr/bin/env python3
"""check_constants.py: derives the constants of fft/ and every numeric bound that its headers state.

Exact integers and fractions only; Python's standard library. Without arguments: derives, compares
with fft/primes.c, fft/root.h, with the bounds in fft/*.h and with the tables in modular_fft.md,
crt.md and roots.md, and fails with a sentence where something does not hold. With --write: prints
fft/primes.c's and fft/root.h's tables. With --tables: prints the pages' tables.

A bound here is an integer: the largest |x| that a vector lane can hold, since every lane holds an
integer. class Field repeats field.h operation by operation on such bounds, the functions below it
repeat the kernels, in the order of their operations.
"""
import itertools
import pathlib
import re
import sys
from fractions import Fraction

import roots

ROOT = pathlib.Path(__file__).resolve().parents[2]
FFT = ROOT / 'fft'

PRIMES, USED = 8, 3
ROOT_LG = 32                      # the order of the roots is 2^32
STEP = 2**ROOT_LG * 27 * 5        # divides p - 1
PRODUCT_LG = 149                  # the three largest multiply to more than 2^149
SUM_BITS = 148                    # FFT_SUM_BITS: coefficients of sums are below 2^148
UNIT = Fraction(1, 2**53)         # largest relative rounding error of a double

# The bounds that fft/*.h states, in units of p; pairs by the form of vec_round_product, fused (0)
# and rounded twice (1: AVX2 where rounding is as fast as adding).
FORWARD = Fraction('3.95')        # between forward kernels
INVERSE = Fraction('0.84'), Fraction('1.68')        # between inverse kernels
PRODUCT = Fraction('0.84'), Fraction('1.04')        # pointwise products
FACTOR = Fraction('4.99'), Fraction('9.8')          # what multiplies a number within p / 2
LANES = Fraction('0.57')          # twiddles that leaf.h multiplies together
SUM = Fraction('9.8')             # exact integers
REDUCED = Fraction('0.5001')      # after field_reduce
SLOPE = Fraction('0.0857'), Fraction('0.1358')      # field_mul: 1/2 + SLOPE a
TWIDDLE_SLOPE = Fraction('0.0501'), Fraction('0.1002')      # residue_mul, of a table's twiddles
CRT_RESIDUE = Fraction('0.72')    # a residue times a constant
CRT_DIGIT = Fraction('0.61')      # a mixed-radix digit times a constant
STATED = {FORWARD, *INVERSE, *PRODUCT, *FACTOR, LANES, SUM, REDUCED, CRT_RESIDUE, CRT_DIGIT}


def require(holds, what):
    if not holds:
        sys.exit('check_constants.py: does not hold: ' + what)


# --- primes, roots, inverses ---

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
    text = (FFT / 'primes.c').read_text()
    pairs = [(int(a), int(b)) for a, b in re.findall(r'\{(\d+), (\d+)\}', text)]
    require(pairs == list(zip(primes, roots)), 'primes and roots of fft/primes.c')
    named = {a: int(b) for a, b in re.findall(r'\.(i\d+) = (\d+)', text)}
    require(named == inverses, 'inverses of fft/primes.c')


def print_primes_file(primes, roots, inverses):
    print('const fft_prime fft_primes[FFT_PRIMES] = {')
    for p, r in zip(primes, roots):
        print(f'    {{{p}, {r}}},')
    print('};\n\nconst fft_crt_inverses fft_crt_inverse = {')
    for name, value in inverses.items():
        print(f'    .{name} = {value},')
    print('};')


# --- field.h on bounds ---

class Field:
    def __init__(self, p, rounded):
        self.p = p
        self.rounded = rounded            # vec_round_product rounds the product first
        self.inverse = Fraction(1.0 / p)
        self.error = reciprocal_error(p)
        self.half = (p - 1) // 2          # the largest balanced residue, and twiddle
        self.factor = self.sum = 0        # the largest seen so far; a factor a with its w as
                                          # a |w| / (p / 2)

    def units(self, bound):
        return Fraction(bound, self.p)

    def exact(self, bound):
        """A sum of doubles is exact if it is an integer up to 2^53."""
        require(bound <= 2**53, f'sums are exact modulo {self.p}: {float(self.units(bound)):.3f} p')
        self.sum = max(self.sum, bound)
        return bound

    def add(self, a, b):
        return self.exact(a + b)

    def quotient(self, x, *errors):
        """vec_round_product gets numbers that err by these factors, their product being x / p but
        for that. How far its result can be from x / p, less 1/2, in units of 1 / p."""
        true = Fraction(x)
        most = true
        for e in errors + (UNIT,) * self.rounded:
            most *= 1 + e
        # Fused: 1.5 2^52 + x / p lies in [2^52, 2^53], where doubles are the integers.
        require(most <= (2**53 if self.rounded else 2**51) * self.p,
                f'quotients round to integers modulo {self.p}')
        return most - true

    def remainder(self, a, w, *errors):
        """h = RN(a w), l = a w - h, and (h - q p) + l, q a quotient that errs like this."""
        product = Fraction(a * w)
        self.factor = max(self.factor, -(-a * w // self.half))
        r = int(Fraction(self.p, 2) + self.quotient(product, *errors))
        low = int(product * UNIT)                                   # |l| <= half an ulp of a w
        self.exact(r)
        require(r + low <= 2**53, f'h - q p is exact modulo {self.p}')
        return r

    def mul(self, a, w):
        """field_mul: the quotient is that of h."""
        return self.remainder(a, w, UNIT, self.error)

    def twiddle(self, a, w=None):
        """residue_mul: the quotient is that of a and the twiddle's ratio: of a table's, within half
        of p, rounded, or a lane's, which is w times RN(1 / p)."""
        if w is None:
            return self.remainder(a, self.half, UNIT)
        return self.remainder(a, w, UNIT, self.error)

    def reduce(self, a):
        """field_reduce: a - q p, one fused operation with an integer result."""
        r = int(Fraction(self.p, 2) + self.quotient(a, self.error))
        require(r <= REDUCED * self.p, f'field_reduce ends within {float(REDUCED)} p')
        return r


# --- the kernels, operation by operation ---

def forward_kernel(f, r, bound, w=None):
    """pass_forward_kernel: the largest output. Nodes side by side do not touch each other."""
    radix = 2**r
    x = [bound] * radix
    for i in range((radix + 3) // 4):
        x[i] = f.reduce(x[i])
    for level in range(r):
        half = radix >> (level + 1)
        for i in range(radix // 2):
            at = i // half * 2 * half + i % half
            u, v = x[at], f.twiddle(x[at + half], w)
            x[at] = x[at + half] = f.add(u, v)
    return max(x)


def inverse_kernel(f, r, bound, w=None):
    """pass_inverse_kernel: the largest output."""
    radix = 2**r
    x = [bound] * radix
    for level in reversed(range(r)):
        half = radix >> (level + 1)
        second = (r - level) % 2 == 0
        last = level == 0 and not (second and f.rounded)
        for i in range(radix // 2):
            at = i // half * 2 * half + i % half
            s = f.add(x[at], x[at + half])
            of_sums = i % half < half // 2
            x[at] = f.reduce(s) if second and of_sums or last else s
            x[at + half] = f.twiddle(s, w)
    return max(x)


def leaf_lanes(f):
    """leaf_load_twiddles: the product of two twiddles, not reduced."""
    w = f.mul(f.half, f.half)
    require(w <= LANES * f.p, f'twiddles of lanes are within {float(LANES)} p modulo {f.p}')
    return w


def leaf_forward(f, r, bound):
    """leaf_forward: the second kernel takes what the first one leaves, its twiddles are longer."""
    return forward_kernel(f, r, forward_kernel(f, r, bound), leaf_lanes(f))


def leaf_inverse(f, r, bound):
    return inverse_kernel(f, r, inverse_kernel(f, r, bound, leaf_lanes(f)))


def split(f):
    """columns_split: high 2^32 is below 2^64 and exact; field_reduce takes it as it is."""
    return f.add(f.reduce((2**32 - 1) * 2**32), 2**32 - 1)


def pointwise(f, forward):
    """A transformed operand times a reduced one."""
    return f.mul(forward, f.reduce(forward))


def sum_of_products(f, forward):
    """leaf_add: a product joins a sum that is within PRODUCT, as products and reduced sums are."""
    return f.reduce(f.add(int(PRODUCT[f.rounded] * f.p), pointwise(f, forward)))


def truncated_inverse(f, c):
    """tree_inverse_truncated: the largest number that each of its three loops leaves."""
    u, wb = c, f.twiddle(c)
    v = f.add(u, wb)
    top = max(f.reduce(v), f.reduce(f.add(u, v)))
    joined = max(f.reduce(f.add(c, c)), f.twiddle(f.add(c, c)))
    half_u = f.twiddle(f.add(c, wb))               # times (1 - p) / 2
    below = f.reduce(f.add(f.add(c, c), wb))
    return max(top, joined, half_u, below)


def table_entries(f):
    """tables.h: products of balanced residues, reduced; doubled any number of times."""
    entry = f.reduce(f.mul(f.half, f.half))
    require(entry <= f.half, f'twiddles are balanced modulo {f.p}')
    return entry


def crt_digits(fields):
    """crt_digits: the largest products and the two sums, in units of their primes."""
    p = [f.p for f in fields]
    d = [p[0] - 1, p[1] - 1]
    biased = [f.add(int(INVERSE[f.rounded] * f.p), f.half) for f in fields]
    residues = [f.twiddle(b) for f, b in zip(fields, biased)]
    digits = [fields[1].twiddle(d[0]), fields[2].twiddle(d[0]), fields[2].twiddle(d[1])]
    s1 = fields[1].add(residues[1], digits[0])
    s2 = fields[2].add(fields[2].add(residues[2], digits[1]), digits[2])
    for f, s in ((fields[1], s1), (fields[2], s2)):
        require(s <= 2 * f.p, 'sums of crt_digits are within 2 p')
        require(f.reduce(s) < f.p, 'field_canonical gets less than p')
    for f, r in zip(fields, residues):
        require(r <= CRT_RESIDUE * f.p, f'a residue times a constant is within {float(CRT_RESIDUE)} p')
    for f, r in zip((fields[1], fields[2], fields[2]), digits):
        require(r <= CRT_DIGIT * f.p, f'a digit times a constant is within {float(CRT_DIGIT)} p')
    return (max(f.units(r) for f, r in zip(fields, residues)),
            max(fields[1].units(digits[0]), fields[2].units(digits[1]), fields[2].units(digits[2])),
            fields[1].units(s1), fields[2].units(s2))


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


def round_up(x, places):
    scaled = -(-x.numerator * 10**places // x.denominator)
    return f'{scaled // 10**places}.{scaled % 10**places:0{places}d}'


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
    header = (FFT / 'root.h').read_text()
    rows = zip(('sine', 'cosine'), *roots.check(header, require))
    lines = ['| part | polynomial errs by | all errors |', '|---|---|---|']
    return '\n'.join(lines + [f'| {name} | {round_up(series, 4)} ulp | {round_up(total, 4)} ulp |'
                              for name, series, total in rows])


def check_comments():
    """Every bound 'x.y p' in a header of the host's is one of those proved here."""
    for path in sorted(FFT.glob('*.h')):
        own = '' if path.name.startswith('modular') else path.read_text()   # check_device.py's
        for number in re.findall(r'(\d+\.\d+) p\b', own):
            require(Fraction(number) in STATED, f'{path.name} states {number} p, proved nowhere')
    fused, rounded = (float(b) for b in INVERSE)
    asserted = (f'RESIDUE_FORWARD = {float(FORWARD)};',
                f'RESIDUE_INVERSE = VEC_ROUNDED_TWICE ? {rounded} : {fused};',
                'RESIDUE_FACTOR = VEC_ROUNDED_TWICE ? {1} : {0};'.format(*map(float, FACTOR)))
    doubles = (FFT / 'residue_doubles.h').read_text()
    for line in asserted:
        require(line in doubles, f'residue_doubles.h asserts {line}')
    for slope in SLOPE:
        require(str(float(slope)) in (FFT / 'field.h').read_text(), f'field.h states {float(slope)}')
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
