// every_mpz.c: every mpz function on numbers of all lengths, by the GMP that this program calls and
// by one that knows nothing of the drop-in. usage: every_mpz ROUNDS; exit status 0 if all results
// are the same. every_mpz --names prints the functions that it calls. Run with the drop-in
// preloaded; see preloaded.sh.
#define _GNU_SOURCE  // RTLD_DEFAULT
#include <dlfcn.h>
#include <gmp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/bindings/gmp/plain_gmp.h"
#include "tests/support/gen.h"

// form: what is returned (v nothing, i an int, l a word), then the arguments:
//   R a result     A the same, with a value before the call
//   Z any number   N not 0    P positive    O odd and positive    E a short one, positive
//   u a word       w not 0    b a number of bits    k 2 to 9    s a small number for factorials
typedef struct {
    const char *name, *form;
} function;

static const function functions[] = {
    {"abs", "vRZ"},
    {"add", "vRZZ"},
    {"add_ui", "vRZu"},
    {"addmul", "vAZZ"},
    {"addmul_ui", "vAZu"},
    {"and", "vRZZ"},
    {"bin_ui", "vREk"},
    {"bin_uiui", "vRss"},
    {"cdiv_q", "vRZN"},
    {"cdiv_q_2exp", "vRZb"},
    {"cdiv_q_ui", "lRZw"},
    {"cdiv_qr", "vRRZN"},
    {"cdiv_qr_ui", "lRRZw"},
    {"cdiv_r", "vRZN"},
    {"cdiv_r_2exp", "vRZb"},
    {"cdiv_r_ui", "lRZw"},
    {"cdiv_ui", "lZw"},
    {"clrbit", "vAb"},
    {"cmp", "iZZ"},
    {"cmp_ui", "iZu"},
    {"cmpabs", "iZZ"},
    {"cmpabs_ui", "iZu"},
    {"com", "vRZ"},
    {"combit", "vAb"},
    {"congruent_2exp_p", "iZZb"},
    {"congruent_p", "iZZN"},
    {"congruent_ui_p", "iZuw"},
    {"divisible_2exp_p", "iZb"},
    {"divisible_p", "iZN"},
    {"divisible_ui_p", "iZw"},
    {"fac_ui", "vRs"},
    {"2fac_ui", "vRs"},
    {"mfac_uiui", "vRsk"},
    {"primorial_ui", "vRs"},
    {"fdiv_q", "vRZN"},
    {"fdiv_q_2exp", "vRZb"},
    {"fdiv_q_ui", "lRZw"},
    {"fdiv_qr", "vRRZN"},
    {"fdiv_qr_ui", "lRRZw"},
    {"fdiv_r", "vRZN"},
    {"fdiv_r_2exp", "vRZb"},
    {"fdiv_r_ui", "lRZw"},
    {"fdiv_ui", "lZw"},
    {"fib2_ui", "vRRs"},
    {"fib_ui", "vRs"},
    {"fits_sint_p", "iZ"},
    {"fits_slong_p", "iZ"},
    {"fits_sshort_p", "iZ"},
    {"fits_uint_p", "iZ"},
    {"fits_ulong_p", "iZ"},
    {"fits_ushort_p", "iZ"},
    {"gcd", "vRZZ"},
    {"gcd_ui", "lRZu"},
    {"gcdext", "vRRRZN"},
    {"get_si", "lZ"},
    {"get_ui", "lZ"},
    {"getlimbn", "lZk"},
    {"hamdist", "lZZ"},
    {"invert", "iRPO"},
    {"ior", "vRZZ"},
    {"jacobi", "iZO"},
    {"kronecker_si", "iZu"},
    {"kronecker_ui", "iZu"},
    {"lcm", "vRZZ"},
    {"lcm_ui", "vRZu"},
    {"lucnum2_ui", "vRRs"},
    {"lucnum_ui", "vRs"},
    {"mod", "vRZN"},
    {"mul", "vRZZ"},
    {"mul_2exp", "vRZb"},
    {"mul_si", "vRZu"},
    {"mul_ui", "vRZu"},
    {"neg", "vRZ"},
    {"nextprime", "vRE"},
    {"perfect_power_p", "iE"},
    {"perfect_square_p", "iZ"},
    {"popcount", "lZ"},
    {"pow_ui", "vRZk"},
    {"powm", "vRZEN"},
    {"powm_sec", "vREEO"},
    {"powm_ui", "vRZuN"},
    {"probab_prime_p", "iEk"},
    {"root", "iRPk"},
    {"rootrem", "vRRPk"},
    {"scan0", "lZb"},
    {"scan1", "lZb"},
    {"set", "vRZ"},
    {"set_si", "vRu"},
    {"set_ui", "vRu"},
    {"setbit", "vAb"},
    {"si_kronecker", "iuZ"},
    {"size", "lZ"},
    {"sizeinbase", "lZk"},
    {"sqrt", "vRP"},
    {"sqrtrem", "vRRP"},
    {"sub", "vRZZ"},
    {"sub_ui", "vRZu"},
    {"submul", "vAZZ"},
    {"submul_ui", "vAZu"},
    {"tdiv_q", "vRZN"},
    {"tdiv_q_2exp", "vRZb"},
    {"tdiv_q_ui", "lRZw"},
    {"tdiv_qr", "vRRZN"},
    {"tdiv_qr_ui", "lRRZw"},
    {"tdiv_r", "vRZN"},
    {"tdiv_r_2exp", "vRZb"},
    {"tdiv_r_ui", "lRZw"},
    {"tdiv_ui", "lZw"},
    {"tstbit", "iZb"},
    {"ui_kronecker", "iuZ"},
    {"ui_pow_ui", "vRks"},
    {"ui_sub", "vRuZ"},
    {"xor", "vRZZ"},
};
enum { FUNCTIONS = sizeof functions / sizeof *functions, ARGUMENTS = 5 };

// Integers and pointers are passed alike, and arguments that a function does not have are ignored.
typedef unsigned long (*any_function)(unsigned long, unsigned long, unsigned long, unsigned long,
                                      unsigned long);

static void *symbol(int side, const char *name) {
    char full[64];
    snprintf(full, sizeof full, "__gmpz_%s", name);
    return side == 1 ? plain_symbol(full) : dlsym(RTLD_DEFAULT, full);
}

// The same arguments on both sides; numbers belong to their side's GMP.
typedef struct {
    mpz_t number[2][ARGUMENTS];
    unsigned long word[ARGUMENTS];
} arguments;

static void set_number(mpz_t z, int side, const uint64_t *p, size_t n, bool negative) {
    void (*import)(mpz_t, size_t, int, size_t, int, size_t, const void *);
    void (*negate)(mpz_t, const mpz_t);
    *(void **)&import = symbol(side, "import");
    *(void **)&negate = symbol(side, "neg");
    import(z, n, -1, 8, 0, 0, p);
    if (negative) {
        negate(z, z);
    }
}

// draw_number: by the letter of a form.
static void draw_number(gen *g, arguments *x, int i, char letter, size_t longest) {
    static uint64_t p[1 << 16];
    const size_t n = letter == 'E' ? 1 + gen_below(g, 3) : gen_size(g, 1, longest);
    const gen_shape shape = (gen_shape)gen_below(g, GEN_SHAPES);
    gen_limbs(g, shape == GEN_ZERO && letter != 'Z' ? GEN_UNIFORM : shape, p, n);
    p[0] |= letter == 'O';
    const bool negative = (letter == 'Z' || letter == 'N' || letter == 'A') && gen_below(g, 3) == 0;
    for (int side = 0; side < 2; side++) {
        set_number(x->number[side][i], side, p, n, negative);
    }
}

static unsigned long draw_word(gen *g, char letter) {
    switch (letter) {
        case 'b':
            return gen_below(g, 20000);
        case 'k':
            return 2 + gen_below(g, 8);
        case 's':
            return gen_size(g, 1, 6000);
        default:
            return gen_u64(g) >> gen_below(g, 64) | (letter == 'w');
    }
}

static bool is_number(char letter) { return letter >= 'A' && letter <= 'Z'; }

// call: the function with these arguments on one side.
static unsigned long call(const function *f, const arguments *x, int side) {
    any_function code;
    *(void **)&code = symbol(side, f->name);
    unsigned long a[ARGUMENTS] = {0};
    for (int i = 0; i < ARGUMENTS && f->form[1 + i] != 0; i++) {
        a[i] =
            is_number(f->form[1 + i]) ? (unsigned long)(uintptr_t)x->number[side][i] : x->word[i];
    }
    const unsigned long result = code(a[0], a[1], a[2], a[3], a[4]);
    return f->form[0] == 'v' ? 0 : f->form[0] == 'i' ? (unsigned long)(int)result : result;
}

static bool same(const arguments *x) {
    for (int i = 0; i < ARGUMENTS; i++) {
        if (mpz_cmp(x->number[0][i], x->number[1][i]) != 0) {  // only reads
            return false;
        }
    }
    return true;
}

// is_slow: on long operands, by orders of magnitude.
static bool is_slow(const char *name) {
    static const char *const names[] = {"powm",   "powm_sec", "powm_ui",
                                        "gcdext", "invert",   "jacobi"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(name, names[i]) == 0) {
            return true;
        }
    }
    return false;
}

static bool try(gen *g, const function *f, arguments *x, unsigned round) {
    const size_t longest = is_slow(f->name) ? 200 : round % 16 == 0 ? 20000 : 1500;
    for (int i = 0; i < ARGUMENTS && f->form[1 + i] != 0; i++) {
        if (is_number(f->form[1 + i])) {
            draw_number(g, x, i, f->form[1 + i], longest);
        } else {
            x->word[i] = draw_word(g, f->form[1 + i]);
        }
    }
    const unsigned long result[2] = {call(f, x, 0), call(f, x, 1)};
    if (result[0] == result[1] && same(x)) {
        return true;
    }
    fprintf(stderr, "mpz_%s, round %u: %lu and %lu, or different numbers\n", f->name, round,
            result[0], result[1]);
    return false;
}

// try_text: to text and back, in every base that GMP has.
static bool try_text(gen *g, arguments *x, unsigned round) {
    bool right = true;
    draw_number(g, x, 0, 'Z', round % 16 == 0 ? 20000 : 1500);
    const int base = round % 3 == 0 ? 2 + (int)gen_below(g, 61) : 10;
    char *text[2];
    for (int side = 0; side < 2; side++) {
        char *(*get)(char *, int, const mpz_t);
        int (*set)(mpz_t, const char *, int);
        *(void **)&get = symbol(side, "get_str");
        *(void **)&set = symbol(side, "set_str");
        text[side] = malloc(mpz_sizeinbase(x->number[0][0], base) + 2);
        get(text[side], base, x->number[side][0]);
        right = right && set(x->number[side][1], text[side], base) == 0 &&
                mpz_cmp(x->number[side][0], x->number[side][1]) == 0;
    }
    right = right && strcmp(text[0], text[1]) == 0;
    free(text[0]), free(text[1]);
    if (!right) {
        fprintf(stderr, "text in base %d, round %u: different\n", base, round);
    }
    return right;
}

// try_exact: quotients without remainder, and removed factors, of products.
static bool try_exact(gen *g, arguments *x, unsigned round) {
    static const function exact[] = {{"mul", "vRNN"}, {"divexact", "vRNN"}, {"remove", "lRNN"}};
    if (!try(g, &exact[0], x, round)) {
        return false;
    }
    for (int side = 0; side < 2; side++) {  // the product divided by its second factor
        void (*swap)(mpz_t, mpz_t);
        *(void **)&swap = symbol(side, "swap");
        swap(x->number[side][0], x->number[side][1]);
    }
    const unsigned long none[2] = {call(&exact[1], x, 0), call(&exact[1], x, 1)};
    bool right = none[0] == none[1] && same(x);
    if (mpz_cmpabs_ui(x->number[0][2], 1) > 0) {
        right = right && call(&exact[2], x, 0) == call(&exact[2], x, 1) && same(x);
    }
    if (!right) {
        fprintf(stderr, "divexact or remove, round %u: different numbers\n", round);
    }
    return right;
}

int main(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "--names") == 0) {
        for (size_t f = 0; f < FUNCTIONS; f++) {
            puts(functions[f].name);
        }
        puts("divexact\nremove\nswap\nimport\nget_str\nset_str\nmul\ninit");
        return 0;
    }
    const unsigned rounds = argc == 2 ? (unsigned)strtoul(argv[1], NULL, 10) : 40;
    gen g = gen_seed(50);
    arguments x;
    for (int side = 0; side < 2; side++) {
        void (*init)(mpz_t);
        *(void **)&init = symbol(side, "init");
        for (int i = 0; i < ARGUMENTS; i++) {
            init(x.number[side][i]);
        }
    }
    unsigned long wrong = 0;
    for (unsigned round = 0; round < rounds; round++) {
        for (size_t f = 0; f < FUNCTIONS; f++) {
            wrong += !try(&g, &functions[f], &x, round);
        }
        wrong += !try_text(&g, &x, round);
        wrong += !try_exact(&g, &x, round);
    }
    printf("%zu functions, %u rounds: %lu wrong\n", (size_t)FUNCTIONS + 4, rounds, wrong);
    return wrong != 0;
}
