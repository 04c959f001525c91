"""device_bounds.py: the kernels of fft/device/modular/*.cuh, operation by operation, on bounds.

For check_device.py. A bound is an integer, the largest |x| of an integer-valued double. Shapes,
pieces and the constants that bounds depend on are read from the sources.
"""
import re
from fractions import Fraction

from claims import UNIT, number_in, require, words_of
from host_bounds import SUM            # integers up to 9.8 p are exact
from primes import reciprocal_error

DFT_IN = Fraction('1.33')          # what residues.cuh asks of the inputs of a node, in units of p
GARNER = 'fft/device/modular/garner.cuh'
RESIDUE = Fraction('4.22')         # what the inverse columns leave, and remaindering takes


# --- what the sources say ---

def shapes():
    """Digits of the nodes of every kernel: of columns, of rows, of whole pieces."""
    text = words_of('fft/device/modular/tables.cuh')
    out = []
    for name in (r'kModularColumns\w+', 'kModularRows', 'kModularPieces'):
        table = ' '.join(re.findall(name + r'\[\] = \{(.*?)\};', text))
        rows = re.findall(r'\{(\w+), 0x([1-4]+)(?:, \d+)+\}', table)
        require(rows and len(rows) == table.count('{'), f'the shapes of {name} can be read')
        out.append([[int(d) for d in nodes] for _, nodes in rows])
        for (lg, _), nodes in zip(rows, out[-1]):
            lg = lg if lg.isdigit() else number_in('fft/device/modular/convolution.h', lg + r' = (\d+)')
            require(sum(nodes) == int(lg), f'nodes of {lg} digits')
    return out


def outer_nodes():
    """Digits of the nodes of the outer pass, by the number of parts."""
    table = re.findall(r'kModularOuterNodes\[FFT_MODULAR_LG_OUTER \+ 1\] = \{0, (.*?)\};', words_of('fft/device/modular/tables.cuh'))
    require(len(table) == 1, 'the nodes of the outer pass can be read')
    out = [[int(d) for d in nodes] for nodes in re.findall(r'0x([1-4]+)', table[0])]
    most = number_in('fft/device/modular/convolution.h', r'FFT_MODULAR_LG_OUTER = (\d+)')
    require([sum(nodes) for nodes in out] == list(range(1, most + 1)), 'an outer pass over every number of parts')
    return out


PIECES = number_in('fft/device/modular/convolution.h', r'FFT_MODULAR_PIECES = (\d+)')
PRIMES = number_in('fft/device/modular/convolution.h', r'FFT_MODULAR_PRIMES = (\d+)')
TWO_CHUNKS = number_in('fft/device/modular/convolution.h', r'FFT_MODULAR_TWO_CHUNKS = (\d+)')
THREE_CHUNKS = number_in('fft/device/modular/convolution.h', r'FFT_MODULAR_THREE_CHUNKS = (\d+)')
LOWEST, CHUNK = (number_in('fft/device/modular/digits.cuh', name + r' = (\d+)')
                 for name in ('kLowestChunk', 'kChunk'))
LG_POINTS_MAX = number_in('fft/device/modular/plan.c', r'LG_POINTS_MAX = (\d+)')
REDUCED_FROM = number_in('fft/device/modular/residues.cuh', r'else if \(level >= (\d+)\)')
COLUMNS, ROWS, WHOLE = shapes()
OUTER = outer_nodes()


def by_primes(name):
    """A table of plan.c by the number of primes."""
    found = re.findall(name + r'\[FFT_MODULAR_PRIMES \+ 1\] = \{(.*?)\};', words_of('fft/device/modular/plan.c'))
    require(len(found) == 1, f'plan.c has {name}')
    return {int(k): int(v) for k, v in re.findall(r'\[(\d+)\] = (\d+)', found[0])}


LG_COEFFICIENTS, LEAST_BITS = by_primes('lg_coefficient'), by_primes('least_bits')
LG_COEFFICIENT = LG_COEFFICIENTS[3]
# No coefficient of a plan modulo three primes is larger; check_plan.
COEFFICIENT = (1 + Fraction(1, 2**21)) * 2**LG_COEFFICIENT


# --- residues.cuh on bounds ---

def half_ulp(x):
    """The largest rounding error of numbers up to x > 0: u 2^floor(log2 x)."""
    x = Fraction(x)
    k = x.numerator.bit_length() - x.denominator.bit_length()
    return UNIT * Fraction(2)**(k if Fraction(2)**k <= x else k - 1)


class Device:
    def __init__(self, p):
        self.p = p
        self.inverse = Fraction(1.0 / p)
        self.error = reciprocal_error(p)
        self.half = (p - 1) // 2          # the largest balanced residue
        self.largest = self.product = 0   # the largest integer, result of mul_known so far

    def exact(self, bound):
        self.largest = max(self.largest, bound)
        require(bound <= SUM * self.p and SUM * self.p <= 2**53,
                f'{float(Fraction(bound, self.p)):.3f} p is within {float(SUM)} p modulo {self.p}')
        return bound

    def add(self, a, b):
        return self.exact(a + b)

    def result(self, quotient_error, product):
        """A product from the error of what rint takes: r, if h - q p = r - l and l are exact."""
        r, low = int(self.p * (Fraction(1, 2) + quotient_error)), int(half_ulp(product))
        require(low <= 2**53, 'l is exact')
        self.exact(r + low)
        return r

    def mul(self, a, w=None):
        """ModularMul: h = RN(a w), then RN(h RN(1/p)) errs thrice."""
        product = Fraction(a * (self.half if w is None else w))
        h = half_ulp(product)
        error = (product * self.error + h * (1 + self.error)) / self.p
        return self.result(error + half_ulp((product + h) * self.inverse), product)

    def mul_known(self, a):
        """ModularMulKnown: RN(a RN(w / p)) errs twice."""
        ratio = Fraction(self.half, self.p)
        error = half_ulp(ratio)
        r = self.result(a * error + half_ulp(a * (ratio + error)), a * self.half)
        self.product = max(self.product, r)
        return r

    def sum(self, factors):
        """ModularGarner::Sum of factors times balanced residues, and its Modulo."""
        product, upper, n = sum(factors) * self.half, number_in(GARNER, r'kGrid = 0x1\.8p(\d+)'), len(factors)
        unit = upper - 52                       # the last digit of sums in [2^upper, 2^(upper + 1))
        lower = n << (unit - 1)                 # each product is rounded by half of that at most
        require(product + lower < 2**(upper - 1), 'sums keep the exponent of the grid')
        require(lower < 2**53, 'the lower sum is exact')
        h = half_ulp(product)                   # h + lower is the sum of the products, rounded as ModularMul's is
        error = (product * self.error + h * (1 + self.error)) / self.p
        r = int(self.p * (Fraction(1, 2) + error + half_ulp((product + h) * self.inverse)))
        self.exact(r + lower)                   # h - q p
        return r

    def reduce(self, a):
        """ModularReduce: RN(a RN(1/p)) errs twice; one fused operation with an integer result."""
        error = a * self.error / self.p + half_ulp(a * self.inverse)
        return int(self.p * (Fraction(1, 2) + error))

    def slopes(self):
        """Of ModularMul and ModularMulKnown, linear: with u |x| for half an ulp of x."""
        known = half_ulp(Fraction(self.half, self.p))
        return (Fraction(self.p, 2) * ((1 + UNIT)**2 * (1 + self.error) - 1),
                self.p * (known + UNIT * (Fraction(1, 2) + known)))


def reversed_bits(i, digits):
    return int(format(i, f'0{digits}b')[::-1], 2)


def dft(x, multiply, reduce, combine):
    """Dft of residues.cuh: x[k] for natural k. multiply(v, k): by the root of order 16 to the k."""
    digits = len(x).bit_length() - 1
    for level in range(digits):
        half = 1 << level
        for i in range(len(x) // 2):
            j = i % half
            at = i // half * 2 * half + j
            a, b = reversed_bits(at, digits), reversed_bits(at + half, digits)
            v = x[b]
            if j > 0:
                v = multiply(v, j << (3 - level))
            elif level >= REDUCED_FROM:
                v = reduce(v)
            x[a], x[b] = combine(x[a], v)
    return [x[reversed_bits(k, digits)] for k in range(len(x))]


def node(f, inputs):
    def both(u, v):
        return (f.add(u, v),) * 2
    return max(dft(inputs, lambda v, k: f.mul_known(v), f.reduce, both))


# --- the kernels, in the order of their operations ---

class Chain:
    """One prime's way from digits to coefficients; worst[step]: begins, ends, largest sum."""

    def __init__(self, p):
        self.f, self.worst = Device(p), {}

    def step(self, name, begins, run):
        f = self.f
        f.largest = 0
        end = run(begins)
        f.exact(max(begins, end))
        row = [Fraction(x, f.p) for x in (begins, end, f.largest)]
        self.worst[name] = [max(a, b) for a, b in zip(row, self.worst.get(name, row))]
        return end

    def nodes(self, name, x, digits, back, twisted=False):
        """All nodes of a line; of the last one what it leaves. twisted: back, its item 0 too is
        multiplied."""
        f = self.f
        for i, d in enumerate(digits):
            lanes = [x] * 2**d
            if back and i > 0 and not (twisted and i + 1 == len(digits)):
                lanes[0] = f.reduce(end)      # item 0 of a node is reduced, the others multiplied
            require(max(lanes) <= DFT_IN * f.p, f'{name}: nodes begin within {float(DFT_IN)} p')
            end = self.step(f'{name}, {"later nodes" if i else "first node"}', max(lanes),
                            lambda _: node(f, lanes))
            if i + 1 < len(digits):
                # forward a node's inputs have one frequency: all reduced, or all multiplied
                x = self.step('twiddles between nodes', end, lambda b: max(f.mul(b), f.reduce(b)))
        return end

    def digit(self):
        """ModularBalanced's last digit is the largest: unsigned, with a carry."""
        f = self.f
        for name, high, low in (('digit, whole or shorter', 2**64 - 2**32, 2**32 - 1),
                                ('digit, balanced', 2**63, 2**32),
                                ('digit, balanced, the last', 2**64 - 2**32, 2**32)):
            v = f.add(f.reduce(high), low)
            require(v <= f.half + 2**32 + 2**12, 'digits are within p / 2 + 2^32 + 2^12')
            self.worst[name] = [None, Fraction(v, f.p), Fraction(v, f.p)]
        return v

    def long_digits(self):
        return max(self.long_digit(*kind) for kind in (
            ('digit, two chunks', TWO_CHUNKS), ('digit, three chunks', THREE_CHUNKS),
            ('digit, two words', 128)))

    def long_digit(self, name, bits):
        """ModularLongDigit of so many bits: chunks of 38, 52 and what is left."""
        f = self.f
        upper = (2**CHUNK - 1) << LOWEST
        if bits > LOWEST + CHUNK:
            top = (2**(bits - LOWEST - CHUNK) - 1) << CHUNK       # in units of 2^38
            quotient = Fraction(top, f.p)
            require(quotient < 2**52, 'the quotient is an integer of 53 digits')
            rest = f.reduce(top)
            require(2**CHUNK - 1 + rest <= 2**53, 'the upper chunks have 53 digits in units of 2^38')
            upper += rest << LOWEST
        v = f.add(f.reduce(upper), 2**LOWEST - 1)
        require(v <= f.half + 2**39, 'long digits are within p / 2 + 2^39')
        self.worst[name] = [None, Fraction(v, f.p), Fraction(v, f.p)]
        return v

    def fold(self, digit, blocks):
        """ModularFold: each block is multiplied by its own power of w, a product itself."""
        v, weight = digit, self.f.half
        for _ in range(blocks - 1):
            v = self.f.add(v, self.f.mul(digit, weight))
            weight = max(weight, self.f.mul(weight))
        return v

    def table_entry(self, products):
        """ModularFillKernel: a product for each bit of an exponent, reduced."""
        f, w = self.f, self.f.half
        for _ in range(products):
            w = max(w, f.mul(w))
        require(f.reduce(w) <= f.half, 'table entries are balanced')
        require(f.reduce(f.mul(f.half)) <= f.half, 'the thread\'s own twiddles are balanced')

    def join(self, first, others, pieces):
        """The first piece is reduced, the others untwisted."""
        f, v = self.f, 0
        for s in range(pieces):
            v = f.add(v, f.mul(others if s else first))
        return v

    def join_three(self, first, others):
        """ModularJoinThree."""
        f = self.f
        both = f.add(first, others)
        rest = f.add(others, f.mul_known(both))
        return max(f.add(both, both), f.add(both, rest))

    def join_five(self, first, others):
        """ModularJoinFive."""
        f = self.f
        two, turned = f.add(others, others), f.mul_known(f.add(others, others))
        cyclic, one = f.add(f.add(first, others), two), f.add(f.add(first, others), turned)
        above = f.add(cyclic, f.mul_known(one))
        rest = f.add(others, f.mul_known(f.add(one, f.mul_known(above))))
        return f.reduce(max(f.add(cyclic, cyclic), f.add(one, one), f.add(cyclic, rest)))

    def run(self):
        f = self.f
        self.table_entry(32)
        digit = self.digit()
        largest = max(digit, self.long_digits())
        folded = self.step(f'{PIECES} blocks folded', largest, lambda b: self.fold(b, PIECES))
        two = self.step('2 blocks folded', largest, lambda b: self.fold(b, 2))
        first = max(two, self.step('folded, of the first piece', folded, f.reduce))
        twisted = self.step('twisted', folded, f.mul)
        for c in OUTER:
            out = self.nodes('outer split', max(first, twisted), c, False)
            require(f.reduce(out) <= first, 'split parts begin no larger than digits')
        w = self.step('step times own twiddle', f.half, f.mul)
        out = max(self.nodes('columns', max(first, twisted), c, False) for c in COLUMNS)
        x = self.step('columns to rows', out, lambda b: f.mul(b, w))
        backs = []
        for c in ROWS:
            y = self.nodes('rows', x, c, False)
            spectrum = self.step('the other factor', y, f.reduce)
            product = self.step('product', y, lambda b: f.mul(b, spectrum))
            total = self.step('sum of products', product, lambda b: f.reduce(f.add(b, spectrum)))
            require(total <= min(product, spectrum), 'sums go where products and spectra do')
            backs.append(self.nodes('rows back', product, c[::-1], True))
        x = self.step('rows to columns', max(backs), lambda b: f.mul(b, w))
        out = max(self.nodes('columns back', x, c[::-1], True) for c in COLUMNS)
        first = self.step('one piece, reduced', out, f.reduce)
        others = self.step('untwisted', out, f.mul)
        out = max(self.nodes('outer gathering', max(first, others), c[::-1], True) for c in OUTER)
        others = max(others, self.step('gathered', out, lambda b: max(f.mul(b), f.reduce(b))))
        self.gathered = first, others
        self.step('two pieces joined', max(first, others), lambda b: f.add(first, others))
        three = self.step('3 pieces joined', max(first, others),
                          lambda b: self.join_three(first, others))
        require(three <= RESIDUE * f.p, f'3 pieces join within {float(RESIDUE)} p')
        self.step('5 pieces joined', max(first, others), lambda b: self.join_five(first, others))
        for pieces in (4, 6, 7):
            end = self.step(f'{pieces} pieces joined', max(first, others),
                            lambda b, n=pieces: self.join(first, others, n))
            require(end <= RESIDUE * f.p, f'{pieces} pieces join within {float(RESIDUE)} p')
        # one, two or four pieces, less what any number of them left in the high convolution
        kept = max(first, others, self.join(first, others, 4), f.add(first, others))
        self.step('wrapped taken off', max(end, kept), lambda b: f.reduce(f.add(kept, end)))
        self.whole(digit)
        return self.worst

    def far(self, lg_root):
        """Of second primes: run, and an inner pass between outer pass and columns, and back."""
        f = self.f
        self.run()
        self.table_entry(lg_root)
        first, others = self.gathered
        # Split parts are reduced, no larger than the digits that run has twisted and split.
        for c in OUTER:
            out = self.nodes('outer gathering', others, c[::-1], True)
            first, others = max(first, f.reduce(out)), max(others, f.mul(out))
        require(self.join_three(first, others) <= RESIDUE * f.p, 'three pieces, after an inner pass')
        for pieces in (4, 6, 7):
            require(self.join(first, others, pieces) <= RESIDUE * f.p, f'{pieces} pieces, after an inner pass')
        self.join_five(first, others)

    def whole(self, digit):
        """piece.cuh: a block's own transforms, its digits folded by Horner's rule, and the join."""
        f, outs, v = self.f, [], digit
        for _ in range(3):
            v = f.add(f.mul_known(v), digit)
        folded = self.step('whole piece folded', digit, lambda _: v)
        twisted = f.mul(folded)
        for c in WHOLE:
            y = self.nodes('whole piece', max(folded, twisted), c, False)
            spectrum = self.step('the other factor', y, f.reduce)
            product = self.step('product', y, lambda b: f.mul(b, spectrum))
            outs.append(self.nodes('whole piece back', product, c[::-1], True, twisted=True))
        scaled = self.step('scaled', max(outs), f.mul)
        two = self.step('two whole pieces joined', scaled, lambda b: f.add(b, b))
        four = self.step('four whole pieces joined', two,
                         lambda b: f.add(b, max(f.mul_known(b), f.reduce(b))))
        require(four <= RESIDUE * f.p, f'whole pieces join within {float(RESIDUE)} p')
        self.step('whole pieces of x^N + 1', four, f.mul_known)


def dft_bounds(p):
    """For nodes of 2, 4, 8, 16 points from DFT_IN: end, largest product."""
    out = []
    for digits in range(1, 5):
        f = Device(p)
        out.append([Fraction(node(f, [int(DFT_IN * p)] * 2**digits), p), Fraction(f.product, p)])
    return out
