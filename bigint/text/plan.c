// plan.c: see plan.h.
#include "bigint/text/plan.h"

#include <stdio.h>

#include "bigint/core/names.h"
#include "bigint/core/tune.h"
#include "bigint/divide/plan.h"
#include "bigint/multiply/mul.h"
#include "bigint/multiply/operand.h"
#include "bigint/multiply/wrap.h"
#include "bigint/text/text.h"
#include "primitives/words/word.h"

text_way text_way_of(const text_radix *radix, uint64_t count) {
    return radix->shift != 0             ? TEXT_BITS
           : count <= TEXT_WRITE_FEW     ? TEXT_FEW
           : count < TEXT_TREE_THRESHOLD ? TEXT_HALVING
                                         : TEXT_TREE;
}

// --- Powers --------------------------------------------------------------------------------------
// Lengths of the powers of a radix, a limb too long at most: of 5^k, k = 19 words, and of 10^k.

static uint64_t odd_limbs(const text_radix *radix, uint64_t words) {
    return text_power_limbs(radix, words) - 2;
}

static uint64_t ten_limbs(const text_radix *radix, uint64_t words) {
    const uint64_t bits = (64 - word_clz(radix->odd)) * words + radix->twos * words;
    return word_ceil_div(bits, 64);
}

// power_of_words_need: what text_power_of_words needs. square_need: text_power_square.
static void square_need(work_need *w, const text_radix *radix, uint64_t words) {
    const uint64_t n = odd_limbs(radix, words);
    mul_need(w, n, n, true);
}

static void power_of_words_need(work_need *w, const text_radix *radix, uint64_t words) {
    const uint64_t in_use = w->host.in_use;
    need_take_limbs(&w->host, text_power_limbs(radix, words / 2));
    square_need(w, radix, words / 2);
    need_release(&w->host, in_use);
}

// --- Reading -------------------------------------------------------------------------------------

static uint64_t reading_leaf(uint64_t words) {
    unsigned levels;
    return text_leaf(words, TEXT_READ_LEAF, &levels);
}

// level_need: what a level of text_from_words needs, which joins numbers of `half` words.
static void level_need(work_need *w, const text_radix *radix, uint64_t half, uint64_t n) {
    const uint64_t in_use = w->host.in_use, used = ten_limbs(radix, half),
                   pn = odd_limbs(radix, half);
    if (n > 3 * half) {
        need_take(&w->host, mul_operand_bytes(w->ctx, pn, used));
        mul_operand_need(w, pn, used);
    }
    need_take_limbs(&w->host, used + pn + 1);
    if (n > 3 * half) {
        mul_operand_need(w, pn, used);
    } else {
        mul_need(w, used, pn, false);
    }
    need_release(&w->host, in_use);
}

void text_read_need(work_need *w, const text_radix *radix, uint64_t digits) {
    const uint64_t in_use = w->host.in_use, n = text_words(radix, digits), leaf = reading_leaf(n);
    uint64_t top = leaf;
    need_take_limbs(&w->host, n);
    while (2 * top < n) {
        top *= 2;
    }
    if (radix->shift == 0 && leaf < n) {
        need_take_limbs(&w->host, text_power_limbs(radix, top));
        need_take_limbs(&w->host, text_power_limbs(radix, top));
        power_of_words_need(w, radix, leaf);
        for (uint64_t half = leaf; half <= top; half *= 2) {
            level_need(w, radix, half, n);
            if (half < top) {
                square_need(w, radix, half);
            }
        }
    }
    need_release(&w->host, in_use);
}

int text_read_print(const bigint_ctx *ctx, char *buf, size_t cap, const text_radix *radix,
                    uint64_t digits) {
    const uint64_t n = text_words(radix, digits), leaf = reading_leaf(n);
    if (radix->shift != 0) {
        return snprintf(buf, cap, "%s reads %llu digits in base %u, by bits",
                        names_backend(ctx->device.backend), (unsigned long long)digits,
                        radix->base);
    }
    return snprintf(buf, cap, "%s reads %llu digits in base %u, %s of %llu words of %u digits",
                    names_backend(ctx->device.backend), (unsigned long long)digits, radix->base,
                    leaf < n ? "joined from leaves" : "one leaf", (unsigned long long)leaf,
                    radix->digits);
}

// --- Writing -------------------------------------------------------------------------------------

// fraction_need: what text_fraction of an limbs by a power of `words` needs.
static void fraction_need(work_need *w, const text_radix *radix, uint64_t words, uint64_t an) {
    const uint64_t in_use = w->host.in_use, pn = odd_limbs(radix, words),
                   m = ten_limbs(radix, words) + 1,
                   n = (64 * m - radix->twos * words - 1) / 64 + an + 2;
    need_take_limbs(&w->host, n);
    need_take_limbs(&w->host, n - pn + 1);
    divrem_limbs_need(w, n, pn);
    need_release(&w->host, in_use);
}

// halving_need: what to_words needs for `count` words, an limbs.
static void halving_need(work_need *w, const text_radix *radix, uint64_t count, uint64_t an) {
    unsigned levels;
    const uint64_t leaf = text_leaf(count, TEXT_WRITE_LEAF, &levels);
    for (unsigned j = 0; j == 0 || j < levels; j++) {
        need_take_limbs(&w->host, text_power_limbs(radix, leaf << j));
        if (j == 0) {
            power_of_words_need(w, radix, leaf);
        } else {
            square_need(w, radix, leaf << (j - 1));
        }
    }
    for (unsigned j = levels; j > 0; j--) {
        const uint64_t half = leaf << (j - 1), pn = odd_limbs(radix, half),
                       skip = radix->twos * half / 64, ln = skip + pn + 1;
        if (an >= ln) {
            need_take_limbs(&w->host, ln + 2 * an);
            divrem_limbs_need(w, an - skip > pn ? an - skip : pn, pn);
            an = ln;
        }
    }
    need_take_limbs(&w->host, ten_limbs(radix, leaf) + 1);
    fraction_need(w, radix, leaf, an);
}

// split_need: what a level of text_tree_words needs, of `nodes` of 2 half words.
static void split_need(work_need *w, const text_radix *radix, uint64_t half, uint64_t nodes) {
    const uint64_t in_use = w->host.in_use, m = ten_limbs(radix, 2 * half) + 1,
                   pn = odd_limbs(radix, half), wrapped = mul_wrap_need(w, pn, m, m + 1);
    if (wrapped == 0 && nodes > 1) {
        need_take(&w->host, mul_operand_bytes(w->ctx, pn, m));
        mul_operand_need(w, pn, m);
    }
    need_take_limbs(&w->host, m + pn < wrapped + 2 ? wrapped + 2 : m + pn);
    if (wrapped > 0) {
        mul_wrap_mul_need(w, pn, m, m + 1);
    } else if (nodes > 1) {
        mul_operand_need(w, pn, m);
    } else {
        mul_need(w, m, pn, false);
    }
    need_release(&w->host, in_use);
}

static void tree_need(work_need *w, const text_radix *radix, uint64_t count, uint64_t an) {
    unsigned levels;
    const uint64_t leaf = text_leaf(count, TEXT_TREE_LEAF, &levels);
    uint64_t most = 0;
    for (unsigned j = 0; j <= levels; j++) {
        const uint64_t words = leaf << j,
                       limbs = word_ceil_div(count, words) * (ten_limbs(radix, words) + 1);
        most = limbs > most ? limbs : most;
        need_take_limbs(&w->host, text_power_limbs(radix, words));
        if (j == 0) {
            power_of_words_need(w, radix, leaf);
        } else {
            square_need(w, radix, leaf << (j - 1));
        }
    }
    need_take_limbs(&w->host, most);
    fraction_need(w, radix, leaf << levels, an);
    need_take_limbs(&w->host, most);
    for (unsigned j = levels; j > 0; j--) {
        split_need(w, radix, leaf << (j - 1), word_ceil_div(count, leaf << j));
    }
}

void text_write_need(work_need *w, const text_radix *radix, uint64_t an) {
    const uint64_t in_use = w->host.in_use;
    if (an == 0) {
        return;
    }
    const uint64_t count = text_words(radix, text_digits_bound(radix, 64 * an));
    need_take_limbs(&w->host, count);
    switch (text_way_of(radix, count)) {
        case TEXT_HALVING:
            halving_need(w, radix, count, an);
            break;
        case TEXT_TREE:
            tree_need(w, radix, count, an);
            break;
        default:
            break;
    }
    need_release(&w->host, in_use);
}

int text_write_print(const bigint_ctx *ctx, char *buf, size_t cap, const text_radix *radix,
                     uint64_t an) {
    static const char *const ways[TEXT_WAYS] = {[TEXT_BITS] = "by bits",
                                                [TEXT_FEW] = "by repeated division",
                                                [TEXT_HALVING] = "by halving with divisions",
                                                [TEXT_TREE] = "by a scaled remainder tree"};
    const uint64_t count = an == 0 ? 1 : text_words(radix, text_digits_bound(radix, 64 * an));
    return snprintf(buf, cap, "%s writes %llu limbs in base %u, %s, %llu words",
                    names_backend(ctx->device.backend), (unsigned long long)an, radix->base,
                    ways[text_way_of(radix, count)], (unsigned long long)count);
}
