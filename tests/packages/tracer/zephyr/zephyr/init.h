/* SPDX-License-Identifier: MIT */
#ifndef ZEPHYR_INIT_H
#define ZEPHYR_INIT_H

#define SYS_INIT(init_fn, level, prio) int (*const sys_init_##init_fn)(void) = (init_fn)

#endif
