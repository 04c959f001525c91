// need.c: see need.h.
#include "bigint/core/need.h"

#include "primitives/words/word.h"

work_need need_begin(bigint_ctx *ctx, const char *who) {
    return (work_need){.ctx = ctx,
                       .who = who,
                       .status = BIGINT_OK,
                       .host.alignment = ARENA_ALIGNMENT,
                       .device.alignment = ARENA_DEVICE_ALIGNMENT};
}

void need_take(arena_need *a, uint64_t bytes) {
    a->several = a->several || a->in_use > 0;
    a->in_use += word_ceil_div(bytes > 0 ? bytes : 1, a->alignment) * a->alignment;
    a->peak = a->in_use > a->peak ? a->in_use : a->peak;
}

void need_tables(work_need *n, uint64_t key, uint64_t bytes) {
    unsigned i = 0;
    while (i < n->tables_count && n->tables[i].key != key) {
        i++;
    }
    if (i == NEED_TABLES_MOST) {  // counted twice, perhaps
        n->more += bytes;
        return;
    }
    n->tables_count += i == n->tables_count ? 1 : 0;
    const uint64_t before = n->tables[i].key == key ? n->tables[i].bytes : 0;
    n->tables[i] = (tables_need){key, bytes > before ? bytes : before};
}

void need_words(work_need *n, uint64_t bytes) { n->words = bytes > n->words ? bytes : n->words; }

void need_pinned(work_need *n, uint64_t bytes) {
    n->pinned = bytes > n->pinned ? bytes : n->pinned;
}

void need_integers(work_need *n, uint64_t bytes) {
    n->integers += bytes;
    n->integers_peak = n->integers > n->integers_peak ? n->integers : n->integers_peak;
}

void need_integers_end(work_need *n, uint64_t bytes) { n->integers -= bytes; }

static uint64_t held(const arena_need *a) {
    return a->peak == 0 ? 0 : a->several ? arena_most_held(a->peak) : arena_held_bytes(a->peak);
}

bigint_status need_bytes(const work_need *n, uint64_t *bytes) {
    if (n->status != BIGINT_OK) {
        return n->status;
    }
    uint64_t all = held(&n->host) + held(&n->device) + n->integers_peak + n->more + n->pinned +
                   (n->words == 0 ? 0 : arena_held_bytes(n->words));
    for (unsigned i = 0; i < n->tables_count; i++) {
        all += n->tables[i].bytes;
    }
    const uint64_t cap = n->ctx->options.max_workspace_bytes;
    *bytes = cap != 0 && all > cap ? cap : all;
    return BIGINT_OK;
}
