"""Lucas sequences, and gmpy2's tests of pseudoprimes by name. is_prime is the one to use: it is faster,
and passes no known composite number."""

from ._core import gcd, is_square, jacobi, mpz, powmod
from ._names import integer as _integer

# --- Lucas sequences -------------------------------------------------------------------------------------
# U(0) = 0, U(1) = 1, V(0) = 2, V(1) = p, and X(k + 1) = p X(k) - q X(k - 1) for both. All is done with
# pairs U(k), U(k + 1), which need no division: V(k) = 2 U(k + 1) - p U(k).


def _doubled(p, q, u, w):
    """The pair of 2 k from that of k."""
    return u * (2 * w - p * u), w * w - q * u * u


def _pair(p, q, k, m=None):
    """U(k) and U(k + 1), modulo m if it is given."""
    u, w = mpz(0), mpz(1)
    for bit in k.digits(2):
        u, w = _doubled(p, q, u, w)
        if bit == "1":
            u, w = w, p * w - q * u
        if m is not None:
            u, w = u % m, w % m
    return u, w


def _parameters(name, p, q):
    p, q = _integer(p), _integer(q)
    if p * p == 4 * q:
        raise ValueError(f"{name}() takes p and q with p * p != 4 * q")
    return p, q


def _sequence(name, p, q, k, m=None):
    p, q = _parameters(name, p, q)
    k = _integer(k)
    if k < 0:
        raise ValueError(f"{name}() takes k >= 0")
    if m is not None and m < 1:
        raise ValueError(f"{name}() takes n > 0")
    u, w = _pair(p, q, k, m)
    return u, 2 * w - p * u


def lucasu(p, q, k):
    """lucasu(p, q, k): U(k) of the Lucas sequences of p and q."""
    return _sequence("lucasu", p, q, k)[0]


def lucasv(p, q, k):
    """lucasv(p, q, k): V(k) of the Lucas sequences of p and q."""
    return _sequence("lucasv", p, q, k)[1]


def lucasu_mod(p, q, k, n):
    """lucasu_mod(p, q, k, n): lucasu(p, q, k) % n, n > 0."""
    n = _integer(n)
    return _sequence("lucasu_mod", p, q, k, n)[0] % n


def lucasv_mod(p, q, k, n):
    """lucasv_mod(p, q, k, n): lucasv(p, q, k) % n, n > 0."""
    n = _integer(n)
    return _sequence("lucasv_mod", p, q, k, n)[1] % n


# --- Tests -----------------------------------------------------------------------------------------------
# Each takes n > 0 (ValueError), and knows 1 and even numbers before it looks for common divisors.


def _positive(name, n):
    n = _integer(n)
    if n < 1:
        raise ValueError(f"{name}() takes n > 0")
    return n


def _odd_above_1(n):
    return n > 1 and n % 2 == 1


def _require_coprime(name, n, x):
    if gcd(n, x) != 1:
        raise ValueError(f"{name}() takes numbers without common divisors")


def _by_base(name, n, a, test):
    n, a = _positive(name, n), _integer(a)
    if a < 2:
        raise ValueError(f"{name}() takes a base above 1")
    if not _odd_above_1(n):
        return n == 2
    _require_coprime(name, n, a)
    return test(n, a)


def _split(n):
    """n = s * 2 ** r, s odd: (s, r)."""
    r = n.bit_scan1()
    return n >> r, r


def _strong(n, a):
    s, r = _split(n - 1)
    x = powmod(a, s, n)
    if x == 1:
        return True
    for _ in range(r):
        if x == n - 1:
            return True
        x = x * x % n
    return False


def is_fermat_prp(n, a):
    """is_fermat_prp(n, a): whether a ** (n - 1) = 1 modulo n."""
    return _by_base("is_fermat_prp", n, a, lambda n, a: powmod(a, n - 1, n) == 1)


def is_euler_prp(n, a):
    """is_euler_prp(n, a): whether a ** ((n - 1) / 2) = jacobi(a, n) modulo n."""
    return _by_base("is_euler_prp", n, a,
                    lambda n, a: powmod(a, n >> 1, n) == jacobi(a, n) % n)


def is_strong_prp(n, a):
    """is_strong_prp(n, a): whether n passes the test of Miller and Rabin to the base a."""
    return _by_base("is_strong_prp", n, a, _strong)


def is_fibonacci_prp(n, p, q):
    """is_fibonacci_prp(n, p, q): whether lucasv(p, q, n) = p modulo n, p > 0, q = 1 or -1."""
    name = "is_fibonacci_prp"
    n = _positive(name, n)
    p, q = _parameters(name, p, q)
    if p < 1 or abs(q) != 1:
        raise ValueError(f"{name}() takes p > 0 and q = 1 or -1")
    if not _odd_above_1(n):
        return n == 2
    u, w = _pair(p, q, n, n)
    return (2 * w - p * u - p) % n == 0


def _lucas(n, p, q):
    return _pair(p, q, n - jacobi(p * p - 4 * q, n), n)[0] == 0


def _strong_lucas(n, p, q, extra=False):
    s, r = _split(n - jacobi(p * p - 4 * q, n))
    u, w = _pair(p, q, s, n)
    if u == 0 and (not extra or 2 * w % n in (2, n - 2)):
        return True
    for _ in range(r):
        if (2 * w - p * u) % n == 0:
            return True
        u, w = (x % n for x in _doubled(p, q, u, w))
    return False


def _by_parameters(name, n, p, q, test):
    n = _positive(name, n)
    p, q = _parameters(name, p, q)
    if not _odd_above_1(n):
        return n == 2
    _require_coprime(name, n, 2 * q * (p * p - 4 * q))
    return test(n, p, q)


def is_lucas_prp(n, p, q):
    """is_lucas_prp(n, p, q): whether n divides lucasu(p, q, n - jacobi(p * p - 4 * q, n))."""
    return _by_parameters("is_lucas_prp", n, p, q, _lucas)


def is_strong_lucas_prp(n, p, q):
    """is_strong_lucas_prp(n, p, q): whether n = s * 2 ** r + jacobi(p * p - 4 * q, n), s odd, divides
    lucasu(p, q, s) or lucasv(p, q, s * 2 ** t) for a t < r."""
    return _by_parameters("is_strong_lucas_prp", n, p, q, _strong_lucas)


def is_extra_strong_lucas_prp(n, p):
    """is_extra_strong_lucas_prp(n, p): as is_strong_lucas_prp with q = 1, and lucasv(p, 1, s) = 2 or -2
    modulo n where n divides lucasu(p, 1, s)."""
    return _by_parameters("is_extra_strong_lucas_prp", n, p, 1,
                          lambda n, p, q: _strong_lucas(n, p, q, extra=True))


def _by_selfridge(name, n, test):
    n = _positive(name, n)
    if not _odd_above_1(n):
        return n == 2
    if is_square(n):  # no Jacobi symbol would be -1
        return False
    d, symbol = mpz(5), jacobi(5, n)
    while symbol != -1:
        if symbol == 0 and abs(d) < n:  # a common divisor below n
            return False
        d = -d - 2 if d > 0 else 2 - d
        symbol = jacobi(d, n)
    return test(n, mpz(1), (1 - d) // 4)


def is_selfridge_prp(n):
    """is_selfridge_prp(n): is_lucas_prp(n, 1, (1 - d) / 4) for the first d of 5, -7, 9, -11 ... with
    jacobi(d, n) = -1."""
    return _by_selfridge("is_selfridge_prp", n, _lucas)


def is_strong_selfridge_prp(n):
    """is_strong_selfridge_prp(n): is_strong_lucas_prp with the numbers of is_selfridge_prp."""
    return _by_selfridge("is_strong_selfridge_prp", n, _strong_lucas)


def is_bpsw_prp(n):
    """is_bpsw_prp(n): is_strong_prp(n, 2) and is_selfridge_prp(n)."""
    n = _positive("is_bpsw_prp", n)
    return is_strong_prp(n, 2) and is_selfridge_prp(n)


def is_strong_bpsw_prp(n):
    """is_strong_bpsw_prp(n): is_strong_prp(n, 2) and is_strong_selfridge_prp(n)."""
    n = _positive("is_strong_bpsw_prp", n)
    return is_strong_prp(n, 2) and is_strong_selfridge_prp(n)
