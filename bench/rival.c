// rival.c: starts the program, writes requests, reads flat JSON answers.
#define _POSIX_C_SOURCE 200809L
#include "bench/rival.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

// Where the value of key begins in a flat JSON object, or NULL.
static const char *value_of(const char *json, const char *key) {
    char quoted[32];
    snprintf(quoted, sizeof quoted, "\"%s\"", key);
    const char *at = strstr(json, quoted);
    if (!at) {
        return NULL;
    }
    at += strlen(quoted);
    at += strspn(at, " \t");
    if (*at != ':') {
        return NULL;
    }
    at++;
    return at + strspn(at, " \t");
}

static bool text_of(const char *json, const char *key, char *to, size_t cap) {
    const char *at = value_of(json, key);
    if (!at || *at != '"') {
        return false;
    }
    snprintf(to, cap, "%.*s", (int)strcspn(at + 1, "\"\n"), at + 1);
    return true;
}

// Reads one answer; false if it is not {"ok": true, ...}.
static bool answer(bench_rival *rival) {
    if (fflush(rival->to) != 0 || !fgets(rival->answer, sizeof rival->answer, rival->from)) {
        snprintf(rival->error, sizeof rival->error, "the rival has gone");
        return false;
    }
    const char *ok = value_of(rival->answer, "ok");
    if (ok && strncmp(ok, "true", 4) == 0) {
        return true;
    }
    if (!text_of(rival->answer, "reason", rival->error, sizeof rival->error)) {
        snprintf(rival->error, sizeof rival->error, "the rival answered: %.200s", rival->answer);
    }
    return false;
}

static bool start_process(bench_rival *rival, const char *command) {
    int in[2], out[2];
    if (pipe(in) != 0) {
        return false;
    }
    if (pipe(out) != 0) {
        close(in[0]);
        close(in[1]);
        return false;
    }
    rival->pid = fork();
    if (rival->pid == 0) {
        dup2(in[0], STDIN_FILENO);
        dup2(out[1], STDOUT_FILENO);
        close(in[0]);
        close(in[1]);
        close(out[0]);
        close(out[1]);
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
        _exit(127);
    }
    close(in[0]);
    close(out[1]);
    rival->to = fdopen(in[1], "w");
    rival->from = fdopen(out[0], "r");
    return rival->pid > 0 && rival->to && rival->from;
}

bool bench_rival_start(bench_rival *rival, const char *command) {
    *rival = (bench_rival){.folder = "/tmp/bench-rival-XXXXXX"};
    signal(SIGPIPE, SIG_IGN);  // a rival that ends early must not end us
    if (!mkdtemp(rival->folder) || !start_process(rival, command)) {
        snprintf(rival->error, sizeof rival->error, "cannot start it: %s", strerror(errno));
        return false;
    }
    fprintf(rival->to, "{\"op\":\"hello\"}\n");
    return answer(rival) && text_of(rival->answer, "name", rival->name, sizeof rival->name);
}

static void file_name(const bench_rival *rival, char which, char *to, size_t cap) {
    snprintf(to, cap, "%s/%c", rival->folder, which);
}

static bool write_operand(bench_rival *rival, char which, const mpz_t x) {
    char name[80];
    file_name(rival, which, name, sizeof name);
    FILE *f = fopen(name, "wb");
    size_t n = mpz_size(x);
    bool ok = f && fwrite(mpz_limbs_read(x), sizeof(mp_limb_t), n, f) == n;
    ok = f && fclose(f) == 0 && ok;
    if (!ok) {
        snprintf(rival->error, sizeof rival->error, "cannot write %s", name);
    }
    return ok;
}

bool bench_rival_load(bench_rival *rival, const char *name, mpz_srcptr a, mpz_srcptr b,
                      unsigned threads) {
    const bool square = b == NULL;
    if (!write_operand(rival, 'a', a) || (!square && !write_operand(rival, 'b', b))) {
        return false;
    }
    fprintf(rival->to, "{\"op\":\"load\",\"case\":\"%s\",\"threads\":%u,\"a\":\"%s/a\"", name,
            threads, rival->folder);
    if (!square) {
        fprintf(rival->to, ",\"b\":\"%s/b\"", rival->folder);
    }
    fprintf(rival->to, ",\"r\":\"%s/r\"}\n", rival->folder);
    return answer(rival);
}

static bool sample(const bench_side *side, uint64_t count, double *ns) {
    bench_rival *rival = side->self;
    fprintf(rival->to, "{\"op\":\"run\",\"count\":%" PRIu64 "}\n", count);
    const char *value = answer(rival) ? value_of(rival->answer, "ns") : NULL;
    *ns = value ? strtod(value, NULL) : 0;
    return *ns > 0;
}

bench_side bench_rival_side(bench_rival *rival) {
    return (bench_side){.sample = sample, .self = rival};
}

bool bench_rival_result(bench_rival *rival, mpz_t r) {
    char name[80];
    fprintf(rival->to, "{\"op\":\"result\"}\n");
    if (!answer(rival)) {
        return false;
    }
    file_name(rival, 'r', name, sizeof name);
    FILE *f = fopen(name, "rb");
    long bytes = f && fseek(f, 0, SEEK_END) == 0 ? ftell(f) : -1;
    bool ok = bytes >= 0 && bytes % (long)sizeof(mp_limb_t) == 0;
    if (ok) {
        size_t n = (size_t)bytes / sizeof(mp_limb_t);
        rewind(f);
        ok = fread(mpz_limbs_write(r, (mp_size_t)n + 1), sizeof(mp_limb_t), n, f) == n;
        mpz_limbs_finish(r, ok ? (mp_size_t)n : 0);
    }
    if (f) {
        fclose(f);
    }
    if (!ok) {
        snprintf(rival->error, sizeof rival->error, "cannot read %s as limbs", name);
    }
    return ok;
}

void bench_rival_stop(bench_rival *rival) {
    if (rival->to) {
        fclose(rival->to);  // end of input: the program ends
    }
    if (rival->from) {
        fclose(rival->from);
    }
    if (rival->pid > 0) {
        waitpid(rival->pid, NULL, 0);
    }
    for (const char *which = "abr"; *which; which++) {
        char name[80];
        file_name(rival, *which, name, sizeof name);
        remove(name);
    }
    rmdir(rival->folder);
}
