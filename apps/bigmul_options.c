// bigmul_options.c: the command line of bigmul and bigmul-mpi, through glibc's argp. May include
// bigint.h and gmp.h (for its version alone).
//
// argp generates parsing, --help, --usage and --version from one table, so they cannot disagree. To
// accept negative numbers, the ten digits are declared as hidden short options with an optional
// value: -123 arrives as option 1 with value 23, in its place among the operands (ARGP_IN_ORDER),
// and the whole word is taken.
#include "apps/bigmul_options.h"

#include <argp.h>
#include <ctype.h>
#include <err.h>
#include <errno.h>
#include <gmp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "apps/count.h"
#include "apps/machine.h"
#include "apps/memory_limit.h"

enum {
    KEY_CHECK = 0x100,
    KEY_TIME,
    KEY_EXPLAIN,
    KEY_ENGINE,
    KEY_VARIANT,
    KEY_DEVICE,
    KEY_BACKEND,
    KEY_RADIX,
    KEY_MOD,
    KEY_JSON,
};

#define STRING_OF(x) #x
#define STRING(x) STRING_OF(x)
#define DEVICE_LENGTH "2^" STRING(DEVICE_LG_BITS) " bits"
#define HIDDEN_DIGIT(c) \
    { 0, c, "DIGITS", OPTION_ARG_OPTIONAL | OPTION_HIDDEN | OPTION_NO_USAGE, 0, 0 }

static const struct argp_option kOptions[] = {
    {0, 0, 0, 0, "Numbers:", 1},
    {"from", 'f', "FORMAT", 0, "Format of A, B and M: decimal (default), hex, raw or gmp", 1},
    {"to", 't', "FORMAT", 0, "Format of the result, likewise", 1},
    {"output", 'o', "FILE", 0, "Write the result to FILE, complete or not at all", 1},
    {"sqr", 's', 0, 0, "The same as the verb square", 1},
    {"mod", KEY_MOD, "M", 0,
     "Compute modulo M: product, square, power, quotient (A times the inverse of B); the result "
     "is from 0 to |M| - 1",
     1},
    {0, 0, 0, 0, "Checks and reports, on standard error (progress too, if it is a terminal):", 2},
    {"verify", 'v', 0, 0, "Compute with GMP too; write only if all limbs agree", 2},
    {"check", KEY_CHECK, 0, 0, "Check every product modulo a prime near 2^61", 2},
    {"time", KEY_TIME, 0, 0,
     "Print what --explain prints and the time of each step; of the product also alone, where it "
     "is computed, and end to end, with the operands' way there and its way back",
     2},
    {"json", KEY_JSON, 0, 0, "Print the times as one JSON object", 2},
    {"explain", KEY_EXPLAIN, 0, 0,
     "Print how the result is computed, and the workspace that it may take", 2},
    {0, 0, 0, 0, "Means:", 3},
    {"threads", 'j', "N", 0, "Threads to use (default: one per processor)", 3},
    {"max-memory", 'm', "SIZE", 0,
     "Stay within SIZE bytes of the host's, without --verify: 512M, 4G, ... (default: three "
     "quarters of this machine's memory, or of what a control group or ulimit leaves of it). "
     "Operands that are too long for it are not read to their end",
     3},
    {"device", KEY_DEVICE, "PLACE", 0,
     "Multiply on GPU number PLACE (0, 1, ...), on the host, or auto (default): on GPU 0 if there "
     "is one and both operands have " DEVICE_LENGTH " or more, but not from decimal to decimal, "
     "which the host does without conversion; otherwise on the host",
     3},
    {"engine", KEY_ENGINE, "NAME", 0, "Algorithm:", 3},
    {"variant", KEY_VARIANT, "NAME", 0, "Instruction set:", 3},
    {"backend", KEY_BACKEND, "NAME", 0, "Implementation:", 3},
    {"radix", KEY_RADIX, "ROUTE", 0,
     "For decimal in and out: convert (to binary and back), decimal (multiply in a decimal radix, "
     "on the host), or auto",
     3},
    {0, 0, 0, 0, "Help:", -1},
    {0, 'h', 0, OPTION_HIDDEN | OPTION_NO_USAGE, 0, -1},
    HIDDEN_DIGIT('0'),
    HIDDEN_DIGIT('1'),
    HIDDEN_DIGIT('2'),
    HIDDEN_DIGIT('3'),
    HIDDEN_DIGIT('4'),
    HIDDEN_DIGIT('5'),
    HIDDEN_DIGIT('6'),
    HIDDEN_DIGIT('7'),
    HIDDEN_DIGIT('8'),
    HIDDEN_DIGIT('9'),
    {0},
};

static const char kRankDevice[] =
    "Multiply on the host (default), each rank on GPU number PLACE of its machine, or auto: on the "
    "GPU that has the rank's number among the ranks of its machine";

static const char kDoc[] =
    "Exact arithmetic on integers of any length.\v"
    "Verbs:\n"
    "  product A B     A times B, the default\n"
    "  square A        A times A\n"
    "  quotient A B    A / B, rounded toward zero\n"
    "  remainder A B   A - B * (A / B), with the sign of A\n"
    "  power A N       A to the power N\n"
    "  gcd A B         greatest common divisor\n"
    "  root A N        N-th root of A, rounded toward zero\n"
    "\n"
    "Operands:\n"
    "  123, -5    a number; one such as -ff needs -- before it, to end the options\n"
    "  @FILE      the contents of FILE\n"
    "  -          standard input\n"
    "White space and line ends before, among and after the digits are skipped.\n"
    "\n"
    "Formats:\n"
    "  decimal    digits after an optional sign\n"
    "  hex        likewise, either case, with or without 0x; written in lower case\n"
    "  raw        bytes, lowest first; not negative, at least one; from @FILE or -\n"
    "  gmp        what mpz_out_raw writes; from @FILE or -\n"
    "With raw and gmp, an N that is typed is decimal.\n"
    "\n"
    "Examples:\n"
    "  bigmul 123456789 -987654321\n"
    "  bigmul @a.txt @b.txt -o product.txt --verify --time\n"
    "  bigmul power 3 1000000 --mod @m.txt\n"
    "  bigmul --from hex --to hex ff -0xff\n"
    "  generate | bigmul --sqr -\n"
    "\n"
    "Exit codes:\n"
    "  0  done                               3  reading, writing or a GPU failed\n"
    "  1  a check found a wrong product      4  too large for memory\n"
    "  2  usage, or an operand is no number\n"
    "Unless it is 0, FILE of --output is left as it was.";

// --- Values --------------------------------------------------------------------------------------

static int choice(const char *option, const char *value, const char *const *names) {
    char all[64] = "";  // the longest list has 24 characters
    for (int i = 0; names[i] != NULL; i++) {
        if (strcmp(value, names[i]) == 0) {
            return i;
        }
        strcat(strcat(all, i == 0 ? "" : ", "), names[i]);
    }
    errx(EXIT_USAGE, "--%s: '%s' is none of %s", option, value, all);
}

static number_format format_value(const char *option, const char *value) {
    static const char *const names[] = {"decimal", "hex", "raw", "gmp", NULL};
    return (number_format)choice(option, value, names);
}

static radix_route radix_value(const char *value) {
    static const char *const names[] = {"auto", "convert", "decimal", NULL};
    return (radix_route)choice("radix", value, names);
}

static uint64_t memory_size(const char *value) {
    const uint64_t bytes = count_parse(value, "KMGT", UINT64_MAX);
    if (bytes == 0) {
        errx(EXIT_USAGE,
             "--max-memory: '%s' is not a size such as 512M or 4G (K, M, G, T; below 2^64 bytes)",
             value);
    }
    return bytes;
}

// A quarter is left to the rest of the program and of the machine.
static uint64_t default_memory(void) { return memory_limit() / 4 * 3; }

// --- The parser ----------------------------------------------------------------------------------

const char *const bigmul_verb_names[] = {"product", "square", "quotient", "remainder",
                                         "power",   "gcd",    "root",     NULL};

// take_verb: whether the first word is a verb.
static bool take_verb(bigmul_options *o, const char *word) {
    for (int i = 0; bigmul_verb_names[i] != NULL; i++) {
        if (strcmp(word, bigmul_verb_names[i]) == 0) {
            o->verb = (bigmul_verb)i;
            return true;
        }
    }
    return false;
}

// is_word: a first operand that begins as no decimal number does; perhaps it was meant as a verb.
static bool is_word(const char *operand) { return isalpha((unsigned char)operand[0]) != 0; }

static void add_operand(bigmul_options *o, struct argp_state *state, const char *word) {
    if (o->operand_count == 2 && is_word(o->operands[0])) {
        argp_error(state, "more than two operands; '%s' is no verb", o->operands[0]);
    }
    if (o->operand_count == 2) {
        argp_error(state, "more than two operands");
    }
    o->operands[o->operand_count++] = word;
}

// The whole word in which the short option `key`, a digit, was found.
static const char *negative_number(struct argp_state *state, int key) {
    const char *word = state->argv[state->next - 1];
    if (word[0] != '-' || word[1] != key) {
        argp_error(state, "'%s' is neither options nor a number", word);
    }
    return word;
}

// check_modulus puts it behind the operands.
static void check_modulus(bigmul_options *o) {
    if (o->modulus == NULL) {
        return;
    }
    if (o->verb == VERB_REMAINDER || o->verb == VERB_GCD || o->verb == VERB_ROOT) {
        errx(EXIT_USAGE, "--mod is for product, square, quotient and power, not for %s",
             bigmul_verb_names[o->verb]);
    }
    o->operands[o->operand_count] = o->modulus;
}

static void check_operands(bigmul_options *o, struct argp_state *state) {
    const bool square = o->verb == VERB_SQUARE;
    if (o->operand_count != (square ? 1 : 2)) {
        argp_error(state, square ? "square takes one operand" : "two operands are needed");
    }
    if (o->from == FORMAT_DECIMAL && is_word(o->operands[0])) {
        argp_error(state, "'%s' is neither a verb nor a decimal number; is it --from hex?",
                   o->operands[0]);
    }
    check_modulus(o);
    int inputs = 0;
    for (int i = 0; i < o->operand_count + (o->modulus != NULL); i++) {
        inputs += strcmp(o->operands[i], "-") == 0;
    }
    if (inputs > 1) {
        errx(EXIT_USAGE, "standard input can be one operand only; --sqr - squares it");
    }
    if (o->device >= 0 && o->verb > VERB_SQUARE) {
        errx(EXIT_USAGE, "--device is for products; the host computes a %s",
             bigmul_verb_names[o->verb]);
    }
    if (o->radix == RADIX_DECIMAL && (o->verb > VERB_SQUARE || o->modulus != NULL)) {
        errx(EXIT_USAGE, "--radix decimal is for products without --mod");
    }
    if (o->radix == RADIX_DECIMAL && (o->from != FORMAT_DECIMAL || o->to != FORMAT_DECIMAL)) {
        errx(EXIT_USAGE, "--radix decimal is for decimal operands and a decimal product");
    }
    if (o->radix == RADIX_DECIMAL && o->device >= 0) {
        errx(EXIT_USAGE, "--radix decimal multiplies on the host: leave --device out");
    }
}

// set_option: whether the key is that of an option; stores what it says.
static bool set_option(bigmul_options *o, int key, char *value) {
    switch (key) {
        case 'f':
            o->from = format_value("from", value);
            return true;
        case 't':
            o->to = format_value("to", value);
            return true;
        case 'o':
            if (*value == '\0') {
                errx(EXIT_USAGE, "--output: the name of the file is empty");
            }
            o->output = value;
            return true;
        case 's':
            o->verb = VERB_SQUARE;
            return true;
        case 'v':
            o->verify = true;
            return true;
        case 'j':
            o->library.threads = place_threads(value);
            return true;
        case 'm':
            o->max_memory = memory_size(value);
            return true;
        case KEY_CHECK:
            o->library.checks = 1;
            return true;
        case KEY_TIME:
            o->time = true;
            return true;
        case KEY_EXPLAIN:
            o->explain = true;
            return true;
        case KEY_ENGINE:
            o->library.engine = value;
            return true;
        case KEY_VARIANT:
            o->library.variant = value;
            return true;
        case KEY_DEVICE:
            o->device = place_value(value);
            return true;
        case KEY_BACKEND:
            o->backend = value;
            return true;
        case KEY_MOD:
            o->modulus = value;
            return true;
        case KEY_JSON:
            o->json = true;
            return true;
        case KEY_RADIX:
            o->radix = radix_value(value);
            return true;
        default:
            return false;
    }
}

static error_t parse_option(int key, char *value, struct argp_state *state) {
    bigmul_options *o = state->input;
    switch (key) {
        case 'h':
            argp_state_help(state, stdout, ARGP_HELP_STD_HELP);  // exits
            return 0;
        case ARGP_KEY_INIT:
            if (state->child_inputs != NULL) {
                state->child_inputs[0] = o;
            }
            return 0;
        case ARGP_KEY_ARG:
            if (o->operand_count > 0 || state->arg_num > 0 || !take_verb(o, value)) {
                add_operand(o, state, value);
            }
            return 0;
        case ARGP_KEY_END:
            check_operands(o, state);
            return 0;
        default:
            if (key >= '0' && key <= '9') {
                add_operand(o, state, negative_number(state, key));
                return 0;
            }
            return set_option(o, key, value) ? 0 : ARGP_ERR_UNKNOWN;
    }
}

// --- Help ----------------------------------------------------------------------------------------

// Adds the library's own list of names to the help of the options that take one; says what ranks
// make of an option.
static char *help_with_names(int key, const char *text, void *input) {
    const bigmul_options *const o = input;
    if (key == KEY_DEVICE && o != NULL && o->device == BIGINT_HOST) {
        return strdup(kRankDevice);
    }
    const char *const *names = key == KEY_ENGINE    ? bigint_engines()
                               : key == KEY_VARIANT ? bigint_variants()
                               : key == KEY_BACKEND ? bigint_backends()
                                                    : NULL;
    if (names == NULL) {
        return (char *)(uintptr_t)text;  // argp's way to say: unchanged
    }
    size_t room = strlen(text) + 1;
    for (size_t i = 0; names[i] != NULL; i++) {
        room += strlen(names[i]) + 2;
    }
    char *joined = malloc(room);  // argp frees it
    if (joined == NULL) {
        err(EXIT_MEMORY, "help");
    }
    char *end = stpcpy(joined, text);
    for (size_t i = 0; names[i] != NULL; i++) {
        end = stpcpy(stpcpy(end, i == 0 ? " " : ", "), names[i]);
    }
    return joined;
}

static void print_version(FILE *stream, struct argp_state *state) {
    (void)state;
    fprintf(stream, "bigmul %d.%d.%d (longmul; --verify uses GMP %s)\n", BIGINT_VERSION_MAJOR,
            BIGINT_VERSION_MINOR, BIGINT_VERSION_PATCH, gmp_version);
}

bigmul_options bigmul_options_parse(int argc, char **argv, const struct argp *of_ranks) {
    const struct argp_child children[] = {{of_ranks, 0, NULL, 0}, {0}};
    const struct argp parser = {
        kOptions,        parse_option, "A B\nVERB A [B]", kDoc, of_ranks == NULL ? NULL : children,
        help_with_names, NULL};
    bigmul_options o = {.device = of_ranks == NULL ? PLACE_AUTO : BIGINT_HOST,
                        .max_memory = default_memory(),
                        .library = {.threads = processors()}};
    argp_program_version_hook = print_version;
    // The help goes out at once, as the cause of an error is that of the last write.
    static char help[1 << 14];
    setvbuf(stdout, help, _IOFBF, sizeof help);
    argv[0] = program_invocation_short_name;  // as in all other messages
    argp_err_exit_status = EXIT_USAGE;
    setenv("ARGP_HELP_FMT", "no-dup-args-note", 0);  // argp offers no other way to drop that note
    const error_t status = argp_parse(&parser, argc, argv, ARGP_IN_ORDER, NULL, &o);
    if (status != 0) {
        errx(EXIT_MEMORY, "reading the command line: %s", strerror(status));
    }
    return o;
}
