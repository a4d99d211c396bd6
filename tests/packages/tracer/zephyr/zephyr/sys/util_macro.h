/* SPDX-License-Identifier: MIT */
#ifndef ZEPHYR_SYS_UTIL_MACRO_H
#define ZEPHYR_SYS_UTIL_MACRO_H

/* 1 if a setting is defined as 1, else 0; also in #if. */
#define IS_ENABLED(setting) STAND_IN_PASTE(setting)
#define STAND_IN_PASTE(value) STAND_IN_PICK(STAND_IN_##value)
#define STAND_IN_1 unused,
#define STAND_IN_PICK(found) STAND_IN_SECOND(found 1, 0)
#define STAND_IN_SECOND(ignored, value, ...) value

#endif
