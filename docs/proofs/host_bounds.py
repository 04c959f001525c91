"""host_bounds: fft/modular/field.h and the host's kernels, operation by operation, on bounds; for
check_constants.py.

A bound here is an integer: the largest |x| that a vector lane can hold, since every lane holds an
integer. class Field repeats field.h operation by operation on such bounds, the functions below it
repeat the kernels, in the order of their operations.
"""
from fractions import Fraction

from claims import UNIT, require
from primes import reciprocal_error

# The bounds that fft/*/*.h states, in units of p; pairs by the form of vec_round_product, fused (0)
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
