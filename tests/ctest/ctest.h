// GoogleTest for test bodies written in C11: registration, comparisons, traces, tables of cases.
// Holds the macros that a test file uses; ctest_shim.cc is the C++ side. Includes no other header
// of the project.
//
// TEST(Suite, Name) { ... }          one test; the body is a C function returning void
// TEST_EACH(Suite, Name, T, table, label) { ... p ... }
//                                    one test for each element of a static array; the body gets
//                                    `const T *p`; label(char *buf, size_t cap, const T *p) names
//                                    it
// EXPECT_* records a failure and goes on; ASSERT_* records it and returns from the test body, so it
// stands only in functions returning void.
// EXPECT_EQ compares integers (the type of the first operand decides signedness), doubles for exact
// equality, and strings by content. Registration needs the object linked: keep test bodies in the
// srcs of their cc_test.
#ifndef TESTS_CTEST_CTEST_H_
#define TESTS_CTEST_CTEST_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef void (*ct_body)(void *arg);

// ct_register adds a test named suite.name, or suite.name/param when param is not NULL.
void ct_register(const char *suite, const char *name, const char *param, const char *file, int line,
                 ct_body body, void *arg);

// ct_fail records a failure at file:line; fatal only marks it so, the caller returns.
void ct_fail(const char *file, int line, int fatal, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

// ct_skip marks the running test as skipped; the caller returns.
void ct_skip(const char *file, int line, const char *why);

// ct_record writes key = value into the test's XML record.
void ct_record(const char *key, long value);

// ct_eq_* return 1 when the values are equal, otherwise record both with their expressions.
int ct_eq_u64(const char *file, int line, const char *ea, const char *eb, uint64_t a, uint64_t b);
int ct_eq_i64(const char *file, int line, const char *ea, const char *eb, int64_t a, int64_t b);
int ct_eq_f64(const char *file, int line, const char *ea, const char *eb, double a, double b);
int ct_eq_str(const char *file, int line, const char *ea, const char *eb, const char *a,
              const char *b);

// ct_eq_limbs compares a[0..n) with b[0..n) and records the first and the last limb that differ.
int ct_eq_limbs(const char *file, int line, const char *ea, const char *eb, const uint64_t *a,
                const uint64_t *b, size_t n);

// ct_failures_of runs body and returns how many failures it recorded, keeping them from the running
// test: a check is tested by what it refuses.
size_t ct_failures_of(ct_body body, void *arg);

// ct_trace_push adds a line to every failure until ct_trace_pop; SCOPED_TRACE pairs them.
void *ct_trace_push(const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void ct_trace_pop(void **trace);

#ifdef __cplusplus
}
#else

#define CT_CAT_(a, b) a##b
#define CT_CAT(a, b) CT_CAT_(a, b)

#define TEST(suite, name)                                                                  \
    static void suite##_##name##_body(void *ct_arg);                                       \
    __attribute__((constructor)) static void suite##_##name##_register(void) {             \
        ct_register(#suite, #name, NULL, __FILE__, __LINE__, suite##_##name##_body, NULL); \
    }                                                                                      \
    static void suite##_##name##_body(void *ct_arg __attribute__((unused)))

#define TEST_EACH(suite, name, type, table, label)                                         \
    static void suite##_##name##_case(const type *p);                                      \
    static void suite##_##name##_body(void *ct_arg) {                                      \
        suite##_##name##_case((const type *)ct_arg);                                       \
    }                                                                                      \
    __attribute__((constructor)) static void suite##_##name##_register(void) {             \
        for (size_t ct_i = 0; ct_i < sizeof(table) / sizeof((table)[0]); ct_i++) {         \
            char ct_name[96];                                                              \
            label(ct_name, sizeof ct_name, &(table)[ct_i]);                                \
            ct_register(#suite, #name, ct_name, __FILE__, __LINE__, suite##_##name##_body, \
                        (void *)(uintptr_t) & (table)[ct_i]);                              \
        }                                                                                  \
    }                                                                                      \
    static void suite##_##name##_case(const type *p)

#define CT_EQ(a, b) \
    _Generic((a), char *                                                                         \
             : ct_eq_str, const char *                                                           \
             : ct_eq_str, float                                                                  \
             : ct_eq_f64, double                                                                 \
             : ct_eq_f64, unsigned                                                               \
             : ct_eq_u64, unsigned long                                                          \
             : ct_eq_u64, unsigned long long                                                     \
             : ct_eq_u64, default                                                                \
             : ct_eq_i64)(__FILE__, __LINE__, #a, #b, (a), (b))

#define CT_TRUE(c, fatal) \
    ((c) ? 1 : (ct_fail(__FILE__, __LINE__, fatal, "Expected to hold: %s", #c), 0))

#define EXPECT_EQ(a, b) ((void)CT_EQ(a, b))
#define EXPECT_TRUE(c) ((void)CT_TRUE(c, 0))
#define EXPECT_FALSE(c) EXPECT_TRUE(!(c))
#define EXPECT_LIMBS_EQ(a, b, n) ((void)ct_eq_limbs(__FILE__, __LINE__, #a, #b, (a), (b), (n)))

#define CT_OR_RETURN(ok) \
    do {                 \
        if (!(ok)) {     \
            return;      \
        }                \
    } while (0)

#define ASSERT_EQ(a, b) CT_OR_RETURN(CT_EQ(a, b))
#define ASSERT_TRUE(c) CT_OR_RETURN(CT_TRUE(c, 1))
#define ASSERT_FALSE(c) ASSERT_TRUE(!(c))
#define ASSERT_LIMBS_EQ(a, b, n) \
    CT_OR_RETURN(ct_eq_limbs(__FILE__, __LINE__, #a, #b, (a), (b), (n)))

#define FAIL(...)                                    \
    do {                                             \
        ct_fail(__FILE__, __LINE__, 1, __VA_ARGS__); \
        return;                                      \
    } while (0)

#define SKIP(why)                         \
    do {                                  \
        ct_skip(__FILE__, __LINE__, why); \
        return;                           \
    } while (0)

// SCOPED_TRACE("n = %zu", n) adds that line to every failure up to the end of the block.
#define SCOPED_TRACE(...)                                                              \
    __attribute__((cleanup(ct_trace_pop), unused)) void *CT_CAT(ct_trace_, __LINE__) = \
        ct_trace_push(__FILE__, __LINE__, __VA_ARGS__)

#endif
#endif  // TESTS_CTEST_CTEST_H_
