// SPDX-License-Identifier: MIT
//
// TK_COLD marks functions that common events do not reach: they stay out of line and do not cost the callers registers.
// TK_NOINLINE marks functions that stay out of line too, but run often enough to be built for speed. TK_INLINE marks
// functions that run for every event and that compilers would not inline; in WebAssembly a call costs more than their
// work.
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
