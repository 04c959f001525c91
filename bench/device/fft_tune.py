#!/usr/bin/env python3
"""fft_tune.py: records of candidate plans to the table that fft_device_plan reads.

usage: fft_tune.py [--table FILE] RECORDS.jsonl ...

RECORDS are what `fft_bench --candidates` wrote: z2z, c2c, d2z, r2c, rev-z2z and rev-c2c decide, z2d,
c2r, rev-z2z-inv and rev-c2c-inv say what serves where the forward transform's tuple has no kernel for
the inverse one. Batches of other sizes
in all (--total) are other rows of the table. Lengths, and smaller batches, that were not measured keep
their rows.
"""

import argparse
import math
import os
import re
import textwrap

import tune_table

KINDS = (("F64", "z2z", None), ("F32", "c2c", None), ("RealF64", "d2z", "z2d"),
         ("RealF32", "r2c", "c2r"), ("ReversedF64", "rev-z2z", "rev-z2z-inv"),
         ("ReversedF32", "rev-c2c", "rev-c2c-inv"))
ANY = 48  # FFT_ID_LG_ITEMS_MAX
NEAR = 1.01  # so much slower is as fast: fewer rows
RUN = "// run of it.\n"  # the comment before the rows ends so
SPEC = re.compile(r":p(\d+),s(\d+),x(\d+):")
ROW = re.compile(r"\{(\d+), (\w+), \{(\d+), (\d+), (\d+)\}\}")


def measured(records, op):
    """{digits: {log2 of items in all: {tuple: nanoseconds}}}"""
    found = {}
    for r in records:
        if r["op"] in (op, op + "-batch"):
            pairs = 2 if op in ("d2z", "z2d", "r2c", "c2r") else 1
            n, items = (int(math.log2(x)) for x in (r["n"] / pairs, r["n"] * r["count"] / pairs))
            t = tuple(int(x) for x in SPEC.search(r["plan"]).groups())
            found.setdefault(n, {}).setdefault(items, {})[t] = r["median_ns"]
    return found


def rows_of(n, forward, inverse):
    """Rows of one length, from small batches to large ones."""
    rows = []
    for items in sorted(forward, reverse=True):
        times = forward[items]
        best = min(times, key=times.get)
        above = rows[0][-1][2] if rows else None
        if above in times and times[above] <= NEAR * times[best]:
            continue  # the row above serves as well
        serves = inverse.get(items, {})
        group = []
        if serves and best not in serves:
            group.append((n, items, min(serves, key=serves.get)))
        rows.insert(0, group + [(n, items, best)])
    flat = []
    for i, group in enumerate(rows):
        most = ANY if i == len(rows) - 1 else group[0][1]
        flat += [(n, most, t) for _, _, t in reversed(group)]
    return flat


def read_table(text):
    table = {}
    for name, _, _ in KINDS:
        body = re.search(r"kRows%s\[\] = \{(.*?)\n\};" % name, text, re.S).group(1)
        numbers = [tuple(int(x) for x in m.groups()) for m in ROW.finditer(body)]
        table[name] = [(n, most, (p, s, x)) for n, most, p, s, x in numbers]
    return table


def written(text, table, about):
    """transform_plan.cu with these rows, and a comment that says where they come from."""
    lines = []
    for name, _, _ in KINDS:
        lines += ["", "constexpr Row kRows%s[] = {" % name]
        lines += ["    {%d, %d, {%d, %d, %d}}," % ((n, most) + t) for n, most, t in table[name]]
        lines.append("};")
    start = text.index(RUN) + len(RUN)
    end = text.index("// clang-format on")
    comment = ["// " + line for line in textwrap.wrap(about, 97)]
    return text[:start] + "\n".join(comment + ["// clang-format off"] + lines) + "\n" + text[end:]


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--table", default=os.path.join(here, "../../fft/transform_plan.cu"))
    parser.add_argument("records", nargs="+")
    arguments = parser.parse_args()
    records = tune_table.read(arguments.records)
    with open(arguments.table, encoding="utf-8") as source:
        text = source.read()
    table = read_table(text)
    lengths = set()
    for name, op, back in KINDS:
        forward, inverse = measured(records, op), measured(records, back) if back else {}
        for n in forward:
            rows = rows_of(n, forward[n], inverse.get(n, {}))
            least = min(forward[n])  # rows for smaller batches stay
            table[name] = [r for r in table[name] if r[0] != n or r[1] < least] + rows
            lengths.add("%s 2^%d" % (name, n))
        table[name].sort(key=lambda r: r[:2])
    about = "Measured on %s, commit %s: %d lengths; the others by earlier trials without records." % (
        records[0]["cpu"], ", ".join(sorted({r["commit"][:12] for r in records})), len(lengths))
    with open(arguments.table, "w", encoding="utf-8") as out:
        out.write(written(text, table, about))


main()
