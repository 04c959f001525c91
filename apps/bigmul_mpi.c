// bigmul_mpi.c: bigmul on the ranks of an MPI job: every rank is a member of a group and holds a
// block of each number. Options and formats are bigmul's. Raw operands and products in files are
// read and written by all ranks, each its own range of bytes; other formats, and products for
// standard output, pass through rank 0, which also prints. Texts are read by all ranks.
#include <err.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "apps/bigmul_options.h"
#include "apps/machine.h"
#include "apps/mpi_blocks.h"
#include "apps/mpi_ranks.h"
#include "apps/operand_io.h"
#include "apps/program.h"
#include "bigint/group/member_product.h"

// How long a rank waits for the others in one exchange, reading and writing included.
static const double kTimeout = 600;

typedef struct {
    const bigmul_options *options;
    mpi_ranks ranks;
    member member;
    mpi_number a, b, r;
    member_clock clock;
    double begin, product;  // seconds
} job;

// --- Options -------------------------------------------------------------------------------------

// Before MPI starts every rank reads the same command line; one of them says what is wrong with it.
// Launchers tell a process its rank in one of these variables.
static bool prints(void) {
    static const char *const names[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK",
                                        "SLURM_PROCID", "MV2_COMM_WORLD_RANK"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *const rank = getenv(names[i]);
        if (rank != NULL) {
            return strcmp(rank, "0") == 0;
        }
    }
    return true;
}

static void refuse(const bigmul_options *o) {
    if (o->device >= 0 || o->backend != NULL) {
        errx(EXIT_USAGE, "ranks multiply on the host: leave --device and --backend out");
    }
    if (o->radix == RADIX_DECIMAL) {
        errx(EXIT_USAGE, "--radix decimal is bigmul's alone");
    }
    for (int i = 0; i < o->operand_count; i++) {
        if (strcmp(o->operands[i], "-") == 0) {
            errx(EXIT_USAGE, "ranks have no standard input: name a file, as @FILE");
        }
    }
}

static void no_progress(void *user, double done, double total) {
    (void)user, (void)done, (void)total;
}

// begin reads the command line and the operands that are texts, before MPI starts.
static bigmul_options begin(int argc, char **argv, number_text texts[2]) {
    if (!prints()) {
        mpi_silence(true);
    }
    const bigmul_options o = bigmul_options_parse(argc, argv);
    refuse(&o);
    for (int i = 0; i < o.operand_count && o.from != FORMAT_RAW; i++) {
        const operand_rules rules = {o.from, o.max_memory / 4, o.max_memory, no_progress, NULL};
        texts[i] = operand_read(o.operands[i], i + 1, &rules);
    }
    mpi_silence(false);
    return o;
}

// --- Numbers -------------------------------------------------------------------------------------

static void take_operand(job *j, mpi_number *n, int index, number_text *text) {
    const bigmul_options *const o = j->options;
    if (o->from == FORMAT_RAW) {
        mpi_read_raw(&j->ranks, n, o->operands[index]);
    } else {
        mpi_deal_text(&j->ranks, n, text, o->from);
        free(text->data);
    }
}

// Only a regular file has room for all ranks.
static bool is_file(const char *path) {
    struct stat info;
    return path != NULL && strcmp(path, "-") != 0 &&
           (stat(path, &info) != 0 || S_ISREG(info.st_mode));
}

static void write_product(job *j) {
    const bigmul_options *const o = j->options;
    const bool by_all = o->to == FORMAT_RAW && is_file(o->output);
    if (mpi_from_first(&j->ranks, by_all)) {
        mpi_write_raw(&j->ranks, &j->r, o->output);
    } else {
        mpi_write_gathered(&j->ranks, &j->r, o->to, o->output);
    }
}

// --- The product ---------------------------------------------------------------------------------

// open_member: ranks of one machine share its processors and the memory that the user allows.
static void open_member(job *j) {
    const bigmul_options *const o = j->options;
    bigint_ctx_options library = o->library;
    const unsigned here = j->ranks.here;
    const bool chosen = library.threads != processors();
    library.threads = chosen ? library.threads : (library.threads + here - 1) / here;
    library.max_workspace_bytes = o->max_memory / here;
    const bigint_status status = bigint_ctx_create(&j->member.ctx, NULL, &library);
    const char *const text = j->member.ctx == NULL ? "" : bigint_ctx_error(j->member.ctx);
    mpi_agree(&j->ranks, status, text, 0);
}

static void explain(job *j) {
    member_plan plan;
    char text[512];
    const uint64_t an = j->a.limbs, bn = j->b.limbs;
    const bigint_status status =
        member_plan_make(j->member.ctx, "bigmul-mpi", &plan, j->ranks.count, an > bn ? an : bn,
                         an > bn ? bn : an, j->options->square, MEMBER_AUTO);
    if (j->ranks.rank == 0 && status == BIGINT_OK) {
        member_plan_print(&plan, text, sizeof text);
        fprintf(stderr, "bigmul-mpi: %s\n", text);
    }
}

static void multiply(job *j) {
    const bool square = j->options->square;
    j->r =
        (mpi_number){.limbs = j->a.limbs + j->b.limbs, .negative = j->a.negative != j->b.negative};
    j->r.block = mpi_memory(&j->ranks, mpi_block(&j->ranks, &j->r).count * sizeof *j->r.block,
                            "a block of the product");
    const member_job product = {.rp = j->r.block,
                                .ap = j->a.block,
                                .bp = j->b.block,
                                .an = j->a.limbs,
                                .bn = j->b.limbs,
                                .square = square,
                                .clock = &j->clock};
    const double begin = seconds_now();
    const bigint_status status = member_multiply(&j->member, &product);
    j->product = seconds_now() - begin;
    mpi_must(&j->ranks, status, bigint_ctx_error(j->member.ctx));
}

// report: the longest time of each phase over all ranks, on rank 0.
static void report(job *j) {
    double own[MEMBER_PHASES + 2], most[MEMBER_PHASES + 2];
    memcpy(own, j->clock.seconds, sizeof j->clock.seconds);
    own[MEMBER_PHASES] = j->product;
    own[MEMBER_PHASES + 1] = seconds_now() - j->begin;
    MPI_Reduce(own, most, MEMBER_PHASES + 2, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (j->ranks.rank == 0) {
        for (int i = 0; i < MEMBER_PHASES; i++) {
            fprintf(stderr, "%s%s %.3f s", i == 0 ? "bigmul-mpi: " : ", ",
                    member_phase_name((member_phase)i), most[i]);
        }
        fprintf(stderr, "\nbigmul-mpi: product %.6f s, end to end %.6f s\n", most[MEMBER_PHASES],
                most[MEMBER_PHASES + 1]);
    }
}

int main(int argc, char **argv) {
    program_begin();
    number_text texts[2] = {{0}};
    const bigmul_options o = begin(argc, argv, texts);
    job j = {.options = &o, .begin = seconds_now()};
    mpi_start(&j.ranks, kTimeout);
    j.member.exchange = j.ranks.exchange;
    open_member(&j);
    take_operand(&j, &j.a, 0, &texts[0]);
    if (o.square) {
        j.b = j.a;
    } else {
        take_operand(&j, &j.b, 1, &texts[1]);
    }
    if (o.explain || o.time) {
        explain(&j);
    }
    multiply(&j);
    if (o.verify) {
        mpi_verify(&j.ranks, &j.a, o.square ? NULL : &j.b, &j.r);
    }
    write_product(&j);
    if (o.time) {
        report(&j);
    }
    bigint_ctx_destroy(j.member.ctx);
    free(j.a.block);
    free(o.square ? NULL : j.b.block);
    free(j.r.block);
    mpi_end(&j.ranks);
    return 0;
}
