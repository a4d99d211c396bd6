// SPDX-License-Identifier: MIT
//
// Entries and samples as a dump shows them.
#include "flux.h"

#include <string.h>

static const char *record_name(unsigned record) {
    switch (record) {
    case FLUX_HEAD: return "HEAD";
    case FLUX_SWTH: return "SWTH";
    case FLUX_PBLK: return "PBLK";
    case FLUX_SECT: return "SECT";
    case FLUX_SCPD: return "SCPD";
    case FLUX_SIGD: return "SIGD";
    case FLUX_MSGD: return "MSGD";
    case FLUX_SIRD: return "SIRD";
    case FLUX_SSGD: return "SSGD";
    case FLUX_SSRD: return "SSRD";
    case FLUX_OPEN: return "OPEN";
    case FLUX_CLOS: return "CLOS";
    case FLUX_DOMD: return "DOMD";
    case FLUX_CURR: return "CURR";
    case FLUX_ENMD: return "ENMD";
    case FLUX_MEMD: return "MEMD";
    case FLUX_ATRE: return "ATRE";
    case FLUX_ATLA: return "ATLA";
    case FLUX_CREQ: return "CREQ";
    case FLUX_CRES: return "CRES";
    default: return "sample";
    }
}

const struct tk_record_names tk_names_flux = { .info = &tk_info_flux, .name = record_name, .show = flux_show };
