// longmul_functions.hpp: functions of integers. Include longmul.hpp. What a function promises, and
// what it costs, is said at the call of bigint.h with its name.
#ifndef LONGMUL_FUNCTIONS_HPP_
#define LONGMUL_FUNCTIONS_HPP_

#include <optional>

#include "longmul_operators.hpp"

namespace longmul {

namespace detail {

template <class... A, class... B>
integer made_by(bigint_status (*f)(bigint_ctx *, bigint *, A...), const B &...arguments) {
    integer r;
    check(f(now(), r.get(), arguments...));
    return r;
}

template <class... A, class... B>
bool answer_of(bigint_status (*f)(bigint_ctx *, int *, A...), const B &...arguments) {
    int yes = 0;
    check(f(now(), &yes, arguments...));
    return yes != 0;
}

}  // namespace detail

inline integer abs(integer a) {
    detail::check(bigint_abs(detail::now(), a.get(), a.get()));
    return a;
}
inline int sgn(const integer &a) { return a.sign(); }

// --- Quotients -----------------------------------------------------------------------------------

struct quotient_remainder {
    integer quotient, remainder;
};
// divmod: rounded toward zero, as / and %. floor_divmod, ceil_divmod: rounded down, up.
inline quotient_remainder divmod(const integer &a, const integer &d) {
    quotient_remainder r;
    detail::check(
        bigint_divrem(detail::now(), r.quotient.get(), r.remainder.get(), a.get(), d.get()));
    return r;
}
inline quotient_remainder floor_divmod(const integer &a, const integer &d) {
    quotient_remainder r;
    detail::check(
        bigint_fdiv(detail::now(), r.quotient.get(), r.remainder.get(), a.get(), d.get()));
    return r;
}
inline quotient_remainder ceil_divmod(const integer &a, const integer &d) {
    quotient_remainder r;
    detail::check(
        bigint_cdiv(detail::now(), r.quotient.get(), r.remainder.get(), a.get(), d.get()));
    return r;
}
// mod: in [0, |d|).
inline integer mod(const integer &a, const integer &d) {
    return detail::made_by(bigint_mod, a.get(), d.get());
}
// divexact: a / d, where d divides a; else BIGINT_EINVAL.
inline integer divexact(const integer &a, const integer &d) {
    return detail::made_by(bigint_divexact, a.get(), d.get());
}
inline bool divisible(const integer &a, const integer &d) {
    return detail::answer_of(bigint_divisible, a.get(), d.get());
}

// --- Divisors ------------------------------------------------------------------------------------

inline integer gcd(const integer &a, const integer &b) {
    return detail::made_by(bigint_gcd, a.get(), b.get());
}
inline integer lcm(const integer &a, const integer &b) {
    return detail::made_by(bigint_lcm, a.get(), b.get());
}
struct gcd_cofactors {
    integer gcd, s, t;  // gcd = s a + t b
};
inline gcd_cofactors gcdext(const integer &a, const integer &b) {
    gcd_cofactors r;
    detail::check(
        bigint_gcdext(detail::now(), r.gcd.get(), r.s.get(), r.t.get(), a.get(), b.get()));
    return r;
}
// invert: 1 / a modulo |m|, or nothing if they have a common divisor.
inline std::optional<integer> invert(const integer &a, const integer &m) {
    integer r;
    int exists = 0;
    detail::check(bigint_invert(detail::now(), &exists, r.get(), a.get(), m.get()));
    return exists != 0 ? std::optional<integer>(std::move(r)) : std::nullopt;
}

// --- Powers and roots ----------------------------------------------------------------------------

inline integer sqr(const integer &a) { return detail::made_by(bigint_sqr, a.get()); }
inline integer pow(const integer &a, uint64_t e) {
    return detail::made_by(bigint_pow_u64, a.get(), e);
}
// powm: a^e modulo |m|; for e < 0 the power of the inverse, and BIGINT_EINVAL if there is none.
inline integer powm(const integer &a, const integer &e, const integer &m) {
    if (e.sign() >= 0) {
        return detail::made_by(bigint_powm, a.get(), e.get(), m.get());
    }
    integer inverse;
    detail::check(bigint_invert(detail::now(), nullptr, inverse.get(), a.get(), m.get()));
    return powm(inverse, -e, m);
}
struct root_remainder {
    integer root, remainder;
};
inline integer sqrt(const integer &a) {
    return detail::made_by(bigint_sqrt, static_cast<bigint *>(nullptr), a.get());
}
inline integer root(const integer &a, uint64_t k) {
    return detail::made_by(bigint_root, static_cast<bigint *>(nullptr), a.get(), k);
}
inline root_remainder sqrtrem(const integer &a) {
    root_remainder r;
    detail::check(bigint_sqrt(detail::now(), r.root.get(), r.remainder.get(), a.get()));
    return r;
}
inline root_remainder rootrem(const integer &a, uint64_t k) {
    root_remainder r;
    detail::check(bigint_root(detail::now(), r.root.get(), r.remainder.get(), a.get(), k));
    return r;
}
inline bool is_square(const integer &a) { return detail::answer_of(bigint_is_square, a.get()); }
inline bool is_power(const integer &a) { return detail::answer_of(bigint_is_power, a.get()); }

// --- Primes --------------------------------------------------------------------------------------

inline bool is_prime(const integer &a) { return detail::answer_of(bigint_probable_prime, a.get()); }
inline integer next_prime(const integer &a) { return detail::made_by(bigint_next_prime, a.get()); }
inline int kronecker(const integer &a, const integer &b) {
    int symbol = 0;
    detail::check(bigint_kronecker(detail::now(), &symbol, a.get(), b.get()));
    return symbol;
}

// --- Combinatorics -------------------------------------------------------------------------------

inline integer factorial(uint64_t n) { return detail::made_by(bigint_factorial, n); }
inline integer primorial(uint64_t n) { return detail::made_by(bigint_primorial, n); }
inline integer binomial(uint64_t n, uint64_t k) {
    return detail::made_by(bigint_binomial_u64, n, k);
}
inline integer fibonacci(uint64_t n) {
    return detail::made_by(bigint_fibonacci, static_cast<bigint *>(nullptr), n);
}
inline integer lucas(uint64_t n) {
    return detail::made_by(bigint_lucas, static_cast<bigint *>(nullptr), n);
}

// --- Bits ----------------------------------------------------------------------------------------

inline uint64_t popcount(const integer &a) {
    uint64_t count = 0;
    detail::check(bigint_popcount(detail::now(), &count, a.get()));
    return count;
}

}  // namespace longmul

#endif  // LONGMUL_FUNCTIONS_HPP_
