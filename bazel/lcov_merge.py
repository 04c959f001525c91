#!/usr/bin/env python3
"""Merges gcov JSON and lcov records into one lcov file: Bazel's coverage generator, offline.

Bazel calls it with --coverage_dir, --reports_file, --filter_sources and --output_file.
"""
import glob
import gzip
import json
import os
import re
import sys
from collections import defaultdict

options = defaultdict(list)
for argument in sys.argv[1:]:
    key, _, value = argument.lstrip("-").partition("=")
    options[key].append(value)

lines = defaultdict(lambda: defaultdict(int))  # file -> line -> count
functions = defaultdict(lambda: defaultdict(int))  # file -> function -> count
starts = defaultdict(dict)  # file -> function -> first line
excluded = [re.compile(pattern) for pattern in options["filter_sources"]]


def wanted(name):
    outside = name.startswith("/usr/") or "external/" in name
    return not outside and not any(pattern.fullmatch(name) for pattern in excluded)


def add_gcov(path):
    with gzip.open(path, "rt") as stream:
        records = json.load(stream)["files"]
    for record in records:
        name = record["file"].replace("/proc/self/cwd/", "")
        if not wanted(name):
            continue
        for line in record["lines"]:
            lines[name][line["line_number"]] += line["count"]
        for function in record["functions"]:
            functions[name][function["name"]] += function["execution_count"]
            starts[name][function["name"]] = function["start_line"]


def add_lcov(path):
    name = None
    with open(path) as stream:
        for record in stream:
            key, _, value = record.strip().partition(":")
            if key == "SF":
                name = value if wanted(value) else None
            elif name and key == "DA":
                line, count = value.split(",")[:2]
                lines[name][int(line)] += int(count)
            elif name and key == "FN":
                line, function = value.split(",", 1)
                starts[name][function] = int(line)
            elif name and key == "FNDA":
                count, function = value.split(",", 1)
                functions[name][function] += int(count)


for folder in options["coverage_dir"]:
    for path in glob.glob(folder + "/**/*.gcov.json.gz", recursive=True):
        add_gcov(path)
    for path in glob.glob(folder + "/**/*.dat", recursive=True):
        add_lcov(path)
for listing in options["reports_file"]:
    with open(listing) as stream:
        for path in stream.read().split():
            if path.endswith(".dat") and "baseline" not in path and os.path.exists(path):
                add_lcov(path)

with open(options["output_file"][0], "w") as out:
    for name in sorted(lines):
        out.write("SF:%s\n" % name)
        for function, count in sorted(functions[name].items()):
            out.write("FN:%d,%s\n" % (starts[name].get(function, 0), function))
            out.write("FNDA:%d,%s\n" % (count, function))
        hit = sum(1 for count in functions[name].values() if count)
        out.write("FNF:%d\nFNH:%d\n" % (len(functions[name]), hit))
        for line, count in sorted(lines[name].items()):
            out.write("DA:%d,%d\n" % (line, count))
        hit = sum(1 for count in lines[name].values() if count)
        out.write("LH:%d\nLF:%d\nend_of_record\n" % (hit, len(lines[name])))
