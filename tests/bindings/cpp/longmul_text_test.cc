// longmul_text_test.cc: longmul::integer as text: conversions, literals, streams, layouts.
#include <gmp.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "bindings/cpp/longmul.hpp"

using longmul::integer;
using namespace longmul::literals;

namespace {

// Around words and limbs, of both signs, and longer ones.
std::vector<integer> Values() {
    std::vector<integer> values;
    for (const int k : {0, 1, 7, 31, 32, 63, 64, 127, 128, 192, 2000}) {
        for (int d = -1; d <= 1; d++) {
            values.push_back((integer(1) << k) + d);
            values.push_back(-((integer(7) << k) / 3 + d));
        }
    }
    return values;
}

// Text: GMP's, in any base.
std::string Text(const integer &a, int base) {
    mpz_t z;
    mpz_init_set_str(z, a.to_string(16).c_str(), 16);
    std::vector<char> buffer(mpz_sizeinbase(z, base) + 2);
    mpz_get_str(buffer.data(), base, z);
    mpz_clear(z);
    return buffer.data();
}

// Mutations: bits lost between two limbs in base 8; a sign before the prefix that is not read.
TEST(Integer, Text) {
    for (const integer &a : Values()) {
        for (const int base : {2, 8, 10, 16}) {
            EXPECT_EQ(a.to_string(base), Text(a, base));
            EXPECT_EQ(integer(a.to_string(base), base), a);
        }
        EXPECT_EQ(to_string(a), Text(a, 10));
    }
    EXPECT_EQ(integer("-0x1F", 0), -31);
    EXPECT_EQ(integer("0b101", 0), 5);
    EXPECT_EQ(integer("+0017", 0), 15);
    EXPECT_EQ(integer("0", 0), 0);
    EXPECT_EQ(1'000'000'000'000'000'000'000_big, longmul::pow(10, 21));
    EXPECT_EQ(0xffff'ffff'ffff'ffff'ffff_big, (1_big << 80) - 1);
    EXPECT_EQ(0b11_big + 017_big, 18);
    for (const char *bad : {"", "-", "+-1", "12a", " 1", "0x", "1 ", "--1"}) {
        EXPECT_THROW(integer(bad, 0), std::invalid_argument) << bad;
        EXPECT_THROW(integer(bad, 10), std::invalid_argument) << bad;
    }
    EXPECT_THROW(integer("8", 8), std::invalid_argument);
    EXPECT_THROW(integer("1", 7), std::invalid_argument);
}

// ExpectStreams: an integer is written, and read, as a long with the same flags; hex and oct, which
// have no sign there, for numbers >= 0.
void ExpectStreams(long value, std::ios_base::fmtflags flags, int width) {
    std::ostringstream ours, theirs;
    for (std::ostringstream *out : {&ours, &theirs}) {
        out->flags(flags);
        out->fill('*');
        out->width(width);
    }
    ours << integer(value) << 'x';
    theirs << value << 'x';
    if (value >= 0 || (flags & std::ios_base::dec) != 0) {
        std::string want = theirs.str();
        if ((flags & std::ios_base::basefield) != std::ios_base::dec) {  // showpos is for decimal
            EXPECT_TRUE((flags & std::ios_base::showpos) != 0 || ours.str() == want) << want;
        } else {
            EXPECT_EQ(ours.str(), want);
        }
    }
    std::istringstream in(ours.str().substr(0, ours.str().size() - 1));
    in.flags(flags);
    integer back = -1;
    if (width == 0) {
        in >> back;
        EXPECT_EQ(back, value) << ours.str();
    }
}

TEST(Integer, Streams) {
    using f = std::ios_base;
    for (const long value : {0l, 1l, -1l, 255l, -4096l, 123456789012l}) {
        for (const auto base : {f::dec, f::hex, f::oct}) {
            for (const auto adjust : {f::left, f::right, f::internal}) {
                for (int bits = 0; bits < 8; bits++) {
                    const auto flags = f::skipws | base | adjust |
                                       ((bits & 1) != 0 ? f::showbase : f::fmtflags()) |
                                       ((bits & 2) != 0 ? f::showpos : f::fmtflags()) |
                                       ((bits & 4) != 0 ? f::uppercase : f::fmtflags());
                    ExpectStreams(value, flags, 0);
                    ExpectStreams(value, flags, 15);
                }
            }
        }
    }
}

// ExpectRead: an integer reads the characters that a long reads, and fails where it does.
void ExpectRead(const char *text, std::ios_base::fmtflags base) {
    std::istringstream ours(text), theirs(text);
    integer a = 9;
    long want = 9;
    for (std::istringstream *in : {&ours, &theirs}) {
        in->setf(base, std::ios_base::basefield);
    }
    ours >> a;
    theirs >> want;
    EXPECT_EQ(ours.rdstate(), theirs.rdstate()) << text;
    EXPECT_EQ(a, theirs.fail() ? 9 : want) << text;
    ours.clear();
    theirs.clear();
    std::string rest, want_rest;
    std::getline(ours, rest);
    std::getline(theirs, want_rest);
    EXPECT_EQ(rest, want_rest) << text;
}

// Mutations: a letter after decimal digits taken along, a prefix in the wrong base, a second sign.
TEST(Integer, ReadsUpToTheNumbersEnd) {
    using f = std::ios_base;
    for (const char *text : {"12 7",   "12abc", "12,13", "-5", "+5",  "- 5", "5-3", "--5", "0x1f",
                             "-0x1Fg", "0xg",   "0x",    "1f", "077", "08",  "0",   "00",  "9z",
                             "1e5",    "1.5",   "",      " ",  "abc", "-",   "z"}) {
        for (const auto base : {f::dec, f::hex, f::oct, f::fmtflags()}) {
            ExpectRead(text, base);
        }
    }
    std::istringstream binary("0b101 7");  // of base 0 as in literals
    binary.unsetf(f::basefield);
    integer a;
    binary >> a;
    EXPECT_EQ(a, 5);
}

// What std::format reads, with or without it.
TEST(Integer, Layouts) {
    const auto laid_out = [](std::string_view spec, const integer &a) {
        longmul::detail::layout how;
        EXPECT_EQ(longmul::detail::read_layout(how, spec.begin(), spec.end()), spec.end());
        return longmul::detail::laid_out(a, how);
    };
    EXPECT_EQ(laid_out("", 42), "42");
    EXPECT_EQ(laid_out("6", 42), "    42");
    EXPECT_EQ(laid_out("*<6", 42), "42****");
    EXPECT_EQ(laid_out("*^7", 42), "**42***");
    EXPECT_EQ(laid_out("+d", 42), "+42");
    EXPECT_EQ(laid_out("#x", -255), "-0xff");
    EXPECT_EQ(laid_out("#010X", 255), "0X000000FF");
    EXPECT_EQ(laid_out("#b", 5), "0b101");
    EXPECT_EQ(laid_out("#o", 8), "010");
    EXPECT_THROW(laid_out("q", 1), std::invalid_argument);
#if defined(__cpp_lib_format)
    EXPECT_EQ(std::format("{:#x} {:>5}", 255_big, 7_big), "0xff     7");
#endif
}

}  // namespace
