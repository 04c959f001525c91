// share.cu: see share.h. The kernels know slices: strips have fewer elements of every part, shares
// fewer parts.
#include "fft/device/modular/share.h"

#include "fft/device/modular/launches.cuh"

namespace {

ModularSlice StripOf(const fft_modular_plan *plan, unsigned lg) {
    return {0, fft_modular_parts(plan), fft_modular_lg_part(plan) - lg,
            fft_modular_share_points(plan, lg)};
}

ModularSlice ShareOf(const fft_modular_plan *plan, fft_modular_share share) {
    const unsigned parts = fft_modular_parts(plan) >> share.lg;
    return {share.member * parts, parts, fft_modular_lg_part(plan),
            fft_modular_share_points(plan, share.lg)};
}

// A strip's digits are those of a shorter operand: as many whole rows as its words are in.
ModularDigits StripDigits(const fft_modular_plan *plan, unsigned lg, fft_modular_operand a,
                          double *plane) {
    const uint64_t row = fft_modular_strip_words(plan, lg), rows = (a.words_n + row - 1) / row;
    const uint64_t digits = rows << (fft_modular_lg_part(plan) - lg);
    return DigitsOf(plan, a, 0, digits > 0 ? digits : 1, plane);
}

bool Shared(const fft_modular_step *step, unsigned lg) {
    return Valid(step) && fft_modular_shares(step->plan, lg);
}

}  // namespace

bool fft_modular_shares(const fft_modular_plan *plan, unsigned lg) {
    const unsigned lg_part = fft_modular_lg_part(plan);
    return plan->lg_outer > 0 && plan->wrapped == 0 && !plan->balanced && lg < lg_part &&
           fft_modular_parts(plan) % (1u << lg) == 0 &&
           lg_part - lg >= ModularOuterOf(plan->lg_outer)->lg_lines && lg_part - lg >= 6;
}

result fft_modular_strip_split(const fft_modular_step *step, unsigned lg, double *x,
                               fft_modular_operand a, double *y, fft_modular_operand b) {
    return Shared(step, lg)
               ? ModularSplit(step, StripOf(step->plan, lg), StripDigits(step->plan, lg, a, x),
                              StripDigits(step->plan, lg, b, y))
               : RESULT_REFUSED;
}

result fft_modular_share_columns(const fft_modular_step *step, fft_modular_share share, double *x,
                                 double *y) {
    return Shared(step, share.lg) ? ModularColumnsOfParts(step, ShareOf(step->plan, share), x, y)
                                  : RESULT_REFUSED;
}

result fft_modular_share_rows(const fft_modular_step *step, fft_modular_share share, double *x,
                              const double *y, fft_row_mode mode) {
    const fft_modular_sum none = {};
    return Shared(step, share.lg)
               ? ModularRowsOfParts(step, ShareOf(step->plan, share), kOneItem, x, y, mode, &none)
               : RESULT_REFUSED;
}

result fft_modular_share_inverse(const fft_modular_step *step, fft_modular_share share, double *x) {
    return Shared(step, share.lg) ? ModularBackOfParts(step, ShareOf(step->plan, share), x)
                                  : RESULT_REFUSED;
}

result fft_modular_strip_gather(const fft_modular_step *step, unsigned lg, double *x) {
    return Shared(step, lg) ? ModularGather(step, StripOf(step->plan, lg), x) : RESULT_REFUSED;
}
