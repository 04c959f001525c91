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
    rate = lambda r: "%.4g M/s" % (r["products_per_s"] / 1e6)
    text = ["", "## Batches of products (operands and results in device memory, one call)", "",
            "Roof: share of a copy's rate, operands read and results written once. Common: one factor for all.", ""]
    return text + table(["bits", "products", "roof", "common factor", "squares"], [
        [size_text(bits), rate(row["mul"]), "%.2f" % row["mul"]["roof_share"], rate(row["common"]), rate(row["sqr"])]
        for bits, row in sorted(rows.items())])


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
            text += table(["bits", items + " in a call", "a second", "GMP, a second", "cores of GMP"], [
                [str(r["bits"]), str(r["count"]), "%.4g" % r["per_second"], "%.4g" % (1e9 / r["gmp_core_ns"]),
                 "%.2g" % (r["per_second"] * r["gmp_core_ns"] / 1e9)]
                for r in sorted(rows, key=lambda r: (r["bits"], r["count"]))])
    return text


def sort_sections(records):
    rows = [r for r in records if r["topic"] == "sort"]
    if not rows:
        return []
    text = ["", "## Sorts", "", "Rival: CUB's radix sort, its merge sort beside multiway-merge, its segmented sort for",
            "rows and segments. Predicted: the traffic at a copy's rate.", ""]
    return text + table(["elements", "variant", "length", "rows", "time", "G keys/s", "CUB", "CUB / longmul", "predicted"], [
        [r["op"], r["variant"], size_text(r["n"]), str(r["count"]), time_text(r["median_ns"]),
         "%.1f" % (r["mkeys_s"] / 1e3), time_text(r["rival_median_ns"]), "**%.2f**" % r["ratio"],
         time_text(r["predicted_io_ns"])] for r in rows])


def tridiagonal_rows(rows):
    return table(["layout", "rows", "systems", "variant", "time", "G rows/s", "rival", "its time", "ratio", "roof"], [
        [r["op"].split("-x")[0], size_text(r["n"]), str(r["count"]), r["variant"], time_text(r["median_ns"]),
         "%.1f" % (r["rows_per_us"] / 1e3), r["rival"], time_text(r["rival_median_ns"]), "**%.2f**" % r["ratio"],
         "%.2f" % r["roof_share"]] for r in rows if r["rival"] != "copy"])


def error_text(error):
    return "–" if error is None else "%.1e" % error


def tridiagonal_errors(records, kind):
    solvers = ("partition-pivot-twofold", "gtsv2", "partition-pivot", "gtsvInterleavedBatch", "thomas", "cyclic-reduction",
               "parallel-cyclic-reduction", "wang-mou", "tree-partitioning", "redundant-kogge-stone",
               "redundant-ladner-fischer", "gtsv2_nopivot", "gtsv2StridedBatch")
    rows = {}
    for r in records:
        if r["topic"] == "tridiagonal-errors" and r["type"] == kind:
            rows.setdefault(r["matrix"], {})[r["solver"]] = r["error"]
    return table(["matrix"] + list(solvers), [
        [matrix] + [error_text(row.get(s)) for s in solvers] for matrix, row in rows.items()])


def tridiagonal_sections(records):
    rows = [r for r in records if r["topic"] == "tridiagonal"]
    if not rows:
        return []
    text = ["", "## Tridiagonal systems", "", "Rivals: cuSPARSE. Roof: share of a copy's rate, four arrays read and one written."]
    for case, words in (("single", "One system:"), ("batched", "Batches, one system after the other:"),
                        ("interleaved", "Batches, interleaved:"),
                        ("twofold", "Twice the digits, at some of these sizes:")):
        own = [r for r in rows if r["case"] == case]
        text += ["", words, ""] + tridiagonal_rows(own) if own else []
    text += ["", "Relative errors in the 2-norm, 512 rows, one draw of each matrix; –: not finite."]
    for kind in ("f32", "f64"):
        text += ["", kind.upper() + ":", ""] + tridiagonal_errors(records, kind)
    return text
