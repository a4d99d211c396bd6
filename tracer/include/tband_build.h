/* SPDX-License-Identifier: MIT */
/*
 * The identity of the build that the linker computes, for tband_configBUILD_ID. Link with --build-id, and keep its
 * section in the linker script:
 *
 *   .build_id : { tband_build_note = .; KEEP(*(.note.gnu.build-id)) } > flash
 */
#ifndef TBAND_BUILD_H
#define TBAND_BUILD_H

#if defined(__cplusplus) && defined(__GNUC__)
#pragma GCC system_header /* so that casts of C are no warnings in C++ */
#endif

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Three words: length of the name, length of the identity, kind. Then the name "GNU" and a zero byte, and the
 * identity. */
extern const uint8_t tband_build_note[];

/* Returns the first 64 bits of the identity, its first byte highest. */
static inline uint64_t tband_linker_build_id(void) {
    uint64_t id = 0;
    for (unsigned i = 16; i < 24u; i++) id = (id << 8) | tband_build_note[i];
    return id;
}

#ifdef __cplusplus
}
#endif

#endif
