"""Number theory, combinatorics and texts in all bases against int, math and slow definitions."""

import math
import random

import longmul
import pytest
from conftest import EDGES, integers, naturals
from hypothesis import given, strategies as st
from longmul import mpz

shorter = st.integers(-2**700, 2**700)
LETTERS = "abcdefghijklmnopqrstuvwxyz"


# Catches cofactors of the wrong operand, and a gcd of the first two arguments alone.
@given(a=shorter, b=shorter, c=shorter)
def test_divisors(a, b, c):
    g = math.gcd(a, b)
    assert longmul.gcd(a, mpz(b)) == g and longmul.gcd(a, b, c) == math.gcd(a, b, c)
    assert longmul.lcm(mpz(a), b) == math.lcm(a, b) and longmul.lcm(a, b, c) == math.lcm(a, b, c)
    h, s, t = longmul.gcdext(a, b)
    assert h == g and s * a + t * b == g
    assert abs(s) <= max(abs(b), 1) and abs(t) <= max(abs(a), 1)
    if b:
        assert longmul.divexact(a * b, b) == a and longmul.divexact(mpz(a * b), mpz(b)) == a
        assert longmul.is_divisible(a * b, b) and longmul.is_divisible(a, b) == (a % b == 0)
        assert mpz(a).is_congruent(a + b * c, b)
        assert longmul.is_congruent(a, c, b) == ((a - c) % b == 0)


def test_divisors_of_few():
    assert longmul.gcd() == 0 and longmul.lcm() == 1
    assert longmul.gcd(-6) == 6 and longmul.lcm(-6) == 6 and longmul.gcd(0, 0) == 0
    for x in (longmul.gcd(6), longmul.lcm(2, 3), longmul.gcdext(4, 6)[1]):
        assert type(x) is mpz
    with pytest.raises(ZeroDivisionError):
        longmul.divexact(1, 0)
    with pytest.raises(ValueError):
        longmul.divexact(7, 2)
    with pytest.raises(TypeError):
        longmul.gcd(1, "2")


@given(a=shorter, b=shorter, m=shorter.filter(bool))
def test_divm(a, b, m):
    if math.gcd(b, m) != 1 and a % math.gcd(b, m):
        with pytest.raises(ZeroDivisionError):
            longmul.divm(a, b, m)
    else:
        z = longmul.divm(a, b, m)
        assert (b * z - a) % m == 0 and 0 <= z < abs(m)


@given(x=st.integers(-2**100, 2**100).filter(bool), f=st.integers(2, 2**80), n=st.integers(0, 40))
def test_remove(x, f, n):
    y, count = longmul.remove(x * f**n, f)
    assert count >= n and y * f**count == x * f**n and y % f != 0
    assert longmul.remove(0, f) == (0, 0)
    for refused in (1, 0, -2):
        with pytest.raises(ValueError):
            longmul.remove(x, refused)


# Catches a question asked of the magnitude.
@given(a=integers)
def test_questions(a):
    x = mpz(a)
    assert x.is_even() is longmul.is_even(a) is (a % 2 == 0)
    assert x.is_odd() is longmul.is_odd(a) is (a % 2 == 1)
    assert x.is_square() is (a >= 0 and math.isqrt(a) ** 2 == a) and mpz(a * a).is_square()
    assert longmul.is_square(-a * a) is (a == 0)
    assert longmul.sign(a) == (a > 0) - (a < 0)
    assert longmul.cmp(a, 5) == (a > 5) - (a < 5)
    assert longmul.cmp_abs(a, -5) == (abs(a) > 5) - (abs(a) < 5)


def test_is_power():
    powers = {b**k for b in range(-32, 33) for k in range(2, 11)}
    for n in range(-1024, 1024):
        assert mpz(n).is_power() is longmul.is_power(n) is (n in powers)
    assert longmul.is_power(7**301) and not longmul.is_power(7**301 + 1)


# Euler's criterion; Jacobi's symbol as the product over the factors of y.
def test_symbols():
    def legendre(a, p):
        r = pow(a, (p - 1) // 2, p)
        return r - p if r == p - 1 else r

    for p in (3, 5, 7, 11, 2**61 - 1, 2**127 - 1):
        for a in (-5, -1, 0, 1, 2, 3, 10, p - 1, p, 3 * p + 2, 2**300 + 1):
            assert longmul.legendre(a, p) == longmul.jacobi(a, p) == legendre(a, p)
            expected = legendre(a, p) * legendre(a, 3)
            assert longmul.jacobi(a, 3 * p) == longmul.kronecker(a, 3 * p) == expected
    assert [longmul.kronecker(a, 2) for a in range(8)] == [0, 1, 0, -1, 0, -1, 0, 1]
    assert longmul.kronecker(-1, -1) == -1 and longmul.kronecker(1, 0) == 1
    for symbol, refused in ((longmul.jacobi, 0), (longmul.jacobi, 2), (longmul.legendre, -3)):
        with pytest.raises(ValueError):
            symbol(1, refused)


def test_primes():
    primes = [n for n in range(2, 2000) if all(n % d for d in range(2, math.isqrt(n) + 1))]
    for p, q in zip(primes, primes[1:]):
        assert longmul.next_prime(p) == q and longmul.prev_prime(q) == p
        assert longmul.next_prime(q - 1) == q and longmul.prev_prime(p + 1) == p
    assert longmul.next_prime(-10**30) == 2 and longmul.prev_prime(3) == 2
    assert longmul.next_prime(2**127 - 2) == longmul.prev_prime(2**127) == 2**127 - 1
    with pytest.raises(ValueError):
        longmul.prev_prime(2)
    product = 1
    for n in range(60):
        product *= n if n in primes else 1
        assert longmul.primorial(n) == product


# Catches a stop at the wrong factor, and n over k for n < 0.
def test_combinatorics():
    a, b, c, d = 0, 1, 2, 1
    for n in range(200):
        assert longmul.fac(n) == longmul.factorial(n) == math.factorial(n)
        for step in (2, 3, 7):
            assert longmul.multi_fac(n, step) == math.prod(range(n, 0, -step))
        assert longmul.double_fac(n) == longmul.multi_fac(n, 2)
        assert longmul.fib(n) == a and longmul.lucas(n) == c
        assert longmul.fib2(n) == (a, b - a) and longmul.lucas2(n) == (c, d - c)
        a, b, c, d = b, a + b, d, c + d
        for k in (0, 1, 2, n // 2, n, n + 1):
            assert longmul.comb(n, k) == longmul.bincoef(mpz(n), k) == math.comb(n, k)
            assert longmul.comb(-n - 1, k) == (-1) ** k * math.comb(n + k, k)
    assert longmul.comb(2**100, 3) == 2**100 * (2**100 - 1) * (2**100 - 2) // 6
    for f in (longmul.fac, longmul.fib, longmul.lucas2, longmul.primorial, longmul.double_fac):
        with pytest.raises(OverflowError):
            f(-1)
        with pytest.raises(TypeError):
            f(1.5)
    with pytest.raises(ValueError):
        longmul.multi_fac(5, 0)


@given(a=integers, k=st.sampled_from((0, 1, 63, 64, 65, 128, 700, 30000)))
def test_powers_of_two(a, k):
    d = 1 << k
    toward_zero = abs(a) >> k
    expected = {"f": a >> k, "c": -(-a >> k), "t": toward_zero if a >= 0 else -toward_zero}
    for family, q in expected.items():
        assert getattr(longmul, family + "_div_2exp")(a, k) == q
        assert getattr(longmul, family + "_mod_2exp")(mpz(a), k) == a - q * d
        assert getattr(longmul, family + "_divmod_2exp")(a, k) == (q, a - q * d)
    assert longmul.bit_mask(k) == d - 1


@given(a=naturals, b=naturals)
def test_hamdist(a, b):
    assert longmul.hamdist(a, b) == (a ^ b).bit_count() == longmul.hamdist(~a, ~b)
    assert longmul.hamdist(a, ~b) == longmul.hamdist(~a, b) == -1


@given(e=st.integers(1, 2**200), a=shorter, m=st.integers(0, 2**300))
def test_powmod_sec(e, a, m):
    m = 2 * m + 1
    assert longmul.powmod_sec(a, e, m) == pow(a, e, m)
    for exponent, modulus in ((0, m), (-e, m), (e, m + 1)):
        with pytest.raises(ValueError):
            longmul.powmod_sec(a, exponent, modulus)


def written(a, base):
    letters = LETTERS if base <= 36 else LETTERS.upper() + LETTERS
    out = ""
    rest = abs(a)
    while rest:
        rest, digit = divmod(rest, base)
        out = ("0123456789" + letters)[digit] + out
    return ("-" if a < 0 else "") + (out or "0")


# Catches a base that is read as another, letters of the wrong case, a prefix in front of no digit.
@given(a=shorter, base=st.integers(2, 62))
def test_bases(a, base):
    text = longmul.digits(a, base)
    assert mpz(text, base) == a and mpz(text, base=base) == a and mpz(a).digits(base) == text
    assert mpz(a).num_digits(base) - len(text.lstrip("-")) in (0, 1)
    assert text == written(a, base)
    if base <= 36:
        assert longmul.digits(a, -base) == text.upper() and mpz(text.upper(), base) == a


def test_prefixes():
    for prefix, base in (("0b", 2), ("0o", 8), ("0x", 16), ("0B", 2), ("0O", 8), ("0X", 16)):
        for sign in ("", "+", "-"):
            text = " " + sign + prefix + "10_1\n"
            assert mpz(text) == mpz(text, 0) == mpz(text, base) == int(text, 0)
    assert mpz("b1", 16) == 0xB1 and mpz("0b1", 16) == 0xB1
    assert mpz("0_b1", 16) == 0xB1 and mpz("0_x1", 36) == int("0_x1", 36)
    for text in ("0x", "0x-1", "0b2", "0o8", "-", "", "1_", "0b", "z", "0_x10", "-0_b1"):
        with pytest.raises(ValueError):
            mpz(text)
    for base in (1, -2, 63):
        with pytest.raises(ValueError):
            mpz("1", base)
    for base in (0, 1, -1, 63, -37, 2**32 + 10):
        with pytest.raises(ValueError):
            longmul.digits(5, base)


@given(st.sampled_from(EDGES))
def test_edges_in_bases(a):
    for base in (2, 3, 8, 10, 32, 36):
        assert int(longmul.digits(a, base), base) == a


def test_random():
    state = longmul.random_state(7)
    again = longmul.random_state(7)
    assert [longmul.mpz_urandomb(state, 100) for _ in range(5)] == [
        again.getrandbits(100) for _ in range(5)]
    assert longmul.mpz_urandomb(state, 0) == 0
    assert {longmul.mpz_random(state, mpz(3)) for _ in range(100)} == {0, 1, 2}
    assert longmul.mpz_random(random.SystemRandom(), 2**200).bit_length() <= 200
