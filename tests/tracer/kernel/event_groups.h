/* SPDX-License-Identifier: MIT */
#ifndef EVENT_GROUPS_H
#define EVENT_GROUPS_H

UBaseType_t uxEventGroupGetNumber(void *group);

#endif
