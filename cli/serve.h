// SPDX-License-Identifier: MIT
//
// Serves one trace on 127.0.0.1 until it was fetched: directly to the viewer on the port that the viewer may read from,
// and through a page of our own on a free port that hands it over inside the browser.
#ifndef CLI_SERVE_H
#define CLI_SERVE_H

#include "options.h"
#include "tonkopf.h"

// handle: what was converted, NULL if that is unknown. title: for users. Returns an exit code.
int serve_file(const struct settings *settings, const char *path, const char *title, const tk *handle);

#endif
