// SPDX-License-Identifier: MIT
#include "meaning.h"

#include <string.h>

static bool is(const char *name, size_t len, const char *word) {
    return len && *name == *word && strlen(word) == len && !memcmp(name, word, len);
}

static bool begins(const char *name, size_t len, const char *word) {
    if (!len || *name != *word) return false; // for speed: most names differ here
    size_t word_len = strlen(word);
    return len >= word_len && !memcmp(name, word, word_len);
}

static bool ends(const char *name, size_t len, const char *word) {
    size_t word_len = strlen(word);
    return len > word_len && !memcmp(name + len - word_len, word, word_len);
}

enum ctf_meaning ctf_meaning_of(const char *name, size_t len) {
    static const struct {
        const char *name;
        enum ctf_meaning meaning;
    } names[] = {
        { "thread_switched_out", CTF_SWITCHED_OUT },
        { "thread_switched_in", CTF_SWITCHED_IN },
        { "thread_priority_set", CTF_PRIORITY_SET },
        { "thread_sched_priority_set", CTF_PRIORITY_SET },
        { "thread_create", CTF_THREAD_CREATED },
        { "thread_abort", CTF_THREAD_ABORTED },
        { "thread_sched_abort", CTF_THREAD_ABORTED },
        { "thread_suspend", CTF_THREAD_SUSPENDED },
        { "thread_sched_suspend", CTF_THREAD_SUSPENDED },
        { "thread_resume", CTF_THREAD_RESUMED },
        { "thread_sched_resume", CTF_THREAD_RESUMED },
        { "thread_ready", CTF_THREAD_READY },
        { "thread_wakeup", CTF_THREAD_READY },
        { "thread_sched_ready", CTF_THREAD_READY },
        { "thread_sched_wakeup", CTF_THREAD_READY },
        { "thread_pending", CTF_THREAD_PENDING },
        { "thread_sched_pend", CTF_THREAD_PENDING },
        { "thread_info", CTF_THREAD_NAMED },
        { "thread_name_set", CTF_THREAD_NAMED },
        { "isr_enter", CTF_ISR_ENTER },
        { "isr_exit", CTF_ISR_EXIT },
        { "isr_exit_to_scheduler", CTF_ISR_EXIT },
        { "idle", CTF_IDLE },
        { "mutex_lock_exit", CTF_MUTEX_LOCKED },
        { "mutex_unlock_exit", CTF_MUTEX_UNLOCKED },
        { "timer_start", CTF_TIMER_STARTED },
        { "timer_stop", CTF_TIMER_STOPPED },
        { "timer_expiry_enter", CTF_TIMER_EXPIRED },
        { "named_event", CTF_NAMED_EVENT },
        { "k_sleep_enter", CTF_SLEEP },
        { "thread_msleep_enter", CTF_SLEEP },
        { "thread_usleep_enter", CTF_SLEEP },
        { "thread_sleep_ticks_enter", CTF_SLEEP },
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (is(name, len, names[i].name)) return names[i].meaning;
    size_t base;
    bool is_init = ends(name, len, "_init") && ctf_part_of(name, len, &base) == CTF_WHOLE;
    return is_init && ctf_object_of(name, len) != CTF_NO_OBJECT ? CTF_OBJECT_INIT : CTF_OTHER;
}

enum ctf_part ctf_part_of(const char *name, size_t len, size_t *out_base) {
    static const struct {
        const char *word;
        enum ctf_part part;
    } words[] = { { "_enter", CTF_ENTER },       { "_entry", CTF_ENTER }, { "_begin", CTF_ENTER },
                  { "_blocking", CTF_BLOCKING }, { "_exit", CTF_EXIT },   { "_end", CTF_EXIT } };
    *out_base = len;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (!ends(name, len, words[i].word)) continue;
        *out_base = len - strlen(words[i].word);
        return words[i].part;
    }
    return CTF_WHOLE;
}

static const struct {
    const char *prefix, *noun;
} objects[] = {
    [CTF_SEMAPHORE] = { "semaphore_", "semaphore" },
    [CTF_MUTEX] = { "mutex_", "mutex" },
    [CTF_MESSAGE_QUEUE] = { "msgq_", "message queue" },
    [CTF_QUEUE] = { "queue_", "queue" },
    [CTF_FIFO] = { "fifo_", "fifo" },
    [CTF_LIFO] = { "lifo_", "lifo" },
    [CTF_STACK] = { "stack_", "stack" },
    [CTF_MAILBOX] = { "mbox_", "mailbox" },
    [CTF_PIPE] = { "pipe_", "pipe" },
    [CTF_TIMER] = { "timer_", "timer" },
};

enum ctf_object ctf_object_of(const char *base, size_t len) {
    for (size_t i = CTF_SEMAPHORE; i < sizeof objects / sizeof *objects; i++)
        if (begins(base, len, objects[i].prefix)) return (enum ctf_object)i;
    return begins(base, len, "condvar_") || begins(base, len, "mem_slab_") || begins(base, len, "heap_") ||
                   begins(base, len, "event_") || begins(base, len, "work_") || begins(base, len, "poll_")
               ? CTF_OTHER_OBJECT
               : CTF_NO_OBJECT;
}

const char *ctf_noun_of(enum ctf_object object) {
    return object > CTF_NO_OBJECT && object < CTF_OTHER_OBJECT ? objects[object].noun : "";
}

bool ctf_is_send(const char *base, size_t len) {
    return begins(base, len, "msgq_put") || begins(base, len, "mbox_put") || begins(base, len, "mbox_message_put") ||
           begins(base, len, "pipe_write") || is(base, len, "queue_queue_insert");
}
