/* SPDX-License-Identifier: MIT */
#ifndef TBAND_CONFIG_H
#define TBAND_CONFIG_H

#define tband_configENABLE 1
#define tband_configFREERTOS_TRACE_ENABLE 1
#define tband_configTICK_TRACE_ENABLE 1
#ifdef POST_MORTEM
#define tband_configUSE_BACKEND_POST_MORTEM 1
#define tband_configBACKEND_POST_MORTEM_BUF_SIZE RING_BYTES
#define tband_configCONTROL_ATTRIBUTE __attribute__((section(".noinit")))
#else
#define tband_configUSE_BACKEND_STREAMING 1
#endif
#define tband_configMETADATA_BUF_SIZE 512
#ifdef STREAM_BYTES
#define tband_configBACKEND_STREAMING_BUF_SIZE STREAM_BYTES
#endif

#endif
