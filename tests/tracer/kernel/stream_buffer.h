/* SPDX-License-Identifier: MIT */
#ifndef STREAM_BUFFER_H
#define STREAM_BUFFER_H

UBaseType_t uxStreamBufferGetStreamBufferNumber(StreamBufferHandle_t buffer);

#endif
