#!/usr/bin/env python3
"""Every call of the public headers that takes a context and returns a status is in every_call_test.c.

usage: every_call_list_test.py EVERY_CALL_TEST.c HEADERS...
Mutation that it catches: a call that is added to a header, and refused on a device.
"""
import re
import sys

test, headers = sys.argv[1], sys.argv[2:]
code = "".join(re.sub(r"//.*", "", open(header).read()) for header in headers)
declared = set(re.findall(r"bigint_status\s+(bigint_\w+)\(\s*(?:const\s+)?bigint_ctx \*ctx", code))
# Of the host or of groups by contract.
elsewhere = {name for name in declared if re.match(r"bigint_(limbs_|(get|set)_block|block$)", name)}
called = set(re.findall(r"WORKS\(\s*(bigint_\w+)\(", open(test).read()))
missing = sorted(declared - elsewhere - called)
if len(declared) < 100:
    missing.append(f"{len(declared)} calls were found: too few")
print("\n".join(missing) or f"{len(called)} calls")
sys.exit(bool(missing))
