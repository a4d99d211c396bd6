// SPDX-License-Identifier: MIT
//
// TK_RARE stands before functions that the usual event does not reach: kept out of line, they cost the others no registers.
#ifndef TK_BASE_RARE_H
#define TK_BASE_RARE_H

#if defined(__GNUC__)
#define TK_RARE __attribute__((noinline, cold))
#else
#define TK_RARE
#endif

#endif
