// longmul_operators.hpp: operators of two operands, integers or words. A temporary operand gives
// its limbs to the result. Include longmul.hpp.
#ifndef LONGMUL_OPERATORS_HPP_
#define LONGMUL_OPERATORS_HPP_

#if __cplusplus >= 202002L
#include <compare>
#endif

#include "longmul_integer.hpp"

namespace longmul {

namespace detail {

// as_integer: x, or an integer made of the word x.
inline const integer &as_integer(const integer &x) { return x; }
template <class T, if_word<T> = 0>
integer as_integer(T x) {
    return integer(x);
}

template <class T>
inline constexpr bool is_temporary =
    is_integer<T> && !std::is_reference_v<T> && !std::is_const_v<T>;

template <class L, class R>
integer two(binary_call *f, L &&a, R &&b) {
    if constexpr (is_temporary<L>) {
        check(f(now(), a.get(), a.get(), as_integer(b).get()));
        return std::move(a);
    } else if constexpr (is_temporary<R>) {
        check(f(now(), b.get(), as_integer(a).get(), b.get()));
        return std::move(b);
    } else {
        integer r;
        check(f(now(), r.get(), as_integer(a).get(), as_integer(b).get()));
        return r;
    }
}

// two_or_word: a and b, of which b may be a word.
template <class L, class R>
integer two_or_word(const calls &f, L &&a, R &&b) {
    if constexpr (!is_word<R>) {
        return two(f.with_integer, std::forward<L>(a), std::forward<R>(b));
    } else if constexpr (is_temporary<L>) {
        with_word(f, a.get(), a.get(), b);
        return std::move(a);
    } else {
        integer r;
        with_word(f, r.get(), a.get(), b);
        return r;
    }
}

}  // namespace detail

template <class L, class R, detail::if_operands<L, R> = 0>
integer operator+(L &&a, R &&b) {
    if constexpr (detail::is_word<L>) {
        return detail::two_or_word(detail::sum, std::forward<R>(b), std::forward<L>(a));
    } else {
        return detail::two_or_word(detail::sum, std::forward<L>(a), std::forward<R>(b));
    }
}
template <class L, class R, detail::if_operands<L, R> = 0>
integer operator-(L &&a, R &&b) {
    if constexpr (detail::is_word<L>) {
        integer r = detail::two_or_word(detail::difference, std::forward<R>(b), std::forward<L>(a));
        r.negate();
        return r;
    } else {
        return detail::two_or_word(detail::difference, std::forward<L>(a), std::forward<R>(b));
    }
}
template <class L, class R, detail::if_operands<L, R> = 0>
integer operator*(L &&a, R &&b) {
    if constexpr (detail::is_word<L>) {
        return detail::two_or_word(detail::product, std::forward<R>(b), std::forward<L>(a));
    } else {
        return detail::two_or_word(detail::product, std::forward<L>(a), std::forward<R>(b));
    }
}
template <class L, class R, detail::if_operands<L, R> = 0>
integer operator/(L &&a, R &&b) {
    if constexpr (detail::is_word<R>) {
        integer q(std::forward<L>(a));
        q /= b;
        return q;
    } else {
        return detail::two(detail::quotient, std::forward<L>(a), std::forward<R>(b));
    }
}
template <class L, class R, detail::if_operands<L, R> = 0>
integer operator%(L &&a, R &&b) {
    if constexpr (detail::is_word<R>) {
        integer r(std::forward<L>(a));
        r %= b;
        return r;
    } else {
        return detail::two(detail::remainder, std::forward<L>(a), std::forward<R>(b));
    }
}
template <class L, class R, detail::if_operands<L, R> = 0>
integer operator&(L &&a, R &&b) {
    return detail::two(bigint_and, std::forward<L>(a), std::forward<R>(b));
}
template <class L, class R, detail::if_operands<L, R> = 0>
integer operator|(L &&a, R &&b) {
    return detail::two(bigint_or, std::forward<L>(a), std::forward<R>(b));
}
template <class L, class R, detail::if_operands<L, R> = 0>
integer operator^(L &&a, R &&b) {
    return detail::two(bigint_xor, std::forward<L>(a), std::forward<R>(b));
}
template <class T, detail::if_word<T> = 0>
integer operator<<(integer a, T count) {
    a <<= count;
    return a;
}
template <class T, detail::if_word<T> = 0>
integer operator>>(integer a, T count) {
    a >>= count;
    return a;
}

inline integer operator+(integer a) { return a; }
inline integer operator-(integer a) {
    a.negate();
    return a;
}
inline integer operator~(const integer &a) {
    integer r;
    detail::check(bigint_com(detail::now(), r.get(), a.get()));
    return r;
}

// --- Comparisons ---------------------------------------------------------------------------------

namespace detail {
template <class L, class R>
int order(const L &a, const R &b) {
    if constexpr (is_integer<L>) {
        return a.compare(b);
    } else {
        return -b.compare(a);
    }
}
}  // namespace detail

template <class L, class R, detail::if_operands<L, R> = 0>
bool operator==(const L &a, const R &b) {
    return detail::order(a, b) == 0;
}
template <class L, class R, detail::if_operands<L, R> = 0>
bool operator!=(const L &a, const R &b) {
    return detail::order(a, b) != 0;
}
#if __cplusplus >= 202002L
template <class L, class R, detail::if_operands<L, R> = 0>
std::strong_ordering operator<=>(const L &a, const R &b) {
    return detail::order(a, b) <=> 0;
}
#else
template <class L, class R, detail::if_operands<L, R> = 0>
bool operator<(const L &a, const R &b) {
    return detail::order(a, b) < 0;
}
template <class L, class R, detail::if_operands<L, R> = 0>
bool operator<=(const L &a, const R &b) {
    return detail::order(a, b) <= 0;
}
template <class L, class R, detail::if_operands<L, R> = 0>
bool operator>(const L &a, const R &b) {
    return detail::order(a, b) > 0;
}
template <class L, class R, detail::if_operands<L, R> = 0>
bool operator>=(const L &a, const R &b) {
    return detail::order(a, b) >= 0;
}
#endif

}  // namespace longmul

#endif  // LONGMUL_OPERATORS_HPP_
