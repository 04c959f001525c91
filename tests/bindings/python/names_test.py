"""gmpy2's names that are written in Python: lists of parts, Lucas sequences, pseudoprimes."""

import math
import random

import longmul
import pytest
from conftest import integers, naturals
from hypothesis import given, strategies as st
from longmul import mpz


# Catches a part that reaches into its neighbour, and a last part that is lost or doubled.
@given(x=naturals, n=st.integers(1, 700))
def test_pack(x, n):
    parts = longmul.unpack(x, n)
    assert parts == [x >> i & 2**n - 1 for i in range(0, max(x.bit_length(), 1), n)]
    assert all(type(part) is mpz for part in parts)
    assert longmul.pack(parts, n) == longmul.pack([int(part) for part in parts] + [0], n) == x


def test_pack_refusals():
    assert longmul.pack([], 5) == 0 and longmul.unpack(0, 5) == [0]
    for bad in ([-1], [32], [1, 2.0], (1, 2), 3):
        with pytest.raises(TypeError):
            longmul.pack(bad, 5)
    for call in (lambda: longmul.unpack(-1, 5), lambda: longmul.unpack(1, 0), lambda: longmul.pack([1], 0)):
        with pytest.raises(ValueError):
            call()


@given(x=integers, y=integers, z=integers, t=integers)
def test_fused(x, y, z, t):
    assert longmul.fma(x, y, z) == x * y + z and longmul.fms(x, y, mpz(z)) == x * y - z
    assert longmul.fmma(x, y, z, t) == x * y + z * t and longmul.fmms(mpz(x), y, z, t) == x * y - z * t
    assert longmul.numer(x) == x and longmul.denom(x) == 1 and longmul.bit_count(x) == x.bit_count()
    assert y == 0 or longmul.mod(x, y) == x % y
    for bad in (lambda: longmul.fma(x, y, 1.0), lambda: longmul.numer(1.0), lambda: longmul.mod(x, "")):
        with pytest.raises(TypeError):
            bad()


@given(x=st.lists(st.integers(0, 2**200), max_size=5), y=st.integers(0, 2**100), m=st.integers(1, 2**150))
def test_lists_of_powers(x, y, m):
    assert longmul.powmod_base_list(x, y, m) == [pow(b, y, m) for b in x]
    assert longmul.powmod_exp_list(y, x, m) == [pow(y, e, m) for e in x]


# Catches runs that do not alternate and a number that is one bit short.
def test_random_runs():
    state = longmul.random_state(5)
    for bits in (1, 2, 63, 64, 65, 1000):
        numbers = [longmul.mpz_rrandomb(state, bits) for _ in range(50)]
        assert {x.bit_length() for x in numbers} == {bits}
        changes = sum((x ^ x >> 1).bit_count() for x in numbers) / 50
        assert changes < max(4, bits / 8)
    assert longmul.mpz_rrandomb(state, 0) == 0


def recurrence(first, p, q, k):
    x, y = first
    for _ in range(k):
        x, y = y, p * y - q * x
    return x


# Catches a step of the doubling that takes the wrong of two neighbours, and even moduli, where nothing
# can be halved.
@given(p=st.integers(-9, 9), q=st.integers(-9, 9), k=st.integers(0, 300), n=st.integers(1, 2**70))
def test_lucas_sequences(p, q, k, n):
    if p * p == 4 * q:
        with pytest.raises(ValueError):
            longmul.lucasu(p, q, k)
        return
    u, v = recurrence((0, 1), p, q, k), recurrence((2, p), p, q, k)
    assert longmul.lucasu(p, q, k) == u and longmul.lucasv(mpz(p), q, k) == v
    assert longmul.lucasu_mod(p, q, k, n) == u % n and longmul.lucasv_mod(p, q, k, mpz(n)) == v % n
    for bad in (lambda: longmul.lucasu(p, q, -1), lambda: longmul.lucasv_mod(p, q, k, 0)):
        with pytest.raises(ValueError):
            bad()


def is_prime(n):
    return n > 1 and all(n % d for d in range(2, math.isqrt(n) + 1))


BY_BASE = longmul.is_fermat_prp, longmul.is_euler_prp, longmul.is_strong_prp
BY_NUMBER = (longmul.is_selfridge_prp, longmul.is_strong_selfridge_prp, longmul.is_bpsw_prp,
             longmul.is_strong_bpsw_prp)


def test_primes_are_pseudoprimes():
    for n in filter(is_prime, range(2, 400)):
        assert all(test(n) for test in BY_NUMBER)
        assert all(test(n, a) for test in BY_BASE for a in (2, 3, n + 1) if math.gcd(a, n) == 1)
        for p, q in ((1, -1), (3, 1), (5, 2), (4, -3)):
            d = p * p - 4 * q
            if math.gcd(n, 2 * q * d) == 1:
                assert longmul.is_lucas_prp(n, p, q) and longmul.is_strong_lucas_prp(n, p, q)
                assert q != 1 or longmul.is_extra_strong_lucas_prp(n, p)
            assert abs(q) != 1 or longmul.is_fibonacci_prp(n, p, q)


def passed(test, *more):
    """The composite numbers below 6000 that pass."""
    numbers = (n for n in range(3, 6000, 2) if not is_prime(n))
    return [n for n in numbers if all(math.gcd(n, a) == 1 for a in more) and test(n, *more)]


def baillie(n):
    """The extra strong test with the first p from 3 on where the Jacobi symbol is -1."""
    if longmul.is_square(n):
        return False
    p = next((p for p in range(3, n) if longmul.jacobi(p * p - 4, n) == -1), None)
    return p is not None and longmul.is_extra_strong_lucas_prp(n, p)


# The first pseudoprimes of each kind, from the literature (OEIS A001567, A047713, A001262, A217120,
# A217255, A005845 and A217719 in turn): catches a test that is another's.
def test_pseudoprimes():
    assert passed(longmul.is_fermat_prp, 2)[:6] == [341, 561, 645, 1105, 1387, 1729]
    assert passed(longmul.is_euler_prp, 2)[:6] == [561, 1105, 1729, 1905, 2047, 2465]
    assert passed(longmul.is_strong_prp, 2) == [2047, 3277, 4033, 4681]
    assert passed(longmul.is_selfridge_prp) == [323, 377, 1159, 1829, 3827, 5459, 5777]
    assert passed(longmul.is_strong_selfridge_prp) == [5459, 5777]
    assert passed(lambda n: longmul.is_fibonacci_prp(n, 1, -1)) == [705, 2465, 2737, 3745, 4181, 5777]
    assert passed(baillie) == [119, 989, 1239, 3239, 5777]  # 119 and 1239: gmpy2's t goes to r - 1
    assert passed(longmul.is_bpsw_prp) == passed(longmul.is_strong_bpsw_prp) == []


def test_refusals_of_pseudoprimes():
    for test in BY_BASE:
        assert test(1, 2) is False and test(2, 2) is True and test(4, 2) is False
        for n, a in ((0, 2), (-7, 2), (7, 1), (9, 3)):
            with pytest.raises(ValueError):
                test(n, a)
    for test in BY_NUMBER:
        assert test(1) is False and test(2) is True and test(9) is False
        with pytest.raises(ValueError):
            test(0)
    for call in (lambda: longmul.is_lucas_prp(15, 5, 3), lambda: longmul.is_lucas_prp(7, 2, 1),
                 lambda: longmul.is_fibonacci_prp(7, 0, 1), lambda: longmul.is_fibonacci_prp(7, 3, 2)):
        with pytest.raises(ValueError):
            call()


# 2 is a proof, which is_prime is below 2^64 only.
def test_probable_primes():
    state = random.Random(3)
    for n in [-7, 0, 1, 2, 4, 2**61 - 1, 2**64 - 59, 2**64 + 13, 2**89 - 1, 2**89 + 1] + [
            state.getrandbits(64) for _ in range(200)]:
        expected = 0 if not longmul.is_prime(n) else 2 if n < 2**64 else 1
        assert longmul.is_probab_prime(n) == mpz(n).is_probab_prime(25) == expected
