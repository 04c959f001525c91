#!/usr/bin/env python3
"""The table of docs/mpz.md beside the installed gmp.h and our public headers.

usage: mpz_table_test.py MPZ.md HEADERS...
Mutations that it catches: a function of gmp.h that has no row or two, a row for a function that
gmp.h does not have, a call that no header declares.
"""
import collections
import re
import subprocess
import sys

page, headers = sys.argv[1], sys.argv[2:]
macros = subprocess.run(
    ["cc", "-E", "-dM", "-include", "gmp.h", "-xc", "/dev/null"],
    check=True, capture_output=True, text=True).stdout
functions = set(re.findall(r"^#define (mpz_\w+) __gmpz_", macros, re.M))

code = "".join(re.sub(r"//.*", "", open(header).read()) for header in headers)
declared = set(re.findall(r"\b(bigint_\w+)\(", code))

text = open(page).read()
rows = collections.Counter(re.findall(r"^\| `(mpz_\w+)` \|", text, re.M))
called = set(re.findall(r"`(bigint_\w+)`", text))

failures = [f"{name}: of gmp.h, not in the table" for name in functions - set(rows)]
failures += [f"{name}: in the table, not of gmp.h" for name in set(rows) - functions]
failures += [f"{name}: {count} rows" for name, count in rows.items() if count > 1]
failures += [f"{name}: in the table, not declared" for name in called - declared]
if len(functions) < 100 or len(declared) < 100:
    failures.append(f"{len(functions)} functions and {len(declared)} calls were found: too few")
print("\n".join(sorted(failures)) or f"{len(rows)} rows agree")
sys.exit(bool(failures))
