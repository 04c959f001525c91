// bigint.h: exact products of very long integers, in C, on CPU and NVIDIA GPU. This header is the
// manual.
//
// This header has the rules, status codes and contexts, and includes the rest of the public
// interface at its end, a header a subject: bigint_value.h, bigint_text.h, bigint_arithmetic.h,
// bigint_product.h, bigint_division.h, bigint_gcd.h, bigint_word.h, bigint_float.h, bigint_bits.h,
// bigint_number.h, bigint_random.h, bigint_batch.h, bigint_limbs.h, bigint_plan.h, bigint_group.h.
// Two more are included by programs that need them: bigint_gmp.h for conversions from and to GMP,
// and bigint_file.h, which reads and writes a FILE. The other headers include only <stddef.h> and
// <stdint.h>, and no CUDA or GMP type appears in them. docs/conventions.md explains the same rules
// with examples.
//
// Words. A *limb* is a 64-bit unsigned word; limbs are stored least significant first. A *place* is
// BIGINT_HOST, the ordinal of a device, or BIGINT_GROUP: several of them together (bigint_group.h).
// The *announced length* of an integer is an upper bound on its limbs that the host knows without
// asking a device; top limbs may be zero. The library keeps it in bits: a sum adds one.
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
//   Sizes        Any length that fits in memory, below 2^56 limbs. Larger lengths and counts:
//                BIGINT_ERANGE, before anything is read. This holds for buffers, too, except the
//                capacity of a buffer that a call writes to, which may be any number.
//   Memory       Integers own their limbs; a context owns its workspace. A call repeated on
//                operands of the same sizes allocates nothing once result and workspace have room:
//                from the third time on at the latest. Without an allocator of the user's, a
//                context on a device keeps up to four of the longest blocks of host memory that it
//                frees, from 8 MiB on, because new pages take longer to make than to fill. Its next
//                results use them. bigint_ctx_trim frees them, and Linux may take the pages of
//                those above 128 MiB back at any time.
//   Threads      A bigint_device and a bigint_prep are immutable and may be shared. A bigint_ctx
//                serves one thread at a time. A bigint has many readers or one writer. A context of
//                a device may work on an integer after the call has returned, until bigint_sync.
//   Fork         In a forked child everything on the host works: contexts, integers, prepared
//                operands. Contexts with threads compute on the calling thread alone there; a new
//                context has threads of its own. A context that is inside a call when another
//                thread forks, or whose callback forks, must not be used in the child. CUDA does
//                not survive a fork: calls on contexts of devices return BIGINT_EDEVICE in the
//                child and say so; what the child clears and destroys frees host memory only.
//                Contexts on groups return BIGINT_EPEER there.
//   Never        The library never prints, aborts, exits, or changes the calling thread's current
//                device. It starts threads only if bigint_ctx_options.threads asks for them, and
//                for the members of a group.
//   By the host  Every call works on every place, except bigint_limbs.h, which has its operands in
//                host memory. Where a comment says that the host computes a call, operands on a
//                device or group are copied to host memory, and the results back: the call waits,
//                takes workspace in host memory for its operands, allocates its results there and
//                frees them. Several results get new limbs.
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
#define BIGINT_VERSION_MINOR 2
#define BIGINT_VERSION_PATCH 0

typedef uint64_t bigint_limb;
typedef struct CUstream_st *bigint_stream;  // a cudaStream_t passes unchanged

enum { BIGINT_HOST = -1, BIGINT_GROUP = -2 };

typedef enum {
    BIGINT_OK = 0,
    BIGINT_EINVAL = -1,      // the call broke a stated requirement: bad text, division by zero, ...
    BIGINT_ENOMEM = -2,      // out of memory, or above the context's memory cap
    BIGINT_ERANGE = -3,      // the result is too large, or the caller's buffer too small
    BIGINT_EPLACE = -4,      // an operand lives on another place than the context
    BIGINT_ENOBACKEND = -5,  // name unknown, not built, or not supported by this machine
    BIGINT_EDEVICE = -6,     // CUDA failed; sticky until the context is destroyed
    BIGINT_ECHECK = -7,      // a product was found to be wrong; do not use the outputs
    BIGINT_ECANCELED = -8,   // options.progress or bigint_ctx_stop ended the call
    BIGINT_EPEER = -9,       // another member of the group failed or is gone
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
// comes from the CUDA runtime. Host memory that CUDA has pinned (cudaHostAlloc, cudaHostRegister),
// as limbs of the user or by an allocator of the user's, is copied to and from a device by the link
// alone, without threads.
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
//   engine, variant      names from bigint_engines() and bigint_variants(), or "auto" or NULL for
//                        the best choice. If NULL, the environment's BIGINT_ENGINE and
//                        BIGINT_VARIANT apply when they are set and not empty. Engine tiled takes
//                        factors of up to 128 limbs, on a device 256, and refuses longer ones
//                        (ERANGE). On a device the engines are tiled and the five whose names
//                        contain fft.
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
//   progress             called from the calling thread between the steps of a long call. If it
//                        returns anything but 0, the call ends with BIGINT_ECANCELED. Products,
//                        quotients, powers modulo m and conversions from and to text pass the work
//                        done and the total, in units of their own; `done` grows to the total, and
//                        the answer does not count then. Other calls pass the products that the
//                        context has made so far, and a total of 0. A call that is made of others,
//                        such as a sum of products, reports each of them in turn. Short calls,
//                        calls on devices and batches report nothing. It must not make calls on the
//                        context, except bigint_ctx_stop. NULL: never called.
//   timeout_s            groups: the seconds that a member waits for the others in one step before
//                        the call ends with BIGINT_EPEER. 0: any time. Other places ignore it.
typedef struct {
    bigint_stream stream;
    uint64_t max_workspace_bytes;
    uint32_t threads;
    uint32_t checks;
    const char *engine;
    const char *variant;
    const char *mode;
    bigint_allocator allocator;
    int (*progress)(void *user, double done, double total);
    void *progress_user;
    double timeout_s;
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
// bigint_ctx_trim frees the context's idle workspace and tables and the blocks of host memory that
// it keeps, and gives back what the device's memory pool holds unused. It waits for the stream.
BIGINT_API void bigint_ctx_trim(bigint_ctx *ctx);
// bigint_ctx_error returns the text of the last failure on ctx: the call, the cause with numbers,
// the next step. It returns "" when nothing has failed, a fixed text if ctx is NULL, and never
// NULL. The text is valid until the next call on ctx.
BIGINT_API const char *bigint_ctx_error(const bigint_ctx *ctx);
// bigint_ctx_stop ends the call that another thread makes on ctx, and those that follow, with
// BIGINT_ECANCELED, until bigint_ctx_resume. It may be called from any thread and from a signal
// handler, at any time between bigint_ctx_create and bigint_ctx_destroy; it does not wait. Outputs
// keep their old values, as after every failure, except results of bigint_mul_batch and of products
// of limbs (bigint_limbs.h), which may be written in part.
// Calls look for the request between their steps: at 2^26 bits within 0.1 s on one thread of a
// recent processor. Short calls, which make no step longer than a few microseconds, succeed, and
// so do calls that free memory. On a device, calls look before they enqueue a product, not later:
// what is enqueued runs.
// bigint_ctx_resume lets calls on ctx work again. Call it when no call on ctx is under way.
BIGINT_API void bigint_ctx_stop(bigint_ctx *ctx);
BIGINT_API void bigint_ctx_resume(bigint_ctx *ctx);
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

#ifdef __cplusplus
}
#endif

#include "bigint/bigint_arithmetic.h"
#include "bigint/bigint_batch.h"
#include "bigint/bigint_bits.h"
#include "bigint/bigint_division.h"
#include "bigint/bigint_float.h"
#include "bigint/bigint_gcd.h"
#include "bigint/bigint_group.h"
#include "bigint/bigint_limbs.h"
#include "bigint/bigint_number.h"
#include "bigint/bigint_plan.h"
#include "bigint/bigint_product.h"
#include "bigint/bigint_random.h"
#include "bigint/bigint_text.h"
#include "bigint/bigint_value.h"
#include "bigint/bigint_word.h"

#endif  // BIGINT_BIGINT_H_
