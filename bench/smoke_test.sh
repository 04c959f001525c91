#!/usr/bin/env bash
# The harness from end to end at small sizes: rows, records, table, plot, comparison, outside rival.
# Catches: a row that is not checked, a record that a reader refuses, a protocol that drifted apart.
set -euo pipefail
cd bench
out=$TEST_TMPDIR

./bench --quick --sizes 6..13 --json "$out/all.jsonl" mul sqr unbalanced threads text divrem carry
mkdir "$out/records"
./bench --quick --sizes 6..12 --records "$out/records" mul threads
python3 report.py --records "$out/records" | grep -F '| 2^12 |'
python3 plot.py --records "$out/records" -o "$out/plot.svg"
python3 -c 'import sys, xml.dom.minidom as m; m.parse(sys.argv[1])' "$out/plot.svg"
python3 compare.py --slower 1000 "$out/all.jsonl" "$out"/records/*-mul.jsonl | grep -F 'rows in common'
./bench --quick --sizes 6..9 --rival ./rival_python.py mul | grep -F 'Python'

# An unchecked record is refused.
sed -i 's/"checked":true/"checked":false/' "$out"/records/*-mul.jsonl
if python3 report.py --records "$out/records"; then
    echo 'report.py took an unchecked record'
    exit 1
fi
if ./bench --sizes 9..6 mul 2>/dev/null; then
    echo 'bench took a range from high to low'
    exit 1
fi
