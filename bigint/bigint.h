// bigint.h: exact products of very long integers, in C, on CPU and NVIDIA GPU. This header is the
// manual.
//
// It is the whole public interface, with bigint_batch.h, which it includes at its end (bigint_gmp.h
// adds conversions for programs that use GMP too). They include only <stddef.h> and <stdint.h>; no
// CUDA or GMP type appears in them. What is declared there but not built yet answers
// BIGINT_ENOBACKEND; CHANGELOG.md lists it. docs/conventions.md tells the same with examples.
//
// Words. A *limb* is a 64-bit unsigned word, least significant first. A *place* is BIGINT_HOST or
// the ordinal of a device. The *announced length* of an integer is an upper bound on its limbs that
// the host knows without asking a device; top limbs may be zero. It is kept in bits: a sum adds
// one.
//
// Rules that hold for every call unless its comment says otherwise.
//   Pointers     must be valid; NULL is allowed only where the comment says so, or where a length
//                beside it is 0.
//   Zero state   A bigint of all zero bytes (BIGINT_INIT) is the number 0: legal input, legal
//                output, legal to clear, any number of times. A bigint is copied with bigint_set,
//                never with `=`.
//   Aliasing     Outputs may be the same object as inputs. Two outputs must be different objects.
//                Buffers that overlap in part are not allowed.
//   Failure      A call that fails says why by its status and by bigint_ctx_error; its outputs keep
//                their old values. Exceptions: BIGINT_EDEVICE and BIGINT_ECHECK, after which
//                outputs may be cleared or set anew but their values are not to be used.
//   Errors       A comment names those of its own. Any call may lack memory (ENOMEM); any that
//                has operands may refuse their place (EPLACE) or meet EDEVICE; products ECHECK.
//   Sizes        Any length that memory holds, below 2^56 limbs. Larger: BIGINT_ERANGE.
//   Memory       Integers own their limbs; a context owns its workspace. A call that is repeated on
//                operands of the same sizes allocates nothing once result and workspace have room:
//                from the third time on at the latest.
//   Threads      A bigint_device and a bigint_prep are immutable and may be shared. A bigint_ctx
//                serves one thread at a time. A bigint has many readers or one writer; on a device
//                a context works on one until bigint_sync, also after its call has returned.
//   Never        The library never prints, aborts, exits, or changes the calling thread's current
//                device, and starts no threads unless bigint_ctx_options.threads asks for them.
//   Asynchrony   On a host context a call has finished when it returns. On a device context
//                arithmetic is enqueued on the context's stream; calls that wait for it say so.
//                What fails there later is reported by whichever call meets it: BIGINT_EDEVICE, or
//                BIGINT_ECHECK by the next one that waits.
#ifndef BIGINT_BIGINT_H_
#define BIGINT_BIGINT_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define BIGINT_API __attribute__((visibility("default")))
#define BIGINT_MUST_CHECK __attribute__((warn_unused_result))
#else
#define BIGINT_API
#define BIGINT_MUST_CHECK
#endif

#define BIGINT_VERSION_MAJOR 0
#define BIGINT_VERSION_MINOR 1
#define BIGINT_VERSION_PATCH 0

typedef uint64_t bigint_limb;
typedef struct CUstream_st *bigint_stream;  // a cudaStream_t passes unchanged

enum { BIGINT_HOST = -1 };

typedef enum {
    BIGINT_OK = 0,
    BIGINT_EINVAL = -1,  // a stated requirement was broken: bad text, division by zero, ...
    BIGINT_ENOMEM = -2,  // memory, or the context's memory cap; the text gives the bytes
    BIGINT_ERANGE = -3,  // the result is too large, or a buffer of the caller's too small for it
    BIGINT_EPLACE = -4,  // an operand does not live where this context works
    BIGINT_ENOBACKEND = -5,  // name unknown, not built, or not supported by this machine
    BIGINT_EDEVICE = -6,     // CUDA failed; sticky until the context is destroyed
    BIGINT_ECHECK = -7,      // the self-check found a wrong product; outputs are not to be used
} bigint_status;

typedef struct bigint_device bigint_device;  // capabilities of a place; immutable, shareable
typedef struct bigint_ctx bigint_ctx;        // one stream, one workspace, one thread at a time
typedef struct bigint_prep bigint_prep;      // an operand kept ready for products; immutable

// bigint: an integer of any sign and size. The fields belong to the library.
typedef struct {
    bigint_limb *d_;
    uint64_t n_, cap_;
    int32_t sign_, place_;
} bigint;
#define BIGINT_INIT \
    { 0, 0, 0, 0, 0 }

// bigint_allocator: where host memory comes from. All zero means malloc and free. Device memory
// comes from the device's default pool, in the order of the context's stream; memory for transfers
// from the CUDA runtime.
// allocate returns memory aligned to 64 bytes, or NULL. release gets the size that was asked for.
typedef struct {
    void *(*allocate)(void *user, size_t bytes);
    void (*release)(void *user, void *p, size_t bytes);
    void *user;
} bigint_allocator;

// bigint_ctx_options: all zero means the defaults.
//   stream               device contexts: the stream to enqueue on, of the same device, destroyed
//                        after the context; NULL: one of the context's own. Unused on the host.
//   max_workspace_bytes  cap on workspace and tables together, on host and device, integers not
//                        counted; 0: none. A plan that needs less memory is chosen before a call is
//                        refused with BIGINT_ENOMEM.
//   threads              threads that one call may use, the calling one included; 0 and 1: just
//                        that one. They are started with the context and end with it.
//   checks               1: every product is checked modulo a prime between 2^60 and 2^61 drawn at
//                        random for the context: BIGINT_ECHECK if it is wrong, by faulty hardware
//                        or an error of the library. Costs one read of operands and product. On a
//                        device kernels check, and the next call that waits for the stream tells,
//                        once for all products that were wrong meanwhile.
//   engine, variant      names of bigint_engines() and bigint_variants(), or NULL for the best
//                        choice. The environment's BIGINT_ENGINE and BIGINT_VARIANT apply where
//                        these are NULL, if they are set and not empty. Engine tiled takes factors
//                        of up to 128 limbs, on a device 256, and refuses longer ones (ERANGE). On
//                        a device the engines are tiled and the five whose names have fft.
//   mode                 "exact" (also NULL) or "certified": every product is checked as by checks,
//                        and the floating-point engines, which the host chooses for a wider range
//                        of sizes, take longer digits than those that are proved, whose errors on
//                        most operands are small. A product that the check finds wrong, as of
//                        digits that are all near their largest, is computed once more by the
//                        modular transform, which is exact by proof, and checked too; only
//                        if that is wrong as well it is BIGINT_ECHECK. A result is wrong unseen
//                        with the probability of checks: below 2^-37 for numbers of 10^6 decimal
//                        digits, whatever they are, as long as they do not depend on the prime.
//                        bigint_mul, bigint_sqr and what is made of them, terms of bigint_mul_sum
//                        that are computed one by one, and on either kind of place batches are
//                        computed so; prepared operands in transform domain, sums there and
//                        decimal products are exact by proof, and checked. The workspace holds the
//                        tables of both computations. On a device the choice is the modular
//                        transform, checked, as the fastest; with a floating-point engine by name
//                        a product waits for the stream, to look at the check, and one in place of
//                        an operand allocates new limbs.
//   progress             called from the calling thread after each step of a long product with work
//                        done and work in all (arbitrary units); NULL: never.
typedef struct {
    bigint_stream stream;
    uint64_t max_workspace_bytes;
    uint32_t threads;
    uint32_t checks;
    const char *engine;
    const char *variant;
    const char *mode;
    bigint_allocator allocator;
    void (*progress)(void *user, double done, double total);
    void *progress_user;
} bigint_ctx_options;

// --- Lifetime ------------------------------------------------------------------------------------

// bigint_device_open opens a place for contexts. backend is a name of bigint_backends() or NULL,
// which means the environment's BIGINT_BACKEND, if set and not empty, or else the fastest that the
// place offers. Backend ref is the reference: portable variants, and the schoolbook engine unless
// another one is named.
// Errors: ENOBACKEND (unknown name, not built, no driver, no such device, one that is too old):
// *out is then a device that only says why, by bigint_device_error, and passes its failure on to
// bigint_ctx_create; close it as usual. ENOMEM: *out is NULL.
// Cost: the first device that a process opens starts the driver, which can take seconds.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_device_open(bigint_device **out, int place,
                                                              const char *backend);
// bigint_device_error is why bigint_device_open failed: cause and next step; "" if it did not.
// Never NULL. device NULL gives a fixed text.
BIGINT_API const char *bigint_device_error(const bigint_device *device);
// bigint_device_close frees a device; contexts made on it stay valid. NULL is allowed.
BIGINT_API void bigint_device_close(bigint_device *device);

// bigint_ctx_create makes a context on a device; device NULL means the host with the backend that
// bigint_device_open would choose, options NULL means the defaults. The options are copied.
// Errors: ENOBACKEND (engine, variant or mode: unknown, not built, not supported), EINVAL (other
// options), EDEVICE, ENOMEM. *out is then a context that only says why, by bigint_ctx_error: every
// call on it returns the same status; destroy it as usual. *out is NULL if there was no memory even
// for that (ENOMEM), or if the allocator has one function without the other (EINVAL).
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_ctx_create(bigint_ctx **out,
                                                             const bigint_device *device,
                                                             const bigint_ctx_options *options);
// bigint_ctx_destroy waits for the stream and frees the context, its workspace, tables and threads.
// Integers and prepared operands live on. NULL is allowed.
BIGINT_API void bigint_ctx_destroy(bigint_ctx *ctx);
// bigint_ctx_trim gives the context's idle workspace and tables back. Waits for the stream.
BIGINT_API void bigint_ctx_trim(bigint_ctx *ctx);
// bigint_ctx_error is the text of the last failure on ctx: call, cause with numbers, next step. It
// is "" when nothing has failed, never NULL, and valid until the next call on ctx. ctx NULL gives a
// fixed text.
BIGINT_API const char *bigint_ctx_error(const bigint_ctx *ctx);
// bigint_status_text names a status ("BIGINT_ENOMEM: not enough memory").
BIGINT_API const char *bigint_status_text(bigint_status status);
// bigint_sync waits for the context's stream and reports the first asynchronous error. Host: OK.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_sync(bigint_ctx *ctx);

// bigint_counters: what a context has done since it was created.
typedef struct {
    uint64_t products;         // computed, squares and parts of other operations included
    uint64_t checks;           // products checked (options.checks, certified mode)
    uint64_t mismatches;       // checks that failed; certified products are then computed again,
                               // and counted and checked once more
    uint64_t allocations;      // calls of allocator.allocate, and those for memory of the device
    uint64_t workspace_bytes;  // workspace and tables held now
    uint64_t workspace_peak;   // and at most so far
} bigint_counters;
// bigint_ctx_counters: *out = what ctx counts. Never waits.
BIGINT_API void bigint_ctx_counters(const bigint_ctx *ctx, bigint_counters *out);

// bigint_clear frees the limbs of x and makes it 0. ctx is any context of x's place with the same
// allocator as the one that filled x; the same holds for every call that changes x. On a context of
// another place x stays as it is, and bigint_ctx_error says so.
BIGINT_API void bigint_clear(bigint_ctx *ctx, bigint *x);
// bigint_swap exchanges two integers. Cost: constant.
BIGINT_API void bigint_swap(bigint *x, bigint *y);

// --- Values --------------------------------------------------------------------------------------
// Buffers are host memory. bigint_set_* have read the buffer when they return; they wait for a
// stream only while more than 3 MiB of limbs are on their way. bigint_get_*, bigint_bits,
// bigint_sign, bigint_cmp and bigint_cmp_abs wait for the stream of a device context.
// A bigint_get_* that finds cap too small writes nothing but *need and returns ERANGE; buf may be
// NULL with cap 0 to ask for the size in this way. need may be NULL. Cost, but for decimal text:
// O(n).

// bigint_set: r = a. bigint_set_u64, bigint_set_i64: r = value.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_set(bigint_ctx *ctx, bigint *r, const bigint *a);
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_set_u64(bigint_ctx *ctx, bigint *r,
                                                          uint64_t value);
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_set_i64(bigint_ctx *ctx, bigint *r,
                                                          int64_t value);

// bigint_set_limbs: r = sum p[i] 2^(64 i), i < n, negated if sign < 0. Top limbs may be zero.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_set_limbs(bigint_ctx *ctx, bigint *r,
                                                            const bigint_limb *p, uint64_t n,
                                                            int sign);
// bigint_get_limbs: the magnitude of a in p[0 .. *need), top limb not zero (*need = 0 for a = 0);
// *sign is -1, 0 or 1. sign may be NULL.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_get_limbs(bigint_ctx *ctx, bigint_limb *p,
                                                            uint64_t cap, uint64_t *need, int *sign,
                                                            const bigint *a);

// bigint_set_decimal, bigint_set_hex read s[0 .. length): an optional '+' or '-', then at least one
// digit and digits alone (hex: either case, an optional "0x" or "0X" after the sign). No spaces, no
// final NUL. On EINVAL *bad_at (may be NULL) is the position of the first character that does not
// fit, length itself if the text ends early.
// Cost: decimal O(M(n) log n).
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_set_decimal(bigint_ctx *ctx, bigint *r,
                                                              const char *s, size_t length,
                                                              size_t *bad_at);
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_set_hex(bigint_ctx *ctx, bigint *r, const char *s,
                                                          size_t length, size_t *bad_at);
// bigint_get_decimal, bigint_get_hex write '-' if a < 0, the digits without leading zeros (lower
// case, no "0x"), and a final NUL. *need is the characters written, the NUL included; when asked
// with cap 0 or refused with ERANGE it is enough: exact for hex, for decimal at most one too many.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_get_decimal(bigint_ctx *ctx, char *buf,
                                                              size_t cap, size_t *need,
                                                              const bigint *a);
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_get_hex(bigint_ctx *ctx, char *buf, size_t cap,
                                                          size_t *need, const bigint *a);

typedef enum { BIGINT_LITTLE_ENDIAN = -1, BIGINT_BIG_ENDIAN = 1 } bigint_byte_order;
// bigint_set_bytes reads p[0 .. n) as a magnitude in the given order; sign < 0 negates. Top bytes
// may be zero. n = 0 gives 0.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_set_bytes(bigint_ctx *ctx, bigint *r,
                                                            const uint8_t *p, size_t n,
                                                            bigint_byte_order order, int sign);
// bigint_get_bytes writes the magnitude in exactly *need bytes: no zero byte at the top; 0 needs
// none.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_get_bytes(bigint_ctx *ctx, uint8_t *p, size_t cap,
                                                            size_t *need, bigint_byte_order order,
                                                            const bigint *a);

// bigint_limbs_bound is the announced length of a in limbs; on the host the exact one. Never waits.
// On a device every sum or difference announces a limb more than its longer operand, a shift what
// it may need, whatever the value becomes; bigint_bits tells the truth, and a number that has been
// on the host (bigint_move) begins anew.
BIGINT_API uint64_t bigint_limbs_bound(const bigint *a);
// bigint_bits: *bits is the length of |a| in bits, 0 for 0.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_bits(bigint_ctx *ctx, uint64_t *bits,
                                                       const bigint *a);
// bigint_sign: *sign is -1, 0 or 1.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_sign(bigint_ctx *ctx, int *sign, const bigint *a);
// bigint_cmp: *order is -1, 0 or 1 as a < b, a = b, a > b. bigint_cmp_abs compares magnitudes.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_cmp(bigint_ctx *ctx, int *order, const bigint *a,
                                                      const bigint *b);
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_cmp_abs(bigint_ctx *ctx, int *order,
                                                          const bigint *a, const bigint *b);
// bigint_move moves x to another place through the context, whose place must be one of the two
// (EPLACE). From a device it waits for the stream, from the host it does not: it has read the limbs
// when it returns, and other contexts of the device use x after bigint_sync on this one, if it is
// one of that device. Limbs that other contexts have work for on a device are moved after
// bigint_sync there. Errors: ENOBACKEND without a backend for the other place.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_move(bigint_ctx *ctx, bigint *x, int place);

// --- Arithmetic ----------------------------------------------------------------------------------
// M(n) is the cost of an n-limb product. Operands must be in the context's place (EPLACE).

// bigint_neg: r = -a. bigint_abs: r = |a|. bigint_add: r = a + b. bigint_sub: r = a - b.
// Cost: O(n).
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_neg(bigint_ctx *ctx, bigint *r, const bigint *a);
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_abs(bigint_ctx *ctx, bigint *r, const bigint *a);
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_add(bigint_ctx *ctx, bigint *r, const bigint *a,
                                                      const bigint *b);
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_sub(bigint_ctx *ctx, bigint *r, const bigint *a,
                                                      const bigint *b);
// bigint_mul: r = a b, exact. Any lengths; unbalanced products are split. Cost: M(an + bn) / 2;
// peak memory bigint_workspace_bytes on top of operands and result.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_mul(bigint_ctx *ctx, bigint *r, const bigint *a,
                                                      const bigint *b);
// bigint_sqr: r = a^2. The same value and cost as bigint_mul(ctx, r, a, a), which notices a == b.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_sqr(bigint_ctx *ctx, bigint *r, const bigint *a);
// bigint_mul_sum: r = sum of a[i] b[i], i < count, each subtracted instead where signs[i] < 0;
// signs NULL: all are added. r may be any of the operands, and these may repeat. count = 0 gives 0.
// Products of like sizes, on the host long ones, meet in the transform domain, with two transforms
// each and one for the sum, where they would take three each. Others are computed one by one, as
// are all where the workspace of that, some 3 / 2 of bigint_mul's, does not keep to the cap.
// Cost: at most that of the products and their sums, but for two products of up to 2^18 bits on a
// device up to 1.5 times that. Memory: that of bigint_mul and twice the result, which is allocated
// with every call on the host with a cap, and on a device where not all terms meet.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_mul_sum(bigint_ctx *ctx, bigint *r,
                                                          const bigint *const *a,
                                                          const bigint *const *b, const int *signs,
                                                          uint64_t count);
// bigint_mul_mod_2exp_minus1: r = a b mod 2^bits - 1, 0 <= r < 2^bits - 1.
// bigint_mul_mod_2exp_plus1: r = a b mod 2^bits + 1, 0 <= r <= 2^bits. Operands of any size and
// sign.
// Cost: where bits is a multiple of a power of two 2^k >= bits / 64, half of a product of bits by
// bits; elsewhere, and with options.checks, a product of the residues. Errors: EINVAL for bits = 0.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_mul_mod_2exp_minus1(bigint_ctx *ctx, bigint *r,
                                                                      const bigint *a,
                                                                      const bigint *b,
                                                                      uint64_t bits);
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_mul_mod_2exp_plus1(bigint_ctx *ctx, bigint *r,
                                                                     const bigint *a,
                                                                     const bigint *b,
                                                                     uint64_t bits);
// bigint_mul_2exp: r = a 2^bits. bigint_tdiv_2exp: r = a / 2^bits rounded toward zero. Any bits.
// Cost: O(n).
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_mul_2exp(bigint_ctx *ctx, bigint *r,
                                                           const bigint *a, uint64_t bits);
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_tdiv_2exp(bigint_ctx *ctx, bigint *r,
                                                            const bigint *a, uint64_t bits);
// bigint_divrem: a = q d + r with |r| < |d| and r zero or of the sign of a (as C's / and %). q or r
// may be NULL if not wanted. Errors: EINVAL for d = 0. Cost: O(M(n)) for large n.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_divrem(bigint_ctx *ctx, bigint *q, bigint *r,
                                                         const bigint *a, const bigint *d);
// bigint_sqrt: s = sqrt(a) rounded down, r = a - s^2, 0 <= r <= 2 s. s or r may be NULL if not
// wanted; without r it is faster, unless a is a square or nearly one. Errors: EINVAL for a < 0.
// Cost: O(M(n)).
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_sqrt(bigint_ctx *ctx, bigint *s, bigint *r,
                                                       const bigint *a);
// bigint_root: s = the k-th root of a rounded toward zero, r = a - s^k, which is zero or has the
// sign of a. s or r may be NULL as for bigint_sqrt. Errors: EINVAL for k = 0, and for a < 0 where k
// is even. Cost: O(M(n / k) log k) for s, O(M(n)) for r.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_root(bigint_ctx *ctx, bigint *s, bigint *r,
                                                       const bigint *a, uint64_t k);
// bigint_powm: r = base^exponent mod |modulus|, 0 <= r < |modulus|. Any base; 0^0 = 1 (0 if
// |modulus| = 1). Errors: EINVAL for modulus 0 or exponent < 0. Cost: some 1.2 products modulo
// |modulus| for each bit of a long exponent; running time depends on the values: not for secrets.
// On a device it waits for the stream, to look at lengths and signs; moduli beyond 33278 bits are
// computed by the host, with copies there and back.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_powm(bigint_ctx *ctx, bigint *r,
                                                       const bigint *base, const bigint *exponent,
                                                       const bigint *modulus);

// bigint_powm_sec: r = base^exponent mod |modulus|, the modulus odd, for a secret exponent of
// exponent_limbs limbs in host memory, top limbs zero or not.
// What is promised: which instructions are executed and which addresses are read and written
// depends on base, modulus and exponent_limbs, and at the very end, where limbs become an integer,
// on the number of limbs of the result; not on the exponent.
// What is not: that single instructions take the same time for all operands; anything about power,
// radiation or faults; that base, modulus or result are kept secret; that memory is wiped:
// workspace and the staging of a device keep what was in them. Choose exponents of one length.
// Errors: EINVAL for an even modulus. Cost: 1.2 to 1.4 times bigint_powm's up to 129 limbs, beyond
// that n^2 for each product. On a device it waits for the stream, as bigint_powm does.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_powm_sec(bigint_ctx *ctx, bigint *r,
                                                           const bigint *base,
                                                           const bigint_limb *exponent,
                                                           uint64_t exponent_limbs,
                                                           const bigint *modulus);

// bigint_probable_prime: *prime = 1 if n is a prime, or composite and yet passes the test of
// Baillie, Pomerance, Selfridge and Wagstaff, as no number is known to do and none below 2^64 does;
// 0 if n is composite or below 2. The test: divisions by small primes, the strong test to base 2,
// the strong Lucas test with the parameters of Selfridge's method A. It does not depend on chance;
// numbers of somebody who wants to deceive need bases that nobody foresees besides.
// Cost: for a prime, 3 products modulo n a bit. On a device it waits for the stream and is computed
// by the host.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_probable_prime(bigint_ctx *ctx, int *prime,
                                                                 const bigint *n);

// bigint_mul_decimal multiplies two decimal texts (as bigint_set_decimal reads them) straight in a
// decimal radix, without radix conversion, and writes the product as bigint_get_decimal would. buf
// may not overlap the texts. *bad_at counts from the start of a; positions in b are offset by
// a_length. *need as for bigint_get_decimal. Cost: about one product of the same number of digits.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_mul_decimal(bigint_ctx *ctx, char *buf,
                                                              size_t cap, size_t *need,
                                                              const char *a, size_t a_length,
                                                              const char *b, size_t b_length,
                                                              size_t *bad_at);

// --- Prepared operand ----------------------------------------------------------------------------

// bigint_prep_create keeps a ready for products with operands of up to max_other_limbs limbs, in
// transform domain where that pays, and is independent of a afterwards. Any context of the same
// place may use it, several at once (without gain where another variant is chosen); it may outlive
// the one that made it, and is destroyed through one with the same allocator. *out is NULL on
// failure.
// On a device it waits for the stream, so that every stream may use what it made: a copy of a, and
// planes of three to four times the memory of a and max_other_limbs together, 96 KiB at least,
// which like integers do not count as workspace. Where operands would be cut in parts (by a cap, or
// because they are long) there are no planes, and products cost what bigint_mul's do.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_prep_create(bigint_ctx *ctx, bigint_prep **out,
                                                              const bigint *a,
                                                              uint64_t max_other_limbs);
// bigint_mul_prep: r = a b. Errors: ERANGE if b is longer than announced to bigint_prep_create; on
// a device that is the announced length of b.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_mul_prep(bigint_ctx *ctx, bigint *r,
                                                           const bigint_prep *a, const bigint *b);
// bigint_prep_destroy: NULL is allowed. On a device the memory goes back in the order of ctx's
// stream: after bigint_sync on other contexts that used it; and ctx is one of that place, or
// nothing is done, as bigint_ctx_error then says.
BIGINT_API void bigint_prep_destroy(bigint_ctx *ctx, bigint_prep *prep);

// --- Looking inside ------------------------------------------------------------------------------

// Names, NULL-terminated arrays of constants: all that the library knows, whether or not this build
// and machine have them. backends: ref cpu cuda; engines: schoolbook karatsuba toom3 tiled
// modular-fft complex-fft real-fft complex-fft-f32 real-fft-f32; variants: portable avx2 avx512
// ifma.
BIGINT_API const char *const *bigint_backends(void);
BIGINT_API const char *const *bigint_engines(void);
BIGINT_API const char *const *bigint_variants(void);
// bigint_backend_name, bigint_variant_name: what the context uses; on a device the variant is that
// of the conversions, which the host does. Never NULL.
BIGINT_API const char *bigint_backend_name(const bigint_ctx *ctx);
BIGINT_API const char *bigint_variant_name(const bigint_ctx *ctx);

// bigint_explain writes as one line the plan of a product of an by bn limbs: backend, engine,
// variant, shape. *need as for bigint_get_hex. Errors: those of bigint_workspace_bytes.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_explain(bigint_ctx *ctx, char *buf, size_t cap,
                                                          size_t *need, uint64_t an, uint64_t bn);
// bigint_workspace_bytes: an upper bound of the workspace, tables included, that bigint_mul holds
// for a product of an by bn limbs with this context's options, whatever it aliases, beside tables
// that other sizes have left (bigint_ctx_trim). Errors: ERANGE if no plan exists for the size,
// ENOMEM if none fits the cap.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_workspace_bytes(bigint_ctx *ctx, uint64_t *bytes,
                                                                  uint64_t an, uint64_t bn);

#ifdef __cplusplus
}
#endif

#include "bigint/bigint_batch.h"

#endif  // BIGINT_BIGINT_H_
