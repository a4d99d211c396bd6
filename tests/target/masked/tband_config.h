/* SPDX-License-Identifier: MIT */
#ifndef TBAND_CONFIG_H
#define TBAND_CONFIG_H

#define tband_configENABLE 1
/* A ring has a prime number of bytes, so that events of any length begin at each position. */
#ifdef IMAGE_STREAMING
#define tband_configUSE_BACKEND_STREAMING 1
#define tband_configBACKEND_STREAMING_BUF_SIZE 1021
#define tband_configREPEAT_MS 1
#elif defined(IMAGE_SNAPSHOT)
#define tband_configUSE_BACKEND_SNAPSHOT 1
#define tband_configBACKEND_SNAPSHOT_BUF_SIZE 1021
#else
#define tband_configUSE_BACKEND_POST_MORTEM 1
#define tband_configBACKEND_POST_MORTEM_BUF_SIZE 1021
#define tband_configREUSE_NAMES 16
#endif
#define tband_configMEMORY_TRACE_ENABLE 1
#define tband_configISR_FILTER_ENABLE 1
#define tband_configCLOCK_SYNC_ENABLE 1
#define tband_configMETADATA_BUF_SIZE 512

#endif
