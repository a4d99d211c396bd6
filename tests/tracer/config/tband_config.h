/* SPDX-License-Identifier: MIT */
/* For the tests: small buffers; TEST_BACKEND chooses the back end. */
#ifndef TBAND_CONFIG_H
#define TBAND_CONFIG_H

#ifndef tband_configENABLE
#define tband_configENABLE 1
#endif
#ifndef tband_configMETADATA_BUF_SIZE
#define tband_configMETADATA_BUF_SIZE 100
#endif
#ifndef tband_configCLOCK_SYNC_ENABLE
#define tband_configCLOCK_SYNC_ENABLE 1
#endif
#ifndef tband_configMEMORY_TRACE_ENABLE
#define tband_configMEMORY_TRACE_ENABLE 1
#endif
#ifdef TEST_MASKS
#define tband_configGROUPS 0xF700 /* no values */
#define tband_configISR_FILTER_ENABLE 1
#define tband_configISR_RECORDED(isr_id) ((isr_id) != 7)
#endif
#ifdef KERNEL_VERSION
#define tband_configFREERTOS_QUEUE_DETAIL_TRACE_ENABLE 1
#define tband_configFREERTOS_NOTIFICATION_TRACE_ENABLE 1
#define tband_configFREERTOS_EVENT_GROUP_TRACE_ENABLE 1
#define tband_configFREERTOS_STREAM_BUFFER_TRACE_ENABLE 1
#define tband_configFREERTOS_TIMER_TRACE_ENABLE 1
#endif
#ifdef TEST_BACKEND_POST_MORTEM
#define tband_configUSE_BACKEND_POST_MORTEM 1
#ifndef tband_configBACKEND_POST_MORTEM_BUF_SIZE
#define tband_configBACKEND_POST_MORTEM_BUF_SIZE 333
#endif
#endif
#ifdef TEST_BACKEND_SNAPSHOT
#define tband_configUSE_BACKEND_SNAPSHOT 1
#ifndef tband_configBACKEND_SNAPSHOT_BUF_SIZE
#define tband_configBACKEND_SNAPSHOT_BUF_SIZE 400
#endif
#endif
#ifdef TEST_BACKEND_STREAMING
#define tband_configUSE_BACKEND_STREAMING 1
#ifndef tband_configBACKEND_STREAMING_BUF_SIZE
#define tband_configBACKEND_STREAMING_BUF_SIZE 333
#endif
#endif
#ifdef TEST_BACKEND_EXTERNAL
#define tband_configUSE_BACKEND_EXTERNAL 1
#endif

#endif
