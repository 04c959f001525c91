"""The module's functions against int and math."""

import math

import longmul
import pytest
from conftest import EDGES, integers, naturals
from hypothesis import given, strategies as st
from longmul import mpz


@given(a=integers, b=integers)
def test_arithmetic(a, b):
    assert longmul.add(a, b) == a + b and longmul.sub(a, mpz(b)) == a - b
    assert longmul.mul(mpz(a), b) == a * b and longmul.square(a) == a * a
    assert longmul.digits(a) == str(a) and longmul.digits(mpz(a), 16) == "%x" % a
    assert longmul.from_binary(longmul.to_binary(a)) == a


def rounded(a, d):
    q = a // d
    up = q if q * d == a else q + 1
    toward_zero = q if a * d >= 0 else up
    return {"f": q, "c": up, "t": toward_zero}


# Catches a family that rounds as another, and remainders that do not belong to their quotients.
@given(a=integers, d=integers.filter(bool))
def test_division_families(a, d):
    for family, q in rounded(a, d).items():
        expected = q, a - q * d
        assert getattr(longmul, family + "_divmod")(a, d) == expected
        assert getattr(longmul, family + "_div")(mpz(a), d) == q
        assert getattr(longmul, family + "_mod")(a, mpz(d)) == expected[1]
    assert longmul.floor_div(a, d) == a // d
    with pytest.raises(ZeroDivisionError):
        longmul.c_div(a, 0)


# Catches a root that is one too large, at squares and their neighbours.
@given(a=naturals)
def test_isqrt(a):
    for x in (a, a * a, a * a + 1, max(a * a - 1, 0)):
        s = math.isqrt(x)
        assert longmul.isqrt(x) == longmul.isqrt(mpz(x)) == s
        assert longmul.isqrt_rem(x) == (s, x - s * s)
    with pytest.raises(ValueError):
        longmul.isqrt(-a - 1)


@given(a=st.integers(-2**900, 2**900), k=st.integers(1, 70))
def test_iroot(a, k):
    if a < 0 and k % 2 == 0:
        with pytest.raises(ValueError):
            longmul.iroot(a, k)
        return
    for x in (a, a**k):
        root, exact = longmul.iroot(x, k)
        low = abs(root) ** k
        assert low <= abs(x) < (abs(root) + 1) ** k and (root < 0) == (x < 0 and root != 0)
        assert exact is (root**k == x)
        assert longmul.iroot_rem(x, k) == (root, x - root**k)
    with pytest.raises(ValueError):
        longmul.iroot(a, 0)


@given(a=integers, e=st.integers(0, 2**100), m=st.integers(1, 2**300))
def test_powmod(a, e, m):
    assert longmul.powmod(a, e, m) == longmul.powmod(mpz(a), mpz(e), mpz(m)) == pow(a, e, m)
    assert longmul.powmod(a, e % 100, -m) == pow(a, e % 100, -m)


@given(a=integers, m=integers.filter(bool))
def test_invert(a, m):
    if math.gcd(a, m) != 1:
        with pytest.raises(ZeroDivisionError):
            longmul.invert(a, m)
    else:
        assert longmul.invert(mpz(a), m) == pow(a, -1, abs(m))


# Catches a scan that ends with the magnitude, and negative numbers read as magnitudes.
@given(a=integers, k=st.sampled_from((0, 1, 63, 64, 65, 128, 30000)))
def test_bits(a, k):
    assert mpz(a).bit_count() == a.bit_count() and longmul.bit_length(a) == a.bit_length()
    assert longmul.popcount(a) == (-1 if a < 0 else a.bit_count())
    assert longmul.bit_test(a, k) is bool(a >> k & 1)
    for scan, bits in ((longmul.bit_scan1, a >> k), (longmul.bit_scan0, ~a >> k)):
        assert scan(mpz(a), k) == (None if bits == 0 else k + (bits & -bits).bit_length() - 1)
        assert getattr(mpz(a), scan.__name__)(k) == scan(a, k)
    assert mpz(a).bit_set(k) == longmul.bit_set(a, k) == a | 1 << k
    assert mpz(a).bit_clear(k) == longmul.bit_clear(a, k) == a & ~(1 << k)
    assert mpz(a).bit_flip(k) == longmul.bit_flip(a, k) == a ^ 1 << k
    assert mpz(a).bit_test(mpz(k)) is longmul.bit_test(a, k) and mpz(a).digits(16) == "%x" % a
    assert mpz(a).bit_scan1() == longmul.bit_scan1(a) == longmul.bit_scan1(a, 0)


def test_is_prime():
    for n in range(-5, 2000):
        assert longmul.is_prime(n) is (n > 1 and all(n % d for d in range(2, math.isqrt(n) + 1)))
    for p in (89, 127, 521, 607, 1279):
        assert longmul.is_prime(2**p - 1) and not longmul.is_prime(2 ** (p + 2) - 1)
    assert longmul.is_prime(mpz(2) ** 127 - 1, 25) and mpz(97).is_prime() and not mpz(91).is_prime(5)


def test_to_binary():
    assert longmul.to_binary(0) == b"\1\0" and longmul.to_binary(-258) == b"\1\2\2\1"
    for bad in (b"", b"\1", b"\2\1\1", b"\1\3\1"):
        with pytest.raises(ValueError):
            longmul.from_binary(bad)


class Index:
    def __index__(self):
        return 2**70


class Mpz:
    def __init__(self, result):
        self.result = result

    def __mpz__(self):
        return self.result


def test_arguments():
    assert longmul.add(Index(), True) == 2**70 + 1
    two = Mpz(mpz(2))
    assert mpz(two) == 2 and mpz(2) == two and two * mpz(4) == 8
    assert mpz(1) + two == longmul.add(two, 1) == 3
    for bad in ("2", 2):
        with pytest.raises(TypeError):
            mpz(1) + Mpz(bad)
    for call in (lambda: longmul.add(1), lambda: longmul.add(1, 2, 3), lambda: longmul.mul(1.0, 2),
                 lambda: longmul.isqrt("4"), lambda: longmul.powmod(1, 2, None)):
        with pytest.raises(TypeError):
            call()


# Every public name has a docstring and a line in the stub file.
def test_names():
    import pathlib

    stub = pathlib.Path(longmul.__file__).with_name("__init__.pyi").read_text()
    for name in longmul.__all__:
        assert getattr(longmul, name).__doc__, name
        assert f"def {name}(" in stub or f"class {name}" in stub, name
    for name in dir(mpz):
        assert name in dir(int) or f"{name}(" in stub or f"{name}:" in stub or name[0] == "_", name
    assert set(dir(int)) - set(dir(mpz)) == {"__getnewargs__"}


def test_edges_survive_texts():
    for a in EDGES:
        assert mpz(longmul.digits(a, 16), 16) == a == mpz(str(mpz(a)))
