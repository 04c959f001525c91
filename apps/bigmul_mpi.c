// bigmul_mpi.c: bigmul on the ranks of an MPI job: every rank is a member of a group and holds a
// block of each number, on the host or on a GPU. Options and formats are bigmul's. Raw operands and
// products in files are read and written by all ranks, each its own range of bytes; other formats,
// and products for standard output, pass through rank 0, which also prints. Texts are read by all
// ranks.
#include <argp.h>
#include <err.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "apps/bigmul_options.h"
#include "apps/machine.h"
#include "apps/mpi_blocks.h"
#include "apps/mpi_ranks.h"
#include "apps/operand_io.h"
#include "apps/program.h"
#include "bigint/bigint.h"

// How long a rank waits for the others in one exchange, reading and writing included.
static const double kTimeout = 600;

typedef struct {
    const bigmul_options *options;
    mpi_ranks ranks;
    mpi_number a, b, r;
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

static const struct argp_option options[] = {
    {"transport", 't' << 8, "NAME", 0,
     "What carries numbers between GPUs: mpi, nccl, nvshmem, or auto (default): what the variable "
     "BIGINT_EXCHANGE says, or mpi",
     3},
    {0},
};

static error_t parse(int key, char *value, struct argp_state *state) {
    bigmul_options *const o = state->input;
    if (key != options[0].key) {
        return ARGP_ERR_UNKNOWN;
    }
    o->transport = strcmp(value, "auto") == 0 ? NULL : value;
    return 0;
}

static void refuse(const bigmul_options *o) {
    if (o->backend != NULL) {
        errx(EXIT_USAGE, "--backend is bigmul's alone: ranks take the fastest one of their place");
    }
    if (o->transport != NULL && o->device == BIGINT_HOST) {
        errx(EXIT_USAGE, "--transport is for GPUs: add --device");
    }
    if (o->verb > VERB_SQUARE || o->modulus != NULL) {
        errx(EXIT_USAGE, "ranks compute products and squares; bigmul does the rest");
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

// linger: mpirun ends the job as soon as a rank fails. A silent one that fails before MPI starts
// waits a little, so that rank 0 has said why.
static void linger(int code, void *unused) {
    int started = 0;
    (void)unused;
    MPI_Initialized(&started);
    if (code != 0 && !started) {
        sleep(2);
    }
}

static int no_progress(void *user, double done, double total) {
    (void)user, (void)done, (void)total;
    return 0;
}

// begin reads the command line and the operands that are texts, before MPI starts.
static bigmul_options begin(int argc, char **argv, number_text texts[2]) {
    if (!prints()) {
        mpi_silence(true);
        on_exit(linger, NULL);
    }
    static const struct argp of_ranks = {options, parse, NULL, NULL, NULL, NULL, NULL};
    const bigmul_options o = bigmul_options_parse(argc, argv, &of_ranks);
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
    if (mpi_from_first(by_all)) {
        mpi_write_raw(&j->ranks, &j->r, o->output);
    } else {
        mpi_write_gathered(&j->ranks, &j->r, o->to, o->output);
    }
}

// --- The product ---------------------------------------------------------------------------------

// open_group: ranks of one machine share its processors and the memory of the host that the user
// allows.
static void open_group(job *j) {
    const bigmul_options *const o = j->options;
    bigint_ctx_options library = o->library;
    const unsigned here = j->ranks.here;
    const bool chosen = library.threads != processors();
    library.threads = chosen ? library.threads : (library.threads + here - 1) / here;
    library.max_workspace_bytes = o->device == BIGINT_HOST ? o->max_memory / here : 0;
    library.timeout_s = kTimeout;
    mpi_open(&j->ranks, o->device == PLACE_AUTO ? (int)j->ranks.number_here : o->device,
             o->transport, &library);
}

static void explain(job *j) {
    char text[512];
    mpi_must(&j->ranks,
             bigint_explain(j->ranks.ctx, text, sizeof text, NULL, j->a.limbs, j->b.limbs));
    if (j->ranks.rank == 0) {
        fprintf(stderr, "bigmul-mpi: %s\n", text);
    }
}

static void set_block(job *j, bigint *x, const mpi_number *n) {
    const bigint_status status =
        bigint_set_block(j->ranks.ctx, x, j->ranks.rank, n->block, n->limbs, n->negative ? -1 : 1);
    mpi_agree(&j->ranks, status, bigint_ctx_error(j->ranks.ctx));
}

static void multiply(job *j) {
    bigint_ctx *const ctx = j->ranks.ctx;
    const bool square = j->options->verb == VERB_SQUARE;
    bigint x = BIGINT_INIT, y = BIGINT_INIT, r = BIGINT_INIT;
    set_block(j, &x, &j->a);
    if (!square) {
        set_block(j, &y, &j->b);
    }
    const double begin = seconds_now();
    mpi_must(&j->ranks, bigint_mul(ctx, &r, &x, square ? &x : &y));
    j->product = seconds_now() - begin;
    j->r =
        (mpi_number){.limbs = bigint_limbs_bound(&r), .negative = j->a.negative != j->b.negative};
    const uint64_t room = mpi_block(&j->ranks, &j->r, j->ranks.rank).count;
    j->r.block = mpi_memory(&j->ranks, room * sizeof *j->r.block, "a block of the product");
    mpi_agree(&j->ranks, bigint_get_block(ctx, j->ranks.rank, j->r.block, room, NULL, &r),
              bigint_ctx_error(ctx));
    bigint_clear(ctx, &x), bigint_clear(ctx, &y), bigint_clear(ctx, &r);
}

// report: the longest times of all ranks, on rank 0.
static void report(const job *j) {
    const bigmul_options *const o = j->options;
    double times[2] = {j->product, seconds_now() - j->begin}, most[2];
    MPI_Reduce(times, most, 2, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (j->ranks.rank == 0 && o->time) {
        fprintf(stderr, "bigmul-mpi: product %.6f s, end to end %.6f s\n", most[0], most[1]);
    }
    if (j->ranks.rank == 0 && o->json) {
        fprintf(
            stderr,
            "{\"verb\": \"%s\", \"ranks\": %u, \"place\": %d, \"transport\": \"%s\", \"seconds\": "
            "%.6f, \"end_to_end\": %.6f}\n",
            bigmul_verb_names[o->verb], j->ranks.count, o->device,
            o->transport == NULL ? "auto" : o->transport, most[0], most[1]);
    }
}

int main(int argc, char **argv) {
    program_begin();
    number_text texts[2] = {{0}};
    const bigmul_options o = begin(argc, argv, texts);
    job j = {.options = &o, .begin = seconds_now()};
    mpi_start(&j.ranks);
    open_group(&j);
    take_operand(&j, &j.a, 0, &texts[0]);
    const bool square = o.verb == VERB_SQUARE;
    if (square) {
        j.b = j.a;
    } else {
        take_operand(&j, &j.b, 1, &texts[1]);
    }
    if (o.explain || o.time) {
        explain(&j);
    }
    multiply(&j);
    if (o.verify) {
        mpi_verify(&j.ranks, &j.a, square ? NULL : &j.b, &j.r);
    }
    write_product(&j);
    if (o.time || o.json) {
        report(&j);
    }
    free(j.a.block);
    free(square ? NULL : j.b.block);
    free(j.r.block);
    mpi_end(&j.ranks);
    return 0;
}
