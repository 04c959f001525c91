"""Batches: the same operation on many natural numbers in arrays of 64-bit limbs, without copies.

An array of shape (count, n) holds count numbers of n limbs each, least significant limb first; one of
shape (n,) is a number that all items share. Rows may be apart by any number of limbs, limbs of a row may
not. Any object with __array_interface__ (numpy) or __cuda_array_interface__ (cupy, numba, torch) will do,
with elements uint64 or int64. Arrays of a device need a context of that device, made with the stream that
they are used on, and results to write to: `out`. On the host results are numpy arrays unless given.
Results may not overlap operands. Batches with items of different lengths are padded with zeros.
"""

from __future__ import annotations

from typing import Any, Iterable

from . import Context, _core, mpz

__all__ = ["mul", "powmod", "mulmod", "sqrmod", "invert", "divmod", "is_prime", "pack", "unpack"]


class _Span:
    """An array as the library sees it."""

    def __init__(self, array, on_device, writable=False, word=8):
        name = "__cuda_array_interface__" if on_device else "__array_interface__"
        interface = getattr(array, name, None)
        if interface is None:
            raise TypeError(f"{type(array).__name__} has no {name}")
        address, read_only = interface["data"]
        shape, strides = interface["shape"], interface.get("strides")
        if interface["typestr"] not in {8: ("<u8", "<i8"), 1: ("|u1", "|b1")}[word]:
            raise TypeError(f"elements of {word} bytes are needed, not {interface['typestr']}")
        if writable and read_only:
            raise ValueError("a result's array is read-only")
        if not 1 <= len(shape) <= 2:
            raise ValueError("an array of shape (count, limbs) or (limbs,) is needed")
        self.stream = interface.get("stream")
        self.shared = len(shape) == 1 and word == 8
        self.count = 1 if self.shared else shape[0]
        self.limbs = shape[-1] if word == 8 else 1
        row = self.limbs * word if strides is None else strides[0]
        if strides is not None and self.limbs > 1 and strides[-1] != word:
            raise ValueError("the limbs of a number must lie side by side")
        if row % word or (row < self.limbs * word and self.count > 1 and not self.shared):
            raise ValueError("numbers must lie one after the other")
        self.address, self.row = address, row // word

    def tuple(self, count):
        if self.shared:
            return self.address, self.limbs, 0, count
        if self.count != count:
            raise ValueError(f"batches of {self.count} and {count} numbers")
        return self.address, self.limbs, self.row, count


def _device_of(context):
    return None if context is None else context.device


def _empty(shape, kind="uint64"):
    import numpy

    return numpy.empty(shape, kind)


def _run(name, context, results, operands):
    """results: pairs of an array, or None, and the limbs of a result."""
    on_device = _device_of(context) is not None
    spans = [_Span(x, on_device) for x in operands]
    counts = {s.count for s in spans if not s.shared}
    if len(counts) > 1:
        raise ValueError(f"batches of different counts: {sorted(counts)}")
    count = counts.pop() if counts else 1
    if on_device and any(x is None for x, _ in results):
        raise ValueError("on a device the result's array must be given: out")
    arrays = [_empty((count, limbs(spans))) if x is None else x for x, limbs in results]
    outputs = [_Span(x, on_device, writable=True) for x in arrays]
    for s in spans + outputs:
        if on_device and s.stream not in (None, context.stream):
            raise ValueError(f"an array is used on stream {s.stream}, the context on {context.stream}")
    if any(s.shared for s in outputs) and count != 1:
        raise ValueError("a result needs an array of shape (count, limbs)")
    _core._batch(name, context, (*arrays, *operands), *(s.tuple(count) for s in outputs + spans))
    return arrays


def mul(a: Any, b: Any, out: Any = None, context: Context | None = None) -> Any:
    """a[i] * b[i]."""
    return _run("mul", context, [(out, lambda s: s[0].limbs + s[1].limbs)], [a, b])[0]


def powmod(base: Any, exponent: Any, modulus: Any, out: Any = None, context: Context | None = None) -> Any:
    """base[i] ** exponent[i] % modulus[i]. The time depends on the values: not for secrets."""
    return _run("powmod", context, [(out, lambda s: s[2].limbs)], [base, exponent, modulus])[0]


def mulmod(a: Any, b: Any, modulus: Any, out: Any = None, context: Context | None = None) -> Any:
    """a[i] * b[i] % modulus[i]."""
    return _run("mulmod", context, [(out, lambda s: s[2].limbs)], [a, b, modulus])[0]


def sqrmod(a: Any, modulus: Any, out: Any = None, context: Context | None = None) -> Any:
    """a[i] ** 2 % modulus[i]."""
    return _run("sqrmod", context, [(out, lambda s: s[1].limbs)], [a, modulus])[0]


def invert(a: Any, modulus: Any, out: Any = None, context: Context | None = None) -> Any:
    """The inverse of a[i] modulo modulus[i]; 0 where there is none."""
    return _run("invert", context, [(out, lambda s: s[1].limbs)], [a, modulus])[0]


def divmod(a: Any, d: Any, out: tuple[Any, Any] = (None, None),  # noqa: A001
           context: Context | None = None) -> tuple[Any, Any]:
    """(a[i] // d[i], a[i] % d[i])."""
    quotient, rest = out
    results = [(quotient, lambda s: s[0].limbs), (rest, lambda s: s[1].limbs)]
    quotient, rest = _run("divmod", context, results, [a, d])
    return quotient, rest


def is_prime(n: Any, out: Any = None, context: Context | None = None) -> Any:
    """Whether n[i] is prime, as longmul.is_prime: an array of bool on the host."""
    on_device = _device_of(context) is not None
    numbers = _Span(n, on_device)
    out = _empty(numbers.count, "bool") if out is None else out
    flags = _Span(out, False, writable=True, word=1)
    if flags.row != 1 or flags.count != numbers.count:
        raise ValueError(f"the result needs {numbers.count} bytes side by side")
    _core._batch("is_prime", context, (out, n), flags.tuple(flags.count), numbers.tuple(numbers.count))
    return out


def pack(numbers: Iterable[int | mpz], limbs: int | None = None) -> Any:
    """A numpy array of natural numbers, each of `limbs` limbs; None: those of the longest."""
    numbers = [mpz(x) for x in numbers]
    if any(x < 0 for x in numbers):
        raise ValueError("batches have natural numbers")
    longest = max((x.bit_length() for x in numbers), default=0)
    if limbs is None:
        limbs = max(1, -(-longest // 64))
    array = _empty((len(numbers), limbs))
    for row, x in zip(array, numbers):
        row[:] = memoryview(x.to_bytes(8 * limbs, "little")).cast("Q")
    return array


def unpack(array: Any) -> list[mpz]:
    """The rows of an array on the host as a list of mpz."""
    return [mpz.from_bytes(row.tobytes(), "little") for row in array]
