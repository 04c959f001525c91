// construction.c: fft_id_make: the stages of a plan, for powers of two and for lengths with factors
// 3, 5 and 7. Includes lengths.h and refusal.h.
#include <string.h>

#include "fft/index_digit/lengths.h"
#include "fft/index_digit/refusal.h"

// append: adds one stage, by the rule, for the digits below those of the stages so far. Requires
// room for it.
static void append(fft_id_plan *plan, unsigned radix, fft_id_where where, fft_id_twiddle rule) {
    const unsigned n = fft_id_digits(&plan->problem), digits = fft_id_radix_digits(radix);
    const fft_id_stage *last = plan->stages_n > 0 ? &plan->stage[plan->stages_n - 1] : NULL;
    const unsigned top = last ? (unsigned)last->top - last->digits : n;
    const bool trivial = rule == FFT_ID_AFTER ? top == digits : top == n;
    plan->stage[plan->stages_n++] = (fft_id_stage){
        .radix = (uint8_t)radix,
        .where = (uint8_t)where,
        .top = (uint8_t)top,
        .digits = (uint8_t)digits,
        .twiddle = (uint8_t)(trivial ? FFT_ID_NONE : rule),
    };
}

// make_binary: the stages where the length is a power of two. In reversed order one pass of
// several, the last one forward, the first one back, consumes the lowest digits of the address, so
// that its block has contiguous items without x others.
static const char *make_binary(fft_id_plan *plan, fft_id_twiddle rule) {
    const fft_id_tuple tuple = plan->tuple;
    const unsigned n = fft_id_digits(&plan->problem);
    if (tuple.s < n && tuple.s <= tuple.x) {
        return "the tuple must have s > x where s < n";
    }
    const unsigned most = tuple.s == n ? n : (unsigned)tuple.s - tuple.x;
    const bool reversed = plan->problem.order == FFT_ID_REVERSED;
    const bool forward = plan->problem.direction == FFT_ID_FORWARD;
    const unsigned spared = reversed && tuple.s < n ? tuple.x : 0;
    const unsigned passes = (n - spared + most - 1) / most;
    // The pass that moves frequencies of reals has mirrors to move, any other last one whole lines.
    const bool large_first = reversed || (fft_id_pairs(&plan->problem) && forward);
    unsigned left = n, size[FFT_ID_STAGES_MAX];
    for (unsigned pass = 0; pass < passes; pass++) {
        const unsigned to_come = passes - pass;
        const unsigned even = (left + (large_first ? to_come - 1 : 0)) / to_come;
        const unsigned digits = to_come > 1 && even > most ? most : even;
        size[reversed && !forward ? to_come - 1 : pass] = digits;
        left -= digits;
    }
    for (unsigned pass = 0; pass < passes; pass++) {
        const unsigned digits = size[pass], nodes = (digits + tuple.p - 1) / tuple.p;
        unsigned in_pass = digits;
        for (unsigned node = 0; node < nodes; node++) {
            const unsigned q = (in_pass + nodes - node - 1) / (nodes - node);
            append(plan, 1u << q, node ? FFT_ID_SHARED : FFT_ID_GLOBAL, rule);
            in_pass -= q;
        }
    }
    return NULL;
}

// reaches: d^parts >= n.
static bool reaches(uint64_t d, unsigned parts, uint64_t n) {
    uint64_t left = n;
    for (; parts > 0 && left > 1; parts--) {
        left = (left + d - 1) / d;
    }
    return left <= 1;
}

// split: writes n as a product of `parts` factors in descending order, with the largest as small as
// possible, then the next one. None above `limit`. False if there is none. Cost: `limit` divisions
// for each choice made.
static bool split(uint64_t n, unsigned parts, uint64_t limit, uint64_t *part) {
    if (parts == 1) {
        part[0] = n;
        return n > 1 && n <= limit;
    }
    for (uint64_t d = 2; d <= limit && d < n; d++) {
        if (n % d == 0 && reaches(d, parts, n) && split(n / d, parts - 1, d, part + 1)) {
            part[0] = d;
            return true;
        }
    }
    return false;
}

// fewest: like split, with as few factors as the limit allows. Returns their number, or 0 if a
// prime factor exceeds the limit.
static unsigned fewest(uint64_t n, uint64_t limit, uint64_t part[FFT_ID_STAGES_MAX]) {
    for (unsigned parts = 1; parts <= FFT_ID_STAGES_MAX; parts++) {
        if (reaches(limit, parts, n) && split(n, parts, limit, part)) {
            return parts;
        }
    }
    return 0;
}

// make_mixed: the stages where the length is no power of two.
static const char *make_mixed(fft_id_plan *plan, fft_id_twiddle rule) {
    const fft_id_tuple tuple = plan->tuple;
    uint64_t line[FFT_ID_STAGES_MAX], radix[FFT_ID_STAGES_MAX];
    const unsigned passes =
        fewest(fft_id_length(&plan->problem), ((uint64_t)1 << tuple.s) >> tuple.x, line);
    for (unsigned pass = 0; pass < passes; pass++) {
        const unsigned nodes = fewest(line[pass], (uint64_t)1 << tuple.p, radix);
        if (nodes == 0) {
            return "a prime factor of the length is above 2^p";
        }
        for (unsigned node = nodes; node-- > 0;) {  // the last node's roots serve most items
            append(plan, (unsigned)radix[node], node + 1 < nodes ? FFT_ID_SHARED : FFT_ID_GLOBAL,
                   rule);
        }
    }
    return passes ? NULL : "a prime factor of the length is above 2^(s - x)";
}

const char *fft_id_make(fft_id_plan *plan, const fft_id_problem *problem, fft_id_tuple tuple,
                        fft_id_twiddle rule) {
    memset(plan, 0, sizeof *plan);
    plan->problem = *problem;
    plan->tuple = tuple;
    const char *why = fft_id_request_refusal(plan);
    if (!why) {
        why = fft_id_mixed(problem) ? make_mixed(plan, rule) : make_binary(plan, rule);
    }
    return why ? why : fft_id_refusal(plan);
}
