/* SPDX-License-Identifier: MIT */
#ifndef TBAND_CONFIG_H
#define TBAND_CONFIG_H

#define tband_configENABLE 1
#define tband_configFREERTOS_TRACE_ENABLE 1
#define tband_configUSE_BACKEND_POST_MORTEM 1
#define tband_configMETADATA_BUF_SIZE 400
#define tband_configFREERTOS_EVENT_GROUP_TRACE_ENABLE 1
#define tband_configFREERTOS_QUEUE_DETAIL_TRACE_ENABLE 1
#define tband_configFREERTOS_SCHEDULER_TRACE_ENABLE 1

#endif
