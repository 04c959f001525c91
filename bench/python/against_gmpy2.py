#!/usr/bin/env python3
"""longmul's Python package against gmpy2, in one process.

usage: against_gmpy2.py [--records FILE] [--chip NAME] [--only OP] [--sizes 6..26] [--seconds S]

Samples alternate between the two sides, on the same numbers, and the results of both are compared. A
sample is a loop of calls of some 2 ms, or one call that takes longer; the time of the empty loop is part
of both sides. Each row takes --seconds, and at least three samples of each side.
"""

import argparse
import itertools
import json
import os
import platform
import random
import subprocess
import sys
import time

import gmpy2
import longmul

SIDES = (longmul, gmpy2)
SAMPLE_NS = 2_000_000


def loop_of(expression):
    """A function that evaluates the expression in a, b, c and the module m `count` times."""
    names = {"repeat": itertools.repeat}
    exec("def loop(m, a, b, c, count):\n"
         "    mpz, isqrt, powmod = m.mpz, m.isqrt, m.powmod\n"
         f"    for _ in repeat(None, count): {expression}\n"
         f"    return {expression}", names)
    return names["loop"]


# Of each operation: the expression; the bits of a, b and c for n bits; the largest n.
OPERATIONS = {
    "add": ("a + b", lambda n: (n, n, 1), 2**26),
    "mul": ("a * b", lambda n: (n, n, 1), 2**26),
    "floordiv": ("a // b", lambda n: (2 * n, n, 1), 2**26),
    "isqrt": ("isqrt(a)", lambda n: (n, 1, 1), 2**26),
    "powmod": ("powmod(a, b, c)", lambda n: (n, n, n), 2**13),
    "str": ("str(a)", lambda n: (n, 1, 1), 2**26),
    "read": ("mpz(a)", lambda n: (n, 1, 1), 2**26),
    "int": ("int(a)", lambda n: (n, 1, 1), 2**26),
    "from-int": ("mpz(a)", lambda n: (n, 1, 1), 2**26),
    "add-int": ("a + 1", lambda n: (n, 1, 1), 2**10),
    "less": ("a < b", lambda n: (n, n, 1), 2**10),
    "hash": ("hash(a)", lambda n: (n, 1, 1), 2**20),
}


def operands(op, module, numbers):
    if op == "read":
        return [str(gmpy2.mpz(numbers[0]))] + list(numbers[1:])  # int's own takes hours
    return list(numbers) if op == "from-int" else [module.mpz(x) for x in numbers]


def sample(loop, module, values, count):
    begin = time.perf_counter_ns()
    result = loop(module, *values, count - 1)
    return (time.perf_counter_ns() - begin) / count, result


def plain(result):
    return result if isinstance(result, str) else int(result)


def measure(op, bits, seconds):
    expression, sizes, _ = OPERATIONS[op]
    loop = loop_of(expression)
    rng = random.Random(bits)
    numbers = [rng.getrandbits(n) | 1 << (n - 1) | 1 for n in sizes(bits)]
    values = [operands(op, module, numbers) for module in SIDES]
    counts, results = [], []
    for side, module in enumerate(SIDES):
        sample(loop, module, values[side], 1)
        ns, result = sample(loop, module, values[side], 1)
        ns = min(ns, sample(loop, module, values[side], max(1, int(SAMPLE_NS / 20 / ns)))[0])
        counts.append(max(1, int(SAMPLE_NS / ns)))
        results.append(plain(result))
    if results[0] != results[1]:
        sys.exit(f"{op}, {bits} bits: the results differ")
    times = [], []
    end = time.monotonic() + seconds
    while len(times[0]) < 3 or (time.monotonic() < end and len(times[0]) < 401):
        for side, module in enumerate(SIDES):
            times[side].append(sample(loop, module, values[side], counts[side])[0])
    return [sorted(t) for t in times], counts


def spread(times):
    """Half the width of the median's 95 % interval, relative; of few samples half their range."""
    n = len(times)
    half = n / 2 if n < 6 else 0.98 * n**0.5
    low, high = times[max(0, int(n / 2 - half))], times[min(n - 1, int(n / 2 + half))]
    return (high - low) / 2 / times[n // 2]


def machine(chip):
    with open("/proc/cpuinfo", encoding="utf-8") as f:
        names = [line.split(":")[1].strip() for line in f if line.startswith("model name")]
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    git = ["git", "-C", root]
    sha = subprocess.run(git + ["rev-parse", "HEAD"], capture_output=True, text=True, check=False)
    dirty = subprocess.run(git + ["diff", "--quiet", "HEAD"], check=False).returncode != 0
    return {"chip": chip, "cpu": names[0] if names else platform.machine(), "cores": os.cpu_count(),
            "commit": sha.stdout.strip(), "dirty": dirty,
            "compiler": "CPython " + platform.python_version()}


def record(op, bits, times, counts, about):
    ours, theirs = times
    return {"schema": 1, "topic": "python", "case": "python", "op": op, "backend": "cpu",
            "engine": "auto", "variant": "auto", "forced": False, "bits": bits, "an": bits, "bn": bits,
            "count": 1, "threads": 1, "median_ns": ours[len(ours) // 2], "min_ns": ours[0],
            "spread": spread(ours), "calls": counts[0], "samples": len(ours),
            "rival": f"gmpy2 {gmpy2.version()} with {gmpy2.mp_version()}",
            "rival_median_ns": theirs[len(theirs) // 2], "rival_min_ns": theirs[0],
            "rival_spread": spread(theirs), "rival_calls": counts[1],
            "ratio": theirs[len(theirs) // 2] / ours[len(ours) // 2], "roof_share": None,
            "checked": True, **about}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--records", metavar="FILE")
    parser.add_argument("--chip", default="unknown")
    parser.add_argument("--only", choices=OPERATIONS, action="append")
    parser.add_argument("--sizes", default="6..26", metavar="LOW..HIGH", help="powers of 2")
    parser.add_argument("--seconds", type=float, default=0.8)
    options = parser.parse_args()
    sys.set_int_max_str_digits(0)
    low, high = map(int, options.sizes.split(".."))
    about = machine(options.chip)
    for op in options.only or OPERATIONS:
        for bits in (2**k for k in range(low, high + 1, 2) if 2**k <= OPERATIONS[op][2]):
            times, counts = measure(op, bits, options.seconds)
            row = record(op, bits, times, counts, about)
            print("%-9s 2^%-2d %14.1f ns  gmpy2 %14.1f ns  %6.2f" % (
                op, bits.bit_length() - 1, row["median_ns"], row["rival_median_ns"], row["ratio"]),
                flush=True)
            if options.records:
                with open(options.records, "a", encoding="utf-8") as f:
                    f.write(json.dumps(row) + "\n")


main()
