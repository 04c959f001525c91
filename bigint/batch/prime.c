// prime.c: whether numbers are probably prime, by the test of Baillie, Pomerance, Selfridge and
// Wagstaff: divisions by small primes, the strong test to base 2, the strong Lucas test. The
// candidates of a batch go through each step together.
#include "bigint/batch/prime.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "bigint/batch/batch.h"
#include "bigint/batch/items.h"
#include "bigint/core/arena.h"
#include "bigint/core/names.h"
#include "bigint/core/tune.h"
#include "bigint/modular/montgomery_lanes.h"
#include "bigint/modular/prime.h"
#include "bigint/modular/residues.h"
#include "primitives/limbs/limbs.h"

// --- Small primes --------------------------------------------------------------------------------

// trial_word: the product of the odd primes from primes[begin] to primes[end - 1], below 2^64.
typedef struct {
    word_divisor divisor;
    uint32_t begin, end;
} trial_word;

typedef struct {
    uint32_t *primes;  // odd
    trial_word *words;
    uint64_t words_count;
} trial;

// trial_bound: a number with this many bits is divided by the primes below this. A prime p removes
// one candidate in p, and a power costs about as many divisions as there are bits. Bounds from 2 to
// 8 times the bits differ by less than 5 % on random numbers.
static uint64_t trial_bound(uint64_t bits) {
    enum { LEAST = 64, MOST = 1 << 15 };
    return bits < LEAST / 2 ? LEAST : bits < MOST / 2 ? 2 * bits : MOST;
}

// sieve: odd primes below bound to primes; returns how many. marks: bound bytes.
static uint32_t sieve(uint32_t *primes, unsigned char *marks, uint64_t bound) {
    uint32_t count = 0;
    memset(marks, 0, bound);
    for (uint64_t p = 3; p < bound; p += 2) {
        if (marks[p] == 0) {
            primes[count++] = (uint32_t)p;
            for (uint64_t q = p * p; q < bound; q += 2 * p) {
                marks[q] = 1;
            }
        }
    }
    return count;
}

// trial_words: room for the products of `count` primes: four primes below 2^15 always fit in a
// word.
static uint64_t trial_words(uint64_t count) { return count / 4 + 1; }

static void trial_need(work_need *w, uint64_t bits) {
    const uint64_t bound = trial_bound(bits);
    need_take(&w->host, bound);
    need_take(&w->host, bound / 2 * sizeof(uint32_t));
    need_take(&w->host, trial_words(prime_count_most(bound)) * sizeof(trial_word));
}

// trial_open makes words of the primes below the bound of the longest candidate.
static bigint_status trial_open(bigint_ctx *ctx, const char *who, trial *t, uint64_t bits) {
    const uint64_t bound = trial_bound(bits);
    unsigned char *const marks = arena_take(ctx, who, bound);
    t->primes = marks == NULL ? NULL : arena_take(ctx, who, bound / 2 * sizeof *t->primes);
    if (t->primes == NULL) {
        return BIGINT_ENOMEM;
    }
    const uint32_t count = sieve(t->primes, marks, bound);
    assert(count <= prime_count_most(bound));
    t->words = arena_take(ctx, who, trial_words(count) * sizeof *t->words);
    if (t->words == NULL) {
        return BIGINT_ENOMEM;
    }
    t->words_count = 0;
    for (uint32_t begin = 0, end; begin < count; begin = end) {
        uint64_t product = t->primes[begin], next;
        for (end = begin + 1; end < count; end++, product = next) {
            if (__builtin_mul_overflow(product, (uint64_t)t->primes[end], &next)) {
                break;
            }
        }
        assert(t->words_count < trial_words(count));
        t->words[t->words_count++] = (trial_word){word_divisor_of(product), begin, end};
    }
    return BIGINT_OK;
}

typedef enum { COMPOSITE, OPEN, PRIME } verdict;

// trial_divide: the verdict of the divisions on {p, n}, whose top limb is not 0 unless n = 0.
static verdict trial_divide(const trial *t, const odd_number *x) {
    if (x->n == 0 || (x->n == 1 && x->p[0] < 4)) {
        return x->n == 1 && x->p[0] >= 2 ? PRIME : COMPOSITE;
    }
    if ((x->p[0] & 1) == 0) {
        return COMPOSITE;
    }
    const uint64_t bound = trial_bound(odd_number_bits(x));
    for (uint64_t i = 0; i < t->words_count && t->primes[t->words[i].begin] < bound; i++) {
        const trial_word *const w = &t->words[i];
        const uint64_t rest = limbs_mod_by(x->p, x->n, &w->divisor);
        for (uint32_t k = w->begin; k < w->end; k++) {
            if (rest % t->primes[k] == 0) {
                return x->n == 1 && x->p[0] == t->primes[k] ? PRIME : COMPOSITE;
            }
        }
    }
    return x->n == 1 && x->p[0] < bound * bound ? PRIME : OPEN;  // bound < 2^32
}

// --- Steps ---------------------------------------------------------------------------------------

typedef struct {
    const char *who;
    const bigint_span *n;  // on the host
    const batch_prime_device *there;
    trial small;
    prime_test test;
    unsigned char *verdicts;  // one for each candidate
    uint64_t *left;           // candidates that are open
    residues_group *groups;   // of `left`
    uint64_t left_count, groups_count;
} job;

static odd_number candidate(const job *j, uint64_t i) {
    const batch_item x = batch_item_of(j->n, i);
    return (odd_number){x.p, limbs_normalize(x.p, x.n)};
}

// divide is a batch_task.
static bigint_status divide(bigint_ctx *ctx, void *arg, uint64_t i) {
    job *const j = arg;
    const odd_number x = candidate(j, i);
    (void)ctx;
    j->verdicts[i] = (unsigned char)trial_divide(&j->small, &x);
    return BIGINT_OK;
}

// test_group is a batch_task.
static bigint_status test_group(bigint_ctx *ctx, void *arg, uint64_t i) {
    const job *const j = arg;
    const uint64_t *const members = j->left + j->groups[i].begin;
    odd_number numbers[RESIDUES_MAX];
    unsigned passed = 0;
    for (unsigned k = 0; k < j->groups[i].count; k++) {
        numbers[k] = candidate(j, members[k]);
    }
    const bigint_status status = j->test(ctx, j->who, numbers, j->groups[i].count, &passed);
    for (unsigned k = 0; k < j->groups[i].count && status == BIGINT_OK; k++) {
        j->verdicts[members[k]] = (passed >> k & 1) != 0 ? OPEN : COMPOSITE;
    }
    return status;
}

// gather lists the open candidates and groups neighbours with the same number of digits.
static void gather(const bigint_ctx *ctx, job *j) {
    uint64_t begin = 0;
    size_t digits = 0;
    bool in_lanes = false;
    j->left_count = j->groups_count = 0;
    for (uint64_t i = 0; i < j->n->count; i++) {
        if (j->verdicts[i] != OPEN) {
            continue;
        }
        const odd_number x = candidate(j, i);
        const uint64_t bits = odd_number_bits(&x);
        if (montgomery_lanes_digits(bits) != digits) {
            residues_cut(j->groups, &j->groups_count, begin, j->left_count - begin, digits,
                         in_lanes);
            begin = j->left_count;
            digits = montgomery_lanes_digits(bits);
            in_lanes = residues_in_lanes(ctx, bits);
        }
        j->left[j->left_count++] = i;
    }
    residues_cut(j->groups, &j->groups_count, begin, j->left_count - begin, digits, in_lanes);
}

// longest_group: the group that takes the most memory, or nearly so.
static uint64_t longest_group(const job *j) {
    uint64_t longest = 0, most = 0;
    for (uint64_t i = 0; i < j->groups_count; i++) {
        const residues_group *const g = &j->groups[i];
        const uint64_t size = g->count * candidate(j, j->left[g->begin]).n;
        longest = size > most ? i : longest;
        most = size > most ? size : most;
    }
    return longest;
}

// run_test: one of the two tests for all candidates that are open.
static bigint_status run_test(bigint_ctx *ctx, job *j, prime_test test) {
    gather(ctx, j);
    j->test = test;
    return batch_items(ctx, j->who, test_group, j, j->groups_count, longest_group(j), 0);
}

// test_on_device: one of the tests, if enough candidates are open; otherwise *done = false.
static bigint_status test_on_device(bigint_ctx *ctx, job *j, unsigned test, bool *done) {
    const arena_mark mark = arena_get_mark(ctx);
    uint64_t count = 0, longest = 0;
    odd_number *const numbers = arena_take(ctx, j->who, j->n->count * sizeof *numbers);
    unsigned char *const passed = numbers == NULL ? NULL : arena_take(ctx, j->who, j->n->count);
    for (uint64_t i = 0; passed != NULL && i < j->n->count; i++) {
        if (j->verdicts[i] == OPEN) {
            numbers[count] = candidate(j, i);
            longest = numbers[count].n > longest ? numbers[count].n : longest;
            j->left[count++] = i;
        }
    }
    bigint_status status = passed == NULL ? BIGINT_ENOMEM : BIGINT_OK;
    const uint64_t least = (uint64_t)DEVICE_PRIME_LEAST * team_size(ctx->team);
    *done = count >= least && j->there->serves(64 * longest, 64 * longest);
    if (status == BIGINT_OK && *done) {
        status = j->there->tests[test](ctx, j->who, numbers, count, passed);
        for (uint64_t i = 0; i < count && status == BIGINT_OK; i++) {
            j->verdicts[j->left[i]] = passed[i] != 0 ? OPEN : COMPOSITE;
        }
    }
    arena_release(ctx, mark);
    return status;
}

static bigint_status run(bigint_ctx *ctx, job *j) {
    const uint64_t count = j->n->count;
    j->verdicts = arena_take(ctx, j->who, count);
    j->left = j->verdicts == NULL ? NULL : arena_take_limbs(ctx, j->who, count);
    j->groups = j->left == NULL ? NULL : arena_take(ctx, j->who, count * sizeof *j->groups);
    bigint_status status = j->groups == NULL
                               ? BIGINT_ENOMEM
                               : trial_open(ctx, j->who, &j->small, 64 * batch_longest(j->n));
    if (status == BIGINT_OK) {
        status = batch_items(ctx, j->who, divide, j, count, 0, 0);
    }
    const prime_test tests[] = {prime_strong_base_2, prime_strong_lucas};
    for (unsigned k = 0; k < 2 && status == BIGINT_OK; k++) {
        bool done = false;
        if (j->there != NULL) {
            status = test_on_device(ctx, j, k, &done);
        }
        if (status == BIGINT_OK && !done) {
            status = run_test(ctx, j, tests[k]);
        }
    }
    return status;
}

bigint_status batch_probable_prime(bigint_ctx *ctx, const char *who, unsigned char *prime,
                                   const bigint_span *n, const batch_prime_device *there) {
    job j = {.who = who, .n = n, .there = there};
    bigint_status status = run(ctx, &j);
    status = status == BIGINT_OK ? context_may_write(ctx) : status;
    for (uint64_t i = 0; i < n->count && status == BIGINT_OK; i++) {
        prime[i] = j.verdicts[i] != COMPOSITE;
    }
    return status;
}

// --- Plans ---------------------------------------------------------------------------------------

// test_need: what a group of these numbers needs.
typedef struct {
    uint64_t n;
    bool in_lanes;
} test_size;

static void test_need(work_need *w, const void *arg) {
    const test_size *const t = arg;
    prime_test_need(w, t->n, 1);
    if (t->in_lanes) {
        prime_test_need(w, t->n, RESIDUES_MAX);
    }
}

static void nothing(work_need *w, const void *arg) { (void)w, (void)arg; }

void batch_prime_need(work_need *w, uint64_t count, uint64_t n) {
    const uint64_t in_use = w->host.in_use;
    const test_size size = {n, count > 1 && residues_in_lanes(w->ctx, 64 * n)};
    if (count == 0 || n == 0) {
        return;
    }
    need_take(&w->host, count);
    need_take_limbs(&w->host, count);
    need_take(&w->host, count * sizeof(residues_group));
    trial_need(w, 64 * n);
    batch_items_need(w, nothing, NULL, count, 0);
    batch_items_need(w, test_need, &size, count, 0);
    need_release(&w->host, in_use);
}

void batch_prime_there_need(work_need *w, uint64_t count) {
    need_take(&w->host, count * sizeof(odd_number));
    need_take(&w->host, count);
}

int batch_prime_print(const bigint_ctx *ctx, char *buf, size_t cap, uint64_t count, uint64_t n) {
    const bool lanes = count > 1 && residues_in_lanes(ctx, 64 * n);
    return snprintf(
        buf, cap,
        "%s test of primality %s, %llu numbers of %llu limbs, primes below %llu, base 2 "
        "and Lucas, Montgomery products%s",
        names_backend(ctx->device.backend), ctx->limbs->name, (unsigned long long)count,
        (unsigned long long)n, (unsigned long long)trial_bound(64 * n),
        lanes ? " eight at once" : "");
}
