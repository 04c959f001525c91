#!/usr/bin/env python3
"""studies_report.py: records of mode certified, barriers, conjugate gradients and energy to a page.

usage: studies_report.py [--records DIR] [-o FILE.md]

The default output is DIR/studies.md. A section appears where there are records.
"""

import argparse
import collections
import os

import read_records
from read_records import size_text, time_text

ENERGY = ("product", "batch", "fft", "sort", "tridiagonal", "decimal", "certified", "barriers", "cg")


def grouped(records, key):
    groups = collections.OrderedDict()
    for r in records:
        groups.setdefault(key(r), []).append(r)
    return groups


def table(head, rows):
    return ["| %s |" % " | ".join(head), "|%s" % ("---|" * len(head)), *("| %s |" % " | ".join(row) for row in rows), ""]


def certified_sections(records):
    """A row for each size with wider digits: what the mode gains over exact, with and without its check."""
    out = []
    mine = [r for r in records if r["topic"] == "certified"]
    for (chip, case, engine), group in grouped(mine, lambda r: (
            r["chip"], r["case"], r["engine"] if r["backend"] == "cuda" else "auto")).items():
        rivals = sorted({r["rival"] for r in group}, key=("exact", "exact-checked", "exact-default").index)
        rows = []
        for bits, same in sorted(grouped(group, lambda r: r["bits"]).items()):
            by = {r["rival"]: r for r in same}
            if len(by) == len(rivals) and "expected, checked" in by[rivals[0]]["plan"]:
                rows.append([size_text(bits), time_text(by[rivals[0]]["median_ns"])] +
                            ["%.2f" % by[rival]["ratio"] for rival in rivals])
        if rows:
            out += ["### %s, %s%s" % (chip, case, "" if engine == "auto" else ", " + engine), "",
                    *table(["bits", "certified"] + ["%s / certified" % rival for rival in rivals], rows)]
    return out and [
        "## Mode certified", "",
        "Sizes at which the mode takes wider digits. Above 1 certified is faster: `exact` has no check, `exact-checked` makes the",
        "same promise as certified, `exact-default` is the library's choice where an engine was requested.", "", *out]


def barrier_sections(records):
    mine = [r for r in records if r["topic"] == "barriers"]
    steps = [r for r in mine if r["op"] not in ("meeting", "order")]
    out = []
    for (chip, op), group in grouped(steps, lambda r: (r["chip"], r["op"])).items():
        ways = list(grouped(group, lambda r: r["variant"]))
        rows = []
        for n, same in sorted(grouped(group, lambda r: r["n"]).items()):
            by = {r["variant"]: r for r in same}
            base = by.get("launches", same[0])
            rows.append([size_text(n), time_text(base["median_ns"]), time_text(base["stream_ns"])] + [
                "%.2f%s" % (by[w]["ratio"], " (wrong)" if by[w]["wrong"] else "") if w in by else "–"
                for w in ways if w != "launches"])
        out += ["### %s, %s" % (chip, op), "",
                *table(["n", "launches in a graph", "one by one"] + [w for w in ways if w != "launches"], rows)]
    meetings = [[r["variant"], str(r["n"]), str(r["resident"]), str(r["resident_most"]),
                 "yes" if r["deadlock_predicted"] else "no", str(r["gave_up"]), time_text(r["median_ns"])]
                for r in mine if r["op"] == "meeting"]
    orders = [[str(r["n"]), str(r["overtakers"]), str(r["farthest"]), str(r["first_round_apart"])]
              for r in mine if r["op"] == "order"]
    if meetings:
        out += ["### Barriers that give up", "",
                *table(["kernel", "blocks", "R_L", "R_M", "deadlock predicted", "gave up", "time"], meetings)]
    if orders:
        out += ["### The order in which blocks start", "",
                *table(["blocks", "started before a lower one", "by at most", "neighbours apart, first round"], orders)]
    return out and ["## Launches and barriers", "",
                    "Time of launches in a graph over the time of each way (`steps.h`): above 1 the way is faster.", "", *out]


def cg_sections(records):
    out = []
    mine = [r for r in records if r["topic"] == "cg"]
    for (chip, op), group in grouped(mine, lambda r: (r["chip"], r["op"])).items():
        solve = op.startswith("solve")
        rows = []
        for r in sorted(group, key=lambda r: r["n"]):
            row = [size_text(r["n"]), r["variant"], time_text(r["median_ns"]), "%.2f" % r["ratio"]]
            if solve:
                row += [str(r["iterations"]), "%.0f %%" % (100 * r["host_cpu_ns"] / r["median_ns"]),
                        "%.3g" % r["joules"] if "joules" in r else "–",
                        "%.3g" % r["host_joules"] if "host_joules" in r else "–"]
            else:
                row += [time_text(r["stream_ns"])]
            rows.append(row)
        head = ["rows", "form", "time", "%s / this" % group[0]["rival"]]
        out += ["### %s, %s" % (chip, op), "", *table(
            head + (["iterations", "host busy", "J, device", "J, host"] if solve else ["one by one"]), rows)]
    return out and ["## Conjugate gradients", "", *out]


def energy_sections(records):
    rows = []
    for r in records:
        if r["topic"] in ENERGY and "joules" in r:
            ratio = "%.2f" % (r["rival_joules"] / r["joules"]) if r.get("rival_joules") else "–"
            count = " × %s" % size_text(r["count"]) if r["count"] > 1 else ""
            rows.append([r["topic"], r["op"], r["variant"], size_text(r["n"]) + count, "%.3g" % r["joules"],
                         "%.3g" % r["joules_element"], "%.0f" % (1e9 * r["joules"] / r["median_ns"]), r["rival"], ratio])
    return rows and ["## Energy", "",
                     "Joules of the whole board for one call and for one of its elements (limbs, digits, keys, points, rows); watts are",
                     "joules over the call's time.", "",
                     *table(["topic", "op", "variant", "n", "J", "J an element", "W", "rival", "rival's J / ours"], rows)]


def page(records):
    sections = (certified_sections(records) + barrier_sections(records) + cg_sections(records) + energy_sections(records))
    return "\n".join(["# Studies", "", "Written by `bench/report/studies_report.py`. [bench/studies](../studies/README.md) has "
                      "the programs, [schema.md](../schema.md)", "the fields.", "", *sections]).rstrip() + "\n"


def main():
    here = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "records")
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--records", default=here, metavar="DIR")
    parser.add_argument("-o", metavar="FILE.md")
    options = parser.parse_args()
    path = options.o or os.path.join(options.records, "studies.md")
    words = page(read_records.read(read_records.files(options.records)))
    with open(path, "w", encoding="utf-8") as f:
        f.write(words)
    print("wrote %s" % path)


if __name__ == "__main__":
    main()
