"""papers_errors.py: table 7.2 of [DieguezThesis18], errors of products by transforms, beside ours, for
papers_report.py."""

from read_records import size_text

# By log2 of the digits: of products in floats and in doubles, before rounding.
TABLE = {12: ("1.54e-7", "1.72e-16"), 13: ("2.15e-7", "2.00e-16"), 14: ("1.72e-7", "2.69e-16"),
         15: ("1.84e-7", "1.96e-16"), 16: ("2.40e-7", "3.60e-16"), 17: ("3.26e-7", "2.18e-16"),
         18: ("3.21e-7", "2.24e-16"), 19: ("2.95e-7", "3.06e-16"), 20: ("3.54e-7", "2.50e-16"),
         21: ("3.45e-7", "3.57e-16"), 22: ("3.46e-7", "3.90e-16"), 23: ("3.26e-7", "4.17e-16")}

HEAD = """### Errors, table 7.2

The paper's metric, the difference to the exact result relative in the 2-norm, at each of its sizes. Product:
coefficients of a product of random decimal digits before rounding, by complex transforms of twice as many points
(`h200-decimal.jsonl`), and how many of them round to a wrong integer, of which the paper does not speak. Transforms: one
forward transform of N points by V1, V2, the library's choice and cuFFT (`h200-fft-ablations.jsonl`).

| N | | paper's product | our product | wrong | cuFFT's | wrong | V1 | V2 | longmul | cuFFT |
|---|---|---|---|---|---|---|---|---|---|---|"""


def cell(record, field):
    return "–" if record is None or field not in record else "%.2e" % record[field] if "error" in field else "%d" % record[field]


def section(matching):
    """The table's lines. matching: the records of a file that have some fields."""
    def one(**wanted):
        return next(iter(matching(wanted)), None)

    def transform(lg, kind, variant):
        for op in (kind + "-batch", kind):
            found = one(file="h200-fft-ablations.jsonl", op=op, variant=variant, n=2**lg)
            if found:
                return found
        return None

    lines = [HEAD]
    for lg, paper in TABLE.items():
        for width, kind, own in (("32", "c2c", paper[0]), ("64", "z2z", paper[1])):
            product = one(file="h200-decimal.jsonl", op="complex-f" + width, n=2**lg)
            forms = [transform(lg, kind, variant) for variant in ("ms-id-fft-v1", "ms-id-fft-v2", "tuned")]
            cells = [size_text(2**lg), "FP" + width, own]
            cells += [cell(product, field) for field in ("error", "wrong", "rival_error", "rival_wrong")]
            cells += [cell(form, "error") for form in forms] + [cell(forms[2], "rival_error")]
            lines.append("| " + " | ".join(cells) + " |")
    return lines + [""]
