"""device_tables.py: sections of device_report.py's page: the papers' multiplication, and transforms in
other layouts than one after the other.
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
    """MData/s of both forms beside cuFFT's, of one precision."""
    of = lambda form: {r["n"]: r for r in rows if r["op"] == "%s-f%d%s" % (form, bits, suffix)}
    forms = [(name, of(form)) for name, form in (("Complex-ID", "complex"), ("Real-ID", "real"))]
    head, lines = ["digits"], []
    for name, _ in forms:
        head += [name, "by cuFFT", "ratio"]
    for n in sorted(set().union(*(found for _, found in forms))):
        line = [size_text(n)]
        for _, found in forms:
            r = found.get(n)
            line += ["%.0f" % r["mdata_s"], "%.0f" % r["rival_mdata_s"], "**%.2f**" % r["ratio"]] if r else [
                "–"] * 3
        lines.append(line)
    means = ["geometric mean"]
    for _, found in forms:
        means += ["", "", "**%.2f**" % mean_ratio(found.values()) if found else "–"]
    return table(head, lines + [means])


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
            "digits, 2 N a product, a second. Nothing is split, scaled, rounded or carried on either side."]
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


def strided_sections(records):
    rows = [r for r in records if r["topic"] == "fft-strided"]
    if not rows:
        return []
    text = ["", "## Transforms in other layouts", "",
            "Interleaved: elements of all transforms side by side. Apart: elements between transforms. Against",
            "cuFFT's plans of the same layouts; results compared with its, elements between included.", ""]
    lines = []
    for r in sorted(rows, key=lambda r: (r["op"].split("-", 1)[1], r["op"], r["n"])):
        kind, layout = r["op"].split("-", 1)
        lines.append([layout, kind, "%s × %s" % (size_text(r["n"]), size_text(r["count"])),
                      time_text(r["median_ns"]), time_text(r["rival_median_ns"]), "**%.2f**" % r["ratio"],
                      "%.2f" % r["roof_share"], str(r["passes"])])
    return text + table(["layout", "kind", "length", "time", "cuFFT", "cuFFT / longmul", "of copy", "passes"],
                        lines)
