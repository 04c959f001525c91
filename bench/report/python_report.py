#!/usr/bin/env python3
"""python_report.py: the records of bench/python/against_gmpy2.py to a table between two markers.

usage: python_report.py [--chip NAME] [--records DIR] [--write docs/python.md]

Without --write the table goes to stdout; with it records of a tree with changes are refused.
"""

import read_records
import report
from read_records import size_text, time_text

WORDS = {
    "add": "`a + b`", "mul": "`a * b`", "floordiv": "`a // b`, twice the bits by the bits", "isqrt": "`isqrt(a)`",
    "powmod": "`powmod(a, b, c)`", "str": "`str(a)`", "read": "`mpz(text)`", "int": "`int(a)`",
    "from-int": "`mpz(int)`", "add-int": "`a + 1`", "less": "`a < b`", "hash": "`hash(a)`, again",
}


def table(records):
    rows = {(r["op"], r["bits"]): r for r in records}
    sizes = sorted({bits for _, bits in rows})
    about = records[0]
    lines = ["%s, %s, %s. Times of %s divided by ours, loop included:" % (
        about["cpu"], about["compiler"], "one thread", about["rival"]), "",
        "| | ours at %s | %s |" % (size_text(sizes[0]), " | ".join(map(size_text, sizes))),
        "|---|---:|" + "---:|" * len(sizes)]
    for op, words in WORDS.items():
        if (op, sizes[0]) in rows:
            ratios = [report.ratio(rows[op, n]) if (op, n) in rows else "–" for n in sizes]
            lines.append("| %s | %s | %s |" % (
                words, time_text(rows[op, sizes[0]]["median_ns"]), " | ".join(ratios)))
    return lines


if __name__ == "__main__":
    read_records.table_main(__doc__, "python", table, report.BEGIN, report.END)
