"""device_primitives.py: sections of device_report.py's page: batches of products, powers, sorts and
tridiagonal systems.
"""

from device_tables import table
from read_records import size_text, time_text


def batch_sections(records):
    rows = {}
    for r in records:
        if r["topic"] == "batch" and not r["forced"]:
            rows.setdefault(r["bits"], {})[r["op"]] = r
    if not rows:
        return []
    rate = lambda row, op: "%.4g M/s" % (row[op]["products_per_s"] / 1e6) if op in row else "–"
    text = ["", "## Batches of products (operands and results in device memory, one call)", "",
            "Roof: share of a copy's rate, operands read and results written once. Common: one factor for all.", ""]
    text += table(["bits", "products", "roof", "common factor", "squares"], [
        [size_text(bits), rate(row, "mul"), "%.2f" % row["mul"]["roof_share"], rate(row, "common"), rate(row, "sqr")]
        for bits, row in sorted(rows.items())])
    beside = [(bits, row) for bits, row in sorted(rows.items()) if row["mul"]["rival"] != "copy"]
    if beside:
        text += ["", "Alternating with %s in one process, longmul's rate over its rate:" % beside[0][1]["mul"]["rival"], ""]
        text += table(["bits", "its products", "products", "common factor", "squares"], [
            [size_text(bits), "%.4g M/s" % (row["mul"]["products_per_s"] / row["mul"]["ratio"] / 1e6)]
            + ["**%.2f**" % row[op]["ratio"] for op in ("mul", "common", "sqr")] for bits, row in beside])
    return text


def powm_sections(records):
    text = []
    for op, items, of, rival in (
            ("batch", "powers", "base, exponent and odd modulus of full width", "`mpz_powm`"),
            ("mulmod", "products", "a modulus for each", "`mpz_mul`, `mpz_mod`"),
            ("invmod", "inverses", "a modulus for each", "`mpz_invert`"),
            ("remainder", "remainders", "of dividends twice as long", "`mpz_tdiv_r`")):
        rows = [r for r in records if r["topic"] == "powm" and r["backend"] == "cuda" and r["op"] == op]
        if rows:
            text += ["", "## Modular %s (%s)" % (items, of), "", "GMP: %s on one core of the device's host." % rival, ""]
            others = sorted({r["rival"] for r in rows} - {"copy"})
            text += table(["bits", items + " in a call", "a second", "GMP, a second", "cores of GMP"]
                          + ["longmul / " + name for name in others], [
                [str(r["bits"]), str(r["count"]), "%.4g" % r["per_second"], "%.4g" % (1e9 / r["gmp_core_ns"]),
                 "%.2g" % (r["per_second"] * r["gmp_core_ns"] / 1e9)]
                + ["**%.2f**" % r["ratio"] if r["rival"] == name else "" for name in others]
                for r in sorted(rows, key=lambda r: (r["bits"], r["count"]))])
    return text


# The papers' rates, in millions of elements a second, by the logarithm of a row's or system's length:
# [Dieguez18] and the theses before it, on a K20 and a GTX 980.
SORT_PAPERS = {6: (10614, 15521), 7: (7492, 10457), 8: (4496, 7218), 9: (3817, 5333), 10: (2897, 4234),
               11: (2144, 3314), 12: (1549, 2534)}
SMALL_PAPERS = {6: 8152, 7: 8033, 8: 4326, 9: 3554, 10: 1839}
LARGE_PAPERS = {12: (691, 1202), 13: (826, 1131), 14: (888, 1349), 15: (793, 1509), 16: (769, 1554),
                17: (664, 1623), 18: (687, 1556), 19: (620, 1250)}


def sort_sections(records):
    rows = [r for r in records if r["topic"] == "sort"]
    if not rows:
        return []
    papers = [r for r in rows if r["variant"] == "comb" and r["op"] == "u32-rows" and r["n"] * r["count"] == 1 << 24]
    text = ["", "## Sorts", "", "Rival: CUB's radix sort, its merge sort beside multiway-merge, its segmented sort for",
            "rows and segments. Predicted: the cost statement's traffic at a copy's rate and 2 µs a launch; share: of the",
            "measured time.", ""]
    predicted = lambda r: r["predicted_io_ns"] + 2e3 * r["launches"]
    text += table(["elements", "variant", "length", "rows", "time", "G keys/s", "CUB", "CUB / longmul", "predicted", "share"], [
        [r["op"], r["variant"], size_text(r["n"]), str(r["count"]), time_text(r["median_ns"]),
         "%.1f" % (r["mkeys_s"] / 1e3), time_text(r["rival_median_ns"]), "**%.2f**" % r["ratio"],
         time_text(predicted(r)), "%.2f" % (predicted(r) / r["median_ns"])]
        for r in rows if r not in papers])
    text += ["", "The papers' table, rows of 2^24 keys in all, MData/s:", ""]
    return text + table(["length", "comb", "CUB, segmented", "papers: K20", "GTX 980"], [
        [size_text(r["n"]), "%.0f" % r["mkeys_s"], "%.0f" % (r["mkeys_s"] / r["ratio"])]
        + ["%d" % rate for rate in SORT_PAPERS[r["n"].bit_length() - 1]] for r in papers])


def tridiagonal_rows(rows):
    return table(["layout", "rows", "systems", "variant", "time", "G rows/s", "rival", "its time", "ratio", "roof",
                  "predicted", "share"], [
        [r["op"].split("-x")[0], size_text(r["n"]), str(r["count"]), r["variant"], time_text(r["median_ns"]),
         "%.1f" % (r["rows_per_us"] / 1e3), r["rival"], time_text(r["rival_median_ns"]), "**%.2f**" % r["ratio"],
         "%.2f" % r["roof_share"], time_text(r["predicted_ns"]), "%.2f" % (r["predicted_ns"] / r["median_ns"])]
        for r in rows if r["rival"] != "copy"])


def error_text(error):
    return "–" if error is None else "%.1e" % error


SOLVERS = ("partition-pivot", "gtsv2", "partition-pivot-plain", "gtsvInterleavedBatch", "thomas", "cyclic-reduction",
           "parallel-cyclic-reduction", "wang-mou", "tree-partitioning", "tree-partitioning-stable",
           "redundant-kogge-stone", "redundant-ladner-fischer", "gtsv2_nopivot", "gtsv2StridedBatch",
           "ms-id-ts-2", "ms-id-ts-4", "ms-id-ts-8", "bplg-cr-ts-gm", "bplg-cr-ts-sh", "bplg-pcr-ts", "bplg-pcr-ts-naive",
           "bplg-lf-ts", "naive-cyclic-reduction", "naive-parallel-cyclic-reduction", "naive-redundant-reduction")
ONES = "laplace-ones"  # -1 2 -1 with unknowns that are 1


def errors_by(records, kind, field, matrices):
    """The records of a type whose matrix is among these, by a field and the solver; and the solvers that occur."""
    rows = {}
    for r in records:
        if r["topic"] == "tridiagonal-errors" and r["type"] == kind and matrices(r["matrix"]):
            rows.setdefault(r[field], {})[r["solver"]] = r
    return rows, [s for s in SOLVERS if any(s in row for row in rows.values())]


def error_cells(row, solvers):
    return [error_text(row[s]["error"]) if s in row else "" for s in solvers]


def tridiagonal_errors(records, kind):
    rows, solvers = errors_by(records, kind, "matrix", lambda matrix: matrix != ONES)
    no_worse = lambda row: " / ".join("%d" % row[s]["no_worse_than_gtsv2"] if s in row else "–"
                                      for s in ("partition-pivot", "partition-pivot-plain"))
    return table(["matrix", "no worse than gtsv2"] + solvers,
                 [[matrix, no_worse(row)] + error_cells(row, solvers) for matrix, row in rows.items()])


# Table 5.9 of [DieguezThesis18], FP32: TPR-stable, TPR-fastest, Thomas.
ONES_PAPER = {7: "5.7e-7, 1.4e-6, 2.1e-6", 8: "0, 2.2e-6, 5.7e-6", 9: "8.4e-7, 2.4e-5, 4.4e-5", 10: "0, 3.9e-7, 2.3e-4",
              11: "2.0e-7, 1.7e-7, 9.3e-4", 12: "9.9e-7, 6.7e-6, 1.1e-2", 13: "4.0e-7, 2.5e-5, 3.1e-1",
              14: "2.0e-6, 8.8e-5, 1.2", 15: "7.4e-6, 2.5e-4, 2.3", 16: "3.0e-5, 5.9e-4, 3.7", 17: "1.2e-4, 3.2e-2, 5.4",
              18: "4.8e-4, 3.2e-3, 7.9", 19: "1.9e-3, 5.5e-1, 11"}


def tridiagonal_ones(records, kind):
    rows, solvers = errors_by(records, kind, "n", lambda matrix: matrix == ONES)
    paper = lambda n: ONES_PAPER.get(n.bit_length() - 1, "") if kind == "f32" else ""
    return table(["rows"] + solvers + ["paper: TPR-stable, TPR-fastest, Thomas"],
                 [[size_text(n)] + error_cells(row, solvers) + [paper(n)] for n, row in sorted(rows.items())])


def tridiagonal_papers(rows):
    """The papers' tables: a row for each size and number of systems, a column for each algorithm."""
    found = {}
    for r in rows:
        if r["case"] in ("papers", "naive"):
            shape = (r["op"].split("-")[1], r["n"], r["count"])
            found.setdefault(shape, {"gtsv2StridedBatch": r["rows_per_us"] / r["ratio"]} if r["case"] == "papers" else {})
            found[shape][r["variant"]] = r["rows_per_us"]
    names = []
    for row in found.values():
        names += [name for name in row if name not in names]
    def papers(kind, n, count):
        log = n.bit_length() - 1
        small = kind == "f32" and n * count == 1 << 24 and log in SMALL_PAPERS
        large = kind == "f32" and count == 1 and log in LARGE_PAPERS
        return "%d (LF-TS, K20)" % SMALL_PAPERS[log] if small else \
            "%d, %d (MS-ID-TS, K20, GTX 980)" % LARGE_PAPERS[log] if large else ""
    return table(["type", "rows", "systems"] + names + ["papers"], [
        [kind, size_text(n), str(count)] + ["%.0f" % row[v] if v in row else "" for v in names] + [papers(kind, n, count)]
        for (kind, n, count), row in sorted(found.items())])


def tridiagonal_sections(records):
    rows = [r for r in records if r["topic"] == "tridiagonal"]
    if not rows:
        return []
    text = ["", "## Tridiagonal systems", "", "Rivals: cuSPARSE. Roof: share of a copy's rate, four arrays read and one written.",
            "Predicted: the cost statement's words at a copy's rate and 2 µs a launch; share: of the measured time."]
    for case, words in (("single", "One system:"), ("batched", "Batches, one system after the other:"),
                        ("interleaved", "Batches, interleaved:")):
        own = [r for r in rows if r["case"] == case]
        text += ["", words, ""] + tridiagonal_rows(own) if own else []
    text += ["", "The papers' tables and their naive forms, MRows/s:", ""] + tridiagonal_papers(rows)
    text += ["", "Relative errors in the 2-norm, 512 rows, geometric means over 16 draws of each matrix; –: not finite.",
             "No worse: draws of which partition-pivot's / partition-pivot-plain's error is at most gtsv2's."]
    for kind in ("f32", "f64"):
        text += ["", kind.upper() + ":", ""] + tridiagonal_errors(records, kind)
    if any(r["topic"] == "tridiagonal-errors" and r["matrix"] == ONES for r in records):
        text += ["", "Relative errors in the 2-norm of -1 2 -1 with unknowns that are 1, table 5.9 of the thesis; –: not finite."]
        for kind in ("f32", "f64"):
            text += ["", kind.upper() + ":", ""] + tridiagonal_ones(records, kind)
    return text
