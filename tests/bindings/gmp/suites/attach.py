"""What gmpy2 computes before and after `import longmul_gmp` is the same."""

import gmpy2

a = gmpy2.mpz(3) ** 200000
b = gmpy2.mpz(7) ** 90000
before = [a * b, (a * b) // b, gmpy2.isqrt(a), str(a), gmpy2.gcd(a * b, a)]

import longmul_gmp  # noqa: E402

assert longmul_gmp.attached >= 10, longmul_gmp.attached
after = [a * b, (a * b) // b, gmpy2.isqrt(a), str(a), gmpy2.gcd(a * b, a)]
assert before == after
print("attached:", longmul_gmp.attached)
