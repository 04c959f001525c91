// longmul_integer.hpp: the class integer and its operators. Include longmul.hpp.
#ifndef LONGMUL_INTEGER_HPP_
#define LONGMUL_INTEGER_HPP_

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "longmul_context.hpp"

namespace longmul {

class integer;

namespace detail {

template <class T>
using bare = std::remove_cv_t<std::remove_reference_t<T>>;
template <class T>
inline constexpr bool is_integer = std::is_same_v<bare<T>, integer>;
// is_word: built-in integers that a limb holds.
template <class T>
inline constexpr bool is_word = std::is_integral_v<bare<T>> && sizeof(bare<T>) <= sizeof(uint64_t);
template <class T>
using if_word = std::enable_if_t<is_word<T>, int>;
// if_operands: an integer and an integer or a word, in either order.
template <class L, class R>
using if_operands = std::enable_if_t<
    (is_integer<L> && (is_integer<R> || is_word<R>)) || (is_word<L> && is_integer<R>), int>;

// magnitude: |w|.
template <class T>
constexpr uint64_t magnitude(T w) {
    return w < T(0) ? uint64_t(0) - static_cast<uint64_t>(w) : static_cast<uint64_t>(w);
}

using binary_call = bigint_status(bigint_ctx *, bigint *, const bigint *, const bigint *);
using shift_call = bigint_status(bigint_ctx *, bigint *, const bigint *, uint64_t);
// calls: an operation with an integer, a signed and an unsigned word as its right operand.
struct calls {
    binary_call *with_integer;
    bigint_status (*with_i64)(bigint_ctx *, bigint *, const bigint *, int64_t);
    bigint_status (*with_u64)(bigint_ctx *, bigint *, const bigint *, uint64_t);
};
inline constexpr calls sum = {bigint_add, bigint_add_i64, bigint_add_u64};
inline constexpr calls difference = {bigint_sub, bigint_sub_i64, bigint_sub_u64};
inline constexpr calls product = {bigint_mul, bigint_mul_i64, bigint_mul_u64};

template <class T>
void with_word(const calls &f, bigint *r, const bigint *a, T w) {
    if constexpr (std::is_signed_v<T>) {
        check(f.with_i64(now(), r, a, w));
    } else {
        check(f.with_u64(now(), r, a, w));
    }
}

inline bigint_status quotient(bigint_ctx *ctx, bigint *r, const bigint *a, const bigint *d) {
    return bigint_divrem(ctx, r, nullptr, a, d);
}
inline bigint_status remainder(bigint_ctx *ctx, bigint *r, const bigint *a, const bigint *d) {
    return bigint_divrem(ctx, nullptr, r, a, d);
}

// shift by a count of any type of word.
template <class T>
void shift(shift_call *f, bigint *r, const bigint *a, T count) {
    if (count < T(0)) {
        throw std::invalid_argument("longmul::integer: shift by a negative count");
    }
    check(f(now(), r, a, static_cast<uint64_t>(count)));
}

}  // namespace detail

class integer {
   public:
    integer() noexcept = default;
    template <class T, detail::if_word<T> = 0>
    integer(T w) {  // implicit, as between built-in integers
        if constexpr (std::is_signed_v<T>) {
            detail::check(bigint_set_i64(detail::now(), &value_, w));
        } else {
            detail::check(bigint_set_u64(detail::now(), &value_, w));
        }
    }
    // From text: an optional sign and digits in base 2, 8, 10 or 16. Base 0: as in C++, by 0x, 0b
    // or 0 before the digits, else decimal. Throws std::invalid_argument.
    explicit integer(std::string_view text, int base = 10);
    // A copy of a bigint on the host.
    explicit integer(const bigint &a) { detail::check(bigint_set(detail::now(), &value_, &a)); }
    integer(const integer &a) : integer(a.value_) {}
    integer(integer &&a) noexcept { swap(a); }
    integer &operator=(const integer &a) {
        detail::check(bigint_set(detail::now(), &value_, &a.value_));
        return *this;
    }
    integer &operator=(integer &&a) noexcept {
        swap(a);
        return *this;
    }
    template <class T, detail::if_word<T> = 0>
    integer &operator=(T w) {
        return *this = integer(w);
    }
    ~integer() { bigint_clear(detail::now(), &value_); }
    void swap(integer &other) noexcept { bigint_swap(&value_, &other.value_); }
    friend void swap(integer &a, integer &b) noexcept { a.swap(b); }

    // get: for calls of bigint.h, with current_context().
    bigint *get() noexcept { return &value_; }
    const bigint *get() const noexcept { return &value_; }

    // sign: -1, 0 or 1. bits: the length of the magnitude, 0 for 0. bit: of the two's complement.
    int sign() const {
        int s = 0;
        detail::check(bigint_sign(detail::now(), &s, &value_));
        return s;
    }
    uint64_t bits() const {
        uint64_t n = 0;
        detail::check(bigint_bits(detail::now(), &n, &value_));
        return n;
    }
    bool bit(uint64_t index) const {
        int b = 0;
        detail::check(bigint_tstbit(detail::now(), &b, &value_, index));
        return b != 0;
    }
    bool is_odd() const { return bit(0); }
    explicit operator bool() const { return sign() != 0; }

    // fits<T>: whether a T holds the value. Conversion throws std::out_of_range if not.
    template <class T, detail::if_word<T> = 0>
    bool fits() const {
        return compare(std::numeric_limits<T>::min()) >= 0 &&
               compare(std::numeric_limits<T>::max()) <= 0;
    }
    template <class T, detail::if_word<T> = 0, std::enable_if_t<!std::is_same_v<T, bool>, int> = 0>
    explicit operator T() const {
        if (!fits<T>()) {
            throw std::out_of_range("longmul::integer: the type does not hold the value");
        }
        if constexpr (std::is_signed_v<T>) {
            int64_t w = 0;
            detail::check(bigint_get_i64(detail::now(), &w, &value_));
            return static_cast<T>(w);
        } else {
            uint64_t w = 0;
            detail::check(bigint_get_u64(detail::now(), &w, &value_));
            return static_cast<T>(w);
        }
    }
    // In base 2, 8, 10 or 16, lower case, without a prefix.
    std::string to_string(int base = 10) const;

    template <class R>
    integer &operator+=(const R &b) {
        return combine(detail::sum, b);
    }
    template <class R>
    integer &operator-=(const R &b) {
        return combine(detail::difference, b);
    }
    template <class R>
    integer &operator*=(const R &b) {
        return combine(detail::product, b);
    }
    template <class R>
    integer &operator/=(const R &b) {
        if constexpr (detail::is_word<R>) {
            const uint64_t d = detail::magnitude(b);
            detail::check(bigint_tdiv_u64(detail::now(), &value_, nullptr, &value_, d));
            return b < R(0) ? negate() : *this;
        } else {
            return apply(detail::quotient, b);
        }
    }
    template <class R>
    integer &operator%=(const R &b) {
        if constexpr (detail::is_word<R>) {
            const int s = sign();
            uint64_t r = 0;
            const uint64_t d = detail::magnitude(b);
            detail::check(bigint_tdiv_u64(detail::now(), nullptr, &r, &value_, d));
            *this = r;
            return s < 0 ? negate() : *this;
        } else {
            return apply(detail::remainder, b);
        }
    }
    integer &operator&=(const integer &b) { return apply(bigint_and, b); }
    integer &operator|=(const integer &b) { return apply(bigint_or, b); }
    integer &operator^=(const integer &b) { return apply(bigint_xor, b); }
    template <class T, detail::if_word<T> = 0>
    integer &operator<<=(T count) {
        detail::shift(bigint_mul_2exp, &value_, &value_, count);
        return *this;
    }
    template <class T, detail::if_word<T> = 0>
    integer &operator>>=(T count) {
        detail::shift(bigint_fdiv_2exp, &value_, &value_, count);
        return *this;
    }
    integer &operator++() { return *this += 1; }
    integer &operator--() { return *this -= 1; }
    integer operator++(int) {
        integer before(*this);
        ++*this;
        return before;
    }
    integer operator--(int) {
        integer before(*this);
        --*this;
        return before;
    }
    integer &negate() {
        detail::check(bigint_neg(detail::now(), &value_, &value_));
        return *this;
    }

    // compare: -1, 0 or 1 for *this < b, *this == b, *this > b.
    template <class R>
    int compare(const R &b) const {
        int order = 0;
        if constexpr (detail::is_integer<R>) {
            detail::check(bigint_cmp(detail::now(), &order, &value_, &b.value_));
        } else if constexpr (std::is_signed_v<R>) {
            detail::check(bigint_cmp_i64(detail::now(), &order, &value_, b));
        } else {
            detail::check(bigint_cmp_u64(detail::now(), &order, &value_, b));
        }
        return order;
    }

   private:
    // apply: *this = *this and b combined by a call.
    integer &apply(detail::binary_call *f, const integer &b) {
        detail::check(f(detail::now(), &value_, &value_, &b.value_));
        return *this;
    }
    template <class R>
    integer &combine(const detail::calls &f, const R &b) {
        if constexpr (detail::is_word<R>) {
            detail::with_word(f, &value_, &value_, b);
            return *this;
        } else {
            return apply(f.with_integer, b);
        }
    }

    bigint value_ = BIGINT_INIT;
};

inline bigint_ctx *current_context() { return detail::now(); }

}  // namespace longmul

#endif  // LONGMUL_INTEGER_HPP_
