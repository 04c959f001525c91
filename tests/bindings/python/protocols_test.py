"""What Python's builtins and other modules ask of an integer."""

import copy
import math
import numbers
import pickle
import sys

import pytest
from conftest import EDGES, integers
from hypothesis import given, strategies as st
from longmul import mpz


# Catches a wrong modulus, sign or rotation of the hash: then equal numbers would be two keys.
@given(a=integers)
def test_hash(a):
    assert hash(mpz(a)) == hash(a)
    assert {a: 1}[mpz(a)] == 1


def test_hash_edges():
    prime = sys.hash_info.modulus
    for a in EDGES + [k * prime + d for k in (1, -1, 2, 8, 2**64, -(2**64)) for d in (-1, 0, 1)]:
        assert hash(mpz(a)) == hash(a)


@given(a=integers)
def test_conversions(a):
    x = mpz(a)
    assert int(x) == a and type(int(x)) is int and x.__index__() == a
    assert str(x) == str(a) and repr(x) == f"mpz({a})" and eval(repr(x)) == a
    assert hex(x) == hex(a) and bin(x) == bin(a) and bool(x) is bool(a)
    assert mpz(str(a)) == a and mpz(hex(a), 0) == a and mpz(hex(a), 16) == a
    assert pickle.loads(pickle.dumps(x)) == a and copy.deepcopy(x) is copy.copy(x) is x
    assert x.bit_length() == a.bit_length() and x.numerator is x and x.denominator == 1
    assert (x.real, x.imag, x.conjugate()) == (a, 0, a) and x.is_integer()
    assert x.as_integer_ratio() == (a, 1) and math.floor(x) is math.ceil(x) is math.trunc(x) is x


# What version 0.2.0 wrote: catches a change after which old files cannot be read.
WRITTEN = (b"\x80\x04\x95O\x00\x00\x00\x00\x00\x00\x00\x8c\x08builtins\x94\x8c\x07getattr\x94\x93\x94"
           b"\x8c\x07longmul\x94\x8c\x03mpz\x94\x93\x94\x8c\x0c_from_binary\x94\x86\x94R\x94"
           b"C\x0b\x01\x02\x00\x00\x00\x00\x00\x00\x00\x00@\x94\x85\x94R\x94.")


def test_pickle():
    assert pickle.loads(WRITTEN) == -(2**70)
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        for a in (0, -1, 2**64, -(2**70)):
            back = pickle.loads(pickle.dumps(mpz(a), protocol))
            assert back == a and type(back) is mpz


@given(a=integers)
def test_float(a):
    try:
        expected = float(a)
    except OverflowError:
        with pytest.raises(OverflowError):
            float(mpz(a))
    else:
        assert float(mpz(a)) == expected


def test_constructor():
    assert mpz() == 0 and mpz(True) == 1 and mpz(-2.9) == -2 and mpz(" 1_000\n") == 1000
    assert mpz("-0xFF") == mpz("-0xFF", 0) == -255 and mpz("0x_ff", 0) == mpz("ff", 16) == 255 and mpz("-0") == 0
    assert isinstance(mpz(1), numbers.Integral) and range(10)[mpz(3)] == 3 and "ab" * mpz(2) == "abab"
    for text in ("", " ", "+", "--1", "1 2", "_1", "1_", "1__0", "0x", "0b2", "12a", "1\0", "٣", "1.0"):
        with pytest.raises(ValueError):
            mpz(text)
    for bad in (None, [], 1j, b"\xff"):
        with pytest.raises((TypeError, ValueError)):
            mpz(bad)
    for value in (math.inf, math.nan):
        with pytest.raises((OverflowError, ValueError)):
            mpz(value)
    with pytest.raises(TypeError):
        mpz(5, 10)
    with pytest.raises(ValueError):
        mpz("5", 63)


# Texts of up to 511 characters and numbers of up to 8 limbs are converted on the stack: catches a
# buffer that is one short, and a limit off by one.
@pytest.mark.parametrize("base", [2, 10, 16, 62])
def test_texts_around_the_stack(base):
    digit = "1" if base == 2 else "7"
    for length in (510, 511, 512, 513):
        expected = int(digit) * (base**length - 1) // (base - 1)
        assert mpz(digit * length, base) == expected
        assert mpz("-" + digit * (length - 1), base) == -(expected // base)
        assert mpz(" " * (length - 1) + digit, base) == int(digit)
    for x in (2**512 - 1, 1 - 2**512, 2**512, -(2**512)):
        assert mpz(mpz(x).digits(base), base) == x


# Catches a sign bit taken for a digit, and a number that is one byte too long.
@given(a=integers, order=st.sampled_from(("big", "little")), more=st.sampled_from((-1, 0, 1, 9)))
def test_bytes(a, order, more):
    for signed in (False, True):
        length = max(0, (a.bit_length() + signed + 7) // 8 + more)
        try:
            expected = a.to_bytes(length, order, signed=signed)
        except OverflowError:
            with pytest.raises(OverflowError):
                mpz(a).to_bytes(length, order, signed=signed)
        else:
            assert mpz(a).to_bytes(length, order, signed=signed) == expected
            for form in (bytes, bytearray, list):
                back = mpz.from_bytes(form(expected), order, signed=signed)
                assert back == int.from_bytes(expected, order, signed=signed)


# -2^(8 n - 1) fits n bytes, 2^(8 n - 1) does not. No bytes hold 0, and int says also -1.
@pytest.mark.parametrize("a", [0, 1, -1, 127, 128, -128, -129, 2**63, -(2**63), 2**64, -(2**64)])
def test_bytes_edges(a):
    for length in range(11):
        for signed in (False, True):
            results = []
            for x in (a, mpz(a)):
                try:
                    results.append(x.to_bytes(length, "big", signed=signed))
                except OverflowError:
                    results.append(OverflowError)
            assert results[0] == results[1], (length, signed)


@given(a=integers)
def test_limbs(a):
    view = mpz(a).limbs()
    assert view.readonly and (view.format, view.itemsize, view.ndim) == ("Q", 8, 1)
    assert view.tolist() == [abs(a) >> 64 * i & 2**64 - 1 for i in range(-(-a.bit_length() // 64))]
    assert int.from_bytes(view, "little") == abs(a)


SPECS = ["", "d", "x", "X", "#x", "o", "#b", "+d", " d", "30", "<30", "^31", "=+40", "030d", "*^50,",
         "_d", ",", "_x", "n", "e", ".3f", "c"]


@pytest.mark.parametrize("spec", SPECS)
@given(a=st.one_of(integers, st.integers(2**20000, 2**20001), st.integers(-(2**14001), -(2**14000))))
def test_format(spec, a):
    try:
        expected = format(a, spec)
    except (ValueError, OverflowError) as error:
        with pytest.raises(type(error)):
            format(mpz(a), spec)
    else:
        assert format(mpz(a), spec) == expected


def test_format_wide():
    a = -(7**7000)
    for spec in ("8000", "<8000", "^8001", "=8000", "08000", "*>+8000d", "x^9000_", "z<6000,d", "012"):
        assert format(mpz(a), spec) == format(a, spec), spec
    for width in range(7880, 7905):  # zeros are grouped with the 5916 digits
        for spec in (f"0{width},", f"+0{width}_", f"0=#{width}_d", f"0>{width},", f"<0{width},"):
            assert format(mpz(a), spec) == format(a, spec), spec
    with pytest.raises(ValueError):
        format(mpz(a), "q")


# Mutation: a specification of decimal digits that goes through int, which refuses above its limit.
def test_format_ignores_the_limit():
    limit = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(4300)
    try:
        for spec in ("", "d", "#d", "+,", "_", "09000_", "n"):
            assert len(format(mpz(7) ** 7000, spec)) >= 5916, spec
    finally:
        sys.set_int_max_str_digits(limit)


@given(a=integers, digits=st.integers(-300, 3))
def test_round(a, digits):
    assert round(mpz(a), digits) == round(a, digits)
    assert round(mpz(a)) == a
    half = 5 * 10 ** (abs(digits) % 20)
    assert round(mpz(half), -len(str(half))) == round(half, -len(str(half)))


def test_no_subclass_and_no_attributes():
    with pytest.raises(TypeError):
        class Child(mpz):
            pass
    with pytest.raises(AttributeError):
        mpz(1).x = 1


# A reference too many keeps a number, or memory, for ever; one too few crashes.
def test_references():
    x = mpz(3) ** 100
    before = sys.getrefcount(x), sys.getrefcount(mpz)
    for _ in range(1000):
        x + 1, 1 + x, x * x, x // 7, x % x, divmod(x, 5), -x, x < 1, x == "a", x << 3, x >> 3, hash(x)
        x ** 3, pow(x, 3, x), str(x), x.to_bytes(40), pickle.loads(pickle.dumps(x)), f"{x}", round(x, -2)
        for bad in (lambda: x // 0, lambda: x + "1", lambda: mpz("q"), lambda: x << -1):
            with pytest.raises((ZeroDivisionError, TypeError, ValueError)):
                bad()
    assert sys.getrefcount(x) == before[0] and abs(sys.getrefcount(mpz) - before[1]) < 10
