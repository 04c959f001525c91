#!/usr/bin/env python3
"""report.py: records to the Markdown tables between two markers in README.md.

usage: report.py [--chip NAME] [--records DIR] [--write README.md]

Without --write the tables go to stdout. Unchecked records are refused always; records of a tree
with changes are refused with --write. Of several chips the one with the most records against GMP
(topic mpz aside) is shown. A ratio marked ≈ is of a median known no better than 10 %: the machine was busy, measure
again.
"""

import argparse
import os

import read_records
from read_records import fail, size_text, time_text

BEGIN, END = "<!-- bench:begin -->", "<!-- bench:end -->"
SAMPLE_SPLIT = 2**14  # bits: below and from there on samples are counted apart
NOISE = 0.1  # a median known less well than this is marked
MUL_EXPONENTS = (6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 31)
OTHERS = (  # (topic, op, sizes of the longer operand, what to call it)
    ("sqr", "", (2**16, 2**20, 2**24), "square, {0} bits"),
    ("unbalanced", "", (2**20, 2**24), "product, {0} × {1} bits"),
    ("divrem", "", (2**20, 2**23, 2**26), "quotient and remainder, {0} / {1} bits"),
    ("root", "2", (2**20, 2**23, 2**26), "square root and remainder, {0} bits"),
    ("powm", "", (2**11, 2**12), "modular power, {0} bits"),
    ("text", "read", (10**6, 10**7), "read {0} decimal digits"),
    ("text", "write", (10**6, 10**7), "write {0} decimal digits"),
    ("text", "mul", (10**6,), "decimal product, {0} digits"),
)


def size(record):
    return record.get("an", record.get("n"))


def against(rival, records, topic, threads=1):
    return [r for r in records
            if r["topic"] == topic and not r["forced"] and r["rival"].startswith(rival)
            and r["threads"] == threads]


def noisy(record):
    return max(record["spread"], record["rival_spread"]) > NOISE


def ratio(record):
    return "**%s%.2f**" % ("≈ " if noisy(record) else "", record["ratio"])


def share(record):
    return "–" if record["roof_share"] is None else "%.0f %%" % (100 * record["roof_share"])


def mul_table(records):
    rows = {size(r): r for r in against("GMP", records, "mul")}
    gain = {size(r): r["ratio"] for r in records
            if r["topic"] == "threads" and r["threads"] == 2 and not r["forced"]}
    flint = {size(r): r for r in against("FLINT", records, "mul")}
    lines = ["| bits of each operand | engine | longmul | GMP | GMP / longmul | FLINT / longmul "
             "| roof | two threads |",
             "|---:|---|---:|---:|---:|---:|---:|---:|"]
    for n in (2**k for k in MUL_EXPONENTS):
        if n in rows:
            r = rows[n]
            lines.append("| %s | %s | %s | %s | %s | %s | %s | %s |" % (
                size_text(n), r["engine"], time_text(r["median_ns"]),
                time_text(r["rival_median_ns"]), ratio(r),
                ratio(flint[n]) if n in flint else "–", share(r),
                "× %.2f" % gain[n] if n in gain else "–"))
    return lines


def other_table(records):
    lines = ["| operation | longmul | GMP | GMP / longmul |", "|---|---:|---:|---:|"]
    for topic, op, sizes, text in OTHERS:
        for r in against("GMP", records, topic):
            if r["op"] == op and size(r) in sizes:
                what = text.format(size_text(size(r)), size_text(r.get("bn", 0)))
                lines.append("| %s | %s | %s | %s |" % (
                    what, time_text(r["median_ns"]), time_text(r["rival_median_ns"]), ratio(r)))
    return lines


def sample_table(records):
    """At how many of the sizes drawn by bench --sample the rival is faster."""
    groups = {}
    for r in records:
        if r["topic"] == "sample" and r["threads"] == 1:
            variant = r["variant"] + " " if r["forced"] else ""
            groups.setdefault((variant + r["case"], size(r) >= SAMPLE_SPLIT, r["rival"]), []).append(r)
    if not groups:
        return []
    lines = ["", "Random sizes, uniform on the logarithmic scale:", "",
             "| operation | bits | rival | sizes | rival faster | smallest ratio | at |",
             "|---|---|---|---:|---:|---:|---:|"]
    for (what, large, rival), rows in sorted(groups.items()):
        slower = sum(r["ratio"] < 1 for r in rows)
        worst = min(rows, key=lambda r: r["ratio"])
        at = "%d" % size(worst) if worst["bn"] == worst["an"] else "%d × %d" % (worst["an"], worst["bn"])
        lines.append("| %s | %s 2^14 | %s | %d | %.1f %% | %.2f | %s |" % (
            what, "from" if large else "below", rival, len(rows), 100 * slower / len(rows),
            worst["ratio"], at))
    return lines


def losses(records):
    """One sentence: every row of the records where GMP is faster, by topic, samples aside."""
    slower = {}
    for r in sorted(records, key=lambda r: (r["topic"], r["op"], size(r))):
        if r["topic"] != "sample" and r["rival"].startswith("GMP") and not r["forced"] and r["threads"] == 1 \
                and r["ratio"] < 0.995:
            text = size_text(size(r))
            if r.get("bn") not in (None, r.get("an")):
                text += " × " + size_text(r["bn"])
            what = " ".join(filter(None, (r["topic"], r["op"])))
            slower.setdefault(what, []).append("%s (%.2f)" % (text, r["ratio"]))
    if not slower:
        return "No measured row is slower than GMP's."
    return "Slower than GMP: %s." % "; ".join(
        "%s %s" % (what, ", ".join(texts)) for what, texts in slower.items())


def device_tables(records, folder):
    """Products on each device that has records of them, beside the rival's transforms."""
    lines = []
    of_product = [r for r in records if r["topic"] == "product"]
    for chip in sorted({r["chip"] for r in of_product}):
        rows = {}
        for r in of_product:
            if r["chip"] == chip and r["bits"] & (r["bits"] - 1) == 0:
                rows.setdefault(r["bits"], {})[r["case"]] = r
        some = next(iter(rows.values()))["mul"]
        rival = " ".join(some["rival"].split()[:2])
        lines += ["", "Operands and result in the memory of an %s, commit %s. The rival is the transforms that such a product needs, "
                  "by %s: two real transforms of 16-bit digits, a pointwise product and the transform back. It neither splits "
                  "digits nor carries, and is not proved exact. Its calls alternate with ours in one process, and every "
                  "product is checked. GMP runs on one core of the device's host. "
                  "All sizes and kernels: [device.md](bench/records/device.md)." % (some["cpu"], some["commit"][:12], rival), "",
                  "| bits of each operand | longmul | square | transforms by %s | transforms / longmul | GMP | GMP / longmul |" % rival,
                  "|---:|---:|---:|---:|---:|---:|---:|"]
        for bits, row in sorted(rows.items()):
            m = row["mul"]
            gmp = m.get("gmp_ns", 0)
            lines.append("| %s | %s | %s | %s | **%.2f** | %s | %s |" % (
                size_text(bits), time_text(m["median_ns"]), time_text(row["sqr"]["median_ns"]),
                time_text(m["rival_median_ns"]), m["ratio"], time_text(gmp) if gmp else "–",
                "%.0f" % (gmp / m["median_ns"]) if gmp else "–"))
        plot = "%s-product.svg" % chip
        if os.path.exists(os.path.join(folder, plot)):
            lines += ["", "![Time of one product on a device against its size](bench/records/%s)" % plot]
    return lines


def head(records, every):
    r = records[-1]
    flint = sorted({x["rival"] for x in every if x["rival"].startswith("FLINT")})
    commits = sorted({x["commit"][:12] + ("+" if x["dirty"] else "") for x in records})
    return ("%s (%s), one thread, %s, %s, commit %s. Medians; our calls and GMP's alternate in "
            "one process, and every result is compared limb by limb. Roof: share of the measured rate "
            "of FP64 operations; for schoolbook, of integer products. Two threads: how much faster "
            "than one. %s" % (
                r["chip"], r["cpu"], r["rival"] if r["rival"].startswith("GMP") else "GMP",
                r["compiler"], ", ".join(commits), "Measured in the same way: %s." % ", ".join(flint) if flint else ""))


def pick_chip(records, name):
    # Not by the calls beside mpz's: they are in no table, and one run has hundreds.
    chips = [r["chip"] for r in records if r.get("rival", "").startswith("GMP") and r["topic"] != "mpz"]
    if not chips:
        fail("no records")
    name = name or max(sorted(set(chips)), key=chips.count)
    chosen = [r for r in records if r["chip"] == name]
    return chosen or fail("no records of chip %s" % name)


def tables(records, devices, folder):
    gmp = [r for r in records if r["rival"].startswith("GMP")]
    lines = [head(gmp or records, records), "", *mul_table(records)]
    plot = "%s-mul.svg" % records[0]["chip"]
    if os.path.exists(os.path.join(folder, plot)):
        lines += ["", "![Time of one product against its size](bench/records/%s)" % plot]
    others = other_table(records)
    if len(others) > 2:
        lines += ["", *others]
    return lines + sample_table(records) + ["", losses(records)] + devices


def main():
    here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--chip", help="which chip's records (default: the one with the most)")
    parser.add_argument("--records", default=os.path.join(here, "records"), metavar="DIR")
    parser.add_argument("--write", metavar="README", help="replace what is between the markers")
    options = parser.parse_args()
    records = read_records.read(read_records.files(options.records))
    devices = device_tables(records, options.records)
    records = pick_chip(records, options.chip)
    if options.write:
        dirty = sum(r["dirty"] for r in records)
        if dirty:
            fail("%d records were taken with uncommitted changes: commit, measure again" % dirty)
        read_records.replace_part(options.write, BEGIN, END, tables(records, devices, options.records))
        for r in filter(noisy, records):
            print("noisy: %s %s %s" % (r["topic"], r["op"], size_text(size(r))))
    else:
        print("\n".join(tables(records, devices, options.records)))


if __name__ == "__main__":
    main()
