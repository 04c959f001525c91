// contender.c: see contender.h.
#include "bench/decimal/contender.h"

#include "tests/support/device.h"

// open_cufft: jobs between the same points and frequencies.
static void open_cufft(contender *c, const cufft *library) {
    const decimal_form *const f = &c->plan.form;
    const bool single = c->plan.way.single;
    const cufft_type there =
        f->complex ? (single ? CUFFT_C2C : CUFFT_Z2Z) : (single ? CUFFT_R2C : CUFFT_D2Z);
    const cufft_type back = f->complex ? there : single ? CUFFT_C2R : CUFFT_Z2D;
    size_t most = 0;
    for (int i = 0; i < 3; i++) {
        void *const points = decimal_product_points(&c->product, i % 2);
        void *const frequencies = decimal_product_frequencies(&c->product, i % 2);
        c->job[i] = (cufft_job){.library = library,
                                .type = i < 2 ? there : back,
                                .inverse = i == 2,
                                .in = i < 2 ? points : frequencies,
                                .out = i < 2 ? frequencies : points};
        if (!cufft_plan(&c->job[i], f->points, f->rows)) {
            texts_stop("the rival has no plan", c->t->n);
        }
        most = c->job[i].workspace_bytes > most ? c->job[i].workspace_bytes : most;
    }
    c->workspace = texts_room(most, c->t->n);
    for (int i = 0; i < 3; i++) {
        c->job[i].workspace = c->workspace;
        if (!cufft_give_workspace(&c->job[i])) {
            texts_stop("the rival takes no workspace", c->t->n);
        }
    }
}

void contender_open(contender *c, const texts *t, const decimal_way *way, const cufft *library) {
    *c = (contender){.t = t};
    const char *const why = decimal_plan_make(&c->plan, way, t->n, t->n, t->rows, false);
    if (why != NULL) {
        texts_stop(why, t->n);
    }
    const size_t words = decimal_product_words_bytes(&c->plan);
    c->product = (decimal_product){.plan = &c->plan,
                                   .memory = texts_room(decimal_product_bytes(&c->plan), t->n),
                                   .words = texts_room(words, t->n),
                                   .words_bytes = words};
    if (!device_fill(c->product.words, 0, words) ||
        decimal_product_tables(&c->product) != RESULT_OK) {
        texts_stop("no tables", t->n);
    }
    if (library != NULL) {
        open_cufft(c, library);
    }
}

void contender_close(contender *c) {
    for (int i = 0; i < 3 && c->workspace != NULL; i++) {
        cufft_forget(&c->job[i]);
    }
    device_free(c->workspace);
    device_free(c->product.memory), device_free(c->product.words);
}

// on: the product on this stream.
static decimal_product on(const contender *c, cuda_stream stream) {
    decimal_product p = c->product;
    p.stream = stream;
    return p;
}

bool contender_run(void *self, cuda_stream stream) {
    const contender *const c = self;
    const decimal_product p = on(c, stream);
    return decimal_product_run(&p, c->t->there[0], c->t->there[1], c->t->out) == RESULT_OK;
}

bool contender_cufft(void *self, cuda_stream stream) {
    contender *const c = self;
    const decimal_product p = on(c, stream);
    return decimal_product_split(&p, c->t->there[0], c->t->there[1]) == RESULT_OK &&
           cufft_enqueue(&c->job[0], stream) && cufft_enqueue(&c->job[1], stream) &&
           decimal_product_multiply(&p) == RESULT_OK && cufft_enqueue(&c->job[2], stream) &&
           decimal_product_carry(&p, c->t->out) == RESULT_OK;
}

bool contender_carry(void *self, cuda_stream stream) {
    const contender *const c = self;
    const decimal_product p = on(c, stream);
    return decimal_product_carry(&p, c->t->out) == RESULT_OK;
}
