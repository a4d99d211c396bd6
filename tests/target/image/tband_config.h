/* SPDX-License-Identifier: MIT */
#ifndef TBAND_CONFIG_H
#define TBAND_CONFIG_H

#define tband_configENABLE 1
#ifdef IMAGE_STREAMING
#define tband_configUSE_BACKEND_STREAMING 1
#elif defined(IMAGE_REPETITION)
#define tband_configUSE_BACKEND_STREAMING 1
#define tband_configREPEAT_MS 2
#else
#define tband_configUSE_BACKEND_POST_MORTEM 1
#endif

#endif
