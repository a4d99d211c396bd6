// SPDX-License-Identifier: MIT
//
// Serves one trace on 127.0.0.1 until it was fetched. One server answers requests of the viewer, on the port that the
// viewer may read from. Another, on a free port, serves the hand-over page, which passes the trace to the viewer inside
// the browser.
#ifndef CLI_SERVE_H
#define CLI_SERVE_H

#include "options.h"
#include "tonkopf.h"

// Serves a trace until it was fetched or the user stops the program. path: file of the trace. title: name of the trace
// for users. handle: handle of the converted recording, for startup commands that suit it; NULL: unknown. Returns an
// exit code.
int serve_file(const struct settings *settings, const char *path, const char *title, const tk *handle);

#endif
