// attach.c: see attach.h.
#define _GNU_SOURCE  // dl_iterate_phdr
#include "bindings/gmp/attach.h"

#include <elf.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bindings/gmp/entries.h"
#include "bindings/gmp/functions.h"

#if defined(__x86_64__)
enum { TO_FUNCTION = R_X86_64_JUMP_SLOT, TO_DATA = R_X86_64_GLOB_DAT };
#elif defined(__aarch64__)
enum { TO_FUNCTION = R_AARCH64_JUMP_SLOT, TO_DATA = R_AARCH64_GLOB_DAT };
#endif

// search: what is looked for among the slots of loaded objects.
typedef struct {
    const void *base;  // only this object; NULL: all of them
    bool redirect;     // make the slots point to us; else only count
    int found;         // slots that point to us; of a count: that do not bypass us
} search;

// tables: what the dynamic section of an object says of its relocations.
typedef struct {
    const ElfW(Rela) * rows[2];
    size_t count[2];
    const ElfW(Sym) * symbols;
    const char *names;
} tables;

static const void *address(const struct dl_phdr_info *object, ElfW(Addr) p) {
    // The loader has made absolute addresses of these, except in the kernel's own object.
    return (const void *)(p < object->dlpi_addr ? p + object->dlpi_addr : p);
}

static tables read_tables(const struct dl_phdr_info *object) {
    tables t = {.symbols = NULL};
    const ElfW(Dyn) *d = NULL;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        if (object->dlpi_phdr[i].p_type == PT_DYNAMIC) {
            d = (const void *)(object->dlpi_addr + object->dlpi_phdr[i].p_vaddr);
        }
    }
    for (; d != NULL && d->d_tag != DT_NULL; d++) {
        switch (d->d_tag) {
            case DT_JMPREL:
                t.rows[0] = address(object, d->d_un.d_ptr);
                break;
            case DT_PLTRELSZ:
                t.count[0] = d->d_un.d_val / sizeof *t.rows[0];
                break;
            case DT_RELA:
                t.rows[1] = address(object, d->d_un.d_ptr);
                break;
            case DT_RELASZ:
                t.count[1] = d->d_un.d_val / sizeof *t.rows[1];
                break;
            case DT_SYMTAB:
                t.symbols = address(object, d->d_un.d_ptr);
                break;
            case DT_STRTAB:
                t.names = address(object, d->d_un.d_ptr);
                break;
            default:
                break;
        }
    }
    return t;
}

// relocated_read_only: whether the loader has made a slot's page read-only after relocation.
static bool relocated_read_only(const struct dl_phdr_info *object, uintptr_t slot) {
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *const p = &object->dlpi_phdr[i];
        if (p->p_type == PT_GNU_RELRO && slot - (object->dlpi_addr + p->p_vaddr) < p->p_memsz) {
            return true;
        }
    }
    return false;
}

static bool set_slot(const struct dl_phdr_info *object, void **slot, void *value) {
    const size_t size = (size_t)sysconf(_SC_PAGESIZE);
    void *const page = (void *)((uintptr_t)slot / size * size);
    if (mprotect(page, size, PROT_READ | PROT_WRITE) != 0) {
        return false;
    }
    __atomic_store_n(slot, value, __ATOMIC_RELEASE);
    if (relocated_read_only(object, (uintptr_t)slot)) {
        mprotect(page, size, PROT_READ);
    }
    return true;
}

// function_named: which function has that symbol; MPN_FUNCTIONS if none.
static mpn_function function_named(const char *name) {
    int f = 0;
    while (f < MPN_FUNCTIONS && strcmp(name, mpn_names[f]) != 0) {
        f++;
    }
    return (mpn_function)f;
}

// original_of: GMP's own function.
static const void *original_of(mpn_function f) {
    const void *originals[MPN_FUNCTIONS];
    memcpy(originals, mpn_original(), sizeof originals);
    return originals[f];
}

static void look_at_slot(const struct dl_phdr_info *object, search *s, const ElfW(Rela) * row,
                         mpn_function f) {
    void **const slot = (void **)(object->dlpi_addr + row->r_offset), *const entry =
                                                                          entry_address(f);
    if (s->redirect) {
        s->found += *slot == entry || set_slot(object, slot, entry);
    } else {  // a slot that was not used yet leads to the loader
        s->found += *slot != original_of(f);
    }
}

// holds: whether an object is loaded where the address lies.
static bool holds(const struct dl_phdr_info *object, const void *address_in_it) {
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *const p = &object->dlpi_phdr[i];
        if (p->p_type == PT_LOAD &&
            (uintptr_t)address_in_it - (object->dlpi_addr + p->p_vaddr) < p->p_memsz) {
            return true;
        }
    }
    return false;
}

static int look_at(struct dl_phdr_info *object, size_t size, void *data) {
    (void)size;
    search *const s = data;
    if (holds(object, (const void *)mpn_names) || (s->base != NULL && !holds(object, s->base))) {
        return 0;
    }
    const tables t = read_tables(object);
    for (int k = 0; t.symbols != NULL && t.names != NULL && k < 2; k++) {
        for (size_t i = 0; t.rows[k] != NULL && i < t.count[k]; i++) {
            const ElfW(Rela) *const row = &t.rows[k][i];
            const unsigned long type = ELF64_R_TYPE(row->r_info);
            if (type == TO_FUNCTION || type == TO_DATA) {
                const mpn_function f =
                    function_named(t.names + t.symbols[ELF64_R_SYM(row->r_info)].st_name);
                if (f != MPN_FUNCTIONS) {
                    look_at_slot(object, s, row, f);
                }
            }
        }
    }
    return 0;
}

int longmul_gmp_attach(void) {
    mpn_original();  // before slots that lead to it are overwritten
    search s = {.redirect = true};
    dl_iterate_phdr(look_at, &s);
    return s.found;
}

bool attach_reaches(const void *base) {
    search s = {.base = base};
    dl_iterate_phdr(look_at, &s);
    return s.found > 0;
}
