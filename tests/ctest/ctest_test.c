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
