#!/usr/bin/env python3
"""agpu_report.py: times that the AGPU model predicts beside the measured ones, as a page and a plot.

usage: agpu_report.py [--chip NAME] [--records DIR] [--agpu PROGRAM] [--check]

Writes DIR/agpu.md and DIR/<chip>-agpu.svg, or with --check says whether they are up to date.
PROGRAM is out/bin/bench/studies/agpu, which counts plans; build it by ./dev build
//bench/studies:agpu. The chip's bandwidths and latency come from the copies in <chip>-scan.jsonl.
"""

import argparse
import collections
import json
import math
import os
import re
import subprocess
import sys

import read_records
from plot import Axis, STYLE, line, text

TOPICS = ("scan", "reduce", "sort", "tridiagonal", "fft", "fft-ablations", "product", "carry")
NAMES = {"fft-ablations": "fft forms"}
COLORS = dict(zip(TOPICS, ("#0b5fa5", "#5aa7e0", "#c2571a", "#2e8b57", "#8a4fbf", "#b8a1d9", "#222222", "#b08a00")))
OFF = 1.5      # a prediction this far off is listed
PRUNE = 1.5    # candidates further from the best prediction than this are not measured
SHAPE = re.compile(r"(\d+) primes?, .* = (\d+) pieces? of 2\^(\d+) x 2\^(\d+) rows x 2\^(\d+)")

# What the model does not see, by reading the kernels: nothing here is measured. (topic, start of the variant, words)
REASONS = (
    ("scan", "look-back", "a tile waits for what the one before publishes: a latency more where tiles are few"),
    ("scan", "kogge-stone", "a tile waits for log T words, one after the other"),
    ("scan", "ladner-fischer", "a tile waits for up to log T words in turn, and many for the same"),
    ("scan", "tile", "barriers of a warp between loads, columns and stores of each matrix"),
    ("scan", "three-kernel", "few tiles: barriers in each launch; many: the cache keeps what is read again"),
    ("reduce", "", "the last block waits for all others and reads their sums: two latencies more"),
    ("sort", "radix", "the chain of look-backs over 256 digits; writes of runs shorter than a line; ranking is counted at a step "
                      "for each ballot and its use"),
    ("sort", "comb", "addresses, predicates and moves beside each comparison: about as many instructions again"),
    ("sort", "bitonic", "small blocks with a barrier after each stage"),
    ("sort", "multiway-merge", "searches for cuts, chains of dependent loads; merges in a tile, counted at one step a level"),
    ("tridiagonal", "thomas", "the cache, which serves the rest of a line later: transfers are counted as if there were none"),
    ("tridiagonal", "partition", "the tree over tiles, each level a barrier; choosing pivots"),
    ("tridiagonal", "", "a barrier after each level, and levels on which few threads have work"),
    ("fft", "", "exchanges through shared memory with their barriers: most of a short transform's time"),
    ("carry", "", "a thread divides its digits one after the other, each division waiting for the one before; in limbs of short "
                  "coefficients a tile waits for the carry before it"),
    ("product", "", "a whole product in one launch: barriers between levels; long ones: range reductions, and launches in branches"),
)


def rate_of(copies, size):
    """Bytes in a nanosecond of the copy of about that many elements of 4 bytes, its latency taken off."""
    n = min(copies, key=lambda n: abs(n - size))
    return 8 * n / (copies[n] - copies[min(copies)])


def chip_of(records):
    """What was measured: bandwidth of memory and cache, the cache's size, the latency of a launch."""
    copies = {r["n"]: r["roof_ns"] for r in records
              if r["topic"] == "scan" and r["count"] == 1 and r["variant"] == "look-back"}
    memory, cache = rate_of(copies, 2**30), rate_of(copies, 2**22)
    cached = [8 * n for n in copies if n >= 2**20 and rate_of(copies, n) > 1.1 * memory]
    return {"bandwidth": memory, "cache": cache, "cache_bytes": max(cached, default=0) or 1,
            "latency": copies[min(copies)]}


def shape_of(r):
    """The column SHAPE of a record for `agpu`, or None if nothing there counts."""
    if r["topic"] in ("fft", "fft-ablations"):
        return r["plan"]
    if r["topic"] == "product":
        found = SHAPE.search(r["plan"])
        return found and " ".join(found.groups()) + " %d" % ("one launch" in r["plan"])
    if r["topic"] == "product-shapes":
        return "%d %d %d %d %d 0" % tuple(r[name] for name in read_records.APART["product-shapes"])
    return "-"


def predict(program, chip, rows):
    """rows: (group, record). The program's answers, in their order."""
    lines = []
    for group, r in rows:
        n = r["n"] if "n" in r else r["bits"] // 64
        lines.append("\t".join(str(x) for x in (
            group, r["topic"], r.get("op", "mul"), r.get("variant", "-"), n, r.get("count", 1), shape_of(r))))
    command = [program] + ["%.6g" % chip[k] for k in ("bandwidth", "cache", "cache_bytes", "latency")] + [str(PRUNE)]
    out = subprocess.run(command, input="\n".join(lines) + "\n", capture_output=True, text=True, check=True)
    return [json.loads(answer) for answer in out.stdout.splitlines()]


def compare(program, chip, records):
    """(record, answer) of the records that the model knows."""
    rows = [("-", r) for r in records if r["topic"] in TOPICS and shape_of(r)]
    return [(r, a) for (_, r), a in zip(rows, predict(program, chip, rows)) if a]


def quantile(values, q):
    values = sorted(values)
    return values[min(int(q * len(values)), len(values) - 1)]


def limit(answer):
    """What the prediction consists of mostly."""
    parts = {"launches": answer["launches_ns"], "I/O": answer["io_ns"], "steps": answer["steps_ns"]}
    return max(parts, key=parts.get)


def summary(pairs):
    out = ["| topic | rows | measured / predicted, quartiles | within %.1f | largest | mostly |" % OFF,
           "|---|---|---|---|---|---|"]
    for topic in TOPICS:
        rows = [(r["median_ns"] / a["ns"], a) for r, a in pairs if r["topic"] == topic]
        if rows:
            ratios = [ratio for ratio, _ in rows]
            near = sum(1 / OFF <= ratio <= OFF for ratio in ratios)
            limits = collections.Counter(limit(a) for _, a in rows)
            out.append("| %s | %d | %.2f, %.2f, %.2f | %d | %.2f | %s |" % (
                NAMES.get(topic, topic), len(rows), quantile(ratios, 0.25), quantile(ratios, 0.5), quantile(ratios, 0.75),
                near, max(ratios), ", ".join("%s %d" % item for item in limits.most_common())))
    return out


def reason(topic, variant):
    for where, start, words in REASONS:
        if topic.startswith(where) and variant.startswith(start):
            return words
    return ""


def far_off(pairs):
    """Groups with rows that are off, with their range and the reason."""
    groups = collections.OrderedDict()
    for r, a in pairs:
        groups.setdefault((r["topic"], r["variant"]), []).append((r["median_ns"] / a["ns"], r, a))
    out = ["| topic | variant | off / rows | measured / predicted | at | what the model does not see |",
           "|---|---|---|---|---|---|"]
    for (topic, variant), rows in groups.items():
        off = [row for row in rows if not 1 / OFF <= row[0] <= OFF]
        if off:
            worst = max(off, key=lambda row: abs(math.log(row[0])))
            least, most = min(x for x, _, _ in off), max(x for x, _, _ in off)
            at = "%s%s" % (read_records.size_text(worst[1]["n"]), " × %s" % read_records.size_text(worst[1]["count"])
                           if worst[1]["count"] > 1 else "")
            out.append("| %s | %s | %d / %d | %.2f to %.2f | %s | %s |" % (
                NAMES.get(topic, topic), variant, len(off), len(rows), least, most, at, reason(topic, variant)))
    return out


def pruned(program, chip, records):
    """Shapes of products: what agpu_prune leaves to be measured, and what that costs."""
    groups = collections.OrderedDict()
    for r in records:
        if r["topic"] == "product-shapes" and r["lg_outer"] == 0:
            # Shapes of nearly as many points serve the same products.
            points = r["pieces"] << (r["lg_rows"] + r["lg_columns"])
            groups.setdefault((r["primes"], points), []).append(r)
    groups = {k: v for k, v in groups.items() if len(v) > 1}
    rows = [("%d-%d" % k, r) for k, group in groups.items() for r in group]
    if not rows:
        return []
    answers = predict(program, chip, rows)
    at, kept, losses = 0, 0, []
    for group in groups.values():
        mine = list(zip(group, answers[at:at + len(group)]))
        at += len(group)
        kept += sum(a["kept"] for _, a in mine)
        # Shapes hold different numbers of limbs: what counts is the time of a bit.
        cost = [(r["median_ns"] / r["bits"], a["kept"]) for r, a in mine]
        losses.append(min(c for c, k in cost if k) / min(c for c, _ in cost))
    return ["## Pruning", "",
            "`agpu_prune` with factor %.1f, among the shapes of products that have as many points (`product-shapes`, several"
            % PRUNE,
            "primes and no outer pass; %d groups): %d of %d shapes are left to be measured. The fastest one is among them in %d"
            % (len(groups), kept, len(rows), sum(loss == 1 for loss in losses)),
            "groups; at worst the fastest that is left takes %.2f times as long as the fastest." % max(losses), ""]


def page(program, chip, records, name):
    pairs = compare(program, chip, records)
    out = ["# Times predicted by the AGPU model", "",
           "Written by `bench/report/agpu_report.py`. [docs/agpu.md](../../docs/agpu.md) explains the model; `bench/studies/agpu.c`",
           "counts launches, bytes and steps from the plans. Measured inputs of %s: %.0f GB/s from memory, %.0f GB/s from the cache"
           % (name, chip["bandwidth"], chip["cache"]),
           "(copies of up to %.0f MiB), %.0f ns for a launch in a graph. Nothing is fitted to the rows below." % (
               chip["cache_bytes"] / 2**20, chip["latency"]), "",
           "![measured against predicted](%s-agpu.svg)" % records[0]["chip"], "", *summary(pairs), "",
           "## Off by more than %.1f" % OFF, "", *far_off(pairs), "", *pruned(program, chip, records)]
    return "\n".join(out).rstrip() + "\n", pairs


def plot(pairs, name):
    """Measured time over predicted time, against predicted time, on logarithmic axes."""
    width, height = 820, 520
    logs = [math.log10(a["ns"]) for _, a in pairs]
    ratios = [math.log2(r["median_ns"] / a["ns"]) for r, a in pairs]
    x = Axis(math.floor(min(logs)), math.ceil(max(logs)), 74, width - 130)
    y = Axis(math.floor(min(ratios)), math.ceil(max(ratios)), height - 52, 64)
    out = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img">' % (
        width, height, width, height), "<title>Measured over predicted time</title>", "<style>%s</style>" % STYLE,
        '<rect width="100%" height="100%" fill="#fff"/>',
        text(74, 28, "Measured time over the time that the AGPU model predicts", kind="title"),
        text(74, 48, "%s; a dot is a record; only bandwidths and latency are measured" % name, kind="small")]
    units = {3: "1 µs", 4: "10 µs", 5: "100 µs", 6: "1 ms", 7: "10 ms", 8: "100 ms"}
    for k in range(int(x.lo), int(x.hi) + 1):
        out += [line(x(k), y.start, x(k), y.end, "grid"), text(x(k), y.start + 19, units.get(k, "10^%d ns" % k), "middle", "small")]
    for k in range(int(y.lo), int(y.hi) + 1):
        out += [line(x.start, y(k), x.end, y(k), "grid"), text(66, y(k) + 4, "%g" % 2.0**k, "end", "small")]
    out += [line(x.start, y(0), x.end, y(0), "one")]
    for ratio in (1 / OFF, OFF):
        out.append(line(x.start, y(math.log2(ratio)), x.end, y(math.log2(ratio)), "one"))
    for r, a in pairs:
        out.append('<circle cx="%.1f" cy="%.1f" r="2.4" fill="%s" fill-opacity="0.7"/>' % (
            x(math.log10(a["ns"])), y(math.log2(r["median_ns"] / a["ns"])), COLORS[r["topic"]]))
    for k, topic in enumerate(TOPICS):
        out.append(text(width - 118, 84 + 20 * k, NAMES.get(topic, topic), color=COLORS[topic]))
    out.append(text((74 + width - 130) / 2, height - 12, "predicted time", "middle"))
    return "\n".join(out + ["</svg>", ""])


def main():
    here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--chip", default="h200")
    parser.add_argument("--records", default=os.path.join(here, "records"), metavar="DIR")
    parser.add_argument("--agpu", default=os.path.join(here, "../out/bin/bench/studies/agpu"), metavar="PROGRAM")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    records = read_records.read(read_records.files(options.records, options.chip))
    if not any(r["topic"] == "scan" for r in records):
        read_records.fail("no scans by %s, whose copies measure it" % options.chip)
    chip = chip_of(records)
    name = next(r["cpu"] for r in records if r["topic"] == "scan")
    words, pairs = page(options.agpu, chip, records, name)
    for path, made in ((os.path.join(options.records, "agpu.md"), words),
                       (os.path.join(options.records, options.chip + "-agpu.svg"), plot(pairs, name))):
        if options.check:
            with open(path, encoding="utf-8") as f:
                if f.read() != made:
                    sys.exit("%s is not what the records give: run bench/report/agpu_report.py" % path)
        else:
            with open(path, "w", encoding="utf-8") as f:
                f.write(made)
            print("wrote %s" % path)


if __name__ == "__main__":
    main()
