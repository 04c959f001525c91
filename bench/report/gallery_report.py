#!/usr/bin/env python3
"""gallery_report.py: the records of bench/gallery/gallery.py to README's table.

usage: gallery_report.py [--chip NAME] [--records DIR] [--write FILE]

Without --write the table goes to stdout; with it, between the lines of FILE that say `gallery: begin`
and `gallery: end`, and records of a tree with changes are refused.
"""

import read_records
from read_records import time_text

BEGIN, END = "<!-- gallery: begin -->", "<!-- gallery: end -->"
WORDS = {
    "factorial": "n!", "fibonacci": "F(n)", "rsa": "RSA, sign and verify", "pi": "π, decimal digits",
    "gcd": "gcd, bits", "batch": "4096 products, bits each", "threads": "a product on all processors, bits",
    "mixture": "x³ − 7x + 5 on an `mpz_t`, bits",
}


def size_text(n):
    if n & (n - 1) == 0:
        return "2^%d" % (n.bit_length() - 1)
    power = len(str(n)) - 1
    return "10^%d" % power if n == 10**power else str(n)


def table(records):
    about = records[0]
    lines = ["%s, %s. Times of GMP divided by ours; above 1 longmul is faster." % (about["cpu"], about["compiler"]),
             "", "| [program](apps/gallery) | size: ratio | ours at the largest |", "|---|---|---:|"]
    for name, words in WORDS.items():
        rows = sorted((r for r in records if r["case"] == name), key=lambda r: r["n"])
        if rows:
            cells = ["%s: %s" % (size_text(r["n"]),
                                 ("**%.2f**" if r["ratio"] >= 1 else "%.2f") % r["ratio"]) for r in rows]
            lines.append("| [%s](apps/gallery/%s.c) | %s | %s |" % (
                words, name, ", ".join(cells), time_text(rows[-1]["min_ns"])))
    slower = [(r["case"], size_text(r["n"])) for r in records if r["ratio"] < 1]
    lines += ["", "Slower than GMP: %s." % (", ".join("%s at %s" % pair for pair in slower) or "none of them")]
    return lines


if __name__ == "__main__":
    read_records.table_main(__doc__, "gallery", table, BEGIN, END)
