// carry_monoid_test.c: the carry functions against their meaning, exhaustively.
#include "carry/monoid.h"

#include "tests/ctest/ctest.h"

static const carry_state states[] = {CARRY_KILL, CARRY_PROPAGATE, CARRY_GENERATE};

// Catches: operands of the composition exchanged, a wrong entry of the table.
TEST(CarryMonoid, ComposesAsFunctions) {
    for (int f = 0; f < 3; f++) {
        for (int g = 0; g < 3; g++) {
            const carry_state both = carry_compose(states[f], states[g]);
            for (unsigned c = 0; c < 2; c++) {
                EXPECT_EQ(carry_apply(both, c), carry_apply(states[g], carry_apply(states[f], c)));
            }
        }
        EXPECT_EQ(carry_compose(states[f], CARRY_PROPAGATE), states[f]);
        EXPECT_EQ(carry_compose(CARRY_PROPAGATE, states[f]), states[f]);
    }
    EXPECT_TRUE(carry_compose(CARRY_KILL, CARRY_GENERATE) !=
                carry_compose(CARRY_GENERATE, CARRY_KILL));
}

// Catches: any change of the table that breaks the grouping freedom of a parallel scan.
TEST(CarryMonoid, IsAssociative) {
    for (int f = 0; f < 3; f++) {
        for (int g = 0; g < 3; g++) {
            for (int h = 0; h < 3; h++) {
                EXPECT_EQ(carry_compose(carry_compose(states[f], states[g]), states[h]),
                          carry_compose(states[f], carry_compose(states[g], states[h])));
            }
        }
    }
}

// The state of a position is what adding a carry to it does, for every radix and value in range.
// Catches: the bound 2 R - 2 or the comparison with R - 1 off by one.
TEST(CarryMonoid, StateIsWhatAPositionDoes) {
    for (int radix = 2; radix <= 16; radix++) {
        for (int t = 0; t <= 2 * radix - 2; t++) {
            const carry_state f = carry_state_of((t > radix - 1) - (t < radix - 1));
            for (int c = 0; c < 2; c++) {
                EXPECT_EQ(carry_apply(f, (unsigned)c), (unsigned)((t + c) / radix));
            }
        }
    }
}

static carry_map map_number(int i) { return carry_map_of(i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1); }

// Catches: a field of the packed table read at the wrong place, a composition in the wrong order.
TEST(CarryMap, ComposesAsFunctionsAndIsAssociative) {
    for (int f = 0; f < 27; f++) {
        const carry_map a = map_number(f);
        EXPECT_EQ(carry_map_compose(a, carry_map_identity()).image, a.image);
        EXPECT_EQ(carry_map_compose(carry_map_identity(), a).image, a.image);
        for (int g = 0; g < 27; g++) {
            const carry_map b = map_number(g), both = carry_map_compose(a, b);
            for (int c = -1; c <= 1; c++) {
                EXPECT_EQ(carry_map_apply(both, c), carry_map_apply(b, carry_map_apply(a, c)));
            }
            for (int h = 0; h < 27; h++) {
                const carry_map d = map_number(h);
                EXPECT_EQ(carry_map_compose(both, d).image,
                          carry_map_compose(a, carry_map_compose(b, d)).image);
            }
        }
    }
}

// A position holding t with -R < t <= 2 R - 2 carries floor((t + c) / R), which is in {-1, 0, 1}.
// Catches: rounding toward zero where the floor is meant.
TEST(CarryMap, OfAPositionStaysInRange) {
    for (int radix = 2; radix <= 16; radix++) {
        for (int t = -radix + 1; t <= 2 * radix - 2; t++) {
            int out[3];
            for (int c = -1; c <= 1; c++) {
                out[c + 1] = (t + c + 4 * radix) / radix - 4;
                EXPECT_TRUE(-1 <= out[c + 1] && out[c + 1] <= 1);
            }
            const carry_map f = carry_map_of(out[0], out[1], out[2]);
            for (int c = -1; c <= 1; c++) EXPECT_EQ(carry_map_apply(f, c), out[c + 1]);
        }
    }
}
