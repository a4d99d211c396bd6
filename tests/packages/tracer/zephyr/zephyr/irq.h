/* SPDX-License-Identifier: MIT */
#ifndef ZEPHYR_IRQ_H
#define ZEPHYR_IRQ_H

unsigned int irq_lock(void);
void irq_unlock(unsigned int key);

#endif
