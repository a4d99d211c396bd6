/* SPDX-License-Identifier: MIT */
#ifndef HARDWARE_SYNC_H
#define HARDWARE_SYNC_H

typedef volatile uint32_t spin_lock_t;

spin_lock_t *spin_lock_instance(unsigned number);
bool spin_try_lock_unsafe(spin_lock_t *lock);
void spin_lock_unsafe_blocking(spin_lock_t *lock);
void spin_unlock_unsafe(spin_lock_t *lock);

#endif
