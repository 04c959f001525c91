#!/usr/bin/env bash
# group_bench_test.sh GROUP_BENCH: small sizes in each way, and a record of each.
set -eu
cd "$TEST_TMPDIR"
"$OLDPWD/$1" --members 1,3,4 --sizes 18..21 --pairs 1 --json records >table
[ "$(wc -l <records)" = 12 ]
python3 -c 'import json, sys
rows = [json.loads(line) for line in open("records")]
assert all(r["topic"] == "group" and r["median_ns"] > 0 for r in rows)
assert any("columns" in r["plan"] and r["sent_bytes"] > 0 for r in rows)'
