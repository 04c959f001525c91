// index_digit_mixed.c: lengths with factors 3, 5 and 7: their exponents, and the construction and
// refusal of plans for them. Includes index_digit_mixed.h only.
#include "fft/index_digit_mixed.h"

#include <string.h>

enum { PRIMES = 4 };
static const uint8_t primes[PRIMES] = {2, 3, 5, 7};
static const uint64_t longest = (uint64_t)1 << FFT_ID_DIGITS_MAX;

bool fft_id_mixed(const fft_id_problem *problem) {
    return problem->exponent[1] || problem->exponent[2] || problem->exponent[3];
}

const char *fft_id_set_length(fft_id_problem *problem, uint64_t length) {
    memset(problem->exponent, 0, sizeof problem->exponent);
    if (length < 2 || length > longest) {
        return "the length must be 2 to 2^33";
    }
    for (unsigned i = 0; i < PRIMES; i++) {
        for (; length % primes[i] == 0; length /= primes[i]) {
            problem->exponent[i]++;
        }
    }
    return length == 1 ? NULL : "the length has a prime factor above 7";
}

uint64_t fft_id_length(const fft_id_problem *problem) {
    uint64_t length = 1;
    for (unsigned i = 0; i < PRIMES; i++) {
        for (unsigned e = 0; e < problem->exponent[i]; e++) {
            length *= primes[i];
            if (length > longest) {
                return 0;
            }
        }
    }
    const bool pairs = problem->element == FFT_ID_REAL_F64 || problem->element == FFT_ID_REAL_F32;
    return pairs ? length / 2 : length;
}

unsigned fft_id_radix_digits(unsigned radix) {
    unsigned digits = 0;
    for (unsigned i = 0; i < PRIMES && radix > 0; i++) {
        for (; radix % primes[i] == 0; radix /= primes[i]) {
            digits++;
        }
    }
    return digits;
}

static const char *problem_refusal(const fft_id_problem *problem) {
    if (problem->element >= FFT_ID_ELEMENTS || problem->direction >= FFT_ID_DIRECTIONS ||
        problem->order >= FFT_ID_ORDERS) {
        return "the element, the direction or the order is none of those there are";
    }
    const bool complex =
        problem->element == FFT_ID_COMPLEX_F64 || problem->element == FFT_ID_COMPLEX_F32;
    if (!complex || problem->order != FFT_ID_NATURAL) {
        return "lengths with factors 3, 5 or 7 are served for complex items in natural order only";
    }
    const uint64_t n = fft_id_length(problem);
    if (n == 0) {
        return "the length must be at most 2^33";
    }
    if (problem->batch < 1 || problem->batch > ((uint64_t)1 << FFT_ID_LG_ITEMS_MAX) / n) {
        return "the batch must be at least 1, and its elements at most 2^48";
    }
    return NULL;
}

static const char *tuple_refusal(const fft_id_tuple *tuple) {
    return tuple->p < 1 || tuple->p > FFT_ID_P_MAX || tuple->x > tuple->s ||
                   tuple->s > FFT_ID_DIGITS_MAX
               ? "the tuple must have 1 <= p <= 6, x <= s <= 33"
               : NULL;
}

// stages_refusal: the stages consume every prime factor once, digits from the top, each pass no
// more than a tile has room for.
static const char *stages_refusal(const fft_id_plan *plan) {
    uint64_t left = fft_id_length(&plan->problem), line = 1;
    unsigned top = fft_id_digits(&plan->problem);
    if (plan->stages_n < 1 || plan->stages_n > FFT_ID_STAGES_MAX) {
        return "a plan has 1 to 33 stages";
    }
    for (unsigned m = 0; m < plan->stages_n; m++) {
        const fft_id_stage *stage = &plan->stage[m];
        if ((stage->where != FFT_ID_GLOBAL && stage->where != FFT_ID_SHARED) ||
            (m == 0 && stage->where != FFT_ID_GLOBAL)) {
            return "the first stage must be global, the others global or shared";
        }
        if (stage->radix < 2 || stage->radix > 1u << plan->tuple.p) {
            return "a stage's radix must be 2 to 2^p";
        }
        if (left % stage->radix != 0 || stage->top != top ||
            stage->digits != fft_id_radix_digits(stage->radix)) {
            return "the stages must consume every prime factor once, from the top";
        }
        left /= stage->radix;
        top -= stage->digits;
        line = stage->where == FFT_ID_GLOBAL ? stage->radix : line * stage->radix;
        if (line > ((uint64_t)1 << plan->tuple.s) >> plan->tuple.x) {
            return "a pass needs more items in a tile than 2^s: 2^x lines of those it consumes";
        }
    }
    return left == 1 ? NULL : "the stages must consume every prime factor once, from the top";
}

const char *fft_id_mixed_refusal(const fft_id_plan *plan) {
    const char *why = problem_refusal(&plan->problem);
    why = why ? why : tuple_refusal(&plan->tuple);
    why = why ? why : stages_refusal(plan);
    if (why) {
        return why;
    }
    return fft_id_one_rule(plan) ? NULL
                                 : "twiddles must stand before every node but the first, or after "
                                   "every one but the last";
}

// reaches: d^parts >= n.
static bool reaches(uint64_t d, unsigned parts, uint64_t n) {
    uint64_t left = n;
    for (; parts > 0 && left > 1; parts--) {
        left = (left + d - 1) / d;
    }
    return left <= 1;
}

// split: n as a product of so many factors, the largest as small as can be and first, then the next
// one. None above `limit`. False if there is none. Cost: `limit` divisions for each choice made.
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

// fewest: the same in as few factors as the limit allows; 0 if a prime factor is above it.
static unsigned fewest(uint64_t n, uint64_t limit, uint64_t part[FFT_ID_STAGES_MAX]) {
    for (unsigned parts = 1; parts <= FFT_ID_STAGES_MAX; parts++) {
        if (reaches(limit, parts, n) && split(n, parts, limit, part)) {
            return parts;
        }
    }
    return 0;
}

const char *fft_id_mixed_make(fft_id_plan *plan, const fft_id_problem *problem, fft_id_tuple tuple,
                              fft_id_twiddle rule) {
    const char *why = problem_refusal(problem);
    why = why ? why : tuple_refusal(&tuple);
    if (why) {
        return why;
    }
    uint64_t line[FFT_ID_STAGES_MAX], radix[FFT_ID_STAGES_MAX];
    const unsigned digits = fft_id_digits(problem);
    const unsigned passes =
        fewest(fft_id_length(problem), ((uint64_t)1 << tuple.s) >> tuple.x, line);
    unsigned top = digits;
    for (unsigned pass = 0; pass < passes; pass++) {
        const unsigned nodes = fewest(line[pass], (uint64_t)1 << tuple.p, radix);
        if (nodes == 0) {
            return "a prime factor of the length is above 2^p";
        }
        for (unsigned node = nodes; node-- > 0;) {  // the last node's roots serve most items
            const unsigned q = fft_id_radix_digits((unsigned)radix[node]);
            const bool trivial = rule == FFT_ID_AFTER ? top == q : top == digits;
            plan->stage[plan->stages_n++] = (fft_id_stage){
                .radix = (uint8_t)radix[node],
                .where = node + 1 < nodes ? FFT_ID_SHARED : FFT_ID_GLOBAL,
                .top = (uint8_t)top,
                .digits = (uint8_t)q,
                .twiddle = (uint8_t)(trivial ? FFT_ID_NONE : rule),
            };
            top -= q;
        }
    }
    return passes ? fft_id_mixed_refusal(plan) : "a prime factor of the length is above 2^(s - x)";
}
