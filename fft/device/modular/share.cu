// share.cu: see share.h. The kernels know slices: strips have fewer elements of every part, shares
// fewer parts. With an inner pass a share is a product of its own for the kernels, whose pieces are
// the share's parts.
#include "fft/device/modular/share.h"

#include "fft/device/modular/launches.cuh"

namespace {

// The plan whose tables the outer pass takes. With an inner pass it is that of the shortest parts:
// the outer pass has no tables that depend on their length.
fft_modular_plan StripPlan(const fft_modular_share_step *step) {
    fft_modular_plan plan = *step->plan;
    if (step->lg_inner > 0) {
        plan.lg_rows = 4;
        plan.lg_columns = FFT_MODULAR_LG_SHORT;
    }
    return plan;
}

fft_modular_plan SharePlan(const fft_modular_share_step *step) {
    fft_modular_plan plan = *step->plan;
    if (step->lg_inner > 0) {
        plan.pieces = step->parts;
        plan.lg_outer = step->lg_inner;
        plan.lg_rows -= step->lg_inner;
    }
    return plan;
}

ModularSlice StripOf(const fft_modular_share_step *step) {
    const fft_modular_plan *plan = step->plan;
    const unsigned parts = fft_modular_parts(plan),
                   lg = fft_modular_lg_part(plan) - step->lg_strips;
    return {0, parts, lg, (uint64_t)parts << lg};
}

ModularSlice ShareOf(const fft_modular_share_step *step) {
    const unsigned lg = fft_modular_lg_part(step->plan) - step->lg_inner,
                   parts = step->parts << step->lg_inner;
    return {step->lg_inner > 0 ? 0 : step->first_part, parts, lg, (uint64_t)parts << lg};
}

// A strip's digits are those of a shorter operand: as many whole rows as its words are in.
ModularDigits StripDigits(const fft_modular_share_step *step, fft_modular_operand a,
                          double *plane) {
    const uint64_t row = fft_modular_strip_words(step->plan, step->lg_strips),
                   rows = (a.words_n + row - 1) / row,
                   digits = rows * fft_modular_strip_columns(step->plan, step->lg_strips);
    return DigitsOf(step->plan, a, 0, digits > 0 ? digits : 1, plane);
}

// What a step does with a plan and a slice, or RESULT_REFUSED.
template <class Do>
result Checked(const fft_modular_share_step *step, const fft_modular_plan &plan,
               const fft_modular_tables *tables, const Do &run) {
    const fft_modular_step own = {&plan, tables, step->prime, 1, step->stream};
    return Valid(&own) && fft_modular_shares(step->plan, step->lg_strips) ? run(&own)
                                                                          : RESULT_REFUSED;
}

template <class Do>
result OfStrip(const fft_modular_share_step *step, const Do &run) {
    return Checked(step, StripPlan(step), step->tables, run);
}

template <class Do>
result OfShare(const fft_modular_share_step *step, const Do &run) {
    return step->parts == 0 ? RESULT_OK : Checked(step, SharePlan(step), step->of_share, run);
}

// The inner pass: all parts of the share, of x and y, or back.
result Inner(const fft_modular_step *step, const ModularSlice &slice, double *x, double *y,
             bool back) {
    const ModularInnerEntry *entry = ModularInnerOf(step->plan->lg_outer);
    ModularOuterJob job = {};
    (ModularStep &)job = StepOf(step, slice);
    job.operand[0].plane = x;
    job.operand[1].plane = y;
    job.lg = slice.lg;
    const dim3 grid(1u << (slice.lg - entry->lg_lines), step->plan->pieces, y == nullptr ? 1 : 2);
    return Run(back ? entry->gather : entry->split, grid, kModularOuterThreads, entry->bytes,
               step->stream, job);
}

}  // namespace

bool fft_modular_shares(const fft_modular_plan *plan, unsigned lg_strips) {
    const unsigned lg_part = fft_modular_lg_part(plan);
    return plan->lg_outer > 0 && plan->wrapped == 0 && !plan->balanced && lg_strips < lg_part &&
           lg_part - lg_strips >= ModularOuterOf(plan->lg_outer)->lg_lines &&
           lg_part - lg_strips >= 6;
}

static size_t StripTableBytes(const fft_modular_share_step *step) {
    const fft_modular_plan plan = StripPlan(step);
    return fft_modular_table_bytes(&plan);
}

size_t fft_modular_share_table_bytes(const fft_modular_share_step *step) {
    const fft_modular_plan plan = SharePlan(step);
    return StripTableBytes(step) + fft_modular_table_bytes(&plan);
}

result fft_modular_share_tables_make(fft_modular_tables *tables, const fft_modular_share_step *step,
                                     void *memory) {
    const fft_modular_plan strip = StripPlan(step), share = SharePlan(step);
    const unsigned pieces = strip.pieces;
    const result done =
        ModularTablesMake(&tables[0], &strip, true, {0, 0, pieces}, memory, step->stream);
    return done != RESULT_OK || step->parts == 0
               ? done
               : ModularTablesMake(&tables[1], &share, true,
                                   {step->first_part, strip.lg_outer, pieces},
                                   (unsigned char *)memory + StripTableBytes(step), step->stream);
}

result fft_modular_strip_split(const fft_modular_share_step *step, double *x, fft_modular_operand a,
                               double *y, fft_modular_operand b) {
    return OfStrip(step, [&](const fft_modular_step *own) {
        return ModularSplit(own, StripOf(step), StripDigits(step, a, x), StripDigits(step, b, y));
    });
}

result fft_modular_share_columns(const fft_modular_share_step *step, double *x, double *y) {
    return OfShare(step, [&](const fft_modular_step *own) {
        const ModularSlice share = ShareOf(step);
        const result done = step->lg_inner > 0 ? Inner(own, share, x, y, false) : RESULT_OK;
        return done == RESULT_OK ? ModularColumnsOfParts(own, share, x, y) : done;
    });
}

result fft_modular_share_rows(const fft_modular_share_step *step, double *x, const double *y,
                              fft_row_mode mode) {
    const fft_modular_sum none = {};
    return OfShare(step, [&](const fft_modular_step *own) {
        return ModularRowsOfParts(own, ShareOf(step), kOneItem, x, y, mode, &none);
    });
}

result fft_modular_share_inverse(const fft_modular_share_step *step, double *x) {
    return OfShare(step, [&](const fft_modular_step *own) {
        const ModularSlice share = ShareOf(step);
        const result done = ModularBackOfParts(own, share, x);
        return done == RESULT_OK && step->lg_inner > 0 ? Inner(own, share, x, nullptr, true) : done;
    });
}

result fft_modular_strip_gather(const fft_modular_share_step *step, double *x) {
    return OfStrip(
        step, [&](const fft_modular_step *own) { return ModularGather(own, StripOf(step), x); });
}
