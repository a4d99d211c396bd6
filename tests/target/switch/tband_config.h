/* SPDX-License-Identifier: MIT */
#ifndef TBAND_CONFIG_H
#define TBAND_CONFIG_H

#ifndef WITHOUT_TRACER
#define tband_configENABLE 1
#define tband_configFREERTOS_TRACE_ENABLE 1
#ifdef IMAGE_STREAMING
#define tband_configUSE_BACKEND_STREAMING 1
#elif defined(IMAGE_SNAPSHOT)
#define tband_configUSE_BACKEND_SNAPSHOT 1
#else
#define tband_configUSE_BACKEND_POST_MORTEM 1
#endif
#define tband_configMETADATA_BUF_SIZE 512
#endif

#endif
