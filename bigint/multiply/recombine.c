// recombine.c: see recombine.h.
//
// Every range starts at a multiple of RECOMBINE_BLOCK = 512 coefficients, so its first bit, 512 w
// i, is the first bit of a limb; it begins with carry 0. What it carries out is below 2^(64 words +
// 1 - w) (carry/carry.h) and is added to the limbs after it when all ranges are done. A ripple ends
// after a limb or two unless the limbs are all ones. A carry beyond the last range's limbs joins
// that range's stream. That stream is then the same as with one range; the surplus is taken off and
// the rest is written.
#include "bigint/multiply/recombine.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

#include "carry/carry.h"
#include "primitives/limbs/limbs.h"
#include "primitives/words/word.h"

enum { RANGES_MAX = 64, RANGES_PER_THREAD = 4 };

typedef struct {
    const recombine_source *source;
    uint64_t *rp;
    uint64_t rn;
    uint64_t range;  // coefficients to a range, a multiple of RECOMBINE_BLOCK
    uint64_t end;    // of the limbs that the last range wrote; rn of them at most
    unsigned w, k;   // limbs from radix 2^w, or digits of base 10^k
    carry_stream out[RANGES_MAX];
} recombination;

static size_t carry(const recombination *r, uint64_t *rp, carry_stream *s, const uint64_t *c,
                    size_t n) {
    const recombine_source *const source = r->source;
    return source->words == 1 ? source->columns(rp, s, c, n, r->w)
                              : carry_pow2(rp, s, c, n, source->words, r->w);
}

// write_limbs: the limbs of one block, as many as fit; beyond the number's end they are zero.
static uint64_t write_limbs(const recombination *r, uint64_t *rp, uint64_t room, carry_stream *s,
                            const uint64_t *c, size_t n) {
    const uint64_t limbs = (s->filled + (uint64_t)n * r->w) / 64;
    if (limbs <= room) {
        return carry(r, rp, s, c, n);
    }
    uint64_t all[RECOMBINE_BLOCK + 1];
    carry(r, all, s, c, n);
    assert(r->source->doubtful || limbs_normalize(all + room, limbs - room) == 0);
    memcpy(rp, all, room * sizeof *rp);
    return room;
}

// range_end: the end of the range that starts at `begin`.
static uint64_t range_end(const recombination *r, uint64_t begin) {
    const uint64_t count = r->source->count;
    return count - begin <= r->range ? count : begin + r->range;
}

// read_block: the block of coefficients from `first` on; returns how many.
static size_t read_block(uint64_t *c, const recombination *r, uint64_t first, uint64_t end) {
    const size_t n = end - first < RECOMBINE_BLOCK ? (size_t)(end - first) : RECOMBINE_BLOCK;
    r->source->read(c, r->source->from, first, n);
    return n;
}

// settle: takes the surplus off the stream after the last coefficient; the rest is exact.
static void settle(const recombination *r, carry_stream *s) {
    const uint64_t lost = limbs_sub_1(s->carry, s->carry, CARRY_WORDS_MAX + 1, r->source->surplus);
    assert(r->source->doubtful || lost == 0);
    if (lost != 0) {
        memset(s->carry, 0, sizeof s->carry);  // the number is wrong; keep the stream valid
    }
}

static void limbs_range(void *arg, size_t index, unsigned worker) {
    (void)worker;
    recombination *const r = arg;
    const uint64_t begin = index * r->range, end = range_end(r, begin);
    const bool last = end == r->source->count;
    uint64_t c[RECOMBINE_BLOCK * RECOMBINE_WORDS_MAX];
    uint64_t at = begin / 64 * r->w;
    const uint64_t limit = last ? r->rn : end / 64 * r->w;
    assert(at <= limit);
    carry_stream s = CARRY_STREAM_INIT;
    for (uint64_t i = begin; i < end; i += RECOMBINE_BLOCK) {
        const size_t n = read_block(c, r, i, end);
        at += write_limbs(r, r->rp + at, limit - at, &s, c, n);
    }
    if (last) {
        r->end = at;
    }
    r->out[index] = s;
}

static void digits_range(void *arg, size_t index, unsigned worker) {
    (void)worker;
    recombination *const r = arg;
    const uint64_t begin = index * r->range, end = range_end(r, begin);
    uint64_t c[RECOMBINE_BLOCK * RECOMBINE_WORDS_MAX];
    carry_stream s = CARRY_STREAM_INIT;
    for (uint64_t i = begin; i < end; i += RECOMBINE_BLOCK) {
        const size_t n = read_block(c, r, i, end);
        carry_pow10(r->rp + i, &s, c, n, r->source->words, r->k);
    }
    if (end == r->source->count) {
        settle(r, &s);
    }
    r->out[index] = s;
}

// run: all ranges, or one for `whole`; returns their number.
static size_t run(recombination *r, team_task task, bool whole) {
    const uint64_t blocks = word_ceil_div(r->source->count, RECOMBINE_BLOCK);
    const unsigned threads = team_size(r->source->team);
    whole = whole || threads == 1;
    uint64_t wanted = whole ? 1 : (uint64_t)threads * RANGES_PER_THREAD;
    wanted = wanted < RANGES_MAX ? wanted : RANGES_MAX;
    r->range = word_ceil_div(blocks, wanted) * RECOMBINE_BLOCK;
    const size_t ranges = (size_t)word_ceil_div(r->source->count, r->range);
    team_run(r->source->team, task, r, ranges);
    return ranges;
}

void recombine_limbs(uint64_t *rp, uint64_t rn, const recombine_source *source, unsigned w) {
    recombination r = {.source = source, .rp = rp, .rn = rn, .w = w};
    const size_t ranges = run(&r, limbs_range, false);
    carry_stream *const last = &r.out[ranges - 1];
    for (size_t i = 0; i + 1 < ranges; i++) {
        const uint64_t at = (i + 1) * r.range / 64 * w;
        carry_join_pow2(rp + at, r.end - at, last, &r.out[i]);
    }
    settle(&r, last);
    const int lost = carry_pow2_flush(rp + r.end, (size_t)(rn - r.end), last);
    assert(source->doubtful || lost == 0);
    (void)lost;
}

void recombine_decimal(uint64_t *digits, const recombine_source *source, unsigned k) {
    recombination r = {.source = source, .rp = digits, .k = k};
    // the surplus needs the carries of all digits before it, so digits with a surplus are one range
    const size_t ranges = run(&r, digits_range, source->surplus > 0);
    for (size_t i = 0; i + 1 < ranges; i++) {
        const uint64_t at = (i + 1) * r.range;
        carry_join_pow10(digits + at, source->count - at, &r.out[i], k);
    }
}
