#!/usr/bin/env python3
"""Writes the known answers of this folder from Python's integers; see kat_reader.h for the format.

    gen_kats.py [FOLDER]

The files are committed: this program is run again only to add vectors. A number that once gave a
wrong result goes to the top of its list below, with a line that tells the story.
"""

import random
import sys
from pathlib import Path

B = 1 << 64


def hexa(x):
    return ("-" if x < 0 else "") + "%x" % abs(x)


def div_trunc(a, d):
    q = abs(a) // abs(d)
    if (a < 0) != (d < 0):
        q = -q
    return q, a - q * d


# --- Operands -------------------------------------------------------------------------------------


def uniform(rng, n):
    return rng.getrandbits(64 * n) | 1 << (64 * n - 1)


def runs(rng, n):
    """Long runs of 0 and of 1 bits: carries and borrows that travel far."""
    x, bit, left = 0, 1, 64 * n
    while left > 0:
        length = min(left, 1 + rng.getrandbits(rng.randrange(1, 9)))
        x = x << length | (((1 << length) - 1) if bit else 0)
        bit, left = 1 - bit, left - length
    return x


def ones(rng, n):
    return B**n - 1


def power(rng, n):
    return 1 << (64 * (n - 1) + rng.randrange(64))


def beside_power(rng, n):
    return power(rng, n) + rng.choice((-1, 1))


def sparse(rng, n):
    x = power(rng, n)
    for _ in range(4):
        x |= 1 << rng.randrange(64 * n)
    return x


SHAPES = (uniform, runs, ones, power, beside_power, sparse)


def draw(rng, n):
    """A number of about n limbs, n = 0 gives 0."""
    return rng.choice(SHAPES)(rng, n) if n > 0 else 0


def signed(rng, x):
    return rng.choice((-1, 1)) * x


def size(rng, low, high):
    """Log-uniform."""
    return min(high, int(low * (high / low) ** rng.random() + 0.5))


# --- Vectors: each yields (operation, [(attribute, text), ...]) -----------------------------------


def product(a, b):
    return "Product", [("A", hexa(a)), ("B", hexa(b)), ("Result", hexa(a * b))]


def products(rng):
    small = [0, 1, -1, 2, 3, B // 2 - 1, B // 2, B - 1, B, B + 1]
    small += [1 - B**2, B**2, B**3 - B**2 - 1]
    yield from (product(a, b) for i, a in enumerate(small) for b in small[: i + 1])
    for n in (2, 3, 7, 16, 33, 50):  # identities, with every carry there can be
        yield product(B**n - 1, B**n + 1)
        yield product(B**n - 1, B**n - 1)
        yield product(B**n - 1, B ** (n // 2) - 1)
        yield product((B**n - 1) // 3, 3)
    for _ in range(70):
        n, m = size(rng, 1, 60), size(rng, 1, 60)
        yield product(signed(rng, draw(rng, n)), signed(rng, draw(rng, m)))
    for n, m in ((200, 3), (150, 130), (400, 400), (600, 140)):
        yield product(uniform(rng, n), runs(rng, m))


def squares(rng):
    for a in (0, 1, -1, B - 1, -B, B + 1, B**2 - 1):
        yield "Square", [("A", hexa(a)), ("Result", hexa(a * a))]
    for _ in range(50):
        a = signed(rng, draw(rng, size(rng, 1, 60)))
        yield "Square", [("A", hexa(a)), ("Result", hexa(a * a))]
    a = runs(rng, 500)
    yield "Square", [("A", hexa(a)), ("Result", hexa(a * a))]


def sums(rng):
    def vector(a, b):
        return "Sum", [("A", hexa(a)), ("B", hexa(b)), ("Sum", hexa(a + b)),
                       ("Difference", hexa(a - b))]

    small = [0, 1, -1, B - 1, 1 - B, B, -B, B + 1, B**2 - 1, 1 - B**2, B**2, B**9 - 1, -(B**9)]
    yield from (vector(a, b) for a in small for b in small)
    for _ in range(50):
        n = size(rng, 1, 30)
        a = signed(rng, draw(rng, n))
        yield vector(a, signed(rng, draw(rng, size(rng, 1, 30))))
        yield vector(a, rng.choice((-1, 1)) * a + rng.randrange(-2, 3))  # nearly all cancels


def shifts(rng):
    def vector(a, bits):
        q = abs(a) >> bits
        return "Shift", [("A", hexa(a)), ("Bits", hexa(bits)), ("Left", hexa(a << bits)),
                         ("Right", hexa(-q if a < 0 else q))]

    for a in (0, 1, -1, B - 1, -B, B**3 - 1, -(B**3) + 1):
        for bits in (0, 1, 63, 64, 65, 127, 128, 191, 192, 193, 1000):
            yield vector(a, bits)
    for _ in range(60):
        n = size(rng, 1, 40)
        yield vector(signed(rng, draw(rng, n)), rng.randrange(64 * n + 70))


def divisions(rng):
    def vector(a, d):
        q, r = div_trunc(a, d)
        return "Division", [("A", hexa(a)), ("D", hexa(d)), ("Quotient", hexa(q)),
                            ("Remainder", hexa(r))]

    small = [1, -1, 2, 3, B // 2, B - 1, B, -B - 1, B**2 - 1, B**2 // 2, -(B**3)]
    yield from (vector(a, d) for a in [0] + small for d in small)
    # Quotient digits whose estimate is too large, by one and by two.
    yield vector(B**3 // 2, B**2 // 2 + B - 1)
    yield vector(B**4 // 2 - 1, B**2 // 2 + 1)
    yield vector((B // 2) * B**2 + 3, (B // 2) * B + B - 1)
    yield vector(B**4 - 1, B**2 - B + 1)
    for _ in range(100):
        n = size(rng, 1, 50)
        d = draw(rng, size(rng, 1, n))
        form = rng.randrange(3)
        if form == 0:
            a = draw(rng, n)
        elif form == 1:  # just below, at, above a multiple
            a = abs(d * draw(rng, n) + rng.randrange(-1, 2))
        else:  # a quotient of ones
            a = d * (B ** size(rng, 1, n) - 1) + d - 1
        yield vector(signed(rng, a), signed(rng, d))
    for n, m in ((300, 150), (200, 10)):
        yield vector(uniform(rng, n), uniform(rng, m))
        yield vector(ones(rng, n), runs(rng, m))


def powers(rng):
    def vector(base, exponent, modulus):
        result = 0 if abs(modulus) == 1 else pow(base, exponent, abs(modulus))
        return "Power", [("Base", hexa(base)), ("Exponent", hexa(exponent)),
                         ("Modulus", hexa(modulus)), ("Result", hexa(result))]

    for base in (0, 1, -1, 2, B - 1, -B):
        for exponent in (0, 1, 2, 3, B, B + 1):
            for modulus in (1, -1, 2, 3, -4, B - 1, B, B + 1, 1 - B**2):
                yield vector(base, exponent, modulus)
    for e in (61, 89, 127, 521, 607):  # Fermat's theorem for Mersenne primes
        yield vector(3, 2**e - 2, 2**e - 1)
    for bits in range(1, 40):  # every length of exponent around the windows
        yield vector(draw(rng, 2), rng.getrandbits(bits) | 1 << (bits - 1), draw(rng, 2) | 1)
    for _ in range(60):
        n = size(rng, 1, 24)
        modulus = draw(rng, n)
        if rng.randrange(2):
            modulus |= 1
        else:
            modulus <<= rng.randrange(130)
        base, exponent = signed(rng, draw(rng, size(rng, 1, 30))), draw(rng, size(rng, 1, 4))
        yield vector(base, exponent, signed(rng, modulus))
    yield vector(uniform(rng, 64), uniform(rng, 2), uniform(rng, 64) | 1)
    yield vector(uniform(rng, 64), uniform(rng, 2), uniform(rng, 60) << 77)


def mod_products(rng):
    def vector(a, b, bits):
        return "ModProduct", [("A", hexa(a)), ("B", hexa(b)), ("Bits", hexa(bits)),
                              ("Minus1", hexa(a * b % (2**bits - 1))),
                              ("Plus1", hexa(a * b % (2**bits + 1)))]

    small = [0, 1, -1, 2, B - 1, -B, B + 1, B**2 - 1, 1 - B**3]
    for bits in (1, 2, 3, 63, 64, 65, 127, 128, 129):
        yield from (vector(a, b, bits) for a in small[::2] for b in small)
    for n in (64, 96, 128):  # lengths of transforms; every residue there is at their ends
        top = 2 ** (64 * n)
        for a in (top - 1, top, top + 1, top // 2, uniform(rng, n), -runs(rng, n)):
            yield vector(a, a, 64 * n)
            yield vector(a, top - 2, 64 * n)
    for _ in range(60):
        a, b = draw(rng, size(rng, 1, 60)), draw(rng, size(rng, 1, 60))
        yield vector(signed(rng, a), signed(rng, b), size(rng, 1, 5000))


def integer_root(a, k):
    """The largest s with s^k <= a, bit by bit."""
    if a.bit_length() <= k:
        return min(a, 1)
    s = 0
    for bit in range(a.bit_length() // k + 1, -1, -1):
        if (s | 1 << bit) ** k <= a:
            s |= 1 << bit
    return s


def roots(rng):
    def vector(a, k):
        s = integer_root(abs(a), k)
        s = -s if a < 0 else s
        return "Root", [("A", hexa(a)), ("K", hexa(k)), ("Root", hexa(s)),
                        ("Remainder", hexa(a - s**k))]

    for a in (0, 1, 2, 3, 4, 7, 8, 9, 26, 27, 28, B - 1, B, B + 1, B**2 - 1, B**2, B**3 - 1, B**3):
        yield from (vector(a, k) for k in (1, 2, 3, 4, 5, 64, 65, B - 1))
        yield vector(-a, 3)
    for k in (2, 3, 5, 6, 7, 16, 33):
        for _ in range(6):
            s = draw(rng, size(rng, 1, max(1, 80 // k)))
            yield from (vector(s**k + d, k) for d in (-1, 0, 1) if s**k + d >= 0)
            yield vector((s + 1) ** k - 1, k)
    for _ in range(40):
        n = size(rng, 1, 60)
        yield vector(draw(rng, n), 2)
        yield vector(-draw(rng, n), 2 * size(rng, 1, 40) + 1)
        yield vector(draw(rng, n), size(rng, 2, 100 * n))


def decimals(rng):
    def vector(a):
        return "Decimal", [("Hex", hexa(a)), ("Decimal", str(a))]

    def product_vector(a, b):
        return "DecimalProduct", [("A", str(a)), ("B", str(b)), ("Result", str(a * b))]

    values = [0, 1, -1, 9, 10, B - 1, B, -B]
    values += [10**k + d for k in (1, 17, 18, 19, 20, 37, 38, 39, 100, 300) for d in (-1, 0, 1)]
    values += [-(10**k) for k in (19, 38, 57)]
    yield from (vector(a) for a in values)
    for _ in range(60):
        yield vector(signed(rng, draw(rng, size(rng, 1, 60))))
    for digits in (1500, 4000):
        yield vector(rng.randrange(10 ** (digits - 1), 10**digits))
        yield vector(10**digits - 1)
    for a in values[::3]:
        yield product_vector(a, values[-2])
    for _ in range(40):
        k, m = size(rng, 1, 600), size(rng, 1, 600)
        yield product_vector(signed(rng, rng.randrange(10**k)), signed(rng, rng.randrange(10**m)))
    yield product_vector(10**3000 - 1, 10**2500 - 1)


FILES = {
    "product.txt": (products, "Result = A B"),
    "square.txt": (squares, "Result = A^2"),
    "sum.txt": (sums, "Sum = A + B, Difference = A - B"),
    "shift.txt": (shifts, "Left = A 2^Bits, Right = A / 2^Bits rounded toward zero"),
    "division.txt": (divisions, "A = Quotient D + Remainder, rounded toward zero"),
    "mod_product.txt": (mod_products, "Minus1 = A B mod 2^Bits - 1, Plus1 = A B mod 2^Bits + 1"),
    "root.txt": (roots, "Root = the K-th root of A toward zero, Remainder = A - Root^K"),
    "power.txt": (powers, "Result = Base^Exponent mod |Modulus|, in [0, |Modulus|)"),
    "decimal.txt": (decimals, "Hex and Decimal are one number; Result = A B in decimal"),
}


def main():
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent
    if hasattr(sys, "set_int_max_str_digits"):
        sys.set_int_max_str_digits(0)
    for name, (vectors, title) in FILES.items():
        rng = random.Random(name)
        blocks = []
        for operation, attributes in vectors(rng):
            lines = ["Operation = " + operation] + ["%s = %s" % a for a in attributes]
            blocks.append("\n".join(lines))
        text = "# %s. Written by gen_kats.py.\n\n%s\n" % (title, "\n\n".join(blocks))
        (folder / name).write_text(text)
        print("%s: %d vectors, %d bytes" % (name, len(blocks), len(text)))


main()
