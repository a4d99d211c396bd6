/* SPDX-License-Identifier: MIT */
#ifndef TBAND_CONFIG_H
#define TBAND_CONFIG_H

#define tband_configENABLE 1
#define tband_configFREERTOS_TRACE_ENABLE 1
#define tband_configTICK_TRACE_ENABLE 1
#define tband_configUSE_BACKEND_STREAMING 1
#define tband_configMETADATA_BUF_SIZE 512
#define tband_configMEMORY_TRACE_ENABLE 1
#define tband_configFREERTOS_QUEUE_DETAIL_TRACE_ENABLE 1
#define tband_configFREERTOS_NOTIFICATION_TRACE_ENABLE 1
#define tband_configFREERTOS_EVENT_GROUP_TRACE_ENABLE 1
#define tband_configFREERTOS_STREAM_BUFFER_TRACE_ENABLE 1
#define tband_configFREERTOS_TIMER_TRACE_ENABLE 1

#endif
