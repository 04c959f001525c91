#!/usr/bin/env bash
# cryptobench_test.sh PROGRAM: published answers and every scheme once, on all engines; three of them
# on an emulated device; each as a batch on the host; records that can be read. Catches: a register
# used twice, a step of a scheme left out, items that differ between engines, a wrong device number
# that passes or does not say why, an argument that is passed over in silence.
set -u
program=$1
fail() {
    echo "FAILED: $1"
    exit 1
}
"$program" --check --threads 2 >"$TEST_TMPDIR/out" || fail "the check: $(cat "$TEST_TMPDIR/out")"
grep -q 'published answers are met' "$TEST_TMPDIR/out" || fail "no published answers"
for scheme in rsa-sign rsa-verify dh paillier-encrypt paillier-add paillier-decrypt miller-rabin bpsw; do
    grep -q "^$scheme .*right" "$TEST_TMPDIR/out" || fail "$scheme was not checked"
done
for scheme in rsa-verify paillier-add bpsw; do
    "$program" --check --scheme "$scheme" --device 0 --batch 3 >"$TEST_TMPDIR/out" ||
        fail "$scheme on a device: $(cat "$TEST_TMPDIR/out")"
done
"$program" --scheme paillier-add --seconds 0.01 --threads 2 --json "$TEST_TMPDIR/json" >/dev/null ||
    fail "a measurement"
python3 - "$TEST_TMPDIR/json" <<'END' || fail "the records"
import json, sys
lines = [json.loads(line) for line in open(sys.argv[1])]
assert len(lines) >= 6 and all(line["checked"] and line["per_second"] > 0 for line in lines)
assert {line["engine"] for line in lines} >= {"longmul", "longmul-sec", "gmp"}
END
error=$("$program" --check --device 99 2>&1 >/dev/null) && fail "device 99 is there"
[[ $error == "cryptobench: "*"cannot work on place 99: "* && $error != *"no context"* ]] || fail "why: $error"
"$program" --help | grep -q -- --scheme=NAME || fail "--help"
for wrong in --scheme=rsa --seconds=x --seconds=0 --threads=0 --threads=257 --threads=2x --device=x --batch=-1 extra; do
    "$program" --check $wrong >/dev/null 2>&1 && fail "$wrong was taken"
done
echo "all right"
