"""What format() and round() do with numbers whose digits int cannot write."""

import operator
import re

_SPEC = re.compile(
    r"(?:(?P<fill>.)?(?P<align>[<>=^]))?(?P<sign>[-+ ])?#?(?P<zero>0)?(?P<width>\d+)?"
    r"(?P<group>[,_])?(?P<type>[dn])?",
    re.DOTALL,
)


def _grouped(digits, separator):
    first = len(digits) % 3
    groups = [digits[:first]] if first else []
    groups += (digits[i:i + 3] for i in range(first, len(digits), 3))
    return separator.join(groups)


def format_long(x, spec):
    """format(x, spec). Types other than decimal are int's: they take linear time there."""
    match = _SPEC.fullmatch(spec)
    if match is None or (match["group"] and match["type"] == "n"):
        return format(int(x), spec)
    digits = str(abs(x))
    sign = "-" if x < 0 else {"+": "+", " ": " "}.get(match["sign"], "")
    fill = match["fill"] or ("0" if match["zero"] else " ")
    align = match["align"] or ("=" if match["zero"] else ">")
    width = int(match["width"] or 0) - len(sign)
    if match["group"]:
        if fill == "0" and align == "=":  # zeros are grouped, too, and none begins with a separator
            digits = digits.zfill(3 * max(width, 0) // 4 + 1)
        digits = _grouped(digits, match["group"])
    elif match["type"] == "n":
        import locale

        digits = locale.format_string("%s", digits, grouping=True)
    missing = max(width - len(digits), 0)
    left = {"<": 0, "^": missing // 2}.get(align, missing)
    if align == "=":
        return sign + fill * missing + digits
    return fill * left + sign + digits + fill * (missing - left)


def round_long(x, digits):
    """round(x, digits): to the nearest multiple of 10 ** -digits, half to even."""
    digits = operator.index(digits)
    if digits >= 0:
        return x
    unit = type(x)(10) ** -digits
    quotient, rest = divmod(x, unit)
    twice = rest + rest
    if twice > unit or (twice == unit and quotient % 2 == 1):
        quotient += 1
    return quotient * unit
