#!/usr/bin/env bash
# bigmul's verbs, --mod, the format gmp, --json. The oracle is Python's integers, and GMP through --verify.
# usage: bigmul_verbs_test.sh BIGMUL
set -uo pipefail
bigmul=$PWD/$1
cd "$TEST_TMPDIR" || exit 1
failed=0
fail() {
    printf 'FAILED: %s\n' "$*"
    failed=1
}

# gives EXPECTED ARGUMENT...: exit 0, and EXPECTED on standard output; GMP agrees.
gives() {
    local out status=0
    out=$("$bigmul" "${@:2}" --verify 2>stderr) || status=$?
    [ $status = 0 ] && [ "$out" = "$1" ] ||
        fail "bigmul ${*:2}: status $status, '$out', $(<stderr); not '$1'"
}

# says CODE LINE ARGUMENT...: exit CODE, nothing on standard output, on standard error LINE (a pattern) alone.
says() {
    local status=0 line
    "$bigmul" "${@:3}" >stdout 2>stderr || status=$?
    line=$(grep -v '^Try `bigmul --help' stderr)
    # shellcheck disable=SC2053
    [ $status = "$1" ] && [[ $line == "bigmul: "$2 ]] && [ ! -s stdout ] ||
        fail "bigmul ${*:3}: status $status, '$(<stderr)'; not $1, '$2'"
}

# --- Verbs -----------------------------------------------------------------------------------------
# Catches a verb taken for an operand, operands in the wrong order, rounding down.
gives 42 product 6 7
gives 49 square -7
gives -3 quotient -7 2
gives -3 quotient 7 -2
gives -1 remainder -7 2
gives 1 remainder 7 -2
gives -243 power -3 5
gives 1 power 0 0
gives 6 gcd -18 24
gives 0 gcd 0 0
gives -3 root -27 3
gives 9 root 99 2
gives ff --from hex --to hex quotient fe01 ff
gives 8 --mod 9 product 5 7
gives 7 --mod -9 square 4
gives 4 quotient 1 7 --mod 9
gives 4 power 2 1000000 --mod 6
gives 5 power 3 -1 --mod 7
gives 2 product -1 1 --mod 3
says 2 'two operands are needed' quotient 1
says 2 'more than two operands' gcd 1 2 3
says 2 'square takes one operand' square 1 2
says 2 '--mod is for product, square, quotient and power, not for gcd' gcd 4 6 --mod 5
says 2 'the divisor is 0' quotient 1 0
says 2 'the modulus is 0' power 1 2 --mod 0
says 2 'the modulus is 0' 1 2 --mod 0
says 2 'a root of even degree of a negative number' root -4 2
says 2 'the number has a factor in common with the modulus, so there is no inverse' quotient 1 3 --mod 9
says 2 'the exponent is negative or has more than 64 bits' power 2 -1
says 2 "the root's degree is negative or has more than 64 bits" root 2 18446744073709551616
says 2 '*' root -4 2
says 4 'the power has 1*; --mod gives it modulo M' power 3 100000000000000000
says 2 '--device is for products; the host computes a gcd' gcd 1 2 --device 0
says 2 '--radix decimal is for products without --mod' --radix decimal 2 3 --mod 5
says 2 'standard input can be one operand only*' product - 2 --mod -
[ "$("$bigmul" quotient @<(echo 144) - <<<12)" = 12 ] || fail 'a quotient of a file and of standard input'

# --- Long numbers ----------------------------------------------------------------------------------
# Catches a verb whose long route differs from the short one.
python3 - <<'END'
import random
random.seed(3)
for name, bits in ("a", 200000), ("b", 90000), ("m", 3000):
    open(name, "w").write(hex(random.getrandbits(bits) | 1) + "\n")
END
for arguments in 'quotient @a @b' 'remainder @a @b' 'gcd @a @b' 'root @a 5' 'power @m 40' 'square @b --mod @m' \
    'power @b @m --mod @m' 'quotient @a @b --mod @m'; do
    read -ra words <<<"$arguments"
    "$bigmul" --from hex --to hex "${words[@]}" --verify -o result 2>stderr || fail "$arguments: $(<stderr)"
    python3 - "$arguments" <<'END' || fail "$arguments: not what Python computes"
import math, sys
words = [int(open(w[1:]).read(), 16) if w[0] == "@" else w for w in sys.argv[1].split()]
verb, a, b = words[0], words[1], words[2] if words[2] != "--mod" else None
m = words[-1] if "--mod" in words else None
b = int(b, 16) if isinstance(b, str) else b
r = int(open("result").read(), 16)
want = {"quotient": lambda: a // b if m is None else a * pow(b, -1, m) % m, "remainder": lambda: a % b,
        "gcd": lambda: math.gcd(a, b), "square": lambda: a * a % m,
        "power": lambda: a ** b if m is None else pow(a, b, m)}
sys.exit(not (r ** 5 <= a < (r + 1) ** 5 if verb == "root" else r == want[verb]()))
END
done

# --- GMP's raw format ------------------------------------------------------------------------------
# Catches a sign, a header or an order of bytes that is not mpz_out_raw's.
raw() { printf '%b' "$1"; }
raw '\0\0\0\003\001\000\000' >p # 65536
raw '\377\377\377\377\005' >n  # -5
raw '\0\0\0\0' >zero
raw '\0\0\0\001\002' >two
gives -327680 --from gmp product @p @n
[ "$("$bigmul" --from gmp gcd @p @zero)" = 65536 ] || fail 'zero in the format gmp'
"$bigmul" --from gmp --to gmp product @p @n | cmp - <(raw '\377\377\377\375\005\000\000') || fail 'to gmp'
"$bigmul" --to gmp product 0 7 | cmp - zero || fail '0 to gmp'
raw '\0\0\0\002\001' >short
says 2 'short: not one number as mpz_out_raw writes it' --from gmp square @short
raw '\0\0' >shorter
says 2 'shorter: not one number as mpz_out_raw writes it' --from gmp square @shorter
says 2 '*raw bytes come from @FILE or -*' --from gmp square 5
# A typed exponent is decimal. Catches one that is refused, and an exponent from a file that is not
# in the format.
gives 40 --from gmp --verify root @p 3
gives -125 --from gmp --verify power @n 3
gives 256 --from gmp root @p @two
says 2 '*raw bytes come from @FILE or -*' --from gmp power @p 3 --mod 7

# --- Reports ---------------------------------------------------------------------------------------
# Catches JSON that is none, and times of stages that are missing.
for arguments in 'product 6 7' 'quotient @a @b --from hex' 'square @b --from hex --mod @m'; do
    read -ra words <<<"$arguments"
    "$bigmul" --json "${words[@]}" 2>json >/dev/null
    python3 - "${words[0]}" <<'END' || fail "--json $arguments: $(<json)"
import json, sys
o = json.load(open("json"))
assert o["verb"] == sys.argv[1] and o["threads"] >= 1 and o["place"] == -1 and o["seconds"] <= o["end_to_end"]
assert {"read", "write"} <= o["stages"].keys() and all(s >= 0 for s in o["stages"].values())
END
done
"$bigmul" --time gcd 6 4 2>&1 >/dev/null | grep -q 'gcd [0-9.]* s, to text' || fail 'the time of a verb'

exit $failed
