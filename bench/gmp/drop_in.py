#!/usr/bin/env python3
"""Programs that use GMP, with and without the drop-in.

usage: drop_in.py [--records FILE] [--chip NAME] [--rounds N] [--only NAME] [--python PYTHON] [--quick]

Each row runs one process with LD_PRELOAD and one without, in alternation, and compares their answers.
The time of a side is the least of its processes. PYTHON is one that has gmpy2 (and flint, mpmath);
without it these rows are left out, as is PARI/GP where gp is not installed.
"""

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LIBRARY = os.path.join(ROOT, "out/bin/bindings/gmp/liblongmul_gmp.so")
OPERATIONS = os.path.join(ROOT, "out/bin/bench/gmp/operations")

BITS = (64, 128, 256, 512, 1024, 2048, 4096, 8192, 2**14, 2**15, 2**16, 2**18, 2**20, 2**22, 2**24, 2**26)
LONG = (2**10, 2**12, 2**14, 2**16, 2**18, 2**20, 2**22, 2**24)
SIZES = {
    "mul_n": BITS,
    "sqr": BITS,
    "tdiv_q": LONG,
    "tdiv_qr": LONG,
    "sqrt": LONG,
    "sqrtrem": LONG,
    "powm": (512, 1024, 2**11, 2**12, 2**13, 2**14, 2**15, 2**16),
    "get_str": (100, 1000, 10**4, 10**5, 10**6, 10**7),
    "set_str": (100, 1000, 10**4, 10**5, 10**6, 10**7),
    "gcd": (2**12, 10**5, 10**6),
    "divexact": (2**14, 10**6),
    "fac": (1000, 10**5, 10**6),
    "fib": (10**4, 10**6, 10**8),
    "bin": (10**6,),
}

# One statement to prepare, one to time, and what identifies the answer.
PYTHON = """
import sys, time
from gmpy2 import mpz
import gmpy2
{prepare}
best = 9e9
for _ in range({times}):
    s = time.process_time(); r = {run}; best = min(best, time.process_time() - s)
print(best * 1e9, 0, {times}, hash(str(r)[:1000]) if not isinstance(r, str) else hash(r[:1000]))
"""
RANDOM = "import random; random.seed(1); d = lambda n: mpz(random.getrandbits(n)) | 1 << (n - 1)"
GMPY2 = (
    ("gmpy2 mul", 2**20, RANDOM + "; a, b = d(2**20), d(2**20)", "a * b", 9),
    ("gmpy2 floordiv", 2**20, RANDOM + "; a, b = d(2**21), d(2**20)", "a // b", 9),
    ("gmpy2 isqrt", 2**21, RANDOM + "; a = d(2**21)", "gmpy2.isqrt(a)", 9),
    ("gmpy2 powmod", 2**12, RANDOM + "; a, e, m = d(2**12), d(2**12), d(2**12) | 1", "gmpy2.powmod(a, e, m)", 5),
    ("gmpy2 gcd", 2**20, RANDOM + "; a, b = d(2**20), d(2**20)", "gmpy2.gcd(a, b)", 5),
    ("gmpy2 str", 10**6, "a = mpz(10)**1000000 // 7", "str(a)", 5),
    ("gmpy2 int of text", 10**6, "t = str(mpz(10)**1000000 // 7)", "mpz(t)", 5),
    ("MPFR pi", 10**6, "gmpy2.get_context().precision = 3321928", "gmpy2.const_pi()", 1),
    ("MPFR log", 10**5, "gmpy2.get_context().precision = 332193; x = gmpy2.sqrt(2)", "gmpy2.log(x)", 1),
    ("MPFR exp", 10**5, "gmpy2.get_context().precision = 332193; x = gmpy2.sqrt(2)", "gmpy2.exp(x)", 1),
)
OTHER_PYTHON = (
    ("python-flint mul", 2**20, "import flint; " + RANDOM + "; a, b = flint.fmpz(int(d(2**20))), flint.fmpz(int(d(2**20)))", "a * b", 9),
    ("mpmath pi", 10**5, "import mpmath; mpmath.mp.dps = 100000", "mpmath.mp.pi + 0", 1),
)
GP = (
    ("PARI pi", 10**6, "default(realprecision,1000000)", "Pi"),
    ("PARI zeta(3)", 10**4, "default(realprecision,10000)", "zeta(3)"),
    ("PARI power mod", 2**16, "m=2^65537+29", "lift(Mod(3,m)^(3^2000))"),
    ("PARI polynomial product", 3000, "p=sum(i=0,3000,(3^120+i)*x^i)", "p*p"),
)


def run(command, library, stdin=None):
    env = dict(os.environ)
    if library:
        env["LD_PRELOAD"] = library
    out = subprocess.run(command, env=env, input=stdin, capture_output=True, text=True, check=True).stdout.split()
    return float(out[0]), out[-1]


def compare(command, rounds, stdin=None):
    """The times of GMP's and of the drop-in's processes in ns, the least first."""
    times = [], []
    answers = set()
    for _ in range(rounds):
        for side, library in enumerate((None, LIBRARY)):
            ns, answer = run(command, library, stdin)
            times[side].append(ns)
            answers.add(answer)
    if len(answers) != 1:
        sys.exit("%s: the answers differ" % command)
    return [sorted(t) for t in times]


def spread(times):
    """Half the range of a side's processes, relative."""
    return (times[-1] - times[0]) / 2 / times[len(times) // 2]


def rows(options):
    """(name, size, command, standard input)"""
    seconds = "0.02" if options.quick else "0.15"
    for name, sizes in SIZES.items():
        for size in sizes[:4] if options.quick else sizes:
            yield name, size, [OPERATIONS, name, str(size), seconds], None
    if options.python:
        for name, size, prepare, statement, times in GMPY2 + OTHER_PYTHON:
            text = PYTHON.format(prepare=prepare, run=statement, times=times)
            yield name, size, ["env", "PYTHONHASHSEED=1", options.python, "-c", text], None
    if shutil.which("gp"):
        for name, size, prepare, expression in GP:
            text = "%s;gettime();r=%s;t=gettime();print(t*1000000.);print(#Str(r))\n" % (prepare, expression)
            yield name, size, ["gp", "-q", "-f", "-s", "2000000000"], text


def processor():
    with open("/proc/cpuinfo", encoding="utf-8") as f:
        return next((line.split(":")[1].strip() for line in f if line.startswith("model name")), platform.machine())


def commit():
    git = ["git", "-C", ROOT]
    name = subprocess.run(git + ["rev-parse", "HEAD"], capture_output=True, text=True, check=False).stdout.strip()
    return name, subprocess.run(git + ["diff", "--quiet", "HEAD"], check=False).returncode != 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--records")
    parser.add_argument("--chip", default="unknown")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only")
    parser.add_argument("--python")
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    sha, dirty = commit()
    compiler = subprocess.run(["cc", "--version"], capture_output=True, text=True, check=False).stdout.split("\n")[0]
    for name, size, command, stdin in rows(options):
        if options.only and options.only not in name:
            continue
        all_gmp, all_ours = compare(command, options.rounds, stdin)
        gmp, ours = all_gmp[0], all_ours[0]
        print("%-24s %10d  GMP %14.1f ns  drop-in %14.1f ns  %6.2f" % (name, size, gmp, ours, gmp / ours), flush=True)
        if options.records:
            record = {"schema": 1, "topic": "gmp-drop-in", "case": "program", "op": name, "n": size, "count": 1,
                      "backend": "cpu", "engine": "auto", "variant": "auto", "roof_share": None,
                      "median_ns": all_ours[len(all_ours) // 2], "min_ns": ours, "spread": spread(all_ours),
                      "rival": "without the drop-in", "rival_median_ns": all_gmp[len(all_gmp) // 2],
                      "rival_min_ns": gmp, "rival_spread": spread(all_gmp), "ratio": gmp / ours,
                      "samples": options.rounds,
                      "checked": True, "forced": False, "threads": 1, "chip": options.chip, "cpu": processor(),
                      "cores": os.cpu_count(), "commit": sha, "dirty": dirty, "compiler": compiler}
            with open(options.records, "a", encoding="utf-8") as f:
                f.write(json.dumps(record) + "\n")


main()
