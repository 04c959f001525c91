// cost.c: see cost.h.
#include "bigint/group/device/cost.h"

#include "bigint/group/device/product.h"
#include "fft/device/modular/convolution.h"

enum {
    // Picoseconds of three transforms of a point modulo a prime, where the shape has no known cost:
    // with an inner pass, and of tests; and of the join of more than two pieces. By records of one
    // H200 with an inner pass 48 to 50, without 37 to 38 for two pieces and 53 for four.
    POINT_PS = 50,
    PIECES_PS = 15,
    COST_UNITS = 300,  // of fft_modular_plan_cost in a picosecond
    // Of an exchange, at its beginning and end: by what products of 2^28 bits on four H200 take
    // beyond their phases.
    EXCHANGE_PS = 45000000,
    // Picoseconds for each limb of a block to join residues, with one strip and with several, and
    // for each row of a strip, which has a launch of its own. By products of 2^33 bits on four
    // H200, and of 2^36 to 2^39 bits, one share of eight.
    JOIN_WHOLE_PS = 12,
    JOIN_STRIPS_PS = 24,
    ROW_PS = 5000000,
    OWN_PS = 700,  // for 1024 bytes that a member copies from its strips to its share
};

// rates: picoseconds for 1024 bytes that a member sends: limbs and residues to those who join them;
// between strips and shares, beside transforms, in groups of three and more; and of two. row: more
// for each row of a block. From the records h200-group-product and h200-group-mpi of two and four
// H200: 330, 350 and 280 GB/s by peer copies, 250, 300 and 280 by NCCL, which sends rows one by
// one, 110 by NVSHMEM, 2 to 5 by way of the host.
typedef struct {
    uint64_t blocks, shares, pairs, row;
} rates;

static const rates rates_of[CARRIERS] = {[CARRIER_PEER] = {3100, 2900, 3700, 0},
                                         [CARRIER_STAGED] = {340000, 340000, 340000, 0},
                                         [CARRIER_NCCL] = {4100, 3400, 3700, 25000000},
                                         [CARRIER_NVSHMEM] = {9300, 9300, 9300, 0}};

static uint64_t operands(const device_member_plan *plan) { return plan->square ? 1 : 2; }

// --- Memory --------------------------------------------------------------------------------------

// The blocks of two operands are as long as the product's.
uint64_t device_member_held_bytes(const device_member_plan *plan) {
    if (plan->way == DEVICE_MEMBER_ALONE) {
        return 8 * 3 * (plan->an + plan->bn);
    }
    return device_member_bytes(plan) + 8 * 2 * block_length(plan->an + plan->bn, plan->members);
}

// --- Bytes ---------------------------------------------------------------------------------------

// sent: bytes that a member sends at a time, about.
typedef struct {
    uint64_t limbs;   // of operands and product, at the beginning and end
    uint64_t turned;  // of one operand modulo a prime, between strips and shares
    uint64_t joined;  // of residues modulo a prime, to those who join them
    // Rows of what goes to one of the others: of limbs, all of them; of what is turned.
    uint64_t limb_rows, turned_rows;
} sent;

// others: the part of a member's things that goes to the others of its group.
static uint64_t others(uint64_t things, unsigned group) { return things / group * (group - 1); }

static sent sent_of(const device_member_plan *plan) {
    const uint64_t n = plan->an + plan->bn, limbs = plan->square ? plan->an : n;
    const unsigned members = plan->members, columns = plan->column_groups;
    if (plan->way == DEVICE_MEMBER_ALONE) {
        return (sent){.limbs = 8 * others(n, members)};
    }
    const uint64_t own = device_member_strips(plan, 0).count,
                   strips = own * device_member_strip_points(plan);
    return (sent){.limb_rows = columns == 1 ? 0 : 2 * own * plan->rows / members,
                  .turned_rows = columns == 1 ? 0 : own * device_member_parts(plan, 0).count,
                  .limbs = 8 * (limbs / members * (members - 1) / columns +
                                (columns == 1 ? 0 : others(n / members, members))),
                  .turned = columns == 1 ? 0 : 8 * others(strips, columns),
                  .joined = device_member_deals(plan) ? 8 * others(strips, plan->prime_groups) : 0};
}

uint64_t device_member_sent_bytes(const device_member_plan *plan) {
    const sent s = sent_of(plan);
    return plan->way == DEVICE_MEMBER_ALONE
               ? s.limbs
               : s.limbs +
                     device_member_rounds(plan) * ((operands(plan) + 1) * s.turned + s.joined);
}

// --- Time ----------------------------------------------------------------------------------------

// points_ps: picoseconds of the transforms of this many points modulo one prime.
static uint64_t points_ps(const fft_modular_plan *p, uint64_t points, bool inner) {
    const uint64_t known = inner ? UINT64_MAX : fft_modular_plan_cost(p);
    const uint64_t unknown = p->pieces > 2 ? POINT_PS + PIECES_PS : POINT_PS;
    return known == UINT64_MAX
               ? points * unknown
               : known / COST_UNITS / p->primes / (fft_modular_points(p) >> 6) * (points >> 6);
}

// round_ps: of one prime on the member that has the largest share.
static uint64_t round_ps(const device_member_plan *plan) {
    const fft_modular_plan *const p = &plan->modular;
    return points_ps(p, device_member_parts(plan, 0).count << fft_modular_lg_part(p),
                     plan->lg_inner > 0);
}

uint64_t device_member_work(const device_member_plan *plan) {
    return device_member_rounds(plan) * round_ps(plan);
}

static uint64_t ps(uint64_t bytes, uint64_t rate) { return bytes / 1024 * rate; }

// alone_ps: what comes to member 0, its product, and what leaves it.
static uint64_t alone_ps(const device_member_plan *plan, const device_member_choice *choice,
                         const rates *rate) {
    const uint64_t n = plan->an + plan->bn, limbs = plan->square ? plan->an : n;
    fft_modular_plan one;
    const bool made = fft_modular_plan_sum(&one, plan->an, plan->bn, 1, 0, choice->clusters);
    return !made ? UINT64_MAX
                 : one.primes * points_ps(&one, fft_modular_points(&one), false) + 2 * EXCHANGE_PS +
                       ps(8 * others(limbs, plan->members) + sent_of(plan).limbs, rate->blocks);
}

// beside_ps: what travels beside what is computed.
static uint64_t beside_ps(uint64_t travels, uint64_t computes) {
    return (travels > computes ? travels : computes) + (travels > 0 ? EXCHANGE_PS : 0);
}

// turn_ps: one operand, or the product, between strips and shares.
static uint64_t turn_ps(const device_member_plan *plan, const sent *each, const rates *rate) {
    return ps(each->turned, plan->column_groups == 2 ? rate->pairs : rate->shares) +
           each->turned_rows * rate->row;
}

// own_ps: by thirds, the copy of the own block that an exchange has, too. It needs multiprocessors,
// so it comes after the transforms beside it; by records of 2^34 and 2^35 bits on four H200.
static uint64_t own_ps(const device_member_plan *plan, const sent *each) {
    return ps(each->turned / (plan->column_groups - 1), OWN_PS);
}

// thirds_ps: the rounds by thirds, and in_turn_ps in turn (grid_saving.c).
static uint64_t thirds_ps(const device_member_plan *plan, const sent *each, const rates *rate) {
    const uint64_t turn = turn_ps(plan, each, rate), third = round_ps(plan) / 3;
    const unsigned rounds = device_member_rounds(plan);
    uint64_t all = beside_ps(turn, 0) + rounds * (operands(plan) + 1) * own_ps(plan, each);
    for (unsigned k = 0; k <= rounds; k++) {
        const uint64_t computes = k < rounds ? third : 0;
        all += beside_ps(plan->square || k == rounds ? 0 : turn, computes) +
               beside_ps(k > 0 ? turn : 0, plan->square ? 0 : computes) +
               beside_ps(k + 1 < rounds ? turn : 0, computes);
    }
    return all;
}

static uint64_t in_turn_ps(const device_member_plan *plan, const sent *each, const rates *rate) {
    const uint64_t turn = turn_ps(plan, each, rate);
    return device_member_rounds(plan) *
           (round_ps(plan) + (operands(plan) + 1) * beside_ps(turn, 0));
}

// step_ps: step s of grid.c: the transform of round s, beside what comes for the next round and
// what leaves of those before.
static uint64_t step_ps(const device_member_plan *plan, const sent *each, const rates *rate,
                        int s) {
    const int rounds = (int)device_member_rounds(plan), behind = plan->column_groups > 1 ? 2 : 1;
    const bool computes = s >= 0 && s < rounds, comes = s + 1 >= 0 && s + 1 < rounds,
               leaves = s >= 1 && s <= rounds, deals = s >= behind && s - behind < rounds;
    const uint64_t turns = (comes ? operands(plan) : 0) + (leaves ? 1 : 0);
    const uint64_t travels =
        turns * turn_ps(plan, each, rate) + ps(deals ? each->joined : 0, rate->blocks);
    return beside_ps(travels, computes ? round_ps(plan) : 0);
}

static uint64_t rounds_ps(const device_member_plan *plan, const sent *each, const rates *rate) {
    if (plan->pace != DEVICE_PACE_BESIDE) {
        return plan->pace == DEVICE_PACE_THIRDS ? thirds_ps(plan, each, rate)
                                                : in_turn_ps(plan, each, rate);
    }
    uint64_t all = 0;
    for (int s = -1; s < (int)device_member_rounds(plan) + 2; s++) {
        all += step_ps(plan, each, rate, s);
    }
    return all;
}

static uint64_t join_ps(const device_member_plan *plan) {
    const uint64_t limbs = (plan->an + plan->bn) / plan->members,
                   rows = device_member_strips(plan, 0).count * device_member_rows(plan, 0).count;
    return plan->column_groups == 1 ? limbs * JOIN_WHOLE_PS
                                    : limbs * JOIN_STRIPS_PS + rows * ROW_PS;
}

uint64_t device_member_cost(const device_member_plan *plan, const device_member_choice *choice) {
    const rates *const rate = &rates_of[choice->carrier];
    if (plan->way == DEVICE_MEMBER_ALONE) {
        return alone_ps(plan, choice, rate);
    }
    const sent each = sent_of(plan);
    const bool whole = plan->column_groups == 1;
    const uint64_t all = ps(each.limbs, rate->blocks) + each.limb_rows * rate->row +
                         2 * EXCHANGE_PS + join_ps(plan) + rounds_ps(plan, &each, rate);
    // The second operand comes beside the first one's pass, a third of a round.
    const uint64_t second = ps(each.limbs / 2, rate->blocks), pass = round_ps(plan) / 3;
    const uint64_t hidden = !whole || plan->square ? 0 : second < pass ? second : pass;
    // Members of one device take turns.
    return (all - hidden) * plan->members / choice->devices;
}
