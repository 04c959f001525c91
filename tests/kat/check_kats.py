#!/usr/bin/env python3
"""Re-verifies every known answer with Python's integers, from the files alone.

    check_kats.py FILE...

Shares no code with gen_kats.py: it asks whether each block satisfies its equation, in its one
canonical spelling. Exit status 1 and one line for each wrong block.
"""

import re
import sys

HEX = re.compile(r"0|-?[1-9a-f][0-9a-f]*")
DECIMAL = re.compile(r"0|-?[1-9][0-9]*")


def truncates(a, d, q, r):
    """a = q d + r, rounded toward zero."""
    return a == q * d + r and abs(r) < abs(d) and (r == 0 or (r < 0) == (a < 0))


def shifts(v):
    a, unit, right = v["A"], 2 ** v["Bits"], v["Right"]
    return v["Left"] == a * unit and truncates(a, unit, right, a - right * unit)


def power(v):
    m = abs(v["Modulus"])
    result, square, e = 1, v["Base"], v["Exponent"]
    while e:  # right to left, not Python's own pow
        if e & 1:
            result = result * square % m
        square = square * square % m
        e >>= 1
    return v["Result"] == result % m


def root(v):
    a, k, s = abs(v["A"]), v["K"], abs(v["Root"])
    if v["A"] * v["Root"] < 0 or v["A"] * v["Remainder"] < 0 or (v["A"] < 0 and k % 2 == 0):
        return False
    if s <= 1:  # k may be large
        return s + abs(v["Remainder"]) == a and a.bit_length() <= k * s
    return s**k + abs(v["Remainder"]) == a < (s + 1) ** k


def mod_product(v):
    product, power = v["A"] * v["B"], 1 << v["Bits"]
    return (0 <= v["Minus1"] < power - 1 and (product - v["Minus1"]) % (power - 1) == 0
            and 0 <= v["Plus1"] < power + 1 and (product - v["Plus1"]) % (power + 1) == 0)


# Operation: attributes in their order, base of each, equation.
OPERATIONS = {
    "Product": ("A B Result", 16, lambda v: v["Result"] == v["A"] * v["B"]),
    "Square": ("A Result", 16, lambda v: v["Result"] == v["A"] ** 2),
    "Sum": ("A B Sum Difference", 16,
            lambda v: v["Sum"] == v["A"] + v["B"] and v["Difference"] == v["A"] - v["B"]),
    "Shift": ("A Bits Left Right", 16, shifts),
    "Division": ("A D Quotient Remainder", 16,
                 lambda v: truncates(v["A"], v["D"], v["Quotient"], v["Remainder"])),
    "ModProduct": ("A B Bits Minus1 Plus1", 16, mod_product),
    "Root": ("A K Root Remainder", 16, root),
    "Power": ("Base Exponent Modulus Result", 16, power),
    "Decimal": ("Hex Decimal", None, lambda v: v["Hex"] == v["Decimal"]),
    "DecimalProduct": ("A B Result", 10, lambda v: v["Result"] == v["A"] * v["B"]),
}


def number(name, text, base):
    base = base or {"Hex": 16, "Decimal": 10}[name]
    if not (HEX if base == 16 else DECIMAL).fullmatch(text):
        raise ValueError("%s is not written canonically" % name)
    return int(text, base)


def check(block):
    pairs = [line.split(" = ", 1) for line in block]
    if any(len(p) != 2 for p in pairs) or pairs[0][0] != "Operation":
        raise ValueError("not a list of 'name = value' that begins with Operation")
    names, base, holds = OPERATIONS[pairs[0][1]]
    if [p[0] for p in pairs[1:]] != names.split():
        raise ValueError("attributes are not " + names)
    if not holds({name: number(name, text, base) for name, text in pairs[1:]}):
        raise ValueError("the equation does not hold")


def main():
    if hasattr(sys, "set_int_max_str_digits"):
        sys.set_int_max_str_digits(0)
    blocks = wrong = 0
    for path in sys.argv[1:]:
        block, first = [], 0
        with open(path) as file:
            lines = file.read().split("\n")
        for number_, line in enumerate(lines + [""], 1):
            if line and not line.startswith("#"):
                first = first if block else number_
                block.append(line)
            elif block:
                blocks += 1
                try:
                    check(block)
                except (ValueError, KeyError) as error:
                    wrong += 1
                    print("%s:%d: %s" % (path, first, error))
                block = []
    print("%d known answers, %d wrong" % (blocks, wrong))
    return 1 if wrong or not blocks else 0


sys.exit(main())
