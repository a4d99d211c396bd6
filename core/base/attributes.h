// SPDX-License-Identifier: MIT
//
// TK_COLD stands before functions that the common event does not reach: kept out of line, they cost the others no
// registers. TK_NOINLINE: likewise, but they are reached often enough to be built for speed. TK_INLINE: for what every
// event passes and compilers leave out of line; a call costs WebAssembly more than the function does.
#ifndef TK_BASE_ATTRIBUTES_H
#define TK_BASE_ATTRIBUTES_H

#if defined(__clang__)
#define TK_COLD __attribute__((noinline, cold, minsize))
#define TK_NOINLINE __attribute__((noinline))
#define TK_INLINE __attribute__((always_inline)) inline
#elif defined(__GNUC__)
#define TK_COLD __attribute__((noinline, cold))
#define TK_NOINLINE __attribute__((noinline))
#define TK_INLINE __attribute__((always_inline)) inline
#else
#define TK_COLD
#define TK_NOINLINE
#define TK_INLINE inline
#endif

#endif
