// record.c: writes records.
#include "bench/record.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

double bench_ratio(const bench_record *r) { return r->result.rival.median / r->result.ours.median; }

static void put_text(FILE *f, const char *key, const char *text) {
    fprintf(f, ",\"%s\":\"", key);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') {
            fputc('\\', f);
        }
        fputc((unsigned char)*text < ' ' ? ' ' : *text, f);
    }
    fputc('"', f);
}

static void put_number(FILE *f, const char *key, double x) { fprintf(f, ",\"%s\":%.6g", key, x); }

static void put_integer(FILE *f, const char *key, uint64_t x) {
    fprintf(f, ",\"%s\":%" PRIu64, key, x);
}

static void put_flag(FILE *f, const char *key, bool x) {
    fprintf(f, ",\"%s\":%s", key, x ? "true" : "false");
}

static void put_times(FILE *f, const char *who, const bench_times *t) {
    char key[32];
    const char *const names[] = {"median_ns", "min_ns", "spread"};
    const double values[] = {t->median, t->min, t->spread};
    for (unsigned i = 0; i < 3; i++) {
        snprintf(key, sizeof key, "%s%s", who, names[i]);
        put_number(f, key, values[i]);
    }
    snprintf(key, sizeof key, "%scalls", who);
    put_integer(f, key, t->calls);
}

static void put_share(FILE *f, const bench_record *r) {
    if (r->share.roof) {
        put_text(f, "roof", r->share.roof);
        put_number(f, "roof_share", r->share.share);
    } else {
        fprintf(f, ",\"roof\":null,\"roof_share\":null");
        put_text(f, "roof_note", r->share.note);
    }
    put_text(f, "roof_simd", r->roof->simd);
    put_number(f, "roof_fma_per_s", r->roof->fma);
    put_number(f, "roof_mul_per_s", r->roof->mul);
    put_number(f, "roof_ifma_per_s", r->roof->ifma);
    put_number(f, "roof_copy_bytes_per_s", r->roof->copy);
    put_number(f, "roof_copy_l2_bytes_per_s", r->roof->copy_l2);
}

bool bench_record_json(FILE *f, const bench_record *r) {
    const bench_case *c = r->sweep->operation;
    fprintf(f, "{\"schema\":%d", BENCH_SCHEMA);
    put_text(f, "topic", r->sweep->topic);
    put_text(f, "case", c->name);
    put_text(f, "op", c->op);
    put_text(f, "backend", r->backend);
    put_text(f, "engine", r->engine);
    put_text(f, "variant", r->variant);
    put_flag(f, "forced", r->forced);
    put_text(f, "plan", r->plan.line);
    if (c->unit == UNIT_BITS) {
        put_integer(f, "bits", r->row.an);
        put_integer(f, "an", r->row.an);
        put_integer(f, "bn", r->row.bn);
    } else {
        put_integer(f, "n", r->row.an);
        put_text(f, "unit", bench_unit_name(c->unit));
    }
    put_integer(f, "count", r->count);
    put_integer(f, "threads", r->threads);
    put_times(f, "", &r->result.ours);
    put_text(f, "rival", r->rival);
    put_times(f, "rival_", &r->result.rival);
    put_number(f, "ratio", bench_ratio(r));
    put_integer(f, "samples", r->result.samples);
    put_integer(f, "interrupted", r->result.interrupted);
    put_share(f, r);
    if (r->error_l2 > 0) {
        put_number(f, "error_l2", r->error_l2);
        put_number(f, "rival_error_l2", r->rival_error_l2);
    }
    put_flag(f, "checked", r->result.checked);
    put_text(f, "chip", r->host->chip);
    put_text(f, "cpu", r->host->cpu);
    put_integer(f, "cores", (uint64_t)r->host->cores);
    put_text(f, "commit", r->host->commit);
    put_flag(f, "dirty", r->host->dirty);
    put_text(f, "compiler", r->host->compiler);
    fputs("}\n", f);
    return fflush(f) == 0 && !ferror(f);
}

// Three significant digits and a unit: "16.9 us".
static void time_text(char *to, size_t cap, double ns) {
    static const char *const units[] = {"ns", "us", "ms", "s"};
    unsigned u = 0;
    for (; u < 3 && ns >= 999.5; u++) {
        ns /= 1000;
    }
    int decimals = ns >= 99.95 ? 0 : ns >= 9.995 ? 1 : 2;
    snprintf(to, cap, "%.*f %s", decimals, ns, units[u]);
}

void bench_size_text(char *to, size_t cap, uint64_t n) {
    unsigned tens = 0, twos = 0;
    uint64_t odd = n, rest = n;
    for (; odd > 0 && odd % 2 == 0; odd /= 2) {
        twos++;
    }
    for (; rest > 1 && rest % 10 == 0; rest /= 10) {
        tens++;
    }
    if (odd == 1 && twos > 0) {
        snprintf(to, cap, "2^%u", twos);
    } else if (rest == 1 && tens > 0) {
        snprintf(to, cap, "10^%u", tens);
    } else if (odd < 8 && twos > 2) {
        unsigned whole = twos + (odd > 3 ? 2 : 1);  // 1 <= n / 2^whole < 2
        snprintf(to, cap, "%g*2^%u", ldexp((double)n, -(int)whole), whole);
    } else {
        snprintf(to, cap, "%" PRIu64, n);
    }
}

void bench_record_head(FILE *f, const char *topic, const char *rival) {
    fprintf(f, "\n%-32s %-18s %10s %12s %7s %6s %6s\n", topic, "engine, variant", "ours", rival,
            "ratio", "roof", "+-");
}

void bench_record_print(FILE *f, const bench_record *r) {
    const bench_case *c = r->sweep->operation;
    char an[32], bn[32], what[96], how[64], ours[16], rival[16], share[16] = "-";
    bench_size_text(an, sizeof an, r->row.an);
    bench_size_text(bn, sizeof bn, r->row.bn);
    bool two = r->row.bn != r->row.an;
    snprintf(what, sizeof what, "%s%s%s%s%s %s", c->op, c->op[0] ? " " : "", an, two ? " x " : "",
             two ? bn : "", bench_unit_name(c->unit));
    if (r->count > 1) {
        snprintf(what + strlen(what), sizeof what - strlen(what), " x %" PRIu64, r->count);
    }
    snprintf(how, sizeof how, "%s %s", r->engine, r->variant);
    time_text(ours, sizeof ours, r->result.ours.median);
    time_text(rival, sizeof rival, r->result.rival.median);
    if (r->share.roof) {
        snprintf(share, sizeof share, "%.0f %%", 100 * r->share.share);
    }
    fprintf(f, "%-32s %-18s %10s %12s %7.2f %6s %5.1f%%\n", what, how, ours, rival, bench_ratio(r),
            share, 100 * fmax(r->result.ours.spread, r->result.rival.spread));
}
