"""The operators of mpz against those of int, on the same numbers, mixed with int on either side."""

import operator

import pytest
from conftest import EDGES, integers, naturals
from hypothesis import given, strategies as st
from longmul import mpz

BINARY = [operator.add, operator.sub, operator.mul, operator.and_, operator.or_, operator.xor]
DIVISIONS = [operator.floordiv, operator.mod, divmod]
COMPARISONS = [operator.lt, operator.le, operator.eq, operator.ne, operator.gt, operator.ge]
UNARY = [operator.neg, operator.pos, abs, operator.invert]


def check(op, a, b):
    """op on mpz and int in all mixtures has int's value and gives an mpz."""
    expected = op(a, b)
    for x, y in ((mpz(a), mpz(b)), (mpz(a), b), (a, mpz(b))):
        result = op(x, y)
        assert result == expected
        parts = result if isinstance(result, tuple) else (result,)
        assert all(type(part) is mpz for part in parts)


# Catches a sign or a carry lost at the ends of limbs, and a way chosen by a wrong length.
@pytest.mark.parametrize("op", BINARY)
def test_edges(op):
    for a in EDGES:
        for b in EDGES[::3]:
            check(op, a, b)


# Catches quotients rounded toward zero, and remainders with the dividend's sign.
@pytest.mark.parametrize("op", DIVISIONS)
def test_division_edges(op):
    for a in EDGES[::2]:
        for b in EDGES[::3]:
            if b != 0:
                check(op, a, b)


@pytest.mark.parametrize("op", BINARY)
@given(a=integers, b=integers)
def test_binary(op, a, b):
    check(op, a, b)


@pytest.mark.parametrize("op", DIVISIONS)
@given(a=integers, b=integers.filter(bool))
def test_division(op, a, b):
    check(op, a, b)
    check(op, a * b, b)


# Catches a compare that looks at lengths before signs, or at the low limbs first.
@given(a=integers, b=integers)
def test_comparisons(a, b):
    for x, y in ((a, b), (a, a), (a, a + 1), (a, -a)):
        for op in COMPARISONS:
            assert op(mpz(x), mpz(y)) is op(mpz(x), y) is op(x, mpz(y)) is op(x, y)


@pytest.mark.parametrize("op", UNARY)
@given(a=integers)
def test_unary(op, a):
    assert op(mpz(a)) == op(a)
    assert type(op(mpz(a))) is mpz


# Catches a right shift of negative numbers that rounds toward zero.
@given(a=integers, k=st.sampled_from((0, 1, 63, 64, 65, 4096, 4097, 70000)))
def test_shifts(a, k):
    assert mpz(a) << k == a << k == mpz(a) << mpz(k)
    assert mpz(a) >> k == a >> k == mpz(a) >> mpz(k)
    assert a << mpz(k % 1000) == a << k % 1000


@given(a=st.integers(-2**200, 2**200), k=st.integers(0, 40))
def test_power(a, k):
    check(operator.pow, a, k)


# Catches a residue with the sign of the base instead of the modulus's.
@given(a=integers, e=st.integers(0, 2**80), m=integers.filter(bool))
def test_power_modulo(a, e, m):
    expected = pow(a, e % 1000, m)
    assert pow(mpz(a), e % 1000, m) == pow(mpz(a), mpz(e % 1000), mpz(m)) == expected
    m = m % 2**200 + 1
    assert pow(mpz(a), e, m) == pow(a, e, m)


# Catches an inverse of the wrong residue, and a common divisor that goes unnoticed.
@given(a=integers, e=st.integers(1, 5), m=st.integers(-2**200, 2**200).filter(bool))
def test_power_of_inverse(a, e, m):
    try:
        expected = pow(a, -e, m)
    except ValueError:
        with pytest.raises(ValueError):
            pow(mpz(a), -e, m)
    else:
        assert pow(mpz(a), -e, m) == pow(mpz(a), mpz(-e), mpz(m)) == expected


def test_power_ends():
    assert mpz(2) ** -1 == 0.5 and mpz(0) ** 0 == 1
    assert mpz(-1) ** (2**70 + 1) == -1 and mpz(-1) ** 2**70 == 1 and mpz(0) ** 2**70 == 0
    with pytest.raises(OverflowError):
        mpz(2) ** 2**70
    with pytest.raises(ZeroDivisionError):
        mpz(0) ** -1
    with pytest.raises(ValueError):
        pow(mpz(2), 3, 0)


@pytest.mark.parametrize("op", DIVISIONS + [operator.truediv])
def test_division_by_zero(op):
    for zero in (0, mpz(0)):
        with pytest.raises(ZeroDivisionError):
            op(mpz(5), zero)


@given(a=integers, b=naturals)
def test_operands_stay_as_they_are(a, b):
    x, y = mpz(a), mpz(b)
    for op in BINARY:
        op(x, y), op(x, x)
    assert (x, y) == (a, b)


# Other numbers: floats and complex numbers as with int, fractions exactly, anything else refuses.
def test_other_types():
    from decimal import Decimal
    from fractions import Fraction

    assert mpz(3) + 0.5 == 3.5 == 0.5 + mpz(3) and type(mpz(3) + 0.5) is float
    assert mpz(3) * 2j == 6j and mpz(7) / 2 == 3.5 and mpz(7) // 2.0 == 3.0 and 2.0 ** mpz(3) == 8.0
    assert mpz(3) + Fraction(1, 2) == Fraction(7, 2) and Fraction(1, 2) < mpz(1)
    assert mpz(3) < 3.5 < mpz(4) and mpz(2**53 + 1) != float(2**53 + 1) and mpz(1) != "1"
    for op in (operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod,
               divmod, pow):
        for x, y in ((Fraction(7, 3), 2), (2, Fraction(7, 3))):
            assert op(*(mpz(n) if type(n) is int else n for n in (x, y))) == op(x, y)
    assert mpz(3) ** (1 + 2j) == 3 ** (1 + 2j) and (1 + 2j) ** mpz(3) == (1 + 2j) ** 3
    for op in (operator.and_, operator.or_, operator.xor, operator.lshift, operator.rshift):
        for x, y in ((mpz(1) << 5000, 1.0), (1.0, mpz(1) << 5000)):
            with pytest.raises(TypeError, match="mpz"):
                op(x, y)
    for op in BINARY + DIVISIONS + COMPARISONS[:2]:
        for other in (None, {}, object()):
            with pytest.raises(TypeError):
                op(mpz(1), other)
    with pytest.raises(TypeError):
        mpz(1) + Decimal(1)


@given(a=integers, b=integers.filter(bool))
def test_true_division(a, b):
    try:
        expected = a / b
    except OverflowError:
        with pytest.raises(OverflowError):
            mpz(a) / b
    else:
        assert mpz(a) / b == a / mpz(b) == mpz(a) / mpz(b) == expected
