"""device_tables.py: sections of device_report.py's page: the papers' multiplication, what their
transforms owe to each of their steps, transforms in other layouts than one after the other, round-off
of products, what stands around a product.
"""

import math

from read_records import size_text, time_text

# The papers' relative errors of products by Real-ID, 2^12 to 2^23 digits [Dieguez18, table 7.2].
PAPERS = {
    32: (1.54e-7, 2.15e-7, 1.72e-7, 1.84e-7, 2.40e-7, 3.26e-7, 3.21e-7, 2.95e-7, 3.54e-7, 3.45e-7, 3.46e-7,
         3.26e-7),
    64: (1.72e-16, 2.00e-16, 2.69e-16, 1.96e-16, 3.60e-16, 2.18e-16, 2.24e-16, 3.06e-16, 2.50e-16, 3.57e-16,
         3.90e-16, 4.17e-16),
}


def mean_ratio(rows):
    return math.exp(sum(math.log(r["ratio"]) for r in rows) / len(rows))


def table(head, rows):
    return ["| " + " | ".join(head) + " |", "|---|" + "---:|" * (len(head) - 1)] + [
        "| " + " | ".join(row) + " |" for row in rows]


def decimal_rates(rows, bits, suffix):
    """MData/s of both forms beside cuFFT's, of one precision, and of tiled products."""
    of = lambda form: {r["n"]: r for r in rows if r["op"] == "%s-f%d%s" % (form, bits, suffix)}
    forms = [(name, of(form)) for name, form in (("Complex-ID", "complex"), ("Real-ID", "real"))]
    head, lines = ["digits"], []
    for name, _ in forms:
        head += [name, "by cuFFT", "ratio"]
    tiled = {r["n"]: r for r in rows if r["op"] == "tiled" + suffix}
    head += ["Tiled", "digits of a tile"]
    for n in sorted(set().union(*(found for _, found in forms))):
        line = [size_text(n)]
        for _, found in forms:
            r = found.get(n)
            line += ["%.0f" % r["mdata_s"], "%.0f" % r["rival_mdata_s"], "**%.2f**" % r["ratio"]] if r else [
                "–"] * 3
        best = n in tiled and all(tiled[n]["mdata_s"] > found[n][side] for _, found in forms if n in found
                                  for side in ("mdata_s", "rival_mdata_s"))
        line += [("**%.0f**" if best else "%.0f") % tiled[n]["mdata_s"], "%d" % tiled[n]["tile"]] if n in tiled else [
            "–"] * 2
        lines.append(line)
    means = ["geometric mean"]
    for _, found in forms:
        means += ["", "", "**%.2f**" % mean_ratio(found.values()) if found else "–"]
    return table(head, lines + [means + ["", ""]])


def decimal_errors(rows, bits):
    """The papers' metric, of single products, beside the papers' numbers."""
    found = {(r["op"], r["n"]): r for r in rows}
    wrong = lambda count, n: " (%.2g %% wrong)" % (50 * count / n) if count else ""
    lines = []
    for i, paper in enumerate(PAPERS[bits]):
        n = 2**(12 + i)
        line = [size_text(n), "%.2e" % paper]
        for form in ("real", "complex"):
            r = found.get(("%s-f%d" % (form, bits), n))
            line += ["%.2e%s" % (r["error"], wrong(r["wrong"], n)),
                     "%.2e%s" % (r["rival_error"], wrong(r["rival_wrong"], n))] if r else ["–", "–"]
        lines.append(line)
    return table(["digits", "papers", "Real-ID", "by cuFFT", "Complex-ID", "by cuFFT"], lines)


def decimal_sections(records):
    rows = [r for r in records if r["topic"] == "decimal"]
    if not rows:
        return []
    text = ["", "## The papers' multiplication: decimal digits, one an item", "",
            "Two transforms of 2 N points, a pointwise product, a transform back; MData/s: millions of result",
            "digits, 2 N a product, a second. Nothing is split, scaled, rounded or carried on either side.",
            "Tiled: the same coefficients by schoolbook products of tiles of bytes on tensor cores, up to 2^39",
            "products of digits in all, with the fastest tile; bold where it is the fastest of all."]
    for bits in (32, 64):
        for suffix, words in (("", "one product"), ("-batch", "batches of 2^23 / N products")):
            if any(r["op"].endswith("f%d%s" % (bits, suffix)) for r in rows):
                text += ["", "FP%d, %s:" % (bits, words), ""] + decimal_rates(rows, bits, suffix)
    text += ["", "Errors in the papers' metric: the 2-norm of the distance to the exact coefficients before they are",
             "rounded, relative to theirs; in brackets the share of coefficients that rounding gives wrongly:",
             "FP32 does not hold every integer above 2^24, and is proved at none of these sizes."]
    for bits in (32, 64):
        text += ["", "FP%d:" % bits, ""] + decimal_errors(rows, bits)
    return text


# Columns of products from text to text: op and variant of the records, and their heads.
TEXT_PAPERS = (("complex-f32", "two-phase", "Complex-ID FP32"), ("real-f32", "two-phase", "Real-ID FP32"),
               ("complex-f64", "two-phase", "Complex-ID FP64"), ("real-f64", "two-phase", "Real-ID FP64"),
               ("tiled-atomics", "two-phase", "Tiling-based"), ("schoolbook", "host", "schoolbook, one core"))
TEXT_OURS = (("real-f64", "scan", "real, base 10"), ("real-f64", "largest-base", "real, largest base"),
             ("complex-f64", "largest-base", "complex, largest base"), ("tiled", "two-phase", "tiled, two phases"),
             ("tiled", "largest-base", "tiled, largest base"))


def text_cell(r):
    """Rate, ratio to the rival, the carry's share, wrong digits."""
    if r is None:
        return "–"
    base = " in 10^%d" % r["k"] if r["variant"] == "largest-base" else ""
    carry = ", %.0f %%" % (100 * r["carry_share"]) if "carry_share" in r else ""
    wrong = ", %.2g %% wrong" % (50 * r["wrong_digits"] / (r["n"] * r["count"])) if r["wrong_digits"] else ""
    return "%.3g%s (**%.2f**%s%s)" % (r["mdata_s"], base, r["ratio"], carry, wrong)


def decimal_text_sections(records):
    rows = [r for r in records if r["topic"] == "decimal-text"]
    if not rows:
        return []
    text = ["", "## The papers' multiplication, from text to text", "",
            "Splits, transforms or tiles, carries and text; MData/s: millions of result digits, 2 N a product, a second.",
            "In brackets: the ratio to the same pipeline by cuFFT, with the same carries (of tiles and of the schoolbook:",
            "to Real-CuFFT in FP64), the share of carries and text in the time, and the share of digits that are wrong."]
    for suffix, words in (("", "One product"), ("-batch", "Batches of 2^23 / N products")):
        found = {(r["op"], r["variant"], r["n"]): r for r in rows if r["op"].endswith("-batch") == (suffix != "")}
        for columns, whose in ((TEXT_PAPERS, "the papers' pipelines in base 10"), (TEXT_OURS, "the library's")):
            lines = [[size_text(n)] + [text_cell(found.get((op + suffix, variant, n))) for op, variant, _ in columns]
                     for n in sorted({n for _, _, n in found})]
            if lines:
                text += ["", "%s, %s:" % (words, whose), ""]
                text += table(["digits"] + [head for _, _, head in columns], lines)
    return text


# Forms of [Dieguez18]'s comparison, in the order in which each takes a step more than the one before.
STEPS = (("naive-digit-reversal", "digit reversal, radix 2"), ("naive-stockham", "Stockham, radix 2"),
         ("naive-stockham-16", "radix 16 in registers"), ("ms-id-fft-v2", "V2"), ("ms-id-fft-v1", "V1"),
         ("tuned", "longmul"))


def ablation_sections(records):
    """What each step of the papers buys: rates of all forms, and launches in brackets."""
    rows = [r for r in records if r["topic"] == "fft-ablations"]
    if not rows:
        return []
    text = ["", "## What each step of the papers buys", "",
            "GFLOPS (5 n log2 n) in batches of 2^24 points in all, launches in brackets. The columns: one launch for each",
            "level of radix 2, in place, after digit reversal; the same, self-sorting (Stockham); nodes of radix 16 in",
            "registers, one launch a node; exchanges in shared memory, MS-ID-FFT's V2 with radix 8 and V1 with radix 16,",
            "by the library's kernels; the library's choice. Step: geometric mean of the ratios to the column before."]
    for kind, title in (("c2c", "FP32"), ("z2z", "FP64")):
        found = {(r["variant"], r["n"]): r for r in rows if r["op"].split("-")[0] == kind}
        lines = []
        for n in sorted({n for _, n in found}):
            of = [found.get((name, n)) for name, _ in STEPS]
            rival = next(r for r in reversed(of) if r)
            lines.append([size_text(n)] + ["%.0f (%d)" % (r["gflops"], r["passes"]) if r else "–" for r in of]
                         + ["%.0f" % (rival["gflops"] / rival["ratio"])])
        step = ["step", ""]
        for (before, _), (name, _) in zip(STEPS, STEPS[1:]):
            ratios = [r["gflops"] / found[before, n]["gflops"] for (v, n), r in found.items()
                      if v == name and (before, n) in found]
            step.append("**%.2f**" % math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else "–")
        if lines:
            text += ["", title + ":", ""] + table(["length"] + [words for _, words in STEPS] + ["cuFFT"],
                                                  lines + [step + [""]])
    return text


def roundoff_lines(records):
    """How far coefficients of products in floating point were from integers, beside what is proved."""
    found = {(r["engine"], r["bits"]): r for r in records if "roundoff" in r and r["case"] == "mul"}
    engines = list(dict.fromkeys(engine for engine, _ in found))
    if not found:
        return []
    cell = lambda r: "%.1e (%.3f)" % (r["roundoff"], r["roundoff_bound"]) if r else "–"
    return ["", "Largest distance of a coefficient from its integer, recorded by the rounding kernel, random operands;",
            "in brackets the proved bound:", ""] + table(["bits"] + engines, [
                [size_text(bits)] + [cell(found.get((engine, bits))) for engine in engines]
                for bits in sorted({bits for _, bits in found})])


def strided_sections(records):
    rows = [r for r in records if r["topic"] == "fft-strided"]
    if not rows:
        return []
    text = ["", "## Transforms in other layouts", "",
            "Interleaved: elements of all transforms side by side. Apart: elements between transforms. Against",
            "cuFFT's plans of the same layouts; results are compared with its results, elements between included.", ""]
    lines = []
    for r in sorted(rows, key=lambda r: (r["op"].split("-", 1)[1], r["op"], r["n"])):
        kind, layout = r["op"].split("-", 1)
        lines.append([layout, kind, "%s × %s" % (size_text(r["n"]), size_text(r["count"])),
                      time_text(r["median_ns"]), time_text(r["rival_median_ns"]), "**%.2f**" % r["ratio"],
                      "%.2f" % r["roof_share"], str(r["passes"])])
    return text + table(["layout", "kind", "length", "time", "cuFFT", "cuFFT / longmul", "of copy", "passes"],
                        lines)


def around_sections(records):
    """Calls beside products against the plain products that do the same."""
    rows = [r for r in records if r["topic"] == "product-around"]
    of = lambda case: sorted((r for r in rows if r["case"] == case),
                             key=lambda r: (r["bits"], r["count"], -r["bn"], -r["cap_bytes"]))
    times = lambda r: [time_text(r["median_ns"]), time_text(r["rival_median_ns"]), "**%.2f**" % (1 / r["ratio"])]
    bits = lambda r: size_text(r["bits"])
    mib = lambda n: "%.3g MiB" % (n / 2**20)
    text = ["", "Other calls around products, alternating with bigint_mul; every result equals GMP's. Shares are our time",
            "over the time of the plain products."] if rows else []
    for case, words, head, line in (
            ("prepared", "A prepared operand times others of its length; one by one: without a graph around several calls:",
             ["bits", "prepared", "product", "share", "share, one by one"],
             lambda r: [bits(r)] + times(r) + ["%.2f" % (r["stream_ns"] / r["rival_stream_ns"])]),
            ("sum", "A sum of products in the transform domain against products and sums:",
             ["bits", "terms", "sum", "products and sums", "share"],
             lambda r: [bits(r), str(r["count"])] + times(r)),
            ("unbalanced", "A product of two lengths against a product of two numbers of the longer length:",
             ["bits", "by bits", "product", "of two long ones", "share"],
             lambda r: [bits(r), size_text(r["bn"])] + times(r)),
            ("alike", "Batches of long products in one call, against one enqueued call for each:",
             ["bits", "products", "one call", "many calls", "share"],
             lambda r: [bits(r), str(r["count"])] + times(r)),
            ("ragged", "The same with lengths from a 64th to all of these bits:",
             ["bits at most", "products", "one call", "many calls", "share"],
             lambda r: [bits(r), str(r["count"])] + times(r)),
            ("capped", "Products whose workspace is capped at a part (op of the records) of what the best plan takes:",
             ["bits", "part", "capped", "without a cap", "share", "workspace", "without a cap"],
             lambda r: [bits(r), r["op"]] + times(r) + [mib(r["workspace_bytes"]), mib(r["rival_workspace_bytes"])])):
        found = of(case)
        if found:
            text += ["", words, ""] + table(head, [line(r) for r in found])
    return text
