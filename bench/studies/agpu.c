// agpu.c: see agpu.h.
#include "bench/studies/agpu.h"

#include <math.h>

enum { WARP = 32, VECTOR_BYTES = 16, LG_WARP = 5 };

agpu_chip agpu_hopper(double multiprocessors) {
    return (agpu_chip){.multiprocessors = multiprocessors,
                       .cores = 128,
                       .double_cores = 64,
                       .clock = 1.98,
                       .store = (228 << 10) + (256 << 10)};
}

static double lg(double n) { return n > 1 ? log2(n) : 0; }

// Steps of a scan for each element: a thread goes through its vector, a warp through its vectors by
// shuffles and combinations, and each element takes what stands before it.
static double scan_steps(unsigned bytes) {
    const double vector = VECTOR_BYTES / bytes;
    return (vector - 1 + 2 * LG_WARP) / vector + 1;
}

// --- Scans and reductions ------------------------------------------------------------------------

bool agpu_scan(agpu_counts *c, const scan_job *job, unsigned bytes) {
    enum { WORD = 16 };  // of status
    const double size = (double)job->n * (double)job->rows;
    const bool small = job->variant == SCAN_THREE_KERNEL;
    const double tile = small ? 16 << 10 : job->variant == SCAN_TILE ? 17 * WARP * bytes : 32 << 10;
    const double tiles = ceil(size * bytes / tile), log_tiles = ceil(lg(tiles));
    const bool in_one = (double)job->n * bytes <= tile;
    *c = (agpu_counts){.launches = 1,
                       .steps = size * scan_steps(bytes),
                       .io = 2 * size * bytes,
                       .store = tile,
                       .footprint = 2 * size * bytes,
                       .blocks = tiles};
    switch (job->variant) {
        case SCAN_LOOK_BACK:
            c->io += 2 * WORD * tiles;
            return true;
        case SCAN_KOGGE_STONE:
            c->io += 2 * WORD * tiles * log_tiles;
            return true;
        case SCAN_LADNER_FISCHER:
            c->io += WORD * tiles * log_tiles / 2;
            return true;
        case SCAN_THREE_KERNEL:
        case SCAN_TILE:
            c->launches = in_one ? 1 : 3;
            c->io += in_one ? 0 : size * bytes;
            c->steps += in_one ? 0 : size;
            return true;
        default:
            return false;
    }
}

bool agpu_reduce(agpu_counts *c, const reduce_job *job, unsigned bytes) {
    enum { CHUNK = 16 << 10, BLOCK = 32 << 10 };
    const double size = (double)job->n * (double)job->rows;
    *c = (agpu_counts){.launches = 1,
                       .steps = size,
                       .io = size * bytes + (double)job->rows * bytes,
                       .store = BLOCK,
                       .footprint = size * bytes,
                       .blocks = ceil(size * bytes / CHUNK)};
    return true;
}

// --- Carries -------------------------------------------------------------------------------------

// One pass with look-back. A limb adds the words of its coefficients, shifted where the radix is no
// whole number of limbs, and composes its carry with its neighbours'. A digit takes its coefficient
// into a running sum and divides that by the radix, word by word: two products of 64 bits, each of
// four multiplications and as many additions, and their correction.
bool agpu_carry(agpu_counts *c, const carry_job *job) {
    enum { STATUS = 16, TILE_LIMBS = 992, DIGIT_THREADS = 127, DIVISION = 24 };
    if (job->form >= CARRY_FORMS || job->radix >= CARRY_RADICES) {
        return false;
    }
    const double in = (double)job->n * (double)job->rows,
                 out = (double)job->out * (double)job->rows;
    const double words = job->words, bytes = job->form == CARRY_S32 ? 4 : 8 * words;
    // Digits of a thread: more than a coefficient reaches over, and at least nine.
    const double reach = ceil((64 * words - 1) / (job->w * log2(10))) + 2;
    const double tile = job->radix == CARRY_POW2 ? TILE_LIMBS : DIGIT_THREADS * fmax(reach, 9);
    const double adds = 2 * (words + 1);
    *c = (agpu_counts){.launches = 1,
                       .steps = job->radix == CARRY_POW10
                                    ? in * (adds + DIVISION * (words + 1)) + 4 * out
                                : job->w == 64 ? in * adds + 5 * out
                                               : in * 3 * adds + 5 * out,
                       .io = in * bytes + 8 * out + 2 * STATUS * ceil(out / tile),
                       .store = tile * 8 * 2,
                       .footprint = in * bytes + 8 * out,
                       .blocks = ceil(out / tile)};
    return true;
}

// --- Sorts ---------------------------------------------------------------------------------------

// Steps for each element of a bitonic network over n: phase k merges runs of 2^(k-1). Its stages
// within a thread's 16 items are a comparison, those within a warp a shuffle, a comparison and a
// choice, and others go through shared memory four at a time.
static double network(double n) {
    enum { IN_THREAD = 4, IN_WARP = 5 };
    double steps = 0;
    for (double k = 1; k <= ceil(lg(n)); k++) {
        const double thread = fmin(k, IN_THREAD), warp = fmin(k - thread, IN_WARP);
        steps += thread + 3 * warp + 1.5 * (k - thread - warp);
    }
    return steps;
}

bool agpu_sort(agpu_counts *c, const sort_job *job, const sort_plan *plan) {
    enum { DIGIT_BITS = 8 };
    static const unsigned key_bytes[SORT_KEYS] = {4, 8, 4, 8, 4, 8};
    const double size = (double)job->n * (job->ragged ? 1 : (double)job->rows);
    const double bytes = key_bytes[job->key] + job->value_bytes, rows = (double)job->n;
    const double item_words = bytes / 4;  // comparing and moving are of 32 bits
    *c = (agpu_counts){.launches = plan->launches,
                       .io = (double)plan->traffic,
                       .store = plan->tile * bytes,
                       .footprint = 2 * size * bytes + (double)plan->workspace_bytes,
                       .blocks = ceil(size / plan->tile)};
    switch (plan->variant) {
        case SORT_BITONIC:
        case SORT_COMB:
            c->steps = size * network(rows) * item_words;
            return true;
        case SORT_MULTIWAY_MERGE:
            c->steps = size * (network(plan->tile) + lg(rows / plan->tile)) * item_words;
            return true;
        case SORT_RADIX:  // a ballot and its use for each bit of a digit, and the histogram's count
            c->steps = size * (plan->passes * 2 * DIGIT_BITS + plan->passes);
            return true;
        default:
            return false;
    }
}

// --- Tridiagonal systems -------------------------------------------------------------------------

// What a row costs: words of device memory, operations of which `divisions` are divisions, accesses
// of shared memory.
typedef struct {
    double launches, words, operations, divisions, shared;
} row_cost;

// As tridiagonal.h states them; operations as [ZhangCohenOwens10] counts them.
static row_cost row_of(const tridiagonal_plan *p) {
    const double levels = ceil(lg((double)p->job.n));
    const bool apart = p->tiles > 1 && p->together == TRIDIAGONAL_APART;
    switch (p->variant) {
        case TRIDIAGONAL_PARTITION_PIVOT:
        case TRIDIAGONAL_PARTITION_PLAIN:
            // Down: a row of three entries and a right-hand side against its neighbour; up: an
            // unknown. Two launches go down twice.
            if (p->together == TRIDIAGONAL_KEPT) {
                const double joints = p->variant == TRIDIAGONAL_PARTITION_PIVOT ? 44 : 22;
                return (row_cost){4, 9 + joints / p->rows_each, 24, 2, 8};
            }
            return apart ? (row_cost){2, 9, 40, 3, 8} : (row_cost){1, 5, 24, 2, 8};
        case TRIDIAGONAL_THOMAS:
            return (row_cost){1, 9, 6, 2, 0};
        case TRIDIAGONAL_CYCLIC:
            return (row_cost){1, 5, 14, 3, 20};
        case TRIDIAGONAL_PARALLEL_CYCLIC:
            return (row_cost){1, 5, 10 * levels, 2 * levels, 12 * levels};
        case TRIDIAGONAL_RR_KOGGE_STONE:
        case TRIDIAGONAL_RR_LADNER:  // products of 2 x 2 matrices and vectors
            return (row_cost){1, 5, 16 * levels, 2, 12 * levels};
        case TRIDIAGONAL_WANG_MOU:
            return (row_cost){apart ? 2 : 1, apart ? 13 : 5, 10 * levels, 2 * levels, 12 * levels};
        case TRIDIAGONAL_TREE:
            return (row_cost){3, 11, 14, 3, 20};
        default:
            return (row_cost){0};
    }
}

bool agpu_tridiagonal(agpu_counts *c, const tridiagonal_plan *p) {
    // Instructions of a division, and of an operation on pairs of doubles.
    enum { FLOAT_DIVISION = 9, DOUBLE_DIVISION = 12, PAIR = 20, SECTOR = 32 };
    const double rows = (double)p->job.n * (double)p->job.batch;
    const bool f32 = p->job.type == TRIDIAGONAL_F32, thomas = p->variant == TRIDIAGONAL_THOMAS;
    const bool twice = p->variant == TRIDIAGONAL_PARTITION_PIVOT;
    const double bytes = f32 ? 4 : 8, own = bytes * (twice ? 2 : 1);
    const row_cost row = row_of(p);
    if (row.launches == 0) {
        return false;
    }
    // Threads of a warp take rows of a system, or of thomas systems; where those do not follow each
    // other, each word is a transfer of its own.
    const uint64_t apart = thomas ? p->job.system_stride : p->job.row_stride;
    const double beside = thomas ? 1 : p->systems;  // systems that a block takes
    const double word = apart == 1 ? bytes : fmax(bytes, SECTOR / beside);
    const double threads = (double)p->lanes * p->systems;
    const double block = thomas ? threads : p->rows_each * threads;
    const double operation = own > 8 ? PAIR : 1,
                 divide = own >= 8 ? DOUBLE_DIVISION : FLOAT_DIVISION;
    *c = (agpu_counts){
        .launches = row.launches,
        .steps = rows * ((row.operations + row.divisions * divide) * operation + row.shared),
        .io = rows * row.words * word,
        .store = 4 * own * block,
        .footprint = rows * 5 * bytes,
        .blocks = ceil((thomas ? (double)p->job.batch : rows) / block),
        .doubles = own >= 8};
    return true;
}

// --- Transforms and products ---------------------------------------------------------------------

bool agpu_fft(agpu_counts *c, const fft_id_plan *plan) {
    const fft_id_problem *const problem = &plan->problem;
    const double points = (double)fft_id_length(problem), batch = (double)problem->batch;
    const double bytes = (double)fft_id_item_bytes(problem), passes = fft_id_passes(plan);
    const double block = fmin(ldexp(1, plan->tuple.s), points);
    const bool real = problem->element == FFT_ID_REAL_F64 || problem->element == FFT_ID_REAL_F32;
    // Six fused operations a butterfly of two points; four a point to pack half a spectrum.
    *c = (agpu_counts){.launches = passes,
                       .steps = points * batch * (3 * lg(points) + (real ? 4 : 0)),
                       .io = 2 * points * batch * bytes * passes,
                       .store = block * bytes,
                       .footprint = 2 * points * batch * bytes,
                       .blocks = ceil(points * batch / block),
                       .doubles = bytes == 16 || problem->element == FFT_ID_MODULAR};
    return true;
}

bool agpu_product(agpu_counts *c, const agpu_shape *s) {
    enum { BUTTERFLY = 8, JOIN = 30 };  // of doubles: a butterfly, and a coefficient from residues
    const double points =
        (double)s->pieces * ldexp(1, (int)(s->lg_outer + s->lg_rows + s->lg_columns));
    const double plane = 8 * points * s->primes, words = 8 * (double)s->n;
    const double operands = s->square ? 1 : 2;
    *c = (agpu_counts){
        .launches = 4,
        .steps = s->primes * (operands + 1) * points / 2 * lg(points / s->pieces) * BUTTERFLY +
                 JOIN * points,
        // Columns read words and write planes; rows read all planes and write one; columns back;
        // the join reads it and writes the product.
        .io = operands * (words + plane) + (operands + 1) * plane + 2 * plane + plane + 2 * words,
        .store = 8 * ldexp(1, (int)(s->lg_rows > 5 ? s->lg_rows + 4 : s->lg_columns)),
        .footprint = operands * (plane + words) + 2 * words,
        .doubles = true};
    if (s->lg_outer > 0) {  // planes once more in and out, for operands and product
        c->launches += operands + 1;
        c->io += (operands + 1) * 2 * plane;
    }
    c->blocks = ceil(8 * points * s->primes / c->store);
    if (s->whole) {  // in shared memory from the words to the product
        c->launches = 1;
        c->io = operands * words + 2 * words;
        c->blocks = s->primes * s->pieces;
        c->store = 8 * points / s->pieces * operands;
    }
    return points > 0;
}

// --- Times ---------------------------------------------------------------------------------------

double agpu_time(const agpu_counts *c, const agpu_chip *chip, agpu_parts *parts) {
    const double most = fmax(floor(chip->store / fmax(c->store, 1)), 1);
    const double each = c->blocks / chip->multiprocessors;  // blocks of a multiprocessor
    const double resident = fmin(c->blocks, most * chip->multiprocessors);
    const double rate = c->footprint <= chip->cache_bytes ? chip->cache_bandwidth : chip->bandwidth;
    // Each round fills what the resident blocks hold and writes it back. The first one's latency is
    // the launch's.
    const double rounds = ceil(c->io / c->launches / (2 * resident * c->store));
    const double waiting = c->launches * (rounds - 1) * chip->latency;
    // Lanes that take steps: all of the blocks on the busiest multiprocessor.
    const double lanes = c->doubles ? chip->double_cores : chip->cores;
    const double busiest = c->steps / c->blocks * ceil(each);
    const agpu_parts p = {.launches = c->launches * chip->latency,
                          .io = fmax(c->io / rate, waiting),
                          .steps = busiest / lanes / chip->clock,
                          .multiplicity = fmax(fmin(most, each), 1)};
    if (parts != NULL) {
        *parts = p;
    }
    return p.launches + fmax(p.io, p.steps) + fmin(p.io, p.steps) / p.multiplicity;
}

size_t agpu_prune(const double *times, size_t count, double factor, bool *keep) {
    double least = INFINITY;
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        least = fmin(least, times[i]);
    }
    for (size_t i = 0; i < count; i++) {
        keep[i] = times[i] <= factor * least;
        kept += keep[i];
    }
    return kept;
}
