// SPDX-License-Identifier: MIT
//
// TK_RARE stands before functions that the usual event does not reach: kept out of line, they cost the others no registers.
// TK_APART: likewise, but they are reached often enough to be built for speed.
// TK_INLINE: for what every event passes and compilers leave out of line; a call costs WebAssembly more than the function does.
#ifndef TK_BASE_RARE_H
#define TK_BASE_RARE_H

#if defined(__clang__)
#define TK_RARE __attribute__((noinline, cold, minsize))
#define TK_APART __attribute__((noinline))
#define TK_INLINE __attribute__((always_inline)) inline
#elif defined(__GNUC__)
#define TK_RARE __attribute__((noinline, cold))
#define TK_APART __attribute__((noinline))
#define TK_INLINE __attribute__((always_inline)) inline
#else
#define TK_RARE
#define TK_APART
#define TK_INLINE inline
#endif

#endif
