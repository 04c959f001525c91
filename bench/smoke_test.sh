#!/usr/bin/env bash
# The harness from end to end at small sizes: rows, records, table, plot, comparison, outside rival.
# Catches: a row that is not checked, a record that a reader refuses, a protocol that drifted apart,
# sizes drawn twice, or by none of several shares.
set -euo pipefail
cd bench
out=$TEST_TMPDIR

./bench --quick --sizes 6..13 --json "$out/all.jsonl" mul sqr sum unbalanced threads text divrem root mul_mod carry certified
# Every call of the mpz rows gives GMP's answer.
./bench --quick --sizes 6..7 --json "$out/mpz.jsonl" mpz
mkdir "$out/records"
./bench --quick --sizes 6..12 --records "$out/records" mul threads
python3 report/report.py --records "$out/records" | grep -F '| 2^12 |'
python3 report/plot.py --records "$out/records" -o "$out/plot.svg"
python3 -c 'import sys, xml.dom.minidom as m; m.parse(sys.argv[1])' "$out/plot.svg"
python3 report/compare.py --slower 1000 "$out/all.jsonl" "$out"/records/*-mul.jsonl | grep -F 'rows in common'
# Catches: a context that is not in the mode.
./bench --quick --sizes 15..15 --variant avx2 --json "$out/certified.jsonl" certified
if grep -qw avx2 /proc/cpuinfo; then
    [ "$(grep -c 'expected, checked' "$out/certified.jsonl")" -eq 4 ]
fi
./bench --quick --sizes 6..9 --rival ./rival_python.py mul | grep -F 'Python'
./bench --quick --sizes 8..10 --sample 7 --records "$out/records" sqr divrem | grep -F 'sqr, 7 sizes: slower than GMP'
python3 report/report.py --records "$out/records" | grep -E '^\| sqr \| below 2\^14 \| GMP [0-9.]+ \| 7 \|'
for i in 0 1 2; do
    ./bench --quick --sizes 8..10 --sample 7 --pairs 20 --share $i/3 --json "$out/share$i.jsonl" sqr
done
cat "$out"/share?.jsonl | python3 -c '
import json, sys
rows = [json.loads(line) for line in sys.stdin]
assert len({r["bits"] for r in rows}) == len(rows) == 7, [r["bits"] for r in rows]
assert all(r["samples"] >= 20 for r in rows), "--pairs"'

# Records of transforms on a device, made of a host's: two lengths, single and batched.
python3 - "$out"/records/*-mul.jsonl "$out/records/x-fft.jsonl" <<'END'
import json, sys
record = json.loads(open(sys.argv[1]).readline())
del record["bits"], record["an"], record["bn"]
record.update(topic="fft", case="fft", chip="x", forced=False, passes=2, gflops=1.5, gb_s=2.5,
              error=2e-16, rival_error=3e-16, ratio=1.25, roof_share=0.5)
with open(sys.argv[2], "w") as out:
    for k in range(4):
        record.update(n=2**(10 + k // 2), op=("z2z", "z2z-batch")[k % 2], count=1 + 3 * (k % 2))
        print(json.dumps(record), file=out)
    record.update(topic="decimal", case="mul", mdata_s=2000.0, rival_mdata_s=1600.0, wrong=0,
                  rival_wrong=2048)
    for k in range(4):
        record.update(n=2**(12 + k // 2), op=("real-f32", "real-f32-batch")[k % 2], count=1 + k % 2)
        print(json.dumps(record), file=out)
    record.update(topic="decimal-text", op="real-f32", variant="two-phase", n=2**12, count=1, k=1,
                  carry_share=0.25, wrong_digits=2048, rival_wrong_digits=0)
    print(json.dumps(record), file=out)
    record.update(topic="fft-strided", op="z2z-to-interleaved", n=1000, count=7)
    print(json.dumps(record), file=out)
END
python3 report/device_report.py --chip x --records "$out/records" >"$out/page.md"
grep -F '| 2^11 × 2^2 |' "$out/page.md" | grep -F '| **1.25** | 2 | 0.50 | 2 | 2 | 2.0e-16 | 3.0e-16 |'
grep -F '| geometric mean, batches | | | **1.25** |' "$out/page.md"
python3 report/plot_fft.py --chip x --records "$out/records" -o "$out/fft.svg"
python3 -c 'import sys, xml.dom.minidom as m; m.parse(sys.argv[1])' "$out/fft.svg"
grep -F '| 2^12 | – | – | – | 2000 | 1600 | **1.25** |' "$out/page.md"
grep -F '| 2^12 | 1.54e-07 | 2.00e-16 | 3.00e-16 (25 % wrong) | – | – |' "$out/page.md"
grep -F '| 2^12 | – | 2e+03 (**1.25**, 25 %, 25 % wrong) | – |' "$out/page.md"
grep -F '| to-interleaved | z2z | 10^3 × 7 |' "$out/page.md"
grep '"topic": "decimal"' "$out"/records/x-fft.jsonl >"$out/x-decimal.jsonl"
python3 report/plot_decimal.py --chip x --records "$out" -o "$out/decimal.svg"
python3 -c 'import sys, xml.dom.minidom as m; m.parse(sys.argv[1])' "$out/decimal.svg"
sed 's/"topic":"mul"/"topic":"product"/' "$out"/records/*-mul.jsonl >"$out/y-product.jsonl"
python3 report/plot_product.py --chip y --records "$out" -o "$out/product.svg"
python3 -c 'import sys, xml.dom.minidom as m; m.parse(sys.argv[1])' "$out/product.svg"

# The page of the studies: wider digits, ways, a barrier that gave up, a solution, joules.
mkdir "$out/studies"
cp "$out/certified.jsonl" "$out/studies/x-certified.jsonl"
python3 - "$out"/records/*-mul.jsonl "$out/studies/x-barriers.jsonl" <<'END'
import json, sys
record = json.loads(open(sys.argv[1]).readline())
record.update(chip="x", backend="cuda", forced=True, count=1, n=1024, stream_ns=9000.0, median_ns=2000.0)
with open(sys.argv[2], "w") as out:
    for way, ratio, wrong in (("launches", 1.0, 0), ("barrier", 1.25, 0), ("no-wait", 1.5, 7)):
        record.update(topic="barriers", op="passes-3", variant=way, rival="launches", ratio=ratio, wrong=wrong)
        print(json.dumps(record), file=out)
    record.update(op="meeting", variant="threads-32-shared-0", n=4225, rival="copy", resident=4224,
                  resident_most=4224, deadlock_predicted=True, gave_up=4225)
    print(json.dumps(record), file=out)
    record.update(topic="cg", op="solve-band-ell", variant="loop-blocking", rival="nine-polling", n=4096, iterations=60,
                  host_cpu_ns=500.0, joules=0.5, rival_joules=1.0, joules_element=0.5 / 4096)
    print(json.dumps(record), file=out)
END
python3 report/studies_report.py --records "$out/studies" -o "$out/studies.md"
grep -F '| 2^10 | 2.00 µs | 9.00 µs | 1.25 | 1.50 (wrong) |' "$out/studies.md"
grep -F '| threads-32-shared-0 | 4225 | 4224 | 4224 | yes | 4225 | 2.00 µs |' "$out/studies.md"
grep -F '| 2^12 | loop-blocking | 2.00 µs | 1.50 | 60 | 25 % | 0.5 | – |' "$out/studies.md"
grep -F '| cg | solve-band-ell | loop-blocking | 2^12 | 0.5 | 0.000122 | 250000 | nine-polling | 2.00 |' "$out/studies.md"
if grep -qw avx2 /proc/cpuinfo; then
    grep -E '^\| 2\^15 \| [0-9.]+ µs \| [0-9.]+ \| [0-9.]+ \|$' "$out/studies.md"
fi

# An unchecked record is refused.
sed -i 's/"checked":true/"checked":false/' "$out"/records/*-mul.jsonl
if python3 report/report.py --records "$out/records"; then
    echo 'report.py took an unchecked record'
    exit 1
fi
# refused WORDS...: what bench must not take. Catches names and ranges that are passed over in silence.
refused() {
    ! ./bench "$@" 2>/dev/null || {
        echo "bench took $*"
        exit 1
    }
}
refused --sizes 9..6 mul
refused --share 3/3 mul
refused --engine no-such --sizes 6..6 mul
refused --variant no-such --sizes 6..6 mul
refused no-such-topic
