// The C++ side of ctest.h: registers C bodies with GoogleTest and reports through its macros.
#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <cinttypes>
#include <cstdarg>
#include <cstdio>
#include <string>

#include "tests/ctest/ctest.h"

namespace {

class CTestCase : public ::testing::Test {
   public:
    CTestCase(ct_body body, void *arg) : body_(body), arg_(arg) {}
    void TestBody() override { body_(arg_); }

   private:
    ct_body body_;
    void *arg_;
};

std::string Format(const char *format, va_list args) {
    va_list again;
    va_copy(again, args);
    const int length = vsnprintf(nullptr, 0, format, again);
    va_end(again);
    std::string text(length > 0 ? static_cast<size_t>(length) : 0, '\0');
    if (length > 0) {
        vsnprintf(&text[0], text.size() + 1, format, args);
    }
    return text;
}

int Report(const char *file, int line, const ::testing::AssertionResult &result) {
    if (!result) {
        ADD_FAILURE_AT(file, line) << result.failure_message();
    }
    return result ? 1 : 0;
}

}  // namespace

// EqHelper and CmpHelperSTREQ are what EXPECT_EQ and EXPECT_STREQ expand to; GoogleTest offers no
// public form that takes the expressions' texts.
using ::testing::internal::CmpHelperSTREQ;
using ::testing::internal::EqHelper;

void ct_register(const char *suite, const char *name, const char *param, const char *file, int line,
                 ct_body body, void *arg) {
    const std::string full = param == nullptr ? name : std::string(name) + "/" + param;
    ::testing::RegisterTest(
        suite, full.c_str(), nullptr, nullptr, file, line,
        [body, arg]() -> ::testing::Test * { return new CTestCase(body, arg); });
}

void ct_fail(const char *file, int line, int fatal, const char *format, ...) {
    va_list args;
    va_start(args, format);
    const std::string text = Format(format, args);
    va_end(args);
    if (fatal) {
        GTEST_MESSAGE_AT_(file, line, text.c_str(), ::testing::TestPartResult::kFatalFailure);
    } else {
        ADD_FAILURE_AT(file, line) << text;
    }
}

void ct_skip(const char *file, int line, const char *why) {
    GTEST_MESSAGE_AT_(file, line, why, ::testing::TestPartResult::kSkip);
}

void ct_record(const char *key, long value) {
    ::testing::Test::RecordProperty(key, std::to_string(value));
}

int ct_eq_u64(const char *file, int line, const char *ea, const char *eb, uint64_t a, uint64_t b) {
    return Report(file, line, EqHelper::Compare(ea, eb, a, b));
}

int ct_eq_i64(const char *file, int line, const char *ea, const char *eb, int64_t a, int64_t b) {
    return Report(file, line, EqHelper::Compare(ea, eb, a, b));
}

int ct_eq_f64(const char *file, int line, const char *ea, const char *eb, double a, double b) {
    return Report(file, line, EqHelper::Compare(ea, eb, a, b));
}

int ct_eq_str(const char *file, int line, const char *ea, const char *eb, const char *a,
              const char *b) {
    return Report(file, line, CmpHelperSTREQ(ea, eb, a, b));
}

int ct_eq_limbs(const char *file, int line, const char *ea, const char *eb, const uint64_t *a,
                const uint64_t *b, size_t n) {
    size_t first = 0;
    while (first < n && a[first] == b[first]) {
        first++;
    }
    if (first == n) {
        return 1;
    }
    size_t last = n - 1;
    while (a[last] == b[last]) {
        last--;
    }
    char text[320];
    snprintf(text, sizeof text,
             " differ in their %zu limbs:\n"
             "  first, limb %zu: 0x%016" PRIx64 " and 0x%016" PRIx64
             "\n  last,  limb %zu: 0x%016" PRIx64 " and 0x%016" PRIx64,
             n, first, a[first], b[first], last, a[last], b[last]);
    ADD_FAILURE_AT(file, line) << ea << " and " << eb << text;
    return 0;
}

size_t ct_failures_of(ct_body body, void *arg) {
    using Reporter = ::testing::ScopedFakeTestPartResultReporter;
    ::testing::TestPartResultArray results;
    {
        const Reporter reporter(Reporter::INTERCEPT_ONLY_CURRENT_THREAD, &results);
        body(arg);
    }
    size_t failures = 0;
    for (int i = 0; i < results.size(); i++) {
        failures += results.GetTestPartResult(i).failed() ? 1 : 0;
    }
    return failures;
}

void *ct_trace_push(const char *file, int line, const char *format, ...) {
    va_list args;
    va_start(args, format);
    const std::string text = Format(format, args);
    va_end(args);
    return new ::testing::ScopedTrace(file, line, text);
}

void ct_trace_pop(void **trace) { delete static_cast<::testing::ScopedTrace *>(*trace); }
