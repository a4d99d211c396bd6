/* SPDX-License-Identifier: MIT */
#ifndef TBAND_CONFIG_H
#define TBAND_CONFIG_H

#define tband_configENABLE 1
#define tband_configUSE_BACKEND_STREAMING 1
#define tband_configBACKEND_STREAMING_BUF_SIZE 1024
#define tband_configCOMMANDS_ENABLE 1

#endif
