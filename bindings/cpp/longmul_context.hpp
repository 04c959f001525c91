// longmul_context.hpp: errors, and the contexts that integers are computed on. Include longmul.hpp.
#ifndef LONGMUL_CONTEXT_HPP_
#define LONGMUL_CONTEXT_HPP_

#include <new>
#include <stdexcept>

#include "bigint/bigint.h"

namespace longmul {

// error: a call of the library failed; what() is the library's text.
class error : public std::runtime_error {
   public:
    error(bigint_status status, const char *text) : std::runtime_error(text), status_(status) {}
    bigint_status status() const noexcept { return status_; }

   private:
    bigint_status status_;
};

namespace detail {

[[noreturn]] inline void fail(bigint_status status, const char *text) {
    if (status == BIGINT_ENOMEM) {
        throw std::bad_alloc();
    }
    throw error(status, text);
}

// current: the context of the calling thread, or null before the first operation.
inline thread_local bigint_ctx *current = nullptr;

}  // namespace detail

// context: a bigint_ctx on the host. It serves one thread at a time.
class context {
   public:
    // The options are those of bigint_ctx_create. Their allocator must be left empty, since
    // integers pass from context to context.
    explicit context(const bigint_ctx_options &options = bigint_ctx_options()) {
        if (options.allocator.allocate != nullptr) {
            throw std::invalid_argument("longmul::context: an allocator of its own");
        }
        const bigint_status status = bigint_ctx_create(&ctx_, nullptr, &options);
        if (status != BIGINT_OK) {
            const error failure(status, bigint_ctx_error(ctx_));
            bigint_ctx_destroy(ctx_);
            throw failure;
        }
    }
    context(const context &) = delete;
    context &operator=(const context &) = delete;
    ~context() { bigint_ctx_destroy(ctx_); }

    bigint_ctx *get() const noexcept { return ctx_; }
    // stop ends what is computed on the context, on any thread: bigint_ctx_stop, which also says
    // until when.
    void stop() noexcept { bigint_ctx_stop(ctx_); }
    void resume() noexcept { bigint_ctx_resume(ctx_); }

   private:
    bigint_ctx *ctx_ = nullptr;
};

// use_context: in its scope the thread computes on `c`, which must outlive it.
class use_context {
   public:
    explicit use_context(context &c) noexcept : before_(detail::current) {
        detail::current = c.get();
    }
    use_context(const use_context &) = delete;
    use_context &operator=(const use_context &) = delete;
    ~use_context() { detail::current = before_; }

   private:
    bigint_ctx *before_;
};

namespace detail {

// first_context: the thread's own context. It ends with the thread; integers with static storage
// that die later get one more, which is never freed.
inline bigint_ctx *first_context() {
    struct owner {
        bigint_ctx *ctx = nullptr;
        bool *ended;
        explicit owner(bool *flag) : ended(flag) {}
        ~owner() {
            *ended = true;
            if (current == ctx) {
                current = nullptr;
            }
            bigint_ctx_destroy(ctx);
        }
    };
    thread_local bool ended = false;
    bigint_ctx *ctx = nullptr;
    const bigint_status status = bigint_ctx_create(&ctx, nullptr, nullptr);
    if (status != BIGINT_OK) {
        bigint_ctx_destroy(ctx);
        fail(status, "longmul: no context");
    }
    if (!ended) {
        thread_local owner own(&ended);
        if (own.ctx == nullptr) {
            own.ctx = ctx;
        } else {  // a scope of use_context began before the first operation and has ended
            bigint_ctx_destroy(ctx);
        }
        ctx = own.ctx;
    }
    current = ctx;
    return ctx;
}

inline bigint_ctx *now() {
    return __builtin_expect(current != nullptr, 1) ? current : first_context();
}

inline void check(bigint_status status) {
    if (__builtin_expect(status != BIGINT_OK, 0)) {
        fail(status, bigint_ctx_error(current));
    }
}

}  // namespace detail
}  // namespace longmul

#endif  // LONGMUL_CONTEXT_HPP_
