#!/usr/bin/env python3
"""arith_report.py: the records of bench/mul/arith_bench.c and text_bench.c to README's table.

usage: arith_report.py [--chip NAME] [--records DIR] [--write FILE]

Without --write the table goes to stdout; with it, between the lines of FILE that say `arith: begin`
and `arith: end`, and records of a tree with changes are refused.
"""

import read_records
from read_records import size_text, time_text

BEGIN, END = "<!-- arith: begin -->", "<!-- arith: end -->"
ROWS = [
    ("divrem", "both", "2 n by n bits, quotient and remainder"),
    ("divrem", "quotient", "quotient alone"),
    ("divrem", "prepared", "by a divisor whose reciprocal is kept"),
    ("sqrt", "root", "square root of 2 n bits"),
    ("root", "3", "cube root of 2 n bits"),
    ("mod", "2exp-minus1", "n by n bits modulo 2^n − 1"),
]
SIZES = [2**20, 2**24, 2**28, 2**30]


def cell(record):
    return "%s, %.2g" % (time_text(record["median_ns"]), record["products"]) if record else "–"


def table(records):
    found = {(r["case"], r["op"], r.get("digits", r["bits"])): r for r in records if not r["forced"]}
    lines = ["%s, one. Operands and results in its memory; n bits. Time, and that in products of two numbers of n bits"
             % records[0]["cpu"], "there. GMP's fastest recorded time on a core of its host.", "",
             "| operation | %s | GMP at 2^20 |" % " | ".join("n = " + size_text(n) for n in SIZES),
             "|---|" + "---:|" * (len(SIZES) + 1)]
    for case, op, words in ROWS:
        of = [found.get((case, op, n)) for n in SIZES]
        gmp = time_text(of[0]["gmp_least_ns"]) if of[0] and "gmp_least_ns" in of[0] else "–"
        lines.append("| %s | %s | %s |" % (words, " | ".join(cell(r) for r in of), gmp))
    texts = ", ".join("10^%d digits %s and %s" % (
        lg, time_text(found["text", "read", 10**lg]["median_ns"]), time_text(found["text", "write", 10**lg]["median_ns"]))
        for lg in (6, 7, 8, 9) if ("text", "read", 10**lg) in found)
    return lines + ["", "Decimal text, characters in host memory, read and written: %s." % texts]


if __name__ == "__main__":
    read_records.table_main(__doc__, "arith", table, BEGIN, END)
