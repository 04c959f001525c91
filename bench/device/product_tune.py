#!/usr/bin/env python3
"""product_tune.py: records of products by forced engines and clusters to the table that plans of
products on a device read.

usage: product_tune.py [--table FILE] [--check] RECORDS.jsonl ...

RECORDS are what `product_bench --engine ... --cluster ...` wrote; products decide, squares do not. With
--check nothing is written, and the exit status is 1 where the table is not what would be.
"""

import tune_table

NEAR = 1.02  # so much slower is as fast: fewer rows
ANY = "UINT64_MAX"
HEAD = """// ways.h: the fastest ways of products on a device, by size, as measured. Data only;
// includes context.h. Written by ./dev tune --products from records of product_bench --engine
// --cluster.
%s
#ifndef BIGINT_DEVICE_WAYS_H_
#define BIGINT_DEVICE_WAYS_H_

#include "bigint/core/context.h"

#define DEVICE_WAYS_OF "%s"

// device_engine: the engine of products whose longer factor has at most `limbs` limbs.
typedef struct {
    uint64_t limbs;
    engine_kind engine;
} device_engine;
static const device_engine device_engines[] = {
%s};

// device_cluster: for modular products whose factors have at most `limbs` limbs on average, the
// blocks of the cluster that computes them in one launch; 0: several launches.
typedef struct {
    uint64_t limbs;
    unsigned blocks;
} device_cluster;
static const device_cluster device_clusters[] = {
%s};

#endif  // BIGINT_DEVICE_WAYS_H_
"""


def engine_of(record):
    """As bigint_explain prints it: backend, engine, lengths and so on."""
    return record["plan"].split(",")[0].split()[1]


def blocks_of(record):
    """Of a plan in one launch, three for each piece; 0 of several launches."""
    one = "one launch" in record["plan"]
    return 3 * int(record["plan"].split(" pieces")[0].split()[-1]) if one else 0


def measured(records, choice):
    """{limbs: {choice: nanoseconds}}, the least where one was measured more than once."""
    found = {}
    for r in records:
        times = found.setdefault(r["n"], {})
        times[choice(r)] = min(r["median_ns"], times.get(choice(r), r["median_ns"]))
    return found


def rows_of(found):
    """[(limbs, choice)]: at each size the fastest; the choice of the size above where that is as
    fast. The last row is for all sizes from there on."""
    rows = []
    for n in sorted(found, reverse=True):
        times = found[n]
        best = min(times, key=times.get)
        if rows and times.get(rows[0][1], 2 * NEAR * times[best]) <= NEAR * times[best]:
            best = rows[0][1]
        if not rows or rows[0][1] != best:
            rows.insert(0, (n if rows else ANY, best))
    return rows


def table(records):
    products = [r for r in records if r["topic"] == "product-engines" and r["op"] == "mul"
                and r["variant"] != "checked"]
    modular = [r for r in products if engine_of(r) == "modular-fft"]
    # By its name an engine stands for the best of its plans.
    engines = rows_of(measured([r for r in products if r["forced"]], engine_of))
    clusters = rows_of(measured(modular, blocks_of))
    chips = sorted({r["cpu"] for r in products})
    name = lambda e: "ENGINE_" + e.upper().replace("-", "_")
    return HEAD % (tune_table.about(products), ", ".join(chips),
                   "".join("    {%s, %s},\n" % (n, name(e)) for n, e in engines),
                   "".join("    {%s, %u},\n" % row for row in clusters))


if __name__ == "__main__":
    tune_table.run(__doc__, "bigint/device/ways.h", table)
