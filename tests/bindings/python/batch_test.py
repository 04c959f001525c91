"""Batches in numpy arrays against int."""

import random

import numpy as np
import pytest
from longmul import Context, batch, mpz

rng = random.Random(1)


def numbers(count, bits):
    ends = [0, 1, 2**bits - 1, 2 ** (bits - 1), 2**bits - 2**(bits // 2)]
    return [ends[i] if i < len(ends) else rng.getrandbits(bits) for i in range(count)]


@pytest.mark.parametrize("context", [None, Context(threads=2)])
@pytest.mark.parametrize("count, bits", [(1, 64), (7, 64), (40, 512), (9, 7000)])
def test_operations(context, count, bits):
    a, b = numbers(count, bits), numbers(count, bits)[::-1]
    m = [x | 1 for x in numbers(count, bits)]
    x, y, z = (batch.pack(v, bits // 64 + 1) for v in (a, b, m))
    assert batch.unpack(x) == a
    assert batch.unpack(batch.mul(x, y, context=context)) == [p * q for p, q in zip(a, b)]
    assert batch.unpack(batch.mulmod(x, y, z)) == [p * q % n for p, q, n in zip(a, b, m)]
    assert batch.unpack(batch.sqrmod(x, z)) == [p * p % n for p, n in zip(a, m)]
    q, r = batch.divmod(x, z, context=context)
    assert batch.unpack(q) == [p // n for p, n in zip(a, m)]
    assert batch.unpack(r) == [p % n for p, n in zip(a, m)]
    if bits < 1000:
        assert batch.unpack(batch.powmod(x, y, z)) == [pow(p, e, n) for p, e, n in zip(a, b, m)]
    for p, n, i in zip(a, m, batch.unpack(batch.invert(x, z))):
        try:
            assert i == (pow(p, -1, n) if n > 1 else 0)
        except ValueError:
            assert i == 0


def test_shared_numbers_and_strides():
    a = numbers(20, 300)
    wide = np.zeros((20, 12), np.uint64)
    wide[:, 3:8] = batch.pack(a, 5)
    view = wide[:, 3:8]
    one = batch.pack([3**50])[0]
    out = np.full((20, 20), 7, np.uint64)
    result = batch.mul(view, one, out=out[:, 2:9])
    assert batch.unpack(result) == [x * 3**50 for x in a]
    assert (out[:, :2] == 7).all() and (out[:, 9:] == 7).all()
    assert batch.unpack(batch.mul(view[::2], one)) == [x * 3**50 for x in a[::2]]
    assert batch.unpack(batch.sqrmod(view.view(np.int64), one)) == [x * x % 3**50 for x in a]
    assert batch.is_prime(batch.pack([2, 4, 2**127 - 1, 2**127 + 1])).tolist() == [True, False, True, False]


def test_refusals():
    a = batch.pack(numbers(4, 128))
    with pytest.raises(TypeError):
        batch.mul(a, [1, 2])
    with pytest.raises(TypeError):
        batch.mul(a, a.astype(np.float64))
    for x, y, out in ((a, a[:3], None), (a, batch.pack([2**200] * 4)[:, ::2], None),
                      (a, a[::-1], None), (a[None], a, None), (a, a, np.zeros((4, 3), np.uint64)), (a, a[:, :1], a), (a, a, a[0])):
        with pytest.raises(ValueError):
            batch.mul(x, y, out=out)
    read_only = np.zeros((4, 4), np.uint64)
    read_only.flags.writeable = False
    with pytest.raises(ValueError):
        batch.mul(a, a, out=read_only)
    with pytest.raises(ValueError):
        batch.divmod(a, batch.pack([0]))
    with pytest.raises(ValueError):
        batch.pack([-1])
    with pytest.raises(OverflowError):
        batch.pack([2**64], 1)


def test_numpy_reads_numbers():
    x = mpz(2**64 * 3 + 5)
    assert np.frombuffer(x.limbs(), np.uint64).tolist() == [5, 3]
    assert np.array([x, x]).dtype == object and sum(np.array([x, x]) * 2) == 4 * x
    assert batch.unpack(batch.pack([])) == []
