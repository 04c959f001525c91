// bigint.h: exact products of very long integers, in C, on CPU and NVIDIA GPU. This header is the
// manual.
//
// The public interface is this header and bigint_batch.h, which it includes at its end. Programs
// that also use GMP can include bigint_gmp.h for conversions. bigint.h and bigint_batch.h include
// only <stddef.h> and <stdint.h>, and no CUDA or GMP type appears in them. Calls that are declared
// but not built yet return BIGINT_ENOBACKEND; CHANGELOG.md lists them. docs/conventions.md explains
// the same rules with examples.
//
// Words. A *limb* is a 64-bit unsigned word; limbs are stored least significant first. A *place* is
// BIGINT_HOST or the ordinal of a device. The *announced length* of an integer is an upper bound on
// its limbs that the host knows without asking a device; top limbs may be zero. The library keeps
// it in bits: a sum adds one.
//
// These rules hold for every call unless its comment says otherwise.
//   Pointers     must be valid. NULL is allowed only where the comment says so, or where the length
//                beside it is 0.
//   Zero state   A bigint of all zero bytes (BIGINT_INIT) is the number 0. It is a legal input and
//                output, and may be cleared any number of times. Copy a bigint with bigint_set,
//                never with `=`.
//   Aliasing     Outputs may be the same object as inputs. Two outputs must be different objects.
//                Buffers must not overlap in part.
//   Failure      The status and bigint_ctx_error say why a call failed; its outputs keep their old
//                values. Exceptions: after BIGINT_EDEVICE and BIGINT_ECHECK outputs may be cleared
//                or set anew, but their values must not be used.
//   Errors       A comment lists only the errors special to its call. Any call may run out of
//                memory (ENOMEM), any call with operands may refuse their place (EPLACE) or report
//                EDEVICE, and calls that multiply may report ECHECK.
//   Sizes        Any length that fits in memory, below 2^56 limbs. Larger: BIGINT_ERANGE.
//   Memory       Integers own their limbs; a context owns its workspace. A call repeated on
//                operands of the same sizes allocates nothing once result and workspace have room:
//                from the third time on at the latest.
//   Threads      A bigint_device and a bigint_prep are immutable and may be shared. A bigint_ctx
//                serves one thread at a time. A bigint has many readers or one writer. A context of
//                a device may work on an integer after the call has returned, until bigint_sync.
//   Never        The library never prints, aborts, exits, or changes the calling thread's current
//                device. It starts threads only if bigint_ctx_options.threads asks for them.
//   Asynchrony   On a host context a call has finished when it returns. A device context enqueues
//                arithmetic on its stream; calls that wait for the stream say so. The first call
//                that notices a later failure reports it: any call BIGINT_EDEVICE, the next one
//                that waits BIGINT_ECHECK.
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
    BIGINT_EINVAL = -1,      // the call broke a stated requirement: bad text, division by zero, ...
    BIGINT_ENOMEM = -2,      // out of memory, or above the context's memory cap
    BIGINT_ERANGE = -3,      // the result is too large, or the caller's buffer too small
    BIGINT_EPLACE = -4,      // an operand lives on another place than the context
    BIGINT_ENOBACKEND = -5,  // name unknown, not built, or not supported by this machine
    BIGINT_EDEVICE = -6,     // CUDA failed; sticky until the context is destroyed
    BIGINT_ECHECK = -7,      // a product was found to be wrong; do not use the outputs
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
// comes from the device's default pool, in the order of the context's stream. Memory for transfers
// comes from the CUDA runtime.
// allocate returns memory aligned to 64 bytes, or NULL. release gets the size passed to allocate.
typedef struct {
    void *(*allocate)(void *user, size_t bytes);
    void (*release)(void *user, void *p, size_t bytes);
    void *user;
} bigint_allocator;

// bigint_ctx_options: all zero means the defaults.
//   stream               device contexts: the stream to enqueue on. It belongs to the same device
//                        and must outlive the context. NULL: the context makes its own. The host
//                        ignores it.
//   max_workspace_bytes  cap on workspace and tables together, on host and device; integers do not
//                        count. 0: no cap. The library picks a plan that needs less memory before
//                        it refuses a call with BIGINT_ENOMEM.
//   threads              threads that one call may use, the calling one included; 0 and 1 mean just
//                        that one. The context starts them when it is created and ends them when it
//                        is destroyed.
//   checks               1: check every product modulo a prime between 2^60 and 2^61, drawn at
//                        random for the context. A wrong product, from faulty hardware or a bug in
//                        the library, gives BIGINT_ECHECK. Cost: one read of operands and product.
//                        On a device kernels do the check. The next call that waits for the stream
//                        reports it, once for all products that failed in the meantime.
//   engine, variant      names from bigint_engines() and bigint_variants(), or NULL for the best
//                        choice. If NULL, the environment's BIGINT_ENGINE and BIGINT_VARIANT apply
//                        when they are set and not empty. Engine tiled takes factors of up to 128
//                        limbs, on a device 256, and refuses longer ones (ERANGE). On a device the
//                        engines are tiled and the five whose names contain fft.
//   mode                 "exact" (also NULL) or "certified". Certified mode checks every product,
//                        as checks does, and lets the floating-point engines use longer digits than
//                        the proofs allow; their errors are small on most operands. The host then
//                        chooses these engines for a wider range of sizes. If the check finds a
//                        wrong product, for example because all digits are near their largest
//                        value, the modular transform, which is exact by proof, computes it again,
//                        and that product is checked too. Only if it also fails does the call
//                        return BIGINT_ECHECK.
//                        A wrong result passes unnoticed with the probability of checks: below
//                        2^-37 for any numbers of 10^6 decimal digits that do not depend on the
//                        prime.
//                        The mode covers bigint_mul, bigint_sqr and calls built on them, the terms
//                        of bigint_mul_sum that are computed one by one, and batches on either kind
//                        of place. Prepared operands in transform domain, sums there and decimal
//                        products are exact by proof, and checked. The workspace holds the tables
//                        of both computations.
//                        On a device the default is the modular transform with its check, because
//                        it is fastest. With a floating-point engine chosen by name a product waits
//                        for the stream to read the check, and a product in place of an operand
//                        allocates new limbs.
//   progress             called from the calling thread after each step of a long product, and of
//                        the conversion of a long number from or to decimal text, with the work
//                        done and the total work (arbitrary units, which grow to the total within a
//                        call). NULL: never called.
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

// bigint_device_open opens a place for contexts. backend is a name from bigint_backends() or NULL.
// NULL means the environment's BIGINT_BACKEND if it is set and not empty, otherwise the fastest
// backend of the place. Backend ref is the reference: portable variants, and the schoolbook engine
// unless the context names another one.
// Errors: ENOBACKEND (unknown name, not built, no driver, no such device, device too old). *out is
// then a device that only carries the error text: read it with bigint_device_error and close the
// device as usual. bigint_ctx_create on it fails in the same way. ENOMEM: *out is NULL.
// Cost: the first device that a process opens starts the driver, which can take seconds.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_device_open(bigint_device **out, int place,
                                                              const char *backend);
// bigint_device_error says why bigint_device_open failed: the cause and the next step. It returns
// "" if the call succeeded, a fixed text if device is NULL, and never NULL.
BIGINT_API const char *bigint_device_error(const bigint_device *device);
// bigint_device_close frees a device. Contexts made on it stay valid. NULL is allowed.
BIGINT_API void bigint_device_close(bigint_device *device);

// bigint_ctx_create makes a context on a device and copies the options. device NULL means the host
// with the backend that bigint_device_open would choose; options NULL means the defaults.
// Errors: ENOBACKEND (engine, variant or mode: unknown, not built, not supported), EINVAL (other
// options), EDEVICE, ENOMEM. *out is then a context that only carries the error text, which
// bigint_ctx_error returns. Every call on it returns the same status; destroy it as usual. *out is
// NULL if there was no memory even for that (ENOMEM), or if the allocator has only one of its two
// functions (EINVAL).
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_ctx_create(bigint_ctx **out,
                                                             const bigint_device *device,
                                                             const bigint_ctx_options *options);
// bigint_ctx_destroy waits for the stream and frees the context, its workspace, tables and threads.
// Integers and prepared operands stay valid. NULL is allowed.
BIGINT_API void bigint_ctx_destroy(bigint_ctx *ctx);
// bigint_ctx_trim frees the context's idle workspace and tables. It waits for the stream.
BIGINT_API void bigint_ctx_trim(bigint_ctx *ctx);
// bigint_ctx_error returns the text of the last failure on ctx: the call, the cause with numbers,
// the next step. It returns "" when nothing has failed, a fixed text if ctx is NULL, and never
// NULL. The text is valid until the next call on ctx.
BIGINT_API const char *bigint_ctx_error(const bigint_ctx *ctx);
// bigint_status_text describes a status ("BIGINT_ENOMEM: not enough memory").
BIGINT_API const char *bigint_status_text(bigint_status status);
// bigint_sync waits for the context's stream and reports the first asynchronous error. On the host
// it does nothing and returns BIGINT_OK.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_sync(bigint_ctx *ctx);

// bigint_counters: what a context has done since it was created.
typedef struct {
    uint64_t products;         // includes squares and parts of other operations
    uint64_t checks;           // products checked (options.checks, certified mode)
    uint64_t mismatches;       // checks that failed; a certified product is then computed again,
                               // checked again, and counted a second time
    uint64_t allocations;      // calls of allocator.allocate, and allocations of device memory
    uint64_t workspace_bytes;  // workspace and tables held now
    uint64_t workspace_peak;   // the largest value so far
} bigint_counters;
// bigint_ctx_counters: *out = the counters of ctx. Never waits.
BIGINT_API void bigint_ctx_counters(const bigint_ctx *ctx, bigint_counters *out);

// bigint_clear frees the limbs of x and makes it 0. ctx may be any context on x's place with the
// same allocator as the one that filled x. The same holds for every call that changes x. On a
// context of another place x keeps its value, and bigint_ctx_error says so.
BIGINT_API void bigint_clear(bigint_ctx *ctx, bigint *x);
// bigint_swap exchanges two integers. Cost: constant.
BIGINT_API void bigint_swap(bigint *x, bigint *y);

// --- Values --------------------------------------------------------------------------------------
// Buffers are host memory. bigint_set_* have read the buffer when they return; they wait for the
// stream only while transfers of more than 3 MiB of limbs are under way. On a device context
// bigint_get_*, bigint_bits, bigint_sign, bigint_cmp and bigint_cmp_abs wait for the stream.
// If cap is too small, bigint_get_* write only *need and return ERANGE. To ask for the size, pass
// buf NULL with cap 0. need may be NULL. Cost: O(n), except for decimal text.

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

// bigint_set_decimal, bigint_set_hex read s[0 .. length): an optional '+' or '-', then one or more
// digits and nothing else (hex: either case, with an optional "0x" or "0X" after the sign). No
// spaces, no final NUL. On EINVAL *bad_at (bad_at may be NULL) is the position of the first
// character that does not fit, or length if the text ends too early.
// Cost: decimal O(M(n) log n).
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_set_decimal(bigint_ctx *ctx, bigint *r,
                                                              const char *s, size_t length,
                                                              size_t *bad_at);
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_set_hex(bigint_ctx *ctx, bigint *r, const char *s,
                                                          size_t length, size_t *bad_at);
// bigint_get_decimal, bigint_get_hex write '-' if a < 0, the digits without leading zeros (lower
// case, no "0x"), and a final NUL. *need counts the characters written, including the NUL. After a
// call that returned ERANGE, *need is large enough for the next one: exact for hex, at most one too
// many for decimal.
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
// bigint_get_bytes writes the magnitude in exactly *need bytes, with no zero byte at the top; 0
// needs no bytes.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_get_bytes(bigint_ctx *ctx, uint8_t *p, size_t cap,
                                                            size_t *need, bigint_byte_order order,
                                                            const bigint *a);

// bigint_limbs_bound returns the announced length of a in limbs; on the host it is exact. Never
// waits. On a device every sum or difference announces one limb more than its longer operand, and a
// shift announces the most it may need, even if the value is shorter. bigint_bits returns the true
// length. bigint_move to the host and back resets the announced length.
BIGINT_API uint64_t bigint_limbs_bound(const bigint *a);
// bigint_bits: *bits is the length of |a| in bits, 0 for 0.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_bits(bigint_ctx *ctx, uint64_t *bits,
                                                       const bigint *a);
// bigint_sign: *sign is -1, 0 or 1.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_sign(bigint_ctx *ctx, int *sign, const bigint *a);
// bigint_cmp: *order is -1, 0 or 1 for a < b, a = b, a > b. bigint_cmp_abs compares magnitudes.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_cmp(bigint_ctx *ctx, int *order, const bigint *a,
                                                      const bigint *b);
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_cmp_abs(bigint_ctx *ctx, int *order,
                                                          const bigint *a, const bigint *b);
// bigint_move moves x to another place. The context must be on one of the two places (EPLACE). From
// a device it waits for the stream. To a device it does not wait, but has read the limbs when it
// returns. Before other contexts of that device use x, call bigint_sync on this one if it is a
// context of the device. Before you move limbs that another context is working on, call bigint_sync
// on that context. Errors: ENOBACKEND if the other place has no backend.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_move(bigint_ctx *ctx, bigint *x, int place);

// --- Arithmetic ----------------------------------------------------------------------------------
// M(n) is the cost of an n-limb product. Operands must be on the context's place (EPLACE).

// bigint_neg: r = -a. bigint_abs: r = |a|. bigint_add: r = a + b. bigint_sub: r = a - b.
// Cost: O(n).
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_neg(bigint_ctx *ctx, bigint *r, const bigint *a);
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_abs(bigint_ctx *ctx, bigint *r, const bigint *a);
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_add(bigint_ctx *ctx, bigint *r, const bigint *a,
                                                      const bigint *b);
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_sub(bigint_ctx *ctx, bigint *r, const bigint *a,
                                                      const bigint *b);
// bigint_mul: r = a b, exact, for operands of any length; unbalanced products are split. Cost: M(an
// + bn) / 2. Peak memory: bigint_workspace_bytes on top of operands and result.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_mul(bigint_ctx *ctx, bigint *r, const bigint *a,
                                                      const bigint *b);
// bigint_sqr: r = a^2. Same value and cost as bigint_mul(ctx, r, a, a), which notices a == b.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_sqr(bigint_ctx *ctx, bigint *r, const bigint *a);
// bigint_mul_sum: r = sum of a[i] b[i], i < count; terms with signs[i] < 0 are subtracted. If signs
// is NULL, all terms are added. r may be any of the operands, and operands may repeat. count = 0
// gives 0.
// Products of similar sizes (on the host: long ones) are added in the transform domain. Each then
// takes two transforms, and the sum takes one, instead of three per product. The other products are
// computed one by one. So are all products if the workspace for this, some 3 / 2 of bigint_mul's,
// does not fit the cap.
// Cost: at most that of the products and their sums, except for two products of up to 2^18 bits on
// a device, which cost up to 1.5 times that. Memory: that of bigint_mul and twice the result. The
// call allocates it anew on a host context with a cap, and on a device if not all terms are added
// in the transform domain.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_mul_sum(bigint_ctx *ctx, bigint *r,
                                                          const bigint *const *a,
                                                          const bigint *const *b, const int *signs,
                                                          uint64_t count);
// bigint_mul_mod_2exp_minus1: r = a b mod 2^bits - 1, 0 <= r < 2^bits - 1.
// bigint_mul_mod_2exp_plus1: r = a b mod 2^bits + 1, 0 <= r <= 2^bits. Operands of any size and
// sign. Errors: EINVAL for bits = 0.
// Cost: half of a product of bits by bits if bits is a multiple of a power of two 2^k >= bits / 64.
// Otherwise, and with options.checks, a product of the residues.
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
// bigint_divrem: a = q d + r with |r| < |d|; r is zero or has the sign of a (like C's / and %). q
// or r may be NULL if not wanted. Errors: EINVAL for d = 0. Cost: O(M(n)) for large n.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_divrem(bigint_ctx *ctx, bigint *q, bigint *r,
                                                         const bigint *a, const bigint *d);
// bigint_sqrt: s = sqrt(a) rounded down, r = a - s^2, 0 <= r <= 2 s. s or r may be NULL if not
// wanted. Without r it is faster, unless a is a square or nearly one. Errors: EINVAL for a < 0.
// Cost: O(M(n)).
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_sqrt(bigint_ctx *ctx, bigint *s, bigint *r,
                                                       const bigint *a);
// bigint_root: s = the k-th root of a rounded toward zero, r = a - s^k, which is zero or has the
// sign of a. s or r may be NULL as for bigint_sqrt. Errors: EINVAL for k = 0, and for a < 0 with k
// even. Cost: O(M(n / k) log k) for s, O(M(n)) for r.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_root(bigint_ctx *ctx, bigint *s, bigint *r,
                                                       const bigint *a, uint64_t k);
// bigint_powm: r = base^exponent mod |modulus|, 0 <= r < |modulus|. Any base; 0^0 = 1 (0 if
// |modulus| = 1). Errors: EINVAL for modulus 0 or exponent < 0. Cost: some 1.2 products modulo
// |modulus| for each bit of a long exponent. The running time depends on the values: do not use it
// with secrets. On a device it waits for the stream to read lengths and signs. For moduli beyond
// 33278 bits the host computes the power, with copies there and back.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_powm(bigint_ctx *ctx, bigint *r,
                                                       const bigint *base, const bigint *exponent,
                                                       const bigint *modulus);

// bigint_powm_sec: r = base^exponent mod |modulus|, the modulus odd, for a secret exponent of
// exponent_limbs limbs in host memory; top limbs may be zero.
// Promised: the instructions executed and the addresses read and written depend on base, modulus
// and exponent_limbs, and at the very end, where limbs become an integer, on the number of limbs of
// the result. They do not depend on the exponent.
// Not promised: that a single instruction takes the same time for all operands; protection against
// power, radiation or fault attacks; secrecy of base, modulus or result; wiped memory. Workspace
// and a device's staging buffers keep what was in them. Choose exponents of one length.
// Errors: EINVAL for an even modulus. Cost: 1.2 to 1.4 times bigint_powm's up to 129 limbs, beyond
// that n^2 for each product. On a device it waits for the stream, as bigint_powm does.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_powm_sec(bigint_ctx *ctx, bigint *r,
                                                           const bigint *base,
                                                           const bigint_limb *exponent,
                                                           uint64_t exponent_limbs,
                                                           const bigint *modulus);

// bigint_probable_prime: *prime = 1 if n passes the test of Baillie, Pomerance, Selfridge and
// Wagstaff, 0 if n is composite or below 2. Every prime passes. No composite number is known to
// pass, and none below 2^64 does. The test consists of divisions by small primes, the strong test
// to base 2, and the strong Lucas test with the parameters of Selfridge's method A. It is not
// random: for numbers chosen by an adversary, add tests to bases that the adversary cannot predict.
// Cost: for a prime, 3 products modulo n a bit. On a device it waits for the stream, and the host
// computes it.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_probable_prime(bigint_ctx *ctx, int *prime,
                                                                 const bigint *n);

// bigint_mul_decimal multiplies two decimal texts (as bigint_set_decimal reads them) and writes the
// product as bigint_get_decimal would. It works in a decimal radix, without radix conversion. buf
// must not overlap the texts. *bad_at counts from the start of a; positions in b are offset by
// a_length. *need is as for bigint_get_decimal. Cost: about one product of the same number of
// digits.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_mul_decimal(bigint_ctx *ctx, char *buf,
                                                              size_t cap, size_t *need,
                                                              const char *a, size_t a_length,
                                                              const char *b, size_t b_length,
                                                              size_t *bad_at);

// --- Prepared operand ----------------------------------------------------------------------------

// bigint_prep_create prepares a for products with operands of up to max_other_limbs limbs, in
// transform domain where that pays. The prepared operand does not depend on a afterwards. Any
// context of the same place may use it, and several may use it at once; a context with another
// variant gains nothing from it. It may outlive the context that made it. Destroy it through a
// context with the same allocator. On failure *out is NULL.
// On a device the call waits for the stream, so that every stream may use the result. It holds a
// copy of a, and planes of three to four times the memory of a and max_other_limbs together, at
// least 96 KiB. Like integers, they do not count as workspace. Operands that would be cut into
// parts (because of a cap, or because they are long) have no planes, and their products cost as
// much as bigint_mul's.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_prep_create(bigint_ctx *ctx, bigint_prep **out,
                                                              const bigint *a,
                                                              uint64_t max_other_limbs);
// bigint_mul_prep: r = a b. Errors: ERANGE if b is longer than max_other_limbs of
// bigint_prep_create; on a device the announced length of b counts.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_mul_prep(bigint_ctx *ctx, bigint *r,
                                                           const bigint_prep *a, const bigint *b);
// bigint_prep_destroy frees a prepared operand; prep NULL is allowed. On a device the memory is
// freed in the order of ctx's stream, so first call bigint_sync on the other contexts that used it.
// If ctx is on another place, nothing is freed, and bigint_ctx_error says so.
BIGINT_API void bigint_prep_destroy(bigint_ctx *ctx, bigint_prep *prep);

// --- Looking inside ------------------------------------------------------------------------------

// The names that the library knows, as NULL-terminated arrays of constants, whether or not this
// build and machine have them. backends: ref cpu cuda; engines: schoolbook karatsuba toom3 tiled
// modular-fft complex-fft real-fft complex-fft-f32 real-fft-f32; variants: portable avx2 avx512
// ifma.
BIGINT_API const char *const *bigint_backends(void);
BIGINT_API const char *const *bigint_engines(void);
BIGINT_API const char *const *bigint_variants(void);
// bigint_backend_name, bigint_variant_name return what the context uses. On a device the variant is
// the one for conversions, which the host does. Never NULL.
BIGINT_API const char *bigint_backend_name(const bigint_ctx *ctx);
BIGINT_API const char *bigint_variant_name(const bigint_ctx *ctx);

// bigint_explain writes the plan of a product of an by bn limbs on one line: backend, engine,
// variant, shape. *need is as for bigint_get_hex. Errors: those of bigint_workspace_bytes.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_explain(bigint_ctx *ctx, char *buf, size_t cap,
                                                          size_t *need, uint64_t an, uint64_t bn);
// bigint_workspace_bytes: *bytes = an upper bound on the workspace, tables included, that
// bigint_mul holds for a product of an by bn limbs with this context's options and any aliasing.
// Tables left by other sizes (see bigint_ctx_trim) come on top. Errors: ERANGE if no plan exists
// for the size, ENOMEM if none fits the cap.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_workspace_bytes(bigint_ctx *ctx, uint64_t *bytes,
                                                                  uint64_t an, uint64_t bn);

#ifdef __cplusplus
}
#endif

#include "bigint/bigint_batch.h"

#endif  // BIGINT_BIGINT_H_
