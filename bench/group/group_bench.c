// group_bench.c: one product on a group of members against the same product on one place.
//
// For every size and number of members: the time of bigint_mul on the group and on one place, in
// alternation, medians of --pairs; their ratio (above 1: the group is faster) and the efficiency,
// ratio / members; the bytes that a member sends, and what their exchange takes by the model of
// --link and --latency. If the members are on the host, also the time of each phase and of the
// exchanges in one more product, the longest of all members. Products on both are compared, limb by
// limb; a difference ends the program with status 1.
//
// Prints a table; --json appends records (bench/schema.md).
#include <argp.h>
#include <err.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/program.h"
#include "bench/harness.h"
#include "bench/host.h"
#include "bigint/bigint.h"
#include "bigint/group/group.h"
#include "bigint/group/member_product.h"
#include "tests/support/gen.h"

enum { PLACES_MAX = 64, COUNTS_MAX = 16, PAIRS_MAX = 101 };

typedef struct {
    int places[PLACES_MAX];
    unsigned place_count, members[COUNTS_MAX], counts;
    unsigned size_lo, size_hi, pairs;
    double link, latency;  // bytes a second of a member, seconds of an exchange
    const char *json;
} bench;

// --- Command line --------------------------------------------------------------------------------

static const struct argp_option options[] = {
    {"places", 'p', "LIST", 0,
     "Places of the members, in turn: host or numbers of devices (default: host)", 0},
    {"members", 'm', "LIST", 0, "Numbers of members (default: 1,2,4,8)", 0},
    {"sizes", 's', "LO..HI", 0, "log2 of the bits of each operand (default: 24..28)", 0},
    {"pairs", 'n', "N", 0, "Pairs of samples (default: 5)", 0},
    {"link", 'l', "GB_S", 0, "Model: what a member sends in a second (default: 342)", 0},
    {"latency", 'u', "US", 0, "Model: microseconds of an exchange (default: 50)", 0},
    {"json", 'j', "FILE", 0, "Append records", 0},
    {0},
};

static unsigned number(const char *text, unsigned most) {
    char *end;
    const unsigned long n = strtoul(text, &end, 10);
    if (end == text || strchr(",.", *end) == NULL || n > most) {
        errx(EXIT_USAGE, "'%s' is no number up to %u", text, most);
    }
    return (unsigned)n;
}

// next: what follows a comma; NULL at the end.
static const char *next(const char *text) {
    const char *const comma = strchr(text, ',');
    return comma == NULL ? NULL : comma + 1;
}

static error_t parse(int key, char *value, struct argp_state *state) {
    bench *const b = state->input;
    switch (key) {
        case 'p':
            b->place_count = 0;
            for (const char *p = value; p != NULL && b->place_count < PLACES_MAX; p = next(p)) {
                b->places[b->place_count++] =
                    strncmp(p, "host", 4) == 0 ? BIGINT_HOST : (int)number(p, 1023);
            }
            return 0;
        case 'm':
            b->counts = 0;
            for (const char *p = value; p != NULL && b->counts < COUNTS_MAX; p = next(p)) {
                b->members[b->counts++] = number(p, EXCHANGE_MEMBERS_MAX);
            }
            return 0;
        case 's':
            b->size_lo = number(value, 42);
            b->size_hi =
                strstr(value, "..") != NULL ? number(strstr(value, "..") + 2, 42) : b->size_lo;
            return 0;
        case 'n':
            b->pairs = number(value, PAIRS_MAX);
            return 0;
        case 'l':
            b->link = 1e9 * number(value, 100000);
            return 0;
        case 'u':
            b->latency = 1e-6 * number(value, 1000000);
            return 0;
        case 'j':
            b->json = value;
            return 0;
        default:
            return ARGP_ERR_UNKNOWN;
    }
}

// --- One row -------------------------------------------------------------------------------------

// side: a context, and the operands and the product on its place.
typedef struct {
    bigint_device *device;
    bigint_ctx *ctx;
    bigint a, b, r;
    double ns[PAIRS_MAX];
} side;

static void must(const side *s, bigint_status status) {
    if (status != BIGINT_OK) {
        errx(EXIT_WRONG, "%s", bigint_ctx_error(s->ctx));
    }
}

// open_side: a group, or members 0: one place.
static void open_side(const bench *b, side *s, unsigned members) {
    int places[EXCHANGE_MEMBERS_MAX];
    for (unsigned i = 0; i < members; i++) {
        places[i] = b->places[i % b->place_count];
    }
    *s = (side){0};
    const bigint_status status = members == 0
                                     ? bigint_device_open(&s->device, b->places[0], NULL)
                                     : bigint_device_open_group(&s->device, places, members, NULL);
    if (status != BIGINT_OK || bigint_ctx_create(&s->ctx, s->device, NULL) != BIGINT_OK) {
        errx(EXIT_IO, "%s",
             status != BIGINT_OK ? bigint_device_error(s->device) : bigint_ctx_error(s->ctx));
    }
}

static void set_side(side *s, const uint64_t *p, uint64_t n) {
    must(s, bigint_set_limbs(s->ctx, &s->a, p, n, 1));
    must(s, bigint_set_limbs(s->ctx, &s->b, p + n, n, 1));
}

static void close_side(side *s) {
    bigint_clear(s->ctx, &s->a), bigint_clear(s->ctx, &s->b), bigint_clear(s->ctx, &s->r);
    bigint_ctx_destroy(s->ctx);
    bigint_device_close(s->device);
}

static double time_side(side *s) {
    const double begin = bench_now();
    must(s, bigint_mul(s->ctx, &s->r, &s->a, &s->b));
    must(s, bigint_sync(s->ctx));
    return bench_now() - begin;
}

static uint64_t *limbs_of(side *s, uint64_t *need) {
    const uint64_t room = bigint_limbs_bound(&s->r);
    uint64_t *const p = program_memory(room, sizeof *p, "a product");
    must(s, bigint_get_limbs(s->ctx, p, room, need, NULL, &s->r));
    return p;
}

static void compare(side *x, side *y) {
    uint64_t xn, yn;
    uint64_t *const xp = limbs_of(x, &xn), *const yp = limbs_of(y, &yn);
    if (xn != yn || memcmp(xp, yp, xn * sizeof *xp) != 0) {
        errx(EXIT_WRONG, "the group's product differs from the other one");
    }
    free(xp), free(yp);
}

// steps: one product's phases, on the host.
typedef struct {
    uint64_t n, *limbs;
    member_clock clock[EXCHANGE_MEMBERS_MAX];
    double exchange[EXCHANGE_MEMBERS_MAX];
    uint64_t calls;
} steps;

static bigint_status run_steps(member *m, void *arg) {
    steps *const s = arg;
    exchange *const x = m->exchange;
    const uint64_t first = block_bounds(s->n, x->members, x->member).first;
    const uint64_t count = block_bounds(2 * s->n, x->members, x->member).count;
    const double before = x->seconds;
    const uint64_t calls = x->calls;
    uint64_t *const r = program_memory(count + 1, sizeof *r, "a block");
    const member_job job = {.rp = r,
                            .ap = s->limbs + first,
                            .bp = s->limbs + s->n + first,
                            .an = s->n,
                            .bn = s->n,
                            .clock = &s->clock[x->member]};
    const bigint_status status = member_multiply(m, &job);
    s->exchange[x->member] = x->seconds - before;
    if (x->member == 0) {
        s->calls = x->calls - calls;
    }
    free(r);
    return status;
}

static double longest(const double *values, unsigned n, size_t stride) {
    double most = 0;
    for (unsigned i = 0; i < n; i++) {
        const double value = *(const double *)((const char *)values + i * stride);
        most = value > most ? value : most;
    }
    return most;
}

typedef struct {
    uint64_t bits, sent, exchanges;
    unsigned members;
    bench_times dealt, single;
    double phases[MEMBER_PHASES], exchange, model;
    char plan[512];
} row;

static void measure_steps(const bench *b, side *dealt, row *r, uint64_t *limbs, uint64_t n) {
    steps *const s = program_memory(1, sizeof *s, "the phases of a product");
    s->n = n;
    s->limbs = limbs;
    must(dealt, group_run(dealt->ctx, "group_bench", run_steps, s));
    for (int k = 0; k < MEMBER_PHASES; k++) {
        r->phases[k] = longest(&s->clock[0].seconds[k], r->members, sizeof s->clock[0]);
    }
    r->exchange = longest(s->exchange, r->members, sizeof s->exchange[0]);
    r->exchanges = s->calls;
    r->model = (double)r->sent / b->link + (double)s->calls * b->latency;
    free(s);
}

// sent_bytes: of the member that sends most, by the plan.
static uint64_t sent_bytes(side *dealt, row *r, uint64_t n) {
    member_plan plan;
    must(dealt,
         member_plan_make(dealt->ctx, "group_bench", &plan, r->members, n, n, false, MEMBER_AUTO));
    uint64_t most = 0;
    for (unsigned i = 0; i < r->members; i++) {
        const uint64_t sent = member_sent_bytes(&plan, i);
        most = sent > most ? sent : most;
    }
    member_plan_print(&plan, r->plan, sizeof r->plan);
    return most;
}

static void measure(const bench *b, row *r, uint64_t *limbs, uint64_t n) {
    static side single, dealt;
    open_side(b, &single, 0);
    open_side(b, &dealt, r->members);
    set_side(&single, limbs, n);
    set_side(&dealt, limbs, n);
    time_side(&single), time_side(&dealt);
    compare(&single, &dealt);
    for (unsigned i = 0; i < b->pairs; i++) {
        dealt.ns[i] = time_side(&dealt);
        single.ns[i] = time_side(&single);
    }
    bench_statistics(dealt.ns, b->pairs, &r->dealt);
    bench_statistics(single.ns, b->pairs, &r->single);
    r->sent = sent_bytes(&dealt, r, n);
    if (b->places[0] == BIGINT_HOST) {
        measure_steps(b, &dealt, r, limbs, n);
    }
    close_side(&single), close_side(&dealt);
}

// --- Output --------------------------------------------------------------------------------------

static void print(const row *r) {
    const double ratio = r->single.median / r->dealt.median;
    printf("2^%-3u %3u %10.3f ms %10.3f ms %6.2f %5.0f %% %9.1f MB %9.3f ms\n",
           63 - (unsigned)__builtin_clzll(r->bits), r->members, r->dealt.median / 1e6,
           r->single.median / 1e6, ratio, 100 * ratio / r->members, (double)r->sent / 1e6,
           1e3 * r->model);
    if (r->exchanges > 0) {
        printf("        ");
        for (int k = 0; k < MEMBER_PHASES; k++) {
            printf("%s %.3f, ", member_phase_name((member_phase)k), 1e3 * r->phases[k]);
        }
        printf("exchanges %.3f ms (%" PRIu64 ")\n", 1e3 * r->exchange, r->exchanges);
    }
    program_flush();
}

static void record(const bench *b, const bench_host *h, const row *r) {
    FILE *const f = fopen(b->json, "a");
    if (f == NULL) {
        err(EXIT_IO, "%s", b->json);
    }
    fprintf(f,
            "{\"schema\":1,\"topic\":\"group\",\"case\":\"mul\",\"op\":\"%s\",\"bits\":%" PRIu64
            ",\"members\":%u,\"plan\":\"%s\",\"median_ns\":%.6g,\"min_ns\":%.6g,\"spread\":%.6g,"
            "\"rival\":\"one place\",\"rival_median_ns\":%.6g,\"rival_min_ns\":%.6g,"
            "\"rival_spread\":%.6g,\"pairs\":%u,\"sent_bytes\":%" PRIu64 ",\"exchanges\":%" PRIu64
            ",\"exchange_ns\":%.6g,\"modelled_exchange_ns\":%.6g",
            b->places[0] == BIGINT_HOST ? "host" : "device", r->bits, r->members, r->plan,
            r->dealt.median, r->dealt.min, r->dealt.spread, r->single.median, r->single.min,
            r->single.spread, b->pairs, r->sent, r->exchanges, 1e9 * r->exchange, 1e9 * r->model);
    for (int k = 0; k < MEMBER_PHASES && r->exchanges > 0; k++) {
        fprintf(f, ",\"%s_ns\":%.6g", member_phase_name((member_phase)k), 1e9 * r->phases[k]);
    }
    fprintf(f,
            ",\"model_link_gb_s\":%.6g,\"model_latency_us\":%.6g,\"chip\":\"%s\",\"cpu\":\"%s\","
            "\"cores\":%ld,\"compiler\":\"%s\",\"commit\":\"%s\",\"dirty\":%s}\n",
            b->link / 1e9, 1e6 * b->latency, h->chip, h->cpu, h->cores, h->compiler, h->commit,
            h->dirty ? "true" : "false");
    if (fclose(f) != 0) {
        err(EXIT_IO, "%s", b->json);
    }
}

int main(int argc, char **argv) {
    static const struct argp parser = {
        options, parse,
        NULL,    "One product on a group of members against one place.\v" PROGRAM_EXIT_CODES,
        NULL,    NULL,
        NULL};
    bench b = {.places = {BIGINT_HOST},
               .place_count = 1,
               .members = {1, 2, 4, 8},
               .counts = 4,
               .size_lo = 24,
               .size_hi = 28,
               .pairs = 5,
               .link = 342e9,
               .latency = 50e-6};
    program_begin();
    program_prints();
    argp_err_exit_status = EXIT_USAGE;
    argp_parse(&parser, argc, argv, 0, NULL, &b);
    const bench_host host = bench_host_get();
    printf(
        "bits members      group    one place  ratio  eff.   sent a member   modelled exchange\n");
    for (unsigned lg = b.size_lo; lg <= b.size_hi; lg++) {
        const uint64_t n = lg < 6 ? 1 : UINT64_C(1) << (lg - 6);
        uint64_t *const limbs = program_memory(2 * n, sizeof *limbs, "operands");
        gen g = gen_seed(lg);
        gen_limbs(&g, GEN_UNIFORM, limbs, 2 * n);
        limbs[n - 1] |= UINT64_C(1) << 63;
        for (unsigned i = 0; i < b.counts; i++) {
            row r = {.bits = 64 * n, .members = b.members[i]};
            measure(&b, &r, limbs, n);
            print(&r);
            if (b.json != NULL) {
                record(&b, &host, &r);
            }
        }
        free(limbs);
    }
    return 0;
}
