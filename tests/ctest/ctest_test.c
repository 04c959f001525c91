// Tests of the shim itself: what passes, what a table registers, what a trace leaves behind.
#include "tests/ctest/ctest.h"

#include <stdio.h>
#include <string.h>

// Catches a comparison that converts to a narrower type or drops the sign.
TEST(Ctest, ComparesByType) {
    uint64_t big = UINT64_MAX;
    int negative = -1;
    EXPECT_EQ(big, UINT64_MAX);
    EXPECT_EQ(negative, -1);
    EXPECT_EQ(0.5, 0.5);
    char text[] = "limb";
    EXPECT_EQ(text, "limb");
    EXPECT_TRUE(big > 0);
    EXPECT_FALSE(negative == 1);
}

// Catches a limb comparison that reads past n or stops early.
TEST(Ctest, ComparesLimbs) {
    const uint64_t a[3] = {1, 2, 3};
    const uint64_t b[3] = {1, 2, 4};
    EXPECT_LIMBS_EQ(a, b, 2);
    EXPECT_LIMBS_EQ(a, b, 0);
}

typedef struct {
    const char *name;
    size_t length;
} word_case;

static const word_case words[] = {{"limb", 4}, {"digit", 5}};

static void word_label(char *buf, size_t cap, const word_case *p) {
    snprintf(buf, cap, "%s", p->name);
}

// Catches a table of which only one element, or the wrong one, reaches its body.
TEST_EACH(Ctest, Table, word_case, words, word_label) {
    SCOPED_TRACE("word %s", p->name);
    EXPECT_EQ(strlen(p->name), p->length);
}

static void four_failures(void *arg) {
    const uint64_t a[3] = {1, 2, 3}, b[3] = {1, 2, 4};
    EXPECT_EQ(1, 2);
    EXPECT_EQ(0.5, 0.25);
    EXPECT_EQ("limb", "digit");
    EXPECT_LIMBS_EQ(a, b, 3);
    SCOPED_TRACE("never seen: %d", 1);
    *(int *)arg = 1;
}

static void stops_early(void *arg) {
    ASSERT_TRUE(arg == NULL);
    *(int *)arg = 1;
}

// Catches a comparison that accepts everything, an EXPECT that returns and an ASSERT that does not.
TEST(Ctest, RefusesWhatIsWrong) {
    int reached = 0;
    EXPECT_EQ(ct_failures_of(four_failures, &reached), 4);
    EXPECT_EQ(reached, 1);
    reached = 0;
    EXPECT_EQ(ct_failures_of(stops_early, &reached), 1);
    EXPECT_EQ(reached, 0);
}
