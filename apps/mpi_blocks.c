// mpi_blocks.c: see mpi_blocks.h.
#include "apps/mpi_blocks.h"

#include <endian.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "apps/output_file.h"
#include "apps/program.h"
#include "apps/verify.h"

enum { TEXT = 200, LIMB = sizeof(uint64_t) };

// file_error: the status and the text of what went wrong with a file; OK if errno is 0.
static bigint_status file_error(char text[TEXT], const char *path, int error) {
    snprintf(text, TEXT, "%s: %s", path, strerror(error));
    return error == 0 ? BIGINT_OK : BIGINT_EDEVICE;
}

static uint64_t smaller(uint64_t x, uint64_t y) { return x < y ? x : y; }

mpi_range mpi_block(mpi_ranks *ranks, const mpi_number *n, unsigned rank) {
    mpi_range r = {0};
    mpi_must(ranks, bigint_block(ranks->ctx, n->limbs, rank, &r.first, &r.count));
    return r;
}

// --- Raw files, by all ranks ---------------------------------------------------------------------

// read_at, write_at: all of the bytes; the error, or 0.
static int read_at(int fd, char *p, uint64_t bytes, uint64_t at) {
    while (bytes > 0) {
        const ssize_t got = pread(fd, p, smaller(bytes, 1 << 30), (off_t)at);
        if (got < 0 && errno != EINTR) {
            return errno;
        }
        if (got == 0) {
            return EIO;  // the file became shorter
        }
        const uint64_t n = got > 0 ? (uint64_t)got : 0;
        p += n, at += n, bytes -= n;
    }
    return 0;
}

static int write_at(int fd, const char *p, uint64_t bytes, uint64_t at) {
    while (bytes > 0) {
        const ssize_t put = pwrite(fd, p, smaller(bytes, 1 << 30), (off_t)at);
        if (put < 0 && errno != EINTR) {
            return errno;
        }
        const uint64_t n = put > 0 ? (uint64_t)put : 0;
        p += n, at += n, bytes -= n;
    }
    return 0;
}

// turn_bytes: limbs from bytes, lowest first, or the other way.
static void turn_bytes(uint64_t *p, uint64_t n) {
    for (uint64_t i = 0; i < n && le64toh(1) != 1; i++) {
        p[i] = le64toh(p[i]);
    }
}

// own_bytes: this rank's part of a file of `bytes` bytes.
static mpi_range own_bytes(mpi_ranks *ranks, const mpi_number *n, uint64_t bytes) {
    const mpi_range block = mpi_block(ranks, n, ranks->rank);
    const uint64_t first = smaller(block.first * LIMB, bytes);
    return (mpi_range){first, smaller((block.first + block.count) * LIMB, bytes) - first};
}

void mpi_read_raw(mpi_ranks *ranks, mpi_number *n, const char *word) {
    char text[TEXT] = "raw bytes come from @FILE, not from the command line";
    mpi_agree(ranks, word[0] == '@' ? BIGINT_OK : BIGINT_EINVAL, text);
    const char *const path = word + 1;
    struct stat info = {0};
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    const bool known = fd >= 0 && fstat(fd, &info) == 0;
    const uint64_t bytes = known ? (uint64_t)info.st_size : 0;
    mpi_agree(ranks, file_error(text, path, known ? 0 : errno), text);
    const bool fits = bytes > 0 && S_ISREG(info.st_mode) && bytes == mpi_from_first(bytes);
    snprintf(text, sizeof text, "%s: empty, no regular file, or not the same on all ranks", path);
    mpi_agree(ranks, fits ? BIGINT_OK : BIGINT_EINVAL, text);
    *n = (mpi_number){.limbs = (bytes + LIMB - 1) / LIMB};
    const mpi_range own = own_bytes(ranks, n, bytes);
    n->block = mpi_memory(ranks, mpi_block(ranks, n, ranks->rank).count * LIMB, path);
    const int error = read_at(fd, (char *)n->block, own.count, own.first);
    close(fd);
    turn_bytes(n->block, mpi_block(ranks, n, ranks->rank).count);
    mpi_agree(ranks, file_error(text, path, error), text);
}

// length: bytes of a number without zeros on top; 1 for 0.
static uint64_t length(mpi_ranks *ranks, const mpi_number *n) {
    const mpi_range block = mpi_block(ranks, n, ranks->rank);
    uint64_t limbs = block.count, bytes = 1;
    while (limbs > 0 && n->block[limbs - 1] == 0) {
        limbs--;
    }
    if (limbs > 0) {
        const uint64_t zeros = (uint64_t)__builtin_clzll(n->block[limbs - 1]) / 8;
        bytes = (block.first + limbs) * LIMB - zeros;
    }
    return mpi_most(bytes);
}

// create: rank 0 makes a file of that length; returns its error.
static int create(const char *path, uint64_t bytes) {
    const int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0) {
        return errno;
    }
    const int error = ftruncate(fd, (off_t)bytes) == 0 ? 0 : errno;
    close(fd);
    return error;
}

static int write_own(const char *path, const char *p, mpi_range own) {
    const int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0) {
        return errno;
    }
    int error = write_at(fd, p, own.count, own.first);
    error = error == 0 && fsync(fd) != 0 ? errno : error;
    return close(fd) != 0 && error == 0 ? errno : error;
}

// settle agrees on one step of writing; rank 0 removes the file before the program ends.
static void settle(mpi_ranks *ranks, const char *temporary, const char *path, int error) {
    char text[TEXT];
    const uint64_t failed = mpi_most(error != 0);
    if (failed && ranks->rank == 0) {
        unlink(temporary);
    }
    mpi_agree(ranks, file_error(text, path, error), text);
}

// may_replace: the ranks write ranges of a file that takes the name in the end, so whatever has it
// is a file as well, and not a device such as /dev/stdout.
static bool may_replace(const char *path) {
    struct stat info;
    return lstat(path, &info) != 0 || S_ISREG(info.st_mode);
}

void mpi_write_raw(mpi_ranks *ranks, const mpi_number *n, const char *path) {
    const bool first = ranks->rank == 0;
    char text[TEXT];
    snprintf(text, sizeof text, "%s: exists and is no regular file", path);
    mpi_agree(ranks, first && !may_replace(path) ? BIGINT_EINVAL : BIGINT_OK, text);
    const uint64_t bytes = length(ranks, n), process = mpi_from_first((uint64_t)getpid());
    mpi_agree(ranks, n->negative && bytes > 1 ? BIGINT_EINVAL : BIGINT_OK,
              "the product is negative: --to raw cannot write it");
    const size_t room = strlen(path) + 48;
    char *const temporary = mpi_memory(ranks, room, "the name of a file");
    snprintf(temporary, room, "%s.bigmul-%llu.tmp", path, (unsigned long long)process);
    turn_bytes(n->block, mpi_block(ranks, n, ranks->rank).count);
    settle(ranks, temporary, path, first ? create(temporary, bytes) : 0);
    const int error = write_own(temporary, (const char *)n->block, own_bytes(ranks, n, bytes));
    settle(ranks, temporary, path, error);
    settle(ranks, temporary, path, first && rename(temporary, path) != 0 ? errno : 0);
    free(temporary);
}

// --- Through rank 0 ------------------------------------------------------------------------------

// message: limbs to or from a rank, in parts that MPI can count.
static void message(uint64_t *p, uint64_t limbs, unsigned rank, bool sends) {
    while (limbs > 0) {
        const int n = (int)smaller(limbs, 1 << 28);
        if (sends) {
            MPI_Send(p, n, MPI_UINT64_T, (int)rank, 0, MPI_COMM_WORLD);
        } else {
            MPI_Recv(p, n, MPI_UINT64_T, (int)rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        p += n;
        limbs -= (uint64_t)n;
    }
}

// move_blocks: between the blocks and all limbs of a number on rank 0.
static void move_blocks(mpi_ranks *ranks, const mpi_number *n, uint64_t *all, bool gathers) {
    const mpi_range own = mpi_block(ranks, n, ranks->rank);
    if (ranks->rank > 0) {
        message(n->block, own.count, 0, gathers);
        return;
    }
    if (own.count > 0) {
        memcpy(gathers ? all : n->block, gathers ? n->block : all, own.count * LIMB);
    }
    for (unsigned i = 1; i < ranks->count; i++) {
        const mpi_range block = mpi_block(ranks, n, i);
        message(all + block.first, block.count, i, !gathers);
    }
}

// gather: all limbs on rank 0, with a zero above; NULL elsewhere.
static uint64_t *gather(mpi_ranks *ranks, const mpi_number *n) {
    const bool first = ranks->rank == 0;
    uint64_t *const all = mpi_memory(ranks, first ? (n->limbs + 1) * LIMB : 0, "a whole number");
    move_blocks(ranks, n, all, true);
    return all;
}

// convert: on rank 0, where the context records errors.
static bigint_status convert(bigint_ctx *ctx, bigint *x, const number_text *t,
                             number_format format) {
    switch (format) {
        case FORMAT_HEX:
            return bigint_set_hex(ctx, x, t->data, t->length, NULL);
        case FORMAT_GMP:
            return bigint_set_bytes(ctx, x, (const uint8_t *)t->data + GMP_HEADER,
                                    t->length - GMP_HEADER, BIGINT_BIG_ENDIAN, gmp_sign(t));
        default:
            return bigint_set_decimal(ctx, x, t->data, t->length, NULL);
    }
}

void mpi_deal_text(mpi_ranks *ranks, mpi_number *n, const number_text *t, number_format format) {
    bigint x = BIGINT_INIT;
    bigint_ctx *ctx = NULL;
    int sign = 0;
    bigint_status status = bigint_ctx_create(&ctx, NULL, NULL);
    if (status == BIGINT_OK && ranks->rank == 0) {
        status = convert(ctx, &x, t, format);
    }
    if (status == BIGINT_OK) {
        status = bigint_sign(ctx, &sign, &x);
    }
    mpi_agree(ranks, status, ctx == NULL ? "no memory" : bigint_ctx_error(ctx));
    *n = (mpi_number){.limbs = mpi_from_first(x.n_), .negative = mpi_from_first(sign < 0)};
    n->block =
        mpi_memory(ranks, mpi_block(ranks, n, ranks->rank).count * LIMB, "a block of an operand");
    move_blocks(ranks, n, x.d_, false);
    bigint_clear(ctx, &x);
    bigint_ctx_destroy(ctx);
}

// get: x in a format; *need counts the NUL of a text.
static bigint_status get(bigint_ctx *ctx, char *buf, size_t cap, size_t *need, const bigint *x,
                         number_format format) {
    switch (format) {
        case FORMAT_DECIMAL:
            return bigint_get_decimal(ctx, buf, cap, need, x);
        case FORMAT_HEX:
            return bigint_get_hex(ctx, buf, cap, need, x);
        default:
            return bigint_get_bytes(ctx, (uint8_t *)buf, cap, need,
                                    format == FORMAT_GMP ? BIGINT_BIG_ENDIAN : BIGINT_LITTLE_ENDIAN,
                                    x);
    }
}

// text_of: {all, limbs} in a format, with a line end where people read it. ERANGE: the format has
// no such lengths.
static bigint_status text_of(bigint_ctx *ctx, number_text *t, const uint64_t *all,
                             const mpi_number *n, number_format format) {
    const bool is_text = format == FORMAT_DECIMAL || format == FORMAT_HEX;
    const size_t header = format == FORMAT_GMP ? GMP_HEADER : 0;
    bigint x = BIGINT_INIT;
    size_t need = 0;
    bigint_status status = bigint_set_limbs(ctx, &x, all, n->limbs, n->negative ? -1 : 1);
    if (status == BIGINT_OK) {
        status = get(ctx, NULL, 0, &need, &x, format);
        status = status == BIGINT_ERANGE ? BIGINT_OK : status;
    }
    t->data = status == BIGINT_OK ? calloc(header + need + 1, 1) : NULL;
    if (t->data != NULL) {
        status = get(ctx, t->data + header, need, &need, &x, format);
    } else if (status == BIGINT_OK) {
        status = BIGINT_ENOMEM;
    }
    t->length = header + need > 0 ? header + need : 1;  // 0 is one zero byte
    if (status == BIGINT_OK && is_text) {
        t->data[t->length - 1] = '\n';
    }
    bigint_clear(ctx, &x);
    const bool fits = header == 0 || status != BIGINT_OK || gmp_header(t->data, need, n->negative);
    return fits ? status : BIGINT_ERANGE;
}

void mpi_write_gathered(mpi_ranks *ranks, const mpi_number *n, number_format format,
                        const char *path) {
    uint64_t *const all = gather(ranks, n);
    number_text t = {0};
    bigint_ctx *ctx = NULL;
    bigint_status status = bigint_ctx_create(&ctx, NULL, NULL);
    if (status == BIGINT_OK && ranks->rank == 0) {
        status = text_of(ctx, &t, all, n, format);
    }
    mpi_agree(ranks, status,
              status == BIGINT_ERANGE
                  ? "the product has 2^31 bytes or more, which --to gmp cannot write"
              : ctx == NULL ? "no memory"
                            : bigint_ctx_error(ctx));
    mpi_agree(ranks,
              format == FORMAT_RAW && n->negative && t.length > 1 ? BIGINT_EINVAL : BIGINT_OK,
              "the product is negative: --to raw cannot write it");
    if (ranks->rank == 0) {
        output_open(path, EXIT_IO);
        output_write(t.data, t.length);
        output_finish();
    }
    free(t.data);
    free(all);
    bigint_ctx_destroy(ctx);
}

// raw_text: limbs as verify_with_gmp reads them.
static number_text raw_text(uint64_t *all, uint64_t limbs) {
    turn_bytes(all, limbs);
    return (number_text){(char *)all, limbs > 0 ? limbs * LIMB : 1};
}

void mpi_verify(mpi_ranks *ranks, const mpi_number *a, const mpi_number *b, const mpi_number *r) {
    uint64_t *const all[] = {gather(ranks, a), b == NULL ? NULL : gather(ranks, b),
                             gather(ranks, r)};
    bool right = true;
    if (ranks->rank == 0) {
        const bigmul_options o = {.verb = b == NULL ? VERB_SQUARE : VERB_PRODUCT,
                                  .operand_count = b == NULL ? 1 : 2,
                                  .from = FORMAT_RAW,
                                  .to = FORMAT_RAW};
        number_text operands[2] = {raw_text(all[0], a->limbs)};
        if (b != NULL) {
            operands[1] = raw_text(all[1], b->limbs);
        }
        const number_text product = raw_text(all[2], r->limbs);
        double seconds;
        right = verify_with_gmp(&o, operands, &product, &seconds);
        if (right) {
            fprintf(stderr, "bigmul-mpi: verified: equal to GMP\n");
        }
    }
    mpi_agree(ranks, right ? BIGINT_OK : BIGINT_ECHECK,
              "verification failed: the product differs from GMP's; nothing was written");
    for (int i = 0; i < 3; i++) {
        free(all[i]);
    }
}
