"""The rows of drop_in.py: programs that use GMP, each as one process that times one operation.

A row is (group, name, size, command, standard input). A process prints the least processor time of a
call in ns first and what identifies its answer last; a program of others, whose time is that of its
process, is a row of the group that TIMED_OUTSIDE names. Sizes are bits unless the name says digits or n.
"""

import os
import shutil

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
OPERATIONS = os.path.join(ROOT, "out/bin/bench/gmp/operations")
TIMED_OUTSIDE = ("gmp-ecm",)

POWERS = tuple(2**k for k in (6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 18, 20, 22, 24, 26))
LONG = tuple(2**k for k in range(10, 27, 2))
DIGITS = (100, 1000, 10**4, 10**5, 10**6, 10**7)
GMP = {  # the C program's operations
    "mul_n": POWERS,
    "sqr": POWERS,
    "tdiv_q": LONG,
    "tdiv_qr": LONG,
    "sqrt": LONG,
    "sqrtrem": LONG,
    "powm": tuple(2**k for k in range(9, 18)),
    "get_str": DIGITS,
    "set_str": DIGITS,
    "gcd": (2**10, 2**12, 2**14, 2**16, 2**18, 2**20, 2**22),
    "divexact": (2**10, 2**14, 2**18, 2**22, 2**26),
    "fac": (1000, 10**4, 10**5, 10**6),
    "fib": (10**4, 10**6, 10**8),
    "bin": (10**4, 10**6),
}

# ---- Python -------------------------------------------------------------------------------------

# {once}: the process makes one call, because the library keeps what it has computed.
PYTHON = """
import random, sys, time
from gmpy2 import mpz
import gmpy2
clock = time.process_time
sys.set_int_max_str_digits(0)
random.seed(1)
def d(n): return mpz(random.getrandbits(n)) | 1 << (n - 1)
n = {size}
{prepare}
def call(): return {run}
def many(k):
    s = clock()
    for _ in range(k): r = call()
    return (clock() - s) / k, r
t, r = many(1)
if not {once}:
    t, r = many(1)
    inner, end = int(1e-3 / (t + 1e-9)) + 1, clock() + {seconds}
    while clock() < end: t = min(t, many(inner)[0])
r = r if isinstance(r, str) else str(hash(r)) if isinstance(r, mpz) else str(r)
print(t * 1e9, hash(r[:100000]))
"""
DECIMAL = "gmpy2.get_context().precision = n * 3322 // 1000; x = gmpy2.sqrt(gmpy2.mpfr(2))"
FLINT = "import flint; "
THOUSANDS = (10**3, 10**4, 10**5, 10**6)
PYTHON_ROWS = (  # group, name, sizes, prepare, run, once
    ("gmpy2", "mul", LONG, "a, b = d(n), d(n)", "a * b", False),
    ("gmpy2", "floordiv", LONG, "a, b = d(2 * n), d(n)", "a // b", False),
    ("gmpy2", "isqrt", LONG, "a = d(n)", "gmpy2.isqrt(a)", False),
    ("gmpy2", "powmod", (2**10, 2**11, 2**12, 2**13, 2**14, 2**15, 2**16),
     "a, e, m = d(n), d(min(n, 2048)), d(n) | 1", "gmpy2.powmod(a, e, m)", False),
    ("gmpy2", "gcd", (2**10, 2**12, 2**14, 2**16, 2**18, 2**20, 2**22), "a, b = d(n), d(n)", "gmpy2.gcd(a, b)", False),
    ("gmpy2", "str", LONG[:-1], "a = d(n)", "str(a)", False),
    ("gmpy2", "int of text", LONG[:-1], "text = str(d(n))", "mpz(text)", False),
    ("gmpy2", "fac n", (10**4, 10**6), "", "gmpy2.fac(n)", False),
    ("gmpy2", "fib n", (10**4, 10**6, 10**8), "", "gmpy2.fib(n)", False),
    ("gmpy2", "bincoef n", (10**4, 10**6), "", "gmpy2.bincoef(2 * n, n)", False),
    ("MPFR", "pi, digits", THOUSANDS, DECIMAL, "gmpy2.const_pi()", True),
    ("MPFR", "log, digits", THOUSANDS, DECIMAL, "gmpy2.log(x)", True),
    ("MPFR", "exp, digits", THOUSANDS, DECIMAL, "gmpy2.exp(x)", True),
    ("MPFR", "str, digits", THOUSANDS, DECIMAL, "x.digits(10)[0]", False),
    ("python-flint", "fmpz mul", LONG, FLINT + "a, b = flint.fmpz(int(d(n))), flint.fmpz(int(d(n)))", "a * b", False),
    ("python-flint", "fmpz str", LONG[:-2], FLINT + "a = flint.fmpz(int(d(n)))", "str(a)", False),
    ("python-flint", "fmpz_poly mul n", (10**2, 10**3),
     FLINT + "p = flint.fmpz_poly([int(d(4096)) for _ in range(n)])", "str((p * p)[n - 1])", False),
    ("mpmath", "pi, digits", THOUSANDS[:-1], "import mpmath; mpmath.mp.dps = n", "mpmath.mp.pi + 0", True),
    ("mpmath", "exp, digits", THOUSANDS[:-1], "import mpmath; mpmath.mp.dps = n; x = mpmath.mpf(2).sqrt()",
     "mpmath.exp(x)", True),
)

# ---- Other programs -----------------------------------------------------------------------------

GP = "%s;gettime();r=%s;t=gettime();print(t*1000000.);print(#Str(r))\n"
GP_ROWS = (  # name, sizes, prepare, expression; n stands for the size. gp's clock counts milliseconds.
    ("pi, digits", (10**6, 10**7), "default(realprecision,n)", "Pi"),
    ("zeta(3), digits", (10**5,), "default(realprecision,n)", "zeta(3)"),
    ("polynomial product n", (1000, 3000), "p=sum(i=0,n,(3^1200+i)*x^i)", "for(i=1,10,p*p);p*p"),
    ("power mod", (2**12, 2**16), "m=2^(n+1)+29;e=3^2000", "for(i=1,2^18\\n,lift(Mod(3,m)^(e+i)));lift(Mod(3,m)^e)"),
)

RUBY = """
n = %d; r = Random.new(1); a = r.rand(1 << n) | 1 << n - 1; b = r.rand(1 << n) | 1 << n - 1
clock = -> { Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID) }
s = clock.(); x = %s; t = clock.() - s
inner = (0.02 / (t + 1e-9)).to_i + 1
5.times { s = clock.(); inner.times { x = %s }; u = (clock.() - s) / inner; t = u if u < t }
puts t * 1e9, x.to_s.sum(64)
"""
RUBY_ROWS = (("mul", LONG[1:-1], "a * b"), ("div", LONG[1:-2], "(a * b + 1) / b"), ("to_s", LONG[1:-2], "a.to_s"))

# A number without small factors, and a bound for which nothing is found.
ECM = ((2**12, "(2^4099-1)", 20000), (2**14, "(2^16381-1)", 2000))


def python_rows(python, quick):
    for group, name, sizes, prepare, call, once in PYTHON_ROWS:
        for size in sizes[:2] if quick else sizes:
            text = PYTHON.format(size=size, prepare=prepare, run=call, once=once, seconds=0.02 if quick else 0.15)
            yield group, name, size, ["env", "PYTHONHASHSEED=1", python, "-c", text], None


def rows(python, quick):
    for name, sizes in GMP.items():
        for size in sizes[:2] if quick else sizes:
            yield "GMP", name, size, [OPERATIONS, name, str(size), "0.02" if quick else "0.15"], None
    if python:
        yield from python_rows(python, quick)
    if shutil.which("gp"):
        for name, sizes, prepare, expression in GP_ROWS:
            for size in sizes[:1] if quick else sizes:
                text = GP % (prepare, expression)
                yield "PARI/GP", name, size, ["gp", "-q", "-f", "-s", "4000000000"], "n=%d;" % size + text
    if shutil.which("ruby"):
        for name, sizes, expression in RUBY_ROWS:
            for size in sizes[:2] if quick else sizes:
                yield "Ruby", name, size, ["ruby", "-e", RUBY % (size, expression, expression)], None
    if shutil.which("ecm"):
        for size, number, bound in ECM[1:] if quick else ECM:
            yield "gmp-ecm", "curve", size, ["ecm", "-q", "-sigma", "0:12345", str(bound)], number + "\n"
