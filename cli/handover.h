// SPDX-License-Identifier: MIT
//
// Files of the hand-over page (folder handover), embedded in the program.
#ifndef CLI_HANDOVER_H
#define CLI_HANDOVER_H

#include <stddef.h>

extern const unsigned char handover_page_html[], handover_page_js[], handover_page_css[];
extern const size_t handover_page_html_len, handover_page_js_len, handover_page_css_len;

#endif
