// patch.c: see attach_patch in attach.h.
#define _GNU_SOURCE  // dladdr, RTLD_NOLOAD
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bindings/gmp/attach.h"
#include "bindings/gmp/entries.h"

#if defined(__x86_64__)

// jmp *0(%rip), and the address behind it: fourteen bytes, which each of the three functions has.
typedef struct __attribute__((packed)) {
    uint8_t jump[6];
    void *target;
} jump;

static bool overwrite(void *function, void *target) {
    const jump j = {{0xFF, 0x25, 0, 0, 0, 0}, target};
    const size_t size = (size_t)sysconf(_SC_PAGESIZE);
    const uintptr_t begin = (uintptr_t)function / size * size;
    const size_t length = ((uintptr_t)function + sizeof j - begin + size - 1) / size * size;
    if (memcmp(function, j.jump, sizeof j.jump) == 0 ||
        mprotect((void *)begin, length, PROT_READ | PROT_WRITE | PROT_EXEC) != 0) {
        return false;
    }
    memcpy(function, &j, sizeof j);
    mprotect((void *)begin, length, PROT_READ | PROT_EXEC);
    return true;
}

int attach_patch(void) {
    const mpn_table *const gmp = mpn_original();
    void *const functions[][2] = {
        {(void *)gmp->mul, entry_address(MPN_MUL)},
        {(void *)gmp->mul_n, entry_address(MPN_MUL_N)},
        {(void *)gmp->sqr, entry_address(MPN_SQR)},
    };
    int patched = 0;
    for (int i = 0; i < 3; i++) {
        patched += functions[i][0] != NULL && overwrite(functions[i][0], functions[i][1]);
    }
    return patched;
}

#else

int attach_patch(void) { return 0; }

#endif
