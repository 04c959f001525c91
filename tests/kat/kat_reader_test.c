// The reader of known answers: what it accepts and, more to the point, what it does not.
#include "tests/kat/kat_reader.h"

#include <string.h>

#include "tests/ctest/ctest.h"

TEST(KatReader, ReadsBlocks) {
    char text[] =
        "# title\n\nOperation = Product\nA = 1\n# inside\nB = -2f\n\n\n\nOperation = Sum\nA = 3";
    kat_reader k = kat_open(text);
    EXPECT_EQ(kat_next(&k), "Product");
    EXPECT_EQ(kat_take(&k, "B"), "-2f");
    EXPECT_EQ(kat_take(&k, "A"), "1");
    EXPECT_EQ(kat_next(&k), "Sum");
    EXPECT_EQ(kat_take(&k, "A"), "3");
    EXPECT_TRUE(kat_next(&k) == NULL);
    EXPECT_EQ(k.error, "");
    EXPECT_TRUE(kat_next(&k) == NULL);
}

typedef struct {
    const char *text, *error;
} bad;
static const bad bads[] = {
    {"Operation = P\nA = 1\nB = 2\n", "line 1: attribute B is of no use to P"},
    {"Operation = P\nB = 1\n", "line 1: P has no attribute A"},
    {"\n\nOperation = P\nA = 1\nA = 1\n", "line 3: attribute A stands twice"},
    {"Operation = P\nA 1\n", "line 1: 'A 1' is not of the form"},
    {"Operation = P\nA = \n", "line 1: 'A = ' is not of the form"},
    {"A = 1\n", "line 1: the block does not begin with Operation"},
    {"Operation = P\nA = 1\n\nA = 5\n", "line 4: the block does not begin with Operation"},
    {"Operation = P\nA = 1\nC = 1\nD = 1\nE = 1\nF = 1\nG = 1\nH = 1\nI = 1\n", "more than 8"},
};

// Mutations: each rule that is not enforced; an error that a later one hides.
TEST(KatReader, RejectsTheRest) {
    for (size_t i = 0; i < sizeof bads / sizeof bads[0]; i++) {
        SCOPED_TRACE("text %zu", i);
        char text[200];
        strcpy(text, bads[i].text);
        kat_reader k = kat_open(text);
        while (kat_next(&k) != NULL) {
            kat_take(&k, "A");
        }
        EXPECT_TRUE(strstr(k.error, bads[i].error) != NULL);
        EXPECT_EQ(k.error[0] == 0, 0);
    }
}
