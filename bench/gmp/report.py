#!/usr/bin/env python3
"""report.py: records of drop_in.py to README's table, GMP's time divided by the drop-in's.

usage: report.py RECORDS [--write README.md] [--all]

The table stands between two markers. A ratio marked ≈ is of processes that differ by more than a tenth. --all: every
row that was measured, and at the end those that are slower than 0.97 by more than 2 ns.
"""

import argparse
import json
import sys

BEGIN, END = "<!-- drop-in:begin -->", "<!-- drop-in:end -->"
NOISE = 0.1
SLOWER, SLOWER_NS = 0.97, 2
GROUPS = ("gmpy2", "MPFR", "python-flint", "mpmath", "PARI/GP", "Ruby", "gmp-ecm")


def read(path):
    with open(path, encoding="utf-8") as f:
        records = [json.loads(line) for line in f]
    if not all(r["checked"] for r in records):
        sys.exit("report.py: records that are not checked")
    return records


def size_text(r):
    exponent = r["n"].bit_length() - 1
    if r["n"] == 1 << exponent and exponent > 5:
        return "2^%d" % exponent
    zeros = len(str(r["n"])) - len(str(r["n"]).rstrip("0"))
    return "10^%d" % zeros if str(r["n"]) == "1" + "0" * zeros and zeros > 2 else str(r["n"])


def ratio(r):
    noisy = max(r["spread"], r["rival_spread"]) > NOISE
    return "%s%.2f" % ("≈ " if noisy else "", r["ratio"])


def lines(records, groups):
    """A line for each operation: its sizes and ratios."""
    result = ["| program | operation | GMP ÷ drop-in, by size |", "|---|---|---|"]
    for group in groups:
        ops = dict.fromkeys(r["op"] for r in records if r["group"] == group)
        for i, op in enumerate(ops):
            cells = ["%s: %s" % (size_text(r), ratio(r)) for r in records if r["op"] == op]
            name = op.removeprefix(group + " ").replace(", digits", ", of that many digits").removesuffix(" n")
            result.append("| %s | %s | %s |" % (group if i == 0 else "", name, ", ".join(cells)))
    return result


def slower(records):
    return [r for r in records if r["ratio"] < SLOWER and r["min_ns"] - r["rival_min_ns"] > SLOWER_NS]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("records")
    parser.add_argument("--write", metavar="README")
    parser.add_argument("--all", action="store_true")
    options = parser.parse_args()
    records = read(options.records)
    table = "\n".join(lines(records, (("GMP",) if options.all else ()) + GROUPS))
    if not options.write:
        print(table)
        if options.all:
            for r in slower(records):
                print("slower: %s %d: %.2f, %.0f against %.0f ns" % (r["op"], r["n"], r["ratio"], r["min_ns"],
                                                                     r["rival_min_ns"]))
        return
    if any(r["dirty"] for r in records):
        sys.exit("report.py: records of a tree with changes are not published")
    with open(options.write, encoding="utf-8") as f:
        text = f.read()
    if text.count(BEGIN) != 1 or text.count(END) != 1:
        sys.exit("report.py: %s has no lines %s and %s" % (options.write, BEGIN, END))
    head, rest = text.split(BEGIN)
    with open(options.write, "w", encoding="utf-8") as f:
        f.write(head + BEGIN + "\n" + table + "\n" + END + rest.split(END)[1])


main()
