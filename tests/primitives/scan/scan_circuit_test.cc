// scan_circuit_test.cc: the circuits of the scan as what their headers say: every tile gets the
// product of all tiles up to it, in order, by so many operations, so deep, from words that are
// written once. In C++, because the circuits are.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "primitives/scan/brent_kung.cuh"
#include "primitives/scan/han_carlson.cuh"
#include "primitives/scan/kogge_stone.cuh"
#include "primitives/scan/ladner_fischer.cuh"
#include "primitives/scan/monoid.cuh"

namespace {

struct Counts {
    uint64_t operations, depth, written, fan_out;
};

// Runs the circuit over tiles that hold a letter each, the lowest tile first, as a device may.
template <class Circuit>
Counts Simulate(uint32_t tiles) {
    struct Word {
        std::string value;
        uint64_t depth, reads;
    };
    const unsigned levels = ScanCircuit<Sum<uint32_t>, Circuit>::Levels(tiles);
    std::vector<Word> words(Circuit::Words(tiles, levels), {"", 0, 0});
    Counts counts = {};
    std::string all;
    EXPECT_LE(levels, kWarp);
    for (uint32_t tile = 0; tile < tiles; tile++) {
        std::string value(1, (char)('a' + tile % 26));
        uint64_t depth = 0;
        all += value;
        for (unsigned level = 0; level <= levels; level++) {
            if (Circuit::Publishes(tile, level, levels)) {
                const uint32_t at = Circuit::Word(tile, level, levels);
                EXPECT_LT(at, words.size());
                EXPECT_EQ(words.at(at).value, "");
                words.at(at) = {value, depth, 0};
                counts.written++;
            }
            const int64_t source = level < levels ? Circuit::Source(tile, level, levels) : -1;
            if (source < 0 || source == tile) {
                continue;
            }
            EXPECT_LT(source, tile);
            Word &word =
                words.at(Circuit::Word((uint32_t)source, Circuit::At(level, levels), levels));
            EXPECT_NE(word.value, "");
            value = word.value + value;
            depth = std::max(depth, word.depth) + 1;
            counts.fan_out = std::max(counts.fan_out, ++word.reads);
            counts.operations++;
        }
        EXPECT_EQ(value, all);
        counts.depth = std::max(counts.depth, depth);
    }
    return counts;
}

// Catches a source of the wrong tile or level, a word that two values share, a value that is read
// and never published, and tiles whose number is no power of two.
template <class Circuit>
void EveryNumber() {
    for (uint32_t tiles = 1; tiles < 140; tiles++) {
        SCOPED_TRACE(tiles);
        Simulate<Circuit>(tiles);
    }
}

TEST(ScanCircuit, EveryNumberOfTiles) {
    EveryNumber<KoggeStoneCircuit>();
    EveryNumber<LadnerFischerCircuit>();
    EveryNumber<BrentKungCircuit>();
    EveryNumber<HanCarlsonCircuit>();
}

// Catches a circuit that is another one, or costs that are stated wrong.
TEST(ScanCircuit, CostsWhatItsHeaderSays) {
    for (uint64_t log = 3; log <= 10; log++) {
        const uint64_t tiles = uint64_t{1} << log;
        SCOPED_TRACE(tiles);
        const Counts ks = Simulate<KoggeStoneCircuit>((uint32_t)tiles);
        EXPECT_EQ(ks.operations, tiles * log - (tiles - 1));
        EXPECT_EQ(ks.depth, log);
        EXPECT_EQ(ks.fan_out, 1u);
        const Counts lf = Simulate<LadnerFischerCircuit>((uint32_t)tiles);
        EXPECT_EQ(lf.operations, tiles / 2 * log);
        EXPECT_EQ(lf.depth, log);
        EXPECT_EQ(lf.fan_out, tiles / 2);
        EXPECT_LE(lf.written, tiles);
        const Counts bk = Simulate<BrentKungCircuit>((uint32_t)tiles);
        EXPECT_EQ(bk.operations, 2 * tiles - 2 - log);
        EXPECT_EQ(bk.depth, 2 * log - 2);
        EXPECT_LE(bk.fan_out, log);
        EXPECT_LE(bk.written, 3 * tiles / 2);
        const Counts hc = Simulate<HanCarlsonCircuit>((uint32_t)tiles);
        EXPECT_EQ(hc.operations, tiles / 2 * log);
        EXPECT_EQ(hc.depth, log + 1);
        EXPECT_EQ(hc.fan_out, 1u);
        EXPECT_LE(hc.written + hc.operations, tiles * (log + 1));
    }
}

}  // namespace
