"""read_records: record files to lists of dicts; shared by report.py, plot.py and compare.py."""

import argparse
import glob
import json
import os
import sys

SCHEMA = 1
REQUIRED = (
    "schema case engine backend variant chip count threads median_ns min_ns "
    "rival rival_median_ns ratio roof_share checked commit dirty compiler"
).split()

# Topics without a rival: only these are asked of their records, one for each size, team and shape.
PLAIN = ("product-steps", "product-shapes", "product-once", "product-host", "product-beyond",
         "product-pinned", "group-product", "group-mpi", "group-share", "group-model", "transfer")
# Of these, those that have no result to check: a part of a product, and what was not measured.
UNCHECKED = ("group-share", "group-model")
# What else tells their records apart.
APART = {
    "product-shapes": "primes pieces lg_outer lg_rows lg_columns".split(),
    "transfer": ["op"],
    "group-mpi": "ranks transport way".split(),
}
PLAIN_REQUIRED = "schema topic chip bits checked commit dirty".split()

# Errors of solvers against solutions in higher precision: one for each matrix, type and solver.
ERRORS = ("tridiagonal-errors",)
ERRORS_REQUIRED = "schema topic chip matrix type n solver error residual commit dirty".split()

# cryptobench: rates of whole schemes, the rivals' among them as rows of their own.
CRYPTO = ("cryptobench",)
CRYPTO_REQUIRED = ("schema topic case bits engine threads latency_ns per_second ratio_gmp chip checked "
                   "commit dirty").split()


def fail(text):
    sys.exit("%s: %s" % (sys.argv[0], text))


def all_files(folder, pattern):
    """Record files of a folder and of the folders in it, in the order of their names."""
    paths = glob.glob(os.path.join(folder, pattern)) + glob.glob(os.path.join(folder, "*", pattern))
    return sorted(paths, key=os.path.basename)


def files(folder, chip="*"):
    """Record files of single operations, of one chip or of all; whole schemes have a page of their own."""
    return [path for path in all_files(folder, chip + "-*.jsonl") if not path.endswith("-cryptobench.jsonl")]


def find(folder, name):
    """The record file of that name, in the folder or in one of its folders; if there is none, where it would be."""
    return next(iter(all_files(folder, name)), os.path.join(folder, name))


def key(record):
    """What makes two records measurements of the same thing."""
    if record["topic"] in ERRORS:
        return tuple(record[name] for name in ("chip", "topic", "matrix", "type", "n", "solver"))
    if record["topic"] in CRYPTO:
        return tuple(record[name] for name in ("chip", "topic", "case", "bits", "engine", "threads"))
    if record["topic"] in PLAIN:
        apart = APART.get(record["topic"], [])
        shape = [record[name] for name in apart]
        return (record["chip"], record["topic"], record["bits"], record.get("threads", 1), record.get("members", 1), *shape)
    forced = (record["engine"], record["variant"]) if record["forced"] else None
    size = (record.get("an", record.get("n")), record.get("bn"), record["count"])
    rival = record["rival"].split()[0]
    return (record["chip"], record["topic"], record["case"], record["op"], size,
            record["threads"], forced, rival)


def keep_least(record, earlier, name, least):
    """record[least]: the least record[name] of a key's records that is not 0. Other programs only make times longer."""
    times = [t for t in (record.get(name), earlier.get(least)) if t]
    if times:
        record[least] = min(times)


def read(paths):
    """The records of the files, of each key the last one; ends the program at a bad one."""
    latest = {}
    for path in paths:
        with open(path, encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                where = "%s:%d" % (path, number)
                try:
                    record = json.loads(line)
                except ValueError as error:
                    fail("%s: not JSON: %s" % (where, error))
                topic = record.get("topic")
                required = next((names for topics, names in (
                    (PLAIN, PLAIN_REQUIRED), (ERRORS, ERRORS_REQUIRED), (CRYPTO, CRYPTO_REQUIRED))
                    if topic in topics), REQUIRED)
                missing = [name for name in required if name not in record]
                if record.get("schema") != SCHEMA or missing:
                    fail("%s: not a record of schema %d; missing: %s"
                         % (where, SCHEMA, " ".join(missing)))
                if topic not in ERRORS + UNCHECKED and record["checked"] is not True:
                    fail("%s: an unchecked result cannot be published" % where)
                earlier = latest.pop(key(record), {})
                keep_least(record, earlier, "gmp_ns", "gmp_least_ns")
                latest[key(record)] = record
    return list(latest.values())


def replace_part(path, begin, end, lines):
    """The lines take the place of what stands between two markers of a file."""
    with open(path, encoding="utf-8") as f:
        text = f.read()
    if text.count(begin) != 1 or text.count(end) != 1 or text.index(begin) > text.index(end):
        fail("%s must have the lines %s and %s, once each" % (path, begin, end))
    before, rest = text.split(begin)
    with open(path, "w", encoding="utf-8") as f:
        f.write("%s%s\n%s\n%s%s" % (before, begin, "\n".join(lines), end, rest.split(end)[1]))


def table_main(doc, topic, table, begin, end):
    """The program of a table of records/<chip>-<topic>.jsonl, between two markers of a page."""
    here = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "records")
    parser = argparse.ArgumentParser(description=doc.splitlines()[0])
    parser.add_argument("--chip", help="which chip's records (default: the last one's)")
    parser.add_argument("--records", default=here, metavar="DIR")
    parser.add_argument("--write", metavar="FILE")
    options = parser.parse_args()
    pattern = "%s-%s.jsonl" % (options.chip or "*", topic)
    paths = all_files(options.records, pattern)[-1:]
    if not paths:
        fail("no records %s in %s" % (pattern, options.records))
    records = read(paths)
    if options.write and any(r["dirty"] for r in records):
        fail("a record of a tree with changes cannot be published")
    if options.write:
        replace_part(options.write, begin, end, table(records))
    else:
        print("\n".join(table(records)))


def plot_main(doc, topic, size, draw):
    """The program of a plot of records/<chip>-<topic>.jsonl; size: a record's length, of which two are needed."""
    here = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "records")
    parser = argparse.ArgumentParser(description=doc.splitlines()[0])
    parser.add_argument("--chip", default="h200")
    parser.add_argument("--records", default=here, metavar="DIR")
    parser.add_argument("-o", metavar="FILE.svg")
    options = parser.parse_args()
    source = find(options.records, "%s-%s.jsonl" % (options.chip, topic))
    records = [r for r in read([source]) if r["topic"] == topic]
    if len({r[size] for r in records}) < 2:
        fail("fewer than two lengths in %s" % source)
    path = options.o or os.path.join(options.records, "%s-%s.svg" % (options.chip, topic))
    with open(path, "w", encoding="utf-8") as f:
        f.write(draw(records))
    print("wrote %s" % path)


def size_text(n):
    """2^20, 1.5·2^20, 10^6 or the number, as bench prints it."""
    for base in (2, 10):
        power, rest = 0, n
        while rest > 1 and rest % base == 0:
            power, rest = power + 1, rest // base
        if rest == 1 and power > 0:
            return "%d^%d" % (base, power)
    whole = n.bit_length() - 1
    if whole > 2 and (n << 2) % (1 << whole) == 0:
        return "%g·2^%d" % (n / (1 << whole), whole)
    return str(n)


def time_text(ns):
    """Three significant digits and a unit."""
    for unit in ("ns", "µs", "ms"):
        if ns < 999.5:
            break
        ns /= 1000
    else:
        unit = "s"
    return "%.*f %s" % (0 if ns >= 99.95 else 1 if ns >= 9.995 else 2, ns, unit)
