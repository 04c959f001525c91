"""Numbers and batches on device 0; left out where there is none, or no kernels."""

import random

import longmul
import pytest
from longmul import Context, batch, mpz

try:
    gpu = Context(device=0)
except RuntimeError as error:
    pytest.skip(str(error), allow_module_level=True)

rng = random.Random(1)


@pytest.mark.parametrize("bits", [1, 64, 1000, 100_000, 3_000_000])
def test_numbers(bits):
    a, b = rng.getrandbits(bits) + 1, rng.getrandbits(bits // 2 + 1) + 1
    x, y = gpu.mpz(a), gpu.mpz(b)
    assert x.device == 0 and (x * y).device == 0
    for p, q in ((x, y), (x, b), (a, y), (x, mpz(b))):
        assert p * q == a * b and p + q == a + b and p - q == a - b and p // q == a // b
        assert divmod(-p, q) == divmod(-a, b) and p > q - 1
    assert hash(x) == hash(a) and int(x) == a and bool(x) and x.bit_length() == a.bit_length()
    assert longmul.isqrt(x) == longmul.isqrt(a) and x << 70 == a << 70 and -x >> 3 == -a >> 3
    assert Context().mpz(x).device is None and Context().mpz(x) == a
    if bits < 10_000:
        assert str(x) == str(a) and pow(x, 5, y) == pow(a, 5, b) and x.to_bytes(200) == a.to_bytes(200)
    gpu.sync()


def test_errors():
    with pytest.raises(ZeroDivisionError):
        gpu.mpz(1) // 0
    with pytest.raises(ValueError):
        with gpu:
            pass
    with pytest.raises(ValueError):
        gpu.mpz(1) + Context(device=0).mpz(1)


def test_batches_in_device_memory():
    cupy = pytest.importorskip("cupy")
    context = Context(device=0, stream=cupy.cuda.get_current_stream().ptr)
    a = [rng.getrandbits(512) for _ in range(1000)]
    x = cupy.asarray(batch.pack(a, 8))
    out = cupy.empty((1000, 16), cupy.uint64)
    assert batch.mul(x, x, out=out, context=context) is out
    assert batch.unpack(out.get()) == [v * v for v in a]
