/* SPDX-License-Identifier: MIT */
#ifndef QUEUE_H
#define QUEUE_H

#define queueSEND_TO_BACK ((BaseType_t)0)
#define queueSEND_TO_FRONT ((BaseType_t)1)
#define queueOVERWRITE ((BaseType_t)2)

UBaseType_t uxQueueGetQueueNumber(QueueHandle_t queue);

#endif
