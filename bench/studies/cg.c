// cg.c: names of cg.h.
#include "bench/studies/cg.h"

const char *cg_format_name(cg_format format) {
    static const char *const names[CG_FORMATS] = {"csr-scalar", "csr-vector", "ell"};
    return (unsigned)format < CG_FORMATS ? names[format] : "unknown";
}

const char *cg_form_name(cg_form form) {
    static const char *const names[CG_FORMS] = {"nine", "joined", "two-stage", "merged"};
    return (unsigned)form < CG_FORMS ? names[form] : "unknown";
}
