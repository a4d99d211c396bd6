// SPDX-License-Identifier: MIT
//
// Shared by the files that turn packets into events.
#ifndef TK_FORMATS_SYSTEMVIEW_MAP_H
#define TK_FORMATS_SYSTEMVIEW_MAP_H

#include <string.h>

#include "systemview.h"

enum sv_track_kind { SV_TRACK_TIMER, SV_TRACK_MODULE, SV_TRACK_DATA, SV_TRACK_CALLS, SV_TRACK_MESSAGES };

// Lists of the kernel of FreeRTOS into which it puts a task that waits.
enum { SV_CAUSE_DELAYED = 4, SV_CAUSE_SUSPENDED = 27 };

static inline unsigned sv_core_of(const struct sv_map *map, const struct sv_packet *packet) {
    return map->numbers[packet->core];
}
// Adds an event at the place of the packet. The caller sets its fields before the next call.
struct tk_event *sv_emit(struct sv_map *map, enum tk_event_kind kind, unsigned core, bool timed);
void sv_set_text(const struct sv_map *map, struct tk_event *event, const char *text, size_t len);
// Sets a clean text that is a constant.
static inline void sv_set_words(struct tk_event *event, const char *words) {
    event->str = words;
    event->str_len = (uint32_t)strlen(words);
}
void sv_set_values(const struct sv_map *map, struct tk_event *event, const struct tk_value *values, uint8_t count);
// Returns the name of a resource or a task; *out_len 0: unknown. Not terminated.
const char *sv_name_of(const struct sv_map *map, uint32_t id, bool is_resource, size_t *out_len);
// Returns the track of a timer, a module, data, the calls of a task, or the messages, and defines it at its first use.
// 0: above the limit.
uint32_t sv_track_of(struct sv_map *map, enum sv_track_kind kind, uint32_t number, const struct tk_track_def *def,
                     const char *name, size_t len);

// calls.c
void sv_on_call(struct sv_map *map, const struct sv_packet *packet);
// Ends the calls of a task that is deleted.
void sv_end_calls(struct sv_map *map, unsigned core, uint32_t id);
int sv_call_values(const struct sv_map *map, const struct sv_packet *packet);
void sv_on_end_call(struct sv_map *map, const struct sv_packet *packet);
void sv_on_stop_ready(struct sv_map *map, unsigned core, const struct sv_packet *packet);

// Numbers of calls of FreeRTOS before V11.
enum sv_call_before_v11 {
    SV_CALL_DELAY = 32 + 3,
    SV_CALL_DELAY_UNTIL = 32 + 4,
    SV_CALL_SUSPEND = 32 + 9,
    SV_CALL_NOTIFY = 32 + 30,
    SV_CALL_NOTIFY_FROM_ISR = 32 + 31,
    SV_CALL_NOTIFY_WAIT = 32 + 32,
    SV_CALL_NOTIFY_GIVE_FROM_ISR = 32 + 33,
    SV_CALL_NOTIFY_TAKE = 32 + 34,
    SV_CALL_DISINHERIT = 32 + 42,
    SV_CALL_SEND = 32 + 58,
    SV_CALL_RECEIVE = 32 + 60,
    SV_CALL_SEND_FROM_ISR = 32 + 64,
    SV_CALL_GIVE_FROM_ISR = 32 + 65,
    SV_CALL_RECEIVE_FROM_ISR = 32 + 66
};

// late_reasons.c
// Emits the reason of the last wait of a task (task->wait) if `packet`, its first call since, fits it.
void sv_emit_reason(struct sv_map *map, unsigned core, uint32_t task, const struct sv_packet *packet);
// Keeps a call after which the next packet may tell that a task is ready.
void sv_note_waking_call(const struct sv_map *map, struct sv_core *on, const struct sv_open_call *call);

#endif
