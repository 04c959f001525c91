// exchange_test.c: exchanges between threads of one process: who gets what, agreement, failures.
#define _DEFAULT_SOURCE  // clock_gettime, usleep
#include "bigint/group/exchange/exchange.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tests/bigint/group/members.h"
#include "tests/ctest/ctest.h"

static const unsigned sizes[] = {1, 2, 3, 4, 8};
enum { SIZES = sizeof sizes / sizeof sizes[0] };

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// --- Blocks ---

enum { ROWS_MAX = 5, ROW_MAX = 9, SEND_STRIDE = 16, RECEIVE_STRIDE = 24, UNTOUCHED = 0xee };

// rows, row_bytes of what member i sends to member j: some are empty.
static uint64_t rows_of(unsigned i, unsigned j) { return (i + 2 * j) % (ROWS_MAX + 1); }
static uint64_t row_bytes_of(unsigned i, unsigned j) { return (3 * i + j) % (ROW_MAX + 1); }
// The byte in row r, column c of that block.
static unsigned char byte_of(unsigned i, unsigned j, uint64_t r, uint64_t c) {
    return (unsigned char)(i * 101 + j * 37 + r * 11 + c);
}

static void send_blocks(member *m, void *arg) {
    exchange *const x = m->exchange;
    exchange_block send[MEMBERS_MAX], receive[MEMBERS_MAX];
    unsigned char out[MEMBERS_MAX][ROWS_MAX * SEND_STRIDE];
    unsigned char in[MEMBERS_MAX][ROWS_MAX * RECEIVE_STRIDE];
    uint64_t sent = 0;
    (void)arg;
    memset(in, UNTOUCHED, sizeof in);
    for (unsigned i = 0; i < x->members; i++) {
        send[i] = (exchange_block){out[i], rows_of(x->member, i), row_bytes_of(x->member, i),
                                   SEND_STRIDE};
        receive[i] = (exchange_block){in[i], rows_of(i, x->member), row_bytes_of(i, x->member),
                                      RECEIVE_STRIDE};
        sent += i == x->member ? 0 : exchange_block_bytes(&send[i]);
        for (uint64_t k = 0; k < send[i].rows * SEND_STRIDE; k++) {
            out[i][k] = byte_of(x->member, i, k / SEND_STRIDE, k % SEND_STRIDE);
        }
    }
    EXPECT_EQ(exchange_all_to_all(x, send, receive), BIGINT_OK);
    EXPECT_EQ(x->sent_bytes, sent);
    for (unsigned i = 0; i < x->members; i++) {
        for (uint64_t k = 0; k < sizeof in[i]; k++) {
            const uint64_t r = k / RECEIVE_STRIDE, c = k % RECEIVE_STRIDE;
            const int there = r < receive[i].rows && c < receive[i].row_bytes;
            EXPECT_EQ(in[i][k], there ? byte_of(i, x->member, r, c) : UNTOUCHED);
        }
    }
}

// Mutations: the sender's stride used for what is received; block i taken from its sender instead
// of block `member`; empty blocks copied; bytes to oneself counted.
TEST(Exchange, AllToAll) {
    for (unsigned i = 0; i < SIZES; i++) {
        SCOPED_TRACE("%u members", sizes[i]);
        members_run(&(members_setting){.members = sizes[i]}, send_blocks, NULL);
    }
}

enum { ROUNDS = 300 };

static void many_rounds(member *m, void *arg) {
    exchange *const x = m->exchange;
    (void)arg;
    for (uint64_t round = 0; round < ROUNDS; round++) {
        uint64_t all[MEMBERS_MAX], own = round << 8 | x->member;
        if ((round + x->member) % 97 == 0) {
            usleep(300);
        }
        EXPECT_EQ(exchange_all_gather(x, all, &own, sizeof own), BIGINT_OK);
        own = 0;  // a member that still copied would see this
        for (unsigned i = 0; i < x->members; i++) {
            EXPECT_EQ(all[i], round << 8 | i);
        }
    }
    EXPECT_EQ(x->calls, ROUNDS);
}

// Mutation: a member leaves a call before the others have copied.
TEST(Exchange, ManyRounds) {
    for (unsigned i = 0; i < SIZES; i++) {
        SCOPED_TRACE("%u members", sizes[i]);
        members_run(&(members_setting){.members = sizes[i], .timeout_s = 60}, many_rounds, NULL);
    }
}

// --- Agreement ---

static void agree(member *m, void *arg) {
    exchange *const x = m->exchange;
    (void)arg;
    EXPECT_EQ(exchange_agree(x, BIGINT_OK, NULL, 7), BIGINT_OK);
    // members 1 and 2 fail: the first one's status and cause reach all
    const bigint_status own = x->member == 1   ? BIGINT_ENOMEM
                              : x->member == 2 ? BIGINT_ERANGE
                                               : BIGINT_OK;
    char text[64];
    snprintf(text, sizeof text, "cause %u", x->member);
    EXPECT_EQ(exchange_agree(x, own, own == BIGINT_OK ? NULL : text, 7), BIGINT_ENOMEM);
    EXPECT_EQ(x->failure.member, 1);
    EXPECT_EQ(x->failure.status, BIGINT_ENOMEM);
    EXPECT_EQ((const char *)x->failure.cause, "cause 1");
    // member 3 is in another call
    EXPECT_EQ(exchange_agree(x, BIGINT_OK, NULL, x->member == 3 ? 8 : 7), BIGINT_EINVAL);
    EXPECT_EQ(x->failure.member, 3);
    EXPECT_EQ(exchange_agree(x, BIGINT_OK, NULL, 9), BIGINT_OK);
    EXPECT_FALSE(x->lost);
}

// Mutations: the last failure instead of the first; the cause of one's own; keys not compared; an
// endpoint that is lost after a refusal.
TEST(Exchange, Agree) { members_run(&(members_setting){.members = 4}, agree, NULL); }

// --- Failures ---

static void give_up(member *m, void *arg) {
    exchange *const x = m->exchange;
    uint64_t all[MEMBERS_MAX], own = 1;
    (void)arg;
    EXPECT_EQ(exchange_all_gather(x, all, &own, sizeof own), BIGINT_OK);
    if (x->member == 2) {
        exchange_give_up(x, BIGINT_EDEVICE, "the fan stopped");
    }
    EXPECT_EQ(exchange_all_gather(x, all, &own, sizeof own), BIGINT_EPEER);
    EXPECT_EQ(x->failure.member, 2);
    EXPECT_EQ(x->failure.status, BIGINT_EDEVICE);
    EXPECT_EQ((const char *)x->failure.cause, "the fan stopped");
    EXPECT_EQ(exchange_agree(x, BIGINT_OK, NULL, 0), BIGINT_EPEER);
}

// Mutation: a member that gives up and tells nobody: the others would wait for ever.
TEST(Exchange, GiveUp) {
    for (unsigned members = 3; members <= MEMBERS_MAX; members++) {
        members_run(&(members_setting){.members = members}, give_up, NULL);
    }
}

static void come_late(member *m, void *arg) {
    exchange *const x = m->exchange;
    uint64_t all[MEMBERS_MAX], own = 1;
    (void)arg;
    const double begin = now();
    if (x->member == 1) {
        usleep(600 * 1000);
    }
    EXPECT_EQ(exchange_all_gather(x, all, &own, sizeof own), BIGINT_EPEER);
    EXPECT_TRUE(now() - begin < 5);
    EXPECT_TRUE(x->lost);
    EXPECT_EQ(x->failure.member, 1);
    EXPECT_TRUE(strstr(x->failure.cause, "within 0.2 s") != NULL);
}

// Mutations: no deadline; a member that comes late copies from members that have left.
TEST(Exchange, ComeLate) {
    members_run(&(members_setting){.members = 4, .timeout_s = 0.2}, come_late, NULL);
}
