/* SPDX-License-Identifier: MIT */
#ifndef TBAND_CONFIG_H
#define TBAND_CONFIG_H

#define tband_configENABLE 1
#define tband_configFREERTOS_TRACE_ENABLE 1
#define tband_configUSE_BACKEND_STREAMING 1
#define tband_configMETADATA_BUF_SIZE 512
#define tband_configREPEAT_MS 1500

#endif
