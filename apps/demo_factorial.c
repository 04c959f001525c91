// demo_factorial.c: a factorial by a product tree from word size up, on the library and on GMP. May
// include demo.h.
//
// The factors 2, 3, ..., n are packed in words: consecutive ones are multiplied while the product
// fits. The words are the leaves of a binary tree that is walked depth first, so that two numbers
// per depth are alive. One walk serves both libraries; they differ in three functions.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/demo.h"
#include "apps/machine.h"
#include "apps/program.h"

enum { MAX_DEPTH = 64 };  // a tree over fewer than 2^64 leaves is no deeper

// A pair of numbers per depth: `result` receives the product of a subtree rooted at that depth,
// `left` keeps the left one while the right one is computed.
typedef struct {
    void (*set)(void *tree, int depth, uint64_t word);  // result[depth] = word
    void (*keep)(void *tree, int depth);                // swaps result[depth] and left[depth]
    void (*mul)(void *tree, int depth);  // result[depth] = left[depth+1] result[depth+1]
} tree_ops;

static void product_tree(const tree_ops *ops, void *tree, const uint64_t *words, size_t n,
                         int depth) {
    if (n == 1) {
        ops->set(tree, depth, words[0]);
        return;
    }
    product_tree(ops, tree, words, n / 2, depth + 1);
    ops->keep(tree, depth + 1);
    product_tree(ops, tree, words + n / 2, n - n / 2, depth + 1);
    ops->mul(tree, depth);
}

// --- The library ---------------------------------------------------------------------------------

typedef struct {
    bigint_ctx *ctx;
    bigint result[MAX_DEPTH], left[MAX_DEPTH];
} bigint_tree;

static void bigint_tree_set(void *tree, int depth, uint64_t word) {
    bigint_tree *t = tree;
    place_must(t->ctx, bigint_set_u64(t->ctx, &t->result[depth], word));
}

static void bigint_tree_keep(void *tree, int depth) {
    bigint_tree *t = tree;
    bigint_swap(&t->result[depth], &t->left[depth]);
}

static void bigint_tree_mul(void *tree, int depth) {
    bigint_tree *t = tree;
    place_must(t->ctx,
               bigint_mul(t->ctx, &t->result[depth], &t->left[depth + 1], &t->result[depth + 1]));
}

static const tree_ops kBigintOps = {bigint_tree_set, bigint_tree_keep, bigint_tree_mul};

// tree->result[0] = the product of the words, two or more, of tree->left[1] and tree->result[1];
// returns the seconds it took.
static double multiply_words(bigint_tree *tree, const uint64_t *words, size_t n) {
    const double began = seconds_now();
    product_tree(&kBigintOps, tree, words, n, 0);
    return seconds_now() - began;
}

static void clear_tree(bigint_tree *tree) {
    for (int i = 0; i < MAX_DEPTH; i++) {
        bigint_clear(tree->ctx, &tree->result[i]);
        bigint_clear(tree->ctx, &tree->left[i]);
    }
}

// --- GMP -----------------------------------------------------------------------------------------

typedef struct {
    mpz_t result[MAX_DEPTH], left[MAX_DEPTH];
} mpz_tree;

static void mpz_tree_set(void *tree, int depth, uint64_t word) {
    mpz_tree *t = tree;
    mpz_set_ui(t->result[depth], word);
}

static void mpz_tree_keep(void *tree, int depth) {
    mpz_tree *t = tree;
    mpz_swap(t->result[depth], t->left[depth]);
}

static void mpz_tree_mul(void *tree, int depth) {
    mpz_tree *t = tree;
    mpz_mul(t->result[depth], t->left[depth + 1], t->result[depth + 1]);
}

static const tree_ops kMpzOps = {mpz_tree_set, mpz_tree_keep, mpz_tree_mul};

static double multiply_words_mpz(mpz_t r, const uint64_t *words, size_t n) {
    mpz_tree tree;
    for (int i = 0; i < MAX_DEPTH; i++) {
        mpz_inits(tree.result[i], tree.left[i], NULL);
    }
    const double began = seconds_now();
    product_tree(&kMpzOps, &tree, words, n, 0);
    const double seconds = seconds_now() - began;
    mpz_swap(r, tree.result[0]);
    for (int i = 0; i < MAX_DEPTH; i++) {
        mpz_clears(tree.result[i], tree.left[i], NULL);
    }
    return seconds;
}

// --- The report ----------------------------------------------------------------------------------

// 2, 3, ..., n in as few words as consecutive factors allow; the caller frees them.
static uint64_t *pack_factors(uint64_t n, size_t *count) {
    uint64_t *words = program_memory(n, sizeof *words, "the factors");
    words[0] = 1;
    *count = 1;
    for (uint64_t factor = 2; factor <= n; factor++) {
        if (words[*count - 1] > UINT64_MAX / factor) {
            words[(*count)++] = 1;
        }
        words[*count - 1] *= factor;
    }
    return words;
}

// The digits of n! by Stirling's series (lgamma), its zeros by Legendre's formula.
static bool text_agrees(const char *text, size_t length, uint64_t n) {
    uint64_t zeros = 0, expected_zeros = 0;
    while (zeros < length && text[length - 1 - zeros] == '0') {
        zeros++;
    }
    for (uint64_t m = n / 5; m > 0; m /= 5) {
        expected_zeros += m;
    }
    char count[32];
    demo_line("zeros", "%s at the end", demo_count(count, zeros));
    const double digits = floor(lgamma((double)n + 1) / log(10)) + 1;
    return (double)length == digits && zeros == expected_zeros;
}

void demo_factorial(demo *d) {
    const uint64_t n = d->quick ? 100000 : 5000000;
    char count[32], name[64];
    demo_title("Factorial of %s, by a product tree from single words up", demo_count(count, n));
    size_t words_count;
    uint64_t *words = pack_factors(n, &words_count);
    bigint_tree one = {.ctx = d->one}, many = {.ctx = d->many};
    mpz_t z, factorial;
    mpz_inits(z, factorial, NULL);

    demo_times t;
    demo_progress("GMP multiplies");
    t.gmp = multiply_words_mpz(z, words, words_count);
    demo_progress("longmul multiplies on one thread");
    t.one = multiply_words(&one, words, words_count);
    demo_progress("longmul multiplies on all threads");
    t.many = multiply_words(&many, words, words_count);
    free(words);
    const uint64_t half = mpz_size(z) / 2;
    demo_plan("engine", d->many, half, half);
    demo_line("", "(the topmost of %s products)", demo_count(count, words_count - 1));
    snprintf(name, sizeof name, "Factorial of %s", demo_count(count, n));
    demo_ratio(d, name, &t, "; the same tree for both");
    demo_progress("GMP's own factorial");
    const double began = seconds_now();
    mpz_fac_ui(factorial, n);
    const double seconds = seconds_now() - began;
    demo_must_agree(demo_same(d, &one.result[0], factorial) &&
                    demo_same(d, &many.result[0], factorial));
    demo_must_agree(mpz_cmp(z, factorial) == 0);
    demo_line("checked",
              "equal to GMP: all %s limbs of mpz_fac_ui, which sieves primes and took %.3f s",
              demo_count(count, mpz_size(factorial)), seconds);
    clear_tree(&one);
    bigint_ctx_trim(d->one);
    demo_device(d, &many.left[1], &many.result[1], factorial);
    mpz_clears(z, factorial, NULL);

    size_t length;
    char *text = demo_text(d, &many.result[0], &length);
    demo_must_agree(text_agrees(text, length, n));
    demo_line("checked", "digits and zeros also by Stirling's series and Legendre's formula");
    free(text);
    clear_tree(&many);
}
