// longmul_text.hpp: integers and text: conversions, streams, literals, std::format; std::hash.
// Include longmul.hpp.
#ifndef LONGMUL_TEXT_HPP_
#define LONGMUL_TEXT_HPP_

#include <algorithm>
#include <cctype>
#include <functional>
#include <istream>
#include <ostream>
#include <string>
#include <string_view>
#if __has_include(<version>)
#include <version>
#endif
#if defined(__cpp_lib_format)
#include <format>
#endif

#include "longmul_operators.hpp"

namespace longmul {
namespace detail {

using get_text = bigint_status(bigint_ctx *, char *, size_t, size_t *, const bigint *);

// written: what a call that writes text writes.
inline std::string written(get_text *f, const bigint *a) {
    size_t need = 0;
    if (const bigint_status status = f(now(), nullptr, 0, &need, a); status != BIGINT_ERANGE) {
        check(status);
    }
    std::string text(need, '\0');
    check(f(now(), text.data(), text.size(), &need, a));
    text.resize(need - 1);  // less the NUL
    return text;
}

// in_bits: in base 2^width, from the limbs.
inline std::string in_bits(const integer &a, unsigned width) {
    const bigint_limb *const p = bigint_limbs_read(a.get());
    const uint64_t limbs = bigint_limbs_bound(a.get());
    const uint64_t digits = std::max<uint64_t>((a.bits() + width - 1) / width, 1);
    std::string text(a.sign() < 0 ? "-" : "");
    for (uint64_t i = digits; i-- > 0;) {
        const uint64_t limb = i * width / 64;
        const unsigned low = static_cast<unsigned>(i * width % 64);
        uint64_t bits = limb < limbs ? p[limb] >> low : 0;
        if (low + width > 64 && limb + 1 < limbs) {
            bits |= p[limb + 1] << (64 - low);
        }
        text += static_cast<char>('0' + (bits & ((1u << width) - 1)));
    }
    return text;
}

// base_of_prefix removes the prefix of the digits, if there is one, and returns the base it says.
inline int base_of_prefix(std::string_view &digits) {
    if (digits.size() < 2 || digits[0] != '0') {
        return 10;
    }
    const char letter = static_cast<char>(digits[1] | 0x20);
    digits.remove_prefix(letter == 'x' || letter == 'b' ? 2 : 1);
    return letter == 'x' ? 16 : letter == 'b' ? 2 : 8;
}

// continues: whether c goes on with a number of which `digits` has been read; base 0: as a prefix
// says.
inline bool continues(std::string_view digits, char c, int base) {
    const char lower = static_cast<char>(c | 0x20);
    if (digits == "0" && ((lower == 'x' && base % 16 == 0) || (lower == 'b' && base == 0))) {
        return true;
    }
    if (base == 0) {
        base = digits == "0" ? 8 : base_of_prefix(digits);
    }
    return '0' <= c && c <= '9' ? c - '0' < base : 'a' <= lower && lower <= 'f' && base == 16;
}

[[noreturn]] inline void bad_text() {
    throw std::invalid_argument("longmul::integer: the text is no number in this base");
}

// read_bits: digits of a base 2^width.
inline integer read_bits(std::string_view digits, unsigned width) {
    std::string hex((digits.size() * width + 3) / 4, '0');
    uint64_t bits = 0, used = 0;
    size_t at = hex.size();
    for (size_t i = digits.size(); i-- > 0;) {
        const unsigned digit = static_cast<unsigned char>(digits[i]) - unsigned('0');
        if (digit >> width != 0) {
            bad_text();
        }
        bits |= static_cast<uint64_t>(digit) << used;
        for (used += width; used >= 4 || (i == 0 && used > 0);
             used -= std::min<uint64_t>(used, 4)) {
            hex[--at] = "0123456789abcdef"[bits & 15];
            bits >>= 4;
        }
    }
    integer r;
    check(bigint_set_hex(now(), r.get(), hex.data(), hex.size(), nullptr));
    return r;
}

inline integer read_digits(std::string_view digits, int base) {
    if (digits.empty() || !std::isxdigit(static_cast<unsigned char>(digits[0])) ||
        (base == 16 && digits.size() > 1 && (digits[1] | 0x20) == 'x')) {
        bad_text();
    }
    if (base == 2 || base == 8) {
        return read_bits(digits, base == 2 ? 1 : 3);
    }
    if (base != 10 && base != 16) {
        throw std::invalid_argument("longmul::integer: the bases are 2, 8, 10 and 16");
    }
    integer r;
    const bigint_status status = (base == 10 ? bigint_set_decimal : bigint_set_hex)(
        now(), r.get(), digits.data(), digits.size(), nullptr);
    if (status == BIGINT_EINVAL) {
        bad_text();
    }
    check(status);
    return r;
}

// layout: how a number is written: what std::format and streams have in common.
struct layout {
    int base = 10;
    bool prefix = false, upper = false;
    char plus = '\0';              // before numbers >= 0
    char fill = ' ', align = '>';  // '=': between sign or prefix and digits
    size_t width = 0;
};

inline std::string laid_out(const integer &a, const layout &how) {
    std::string digits = a.to_string(how.base), before;
    if (digits[0] == '-') {
        before = "-";
        digits.erase(0, 1);
    } else if (how.plus != '\0') {
        before = how.plus;
    }
    if (how.prefix && how.base == 8 && digits != "0") {
        digits.insert(0, 1, '0');
    } else if (how.prefix && how.base != 8 && how.base != 10) {
        before += how.base == 16 ? "0x" : "0b";
    }
    const size_t length = before.size() + digits.size();
    const size_t more = how.width > length ? how.width - length : 0;
    if (how.upper) {
        for (std::string *const s : {&before, &digits}) {
            std::transform(s->begin(), s->end(), s->begin(),
                           [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
        }
    }
    const size_t left = how.align == '<' ? 0 : how.align == '^' ? more / 2 : more;
    return how.align == '='
               ? before + std::string(more, how.fill) + digits
               : std::string(left, how.fill) + before + digits + std::string(more - left, how.fill);
}

// read_layout reads a format specification: [[fill]align][sign][#][0][width][type]. Returns where
// it ends.
template <class I>
constexpr I read_layout(layout &how, I at, I end) {
    const auto is_align = [](char c) { return c == '<' || c == '>' || c == '^'; };
    bool aligned = false;
    if (at != end && at + 1 != end && is_align(at[1])) {
        how.fill = *at++;
    }
    if (at != end && is_align(*at)) {
        how.align = *at++;
        aligned = true;
    }
    if (at != end && (*at == '+' || *at == ' ' || *at == '-')) {
        how.plus = *at == '-' ? '\0' : *at;
        ++at;
    }
    if (at != end && *at == '#') {
        how.prefix = true;
        ++at;
    }
    if (at != end && *at == '0') {
        if (!aligned) {
            how.fill = '0';
            how.align = '=';
        }
        ++at;
    }
    for (; at != end && '0' <= *at && *at <= '9'; ++at) {
        how.width = 10 * how.width + static_cast<size_t>(*at - '0');
    }
    if (at != end && *at != '}') {
        how.upper = *at == 'X' || *at == 'B';
        switch (*at++) {
            case 'd':
                how.base = 10;
                break;
            case 'x':
            case 'X':
                how.base = 16;
                break;
            case 'o':
                how.base = 8;
                break;
            case 'b':
            case 'B':
                how.base = 2;
                break;
            default:
                throw std::invalid_argument("longmul::integer: format type");
        }
    }
    return at;
}

}  // namespace detail

inline std::string integer::to_string(int base) const {
    switch (base) {
        case 2:
            return detail::in_bits(*this, 1);
        case 8:
            return detail::in_bits(*this, 3);
        case 10:
            return detail::written(bigint_get_decimal, &value_);
        case 16:
            return detail::written(bigint_get_hex, &value_);
    }
    throw std::invalid_argument("longmul::integer: the bases are 2, 8, 10 and 16");
}
inline std::string to_string(const integer &a) { return a.to_string(); }

inline integer::integer(std::string_view text, int base) {
    const bool minus = !text.empty() && text[0] == '-';
    if (minus || (!text.empty() && text[0] == '+')) {
        text.remove_prefix(1);
    }
    const bool hex = base == 16 && text.size() > 1 && text[0] == '0' && (text[1] | 0x20) == 'x';
    if (base == 0 || hex) {
        base = detail::base_of_prefix(text);
    }
    *this = detail::read_digits(text, base);
    if (minus) {
        negate();
    }
}

// --- Streams -------------------------------------------------------------------------------------
// The flags are those of built-in integers: base, showbase, showpos, uppercase, width, fill,
// adjustment. Negative numbers have a sign in every base. Reading ends before the first character
// that is no digit; it sets failbit, and leaves the number as it was, if there is no number.

inline std::ostream &operator<<(std::ostream &out, const integer &a) {
    const std::ios_base::fmtflags flags = out.flags(), adjust = flags & out.adjustfield;
    detail::layout how;
    how.base = (flags & out.basefield) == out.hex   ? 16
               : (flags & out.basefield) == out.oct ? 8
                                                    : 10;
    how.prefix = (flags & out.showbase) != 0 && a.sign() != 0;  // as built-in integers have it
    how.upper = (flags & out.uppercase) != 0;
    how.plus = (flags & out.showpos) != 0 ? '+' : '\0';
    how.fill = out.fill();
    how.align = adjust == out.left ? '<' : adjust == out.internal ? '=' : '>';
    how.width = static_cast<size_t>(out.width(0));
    return out << detail::laid_out(a, how);  // of width 0 now
}

inline std::istream &operator>>(std::istream &in, integer &a) {
    const std::istream::sentry ready(in);
    if (!ready) {
        return in;
    }
    const std::ios_base::fmtflags flags = in.flags() & in.basefield;
    const int base = flags == in.dec ? 10 : flags == in.hex ? 16 : flags == in.oct ? 8 : 0;
    std::string sign, digits;
    for (int c = in.peek(); c != std::istream::traits_type::eof(); c = in.peek()) {
        const bool is_sign = sign.empty() && digits.empty() && (c == '+' || c == '-');
        if (!is_sign && !detail::continues(digits, static_cast<char>(c), base)) {
            break;
        }
        (is_sign ? sign : digits) += static_cast<char>(in.get());
    }
    try {
        a = integer(sign + digits, base);
    } catch (const std::invalid_argument &) {
        in.setstate(std::ios_base::failbit);
    }
    return in;
}

// --- Literals ------------------------------------------------------------------------------------
// 123_big, 0xff_big, 0b101_big, 0777_big; with ' between digits as in C++.

inline namespace literals {
inline integer operator""_big(const char *text) {
    std::string digits(text);
    digits.erase(std::remove(digits.begin(), digits.end(), '\''), digits.end());
    return integer(digits, 0);
}
}  // namespace literals

}  // namespace longmul

template <>
struct std::hash<longmul::integer> {
    size_t operator()(const longmul::integer &a) const noexcept {
        const bigint_limb *const p = bigint_limbs_read(a.get());
        const uint64_t n = bigint_limbs_bound(a.get());
        uint64_t h = (2 * n + (a < 0)) * 0x9e3779b97f4a7c15u;
        for (uint64_t i = 0; i < n; i++) {
            h = (h ^ p[i]) * 0xff51afd7ed558ccdu;  // a bijection for each limb
            h ^= h >> 32;
        }
        return static_cast<size_t>(h);
    }
};

#if defined(__cpp_lib_format)
// Format specifications are those of built-in integers, without L, c and nested widths.
template <>
struct std::formatter<longmul::integer> {
    longmul::detail::layout how;
    constexpr auto parse(std::format_parse_context &context) {
        return longmul::detail::read_layout(how, context.begin(), context.end());
    }
    auto format(const longmul::integer &a, std::format_context &context) const {
        return std::ranges::copy(longmul::detail::laid_out(a, how), context.out()).out;
    }
};
#endif

#endif  // LONGMUL_TEXT_HPP_
