/* SPDX-License-Identifier: MIT */
#ifndef TBAND_CONFIG_H
#define TBAND_CONFIG_H

#define tband_configENABLE 1
#define tband_configUSE_BACKEND_POST_MORTEM 1
#define tband_configCONTROL_ATTRIBUTE __attribute__((section(".noinit")))
#ifdef IMAGE_BUILD
#define tband_configBUILD_ID IMAGE_BUILD
#else
#define tband_configBUILD_ID tband_linker_build_id()
#endif
#define tband_configRUN_NUMBER tband_next_run()

#endif
