// product.c: see product.h. Operands go from blocks to strips, digits and parts; prime after prime
// from strips to shares and back; and coefficients from strips to limbs and blocks.
#include "bigint/group/device/product.h"

#include "bigint/core/arena.h"
#include "bigint/core/device_stream.h"
#include "bigint/device/kernels/recombine_device.h"
#include "bigint/device/tables.h"
#include "bigint/group/device/strips.h"
#include "bigint/group/exchange/member_carry.h"
#include "carry/add.h"

static const char *const who = "bigint_mul";

enum { LIMB = sizeof(uint64_t), RECOMBINES = 2 };

// product: a product on one member. Everything behind `blocks` is device memory.
typedef struct {
    member *m;
    const device_member_job *job;
    const device_member_plan *plan;
    const fft_modular_tables *tables;
    cuda_stream stream;
    device_exchange *exchange;
    exchange_block *blocks;  // 2 * members
    double *planes;          // of all primes: the strip's
    uint64_t *words;         // a zero, a sign that is not wanted, a one, which is aligned
    // Workspace of the kernels that carry; launches that follow each other take turns.
    unsigned char *recombining[RECOMBINES], *adding;
    // While there are planes of the share, and the other operand's strip.
    double *x, *y, *y_strip;
    uint64_t *a_limbs, *b_limbs, *packed;
    // Afterwards: rows of limbs; main limbs and the limbs beyond, of own strips and received; two
    // addends of the own block, their sum, and one more.
    uint64_t *rows, *main, *over, *mains, *overs, *low, *high, *sum, *next;
} product;

static unsigned self(const product *p) { return p->m->exchange->member; }

static block_range own_block(const product *p, uint64_t n) {
    return block_bounds(n, p->plan->members, self(p));
}

static uint64_t product_limbs(const product *p) { return p->plan->an + p->plan->bn; }

// Limbs of a strip of an operand of n limbs: whole rows.
static uint64_t strip_limbs(const device_member_plan *plan, uint64_t n) {
    return (n + plan->row_limbs - 1) / plan->row_limbs * plan->strip_limbs;
}

// --- Memory ---

// lay points into memory at *used and adds the bytes; memory NULL: only that.
static void *lay(unsigned char *memory, uint64_t *used, uint64_t bytes) {
    void *const at = memory == NULL ? NULL : memory + *used;
    *used += (bytes + 255) / 256 * 256;
    return at;
}

static uint64_t over_limbs(const device_member_plan *plan) {
    return plan->rows * DEVICE_MEMBER_OVER;
}

static uint64_t recombine_bytes(const device_member_plan *plan) {
    return recombine_device_bytes(plan->strip_limbs + DEVICE_MEMBER_OVER);
}

// The longest block of n limbs: the first.
static uint64_t longest(const device_member_plan *plan, uint64_t n) {
    return block_bounds(n, plan->members, 0).count;
}

// lay_transform and lay_limbs point into the same memory, for one after the other, from `used` on,
// and return how far they come.
static uint64_t lay_transform(product *p, unsigned char *memory, uint64_t used) {
    const device_member_plan *const plan = p->plan;
    const uint64_t plane = plan->points * sizeof(double), b = plan->square ? 0 : 1;
    const uint64_t block = longest(plan, plan->an > plan->bn ? plan->an : plan->bn);
    p->x = lay(memory, &used, plane);
    p->y = lay(memory, &used, b * plane);
    p->y_strip = lay(memory, &used, b * plane);
    p->a_limbs = lay(memory, &used, strip_limbs(plan, plan->an) * LIMB);
    p->b_limbs = lay(memory, &used, b * strip_limbs(plan, plan->bn) * LIMB);
    p->packed = lay(memory, &used, block * LIMB);
    return used;
}

static uint64_t lay_limbs(product *p, unsigned char *memory, uint64_t used) {
    const device_member_plan *const plan = p->plan;
    const uint64_t main = plan->rows * plan->strip_limbs * LIMB, over = over_limbs(plan) * LIMB;
    const uint64_t block = (longest(plan, product_limbs(p)) + 1) * LIMB;
    p->rows = lay(memory, &used, main + over);
    p->main = lay(memory, &used, main);
    p->over = lay(memory, &used, over);
    p->mains = lay(memory, &used, block);
    p->overs = lay(memory, &used, over * plan->members);
    p->low = lay(memory, &used, block);
    p->high = lay(memory, &used, block);
    p->sum = lay(memory, &used, block);
    p->next = lay(memory, &used, block);
    return used;
}

// lay_all points everything into memory and returns how many bytes it is; NULL: only that.
static uint64_t lay_all(product *p, unsigned char *memory) {
    const device_member_plan *const plan = p->plan;
    uint64_t used = 0;
    p->words = lay(memory, &used, 4 * LIMB);
    for (unsigned i = 0; i < RECOMBINES; i++) {
        p->recombining[i] = lay(memory, &used, recombine_bytes(plan));
    }
    p->adding = lay(memory, &used, carry_add_workspace_bytes(longest(plan, product_limbs(p)) + 1));
    p->planes = lay(memory, &used, plan->points * plan->modular.primes * sizeof(double));
    const uint64_t transform = lay_transform(p, memory, used), limbs = lay_limbs(p, memory, used);
    return transform > limbs ? transform : limbs;
}

uint64_t device_member_bytes(const device_member_plan *plan) {
    product p = {.plan = plan};
    return lay_all(&p, NULL);
}

// prepare: tables, memory and words; the context has been entered.
static bigint_status prepare(product *p) {
    bigint_ctx *const ctx = p->m->ctx;
    const device_plan tables = {.engine = ENGINE_MODULAR_FFT, .modular = p->plan->modular};
    bigint_status status = device_tables_need(ctx, who, &tables);
    if (status != BIGINT_OK) {
        return status;
    }
    p->tables = device_tables(ctx, &p->plan->modular);
    p->blocks = arena_take(ctx, who, 2 * p->plan->members * sizeof *p->blocks);
    unsigned char *const memory =
        p->blocks == NULL ? NULL : arena_take_in(ctx, &ctx->queue.memory, who, lay_all(p, NULL));
    if (memory == NULL) {
        return ctx->failed != BIGINT_OK ? ctx->failed : BIGINT_ENOMEM;
    }
    lay_all(p, memory);
    static const uint64_t one = 1;
    const uint64_t zeros = (uint64_t)((unsigned char *)p->planes - memory);  // all workspace
    result done = cuda_set(memory, 0, zeros, p->stream);
    done = done == RESULT_OK ? cuda_copy(p->words + 2, &one, LIMB, p->stream) : done;
    return device_status(ctx, who, done);
}

// --- From blocks to strips ---

static bigint_status all_to_all(product *p) {
    return device_all_to_all(p->exchange, p->m->ctx, who, p->blocks, p->blocks + p->plan->members);
}

// deal: strip = the own strip of an operand of n limbs, zeros above it.
static bigint_status deal(product *p, uint64_t *strip, const uint64_t *block, uint64_t n) {
    const device_member_plan *const plan = p->plan;
    const block_range own = own_block(p, n);
    result done = cuda_set(strip, 0, strip_limbs(plan, n) * LIMB, p->stream);
    uint64_t *at = p->packed;
    for (unsigned i = 0; i < plan->members && done == RESULT_OK; i++) {
        const block_range theirs = block_bounds(n, plan->members, i);
        const uint64_t first = device_member_before(plan, i, own.first),
                       end = device_member_before(plan, i, own.first + own.count),
                       begin = device_member_before(plan, self(p), theirs.first),
                       last = device_member_before(plan, self(p), theirs.first + theirs.count);
        done = device_strip_pack(plan, i, at, block, own, p->stream);
        p->blocks[i] = exchange_bytes(at, (end - first) * LIMB);
        p->blocks[plan->members + i] = exchange_bytes(strip + begin, (last - begin) * LIMB);
        at += end - first;
    }
    const bigint_status status = device_status(p->m->ctx, who, done);
    return status == BIGINT_OK ? all_to_all(p) : status;
}

// --- The transform ---

// turn: from the own columns of all parts to all columns of the own parts, or back.
static bigint_status turn(product *p, double *share, double *strip, bool back) {
    const fft_modular_plan *const modular = &p->plan->modular;
    const unsigned members = p->plan->members;
    const uint64_t n = (uint64_t)1 << fft_modular_lg_part(modular), columns = n / members;
    const uint64_t parts = fft_modular_parts(modular) / members;
    for (unsigned i = 0; i < members; i++) {
        const exchange_block in_share = {share + i * columns, parts, columns * sizeof(double),
                                         n * sizeof(double)};
        const exchange_block in_strip = {strip + i * parts * columns, parts,
                                         columns * sizeof(double), columns * sizeof(double)};
        p->blocks[i] = back ? in_share : in_strip;
        p->blocks[members + i] = back ? in_strip : in_share;
    }
    return all_to_all(p);
}

// convolve: the strip's residues of the product modulo one prime.
static bigint_status convolve(product *p, unsigned prime) {
    const device_member_plan *const plan = p->plan;
    bigint_ctx *const ctx = p->m->ctx;
    const fft_modular_step step = {&plan->modular, p->tables, prime, 1, p->stream};
    const fft_modular_share share = {plan->lg_members, self(p)};
    const fft_modular_operand a = {p->a_limbs, strip_limbs(plan, plan->an)},
                              b = {p->b_limbs, strip_limbs(plan, plan->bn)};
    const bool square = plan->square;
    double *const strip = p->planes + prime * plan->points, *const y = square ? NULL : p->y;
    bigint_status status = device_status(
        ctx, who,
        fft_modular_strip_split(&step, share.lg, strip, a, square ? NULL : p->y_strip, b));
    status = status == BIGINT_OK ? turn(p, p->x, strip, false) : status;
    status = status == BIGINT_OK && !square ? turn(p, p->y, p->y_strip, false) : status;
    if (status != BIGINT_OK) {
        return status;
    }
    result done = fft_modular_share_columns(&step, share, p->x, y);
    done = done == RESULT_OK ? fft_modular_share_rows(&step, share, p->x, p->y,
                                                      square ? FFT_ROW_SQUARE : FFT_ROW_MULTIPLY)
                             : done;
    done = done == RESULT_OK ? fft_modular_share_inverse(&step, share, p->x) : done;
    status = device_status(ctx, who, done);
    status = status == BIGINT_OK ? turn(p, p->x, strip, true) : status;
    return status == BIGINT_OK
               ? device_status(ctx, who, fft_modular_strip_gather(&step, share.lg, strip))
               : status;
}

// --- From strips to blocks ---

// recombine: the strip's rows as limbs: main limbs, and those beyond.
static result recombine(product *p) {
    const device_member_plan *const plan = p->plan;
    const uint64_t row = plan->strip_limbs + DEVICE_MEMBER_OVER;
    const uint64_t columns = plan->points / fft_modular_parts(&plan->modular);
    const recombine_signs none = {p->words + 1, p->words, p->words};
    result done = RESULT_OK;
    for (uint64_t r = 0; r < plan->rows && done == RESULT_OK; r++) {
        const recombine_residues residues = {p->planes + r * columns,
                                             plan->points,
                                             columns,
                                             plan->modular.primes,
                                             plan->modular.digit_bits,
                                             0};
        done = recombine_device(p->rows + r * row, row, &none, &residues,
                                p->recombining[r % RECOMBINES], recombine_bytes(plan), p->stream);
    }
    done = done == RESULT_OK
               ? cuda_copy_rows(p->main, plan->strip_limbs * LIMB, p->rows, row * LIMB,
                                plan->strip_limbs * LIMB, plan->rows, p->stream)
               : done;
    return done == RESULT_OK
               ? cuda_copy_rows(p->over, DEVICE_MEMBER_OVER * LIMB, p->rows + plan->strip_limbs,
                                row * LIMB, DEVICE_MEMBER_OVER * LIMB, plan->rows, p->stream)
               : done;
}

// covered: the limbs of a block that rows have; the product's top limb may lie beyond all of them.
static block_range covered(const device_member_plan *plan, block_range block) {
    const uint64_t all = plan->rows * plan->row_limbs, end = block.first + block.count;
    return block.first >= all ? (block_range){all, 0}
                              : (block_range){block.first, (end < all ? end : all) - block.first};
}

// exchange_mains: p->low = the main limbs of all members' strips that are in the own block.
static bigint_status exchange_mains(product *p) {
    const device_member_plan *const plan = p->plan;
    const uint64_t n = product_limbs(p);
    const block_range own = covered(plan, own_block(p, n));
    uint64_t *at = p->mains;
    for (unsigned i = 0; i < plan->members; i++) {
        const block_range theirs = covered(plan, block_bounds(n, plan->members, i));
        const uint64_t first = device_member_before(plan, self(p), theirs.first),
                       end = device_member_before(plan, self(p), theirs.first + theirs.count),
                       count = device_member_before(plan, i, own.first + own.count) -
                               device_member_before(plan, i, own.first);
        p->blocks[i] = exchange_bytes(p->main + first, (end - first) * LIMB);
        p->blocks[plan->members + i] = exchange_bytes(at, count * LIMB);
        at += count;
    }
    const bigint_status status = all_to_all(p);
    result done = RESULT_OK;
    at = p->mains;
    for (unsigned i = 0; i < plan->members && status == BIGINT_OK && done == RESULT_OK; i++) {
        done = device_strip_unpack(plan, i, p->low, own, at, p->stream);
        at += p->blocks[plan->members + i].row_bytes / LIMB;
    }
    return status == BIGINT_OK ? device_status(p->m->ctx, who, done) : status;
}

// exchange_overs: p->high = the limbs beyond the rows of all strips that are in the own block.
static bigint_status exchange_overs(product *p) {
    const device_member_plan *const plan = p->plan;
    const uint64_t each = over_limbs(plan);
    const block_range own = own_block(p, product_limbs(p));
    for (unsigned i = 0; i < plan->members; i++) {
        p->blocks[i] = exchange_bytes(p->over, each * LIMB);
        p->blocks[plan->members + i] = exchange_bytes(p->overs + i * each, each * LIMB);
    }
    const bigint_status status = all_to_all(p);
    result done = RESULT_OK;
    for (unsigned i = 0; i < plan->members && status == BIGINT_OK && done == RESULT_OK; i++) {
        done = device_strip_overs(plan, i, p->high, own, p->overs + i * each, p->stream);
    }
    return status == BIGINT_OK ? device_status(p->m->ctx, who, done) : status;
}

// add enqueues r = a + b of the own block, with the carry out in a limb more.
static result add(product *p, uint64_t *r, limbs_device_number a, limbs_device_number b) {
    const uint64_t n = own_block(p, product_limbs(p)).count + 1;
    return carry_add(r, n, p->words + 1, a, b, false, p->adding, carry_add_workspace_bytes(n),
                     p->stream);
}

// carry: the own block is low + high and what the blocks below carry into it. Both sums are there
// before that is known: one more carries out where the first one is all ones.
static bigint_status carry(product *p) {
    bigint_ctx *const ctx = p->m->ctx;
    const uint64_t n = own_block(p, product_limbs(p)).count;
    uint64_t out[2] = {0, 1}, in = 0, top = 0;
    bigint_status status = BIGINT_OK;
    if (n > 0) {
        const limbs_device_number low = {p->low, n, NULL}, high = {p->high, n, NULL},
                                  sum = {p->sum, n + 1, NULL}, one = {p->words + 2, 1, NULL};
        result done = add(p, p->sum, low, high);
        done = done == RESULT_OK ? add(p, p->next, sum, one) : done;
        done = done == RESULT_OK ? cuda_copy(&out[0], p->sum + n, LIMB, p->stream) : done;
        done = done == RESULT_OK ? cuda_copy(&out[1], p->next + n, LIMB, p->stream) : done;
        status = device_status(ctx, who, done);
        status = status == BIGINT_OK ? device_wait(ctx, who) : status;
    }
    if (status == BIGINT_OK) {
        status = member_carry_in(p->m->exchange, out[0], out[1] != out[0], &in, &top);
    }
    if (status != BIGINT_OK || n == 0) {
        return status;
    }
    return device_status(ctx, who,
                         cuda_copy(p->job->rp, in != 0 ? p->next : p->sum, n * LIMB, p->stream));
}

static bigint_status join(product *p) {
    const uint64_t bytes = (own_block(p, product_limbs(p)).count + 1) * LIMB;
    result done = recombine(p);
    done = done == RESULT_OK ? cuda_set(p->low, 0, bytes, p->stream) : done;
    done = done == RESULT_OK ? cuda_set(p->high, 0, bytes, p->stream) : done;
    bigint_status status = device_status(p->m->ctx, who, done);
    status = status == BIGINT_OK ? exchange_mains(p) : status;
    status = status == BIGINT_OK ? exchange_overs(p) : status;
    return status == BIGINT_OK ? carry(p) : status;
}

// --- Both ---

static bigint_status run(product *p) {
    const device_member_plan *const plan = p->plan;
    bigint_status status = deal(p, p->a_limbs, p->job->ap, plan->an);
    if (status == BIGINT_OK && !plan->square) {
        status = deal(p, p->b_limbs, p->job->bp, plan->bn);
    }
    for (unsigned prime = 0; prime < plan->modular.primes && status == BIGINT_OK; prime++) {
        status = convolve(p, prime);
    }
    return status == BIGINT_OK ? join(p) : status;
}

// refused records who of the members failed, and why.
static bigint_status refused(member *m, bigint_status status) {
    const exchange *const x = m->exchange;
    return bigint_fail(m->ctx, status, "%s: member %u of %u: %s", who, x->failure.member,
                       x->members, x->failure.cause);
}

// attempt: all of it, in a context that has been entered.
static bigint_status attempt(product *p) {
    member *const m = p->m;
    bigint_ctx *const ctx = m->ctx;
    bigint_status status = p->job->so_far == BIGINT_OK ? prepare(p) : p->job->so_far;
    status = exchange_agree(m->exchange, status, ctx->error,
                            p->plan->an ^ p->plan->bn << 20 ^ p->plan->row_limbs << 40);
    if (status != BIGINT_OK) {
        return refused(m, status);
    }
    status = run(p);
    if (status == BIGINT_OK) {
        return BIGINT_OK;
    }
    // When all members have returned no copy from another's memory is under way.
    cuda_stream_wait(p->stream);
    if (status == BIGINT_EPEER) {
        return refused(m, status);
    }
    exchange_give_up(m->exchange, status, ctx->error);
    return status;
}

bigint_status device_member_multiply(member *m, device_exchange *x, const device_member_job *job) {
    bigint_ctx *const ctx = m->ctx;
    product p = {.m = m, .job = job, .plan = job->plan, .stream = ctx->queue.stream, .exchange = x};
    const bigint_status entered = device_enter(ctx, who);
    const device_member_job failed = {.plan = job->plan, .so_far = entered};
    p.job = entered == BIGINT_OK ? job : &failed;
    const arena_mark mark = arena_get_mark(ctx);
    const arena_mark device_mark = arena_mark_in(&ctx->queue.memory);
    const bigint_status status = attempt(&p);
    arena_release_in(ctx, &ctx->queue.memory, device_mark);
    arena_release(ctx, mark);
    if (entered == BIGINT_OK) {
        device_leave(ctx);
    }
    return status;
}
