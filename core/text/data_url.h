// SPDX-License-Identifier: MIT
//
// Finds data URLs: data:application/octet-stream;base64,AwIB and data:,%03%02%01
#ifndef TK_TEXT_DATA_URL_H
#define TK_TEXT_DATA_URL_H

#include "chars.h"

enum tk_data_url { TK_URL_NONE, TK_URL_BASE64, TK_URL_PERCENT };

// Recognises a data URL; the start of the line suffices. *out_head: length of the text before the data.
enum tk_data_url tk_data_url_find(struct tk_span line, size_t *out_head);

#endif
