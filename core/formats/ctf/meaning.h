// SPDX-License-Identifier: MIT
//
// What the names of events mean. Ids and fields of Zephyr's events change between its versions, names hardly.
#ifndef TK_FORMATS_CTF_MEANING_H
#define TK_FORMATS_CTF_MEANING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum ctf_meaning {
    CTF_OTHER,
    CTF_SWITCHED_OUT,
    CTF_SWITCHED_IN,
    CTF_PRIORITY_SET,
    CTF_THREAD_CREATED,
    CTF_THREAD_ABORTED,
    CTF_THREAD_SUSPENDED,
    CTF_THREAD_RESUMED,
    CTF_THREAD_READY,
    CTF_THREAD_PENDING,
    CTF_THREAD_NAMED, // only names the thread
    CTF_ISR_ENTER,
    CTF_ISR_EXIT,
    CTF_IDLE,
    CTF_OBJECT_INIT,
    CTF_MUTEX_LOCKED,
    CTF_MUTEX_UNLOCKED,
    CTF_TIMER_STARTED,
    CTF_TIMER_STOPPED,
    CTF_TIMER_EXPIRED,
    CTF_NAMED_EVENT,
    CTF_SLEEP // a call that waits for time, from its entry on
};

// Part of a call.
enum ctf_part { CTF_WHOLE, CTF_ENTER, CTF_BLOCKING, CTF_EXIT };

// Object of a call.
enum ctf_object {
    CTF_NO_OBJECT,
    CTF_SEMAPHORE,
    CTF_MUTEX,
    CTF_MESSAGE_QUEUE,
    CTF_QUEUE,
    CTF_FIFO,
    CTF_LIFO,
    CTF_STACK,
    CTF_MAILBOX,
    CTF_PIPE,
    CTF_TIMER,
    CTF_OTHER_OBJECT // has no counterpart in the model
};

enum ctf_meaning ctf_meaning_of(const char *name, size_t len);
// Returns the part that the end of the name tells. *out_base: length of the name before it.
enum ctf_part ctf_part_of(const char *name, size_t len, size_t *out_base);
// Returns the object of a call from its first words.
enum ctf_object ctf_object_of(const char *base, size_t len);
// The noun of an object: "semaphore"; "" if it has none.
const char *ctf_noun_of(enum ctf_object object);
// Returns true for calls that wait until there is room: msgq_put.
bool ctf_is_send(const char *base, size_t len);

#endif
