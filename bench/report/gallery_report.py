#!/usr/bin/env python3
"""gallery_report.py: the records of bench/gallery/gallery.py to README's table.

usage: gallery_report.py [--chip NAME] [--records DIR] [--write FILE]

Without --write the table goes to stdout; with it, between the lines of FILE that say `gallery: begin`
and `gallery: end`, and records of a tree with changes are refused.
"""

import argparse
import os

import read_records
from read_records import fail, time_text

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


def write(path, lines):
    with open(path, encoding="utf-8") as f:
        text = f.read()
    if text.count(BEGIN) != 1 or text.count(END) != 1:
        fail("%s must have the lines %s and %s, once each" % (path, BEGIN, END))
    before, rest = text.split(BEGIN)
    with open(path, "w", encoding="utf-8") as f:
        f.write(before + BEGIN + "\n" + "\n".join(lines) + "\n" + END + rest.split(END)[1])


def main():
    here = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "records")
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--chip", help="which chip's records (default: the last one's)")
    parser.add_argument("--records", default=here, metavar="DIR")
    parser.add_argument("--write", metavar="FILE")
    options = parser.parse_args()
    pattern = "%s-gallery.jsonl" % (options.chip or "*")
    paths = read_records.all_files(options.records, pattern)[-1:]
    if not paths:
        fail("no records %s in %s" % (pattern, options.records))
    records = read_records.read(paths)
    if options.write and any(r["dirty"] for r in records):
        fail("a record of a tree with changes cannot be published")
    if options.write:
        write(options.write, table(records))
    else:
        print("\n".join(table(records)))


if __name__ == "__main__":
    main()
