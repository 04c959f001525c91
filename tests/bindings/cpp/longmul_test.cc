// longmul_test.cc: longmul::integer beside GMP's mpz.
#include "bindings/cpp/longmul.hpp"

#include <gmp.h>
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <thread>
#include <unordered_set>
#include <vector>

using longmul::integer;
using namespace longmul::literals;

namespace {

// gmp: an mpz_t with the text of its value.
class gmp {
   public:
    explicit gmp(const integer &a) { mpz_init_set_str(z, a.to_string(16).c_str(), 16); }
    gmp() { mpz_init(z); }
    gmp(const gmp &) = delete;
    gmp &operator=(const gmp &) = delete;
    ~gmp() { mpz_clear(z); }
    std::string text(int base = 16) const {
        std::vector<char> buffer(mpz_sizeinbase(z, base) + 2);
        return mpz_get_str(buffer.data(), base, z);
    }
    mpz_t z;
};

void ExpectSame(const integer &got, const gmp &want) { EXPECT_EQ(got.to_string(16), want.text()); }

// Around words, limbs and two limbs, of both signs, and longer ones.
std::vector<integer> Values() {
    std::vector<integer> values;
    for (const int k : {0, 1, 7, 31, 32, 63, 64, 127, 128, 2000}) {
        for (int d = -1; d <= 1; d++) {
            values.push_back((integer(1) << k) + d);
            values.push_back(-((integer(1) << k) + d));
        }
    }
    std::mt19937_64 random(5);
    for (int i = 0; i < 6; i++) {
        integer a = random();
        for (int j = 0; j < 3 * i; j++) {
            a = (a << 64) + random();
        }
        values.push_back(i % 2 == 0 ? a : -a);
    }
    return values;
}

using mpz_call = void(mpz_ptr, mpz_srcptr, mpz_srcptr);

// ExpectOperation: operator and compound operator, of lvalues and of temporaries on either side.
template <class F, class G>
void ExpectOperation(F binary, G compound, mpz_call *twin, bool divides) {
    const std::vector<integer> values = Values();
    for (const integer &a : values) {
        for (const integer &b : values) {
            if (divides && b == 0) {
                EXPECT_THROW(binary(a, b), longmul::error);
                continue;
            }
            const gmp x(a), y(b);
            gmp want;
            twin(want.z, x.z, y.z);
            ExpectSame(binary(a, b), want);
            ExpectSame(binary(integer(a), b), want);
            ExpectSame(binary(a, integer(b)), want);
            ExpectSame(binary(integer(a), integer(b)), want);
            integer c = a;
            compound(c, b);
            ExpectSame(c, want);
            ExpectSame(a, x);  // temporaries only are reused
            ExpectSame(b, y);
        }
        integer c = a == 0 && divides ? integer(1) : a;  // with itself
        const gmp x(c);
        gmp want;
        twin(want.z, x.z, x.z);
        compound(c, c);
        ExpectSame(c, want);
    }
}

#define OPERATION(op, twin, divides)                                             \
    ExpectOperation(                                                             \
        [](auto &&a, auto &&b) {                                                 \
            return std::forward<decltype(a)>(a) op std::forward<decltype(b)>(b); \
        },                                                                       \
        [](integer &a, const integer &b) { a op## = b; }, twin, divides)

// Mutations: an operand that is not a temporary is overwritten; operands of - or / in the wrong
// order; rounding down.
TEST(Integer, Operators) {
    OPERATION(+, mpz_add, false);
    OPERATION(-, mpz_sub, false);
    OPERATION(*, mpz_mul, false);
    OPERATION(/, mpz_tdiv_q, true);
    OPERATION(%, mpz_tdiv_r, true);
    OPERATION(&, mpz_and, false);
    OPERATION(|, mpz_ior, false);
    OPERATION(^, mpz_xor, false);
}

// ExpectWord: all operators with the word w, on either side, are those with an integer.
template <class T>
void ExpectWord(const integer &a, T w) {
    const integer b(w);
    EXPECT_EQ(a + w, a + b);
    EXPECT_EQ(integer(a) - w, a - b);
    EXPECT_EQ(a * w, a * b);
    EXPECT_EQ(w + a, b + a);
    EXPECT_EQ(w - a, b - a);
    EXPECT_EQ(w * integer(a), b * a);
    EXPECT_EQ(a & w, a & b);
    EXPECT_EQ(w | a, b | a);
    EXPECT_EQ(a ^ w, a ^ b);
    if (w != 0) {
        EXPECT_EQ(a / w, a / b);
        EXPECT_EQ(a % w, a % b);
        integer c = a, d = a;
        EXPECT_EQ(c /= w, a / b);
        EXPECT_EQ(d %= w, a % b);
    } else {
        EXPECT_THROW(a / w, longmul::error);
        EXPECT_THROW(a % w, longmul::error);
    }
    if (a != 0) {
        EXPECT_EQ(w / a, b / a);
        EXPECT_EQ(w % a, b % a);
    }
    EXPECT_EQ(a == w, a == b);
    EXPECT_EQ(w != a, b != a);
    EXPECT_EQ(a < w, a < b);
    EXPECT_EQ(w < a, b < a);
    EXPECT_EQ(a >= w, a >= b);
    EXPECT_EQ(w > a, b > a);
    EXPECT_EQ(a <= w, !(a > w));
    EXPECT_EQ(b.fits<T>(), true);
    EXPECT_EQ(static_cast<T>(b), w);
}

// Mutations: a signed word taken as unsigned; the least word negated in its own type.
TEST(Integer, Words) {
    for (const integer &a : Values()) {
        for (const int64_t w : {INT64_MIN, INT64_MIN + 1, int64_t(-2), int64_t(-1), int64_t(0),
                                int64_t(1), int64_t(3), INT64_MAX}) {
            ExpectWord(a, w);
            ExpectWord(a, static_cast<uint64_t>(w));
            ExpectWord(a, static_cast<int>(w));
            ExpectWord(a, static_cast<unsigned short>(w));
            ExpectWord(a, static_cast<signed char>(w));
        }
    }
    EXPECT_EQ(true + 1_big, 2);
}

// Mutation: a bound of a type that is off by one.
TEST(Integer, Conversions) {
    EXPECT_EQ(static_cast<int64_t>(-9223372036854775808_big), INT64_MIN);
    EXPECT_EQ(static_cast<uint64_t>(18446744073709551615_big), UINT64_MAX);
    EXPECT_THROW(static_cast<uint64_t>(18446744073709551616_big), std::out_of_range);
    EXPECT_THROW(static_cast<uint64_t>(-1_big), std::out_of_range);
    EXPECT_THROW(static_cast<int64_t>(9223372036854775808_big), std::out_of_range);
    EXPECT_FALSE((128_big).fits<signed char>());
    EXPECT_TRUE((-128_big).fits<signed char>());
    EXPECT_TRUE(static_cast<bool>(2_big));
    EXPECT_FALSE(static_cast<bool>(integer()));
}

// Mutations: shifts of negative numbers that round toward zero; a wrong order of signs.
TEST(Integer, ShiftsSignsOrder) {
    for (const integer &a : Values()) {
        const gmp x(a);
        for (const unsigned k : {0u, 1u, 63u, 64u, 65u, 200u}) {
            gmp left, right;
            mpz_mul_2exp(left.z, x.z, k);
            mpz_fdiv_q_2exp(right.z, x.z, k);
            ExpectSame(a << k, left);
            ExpectSame(a >> k, right);
            EXPECT_EQ(a.bit(k), mpz_tstbit(x.z, k) != 0);
        }
        EXPECT_EQ(a.sign(), mpz_sgn(x.z));
        EXPECT_EQ(~a, -a - 1);
        EXPECT_EQ(+a, a);
        EXPECT_EQ(abs(a), a < 0 ? -a : a);
        integer b = a;
        EXPECT_EQ(b++, a);
        EXPECT_EQ(--b, a);
        EXPECT_EQ(++b, a + 1);
        EXPECT_EQ(b--, a + 1);
        for (const integer &c : Values()) {
            const gmp y(c);
            const int order = mpz_cmp(x.z, y.z);
            EXPECT_EQ(a < c, order < 0);
            EXPECT_EQ(a <= c, order <= 0);
            EXPECT_EQ(a == c, order == 0);
            EXPECT_EQ(std::hash<integer>()(a) == std::hash<integer>()(c), order == 0);
        }
    }
    EXPECT_THROW(1_big << -1, std::invalid_argument);
}

// Mutation: a moved-from integer that shares its limbs.
TEST(Integer, CopiesMoves) {
    integer a = 1_big << 1000, b = a, c = std::move(a);
    EXPECT_EQ(b, c);
    a = 5;
    b = std::move(c);
    c = b;
    EXPECT_EQ(a, 5);
    EXPECT_EQ(c, 1_big << 1000);
    c = *&c;
    EXPECT_EQ(c, b);
    swap(a, b);
    EXPECT_EQ(b, 5);
    const std::unordered_set<integer> set = {a, b, c, 5_big};
    EXPECT_EQ(set.size(), 2u);
    EXPECT_EQ((std::map<integer, int>{{3_big, 1}, {-3_big, 2}}).begin()->second, 2);
}

TEST(Integer, Functions) {
    for (const integer &a : Values()) {
        for (const integer &b : {integer(0), integer(1), integer(-12), integer(1) << 77, a * 3}) {
            const gmp x(a), y(b);
            gmp g, s, t;
            mpz_gcdext(g.z, s.z, t.z, x.z, y.z);
            ExpectSame(gcd(a, b), g);
            const longmul::gcd_cofactors all = gcdext(a, b);
            ExpectSame(all.s, s);
            ExpectSame(all.t, t);
            mpz_lcm(g.z, x.z, y.z);
            ExpectSame(lcm(a, b), g);
            EXPECT_EQ(kronecker(a, b), mpz_kronecker(x.z, y.z));
            if (b == 0) {
                continue;
            }
            mpz_fdiv_qr(s.z, t.z, x.z, y.z);
            ExpectSame(floor_divmod(a, b).quotient, s);
            ExpectSame(floor_divmod(a, b).remainder, t);
            mpz_cdiv_qr(s.z, t.z, x.z, y.z);
            ExpectSame(ceil_divmod(a, b).quotient, s);
            ExpectSame(ceil_divmod(a, b).remainder, t);
            EXPECT_EQ(divmod(a, b).quotient * b + divmod(a, b).remainder, a);
            mpz_mod(t.z, x.z, y.z);
            ExpectSame(mod(a, b), t);
            EXPECT_EQ(divexact(a * b, b), a);
            EXPECT_EQ(divisible(a, b), mpz_divisible_p(x.z, y.z) != 0);
            EXPECT_EQ(invert(a, b).has_value(), mpz_invert(t.z, x.z, y.z) != 0);
            mpz_powm_ui(t.z, x.z, 77, y.z);
            ExpectSame(powm(a, 77, b), t);
            EXPECT_EQ(mod(powm(a * b + 1, -3, b) - 1, b), 0);
        }
        const gmp x(a);
        gmp s, r;
        mpz_pow_ui(s.z, x.z, 7);
        ExpectSame(pow(a, 7), s);
        EXPECT_EQ(root(pow(a, 7), 7), a);
        EXPECT_EQ(is_prime(a), a > 0 && mpz_probab_prime_p(x.z, 30) != 0);
        if (a >= 0) {
            mpz_sqrtrem(s.z, r.z, x.z);
            ExpectSame(sqrt(a), s);
            ExpectSame(sqrtrem(a).remainder, r);
            EXPECT_EQ(popcount(a), mpz_popcount(x.z));
            EXPECT_TRUE(is_square(sqr(a)));
        } else {
            EXPECT_THROW(sqrt(a), longmul::error);
        }
    }
    EXPECT_EQ(longmul::factorial(20), 2432902008176640000);
    EXPECT_EQ(longmul::binomial(10, 4), 210);
    EXPECT_EQ(longmul::primorial(11), 2310);
    EXPECT_EQ(longmul::fibonacci(90), 2880067194370816120);
    EXPECT_EQ(longmul::lucas(5), 11);
    EXPECT_EQ(next_prime(100_big), 101);
    EXPECT_TRUE(is_power(27_big));
}

// Mutations: the scope's context stays; a context of another thread; stop that ends nothing.
TEST(Contexts, ScopesAndThreads) {
    bigint_ctx_options options = {};
    options.threads = 2;
    longmul::context two(options);
    bigint_ctx *const own = longmul::current_context();
    const integer a = longmul::pow(3, 200000);
    {
        longmul::use_context scope(two);
        EXPECT_EQ(longmul::current_context(), two.get());
        EXPECT_EQ(a * a, longmul::pow(9, 200000));
        two.stop();
        try {
            (void)(a * a);
            ADD_FAILURE();
        } catch (const longmul::error &failure) {
            EXPECT_EQ(failure.status(), BIGINT_ECANCELED);
        }
        two.resume();
    }
    EXPECT_EQ(longmul::current_context(), own);
    integer b;
    std::thread([&] { b = a * a; }).join();
    EXPECT_EQ(b, sqr(a));
    options.engine = "none such";
    EXPECT_THROW(longmul::context{options}, longmul::error);
}

const integer lives_longer = 1_big << 300;  // than the main thread's context

}  // namespace
