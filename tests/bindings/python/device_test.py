"""Numbers and batches on device 0; left out where there is none, or no kernels."""

import os
import random
import threading

import longmul
import pytest
from longmul import Context, batch, mpz

try:
    gpu = Context(device=0)
except RuntimeError as error:
    pytest.skip(str(error), allow_module_level=True)

rng = random.Random(1)


@pytest.mark.parametrize("bits", [1, 64, 1000, 100_000, 400_000])
def test_numbers(bits):
    a, b = rng.getrandbits(bits) + 1, rng.getrandbits(bits // 2 + 1) + 1
    x, y = gpu.mpz(a), gpu.mpz(b)
    assert x.device == 0 and (x * y).device == 0
    for p, q in ((x, y), (x, b), (a, y), (x, mpz(b))):
        assert p * q == a * b and p + q == a + b and p - q == a - b and p // q == a // b
        assert divmod(-p, q) == divmod(-a, b) and (p > q - 1) is (a > b - 1)
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


# Catches two threads on one stream, and numbers that die while it works.
def test_threads():
    x = gpu.mpz(3**5000)
    errors = []

    def work(k):
        for i in range(20):
            if (x * (k + i)) - x != 3**5000 * (k + i - 1):
                errors.append((k, i))

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not errors


# An operation that devices do not have: the host computes, the result goes back.
def test_roots_and_inverses():
    x = gpu.mpz(10**300 + 1)
    assert longmul.iroot(x, 3)[0] == longmul.iroot(10**300 + 1, 3)[0]
    assert pow(gpu.mpz(3), -1, gpu.mpz(7**50)) == pow(3, -1, 7**50)
    assert (x & gpu.mpz(2**70 - 1)) == (10**300 + 1) & (2**70 - 1)
    assert longmul.is_prime(gpu.mpz(2**127 - 1)) and x.limbs().tolist() == mpz(x).limbs().tolist()


# Catches a context that outlives the stream it works on.
def test_batches_in_device_memory():
    cupy = pytest.importorskip("cupy")
    stream = cupy.cuda.Stream(non_blocking=True)
    context = Context(device=0, stream=stream)
    assert context.stream == stream.ptr
    a = [rng.getrandbits(512) for _ in range(1000)]
    with stream:
        x = cupy.asarray(batch.pack(a, 8))
        out = cupy.empty((1000, 16), cupy.uint64)
        assert batch.mul(x, x, out=out, context=context) is out
        assert batch.unpack(out.get()) == [v * v for v in a]


class OnDevice:
    """An array of the host, for an emulated device, whose memory is the host's."""

    def __init__(self, array):
        self.__cuda_array_interface__ = dict(array.__array_interface__, version=3, stream=None)


@pytest.mark.skipif("LONGMUL_EMULATED" not in os.environ, reason="the device is a real one")
def test_batches_of_an_emulated_device():
    np = pytest.importorskip("numpy")
    a = [rng.getrandbits(512) for _ in range(50)]
    x, m = batch.pack(a, 8), batch.pack([v | 1 for v in a], 8)
    out, flags = np.zeros((50, 16), np.uint64), np.zeros(50, bool)
    batch.mul(OnDevice(x), OnDevice(x), out=OnDevice(out), context=gpu)
    gpu.sync()
    assert batch.unpack(out) == [v * v for v in a]
    rest = np.zeros((50, 8), np.uint64)
    batch.sqrmod(OnDevice(x), OnDevice(m), out=OnDevice(rest), context=gpu)
    gpu.sync()
    assert batch.unpack(rest) == [v * v % (v | 1) for v in a]
    batch.is_prime(OnDevice(m), out=flags, context=gpu)
    assert flags.tolist() == [longmul.is_prime(v | 1) for v in a]
    with pytest.raises(TypeError):
        batch.mul(x, x, out=out, context=gpu)
    with pytest.raises(ValueError):
        batch.mul(OnDevice(x), OnDevice(x), context=gpu)
    busy = OnDevice(x)
    busy.__cuda_array_interface__["stream"] = 1
    with pytest.raises(ValueError, match="stream"):
        batch.mul(busy, OnDevice(x), out=OnDevice(out), context=gpu)
