/* SPDX-License-Identifier: MIT */
/* Settings from Kconfig. */
#ifndef TBAND_CONFIG_H
#define TBAND_CONFIG_H

#include <zephyr/sys/util_macro.h>

#define tband_configENABLE 1
#define tband_configUSE_BACKEND_POST_MORTEM IS_ENABLED(CONFIG_TONKOPF_TRACER_POST_MORTEM)
#define tband_configUSE_BACKEND_SNAPSHOT IS_ENABLED(CONFIG_TONKOPF_TRACER_SNAPSHOT)
#define tband_configUSE_BACKEND_STREAMING IS_ENABLED(CONFIG_TONKOPF_TRACER_STREAMING)
#define tband_configBACKEND_POST_MORTEM_BUF_SIZE CONFIG_TONKOPF_TRACER_BUFFER_SIZE
#define tband_configBACKEND_SNAPSHOT_BUF_SIZE CONFIG_TONKOPF_TRACER_BUFFER_SIZE
#define tband_configBACKEND_STREAMING_BUF_SIZE CONFIG_TONKOPF_TRACER_BUFFER_SIZE
#define tband_configMETADATA_BUF_SIZE CONFIG_TONKOPF_TRACER_METADATA_SIZE
#define tband_configMAX_STR_LEN CONFIG_TONKOPF_TRACER_TEXT_LENGTH
#define tband_configCONTROL_ATTRIBUTE __attribute__((section(".noinit.tonkopf"))) /* found again after a reset */

#endif
