// window.c: see window.h. Without branches, so that compilers use vectors: compiled once for each
// of the functions, with its flags.
#include "bigint/batch/window.h"

#if defined(__AVX512F__)
#define LOOK window_look_avx512
#else
#define LOOK window_look_portable
#endif

void LOOK(window_survey *all, const window_lists *w, const window_rules *rules, size_t count) {
    const uint64_t *const r_at = w->at[WINDOW_R], *const rn = w->n[WINDOW_R];
    const uint64_t *const a_at = w->at[WINDOW_A], *const an = w->n[WINDOW_A];
    const uint64_t *const b_at = w->at[WINDOW_B], *const bn = w->n[WINDOW_B];
    const window_rules own = *rules;
    window_survey s = *all;
    for (size_t i = 0; i < count; i++) {
        const uint64_t to_a = own.before[WINDOW_A] + a_at[i] - r_at[i];  // from the result
        const uint64_t to_b = own.before[WINDOW_B] + b_at[i] - r_at[i];
        s.bits |= r_at[i] | a_at[i] | b_at[i] | rn[i] | an[i] | bn[i];
        s.too_long |= (own.most[WINDOW_R] - rn[i]) | (own.most[WINDOW_A] - an[i]);
        s.too_long |= (own.most[WINDOW_B] - bn[i]) | (rn[i] - an[i] - bn[i]);
        s.overlap |= (to_a - rn[i]) & (0 - to_a - an[i]);
        s.overlap |= (to_b - rn[i]) & (0 - to_b - bn[i]);
        s.differ |= (rn[i] ^ own.first[WINDOW_R]) | (an[i] ^ own.first[WINDOW_A]);
        s.differ |= bn[i] ^ own.first[WINDOW_B];
    }
    *all = s;
}
